/* stream/socks.c: a SOCKS handshake over the layer below (stream/socks.h). */
#include "stream/socks.h"

#include <string.h>

#include "base/containers/list.h"
#include "base/memory.h"
#include "base/report.h"
#include "net/stream.h"
#include "stream/socks_gss.h"

/* The request is kept without its slices, since the layer shall fit into the room of a small run. */
struct layer {
  struct mote_stream stream;
  struct mote_socks_gss *gss;        /* a login by GSS-API that is under way, or NULL */
  struct mote_addr address;          /* as struct mote_socks_request has it, and so on */
  struct mote_socks codec;
  uint16_t port;
  uint16_t host_len;                 /* bytes in text; 0: the address is used */
  uint16_t user_len;
  uint16_t password_len;
  uint16_t sent;                     /* bytes of the message that is due */
  uint16_t size;                     /* bytes of the block; 0: it lies in room of the caller */
  uint8_t version;
  bool login : 1;
  bool offers_gss : 1;
  bool must_login : 1;
  char text[];                       /* host, user, password; with offers_gss struct mote_socks_gss_plan, and
                                        what its slices point to */
};

static struct layer *stream_socks_of(struct mote_stream *s)
{
  return mote_container_of(s, struct layer, stream);
}

static CURLcode stream_socks_refused(struct mote_stream_env *env, uint8_t version, CURLproxycode code)
{
  (void)version;
  env->proxy_error = (uint8_t)code;
  return mote_fail_as(CURLE_PROXY, env->report, "SOCKS%d: %s", version, mote_socks_text(code));
}

static CURLcode stream_socks_failed(struct layer *l, CURLproxycode code)
{
  return stream_socks_refused(l->stream.env, l->version, code);
}

static struct mote_socks_request request_of(const struct layer *l)
{
  const char *user = l->text + l->host_len;
  struct mote_socks_request q = {
    .host = {l->text, l->host_len}, .user = {user, l->user_len},
    .password = {user + l->user_len, l->password_len}, .address = l->address, .port = l->port,
    .version = l->version, .login = l->login, .gss = l->offers_gss, .must_login = l->must_login,
  };
  return q;
}

/* The message is written again for each attempt to send it, as nearly all are sent in one. */
static CURLcode stream_socks_send_message(struct layer *l)
{
  uint8_t bytes[MOTE_SOCKS_MAX_MESSAGE];
  struct mote_socks_request q = request_of(l);
  size_t len = mote_socks_message(&l->codec, &q, bytes);
  while(l->sent < len) {
    size_t n;
    CURLcode rc = l->stream.below->ops->send(l->stream.below, bytes + l->sent, len - l->sent, &n);
    if(rc)
      return rc == CURLE_SEND_ERROR ? stream_socks_failed(l, CURLPX_SEND_CONNECT) : rc;
    l->sent = (uint16_t)(l->sent + n);
  }
  mote_socks_sent(&l->codec);
  l->sent = 0;
  return CURLE_OK;
}

static CURLcode stream_socks_receive_answer(struct layer *l)
{
  uint8_t bytes[MOTE_SOCKS_MAX_MESSAGE];
  size_t most = mote_socks_missing(&l->codec), n;
  CURLproxycode code;
  CURLcode rc = l->stream.below->ops->recv(l->stream.below, bytes, most, &n);
  if(rc)
    return rc == CURLE_RECV_ERROR ? stream_socks_failed(l, CURLPX_RECV_CONNECT) : rc;
  code = n ? mote_socks_feed(&l->codec, bytes, n) : CURLPX_RECV_CONNECT;
  return code ? stream_socks_failed(l, code) : CURLE_OK;
}

static CURLcode begin_login(struct layer *l)
{
  struct mote_socks_gss_plan plan;
  memcpy(&plan, l->text + l->host_len + l->user_len + l->password_len, sizeof plan);
  return mote_socks_gss_new(&l->gss, l->stream.env, &plan);
}

static CURLcode log_in(struct layer *l)
{
  CURLcode rc = l->gss ? CURLE_OK : begin_login(l);
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
  return mote_socks_missing(&l->codec) ? stream_socks_receive_answer(l) : stream_socks_send_message(l);
}

static CURLcode stream_socks_handshake(struct mote_stream *s, bool *done)
{
  struct layer *l = stream_socks_of(s);
  CURLcode rc = CURLE_OK;
  while(!rc && !mote_socks_done(&l->codec))
    rc = continue_handshake(l);
  *done = !rc;
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* Until the handshake is over, the layer above waits for what this one waits for. */
static unsigned stream_socks_want(const struct mote_stream *s, unsigned interest)
{
  const struct layer *l = (const struct layer *)s;
  (void)interest;
  if(l->gss)
    return mote_socks_gss_want(l->gss);
  return mote_socks_missing(&l->codec) ? MOTE_WANT_IN : MOTE_WANT_OUT;
}

static void stream_socks_close_layer(struct mote_stream *s)
{
  struct layer *l = stream_socks_of(s);
  mote_socks_gss_close(l->gss);
  if(l->size)
    mote_mem_free(s->env->account, MOTE_PART_CONN, l, l->size);
}

static const struct mote_stream_ops ops = {
  .handshake = stream_socks_handshake,
  .want = stream_socks_want,
  .close = stream_socks_close_layer,
};

/* Takes the room if the layer fits into it, else a block. */
static struct layer *take_room(struct mote_stream_env *env, struct mote_socks_room *room, size_t size)
{
  struct layer *l;
  size_t skipped = (size_t)(-(uintptr_t)room->ptr & (_Alignof(struct layer) - 1));
  room->used = room->size >= size + skipped;
  if(room->used) {
    l = (struct layer *)(void *)(room->ptr + skipped);
    memset(l, 0, sizeof *l);
    return l;
  }
  l = mote_mem_zalloc(env->account, MOTE_PART_CONN, size);
  if(l)
    l->size = (uint16_t)size;
  return l;
}

static char *stream_socks_keep(char *at, struct mote_slice *s)
{
  if(s->len)
    memcpy(at, s->ptr, s->len);
  s->ptr = at;
  return at + s->len;
}

static void keep_texts(struct layer *l, struct mote_slice *host, const struct mote_socks_request *q,
                       const struct mote_socks_gss_plan *gss)
{
  struct mote_slice user = q->user, password = q->password;
  char *at = stream_socks_keep(l->text, host);
  at = stream_socks_keep(stream_socks_keep(at, &user), &password);
  l->host_len = (uint16_t)host->len;
  l->user_len = (uint16_t)user.len;
  l->password_len = (uint16_t)password.len;
  if(q->gss) {
    struct mote_socks_gss_plan plan = *gss;
    char *own = at;
    at = stream_socks_keep(at + sizeof plan, &plan.peer.service);
    (void)stream_socks_keep(at, &plan.peer.host);
    memcpy(own, &plan, sizeof plan);
  }
}

/* A request that is not refused has short texts, except for what SOCKS does not use. */
CURLcode mote_socks_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env,
                        const struct mote_socks_request *request, const struct mote_socks_gss_plan *gss,
                        struct mote_socks_room *room)
{
  struct mote_socks_request q = *request;
  struct mote_socks codec;
  struct layer *l;
  CURLproxycode code = mote_socks_init(&codec, &q);
  size_t size;
  *out = NULL;
  room->used = false;
  if(code)
    return stream_socks_refused(env, q.version, code);
  if(q.address.family)
    q.host.len = 0;
  if(q.version == 4)
    q.password.len = 0;
  size = sizeof *l + q.host.len + q.user.len + q.password.len +
         (q.gss ? sizeof *gss + gss->peer.service.len + gss->peer.host.len : 0);
  l = size > UINT16_MAX ? NULL : take_room(env, room, size);
  if(!l)
    return CURLE_OUT_OF_MEMORY;
  l->stream = (struct mote_stream){.ops = &ops, .below = below, .env = env, .role = MOTE_ROLE_TUNNEL};
  l->codec = codec;
  l->address = q.address;
  l->port = q.port;
  l->version = q.version;
  l->login = q.login;
  l->offers_gss = q.gss;
  l->must_login = q.must_login;
  keep_texts(l, &q.host, &q, gss);
  *out = &l->stream;
  return CURLE_OK;
}
