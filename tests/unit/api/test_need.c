/* tests/unit/api/test_need.c: mote_need() against a server that sends the worst it can.
 * Needs accounts, file, posix. */
#include <arpa/inet.h>
#include <mote/mote.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"

/* ---- a server: one answer to every request, the same or by the request's number ---- */

#define ANSWERS 6

static struct {
  int listener;
  int port;
  pthread_t thread;
  char *answer[ANSWERS]; /* the last one again and again */
  size_t len[ANSWERS];
  int count;
} server;

/* Up to the end of a head, however long; what follows of a body does not matter. */
static bool read_head(int fd)
{
  char bytes[16384];
  int state = 0;
  while(state < 4) {
    ssize_t n = recv(fd, bytes, sizeof bytes, 0), i;
    if(n <= 0)
      return false;
    for(i = 0; i < n && state < 4; i++)
      state = bytes[i] == "\r\n\r\n"[state] ? state + 1 : bytes[i] == '\r';
  }
  return true;
}

static void send_all(int fd, const char *p, size_t len)
{
  while(len) {
    ssize_t n = send(fd, p, len < 5000 ? len : 5000, MSG_NOSIGNAL);
    if(n <= 0)
      return;
    p += n;
    len -= (size_t)n;
  }
}

static void *serve(void *arg)
{
  int n, fd;
  for(n = 0; (fd = accept(server.listener, NULL, NULL)) >= 0; n++) {
    int which = n < server.count ? n : server.count - 1;
    char rest[4096];
    if(read_head(fd))
      send_all(fd, server.answer[which], server.len[which]);
    shutdown(fd, SHUT_WR);
    while(recv(fd, rest, sizeof rest, 0) > 0)
      ;
    close(fd);
  }
  return arg;
}

static void start_server(void)
{
  struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  socklen_t len = sizeof a;
  server.listener = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(!bind(server.listener, (struct sockaddr *)&a, len) && !listen(server.listener, 8));
  CHECK(!getsockname(server.listener, (struct sockaddr *)&a, &len));
  server.port = ntohs(a.sin_port);
  CHECK(!pthread_create(&server.thread, NULL, serve, NULL));
}

static void stop_server(void)
{
  int i;
  shutdown(server.listener, SHUT_RDWR);
  pthread_join(server.thread, NULL);
  close(server.listener);
  for(i = 0; i < server.count; i++)
    free(server.answer[i]);
  server.count = 0;
}

/* ---- answers ---- */

#define ROOM 400000

static char *begin_answer(const char *text)
{
  char *p = malloc(ROOM);
  server.answer[server.count] = p;
  return p + sprintf(p, "%s", text);
}

static void end_answer(char *p, const char *text)
{
  p += sprintf(p, "%s", text);
  server.len[server.count] = (size_t)(p - server.answer[server.count]);
  server.count++;
}

static char *put_line(char *p, size_t value, char fill)
{
  *p++ = 'n';
  *p++ = ':';
  memset(p, fill, value);
  p += value;
  *p++ = '\r';
  *p++ = '\n';
  return p;
}

#define HEAD_MOST 306900 /* bytes of head lines that pass: MOTE_HTTP1_MAX_HEAD, less the first and the last */
#define LAST "Content-Length: 5\r\n\r\nhello"

static void answer_small(void)
{
  end_answer(begin_answer("HTTP/1.1 200 OK\r\n"), LAST);
}

static void answer_lines(size_t first, size_t second)
{
  char *p = begin_answer("HTTP/1.1 200 OK\r\n"), *start = p;
  int n;
  for(n = 0; n < 4990 && (size_t)(p - start) + first + second + 8 < HEAD_MOST; n += 2)
    p = put_line(put_line(p, first, 'x'), second, 'y');
  end_answer(p, LAST);
}

static void answer_tiny_lines(void)
{
  answer_lines(0, 0);
}

static void answer_half_blocks(void)
{
  answer_lines(115, 115);
}

static void answer_tiny_and_large(void)
{
  answer_lines(1, 235);
}

static void answer_long_lines(void)
{
  answer_lines(102000, 51000);
}

static void put_location(const char *status, size_t len)
{
  char *p = begin_answer(status);
  p += sprintf(p, "Location: /");
  memset(p, 0xc3, len);
  p += len;
  end_answer(p, "/\r\n" LAST);
}

static void answer_location(void)
{
  put_location("HTTP/1.1 302 Found\r\n", 102300);
}

static void answer_chain(void)
{
  put_location("HTTP/1.1 302 Found\r\n", 30000);
  put_location("HTTP/1.1 302 Found\r\n", 102300);
  put_location("HTTP/1.1 302 Found\r\n", 2000);
  answer_lines(115, 115);
}

static void answer_trailers(void)
{
  char *p = begin_answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n");
  char *start = p;
  while(p - start < 32500)
    p = put_line(p, 115, 't');
  end_answer(p, "\r\n");
}

static void answer_zstd(void)
{
  char *p = begin_answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: zstd, chunked\r\n\r\n");
  static const unsigned char frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68, 0x29, 0x00, 0x00,
                                         'h', 'e', 'l', 'l', 'o' };
  p += sprintf(p, "%zx\r\n", sizeof frame);
  memcpy(p, frame, sizeof frame);
  end_answer(p + sizeof frame, "\r\n0\r\n\r\n");
}

/* ---- the allocator: the largest block that was asked for ---- */

static size_t largest;

static void *note_malloc(size_t size)
{
  largest = size > largest ? size : largest;
  return test_malloc(size);
}

static void *note_realloc(void *p, size_t size)
{
  largest = size > largest ? size : largest;
  return test_realloc(p, size);
}

static void watch_blocks(void)
{
  static const struct mote_allocator noting = {
    .malloc_fn = note_malloc, .free_fn = test_free, .realloc_fn = note_realloc
  };
  largest = 0;
  mote_mem_set_allocator(&noting);
}

/* ---- options ---- */

static bool pause_next;

static size_t take(char *p, size_t size, size_t n, void *data)
{
  (void)p;
  (void)data;
  pause_next = !pause_next;
  return pause_next ? CURL_WRITEFUNC_PAUSE : size * n;
}

static size_t give(char *p, size_t size, size_t n, void *data)
{
  size_t *left = data;
  size_t now = size * n < *left ? size * n : *left;
  memset(p, 'u', now);
  *left -= now;
  return now;
}

static void set_plain(CURL *curl)
{
  char url[60];
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", server.port);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, url));
  CHECK(!curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take));
  CHECK(!curl_easy_setopt(curl, CURLOPT_NOPROXY, "*"));
}

static void set_name(CURL *curl)
{
  static char line[60];
  static struct curl_slist l = { .data = line };
  char url[60];
  set_plain(curl);
  snprintf(line, sizeof line, "some.example:%d:127.0.0.1", server.port);
  snprintf(url, sizeof url, "http://user:pass@Some.Example:%d/a/../b", server.port);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, url));
  CHECK(!curl_easy_setopt(curl, CURLOPT_RESOLVE, &l));
}

static void set_lookup(CURL *curl)
{
  char url[60];
  set_plain(curl);
  snprintf(url, sizeof url, "http://localhost:%d/", server.port);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, url));
}

static void set_headers(CURL *curl)
{
  set_plain(curl);
  CHECK(!curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take));
  CHECK(!curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 1024L));
}

static void set_shown_headers(CURL *curl)
{
  set_plain(curl);
  CHECK(!curl_easy_setopt(curl, CURLOPT_HEADER, 1L));
}

static void set_long_head(CURL *curl)
{
  char *text = malloc(100000);
  set_plain(curl);
  memset(text, 'c', 99999);
  text[99999] = 0;
  CHECK(!curl_easy_setopt(curl, CURLOPT_COOKIE, text));
  CHECK(!curl_easy_setopt(curl, CURLOPT_USERNAME, text));
  free(text);
}

static void set_post(CURL *curl)
{
  set_plain(curl);
  CHECK(!curl_easy_setopt(curl, CURLOPT_POSTFIELDS, "a=b"));
}

static void set_put(CURL *curl)
{
  static size_t left;
  set_plain(curl);
  left = 1000000;
  CHECK(!curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L));
  CHECK(!curl_easy_setopt(curl, CURLOPT_READFUNCTION, give));
  CHECK(!curl_easy_setopt(curl, CURLOPT_READDATA, &left));
  CHECK(!curl_easy_setopt(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L));
}

static void set_follow(CURL *curl)
{
  set_plain(curl);
  CHECK(!curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L));
  CHECK(!curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http"));
  CHECK(!curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 4L));
  CHECK(!curl_easy_setopt(curl, CURLOPT_AUTOREFERER, 1L));
}

/* ---- a transfer within what was promised ---- */

static CURLcode drive(CURLM *multi, CURL *curl)
{
  int running = 1, left, rounds = 0;
  CURLMsg *msg;
  CHECK(!curl_multi_add_handle(multi, curl));
  while(running && rounds++ < 3000000) {
    if(!CHECK(!curl_multi_perform(multi, &running)))
      break;
    if(pause_next)
      (void)curl_easy_pause(curl, CURLPAUSE_CONT);
    (void)curl_multi_poll(multi, NULL, 0, 1, NULL);
  }
  msg = curl_multi_info_read(multi, &left);
  return CHECK(msg) ? msg->data.result : CURLE_FAILED_INIT;
}

/* Answers the transfer's result. */
static CURLcode run_within(void (*answer)(void), void (*set)(CURL *curl))
{
  struct mote_account_info easy, all;
  struct mote_need need;
  CURLcode rc = CURLE_FAILED_INIT;
  CURLM *multi;
  CURL *curl;
  answer();
  start_server();
  watch_blocks();
  pause_next = false;
  curl = curl_easy_init();
  multi = curl_multi_init();
  set(curl);
  if(CHECK_INT(mote_need(curl, &need), CURLE_OK)) {
    CHECK(need.bytes >= need.easy + need.multi);
    CHECK(!mote_easy_limit(curl, need.easy));
    CHECK(!mote_multi_limit(multi, need.multi));
    rc = drive(multi, curl);
    CHECK(!mote_easy_account(curl, &easy) && !mote_multi_account(multi, &all));
    CHECK(easy.peak <= need.easy);
    CHECK(all.peak <= need.multi);
    CHECK(largest <= need.largest);
    if(getenv("MOTE_NEED_SHOW"))
      printf("  need %zu (easy %zu multi %zu largest %zu), used %zu %zu %zu: %d\n", need.bytes, need.easy,
             need.multi, need.largest, easy.peak, all.peak, largest, rc);
    CHECK(rc == CURLE_OUT_OF_MEMORY || (!easy.refused && !all.refused));
  }
  curl_multi_remove_handle(multi, curl);
  curl_easy_cleanup(curl);
  CHECK(!curl_multi_cleanup(multi));
  stop_server();
  return rc;
}

TEST(holds_against_the_largest_heads)
{
  static void (*const answers[])(void) = { answer_small, answer_tiny_lines, answer_half_blocks,
    answer_tiny_and_large, answer_long_lines, answer_location, answer_trailers };
  static void (*const sets[])(CURL *) = { set_plain, set_headers, set_shown_headers, set_name, set_lookup,
    set_long_head, set_post, set_put, set_follow };
  size_t i, j;
  test_mem.threads = true;
  for(i = 0; i < sizeof answers / sizeof answers[0]; i++)
    for(j = 0; j < sizeof sets / sizeof sets[0]; j++)
      if(answers[i] != answer_location || sets[j] != set_follow)
        CHECK_INT(run_within(answers[i], sets[j]), CURLE_OK);
}

TEST(holds_for_redirects)
{
  test_mem.threads = true;
  CHECK_INT(run_within(answer_chain, set_follow), CURLE_OK);
}

/* What was not asked for is not in it, and is refused before it costs anything. */
TEST(a_coding_that_was_not_asked_for)
{
  test_mem.threads = true;
  CHECK_INT(run_within(answer_zstd, set_plain), CURLE_BAD_CONTENT_ENCODING);
}

static size_t need_of(void (*set)(CURL *curl))
{
  struct mote_need need;
  CURL *curl = curl_easy_init();
  set(curl);
  CHECK_INT(mote_need(curl, &need), CURLE_OK);
  curl_easy_cleanup(curl);
  return need.bytes;
}

static void set_url_only(CURL *curl)
{
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://127.0.0.1/"));
}

static void set_file(CURL *curl)
{
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "file:///etc/hostname"));
}

/* The figures of docs/memory.md, "What will it need". */
TEST(figures)
{
  CHECK(need_of(set_url_only) < 1700 * 1000);
  CHECK(need_of(set_file) < 40 * 1000);
}

/* A wait has a wake-up's descriptor, also while no transfer has one. */
TEST(a_file_leaves_room_for_a_wait)
{
  struct mote_account_info all;
  struct mote_need need;
  int running = 1, rounds = 0;
  CURL *curl = curl_easy_init();
  CURLM *multi = curl_multi_init();
  set_file(curl);
  CHECK(!curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take));
  pause_next = false;
  CHECK_INT(mote_need(curl, &need), CURLE_OK);
  CHECK(!mote_easy_limit(curl, need.easy) && !mote_multi_limit(multi, need.multi));
  CHECK(!curl_multi_add_handle(multi, curl));
  while(running && rounds++ < 100) {
    CHECK_INT(curl_multi_perform(multi, &running), CURLM_OK);
    if(pause_next)
      (void)curl_easy_pause(curl, CURLPAUSE_CONT);
    CHECK_INT(curl_multi_poll(multi, NULL, 0, 1, NULL), CURLM_OK);
  }
  CHECK(!mote_multi_account(multi, &all));
  CHECK(all.peak <= need.multi && !all.refused);
  curl_multi_remove_handle(multi, curl);
  curl_easy_cleanup(curl);
  CHECK(!curl_multi_cleanup(multi));
}

/* A handle and its private multi that have been used: what they hold counts once, and the next one fits. */
TEST(a_second_transfer)
{
  struct mote_account_info easy;
  struct mote_need first, second;
  CURL *curl;
  test_mem.threads = true;
  answer_half_blocks();
  start_server();
  watch_blocks();
  curl = curl_easy_init();
  set_plain(curl);
  CHECK(!curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, NULL));
  CHECK(!curl_easy_setopt(curl, CURLOPT_NOBODY, 1L));
  CHECK_INT(mote_need(curl, &first), CURLE_OK);
  CHECK(!mote_easy_limit(curl, first.easy));
  CHECK_INT(curl_easy_perform(curl), CURLE_OK);
  CHECK_INT(mote_need(curl, &second), CURLE_OK);
  CHECK(!mote_easy_limit(curl, second.easy));
  CHECK_INT(curl_easy_perform(curl), CURLE_OK);
  CHECK(!mote_easy_account(curl, &easy));
  CHECK(easy.peak <= second.easy && !easy.refused);
  CHECK(largest <= second.largest);
  curl_easy_cleanup(curl);
  stop_server();
}

static void check_unknown(CURL *curl, CURLcode rc)
{
  struct mote_need need;
  memset(&need, 0xff, sizeof need);
  CHECK_INT(mote_need(curl, &need), rc);
  CHECK(!need.bytes && !need.largest && !need.easy && !need.multi);
}

/* Only BearSSL leaves all of its memory to us. */
static bool tls_is_known(void)
{
  return !strncmp(curl_version_info(CURLVERSION_NOW)->ssl_version, "BearSSL", 7);
}

TEST(need_of_tls)
{
  CURL *curl = curl_easy_init();
  struct mote_need plain, tls, blob, following;
  struct curl_blob pem = {.data = (char *)(uintptr_t)"x", .len = 1, .flags = CURL_BLOB_COPY};
  CURLcode rc = tls_is_known() ? CURLE_OK : CURLE_TOO_LARGE;
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://a/"));
  CHECK_INT(mote_need(curl, &plain), CURLE_OK);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "https://a/"));
  CHECK(!MOTE_HAS_H2 || mote_need(curl, &tls) == CURLE_TOO_LARGE); /* HTTP/2 may be agreed on */
  CHECK(!curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1));
  CHECK_INT(mote_need(curl, &tls), rc);
  CHECK(!curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, &pem));
  CHECK_INT(mote_need(curl, &blob), rc);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://a/"));
  CHECK(!curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L));
  CHECK(!curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 1L));
  CHECK(!curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https"));
  CHECK_INT(mote_need(curl, &following), rc);
  if(!rc) {
    CHECK(tls.multi > plain.multi + 50000 && tls.multi < plain.multi + 150000);
    CHECK(blob.bytes - blob.multi - blob.easy < 10000); /* the process's part */
    CHECK(following.multi > tls.multi + 50000);
  }
  curl_easy_cleanup(curl);
}

TEST(unknown_need)
{
  CURL *curl = curl_easy_init();
  struct curl_httppost post = {.next = NULL};
  struct mote_need need;
  char why[CURL_ERROR_SIZE] = "";
  CHECK(!curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why));
  check_unknown(curl, CURLE_URL_MALFORMAT);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://"));
  check_unknown(curl, CURLE_URL_MALFORMAT);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "smb://a/"));
  check_unknown(curl, CURLE_UNSUPPORTED_PROTOCOL);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "https://a/"));
  if(!tls_is_known()) {
    check_unknown(curl, CURLE_TOO_LARGE);
    CHECK(strstr(why, "TLS is unknown with "));
  }
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://a/"));
  CHECK_INT(mote_need(curl, &need), CURLE_OK);
  CHECK(!curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L));
  if(!tls_is_known()) {
    check_unknown(curl, CURLE_TOO_LARGE);
    CHECK(strstr(why, "a redirect to TLS"));
  }
  CHECK(!curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http"));
  CHECK_INT(mote_need(curl, &need), CURLE_OK);
  CHECK(!curl_easy_setopt(curl, CURLOPT_MAXREDIRS, -1L));
  check_unknown(curl, CURLE_TOO_LARGE);
  CHECK(!curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L));
  CHECK(!curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, ""));
  check_unknown(curl, CURLE_TOO_LARGE);
  CHECK(!curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, NULL));
  CHECK(!curl_easy_setopt(curl, CURLOPT_TRANSFER_ENCODING, 1L));
  check_unknown(curl, CURLE_TOO_LARGE);
  CHECK(!curl_easy_setopt(curl, CURLOPT_TRANSFER_ENCODING, 0L));
  CHECK_INT(mote_need(curl, &need), CURLE_OK);
#if MOTE_HAS_DIGEST
  CHECK(!curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_DIGEST));
  check_unknown(curl, CURLE_TOO_LARGE);
  CHECK(!curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC));
#endif
  CHECK(!curl_easy_setopt(curl, CURLOPT_COOKIEFILE, ""));
#if MOTE_HAS_COOKIES
  check_unknown(curl, CURLE_TOO_LARGE);
  CHECK(strstr(why, "cookies"));
#endif
  CHECK(!curl_easy_setopt(curl, CURLOPT_COOKIEFILE, NULL));
  CHECK(!curl_easy_setopt(curl, CURLOPT_MIMEPOST, NULL));
  CHECK_INT(mote_need(curl, &need), CURLE_OK);
  post.name = post.contents = (char *)(uintptr_t)"a";
  CHECK(!curl_easy_setopt(curl, CURLOPT_HTTPPOST, &post));
  check_unknown(curl, CURLE_TOO_LARGE);
  check_unknown(NULL, CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_need(curl, NULL), CURLE_BAD_FUNCTION_ARGUMENT);
  curl_easy_cleanup(curl);
}

static void ask(void)
{
  CURL *curl = curl_easy_init();
  CURLU *u = curl_url();
  struct mote_need need;
  CURLcode rc;
  if(curl && u && !curl_url_set(u, CURLUPART_URL, "HTTP://b\xc3\xbc" "cher.example/", 0) &&
     !curl_easy_setopt(curl, CURLOPT_CURLU, u)) {
    rc = mote_need(curl, &need);
    CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
    CHECK(rc || need.bytes > 1000000);
  }
  curl_easy_cleanup(curl);
  curl_url_cleanup(u);
}

TEST(asking_may_fail)
{
  run_with_failures(ask);
}

int main(void)
{
  TEST_RUN(holds_against_the_largest_heads);
  TEST_RUN(holds_for_redirects);
  TEST_RUN(a_coding_that_was_not_asked_for);
  TEST_RUN(figures);
  TEST_RUN(a_file_leaves_room_for_a_wait);
  TEST_RUN(a_second_transfer);
  TEST_RUN(need_of_tls);
  TEST_RUN(unknown_need);
  TEST_RUN(asking_may_fail);
  return test_end();
}
