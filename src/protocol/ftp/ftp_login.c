/* protocol/ftp/ftp_login.c: the greeting of an FTP server, the login, and the directory where it begins. */
#include "base/report.h"
#include "codec/url/url_pack.h"
#include "http/auth/auth.h"
#include "protocol/ftp/ftp.h"

/* ---- the banner ---- */

CURLcode mote_ftp_expect_banner(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  (void)t;
  (void)now;
  return mote_pp_expect(&f->pp, MOTE_FTP_BANNER);
}

/* 230: no login is needed. */
CURLcode mote_ftp_take_banner(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  (void)text;
  if(code == 220)
    return mote_ftp_greeted(t, f);
  f->logged_in = code == 230;
  if(f->logged_in)
    return mote_ftp_greeted(t, f);
  return mote_ftp_denied(t, CURLE_WEIRD_SERVER_REPLY, "The server does not greet");
}

/* ---- user, password, account ---- */

/* Returns an option that is for the first server of a transfer, and not for those that it redirects to. */
static const char *ftp_login_secret(const struct mote_transfer *t, CURLoption option)
{
  bool may = !t->run->request.other_origin || mote_opt_long(&t->options, CURLOPT_UNRESTRICTED_AUTH);
  return may ? mote_opt_find_ptr(&t->options, MOTE_OPT_ID(option)) : NULL;
}

/* Without any login it is anonymous (RFC 1635). */
CURLcode mote_ftp_send_login(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  struct mote_auth_login l;
  struct mote_slice none;
  (void)now;
  mote_http_find_login(t, &l);
  if(!l.user.len && !l.password.len && !ftp_login_secret(t, CURLOPT_USERNAME) &&
     !ftp_login_secret(t, CURLOPT_PASSWORD) &&
     !mote_url_packed_login(&t->run->request.url, &none, &none)) {
    l.user = mote_slice_of("anonymous");
    l.password = mote_slice_of("ftp@example.com");
  }
  return f->pp.stage == MOTE_FTP_PASS ? mote_pp_send(t, &f->pp, "PASS", l.password, l.password_coded)
                                      : mote_pp_send(t, &f->pp, "USER", l.user, l.user_coded);
}

/* What USER, PASS and what stands for USER have in common. */
static CURLcode ftp_login_judge(struct mote_transfer *t, struct mote_ftp *f, unsigned code)
{
  if(code == 331 && f->pp.stage != MOTE_FTP_PASS)
    return MOTE_PP_TO(MOTE_FTP_PASS);
  if(code / 100 == 2)
    return mote_ftp_logged_in(t);
  if(code == 332) {
    if(ftp_login_secret(t, CURLOPT_FTP_ACCOUNT))
      return MOTE_PP_TO(MOTE_FTP_ACCT);
    return mote_ftp_failed(t, CURLE_LOGIN_DENIED,
                           "The server asks for an account, but CURLOPT_FTP_ACCOUNT is not set");
  }
  return mote_ftp_denied(t, CURLE_LOGIN_DENIED, "The login is refused");
}

CURLcode mote_ftp_take_login(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                             struct mote_slice text)
{
  (void)text;
  if(code >= 400 && !f->substituted && ftp_login_secret(t, CURLOPT_FTP_ALTERNATIVE_TO_USER)) {
    f->substituted = true;
    return MOTE_PP_TO(MOTE_FTP_ALTERNATIVE);
  }
  return ftp_login_judge(t, f, code);
}

CURLcode mote_ftp_send_alternative(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  (void)now;
  return mote_pp_say(t, &f->pp, mote_opt_str(&t->options, CURLOPT_FTP_ALTERNATIVE_TO_USER));
}

CURLcode mote_ftp_send_acct(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  const char *account = mote_opt_str(&t->options, CURLOPT_FTP_ACCOUNT);
  (void)now;
  return mote_pp_send(t, &f->pp, "ACCT", mote_slice_of(account), false);
}

CURLcode mote_ftp_take_acct(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                             struct mote_slice text)
{
  (void)f;
  (void)text;
  if(code == 230)
    return mote_ftp_logged_in(t);
  return mote_ftp_denied(t, CURLE_FTP_WEIRD_PASS_REPLY, "The account is refused");
}

/* ---- where the login leads to ---- */

/* Without a path in the answer there is no entry path, and nothing else is lost. */
CURLcode mote_ftp_take_pwd(struct mote_transfer *t, struct mote_ftp *f, unsigned code, struct mote_slice text)
{
  bool unix_path = true;
  CURLcode rc = code == 257 ? mote_ftp_enter(t, f, text, &unix_path) : CURLE_OK;
  return rc ? rc : MOTE_PP_TO(unix_path || f->renamed ? MOTE_FTP_GREETED : MOTE_FTP_SYST);
}

/* OS/400 has names like those of Unix only after SITE NAMEFMT 1. */
CURLcode mote_ftp_take_syst(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  struct mote_slice name = mote_slice_trim(text);
  bool is_os400;
  name.len = name.len < 6 ? name.len : 6;
  is_os400 = code == 215 && mote_slice_is(name, "OS/400");
  (void)f;
  (void)t;
  return MOTE_PP_TO(is_os400 ? MOTE_FTP_NAMEFMT : MOTE_FTP_GREETED);
}

/* The entry path has its new form after that. */
CURLcode mote_ftp_take_namefmt(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                             struct mote_slice text)
{
  (void)t;
  (void)text;
  f->renamed = true;
  return MOTE_PP_TO(code == 250 ? MOTE_FTP_PWD : MOTE_FTP_GREETED);
}
