/* api/easy_pause.c: curl_easy_pause(3). */
#include "api/easy_handle.h"
#include "transfer/engine.h"

CURLcode curl_easy_pause(CURL *curl, int action)
{
  struct mote_easy *e = mote_easy_of(curl);
  CURLcode rc;
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(e->t.multi && mote_multi_in_watch(e->t.multi))
    return CURLE_RECURSIVE_API_CALL;
  rc = mote_transfer_pause(&e->t, action);
  if(!rc && e->t.multi && !mote_multi_in_callback(e->t.multi))
    (void)mote_multi_tell_timer(e->t.multi);
  return rc;
}
