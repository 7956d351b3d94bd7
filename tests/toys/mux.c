/* tests/toys/mux.c: one exchange of mux (tests/toys/mux.h). */
#include "mux.h"

#include <string.h>

#include "codec/url/url.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/mux/mux.h"
#include "port/port.h"
#include "transfer/download/sink.h"
#include "transfer/protocol.h"
#include "transfer/upload/source.h"

static struct mux *mux_of(const struct mote_transfer *t)
{
  return (struct mux *)t->run->channel.conn->drive;
}

static struct mote_slice path_of(const struct mote_transfer *t)
{
  struct mote_url url;
  mote_url_unpack(&t->run->request.url, &url);
  return mote_url_get(&url, MOTE_URL_PATH);
}

static CURLcode mux_prepare(struct mote_transfer *t)
{
  if(path_of(t).len > MUX_PIECE) {
    mote_fail(&t->report, "The path has more than %u bytes", MUX_PIECE);
    return CURLE_URL_MALFORMAT;
  }
  return mote_source_open(t);
}

static CURLcode mux_begin(struct mote_transfer *t)
{
  struct mux_stream *s = mux_stream_of(t);
  s->window = MUX_WINDOW;
  s->credit = MUX_WINDOW;
  return mux_join(mux_of(t), t);
}

/* ---- sending ---- */

static CURLcode open_stream(struct mote_transfer *t)
{
  struct mux *m = mux_of(t);
  struct mux_stream *s = mux_stream_of(t);
  struct mote_slice path = path_of(t);
  struct mux_frame f = {.type = 'O', .flags = t->run->body ? MUX_HAS_BODY : 0, .stream = (uint16_t)m->next_id,
                        .len = (uint32_t)path.len, .payload = path.ptr};
  CURLcode rc = mux_send(m, &f);
  if(rc)
    return rc;
  s->id = (uint16_t)m->next_id;
  s->sent = !t->run->body;
  m->next_id += 2;
  return CURLE_OK;
}

static CURLcode send_number(struct mote_transfer *t, uint8_t type, uint32_t number)
{
  char payload[4];
  struct mux_frame f = {.type = type, .stream = mux_stream_of(t)->id, .len = sizeof payload,
                        .payload = payload};
  mux_put32(payload, number);
  return mux_send(mux_of(t), &f);
}

/* Sends a piece of the body. CURLE_AGAIN: nothing more can be sent now. */
static CURLcode send_piece(struct mote_transfer *t)
{
  struct mux *m = mux_of(t);
  struct mux_stream *s = mux_stream_of(t);
  char room[MUX_PIECE];
  struct mote_piece p = {.room = room, .most = s->credit < sizeof room ? s->credit : sizeof room};
  CURLcode rc = CURLE_AGAIN;
  if(p.most && !m->out.rest && !m->broken)
    rc = mote_source_read(t, &p);
  if(rc)
    return rc;
  if(p.len) {
    struct mux_frame f = {.type = 'B', .stream = s->id, .len = (uint32_t)p.len, .payload = p.bytes};
    s->credit -= f.len;
    t->run->stats.bytes_up += (curl_off_t)p.len;
    (void)mux_send(m, &f);
  }
  else if(p.end) {
    rc = send_number(t, 'E', 0);
    s->sent = !rc;
  }
  else
    mote_transfer_wake(t);
  return !rc && !p.len && !p.end ? CURLE_AGAIN : rc;
}

static CURLcode send_step(struct mote_transfer *t)
{
  struct mux_stream *s = mux_stream_of(t);
  CURLcode rc = s->id ? CURLE_OK : open_stream(t);
  while(!rc && !s->sent && !t->run->flow.send.paused)
    rc = send_piece(t);
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* ---- receiving ---- */

/* Bytes that cannot be delivered now stay below the window, and so does the block. */
static CURLcode keep(struct mote_transfer *t, const char *bytes, size_t len)
{
  struct mux_stream *s = mux_stream_of(t);
  if(!s->queue)
    s->queue = mote_kept_new(t, len + s->window);
  if(!s->queue)
    return CURLE_OUT_OF_MEMORY;
  memcpy(s->queue->bytes + s->queue->len, bytes, len);
  s->queue->len += (uint32_t)len;
  return CURLE_OK;
}

static CURLcode take_bytes(struct mote_transfer *t, const struct mote_event *e)
{
  struct mote_run *r = t->run;
  struct mux_stream *s = mux_stream_of(t);
  size_t used = 0;
  CURLcode rc = CURLE_AGAIN;
  if(e->len > s->window || s->ended) {
    mote_fail(&t->report, "The server sent %u bytes and may send %u", (unsigned)e->len, (unsigned)s->window);
    return CURLE_WEIRD_SERVER_REPLY;
  }
  s->window -= (uint32_t)e->len;
  if(!r->flow.recv.paused && !r->paused && !s->queue)
    rc = mote_sink_body(t, e->bytes, e->len, &used);
  return rc == CURLE_AGAIN && used < e->len ? keep(t, e->bytes + used, e->len - used) : rc;
}

/* Delivers what came during a pause. CURLE_AGAIN: it goes on. */
static CURLcode deliver_kept(struct mote_transfer *t)
{
  struct mux_stream *s = mux_stream_of(t);
  CURLcode rc = t->run->flow.recv.paused ? CURLE_AGAIN : mote_sink_resume(t);
  if(!rc && s->queue) {
    size_t used;
    rc = mote_sink_body(t, s->queue->bytes + s->queue->at, s->queue->len - s->queue->at, &used);
    s->queue->at += (uint32_t)used;
    if(!rc || (rc == CURLE_AGAIN && s->queue->at == s->queue->len)) {
      mote_kept_free(t, s->queue);
      s->queue = NULL;
    }
  }
  return rc;
}

/* The peer gets credit when the application has taken half a window, and nothing is kept: the block's size
 * follows from the window. */
static CURLcode give_credit(struct mote_transfer *t)
{
  struct mux_stream *s = mux_stream_of(t);
  curl_off_t due = t->run->stats.delivered - s->credited;
  CURLcode rc;
  if(s->ended || s->queue || due < (curl_off_t)(MUX_WINDOW / 2))
    return CURLE_OK;
  rc = send_number(t, 'W', (uint32_t)due);
  if(!rc) {
    s->credited += due;
    s->window += (uint32_t)due;
  }
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

static CURLcode take_credit(struct mote_transfer *t, uint32_t more)
{
  struct mux_stream *s = mux_stream_of(t);
  if(more > MUX_CREDIT_MAX - s->credit) {
    mote_fail(&t->report, "The server gives more credit than a window has");
    return CURLE_WEIRD_SERVER_REPLY;
  }
  s->credit += more;
  return CURLE_OK;
}

/* A transfer whose peer has sent all of its body needs the connection no more. */
static CURLcode fail(const struct mote_transfer *t, CURLcode why)
{
  if(mux_stream_of(t)->ended)
    return CURLE_OK;
  return why == CURLE_GOT_NOTHING && t->run->response.got_bytes ? CURLE_PARTIAL_FILE : why;
}

static void note_answer(struct mote_transfer *t)
{
  if(t->run->response.got_bytes)
    return;
  t->run->response.got_bytes = true;
  mote_mark_set(&t->run->stats, MOTE_MARK_STARTTRANSFER, mote_port_now());
}

static CURLcode mux_deliver(struct mote_transfer *t, const struct mote_event *e)
{
  struct mux_stream *s = mux_stream_of(t);
  if(e->kind == MOTE_EVENT_FAILED)
    return fail(t, e->rc);
  note_answer(t);
  switch(e->kind) {
  case MOTE_EVENT_BYTES:
    return take_bytes(t, e);
  case MOTE_EVENT_CREDIT:
    return take_credit(t, e->number);
  case MOTE_EVENT_END:
    s->ended = true;
    s->status = e->number;
    return CURLE_OK;
  default:
    s->ended = true;
    mote_fail(&t->report, "The server has given the stream up: error %u", (unsigned)e->number);
    return CURLE_REMOTE_ACCESS_DENIED;
  }
}

/* ---- a step, and the end ---- */

/* An answer may come before the whole request is sent, which is then given up. */
static CURLcode mux_step(struct mote_transfer *t, mote_time now)
{
  struct mux_stream *s = mux_stream_of(t);
  CURLcode rc = send_step(t);
  (void)now;
  if(!rc)
    rc = deliver_kept(t);
  if(!rc)
    rc = give_credit(t);
  if(rc || !s->ended)
    return rc ? rc : CURLE_AGAIN;
  if(s->status) {
    mote_fail(&t->report, "The server answers with status %u", (unsigned)s->status);
    return CURLE_REMOTE_FILE_NOT_FOUND;
  }
  return mote_sink_finish(t);
}

static void mux_end(struct mote_transfer *t, CURLcode rc)
{
  struct mux_stream *s = mux_stream_of(t);
  (void)rc;
  mote_kept_free(t, s->queue);
  mux_leave(mux_of(t), t, s->id && (!s->ended || !s->sent));
}

const struct mote_protocol mote_protocol_mux = {
  .name = "mux",
  .channel_size = sizeof(struct mux_stream),
  .driver = &mux_driver,
  .prepare = mux_prepare,
  .begin = mux_begin,
  .step = mux_step,
  .deliver = mux_deliver,
  .end = mux_end,
};
