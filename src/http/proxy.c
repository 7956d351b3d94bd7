/* http/proxy.c: the fields of a request for the HTTP proxy that passes it on, and its answers that are meant
 * for the client (RFC 9110 section 11.7, CURLOPT_PROXYAUTH(3), CURLOPT_PROXYHEADER(3)). */
#include <string.h>

#include "codec/http/http1.h"
#include "codec/url/percent.h"
#include "codec/url/url.h"
#include "connect/route/route.h"
#include "http/auth/auth.h"
#include "http/hooks.h"
#include "http/http.h"
#include "http/request.h"
#include "transfer/login.h"
#include "transfer/report/info.h"

/* With CURLHEADER_SEPARATE a proxy's lines are its own (CURLOPT_HEADEROPT(3)). */
static const struct curl_slist *http_proxy_lines_of(const struct mote_transfer *t)
{
  bool separate = (mote_opt_long(&t->options, CURLOPT_HEADEROPT) & CURLHEADER_SEPARATE) != 0;
  return separate ? mote_opt_ptr(&t->options, CURLOPT_PROXYHEADER)
                  : mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER);
}

static bool has_own(const struct mote_transfer *t, const char *name)
{
  const struct curl_slist *l;
  size_t len = strlen(name);
  for(l = http_proxy_lines_of(t); l; l = l->next)
    if(mote_http_name_length(l->data) == len && l->data[len] && mote_equal_nocase_n(l->data, name, len))
      return true;
  return false;
}

/* ---- the target ---- */

static void http_proxy_put_word(struct mote_http_writer *w, struct mote_slice word, bool coded)
{
  char *to = mote_http_room(w, 3 * word.len);
  if(coded)
    mote_http_put(w, word.ptr, word.len);
  else if(to)
    w->len += mote_percent_encode(word, 0, NULL, to, w->cap - w->len);
}

/* A proxy takes the login of ftp: from the URL, and the field Authorization may say nothing to it. */
static void put_ftp_login(struct mote_http_writer *w)
{
  struct mote_auth_login login;
  mote_http_find_login(w->t, &login);
  if(!login.user.len)
    return;
  http_proxy_put_word(w, login.user, login.user_coded);
  if(login.password.len) {
    mote_http_put(w, ":", 1);
    http_proxy_put_word(w, login.password, login.password_coded);
  }
  mote_http_put(w, "@", 1);
}

static bool is_ftp(const struct mote_http_writer *w)
{
  return *mote_url_get(w->url, MOTE_URL_SCHEME).ptr == 'f';
}

/* CURLOPT_PROXY_TRANSFER_MODE(3). A type that the URL has stays. */
void mote_http_put_transfer_type(struct mote_http_writer *w)
{
  struct mote_slice path = mote_url_get(w->url, MOTE_URL_PATH);
  if(!is_ftp(w) || !mote_opt_long(&w->t->options, CURLOPT_PROXY_TRANSFER_MODE) ||
     (path.len >= 7 && !memcmp(path.ptr + path.len - 7, ";type=", 6) &&
      strchr("AaDdIi", path.ptr[path.len - 1])))
    return;
  mote_http_put_text(w, mote_opt_long(&w->t->options, CURLOPT_TRANSFERTEXT) ? ";type=a" : ";type=i");
}

void mote_http_put_origin(struct mote_http_writer *w)
{
  struct mote_slice scheme = mote_url_get(w->url, MOTE_URL_SCHEME);
  if(mote_opt_str(&w->t->options, CURLOPT_REQUEST_TARGET))
    return;
  mote_http_put(w, scheme.ptr, scheme.len);
  mote_http_put(w, "://", 3);
  if(is_ftp(w))
    put_ftp_login(w);
  mote_http_put_authority(w);
}

/* ---- user and password ---- */

/* What *l has is valid as long as the route is. Without user and password only CURLINFO_PROXYAUTH_AVAIL
 * needs it. */
static bool http_proxy_find_side(struct mote_transfer *t, struct mote_route *route, struct mote_login *l)
{
  if(mote_route_make(t, route) || !route->forward)
    return false;
  mote_route_find_login(t, route, &route->hop[route->proxies - 1], l);
  return true;
}

static void http_proxy_put_login(struct mote_http_writer *w)
{
  struct mote_route route;
  struct mote_login l;
  if(!mote_route_may_login(w->t) || has_own(w->t, "Proxy-Authorization") ||
     !http_proxy_find_side(w->t, &route, &l))
    return;
  mote_info_note_proxy_used(w->t, mote_http_put_login(w, "Proxy-Authorization", &l,
                                                      &mote_http_of(w->t)->proxy_login));
}

static CURLcode http_proxy_read_challenge(struct mote_transfer *t, struct mote_slice value)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_route route;
  struct mote_login l;
  uint8_t offered = mote_info_proxy_offered(t);
  CURLcode rc;
  if(!mote_http_is_forwarded(t) || h->code != 407 || !http_proxy_find_side(t, &route, &l))
    return CURLE_OK;
  rc = mote_login_read(&l, value, &h->proxy_login, &offered);
  mote_info_note_proxy_offered(t, offered);
  h->again = h->proxy_login.again && !t->run->request.whole && !has_own(t, "Proxy-Authorization");
  return rc;
}

const struct mote_http_hook mote_http_proxy_login = {
  .name = "proxy login",
  .also = MOTE_HTTP_ALSO_FORWARDED,
  .place = MOTE_HTTP_AFTER_HOST,
  .fields = MOTE_HTTP_READS(MOTE_FIELD_PROXY_AUTHENTICATE),
  .request = http_proxy_put_login,
  .field = http_proxy_read_challenge,
};

/* ---- the connection ---- */

/* Old proxies would pass Connection on, and know this field instead. */
static void http_proxy_put_connection(struct mote_http_writer *w)
{
  if(!has_own(w->t, "Proxy-Connection"))
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
  .also = MOTE_HTTP_ALSO_FORWARDED,
  .place = MOTE_HTTP_AFTER_REFERER,
  .fields = MOTE_HTTP_READS(MOTE_FIELD_PROXY_CONNECTION),
  .request = http_proxy_put_connection,
  .field = read_connection,
};

/* ---- the application's lines for proxies ---- */

static void http_proxy_put_lines(struct mote_http_writer *w)
{
  if(mote_opt_long(&w->t->options, CURLOPT_HEADEROPT) & CURLHEADER_SEPARATE)
    mote_http_put_lines(w, mote_opt_ptr(&w->t->options, CURLOPT_PROXYHEADER));
}

const struct mote_http_hook mote_http_proxy_lines = {
  .name = "proxy lines",
  .also = MOTE_HTTP_ALSO_FORWARDED,
  .place = MOTE_HTTP_AFTER_CUSTOM,
  .request = http_proxy_put_lines,
};
