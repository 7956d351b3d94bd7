/* protocol/ftp/ftp_tls.c: TLS of the control connection, and how the data connections are protected (RFC
 * 4217).
 *
 * With ftps: TLS comes before the banner. CURLOPT_USE_SSL asks for it after that. */
#include "net/conn.h"
#include "protocol/ftp/ftp.h"
#include "protocol/starttls.h"
#include "transfer/transfer.h"

static long ftp_tls_level(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_USE_SSL);
}

/* ---- AUTH ---- */

/* The names stand for the same. Some servers know but one of them. */
CURLcode mote_ftp_send_auth(struct mote_transfer *t, struct mote_talk *talk)
{
  bool tls = mote_opt_long(&t->options, CURLOPT_FTPSSLAUTH) == CURLFTPAUTH_TLS;
  if(!mote_starttls_is_wanted(t))
    return mote_talk_go(talk, MOTE_FTP_USER);
  return mote_talk_say(t, talk, tls != ((struct mote_ftp *)talk)->auth_again ? "AUTH TLS" : "AUTH SSL");
}

CURLcode mote_ftp_take_auth(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  CURLcode rc = mote_talk_take_alone(t);
  if(rc || r->code == 234 || r->code == 334)
    return rc;
  if(!f->auth_again) {
    f->auth_again = true;
    return mote_talk_go(talk, MOTE_FTP_AUTH);
  }
  return mote_starttls_do_without(t, talk, MOTE_FTP_USER);
}

/* ---- the protection of data ---- */

CURLcode mote_ftp_send_pbsz(struct mote_transfer *t, struct mote_talk *talk)
{
  bool tls = mote_conn_has_tls(t->run->channel.conn);
  return tls ? mote_talk_say(t, talk, "PBSZ 0") : mote_talk_go(talk, MOTE_FTP_PWD);
}

static bool only_control(const struct mote_transfer *t)
{
  return ftp_tls_level(t) == CURLUSESSL_CONTROL;
}

CURLcode mote_ftp_send_prot(struct mote_transfer *t, struct mote_talk *talk)
{
  return mote_talk_say(t, talk, only_control(t) ? "PROT C" : "PROT P");
}

/* With ftps: the URL asks for TLS where CURLOPT_USE_SSL does not. */
static bool ftp_tls_may_be_clear(const struct mote_transfer *t)
{
  return ftp_tls_level(t) == CURLUSESSL_TRY || only_control(t);
}

CURLcode mote_ftp_take_prot(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  if(r->code / 100 == 2)
    ((struct mote_ftp *)talk)->private = !only_control(t);
  else if(!ftp_tls_may_be_clear(t))
    return mote_talk_refused(t, talk, CURLE_USE_SSL_FAILED, r);
  return CURLE_OK;
}

/* ---- the end of TLS on the control connection ---- */

CURLcode mote_ftp_send_ccc(struct mote_transfer *t, struct mote_talk *talk)
{
  return mote_opt_long(&t->options, CURLOPT_FTP_SSL_CCC) ? mote_talk_say(t, talk, "CCC")
                                                         : mote_talk_go(talk, MOTE_FTP_PWD);
}

/* A server that refuses goes on with TLS. */
CURLcode mote_ftp_take_ccc(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  (void)t;
  return r->code < 500 ? CURLE_OK : mote_talk_go(talk, MOTE_FTP_PWD);
}

CURLcode mote_ftp_end_tls(struct mote_transfer *t, struct mote_talk *talk)
{
  bool polite = mote_opt_long(&t->options, CURLOPT_FTP_SSL_CCC) == CURLFTPSSL_CCC_ACTIVE;
  (void)talk;
  return mote_conn_pop(t->run->channel.conn, polite);
}
