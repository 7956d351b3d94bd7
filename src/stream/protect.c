/* stream/protect.c: frames of wrapped messages over the layer below (stream/protect.h). */
#include "stream/protect.h"

#include <string.h>

#include "auth/gss.h"
#include "base/buf.h"
#include "base/containers/list.h"
#include "base/report.h"
#include "codec/socks/socks_gss.h"
#include "net/stream.h"

/* Most bytes of a message that is sent: wrapped, it must fit a frame. */
#define MESSAGE_MAX 16384u
/* Most frames that are read for one that holds something. */
#define FRAMES_AT_ONCE 16u

struct layer {
  struct mote_stream stream;
  struct mote_gss *context;
  struct mote_buf in;              /* what has come of a frame, then the message in it */
  struct mote_buf out;             /* the frame that is being sent */
  struct mote_socks_gss_head head; /* of the frame that is being received */
  size_t taken;                    /* bytes of the message that were given, or 0 */
  size_t sent;                     /* bytes of the frame */
  size_t covers;                   /* bytes of the caller's that are in that frame; 0: there is none */
  bool ready;                      /* `in` has a message */
  bool encrypt;
};

static struct layer *protect_of(struct mote_stream *s)
{
  return mote_container_of(s, struct layer, stream);
}

static CURLcode protect_wrong(struct layer *l)
{
  return mote_fail_as(CURLE_RECV_ERROR, l->stream.env->report,
                      "SOCKS5: what has come is not protected as agreed");
}

/* ---- receiving ---- */

static void protect_expect_frame(struct layer *l)
{
  mote_buf_clear(&l->in);
  mote_socks_gss_expect(&l->head, MOTE_SOCKS_GSS_DATA);
  l->taken = 0;
  l->ready = false;
}

/* CURLE_OK with *end: the peer ended in order, between two frames. */
static CURLcode protect_read_frame(struct layer *l, bool *end)
{
  struct mote_stream *below = l->stream.below;
  uint8_t bytes[MOTE_SOCKS_GSS_HEAD];
  size_t missing, n;
  CURLcode rc;
  while((missing = mote_socks_gss_missing(&l->head)) != 0) {
    rc = below->ops->recv(below, bytes, missing, &n);
    if(rc)
      return rc;
    *end = !n && !l->head.have;
    if(*end)
      return CURLE_OK;
    if(!n || mote_socks_gss_feed(&l->head, bytes, n))
      return protect_wrong(l);
  }
  while(l->in.len < l->head.len) {
    rc = mote_buf_reserve(&l->in, l->head.len - l->in.len);
    rc = rc ? rc : below->ops->recv(below, l->in.ptr + l->in.len, l->head.len - l->in.len, &n);
    if(rc)
      return rc;
    if(!n)
      return protect_wrong(l);
    l->in.len += n;
  }
  return CURLE_OK;
}

static CURLcode protect_unwrap(struct layer *l)
{
  struct mote_slice message = {l->in.ptr, l->in.len};
  bool encrypted;
  CURLcode rc = mote_gss_unwrap(l->context, l->stream.env->report, message, &message, &encrypted);
  if(rc == CURLE_AUTH_ERROR || (!rc && l->encrypt && !encrypted))
    return protect_wrong(l);
  if(rc)
    return rc;
  mote_buf_clear(&l->in);
  l->ready = true;
  return message.len ? mote_buf_add(&l->in, message.ptr, message.len) : CURLE_OK;
}

/* A frame may hold nothing. Many of these do not hold up other transfers, nor the deadlines of this one: the
 * bytes of the next one lie in the socket, so that the descriptor stays ready. */
static CURLcode protect_receive(struct mote_stream *s, void *to, size_t cap, size_t *n)
{
  struct layer *l = protect_of(s);
  unsigned frames = 0;
  bool end = false;
  while(!l->ready || l->taken == l->in.len) {
    CURLcode rc;
    if(frames++ == FRAMES_AT_ONCE)
      return CURLE_AGAIN;
    if(l->ready)
      protect_expect_frame(l);
    rc = protect_read_frame(l, &end);
    if(rc)
      return rc;
    *n = 0;
    if(end)
      return CURLE_OK;
    rc = protect_unwrap(l);
    if(rc)
      return rc;
  }
  *n = l->in.len - l->taken < cap ? l->in.len - l->taken : cap;
  memcpy(to, l->in.ptr + l->taken, *n);
  l->taken += *n;
  return CURLE_OK;
}

static bool protect_pending(const struct mote_stream *s)
{
  const struct layer *l = (const struct layer *)s;
  return l->ready && l->taken < l->in.len;
}

/* ---- sending ---- */

static CURLcode make_frame(struct layer *l, const void *from, size_t len)
{
  struct mote_slice message = {from, len < MESSAGE_MAX ? len : MESSAGE_MAX}, wrapped;
  uint8_t head[MOTE_SOCKS_GSS_HEAD];
  CURLcode rc = mote_gss_wrap(l->context, l->stream.env->report, l->encrypt, message, &wrapped);
  if(rc || wrapped.len > MOTE_SOCKS_GSS_MOST)
    return rc && rc != CURLE_AUTH_ERROR ? rc : CURLE_SEND_ERROR;
  mote_socks_gss_put(head, MOTE_SOCKS_GSS_DATA, (uint16_t)wrapped.len);
  mote_buf_clear(&l->out);
  rc = mote_buf_reserve(&l->out, sizeof head + wrapped.len);
  rc = rc ? rc : mote_buf_add(&l->out, head, sizeof head);
  rc = rc ? rc : mote_buf_add(&l->out, wrapped.ptr, wrapped.len);
  l->sent = 0;
  l->covers = rc ? 0 : message.len;
  return rc;
}

/* The bytes count as sent when all of their frame is; until then the caller repeats them. */
static CURLcode send_wrapped(struct mote_stream *s, const void *from, size_t len, size_t *n)
{
  struct layer *l = protect_of(s);
  CURLcode rc = l->covers ? CURLE_OK : make_frame(l, from, len);
  while(!rc && l->sent < l->out.len) {
    size_t part;
    rc = s->below->ops->send(s->below, l->out.ptr + l->sent, l->out.len - l->sent, &part);
    if(!rc)
      l->sent += part;
  }
  if(rc)
    return rc;
  *n = l->covers;
  l->covers = 0;
  return CURLE_OK;
}

/* ---- as a layer ---- */

static void protect_idle(struct mote_stream *s)
{
  struct layer *l = protect_of(s);
  if(l->ready && !protect_pending(s))
    protect_expect_frame(l);
  if(!l->head.have)
    mote_buf_close(&l->in);
  if(!l->covers)
    mote_buf_close(&l->out);
}

static void protect_close_layer(struct mote_stream *s)
{
  struct layer *l = protect_of(s);
  mote_gss_close(l->context);
  mote_buf_close(&l->in);
  mote_buf_close(&l->out);
  mote_mem_free(s->env->account, MOTE_PART_CONN, l, sizeof *l);
}

static const struct mote_stream_ops ops = {
  .recv = protect_receive,
  .send = send_wrapped,
  .pending = protect_pending,
  .idle = protect_idle,
  .close = protect_close_layer,
};

CURLcode mote_protect_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                          struct mote_gss *context, bool encrypt)
{
  struct layer *l = mote_mem_zalloc(env->account, MOTE_PART_CONN, sizeof *l);
  *out = NULL;
  if(!l) {
    mote_gss_close(context);
    return CURLE_OUT_OF_MEMORY;
  }
  l->stream = (struct mote_stream){.ops = &ops, .below = below, .env = env, .role = MOTE_ROLE_PROTECTION};
  l->context = context;
  l->encrypt = encrypt;
  mote_buf_init(&l->in, env->account, MOTE_PART_CONN, MOTE_SOCKS_GSS_MOST);
  mote_buf_init(&l->out, env->account, MOTE_PART_CONN, MOTE_SOCKS_GSS_HEAD + MOTE_SOCKS_GSS_MOST);
  protect_expect_frame(l);
  *out = &l->stream;
  return CURLE_OK;
}
