/* tests/threads/h2_server.h: HTTP/2 in the test program, on the connections of the HTTP server
 * (net/http_server.h). It answers each request with HTTP_SERVER_BODY, by nghttp2. */
#ifndef MOTE_TEST_H2_SERVER_H
#define MOTE_TEST_H2_SERVER_H

#include <nghttp2/nghttp2.h>

#include "net/http_server.h"

static inline ssize_t h2_server_body(nghttp2_session *session, int32_t id, uint8_t *to, size_t most,
                                     uint32_t *flags, nghttp2_data_source *source, void *user)
{
  size_t len = strlen(HTTP_SERVER_BODY);
  (void)session;
  (void)id;
  (void)most;
  (void)source;
  (void)user;
  memcpy(to, HTTP_SERVER_BODY, len);
  *flags = NGHTTP2_DATA_FLAG_EOF;
  return (ssize_t)len;
}

static inline int h2_server_answer(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  static const nghttp2_nv status = {(uint8_t *)(uintptr_t)":status", (uint8_t *)(uintptr_t)"200", 7, 3, 0};
  nghttp2_data_provider body = {.read_callback = h2_server_body};
  struct http_session *s = user;
  bool asks = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
  if(!asks || !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM))
    return 0;
  atomic_fetch_add(&s->server->requests, 1);
  return nghttp2_submit_response(session, frame->hd.stream_id, &status, 1, &body);
}

static inline bool h2_server_send(struct http_session *s, nghttp2_session *session)
{
  const uint8_t *bytes;
  ssize_t n;
  while((n = nghttp2_session_mem_send(session, &bytes)) > 0) {
    ssize_t sent = s->layer ? s->server->layer_write(s->layer, bytes, (int)n)
                            : send(s->fd, bytes, (size_t)n, MSG_NOSIGNAL);
    if(sent != n)
      return false;
  }
  return !n;
}

/* struct http_server.talk */
static inline void h2_server_talk(struct http_session *s)
{
  static const nghttp2_settings_entry limit = {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 100};
  nghttp2_session_callbacks *c = NULL;
  nghttp2_session *session = NULL;
  char buf[4096];
  int n = 1;
  nghttp2_session_callbacks_new(&c);
  nghttp2_session_callbacks_set_on_frame_recv_callback(c, h2_server_answer);
  nghttp2_session_server_new(&session, c, s);
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, &limit, 1);
  while(n > 0 && h2_server_send(s, session)) {
    n = http_session_read(s, buf, sizeof buf);
    if(n > 0 && nghttp2_session_mem_recv(session, (const uint8_t *)buf, (size_t)n) < 0)
      break;
  }
  nghttp2_session_del(session);
  nghttp2_session_callbacks_del(c);
}

#endif
