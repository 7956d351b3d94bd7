/* protocol/ftp/ftp_prepare.c: what is decided before there is a connection: whether options are fit to be
 * sent, what a proxy means, and which connections will do (protocol/ftp/ftp.h). */
#include <string.h>

#include "connect/identity.h"
#include "connect/route/route.h"
#include "http/auth/auth.h"
#include "http/auth/netrc.h"
#include "protocol/ftp/ftp.h"
#include "protocol/login.h"
#include "transfer/protocol.h"
#include "transfer/upload/source.h"

void mote_ftp_identity(struct mote_transfer *t, struct mote_out *out)
{
  if(mote_opt_long(&t->options, CURLOPT_USE_SSL) && t->run->request.scheme->tls == MOTE_SECURE_NEVER)
    mote_identity_put_tls(t, out);
  mote_http_identity(t, out);
}

static bool ftp_prepare_has_line_end(const struct mote_transfer *t, CURLoption option)
{
  const char *text = mote_opt_find_ptr(&t->options, MOTE_OPT_ID(option));
  return text && text[strcspn(text, "\r\n")];
}

/* Without a proxy, or through one. */
static CURLcode ftp_prepare_prepare(struct mote_transfer *t)
{
  CURLcode rc = mote_login_check(t);
  if(rc)
    return rc;
  if(ftp_prepare_has_line_end(t, CURLOPT_FTP_ACCOUNT) ||
     ftp_prepare_has_line_end(t, CURLOPT_FTP_ALTERNATIVE_TO_USER))
    return mote_talk_failed(t, CURLE_BAD_FUNCTION_ARGUMENT, "An option for the login has a line end");
  mote_request_announce(&t->run->request, -1);
  return t->run->request.method == MOTE_METHOD_PUT ? mote_source_open_whole(t) : CURLE_OK;
}

/* An HTTP proxy that passes requests on is asked by HTTP. Through any other both connections go. */
static CURLcode prepare_for_proxy(struct mote_transfer *t)
{
  struct mote_route route;
  CURLcode rc = mote_route_make(t, &route);
  if(rc)
    return rc;
  if(!route.forward)
    return ftp_prepare_prepare(t);
  if(mote_opt_long(&t->options, CURLOPT_USE_SSL) > CURLUSESSL_TRY)
    return mote_talk_failed(t, CURLE_USE_SSL_FAILED,
                           "FTP by an HTTP proxy has no TLS, which CURLOPT_USE_SSL demands");
  t->run->request.scheme = mote_scheme_find("http", 4);
  return t->run->request.scheme->protocol->prepare(t);
}

CURLcode mote_ftp_prepare(struct mote_transfer *t)
{
  CURLcode rc = mote_netrc_find_printable(t);
  if(rc)
    return rc;
  return t->run->lease.proxied ? prepare_for_proxy(t) : ftp_prepare_prepare(t);
}
