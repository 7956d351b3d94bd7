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

/* An option that distinguishes connections, and when. */
struct distinction {
  uint16_t id;  /* MOTE_OPT_ID */
  uint8_t when; /* MOTE_IDENTITY_TLS, _CLIENT, _PROXY or _AUTH */
};

/* What ROUTE rows lead to is in the key by other names. */
#define DIFFERS_NEVER(option)
#define DIFFERS_ROUTE(option)
#define DIFFERS_ALWAYS(option)
#define DIFFERS_TLS(option) {MOTE_OPT_ID(option), MOTE_IDENTITY_TLS},
#define DIFFERS_CLIENT(option) {MOTE_OPT_ID(option), MOTE_IDENTITY_CLIENT},
#define DIFFERS_PROXY(option) {MOTE_OPT_ID(option), MOTE_IDENTITY_PROXY},
#define DIFFERS_AUTH(option) {MOTE_OPT_ID(option), MOTE_IDENTITY_AUTH},
/* Those of a part that is left out are never set. */
#define IF_0(...)
#define IF_1(...) __VA_ARGS__
#define IF_(has, ...) IF_##has(__VA_ARGS__)
#define IF(has, ...) IF_(has, __VA_ARGS__)
static const struct distinction distinctions[] = {
#define HAVE(name, type, rule, part, when, value) IF(MOTE_HAS_##part, DIFFERS_##when(CURLOPT_##name))
#include "transfer/options/option_rows.inc"
};

/* Those that make it always, which each request looks for. */
#define ALWAYS_NEVER(option)
#define ALWAYS_ROUTE(option)
#define ALWAYS_ALWAYS(option) MOTE_OPT_ID(option),
#define ALWAYS_TLS(option)
#define ALWAYS_CLIENT(option)
#define ALWAYS_PROXY(option)
#define ALWAYS_AUTH(option)
static const uint16_t always[] = {
#define HAVE(name, type, rule, part, when, value) ALWAYS_##when(CURLOPT_##name)
#include "transfer/options/option_rows.inc"
};

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

static bool next_always(const struct mote_options *o, unsigned *at, struct mote_option *out)
{
  while(*at < sizeof always / sizeof always[0]) {
    uint16_t id = always[(*at)++];
    if(mote_option_maybe(o, id) && not_default(o, id, out) && option_rows_applies(o, id))
      return true;
  }
  return false;
}

bool mote_options_identity(const struct mote_options *o, enum mote_identity_when when, unsigned *at,
                           struct mote_option *out)
{
  const uint64_t bits[] = {
    [MOTE_IDENTITY_ALWAYS] = always_bits, [MOTE_IDENTITY_TLS] = tls_bits,
    [MOTE_IDENTITY_CLIENT] = client_bits, [MOTE_IDENTITY_PROXY] = proxy_bits,
    [MOTE_IDENTITY_AUTH] = auth_bits,
  };
  if(!(o->seen & bits[when]))
    return false;
  if(when == MOTE_IDENTITY_ALWAYS)
    return next_always(o, at, out);
  while(*at < sizeof distinctions / sizeof distinctions[0]) {
    const struct distinction *d = &distinctions[(*at)++];
    if(d->when == when && mote_option_maybe(o, d->id) && not_default(o, d->id, out) &&
       option_rows_applies(o, d->id))
      return true;
  }
  return false;
}
