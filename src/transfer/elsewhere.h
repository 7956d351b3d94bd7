/* transfer/elsewhere.h: another place to connect to for the current URL, which HTTP has found (RFC 7838) and
 * the route reads (connect/route/route.c).
 *
 * Invariants: it is the first member of what MOTE_OPT_ALTSVC points to.
 * Ownership:  the handle's.
 * Tests:      tests/e2e/test_altsvc.py */
#ifndef MOTE_TRANSFER_ELSEWHERE_H
#define MOTE_TRANSFER_ELSEWHERE_H

#include <stdbool.h>
#include <stdint.h>

#include "parts.h"
#include "transfer/transfer.h"

struct mote_elsewhere {
  uint16_t port;
  uint8_t host_len; /* bytes */
  bool taken;       /* the route goes there, as nothing else takes the origin's place */
  char host[256];
};

/* Returns the place, which counts while run->request.elsewhere is set, or NULL without the engine. */
#if MOTE_HAS_ALTSVC
static inline struct mote_elsewhere *mote_elsewhere_of(const struct mote_transfer *t)
{
  return mote_option_maybe(&t->options, MOTE_OPT_ALTSVC) ? mote_opt_find_ptr(&t->options, MOTE_OPT_ALTSVC)
                                                         : NULL;
}
#else
#define mote_elsewhere_of(t) ((void)(t), (struct mote_elsewhere *)NULL)
#endif

#endif
