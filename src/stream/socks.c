/* stream/socks.c: a SOCKS handshake over the layer below (stream/socks.h). */
#include "stream/socks.h"

#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/report.h"

struct layer {
  struct mote_stream stream;
  struct mote_socks codec;
  struct mote_socks_request request; /* its slices point into text */
  struct mote_socks_gss_plan plan;   /* if request.gss; its slices likewise */
  struct mote_socks_gss *gss;        /* a login by GSS-API that is under way, or NULL */
  size_t size;                       /* bytes of the block */
  uint16_t sent;                     /* bytes of the message that is due */
  char text[];
};

static struct layer *of(struct mote_stream *s)
{
  return mote_container_of(s, struct layer, stream);
}

static CURLcode refused(struct layer *l, CURLproxycode code)
{
  l->stream.env->proxy_error = (uint8_t)code;
  mote_fail(l->stream.env->report, "SOCKS%d: %s", l->request.version, mote_socks_text(code));
  return CURLE_PROXY;
}

/* The message is written again for each attempt to send it, as nearly all are sent in one. */
static CURLcode send_message(struct layer *l)
{
  uint8_t bytes[MOTE_SOCKS_MAX_MESSAGE];
  size_t len = mote_socks_message(&l->codec, &l->request, bytes);
  while(l->sent < len) {
    size_t n;
    CURLcode rc = l->stream.below->ops->send(l->stream.below, bytes + l->sent, len - l->sent, &n);
    if(rc)
      return rc == CURLE_SEND_ERROR ? refused(l, CURLPX_SEND_CONNECT) : rc;
    l->sent = (uint16_t)(l->sent + n);
  }
  mote_socks_sent(&l->codec);
  l->sent = 0;
  return CURLE_OK;
}

static CURLcode receive_answer(struct layer *l)
{
  uint8_t bytes[MOTE_SOCKS_MAX_MESSAGE];
  size_t most = mote_socks_missing(&l->codec), n;
  CURLproxycode code;
  CURLcode rc = l->stream.below->ops->recv(l->stream.below, bytes, most, &n);
  if(rc)
    return rc == CURLE_RECV_ERROR ? refused(l, CURLPX_RECV_CONNECT) : rc;
  code = n ? mote_socks_feed(&l->codec, bytes, n) : CURLPX_RECV_CONNECT;
  return code ? refused(l, code) : CURLE_OK;
}

static CURLcode log_in(struct layer *l)
{
  CURLcode rc = l->gss ? CURLE_OK : mote_socks_gss_new(&l->gss, l->stream.env, &l->plan);
  rc = rc ? rc : mote_socks_gss_run(l->gss, l->stream.below);
  rc = rc ? rc : mote_socks_gss_protect(l->gss, &l->stream.below);
  if(rc)
    return rc;
  mote_socks_gss_close(l->gss);
  l->gss = NULL;
  mote_socks_gss_done(&l->codec);
  return CURLE_OK;
}

static CURLcode continue_handshake(struct layer *l)
{
  if(MOTE_HAS_GSSAPI && mote_socks_wants_gss(&l->codec))
    return log_in(l);
  return mote_socks_missing(&l->codec) ? receive_answer(l) : send_message(l);
}

static CURLcode handshake(struct mote_stream *s, bool *done)
{
  struct layer *l = of(s);
  CURLcode rc = CURLE_OK;
  while(!rc && !mote_socks_done(&l->codec))
    rc = continue_handshake(l);
  *done = !rc;
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* Until the handshake is over, the layer above waits for what this one waits for. */
static unsigned want(const struct mote_stream *s, unsigned interest)
{
  const struct layer *l = (const struct layer *)s;
  (void)interest;
  if(l->gss)
    return mote_socks_gss_want(l->gss);
  return mote_socks_missing(&l->codec) ? MOTE_WANT_IN : MOTE_WANT_OUT;
}

static void close_layer(struct mote_stream *s)
{
  struct layer *l = of(s);
  mote_socks_gss_close(l->gss);
  mote_mem_free(s->env->account, MOTE_PART_CONN, l, l->size);
}

static const struct mote_stream_ops ops = {
  .handshake = handshake,
  .want = want,
  .close = close_layer,
};

static void keep(struct mote_slice *s, char **at)
{
  if(s->len)
    memcpy(*at, s->ptr, s->len);
  s->ptr = *at;
  *at += s->len;
}

CURLcode mote_socks_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                        const struct mote_socks_request *request, const struct mote_socks_gss_plan *gss)
{
  size_t size = sizeof(struct layer) + request->host.len + request->user.len + request->password.len +
                (request->gss ? gss->peer.service.len + gss->peer.host.len : 0);
  struct layer *l = mote_mem_zalloc(env->account, MOTE_PART_CONN, size);
  CURLproxycode code;
  char *at;
  *out = NULL;
  if(!l)
    return CURLE_OUT_OF_MEMORY;
  at = l->text;
  l->stream = (struct mote_stream){.ops = &ops, .below = below, .env = env, .role = MOTE_ROLE_TUNNEL};
  l->size = size;
  l->request = *request;
  keep(&l->request.host, &at);
  keep(&l->request.user, &at);
  keep(&l->request.password, &at);
  if(request->gss) {
    l->plan = *gss;
    keep(&l->plan.peer.service, &at);
    keep(&l->plan.peer.host, &at);
  }
  code = mote_socks_init(&l->codec, &l->request);
  if(code) {
    CURLcode rc = refused(l, code);
    close_layer(&l->stream);
    return rc;
  }
  *out = &l->stream;
  return CURLE_OK;
}
