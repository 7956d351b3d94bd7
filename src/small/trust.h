/* small/trust.h: which certificates a connection trusts, as a part of its key. Two connections to one server
 * that trust different ones are different. Without part https there is nothing to distinguish.
 *
 * Tests: tests/parts/test_parts.py */
#ifndef MOTE_SMALL_TRUST_H
#define MOTE_SMALL_TRUST_H

#include "parts.h"

struct mote_transfer;

#define MOTE_SMALL_TRUST 19 /* bytes */

/* Writes MOTE_SMALL_TRUST bytes, and returns the position after them. */
#if MOTE_HAS_HTTPS
char *mote_small_put_trust(struct mote_transfer *t, char *at);
#else
#define mote_small_put_trust(t, at) ((void)(t), (at))
#endif

#endif
