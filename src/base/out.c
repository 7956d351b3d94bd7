/* base/out.c: numbers and formats of the bounded writer (base/out.h). */
#include "base/out.h"

#include <stdarg.h>

#include "base/text/format.h"

extern inline bool mote_out_fits(struct mote_out *o, size_t n);
extern inline void mote_out_char(struct mote_out *o, char c);
extern inline void mote_out_bytes(struct mote_out *o, const void *bytes, size_t n);

#define DIGITS_ROOM 21 /* bytes that mote_print_dec() may write, the NUL included */

void mote_out_lower(struct mote_out *o, struct mote_slice s)
{
  size_t i;
  if(!mote_out_fits(o, s.len))
    return;
  for(i = 0; i < s.len; i++)
    o->ptr[o->len++] = mote_to_lower(s.ptr[i]);
}

/* Most numbers are far from the end of the block, where they are written in place. */
void mote_out_dec(struct mote_out *o, uint64_t v)
{
  char digits[DIGITS_ROOM];
  if(!o->cut && o->room - o->len >= DIGITS_ROOM)
    o->len += mote_print_dec(o->ptr + o->len, v);
  else
    mote_out_bytes(o, digits, mote_print_dec(digits, v));
}

static bool out_take_piece(void *ctx, const char *bytes, size_t len)
{
  struct mote_out *o = ctx;
  mote_out_bytes(o, bytes, len);
  return !o->cut;
}

void mote_out_format(struct mote_out *o, const char *fmt, ...)
{
  size_t before = o->len;
  va_list args;
  va_start(args, fmt);
  if(!o->cut && mote_format(out_take_piece, o, fmt, args) < 0) {
    o->cut = true;
    o->len = before;
  }
  va_end(args);
}
