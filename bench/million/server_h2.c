/* server_h2 PORT CHUNKS: answers as million.h says, by HTTP/2 with prior knowledge on bare nghttp2. */
#define _GNU_SOURCE
#include "server.h"

#include <nghttp2/nghttp2.h>

#define STREAMS 100 /* at once on a connection */

struct stream {
  struct stream *next; /* of the connection */
  struct stream **link;
  int32_t id;
  unsigned long number;
  unsigned long sent; /* chunks */
};

struct connection {
  struct connection *next;
  int s;
  nghttp2_session *session;
  struct stream *streams;
  unsigned char *unsent; /* what the socket did not take, or NULL */
  size_t at, len;
};

static struct connection *all;
static nghttp2_session_callbacks *callbacks;

static ssize_t read_body(nghttp2_session *session, int32_t id, uint8_t *out, size_t len, uint32_t *flags,
                         nghttp2_data_source *source, void *user)
{
  struct stream *m = source->ptr;
  char chunk[CHUNK + 1];
  (void)session;
  (void)id;
  (void)user;
  if(m->sent >= released)
    return NGHTTP2_ERR_DEFERRED;
  if(len < CHUNK)
    return NGHTTP2_ERR_CALLBACK_FAILURE;
  million_chunk(chunk, m->number);
  memcpy(out, chunk, CHUNK);
  if(++m->sent == chunks)
    *flags |= NGHTTP2_DATA_FLAG_EOF;
  return CHUNK;
}

static int on_begin(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  struct connection *c = user;
  struct stream *m = calloc(1, sizeof *m);
  if(!m)
    return NGHTTP2_ERR_CALLBACK_FAILURE;
  m->id = frame->hd.stream_id;
  m->next = c->streams;
  m->link = &c->streams;
  if(m->next)
    m->next->link = &m->next;
  c->streams = m;
  return nghttp2_session_set_stream_user_data(session, m->id, m);
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_len, const uint8_t *value, size_t len, uint8_t flags, void *user)
{
  struct stream *m = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  (void)flags;
  (void)user;
  (void)len;
  if(name_len == 5 && !memcmp(name, ":path", 5))
    m->number = strtoul((const char *)value + 1, NULL, 10);
  return 0;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  nghttp2_nv status = { (uint8_t *)":status", (uint8_t *)"200", 7, 3, NGHTTP2_NV_FLAG_NONE };
  nghttp2_data_provider body = { .read_callback = read_body };
  (void)user;
  if(frame->hd.type != NGHTTP2_HEADERS || !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM))
    return 0;
  body.source.ptr = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  return nghttp2_submit_response(session, frame->hd.stream_id, &status, 1, &body);
}

static int on_close(nghttp2_session *session, int32_t id, uint32_t code, void *user)
{
  struct stream *m = nghttp2_session_get_stream_user_data(session, id);
  (void)code;
  (void)user;
  if(m) {
    *m->link = m->next;
    if(m->next)
      m->next->link = m->link;
    free(m);
  }
  return 0;
}

static void begin_callbacks(void)
{
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
}

static void keep(struct connection *c, const uint8_t *bytes, size_t len)
{
  c->unsent = malloc(len);
  if(!c->unsent)
    server_fail("malloc");
  memcpy(c->unsent, bytes, len);
  c->at = 0;
  c->len = len;
  server_watch(EPOLL_CTL_MOD, c->s, EPOLLIN | EPOLLOUT, c);
}

/* Sends bytes, and keeps what does not go. */
static void put(struct connection *c, const uint8_t *bytes, size_t len)
{
  ssize_t n = send(c->s, bytes, len, MSG_NOSIGNAL);
  if(n < 0 && errno != EAGAIN)
    n = (ssize_t)len; /* the peer has gone: its end comes as an event */
  n = n < 0 ? 0 : n;
  if((size_t)n < len)
    keep(c, bytes + n, len - (size_t)n);
}

static void flush_session(struct connection *c)
{
  static uint8_t out[65536];
  const uint8_t *p;
  size_t have = 0;
  ssize_t n;
  while(!c->unsent && (n = nghttp2_session_mem_send(c->session, &p)) > 0) {
    if(have + (size_t)n > sizeof out) {
      put(c, out, have);
      have = 0;
    }
    if(c->unsent) { /* the frame is out of the session: it follows the rest */
      c->unsent = realloc(c->unsent, c->len + (size_t)n);
      if(!c->unsent)
        server_fail("realloc");
      memcpy(c->unsent + c->len, p, (size_t)n);
      c->len += (size_t)n;
      return;
    }
    memcpy(out + have, p, (size_t)n);
    have += (size_t)n;
  }
  if(have)
    put(c, out, have);
}

static void flush_rest(struct connection *c)
{
  ssize_t n = send(c->s, c->unsent + c->at, c->len - c->at, MSG_NOSIGNAL);
  if(n < 0)
    return;
  c->at += (size_t)n;
  if(c->at < c->len)
    return;
  free(c->unsent);
  c->unsent = NULL;
  server_watch(EPOLL_CTL_MOD, c->s, EPOLLIN, c);
}

static void accepted(int s)
{
  nghttp2_settings_entry settings = { NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, STREAMS };
  struct connection *c = calloc(1, sizeof *c);
  int one = 1;
  if(!c || nghttp2_session_server_new(&c->session, callbacks, c))
    server_fail("a session");
  setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  c->s = s;
  c->next = all;
  all = c;
  server_watch(EPOLL_CTL_ADD, s, EPOLLIN, c);
  nghttp2_submit_settings(c->session, 0, &settings, 1);
  flush_session(c);
}

static void ready(void *user, unsigned events)
{
  static uint8_t in[65536];
  struct connection *c = user;
  ssize_t n;
  if((events & EPOLLOUT) && c->unsent)
    flush_rest(c);
  if(events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
    n = recv(c->s, in, sizeof in, 0);
    if(n == 0 || (n < 0 && errno != EAGAIN)) {
      server_watch(EPOLL_CTL_DEL, c->s, 0, NULL); /* the session stays: the process ends soon */
      return;
    }
    if(n > 0 && nghttp2_session_mem_recv(c->session, in, (size_t)n) != n)
      server_fail("nghttp2_session_mem_recv");
  }
  flush_session(c);
}

static void go_round(void)
{
  struct connection *c;
  struct stream *m;
  for(c = all; c; c = c->next) {
    for(m = c->streams; m; m = m->next)
      nghttp2_session_resume_data(c->session, m->id);
    flush_session(c);
  }
}

int main(int argc, char **argv)
{
  chunks = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
  if(chunks < 2)
    return 2;
  begin_callbacks();
  server_run(atoi(argv[1]), accepted, ready, go_round);
}
