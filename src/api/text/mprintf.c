/* api/text/mprintf.c: curl_mprintf(3) and its relatives, over base/text/format.h. */
#include <curl/curl.h>
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/format.h"

/* Longest string of curl_maprintf(), NUL included, in bytes; the same as libcurl's. */
#define ALLOCATED_MAX 8000000

/* ---- to a stream ---- */

static bool to_stream(void *ctx, const char *bytes, size_t len)
{
  return fwrite(bytes, 1, len, ctx) == len;
}

int curl_mvfprintf(FILE *fd, const char *format, va_list args)
{
  return mote_format(to_stream, fd, format, args);
}

int curl_mfprintf(FILE *fd, const char *format, ...)
{
  va_list args;
  int len;
  va_start(args, format);
  len = curl_mvfprintf(fd, format, args);
  va_end(args);
  return len;
}

int curl_mvprintf(const char *format, va_list args)
{
  return curl_mvfprintf(stdout, format, args);
}

int curl_mprintf(const char *format, ...)
{
  va_list args;
  int len;
  va_start(args, format);
  len = curl_mvprintf(format, args);
  va_end(args);
  return len;
}

/* ---- to a buffer ---- */

/* A format that is refused prints nothing at all. */
static int mprintf_refused(char *buffer)
{
  buffer[0] = 0;
  return 0;
}

int curl_mvsnprintf(char *buffer, size_t maxlength, const char *format, va_list args)
{
  int len = mote_vsnprintf(buffer, maxlength, format, args);
  return len < 0 ? mprintf_refused(buffer) : len;
}

int curl_msnprintf(char *buffer, size_t maxlength, const char *format, ...)
{
  va_list args;
  int len;
  va_start(args, format);
  len = curl_mvsnprintf(buffer, maxlength, format, args);
  va_end(args);
  return len;
}

int curl_mvsprintf(char *buffer, const char *format, va_list args)
{
  return curl_mvsnprintf(buffer, INT_MAX, format, args);
}

int curl_msprintf(char *buffer, const char *format, ...)
{
  va_list args;
  int len;
  va_start(args, format);
  len = curl_mvsprintf(buffer, format, args);
  va_end(args);
  return len;
}

/* ---- to a new string ---- */

/* Counts only, and stops at a result that would be too long. */
static bool to_nothing(void *ctx, const char *bytes, size_t len)
{
  size_t *left = ctx;
  (void)bytes;
  *left -= len <= *left ? len : *left;
  return *left > 0;
}

char *curl_mvaprintf(const char *format, va_list args)
{
  size_t left = ALLOCATED_MAX;
  va_list again;
  char *out = NULL;
  int len;
  va_copy(again, args);
  len = mote_format(to_nothing, &left, format, args);
  if(len < 0)
    len = 0; /* refused: an empty string */
  if(left)
    out = mote_mem_public_alloc((size_t)len + 1);
  if(out)
    (void)curl_mvsnprintf(out, (size_t)len + 1, format, again);
  va_end(again);
  return out;
}

char *curl_maprintf(const char *format, ...)
{
  va_list args;
  char *out;
  va_start(args, format);
  out = curl_mvaprintf(format, args);
  va_end(args);
  return out;
}
