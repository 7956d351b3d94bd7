/* http/auth/auth.c: a request's credentials for the server, also after its challenge (RFC 9110 section 11).
 * The schemes are rows (auth/scheme.h), and transfer/login.h chooses among them. */
#include "http/auth/auth.h"

#include <string.h>

#include "base/buf.h"
#include "base/digest/sha256.h"
#include "codec/http/http1.h"
#include "codec/url/url.h"
#include "connect/identity.h"
#include "http/auth/netrc.h"
#include "http/hooks.h"
#include "http/http.h"
#include "http/request.h"
#include "transfer/login.h"
#include "transfer/protocol.h"

unsigned long mote_http_auth_built(void)
{
  return mote_auth_built();
}

/* ---- whose user and password ---- */

/* What a netrc file has for the host comes before what the request lacks or must not use. */
static void take_netrc(const struct mote_transfer *t, struct mote_auth_login *login)
{
  struct mote_slice user = {NULL, 0};
  if(!mote_netrc_login(t, &user, &login->password))
    return;
  login->password_coded = false;
  if(user.ptr) {
    login->user = user;
    login->user_coded = false;
  }
}

/* The user of the options goes to the first origin only (to all with CURLOPT_UNRESTRICTED_AUTH). Without
 * one, the user of the current URL counts, which relative redirects inherit from the URL before. Those of a
 * URL or a netrc file go to other origins too, since they are meant for them; a ticket does not, as its user
 * is that of this process, whatever the name is. */
void mote_http_find_login(const struct mote_transfer *t, struct mote_auth_login *login)
{
  static const struct mote_slice none = {"", 0};
  bool allowed = mote_transfer_may_log_in(t);
  const char *user = allowed ? mote_opt_str(&t->options, CURLOPT_USERNAME) : NULL;
  const char *password = allowed ? mote_opt_str(&t->options, CURLOPT_PASSWORD) : NULL;
  const char *token = allowed ? mote_opt_str(&t->options, CURLOPT_XOAUTH2_BEARER) : NULL;
  unsigned long schemes = (unsigned long)mote_opt_long(&t->options, CURLOPT_HTTPAUTH);
  struct mote_slice url_user = none, url_password = {NULL, 0};
  bool by_option = user && *user;
  if(!by_option)
    (void)mote_url_packed_login(&t->run->request.url, &url_user, &url_password);
  login->user = by_option ? mote_slice_of(user) : url_user;
  login->user_coded = !by_option;
  login->password_coded = url_password.ptr != NULL; /* an empty password in the URL counts */
  login->password = url_password.ptr ? url_password : password ? mote_slice_of(password) : none;
  login->token = token ? mote_slice_of(token) : none;
  if(MOTE_HAS_NETRC && mote_option_maybe(&t->options, MOTE_OPT_NETRC))
    take_netrc(t, login);
  login->ticket = allowed && (user || password || login->user.len || login->password.len ||
                              mote_login_is_single(schemes));
}

/* A login from a netrc file is not among the options. */
void mote_http_identity(struct mote_transfer *t, struct mote_out *out)
{
  struct mote_slice url[2] = {{NULL, 0}, {NULL, 0}}, file[2] = {{NULL, 0}, {NULL, 0}};
  struct mote_sha256 h;
  if(!MOTE_HAS_HTTPS || !MOTE_HAS_NETRC || !mote_netrc_login(t, &file[0], &file[1])) {
    mote_identity_put_login(t, out);
    return;
  }
  mote_sha256_init(&h);
  mote_identity_feed(&h, t, MOTE_IDENTITY_AUTH);
  if(mote_url_packed_login(&t->run->request.url, &url[0], &url[1]))
    mote_identity_feed_pair(&h, url[0], url[1]);
  mote_identity_feed_pair(&h, file[0], file[1]);
  mote_identity_put_digest(out, 'l', &h);
}

static void auth_find_side(struct mote_transfer *t, struct mote_login *l)
{
  l->t = t;
  l->schemes = (unsigned long)mote_opt_long(&t->options, CURLOPT_HTTPAUTH);
  l->memory = MOTE_OPT_AUTH;
  l->place.host = mote_url_packed_zoned(&t->run->request.url);
  l->place.port = t->run->request.url.port;
  l->place.tls = t->run->request.scheme->tls != MOTE_SECURE_NEVER;
  mote_http_find_login(t, &l->login);
}

/* ---- the field ---- */

/* A buffer over the free room of the writer, after `used` bytes of it. It never grows. */
static struct mote_buf auth_over(struct mote_http_writer *w, size_t used)
{
  struct mote_buf b;
  mote_buf_init(&b, &w->t->account, MOTE_PART_BUFFER, w->cap - w->len - used - 1);
  b.ptr = w->ptr + w->len + used;
  b.cap = b.limit + 1;
  return b;
}

/* Prints the target into the writer's free room, if it fits. Returns its length. */
static size_t auth_print_target(struct mote_http_writer *w, size_t have)
{
  const char *own = mote_http_own_target(w);
  size_t len = own ? strlen(own) : 0;
  if(!own)
    return mote_url_target(w->url, w->ptr + w->len, have);
  if(len < have)
    memcpy(w->ptr + w->len, own, len);
  return len;
}

static const char *method_of(struct mote_http_writer *w)
{
  const char *own = mote_http_own_method(w);
  return own ? own : mote_http_method(w->t);
}

/* The target of a proxy's request is no other (observed). */
static CURLcode auth_print(struct mote_http_writer *w, const struct mote_login *l,
                           const struct mote_auth_scheme *scheme)
{
  struct mote_auth_request r = {.method = mote_slice_of(method_of(w))};
  size_t have = w->cap - w->len, used = 0;
  struct mote_buf b;
  CURLcode rc;
  if(scheme->read) { /* the target is printed ahead of the value, which then takes its place */
    used = auth_print_target(w, have);
    r.target.ptr = w->ptr + w->len;
    r.target.len = used;
  }
  if(used >= have)
    return CURLE_TOO_LARGE;
  b = auth_over(w, used);
  rc = mote_login_put(l, scheme, &r, &b);
  if(rc)
    return rc;
  if(used)
    memmove(w->ptr + w->len, b.ptr, b.len);
  w->len += b.len;
  return CURLE_OK;
}

/* The first request would send the body in vain. */
static void hold_body(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  if(!t->run->body)
    return;
  h->probe = true;
  if(!mote_http_own_line(t, "Transfer-Encoding"))
    h->upload_chunked = false;
}

/* The value of a scheme that has no state, where no challenge chooses among schemes, is the same as long as
 * options and URL are. */
static void keep_field(const struct mote_login *l, const struct mote_auth_scheme *scheme,
                       struct mote_slice value)
{
  if(l->memory == MOTE_OPT_AUTH && !scheme->open && !scheme->read && mote_login_is_single(l->schemes) &&
     !(l->schemes & CURLAUTH_ONLY))
    mote_netrc_keep_field(l->t, value, (uint8_t)scheme->bit);
}

unsigned mote_http_put_login(struct mote_http_writer *w, const char *field, const struct mote_login *l,
                             struct mote_login_round *round)
{
  bool ready;
  const struct mote_auth_scheme *scheme = mote_login_scheme(l, &ready);
  size_t start;
  CURLcode rc;
  if(!scheme)
    return 0;
  if(!ready && w->t->run->request.whole)
    return 0;
  if(!ready) {
    hold_body(w->t);
    return scheme->bit;
  }
  if(!mote_login_open(l, scheme, &rc)) { /* a challenge would not change that */
    round->sent = mote_login_number(scheme->bit) & 7u;
    w->rc = w->rc ? w->rc : rc;
    return scheme->bit;
  }
  mote_http_begin_field(w, field, "");
  start = w->len - 1; /* of its blank */
  for(rc = CURLE_TOO_LARGE; rc == CURLE_TOO_LARGE && !w->rc;) {
    rc = auth_print(w, l, scheme);
    if(rc == CURLE_TOO_LARGE)
      mote_http_grow(w, w->cap - w->len + 1);
    else
      w->rc = rc;
  }
  if(!w->rc && MOTE_HAS_NETRC && mote_option_maybe(&w->t->options, MOTE_OPT_NETRC))
    keep_field(l, scheme, (struct mote_slice){w->ptr + start, w->len - start});
  mote_http_end_field(w);
  round->sent = mote_login_number(scheme->bit) & 7u;
  return scheme->bit;
}

/* CURLINFO_HTTPAUTH_USED keeps the scheme of an earlier request of the chain until a request has
 * credentials, even empty ones, but no scheme for them. */
static void forget_used(struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  bool given = mote_opt_str(o, CURLOPT_USERNAME) || mote_opt_str(o, CURLOPT_PASSWORD) ||
               mote_opt_str(o, CURLOPT_XOAUTH2_BEARER);
  struct mote_url url;
  mote_url_unpack(&t->run->request.url, &url);
  if(mote_url_has(&url, MOTE_URL_USER) || (given && mote_transfer_may_log_in(t)))
    t->run->stats.auth_used = 0;
}

/* Writes what the request before has had. */
static bool put_again(struct mote_http_writer *w)
{
  struct mote_slice value;
  unsigned used = MOTE_HAS_NETRC && mote_option_maybe(&w->t->options, MOTE_OPT_NETRC)
                    ? mote_netrc_field(w->t, &value)
                    : 0;
  if(!used)
    return false;
  w->wire->field(w, "Authorization", sizeof "Authorization" - 1);
  mote_http_put(w, value.ptr, value.len);
  mote_http_end_field(w);
  mote_http_of(w->t)->login.sent = mote_login_number(used) & 7u;
  w->t->run->stats.auth_used = (uint8_t)used;
  return true;
}

static void auth_put_authorization(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_login l;
  unsigned used;
  if(mote_http_has_own(t, "Authorization") || put_again(w))
    return;
  auth_find_side(t, &l);
  used = mote_http_put_login(w, "Authorization", &l, &mote_http_of(t)->login);
  if(used)
    t->run->stats.auth_used = (uint8_t)used;
  else if(t->run->stats.auth_used)
    forget_used(t);
}

/* ---- the challenge ---- */

/* Notes the schemes of WWW-Authenticate and decides whether to send the request again. */
static CURLcode auth_read_challenge(struct mote_transfer *t, struct mote_slice value)
{
  struct mote_run *r = t->run;
  struct mote_http *h = mote_http_of(t);
  struct mote_login l;
  CURLcode rc;
  if(h->code != 401)
    return CURLE_OK;
  if(r->response.challenge == MOTE_CHALLENGE_ELSEWHERE) {
    r->response.challenge = MOTE_CHALLENGE_NONE;
    r->response.auth_avail = 0;
  }
  auth_find_side(t, &l);
  rc = mote_login_read(&l, value, &h->login, &r->response.auth_avail);
  h->again = h->login.again && !r->request.whole && !mote_http_has_own(t, "Authorization");
  return rc;
}

const struct mote_http_hook mote_http_auth = {
  .name = "auth",
  .options = MOTE_HTTP_WHEN(CURLOPT_HTTPAUTH) | MOTE_HTTP_WHEN(CURLOPT_USERNAME) |
             MOTE_HTTP_WHEN(CURLOPT_PASSWORD) | MOTE_HTTP_WHEN(CURLOPT_XOAUTH2_BEARER) |
             MOTE_HTTP_WHEN(CURLOPT_NETRC),
  .also = MOTE_HTTP_ALSO_LOGIN,
  .place = MOTE_HTTP_AFTER_HOST,
  .fields = MOTE_HTTP_READS(MOTE_FIELD_WWW_AUTHENTICATE),
  .request = auth_put_authorization,
  .field = auth_read_challenge,
};
