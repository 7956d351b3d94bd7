/* auth/negotiate.c: Negotiate (RFC 4559), SPNEGO tokens of GSS-API in base 64.
 *
 * Its state is a context of GSS-API with one server or proxy. A context belongs to the connection on which it
 * began: its rounds are the requests there, and each request after the last round begins with a context of
 * its own. Where the connection is another one, the rounds begin again.
 *
 * The token in the last response is not checked, which is as libcurl does it: the response is believed for
 * its connection, as that of any other scheme. */
#include <string.h>

#include "auth/gss.h"
#include "auth/scheme.h"
#include "base/buf.h"
#include "base/containers/list.h"
#include "base/digest/base64.h"
#include "base/report.h"

/* Most challenges with a token, one after the other: no mechanism needs more, and a server could go on. */
#define ROUNDS_MAX 8

struct negotiate {
  struct mote_account *account; /* pays; borrowed */
  struct mote_report report;    /* for the context; what fails there does not fail the transfer */
  struct mote_report *to;       /* the handle's, which gets it as an info line; borrowed */
  struct mote_gss *context;     /* NULL before the first token and after a failure */
  struct mote_slice token;      /* the context's, for the next request */
  uint32_t connection;          /* on which the context began */
  uint8_t rounds;               /* challenges with a token that were answered */
  bool continues;               /* the token answers a challenge, and is for that connection alone */
};

static void pass_on(struct mote_report *r, const char *fmt, va_list args)
{
  struct negotiate *n = mote_container_of(r, struct negotiate, report);
  if(n->to && n->to->ops && n->to->verbose)
    n->to->ops->info(n->to, fmt, args);
}

static const struct mote_report_ops report_ops = {.fail = pass_on, .info = pass_on};

static void drop_context(struct negotiate *n)
{
  mote_gss_close(n->context);
  n->context = NULL;
  n->token.len = 0;
  n->continues = false;
}

static void negotiate_close_state(void *state, struct mote_account *account)
{
  struct negotiate *n = state;
  drop_context(n);
  mote_mem_free(account, MOTE_PART_TRANSFER, n, sizeof *n);
}

static struct negotiate *negotiate_make_state(void **state, struct mote_account *account)
{
  struct negotiate *n = *state;
  if(!n) {
    n = mote_mem_zalloc(account, MOTE_PART_TRANSFER, sizeof *n);
    *state = n;
  }
  if(n) {
    n->account = account;
    n->report.ops = &report_ops;
  }
  return n;
}

/* ---- the request ---- */

/* The host of an IPv6 address has no place in Kerberos, but is passed on as it is. */
static CURLcode negotiate_begin_context(struct negotiate *n, const struct mote_auth_request *r)
{
  struct mote_gss_peer peer = {
    .service = r->service.len ? r->service : mote_slice_of("HTTP"), .host = r->host,
    .mechanism = MOTE_GSS_SPNEGO, .delegation = r->delegation,
  };
  struct mote_slice none = {NULL, 0};
  CURLcode rc;
  drop_context(n);
  n->rounds = 0;
  n->connection = r->connection;
  rc = mote_gss_new(&n->context, n->account, &n->report, &peer);
  rc = rc ? rc : mote_gss_step(n->context, &n->report, none, &n->token);
  if(rc)
    drop_context(n);
  return rc;
}

static CURLcode open_state(void **state, const struct mote_auth_request *r, struct mote_account *account)
{
  struct negotiate *n = negotiate_make_state(state, account);
  if(!n)
    return CURLE_OUT_OF_MEMORY;
  n->to = r->report;
  if(n->continues && n->connection == r->connection) {
    n->continues = false;
    return CURLE_OK;
  }
  return negotiate_begin_context(n, r);
}

static CURLcode negotiate_put(void *state, const struct mote_auth_request *r, struct mote_buf *out)
{
  const struct negotiate *n = state;
  CURLcode rc = mote_buf_reserve(out, 10 + MOTE_BASE64_SIZE(n->token.len));
  (void)r;
  if(rc)
    return rc;
  rc = mote_buf_add(out, "Negotiate ", 10);
  if(!rc)
    out->len += mote_base64_encode(out->ptr + out->len, n->token.ptr, n->token.len);
  return rc;
}

/* ---- the challenge ---- */

/* The next token is made here, so that a server whose token is wrong gets no further request. */
static CURLcode negotiate_answer(struct negotiate *n, struct mote_slice from_peer,
                                 enum mote_auth_verdict *verdict)
{
  CURLcode rc = mote_gss_step(n->context, &n->report, from_peer, &n->token);
  if(!rc && n->token.len && n->rounds < ROUNDS_MAX) {
    n->rounds++;
    n->continues = true;
    *verdict = MOTE_AUTH_ANSWER;
    return CURLE_OK;
  }
  drop_context(n);
  return rc == CURLE_AUTH_ERROR ? CURLE_OK : rc;
}

static CURLcode decode_and_answer(struct negotiate *n, struct mote_slice text,
                                  enum mote_auth_verdict *verdict)
{
  size_t room = MOTE_BASE64_BYTES(text.len) + 1;
  struct mote_slice token;
  CURLcode rc = CURLE_OK;
  char *bytes = mote_mem_alloc(n->account, MOTE_PART_TRANSFER, room);
  if(!bytes)
    return CURLE_OUT_OF_MEMORY;
  token.ptr = bytes;
  if(mote_base64_decode(text, bytes, &token.len))
    rc = negotiate_answer(n, token, verdict);
  else
    drop_context(n);
  mote_mem_free(n->account, MOTE_PART_TRANSFER, bytes, room);
  return rc;
}

/* A token without a request that it could answer is passed over. A challenge without one refuses the token
 * that was sent, and so does one with a token after the last round. */
static CURLcode negotiate_read_challenge(void **state, struct mote_slice params, bool sent,
                                         struct mote_account *account, enum mote_auth_verdict *verdict)
{
  struct negotiate *n = negotiate_make_state(state, account);
  if(!n)
    return CURLE_OUT_OF_MEMORY;
  *verdict = sent ? MOTE_AUTH_REFUSED : MOTE_AUTH_ANSWER;
  params = mote_slice_trim(params);
  if(!sent || !params.len || !n->context || mote_gss_is_established(n->context)) {
    drop_context(n);
    return CURLE_OK;
  }
  return decode_and_answer(n, params, verdict);
}

const struct mote_auth_scheme mote_auth_negotiate = {
  .name = "negotiate", .bit = CURLAUTH_NEGOTIATE, .rank = 10, .binds = true, .rounds = true,
  .open = open_state, .read = negotiate_read_challenge, .put = negotiate_put, .close = negotiate_close_state,
};
