/* base/buf.c: growing byte buffer with a ceiling. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/ceiling.h"
#include "base/text/format.h"

enum {
  FIRST_CAP = 64 /* bytes allocated by the first small addition */
};

void mote_buf_init(struct mote_buf *b, struct mote_account *account, enum mote_part part, size_t limit)
{
  b->ptr = NULL;
  b->len = 0;
  b->cap = 0;
  b->limit = limit;
  b->account = account;
  b->part = part;
  b->borrowed = false;
}

void mote_buf_borrow(struct mote_buf *b, struct mote_account *account, enum mote_part part, size_t limit,
                     char *room, size_t size)
{
  mote_buf_init(b, account, part, limit);
  b->ptr = room;
  b->cap = size;
  b->borrowed = true;
  room[0] = 0;
}

void mote_buf_close(struct mote_buf *b)
{
  if(!b->borrowed)
    mote_mem_free(b->account, b->part, b->ptr, b->cap);
  mote_buf_init(b, b->account, b->part, b->limit);
}

void mote_buf_clear(struct mote_buf *b)
{
  b->len = 0;
  if(b->ptr)
    b->ptr[0] = 0;
}

/* Leaves the borrowed room for a block of `cap` bytes. */
static CURLcode move_out(struct mote_buf *b, size_t cap)
{
  char *fresh = mote_mem_alloc(b->account, b->part, cap);
  if(!fresh)
    return CURLE_OUT_OF_MEMORY;
  memcpy(fresh, b->ptr, b->len);
  fresh[b->len] = 0;
  b->ptr = fresh;
  b->cap = cap;
  b->borrowed = false;
  return CURLE_OK;
}

/* Makes room for len more bytes and the NUL. `least` is the capacity to aim at, which the ceiling may cut. */
static CURLcode buf_grow(struct mote_buf *b, size_t len, size_t least)
{
  size_t need;
  char *fresh;
  if(b->len > b->limit || len > b->limit - b->len || b->len + len == SIZE_MAX)
    return CURLE_TOO_LARGE;
  need = b->len + len + 1;
  if(need <= b->cap)
    return CURLE_OK;
  if(least > b->limit)
    least = b->limit + 1;
  if(need < least)
    need = least;
  if(b->borrowed)
    return move_out(b, need);
  fresh = mote_mem_realloc(b->account, b->part, b->ptr, b->cap, need);
  if(!fresh)
    return CURLE_OUT_OF_MEMORY;
  fresh[b->len] = 0;
  b->ptr = fresh;
  b->cap = need;
  return CURLE_OK;
}

CURLcode mote_buf_settle(struct mote_buf *b)
{
  CURLcode rc = CURLE_OK;
  if(!b->borrowed)
    return rc;
  if(b->len)
    rc = move_out(b, b->len + 1);
  if(b->borrowed)
    mote_buf_close(b);
  return rc;
}

/* Half as much again as there is, and not less than FIRST_CAP. */
static size_t next_cap(const struct mote_buf *b)
{
  size_t cap = b->cap <= SIZE_MAX / 2 ? b->cap + b->cap / 2 : b->cap;
  return cap > FIRST_CAP ? cap : FIRST_CAP;
}

void mote_buf_ceiling(size_t len, struct mote_ceiling *c)
{
  mote_ceiling_add(c, 1, mote_ceiling_sum(mote_ceiling_sum(len, len / 2), FIRST_CAP));
}

CURLcode mote_buf_reserve(struct mote_buf *b, size_t len)
{
  return buf_grow(b, len, b->cap ? next_cap(b) : 0);
}

CURLcode mote_buf_add(struct mote_buf *b, const void *p, size_t len)
{
  CURLcode rc = buf_grow(b, len, next_cap(b));
  if(rc)
    return rc;
  if(len)
    memcpy(b->ptr + b->len, p, len);
  b->len += len;
  b->ptr[b->len] = 0;
  return CURLE_OK;
}

CURLcode mote_buf_add_str(struct mote_buf *b, const char *s)
{
  return mote_buf_add(b, s, strlen(s));
}

struct addition {
  struct mote_buf *buf;
  CURLcode rc; /* of the addition that stopped the formatting */
};

static bool take_formatted(void *ctx, const char *bytes, size_t len)
{
  struct addition *a = ctx;
  a->rc = mote_buf_add(a->buf, bytes, len);
  return a->rc == CURLE_OK;
}

CURLcode mote_buf_addf(struct mote_buf *b, const char *fmt, ...)
{
  struct addition a = { b, CURLE_OK };
  size_t before = b->len;
  va_list args;
  int n;
  va_start(args, fmt);
  n = mote_format(take_formatted, &a, fmt, args);
  va_end(args);
  if(n >= 0)
    return CURLE_OK;
  b->len = before;
  if(b->ptr)
    b->ptr[before] = 0;
  return a.rc ? a.rc : CURLE_BAD_FUNCTION_ARGUMENT;
}

void mote_buf_drop(struct mote_buf *b, size_t n)
{
  if(n > b->len)
    n = b->len;
  if(!n)
    return;
  b->len -= n;
  memmove(b->ptr, b->ptr + n, b->len);
  b->ptr[b->len] = 0;
}
