/* stream/socks_gss.c: the login by GSS-API to a SOCKS5 proxy (stream/socks_gss.h). */
#include "stream/socks_gss.h"

#include "base/buf.h"
#include "base/report.h"
#include "codec/socks/socks_gss.h"
#include "net/stream.h"
#include "stream/protect.h"

enum phase {
  PHASE_SEND_TOKEN,  /* a frame of the context's tokens */
  PHASE_READ_TOKEN,
  PHASE_SEND_LEVEL,  /* the protection that the client asks for */
  PHASE_READ_LEVEL,  /* the one that the proxy grants */
  PHASE_DONE
};

struct mote_socks_gss {
  struct mote_stream_env *env;     /* the connection's */
  struct mote_gss *context;
  struct mote_buf buf;             /* the frame that is being sent, or what has come after a head */
  struct mote_socks_gss_head head; /* of the frame that is being received */
  uint32_t sent;                   /* bytes of the frame */
  uint8_t phase;                   /* enum phase */
  uint8_t level;                   /* enum mote_socks_gss_level that the proxy grants, in PHASE_DONE */
  bool nec;
};

static CURLcode stream_socks_gss_refused(struct mote_socks_gss *g, CURLproxycode code)
{
  g->env->proxy_error = (uint8_t)code;
  return CURLE_PROXY;
}

#define REFUSE(g, ...)                                                                                       \
  (mote_fail((g)->env->report, "SOCKS5: " __VA_ARGS__), stream_socks_gss_refused((g), CURLPX_GSSAPI))

/* An error of the library has had its text. */
static CURLcode stream_socks_gss_judge(struct mote_socks_gss *g, CURLcode rc)
{
  return rc == CURLE_AUTH_ERROR ? stream_socks_gss_refused(g, CURLPX_GSSAPI) : rc;
}

/* ---- frames ---- */

static CURLcode put_frame(struct mote_socks_gss *g, enum mote_socks_gss_type type, struct mote_slice body)
{
  uint8_t head[MOTE_SOCKS_GSS_HEAD];
  CURLcode rc;
  if(body.len > MOTE_SOCKS_GSS_MOST)
    return REFUSE(g, "a token of GSS-API is longer than %u bytes", MOTE_SOCKS_GSS_MOST);
  mote_socks_gss_put(head, type, (uint16_t)body.len);
  mote_buf_clear(&g->buf);
  g->sent = 0;
  rc = mote_buf_reserve(&g->buf, sizeof head + body.len);
  rc = rc ? rc : mote_buf_add(&g->buf, head, sizeof head);
  return rc || !body.len ? rc : mote_buf_add(&g->buf, body.ptr, body.len);
}

static CURLcode send_frame(struct mote_socks_gss *g, struct mote_stream *below)
{
  while(g->sent < g->buf.len) {
    size_t n;
    CURLcode rc = below->ops->send(below, g->buf.ptr + g->sent, g->buf.len - g->sent, &n);
    if(rc)
      return rc == CURLE_SEND_ERROR ? REFUSE(g, "the proxy does not take the login by GSS-API") : rc;
    g->sent += (uint32_t)n;
  }
  return CURLE_OK;
}

static void stream_socks_gss_expect_frame(struct mote_socks_gss *g, enum mote_socks_gss_type type)
{
  mote_buf_clear(&g->buf);
  mote_socks_gss_expect(&g->head, type);
}

static CURLcode stream_socks_gss_receive(struct mote_socks_gss *g, struct mote_stream *below, void *to,
                                         size_t most, size_t *n)
{
  CURLcode rc = below->ops->recv(below, to, most, n);
  if(rc == CURLE_RECV_ERROR || (!rc && !*n))
    return REFUSE(g, "the proxy closed the connection during the login by GSS-API");
  return rc;
}

static CURLcode stream_socks_gss_read_head(struct mote_socks_gss *g, struct mote_stream *below)
{
  uint8_t bytes[MOTE_SOCKS_GSS_HEAD];
  size_t missing, n;
  while((missing = mote_socks_gss_missing(&g->head)) != 0) {
    CURLcode rc = stream_socks_gss_receive(g, below, bytes, missing, &n);
    if(rc)
      return rc;
    switch(mote_socks_gss_feed(&g->head, bytes, n)) {
    case MOTE_SOCKS_GSS_REFUSED:
      return REFUSE(g, "the proxy rejected the login by GSS-API");
    case MOTE_SOCKS_GSS_WRONG:
      return REFUSE(g, "the proxy's answer is not of GSS-API");
    default:
      break;
    }
  }
  return CURLE_OK;
}

/* CURLE_OK: all of the frame's bytes after its head are in the buffer. */
static CURLcode stream_socks_gss_read_frame(struct mote_socks_gss *g, struct mote_stream *below)
{
  CURLcode rc = stream_socks_gss_read_head(g, below);
  while(!rc && g->buf.len < g->head.len) {
    size_t n;
    rc = mote_buf_reserve(&g->buf, g->head.len - g->buf.len);
    rc = rc ? rc : stream_socks_gss_receive(g, below, g->buf.ptr + g->buf.len, g->head.len - g->buf.len, &n);
    if(!rc)
      g->buf.len += n;
  }
  return rc;
}

/* ---- phases ---- */

static struct mote_slice received(const struct mote_socks_gss *g)
{
  struct mote_slice s = {g->buf.ptr, g->buf.len};
  return s;
}

static CURLcode put_level(struct mote_socks_gss *g)
{
  char level = mote_gss_can_encrypt(g->context) ? MOTE_SOCKS_GSS_ENCRYPTED
               : mote_gss_can_sign(g->context)  ? MOTE_SOCKS_GSS_SIGNED
                                                : MOTE_SOCKS_GSS_PLAIN;
  struct mote_slice body = {&level, 1};
  CURLcode rc = g->nec ? CURLE_OK : mote_gss_wrap(g->context, g->env->report, false, body, &body);
  g->phase = PHASE_SEND_LEVEL;
  return rc ? stream_socks_gss_judge(g, rc) : put_frame(g, MOTE_SOCKS_GSS_LEVEL, body);
}

static CURLcode make_token(struct mote_socks_gss *g, struct mote_slice from_peer)
{
  struct mote_slice token;
  CURLcode rc = mote_gss_step(g->context, g->env->report, from_peer, &token);
  if(rc)
    return stream_socks_gss_judge(g, rc);
  if(!token.len && mote_gss_is_established(g->context))
    return put_level(g);
  g->phase = PHASE_SEND_TOKEN;
  return put_frame(g, MOTE_SOCKS_GSS_TOKEN, token);
}

static CURLcode token_was_sent(struct mote_socks_gss *g)
{
  if(mote_gss_is_established(g->context))
    return put_level(g);
  g->phase = PHASE_READ_TOKEN;
  stream_socks_gss_expect_frame(g, MOTE_SOCKS_GSS_TOKEN);
  return CURLE_OK;
}

static CURLcode token_has_come(struct mote_socks_gss *g)
{
  if(!g->buf.len)
    return REFUSE(g, "the proxy's answer has no token of GSS-API");
  return make_token(g, received(g));
}

static CURLcode level_was_sent(struct mote_socks_gss *g)
{
  g->phase = PHASE_READ_LEVEL;
  stream_socks_gss_expect_frame(g, MOTE_SOCKS_GSS_LEVEL);
  return CURLE_OK;
}

static bool can_protect(const struct mote_socks_gss *g, uint8_t level)
{
  return level == MOTE_SOCKS_GSS_PLAIN ||
         (level == MOTE_SOCKS_GSS_SIGNED && mote_gss_can_sign(g->context)) ||
         (level == MOTE_SOCKS_GSS_ENCRYPTED && mote_gss_can_encrypt(g->context));
}

static CURLcode level_has_come(struct mote_socks_gss *g)
{
  struct mote_slice level = received(g);
  bool encrypted;
  CURLcode rc = g->nec ? CURLE_OK : mote_gss_unwrap(g->context, g->env->report, level, &level, &encrypted);
  if(rc)
    return stream_socks_gss_judge(g, rc);
  if(level.len != 1)
    return REFUSE(g, "the proxy's answer names no protection");
  if(!can_protect(g, (uint8_t)level.ptr[0])) {
    mote_fail(g->env->report, "SOCKS5: the proxy asks for a protection of data that there is not");
    return stream_socks_gss_refused(g, CURLPX_GSSAPI_PROTECTION);
  }
  g->level = (uint8_t)level.ptr[0];
  mote_info(g->env->report, "SOCKS5: the proxy accepts the login by GSS-API, data are %s",
            g->level == MOTE_SOCKS_GSS_PLAIN ? "not protected" : g->level == MOTE_SOCKS_GSS_SIGNED ? "signed"
                                                                                          : "encrypted");
  g->phase = PHASE_DONE;
  return CURLE_OK;
}

CURLcode mote_socks_gss_protect(struct mote_socks_gss *g, struct mote_stream **below)
{
  struct mote_stream *s;
  CURLcode rc;
  if(g->level == MOTE_SOCKS_GSS_PLAIN)
    return CURLE_OK;
  rc = mote_protect_new(&s, *below, g->env, g->context, g->level == MOTE_SOCKS_GSS_ENCRYPTED);
  g->context = NULL;
  if(!rc)
    *below = s;
  return rc;
}

CURLcode mote_socks_gss_run(struct mote_socks_gss *g, struct mote_stream *below)
{
  CURLcode rc = CURLE_OK;
  while(!rc && g->phase != PHASE_DONE) {
    bool sends = g->phase == PHASE_SEND_TOKEN || g->phase == PHASE_SEND_LEVEL;
    rc = sends ? send_frame(g, below) : stream_socks_gss_read_frame(g, below);
    if(rc)
      return rc;
    switch(g->phase) {
    case PHASE_SEND_TOKEN:
      rc = token_was_sent(g);
      break;
    case PHASE_READ_TOKEN:
      rc = token_has_come(g);
      break;
    case PHASE_SEND_LEVEL:
      rc = level_was_sent(g);
      break;
    default:
      rc = level_has_come(g);
      break;
    }
  }
  return rc;
}

unsigned mote_socks_gss_want(const struct mote_socks_gss *g)
{
  return g->phase == PHASE_SEND_TOKEN || g->phase == PHASE_SEND_LEVEL ? MOTE_WANT_OUT : MOTE_WANT_IN;
}

CURLcode mote_socks_gss_new(struct mote_socks_gss **out, struct mote_stream_env *env,
                            const struct mote_socks_gss_plan *plan)
{
  static const struct mote_slice none = {NULL, 0};
  struct mote_socks_gss *g = mote_mem_zalloc(env->account, MOTE_PART_CONN, sizeof *g);
  CURLcode rc;
  *out = NULL;
  if(!g)
    return CURLE_OUT_OF_MEMORY;
  g->env = env;
  g->nec = plan->nec;
  mote_buf_init(&g->buf, env->account, MOTE_PART_CONN, MOTE_SOCKS_GSS_HEAD + MOTE_SOCKS_GSS_MOST);
  rc = mote_gss_new(&g->context, env->account, env->report, &plan->peer);
  rc = rc ? stream_socks_gss_judge(g, rc) : make_token(g, none);
  if(rc) {
    mote_socks_gss_close(g);
    return rc;
  }
  *out = g;
  return CURLE_OK;
}

void mote_socks_gss_close(struct mote_socks_gss *g)
{
  if(!g)
    return;
  mote_gss_close(g->context);
  mote_buf_close(&g->buf);
  mote_mem_free(g->env->account, MOTE_PART_CONN, g, sizeof *g);
}
