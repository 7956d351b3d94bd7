/* Sockets that wait for connections, on the loopback interface. Needs data_listen, posix. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "port/interface.h"
#include "port/listen.h"
#include "port/port.h"
#include "test.h"

static struct mote_addr loopback(int last)
{
  struct mote_addr a = {.family = MOTE_FAMILY_IP4, .ip = {127, 0, 0, (uint8_t)last}};
  return a;
}

static curl_socket_t bound(struct mote_addr *a)
{
  struct mote_target t;
  curl_socket_t fd;
  CHECK_INT(mote_port_target_ip(&t, a, MOTE_SOCKET_STREAM), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), 0);
  CHECK_INT(mote_port_bind(fd, a), 0);
  CHECK_INT(mote_port_local_name(fd, a), 0);
  return fd;
}

static curl_socket_t begin(const struct mote_addr *to, int from)
{
  struct mote_addr local = loopback(from);
  curl_socket_t fd = bound(&local);
  struct mote_target t;
  CHECK_INT(mote_port_target_ip(&t, to, MOTE_SOCKET_STREAM), 0);
  (void)mote_port_connect(fd, &t.u.sa);
  return fd;
}

static void wait_for_one(curl_socket_t fd)
{
  struct pollfd p = {.fd = fd, .events = POLLIN};
  CHECK_INT(poll(&p, 1, 10000), 1);
}

TEST(a_connection_is_taken)
{
  struct mote_addr a = loopback(1), peer;
  curl_socket_t fd = bound(&a), one, got, taken;
  CHECK_INT(mote_port_listen(fd), 0);
  CHECK_INT(mote_port_accept(fd, &got, &peer), MOTE_PORT_AGAIN);
  CHECK_INT(got, CURL_SOCKET_BAD);
  one = begin(&a, 2);
  wait_for_one(fd);
  CHECK_INT(mote_port_accept(fd, &got, &peer), 0);
  taken = got;
  CHECK_INT(peer.family, MOTE_FAMILY_IP4);
  CHECK_INT(peer.ip[3], 2);
  CHECK(fcntl(got, F_GETFL) & O_NONBLOCK);
  CHECK(fcntl(got, F_GETFD) & FD_CLOEXEC);
  CHECK_INT(mote_port_accept(fd, &got, &peer), MOTE_PORT_AGAIN);
  mote_port_close(taken);
  mote_port_close(one);
  mote_port_close(fd);
}

TEST(what_cannot_listen)
{
  struct mote_addr a = loopback(1), peer;
  curl_socket_t fd = bound(&a), got;
  CHECK_INT(mote_port_listen(-1), EBADF);
  CHECK_INT(mote_port_accept(fd, &got, &peer), EINVAL);
  CHECK_INT(mote_port_accept(-1, &got, &peer), EBADF);
  CHECK_INT(got, CURL_SOCKET_BAD);
  mote_port_close(fd);
}

int main(void)
{
  TEST_RUN(a_connection_is_taken);
  TEST_RUN(what_cannot_listen);
  return test_end();
}
