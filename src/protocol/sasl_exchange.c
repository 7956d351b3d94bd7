/* protocol/sasl_exchange.c: the login of a transfer by SASL (protocol/sasl_exchange.h). */
#include "protocol/sasl_exchange.h"

#include "auth/scheme.h"
#include "base/buf.h"
#include "codec/url/url.h"
#include "net/conn_struct.h"
#include "port/port.h"
#include "protocol/login.h"
#include "transfer/transfer.h"

#define MESSAGE_MOST 65000u /* bytes of a message in base 64, what MOTE_TALK_COMMAND_MOST leaves. A ticket of
                               Kerberos has up to 64 KB, a token some */

struct mote_sasl_exchange {
  struct mote_sasl sasl;
  const struct mote_sasl_service *service;
  struct mote_buf message;              /* what is sent next */
  bool is_command;                      /* it follows the command's name */
  bool initial;                         /* the command may have a first message */
  char random[MOTE_SASL_RANDOM];
};

/* ---- what may be used ---- */

bool mote_sasl_exchange_login(const struct mote_transfer *t, struct mote_auth_login *login)
{
  login->given = mote_login_given(t, login);
  login->ticket = mote_transfer_may_log_in(t);
  return login->given || login->token.len;
}

/* Empty: there are none. */
static struct mote_slice options_of(const struct mote_transfer *t)
{
  const char *option = mote_opt_str(&t->options, CURLOPT_LOGIN_OPTIONS);
  struct mote_url url;
  if(option)
    return mote_slice_of(option);
  mote_url_unpack(&t->run->request.url, &url);
  return mote_url_get(&url, MOTE_URL_OPTIONS);
}

static CURLcode sasl_exchange_read_options(struct mote_transfer *t, const struct mote_sasl_service *service,
                                           struct mote_account *account, struct mote_sasl *s)
{
  mote_sasl_init(s, account);
  mote_sasl_http_auth(s, (unsigned long)mote_opt_long(&t->options, CURLOPT_HTTPAUTH));
  return mote_sasl_options(s, options_of(t), service->own);
}

CURLcode mote_sasl_exchange_check(struct mote_transfer *t, const struct mote_sasl_service *service)
{
  struct mote_sasl s;
  CURLcode rc = sasl_exchange_read_options(t, service, &t->account, &s);
  if(rc)
    mote_fail(&t->report, "The login options are not understood");
  return rc;
}

struct mote_sasl_ways mote_sasl_exchange_ways(struct mote_transfer *t,
                                              const struct mote_sasl_service *service)
{
  struct mote_sasl_ways ways;
  struct mote_auth_login login;
  struct mote_sasl s;
  bool user = mote_sasl_exchange_login(t, &login);
  (void)sasl_exchange_read_options(t, service, &t->account, &s);
  ways.wanted = user || (s.allowed & MOTE_SASL_EXTERNAL);
  ways.own = user && (!s.named || s.own);
  ways.named = s.named;
  return ways;
}

void mote_sasl_exchange_offer(uint16_t *offered, struct mote_slice list)
{
  const char *at = list.ptr, *end = at + list.len;
  struct mote_sasl s = {.offered = *offered};
  while(at < end) {
    struct mote_slice word = {at, 0};
    while(at < end && !mote_is_space(*at))
      at++;
    word.len = (size_t)(at - word.ptr);
    mote_sasl_offer(&s, word);
    at += at < end;
  }
  *offered = s.offered;
}

/* ---- a login ---- */

void mote_sasl_exchange_discard(struct mote_conn *c, struct mote_sasl_exchange *s)
{
  if(!s)
    return;
  mote_sasl_close(&s->sasl);
  mote_buf_close(&s->message);
  mote_mem_free(c->env.account, MOTE_PART_CONN, s, sizeof *s);
}

static void sasl_exchange_describe(struct mote_transfer *t, const struct mote_sasl_exchange *s,
                                   struct mote_auth_login *auth, struct mote_sasl_login *login)
{
  const char *service = mote_opt_str(&t->options, CURLOPT_SERVICE_NAME);
  const char *authzid = mote_opt_str(&t->options, CURLOPT_SASL_AUTHZID);
  (void)mote_sasl_exchange_login(t, auth);
  *login = (struct mote_sasl_login){
    .auth = auth, .authzid = mote_slice_of(authzid ? authzid : ""),
    .service = mote_slice_of(service ? service : s->service->name),
    .host = mote_url_packed_zoned(&t->run->request.url),
    .random = {s->random, sizeof s->random}, .report = &t->report, .port = t->run->request.url.port,
    .initial_most = s->service->initial_most, .initial = s->initial,
  };
}

CURLcode mote_sasl_exchange_begin(struct mote_transfer *t, struct mote_sasl_exchange **out,
                                  const struct mote_sasl_service *service, uint16_t offered, bool initial)
{
  struct mote_conn *c = t->run->channel.conn;
  struct mote_sasl_exchange *s = mote_mem_zalloc(c->env.account, MOTE_PART_CONN, sizeof *s);
  enum mote_sasl_verdict verdict = MOTE_SASL_NONE;
  struct mote_sasl_login login;
  struct mote_auth_login auth;
  CURLcode rc;
  if(!s)
    return CURLE_OUT_OF_MEMORY;
  rc = sasl_exchange_read_options(t, service, c->env.account, &s->sasl);
  mote_buf_init(&s->message, c->env.account, MOTE_PART_CONN, MESSAGE_MOST);
  s->sasl.offered = offered;
  s->service = service;
  s->initial = initial || mote_opt_long(&t->options, CURLOPT_SASL_IR);
  s->is_command = true;
  rc = rc ? rc : mote_port_random(s->random, sizeof s->random);
  sasl_exchange_describe(t, s, &auth, &login);
  if(!rc && mote_sasl_is_wanted(&s->sasl, &auth))
    rc = mote_sasl_begin(&s->sasl, &login, &s->message, &verdict);
  if(rc || verdict == MOTE_SASL_NONE) {
    mote_sasl_exchange_discard(c, s);
    s = NULL;
  }
  *out = s;
  return rc;
}

struct mote_slice mote_sasl_exchange_mechanism(const struct mote_sasl_exchange *s)
{
  return mote_slice_of(s->sasl.mechanism->name);
}

bool mote_sasl_exchange_is_command(const struct mote_sasl_exchange *s)
{
  return s->is_command;
}

struct mote_slice mote_sasl_exchange_message(const struct mote_sasl_exchange *s)
{
  return (struct mote_slice){s->message.ptr, s->message.len};
}

CURLcode mote_sasl_exchange_take(struct mote_transfer *t, struct mote_sasl_exchange **out,
                                 enum mote_sasl_reply reply, struct mote_slice text)
{
  struct mote_sasl_exchange *s = *out;
  enum mote_sasl_verdict verdict;
  struct mote_sasl_login login;
  struct mote_auth_login auth;
  CURLcode rc;
  sasl_exchange_describe(t, s, &auth, &login);
  mote_buf_clear(&s->message);
  rc = mote_sasl_next(&s->sasl, &login, reply, text, &s->message, &verdict);
  if(rc)
    return rc;
  if(verdict == MOTE_SASL_NONE)
    return mote_fail_as(CURLE_LOGIN_DENIED, &t->report,
                        "The server offers no way to log in that is built in");
  s->is_command = verdict == MOTE_SASL_COMMAND;
  if(verdict != MOTE_SASL_DONE)
    return CURLE_AGAIN;
  mote_sasl_exchange_discard(t->run->channel.conn, s);
  *out = NULL;
  return CURLE_OK;
}
