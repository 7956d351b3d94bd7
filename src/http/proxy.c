/* http/proxy.c: the fields of a request for the HTTP proxy that passes it on, and its answers that are meant
 * for the client (RFC 9110 section 11.7, CURLOPT_PROXYAUTH(3), CURLOPT_PROXYHEADER(3)). */
#include "connect/route.h"
#include "http/auth.h"
#include "http/hooks.h"

/* ---- user and password ---- */

/* The slices stay valid without the route, since nothing of a user or password is in it. */
static bool find_login(struct mote_transfer *t, struct mote_http_login *out)
{
  struct mote_route_login login;
  struct mote_route route;
  if(mote_route_make(t, &route) || !route.forward ||
     !mote_route_login(t, &route, &route.hop[route.proxies - 1], &login))
    return false;
  *out = (struct mote_http_login){login.user, login.password, login.coded, login.coded};
  return true;
}

/* Basic alone is sent without being asked for; as one of several schemes, when the proxy has named it. The
 * route was refused for schemes without it. */
static void put_login(struct mote_http_writer *w)
{
  unsigned long schemes = (unsigned long)mote_opt_long(&w->t->options, CURLOPT_PROXYAUTH);
  struct mote_http_login login;
  if(mote_http_has_own(w->t, "Proxy-Authorization") || !find_login(w->t, &login))
    return;
  if(schemes == CURLAUTH_BASIC || w->t->run->request.proxy_asked)
    mote_http_put_basic(w, "Proxy-Authorization", &login);
}

static CURLcode read_challenge(struct mote_transfer *t, struct mote_slice value)
{
  unsigned long schemes = (unsigned long)mote_opt_long(&t->options, CURLOPT_PROXYAUTH);
  struct mote_http_login login;
  if(!mote_http_is_forwarded(t) || mote_http_of(t)->code != 407 || t->run->request.proxy_asked ||
     schemes == CURLAUTH_BASIC || mote_http_has_own(t, "Proxy-Authorization"))
    return CURLE_OK;
  if((mote_http_auth_named(value) & schemes & CURLAUTH_BASIC) && find_login(t, &login)) {
    t->run->request.proxy_asked = true;
    mote_http_of(t)->again = true;
  }
  return CURLE_OK;
}

const struct mote_http_hook mote_http_proxy_login = {
  .name = "proxy login",
  .forwarded = true,
  .place = MOTE_HTTP_AFTER_HOST,
  .fields = MOTE_HTTP_READS(MOTE_FIELD_PROXY_AUTHENTICATE),
  .request = put_login,
  .field = read_challenge,
};

/* ---- the connection ---- */

/* Old proxies would pass Connection on, and know this field instead. */
static void put_connection(struct mote_http_writer *w)
{
  mote_http_put_optional(w, "Proxy-Connection", "Keep-Alive");
}

static CURLcode read_connection(struct mote_transfer *t, struct mote_slice value)
{
  if(mote_http_is_forwarded(t) && mote_list_has_token(value, "close"))
    mote_http_of(t)->abandoned = true;
  return CURLE_OK;
}

const struct mote_http_hook mote_http_proxy_connection = {
  .name = "proxy connection",
  .forwarded = true,
  .place = MOTE_HTTP_AFTER_REFERER,
  .fields = MOTE_HTTP_READS(MOTE_FIELD_PROXY_CONNECTION),
  .request = put_connection,
  .field = read_connection,
};

/* ---- the application's lines for proxies ---- */

static void put_lines(struct mote_http_writer *w)
{
  if(mote_opt_long(&w->t->options, CURLOPT_HEADEROPT) & CURLHEADER_SEPARATE)
    mote_http_put_lines(w, mote_opt_ptr(&w->t->options, CURLOPT_PROXYHEADER));
}

const struct mote_http_hook mote_http_proxy_lines = {
  .name = "proxy lines",
  .forwarded = true,
  .place = MOTE_HTTP_AFTER_CUSTOM,
  .request = put_lines,
};
