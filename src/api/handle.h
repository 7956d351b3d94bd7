/* api/handle.h: the public objects: what CURL *, CURLM * and CURLSH * point to.
 *
 * Each begins with a magic number: a NULL, freed or foreign pointer is refused, not followed far.
 * Ownership: each object is one block; what it embeds is torn down by its own clean-up.
 * Tests:     tests/e2e/test_errors.py */
#ifndef MOTE_API_HANDLE_H
#define MOTE_API_HANDLE_H

#include <curl/curl.h>

#include "transfer/multi.h"
#include "transfer/share.h"
#include "transfer/transfer.h"

#define MOTE_MAGIC_EASY 0xEA57C0DEu
#define MOTE_MAGIC_MULTI 0x3017C0DEu
#define MOTE_MAGIC_SHARE 0x5A2EC0DEu

struct mote_multi_handle;

struct mote_easy {
  uint32_t magic;
  struct mote_transfer t;
  struct mote_multi_handle *own; /* private multi of curl_easy_perform, made by the first one */
};

struct mote_multi_handle {
  uint32_t magic;
  struct mote_multi m;
};

static inline struct mote_easy *mote_easy_of(CURL *curl)
{
  struct mote_easy *e = (struct mote_easy *)curl;
  return e && e->magic == MOTE_MAGIC_EASY ? e : NULL;
}

static inline struct mote_multi_handle *mote_multi_of(CURLM *multi)
{
  struct mote_multi_handle *h = (struct mote_multi_handle *)multi;
  return h && h->magic == MOTE_MAGIC_MULTI ? h : NULL;
}

/* The easy handle of a transfer that is one. */
static inline struct mote_easy *mote_easy_of_transfer(struct mote_transfer *t)
{
  return mote_container_of(t, struct mote_easy, t);
}

/* Close the connection that CONNECT_ONLY has left with the handle (easy.c). */
void mote_easy_drop_open(struct mote_easy *e);

/* A multi handle without a public one around it: the private one (multi.c). NULL: out of memory. */
struct mote_multi_handle *mote_multi_make(bool easy_own);
void mote_multi_destroy(struct mote_multi_handle *h);

/* share.c: a share counts its users. */
CURLSHcode mote_share_attach(CURLSH *share, struct mote_share **out);
void mote_share_detach(struct mote_share *s);

#endif
