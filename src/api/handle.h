/* api/handle.h: handles of another kind, for files that do not look into them.
 *
 * Ownership: a multi that was made is destroyed by its maker; the engine in it goes with it.
 * Failure:   NULL: no such handle, or out of memory.
 * Tests:     tests/e2e/test_errors.py */
#ifndef MOTE_API_HANDLE_H
#define MOTE_API_HANDLE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "parts.h"

struct mote_multi;
struct mote_multi_handle;

/* A multi handle without a public one around it: the private one of an easy handle. */
struct mote_multi_handle *mote_multi_make(bool easy_own);
/* Bytes that one takes before anything is done with it. */
size_t mote_multi_size(void);
/* All transfers must have been removed. */
void mote_multi_destroy(struct mote_multi_handle *h);
/* What the engine works with. */
struct mote_multi *mote_multi_engine(struct mote_multi_handle *h);
#if MOTE_HAS_MULTI_API

/* The same of what the application gives; NULL when that is no multi handle. */
struct mote_multi *mote_multi_engine_of(CURLM *multi);
/* curl_multi_remove_handle(). */
void mote_multi_leave(struct mote_multi *m, CURL *curl);

#else

static inline struct mote_multi *mote_multi_engine_of(CURLM *multi)
{
  (void)multi;
  return NULL;
}

/* Only curl_easy_perform() has a handle in a multi. */
static inline void mote_multi_leave(struct mote_multi *m, CURL *curl)
{
  (void)m;
  (void)curl;
}

#endif

#endif
