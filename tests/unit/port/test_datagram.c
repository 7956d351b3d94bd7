/* tests/unit/port/test_datagram.c: datagrams between sockets of this machine (port/datagram.h).
 * Needs tftp. */
#include "port/datagram.h"
#include "port/interface.h"
#include "port/port.h"
#include "test.h"

static struct mote_addr here(uint16_t port)
{
  struct mote_addr a = {.family = MOTE_FAMILY_IP4, .port = port, .ip = {127, 0, 0, 1}};
  return a;
}

/* Makes a socket on a port of its own, which goes to *at. */
static curl_socket_t open_socket(struct mote_addr *at)
{
  struct mote_addr any = here(0);
  struct mote_target t;
  curl_socket_t fd = CURL_SOCKET_BAD;
  CHECK_INT(mote_port_target_ip(&t, &any, MOTE_SOCKET_DATAGRAM), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), 0);
  CHECK_INT(mote_port_bind(fd, &any), 0);
  CHECK_INT(mote_port_local_name(fd, at), 0);
  return fd;
}

static void await(curl_socket_t fd)
{
  struct curl_waitfd w = {.fd = fd, .events = CURL_WAIT_POLLIN};
  unsigned ready;
  CHECK_INT(mote_port_poll(&w, 1, 5000, &ready), 0);
  CHECK_INT(ready, 1);
}

TEST(there_and_back)
{
  struct mote_addr a, b, from;
  curl_socket_t one = open_socket(&a), two = open_socket(&b);
  char got[8];
  size_t n = 9;
  CHECK_INT(mote_port_recv_from(two, got, sizeof got, &n, &from), MOTE_PORT_AGAIN);
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_send_to(one, &b, "hello", 5), 0);
  await(two);
  CHECK_INT(mote_port_recv_from(two, got, sizeof got, &n, &from), 0);
  CHECK(n == 5 && !memcmp(got, "hello", 5));
  CHECK(from.family == MOTE_FAMILY_IP4 && from.port == a.port && !memcmp(from.ip, a.ip, 4));
  CHECK_INT(mote_port_send_to(two, &from, "", 0), 0);
  await(one);
  CHECK_INT(mote_port_recv_from(one, got, sizeof got, &n, &from), 0);
  CHECK_INT(n, 0);
  CHECK_INT(from.port, b.port);
  mote_port_close(one);
  mote_port_close(two);
}

TEST(what_does_not_fit_is_lost)
{
  struct mote_addr a, b, from;
  curl_socket_t one = open_socket(&a), two = open_socket(&b);
  char got[3];
  size_t n;
  CHECK_INT(mote_port_send_to(one, &b, "hello", 5), 0);
  CHECK_INT(mote_port_send_to(one, &b, "x", 1), 0);
  await(two);
  CHECK_INT(mote_port_recv_from(two, got, sizeof got, &n, &from), 0);
  CHECK_INT(n, 3);
  await(two);
  CHECK_INT(mote_port_recv_from(two, got, sizeof got, &n, &from), 0);
  CHECK(n == 1 && *got == 'x');
  mote_port_close(one);
  mote_port_close(two);
}

/* After a connect nothing comes from others. */
TEST(connected_to_one)
{
  struct mote_addr a, b, c, from;
  curl_socket_t one = open_socket(&a), two = open_socket(&b), three = open_socket(&c);
  struct mote_target t;
  char got[8];
  size_t n;
  CHECK_INT(mote_port_target_ip(&t, &a, MOTE_SOCKET_DATAGRAM), 0);
  CHECK_INT(mote_port_connect(two, &t.u.sa), 0);
  CHECK_INT(mote_port_send_to(three, &b, "evil", 4), 0);
  CHECK_INT(mote_port_send_to(one, &b, "good", 4), 0);
  await(two);
  CHECK_INT(mote_port_recv_from(two, got, sizeof got, &n, &from), 0);
  CHECK(n == 4 && !memcmp(got, "good", 4) && from.port == a.port);
  CHECK_INT(mote_port_recv(two, got, sizeof got, &n), MOTE_PORT_AGAIN);
  mote_port_close(one);
  mote_port_close(two);
  mote_port_close(three);
}

TEST(errors)
{
  struct mote_addr a, none = {.family = MOTE_FAMILY_NONE}, from;
  curl_socket_t one = open_socket(&a);
  static char large[70000];
  size_t n = 1;
  CHECK_INT(mote_port_send_to(one, &none, "x", 1), EAFNOSUPPORT);
  CHECK_INT(mote_port_send_to(one, &a, large, sizeof large), EMSGSIZE);
  mote_port_close(one);
  CHECK_INT(mote_port_recv_from(one, large, 1, &n, &from), EBADF);
  CHECK_INT(n, 0);
}

int main(void)
{
  TEST_RUN(there_and_back);
  TEST_RUN(what_does_not_fit_is_lost);
  TEST_RUN(connected_to_one);
  TEST_RUN(errors);
  return test_end();
}
