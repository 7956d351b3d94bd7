/* api/multi_handle.c: creation and destruction of a multi, be it an application's or an easy handle's own. */
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
  h->m.account = birth; /* the handle's own block is charged to its account */
  h->m.handle = (CURLM *)h;
  h->m.easy_own = easy_own;
  return h;
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
