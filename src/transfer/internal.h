/* transfer/internal.h: a transfer that the library makes for one of the application's, in the same multi and
 * over the connections of its pool.
 *
 * The application does not see it. It is in no list that a function of the interface returns, it is not
 * counted as running, it has no message, and limits on connections do not hold it up, since the transfer
 * that it serves has a connection already. Callbacks that need a handle get that of the application's
 * transfer.
 *
 * Ownership: the maker embeds the struct, lends it the options that are no copies, and closes it. Its memory
 *            is counted by part, and in no handle's account.
 * Errors:    the result of the transfer is in t.msg.data.result.
 * Tests:     tests/e2e/test_doh.py */
#ifndef MOTE_TRANSFER_INTERNAL_H
#define MOTE_TRANSFER_INTERNAL_H

#include "transfer/transfer.h"

struct mote_internal {
  struct mote_transfer t;
  int32_t conn_id;     /* of the last connection in the multi's pool, which the same request may have again
                          without its key (transfer/identity.h); -1: none */
  uint32_t conn_hash;  /* of its key (net/pool.h) */
  /* The transfer is over. It is called in the last step, and must neither stop nor close the transfer. */
  void (*done)(struct mote_internal *i);
  void *user; /* the maker's */
};

static inline struct mote_internal *mote_internal_of(struct mote_transfer *t)
{
  return (struct mote_internal *)t;
}

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
