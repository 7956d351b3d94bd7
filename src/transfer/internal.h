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
                          without its key (connect/identity.h); -1: none */
  uint32_t conn_hash;  /* of its key (net/pool.h) */
  /* The transfer is over. It is called in the last step, and must neither stop nor close the transfer. */
  void (*done)(struct mote_internal *i);
  void *user; /* the maker's */
};

static inline struct mote_internal *mote_internal_of(struct mote_transfer *t)
{
  return (struct mote_internal *)t;
}

#endif
