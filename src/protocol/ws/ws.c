/* protocol/ws/ws.c: the handshake of a WebSocket (RFC 6455 section 4), and the transfer that goes on with
 * frames to the write callback and from the read callback. */
#include "protocol/ws/ws.h"

#include <string.h>

#include "http/hooks.h"
#include "http/redirect.h"
#include "http/request.h"
#include "net/conn_struct.h"
#include "net/driver.h"
#include "transfer/download/headers.h"
#include "transfer/multi/schedule.h"
#include "transfer/pump/pump.h"
#include "transfer/report/debug.h"
#include "transfer/report/progress.h"
#include "transfer/upload/source.h"

#define FRAMES_PER_STEP 16 /* likewise, of an upload */

struct mote_ws *mote_ws_find(const struct mote_transfer *t)
{
  const struct mote_run *r = t->run;
  struct mote_ws *w;
  if(!r || !r->channel.conn || !r->request.scheme || r->request.scheme->protocol != &mote_protocol_ws ||
     (r->lease.phase != MOTE_PHASE_OPEN && r->lease.phase != MOTE_PHASE_EXCHANGE))
    return NULL;
  w = mote_ws_of(t);
  return w->open ? w : NULL;
}

/* ---- the handshake's fields (a row of mote_http_hooks) ---- */

/* The application's own line is sent instead of the key that the nonce makes. */
static const char *protocol_ws_key_of(const struct mote_transfer *t, char made[MOTE_WEBSOCKET_KEY + 1])
{
  bool removed;
  const char *own = mote_http_custom_header(t, "Sec-WebSocket-Key", &removed);
  if(own && !removed)
    return own;
  mote_websocket_key(mote_ws_of(t)->random, made);
  return made;
}

static void protocol_ws_put_fields(struct mote_http_writer *w)
{
  struct mote_ws *ws = mote_ws_of(w->t);
  char key[MOTE_WEBSOCKET_KEY + 1];
  CURLcode rc = mote_ws_refill(ws, MOTE_WEBSOCKET_NONCE);
  if(rc && !w->rc) {
    mote_fail(&w->t->report, "there are no random bytes for the WebSocket's key");
    w->rc = rc;
  }
  if(w->rc)
    return;
  ws->accept = MOTE_WS_ACCEPT_NONE;
  mote_websocket_key(ws->random, key);
  mote_http_put_optional(w, "Upgrade", "websocket");
  mote_http_put_optional(w, "Sec-WebSocket-Version", "13");
  mote_http_put_optional(w, "Sec-WebSocket-Key", key);
  w->upgrade = "Upgrade";
}

static CURLcode read_accept(struct mote_transfer *t, struct mote_slice value)
{
  char made[MOTE_WEBSOCKET_KEY + 1];
  struct mote_slice key;
  struct mote_ws *w;
  if(t->run->request.scheme->protocol != &mote_protocol_ws)
    return CURLE_OK;
  w = mote_ws_of(t);
  key = mote_slice_trim(mote_slice_of(protocol_ws_key_of(t, made)));
  if(!mote_websocket_accepts(key.ptr, key.len, value.ptr, value.len))
    w->accept = MOTE_WS_ACCEPT_WRONG;
  else if(w->accept == MOTE_WS_ACCEPT_NONE)
    w->accept = MOTE_WS_ACCEPT_RIGHT;
  return CURLE_OK;
}

/* Reports whether the head has such a field: with this word in its list, or with any value. Fields of other
 * interim heads count, too: they have no business there. */
static bool head_says(const struct mote_transfer *t, const char *name, const char *word)
{
  const struct mote_header_store *all = &t->run->response.headers;
  struct mote_header_view v = {0};
  while(mote_headers_next(all, &v))
    if(v.origin == CURLH_1XX && v.request == all->request && mote_equal_nocase(v.name, name) &&
       (!word || mote_list_has_token(mote_slice_of(v.value), word)))
      return true;
  return false;
}

/* Reports whether the application has asked for it: extensions and subprotocols are its own. */
static bool protocol_ws_was_asked(const struct mote_transfer *t, const char *name)
{
  bool removed = false;
  return mote_http_custom_header(t, name, &removed) && !removed;
}

/* Section 4.1. Without part header_store Accept alone proves that the server means this handshake. */
static const char *wrong_in_head(const struct mote_transfer *t)
{
  static const char extensions[] = "Sec-WebSocket-Extensions", protocol[] = "Sec-WebSocket-Protocol";
  if(!MOTE_HAS_HEADER_STORE)
    return NULL;
  if(!head_says(t, "Upgrade", "websocket"))
    return "does not upgrade to WebSocket";
  if(!head_says(t, "Connection", "upgrade"))
    return "does not upgrade the connection";
  if(head_says(t, extensions, NULL) && !protocol_ws_was_asked(t, extensions))
    return "has an extension that was not asked for";
  return head_says(t, protocol, NULL) && !protocol_ws_was_asked(t, protocol)
    ? "has a subprotocol that was not asked for"
                                                                  : NULL;
}

/* Anything but 101 and a challenge that is answered ends the transfer, a redirect included, as in libcurl. */
static CURLcode judge_head(struct mote_transfer *t, const struct mote_http_body *body)
{
  const struct mote_http *h = mote_http_of(t);
  const char *wrong;
  (void)body;
  if(h->again)
    return CURLE_OK;
  if(h->code != 101)
    return mote_fail_as(CURLE_HTTP_RETURNED_ERROR, &t->report, "Refused WebSocket upgrade: %u",
                        (unsigned)h->code);
  wrong = wrong_in_head(t);
  if(mote_ws_of(t)->accept == MOTE_WS_ACCEPT_RIGHT && !wrong)
    return CURLE_OK;
  if(wrong)
    return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, &t->report,
                        "the server's answer to the WebSocket handshake %s", wrong);
  return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, &t->report, "the server's Sec-WebSocket-Accept %s",
                      mote_ws_of(t)->accept ? "does not answer the key of this handshake" : "is missing");
}

const struct mote_http_hook mote_http_websocket = {
  .name = "WebSocket",
  .also = MOTE_HTTP_ALSO_WEBSOCKET,
  .place = MOTE_HTTP_AFTER_REFERER,
  .fields = MOTE_HTTP_READS(MOTE_FIELD_SEC_WEBSOCKET_ACCEPT),
  .request = protocol_ws_put_fields,
  .field = read_accept,
  .head = judge_head,
};

/* ---- the beginning of the frames ---- */

/* What came after the head may lie in the room of stored fields. */
static CURLcode own_held(struct mote_conn *c)
{
  if(!mote_conn_held(c) || c->held_cap)
    return CURLE_OK;
  mote_conn_unread(c, c->held, c->held_len);
  return mote_conn_hold(c, MOTE_HELD_LIMIT, NULL, 0);
}

/* The read callback gives frames (CURLOPT_READFUNCTION(3)); the handshake had no body. */
static CURLcode open_upload(struct mote_transfer *t)
{
  struct mote_ws *w = mote_ws_of(t);
  CURLcode rc;
  if(mote_opt_find_long(&t->options, MOTE_OPT_METHOD, MOTE_METHOD_GET) != MOTE_METHOD_PUT)
    return CURLE_OK;
  t->run->request.method = MOTE_METHOD_PUT;
  rc = mote_source_open_whole(t);
  t->run->request.method = MOTE_METHOD_GET;
  w->uploads = !rc && t->run->body;
  return rc;
}

static CURLcode open_frames(struct mote_transfer *t)
{
  struct mote_ws *w = mote_ws_of(t);
  struct mote_conn *c = t->run->channel.conn;
  CURLcode rc;
  if(mote_http_of(t)->code != 101) { /* the head was not that of HTTP */
    return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, &t->report,
                        "the server has not answered the WebSocket handshake");
  }
  rc = own_held(c);
  if(rc)
    return rc;
  w->open = true;
  if(mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY))
    return CURLE_OK;
  mote_conn_look_again(c);
  return open_upload(t);
}

/* ---- frames to the write callback ---- */

/* Counts bytes for the application and calls it. The sink keeps what a pause refuses. */
static CURLcode protocol_ws_call_write(struct mote_transfer *t, char *bytes, size_t len)
{
  struct mote_ws *w = mote_ws_of(t);
  size_t used;
  CURLcode rc;
  w->delivering = true;
  mote_debug(t, CURLINFO_DATA_IN, bytes, len);
  rc = len ? mote_sink_enter_and_write(t, false, bytes, len, &used) : mote_sink_empty(t);
  if(rc == CURLE_AGAIN && len) /* the rest, if any, is over CURLOPT_MAXFILESIZE */
    rc = mote_sink_keep_rest(t, bytes, len, used);
  t->run->stats.bytes_down += (curl_off_t)len;
  w->delivering = rc == CURLE_AGAIN;
  return rc ? rc : t->run->flow.recv.paused ? CURLE_AGAIN : CURLE_OK;
}

static size_t protocol_ws_at_most(uint64_t n, size_t most)
{
  return n < most ? (size_t)n : most;
}

static CURLcode deliver_frames(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_ws *w = mote_ws_of(t);
  CURLcode rc = CURLE_OK;
  while(!rc) {
    size_t n;
    bool payload;
    rc = mote_ws_next(t, bytes, len, used, &payload);
    if(rc || !payload || (*used == len && w->in.left))
      return rc;
    n = protocol_ws_at_most(w->in.left, protocol_ws_at_most(len - *used, CURL_MAX_WRITE_SIZE));
    rc = mote_ws_judge(t, bytes + *used, n);
    if(rc)
      return rc;
    mote_ws_give(w, n);
    *used += n;
    rc = protocol_ws_call_write(t, bytes + *used - n, n);
  }
  return rc;
}

static CURLcode deliver_raw(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  CURLcode rc = CURLE_OK;
  while(!rc && *used < len) {
    size_t n = protocol_ws_at_most(len - *used, CURL_MAX_WRITE_SIZE);
    *used += n;
    rc = protocol_ws_call_write(t, bytes + *used - n, n);
  }
  return rc;
}

static CURLcode protocol_ws_take(struct mote_pump *p, char *bytes, size_t len)
{
  struct mote_transfer *t = p->t;
  struct mote_conn *c = p->c;
  size_t used = 0;
  CURLcode rc = mote_ws_is_raw(t) ? deliver_raw(t, bytes, len, &used)
    : deliver_frames(t, bytes, len, &used);
  mote_conn_unread(c, bytes + used, len - used);
  return mote_pump_leave(c, rc);
}

/* The server may end the connection whenever no frame is under way, also without a close frame. */
static CURLcode protocol_ws_judge_end(struct mote_transfer *t)
{
  if(mote_ws_is_raw(t) || !mote_websocket_is_cut(&mote_ws_of(t)->in))
    return CURLE_OK;
  return mote_fail_as(CURLE_RECV_ERROR, &t->report,
                      "the server has closed the connection within a WebSocket frame");
}

static CURLcode protocol_ws_ended(struct mote_pump *p, char *bytes, size_t len)
{
  (void)bytes;
  (void)len;
  mote_ws_of(p->t)->ended = true;
  return protocol_ws_judge_end(p->t);
}

static bool protocol_ws_has_ended(const struct mote_pump *p)
{
  return mote_ws_of(p->t)->ended;
}

/* CURLE_AGAIN: the exchange goes on. */
static CURLcode protocol_ws_receive_step(struct mote_transfer *t, mote_time now)
{
  static const struct mote_pump_row row = {
    .take = protocol_ws_take, .ended = protocol_ws_ended, .over = protocol_ws_has_ended,
  };
  struct mote_pump p = mote_pump_of(t, t->run->channel.conn, &row, now);
  CURLcode rc;
  if(t->run->flow.recv.paused)
    return CURLE_AGAIN;
  rc = mote_pump_receive(&p);
  if(!t->run->paused)
    mote_ws_of(t)->delivering = false;
  mote_ws_answer_last(t);
  return rc;
}

/* ---- frames from the read callback ---- */

/* Sends what was read: the next part of the frame that was begun, or a binary frame. */
static CURLcode send_read(struct mote_transfer *t, const struct mote_piece *p)
{
  struct mote_ws *w = mote_ws_of(t);
  size_t sent;
  CURLcode rc = CURLE_OK;
  if(!w->started && !w->out.left && !p->len)
    return CURLE_OK;
  if(!w->started && !w->out.left)
    rc = mote_ws_begin_frame(t, CURLWS_BINARY, p->len);
  if(!rc && p->len > w->out.left) {
    mote_fail(&t->report, "the read callback has returned more than its WebSocket frame has");
    rc = CURLE_READ_ERROR;
  }
  return rc ? rc : mote_ws_send(t, p->bytes, p->len, &sent);
}

/* CURLE_AGAIN: the callback has paused, or the connection takes no more now. */
static CURLcode upload_once(struct mote_transfer *t, mote_time now)
{
  struct mote_ws *w = mote_ws_of(t);
  struct mote_piece p;
  CURLcode rc;
  p.most = mote_speed_allow_up(t, now, MOTE_WS_PIECE - MOTE_WEBSOCKET_HEAD);
  p.room = p.most ? mote_schedule_buffer(t->multi, MOTE_WS_PIECE) : NULL;
  if(!p.room)
    return p.most ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
  p.most = w->out.left ? protocol_ws_at_most(w->out.left, p.most) : p.most;
  w->started = false;
  rc = mote_source_read(t, &p);
  if(rc)
    return rc;
  if(p.end && w->started && !p.len)
    mote_source_go_on(t);
  else
    w->uploads = !p.end;
  mote_debug(t, CURLINFO_DATA_OUT, p.bytes, p.len);
  mote_speed_passed_up(t, p.len);
  t->run->stats.bytes_up += (curl_off_t)p.len;
  if(!mote_ws_is_raw(t))
    return send_read(t, &p);
  return p.len ? mote_ws_send_raw(t, p.bytes, p.len) : CURLE_OK;
}

static CURLcode send_step(struct mote_transfer *t, mote_time now)
{
  struct mote_ws *w = mote_ws_of(t);
  CURLcode rc = CURLE_OK;
  int frames;
  for(frames = 0; !rc && frames < FRAMES_PER_STEP; frames++) {
    rc = mote_ws_flush(t);
    if(rc || !w->uploads || t->run->flow.send.paused)
      break;
    rc = upload_once(t, now);
  }
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* ---- a step ---- */

static CURLcode protocol_ws_wait_for_more(struct mote_transfer *t)
{
  const struct mote_flow *f = &t->run->flow;
  struct mote_ws *w = mote_ws_of(t);
  struct mote_conn *c = t->run->channel.conn;
  bool reads = !f->recv.paused && !f->recv.limited;
  bool sends = w->unsent || (w->uploads && !f->send.paused && !f->send.limited);
  CURLcode rc = mote_conn_want(c, (reads ? MOTE_WANT_IN : 0u) | (sends ? MOTE_WANT_OUT : 0u));
  if(rc)
    return rc;
  if(reads && (mote_conn_held(c) || (!mote_conn_is_plain(c) && mote_conn_pending(c)))) {
    mote_conn_look_again(c);
    mote_transfer_wake(t);
  }
  return CURLE_AGAIN;
}

static CURLcode frames_step(struct mote_transfer *t, mote_time now)
{
  CURLcode rc, sent;
  t->run->flow.recv.limited = false;
  t->run->flow.send.limited = false;
  sent = send_step(t, now);
  if(sent && sent != CURLE_SEND_ERROR)
    return sent;
  rc = protocol_ws_receive_step(t, now); /* what the server had to say comes before a broken pipe */
  if(rc != CURLE_AGAIN)
    return rc;
  return sent ? sent : protocol_ws_wait_for_more(t);
}

static CURLcode ws_step(struct mote_transfer *t, mote_time now)
{
  struct mote_ws *w = mote_ws_of(t);
  CURLcode rc;
  if(w->open)
    return frames_step(t, now);
  rc = mote_protocol_http.step(t, now);
  if(rc || t->run->response.next)
    return rc;
  rc = open_frames(t);
  return rc || mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY) ? rc : frames_step(t, now);
}

/* The handshake is a GET without a body, whatever the options say of one. */
static CURLcode ws_prepare(struct mote_transfer *t)
{
  if(t->run->request.method != MOTE_METHOD_HEAD)
    t->run->request.method = MOTE_METHOD_GET;
  return mote_http_prepare(t);
}

static CURLcode ws_begin(struct mote_transfer *t)
{
  struct mote_ws *w = mote_ws_of(t);
  struct mote_h1 h1 = w->h1;
  memset(w, 0, sizeof *w);
  w->h1 = h1;
  return mote_protocol_http.begin(t);
}

/* A connection that was refused the upgrade is one of HTTP, as good as any other. */
static void ws_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_conn *c = t->run->channel.conn;
  mote_protocol_http.end(t, rc);
  if(!c)
    return;
  if(mote_ws_of(t)->open)
    mote_conn_set_reusable(c, false);
  mote_ws_discard(c);
}

static const struct mote_driver driver = {
  .name = "WebSocket",
  .discard = mote_ws_discard,
};

const struct mote_protocol mote_protocol_ws = {
  .name = "WebSocket",
  .conn_size = sizeof(struct mote_ws),
  .opens = true,
  .upgrade = MOTE_HTTP_ALSO_WEBSOCKET,
  .driver = &driver,
  MOTE_HTTP_ROW,
  .prepare = ws_prepare,
  .begin = ws_begin,
  .step = ws_step,
  .end = ws_end,
  MOTE_PROTOCOL_CEILING(NULL),
};
