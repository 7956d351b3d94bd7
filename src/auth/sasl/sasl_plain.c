/* auth/sasl/sasl_plain.c: mechanisms that send credentials as they are: EXTERNAL (RFC 4422 appendix A), PLAIN
 * (RFC 4616), LOGIN (draft-murchison-sasl-login), OAUTHBEARER (RFC 7628) and XOAUTH2, its predecessor. They
 * pass over what the server's challenges say. */
#include "auth/sasl/sasl.h"
#include "auth/scheme.h"
#include "base/buf.h"
#include "base/text/format.h"

static bool fits_external(const struct mote_sasl_login *login)
{
  return !login->auth->password.len;
}

static CURLcode sasl_plain_put(struct mote_buf *out, struct mote_slice text)
{
  return text.len ? mote_buf_add(out, text.ptr, text.len) : CURLE_OK;
}

static CURLcode step_external(struct mote_sasl_round *r)
{
  return sasl_plain_put(r->out, r->user);
}

const struct mote_sasl_mechanism mote_sasl_external = {
  .name = "EXTERNAL", .bit = MOTE_SASL_EXTERNAL, .first = true, .deaf = true, .fits = fits_external,
  .step = step_external
};

static CURLcode step_plain(struct mote_sasl_round *r)
{
  CURLcode rc = sasl_plain_put(r->out, r->login->authzid);
  rc = rc ? rc : mote_buf_add(r->out, "", 1);
  rc = rc ? rc : sasl_plain_put(r->out, r->user);
  rc = rc ? rc : mote_buf_add(r->out, "", 1);
  return rc ? rc : sasl_plain_put(r->out, r->password);
}

const struct mote_sasl_mechanism mote_sasl_plain = {
  .name = "PLAIN", .bit = MOTE_SASL_PLAIN, .first = true, .authzid = true, .deaf = true,
  .step = step_plain
};

static CURLcode step_login(struct mote_sasl_round *r)
{
  if(r->number)
    return sasl_plain_put(r->out, r->password);
  r->then = MOTE_SASL_MORE;
  return sasl_plain_put(r->out, r->user);
}

const struct mote_sasl_mechanism mote_sasl_login = {
  .name = "LOGIN", .bit = MOTE_SASL_LOGIN, .first = true, .deaf = true,
  .step = step_login
};

/* ---- tokens ---- */

static bool has_token(const struct mote_sasl_login *login)
{
  return login->auth->token.len != 0;
}

/* The server explains a refusal in a challenge, which ends with this answer (section 3.2.3). */
static CURLcode step_oauthbearer(struct mote_sasl_round *r)
{
  const struct mote_sasl_login *login = r->login;
  CURLcode rc;
  if(r->number)
    return mote_buf_add(r->out, "\x01", 1);
  r->then = MOTE_SASL_EITHER;
  rc = mote_buf_add_str(r->out, "n,a=");
  rc = rc ? rc : mote_sasl_put_name(r->out, r->user);
  rc = rc ? rc : mote_buf_addf(r->out, ",\x01host=%.*s\x01port=%u\x01" "auth=Bearer ", (int)login->host.len,
                               login->host.ptr, (unsigned)login->port);
  rc = rc ? rc : sasl_plain_put(r->out, login->auth->token);
  return rc ? rc : mote_buf_add(r->out, "\x01\x01", 2);
}

const struct mote_sasl_mechanism mote_sasl_oauthbearer = {
  .name = "OAUTHBEARER", .bit = MOTE_SASL_OAUTHBEARER, .first = true, .deaf = true, .fits = has_token,
  .step = step_oauthbearer
};

/* A server's challenge is a refusal, whose reason is in it. */
static CURLcode step_xoauth2(struct mote_sasl_round *r)
{
  CURLcode rc = mote_buf_add_str(r->out, "user=");
  rc = rc ? rc : sasl_plain_put(r->out, r->user);
  rc = rc ? rc : mote_buf_add_str(r->out, "\x01" "auth=Bearer ");
  rc = rc ? rc : sasl_plain_put(r->out, r->login->auth->token);
  return rc ? rc : mote_buf_add(r->out, "\x01\x01", 2);
}

const struct mote_sasl_mechanism mote_sasl_xoauth2 = {
  .name = "XOAUTH2", .bit = MOTE_SASL_XOAUTH2, .first = true, .deaf = true, .fits = has_token,
  .step = step_xoauth2
};
