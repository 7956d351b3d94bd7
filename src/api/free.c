/* api/free.c: curl_free(3). */
#include <curl/curl.h>

#include "base/memory.h"

void curl_free(void *p)
{
  mote_mem_public_free(p);
}
