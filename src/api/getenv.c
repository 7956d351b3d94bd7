/* api/getenv.c: curl_getenv(3). A variable that is set to nothing counts as not set, as in libcurl. */
#include <curl/curl.h>
#include <string.h>

#include "base/memory.h"
#include "port/env.h"

char *curl_getenv(const char *variable)
{
  const char *value = mote_port_getenv(variable);
  return value && *value ? mote_mem_public_strndup(value, strlen(value)) : NULL;
}
