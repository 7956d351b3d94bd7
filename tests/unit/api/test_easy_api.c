/* tests/unit/api/test_easy_api.c: the easy handle: made, copied, reset, cleaned up in every order; wrong
 * handles. Needs share, url_api, posix. */
#include "net/http_server.h"
#include "net/http_client.h"

#include <curl/curl.h>

static size_t count_bytes(char *bytes, size_t size, size_t n, void *user)
{
  (void)bytes;
  *(size_t *)user += size * n;
  return size * n;
}

static size_t bytes_got;

/* As easy_for(), with what comes counted. */
static CURL *counting(const char *path)
{
  CURL *e = easy_for(path);
  if(e && (curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, count_bytes) ||
           curl_easy_setopt(e, CURLOPT_WRITEDATA, &bytes_got))) {
    CHECK(test_mem.failed);
    curl_easy_cleanup(e);
    return NULL;
  }
  return e;
}

TEST(wrong_handles)
{
  CURLM *m = curl_multi_init();
  CURL *e = curl_easy_init();
  size_t n;
  long v;
  CHECK_INT(curl_easy_perform(NULL), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_perform((CURL *)m), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_setopt(NULL, CURLOPT_VERBOSE, 1L), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_getinfo(NULL, CURLINFO_RESPONSE_CODE, &v), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_pause(NULL, CURLPAUSE_ALL), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_upkeep(NULL), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_recv(NULL, &v, 1, &n), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_send(NULL, "x", 1, &n), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK(!curl_easy_duphandle(NULL));
  CHECK(!curl_easy_duphandle((CURL *)m));
  curl_easy_reset(NULL);
  curl_easy_cleanup(NULL);
  curl_easy_cleanup((CURL *)m);
  CHECK_INT(curl_easy_recv(e, &v, 1, &n), CURLE_UNSUPPORTED_PROTOCOL);
  CHECK_INT(curl_easy_send(e, "x", 1, &n), CURLE_UNSUPPORTED_PROTOCOL);
  CHECK_INT(curl_easy_pause(e, CURLPAUSE_ALL), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_upkeep(e), CURLE_OK);
  CHECK_INT(curl_easy_perform(e), CURLE_URL_MALFORMAT);
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

TEST(kept_connection)
{
  CURL *e = counting("/");
  int connections = server.connections, i;
  long fresh;
  bytes_got = 0;
  for(i = 0; i < 3; i++) {
    CHECK_INT(curl_easy_perform(e), CURLE_OK);
    CHECK_INT(curl_easy_getinfo(e, CURLINFO_NUM_CONNECTS, &fresh), CURLE_OK);
    CHECK_INT(fresh, i == 0);
  }
  CHECK_INT(server.connections - connections, 1);
  CHECK_INT(bytes_got, 3 * strlen(HTTP_SERVER_BODY));
  curl_easy_cleanup(e);
}

TEST(copies)
{
  CURL *a = counting("/"), *b;
  int connections = server.connections;
  long code;
  CHECK_INT(curl_easy_perform(a), CURLE_OK);
  b = curl_easy_duphandle(a);
  CHECK_INT(curl_easy_getinfo(b, CURLINFO_RESPONSE_CODE, &code), CURLE_OK);
  CHECK_INT(code, 0); /* no state goes over */
  curl_easy_cleanup(a); /* nor does b need a */
  bytes_got = 0;
  CHECK_INT(curl_easy_perform(b), CURLE_OK);
  CHECK_INT(bytes_got, strlen(HTTP_SERVER_BODY));
  CHECK_INT(server.connections - connections, 2);
  curl_easy_cleanup(b);
}

/* curl_easy_duphandle(3): "as if CURLOPT_SHARE was set to NULL". */
TEST(a_copy_has_no_share)
{
  CURLSH *s = curl_share_init();
  CURL *a = counting("/"), *b;
  CHECK_INT(curl_easy_setopt(a, CURLOPT_SHARE, s), CURLE_OK);
  b = curl_easy_duphandle(a);
  curl_easy_cleanup(a);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
  curl_easy_cleanup(b);
}

TEST(reset_keeps_the_connection)
{
  CURL *e = counting("/");
  int connections = server.connections;
  char url[100];
  CHECK_INT(curl_easy_perform(e), CURLE_OK);
  curl_easy_reset(e);
  CHECK_INT(curl_easy_perform(e), CURLE_URL_MALFORMAT);
  snprintf(url, sizeof url, "http://127.0.0.1:%u/", server.port);
  CHECK_INT(curl_easy_setopt(e, CURLOPT_URL, url), CURLE_OK);
  CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, count_bytes), CURLE_OK);
  CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEDATA, &bytes_got), CURLE_OK);
  CHECK_INT(curl_easy_perform(e), CURLE_OK);
  CHECK_INT(server.connections - connections, 1);
  curl_easy_cleanup(e);
}

TEST(connect_only)
{
  static const char request[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  CURL *e = counting("/");
  char buf[300];
  size_t n = 0, got = 0;
  CURLcode rc = CURLE_AGAIN;
  curl_socket_t fd = CURL_SOCKET_BAD;
  int i;
  CHECK_INT(curl_easy_setopt(e, CURLOPT_CONNECT_ONLY, 1L), CURLE_OK);
  CHECK_INT(curl_easy_perform(e), CURLE_OK);
  CHECK_INT(curl_easy_getinfo(e, CURLINFO_ACTIVESOCKET, &fd), CURLE_OK);
  CHECK(fd != CURL_SOCKET_BAD);
  CHECK_INT(curl_easy_send(e, request, sizeof request - 1, &n), CURLE_OK);
  CHECK_INT(n, sizeof request - 1);
  for(i = 0; i < 20000 && (!got || !strstr(buf, "mote")); i++) {
    rc = curl_easy_recv(e, buf + got, sizeof buf - 1 - got, &n);
    if(rc && !CHECK_INT(rc, CURLE_AGAIN))
      break;
    got += rc ? 0 : n;
    buf[got] = 0;
    if(rc)
      fds_nap(1);
  }
  CHECK(got && !strncmp(buf, "HTTP/1.1 200", 12));
  CHECK_INT(curl_easy_perform(e), CURLE_OK); /* again: the first connection goes */
  curl_easy_reset(e);
  CHECK_INT(curl_easy_send(e, request, 1, &n), CURLE_UNSUPPORTED_PROTOCOL);
  curl_easy_cleanup(e);
}

static int cleaned_in_callback(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
  (void)a;
  (void)b;
  (void)c;
  (void)d;
  curl_easy_cleanup(user); /* refused */
  curl_easy_reset(user);   /* likewise */
  CHECK_INT(curl_easy_perform(user), CURLE_RECURSIVE_API_CALL);
  CHECK_INT(curl_easy_upkeep(user), CURLE_RECURSIVE_API_CALL);
  return 0;
}

TEST(from_inside_a_callback)
{
  CURL *e = counting("/");
  CHECK_INT(curl_easy_setopt(e, CURLOPT_NOPROGRESS, 0L), CURLE_OK);
  CHECK_INT(curl_easy_setopt(e, CURLOPT_XFERINFOFUNCTION, cleaned_in_callback), CURLE_OK);
  CHECK_INT(curl_easy_setopt(e, CURLOPT_XFERINFODATA, e), CURLE_OK);
  CHECK_INT(curl_easy_perform(e), CURLE_OK);
  curl_easy_cleanup(e);
}

static void scenario(void)
{
  CURL *e = counting("/"), *copy;
  CURLcode rc;
  if(!e)
    return;
  rc = curl_easy_perform(e);
  CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  copy = curl_easy_duphandle(e);
  CHECK(copy || test_mem.failed);
  if(rc) { /* usable again */
    test_mem.fail_at = 0;
    CHECK_INT(curl_easy_perform(e), CURLE_OK);
  }
  if(copy) {
    rc = curl_easy_perform(copy);
    CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  }
  curl_easy_reset(e);
  curl_easy_cleanup(e);
  curl_easy_cleanup(copy);
}

TEST(survives)
{
  run_with_failures(scenario);
}

/* The transfer ends when its URL is judged: nothing is sent. */
static void parts_of_a_url(void)
{
  CURL *curl = curl_easy_init();
  CURLU *u = curl_url();
  unsigned flags = CURLU_NON_SUPPORT_SCHEME | CURLU_ALLOW_SPACE;
  if(curl && u && !curl_url_set(u, CURLUPART_URL, "foo://u:p@[::1%25lo]:81/a b?q#f", flags) &&
     !curl_url_set(u, CURLUPART_USER, "host:1/", 0) && !curl_easy_setopt(curl, CURLOPT_CURLU, u)) {
    CURLcode rc = curl_easy_perform(curl);
    CHECK(rc == CURLE_UNSUPPORTED_PROTOCOL || rc == CURLE_OUT_OF_MEMORY);
  }
  curl_easy_cleanup(curl);
  curl_url_cleanup(u);
}

TEST(parts_of_a_url_without_memory)
{
  run_with_failures(parts_of_a_url);
}

int main(void)
{
  http_begin();
  TEST_RUN(wrong_handles);
  TEST_RUN(kept_connection);
  TEST_RUN(copies);
  TEST_RUN(a_copy_has_no_share);
  TEST_RUN(reset_keeps_the_connection);
  TEST_RUN(connect_only);
  TEST_RUN(from_inside_a_callback);
  TEST_RUN(survives);
  http_server_stop(&server);
  TEST_RUN(parts_of_a_url_without_memory);
  return test_end();
}
