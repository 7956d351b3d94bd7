/* tests/unit/api/test_init_static.c: the library from one block: order of calls, too small a block, and ten
 * thousand mixed transfers that leave the block as it was. Needs !small, posix. */
#include <arpa/inet.h>
#include <mote/mote.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"

#define ROOM 65536 /* bytes; the mixed transfers have 5 handles at most at once, which take 40 KB */
#define TRANSFERS 10000
#define AT_ONCE 4

static _Alignas(8) char room[ROOM];

/* ---- a server: a thread per connection ---- */

static struct {
  int listener;
  int port;
  atomic_int received; /* bytes */
} server;

static void answer(int fd, const char *text)
{
  (void)!send(fd, text, strlen(text), MSG_NOSIGNAL);
}

static void many_headers(char *out)
{
  int i;
  out += sprintf(out, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n");
  for(i = 0; i < 30; i++)
    out += sprintf(out, "X-Header-%d: %0*d\r\n", i, 5 + 9 * i, i);
  sprintf(out, "\r\nok");
}

/* What is asked for; false: the connection is closed. */
static bool serve_one(int fd, const char *path)
{
  static const char big[] = "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n";
  static char body[60000];
  char text[8192];
  if(!strncmp(path, "/chunked", 8))
    answer(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
               "3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n");
  else if(!strncmp(path, "/redirect", 9))
    answer(fd, "HTTP/1.1 302 Found\r\nLocation: /chunked?of=a-longer-way-to-say-where\r\n"
               "Content-Length: 3\r\n\r\nabc");
  else if(!strncmp(path, "/headers", 8)) {
    many_headers(text);
    answer(fd, text);
  }
  else if(!strncmp(path, "/big", 4)) {
    answer(fd, big);
    (void)!send(fd, body, sizeof body, MSG_NOSIGNAL);
  }
  else if(!strncmp(path, "/close", 6)) {
    answer(fd, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok");
    return false;
  }
  else if(!strncmp(path, "/broken", 7)) {
    answer(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok");
    return false;
  }
  else if(!strncmp(path, "/empty", 6))
    return false;
  else
    answer(fd, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok");
  return true;
}

static void *serve(void *arg)
{
  int fd = *(int *)arg;
  char head[4096];
  size_t len = 0;
  bool more = true;
  free(arg);
  while(more) {
    ssize_t n = recv(fd, head + len, sizeof head - 1 - len, 0);
    if(n <= 0)
      break;
    atomic_fetch_add(&server.received, (int)n);
    len += (size_t)n;
    head[len] = 0;
    if(strstr(head, "\r\n\r\n")) {
      more = serve_one(fd, strchr(head, ' ') + 1);
      len = 0;
    }
  }
  close(fd);
  return NULL;
}

static void *accept_all(void *arg)
{
  int fd;
  (void)arg;
  while((fd = accept(server.listener, NULL, NULL)) >= 0) {
    int *given = malloc(sizeof *given);
    pthread_t t;
    if(given)
      *given = fd;
    if(!given || pthread_create(&t, NULL, serve, given))
      abort();
    pthread_detach(t);
  }
  return NULL;
}

static void start_server(void)
{
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t len = sizeof a;
  pthread_t t;
  server.listener = socket(AF_INET, SOCK_STREAM, 0);
  if(bind(server.listener, (struct sockaddr *)&a, sizeof a) || listen(server.listener, 128) ||
     getsockname(server.listener, (struct sockaddr *)&a, &len) || pthread_create(&t, NULL, accept_all, NULL))
    abort();
  pthread_detach(t);
  server.port = ntohs(a.sin_port);
}

/* ---- the client ---- */

static size_t take(char *p, size_t size, size_t n, void *to)
{
  (void)p;
  *(size_t *)to += size * n;
  return size * n;
}

static const char *url_of(const char *path)
{
  static char url[400];
  snprintf(url, sizeof url, "http://127.0.0.1:%d%s", server.port, path);
  return url;
}

static CURLcode set_up(CURL *c, const char *path, size_t *got)
{
  CURLcode rc = curl_easy_setopt(c, CURLOPT_URL, url_of(path));
  *got = 0;
  rc = rc ? rc : curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, take);
  rc = rc ? rc : curl_easy_setopt(c, CURLOPT_WRITEDATA, got);
  rc = rc ? rc : curl_easy_setopt(c, CURLOPT_BUFFERSIZE, 2048L);
  return rc ? rc : curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
}

static struct mote_static_info info(void)
{
  struct mote_static_info i = {0};
  CHECK_INT(mote_static_info(&i), CURLE_OK);
  return i;
}

/* Nothing is held: the block is given back. */
static void clean_up(void)
{
  struct mote_static_info i;
  CHECK_INT(info().used, 0);
  CHECK_INT(info().largest, info().size);
  curl_global_cleanup();
  CHECK_INT(mote_static_info(&i), CURLE_FAILED_INIT);
}

TEST(arguments_and_order)
{
  struct mote_static_info i;
  CURL *c;
  test_mem_expect_empty();
  CHECK_INT(mote_static_info(&i), CURLE_FAILED_INIT);
  CHECK_INT(mote_init_static(NULL, 1000), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(mote_init_static(room, 63), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_global_init(CURL_GLOBAL_ALL), CURLE_OK);
  CHECK_INT(mote_init_static(room, ROOM), CURLE_FAILED_INIT);
  curl_global_cleanup();
  if(MOTE_HAS_ACCOUNT) {
    c = curl_easy_init();
    CHECK_INT(mote_init_static(room, ROOM), CURLE_FAILED_INIT);
    curl_easy_cleanup(c);
  }
  CHECK_INT(mote_init_static(room + 1, ROOM - 1), CURLE_OK);
  CHECK_INT(mote_init_static(room, ROOM), CURLE_FAILED_INIT);
  CHECK_INT(mote_static_info(NULL), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_global_init_mem(CURL_GLOBAL_ALL, malloc, free, realloc, strdup, calloc), CURLE_OK);
  c = curl_easy_init();
  CHECK((char *)c > room && (char *)c < room + ROOM);
  curl_global_cleanup();
  curl_global_cleanup();
  CHECK_INT(mote_init_static(room, ROOM), CURLE_FAILED_INIT);
  CHECK(info().used > 0);
  curl_easy_cleanup(c);
  CHECK_INT(mote_init_static(room, 64), CURLE_OK);
  CHECK(info().size >= 56);
  CHECK(!curl_easy_init());
  CHECK(info().missing > 100);
  clean_up();
}

TEST(public_memory_comes_from_it)
{
  struct curl_slist *list;
  char *p;
  CHECK_INT(mote_init_static(room, ROOM), CURLE_OK);
  p = curl_easy_escape(NULL, "a b", 3);
  list = curl_slist_append(NULL, "x");
  CHECK(p > room && p < room + ROOM);
  CHECK((char *)list > room && (char *)list < room + ROOM);
  CHECK_STR(p, "a%20b");
  curl_free(p);
  curl_slist_free_all(list);
  clean_up();
}

/* ---- too small ---- */

/* From init to the last byte; CURLE_OK, or out of memory with nothing sent. */
static CURLcode get_in(size_t size, char *error, size_t *missing)
{
  int before = atomic_load(&server.received);
  CURLcode rc = CURLE_OUT_OF_MEMORY;
  size_t got = 0;
  CURL *c;
  CHECK_INT(mote_init_static(room, size), CURLE_OK);
  c = curl_easy_init();
  if(c && (!MOTE_HAS_TEXTS || !curl_easy_setopt(c, CURLOPT_ERRORBUFFER, error))) {
    rc = set_up(c, "/plain", &got);
    if(!rc)
      rc = curl_easy_perform(c);
  }
  *missing = info().missing;
  if(rc)
    CHECK_INT(atomic_load(&server.received), before);
  else
    CHECK_INT(got, 2);
  curl_easy_cleanup(c);
  clean_up();
  return rc;
}

TEST(too_small_says_how_much_is_missing)
{
  char error[CURL_ERROR_SIZE] = "";
  char last[CURL_ERROR_SIZE] = "";
  char said[40];
  size_t missing;
  size_t size = 64;
  size_t missed = 0;
  CURLcode rc;
  int turns = 0;
  while((rc = get_in(size, error, &missing)) == CURLE_OUT_OF_MEMORY && turns++ < 100) {
    if(!CHECK(missing > 0))
      return;
    missed = missing;
    strcpy(last, error);
    size += missing;
  }
  CHECK_INT(rc, CURLE_OK);
  CHECK_INT(missing, 0);
  CHECK(size < 10000);
  snprintf(said, sizeof said, "lacked %zu bytes", missed);
  CHECK(!MOTE_HAS_TEXTS || strstr(last, said));
}

TEST(any_size_ends_well)
{
  char error[CURL_ERROR_SIZE];
  size_t missing;
  size_t size;
  for(size = 64; size < 8000; size += 8) {
    CURLcode rc = get_in(size, error, &missing);
    CHECK(rc == CURLE_OK || rc == CURLE_OUT_OF_MEMORY);
    CHECK(rc || !missing);
  }
}

/* ---- ten thousand transfers ---- */

struct site {
  const char *path;
  CURLcode rc;
};

static const struct site sites[] = {
  {"/plain", CURLE_OK},           {"/plain", CURLE_OK},           {"/chunked", CURLE_OK},
  {"/redirect", CURLE_OK},        {"/headers", CURLE_OK},         {"/big", CURLE_OK},
  {"/close", CURLE_OK},           {"/broken", CURLE_PARTIAL_FILE}, {"/empty", CURLE_GOT_NOTHING},
  {"/plain?some=longer&path=with-much-in-it-that-takes-a-block-of-another-size", CURLE_OK},
};
#define SITES (sizeof sites / sizeof *sites)

static const struct site *any_site(void)
{
  return &sites[test_random() % SITES];
}

static void decorate(CURL *c, struct curl_slist *list)
{
  static const char agent[] = "a name that is now short and then rather long, as names of programs may be";
  curl_easy_setopt(c, CURLOPT_USERAGENT, agent + test_random() % (sizeof agent - 1));
  curl_easy_setopt(c, CURLOPT_HTTPHEADER, list);
  if(test_random() % 4 == 0)
    curl_easy_setopt(c, CURLOPT_USERPWD, "user:password");
  if(test_random() % 4 == 0)
    curl_easy_setopt(c, CURLOPT_POSTFIELDS, "a=b&c=d");
}

static int with_kept_handle(CURL *c)
{
  const struct site *s = any_site();
  size_t got;
  set_up(c, s->path, &got);
  CHECK_INT(curl_easy_perform(c), s->rc);
  return 1;
}

static int with_fresh_handle(void)
{
  struct curl_slist *list = curl_slist_append(NULL, "X-One: 1");
  const struct site *s = any_site();
  CURL *c = curl_easy_init();
  char *text = curl_easy_escape(c, "what curl_free() takes", 0);
  size_t got;
  list = curl_slist_append(list, "X-Two: a line that is somewhat longer than the other");
  set_up(c, s->path, &got);
  decorate(c, list);
  CHECK_INT(curl_easy_perform(c), s->rc);
  curl_easy_reset(c);
  set_up(c, "/headers", &got);
  CHECK_INT(curl_easy_perform(c), CURLE_OK);
  curl_easy_cleanup(c);
  curl_free(text);
  curl_slist_free_all(list);
  return 2;
}

static void finished(CURLM *m)
{
  CURLMsg *msg;
  int left;
  while((msg = curl_multi_info_read(m, &left)) != NULL) {
    const struct site *s;
    curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, &s);
    CHECK_INT(msg->data.result, s->rc);
  }
}

static int several_at_once(CURL *from)
{
  CURLM *m = curl_multi_init();
  CURL *c[AT_ONCE];
  size_t got[AT_ONCE];
  int running = 1;
  int i;
  for(i = 0; i < AT_ONCE; i++) {
    const struct site *s = any_site();
    c[i] = i % 2 ? curl_easy_duphandle(from) : curl_easy_init();
    set_up(c[i], s->path, &got[i]);
    curl_easy_setopt(c[i], CURLOPT_PRIVATE, (void *)(uintptr_t)s);
    curl_multi_add_handle(m, c[i]);
  }
  while(running) {
    CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
    if(running)
      CHECK_INT(curl_multi_poll(m, NULL, 0, 1000, NULL), CURLM_OK);
    if(test_random() % 16 == 0) {
      curl_multi_remove_handle(m, c[0]); /* in the middle, perhaps */
      running = 1;
    }
  }
  finished(m);
  for(i = 0; i < AT_ONCE; i++) {
    curl_multi_remove_handle(m, c[i]);
    curl_easy_cleanup(c[i]);
  }
  curl_multi_cleanup(m);
  return AT_ONCE;
}

/* Blocks of what the handle keeps may lie apart by what was in use when they were made, and by no more.
 * That was the other transfers, with their handles and connections (budgets.toml's ceiling for these
 * three), as the server's thread has it. */
#define APART (AT_ONCE * 2400)

static void check_at_rest(CURL *c)
{
  struct mote_static_info i;
  size_t got;
  set_up(c, "/plain", &got);
  CHECK_INT(curl_easy_perform(c), CURLE_OK);
  i = info();
  CHECK(i.used < 2500);
  CHECK(i.largest + APART > i.size - i.used);
}

TEST(does_not_fragment)
{
  CURL *c = NULL;
  int n = 0;
  int i;
  CHECK_INT(mote_init_static(room, ROOM), CURLE_OK);
  for(i = 0; n < TRANSFERS && !test_state.errors; i++) {
    if(!c)
      c = curl_easy_init();
    n += i % 3 == 0 ? with_kept_handle(c) : i % 3 == 1 ? with_fresh_handle() : several_at_once(c);
    if(i % 50 == 0)
      check_at_rest(c);
    if(i % 500 == 0) {
      curl_easy_cleanup(c);
      c = NULL;
      CHECK_INT(info().largest, info().size); /* as at the start */
    }
  }
  CHECK_INT(info().missing, 0);
  curl_easy_cleanup(c);
  clean_up();
}

int main(void)
{
  start_server();
  TEST_RUN(arguments_and_order);
  TEST_RUN(public_memory_comes_from_it);
  TEST_RUN(too_small_says_how_much_is_missing);
  TEST_RUN(any_size_ends_well);
  if(MOTE_HAS_INFOS) /* CURLOPT_PRIVATE */
    TEST_RUN(does_not_fragment);
  return test_end();
}
