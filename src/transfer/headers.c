/* transfer/headers.c: packed response headers. */
#include "transfer/headers.h"

#include <string.h>

#include "base/memory.h"

#define BLOCK_SIZE 256u  /* bytes of a further block, the struct included, unless one header needs more */
#define MAX_PREFIX 16u   /* origin byte and three lengths of at most five bytes */

static char *bytes_of(const struct mote_header_block *b)
{
  return (char *)(b + 1);
}

void mote_headers_init(struct mote_header_store *s, void *tail, uint32_t tail_size)
{
  s->first = tail;
  s->first->next = NULL;
  s->first->cap = tail_size - (uint32_t)sizeof *s->first;
  s->first->len = 0;
  s->last = s->first;
  s->count = 0;
  s->request = 0;
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

static size_t put_number(char *to, uint32_t v)
{
  size_t n = 0;
  while(v > 127) {
    to[n++] = (char)((v & 127u) | 128u);
    v >>= 7;
  }
  to[n++] = (char)v;
  return n;
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

/* The block that has room for size more bytes. */
static struct mote_header_block *room_for(struct mote_header_store *s, struct mote_account *account, size_t size)
{
  struct mote_header_block *b = s->last;
  size_t whole;
  if(b->cap - b->len >= size)
    return b;
  if(b->next && b->next->cap >= size) {
    s->last = b->next;
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

static size_t put_text(char *to, struct mote_slice text)
{
  if(text.len)
    memcpy(to, text.ptr, text.len);
  to[text.len] = 0;
  return text.len + 1;
}

CURLcode mote_headers_add(struct mote_header_store *s, struct mote_account *account, uint8_t origin,
                          struct mote_slice name, struct mote_slice value)
{
  struct mote_header_block *b;
  char prefix[MAX_PREFIX];
  size_t n;
  char *p;
  if(s->count >= MOTE_HEADERS_MAX)
    return CURLE_TOO_LARGE;
  prefix[0] = (char)origin;
  n = 1;
  n += put_number(prefix + n, s->request);
  n += put_number(prefix + n, (uint32_t)name.len);
  n += put_number(prefix + n, (uint32_t)value.len);
  b = room_for(s, account, n + name.len + value.len + 2);
  if(!b)
    return CURLE_OUT_OF_MEMORY;
  p = bytes_of(b) + b->len;
  memcpy(p, prefix, n);
  n += put_text(p + n, name);
  n += put_text(p + n, value);
  b->len += (uint32_t)n;
  s->count++;
  return CURLE_OK;
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

const char *mote_headers_find(const struct mote_header_store *s, const char *name, int request)
{
  struct mote_header_view v = {0};
  const char *found = NULL;
  uint32_t wanted = request < 0 ? s->request : (uint32_t)request;
  if(!s->first)
    return NULL;
  while(mote_headers_next(s, &v))
    if(v.origin == CURLH_HEADER && v.request == wanted && mote_equal_nocase(v.name, name))
      found = v.value;
  return found;
}
