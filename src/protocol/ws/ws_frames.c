/* protocol/ws/ws_frames.c: receives and sends the frames of an open WebSocket.
 *
 * A masked byte depends on its place in the frame only, but TLS wants the same bytes again that it has not
 * taken at once. What a send leaves is therefore kept as it is. An application gets to know that by a smaller
 * count: it has no other reason to call again, and nothing else would send the rest. */
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "net/conn_struct.h"
#include "port/port.h"
#include "protocol/ws/ws.h"
#include "transfer/pump/pump.h"

#define PONG_FRONT 6u         /* bytes of the head of a PONG: its payload is short */
#define READS_PER_CALL 64     /* PINGs without an end must not keep the application */
#define ANSWERS_PER_CALL 64   /* likewise: each is a call of the system. A call's last PING is answered */
#define NEAR_READ 256u        /* bytes; a short message is read with its head, and then moved */
#define HEAD_READ 10u         /* bytes of a server's longest head */

static CURLcode ws_frames_refuse(struct mote_transfer *t, CURLcode rc, enum mote_websocket_why why)
{
  return mote_fail_as(rc, &t->report, "%s", mote_websocket_why_text(why));
}

/* ---- blocks ---- */

static size_t ws_frames_block_size(size_t cap)
{
  return sizeof(struct mote_ws_block) + cap;
}

static struct mote_ws_block *new_block(struct mote_conn *c, size_t cap)
{
  struct mote_ws_block *b = mote_mem_alloc(c->env.account, MOTE_PART_CONN, ws_frames_block_size(cap));
  if(b) {
    b->at = 0;
    b->len = 0;
    b->cap = (uint32_t)cap;
  }
  return b;
}

static void ws_frames_free_block(struct mote_conn *c, struct mote_ws_block **b)
{
  if(*b)
    mote_mem_free(c->env.account, MOTE_PART_CONN, *b, ws_frames_block_size((*b)->cap));
  *b = NULL;
}

void mote_ws_discard(struct mote_conn *c)
{
  struct mote_ws *w = mote_conn_state(c);
  ws_frames_free_block(c, &w->unsent);
  ws_frames_free_block(c, &w->pong);
}

/* ---- sending ---- */

CURLcode mote_ws_refill(struct mote_ws *w, size_t n)
{
  return mote_port_random(w->random, n);
}

/* One call for random bytes serves several frames. */
static CURLcode next_mask(struct mote_ws *w, uint8_t mask[4])
{
  if(w->random_left < 4) {
    CURLcode rc = mote_ws_refill(w, sizeof w->random);
    if(rc)
      return rc;
    w->random_left = sizeof w->random;
  }
  memcpy(mask, w->random + sizeof w->random - w->random_left, 4);
  w->random_left = (uint8_t)(w->random_left - 4);
  return CURLE_OK;
}

/* A PONG may stand between the frames of a message, but not within a frame. */
static bool may_answer(const struct mote_ws *w)
{
  return w->pong && !w->answering && !w->out.left;
}

CURLcode mote_ws_flush(struct mote_transfer *t)
{
  struct mote_conn *c = t->run->channel.conn;
  struct mote_ws *w = mote_ws_of(t);
  while(w->unsent || may_answer(w)) {
    size_t n;
    CURLcode rc;
    if(!w->unsent) {
      w->unsent = w->pong;
      w->pong = NULL;
    }
    rc = mote_pump_push(c, w->unsent->bytes + w->unsent->at, w->unsent->len - w->unsent->at, &n);
    w->unsent->at += (uint32_t)n;
    if(rc)
      return rc;
    ws_frames_free_block(c, &w->unsent);
  }
  return CURLE_OK;
}

/* Puts bytes into w->unsent, which is NULL. */
static CURLcode ws_frames_keep(struct mote_transfer *t, const char *bytes, size_t len)
{
  struct mote_ws *w = mote_ws_of(t);
  w->unsent = new_block(t->run->channel.conn, len);
  if(!w->unsent)
    return CURLE_OUT_OF_MEMORY;
  memcpy(w->unsent->bytes, bytes, len);
  w->unsent->len = (uint32_t)len;
  return CURLE_OK;
}

CURLcode mote_ws_begin_frame(struct mote_transfer *t, unsigned flags, uint64_t size)
{
  struct mote_ws *w = mote_ws_of(t);
  char head[MOTE_WEBSOCKET_HEAD];
  uint8_t mask[4];
  enum mote_websocket_why why;
  size_t len;
  CURLcode rc = next_mask(w, mask);
  if(rc)
    return rc;
  why = mote_websocket_begin(&w->out, flags, size, mask, head, &len);
  if(why)
    return ws_frames_refuse(t, why == MOTE_WEBSOCKET_CONTROL_LONG ? CURLE_TOO_LARGE
                            : CURLE_BAD_FUNCTION_ARGUMENT, why);
  memcpy(w->head, head, len);
  w->head_len = (uint8_t)len;
  return CURLE_OK;
}

/* Sends a piece that begins with the frame's head, if that was not sent yet. All of it counts as taken.
 * *whole: nothing is left over. */
static CURLcode ws_frames_send_piece(struct mote_transfer *t, struct mote_ws_block *b, char *room,
                                     const char *bytes,
                                     size_t len, bool *whole)
{
  struct mote_ws *w = mote_ws_of(t);
  size_t n = 0, total = w->head_len + len;
  CURLcode rc;
  memcpy(room, w->head, w->head_len);
  mote_websocket_mask(&w->out, room + w->head_len, bytes, len);
  w->head_len = 0;
  rc = mote_conn_send(t->run->channel.conn, room, total, &n);
  if(rc == CURLE_AGAIN)
    n = 0;
  else if(rc)
    return rc;
  *whole = n == total;
  if(*whole)
    return CURLE_OK;
  if(!b)
    return ws_frames_keep(t, room + n, total - n);
  b->at = (uint32_t)n;
  b->len = (uint32_t)total;
  w->unsent = b;
  return CURLE_OK;
}

CURLcode mote_ws_send(struct mote_transfer *t, const char *bytes, size_t len, size_t *taken)
{
  struct mote_conn *c = t->run->channel.conn;
  struct mote_ws *w = mote_ws_of(t);
  struct mote_ws_block *b = NULL;
  char small[MOTE_WS_SMALL], *room = small;
  size_t most = sizeof small;
  bool whole = true;
  CURLcode rc = CURLE_OK;
  *taken = 0;
  if(w->head_len + len > sizeof small) { /* without memory it goes in small pieces */
    b = new_block(c, w->head_len + len < MOTE_WS_PIECE ? w->head_len + len : MOTE_WS_PIECE);
    room = b ? b->bytes : small;
    most = b ? b->cap : sizeof small;
  }
  while(!rc && whole && (*taken < len || w->head_len)) {
    size_t n = len - *taken < most - w->head_len ? len - *taken : most - w->head_len;
    rc = ws_frames_send_piece(t, b, room, bytes + *taken, n, &whole);
    if(!rc)
      *taken += n;
  }
  if(b && w->unsent != b)
    ws_frames_free_block(c, &b);
  w->failed = (uint8_t)rc; /* the bytes of a piece are masked once only */
  return rc;
}

CURLcode mote_ws_send_again(struct mote_transfer *t, const char *bytes, size_t len, size_t *sent)
{
  struct mote_ws *w = mote_ws_of(t);
  size_t before = len < w->owed ? len : w->owed, n, kept;
  CURLcode rc = mote_ws_send(t, bytes + before, len - before, &n);
  kept = w->unsent ? w->unsent->len - w->unsent->at : 0;
  kept = kept < n ? kept : n; /* the rest of it is the frame's head */
  w->owed = (uint16_t)(w->owed - before + kept);
  *sent = before + n - kept;
  return rc || *sent || !kept ? rc : CURLE_AGAIN;
}

CURLcode mote_ws_send_raw(struct mote_transfer *t, const char *bytes, size_t len)
{
  size_t n = 0;
  CURLcode rc = mote_conn_send(t->run->channel.conn, bytes, len, &n);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  n = rc ? 0 : n;
  return n < len ? ws_frames_keep(t, bytes + n, len - n) : CURLE_OK;
}

/* ---- receiving ---- */

/* The newest PING is the one to answer (RFC 6455 section 5.5.3). */
static CURLcode begin_answer(struct mote_transfer *t)
{
  struct mote_ws *w = mote_ws_of(t);
  if(!w->pong)
    w->pong = new_block(t->run->channel.conn, PONG_FRONT + MOTE_WEBSOCKET_CONTROL);
  if(!w->pong)
    return CURLE_OUT_OF_MEMORY;
  w->pong->len = PONG_FRONT;
  w->answering = true;
  return CURLE_OK;
}

/* That an answer cannot be sent is no reason not to read on. */
static void send_answer(struct mote_transfer *t)
{
  CURLcode rc = mote_ws_flush(t);
  if(rc && rc != CURLE_AGAIN)
    mote_ws_discard(t->run->channel.conn);
}

void mote_ws_answer_last(struct mote_transfer *t)
{
  struct mote_ws *w = mote_ws_of(t);
  w->answers = 0;
  if(w->pong)
    send_answer(t);
}

/* The next PING takes the place of one whose answer waits. */
static CURLcode end_answer(struct mote_transfer *t)
{
  struct mote_ws *w = mote_ws_of(t);
  struct mote_websocket_writer one = {0};
  size_t n, size = w->pong->len - PONG_FRONT;
  uint8_t mask[4];
  CURLcode rc = next_mask(w, mask);
  w->answering = false;
  if(rc)
    return rc;
  (void)mote_websocket_begin(&one, CURLWS_PONG, size, mask, w->pong->bytes, &n);
  mote_websocket_mask(&one, w->pong->bytes + n, w->pong->bytes + n, size);
  if(w->answers < ANSWERS_PER_CALL) {
    w->answers++;
    send_answer(t);
  }
  return CURLE_OK;
}

static CURLcode take_ping(struct mote_transfer *t, const char *bytes, size_t len, size_t *used)
{
  struct mote_ws *w = mote_ws_of(t);
  size_t n = len < w->in.left ? len : (size_t)w->in.left;
  memcpy(w->pong->bytes + w->pong->len, bytes, n);
  w->pong->len += (uint32_t)n;
  *used += n;
  mote_websocket_took(&w->in, n);
  return w->in.in_frame ? CURLE_OK : end_answer(t);
}

static bool ws_frames_answers(const struct mote_transfer *t)
{
  const struct mote_ws *w = mote_ws_of(t);
  return w->in.opcode == MOTE_WEBSOCKET_PING &&
         !(mote_opt_long(&t->options, CURLOPT_WS_OPTIONS) & (CURLWS_RAW_MODE | CURLWS_NOAUTOPONG));
}

/* A PING that there was no memory for stays the current frame. */
CURLcode mote_ws_next(struct mote_transfer *t, const char *bytes, size_t len, size_t *used, bool *payload)
{
  struct mote_ws *w = mote_ws_of(t);
  CURLcode rc = CURLE_OK;
  *payload = false;
  while(!rc) {
    size_t n;
    enum mote_websocket_why why;
    if(w->in.in_frame && !w->answering && !ws_frames_answers(t)) {
      *payload = true;
      return CURLE_OK;
    }
    if(w->in.in_frame && !w->answering)
      rc = begin_answer(t);
    if(!rc && w->answering && (*used < len || !w->in.left))
      rc = take_ping(t, bytes + *used, len - *used, used);
    if(rc || *used == len)
      return rc;
    if(w->in.in_frame)
      continue;
    why = mote_websocket_head(&w->in, bytes + *used, len - *used, &n);
    *used += n;
    if(why) {
      w->broken = true;
      return ws_frames_refuse(t, CURLE_RECV_ERROR, why);
    }
    if(!w->in.in_frame)
      return CURLE_OK;
  }
  return rc;
}

void mote_ws_give(struct mote_ws *w, size_t n)
{
  w->meta.age = 0;
  w->meta.flags = (int)mote_websocket_flags(&w->in);
  w->meta.offset = (curl_off_t)(w->in.size - w->in.left);
  w->meta.len = n;
  mote_websocket_took(&w->in, n);
  w->meta.bytesleft = (curl_off_t)w->in.left;
}

/* The application's memory, and how far one call has come in it. */
struct target {
  char *to;
  size_t room;
  size_t got;
  bool over; /* the frame has ended, the room is full, or nothing more can come now */
};

CURLcode mote_ws_judge(struct mote_transfer *t, const char *bytes, size_t n)
{
  struct mote_ws *w = mote_ws_of(t);
  enum mote_websocket_why why = mote_websocket_judge(&w->in, bytes, n);
  if(!why)
    return CURLE_OK;
  w->broken = true;
  return ws_frames_refuse(t, CURLE_RECV_ERROR, why);
}

/* Moves payload to where it belongs; bytes may lie further on in the same memory. The first bytes of a frame
 * or of a call set meta, further ones of the call make it longer. */
static CURLcode take_payload(struct mote_transfer *t, struct target *d, const char *bytes, size_t len,
                             size_t *used)
{
  struct mote_ws *w = mote_ws_of(t);
  size_t n = d->room - d->got, first = d->got;
  CURLcode rc;
  n = n < w->in.left ? n : (size_t)w->in.left;
  n = n < len ? n : len;
  rc = mote_ws_judge(t, bytes, n);
  if(rc)
    return rc;
  if(n && d->to + d->got != bytes)
    memmove(d->to + d->got, bytes, n);
  d->got += n;
  *used += n;
  if(!first)
    mote_ws_give(w, n);
  else {
    mote_websocket_took(&w->in, n);
    w->meta.len += n;
    w->meta.bytesleft -= (curl_off_t)n;
  }
  d->over = !w->in.in_frame || d->got == d->room;
  return CURLE_OK;
}

/* Uses bytes that were read, and holds the rest over. */
static CURLcode ws_frames_take_bytes(struct mote_transfer *t, struct target *d, const char *bytes, size_t len)
{
  struct mote_conn *c = t->run->channel.conn;
  struct mote_ws *w = mote_ws_of(t);
  size_t used = 0;
  bool payload;
  CURLcode held, rc = mote_ws_next(t, bytes, len, &used, &payload);
  if(!rc && payload && (used < len || !w->in.left || !d->room))
    rc = take_payload(t, d, bytes + used, len - used, &used);
  mote_conn_unread(c, bytes + used, len - used);
  held = mote_conn_hold(c, MOTE_HELD_LIMIT, NULL, 0);
  w->broken = w->broken || held; /* bytes are lost */
  return rc ? rc : held;
}

/* Reads where a head may come. The bytes go to the application's memory where that is large, so that most of
 * them are there already. A small room is often just that of the message: its head must fit, too. */
static CURLcode ws_frames_read_head(struct mote_transfer *t, struct target *d)
{
  struct mote_conn *c = t->run->channel.conn;
  char small[NEAR_READ], *to = small;
  size_t n, most = sizeof small;
  CURLcode rc;
  if(d->room > sizeof small - HEAD_READ) {
    to = d->to;
    most = d->room < MOTE_WS_AHEAD ? d->room : MOTE_WS_AHEAD;
  }
  rc = mote_conn_receive(c, to, most, &n);
  if(!rc && !n)
    rc = CURLE_GOT_NOTHING;
  if(rc)
    return rc;
  rc = ws_frames_take_bytes(t, d, to, n);
  if(n < most && mote_conn_is_plain(c)) /* the socket is empty */
    d->over = true;
  return rc;
}

/* The frequent read: payload goes straight to the application. */
static CURLcode read_payload(struct mote_transfer *t, struct target *d)
{
  struct mote_conn *c = t->run->channel.conn;
  struct mote_ws *w = mote_ws_of(t);
  size_t n, used = 0, most = d->room - d->got;
  CURLcode rc;
  most = most < w->in.left ? most : (size_t)w->in.left;
  rc = mote_conn_receive(c, d->to + d->got, most, &n);
  if(!rc && !n)
    rc = CURLE_GOT_NOTHING;
  if(rc)
    return rc;
  rc = take_payload(t, d, d->to + d->got, n, &used);
  d->over = d->over || (n < most && mote_conn_is_plain(c));
  return rc;
}

static CURLcode ws_frames_take_held(struct mote_transfer *t, struct target *d)
{
  char *bytes;
  size_t len = mote_conn_lend_held(t->run->channel.conn, NULL, &bytes);
  return ws_frames_take_bytes(t, d, bytes, len);
}

/* Continues with what is there. */
static CURLcode receive_more(struct mote_transfer *t, struct target *d)
{
  struct mote_ws *w = mote_ws_of(t);
  bool payload = w->in.in_frame && !w->answering && !ws_frames_answers(t);
  size_t used = 0;
  if(payload && (!d->room || !w->in.left))
    return take_payload(t, d, NULL, 0, &used);
  if(mote_conn_held(t->run->channel.conn))
    return ws_frames_take_held(t, d);
  return payload ? read_payload(t, d) : ws_frames_read_head(t, d);
}

/* An error after bytes for the application waits for the next call. */
CURLcode mote_ws_receive(struct mote_transfer *t, char *buf, size_t size, size_t *n)
{
  struct mote_ws *w = mote_ws_of(t);
  struct target d = {.to = buf, .room = size};
  int reads = 0;
  bool any = false;
  CURLcode rc = CURLE_OK;
  *n = 0;
  w->meta.len = 0;
  if(w->broken)
    return mote_fail_as(CURLE_RECV_ERROR, &t->report, "the WebSocket connection has failed before");
  if(w->unsent || w->pong)
    (void)mote_ws_flush(t);
  w->meta.flags = 0;
  while(!rc && !d.over) {
    rc = receive_more(t, &d);
    any = w->meta.flags != 0;
    if(++reads == READS_PER_CALL)
      break;
  }
  mote_ws_answer_last(t);
  *n = d.got;
  if(any && (!rc || d.got))
    return CURLE_OK;
  return rc ? rc : CURLE_AGAIN;
}
