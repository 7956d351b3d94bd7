/* net/h2/memory.c: what nghttp2 asks for, and the frame buffer that sessions share (net/h2/session.h).
 *
 * nghttp2 writes a frame into its frame buffer (16 KB, more than half of what an idle session takes),
 * returns it from nghttp2_session_mem_send(), and looks at it no more. So several sessions may have the same
 * one, if the bytes that this function returns are copied before another session sends. Which block that is
 * nghttp2 does not say: it is the first one of this size that a new session asks for. Two things keep a
 * wrong guess from costing more than memory: only versions that were tested take part, and mote_h2_open()
 * checks that the first frame lies in there, before any other session may write to it, and makes the session
 * again without it otherwise. */
#include <string.h>

#include "net/h2/session.h"

/* What lives equally long lies together: nghttp2's header fields, which stay in the tables of HPACK, and its
 * streams, and what the owner has. */
enum kind { FIELD, STREAM, OWN };

#define FIELD_MAX 124u /* bytes of a block of nghttp2's that is a header field's */
#define BLOCK_MAX (16u << 20) /* the tables of 100,000 streams take 4 MB */

/* A chunk of fields holds three answers of nginx, which adds all of its fields to the table each time. */
static const struct mote_slab_plan nghttp2 = {
  .first = MOTE_H2_SLAB, .block = BLOCK_MAX, .most = UINT32_MAX, .spare = 16384, .keep = UINT32_MAX,
  .chunk = {[FIELD] = 3072, [STREAM] = 4096, [OWN] = 2048},
};

/* The versions that tests/unit/net/test_h2_session.c has passed with. */
static const int tested[] = {0x013400, 0x014000};

bool mote_h2_frame_is_shared(void)
{
  int number = nghttp2_version(0)->version_num;
  size_t i;
  for(i = 0; i < sizeof tested / sizeof *tested; i++)
    if(tested[i] == number)
      return true;
  return false;
}

static bool h2_memory_is_frame(const struct mote_h2_session *s, const void *p)
{
  return s->framed && p == s->frame;
}

static unsigned h2_memory_kind_of(size_t bytes)
{
  return bytes <= FIELD_MAX ? FIELD : STREAM;
}

static void *h2_memory_take(size_t bytes, void *user)
{
  struct mote_h2_session *s = user;
  return mote_slab_take(&s->memory, bytes, h2_memory_kind_of(bytes));
}

static void h2_memory_put(void *p, void *user)
{
  struct mote_h2_session *s = user;
  if(!h2_memory_is_frame(s, p))
    mote_slab_put(&s->memory, p);
}

static void *h2_memory_take_zero(size_t count, size_t each, void *user)
{
  void *p = each && count > BLOCK_MAX / each ? NULL : h2_memory_take(count * each, user);
  if(p)
    memset(p, 0, count * each);
  return p;
}

/* nghttp2 makes its frame buffer with this function, and never larger: it chains others to it. */
static void *h2_memory_resize(void *p, size_t bytes, void *user)
{
  struct mote_h2_session *s = user;
  void *q;
  if(!p && s->frame && !s->framed && bytes > MOTE_H2_FRAME - 16 && bytes <= MOTE_H2_FRAME) {
    s->framed = true;
    return s->frame;
  }
  if(!h2_memory_is_frame(s, p))
    return mote_slab_resize(&s->memory, p, bytes, h2_memory_kind_of(bytes));
  if(bytes <= MOTE_H2_FRAME)
    return p;
  q = h2_memory_take(bytes, user);
  if(q)
    memcpy(q, p, MOTE_H2_FRAME);
  return q;
}

bool mote_h2_memory_open(struct mote_h2_session *s, struct mote_account *account, nghttp2_mem *hook)
{
  *hook = (nghttp2_mem){s, h2_memory_take, h2_memory_put, h2_memory_take_zero, h2_memory_resize};
  return mote_slab_open(&s->memory, &nghttp2, account);
}

void *mote_h2_memory_take(struct mote_h2_session *s, size_t bytes)
{
  void *p = mote_slab_take(&s->memory, bytes, OWN);
  if(p)
    memset(p, 0, bytes);
  return p;
}
