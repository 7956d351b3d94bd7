/* tests/unit/api/test_share.c: curl_share_*: codes, locks, what is shared, and that nothing is left. Between
 * threads: tests/threads. Needs posix. */
#include "api/easy/easy_handle.h"
#include "api/multi/multi_handle.h"
#include "net/http_server.h"
#include "net/http_client.h"
#include "transfer/multi/share.h"

#include <curl/curl.h>

static struct {
  int locked[CURL_LOCK_DATA_LAST];
  int held[CURL_LOCK_DATA_LAST];
  int nested; /* a lock taken while the same is held */
} locks;

static void lock(CURL *easy, curl_lock_data data, curl_lock_access access, void *user)
{
  (void)easy;
  (void)access;
  CHECK(user == &locks);
  locks.nested += locks.held[data] > 0;
  locks.held[data]++;
  locks.locked[data]++;
}

static void unlock(CURL *easy, curl_lock_data data, void *user)
{
  (void)easy;
  CHECK(user == &locks);
  locks.held[data]--;
}

/* As easy_for(), with the share. */
static CURL *sharing(CURLSH *share, const char *path)
{
  CURL *e = easy_for(path);
  if(e && curl_easy_setopt(e, CURLOPT_SHARE, share)) {
    CHECK(test_mem.failed);
    curl_easy_cleanup(e);
    return NULL;
  }
  return e;
}

static CURLSH *share_of(int kinds)
{
  CURLSH *s = curl_share_init();
  int i;
  for(i = 0; s && i < CURL_LOCK_DATA_LAST; i++)
    if(kinds & (1 << i))
      CHECK_INT(curl_share_setopt(s, CURLSHOPT_SHARE, i), CURLSHE_OK);
  return s;
}

#define CONNECT (1 << CURL_LOCK_DATA_CONNECT)
#define DNS (1 << CURL_LOCK_DATA_DNS)
#define SESSIONS (1 << CURL_LOCK_DATA_SSL_SESSION)

TEST(codes)
{
  CURLSH *s = curl_share_init();
  CHECK_INT(curl_share_setopt(NULL, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS), CURLSHE_INVALID);
  CHECK_INT(curl_share_cleanup(NULL), CURLSHE_INVALID);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_SHARE, CURL_LOCK_DATA_NONE), CURLSHE_BAD_OPTION);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_SHARE, CURL_LOCK_DATA_SHARE), CURLSHE_BAD_OPTION);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_SHARE, 1000), CURLSHE_BAD_OPTION);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_SHARE, -1), CURLSHE_BAD_OPTION);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_UNSHARE, CURL_LOCK_DATA_DNS), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_UNSHARE, 1000), CURLSHE_BAD_OPTION);
  CHECK_INT(curl_share_setopt(s, (CURLSHoption)1000, 1), CURLSHE_BAD_OPTION);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
}

TEST(in_use)
{
  CURLSH *s = share_of(CONNECT), *other = share_of(CONNECT);
  CURL *a = sharing(s, "/"), *b = sharing(s, "/");
  CHECK_INT(curl_share_cleanup(s), CURLSHE_IN_USE);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS), CURLSHE_IN_USE);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_LOCKFUNC, lock), CURLSHE_IN_USE);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_SHARE, s), CURLE_OK); /* the same again */
  CHECK_INT(curl_easy_setopt(a, CURLOPT_SHARE, NULL), CURLE_OK);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_SHARE, NULL), CURLE_OK);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_IN_USE);
  CHECK_INT(curl_easy_setopt(b, CURLOPT_SHARE, other), CURLE_OK);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
  curl_easy_reset(b); /* keeps the share (curl_easy_reset(3)) */
  CHECK_INT(curl_share_cleanup(other), CURLSHE_IN_USE);
  curl_easy_cleanup(b);
  CHECK_INT(curl_share_cleanup(other), CURLSHE_OK);
  curl_easy_cleanup(a);
}

TEST(connections_are_shared)
{
  CURLSH *s = share_of(CONNECT);
  CURL *a = sharing(s, "/a"), *b = sharing(s, "/b");
  int connections = server.connections;
  int i;
  for(i = 0; i < 3; i++) {
    CHECK_INT(curl_easy_perform(a), CURLE_OK);
    CHECK_INT(curl_easy_perform(b), CURLE_OK);
  }
  CHECK_INT(server.connections - connections, 1);
  curl_easy_cleanup(a);
  CHECK_INT(curl_easy_perform(b), CURLE_OK);
  CHECK_INT(server.connections - connections, 1);
  curl_easy_cleanup(b);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
}

TEST(not_after_the_share_was_left)
{
  CURLSH *s = share_of(CONNECT);
  CURL *a = sharing(s, "/a");
  int connections = server.connections;
  CHECK_INT(curl_easy_perform(a), CURLE_OK);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_SHARE, NULL), CURLE_OK);
  CHECK_INT(curl_easy_perform(a), CURLE_OK);
  CHECK_INT(server.connections - connections, 2);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
  CHECK_INT(curl_easy_perform(a), CURLE_OK);
  CHECK_INT(server.connections - connections, 2);
  curl_easy_cleanup(a);
}

TEST(names_are_shared)
{
  struct curl_slist *lines;
  CURLSH *s = share_of(DNS);
  CURL *a = sharing(s, "/a"), *b = sharing(s, "/b");
  char text[100];
  snprintf(text, sizeof text, "shared.invalid:%u:127.0.0.1", server.port);
  lines = curl_slist_append(NULL, text);
  snprintf(text, sizeof text, "http://shared.invalid:%u/", server.port);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_URL, text), CURLE_OK);
  CHECK_INT(curl_easy_setopt(b, CURLOPT_URL, text), CURLE_OK);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_RESOLVE, lines), CURLE_OK);
  CHECK_INT(curl_easy_perform(a), CURLE_OK);
  CHECK_INT(curl_easy_perform(b), CURLE_OK);
  curl_easy_cleanup(a);
  CHECK_INT(curl_easy_setopt(b, CURLOPT_FRESH_CONNECT, 1L), CURLE_OK);
  CHECK_INT(curl_easy_perform(b), CURLE_OK);
  curl_easy_cleanup(b);
  curl_slist_free_all(lines);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
}

TEST(the_applications_locks)
{
  CURLSH *s = share_of(CONNECT | DNS | SESSIONS);
  CURL *a;
  int i;
  memset(&locks, 0, sizeof locks);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_LOCKFUNC, lock), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_UNLOCKFUNC, unlock), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_USERDATA, &locks), CURLSHE_OK);
  a = sharing(s, "/a");
  CHECK_INT(curl_easy_perform(a), CURLE_OK);
  CHECK_INT(curl_easy_perform(a), CURLE_OK);
  CHECK_INT(curl_easy_upkeep(a), CURLE_OK);
  curl_easy_cleanup(a);
  CHECK(locks.locked[CURL_LOCK_DATA_CONNECT] >= 5);
  for(i = 0; i < CURL_LOCK_DATA_LAST; i++)
    CHECK_INT(locks.held[i], 0);
  CHECK_INT(locks.nested, 0);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
}

/* One function alone locks nothing. */
TEST(half_of_the_locks)
{
  CURLSH *s = share_of(CONNECT);
  CURL *a;
  memset(&locks, 0, sizeof locks);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_LOCKFUNC, lock), CURLSHE_OK);
  CHECK_INT(curl_share_setopt(s, CURLSHOPT_USERDATA, &locks), CURLSHE_OK);
  a = sharing(s, "/a");
  CHECK_INT(curl_easy_perform(a), CURLE_OK);
  curl_easy_cleanup(a);
  CHECK_INT(locks.locked[CURL_LOCK_DATA_CONNECT], 0);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
}

/* CONNECT_ONLY leaves a connection of the share's pool with the handle: it must find its way back. */
TEST(an_open_connection_when_the_share_is_left)
{
  CURLSH *s = share_of(CONNECT);
  CURL *a = sharing(s, "/a");
  int fds = fds_open();
  CHECK_INT(curl_easy_setopt(a, CURLOPT_CONNECT_ONLY, 1L), CURLE_OK);
  CHECK_INT(curl_easy_perform(a), CURLE_OK);
  (void)curl_easy_setopt(a, CURLOPT_SHARE, NULL);
  curl_easy_cleanup(a);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
  CHECK(fds_open() <= fds + 1);
  a = sharing(NULL, "/a"); /* and one that joins with an open connection of its own */
  s = share_of(CONNECT);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_CONNECT_ONLY, 1L), CURLE_OK);
  CHECK_INT(curl_easy_perform(a), CURLE_OK);
  (void)curl_easy_setopt(a, CURLOPT_SHARE, s);
  curl_easy_cleanup(a);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
}

/* A handle with the connection that CONNECT_ONLY has left open. */
static CURL *with_open_connection(CURLSH *share)
{
  CURL *e = sharing(share, "/a");
  CHECK_INT(curl_easy_setopt(e, CURLOPT_CONNECT_ONLY, 1L), CURLE_OK);
  CHECK_INT(curl_easy_perform(e), CURLE_OK);
  return e;
}

/* Sends a request on the open connection and waits for the response. */
static void talk(CURL *e)
{
  static const char request[] = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
  char got[500];
  size_t n = 0;
  int i;
  CHECK_INT(curl_easy_send(e, request, sizeof request - 1, &n), CURLE_OK);
  CHECK_INT(n, sizeof request - 1);
  for(i = 0; i < 5000 && curl_easy_recv(e, got, sizeof got, &n) == CURLE_AGAIN; i++)
    fds_nap(1);
  CHECK(n > 12 && !memcmp(got, "HTTP/1.1 200", 12));
}

/* The connection stayed in the pool of the share, whose clean-up freed it. */
TEST(an_open_connection_outlives_the_share)
{
  CURLSH *s = share_of(CONNECT | SESSIONS);
  CURL *a = with_open_connection(s);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_SHARE, NULL), CURLE_OK);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
  talk(a);
  curl_easy_cleanup(a);
}

TEST(a_transfer_after_the_share_was_left_open)
{
  CURLSH *s = share_of(CONNECT);
  CURL *a = with_open_connection(s);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_SHARE, NULL), CURLE_OK);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_CONNECT_ONLY, 0L), CURLE_OK);
  CHECK_INT(curl_easy_perform(a), CURLE_OK);
  curl_easy_reset(a);
  curl_easy_cleanup(a);
}

static uint32_t pooled(CURL *e, bool by_share)
{
  struct mote_easy *h = mote_easy_of(e);
  return by_share ? h->t.share->pool->count : h->own->m.pool.count;
}

/* The pool that the handle joined was left by a connection that it never had, and counted 4294967295. */
TEST(an_open_connection_counts_in_its_pool)
{
  CURLSH *s = share_of(CONNECT), *other = share_of(CONNECT);
  CURL *a = with_open_connection(NULL);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_SHARE, s), CURLE_OK);
  CHECK_INT(pooled(a, false), 1);
  CHECK_INT(pooled(a, true), 0);
  talk(a);
  curl_easy_reset(a); /* closes it */
  CHECK_INT(pooled(a, false), 0);
  CHECK_INT(pooled(a, true), 0);
  curl_easy_cleanup(a);
  a = with_open_connection(s);
  CHECK_INT(pooled(a, true), 1);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_SHARE, s), CURLE_OK); /* the same again */
  CHECK_INT(pooled(a, true), 1);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_SHARE, other), CURLE_OK);
  CHECK_INT(pooled(a, true), 0);
  CHECK_INT(pooled(a, false), 1);
  CHECK_INT(curl_easy_setopt(a, CURLOPT_SHARE, s), CURLE_OK);
  CHECK_INT(pooled(a, true), 0);
  curl_easy_cleanup(a);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
  CHECK_INT(curl_share_cleanup(other), CURLSHE_OK);
}

static void scenario(void)
{
  CURLSH *s = share_of(CONNECT | DNS | SESSIONS);
  CURL *a, *b;
  CURLcode rc;
  int i;
  if(!s) {
    CHECK(test_mem.failed);
    return;
  }
  a = sharing(s, "/a");
  b = sharing(s, "/close");
  for(i = 0; i < 4; i++) {
    CURL *e = i % 2 ? a : b;
    rc = e ? curl_easy_perform(e) : CURLE_OK;
    CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  }
  curl_easy_cleanup(a);
  curl_easy_cleanup(b);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  http_begin();
  TEST_RUN(codes);
  TEST_RUN(in_use);
  TEST_RUN(connections_are_shared);
  TEST_RUN(not_after_the_share_was_left);
  TEST_RUN(names_are_shared);
  TEST_RUN(the_applications_locks);
  TEST_RUN(half_of_the_locks);
  TEST_RUN(an_open_connection_when_the_share_is_left);
  TEST_RUN(an_open_connection_outlives_the_share);
  TEST_RUN(a_transfer_after_the_share_was_left_open);
  TEST_RUN(an_open_connection_counts_in_its_pool);
  TEST_RUN(survives);
  http_server_stop(&server);
  return test_end();
}
