/* Tests the port against a peer that follows commands (tools/devices/peer.py). Arguments: PORT REFUSED
 *
 * Each connection begins with a line that names the peer's part. */
#include <string.h>

#include <lwip/dns.h>
#include <lwip/priv/tcp_priv.h>

#include "board.h"
#include "divide.h"
#include "flavour.h"
#include "lease.h"
#include "net.h"

#define PATTERN(at) ((uint8_t)((at) * 7 + ((at) >> 8))) /* the peer makes the same */
#define MEGABYTE (1024u * 1024u)

static struct mote_addr peer;
static uint16_t refused;
static uint8_t room[3000];
static unsigned failures;
static const char *test;

static void check(int found, int wanted, const char *what, int line)
{
  if(found == wanted)
    return;
  failures++;
  board_print(test);
  board_print(": ");
  board_print(what);
  board_print(" gave ");
  board_print_number((uint32_t)found);
  board_print(" in line ");
  board_print_number((uint32_t)line);
  board_print("\n");
}
#define CHECK(condition) check(!(condition), 0, #condition, __LINE__)
#define CHECK_ERROR(call, error) check(call, error, #call, __LINE__)

static curl_socket_t connect_as(const char *part)
{
  curl_socket_t fd;
  test = part;
  CHECK_ERROR(net_connect(&peer, &fd), 0);
  CHECK_ERROR(net_send(fd, part, strlen(part)), 0);
  return fd;
}

static void drive(int ms)
{
  mote_time until = mote_port_now() + ms * MOTE_MS;
  unsigned ready;
  while(mote_port_now() < until)
    (void)mote_port_poll(NULL, 0, 20, &ready);
}

/* Waits at most ms; returns what is ready. */
static int ready_events(curl_socket_t fd, short events, int ms)
{
  struct curl_waitfd w = {fd, events, 0};
  unsigned ready;
  CHECK_ERROR(mote_port_poll(&w, 1, ms, &ready), 0);
  CHECK(ready == (w.revents != 0));
  return w.revents;
}

/* ---- connections ---- */

static void test_refused(void)
{
  struct mote_addr to = peer;
  curl_socket_t fd;
  test = "refused";
  to.port = refused;
  CHECK_ERROR(net_connect(&to, &fd), ECONNREFUSED);
}

static void test_table(void)
{
  struct mote_target t;
  curl_socket_t fds[BOARD_SOCKETS], more;
  struct curl_waitfd w = {0, CURL_WAIT_POLLIN, 0};
  unsigned i, ready;
  test = "table";
  CHECK_ERROR(mote_port_target_ip(&t, &peer, MOTE_SOCKET_STREAM), 0);
  for(i = 0; i < BOARD_SOCKETS; i++)
    CHECK_ERROR(mote_port_socket(&t.u.sa, &fds[i]), 0);
  CHECK_ERROR(mote_port_socket(&t.u.sa, &more), EMFILE);
  CHECK(more == CURL_SOCKET_BAD);
  for(i = 0; i < BOARD_SOCKETS; i++)
    mote_port_close(fds[i]);
  CHECK_ERROR(mote_port_recv(fds[0], room, 1, &(size_t){0}), EBADF);
  CHECK_ERROR(mote_port_poll(&w, 1, 0, &ready), 0);
  CHECK(ready == 1 && w.revents == MOTE_POLL_INVALID);
  CHECK_ERROR(mote_port_target_ip(&t, &peer, MOTE_SOCKET_DATAGRAM), 0);
  CHECK_ERROR(mote_port_socket(&t.u.sa, &more), EAFNOSUPPORT);
}

static void test_names(void)
{
  struct mote_addr local, other;
  curl_socket_t fd = connect_as("stall\n");
  test = "names";
  CHECK_ERROR(mote_port_local_name(fd, &local), 0);
  CHECK_ERROR(mote_port_peer_name(fd, &other), 0);
  CHECK(local.family == MOTE_FAMILY_IP4 && local.ip[0] == 10 && local.port);
  CHECK(!memcmp(&other, &peer, sizeof peer));
  CHECK_ERROR(mote_port_setopt(fd, MOTE_SOCKOPT_NODELAY, 1), 0);
  CHECK_ERROR(mote_port_setopt(fd, MOTE_SOCKOPT_KEEPALIVE, 1), 0);
  CHECK_ERROR(mote_port_setopt(fd, MOTE_SOCKOPT_KEEPALIVE_IDLE, 60), 0);
  CHECK_ERROR(mote_port_setopt(fd, MOTE_SOCKOPT_FASTOPEN, 1), ENOPROTOOPT);
  mote_port_close(fd);
}

/* ---- a peer that is slow, silent or gone ---- */

static void test_stall(void)
{
  curl_socket_t fd = connect_as("stall\n");
  mote_time start = mote_port_now(), took;
  size_t n = 1;
  CHECK(!ready_events(fd, CURL_WAIT_POLLIN, 300));
  took = mote_port_now() - start;
  CHECK(took >= 299 * MOTE_MS && took < 600 * MOTE_MS);
  CHECK_ERROR(mote_port_recv(fd, room, sizeof room, &n), MOTE_PORT_AGAIN);
  CHECK(n == 0);
  CHECK(mote_port_peek(fd) == MOTE_PEEK_QUIET);
  CHECK(ready_events(fd, CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT, 300) == CURL_WAIT_POLLOUT);
  mote_port_close(fd);
}

static void test_reset(void)
{
  curl_socket_t fd = connect_as("reset\n");
  size_t n = 1;
  CHECK(ready_events(fd, CURL_WAIT_POLLIN, WAIT_MS) == (CURL_WAIT_POLLIN | MOTE_POLL_ERROR));
  CHECK(mote_port_peek(fd) == MOTE_PEEK_CLOSED);
  CHECK_ERROR(mote_port_recv(fd, room, sizeof room, &n), ECONNRESET);
  CHECK(n == 0);
  CHECK_ERROR(mote_port_send(fd, "x", 1, &n), BOARD_SEND_AFTER_RESET);
  mote_port_close(fd);
}

static void test_end(void)
{
  curl_socket_t fd = connect_as("end\n");
  size_t n;
  CHECK(ready_events(fd, CURL_WAIT_POLLIN, WAIT_MS) == CURL_WAIT_POLLIN);
  CHECK(mote_port_peek(fd) == MOTE_PEEK_BYTES);
  CHECK_ERROR(mote_port_recv(fd, room, 2, &n), 0);
  CHECK(n == 2 && !memcmp(room, "la", 2));
  CHECK_ERROR(net_receive(fd, room, sizeof room, &n), 0);
  CHECK(n == 2 && !memcmp(room, "st", 2));
  CHECK(ready_events(fd, CURL_WAIT_POLLIN, WAIT_MS) == CURL_WAIT_POLLIN);
  CHECK_ERROR(mote_port_recv(fd, room, sizeof room, &n), 0);
  CHECK(n == 0);
  CHECK(mote_port_peek(fd) == MOTE_PEEK_CLOSED);
  CHECK_ERROR(net_send(fd, "answer", 6), 0); /* the peer only has ended its own side */
  mote_port_close(fd);
  drive(200);
}

/* ---- many bytes ---- */

static void test_receive(void)
{
  curl_socket_t fd = connect_as("send\n");
  size_t n, i, at = 0;
  bool same = true;
  int error;
  for(;;) {
    error = net_receive(fd, room, 1 + at % sizeof room, &n);
    if(error || !n)
      break;
    for(i = 0; i < n; i++, at++)
      same = same && room[i] == PATTERN(at);
  }
  CHECK_ERROR(error, 0);
  CHECK(same);
  CHECK(at == MEGABYTE);
  mote_port_close(fd);
}

/* The port takes a part of what is offered when there is no room for all of it. */
static void test_send(void)
{
  curl_socket_t fd = connect_as("sink\n");
  size_t n, i, at = 0, done = sizeof room, partial = 0;
  int error = 0;
  while(at < MEGABYTE / 4 && !error) {
    if(done == sizeof room)
      for(i = 0, done = 0; i < sizeof room; i++)
        room[i] = PATTERN(at + i);
    i = sizeof room - done < MEGABYTE / 4 - at ? sizeof room - done : MEGABYTE / 4 - at;
    error = mote_port_send(fd, room + done, i, &n);
    if(error == MOTE_PORT_AGAIN)
      error = net_wait(fd, CURL_WAIT_POLLOUT);
    partial += n && n < i;
    done += n;
    at += n;
  }
  CHECK_ERROR(error, 0);
  CHECK(partial);
  CHECK_ERROR(mote_port_shutdown(fd), 0);
  CHECK_ERROR(net_receive(fd, room, sizeof room, &n), 0);
  CHECK(n == 2 && !memcmp(room, "ok", 2));
  mote_port_close(fd);
}

/* While the peer reads nothing, all room on the way fills up; then there is room again. */
static void test_deaf(void)
{
  curl_socket_t fd = connect_as("deaf\n");
  size_t n, sent = 0;
  int error = 0;
  while(sent < 16 * MEGABYTE) {
    error = mote_port_send(fd, room, sizeof room, &n);
    sent += n;
    if(error && (error != MOTE_PORT_AGAIN || !ready_events(fd, CURL_WAIT_POLLOUT, 200)))
      break;
  }
  CHECK_ERROR(error, MOTE_PORT_AGAIN);
  CHECK_ERROR(net_send(fd, "last", 4), 0);
  CHECK_ERROR(mote_port_shutdown(fd), 0);
  CHECK_ERROR(net_receive(fd, room, sizeof room, &n), 0);
  CHECK(n == 2 && !memcmp(room, "ok", 2));
  mote_port_close(fd);
}

/* ---- closing ---- */

/* The peer must get everything and then the end, although the descriptor is closed already. */
static void test_close_pending(void)
{
  curl_socket_t fd = connect_as("collect\n");
  size_t n, sent = 0;
  while(sent < MEGABYTE / 8 && !mote_port_send(fd, "0123456789", 10, &n))
    sent += n;
  CHECK(sent >= 10);
  mote_port_close(fd);
  drive(300);
}

static unsigned active_pcbs(void)
{
  const struct tcp_pcb *p;
  unsigned n = 0;
  board_lock_network();
  for(p = tcp_active_pcbs; p; p = p->next)
    n++;
  board_unlock_network();
  return n;
}

/* A connection with unread bytes ends with a reset, and nothing is left of it. (The emulator's network
 * reports an end to the peer in both cases.) */
static void test_close_unread(void)
{
  curl_socket_t fd = connect_as("unread\n");
  unsigned before = active_pcbs();
  CHECK(ready_events(fd, CURL_WAIT_POLLIN, WAIT_MS) == CURL_WAIT_POLLIN);
  mote_port_close(fd);
  CHECK(active_pcbs() == before - 1);
  drive(300);
}

/* With more connections than lwIP has room for, each closed towards a peer that does not end, an old one
 * makes room. */
static void test_many(void)
{
  unsigned i;
  for(i = 0; i < 3 * MEMP_NUM_TCP_PCB; i++)
    mote_port_close(connect_as("hold\n"));
}

/* ---- lookups; the peer's name server knows these ---- */

static void test_lookup(void)
{
  static char longest[DNS_MAX_NAME_LENGTH + 1];
  mote_time start = mote_port_now();
  struct mote_addr found;
  size_t count;
  int error;
  test = "lookup";
  CHECK_ERROR(net_find("one.test", &found), 0);
  CHECK(found.family == MOTE_FAMILY_IP4 && !found.port && found.ip[0] == 192 && found.ip[3] == 1);
  CHECK_ERROR(mote_port_lookup("one.test", MOTE_FAMILY_IP4, &found, 1, &count), 0); /* known */
  CHECK(count == 1);
  CHECK_ERROR(mote_port_lookup("one.test", MOTE_FAMILY_IP6, &found, 1, &count), MOTE_PORT_NO_NAME);
  CHECK_ERROR(net_find("never-cached.test", &found), 0); /* lives for no time */
  CHECK(found.ip[3] == 2);
  error = mote_port_lookup("never-cached.test", MOTE_FAMILY_NONE, &found, 1, &count);
  CHECK(error == MOTE_PORT_AGAIN || !error); /* asked again; lwIP's task may have the answer already */
  CHECK_ERROR(net_find("missing.test", &found), MOTE_PORT_NO_NAME); /* replaces the one before */
  CHECK_ERROR(net_find("never-cached.test", &found), 0);
  memset(longest, 'a', sizeof longest - 1);
  CHECK_ERROR(net_find(longest, &found), MOTE_PORT_NO_NAME);
  CHECK_ERROR(net_find("10.1.2.3", &found), 0);
  CHECK(found.ip[0] == 10 && found.ip[3] == 3);
  CHECK(mote_port_now() - start < WAIT_MS * MOTE_MS); /* the end of a lookup ends a wait */
}

static void test_ground(void)
{
  char text[4] = "abc";
  memset(room, 0, 16);
  test = "ground";
  CHECK(divide_wrong() == 0);
  CHECK(lease_is_counted());
  CHECK(mote_port_random(room, 16) == CURLE_OK);
  CHECK(memcmp(room, room + 8, 8) != 0);
  CHECK(mote_port_wall() > 1700000000);
  CHECK(mote_port_now() > 0);
  CHECK(!mote_port_error_text(ENOMEM, text, sizeof text) && !text[0]);
}

int main(void)
{
  static const ip4_addr_t host = IPADDR4_INIT_BYTES(10, 0, 2, 2);
  char arguments[32];
  char *rest = arguments;
  board_arguments(arguments, sizeof arguments);
  peer.family = MOTE_FAMILY_IP4;
  memcpy(peer.ip, &host.addr, 4);
  peer.port = (uint16_t)net_number(net_word(&rest));
  refused = (uint16_t)net_number(net_word(&rest));
  if(!board_network_up(10000))
    return 2;
  board_lock_network();
  dns_setserver(0, &host);
  board_unlock_network();
  test_ground();
  test_table();
  test_refused();
  test_names();
  test_stall();
  test_reset();
  test_end();
  test_receive();
  test_send();
  test_deaf();
  test_close_pending();
  test_close_unread();
  test_many();
  test_lookup();
  board_print(failures ? "FAILED, stack " : "passed, stack ");
  board_print_number((uint32_t)board_stack_used());
  board_print("\n");
  return failures != 0;
}
