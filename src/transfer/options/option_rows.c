/* transfer/options/option_rows.c: the table of all options (transfer/options/option_rows.h), and those of a
 * handle that distinguish its connections. */
#include "transfer/options/options.h"

/* ---- rows of options, by number; numbers only, to need no relocation ---- */

/* The first macro must paste the names, because TCP_NODELAY may itself be a macro (0x01 in lwIP). Identity,
 * which is never 0, stands there so that a row without an answer does not compile. */
#define ROW(state, option, type, what, id, value) \
  [MOTE_OPT_ID(option)] = {.kind = MOTE_IDENTITY_##id ? MOTE_TYPE_##type : MOTE_KIND_NONE, \
                           .built = (state), .rule = MOTE_RULE_##what, .preset = (value)},
/* The row of an option whose part is left out. Without TLS its options concern nothing, but with TLS they
 * must not be ignored. */
#define OF_TLS(id) (MOTE_IDENTITY_##id == MOTE_IDENTITY_TLS || MOTE_IDENTITY_##id == MOTE_IDENTITY_CLIENT)
#define LEFT_OUT(id) \
  (!OF_TLS(id)      ? MOTE_OPTION_LACKING \
   : MOTE_HAS_HTTPS ? MOTE_OPTION_REFUSED \
                    : MOTE_OPTION_HARMLESS)
#define HAVE(name, type, what, part, id, value) \
  ROW(MOTE_HAS_##part ? MOTE_OPTION_BUILT : LEFT_OUT(id), CURLOPT_##name, type, what, id, value)
#define HARMLESS(name, type, what, part, id, value) \
  ROW(MOTE_OPTION_HARMLESS, CURLOPT_##name, type, what, id, value)
#define LACK(name, type, what, part, id, value) \
  ROW(MOTE_OPTION_LACKING, CURLOPT_##name, type, what, id, value)
#define REFUSE(name, type, what, part, id, value) \
  ROW(MOTE_OPTION_REFUSED, CURLOPT_##name, type, what, id, value)

static const struct mote_option_row rows[] = {
#include "transfer/options/option_rows.inc"
};

const struct mote_option_row *mote_option_row(uint16_t id)
{
  static const struct mote_option_row none = {.kind = MOTE_KIND_NONE};
  return id < sizeof rows / sizeof rows[0] ? &rows[id] : &none;
}

/* ---- the column `identity` of the rows ---- */

/* A row is in the list of its entry, unless its part is left out, without which it is never set. What ROUTE
 * rows lead to is in the key by other names. */
#define IS_ALWAYS_ALWAYS ~,
#define IS_TLS_TLS ~,
#define IS_CLIENT_CLIENT ~,
#define IS_PROXY_PROXY ~,
#define IS_AUTH_AUTH ~,
#define HAS_1 ~,
#define KEEP(option) MOTE_OPT_ID(option),
#define DROP(option)
#define SECOND(a, b, ...) b
#define PICK(...) SECOND(__VA_ARGS__)
#define IF_(has, list, when) PICK(HAS_##has PICK(IS_##list##_##when KEEP, DROP, ), DROP, )
#define IF(has, list, when) IF_(has, list, when)

/* The options that distinguish connections, a list for each entry, which a 0 ends. */
static const uint16_t always[] = {
#define HAVE(name, type, rule, part, when, value) IF(MOTE_HAS_##part, ALWAYS, when)(CURLOPT_##name)
#include "transfer/options/option_rows.inc"
  0};
static const uint16_t of_tls[] = {
#define HAVE(name, type, rule, part, when, value) IF(MOTE_HAS_##part, TLS, when)(CURLOPT_##name)
#include "transfer/options/option_rows.inc"
  0};
static const uint16_t of_client[] = {
#define HAVE(name, type, rule, part, when, value) IF(MOTE_HAS_##part, CLIENT, when)(CURLOPT_##name)
#include "transfer/options/option_rows.inc"
  0};
static const uint16_t of_proxy[] = {
#define HAVE(name, type, rule, part, when, value) IF(MOTE_HAS_##part, PROXY, when)(CURLOPT_##name)
#include "transfer/options/option_rows.inc"
  0};
static const uint16_t of_auth[] = {
#define HAVE(name, type, rule, part, when, value) IF(MOTE_HAS_##part, AUTH, when)(CURLOPT_##name)
#include "transfer/options/option_rows.inc"
  0};

/* The bits of these options in `seen` of the handle, of which most handles have none. */
#define BIT(option, when, wanted) \
  | ((uint64_t)(MOTE_IDENTITY_##when == (wanted)) << (MOTE_OPT_ID(option) & 63u))
static const uint64_t always_bits = 0
#define HAVE(name, type, rule, part, when, value) BIT(CURLOPT_##name, when, MOTE_IDENTITY_ALWAYS)
#include "transfer/options/option_rows.inc"
  ;
static const uint64_t tls_bits = 0
#define HAVE(name, type, rule, part, when, value) BIT(CURLOPT_##name, when, MOTE_IDENTITY_TLS)
#include "transfer/options/option_rows.inc"
  ;
static const uint64_t client_bits = 0
#define HAVE(name, type, rule, part, when, value) BIT(CURLOPT_##name, when, MOTE_IDENTITY_CLIENT)
#include "transfer/options/option_rows.inc"
  ;
static const uint64_t proxy_bits = 0
#define HAVE(name, type, rule, part, when, value) BIT(CURLOPT_##name, when, MOTE_IDENTITY_PROXY)
#include "transfer/options/option_rows.inc"
  ;
static const uint64_t auth_bits = 0
#define HAVE(name, type, rule, part, when, value) BIT(CURLOPT_##name, when, MOTE_IDENTITY_AUTH)
#include "transfer/options/option_rows.inc"
  ;

/* Options that make a difference only with another option, or only without it. */
static const struct condition {
  uint16_t id;
  uint16_t other;
  bool set; /* what the other must be */
} conditions[] = {
#define WITH(name, other) {MOTE_OPT_ID(CURLOPT_##name), MOTE_OPT_ID(CURLOPT_##other), true},
#define WITHOUT(name, other) {MOTE_OPT_ID(CURLOPT_##name), MOTE_OPT_ID(CURLOPT_##other), false},
#include "transfer/options/option_rows.inc"
};

/* Reports whether an option has another value than its default, and shows it. */
static bool not_default(const struct mote_options *o, uint16_t id, struct mote_option *out)
{
  return mote_option_view(o, id, out) &&
         (out->kind != MOTE_KIND_LONG || out->v.num != mote_option_row(id)->preset);
}

static bool option_rows_applies(const struct mote_options *o, uint16_t id)
{
  struct mote_option other;
  unsigned i;
  for(i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
    if(conditions[i].id == id && not_default(o, conditions[i].other, &other) != conditions[i].set)
      return false;
  return true;
}

/* Returns the list of an entry, and the bits of its options. */
static const uint16_t *option_rows_list(enum mote_identity_when when, uint64_t *bits)
{
  switch(when) {
  case MOTE_IDENTITY_ALWAYS:
    *bits = always_bits;
    return always;
  case MOTE_IDENTITY_TLS:
    *bits = tls_bits;
    return of_tls;
  case MOTE_IDENTITY_CLIENT:
    *bits = client_bits;
    return of_client;
  case MOTE_IDENTITY_PROXY:
    *bits = proxy_bits;
    return of_proxy;
  default:
    *bits = auth_bits;
    return of_auth;
  }
}

bool mote_options_identity(const struct mote_options *o, enum mote_identity_when when, unsigned *at,
                           struct mote_option *out)
{
  uint64_t bits;
  const uint16_t *list = option_rows_list(when, &bits);
  if(!(o->seen & bits))
    return false;
  while(list[*at]) {
    uint16_t id = list[(*at)++];
    if(mote_option_maybe(o, id) && not_default(o, id, out) && option_rows_applies(o, id))
      return true;
  }
  return false;
}
