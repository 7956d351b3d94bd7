/* api/multi/multi_handle.h: what CURLM * points to, and the private multi of an easy handle.
 * api/easy/easy.c makes both.
 *
 * It begins with a magic number, as easy handles do, and is the multi itself.
 *
 * Ownership: one block. A private multi is destroyed with its easy handle, another one by
 *            curl_multi_cleanup(3).
 * Tests:     tests/unit/api/test_multi_api.c, tests/e2e/test_errors.py */
#ifndef MOTE_API_MULTI_MULTI_HANDLE_H
#define MOTE_API_MULTI_MULTI_HANDLE_H

#include <curl/curl.h>

#include "transfer/multi/multi.h"

#define MOTE_MAGIC_MULTI 0x3017C0DEu

struct mote_multi_handle {
  struct mote_multi m; /* m.magic: MOTE_MAGIC_MULTI; 0 after clean-up */
};

/* NULL: not a multi handle, or one that was cleaned up. */
static inline struct mote_multi_handle *mote_multi_of(CURLM *multi)
{
  struct mote_multi_handle *h = (struct mote_multi_handle *)multi;
  return h && h->m.magic == MOTE_MAGIC_MULTI ? h : NULL;
}

/* easy_own: it is the private multi of an easy handle. NULL: out of memory. */
struct mote_multi_handle *mote_multi_make(bool easy_own);
/* All transfers must have been removed. */
void mote_multi_destroy(struct mote_multi_handle *h);

/* ---- api/multi/push.c: CURLMOPT_PUSHFUNCTION(3), CURLMOPT_PUSHDATA(3); without part h2 no server pushes
 * ---- */

#if MOTE_HAS_H2
/* CURLM_OUT_OF_MEMORY: as before. */
CURLMcode mote_push_set_function(struct mote_multi *m, curl_push_callback fn);
CURLMcode mote_push_set_data(struct mote_multi *m, void *data);
#else
#define mote_push_set_function(m, fn) ((void)(m), (void)(fn), (CURLMcode)CURLM_OK)
#define mote_push_set_data(m, data) ((void)(m), (void)(data), (CURLMcode)CURLM_OK)
#endif

#endif
