/* tests/unit/port/test_burst.c: bursts of datagrams between sockets of this machine (port/burst.h).
 * Needs h3. */
#define _GNU_SOURCE
#include "port/burst.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "port/interface.h"
#include "port/port.h"
#include "test.h"

#define EACH 1000u
/* How often the kernel is asked for segments where it is asked once. */
#define ONCE (strcmp(MOTE_TEST_PORT, "linux") == 0)

static int refuses;   /* the error of a kernel or device that has no segments; 0: it has */
static unsigned asked; /* how many times it was asked for them */

/* In the place of the C library's, which the port calls for segments alone. */
ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
  asked++;
  errno = refuses;
  return refuses ? -1 : (ssize_t)syscall(SYS_sendmsg, fd, m, flags);
}

/* Makes a socket on a port of its own, which goes to *at. */
static curl_socket_t open_socket(struct mote_addr *at)
{
  struct mote_addr any = {.family = MOTE_FAMILY_IP4, .ip = {127, 0, 0, 1}};
  struct mote_target t;
  curl_socket_t fd = CURL_SOCKET_BAD;
  CHECK_INT(mote_port_target_ip(&t, &any, MOTE_SOCKET_DATAGRAM), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), 0);
  CHECK_INT(mote_port_bind(fd, &any), 0);
  CHECK_INT(mote_port_local_name(fd, at), 0);
  mote_port_burst_prepare(fd);
  return fd;
}

static void connect_to(curl_socket_t fd, const struct mote_addr *to)
{
  struct mote_target t;
  CHECK_INT(mote_port_target_ip(&t, to, MOTE_SOCKET_DATAGRAM), 0);
  CHECK_INT(mote_port_connect(fd, &t.u.sa), 0);
}

static curl_socket_t open_unbound(const struct mote_addr *to)
{
  struct mote_target t;
  curl_socket_t fd = CURL_SOCKET_BAD;
  CHECK_INT(mote_port_target_ip(&t, to, MOTE_SOCKET_DATAGRAM), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), 0);
  connect_to(fd, to);
  return fd;
}

static void await(curl_socket_t fd)
{
  struct curl_waitfd w = {.fd = fd, .events = CURL_WAIT_POLLIN};
  unsigned ready;
  CHECK_INT(mote_port_poll(&w, 1, 5000, &ready), 0);
  CHECK_INT(ready, 1);
}

struct pair {
  curl_socket_t from, to;
  char sent[2 * EACH + 500];
  char room[MOTE_PORT_BURST_MOST];
  struct mote_burst bursts[MOTE_PORT_BURSTS];
  unsigned count;
};

static void begin(struct pair *p)
{
  struct mote_addr a, b;
  size_t i;
  p->from = open_socket(&a);
  p->to = open_socket(&b);
  connect_to(p->from, &b);
  connect_to(p->to, &a);
  for(i = 0; i < sizeof p->sent; i++)
    p->sent[i] = (char)(i * 7);
}

static void end(struct pair *p)
{
  mote_port_close(p->from);
  mote_port_close(p->to);
}

static void send_burst(struct pair *p)
{
  size_t n;
  CHECK_INT(mote_port_burst_send(p->from, p->sent, sizeof p->sent, EACH, &n), 0);
  CHECK_INT(n, sizeof p->sent);
  await(p->to);
}

TEST(a_burst_comes_as_its_datagrams)
{
  static struct pair p;
  begin(&p);
  CHECK_INT(mote_port_burst_recv(p.to, p.room, 16384, false, p.bursts, &p.count), MOTE_PORT_AGAIN);
  send_burst(&p);
  CHECK_INT(mote_port_burst_recv(p.to, p.room, 16384, false, p.bursts, &p.count), 0);
  if(CHECK_INT(p.count, 3)) {
    CHECK(p.bursts[0].len == EACH && p.bursts[1].len == EACH && p.bursts[2].len == 500);
    CHECK(!memcmp(p.bursts[1].bytes, p.sent + EACH, EACH));
    CHECK(!memcmp(p.bursts[2].bytes, p.sent + 2 * (size_t)EACH, 500));
  }
  CHECK_INT(mote_port_burst_recv(p.to, p.room, 16384, false, p.bursts, &p.count), MOTE_PORT_AGAIN);
  end(&p);
}

TEST(a_room_for_one_takes_one)
{
  static struct pair p;
  begin(&p);
  send_burst(&p);
  CHECK_INT(mote_port_burst_recv(p.to, p.room, 2048, false, p.bursts, &p.count), 0);
  CHECK_INT(p.count, 1);
  CHECK(p.bursts[0].len == EACH && !memcmp(p.bursts[0].bytes, p.sent, EACH));
  end(&p);
}

/* Together or one by one, as the kernel has it: no byte is lost. */
TEST(gathered_they_are_whole)
{
  static struct pair p;
  size_t len = 0;
  begin(&p);
  if(mote_port_burst_gather(p.to)) {
    send_burst(&p);
    while(len < sizeof p.sent) {
      CHECK_INT(mote_port_burst_recv(p.to, p.room, sizeof p.room, true, p.bursts, &p.count), 0);
      CHECK_INT(p.count, 1);
      CHECK(p.bursts[0].segment == EACH || p.bursts[0].len == 500);
      CHECK(len + p.bursts[0].len <= sizeof p.sent &&
            !memcmp(p.bursts[0].bytes, p.sent + len, p.bursts[0].len));
      if(!p.bursts[0].len)
        break;
      len += p.bursts[0].len;
    }
  }
  end(&p);
}

TEST(who_does_not_listen_says_so)
{
  static struct pair p;
  size_t n;
  begin(&p);
  mote_port_close(p.to);
  CHECK_INT(mote_port_burst_send(p.from, "x", 1, EACH, &n), 0);
  await(p.from);
  CHECK_INT(mote_port_burst_recv(p.from, p.room, 2048, false, p.bursts, &p.count), ECONNREFUSED);
  mote_port_close(p.from);
}

TEST(a_socket_that_moves_is_connected_to_the_same_address)
{
  static struct pair p;
  struct mote_addr to, before, now;
  size_t n;
  begin(&p);
  CHECK_INT(mote_port_local_name(p.to, &to), 0);
  mote_port_close(p.from);
  p.from = open_unbound(&to);
  CHECK_INT(mote_port_local_name(p.from, &before), 0);
  CHECK_INT(mote_port_burst_move(p.from, &to), 0);
  CHECK_INT(mote_port_local_name(p.from, &now), 0);
  CHECK(now.port && now.port != before.port);
  connect_to(p.to, &now);
  CHECK_INT(mote_port_burst_send(p.from, "x", 1, EACH, &n), 0);
  await(p.to);
  CHECK_INT(mote_port_burst_recv(p.to, p.room, 2048, false, p.bursts, &p.count), 0);
  CHECK(p.bursts[0].len == 1);
  end(&p);
}

TEST(what_no_path_takes)
{
  static struct pair p;
  size_t n;
  begin(&p);
  CHECK_INT(mote_port_burst_send(p.from, p.room, 65530, 65530, &n), EMSGSIZE);
  CHECK_INT(n, 0);
  end(&p);
}

/* Linux says EINVAL of those, too. */
TEST(segments_that_are_too_long_are_no_refusal)
{
  static struct pair p;
  size_t n;
  begin(&p);
  refuses = EINVAL;
  CHECK_INT(mote_port_burst_send(p.from, p.room, 65531, 65530, &n), EMSGSIZE);
  CHECK_INT(n, 0);
  refuses = 0;
  asked = 0;
  send_burst(&p);
  CHECK_INT(asked, ONCE);
  end(&p);
}

/* Last: the process remembers it. */
TEST(segments_that_are_refused_go_one_by_one)
{
  static struct pair p;
  begin(&p);
  refuses = EIO;
  asked = 0;
  send_burst(&p);
  CHECK_INT(asked, ONCE);
  CHECK_INT(mote_port_burst_recv(p.to, p.room, 16384, false, p.bursts, &p.count), 0);
  if(CHECK_INT(p.count, 3))
    CHECK(!memcmp(p.bursts[2].bytes, p.sent + 2 * (size_t)EACH, 500));
  send_burst(&p);
  CHECK_INT(asked, ONCE);
  end(&p);
}

int main(void)
{
  TEST_RUN(a_burst_comes_as_its_datagrams);
  TEST_RUN(a_room_for_one_takes_one);
  TEST_RUN(gathered_they_are_whole);
  TEST_RUN(who_does_not_listen_says_so);
  TEST_RUN(a_socket_that_moves_is_connected_to_the_same_address);
  TEST_RUN(what_no_path_takes);
  TEST_RUN(segments_that_are_too_long_are_no_refusal);
  TEST_RUN(segments_that_are_refused_go_one_by_one);
  return test_end();
}
