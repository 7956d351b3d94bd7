/* stream/tunnel_h2.c: a tunnel as a stream of HTTP/2 (stream/tunnel_h2.h). */
#include "stream/tunnel_h2.h"

#include <nghttp2/nghttp2.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/report.h"
#include "base/text.h"
#include "stream/tunnel.h"

#define WINDOW (16 << 20)     /* bytes that the proxy may have under way */
#define FIELDS_MAX 256u       /* of a request head; mostly the application's */
#define KEPT_MAX (1u << 20)   /* bytes of a response head, or that came while only sending was possible */
#define UNSENT_MAX 65536u     /* bytes of answers to the proxy; then nothing is read until they are sent */
#define STEP 4096u            /* bytes that are read at once while the caller sends */
#define READS_MAX 16          /* that bring the caller nothing; then others have their turn */

struct layer {
  struct mote_stream stream;
  nghttp2_session *session;
  struct mote_buf head;      /* what has come of the request head */
  struct mote_buf in;        /* what the layer above has not received yet */
  struct mote_buf out;       /* frames that the layer below has not taken yet */
  size_t in_used, out_used;  /* bytes of them that are done with */
  char *room;                /* the caller's memory while it receives, or NULL */
  size_t filled;             /* bytes of it */
  const char *body;          /* what the caller sends, until the call ends */
  size_t body_left;          /* bytes of it that no frame has yet */
  int32_t id;                /* of the current stream; 0: none yet */
  uint16_t status;           /* of its response, 0: none yet */
  bool heads_over;           /* the response's last head has come */
  bool ended;                /* the stream is over */
  CURLcode broken;           /* why the connection can no longer be used, or CURLE_OK */
};

static struct layer *tunnel_h2_of(struct mote_stream *s)
{
  return mote_container_of(s, struct layer, stream);
}

static bool tunnel_h2_is_open(const struct layer *l)
{
  return l->heads_over && l->status >= 200 && l->status < 300;
}

/* ---- nghttp2's memory: each block has its size in front ---- */

#define FRONT 16u

/* Some of nghttp2's functions make an error of the peer's of it when there is none. */
static void *tunnel_h2_take(size_t size, void *user)
{
  struct layer *l = user;
  char *p = NULL;
  if(size < SIZE_MAX - FRONT)
    p = mote_mem_alloc(l->stream.env->account, MOTE_PART_CONN, size + FRONT);
  if(!p) {
    l->broken = l->broken ? l->broken : CURLE_OUT_OF_MEMORY;
    return NULL;
  }
  memcpy(p, &size, sizeof size);
  return p + FRONT;
}

static void tunnel_h2_put(void *p, void *user)
{
  struct layer *l = user;
  size_t size;
  if(!p)
    return;
  memcpy(&size, (char *)p - FRONT, sizeof size);
  mote_mem_free(l->stream.env->account, MOTE_PART_CONN, (char *)p - FRONT, size + FRONT);
}

static void *tunnel_h2_take_zero(size_t n, size_t size, void *user)
{
  void *p = !size || n <= SIZE_MAX / size ? tunnel_h2_take(n * size, user) : NULL;
  if(p)
    memset(p, 0, n * size);
  return p;
}

static void *take_again(void *p, size_t size, void *user)
{
  void *q = tunnel_h2_take(size, user);
  size_t old;
  if(!q || !p)
    return q;
  memcpy(&old, (char *)p - FRONT, sizeof old);
  memcpy(q, p, old < size ? old : size);
  tunnel_h2_put(p, user);
  return q;
}

/* ---- what comes ---- */

static int tunnel_h2_keep(struct layer *l, const void *p, size_t len)
{
  CURLcode rc = l->broken ? l->broken : mote_buf_add(&l->in, p, len);
  if(rc && !l->broken)
    l->broken = rc;
  return rc ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags, void *user)
{
  struct layer *l = user;
  uint64_t code = 0;
  (void)session, (void)flags;
  if(frame->hd.stream_id != l->id || tunnel_h2_is_open(l))
    return 0;
  if(name_len == 7 && !memcmp(name, ":status", 7)) {
    (void)mote_parse_dec((struct mote_slice){(const char *)value, value_len}, 999, &code);
    l->status = (uint16_t)code;
    return tunnel_h2_keep(l, "HTTP/1.1 ", 9) || tunnel_h2_keep(l, value, value_len) ||
      tunnel_h2_keep(l, " \r\n", 3)
             ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
  }
  if(tunnel_h2_keep(l, name, name_len) || tunnel_h2_keep(l, ": ", 2) || tunnel_h2_keep(l, value, value_len))
    return NGHTTP2_ERR_CALLBACK_FAILURE;
  return tunnel_h2_keep(l, "\r\n", 2);
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  struct layer *l = user;
  (void)session;
  if(frame->hd.stream_id != l->id || !l->id)
    return 0;
  if(frame->hd.type == NGHTTP2_HEADERS && !l->heads_over) {
    l->heads_over = l->status >= 200;
    if(tunnel_h2_keep(l, "\r\n", 2))
      return NGHTTP2_ERR_CALLBACK_FAILURE;
  }
  if(frame->hd.flags & NGHTTP2_FLAG_END_STREAM && frame->hd.type <= NGHTTP2_HEADERS)
    l->ended = true;
  return 0;
}

/* The bytes may lie in the caller's memory already, further on. */
static int on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *p, size_t len,
                   void *user)
{
  struct layer *l = user;
  (void)session, (void)flags;
  if(id != l->id)
    return 0;
  if(!l->room || l->in.len)
    return tunnel_h2_keep(l, p, len);
  memmove(l->room + l->filled, p, len);
  l->filled += len;
  return 0;
}

static int tunnel_h2_on_close(nghttp2_session *session, int32_t id, uint32_t code, void *user)
{
  struct layer *l = user;
  (void)session, (void)code;
  if(id == l->id)
    l->ended = true;
  return 0;
}

/* ---- what goes ---- */

static ssize_t tunnel_h2_read_body(nghttp2_session *session, int32_t id, uint8_t *to, size_t cap,
                                   uint32_t *flags,
                                   nghttp2_data_source *source, void *user)
{
  struct layer *l = user;
  size_t n = cap < l->body_left ? cap : l->body_left;
  (void)session, (void)flags, (void)source;
  if(id != l->id || !n)
    return NGHTTP2_ERR_DEFERRED;
  memcpy(to, l->body, n);
  l->body += n;
  l->body_left -= n;
  return (ssize_t)n;
}

/* Sends what waits; false: the layer below takes no more. */
static bool tunnel_h2_flush(struct layer *l)
{
  struct mote_stream *below = l->stream.below;
  while(l->out_used < l->out.len) {
    size_t n;
    CURLcode rc = below->ops->send(below, l->out.ptr + l->out_used, l->out.len - l->out_used, &n);
    if(rc && rc != CURLE_AGAIN)
      l->broken = rc;
    if(rc)
      return false;
    l->out_used += n;
  }
  mote_buf_close(&l->out);
  l->out_used = 0;
  return true;
}

/* Collects frames, and sends them as far as possible. */
static CURLcode send_frames(struct layer *l)
{
  CURLcode rc = CURLE_OK;
  while(!rc && !l->broken && l->out.len - l->out_used < UNSENT_MAX) {
    const uint8_t *p;
    ssize_t n = nghttp2_session_mem_send(l->session, &p);
    if(n < 0)
      rc = n == NGHTTP2_ERR_NOMEM ? CURLE_OUT_OF_MEMORY : CURLE_SEND_ERROR;
    if(n <= 0)
      break;
    rc = mote_buf_add(&l->out, p, (size_t)n);
  }
  if(rc && !l->broken)
    l->broken = rc;
  (void)tunnel_h2_flush(l);
  return l->broken;
}

static bool is_field(struct mote_slice name)
{
  static const char *const others[] = {"Host", "Connection", "Proxy-Connection", "Keep-Alive", "Upgrade",
                                       "TE", "Transfer-Encoding", "Content-Length"};
  size_t i;
  for(i = 0; i < sizeof others / sizeof *others; i++)
    if(mote_slice_is(name, others[i]))
      return false;
  return name.len > 0;
}

static nghttp2_nv tunnel_h2_pair(const char *name, size_t name_len, const char *value, size_t value_len)
{
  return (nghttp2_nv){(uint8_t *)(uintptr_t)name, (uint8_t *)(uintptr_t)value, name_len, value_len,
                      NGHTTP2_NV_FLAG_NONE};
}

/* Cuts the lines after the first one; names become lower case. No line has a line end of its own
 * (connect/dial/dial_tunnel.c). Returns how many fields there are. */
static size_t tunnel_h2_cut(char *at, char *last, nghttp2_nv *fields, size_t count)
{
  while(at < last && count < FIELDS_MAX) {
    char *end = memchr(at, '\r', (size_t)(last - at)), *colon = memchr(at, ':', (size_t)(end - at)), *p;
    struct mote_slice name = {at, colon ? (size_t)(colon - at) : 0}, value;
    if(is_field(name)) {
      value = mote_slice_trim((struct mote_slice){colon + 1, (size_t)(end - colon - 1)});
      for(p = at; p < colon; p++)
        *p = mote_to_lower(*p);
      fields[count++] = tunnel_h2_pair(name.ptr, name.len, value.ptr, value.len);
    }
    at = end + 2;
  }
  return count;
}

/* "CONNECT host:port HTTP/1.1", lines, and an empty one. */
static CURLcode tunnel_h2_submit(struct layer *l)
{
  nghttp2_nv *fields = mote_mem_alloc(l->stream.env->account, MOTE_PART_CONN, FIELDS_MAX * sizeof *fields);
  const nghttp2_data_provider provider = {.read_callback = tunnel_h2_read_body};
  char *at = l->head.ptr, *target, *end;
  size_t count = 2;
  if(!fields)
    return CURLE_OUT_OF_MEMORY;
  target = strchr(at, ' ') + 1;
  end = strchr(target, ' ');
  fields[0] = tunnel_h2_pair(":method", 7, at, (size_t)(target - at - 1));
  fields[1] = tunnel_h2_pair(":authority", 10, target, (size_t)(end - target));
  count = tunnel_h2_cut(strchr(end, '\n') + 1, at + l->head.len - 2, fields, count);
  l->id = nghttp2_submit_request(l->session, NULL, fields, count, &provider, NULL);
  mote_mem_free(l->stream.env->account, MOTE_PART_CONN, fields, FIELDS_MAX * sizeof *fields);
  mote_buf_close(&l->head);
  l->status = 0;
  l->heads_over = l->ended = false;
  if(l->id <= 0)
    return l->broken ? l->broken : CURLE_OUT_OF_MEMORY;
  return send_frames(l);
}

/* ---- as a layer ---- */

static CURLcode tunnel_h2_refuse(struct layer *l, ssize_t n)
{
  if(!l->broken) {
    mote_fail(l->stream.env->report, "The proxy broke HTTP/2: %s", nghttp2_strerror((int)n));
    l->broken = n == NGHTTP2_ERR_NOMEM ? CURLE_OUT_OF_MEMORY : CURLE_RECV_ERROR;
  }
  return l->broken;
}

/* Reads once, by way of this room, in which what belongs to the layer above stays if it is the caller's. */
static CURLcode tunnel_h2_read_once(struct layer *l, char *room, size_t cap, bool callers)
{
  struct mote_stream *below = l->stream.below;
  size_t n;
  ssize_t used;
  CURLcode rc;
  if(l->broken || !tunnel_h2_flush(l))
    return l->broken ? l->broken : CURLE_AGAIN;
  rc = below->ops->recv(below, room, cap, &n);
  if(rc)
    return rc;
  if(!n) {
    l->ended = true;
    return CURLE_OK;
  }
  l->room = callers ? room : NULL;
  l->filled = 0;
  used = nghttp2_session_mem_recv(l->session, (const uint8_t *)room, n);
  l->room = NULL;
  if(used < 0)
    return tunnel_h2_refuse(l, used);
  rc = send_frames(l);
  /* after a GOAWAY of its own nghttp2 takes nothing more */
  return rc || nghttp2_session_want_read(l->session) ? rc : tunnel_h2_refuse(l, NGHTTP2_ERR_PROTO);
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

static CURLcode tunnel_h2_receive(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  struct layer *l = tunnel_h2_of(s);
  int reads;
  for(reads = 0; reads < READS_MAX; reads++) {
    CURLcode rc;
    *n = l->in.len ? tunnel_h2_give(l, buf, cap) : 0;
    if(*n || l->ended)
      return CURLE_OK;
    rc = tunnel_h2_read_once(l, buf, cap, true);
    if(rc)
      return rc;
    *n = l->filled;
    if(*n && !l->in.len)
      return CURLE_OK;
  }
  return CURLE_AGAIN;
}

/* A head comes in one call or several. */
static CURLcode tunnel_h2_send_head(struct layer *l, const char *buf, size_t len, size_t *n)
{
  CURLcode rc = mote_buf_add(&l->head, buf, len);
  *n = len;
  if(!rc && l->head.len >= 4 && !memcmp(l->head.ptr + l->head.len - 4, "\r\n\r\n", 4))
    rc = tunnel_h2_submit(l);
  return rc;
}

/* The window opens by what the proxy sends, which only reading shows. */
static CURLcode tunnel_h2_make_room(struct layer *l)
{
  char room[STEP];
  CURLcode rc = l->in.len < KEPT_MAX - STEP ? tunnel_h2_read_once(l, room, sizeof room, false) : CURLE_AGAIN;
  return rc ? rc : send_frames(l);
}

static CURLcode tunnel_h2_send_on(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  struct layer *l = tunnel_h2_of(s);
  CURLcode rc = l->broken;
  if(!rc && !tunnel_h2_is_open(l))
    return tunnel_h2_send_head(l, buf, len, n);
  if(!rc && l->ended)
    rc = CURLE_SEND_ERROR;
  if(!rc && !tunnel_h2_flush(l))
    rc = l->broken ? l->broken : CURLE_AGAIN;
  if(rc)
    return rc;
  l->body = buf;
  l->body_left = len;
  (void)nghttp2_session_resume_data(l->session, l->id);
  rc = send_frames(l);
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
  if(l->out.len)
    return interest | MOTE_WANT_OUT;
  if(interest & MOTE_WANT_OUT && tunnel_h2_is_open(l) &&
     (nghttp2_session_get_stream_remote_window_size(l->session, l->id) <= 0 ||
      nghttp2_session_get_remote_window_size(l->session) <= 0))
    return MOTE_WANT_IN;
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
  nghttp2_session_del(l->session);
  mote_buf_close(&l->head);
  mote_buf_close(&l->in);
  mote_buf_close(&l->out);
  mote_mem_free(s->env->account, MOTE_PART_CONN, l, sizeof *l);
}

static const struct mote_stream_ops ops = {
  .recv = tunnel_h2_receive, .send = tunnel_h2_send_on, .want = tunnel_h2_want, .pending = tunnel_h2_pending,
  .quiet = tunnel_h2_quiet, .close = tunnel_h2_close_layer,
};

/* ---- making it ---- */

static CURLcode tunnel_h2_begin(struct layer *l, const nghttp2_session_callbacks *callbacks)
{
  nghttp2_mem memory = {l, tunnel_h2_take, tunnel_h2_put, tunnel_h2_take_zero, take_again};
  const nghttp2_settings_entry settings[] = {
    {NGHTTP2_SETTINGS_ENABLE_PUSH, 0}, {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WINDOW},
  };
  if(nghttp2_session_client_new3(&l->session, callbacks, l, NULL, &memory) ||
     nghttp2_submit_settings(l->session, NGHTTP2_FLAG_NONE, settings, 2) ||
     nghttp2_session_set_local_window_size(l->session, NGHTTP2_FLAG_NONE, 0, WINDOW))
    return CURLE_OUT_OF_MEMORY;
  return CURLE_OK;
}

CURLcode mote_tunnel_h2_new(struct mote_stream **out, struct mote_stream *below, struct mote_stream_env *env)
{
  struct layer *l = mote_mem_zalloc(env->account, MOTE_PART_CONN, sizeof *l);
  nghttp2_session_callbacks *c = NULL;
  CURLcode rc = CURLE_OUT_OF_MEMORY;
  *out = NULL;
  if(!l)
    return rc;
  l->stream = (struct mote_stream){.ops = &ops, .below = below, .env = env, .role = MOTE_ROLE_TUNNEL};
  mote_buf_init(&l->head, env->account, MOTE_PART_CONN, MOTE_TUNNEL_HEAD_MAX);
  mote_buf_init(&l->in, env->account, MOTE_PART_CONN, KEPT_MAX);
  mote_buf_init(&l->out, env->account, MOTE_PART_CONN, 2 * UNSENT_MAX);
  if(!nghttp2_session_callbacks_new(&c)) {
    nghttp2_session_callbacks_set_on_header_callback(c, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(c, on_frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(c, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(c, tunnel_h2_on_close);
    rc = tunnel_h2_begin(l, c);
  }
  nghttp2_session_callbacks_del(c);
  if(rc) {
    tunnel_h2_close_layer(&l->stream);
    return rc;
  }
  *out = &l->stream;
  return CURLE_OK;
}
