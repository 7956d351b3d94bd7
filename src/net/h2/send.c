/* net/h2/send.c: sends the frames of all streams, few sends for many of them (net/h2/session.h). */
#include <curl/curl.h>
#include <string.h>

#include "base/memory.h"
#include "net/h2/session.h"

#define SENDS_PER_TURN 16 /* then other connections have their turn */
#define GATHER 4096u      /* bytes of small frames that are sent together */

void mote_h2_drop_rest(struct mote_h2_session *s)
{
  mote_mem_free(s->memory.account, MOTE_PART_CONN, s->rest, s->rest_len);
  s->rest = NULL;
}

/* Two pieces, since nghttp2 has given the second one away already. */
void mote_h2_keep_rest(struct mote_h2_session *s, struct mote_slice a, struct mote_slice b)
{
  s->rest_len = (uint32_t)(a.len + b.len);
  s->rest_at = 0;
  s->rest = mote_mem_alloc(s->memory.account, MOTE_PART_CONN, s->rest_len);
  if(!s->rest) {
    mote_h2_break(s, CURLE_OUT_OF_MEMORY); /* a part of a frame is sent, and no other can follow it */
    return;
  }
  memcpy(s->rest, a.ptr, a.len);
  if(b.len)
    memcpy(s->rest + a.len, b.ptr, b.len);
}

/* A peer that has closed may have sent a whole response before, or why it does not serve the request. Those
 * bytes are taken first. */
static void h2_send_failed(struct mote_h2_session *s, CURLcode rc)
{
  if(rc != CURLE_SEND_ERROR) {
    mote_h2_break(s, rc);
    return;
  }
  s->mute = true;
  if(s->user->leave)
    s->user->leave(s);
}

/* Sends until the connection takes no more; returns how many bytes it took. */
static size_t h2_send_bytes(struct mote_h2_session *s, const char *bytes, size_t len)
{
  size_t at = 0;
  while(at < len) {
    size_t n;
    CURLcode rc = s->user->send(s, bytes + at, len - at, &n);
    if(rc && rc != CURLE_AGAIN)
      h2_send_failed(s, rc);
    if(rc)
      break;
    at += n;
  }
  return at;
}

/* Returns whether more can be sent. */
static bool h2_send_rest(struct mote_h2_session *s)
{
  if(!s->rest)
    return mote_h2_may_send(s);
  s->rest_at += (uint32_t)h2_send_bytes(s, s->rest + s->rest_at, s->rest_len - s->rest_at);
  if(s->rest_at < s->rest_len)
    return false;
  mote_h2_drop_rest(s);
  return true;
}

/* Small frames that wait for being sent. */
struct gathered {
  size_t len;
  char bytes[GATHER];
};

/* Sends what was gathered, with a piece that has no room there. Returns whether more can be sent. */
static bool h2_send_gathered(struct mote_h2_session *s, struct gathered *g, struct mote_slice more)
{
  size_t sent = h2_send_bytes(s, g->bytes, g->len), left = g->len - sent;
  if(!left && more.len && mote_h2_may_send(s))
    mote_slice_skip(&more, h2_send_bytes(s, more.ptr, more.len));
  if(mote_h2_may_send(s) && left + more.len)
    mote_h2_keep_rest(s, (struct mote_slice){g->bytes + g->len - left, left}, more);
  g->len = 0;
  return !s->rest && mote_h2_may_send(s);
}

static void h2_send_gather(struct gathered *g, const void *bytes, size_t len)
{
  memcpy(g->bytes + g->len, bytes, len);
  g->len += len;
}

/* nghttp2 has each frame in memory that another session may use next, and so may the owner (memory.c). */
bool mote_h2_send(struct mote_h2_session *s)
{
  struct gathered g;
  int sends = 0;
  g.len = 0;
  if(s->preface_due) {
    h2_send_gather(&g, s->rest, s->rest_len);
    mote_h2_drop_rest(s);
    s->preface_due = false;
  }
  else if(!h2_send_rest(s) || !nghttp2_session_want_write(s->nghttp2))
    return false;
  for(;;) {
    const uint8_t *bytes;
    ssize_t n = nghttp2_session_mem_send(s->nghttp2, &bytes);
    if(n < 0)
      mote_h2_break(s, n == NGHTTP2_ERR_NOMEM ? CURLE_OUT_OF_MEMORY : CURLE_SEND_ERROR);
    if(n <= 0)
      break;
    if((size_t)n <= sizeof g.bytes - g.len) {
      h2_send_gather(&g, bytes, (size_t)n);
      continue;
    }
    if(!h2_send_gathered(s, &g, (struct mote_slice){(const char *)bytes, (size_t)n}))
      return false;
    if(++sends >= SENDS_PER_TURN)
      return true;
  }
  if(g.len && mote_h2_may_send(s))
    (void)h2_send_gathered(s, &g, (struct mote_slice){NULL, 0});
  return false;
}
