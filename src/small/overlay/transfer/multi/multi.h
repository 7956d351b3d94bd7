/* small/overlay/transfer/multi/multi.h: the private multi of an easy handle, with its one transfer.
 *
 * Ownership: the easy handle's (api/easy/easy.c). */
#ifndef MOTE_TRANSFER_MULTI_MULTI_H
#define MOTE_TRANSFER_MULTI_MULTI_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "net/pool.h"
#include "net/waitset.h"
#include "transfer/multi/schedule.h"

struct mote_transfer;

struct mote_multi {
  uint32_t magic;                          /* of the handle that this is (api/multi/multi_handle.h) */
  struct mote_transfer *only;              /* the running transfer, or NULL */
  struct mote_waitset set;
  struct mote_pool pool;
  char *buffer;                            /* receive and send buffer, or NULL */
  uint32_t buffer_size;                    /* bytes; 0 without a buffer */
  int32_t added;                           /* transfers ever added */
  bool easy_own;                           /* always true */
  struct mote_account account;             /* connections, buffers */
};

#define mote_multi_is_private(m) ((void)(m), true)
#define mote_multi_in_callback(m) ((void)(m), false)
#define mote_multi_in_strict_callback(m) ((void)(m), false)
#define mote_multi_in_watch(m) ((void)(m), false)

#endif
