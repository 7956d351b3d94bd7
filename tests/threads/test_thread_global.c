/* tests/threads/test_thread_global.c: curl_global_init and curl_global_cleanup in every thread, while others
 * transfer, with TLS too: contexts and trust come and go. */
#include "threads.h"

static struct http_server server;
static struct http_server tls_server;

static void *one_thread(void *arg)
{
  int number = *(int *)arg, i;
  for(i = 0; i < (rounds + 3) / 4; i++) {
    bool tls = (i + number) % 2;
    size_t count = 0;
    char url[60];
    CURL *e;
    THREAD_CHECK_INT(curl_global_init(CURL_GLOBAL_DEFAULT), CURLE_OK);
    (void)curl_version();
    (void)curl_version_info(CURLVERSION_NOW);
    e = curl_easy_init();
    snprintf(url, sizeof url, "http%s://127.0.0.1:%u/", tls ? "s" : "", tls ? tls_server.port : server.port);
    THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_URL, url), CURLE_OK);
    THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, threads_count), CURLE_OK);
    THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEDATA, &count), CURLE_OK);
    THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 0L), CURLE_OK);
    THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 0L), CURLE_OK);
    THREAD_CHECK_INT(curl_easy_perform(e), CURLE_OK);
    THREAD_CHECK_INT(count, strlen(HTTP_SERVER_BODY));
    if(i % 2)
      curl_easy_cleanup(e);
    curl_global_cleanup();
    if(!(i % 2))
      curl_easy_cleanup(e);
  }
  return NULL;
}

TEST(init_and_cleanup)
{
  threads_run(one_thread);
  threads_settle();
  CHECK_INT(curl_global_init(CURL_GLOBAL_DEFAULT), CURLE_OK);
  curl_global_cleanup(); /* contexts that a late handle has made */
}

int main(int argc, char **argv)
{
  threads_begin(argc, argv);
  http_server_start(&server);
  threads_start_tls(&tls_server);
  TEST_RUN(init_and_cleanup);
  http_server_stop(&server);
  http_server_stop(&tls_server);
  SSL_CTX_free(threads_ctx);
  return test_end();
}
