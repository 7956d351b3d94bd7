/* tests/threads/test_thread_hosts.c: the hosts of HSTS in one share, used by many threads. Each request asks
 * for them, callbacks and a file add some, and each handle writes them to that file; with our locks and with
 * the application's. Cookies and public suffixes are shared with them. */
#include <unistd.h>

#include "threads.h"

static struct http_server server;
static struct http_server tls_server;
static CURLSH *share;
static struct curl_slist *lines; /* for CURLOPT_RESOLVE */
static pthread_mutex_t locks[CURL_LOCK_DATA_LAST];
static char file[64];

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

static void write_file(void)
{
  FILE *f = fopen(file, "w");
  if(!CHECK(f))
    return;
  fputs(".known.test \"20790101 00:00:00\"\n", f);
  fclose(f);
}

static void add_line(const char *host, uint16_t port)
{
  char text[60];
  snprintf(text, sizeof text, "%s:%u:127.0.0.1", host, port);
  lines = curl_slist_append(lines, text);
}

static void begin(bool own_locks)
{
  static const curl_lock_data kinds[] = {CURL_LOCK_DATA_HSTS, CURL_LOCK_DATA_COOKIE, CURL_LOCK_DATA_PSL};
  unsigned i;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  add_line("plain.test", server.port);
  add_line("a.known.test", tls_server.port);
  write_file();
  share = curl_share_init();
  for(i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    CHECK_INT(curl_share_setopt(share, CURLSHOPT_SHARE, kinds[i]), CURLSHE_OK);
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
  curl_global_cleanup();
}

struct thread {
  int number;
  int said; /* hosts of this transfer */
  int host; /* the next one's number */
};

/* Three hosts for each transfer. */
static CURLSTScode say_host(CURL *easy, struct curl_hstsentry *e, void *user)
{
  struct thread *t = user;
  (void)easy;
  if(t->said == 3) {
    t->said = 0;
    return CURLSTS_DONE;
  }
  t->said++;
  snprintf(e->name, e->namelen, "h%d-%d.test", t->number, t->host++);
  return CURLSTS_OK;
}

static CURLSTScode take_host(CURL *easy, struct curl_hstsentry *e, struct curl_index *index, void *user)
{
  (void)easy;
  THREAD_CHECK_INT(strlen(e->name), e->namelen);
  THREAD_CHECK_INT(index->total > 0, 1);
  ++*(int *)user;
  return CURLSTS_OK;
}

static CURL *easy_for(struct thread *t, size_t *bytes, int *taken)
{
  CURL *e = curl_easy_init();
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_SHARE, share), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_COOKIEFILE, ""), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_HSTS, file), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_HSTSREADFUNCTION, say_host), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_HSTSREADDATA, t), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_HSTSWRITEFUNCTION, take_host), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_HSTSWRITEDATA, taken), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, threads_count), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEDATA, bytes), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 0L), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 0L), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_RESOLVE, lines), CURLE_OK);
  return e;
}

/* An http URL of a known host only works when it has become one of https. */
static void get(CURL *e, int i)
{
  bool known = i % 2 == 0;
  const char *scheme = NULL;
  char url[80];
  snprintf(url, sizeof url, "http://%s:%u/", known ? "a.known.test" : "plain.test",
           known ? tls_server.port : server.port);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_URL, url), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_perform(e), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_getinfo(e, CURLINFO_SCHEME, &scheme), CURLE_OK);
  THREAD_CHECK_INT(scheme && !strcmp(scheme, "https"), known);
}

static void *work(void *number)
{
  struct thread t = {*(int *)number, 0, 0};
  CURL *e = NULL;
  size_t bytes = 0, want = 0;
  int i, taken = 0;
  for(i = 0; i < rounds; i++) {
    if(!e)
      e = easy_for(&t, &bytes, &taken);
    get(e, i + t.number);
    want += strlen(HTTP_SERVER_BODY);
    THREAD_CHECK_INT(bytes, want);
    if(i % 3 == t.number % 3) {
      taken = 0;
      curl_easy_cleanup(e);
      THREAD_CHECK_INT(taken >= 3, 1);
      e = NULL;
    }
  }
  curl_easy_cleanup(e);
  return NULL;
}

TEST(hosts_with_our_locks)
{
  begin(false);
  threads_run(work);
  end();
}

TEST(hosts_with_the_applications_locks)
{
  begin(true);
  threads_run(work);
  end();
}

int main(int argc, char **argv)
{
  threads_begin(argc, argv);
  snprintf(file, sizeof file, "/tmp/mote-hosts-%d", (int)getpid());
  http_server_start(&server);
  threads_start_tls(&tls_server);
  TEST_RUN(hosts_with_our_locks);
  TEST_RUN(hosts_with_the_applications_locks);
  http_server_stop(&server);
  http_server_stop(&tls_server);
  SSL_CTX_free(threads_ctx);
  (void)remove(file);
  return test_end();
}
