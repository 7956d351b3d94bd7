/* transfer/elsewhere.h: another place to connect to for the current URL, which HTTP has found (RFC 7838) and
 * the route reads (connect/route/route.c).
 *
 * A place by HTTP/3 is for QUIC alone: TCP, which races with it, goes to the origin. What becomes of it there
 * is written here by the dial (connect/quic/dial_quic.c), and read by HTTP at the next URL.
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
#if MOTE_HAS_H3
  bool quic;        /* it is a place for QUIC, and the route stays as it is */
  bool worked;      /* since the last URL QUIC was ready there */
  int64_t failed;   /* Unix time in seconds at which it was not; 0: it was not tried, or worked */
#endif
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

#if MOTE_HAS_H3
static inline bool mote_elsewhere_is_quic(const struct mote_elsewhere *to)
{
  return to->quic;
}

static inline void mote_elsewhere_set_quic(struct mote_elsewhere *to, bool quic)
{
  to->quic = quic;
}

/* Returns the place to which the transfer's attempts by QUIC go, or NULL: to the origin. Valid after the
 * route was made for the current URL. */
static inline struct mote_elsewhere *mote_elsewhere_of_quic(const struct mote_transfer *t)
{
  struct mote_elsewhere *to = t->run->request.elsewhere ? mote_elsewhere_of(t) : NULL;
  return to && to->quic && to->taken ? to : NULL;
}
#else
#define mote_elsewhere_is_quic(to) ((void)(to), false)
#define mote_elsewhere_set_quic(to, is) ((void)(to), (void)(is))
#endif

#endif
