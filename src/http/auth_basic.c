/* http/auth_basic.c: Basic and Bearer (RFC 7617, RFC 6750), whose credentials are sent as they are. */
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "codec/percent.h"
#include "codec/url.h"
#include "http/auth.h"
#include "http/netrc.h"

/* ---- Bearer ---- */

static bool has_token(struct mote_transfer *t)
{
  const char *token = mote_opt_str(&t->options, CURLOPT_XOAUTH2_BEARER);
  return token && *token && mote_http_auth_allowed(t);
}

static void put_bearer(struct mote_http_writer *w)
{
  mote_http_begin_field(w, "Authorization", "Bearer ");
  mote_http_put_text(w, mote_opt_str(&w->t->options, CURLOPT_XOAUTH2_BEARER));
  mote_http_end_field(w);
}

const struct mote_auth_scheme mote_auth_bearer = {
  .name = "bearer", .bit = CURLAUTH_BEARER, .rank = 2, .usable = has_token, .put = put_bearer
};

/* ---- Basic ---- */

/* What a netrc file has for the host comes before what the request lacks or must not use. */
static void take_netrc(const struct mote_transfer *t, struct mote_http_login *login)
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
 * one, the user of the current URL counts, which relative redirects inherit from the URL before. */
static bool find_login(struct mote_transfer *t, struct mote_http_login *login)
{
  static const struct mote_slice none = {"", 0};
  bool allowed = mote_http_auth_allowed(t);
  const char *user = allowed ? mote_opt_str(&t->options, CURLOPT_USERNAME) : NULL;
  const char *password = allowed ? mote_opt_str(&t->options, CURLOPT_PASSWORD) : NULL;
  struct mote_slice url_user = none, url_password = {NULL, 0};
  bool by_option = user && *user;
  if(!by_option)
    (void)mote_url_packed_login(&t->run->request.url, &url_user, &url_password);
  login->user = by_option ? mote_slice_of(user) : url_user;
  login->user_coded = !by_option;
  login->password_coded = url_password.ptr != NULL; /* an empty password in the URL counts */
  login->password = url_password.ptr ? url_password : password ? mote_slice_of(password) : none;
  if(MOTE_HAS_NETRC && mote_option_maybe(&t->options, MOTE_OPT_NETRC))
    take_netrc(t, login);
  return login->user.len || login->password.len;
}

static bool has_login(struct mote_transfer *t)
{
  struct mote_http_login login;
  return find_login(t, &login);
}

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

void mote_http_put_basic(struct mote_http_writer *w, const char *field, const struct mote_http_login *login)
{
  struct mote_buf plain;
  char *to;
  mote_buf_init(&plain, &w->t->account, MOTE_PART_TRANSFER, 2 * MOTE_URL_MAX_INPUT);
  add_part(w, &plain, login->user, login->user_coded);
  if(!w->rc)
    w->rc = mote_buf_add(&plain, ":", 1);
  add_part(w, &plain, login->password, login->password_coded);
  mote_http_begin_field(w, field, "Basic ");
  to = mote_http_room(w, MOTE_BASE64_SIZE(plain.len));
  if(to)
    w->len += mote_base64_encode(to, plain.ptr, plain.len);
  mote_http_end_field(w);
  mote_buf_close(&plain);
}

static void put_basic(struct mote_http_writer *w)
{
  struct mote_http_login login;
  (void)find_login(w->t, &login);
  mote_http_put_basic(w, "Authorization", &login);
}

const struct mote_auth_scheme mote_auth_basic = {
  .name = "basic", .bit = CURLAUTH_BASIC, .rank = 1, .usable = has_login, .put = put_basic
};
