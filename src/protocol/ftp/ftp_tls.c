/* protocol/ftp/ftp_tls.c: TLS of the control connection, and how the data connections are protected (RFC
 * 4217).
 *
 * With ftps: TLS comes before the banner. CURLOPT_USE_SSL asks for it after that. */
#include "base/report.h"
#include "connect/dial/dial.h"
#include "net/conn.h"
#include "protocol/ftp/ftp.h"

static long ftp_tls_level(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_USE_SSL);
}

/* ---- AUTH ---- */

/* Without a login when the banner was 230. */
static CURLcode ftp_tls_login(struct mote_transfer *t, struct mote_ftp *f)
{
  return f->logged_in ? mote_ftp_logged_in(t) : MOTE_PP_TO(MOTE_FTP_USER);
}

CURLcode mote_ftp_greeted(struct mote_transfer *t, struct mote_ftp *f)
{
  bool wanted = ftp_tls_level(t) && !mote_conn_has_tls(t->run->channel.conn);
  return wanted ? MOTE_PP_TO(MOTE_FTP_AUTH) : ftp_tls_login(t, f);
}

/* The names stand for the same. Some servers know but one of them. */
CURLcode mote_ftp_send_auth(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  bool tls = mote_opt_long(&t->options, CURLOPT_FTPSSLAUTH) == CURLFTPAUTH_TLS;
  (void)now;
  return mote_pp_say(t, &f->pp, tls != f->auth_again ? "AUTH TLS" : "AUTH SSL");
}

CURLcode mote_ftp_take_auth(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  CURLcode rc = mote_pp_take_alone(t);
  (void)text;
  if(rc)
    return rc;
  if(code == 234 || code == 334)
    return MOTE_PP_TO(MOTE_FTP_SECURE);
  if(!f->auth_again) {
    f->auth_again = true;
    return MOTE_PP_TO(MOTE_FTP_AUTH);
  }
  return ftp_tls_level(t) > CURLUSESSL_TRY ? mote_ftp_denied(t, CURLE_USE_SSL_FAILED, "TLS is refused")
    : ftp_tls_login(t, f);
}

CURLcode mote_ftp_begin_tls(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  CURLcode rc = mote_dial_upgrade(t);
  (void)now;
  return rc ? rc : ftp_tls_login(t, f);
}

/* ---- the protection of data ---- */

CURLcode mote_ftp_logged_in(struct mote_transfer *t)
{
  return MOTE_PP_TO(mote_conn_has_tls(t->run->channel.conn) ? MOTE_FTP_PBSZ : MOTE_FTP_PWD);
}

CURLcode mote_ftp_take_pbsz(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  (void)f;
  (void)t;
  (void)code;
  (void)text;
  return MOTE_PP_TO(MOTE_FTP_PROT);
}

static bool only_control(const struct mote_transfer *t)
{
  return ftp_tls_level(t) == CURLUSESSL_CONTROL;
}

CURLcode mote_ftp_send_prot(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  (void)now;
  return mote_pp_say(t, &f->pp, only_control(t) ? "PROT C" : "PROT P");
}

CURLcode mote_ftp_take_prot(struct mote_transfer *t, struct mote_ftp *f, unsigned code,
                            struct mote_slice text)
{
  (void)text;
  if(code / 100 == 2)
    f->private = !only_control(t);
  else if(ftp_tls_level(t) > CURLUSESSL_CONTROL)
    return mote_ftp_denied(t, CURLE_USE_SSL_FAILED, "TLS for data is refused");
  return MOTE_PP_TO(mote_opt_long(&t->options, CURLOPT_FTP_SSL_CCC) ? MOTE_FTP_CCC : MOTE_FTP_PWD);
}

/* ---- the end of TLS on the control connection ---- */

/* A server that refuses goes on with TLS. */
CURLcode mote_ftp_take_ccc(struct mote_transfer *t, struct mote_ftp *f, unsigned code, struct mote_slice text)
{
  (void)f;
  (void)t;
  (void)text;
  return MOTE_PP_TO(code < 500 ? MOTE_FTP_CLEAR : MOTE_FTP_PWD);
}

CURLcode mote_ftp_end_tls(struct mote_transfer *t, struct mote_ftp *f, mote_time now)
{
  bool polite = mote_opt_long(&t->options, CURLOPT_FTP_SSL_CCC) == CURLFTPSSL_CCC_ACTIVE;
  CURLcode rc = mote_conn_pop(t->run->channel.conn, polite);
  (void)f;
  (void)now;
  return rc ? rc : MOTE_PP_TO(MOTE_FTP_PWD);
}
