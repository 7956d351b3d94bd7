/* api/text/escape.c: curl_easy_escape(3), curl_easy_unescape(3) and their forms without a handle. */
#include <curl/curl.h>
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "codec/url/percent.h"

/* Longest result, the same as libcurl's: three times its longest input. */
#define ESCAPED_MAX 24000000

/* length 0 means up to the NUL. The slice's ptr is NULL for arguments that are refused. */
static struct mote_slice escape_input(const char *string, int length)
{
  struct mote_slice s = { NULL, 0 };
  if(string && length >= 0) {
    s.ptr = string;
    s.len = length ? (size_t)length : strlen(string);
  }
  return s;
}

char *curl_easy_escape(CURL *curl, const char *string, int length)
{
  struct mote_slice in = escape_input(string, length);
  size_t len;
  char *out;
  (void)curl;
  if(!in.ptr || in.len > ESCAPED_MAX) /* three times as many bytes may be more than 32 bits count */
    return NULL;
  len = mote_percent_encode(in, 0, NULL, NULL, 0);
  if(len > ESCAPED_MAX)
    return NULL;
  out = mote_mem_public_alloc(len + 1);
  if(!out)
    return NULL;
  (void)mote_percent_encode(in, 0, NULL, out, len);
  out[len] = 0;
  return out;
}

char *curl_easy_unescape(CURL *curl, const char *string, int inlength, int *outlength)
{
  struct mote_slice in = escape_input(string, inlength);
  size_t len;
  char *out;
  (void)curl;
  if(!in.ptr)
    return NULL;
  out = mote_mem_public_alloc(in.len + 1);
  if(!out)
    return NULL;
  if(mote_percent_decode(in, 0, out, in.len, &len) || (outlength && len > INT_MAX)) {
    mote_mem_public_free(out);
    return NULL;
  }
  out[len] = 0;
  if(outlength)
    *outlength = (int)len;
  return out;
}

char *curl_escape(const char *string, int length)
{
  return curl_easy_escape(NULL, string, length);
}

char *curl_unescape(const char *string, int length)
{
  return curl_easy_unescape(NULL, string, length, NULL);
}
