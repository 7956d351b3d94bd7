/* protocol/ldap/ldap_sasl.c: binds by SASL (RFC 4513 section 5.2; protocol/ldap/ldap.h).
 *
 * The server names its mechanisms in the attribute supportedSASLMechanisms of its root DSE. Each step is a
 * BindRequest and its answer. Messages of protocol/sasl_exchange.h are in base 64, those of LDAP are not. */
#include <string.h>

#include "base/digest/base64.h"
#include "codec/ldap/ber.h"
#include "codec/ldap/ldap.h"
#include "protocol/ldap/ldap.h"
#include "protocol/sasl_exchange.h"

#define HEARD_MOST 64u /* messages that answer the search for mechanisms; one entry and a result are usual */

static const struct mote_sasl_service service = {.name = "ldap", .own = "+LOGIN"};

/* ---- what the application asks for ---- */

bool mote_ldap_wants_sasl(const struct mote_transfer *t)
{
  const char *options = mote_opt_str(&t->options, CURLOPT_LOGIN_OPTIONS);
  return options && *options && !mote_equal_nocase(options, "AUTH=+LOGIN");
}

CURLcode mote_ldap_sasl_check(struct mote_transfer *t)
{
  CURLcode rc = mote_ldap_wants_sasl(t) ? mote_sasl_exchange_check(t, &service) : CURLE_OK;
  return rc == CURLE_URL_MALFORMAT ? CURLE_SETOPT_OPTION_SYNTAX : rc;
}

/* ---- the server's mechanisms ---- */

CURLcode mote_ldap_ask_mechanisms(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ldap *l = (struct mote_ldap *)talk;
  struct mote_ldap_search s = {.attributes = mote_slice_of("supportedSASLMechanisms")};
  struct mote_buf request;
  struct mote_ber_writer w = {.out = &request};
  mote_buf_init(&request, &t->account, MOTE_PART_TRANSFER, MOTE_LDAP_REQUEST_MOST);
  (void)mote_ldap_put_search(&w, ++l->id, &s);
  (void)mote_talk_await(t, talk);
  l->offered = 0;
  l->heard = 0;
  return mote_ldap_send(t, &request, w.rc);
}

static bool take_mechanisms(struct mote_ldap *l, struct mote_slice entry)
{
  struct mote_slice values, name;
  uint8_t tag;
  if(!mote_ldap_find_values(entry, "supportedSASLMechanisms", &values))
    return false;
  while(values.len) {
    if(!mote_ber_take(&values, &tag, &name))
      return false;
    mote_sasl_exchange_offer(&l->offered, name);
  }
  return true;
}

/* ---- the messages ---- */

/* Adds what `coded` stands for. */
static CURLcode put_decoded(struct mote_buf *out, struct mote_slice coded)
{
  CURLcode rc = mote_buf_reserve(out, MOTE_BASE64_BYTES(coded.len));
  size_t len = 0;
  if(!rc && coded.len && mote_base64_decode(coded, out->ptr + out->len, &len))
    out->len += len;
  return rc;
}

CURLcode mote_ldap_send_message(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ldap *l = (struct mote_ldap *)talk;
  struct mote_slice message = mote_sasl_exchange_message(l->sasl), credentials = message;
  struct mote_buf plain, request;
  struct mote_ber_writer w = {.out = &request};
  bool has_credentials = true;
  if(mote_sasl_exchange_is_command(l->sasl)) {
    const char *space = memchr(message.ptr, ' ', message.len);
    has_credentials = space;
    mote_slice_skip(&credentials, space ? (size_t)(space + 1 - message.ptr) : message.len);
  }
  if(mote_slice_is(credentials, "=")) /* an empty one */
    credentials.len = 0;
  mote_buf_init(&plain, &t->account, MOTE_PART_TRANSFER, MOTE_LDAP_REQUEST_MOST);
  mote_buf_init(&request, &t->account, MOTE_PART_TRANSFER, MOTE_LDAP_REQUEST_MOST);
  w.rc = put_decoded(&plain, credentials);
  credentials = (struct mote_slice){plain.ptr, plain.len};
  if(!w.rc)
    mote_ldap_put_sasl_bind(&w, ++l->id, mote_sasl_exchange_mechanism(l->sasl),
                            has_credentials ? &credentials : NULL);
  mote_buf_close(&plain);
  (void)mote_talk_await(t, talk);
  return mote_ldap_send(t, &request, w.rc);
}

static CURLcode ldap_sasl_begin(struct mote_transfer *t, struct mote_ldap *l)
{
  CURLcode rc = mote_sasl_exchange_begin(t, &l->sasl, &service, l->offered, true);
  if(rc || l->sasl)
    return rc ? rc : mote_talk_go(&l->talk, MOTE_LDAP_SASL);
  return mote_talk_failed(t, CURLE_LOGIN_DENIED, "The server offers no way to log in that may be used");
}

CURLcode mote_ldap_take_mechanisms(struct mote_transfer *t, struct mote_talk *talk,
                                   const struct mote_reply *r)
{
  struct mote_ldap *l = (struct mote_ldap *)talk;
  const struct mote_ldap_message *m = r->more;
  if(++l->heard > HEARD_MOST || (m->op == MOTE_LDAP_ENTRY && !take_mechanisms(l, m->body)))
    return mote_talk_failed(t, CURLE_WEIRD_SERVER_REPLY, "The server does not answer as LDAP does");
  return m->op == MOTE_LDAP_SEARCH_RESULT ? ldap_sasl_begin(t, l) : mote_talk_await(t, talk);
}

/* ---- the answers ---- */

/* What cannot be answered is cancelled by the bind of the next mechanism (RFC 4513 section 5.2.1). */
static CURLcode ldap_sasl_take(struct mote_transfer *t, enum mote_sasl_reply reply, struct mote_slice text)
{
  struct mote_ldap *l = mote_ldap_of(t);
  CURLcode rc = mote_sasl_exchange_take(t, &l->sasl, reply, text);
  if(rc == CURLE_AGAIN && mote_slice_is(mote_sasl_exchange_message(l->sasl), "*"))
    rc = mote_sasl_exchange_take(t, &l->sasl, MOTE_SASL_REJECTED, mote_slice_of(""));
  return rc;
}

/* The last message of the server may come with its success, which then follows it. A success that comes when
 * the client has cancelled is none. */
static CURLcode take_bind_result(struct mote_transfer *t, const struct mote_ldap_result *r)
{
  bool over = r->code == MOTE_LDAP_SUCCESS;
  struct mote_slice text = {NULL, 0};
  struct mote_buf coded;
  CURLcode rc;
  if(!over && r->code != MOTE_LDAP_BIND_IN_PROGRESS)
    return mote_ldap_bind_refused(t, r);
  mote_buf_init(&coded, &t->account, MOTE_PART_TRANSFER, 2 * MOTE_LDAP_REQUEST_MOST);
  rc = mote_buf_reserve(&coded, MOTE_BASE64_SIZE(r->credentials.len));
  if(!rc && r->credentials.len) {
    text.len = mote_base64_encode(coded.ptr, r->credentials.ptr, r->credentials.len);
    text.ptr = coded.ptr;
  }
  if(!rc)
    rc = !over || text.len ? ldap_sasl_take(t, MOTE_SASL_CHALLENGE, text) : CURLE_AGAIN;
  if(rc == CURLE_AGAIN && over)
    rc = text.len && mote_sasl_exchange_is_command(mote_ldap_of(t)->sasl)
           ? mote_talk_failed(t, CURLE_LOGIN_DENIED, "The server ends the login before its time")
           : ldap_sasl_take(t, MOTE_SASL_ACCEPTED, text);
  mote_buf_close(&coded);
  return rc;
}

CURLcode mote_ldap_take_answer(struct mote_transfer *t, struct mote_talk *talk,
                               const struct mote_reply *reply)
{
  struct mote_ldap_result r;
  CURLcode rc = mote_ldap_read_reply(t, reply, MOTE_LDAP_BIND_RESULT, &r);
  rc = rc ? rc : take_bind_result(t, &r);
  return rc == CURLE_AGAIN ? mote_talk_go(talk, MOTE_LDAP_SASL) : rc;
}
