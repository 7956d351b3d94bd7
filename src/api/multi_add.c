/* api/multi_add.c: transfers in and out of a multi handle. */
#include "api/easy_handle.h"
#include "api/handle.h"
#include "transfer/engine.h"

CURLMcode curl_multi_add_handle(CURLM *multi, CURL *curl)
{
  struct mote_multi *m = mote_multi_engine_of(multi);
  struct mote_easy *e = mote_easy_of(curl);
  if(!m)
    return CURLM_BAD_HANDLE;
  if(!e)
    return CURLM_BAD_EASY_HANDLE;
  if(mote_multi_in_strict_callback(m))
    return CURLM_RECURSIVE_API_CALL;
  if(e->t.multi)
    return CURLM_ADDED_ALREADY;
  if(e->t.in_callback) /* it is being cleaned up */
    return CURLM_RECURSIVE_API_CALL;
  if(mote_multi_is_dead(m))
    return CURLM_ABORTED_BY_CALLBACK;
  mote_easy_drop_open(e);
  mote_multi_add(m, &e->t);
  return mote_multi_tell_timer(m);
}

CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *curl)
{
  struct mote_multi *m = mote_multi_engine_of(multi);
  struct mote_easy *e = mote_easy_of(curl);
  if(!m)
    return CURLM_BAD_HANDLE;
  if(!e)
    return CURLM_BAD_EASY_HANDLE;
  if(mote_multi_in_strict_callback(m))
    return CURLM_RECURSIVE_API_CALL;
  if(!e->t.multi)
    return CURLM_OK;
  if(e->t.multi != m)
    return CURLM_BAD_EASY_HANDLE;
  mote_multi_remove(m, &e->t);
  return mote_multi_tell_timer(m);
}
