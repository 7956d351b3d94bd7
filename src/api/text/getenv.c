/* api/text/getenv.c: curl_getenv(3), for ports that have an environment. As in libcurl, a variable that is
 * set to an empty string counts as not set. */
#include <curl/curl.h>
#include <string.h>

#include "base/memory.h"
#include "port/env.h"

char *curl_getenv(const char *variable)
{
  const char *value = mote_port_getenv(variable);
  return value && *value ? mote_mem_public_strndup(value, strlen(value)) : NULL;
}
