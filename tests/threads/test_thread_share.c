/* tests/threads/test_thread_share.c: one share, many threads: connections, names and TLS sessions, with our
 * locks and with the application's; HTTP, and FTP and IMAP side by side. */
#include "line_server.h"
#include "threads.h"

#define LISTENERS 6

static struct http_server server;
static struct http_server tls_server;
static struct http_server ftp_servers[2], imap_servers[2]; /* plain, with TLS */
static CURLSH *share;
static struct curl_slist *lines; /* for CURLOPT_RESOLVE */
static pthread_mutex_t locks[CURL_LOCK_DATA_LAST];

static void lock(CURL *easy, curl_lock_data data, curl_lock_access access, void *user)
{
  (void)easy;
  (void)access;
  (void)user;
  pthread_mutex_lock(&locks[data]);
}

static void unlock(CURL *easy, curl_lock_data data, void *user)
{
  (void)easy;
  (void)user;
  pthread_mutex_unlock(&locks[data]);
}

static void begin(bool own_locks)
{
  int i;
  share = curl_share_init();
  CHECK_INT(curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION), CURLSHE_OK);
  if(!own_locks)
    return;
  for(i = 0; i < CURL_LOCK_DATA_LAST; i++)
    pthread_mutex_init(&locks[i], NULL);
  CHECK_INT(curl_share_setopt(share, CURLSHOPT_LOCKFUNC, lock), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(share, CURLSHOPT_UNLOCKFUNC, unlock), CURLSHE_OK);
}

static void end(void)
{
  CHECK_INT(curl_share_cleanup(share), CURLSHE_OK);
  curl_slist_free_all(lines);
  lines = NULL;
  threads_settle();
}

static CURL *easy_for(const char *url, size_t *count)
{
  CURL *e = curl_easy_init();
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_URL, url), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_SHARE, share), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, threads_count), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEDATA, count), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 0L), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 0L), CURLE_OK);
  if(lines)
    THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_RESOLVE, lines), CURLE_OK);
  return e;
}

/* By the easy interface and by a multi of the thread's own in turn, handles that come and go. */
static void get_often(const char *url, int number, int count)
{
  CURL *e = NULL;
  CURLM *m = curl_multi_init();
  size_t bytes = 0, want = 0;
  int i;
  for(i = 0; i < count; i++) {
    if(!e)
      e = easy_for(url, &bytes);
    THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_FRESH_CONNECT, (long)((i + number) % 5 == 0)), CURLE_OK);
    THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_FORBID_REUSE, (long)((i + number) % 7 == 0)), CURLE_OK);
    if(i % 2) {
      int running = 1, left;
      CURLMsg *msg;
      THREAD_CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
      while(running && curl_multi_perform(m, &running) == CURLM_OK && running)
        if(curl_multi_poll(m, NULL, 0, 1000, NULL))
          break;
      msg = curl_multi_info_read(m, &left);
      THREAD_CHECK_INT(msg ? (int)msg->data.result : -1, CURLE_OK);
      THREAD_CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
    }
    else
      THREAD_CHECK_INT(curl_easy_perform(e), CURLE_OK);
    want += strlen(HTTP_SERVER_BODY);
    THREAD_CHECK_INT(bytes, want);
    if(i % 6 == 0)
      THREAD_CHECK_INT(curl_easy_upkeep(e), CURLE_OK);
    if(i % 9 == number % 9) {
      curl_easy_cleanup(e);
      e = NULL;
    }
  }
  curl_easy_cleanup(e);
  THREAD_CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

static void *plain(void *number)
{
  char url[60];
  snprintf(url, sizeof url, "http://shared.test:%u/", server.port);
  get_often(url, *(int *)number, rounds);
  return NULL;
}

static void *tls(void *number)
{
  char url[60];
  snprintf(url, sizeof url, "https://shared.test:%u/", tls_server.port);
  get_often(url, *(int *)number, (rounds + 3) / 4);
  return NULL;
}

/* FTP and IMAP by turns. */
static void mixed(int number, bool secure, int count)
{
  const struct http_server *s = number % 2 ? &imap_servers[secure] : &ftp_servers[secure];
  char url[100];
  snprintf(url, sizeof url, "%s%s://user:secret@shared.test:%u/%s", number % 2 ? "imap" : "ftp",
           secure ? "s" : "", s->port, number % 2 ? "box;MAILINDEX=1" : "file");
  get_often(url, number, count);
}

static void *lines_plain(void *number)
{
  mixed(*(int *)number, false, rounds);
  return NULL;
}

static void *lines_tls(void *number)
{
  mixed(*(int *)number, true, (rounds + 3) / 4);
  return NULL;
}

static void add_line(uint16_t port)
{
  char text[60];
  snprintf(text, sizeof text, "+shared.test:%u:127.0.0.1", port);
  lines = curl_slist_append(lines, text);
}

TEST(connections_and_names_with_our_locks)
{
  begin(false);
  add_line(server.port);
  threads_run(plain);
  end();
}

TEST(connections_and_names_with_the_applications_locks)
{
  begin(true);
  add_line(server.port);
  threads_run(plain);
  end();
}

TEST(tls_with_our_locks)
{
  begin(false);
  add_line(tls_server.port);
  atomic_store(&threads_resumed, 0);
  threads_run(tls);
  CHECK(rounds < 20 || atomic_load(&threads_resumed) > 0);
  end();
  curl_global_cleanup();
}

TEST(tls_with_the_applications_locks)
{
  begin(true);
  add_line(tls_server.port);
  threads_run(tls);
  end();
  curl_global_cleanup();
}

/* Only the connections are shared: their TLS layers must not remember a multi's sessions that is gone. */
TEST(tls_connections_alone)
{
  begin(false);
  CHECK_INT(curl_share_setopt(share, CURLSHOPT_UNSHARE, CURL_LOCK_DATA_SSL_SESSION), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(share, CURLSHOPT_UNSHARE, CURL_LOCK_DATA_DNS), CURLSHE_OK);
  add_line(tls_server.port);
  threads_run(tls);
  end();
  curl_global_cleanup();
}

TEST(ftp_and_imap)
{
  begin(false);
  add_line(ftp_servers[0].port);
  add_line(imap_servers[0].port);
  threads_run(lines_plain);
  end();
}

TEST(ftp_and_imap_with_tls)
{
  begin(true);
  add_line(ftp_servers[1].port);
  add_line(imap_servers[1].port);
  atomic_store(&threads_resumed, 0);
  threads_run(lines_tls);
  CHECK(rounds < 20 || atomic_load(&threads_resumed) > 0);
  end();
  curl_global_cleanup();
}

static void start_line_servers(void)
{
  int i;
  for(i = 0; i < 2; i++) {
    ftp_servers[i].talk = line_server_ftp;
    imap_servers[i].talk = line_server_imap;
    (i ? threads_start_secured : http_server_start)(&ftp_servers[i]);
    (i ? threads_start_secured : http_server_start)(&imap_servers[i]);
  }
}

static void stop_line_servers(void)
{
  int i;
  for(i = 0; i < 2; i++) {
    http_server_stop(&ftp_servers[i]);
    http_server_stop(&imap_servers[i]);
  }
}

int main(int argc, char **argv)
{
  int fds;
  threads_begin(argc, argv);
  http_server_start(&server);
  threads_start_tls(&tls_server);
  start_line_servers();
  fds = fds_open();
  TEST_RUN(connections_and_names_with_our_locks);
  TEST_RUN(connections_and_names_with_the_applications_locks);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  TEST_RUN(tls_with_our_locks);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  TEST_RUN(tls_with_the_applications_locks);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  TEST_RUN(tls_connections_alone);
  TEST_RUN(ftp_and_imap);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  TEST_RUN(ftp_and_imap_with_tls);
  http_server_stop(&server);
  http_server_stop(&tls_server);
  stop_line_servers();
  SSL_CTX_free(threads_ctx);
  if(fds_open() > fds - LISTENERS) /* TLS may keep one for random numbers */
    fprintf(stderr, "descriptors: %d before, %d after\n", fds - LISTENERS, fds_open());
  return test_end();
}
