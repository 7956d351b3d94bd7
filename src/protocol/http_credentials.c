/* protocol/http_credentials.c: the Authorization field (RFC 7617, RFC 6750). */
#include "base/base64.h"
#include "base/buf.h"
#include "codec/percent.h"
#include "codec/url.h"
#include "protocol/http_writer.h"

static void add_part(struct mote_http_writer *w, struct mote_buf *plain, struct mote_slice s, bool encoded)
{
  size_t n = s.len;
  if(w->rc || !s.len)
    return;
  w->rc = mote_buf_reserve(plain, s.len);
  if(w->rc)
    return;
  if(encoded)
    w->rc = mote_percent_decode(s, 0, plain->ptr + plain->len, s.len, &n);
  else
    memcpy(plain->ptr + plain->len, s.ptr, s.len);
  if(!w->rc)
    plain->len += n;
}

static void put_basic(struct mote_http_writer *w, const struct mote_http_login *login)
{
  struct mote_buf plain;
  char *to;
  mote_buf_init(&plain, &w->t->account, MOTE_PART_TRANSFER, 2 * MOTE_URL_MAX_INPUT);
  add_part(w, &plain, login->user, login->user_coded);
  if(!w->rc)
    w->rc = mote_buf_add(&plain, ":", 1);
  add_part(w, &plain, login->password, login->password_coded);
  mote_http_put_text(w, "Authorization: Basic ");
  to = mote_http_room(w, MOTE_BASE64_SIZE(plain.len));
  if(to)
    w->len += mote_base64_encode(to, plain.ptr, plain.len);
  mote_http_put(w, "\r\n", 2);
  mote_buf_close(&plain);
}

/* CURLINFO_HTTPAUTH_USED says what an earlier request of the chain used, until one has credentials, empty
 * ones too, and no scheme for them. */
static void forget_used(struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  bool given = mote_opt_str(o, CURLOPT_USERNAME) || mote_opt_str(o, CURLOPT_PASSWORD) ||
               mote_opt_str(o, CURLOPT_XOAUTH2_BEARER);
  struct mote_url url;
  mote_url_unpack(&t->run->url, &url);
  if(mote_url_has(&url, MOTE_URL_USER) || (given && mote_http_auth_allowed(t)))
    t->run->auth_used = 0;
}

void mote_http_put_authorization(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http_login login;
  unsigned long scheme;
  if(mote_http_has_own(t, "Authorization") && mote_http_auth_allowed(t))
    return;
  scheme = mote_http_auth_scheme(t);
  if(!scheme) {
    if(t->run->auth_used)
      forget_used(t);
    return;
  }
  t->run->auth_used = (uint8_t)scheme;
  mote_http_remember(t, scheme);
  if(scheme == CURLAUTH_BEARER)
    mote_http_put_field(w, "Authorization: Bearer ", mote_opt_str(&t->options, CURLOPT_XOAUTH2_BEARER));
  else if(scheme == CURLAUTH_BASIC && mote_http_login(t, &login))
    put_basic(w, &login);
}
