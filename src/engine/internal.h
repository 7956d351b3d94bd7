/* engine/internal.h: starts and stops what transfer/internal.h describes.
 *
 * Tests: tests/e2e/test_doh.py */
#ifndef MOTE_ENGINE_INTERNAL_H
#define MOTE_ENGINE_INTERNAL_H

#include "transfer/internal.h"

#if MOTE_HAS_DOH

/* Makes an internal transfer without options, for the transfer `of`, which must be in a multi. */
void mote_internal_init(struct mote_internal *i, const struct mote_transfer *of);
/* From here on the transfer is made for another one of the same multi, with the same share. */
void mote_internal_serve(struct mote_internal *i, const struct mote_transfer *of);
/* Starts it, for the first time or again after it was done. The next run takes its first step. */
void mote_internal_start(struct mote_internal *i, struct mote_multi *m);
/* Ends it without calling done(). Does nothing when it is not under way. */
void mote_internal_stop(struct mote_internal *i);
/* Stops it and frees what it has. */
void mote_internal_close(struct mote_internal *i);

/* Reports whether the transfer may be kept between two starts: it has no share, which might end, and memory
 * has no limit. */
bool mote_internal_may_stay(const struct mote_internal *i);

#else

#define mote_internal_stop(i) ((void)(i))
#endif

#endif
