/* api/multi_open.c: curl_multi_init(3), curl_multi_cleanup(3). */
#include "api/handle.h"
#include "api/multi_handle.h"

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

void mote_multi_leave(struct mote_multi *m, CURL *curl)
{
  (void)curl_multi_remove_handle(mote_multi_handle_of(m), curl);
}
