/* api/multi.c: the multi handle: made, cleaned up. */
#include <string.h>

#include "api/handle.h"
#include "api/multi_handle.h"
#include "base/memory.h"

struct mote_multi_handle *mote_multi_make(bool easy_own)
{
  struct mote_account birth = {0};
  struct mote_multi_handle *h = NULL;
  if(mote_account_open(&birth))
    h = mote_mem_alloc(&birth, MOTE_PART_MULTI, sizeof *h);
  if(!h) {
    mote_account_close(&birth);
    return NULL;
  }
  h->magic = MOTE_MAGIC_MULTI;
  mote_multi_setup(&h->m);
  h->m.account = birth; /* the handle pays for itself */
  h->m.handle = (CURLM *)h;
  h->m.easy_own = easy_own;
  return h;
}

size_t mote_multi_size(void)
{
  return sizeof(struct mote_multi_handle);
}

void mote_multi_destroy(struct mote_multi_handle *h)
{
  struct mote_account last;
  mote_multi_close(&h->m);
  h->magic = 0;
  last = h->m.account;
  mote_mem_free(&last, MOTE_PART_MULTI, h, sizeof *h);
  mote_account_close(&last);
}

struct mote_multi *mote_multi_engine(struct mote_multi_handle *h)
{
  return &h->m;
}

struct mote_multi *mote_multi_engine_of(CURLM *multi)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  return h ? &h->m : NULL;
}

CURLM *curl_multi_init(void)
{
  return (CURLM *)mote_multi_make(false);
}

CURLMcode curl_multi_cleanup(CURLM *multi)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  if(!h)
    return CURLM_BAD_HANDLE;
  if(h->m.in_callback)
    return CURLM_RECURSIVE_API_CALL;
  mote_multi_remove_all(&h->m);
  mote_multi_destroy(h);
  return CURLM_OK;
}
