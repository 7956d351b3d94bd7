/* tests/unit/connect/test_race.c: several addresses of one name: which one wins, that every socket is closed
 * once, and that nothing is left. 127.0.0.2 refuses; 127.0.0.3 does not answer (its queue is full).
 * Needs ipv6, socket_callbacks, posix. */
#include "net/http_server.h"
#include "net/http_client.h"

#include <curl/curl.h>
#include <poll.h>

static int silent;                /* listens on 127.0.0.3 at the server's port, and never accepts */
static int fillers[8];
static const char *from;          /* CURLOPT_INTERFACE, or NULL */
static int fds_between;           /* descriptors of this process while no transfer is under way */
static struct {
  int opened;
  int closed;
} sockets;

static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *a)
{
  (void)user;
  CHECK_INT(purpose, CURLSOCKTYPE_IPCXN);
  sockets.opened++;
  return socket(a->family, a->socktype, a->protocol);
}

static int close_socket(void *user, curl_socket_t fd)
{
  (void)user;
  sockets.closed++;
  return close(fd);
}

/* Connect requests until no more are taken: the first is when this returns. */
static void fill(void)
{
  struct pollfd first;
  struct sockaddr_in in;
  size_t i;
  memset(&in, 0, sizeof in);
  in.sin_family = AF_INET;
  in.sin_port = htons(server.port);
  in.sin_addr.s_addr = inet_addr("127.0.0.3");
  for(i = 0; i < sizeof fillers / sizeof *fillers; i++) {
    fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    (void)connect(fillers[i], (struct sockaddr *)&in, sizeof in);
    if(!i) {
      first = (struct pollfd){fillers[i], POLLOUT, 0};
      CHECK_INT(poll(&first, 1, 20000), 1);
    }
  }
}

/* The server's ends of the connections are closed a moment after the client's; one that was not made use of
 * may even be accepted later. At most twenty seconds. */
static void settle(void)
{
  int i, fds = fds_open();
  for(i = 0; i < 20000 && fds != fds_between; i++) {
    fds_nap(1);
    fds = fds_open();
  }
  CHECK_INT(fds, fds_between);
}

struct outcome {
  CURLcode rc;
  char ip[50];    /* CURLINFO_PRIMARY_IP */
  int opened;     /* sockets */
};

/* A GET of a name with these addresses. */
static struct outcome get(const char *addresses, long timeout_ms)
{
  struct outcome out = {CURLE_OUT_OF_MEMORY, "", 0};
  struct curl_slist *lines;
  char text[200];
  CURL *e = curl_easy_init();
  CURLcode rc;
  const char *ip = NULL;
  memset(&sockets, 0, sizeof sockets);
  snprintf(text, sizeof text, "race.test:%u:%s", server.port, addresses);
  lines = curl_slist_append(NULL, text);
  if(e && lines) {
    snprintf(text, sizeof text, "http://race.test:%u/", server.port);
    rc = curl_easy_setopt(e, CURLOPT_URL, text);
    rc = rc ? rc : curl_easy_setopt(e, CURLOPT_RESOLVE, lines);
    rc = rc ? rc : curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, swallow);
    rc = rc ? rc : curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    rc = rc ? rc : curl_easy_setopt(e, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    rc = rc ? rc : curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, timeout_ms);
    rc = rc ? rc : curl_easy_setopt(e, CURLOPT_INTERFACE, from);
    out.rc = rc ? rc : curl_easy_perform(e);
    if(!rc && !curl_easy_getinfo(e, CURLINFO_PRIMARY_IP, &ip) && ip)
      snprintf(out.ip, sizeof out.ip, "%s", ip);
  }
  curl_easy_cleanup(e);
  curl_slist_free_all(lines);
  out.opened = sockets.opened;
  CHECK_INT(sockets.opened, sockets.closed);
  settle();
  return out;
}

static void expect(const char *addresses, CURLcode rc, const char *ip, int opened)
{
  struct outcome o = get(addresses, 2000);
  CHECK_INT(o.rc, rc);
  if(!rc)
    CHECK_STR(o.ip, ip);
  CHECK_INT(o.opened, opened);
}

TEST(the_first_that_answers)
{
  expect("127.0.0.1", CURLE_OK, "127.0.0.1", 1);
  expect("127.0.0.1,127.0.0.2", CURLE_OK, "127.0.0.1", 1);
  expect("127.0.0.2,127.0.0.1", CURLE_OK, "127.0.0.1", 2);
  expect("127.0.0.2,127.0.0.2,127.0.0.2,127.0.0.1", CURLE_OK, "127.0.0.1", 4);
}

TEST(none_answers)
{
  expect("127.0.0.2", CURLE_COULDNT_CONNECT, "", 1);
  expect("127.0.0.2,127.0.0.4", CURLE_COULDNT_CONNECT, "", 2);
}

TEST(a_silent_one_gets_half_of_the_time)
{
  expect("127.0.0.3,127.0.0.1", CURLE_OK, "127.0.0.1", 2);
  expect("127.0.0.2,127.0.0.3,127.0.0.1", CURLE_OK, "127.0.0.1", 3);
}

TEST(silent_to_the_end)
{
  struct outcome o = get("127.0.0.3", 100);
  CHECK_INT(o.rc, CURLE_OPERATION_TIMEDOUT);
  CHECK_INT(o.opened, 1);
}

static bool have_ip6(void)
{
  int fd = socket(AF_INET6, SOCK_STREAM, 0);
  struct sockaddr_in6 in;
  bool ok;
  memset(&in, 0, sizeof in);
  in.sin6_family = AF_INET6;
  in.sin6_addr.s6_addr[15] = 1;
  ok = fd >= 0 && !bind(fd, (struct sockaddr *)&in, sizeof in);
  if(fd >= 0)
    close(fd);
  return ok;
}

TEST(two_families)
{
  if(!have_ip6())
    return;
  expect("[::1],127.0.0.1", CURLE_OK, "127.0.0.1", 2); /* ::1 refuses: the other lane begins at once */
  expect("127.0.0.1,[::1]", CURLE_OK, "127.0.0.1", 1);
  expect("[::1],127.0.0.2", CURLE_COULDNT_CONNECT, "", 2);
  expect("[::1],127.0.0.2,[::1],127.0.0.1", CURLE_OK, "127.0.0.1", 4);
  expect("127.0.0.3,[::1]", CURLE_OPERATION_TIMEDOUT, "", 2);
}

/* One attempt that could not have it ended the race, and that of the other family with it. */
TEST(a_local_address_is_of_one_family)
{
  if(!have_ip6())
    return;
  from = "127.0.0.1";
  expect("[::1],127.0.0.1", CURLE_OK, "127.0.0.1", 2);
  expect("127.0.0.3,[::1]", CURLE_OPERATION_TIMEDOUT, "", 2);
  expect("[::1],127.0.0.2", CURLE_COULDNT_CONNECT, "", 2);
  expect("[::1],[::1]", CURLE_INTERFACE_FAILED, "", 2);
  expect("[::1]", CURLE_INTERFACE_FAILED, "", 1);
  from = NULL;
}

static void scenario(void)
{
  struct outcome o = get("127.0.0.2,127.0.0.1", 2000);
  CHECK(o.rc == CURLE_OK || (o.rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  size_t i;
  http_begin();
  silent = fds_listen("127.0.0.3", &server.port, 0);
  fill();
  fds_between = fds_open();
  TEST_RUN(the_first_that_answers);
  TEST_RUN(none_answers);
  TEST_RUN(a_silent_one_gets_half_of_the_time);
  TEST_RUN(silent_to_the_end);
  TEST_RUN(two_families);
  TEST_RUN(a_local_address_is_of_one_family);
  TEST_RUN(survives);
  for(i = 0; i < sizeof fillers / sizeof *fillers; i++)
    close(fillers[i]);
  close(silent);
  http_server_stop(&server);
  return test_end();
}
