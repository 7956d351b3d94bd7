/* protocol/http2/h2_memory.c: what nghttp2 asks for, and the frame buffer of all sessions
 * (protocol/http2/h2_memory.h). */
#include "protocol/http2/h2_memory.h"

#include <string.h>

#include "base/memory.h"
#include "base/memory/block.h"

/* What lives equally long lies together: nghttp2's header fields and its streams, and what the driver has. */
enum kind { FIELD, STREAM, OWN };

#define FIELD_MAX 124u /* bytes of a block of nghttp2's that is a header field's */
#define BLOCK_MAX (16u << 20) /* the tables of 100,000 streams take 4 MB */

/* A chunk of fields holds three answers of nginx, which adds all of its fields to the table each time. */
static const struct mote_slab_plan nghttp2 = {
  .first = MOTE_H2_SLAB, .block = BLOCK_MAX, .most = UINT32_MAX, .spare = 16384, .keep = UINT32_MAX,
  .chunk = {[FIELD] = 3072, [STREAM] = 4096, [OWN] = 2048},
};

/* ---- the frame buffer ---- */

/* Versions that tests/unit/protocol/test_h2_memory.c has passed with: they write each frame into the first
 * block of this size that a new session asks for, and look at it no more once it was returned. Sessions of
 * any other version have their own, which costs 16 KB each. */
static const int tested[] = {0x013400, 0x014000};

static bool h2_memory_is_tested(void)
{
  int number = nghttp2_version(0)->version_num;
  size_t i;
  for(i = 0; i < sizeof tested / sizeof *tested; i++)
    if(tested[i] == number)
      return true;
  return false;
}

static bool h2_memory_is_frame(const struct mote_h2_memory *m, const void *p)
{
  return p == (*m->common)->frame;
}

/* The common frame buffer, for the first request that can be for one. */
static void *h2_memory_frame_for(struct mote_h2_memory *m, size_t bytes)
{
  if(m->framed || !(*m->common)->framing || bytes <= MOTE_H2_FRAME - 16 || bytes > MOTE_H2_FRAME)
    return NULL;
  m->framed = true;
  return (*m->common)->frame;
}

/* ---- what nghttp2 calls ---- */

static void *h2_memory_take(size_t bytes, void *user)
{
  struct mote_h2_memory *m = user;
  return mote_slab_take(&m->slab, bytes, bytes <= FIELD_MAX ? FIELD : STREAM);
}

static void h2_memory_put(void *p, void *user)
{
  struct mote_h2_memory *m = user;
  if(!h2_memory_is_frame(m, p))
    mote_slab_put(&m->slab, p);
}

static void *h2_memory_take_zero(size_t count, size_t each, void *user)
{
  void *p = each && count > BLOCK_MAX / each ? NULL : h2_memory_take(count * each, user);
  if(p)
    memset(p, 0, count * each);
  return p;
}

/* A frame buffer never needs to grow: nghttp2 chains others to it. */
static void *h2_memory_resize(void *p, size_t bytes, void *user)
{
  struct mote_h2_memory *m = user;
  void *q = p ? NULL : h2_memory_frame_for(m, bytes);
  if(q)
    return q;
  if(!p || !h2_memory_is_frame(m, p))
    return mote_slab_resize(&m->slab, p, bytes, bytes <= FIELD_MAX ? FIELD : STREAM);
  if(bytes <= MOTE_H2_FRAME)
    return p;
  q = h2_memory_take(bytes, user);
  if(q)
    memcpy(q, p, MOTE_H2_FRAME);
  return q;
}

nghttp2_mem mote_h2_memory_hook(struct mote_h2_memory *m)
{
  nghttp2_mem hook = {m, h2_memory_take, h2_memory_put, h2_memory_take_zero, h2_memory_resize};
  return hook;
}

/* ---- what sessions share ---- */

static bool h2_memory_join(struct mote_h2_memory *m)
{
  struct mote_h2_common *common = *m->common;
  struct mote_account *account = m->slab.account;
  if(!common) {
    common = mote_mem_alloc(account, MOTE_PART_CONN, sizeof *common);
    if(!common)
      return false;
    common->account = account;
    common->sessions = 0;
    common->loan.at = offsetof(struct mote_h2_common, frame);
    common->loan.size = CURL_MAX_WRITE_SIZE;
    common->framing = h2_memory_is_tested();
    mote_mux_windows_init(&common->windows, mote_account_room(account), m->slab.frugal);
    *m->common = common;
  }
  common->sessions++;
  return true;
}

static void h2_memory_leave(struct mote_h2_memory *m)
{
  struct mote_h2_common *common = *m->common;
  if(--common->sessions)
    return;
  *m->common = NULL;
  mote_mem_free(common->account, MOTE_PART_CONN, common, sizeof *common);
}

bool mote_h2_memory_init(struct mote_h2_memory *m, struct mote_account *account,
                         struct mote_h2_common **common)
{
  m->common = common;
  m->framed = false;
  if(!mote_slab_open(&m->slab, &nghttp2, account))
    return false;
  if(h2_memory_join(m))
    return true;
  mote_slab_close(&m->slab);
  return false;
}

void *mote_h2_memory_take(struct mote_h2_memory *m, size_t bytes)
{
  void *p = mote_slab_take(&m->slab, bytes, OWN);
  if(p)
    memset(p, 0, bytes);
  return p;
}

void mote_h2_memory_put(struct mote_h2_memory *m, void *p)
{
  mote_slab_put(&m->slab, p);
}

void mote_h2_memory_close(struct mote_h2_memory *m)
{
  if(!m->slab.first)
    return;
  mote_slab_close(&m->slab);
  h2_memory_leave(m);
}
