/* tests/threads/test_thread_names.c: lookup threads whose transfers are removed, whose multis are cleaned up,
 * and wake-ups from other threads, all under way at once. The port's lookup is replaced by one that takes its
 * time. */
#include "threads.h"

#include "port/port.h"

static struct http_server server;
static atomic_uint lookups;

int mote_port_lookup(const char *name, enum mote_family family, struct mote_addr *out, size_t max,
                     size_t *count)
{
  unsigned n = atomic_fetch_add(&lookups, 1);
  (void)family;
  (void)max;
  fds_nap(n % 4);
  *count = 0;
  if(!strncmp(name, "none.", 5))
    return MOTE_PORT_NO_NAME;
  memset(out, 0, sizeof *out);
  out->family = MOTE_FAMILY_IP4;
  out->ip[0] = 127;
  out->ip[3] = 1;
  *count = 1;
  return 0;
}

static CURL *easy_for(const char *name, size_t *count)
{
  CURL *e = curl_easy_init();
  char url[80];
  snprintf(url, sizeof url, "http://%s:%u/", name, server.port);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_URL, url), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, threads_count), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEDATA, count), CURLE_OK);
  THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_DNS_CACHE_TIMEOUT, 0L), CURLE_OK);
  return e;
}

/* Drive for at most `steps` waits. */
static void drive(CURLM *m, int steps)
{
  int running = 1;
  while(running && steps-- && curl_multi_perform(m, &running) == CURLM_OK && running)
    if(curl_multi_poll(m, NULL, 0, 500, NULL))
      break;
}

static void *one_thread(void *arg)
{
  int number = *(int *)arg, i, j;
  for(i = 0; i < rounds; i++) {
    CURLM *m = curl_multi_init();
    size_t count = 0;
    CURL *e[5];
    (void)curl_multi_setopt(m, CURLMOPT_RESOLVE_THREADS_MAX, (long)(1 + i % 3));
    for(j = 0; j < 5; j++) {
      char name[30];
      snprintf(name, sizeof name, "%s.test%d", j == 4 ? "none" : "one", (i + j) % 3);
      e[j] = easy_for(name, &count);
      THREAD_CHECK_INT(curl_multi_add_handle(m, e[j]), CURLM_OK);
    }
    drive(m, (i + number) % 6);
    for(j = 0; j < 5; j++)
      if((i + j) % 2)
        THREAD_CHECK_INT(curl_multi_remove_handle(m, e[j]), CURLM_OK);
    if(i % 3 == 0)
      drive(m, 100);
    if(i % 3 == 1)
      for(j = 0; j < 5; j++)
        curl_easy_cleanup(e[j]);
    THREAD_CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
    if(i % 3 != 1)
      for(j = 0; j < 5; j++)
        curl_easy_cleanup(e[j]);
  }
  return NULL;
}

TEST(lookups_that_are_left)
{
  threads_run(one_thread);
  threads_settle();
  CHECK(atomic_load(&lookups) > 0);
}

static void *easy_thread(void *arg)
{
  int i;
  (void)arg;
  for(i = 0; i < rounds; i++) {
    size_t count = 0;
    CURL *e = easy_for(i % 4 ? "one.test" : "none.test", &count);
    if(i % 3 == 0)
      THREAD_CHECK_INT(curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, 1L), CURLE_OK); /* most often over in the
                                                                                  lookup */
    (void)curl_easy_perform(e);
    if(i % 3 && i % 4)
      THREAD_CHECK_INT(count, strlen(HTTP_SERVER_BODY));
    curl_easy_cleanup(e);
  }
  return NULL;
}

TEST(easy_handles)
{
  threads_run(easy_thread);
  threads_settle();
}

/* ---- wake-ups: the first thread waits, the others wake it ---- */

static CURLM *woken;
static atomic_int still_waking;
static atomic_int waits_over;

static void *wake_or_wait(void *arg)
{
  int i;
  if(!*(int *)arg) {
    size_t count = 0;
    CURL *e = easy_for("one.test", &count);
    while(atomic_load(&still_waking)) {
      THREAD_CHECK_INT(curl_multi_add_handle(woken, e), CURLM_OK);
      drive(woken, 3);
      THREAD_CHECK_INT(curl_multi_remove_handle(woken, e), CURLM_OK);
      THREAD_CHECK_INT(curl_multi_poll(woken, NULL, 0, 50, NULL), CURLM_OK);
      atomic_fetch_add(&waits_over, 1);
    }
    curl_easy_cleanup(e);
    return NULL;
  }
  for(i = 0; i < rounds * 10; i++) {
    THREAD_CHECK_INT(curl_multi_wakeup(woken), CURLM_OK);
    if(i % 16 == 0)
      fds_nap(1);
  }
  atomic_fetch_sub(&still_waking, 1);
  return NULL;
}

TEST(wake_ups)
{
  woken = curl_multi_init();
  atomic_store(&still_waking, THREADS - 1);
  threads_run(wake_or_wait);
  CHECK(atomic_load(&waits_over) > 0);
  CHECK_INT(curl_multi_cleanup(woken), CURLM_OK);
  threads_settle();
}

int main(int argc, char **argv)
{
  int fds;
  threads_begin(argc, argv);
  fds = fds_open();
  http_server_start(&server);
  TEST_RUN(lookups_that_are_left);
  TEST_RUN(easy_handles);
  TEST_RUN(wake_ups);
  http_server_stop(&server);
  if(fds_open() != fds) {
    fprintf(stderr, "descriptors: %d before, %d after\n", fds, fds_open());
    return EXIT_FAILURE;
  }
  return test_end();
}
