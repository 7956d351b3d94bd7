/* auth/basic.c: Basic and Bearer (RFC 7617, RFC 6750), whose credentials are sent as they are. */
#include <curl/curl.h>
#include <string.h>

#include "auth/scheme.h"
#include "base/buf.h"
#include "base/digest/base64.h"

static CURLcode put_bearer(void *state, const struct mote_auth_request *r, struct mote_buf *out)
{
  CURLcode rc = mote_buf_reserve(out, 7 + r->login->token.len);
  (void)state;
  rc = rc ? rc : mote_buf_add(out, "Bearer ", 7);
  return rc ? rc : mote_buf_add(out, r->login->token.ptr, r->login->token.len);
}

const struct mote_auth_scheme mote_auth_bearer = {
  .name = "bearer", .bit = CURLAUTH_BEARER, .rank = 4, .token = true, .put = put_bearer
};

/* User and password are written to the end of the room for their code, which begins ahead of them and never
 * overtakes what it still has to read. */
static CURLcode put_basic(void *state, const struct mote_auth_request *r, struct mote_buf *out)
{
  const struct mote_auth_login *login = r->login;
  size_t most = login->user.len + 1 + login->password.len;
  size_t before = out->len, room = MOTE_BASE64_SIZE(most), start;
  CURLcode rc = mote_buf_reserve(out, 6 + room);
  (void)state;
  if(rc)
    return rc;
  memcpy(out->ptr + before, "Basic ", 6);
  start = before + 6 + room - most;
  out->len = start;
  rc = mote_auth_put_plain(out, login->user, login->user_coded);
  rc = rc ? rc : mote_buf_add(out, ":", 1);
  rc = rc ? rc : mote_auth_put_plain(out, login->password, login->password_coded);
  if(!rc)
    before += 6 + mote_base64_encode(out->ptr + before + 6, out->ptr + start, out->len - start);
  out->len = before;
  out->ptr[before] = 0;
  return rc;
}

const struct mote_auth_scheme mote_auth_basic = {
  .name = "basic", .bit = CURLAUTH_BASIC, .rank = 1, .put = put_basic
};
