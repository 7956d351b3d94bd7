/* auth/sasl/sasl_gss.c: GSSAPI (RFC 4752), Kerberos without a security layer, so that TLS alone protects what
 * follows the login. */
#include <string.h>

#include "auth/gss.h"
#include "auth/sasl/sasl.h"
#include "auth/scheme.h"
#include "base/buf.h"
#include "base/report.h"

#define LAYERS 4u /* bytes of the message about security layers: which there are, and the largest message */
#define NO_LAYER '\x01'

struct gss {
  struct mote_gss *context;
};

/* Libcurl's choice: Kerberos knows its user without any name, and a name with a realm or domain may be of
 * Kerberos. Where a redirect has led, neither counts. */
static bool sasl_gss_fits(const struct mote_sasl_login *login)
{
  struct mote_slice user = login->auth->user;
  size_t i;
  if(!login->auth->ticket || !mote_gss_is_there())
    return false;
  for(i = 1; i + 1 < user.len; i++)
    if(strchr("@/\\", user.ptr[i]))
      return true;
  return !user.len;
}

static CURLcode send_token(struct mote_sasl_round *r, struct mote_slice token)
{
  r->then = MOTE_SASL_MORE;
  return token.len ? mote_buf_add(r->out, token.ptr, token.len) : CURLE_OK;
}

static CURLcode sasl_gss_begin_context(struct mote_sasl_round *r, struct mote_report *report)
{
  const struct mote_sasl_login *login = r->login;
  struct mote_gss_peer peer = {
    .service = login->service, .host = login->host, .mechanism = MOTE_GSS_KERBEROS
  };
  struct gss *g = r->state;
  struct mote_slice none = {NULL, 0}, token = none;
  CURLcode rc;
  mote_gss_close(g->context);
  rc = mote_gss_new(&g->context, r->account, report, &peer);
  rc = rc ? rc : mote_gss_step(g->context, report, none, &token);
  return rc ? rc : send_token(r, token);
}

/* Where there is no ticket, a user with a password gets in by another mechanism. */
static CURLcode sasl_gss_begin(struct mote_sasl_round *r)
{
  CURLcode rc = sasl_gss_begin_context(r, r->password.len ? NULL : r->login->report);
  if(rc != CURLE_AUTH_ERROR || !r->password.len)
    return rc;
  mote_info(r->login->report, "There are no credentials for GSSAPI");
  r->then = MOTE_SASL_CANCEL;
  return CURLE_OK;
}

static CURLcode choose_no_layer(struct mote_sasl_round *r)
{
  struct mote_report *report = r->login->report;
  struct mote_slice authzid = r->login->authzid, message, wrapped = {NULL, 0};
  struct gss *g = r->state;
  bool encrypted;
  CURLcode rc = mote_gss_unwrap(g->context, report, r->challenge, &message, &encrypted);
  if(rc)
    return rc;
  if(message.len != LAYERS || !(message.ptr[0] & NO_LAYER))
    return mote_fail_as(CURLE_LOGIN_DENIED, report, "The server demands a security layer of GSSAPI");
  rc = mote_buf_add(r->out, "\x01\x00\x00\x00", LAYERS);
  rc = rc || !authzid.len ? rc : mote_buf_add(r->out, authzid.ptr, authzid.len);
  message = (struct mote_slice){r->out->ptr, r->out->len};
  rc = rc ? rc : mote_gss_wrap(g->context, report, false, message, &wrapped);
  mote_buf_clear(r->out);
  return rc ? rc : mote_buf_add(r->out, wrapped.ptr, wrapped.len);
}

static CURLcode sasl_gss_step(struct mote_sasl_round *r)
{
  struct gss *g = r->state;
  struct mote_slice token = {NULL, 0};
  CURLcode rc;
  if(!r->number)
    return sasl_gss_begin(r);
  if(mote_gss_is_established(g->context))
    return choose_no_layer(r);
  rc = mote_gss_step(g->context, r->login->report, r->challenge, &token);
  return rc ? rc : send_token(r, token);
}

static void sasl_gss_close_state(void *state)
{
  struct gss *g = state;
  mote_gss_close(g->context);
}

const struct mote_sasl_mechanism mote_sasl_gssapi = {
  .name = "GSSAPI", .bit = MOTE_SASL_GSSAPI, .state_size = sizeof(struct gss), .first = true,
  .fits = sasl_gss_fits,
  .authzid = true, .step = sasl_gss_step, .close = sasl_gss_close_state
};
