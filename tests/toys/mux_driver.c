/* tests/toys/mux_driver.c: the driver of mux connections. It reads for all streams, answers pings, and keeps
 * what could not be sent at once (tests/toys/mux.h). */
#include <string.h>

#include "base/memory.h"
#include "mux.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/mux/mux.h"
#include "transfer/multi/multi.h"

#define READS_PER_TURN 16 /* then other connections have their turn */
#define ALONE 256u        /* bytes of the buffer on the stack, for a connection without a transfer */

static void act_soon(struct mux *m)
{
  mote_drive_soon(&m->drive);
}

/* The first reason counts. The transfers hear of it when the driver acts. */
static void break_down(struct mux *m, CURLcode why)
{
  if(m->broken)
    return;
  m->broken = why;
  mote_conn_set_reusable(m->drive.conn, false);
  act_soon(m);
}

/* ---- sending ---- */

static void drop_rest(struct mux *m)
{
  mote_mem_free(m->drive.conn->env.account, MOTE_PART_CONN, m->out.rest, m->out.rest_len);
  m->out.rest = NULL;
}

static void keep_rest(struct mux *m, const char *bytes, size_t len)
{
  m->out.rest = mote_mem_alloc(m->drive.conn->env.account, MOTE_PART_CONN, len);
  m->out.rest_len = (uint32_t)len;
  m->out.rest_at = 0;
  if(m->out.rest)
    memcpy(m->out.rest, bytes, len);
  else
    break_down(m, CURLE_OUT_OF_MEMORY); /* half a frame is sent, and no other can follow it */
}

/* Sends until the connection takes no more; returns how many bytes it took. */
static size_t send_bytes(struct mux *m, const char *bytes, size_t len)
{
  size_t at = 0;
  while(at < len) {
    size_t n = 0;
    CURLcode rc = mote_conn_send(m->drive.conn, bytes + at, len - at, &n);
    at += n;
    if(rc == CURLE_AGAIN)
      break;
    if(rc) {
      break_down(m, rc);
      break;
    }
  }
  return at;
}

CURLcode mux_send(struct mux *m, const struct mux_frame *f)
{
  char frame[MUX_HEAD + MUX_PIECE];
  size_t len = MUX_HEAD + f->len, sent;
  if(m->out.rest || m->broken)
    return CURLE_AGAIN;
  frame[0] = (char)f->type;
  frame[1] = (char)f->flags;
  frame[2] = (char)(f->stream >> 8);
  frame[3] = (char)f->stream;
  mux_put32(frame + 4, f->len);
  if(f->len)
    memcpy(frame + MUX_HEAD, f->payload, f->len);
  sent = send_bytes(m, frame, len);
  if(sent < len && !m->broken) {
    keep_rest(m, frame + sent, len - sent);
    act_soon(m); /* waits for room */
  }
  return CURLE_OK;
}

static void send_pong(struct mux *m)
{
  struct mux_frame f = {.type = 'Q', .len = MUX_SMALL, .payload = (const char *)m->out.pong};
  if(m->out.pong_due && mux_send(m, &f) == CURLE_OK)
    m->out.pong_due = false;
}

static bool send_reset(struct mux *m, uint16_t id)
{
  char error[4] = {0, 0, 0, 1};
  struct mux_frame f = {.type = 'R', .stream = id, .len = sizeof error, .payload = error};
  return mux_send(m, &f) == CURLE_OK;
}

static void wake_all(const struct mux *m)
{
  unsigned i;
  for(i = 0; i < MUX_STREAMS; i++)
    if(m->streams[i])
      mote_transfer_wake(m->streams[i]);
}

/* Sends what waits. */
static void flush(struct mux *m)
{
  struct mux_out *o = &m->out;
  if(o->rest) {
    o->rest_at += (uint32_t)send_bytes(m, o->rest + o->rest_at, o->rest_len - o->rest_at);
    if(o->rest_at < o->rest_len)
      return;
    drop_rest(m);
    wake_all(m);
  }
  send_pong(m);
  while(o->reset_count && send_reset(m, o->resets[o->reset_count - 1]))
    o->reset_count--;
}

/* ---- what has come ---- */

static uint32_t get32(const uint8_t *p)
{
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static struct mux_frame head_of(const struct mux *m)
{
  const uint8_t *h = m->in.head;
  struct mux_frame f = {.type = h[0], .flags = h[1], .stream = (uint16_t)(h[2] << 8 | h[3]),
                        .len = get32(h + 4)};
  return f;
}

/* The stream's transfer. NULL: it has left, and its last frames may still come. */
static struct mote_transfer *stream_with(const struct mux *m, uint16_t id)
{
  unsigned i;
  for(i = 0; i < MUX_STREAMS; i++)
    if(m->streams[i] && mux_stream_of(m->streams[i])->id == id)
      return m->streams[i];
  return NULL;
}

static bool is_valid(const struct mux *m, const struct mux_frame *f)
{
  bool opened = f->stream % 2 && f->stream < m->next_id;
  switch(f->type) {
  case 'B':
    return opened && f->len <= MUX_FRAME_MAX;
  case 'E':
  case 'W':
  case 'R':
    return opened && f->len == 4;
  case 'P':
  case 'Q':
    return !f->stream && f->len == MUX_SMALL;
  case 'G':
    return !f->stream && f->len == 4;
  default:
    return false;
  }
}

static void deliver(const struct mux *m, uint16_t id, const struct mote_event *event)
{
  struct mote_transfer *t = stream_with(m, id);
  if(t)
    mote_channel_deliver(t, event);
}

/* Streams that the server does not serve, and those that are not open yet, go to another connection. */
static void go_away(struct mux *m, uint32_t last)
{
  static const struct mote_event refused = {.kind = MOTE_EVENT_REFUSED};
  unsigned i;
  m->away = true;
  m->last_id = last;
  mote_conn_set_reusable(m->drive.conn, false);
  for(i = 0; i < MUX_STREAMS; i++) {
    uint16_t id = m->streams[i] ? mux_stream_of(m->streams[i])->id : 0;
    if(m->streams[i] && (!id || id > last))
      mote_channel_deliver(m->streams[i], &refused);
  }
}

/* A frame other than B is complete. */
static void take_small(struct mux *m)
{
  struct mux_frame f = head_of(m);
  struct mote_event event = {.number = get32(m->in.small)};
  switch(f.type) {
  case 'P':
    memcpy(m->out.pong, m->in.small, MUX_SMALL);
    m->out.pong_due = true;
    send_pong(m);
    return;
  case 'G':
    go_away(m, event.number);
    return;
  case 'E':
    event.kind = MOTE_EVENT_END;
    break;
  case 'W':
    event.kind = MOTE_EVENT_CREDIT;
    break;
  case 'R':
    event.kind = MOTE_EVENT_RESET;
    break;
  default: /* Q: the answer to a ping that this client does not send */
    return;
  }
  deliver(m, f.stream, &event);
}

static void next_frame(struct mux *m)
{
  m->in.head_len = 0;
  m->in.small_len = 0;
}

static size_t take_head(struct mux *m, const char *bytes, size_t len)
{
  size_t n = MUX_HEAD - m->in.head_len;
  struct mux_frame f;
  if(n > len)
    n = len;
  memcpy(m->in.head + m->in.head_len, bytes, n);
  m->in.head_len = (uint8_t)(m->in.head_len + n);
  if(m->in.head_len < MUX_HEAD)
    return n;
  f = head_of(m);
  m->in.left = f.len;
  if(!is_valid(m, &f))
    break_down(m, CURLE_WEIRD_SERVER_REPLY);
  else if(!f.len)
    next_frame(m);
  return n;
}

static size_t take_payload(struct mux *m, char *bytes, size_t len)
{
  struct mux_frame f = head_of(m);
  size_t n = m->in.left < len ? m->in.left : len;
  m->in.left -= (uint32_t)n;
  if(f.type == 'B') {
    struct mote_event event = {.kind = MOTE_EVENT_BYTES, .bytes = bytes, .len = n};
    deliver(m, f.stream, &event);
  }
  else {
    memcpy(m->in.small + m->in.small_len, bytes, n);
    m->in.small_len = (uint8_t)(m->in.small_len + n);
    if(!m->in.left)
      take_small(m);
  }
  if(!m->in.left)
    next_frame(m);
  return n;
}

static void take(struct mux *m, char *bytes, size_t len)
{
  while(len && !m->broken) {
    size_t n = m->in.head_len < MUX_HEAD ? take_head(m, bytes, len) : take_payload(m, bytes, len);
    bytes += n;
    len -= n;
  }
}

/* ---- acting ---- */

static struct mote_transfer *any_stream(const struct mux *m)
{
  unsigned i;
  for(i = 0; i < MUX_STREAMS; i++)
    if(m->streams[i])
      return m->streams[i];
  return NULL;
}

/* A connection without a transfer reads into a few bytes of the stack, and so does one whose multi has no
 * memory for its buffer. */
static void read_all(struct mux *m)
{
  struct mote_conn *c = m->drive.conn;
  struct mote_transfer *t = any_stream(m);
  uint32_t size = t ? (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE) : 0;
  char alone[ALONE], *buffer = t ? mote_schedule_buffer(t->multi, size) : NULL;
  CURLcode rc = CURLE_OK;
  int reads;
  if(!buffer) {
    buffer = alone;
    size = sizeof alone;
  }
  for(reads = 0; reads < READS_PER_TURN && !m->broken; reads++) {
    size_t n;
    rc = mote_channel_receive(c, t, buffer, size, &n);
    if(rc)
      break;
    if(n)
      take(m, buffer, n);
    else
      break_down(m, CURLE_GOT_NOTHING);
  }
  mote_conn_clear_events(c);
  if(rc && rc != CURLE_AGAIN)
    break_down(m, rc);
  if(!rc && !m->broken)
    act_soon(m);
}

/* Each transfer makes its own result of it. Without any, the pool closes the connection at the end of the
 * run. */
static void fail_all(struct mux *m)
{
  struct mote_event event = {.kind = MOTE_EVENT_FAILED, .rc = m->broken};
  struct mote_conn *c = m->drive.conn;
  unsigned i;
  (void)mote_conn_want(c, 0);
  if(!any_stream(m) && c->set) {
    mote_conn_look_again(c);
    mote_schedule_prune_soon(c->set, c);
  }
  for(i = 0; i < MUX_STREAMS; i++)
    if(m->streams[i])
      mote_channel_deliver(m->streams[i], &event);
}

static void look(struct mux *m)
{
  CURLcode rc;
  if(!m->broken)
    flush(m);
  if(!m->broken)
    read_all(m);
  rc = m->broken ? CURLE_OK : mote_drive_want(&m->drive, MOTE_WANT_IN | (m->out.rest ? MOTE_WANT_OUT : 0));
  if(rc)
    break_down(m, rc);
  if(m->broken)
    fail_all(m);
}

static void act(struct mote_drive *d, mote_time now)
{
  (void)now;
  look((struct mux *)d);
}

/* ---- the row ---- */

static void on_ready(struct mote_drive *d)
{
  act_soon((struct mux *)d);
}

static unsigned room(const struct mote_drive *d)
{
  const struct mux *m = (const struct mux *)d;
  return m->broken || m->away || m->next_id > MUX_LAST_ID ? 0 : MUX_STREAMS - d->channels;
}

static bool usable(struct mote_drive *d)
{
  struct mux *m = (struct mux *)d;
  if(!m->broken)
    look(m);
  return !m->broken && !m->away;
}

static void on_close(struct mote_drive *d)
{
  struct mux *m = (struct mux *)d;
  if(m->out.rest)
    drop_rest(m);
}

const struct mote_driver mux_driver = {
  .name = "mux", .size = sizeof(struct mux), .ready = on_ready, .act = act, .room = room,
  .usable = usable, .close = on_close,
};

/* ---- for a transfer ---- */

CURLcode mux_join(struct mux *m, struct mote_transfer *t)
{
  unsigned i;
  if(!m->next_id)
    m->next_id = 1;
  if(m->broken || m->away)
    return CURLE_RECV_ERROR;
  for(i = 0; m->streams[i]; i++)
    ;
  m->streams[i] = t;
  mote_conn_set_reusable(m->drive.conn, true);
  act_soon(m); /* TLS may have read bytes ahead, for which no event comes */
  return CURLE_OK;
}

void mux_leave(struct mux *m, struct mote_transfer *t, bool reset)
{
  uint16_t id = mux_stream_of(t)->id;
  unsigned i;
  for(i = 0; i < MUX_STREAMS; i++)
    if(m->streams[i] == t)
      m->streams[i] = NULL;
  if(!reset || m->broken || (m->away && id > m->last_id) || send_reset(m, id))
    return;
  if(m->out.reset_count < MUX_STREAMS)
    m->out.resets[m->out.reset_count++] = id;
  else
    break_down(m, CURLE_SEND_ERROR); /* the peer does not read, and more would have to be kept */
}
