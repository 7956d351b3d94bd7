/* transfer/option_table.c: every option's row (transfer/option_rows.inc), by its number. The table holds
 * numbers only: nothing to relocate. */
#include "parts.h"
#include "transfer/option_table.h"

/* Names are pasted by the first macro that sees them: TCP_NODELAY may itself be a macro (lwIP's is 0x01). */
#define ROW(state, option, what, id, value) \
  [MOTE_OPT_ID(option)] = {.kind = MOTE_KIND_##what, .identity = MOTE_IDENTITY_##id, \
                           .built = (state), .preset = (value)},
/* What is left out with a part: TLS options concern nothing without TLS, and are not passed over with it. */
#define LEFT_OUT(id) \
  (MOTE_IDENTITY_##id != MOTE_IDENTITY_TLS ? MOTE_OPTION_LACKING \
   : MOTE_HAS_HTTPS                        ? MOTE_OPTION_REFUSED \
                                           : MOTE_OPTION_HARMLESS)
#define HAVE(name, what, id, value) \
  ROW(MOTE_WITH_##name ? MOTE_OPTION_BUILT : LEFT_OUT(id), CURLOPT_##name, what, id, value)
#define HARMLESS(name, what, id, value) ROW(MOTE_OPTION_HARMLESS, CURLOPT_##name, what, id, value)
#define LACK(name, what, id, value) ROW(MOTE_OPTION_LACKING, CURLOPT_##name, what, id, value)
#define REFUSE(name, what, id, value) ROW(MOTE_OPTION_REFUSED, CURLOPT_##name, what, id, value)
#define JUDGE(name, what, id, value) ROW(MOTE_OPTION_JUDGED, CURLOPT_##name, what, id, value)

const struct mote_option_row mote_option_rows[] = {
#include "transfer/option_rows.inc"
};

const struct mote_option_row *mote_option_row(uint16_t id)
{
  static const struct mote_option_row none = {.kind = MOTE_KIND_NONE};
  return id < sizeof mote_option_rows / sizeof mote_option_rows[0] ? &mote_option_rows[id] : &none;
}
