/* net/h3/memory.c: what ngtcp2 and nghttp3 ask for (net/h3/session.h). Both free without a size, and have
 * the same hooks. */
#include <string.h>

#include "net/h3/session.h"

/* What lives equally long lies together, so that whole chunks become free. What it is shows in the size:
 * bytes of the handshake, which are given back at its end; what belongs to a stream; heads that wait to be
 * written (40 bytes for each field, and the texts), frames, and what lasts as long as the connection. */
enum kind { HANDSHAKE, STREAM, OTHER };

#define STREAM_MAX 176u
#define HANDSHAKE_MIN 1025u
#define HANDSHAKE_MAX 2000u
#define LASTING_ALL 35840u /* bytes that nearly every session has as long as it lives, with ngtcp2 1.22 */
#define BLOCK_MAX (16u << 20)

static const struct mote_slab_plan libraries = {
  .first = LASTING_ALL, .first_from = STREAM, .block = BLOCK_MAX, .most = UINT32_MAX, .spare = 16384,
  .keep = UINT32_MAX, .chunk = {[STREAM] = 2048, [OTHER] = 2048},
};

static unsigned h3_memory_kind_of(size_t bytes)
{
  if(bytes <= STREAM_MAX)
    return STREAM;
  return bytes >= HANDSHAKE_MIN && bytes <= HANDSHAKE_MAX ? HANDSHAKE : OTHER;
}

static void *h3_memory_malloc(size_t bytes, void *user)
{
  struct mote_h3_session *s = user;
  void *p = mote_slab_take(&s->memory, bytes, h3_memory_kind_of(bytes));
  s->starved |= !p;
  return p;
}

static void h3_memory_free(void *p, void *user)
{
  struct mote_h3_session *s = user;
  mote_slab_put(&s->memory, p);
}

static void *h3_memory_calloc(size_t count, size_t each, void *user)
{
  void *p = each && count > BLOCK_MAX / each ? NULL : h3_memory_malloc(count * each, user);
  if(p)
    memset(p, 0, count * each);
  return p;
}

static void *h3_memory_realloc(void *p, size_t bytes, void *user)
{
  struct mote_h3_session *s = user;
  p = mote_slab_resize(&s->memory, p, bytes, h3_memory_kind_of(bytes));
  s->starved |= !p;
  return p;
}

bool mote_h3_memory_open(struct mote_h3_session *s, struct mote_account *account)
{
  s->quic_hook = (ngtcp2_mem){s, h3_memory_malloc, h3_memory_free, h3_memory_calloc, h3_memory_realloc};
  s->http_hook = (nghttp3_mem){s, h3_memory_malloc, h3_memory_free, h3_memory_calloc, h3_memory_realloc};
  return mote_slab_open(&s->memory, &libraries, account);
}

void *mote_h3_memory_take(struct mote_h3_session *s, size_t bytes)
{
  void *p = h3_memory_malloc(bytes, s);
  if(p)
    memset(p, 0, bytes);
  return p;
}

/* What only a handshake needs is spare when the session is idle for the first time. */
void mote_h3_memory_idle(struct mote_h3_session *s)
{
  mote_slab_idle(&s->memory, s->rested ? MOTE_H3_IDLE_SPARE : 0);
  s->rested = true;
}
