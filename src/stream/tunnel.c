/* stream/tunnel.c: CONNECT over the layer below (stream/tunnel.h). */
#include "stream/tunnel.h"

#include <string.h>

#include "base/containers/list.h"
#include "base/memory.h"
#include "base/report.h"
#include "codec/http/chunked.h"
#include "codec/http/http1.h"
#include "net/stream.h"
#include "stream/tunnel_h2.h"

#define CHALLENGE_MAX 65536u    /* bytes of a challenge's body, which is read within one step */
#define CHALLENGES_MAX 8u       /* challenges of one connection; schemes with rounds need three */

struct layer {
  struct mote_stream stream;
  struct mote_buf buf;         /* what is not sent of the request, then what is not used of the response */
  struct mote_tunnel_client *client; /* borrowed for one call, or NULL */
  size_t used;                 /* bytes of buf: sent, or parsed */
  uint64_t skip;               /* most bytes of a challenge's body still to come */
  struct mote_chunked chunks;  /* of that body, where it is chunked */
  struct mote_http1_head head;
  struct mote_http1_response response;
  uint16_t status;             /* of the last response head, 0: none */
  uint8_t challenges;          /* that were answered */
  bool chunked;                /* the challenge's body is */
  bool closes;                 /* the response has Proxy-Connection: close */
  bool lost;                   /* it can only be answered on another connection */
  bool asked;                  /* the request was sent */
  bool open;                   /* the proxy has connected */
};

static struct layer *tunnel_of(struct mote_stream *s)
{
  return mote_container_of(s, struct layer, stream);
}

static CURLcode tunnel_send_head(struct layer *l)
{
  while(l->used < l->buf.len) {
    size_t n;
    CURLcode rc = l->stream.below->ops->send(l->stream.below, l->buf.ptr + l->used, l->buf.len - l->used, &n);
    if(rc)
      return rc;
    l->used += n;
  }
  mote_buf_close(&l->buf);
  l->used = 0;
  l->asked = true;
  return CURLE_OK;
}

/* Takes the buffers of a request over, and sends what the layer below takes of it. CURLE_AGAIN: not all. */
static CURLcode tunnel_ask(struct layer *l, struct mote_tunnel_head *head)
{
  CURLcode rc;
  l->buf = head->text;
  l->used = 0;
  l->asked = false;
  if(!head->notes.len)
    return tunnel_send_head(l);
  rc = mote_tunnel_h2_ask(l->stream.below, &l->buf, &head->notes);
  mote_buf_close(&head->notes);
  mote_buf_close(&l->buf);
  l->asked = true;
  return rc;
}

/* ---- the response ---- */

static CURLcode tunnel_refuse(struct layer *l, enum mote_http1_why why)
{
  (void)why;
  return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, l->stream.env->report,
                      "Invalid response of the proxy to CONNECT: %s", mote_http1_why_text(why));
}

static void expect_head(struct layer *l)
{
  mote_http1_head_init(&l->head, NULL);
  memset(&l->response, 0, sizeof l->response);
  l->chunked = false;
  l->closes = false;
  l->skip = 0;
}

/* The proxy has sent all of its challenge. */
static CURLcode tunnel_ask_again(struct layer *l)
{
  struct mote_tunnel_head head;
  CURLcode rc;
  if(l->used < l->buf.len)
    return tunnel_refuse(l, MOTE_HTTP1_WHY_NOT_HTTP);
  mote_buf_close(&l->buf); /* it may be room of the read that goes on */
  expect_head(l);
  mote_buf_init(&head.text, l->stream.env->account, MOTE_PART_CONN, MOTE_TUNNEL_HEAD_MAX);
  mote_buf_init(&head.notes, l->stream.env->account, MOTE_PART_CONN, MOTE_TUNNEL_HEAD_MAX);
  rc = l->client->ask(l->client, &head);
  if(!rc)
    return tunnel_ask(l, &head);
  mote_buf_close(&head.text);
  mote_buf_close(&head.notes);
  return rc;
}

static bool can_answer(struct layer *l)
{
  if(l->status != 407 || !l->client || l->challenges == CHALLENGES_MAX || !l->client->again(l->client))
    return false;
  l->challenges++;
  return true;
}

/* The body of the challenge comes ahead of the next response. */
static CURLcode tunnel_answer(struct layer *l)
{
  struct mote_http1_framing f;
  if(mote_http1_framing(&l->response, MOTE_HTTP1_FOR_CONNECT, &f) || !f.reusable || l->closes ||
     f.body > MOTE_HTTP1_BODY_CHUNKED || (f.body == MOTE_HTTP1_BODY_LENGTH && f.length > CHALLENGE_MAX)) {
    l->lost = true;
    return CURLE_COULDNT_CONNECT;
  }
  l->chunked = f.body == MOTE_HTTP1_BODY_CHUNKED;
  l->skip = l->chunked ? CHALLENGE_MAX : f.body == MOTE_HTTP1_BODY_LENGTH ? f.length : 0;
  mote_chunked_init(&l->chunks);
  return l->skip ? CURLE_OK : tunnel_ask_again(l);
}

/* Only a status of 2xx opens a tunnel, whatever fields come with it (RFC 9110 section 9.3.6). */
static CURLcode tunnel_end_head(struct layer *l)
{
  if(can_answer(l))
    return tunnel_answer(l);
  if(mote_http1_is_interim(l->status)) {
    mote_http1_head_next(&l->head);
    return CURLE_OK;
  }
  l->open = l->status >= 200 && l->status < 300;
  if(l->open)
    return CURLE_OK;
  return mote_fail_as(CURLE_COULDNT_CONNECT, l->stream.env->report,
                      "The proxy refused the tunnel with status %u", (unsigned)l->status);
}

static CURLcode tunnel_read_field(struct layer *l, struct mote_http1_event *ev)
{
  if(ev->known.field == MOTE_FIELD_PROXY_AUTHENTICATE && l->status == 407 && l->client)
    return l->client->challenge(l->client, ev->value);
  if(ev->known.field == MOTE_FIELD_PROXY_CONNECTION && mote_list_has_token(ev->value, "close"))
    l->closes = true;
  if(mote_http1_is_framing(ev->known.field) && mote_http1_response_field(&l->response, ev))
    return tunnel_refuse(l, ev->why);
  return CURLE_OK;
}

/* What a tunnel has instead of a body has no length (RFC 9110 section 9.3.6). */
static void note_ignored(struct layer *l, const struct mote_http1_event *ev)
{
  bool opens = l->status >= 200 && l->status < 300;
  if(opens && ev->known.field == MOTE_FIELD_CONTENT_LENGTH)
    mote_info(l->stream.env->report, "Ignoring Content-Length in CONNECT %u response", (unsigned)l->status);
  if(opens && ev->known.field == MOTE_FIELD_TRANSFER_ENCODING)
    mote_info(l->stream.env->report, "Ignoring Transfer-Encoding in CONNECT %u response",
              (unsigned)l->status);
}

static CURLcode tunnel_take_event(struct layer *l, struct mote_http1_event *ev)
{
  struct mote_stream_observer *o = l->stream.env->observer;
  CURLcode rc = CURLE_OK;
  if(ev->kind == MOTE_HTTP1_STATUS) {
    l->status = ev->code;
    mote_http1_response_begin(&l->response, ev);
  }
  else if(ev->kind == MOTE_HTTP1_HEADER)
    rc = tunnel_read_field(l, ev);
  if(o && !rc)
    rc = o->header(o, ev->whole.ptr, ev->whole.len);
  if(ev->kind == MOTE_HTTP1_HEADER)
    note_ignored(l, ev);
  l->used += ev->used;
  return !rc && ev->kind == MOTE_HTTP1_END ? tunnel_end_head(l) : rc;
}

/* Takes what has come of a chunked body off. *over: that was its end. */
static CURLcode skip_chunks(struct layer *l, bool *over)
{
  struct mote_chunked_event ev;
  CURLcode rc;
  do {
    rc = mote_chunked_feed(&l->chunks, l->buf.ptr + l->used, l->buf.len - l->used, &ev);
    if(rc || ev.used > l->skip)
      return tunnel_refuse(l, rc ? (enum mote_http1_why)ev.why : MOTE_HTTP1_WHY_NOT_HTTP);
    l->used += ev.used;
    l->skip -= ev.used;
  } while(ev.kind != MOTE_CHUNKED_DONE && ev.kind != MOTE_CHUNKED_NEED_MORE);
  *over = ev.kind == MOTE_CHUNKED_DONE;
  return CURLE_OK;
}

/* CURLE_OK with *over false: more of the challenge's body is to come. */
static CURLcode skip_body(struct layer *l, bool *over)
{
  size_t n = l->buf.len - l->used;
  CURLcode rc = CURLE_OK;
  if(l->chunked)
    rc = skip_chunks(l, over);
  else {
    if(n > l->skip)
      n = (size_t)l->skip;
    l->used += n;
    l->skip -= n;
    *over = !l->skip;
  }
  return rc || !*over ? rc : tunnel_ask_again(l);
}

/* Parses what has come. */
static CURLcode tunnel_parse(struct layer *l)
{
  CURLcode rc = CURLE_OK;
  while(!rc && !l->open && l->asked && l->buf.ptr) {
    struct mote_http1_event ev;
    if(l->skip) {
      bool over = false;
      rc = skip_body(l, &over);
      if(!over)
        break;
      continue;
    }
    rc = mote_http1_feed(&l->head, l->buf.ptr + l->used, l->buf.len - l->used, &ev);
    if(rc)
      return rc == CURLE_TOO_LARGE ? rc : tunnel_refuse(l, ev.why);
    if(ev.kind == MOTE_HTTP1_NOT_HTTP)
      return tunnel_refuse(l, MOTE_HTTP1_WHY_NOT_HTTP);
    if(ev.kind == MOTE_HTTP1_NEED_MORE)
      break;
    rc = tunnel_take_event(l, &ev);
  }
  return rc;
}

/* Takes what was used off the buffer. What the proxy has sent and was not used must outlive the read. */
static CURLcode tunnel_keep_rest(struct layer *l)
{
  CURLcode rc;
  mote_buf_drop(&l->buf, l->used);
  l->used = 0;
  rc = mote_buf_settle(&l->buf);
  if(!l->buf.len)
    mote_buf_close(&l->buf);
  return rc;
}

/* Nearly all responses come in one piece, and none of it is left. */
static CURLcode tunnel_read_head(struct layer *l)
{
  struct mote_stream *below = l->stream.below;
  char room[MOTE_TUNNEL_STEP + 1];
  size_t n;
  CURLcode rc, kept;
  if(!l->buf.ptr)
    mote_buf_borrow(&l->buf, l->stream.env->account, MOTE_PART_CONN, MOTE_TUNNEL_HEAD_MAX, room, sizeof room);
  rc = mote_buf_reserve(&l->buf, MOTE_TUNNEL_STEP);
  if(!rc)
    rc = below->ops->recv(below, l->buf.ptr + l->buf.len, MOTE_TUNNEL_STEP, &n);
  if(!rc && !n) {
    mote_fail(l->stream.env->report, "The proxy closed the connection instead of opening a tunnel");
    rc = CURLE_RECV_ERROR;
  }
  if(!rc) {
    l->buf.len += n;
    l->buf.ptr[l->buf.len] = 0;
    rc = tunnel_parse(l);
  }
  if(!l->asked && !l->buf.borrowed) /* another request is in the buffer */
    return rc;
  kept = tunnel_keep_rest(l);
  return rc && rc != CURLE_AGAIN ? rc : kept ? kept : rc;
}

/* ---- as a layer ---- */

static CURLcode tunnel_handshake(struct mote_stream *s, bool *done)
{
  struct layer *l = tunnel_of(s);
  CURLcode rc = CURLE_OK;
  while(!rc && !l->open)
    rc = l->asked ? tunnel_read_head(l) : tunnel_send_head(l);
  *done = !rc;
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

static size_t left_over(const struct layer *l)
{
  return l->open ? l->buf.len - l->used : 0;
}

static CURLcode tunnel_receive(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  struct layer *l = tunnel_of(s);
  size_t left = left_over(l);
  if(!left)
    return s->below->ops->recv(s->below, buf, cap, n);
  *n = cap < left ? cap : left;
  memcpy(buf, l->buf.ptr + l->used, *n);
  l->used += *n;
  return CURLE_OK;
}

static CURLcode tunnel_send_on(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  return s->below->ops->send(s->below, buf, len, n);
}

static unsigned tunnel_want(const struct mote_stream *s, unsigned interest)
{
  const struct layer *l = (const struct layer *)s;
  return l->open ? interest : l->asked ? MOTE_WANT_IN : MOTE_WANT_OUT;
}

static bool tunnel_pending(const struct mote_stream *s)
{
  return left_over((const struct layer *)s) > 0;
}

static void tunnel_close_layer(struct mote_stream *s)
{
  struct layer *l = tunnel_of(s);
  mote_buf_close(&l->buf);
  mote_mem_free(s->env->account, MOTE_PART_CONN, l, sizeof *l);
}

static const struct mote_stream_ops ops = {
  .handshake = tunnel_handshake,
  .recv = tunnel_receive,
  .send = tunnel_send_on,
  .want = tunnel_want,
  .pending = tunnel_pending,
  .close = tunnel_close_layer,
};

CURLcode mote_tunnel_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                         struct mote_tunnel_head *head)
{
  struct layer *l = mote_mem_zalloc(env->account, MOTE_PART_CONN, sizeof *l);
  CURLcode rc;
  *out = NULL;
  if(!l) {
    mote_buf_close(&head->text);
    mote_buf_close(&head->notes);
    return CURLE_OUT_OF_MEMORY;
  }
  l->stream = (struct mote_stream){.ops = &ops, .below = below, .env = env, .role = MOTE_ROLE_TUNNEL};
  expect_head(l);
  rc = tunnel_ask(l, head);
  if(rc == CURLE_AGAIN)
    rc = tunnel_keep_rest(l);
  if(rc) {
    tunnel_close_layer(&l->stream);
    return rc;
  }
  *out = &l->stream;
  return CURLE_OK;
}

void mote_tunnel_serve(struct mote_stream *s, struct mote_tunnel_client *client)
{
  tunnel_of(s)->client = client;
}

bool mote_tunnel_is_lost(const struct mote_stream *s)
{
  return ((const struct layer *)s)->lost;
}

unsigned mote_tunnel_status(const struct mote_stream *s)
{
  return ((const struct layer *)s)->status;
}
