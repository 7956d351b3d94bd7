/* protocol/ftp/ftp_login.c: the greeting of an FTP server, the login, and the directory where it begins. */
#include "auth/scheme.h"
#include "codec/url/url_pack.h"
#include "protocol/ftp/ftp.h"
#include "protocol/login.h"
#include "transfer/transfer.h"

/* ---- the banner ---- */

/* 230: no login is needed. */
CURLcode mote_ftp_take_banner(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  f->logged_in = r->code == 230;
  if(f->logged_in || r->code == 220)
    return CURLE_OK;
  return mote_talk_refused(t, talk, CURLE_WEIRD_SERVER_REPLY, r);
}

/* ---- user, password, account ---- */

/* Without any login it is anonymous (RFC 1635). */
CURLcode mote_ftp_send_login(struct mote_transfer *t, struct mote_talk *talk)
{
  bool pass = talk->stage == MOTE_FTP_PASS;
  struct mote_auth_login l;
  if(((struct mote_ftp *)talk)->logged_in)
    return mote_talk_go(talk, MOTE_FTP_PBSZ);
  if(!mote_login_given(t, &l))
    return mote_talk_say(t, talk, pass ? "PASS ftp@example.com" : "USER anonymous");
  if(pass)
    return mote_talk_say_word(t, talk, "PASS", l.password, l.password_coded);
  return mote_talk_say_word(t, talk, "USER", l.user, l.user_coded);
}

/* Takes the reply to USER, PASS and what stands for USER. */
CURLcode mote_ftp_take_login(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  bool allowed = mote_transfer_may_log_in(t);
  if(r->code >= 400 && !f->substituted && allowed &&
     mote_opt_str(&t->options, CURLOPT_FTP_ALTERNATIVE_TO_USER)) {
    f->substituted = true;
    return mote_talk_go(talk, MOTE_FTP_ALTERNATIVE);
  }
  if(r->code == 331 && talk->stage != MOTE_FTP_PASS)
    return mote_talk_go(talk, MOTE_FTP_PASS);
  if(r->code / 100 == 2)
    return CURLE_OK;
  if(r->code != 332)
    return mote_talk_refused(t, talk, CURLE_LOGIN_DENIED, r);
  if(allowed && mote_opt_str(&t->options, CURLOPT_FTP_ACCOUNT))
    return mote_talk_go(talk, MOTE_FTP_ACCT);
  return mote_talk_failed(t, CURLE_LOGIN_DENIED,
                          "The server asks for an account, but CURLOPT_FTP_ACCOUNT is not set");
}

CURLcode mote_ftp_send_alternative(struct mote_transfer *t, struct mote_talk *talk)
{
  return mote_talk_say(t, talk, mote_opt_str(&t->options, CURLOPT_FTP_ALTERNATIVE_TO_USER));
}

CURLcode mote_ftp_send_acct(struct mote_transfer *t, struct mote_talk *talk)
{
  const char *account = mote_opt_str(&t->options, CURLOPT_FTP_ACCOUNT);
  return mote_talk_say_word(t, talk, "ACCT", mote_slice_of(account), false);
}

CURLcode mote_ftp_take_acct(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  return r->code == 230 ? CURLE_OK : mote_talk_refused(t, talk, CURLE_FTP_WEIRD_PASS_REPLY, r);
}

/* ---- where the login leads to ---- */

/* Without a path in the answer there is no entry path, and nothing else is lost. */
CURLcode mote_ftp_take_pwd(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  bool unix_path = true;
  CURLcode rc = r->code == 257 ? mote_ftp_enter(t, f, r, &unix_path) : CURLE_OK;
  return rc || !(unix_path || f->renamed) ? rc : mote_talk_go(talk, MOTE_FTP_GREETED);
}

/* OS/400 has names like those of Unix only after SITE NAMEFMT 1. */
CURLcode mote_ftp_take_syst(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_slice name = mote_slice_trim(r->text);
  (void)t;
  name.len = name.len < 6 ? name.len : 6;
  return r->code == 215 && mote_slice_is(name, "OS/400") ? CURLE_OK : mote_talk_go(talk, MOTE_FTP_GREETED);
}

/* The entry path has its new form after that. */
CURLcode mote_ftp_take_namefmt(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  (void)t;
  ((struct mote_ftp *)talk)->renamed = true;
  return r->code == 250 ? CURLE_OK : mote_talk_go(talk, MOTE_FTP_GREETED);
}
