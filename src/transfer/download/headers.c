/* transfer/download/headers.c: stores response headers, packed into blocks (transfer/download/headers.h). */
#include "transfer/download/headers.h"

#include <string.h>

#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "codec/http/http1.h"
#include "transfer/exchange.h"

#define BLOCK_SIZE 256u  /* bytes of a further block with its struct, unless one header needs more */

/* Bits of an entry's first byte. */
#define PLAIN 0x80u    /* the others are a spelling: of the first request's final response (CURLH_HEADER) */
#define REQUEST 0x40u  /* the others, CURLH_*: the request's number follows, low byte first */
#define SPELLING 0x20u /* the name is one byte, a spelling */

static char *headers_bytes_of(const struct mote_header_block *b)
{
  return (char *)(b + 1);
}

static void headers_free_block(struct mote_account *account, struct mote_header_block *b)
{
  mote_mem_free(account, MOTE_PART_HEADER, b, sizeof *b + b->cap);
}

/* Frees all blocks but the first, which is then the last one too. */
static void free_others(struct mote_header_store *s, struct mote_account *account)
{
  struct mote_header_block *first = s->last->next, *b = first->next;
  while(b != first) {
    struct mote_header_block *next = b->next;
    headers_free_block(account, b);
    b = next;
  }
  first->next = first;
  s->last = first;
}

void mote_headers_clear(struct mote_header_store *s, struct mote_account *account)
{
  if(s->last) {
    free_others(s, account);
    s->last->len = 0;
  }
  s->tail_len = 0;
  s->count = 0;
  s->request = 0;
}

void mote_headers_close(struct mote_header_store *s, struct mote_account *account)
{
  mote_headers_clear(s, account);
  if(s->last)
    headers_free_block(account, s->last);
  s->last = NULL;
}

/* Returns the bytes of all blocks. Few responses need a second one, so that no count is kept. */
static size_t bytes_held(const struct mote_header_store *s)
{
  const struct mote_header_block *b = s->last;
  size_t sum = 0;
  if(b)
    do {
      b = b->next;
      sum += sizeof *b + b->cap;
    } while(b != s->last);
  return sum;
}

/* Finds a block with room for `size` more bytes. */
static CURLcode block_for(struct mote_header_block **out, struct mote_header_store *s,
                          struct mote_account *account, size_t size)
{
  struct mote_header_block *b = *out = s->last;
  size_t whole = size + sizeof *b > BLOCK_SIZE ? size + sizeof *b : BLOCK_SIZE;
  if(b && b->cap - b->len >= size)
    return CURLE_OK;
  if(bytes_held(s) + whole > MOTE_HEADERS_BYTES_MAX)
    return CURLE_TOO_LARGE;
  *out = b = mote_mem_alloc(account, MOTE_PART_HEADER, whole);
  if(!b)
    return CURLE_OUT_OF_MEMORY;
  b->cap = (uint32_t)(whole - sizeof *b);
  b->len = 0;
  b->next = s->last ? s->last->next : b;
  if(s->last)
    s->last->next = b;
  s->last = b;
  return CURLE_OK;
}

/* Reports whether the tail is being filled and has so much room. */
static bool tail_has(const struct mote_header_store *s, size_t size)
{
  return size <= (size_t)(s->tail_cap - s->tail_len) && (!s->last || !s->last->len);
}

/* Finds room for an entry. */
static CURLcode headers_room_for(char **out, struct mote_header_store *s, struct mote_account *account,
                                 size_t size)
{
  struct mote_header_block *b;
  CURLcode rc;
  if(tail_has(s, size)) {
    s->tail_len = (uint16_t)(s->tail_len + size);
    *out = s->tail + s->tail_len - size;
    return CURLE_OK;
  }
  rc = block_for(&b, s, account, size);
  if(rc)
    return rc;
  b->len += (uint32_t)size;
  *out = headers_bytes_of(b) + b->len - size;
  return CURLE_OK;
}

/* Most names and values are short, so that copying them inline is cheaper than a call. */
static inline void headers_copy(char *to, const char *from, size_t len)
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

static inline char *headers_put_text(char *p, struct mote_slice text)
{
  headers_copy(p, text.ptr, text.len);
  p[text.len] = 0;
  return p + text.len + 1;
}

/* The tail has room for fewer headers than are allowed. */
bool mote_headers_add_plain(struct mote_header_store *s, uint8_t spelling, struct mote_slice value)
{
  char *p = s->tail + s->tail_len;
  if(!spelling || s->request || !tail_has(s, value.len + 2))
    return false;
  p[0] = (char)(PLAIN | spelling);
  headers_put_text(p + 1, value);
  s->tail_len = (uint16_t)(s->tail_len + value.len + 2);
  s->count++;
  return true;
}

CURLcode mote_headers_add(struct mote_header_store *s, struct mote_account *account, uint8_t origin,
                          uint8_t spelling, struct mote_slice name, struct mote_slice value)
{
  size_t number = s->request ? 2 : 0;
  CURLcode rc;
  char *p;
  if(origin == CURLH_HEADER && mote_headers_add_plain(s, spelling, value))
    return CURLE_OK;
  if(s->count >= MOTE_HEADERS_MAX)
    return CURLE_TOO_LARGE;
  rc = headers_room_for(&p, s, account, 1 + number + (spelling ? 1 : name.len + 1) + value.len + 1);
  if(rc)
    return rc;
  *p++ = (char)(origin | (spelling ? SPELLING : 0) | (number ? REQUEST : 0));
  if(number) {
    *p++ = (char)(s->request & 255);
    *p++ = (char)(s->request >> 8);
  }
  if(spelling)
    *p++ = (char)spelling;
  else
    p = headers_put_text(p, name);
  headers_put_text(p, value);
  s->count++;
  return CURLE_OK;
}

/* A line of n bytes has at most n - 2 bytes of name and value, since it has a colon and a line end. A full
 * block has less room left than the first entry of the next block. At most half of all room is therefore
 * unused, and two neighbours together use more than one small block. */
void mote_headers_ceiling(size_t lines, size_t line, size_t requests, struct mote_ceiling *c)
{
  size_t fixed = 1 + (requests > 1 ? 2u : 0u) + 1 + 1 - 2;
  size_t entries = mote_ceiling_sum(lines, MOTE_HEADERS_MAX * fixed);
  size_t blocks = mote_ceiling_sum(entries / (BLOCK_SIZE / 2 - sizeof(struct mote_header_block)), 2);
  mote_ceiling_add(c, 1, sizeof(struct mote_header_block) + line + fixed);
  mote_ceiling_add(c, 1, BLOCK_SIZE);
  c->bytes = mote_ceiling_sum(c->bytes, mote_ceiling_times(entries, 2));
  c->bytes = mote_ceiling_sum(c->bytes, mote_ceiling_times(blocks, sizeof(struct mote_header_block)));
}

char *mote_headers_spare(struct mote_header_store *s, size_t *size)
{
  *size = (size_t)(s->tail_cap - s->tail_len);
  return s->tail + s->tail_len;
}

/* Returns the block after b, or NULL; the first one after NULL, the tail. */
static const struct mote_header_block *block_after(const struct mote_header_store *s,
                                                   const struct mote_header_block *b)
{
  if(b == s->last) /* without blocks both are NULL */
    return NULL;
  return b ? b->next : s->last->next;
}

static const char *piece_of(const struct mote_header_store *s, const struct mote_header_block *b,
                            uint32_t *len)
{
  *len = b ? b->len : s->tail_len;
  return b ? headers_bytes_of(b) : s->tail;
}

/* Reads what an entry has before its value. */
static const char *read_front(const char *p, struct mote_header_view *v)
{
  uint8_t flags = (uint8_t)*p++;
  v->request = 0;
  v->origin = CURLH_HEADER;
  if(flags & PLAIN) {
    v->name = mote_http1_spelled(flags & (uint8_t)~PLAIN);
    return p;
  }
  v->origin = flags & (uint8_t)~(REQUEST | SPELLING);
  if(flags & REQUEST) {
    v->request = (uint8_t)p[0] | (uint32_t)(uint8_t)p[1] << 8;
    p += 2;
  }
  v->name = flags & SPELLING ? mote_http1_spelled((uint8_t)*p) : p;
  return p + (flags & SPELLING ? 1 : strlen(p) + 1);
}

bool mote_headers_next(const struct mote_header_store *s, struct mote_header_view *v)
{
  uint32_t len;
  const char *begin = piece_of(s, v->block, &len);
  while(v->at >= len) {
    const struct mote_header_block *b = block_after(s, v->block);
    if(!b)
      return false;
    v->block = b;
    v->at = 0;
    begin = piece_of(s, b, &len);
  }
  v->value = read_front(begin + v->at, v);
  v->at = (uint32_t)(v->value + strlen(v->value) + 1 - begin);
  return true;
}

const char *mote_headers_end_of(const struct mote_header_store *s, const struct mote_header_view *v)
{
  uint32_t len;
  return piece_of(s, v->block, &len) + v->at;
}

bool mote_headers_resume(const struct mote_header_store *s, const char *end, struct mote_header_view *v)
{
  const struct mote_header_block *b = NULL;
  do {
    uint32_t len;
    uintptr_t begin = (uintptr_t)piece_of(s, b, &len), at = (uintptr_t)end;
    if(at > begin && at - begin <= len) {
      v->block = b;
      v->at = (uint32_t)(at - begin);
      return true;
    }
    b = block_after(s, b);
  } while(b);
  return false;
}

static const char *last_of(const struct mote_header_store *s, const char *name, uint32_t request,
                           bool with_value)
{
  struct mote_header_view v = {0};
  const char *found = NULL;
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

const char *mote_headers_find_note(const struct mote_header_store *s, const char *name)
{
  struct mote_header_view v = {0};
  while(mote_headers_next(s, &v))
    if(!v.origin && mote_equal_nocase(v.name, name))
      return v.value;
  return NULL;
}
