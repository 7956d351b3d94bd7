/* api/easy_upkeep.c: curl_easy_upkeep(3). */
#include "api/easy_handle.h"
#include "port/port.h"
#include "transfer/connect.h"

/* Dead and aged connections go; HTTP/1.1 has no ping (curl_easy_upkeep(3)). */
CURLcode curl_easy_upkeep(CURL *curl)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(mote_easy_in_callback(e))
    return CURLE_RECURSIVE_API_CALL;
  mote_connect_prune(&e->t, mote_easy_multi(e), mote_port_now());
  return CURLE_OK;
}
