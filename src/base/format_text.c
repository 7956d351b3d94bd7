/* base/format_text.c: mote_format() into a fixed buffer. */
#include "base/format.h"

#include <string.h>

struct fixed {
  char *ptr;
  size_t left; /* room, without the NUL */
  bool full;
};

static bool to_fixed(void *ctx, const char *bytes, size_t len)
{
  struct fixed *f = ctx;
  f->full = len > f->left;
  if(f->full)
    len = f->left;
  memcpy(f->ptr, bytes, len);
  f->ptr += len;
  f->left -= len;
  return !f->full;
}

int mote_vsnprintf(char *out, size_t size, const char *fmt, va_list args)
{
  struct fixed f = { .ptr = out };
  int len;
  if(!size)
    return 0;
  f.left = size - 1;
  len = mote_format(to_fixed, &f, fmt, args);
  *f.ptr = 0;
  return len < 0 && f.full ? (int)(f.ptr - out) : len;
}

int mote_snprintf(char *out, size_t size, const char *fmt, ...)
{
  va_list args;
  int len;
  va_start(args, fmt);
  len = mote_vsnprintf(out, size, fmt, args);
  va_end(args);
  return len;
}
