/* api/easy/easy_handle.h: what CURL * points to.
 *
 * It begins with a magic number, so that NULL, a freed handle or a foreign pointer is refused.
 * Ownership: one block; what it embeds is torn down by its own clean-up.
 * Tests:     tests/e2e/test_errors.py */
#ifndef MOTE_API_EASY_EASY_HANDLE_H
#define MOTE_API_EASY_EASY_HANDLE_H

#include <curl/curl.h>

#include "transfer/transfer.h"

#define MOTE_MAGIC_EASY 0xEA57C0DEu

struct mote_multi_handle;

struct mote_easy {
  uint32_t magic;                /* MOTE_MAGIC_EASY; 0 after clean-up */
  struct mote_transfer t;
  struct mote_multi_handle *own; /* private multi of curl_easy_perform, made by its first call; or NULL */
};

static inline struct mote_easy *mote_easy_of(CURL *curl)
{
  struct mote_easy *e = (struct mote_easy *)curl;
  return e && e->magic == MOTE_MAGIC_EASY ? e : NULL;
}

/* Close the connection that CONNECT_ONLY has left with the handle, if any. */
void mote_easy_drop_open(struct mote_easy *e);
/* Keep it while the handle changes its share, whose pool and sessions it leaves. */
void mote_easy_keep_open(struct mote_easy *e);
/* One of the handle's callbacks runs, or one of the multi that it is in. */
bool mote_easy_in_callback(const struct mote_easy *e);
/* The multi that the handle is in, else its private one, else NULL. */
struct mote_multi *mote_easy_multi(const struct mote_easy *e);

/* Stores the effective URL of a handle for its copy. CURLE_OUT_OF_MEMORY. */
#if MOTE_HAS_INFOS
CURLcode mote_info_copy_url(struct mote_easy *to, struct mote_easy *from);
#else
#define mote_info_copy_url(to, from) ((void)(to), (void)(from), (CURLcode)CURLE_OK)
#endif

#endif
