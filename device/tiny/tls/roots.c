/* roots.c: roots in flash, which the library borrows. */
#include <stdint.h>

#include "roots.h"

/* DER, written by tools/devices/certificates.py. */
extern const unsigned char *const roots[2];
extern const unsigned root_sizes[2];

CURLcode roots_set(CURL *curl, unsigned which)
{
  struct curl_blob blob = {(void *)(uintptr_t)roots[which], root_sizes[which], CURL_BLOB_NOCOPY};
  return curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, &blob);
}
