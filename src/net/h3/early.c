/* net/h3/early.c: a request before the end of the handshake (net/h3/early.h). */
#include "base/text.h"
#include "net/h3/early.h"

#include <string.h>

#include "base/memory.h"
#include "net/h3/session.h"
#include "net/mux/stream.h"

#define HELD_FIRST   4096u /* bytes of the block for what waits; then it doubles */
#define HTTP_STREAMS 3u /* of one direction, without which there is no HTTP/3 */

/* ---- the offer ---- */

/* The streams are open before the first packet is made, so that they go with it. What is wrong with the
 * request is found again, and reported, when it is made after the handshake. */
bool mote_h3_early_begin(struct mote_h3_session *s, struct mote_slice remembered)
{
  if(!s->ask.request)
    return false;
  s->early = mote_h3_memory_take(s, sizeof *s->early);
  if(!s->early)
    return false;
  if(ngtcp2_conn_decode_and_set_0rtt_transport_params(s->quic, (const uint8_t *)remembered.ptr,
                                                      remembered.len)) {
    mote_h3_early_free(s);
    return false;
  }
  if(ngtcp2_conn_get_streams_uni_left(s->quic) < HTTP_STREAMS)
    return true;
  if(mote_h3_begin_http(s))
    s->ask.request(s, s->ask.arg);
  else
    mote_h3_break(s, CURLE_OUT_OF_MEMORY);
  return true;
}

CURLcode mote_h3_early_submit(struct mote_h3_session *s, const struct mote_h3_early_request *request,
                              struct mote_mux_field *fields, size_t count)
{
  struct mote_mux_stream *stream = request->stream;
  CURLcode rc;
  mote_h3_join(s, stream);
  rc = mote_h3_submit(s, stream, fields, count, false);
  if(rc) {
    (void)mote_h3_leave(s, stream);
    return rc;
  }
  s->early->request = *request;
  s->early->number = (int64_t)stream->id - 1;
  stream->early = true;
  return CURLE_OK;
}

/* ---- the answer ---- */

/* ngtcp2 knows no stream any more, and no owner has joined that could hear of it. */
static bool h3_early_begin_again(struct mote_h3_session *s)
{
  struct mote_mux_stream *stream = s->early->request.stream;
  s->early->refused = true;
  if(stream) {
    stream->id = 0;
    stream->closed = false;
    stream->early = false;
  }
  nghttp3_conn_del(s->http);
  s->http = NULL;
  mote_h3_drop_requests(s);
  if(ngtcp2_conn_get_streams_uni_left(s->quic) >= HTTP_STREAMS)
    return mote_h3_begin_http(s);
  mote_h3_fail_http(s, NGHTTP3_ERR_H3_STREAM_CREATION_ERROR);
  return false;
}

/* Without a request there was early data all the same: the streams of HTTP/3. */
bool mote_h3_early_settle(struct mote_h3_session *s)
{
  bool good = true;
  if(s->early && !s->carrier.early_is_taken(s->carrier.tls))
    good = !ngtcp2_conn_tls_early_data_rejected(s->quic) && h3_early_begin_again(s);
  if(s->early && !s->early->request.stream)
    mote_h3_early_free(s);
  return good;
}

/* ---- what waits ---- */

static bool h3_early_make_room(struct mote_h3_session *s, size_t more)
{
  struct mote_h3_early *e = s->early;
  uint32_t size = e->held_size ? e->held_size : HELD_FIRST;
  char *p;
  while(size < e->held_len + more)
    size *= 2;
  if(size == e->held_size)
    return true;
  p = mote_mem_realloc(s->memory.account, MOTE_PART_CONN, e->held, e->held_size, size);
  if(!p)
    return false;
  e->held = p;
  e->held_size = size;
  return true;
}

bool mote_h3_early_hold(struct mote_h3_session *s, struct mote_h3_request *r, struct mote_slice bytes,
                        bool end)
{
  struct mote_h3_early *e = s->early;
  e->closing.request = r;
  e->ended = end;
  if(!bytes.len)
    return true;
  if(!h3_early_make_room(s, bytes.len))
    return false;
  memcpy(e->held + e->held_len, bytes.ptr, bytes.len);
  e->held_len += (uint32_t)bytes.len;
  return true;
}

/* ---- the owner ---- */

const struct mote_h3_early *mote_h3_early_take(struct mote_h3_session *s)
{
  struct mote_h3_early *e = s->early;
  if(!e || !e->request.stream || e->taken)
    return NULL;
  e->taken = true;
  return e;
}

static void h3_early_free_rest(struct mote_h3_session *s, struct mote_h3_early *e)
{
  mote_mem_free(s->memory.account, MOTE_PART_CONN, e->held, e->held_size);
  mote_slab_put(&s->memory, e->request.head);
  mote_slab_put(&s->memory, e);
}

/* No more at a time than a callback gets: what goes straight to one is taken whole. */
static int h3_early_replay_bytes(struct mote_h3_session *s, const struct mote_h3_early *e)
{
  struct mote_slice part = {e->held, 0};
  uint32_t left = e->held_len;
  bool end;
  int rc;
  do {
    part.len = left < CURL_MAX_WRITE_SIZE ? left : CURL_MAX_WRITE_SIZE;
    left -= (uint32_t)part.len;
    end = e->ended && !left;
    rc = mote_h3_read_stream(s, e->closing.request, e->number, part, end);
    part.ptr += part.len;
  } while(!rc && left);
  return rc;
}

/* In the order in which it has come. */
static void h3_early_replay(struct mote_h3_session *s, const struct mote_h3_early *e)
{
  int rc = 0;
  if(e->held_len || e->ended)
    rc = h3_early_replay_bytes(s, e);
  if(!rc && e->reset && e->closing.request)
    mote_h3_hold_nothing(e->closing.request);
  if(!rc && e->reset)
    rc = nghttp3_conn_shutdown_stream_read(s->http, e->number);
  if(!rc && e->closed)
    rc = mote_h3_close_stream(s, &e->closing);
  if(!rc)
    return;
  mote_h3_fail_http(s, rc);
  mote_h3_fail(s, NGTCP2_ERR_CALLBACK_FAILURE);
}

void mote_h3_early_deliver(struct mote_h3_session *s)
{
  struct mote_h3_early *e = s->early;
  s->early = NULL;
  if(!e->refused && !s->broken)
    h3_early_replay(s, e);
  h3_early_free_rest(s, e);
}

void mote_h3_early_drop(struct mote_h3_session *s)
{
  struct mote_h3_early *e = s->early;
  if(!e || !e->request.stream || e->taken)
    return;
  (void)mote_h3_leave(s, e->request.stream);
  if(e->closed && !e->refused) {
    e->closing.clean = false; /* what has come is read by no one */
    (void)mote_h3_close_stream(s, &e->closing);
  }
  mote_slab_put(&s->memory, e->request.block);
  mote_slab_put(&s->memory, e->request.head);
  e->request = (struct mote_h3_early_request){0};
}

void mote_h3_early_free(struct mote_h3_session *s)
{
  if(!s->early)
    return;
  if(!s->early->taken)
    mote_slab_put(&s->memory, s->early->request.block);
  h3_early_free_rest(s, s->early);
  s->early = NULL;
}
