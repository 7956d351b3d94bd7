/* Sockets on the loopback interface, and calls that a signal interrupts. Needs wait_sets, posix. */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "port/interface.h"
#include "port/port.h"
#include "port/set.h"
#include "port/unix.h"
#include "test.h"

/* What only Linux has is missing. */
#define PLAIN (strcmp(MOTE_TEST_PORT, "linux") != 0)

/* In place of the C library's, to be interrupted. */
static int interruptions;

static bool interrupted(void)
{
  if(!interruptions)
    return false;
  interruptions--;
  errno = EINTR;
  return true;
}

ssize_t recv(int fd, void *buf, size_t len, int flags)
{
  return interrupted() ? -1 : (ssize_t)syscall(SYS_recvfrom, fd, buf, len, flags, NULL, NULL);
}

ssize_t send(int fd, const void *buf, size_t len, int flags)
{
  return interrupted() ? -1 : (ssize_t)syscall(SYS_sendto, fd, buf, len, flags, NULL, 0);
}

static struct mote_addr loopback(int family)
{
  struct mote_addr a = { .family = (uint8_t)family };
  if(family == MOTE_FAMILY_IP4) {
    a.ip[0] = 127;
    a.ip[3] = 1;
  }
  else
    a.ip[15] = 1;
  return a;
}

static void wait_for(curl_socket_t fd, short events)
{
  struct pollfd p = { fd, events, 0 };
  CHECK(poll(&p, 1, 20000) == 1);
}

static curl_socket_t new_socket(const struct mote_addr *a)
{
  struct mote_target t;
  curl_socket_t fd = CURL_SOCKET_BAD;
  CHECK_INT(mote_port_target_ip(&t, a, MOTE_SOCKET_STREAM), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), 0);
  return fd;
}

/* A listener at *a; sets its port. */
static curl_socket_t listener(struct mote_addr *a)
{
  curl_socket_t fd = new_socket(a);
  CHECK_INT(mote_port_bind(fd, a), 0);
  CHECK(!listen(fd, 5));
  CHECK_INT(mote_port_local_name(fd, a), 0);
  CHECK(a->port);
  return fd;
}

static curl_socket_t connected(const struct mote_addr *to)
{
  struct mote_target t;
  curl_socket_t fd = new_socket(to);
  int error;
  CHECK_INT(mote_port_target_ip(&t, to, MOTE_SOCKET_STREAM), 0);
  error = mote_port_connect(fd, &t.u.sa);
  CHECK(!error || error == MOTE_PORT_AGAIN);
  wait_for(fd, POLLOUT);
  CHECK_INT(mote_port_connect_result(fd), 0);
  return fd;
}

struct pair {
  curl_socket_t client;
  curl_socket_t server;
};

static struct pair make_pair(int family)
{
  struct mote_addr a = loopback(family);
  curl_socket_t l = listener(&a);
  struct pair p;
  p.client = connected(&a);
  wait_for(l, POLLIN);
  p.server = accept(l, NULL, NULL);
  CHECK(p.server >= 0);
  CHECK_INT(mote_port_nonblocking(p.server), 0);
  CHECK_INT(mote_port_nonblocking(p.server), 0);
  mote_port_close(l);
  return p;
}

static void close_pair(const struct pair *p)
{
  mote_port_close(p->client);
  mote_port_close(p->server);
}

static void exchange(int family)
{
  struct pair p = make_pair(family);
  char buf[10];
  size_t n = 99;
  CHECK(fcntl(p.client, F_GETFL) & O_NONBLOCK);
  CHECK(fcntl(p.server, F_GETFL) & O_NONBLOCK);
  CHECK(fcntl(p.client, F_GETFD) & FD_CLOEXEC);
  CHECK_INT(mote_port_recv(p.client, buf, sizeof buf, &n), MOTE_PORT_AGAIN);
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_peek(p.client), MOTE_PEEK_QUIET);
  interruptions = 2;
  CHECK_INT(mote_port_send(p.server, "hello", 5, &n), 0);
  CHECK_INT(n, 5);
  wait_for(p.client, POLLIN);
  interruptions = 2;
  CHECK_INT(mote_port_peek(p.client), MOTE_PEEK_BYTES);
  interruptions = 2;
  CHECK_INT(mote_port_recv(p.client, buf, sizeof buf, &n), 0);
  CHECK_MEM(buf, n, "hello", 5);
  CHECK_INT(mote_port_recv(p.client, buf, 0, &n), 0);
  CHECK_INT(mote_port_send(p.client, buf, 0, &n), 0);
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_shutdown(p.server), 0);
  wait_for(p.client, POLLIN);
  CHECK_INT(mote_port_peek(p.client), MOTE_PEEK_CLOSED);
  n = 99;
  CHECK_INT(mote_port_recv(p.client, buf, sizeof buf, &n), 0);
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_send(p.client, "x", 1, &n), 0);
  close_pair(&p);
}

TEST(exchange_ip4) { exchange(MOTE_FAMILY_IP4); }
TEST(exchange_ip6) { exchange(MOTE_FAMILY_IP6); }

TEST(full_and_broken)
{
  static char big[1 << 16];
  struct pair p = make_pair(MOTE_FAMILY_IP4);
  struct linger hard = { 1, 0 };
  size_t total = 0;
  size_t n = 0;
  int error;
  int i;
  while(!(error = mote_port_send(p.client, big, sizeof big, &n)) && total < (1 << 28))
    total += n;
  CHECK_INT(error, MOTE_PORT_AGAIN);
  CHECK(n == 0 && total > 0);
  CHECK(!setsockopt(p.server, SOL_SOCKET, SO_LINGER, &hard, sizeof hard));
  mote_port_close(p.server);
  wait_for(p.client, POLLIN);
  CHECK_INT(mote_port_peek(p.client), MOTE_PEEK_CLOSED);
  /* The first call reports the reset, the others EPIPE; no signal (its default is death). */
  for(i = 0; i < 3; i++) {
    error = mote_port_send(p.client, big, 1, &n);
    CHECK(error == ECONNRESET || error == EPIPE);
    CHECK_INT(n, 0);
  }
  mote_port_close(p.client);
  CHECK_INT(mote_port_recv(-1, big, 1, &n), EBADF);
  CHECK_INT(mote_port_send(-1, big, 1, &n), EBADF);
  CHECK_INT(mote_port_peek(-1), MOTE_PEEK_CLOSED);
  CHECK_INT(mote_port_shutdown(-1), EBADF);
  CHECK_INT(mote_port_nonblocking(-1), EBADF);
  CHECK_INT(mote_port_connect_result(-1), EBADF);
}

TEST(refused)
{
  struct mote_addr a = loopback(MOTE_FAMILY_IP4);
  struct mote_target t;
  curl_socket_t l = listener(&a);
  curl_socket_t fd = new_socket(&a);
  int error;
  CHECK_INT(mote_port_connect_result(fd), MOTE_PORT_AGAIN);
  mote_port_close(l);
  CHECK_INT(mote_port_target_ip(&t, &a, MOTE_SOCKET_STREAM), 0);
  error = mote_port_connect(fd, &t.u.sa);
  if(error == MOTE_PORT_AGAIN) {
    wait_for(fd, POLLOUT);
    error = mote_port_connect_result(fd);
  }
  CHECK_INT(error, ECONNREFUSED);
  mote_port_close(fd);
}

/* Connected and reset before the first look: the result is the error, not "under way". */
TEST(reset_before_the_look)
{
  struct pair p = make_pair(MOTE_FAMILY_IP4);
  struct linger hard = { 1, 0 };
  CHECK(!setsockopt(p.server, SOL_SOCKET, SO_LINGER, &hard, sizeof hard));
  mote_port_close(p.server);
  wait_for(p.client, POLLIN);
  CHECK_INT(mote_port_connect_result(p.client), ECONNRESET);
  mote_port_close(p.client);
}

TEST(names)
{
  struct pair p = make_pair(MOTE_FAMILY_IP4);
  struct mote_addr local;
  struct mote_addr peer;
  struct mote_addr wanted = loopback(MOTE_FAMILY_IP4);
  CHECK_INT(mote_port_local_name(p.client, &local), 0);
  CHECK_INT(mote_port_peer_name(p.server, &peer), 0);
  CHECK(!memcmp(&local, &peer, sizeof peer));
  wanted.port = local.port;
  CHECK(!memcmp(&local, &wanted, sizeof wanted));
  close_pair(&p);
  CHECK_INT(mote_port_local_name(-1, &local), EBADF);
  CHECK_INT(local.family, MOTE_FAMILY_NONE);
  CHECK_INT(mote_port_peer_name(-1, &local), EBADF);
}

TEST(binding)
{
  struct mote_addr a = loopback(MOTE_FAMILY_IP4);
  struct mote_addr b;
  curl_socket_t l = listener(&a);
  curl_socket_t fd = new_socket(&a);
  struct mote_addr none = { 0 };
  CHECK_INT(mote_port_bind(fd, &a), EADDRINUSE);
  b = loopback(MOTE_FAMILY_IP4);
  b.ip[0] = 203;
  CHECK_INT(mote_port_bind(fd, &b), EADDRNOTAVAIL);
  CHECK_INT(mote_port_bind(fd, &none), EAFNOSUPPORT);
  b.ip[0] = 127;
  b.ip[3] = 7;
  CHECK_INT(mote_port_bind(fd, &b), 0);
  CHECK_INT(mote_port_local_name(fd, &b), 0);
  CHECK(b.ip[3] == 7 && b.port);
  mote_port_close(fd);
  mote_port_close(l);
}

TEST(binding_to_device)
{
  struct mote_addr a = loopback(MOTE_FAMILY_IP4);
  curl_socket_t fd = new_socket(&a);
  char name[IF_NAMESIZE];
  int error = mote_port_bind_device(fd, "no-such-if");
  CHECK(PLAIN ? error == ENOSYS : error == ENODEV || error == EPERM);
  if(!PLAIN && if_indextoname(1, name)) {
    error = mote_port_bind_device(fd, name);
    CHECK(!error || error == EPERM);
  }
  mote_port_close(fd);
}

TEST(targets)
{
  struct mote_addr a = loopback(MOTE_FAMILY_IP6);
  struct mote_addr back;
  struct mote_addr none = { 0 };
  struct mote_target t;
  curl_socket_t fd = 5;
  a.port = 443;
  a.scope = 3;
  CHECK_INT(mote_port_target_ip(&t, &a, MOTE_SOCKET_STREAM), 0);
  CHECK(t.u.sa.family == AF_INET6 && t.u.sa.socktype == SOCK_STREAM && t.u.sa.protocol == IPPROTO_TCP);
  CHECK_INT(t.u.sa.addrlen, sizeof(struct sockaddr_in6));
  CHECK(mote_port_target_addr(&t.u.sa, &back));
  CHECK(!memcmp(&a, &back, sizeof a));
  a = loopback(MOTE_FAMILY_IP4);
  a.port = 53;
  CHECK_INT(mote_port_target_ip(&t, &a, MOTE_SOCKET_DATAGRAM), 0);
  CHECK(t.u.sa.family == AF_INET && t.u.sa.socktype == SOCK_DGRAM && t.u.sa.protocol == IPPROTO_UDP);
  CHECK(mote_port_target_addr(&t.u.sa, &back));
  CHECK(!memcmp(&a, &back, sizeof a));
  t.u.sa.addrlen = 3;
  CHECK(!mote_port_target_addr(&t.u.sa, &back));
  t.u.sa.addrlen = 0;
  CHECK(!mote_port_target_addr(&t.u.sa, &back));
  CHECK_INT(mote_port_target_ip(&t, &none, MOTE_SOCKET_STREAM), EAFNOSUPPORT);
  t.u.sa.family = 255;
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), EAFNOSUPPORT);
  CHECK_INT(fd, CURL_SOCKET_BAD);
}

static void unix_exchange(bool abstract)
{
  char path[60];
  struct mote_target t;
  struct mote_addr none;
  curl_socket_t l;
  curl_socket_t fd;
  snprintf(path, sizeof path, "/tmp/mote-test-%ld.sock", mote_port_pid());
  CHECK_INT(mote_port_target_unix(&t, path, strlen(path), abstract), 0);
  CHECK(!mote_port_target_addr(&t.u.sa, &none));
  CHECK_INT(none.family, MOTE_FAMILY_UNIX);
  CHECK_INT(mote_port_socket(&t.u.sa, &l), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), 0);
  CHECK(mote_port_connect(fd, &t.u.sa) == (abstract ? ECONNREFUSED : ENOENT));
  CHECK(!bind(l, (struct sockaddr *)(void *)&t.u.sa.addr, t.u.sa.addrlen) && !listen(l, 1));
  CHECK(access(path, F_OK) == (abstract ? -1 : 0));
  CHECK_INT(mote_port_connect(fd, &t.u.sa), 0);
  CHECK_INT(mote_port_connect_result(fd), 0);
  CHECK_INT(mote_port_peer_name(fd, &none), 0);
  CHECK_INT(none.family, MOTE_FAMILY_UNIX);
  CHECK_INT(mote_port_setopt(fd, MOTE_SOCKOPT_NODELAY, 1) != 0, 1);
  mote_port_close(fd);
  mote_port_close(l);
  unlink(path);
}

TEST(unix_sockets)
{
  char path[200];
  struct mote_target t;
  size_t most = sizeof((struct sockaddr_un *)0)->sun_path - 1;
  memset(path, 'x', sizeof path);
  unix_exchange(false);
  if(PLAIN)
    CHECK_INT(mote_port_target_unix(&t, "x", 1, true), ENOSYS);
  else {
    unix_exchange(true);
    CHECK_INT(mote_port_target_unix(&t, path, most, true), 0);
    CHECK_INT(t.u.sa.addrlen, sizeof(struct sockaddr_un));
    CHECK_INT(mote_port_target_unix(&t, path, most + 1, true), ENAMETOOLONG);
  }
  CHECK_INT(mote_port_target_unix(&t, path, most, false), 0);
  CHECK_INT(mote_port_target_unix(&t, path, most + 1, false), ENAMETOOLONG);
  CHECK_INT(mote_port_target_unix(&t, path, 0, false), ENAMETOOLONG);
}

static int option_value(curl_socket_t fd, int level, int name)
{
  int value = -1;
  socklen_t len = sizeof value;
  CHECK(!getsockopt(fd, level, name, &value, &len));
  return value;
}

TEST(options)
{
  struct mote_addr a = loopback(MOTE_FAMILY_IP4);
  curl_socket_t four = new_socket(&a);
  curl_socket_t six;
  a = loopback(MOTE_FAMILY_IP6);
  six = new_socket(&a);
  CHECK_INT(mote_port_setopt(four, MOTE_SOCKOPT_NODELAY, 1), 0);
  CHECK_INT(option_value(four, IPPROTO_TCP, TCP_NODELAY), 1);
  CHECK_INT(mote_port_setopt(four, MOTE_SOCKOPT_KEEPALIVE, 1), 0);
  CHECK_INT(option_value(four, SOL_SOCKET, SO_KEEPALIVE), 1);
  CHECK_INT(mote_port_setopt(four, MOTE_SOCKOPT_KEEPALIVE_IDLE, 61), 0);
  CHECK_INT(option_value(four, IPPROTO_TCP, TCP_KEEPIDLE), 61);
  CHECK_INT(mote_port_setopt(four, MOTE_SOCKOPT_KEEPALIVE_INTERVAL, 62), 0);
  CHECK_INT(option_value(four, IPPROTO_TCP, TCP_KEEPINTVL), 62);
  CHECK_INT(mote_port_setopt(four, MOTE_SOCKOPT_KEEPALIVE_COUNT, 7), 0);
  CHECK_INT(option_value(four, IPPROTO_TCP, TCP_KEEPCNT), 7);
  CHECK_INT(mote_port_setopt(four, MOTE_SOCKOPT_TOS, 0x20), 0);
  CHECK_INT(option_value(four, IPPROTO_IP, IP_TOS), 0x20);
  CHECK_INT(mote_port_setopt(six, MOTE_SOCKOPT_TOS, 0x20), 0);
  CHECK_INT(option_value(six, IPPROTO_IPV6, IPV6_TCLASS), 0x20);
  CHECK_INT(mote_port_setopt(six, MOTE_SOCKOPT_PRIORITY, 3), 0);
  CHECK_INT(option_value(six, SOL_SOCKET, SO_PRIORITY), 3);
  CHECK_INT(mote_port_setopt(six, MOTE_SOCKOPT_SEND_BUFFER, 10000), 0);
  CHECK(option_value(six, SOL_SOCKET, SO_SNDBUF) >= 10000);
  CHECK_INT(mote_port_setopt(six, MOTE_SOCKOPT_RECEIVE_BUFFER, 10000), 0);
  CHECK(option_value(six, SOL_SOCKET, SO_RCVBUF) >= 10000);
  CHECK_INT(mote_port_setopt(six, MOTE_SOCKOPT_FASTOPEN, 1), 0);
  CHECK_INT(mote_port_setopt(six, (enum mote_sockopt)99, 1), ENOPROTOOPT);
  CHECK_INT(mote_port_setopt(-1, MOTE_SOCKOPT_NODELAY, 1), EBADF);
  CHECK_INT(mote_port_setopt(-1, MOTE_SOCKOPT_TOS, 1), EBADF);
  mote_port_close(four);
  mote_port_close(six);
}

TEST(interfaces)
{
  struct mote_addr peer = loopback(MOTE_FAMILY_IP4);
  struct mote_addr a;
  struct mote_addr local;
  char name[IF_NAMESIZE];
  CHECK_INT(mote_port_interface_address("no-such-if", &peer, &a), ENODEV);
  CHECK_INT(mote_port_interface_index("no-such-if"), 0);
  if(!if_indextoname(1, name))
    return;
  CHECK_INT(mote_port_interface_index(name), 1);
  if(!CHECK(!mote_port_interface_address(name, &peer, &a)))
    return;
  CHECK(!memcmp(&a, &peer, sizeof a));
  local = loopback(MOTE_FAMILY_IP6);
  peer = local;
  if(!mote_port_interface_address(name, &peer, &a))
    CHECK(!memcmp(&a, &local, sizeof a));
  memset(peer.ip, 0, sizeof peer.ip);
  peer.ip[0] = 0xfe;
  peer.ip[1] = 0x80;
  CHECK_INT(mote_port_interface_address(name, &peer, &a), EADDRNOTAVAIL);
}

int main(void)
{
  TEST_RUN(exchange_ip4);
  TEST_RUN(exchange_ip6);
  TEST_RUN(full_and_broken);
  TEST_RUN(refused);
  TEST_RUN(reset_before_the_look);
  TEST_RUN(names);
  TEST_RUN(binding);
  TEST_RUN(binding_to_device);
  TEST_RUN(targets);
  TEST_RUN(unix_sockets);
  TEST_RUN(options);
  TEST_RUN(interfaces);
  return test_end();
}
