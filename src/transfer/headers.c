/* transfer/headers.c: stores response headers, packed into blocks (transfer/headers.h). */
#include "transfer/headers.h"

#include <string.h>

#include "base/ceiling.h"
#include "base/memory.h"

#define BLOCK_SIZE 256u  /* bytes of a further block with its struct, unless one header needs more */

static char *bytes_of(const struct mote_header_block *b)
{
  return (char *)(b + 1);
}

static void free_after(struct mote_account *account, struct mote_header_block *keep)
{
  struct mote_header_block *b = keep->next;
  keep->next = NULL;
  while(b) {
    struct mote_header_block *next = b->next;
    mote_mem_free(account, MOTE_PART_HEADER, b, sizeof *b + b->cap);
    b = next;
  }
}

void mote_headers_clear(struct mote_header_store *s, struct mote_account *account)
{
  if(s->first->next) {
    free_after(account, s->first->next);
    s->first->next->len = 0;
  }
  s->first->len = 0;
  s->last = s->first;
  s->count = 0;
  s->request = 0;
}

void mote_headers_close(struct mote_header_store *s, struct mote_account *account)
{
  if(s->first)
    free_after(account, s->first);
  s->first = NULL;
}

static size_t number_size(size_t v)
{
  size_t n = 1;
  for(; v > 127; v >>= 7)
    n++;
  return n;
}

static char *put_number(char *to, size_t v)
{
  for(; v > 127; v >>= 7)
    *to++ = (char)((v & 127u) | 128u);
  *to++ = (char)v;
  return to;
}

static uint32_t get_number(const char *from, uint32_t *at)
{
  uint32_t v = 0;
  unsigned shift = 0;
  unsigned char c;
  do {
    c = (unsigned char)from[(*at)++];
    v |= (uint32_t)(c & 127) << shift;
    shift += 7;
  } while(c & 128);
  return v;
}

/* Returns a block with room for `size` more bytes. The caller found that the last block has none. */
static struct mote_header_block *room_for(struct mote_header_store *s, struct mote_account *account,
                                          size_t size)
{
  struct mote_header_block *b = s->last->next;
  size_t whole;
  if(b && b->cap >= size) {
    s->last = b;
    s->last->len = 0;
    return s->last;
  }
  whole = size + sizeof *b > BLOCK_SIZE ? size + sizeof *b : BLOCK_SIZE;
  b = mote_mem_alloc(account, MOTE_PART_HEADER, whole);
  if(!b)
    return NULL;
  b->cap = (uint32_t)(whole - sizeof *b);
  b->len = 0;
  b->next = s->last->next;
  s->last->next = b;
  s->last = b;
  return b;
}

/* Most names and values are short, so that copying them inline is cheaper than a call. */
static inline void copy(char *to, const char *from, size_t len)
{
  size_t i;
  if(len >= 16) { /* the last piece may overlap the one before it */
    for(i = 0; i + 16 < len; i += 16)
      memcpy(to + i, from + i, 16);
    memcpy(to + len - 16, from + len - 16, 16);
  }
  else if(len >= 8) {
    memcpy(to, from, 8);
    memcpy(to + len - 8, from + len - 8, 8);
  }
  else if(len >= 4) {
    memcpy(to, from, 4);
    memcpy(to + len - 4, from + len - 4, 4);
  }
  else
    while(len--)
      to[len] = from[len];
}

/* Writes the name and value to p, after the numbers of the entry. */
static inline void put_texts(char *p, struct mote_slice name, struct mote_slice value)
{
  copy(p, name.ptr, name.len);
  p[name.len] = 0;
  p += name.len + 1;
  copy(p, value.ptr, value.len);
  p[value.len] = 0;
}

/* Adds a header that is long or may need a new block. */
static CURLcode add_any(struct mote_header_store *s, struct mote_account *account, uint8_t origin,
                        struct mote_slice name, struct mote_slice value)
{
  size_t prefix = 1 + number_size(s->request) + number_size(name.len) + number_size(value.len);
  size_t size = prefix + name.len + value.len + 2;
  struct mote_header_block *b;
  char *p;
  if(s->count >= MOTE_HEADERS_MAX)
    return CURLE_TOO_LARGE;
  b = s->last->cap - s->last->len >= size ? s->last : room_for(s, account, size);
  if(!b)
    return CURLE_OUT_OF_MEMORY;
  p = bytes_of(b) + b->len;
  *p++ = (char)origin;
  p = put_number(p, s->request);
  p = put_number(p, name.len);
  p = put_number(p, value.len);
  put_texts(p, name, value);
  b->len += (uint32_t)size;
  s->count++;
  return CURLE_OK;
}

CURLcode mote_headers_add(struct mote_header_store *s, struct mote_account *account, uint8_t origin,
                          struct mote_slice name, struct mote_slice value)
{
  struct mote_header_block *b = s->last;
  size_t size = 4 + name.len + value.len + 2; /* if each number takes one byte */
  char *p = bytes_of(b) + b->len;
  if((s->request | name.len | value.len) >= 128)
    return add_any(s, account, origin, name, value);
  if(s->count >= MOTE_HEADERS_MAX || b->cap - b->len < size)
    return add_any(s, account, origin, name, value);
  p[0] = (char)origin;
  p[1] = (char)s->request;
  p[2] = (char)name.len;
  p[3] = (char)value.len;
  put_texts(p + 4, name, value);
  b->len += (uint32_t)size;
  s->count++;
  return CURLE_OK;
}

/* A line of n bytes has at most n - 2 bytes of name and value, since it has a colon and a line end. A full
 * block has less room left than the first entry of the next block. At most half of all room is therefore
 * unused, and two neighbours together use more than one small block. */
void mote_headers_ceiling(size_t lines, size_t line, size_t requests, struct mote_ceiling *c)
{
  size_t fixed = 1 + number_size(requests) + 1 + 1 + 2 - 2;
  size_t long_ones = mote_ceiling_times(lines / 128, 2 * (number_size(UINT32_MAX) - 1));
  size_t entries = mote_ceiling_sum(mote_ceiling_sum(lines, MOTE_HEADERS_MAX * fixed), long_ones);
  size_t blocks = mote_ceiling_sum(entries / (BLOCK_SIZE / 2 - sizeof(struct mote_header_block)), 2);
  mote_ceiling_add(c, 1, sizeof(struct mote_header_block) + line + fixed + 2 * (number_size(UINT32_MAX) - 1));
  mote_ceiling_add(c, 1, BLOCK_SIZE);
  c->bytes = mote_ceiling_sum(c->bytes, mote_ceiling_times(entries, 2));
  c->bytes = mote_ceiling_sum(c->bytes, mote_ceiling_times(blocks, sizeof(struct mote_header_block)));
}

char *mote_headers_spare(struct mote_header_store *s, size_t *size)
{
  *size = s->first->cap - s->first->len;
  return bytes_of(s->first) + s->first->len;
}

bool mote_headers_next(const struct mote_header_store *s, struct mote_header_view *v)
{
  const char *p;
  uint32_t at, name_len, value_len;
  if(!v->block)
    v->block = s->first;
  while(v->block && v->at >= v->block->len) {
    v->block = v->block == s->last ? NULL : v->block->next;
    v->at = 0;
  }
  if(!v->block)
    return false;
  p = bytes_of(v->block);
  at = v->at;
  v->origin = (uint8_t)p[at++];
  v->request = get_number(p, &at);
  name_len = get_number(p, &at);
  value_len = get_number(p, &at);
  v->name = p + at;
  v->value = v->name + name_len + 1;
  v->at = at + name_len + value_len + 2;
  return true;
}

static const char *last_of(const struct mote_header_store *s, const char *name, uint32_t request,
                           bool with_value)
{
  struct mote_header_view v = {0};
  const char *found = NULL;
  if(!s->first)
    return NULL;
  while(mote_headers_next(s, &v))
    if(v.origin == CURLH_HEADER && v.request == request && (!with_value || *v.value) &&
       mote_equal_nocase(v.name, name))
      found = v.value;
  return found;
}

const char *mote_headers_find(const struct mote_header_store *s, const char *name, int request)
{
  return last_of(s, name, request < 0 ? s->request : (uint32_t)request, false);
}

const char *mote_headers_find_value(const struct mote_header_store *s, const char *name)
{
  return last_of(s, name, s->request, true);
}
