/* api/multi_handle.h: what CURLM * points to.
 *
 * It begins with a magic number, as easy handles do.
 * Ownership: one block; what it embeds is torn down by its own clean-up.
 * Tests:     tests/e2e/test_errors.py */
#ifndef MOTE_API_MULTI_HANDLE_H
#define MOTE_API_MULTI_HANDLE_H

#include <curl/curl.h>

#include "transfer/multi.h"

#define MOTE_MAGIC_MULTI 0x3017C0DEu

struct mote_multi_handle {
  uint32_t magic; /* MOTE_MAGIC_MULTI; 0 after clean-up */
  struct mote_multi m;
};

static inline struct mote_multi_handle *mote_multi_of(CURLM *multi)
{
  struct mote_multi_handle *h = (struct mote_multi_handle *)multi;
  return h && h->magic == MOTE_MAGIC_MULTI ? h : NULL;
}

#endif
