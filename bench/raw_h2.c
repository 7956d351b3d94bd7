/* raw_h2 HOST PORT PATH TOTAL N: TOTAL GETs over one HTTP/2 connection, N at a time, by nghttp2, recv() and
 * send() alone, with windows of 16 MB: the floor of what HTTP/2 can cost. */
#define _GNU_SOURCE
#include "raw.h"

#include <nghttp2/nghttp2.h>

#define WINDOW (16 << 20)
#define FIELD(n, v) \
  { (uint8_t *)(n), (uint8_t *)(v), sizeof(n) - 1, strlen(v), \
    NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE }

static const char *path;
static int begun;
static int done;
static int total;
static long long got; /* bytes of bodies */

static void ask(nghttp2_session *session)
{
  nghttp2_nv fields[] = { FIELD(":method", "GET"), FIELD(":path", path), FIELD(":scheme", "http"),
                          FIELD(":authority", "127.0.0.1"), FIELD("accept", "*/*") };
  begun++;
  if(nghttp2_submit_request(session, NULL, fields, 5, NULL, NULL) < 0)
    exit(1);
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *p, size_t n,
                   void *user)
{
  (void)session;
  (void)flags;
  (void)id;
  (void)p;
  (void)user;
  got += (long long)n;
  return 0;
}

static int on_close(nghttp2_session *session, int32_t id, uint32_t error, void *user)
{
  (void)id;
  (void)user;
  if(error)
    exit(1);
  done++;
  if(begun < total)
    ask(session);
  return 0;
}

static nghttp2_session *start(void)
{
  nghttp2_settings_entry settings[] = { { NGHTTP2_SETTINGS_ENABLE_PUSH, 0 },
                                        { NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WINDOW } };
  nghttp2_session_callbacks *callbacks;
  nghttp2_session *session;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
  nghttp2_session_client_new(&session, callbacks, NULL);
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_submit_settings(session, 0, settings, 2);
  nghttp2_session_set_local_window_size(session, 0, 0, WINDOW);
  return session;
}

/* All that the session has to send, by one call. */
static void flush(nghttp2_session *session, int s)
{
  static char out[65536];
  const uint8_t *p;
  size_t have = 0;
  ssize_t n;
  while((n = nghttp2_session_mem_send(session, &p)) > 0) {
    if(have + (size_t)n > sizeof out && (send(s, out, have, MSG_NOSIGNAL) != (ssize_t)have || (have = 0)))
      raw_fail("send");
    memcpy(out + have, p, (size_t)n);
    have += (size_t)n;
  }
  if(have && send(s, out, have, MSG_NOSIGNAL) != (ssize_t)have)
    raw_fail("send");
}

int main(int argc, char **argv)
{
  int n = argc > 5 ? atoi(argv[5]) : 0;
  nghttp2_session *session;
  double clock;
  double user;
  double sys;
  int s;
  total = argc > 5 ? atoi(argv[4]) : 0;
  if(total < 1 || n < 1)
    return 2;
  raw_begin(argv, "");
  path = argv[3];
  s = raw_connect(0);
  clock = raw_clock();
  session = start();
  while(begun < n && begun < total)
    ask(session);
  flush(session, s);
  while(done < total) {
    size_t part = raw_recv(s, 0, 65536);
    if(!part || nghttp2_session_mem_recv(session, (uint8_t *)raw_buffer, part) < 0)
      raw_fail("the connection ended");
    flush(session, s);
  }
  nghttp2_session_del(session);
  raw_cpu(&user, &sys);
  clock = raw_clock() - clock;
  printf("result rate=%.1f done=%d bytes=%lld clock=%.6f cpu=%.6f\n", total / clock, done, got, clock,
         user + sys);
  return 0;
}
