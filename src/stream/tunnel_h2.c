/* stream/tunnel_h2.c: a tunnel as a stream of HTTP/2 (stream/tunnel_h2.h). */
#include "base/text/format.h"
#include "stream/tunnel_h2.h"

#include <string.h>

#include "base/buf.h"
#include "base/containers/list.h"
#include "base/memory.h"
#include "base/report.h"
#include "net/h2/session.h"
#include "net/mux/fields.h"
#include "net/mux/mux.h"
#include "net/mux/stream.h"
#include "net/stream.h"

#define WINDOW (16 << 20)     /* bytes that the proxy may have under way */
#define KEPT_MAX (1u << 20)   /* bytes of a response head, or that came while only sending was possible */
#define STEP 4096u            /* bytes that are read at once while the caller sends */
#define READS_MAX 16          /* that bring the caller nothing; then others have their turn */

struct layer {
  struct mote_stream stream;
  struct mote_h2_session session;
  struct mote_mux_stream current;
  struct mote_buf in;        /* what the layer above has not received yet */
  size_t in_used;            /* bytes of it that it has */
  char *room;                /* the caller's memory while it receives, or NULL */
  size_t filled;             /* bytes of it */
  const char *body;          /* what the caller sends, until the call ends */
  size_t body_left;          /* bytes of it that no frame has yet */
  uint16_t status;           /* of the response, 0: none yet */
  bool heads_over;           /* the response's last head has come */
  bool ended;                /* the stream is over */
  bool lost;                 /* and the proxy has not ended it in order */
};

static struct layer *tunnel_h2_of(struct mote_stream *s)
{
  return mote_container_of(s, struct layer, stream);
}

static struct layer *tunnel_h2_with(struct mote_h2_session *s)
{
  return mote_container_of(s, struct layer, session);
}

static bool tunnel_h2_is_open(const struct layer *l)
{
  return l->heads_over && l->status >= 200 && l->status < 300;
}

/* ---- what comes ---- */

static void tunnel_h2_keep(struct layer *l, const void *p, size_t len)
{
  CURLcode rc = l->session.broken ? CURLE_OK : mote_buf_add(&l->in, p, len);
  if(rc)
    mote_h2_break(&l->session, rc);
}

static void tunnel_h2_take_field(struct layer *l, const struct mote_event *e)
{
  struct mote_slice value = {e->value, e->value_len};
  CURLcode rc;
  if(l->session.broken)
    return;
  if(mote_slice_is((struct mote_slice){e->bytes, e->len}, ":status")) {
    l->status = mote_mux_status(value);
    rc = mote_buf_addf(&l->in, "HTTP/1.1 %.*s \r\n", (int)value.len, value.ptr);
  }
  else
    rc = mote_buf_addf(&l->in, "%.*s: %.*s\r\n", (int)e->len, e->bytes, (int)value.len, value.ptr);
  if(rc)
    mote_h2_break(&l->session, rc);
}

/* The bytes may lie in the caller's memory already, further on. */
static void tunnel_h2_take_data(struct mote_h2_session *s, struct mote_mux_stream *stream, char *bytes,
                                size_t len)
{
  struct layer *l = tunnel_h2_with(s);
  mote_h2_credit(s, stream, len, 0);
  if(!l->room || l->in.len) {
    tunnel_h2_keep(l, bytes, len);
    return;
  }
  memmove(l->room + l->filled, bytes, len);
  l->filled += len;
}

/* The proxy says by the reset of a stream what has become of its connection (RFC 9113 section 8.5). A tunnel
 * has no trailers, and those of a refusal count for nothing. */
static void tunnel_h2_deliver(struct mote_h2_session *s, struct mote_mux_stream *stream,
                              const struct mote_event *e)
{
  struct layer *l = tunnel_h2_with(s);
  (void)stream;
  switch(e->kind) {
  case MOTE_EVENT_FIELD:
    if(!l->heads_over)
      tunnel_h2_take_field(l, e);
    break;
  case MOTE_EVENT_HEAD:
    if(!l->heads_over)
      tunnel_h2_keep(l, "\r\n", 2);
    l->heads_over = l->status >= 200;
    break;
  case MOTE_EVENT_END:
    l->ended = true;
    break;
  default:
    l->lost = !l->ended && (e->kind != MOTE_EVENT_RESET || e->number);
    l->ended = true;
    break;
  }
}

/* ---- what goes ---- */

static CURLcode tunnel_h2_give_body(struct mote_h2_session *s, struct mote_mux_stream *stream,
                                    struct mote_mux_piece *p)
{
  struct layer *l = tunnel_h2_with(s);
  (void)stream;
  p->len = p->most < l->body_left ? p->most : l->body_left;
  if(!p->len)
    return CURLE_AGAIN;
  memcpy(p->room, l->body, p->len);
  l->body += p->len;
  l->body_left -= p->len;
  return CURLE_OK;
}

static CURLcode tunnel_h2_pass_down(struct mote_h2_session *s, const char *bytes, size_t len, size_t *n)
{
  struct mote_stream *below = tunnel_h2_with(s)->stream.below;
  return below->ops->send(below, bytes, len, n);
}

static const struct mote_h2_user user = {
  .deliver = tunnel_h2_deliver, .data = tunnel_h2_take_data, .body = tunnel_h2_give_body,
  .send = tunnel_h2_pass_down,
};

/* Why nothing goes on, or CURLE_OK. A tunnel ends with the errors of a connection. */
static CURLcode tunnel_h2_judge(struct layer *l)
{
  CURLcode rc = l->session.broken;
  if(rc != CURLE_HTTP2 && rc != CURLE_RECV_ERROR)
    return rc;
  mote_fail(l->stream.env->report, "The proxy broke HTTP/2: %s",
            l->session.why ? l->session.why : "the session has ended");
  l->session.broken = CURLE_RECV_ERROR;
  return CURLE_RECV_ERROR;
}

/* Sends as much as possible. CURLE_AGAIN: some is left. */
static CURLcode tunnel_h2_flush(struct layer *l)
{
  if(mote_h2_may_send(&l->session))
    (void)mote_h2_send(&l->session);
  if(l->session.broken)
    return tunnel_h2_judge(l);
  return mote_h2_waits_to_send(&l->session) ? CURLE_AGAIN : CURLE_OK;
}

CURLcode mote_tunnel_h2_ask(struct mote_stream *s, struct mote_buf *text, const struct mote_buf *notes)
{
  static const struct mote_slice pseudo[] = {{":method", 7}, {":authority", 10}};
  struct layer *l = tunnel_h2_of(s);
  size_t count = notes->len / sizeof(struct mote_mux_note), size = count * sizeof(struct mote_mux_field), i;
  struct mote_mux_field *fields = mote_mem_alloc(s->env->account, MOTE_PART_CONN, size);
  CURLcode rc;
  if(!fields)
    return CURLE_OUT_OF_MEMORY;
  for(i = 0; i < count; i++) {
    struct mote_mux_note n;
    memcpy(&n, notes->ptr + i * sizeof n, sizeof n);
    fields[i] = mote_mux_field_at(text->ptr, &n);
    fields[i].is_pseudo = i < 2;
    if(i < 2)
      fields[i].name = pseudo[i];
  }
  if(l->current.link)
    (void)mote_h2_leave(&l->session, &l->current);
  memset(&l->current, 0, sizeof l->current);
  mote_h2_join(&l->session, &l->current);
  l->status = 0;
  l->heads_over = l->ended = l->lost = false;
  rc = mote_h2_submit(&l->session, &l->current, fields, count, true);
  mote_mem_free(s->env->account, MOTE_PART_CONN, fields, size);
  rc = rc ? rc : tunnel_h2_flush(l);
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* ---- as a layer ---- */

/* Reads once, by way of this room, in which what belongs to the layer above stays if it is the caller's. What
 * cannot be sent yet does not keep it from that. */
static CURLcode tunnel_h2_read_once(struct layer *l, char *room, size_t cap, bool callers)
{
  struct mote_stream *below = l->stream.below;
  size_t n;
  CURLcode rc = tunnel_h2_flush(l);
  l->filled = 0;
  if(!rc || rc == CURLE_AGAIN)
    rc = below->ops->recv(below, room, cap, &n);
  if(rc)
    return rc;
  if(!n) {
    l->lost = !l->ended;
    l->ended = true;
    return CURLE_OK;
  }
  l->room = callers ? room : NULL;
  mote_h2_take(&l->session, room, n);
  l->room = NULL;
  rc = tunnel_h2_flush(l);
  if(!l->session.broken && !mote_h2_takes_more(&l->session)) {
    mote_h2_break(&l->session, CURLE_HTTP2);
    rc = tunnel_h2_judge(l);
  }
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

static size_t tunnel_h2_give(struct layer *l, char *buf, size_t cap)
{
  size_t n = l->in.len - l->in_used;
  if(n > cap)
    n = cap;
  memcpy(buf, l->in.ptr + l->in_used, n);
  l->in_used += n;
  if(l->in_used == l->in.len) {
    mote_buf_close(&l->in);
    l->in_used = 0;
  }
  return n;
}

/* There are no more bytes. Before the tunnel is open its handshake judges the end. */
static CURLcode tunnel_h2_end(struct layer *l)
{
  if(!l->lost || !tunnel_h2_is_open(l))
    return CURLE_OK;
  return mote_fail_as(CURLE_RECV_ERROR, l->stream.env->report, "The proxy has broken the tunnel off");
}

static CURLcode tunnel_h2_receive(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  struct layer *l = tunnel_h2_of(s);
  int reads;
  for(reads = 0; reads < READS_MAX; reads++) {
    CURLcode rc;
    *n = l->in.len ? tunnel_h2_give(l, buf, cap) : 0;
    if(*n)
      return CURLE_OK;
    if(l->ended)
      return tunnel_h2_end(l);
    rc = tunnel_h2_read_once(l, buf, cap, true);
    *n = l->filled;
    if(rc || *n)
      return rc;
  }
  return CURLE_AGAIN;
}

static bool tunnel_h2_may_keep(const struct layer *l)
{
  return l->in.len < KEPT_MAX - STEP;
}

/* The window opens by what the proxy sends, which only reading shows. */
static CURLcode tunnel_h2_make_room(struct layer *l)
{
  char room[STEP];
  CURLcode rc = tunnel_h2_may_keep(l) ? tunnel_h2_read_once(l, room, sizeof room, false) : CURLE_AGAIN;
  return rc ? rc : tunnel_h2_flush(l);
}

static CURLcode tunnel_h2_send_on(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  struct layer *l = tunnel_h2_of(s);
  CURLcode rc = tunnel_h2_flush(l);
  if(!rc && (l->ended || l->session.mute || !tunnel_h2_is_open(l)))
    rc = CURLE_SEND_ERROR;
  if(rc)
    return rc;
  l->body = buf;
  l->body_left = len;
  mote_h2_resume(&l->session, &l->current);
  rc = tunnel_h2_flush(l);
  if(!rc && l->body_left == len)
    rc = tunnel_h2_make_room(l);
  *n = len - l->body_left;
  l->body_left = 0;
  if(rc && rc != CURLE_AGAIN)
    return rc;
  return *n ? CURLE_OK : CURLE_AGAIN;
}

static unsigned tunnel_h2_want(const struct mote_stream *s, unsigned interest)
{
  const struct layer *l = (const struct layer *)s;
  if(mote_h2_has_to_send(&l->session))
    return interest | MOTE_WANT_OUT;
  if(interest & MOTE_WANT_OUT && tunnel_h2_is_open(l) && mote_h2_is_blocked(&l->session, &l->current))
    return tunnel_h2_may_keep(l) ? MOTE_WANT_IN : interest & MOTE_WANT_IN;
  return interest;
}

static bool tunnel_h2_pending(const struct mote_stream *s)
{
  return ((const struct layer *)s)->in.len > 0;
}

/* PING and SETTINGS are answered. */
static bool tunnel_h2_quiet(struct mote_stream *s)
{
  struct layer *l = tunnel_h2_of(s);
  char room[STEP];
  CURLcode rc = CURLE_OK;
  int reads;
  for(reads = 0; reads < READS_MAX && !rc && !l->ended && !l->in.len; reads++)
    rc = tunnel_h2_read_once(l, room, sizeof room, false);
  return rc == CURLE_AGAIN && !l->in.len && !l->ended;
}

static void tunnel_h2_close_layer(struct mote_stream *s)
{
  struct layer *l = tunnel_h2_of(s);
  mote_h2_close(&l->session);
  mote_buf_close(&l->in);
  mote_mem_free(s->env->account, MOTE_PART_CONN, l, sizeof *l);
}

static const struct mote_stream_ops ops = {
  .recv = tunnel_h2_receive, .send = tunnel_h2_send_on, .want = tunnel_h2_want, .pending = tunnel_h2_pending,
  .quiet = tunnel_h2_quiet, .close = tunnel_h2_close_layer,
};

CURLcode mote_tunnel_h2_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env)
{
  struct layer *l = mote_mem_zalloc(env->account, MOTE_PART_CONN, sizeof *l);
  struct mote_h2_opening how = {.user = &user, .account = env->account, .window = WINDOW};
  CURLcode rc;
  *out = NULL;
  if(!l)
    return CURLE_OUT_OF_MEMORY;
  l->stream = (struct mote_stream){.ops = &ops, .below = below, .env = env, .role = MOTE_ROLE_TUNNEL};
  mote_buf_init(&l->in, env->account, MOTE_PART_CONN, KEPT_MAX);
  rc = mote_h2_open(&l->session, &how);
  if(rc)
    tunnel_h2_close_layer(&l->stream);
  else
    *out = &l->stream;
  return rc;
}
