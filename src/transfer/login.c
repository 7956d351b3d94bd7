/* transfer/login.c: chooses schemes and remembers them (transfer/login.h). */
#include "transfer/login.h"

#include "transfer/transfer.h"

/* Basic and Bearer neither open nor read nor ask. A build with no other scheme has no code for that. */
#define HAS_STATES (MOTE_HAS_DIGEST || MOTE_HAS_GSSAPI)

static unsigned long wanted_schemes(const struct mote_login *l)
{
  return l->schemes & 0xffffffffUL & ~(unsigned long)CURLAUTH_ONLY;
}

/* ---- what the handle remembers ---- */

static struct mote_auth_memory *login_recall(const struct mote_login *l)
{
  struct mote_auth_memory *m = mote_opt_find_ptr(&l->t->options, l->memory);
  return m && mote_auth_memory_is_of(m, &l->place) ? m : NULL;
}

static void *recall_state(const struct mote_login *l, const struct mote_auth_scheme *scheme)
{
  struct mote_auth_memory *m = login_recall(l);
  return m && m->choice == scheme && mote_auth_memory_knows(m, &l->login) ? m->state : NULL;
}

static void login_forget(const struct mote_login *l)
{
  bool changed = l->t->options.changed;
  if(mote_option_has(&l->t->options, l->memory))
    mote_option_unset(&l->t->options, l->memory);
  l->t->options.changed = changed;
}

/* Takes the place of what was remembered of another place, scheme or login. */
static struct mote_auth_memory *login_remember(const struct mote_login *l,
                                               const struct mote_auth_scheme *scheme)
{
  struct mote_auth_memory *m = login_recall(l);
  bool changed = l->t->options.changed;
  if(m && m->choice == scheme && mote_auth_memory_knows(m, &l->login))
    return m;
  m = mote_auth_memory_new(&l->t->account, scheme, &l->place, &l->login);
  if(m && mote_option_set_ptr(&l->t->options, l->memory, m)) {
    mote_auth_memory_free(&l->t->account, m);
    m = NULL;
  }
  l->t->options.changed = changed;
  return m;
}

/* ---- the request ---- */

const struct mote_auth_scheme *mote_login_scheme(const struct mote_login *l, bool *ready)
{
  const struct mote_auth_scheme *s;
  unsigned long among = wanted_schemes(l);
  if((l->schemes & CURLAUTH_ONLY) || (among & (among - 1))) {
    const struct mote_auth_memory *m = login_recall(l);
    among &= m ? m->choice->bit : 0;
  }
  s = among ? mote_auth_choose(among, &l->login) : NULL;
  *ready = s && (!HAS_STATES || !s->asks || recall_state(l, s));
  return s;
}

/* A service has the name that it was given, else its host's (CURLOPT_SERVICE_NAME(3)). */
static void describe_service(const struct mote_login *l, struct mote_auth_request *r)
{
  const struct mote_options *o = &l->t->options;
  bool proxy = l->memory == MOTE_OPT_PROXY_AUTH;
  const char *name = proxy ? mote_opt_str(o, CURLOPT_PROXY_SERVICE_NAME)
                           : mote_opt_str(o, CURLOPT_SERVICE_NAME);
  r->host = l->place.host;
  r->proxy = proxy;
  r->login = &l->login;
  r->delegation = (uint8_t)mote_opt_long(o, CURLOPT_GSSAPI_DELEGATION);
  r->connection = (uint32_t)l->t->run->stats.conn_id;
  r->service = name ? mote_slice_of(name) : r->service;
  r->report = &l->t->report;
}

bool mote_login_open(const struct mote_login *l, const struct mote_auth_scheme *scheme, CURLcode *rc)
{
  struct mote_auth_request r = {.service = {NULL, 0}};
  struct mote_auth_memory *m;
  *rc = CURLE_OK;
  if(!HAS_STATES || !scheme->open)
    return true;
  m = login_remember(l, scheme);
  if(!m) {
    *rc = CURLE_OUT_OF_MEMORY;
    return false;
  }
  describe_service(l, &r);
  *rc = scheme->open(&m->state, &r, &l->t->account);
  if(*rc != CURLE_AUTH_ERROR)
    return !*rc;
  *rc = CURLE_OK;
  return false;
}

CURLcode mote_login_put(const struct mote_login *l, const struct mote_auth_scheme *scheme,
                        struct mote_auth_request *request, struct mote_buf *out)
{
  void *state = HAS_STATES && scheme->read ? recall_state(l, scheme) : NULL;
  request->login = &l->login;
  request->host = l->place.host;
  request->proxy = l->memory == MOTE_OPT_PROXY_AUTH;
  return HAS_STATES && scheme->open && !state ? CURLE_AUTH_ERROR : scheme->put(state, request, out);
}

/* ---- the challenge ---- */

static CURLcode login_read_params(const struct mote_login *l, const struct mote_auth_challenge *c,
                                  struct mote_login_round *round)
{
  enum mote_auth_verdict verdict = MOTE_AUTH_UNUSABLE;
  struct mote_auth_memory *m = login_remember(l, c->scheme);
  CURLcode rc;
  if(!m)
    return CURLE_OUT_OF_MEMORY;
  rc = c->scheme->read(&m->state, c->params, round->sent == mote_login_number(c->scheme->bit),
                       &l->t->account, &verdict);
  if(rc || verdict == MOTE_AUTH_UNUSABLE)
    login_forget(l);
  round->again = verdict == MOTE_AUTH_ANSWER;
  return rc;
}

/* Whatever the server offers besides, the scheme that is preferred is the one that answers. A challenge of
 * it that cannot be answered lets no weaker one take its place. Its first challenge counts, since a server
 * lists those that it prefers first (RFC 9110 section 11.6.1). */
static CURLcode login_consider(const struct mote_login *l, const struct mote_auth_challenge *c,
                               struct mote_login_round *round)
{
  unsigned number = mote_login_number(c->scheme->bit), chosen = 1u << round->chosen >> 1;
  if(round->chosen == number ||
     mote_auth_choose(wanted_schemes(l) & (chosen | c->scheme->bit), &l->login) != c->scheme)
    return CURLE_OK;
  round->chosen = number & 7u;
  if(HAS_STATES && c->scheme->read)
    return login_read_params(l, c, round);
  round->again = round->sent != number;
  return !round->again || login_remember(l, c->scheme) ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

CURLcode mote_login_read(const struct mote_login *l, struct mote_slice challenge,
                         struct mote_login_round *round, uint8_t *offered)
{
  struct mote_auth_challenge c;
  CURLcode rc = CURLE_OK;
  while(!rc && mote_auth_next_challenge(&challenge, &c)) {
    *offered |= (uint8_t)c.bit;
    if(c.scheme)
      rc = login_consider(l, &c, round);
  }
  return rc;
}
