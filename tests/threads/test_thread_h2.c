/* tests/threads/test_thread_h2.c: HTTP/2 in many threads, each with a multi handle of its own, whose
 * connections carry many streams. All have one share, which keeps idle connections of both versions: they
 * move from one multi to another. */
#include "h2_server.h"
#include "threads.h"

#define STREAMS 12
#define KEPT 100L /* idle connections: all */

static struct http_server plain, secured, old; /* by prior knowledge; by ALPN; HTTP/1.1 with TLS */
static CURLSH *share;

static int choose_h2(SSL *ssl, const unsigned char **out, unsigned char *len, const unsigned char *in,
                     unsigned in_len, void *user)
{
  static const unsigned char h2[] = {2, 'h', '2'};
  static const unsigned char h1[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  struct sockaddr_in at;
  socklen_t size = sizeof at;
  bool known = !getsockname(SSL_get_fd(ssl), (struct sockaddr *)&at, &size);
  bool is_old = known && ntohs(at.sin_port) == old.port;
  (void)user;
  return SSL_select_next_proto((unsigned char **)(uintptr_t)out, len, is_old ? h1 : h2,
                               is_old ? sizeof h1 : sizeof h2, in, in_len) == OPENSSL_NPN_NEGOTIATED
           ? SSL_TLSEXT_ERR_OK
           : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static CURL *easy_for(int kind, size_t *count)
{
  const struct http_server *s = kind == 0 ? &plain : kind == 1 ? &secured : &old;
  long version = kind ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
  CURL *e = curl_easy_init();
  char url[60];
  snprintf(url, sizeof url, "http%s://127.0.0.1:%u/", kind ? "s" : "", s->port);
  *count = 0;
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_URL, url), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_SHARE, share), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_PIPEWAIT, 1L), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_MAXCONNECTS, KEPT), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_HTTP_VERSION, version), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, threads_count), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEDATA, count), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 0L), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 0L), CURLE_OK);
  return e;
}

static void drive(CURLM *m)
{
  int running = 1;
  while(running) {
    THREAD_CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
    if(running)
      THREAD_CHECK_INT(curl_multi_poll(m, NULL, 0, 1000, NULL), CURLM_OK);
  }
}

static CURLM *multi_for_all(void)
{
  CURLM *m = curl_multi_init();
  THREAD_CHECK_INT(curl_multi_setopt(m, CURLMOPT_MAXCONNECTS, KEPT), CURLM_OK);
  return m;
}

/* Some are removed before their end. */
static void *one_thread(void *arg)
{
  int number = *(int *)arg, round, i, running;
  CURLM *m = multi_for_all();
  for(round = 0; round < (rounds + 3) / 4; round++) {
    CURL *e[STREAMS];
    size_t counts[STREAMS];
    for(i = 0; i < STREAMS; i++) {
      e[i] = easy_for(i % 3, &counts[i]);
      THREAD_CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_OK);
    }
    THREAD_CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
    i = (number + round) % STREAMS;
    THREAD_CHECK_INT(curl_multi_remove_handle(m, e[i]), CURLM_OK);
    curl_easy_cleanup(e[i]);
    e[i] = NULL;
    drive(m);
    for(i = 0; i < STREAMS; i++) {
      if(!e[i])
        continue;
      THREAD_CHECK_INT(counts[i], strlen(HTTP_SERVER_BODY));
      THREAD_CHECK_INT(curl_multi_remove_handle(m, e[i]), CURLM_OK);
      curl_easy_cleanup(e[i]);
    }
    if((number + round) % 5 == 0) {
      curl_multi_cleanup(m);
      m = multi_for_all();
    }
  }
  curl_multi_cleanup(m);
  return NULL;
}

/* One after the other, by a multi each. The share has a connection for it. */
static void take_from_share(int kind)
{
  const struct http_server *s = kind ? &secured : &plain;
  unsigned before = (unsigned)atomic_load(&s->connections);
  size_t count;
  CURL *e = easy_for(kind, &count);
  CHECK_INT(curl_easy_perform(e), CURLE_OK);
  CHECK_INT(count, strlen(HTTP_SERVER_BODY));
  curl_easy_cleanup(e);
  CHECK_INT(atomic_load(&s->connections), before);
}

TEST(streams_with_a_share)
{
  share = curl_share_init();
  CHECK_INT(curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION), CURLSHE_OK);
  threads_run(one_thread);
  take_from_share(0);
  take_from_share(1);
  CHECK_INT(curl_share_cleanup(share), CURLSHE_OK);
  CHECK(atomic_load(&plain.connections) < atomic_load(&plain.requests));
  threads_settle();
  CHECK_INT(curl_global_init(CURL_GLOBAL_DEFAULT), CURLE_OK);
  curl_global_cleanup(); /* the TLS contexts of the process */
}

int main(int argc, char **argv)
{
  threads_begin(argc, argv);
  plain.talk = h2_server_talk;
  secured.talk = h2_server_talk;
  http_server_start(&plain);
  threads_start_tls(&secured);
  SSL_CTX_set_alpn_select_cb(threads_ctx, choose_h2, NULL);
  threads_start_secured(&old);
  TEST_RUN(streams_with_a_share);
  http_server_stop(&plain);
  http_server_stop(&secured);
  http_server_stop(&old);
  SSL_CTX_free(threads_ctx);
  return test_end();
}
