/* auth/sasl/sasl.c: which mechanism is used, and what comes when in a login (auth/sasl/sasl.h). */
#include "auth/sasl/sasl.h"

#include <string.h>

#include "auth/scheme.h"
#include "base/buf.h"
#include "base/digest/base64.h"
#include "base/report.h"

/* Most steps of one mechanism. GSS-API needs three or four, and a server could go on. */
#define ROUNDS_MAX 10u

void mote_sasl_init(struct mote_sasl *s, struct mote_account *account)
{
  memset(s, 0, sizeof *s);
  s->account = account;
  s->allowed = MOTE_SASL_DEFAULT;
}

void mote_sasl_close(struct mote_sasl *s)
{
  if(s->state) {
    if(s->mechanism->close)
      s->mechanism->close(s->state);
    mote_mem_free(s->account, MOTE_PART_CONN, s->state, s->mechanism->state_size);
  }
  s->state = NULL;
  s->mechanism = NULL;
}

/* ---- names ---- */

/* All of them, whether this build has the mechanism or not. */
static const struct {
  const char *name;
  uint16_t bit;
} names[] = {
  {.name = "EXTERNAL", .bit = MOTE_SASL_EXTERNAL},
  {.name = "GSSAPI", .bit = MOTE_SASL_GSSAPI},
  {.name = "SCRAM-SHA-256", .bit = MOTE_SASL_SCRAM_SHA_256},
  {.name = "SCRAM-SHA-1", .bit = MOTE_SASL_SCRAM_SHA_1},
  {.name = "DIGEST-MD5", .bit = MOTE_SASL_DIGEST_MD5},
  {.name = "CRAM-MD5", .bit = MOTE_SASL_CRAM_MD5},
  {.name = "NTLM", .bit = MOTE_SASL_NTLM},
  {.name = "OAUTHBEARER", .bit = MOTE_SASL_OAUTHBEARER},
  {.name = "XOAUTH2", .bit = MOTE_SASL_XOAUTH2},
  {.name = "PLAIN", .bit = MOTE_SASL_PLAIN},
  {.name = "LOGIN", .bit = MOTE_SASL_LOGIN},
};

/* 0: unknown. */
static uint16_t sasl_bit_of(struct mote_slice name)
{
  size_t i;
  for(i = 0; i < sizeof names / sizeof names[0]; i++)
    if(mote_slice_is(name, names[i].name))
      return names[i].bit;
  return 0;
}

void mote_sasl_offer(struct mote_sasl *s, struct mote_slice name)
{
  s->offered |= sasl_bit_of(name);
}

void mote_sasl_http_auth(struct mote_sasl *s, unsigned long schemes)
{
  if(schemes == CURLAUTH_BASIC)
    return;
  s->allowed = 0;
  s->named = true;
  if(schemes & CURLAUTH_BASIC)
    s->allowed |= MOTE_SASL_PLAIN | MOTE_SASL_LOGIN;
  if(schemes & CURLAUTH_DIGEST)
    s->allowed |= MOTE_SASL_DIGEST_MD5;
  if(schemes & CURLAUTH_NEGOTIATE)
    s->allowed |= MOTE_SASL_GSSAPI;
  if(schemes & CURLAUTH_BEARER)
    s->allowed |= MOTE_SASL_OAUTHBEARER | MOTE_SASL_XOAUTH2;
}

/* The word that came last says whether the protocol's own way or SASL is meant. */
static CURLcode sasl_allow(struct mote_sasl *s, struct mote_slice word, const char *own)
{
  bool all = mote_slice_is(word, "*");
  uint16_t bits = all ? MOTE_SASL_DEFAULT : sasl_bit_of(word);
  s->own = own && mote_slice_is(word, own);
  if(!bits && !s->own)
    return CURLE_URL_MALFORMAT;
  s->allowed = all || s->own ? bits : s->allowed | bits;
  s->named = !all;
  return CURLE_OK;
}

CURLcode mote_sasl_options(struct mote_sasl *s, struct mote_slice options, const char *own)
{
  CURLcode rc = CURLE_OK;
  if(options.len)
    s->allowed = 0;
  while(options.len && !rc) {
    const char *end = memchr(options.ptr, ';', options.len);
    size_t n = end ? (size_t)(end - options.ptr) : options.len;
    struct mote_slice word = {options.ptr + 5, n - 5};
    if(n < 5 || !mote_equal_nocase_n(options.ptr, "AUTH=", 5))
      return CURLE_URL_MALFORMAT;
    rc = sasl_allow(s, word, own);
    mote_slice_skip(&options, n + (end ? 1 : 0));
  }
  return rc;
}

/* ---- the choice ---- */

bool mote_sasl_is_wanted(const struct mote_sasl *s, const struct mote_auth_login *login)
{
  return login->given || login->token.len || (s->allowed & MOTE_SASL_EXTERNAL);
}

/* A mechanism that cannot carry the identity that is asked for would let the user in as itself, so one that
 * can is better, whichever it is. */
static bool is_better(const struct mote_sasl_mechanism *m, const struct mote_sasl_mechanism *than,
                      const struct mote_sasl_login *login)
{
  if(than && login->authzid.len && m->authzid != than->authzid)
    return m->authzid;
  return !than || m->bit < than->bit;
}

static const struct mote_sasl_mechanism *sasl_choose(const struct mote_sasl *s,
                                                     const struct mote_sasl_login *login)
{
  const struct mote_sasl_mechanism *const *m, *best = NULL;
  uint16_t among = s->offered & s->allowed;
  for(m = mote_sasl_mechanisms; *m; m++)
    if(((*m)->bit & among) && is_better(*m, best, login) && (!(*m)->fits || (*m)->fits(login)))
      best = *m;
  return best;
}

/* ---- for mechanisms ---- */

CURLcode mote_sasl_put_name(struct mote_buf *out, struct mote_slice name)
{
  CURLcode rc = CURLE_OK;
  size_t i;
  for(i = 0; i < name.len && !rc; i++)
    if(name.ptr[i] == ',')
      rc = mote_buf_add(out, "=2C", 3);
    else if(name.ptr[i] == '=')
      rc = mote_buf_add(out, "=3D", 3);
    else
      rc = mote_buf_add(out, name.ptr + i, 1);
  return rc;
}

/* ---- what a step reads ---- */

static bool sasl_has_control(struct mote_slice text)
{
  size_t i;
  for(i = 0; i < text.len; i++)
    if((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 127)
      return true;
  return false;
}

/* `plain` has room for all that is decoded, so that no slice moves. */
static CURLcode read_credential(struct mote_buf *plain, struct mote_slice text, bool coded,
                                struct mote_slice *out)
{
  size_t before = plain->len;
  *out = text;
  if(coded && text.len) {
    CURLcode rc = mote_auth_put_plain(plain, text, true);
    if(rc)
      return rc;
    out->ptr = plain->ptr + before;
    out->len = plain->len - before;
  }
  if(!sasl_has_control(*out))
    return CURLE_OK;
  return coded ? CURLE_URL_MALFORMAT : CURLE_BAD_FUNCTION_ARGUMENT;
}

static CURLcode read_credentials(struct mote_sasl_round *r, struct mote_buf *plain)
{
  const struct mote_auth_login *auth = r->login->auth;
  CURLcode rc = read_credential(plain, auth->user, auth->user_coded, &r->user);
  rc = rc ? rc : read_credential(plain, auth->password, auth->password_coded, &r->password);
  if(!rc && (sasl_has_control(auth->token) || sasl_has_control(r->login->authzid)))
    rc = CURLE_BAD_FUNCTION_ARGUMENT;
  if(rc == CURLE_URL_MALFORMAT || rc == CURLE_BAD_FUNCTION_ARGUMENT)
    mote_fail(r->login->report, "A user name, password or token has a control character");
  return rc;
}

static bool sasl_read_challenge(struct mote_sasl_round *r, struct mote_buf *plain, struct mote_slice text)
{
  if(text.len > MOTE_SASL_CHALLENGE_MAX || !mote_base64_decode(text, plain->ptr, &r->challenge.len))
    return false;
  r->challenge.ptr = plain->ptr;
  plain->len = r->challenge.len;
  return true;
}

/* What is decoded lives in `plain`, until the step is over. */
static CURLcode step_with(struct mote_sasl *s, struct mote_sasl_round *r, struct mote_slice text,
                          struct mote_buf *plain)
{
  const struct mote_auth_login *auth = r->login->auth;
  size_t some = text.len <= MOTE_SASL_CHALLENGE_MAX ? MOTE_BASE64_BYTES(text.len) : 0;
  CURLcode rc = mote_buf_reserve(plain, some + auth->user.len + auth->password.len);
  if(rc)
    return rc;
  if(!sasl_read_challenge(r, plain, text)) {
    r->then = MOTE_SASL_CANCEL;
    return CURLE_OK;
  }
  rc = read_credentials(r, plain);
  return rc ? rc : s->mechanism->step(r);
}

/* Appends the next message, without base 64. */
static CURLcode sasl_step(struct mote_sasl *s, const struct mote_sasl_login *login, struct mote_slice text,
                          struct mote_buf *message)
{
  struct mote_sasl_round r = {
    .login = login, .account = s->account, .out = message, .state = s->state, .number = s->rounds,
    .then = MOTE_SASL_END,
  };
  struct mote_slice none = {NULL, 0};
  struct mote_buf plain;
  CURLcode rc;
  mote_buf_init(&plain, s->account, MOTE_PART_CONN, SIZE_MAX / 4);
  if(s->mechanism->deaf || (s->mechanism->first && !s->rounds))
    text = none;
  rc = step_with(s, &r, mote_slice_trim(text), &plain);
  s->then = r.then;
  if(plain.ptr)
    memset(plain.ptr, 0, plain.cap);
  mote_buf_close(&plain);
  return rc;
}

/* ---- what is sent ---- */

static CURLcode sasl_put_base64(struct mote_buf *out, const struct mote_buf *message)
{
  CURLcode rc = mote_buf_reserve(out, MOTE_BASE64_SIZE(message->len));
  if(!rc)
    out->len += mote_base64_encode(out->ptr + out->len, message->ptr ? message->ptr : "", message->len);
  return rc;
}

/* An empty response is "=" on the line of the command (RFC 4954 section 4, RFC 3501's SASL-IR). */
static CURLcode put_initial(struct mote_sasl *s, const struct mote_sasl_login *login, struct mote_buf *out,
                            const struct mote_buf *message)
{
  size_t len = strlen(s->mechanism->name) + MOTE_BASE64_SIZE(message->len) - 1;
  CURLcode rc;
  if(login->initial_most && len > login->initial_most)
    return CURLE_OK; /* it is made again when the server asks for it */
  s->rounds = 1;
  rc = mote_buf_add_str(out, message->len ? " " : " =");
  return rc || !message->len ? rc : sasl_put_base64(out, message);
}

static CURLcode make_step(struct mote_sasl *s, const struct mote_sasl_login *login, struct mote_slice text,
                          struct mote_buf *out, bool initial)
{
  struct mote_buf message;
  CURLcode rc;
  mote_buf_init(&message, s->account, MOTE_PART_CONN, SIZE_MAX / 4);
  rc = sasl_step(s, login, text, &message);
  if(!rc && s->then != MOTE_SASL_CANCEL)
    rc = initial ? put_initial(s, login, out, &message) : sasl_put_base64(out, &message);
  if(message.ptr)
    memset(message.ptr, 0, message.cap);
  mote_buf_close(&message);
  return rc;
}

static CURLcode sasl_use(struct mote_sasl *s, const struct mote_sasl_mechanism *m)
{
  mote_sasl_close(s);
  s->mechanism = m;
  s->rounds = 0;
  s->then = MOTE_SASL_MORE;
  if(m->state_size) {
    s->state = mote_mem_zalloc(s->account, MOTE_PART_CONN, m->state_size);
    if(!s->state)
      return CURLE_OUT_OF_MEMORY;
  }
  return CURLE_OK;
}

/* A mechanism whose first message cannot be made is passed over, since the server has not heard of it. */
CURLcode mote_sasl_begin(struct mote_sasl *s, const struct mote_sasl_login *login, struct mote_buf *out,
                         enum mote_sasl_verdict *verdict)
{
  const struct mote_sasl_mechanism *m;
  size_t before = out->len;
  *verdict = MOTE_SASL_NONE;
  while((m = sasl_choose(s, login)) != NULL) {
    CURLcode rc = sasl_use(s, m);
    rc = rc ? rc : mote_buf_add_str(out, m->name);
    if(!rc && m->first && login->initial) {
      struct mote_slice none = {NULL, 0};
      rc = make_step(s, login, none, out, true);
      if(!rc && !s->rounds && s->then != MOTE_SASL_CANCEL)
        s->then = MOTE_SASL_MORE; /* the response was too long, and is asked for */
    }
    if(rc || s->then != MOTE_SASL_CANCEL) {
      *verdict = MOTE_SASL_COMMAND;
      return rc;
    }
    s->offered &= (uint16_t)~m->bit;
    out->len = before;
  }
  return CURLE_OK;
}

static CURLcode sasl_denied(const struct mote_sasl_login *login, const char *why)
{
  return mote_fail_as(CURLE_LOGIN_DENIED, login->report, "%s", why);
}

/* The server has answered the "*", with whatever code. */
static CURLcode begin_next(struct mote_sasl *s, const struct mote_sasl_login *login, struct mote_buf *out,
                           enum mote_sasl_verdict *verdict)
{
  CURLcode rc;
  s->offered &= (uint16_t)~s->mechanism->bit;
  rc = mote_sasl_begin(s, login, out, verdict);
  return rc || *verdict != MOTE_SASL_NONE ? rc
    : sasl_denied(login, "The server's challenge cannot be answered");
}

static CURLcode sasl_answer(struct mote_sasl *s, const struct mote_sasl_login *login, struct mote_slice text,
                            struct mote_buf *out, enum mote_sasl_verdict *verdict)
{
  CURLcode rc;
  if(s->then == MOTE_SASL_END || s->rounds == ROUNDS_MAX)
    return sasl_denied(login, "The server goes on to ask for credentials after the last one");
  rc = make_step(s, login, text, out, false);
  if(rc)
    return rc;
  s->rounds++;
  *verdict = MOTE_SASL_ANSWER;
  if(s->then != MOTE_SASL_CANCEL)
    return CURLE_OK;
  mote_info(login->report, "Cancelling %s", s->mechanism->name);
  return mote_buf_add(out, "*", 1);
}

CURLcode mote_sasl_next(struct mote_sasl *s, const struct mote_sasl_login *login, enum mote_sasl_reply reply,
                        struct mote_slice text, struct mote_buf *out, enum mote_sasl_verdict *verdict)
{
  *verdict = MOTE_SASL_NONE;
  if(s->then == MOTE_SASL_CANCEL)
    return begin_next(s, login, out, verdict);
  if(reply == MOTE_SASL_CHALLENGE)
    return sasl_answer(s, login, text, out, verdict);
  if(reply == MOTE_SASL_REJECTED)
    return sasl_denied(login, "The server refuses the credentials");
  if(s->then == MOTE_SASL_MORE)
    return sasl_denied(login, "The server ends the login before its time");
  *verdict = MOTE_SASL_DONE;
  return CURLE_OK;
}
