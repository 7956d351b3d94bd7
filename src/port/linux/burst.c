/* port/linux/burst.c: bursts as Linux has them (port/burst.h). */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "port/burst.h"
#include "port/port.h"

/* linux/udp.h; the C library's netinet/udp.h has them since 2.31 with other names of its struct around
 * them. */
#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

/* A kernel or a device has refused segments once: it is not asked again. Of the process, as most have one
 * device. */
static atomic_bool refused;

static void set_option(curl_socket_t fd, int level, int option, int value)
{
  (void)setsockopt(fd, level, option, &value, sizeof value);
}

void mote_port_burst_prepare(curl_socket_t fd)
{
  set_option(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
  set_option(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE);
}

int mote_port_burst_move(curl_socket_t fd, const struct mote_addr *to)
{
  const struct sockaddr none = {.sa_family = AF_UNSPEC};
  struct mote_target t;
  int error = mote_port_target_ip(&t, to, MOTE_SOCKET_DATAGRAM);
  (void)connect(fd, &none, sizeof none); /* or it keeps the address that it has chosen */
  return error ? error : mote_port_connect(fd, &t.u.sa);
}

bool mote_port_burst_gather(curl_socket_t fd)
{
  int on = 1;
  return !setsockopt(fd, IPPROTO_UDP, UDP_GRO, &on, sizeof on);
}

static int burst_result(ssize_t moved)
{
  if(moved >= 0)
    return 0;
  return errno == EAGAIN || errno == EWOULDBLOCK ? MOTE_PORT_AGAIN : errno;
}

/* The length of each datagram of a burst is beside it. */
static int recv_gathered(curl_socket_t fd, void *room, size_t size, struct mote_burst *b)
{
  union {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec io = {room, size};
  struct msghdr m = {
    .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *h;
  ssize_t got;
  do
    got = recvmsg(fd, &m, 0);
  while(got < 0 && errno == EINTR);
  if(got < 0)
    return burst_result(got);
  *b = (struct mote_burst){room, (size_t)got, (size_t)got};
  for(h = CMSG_FIRSTHDR(&m); h; h = CMSG_NXTHDR(&m, h))
    if(h->cmsg_level == IPPROTO_UDP && h->cmsg_type == UDP_GRO) {
      int each;
      memcpy(&each, CMSG_DATA(h), sizeof each);
      if(each > 0)
        b->segment = (size_t)each;
    }
  return 0;
}

static int recv_some(curl_socket_t fd, char *room, size_t size, struct mote_burst *bursts, unsigned *count)
{
  struct mmsghdr m[MOTE_PORT_BURSTS];
  struct iovec io[MOTE_PORT_BURSTS];
  unsigned slots = (unsigned)(size / MOTE_PORT_DATAGRAM), i;
  int got;
  if(slots > MOTE_PORT_BURSTS)
    slots = MOTE_PORT_BURSTS;
  memset(m, 0, slots * sizeof *m);
  for(i = 0; i < slots; i++) {
    io[i] = (struct iovec){room + i * MOTE_PORT_DATAGRAM, MOTE_PORT_DATAGRAM};
    m[i].msg_hdr.msg_iov = &io[i];
    m[i].msg_hdr.msg_iovlen = 1;
  }
  do
    got = recvmmsg(fd, m, slots, 0, NULL);
  while(got < 0 && errno == EINTR);
  if(got < 0)
    return burst_result(got);
  for(i = 0; i < (unsigned)got; i++)
    bursts[i] = (struct mote_burst){io[i].iov_base, m[i].msg_len, m[i].msg_len};
  *count = (unsigned)got;
  return 0;
}

int mote_port_burst_recv(curl_socket_t fd, void *room, size_t size, bool gathered,
                         struct mote_burst bursts[MOTE_PORT_BURSTS], unsigned *count)
{
  *count = 1;
  return gathered ? recv_gathered(fd, room, size, bursts) : recv_some(fd, room, size, bursts, count);
}

/* sendto, as the log build's send may move a part of its bytes (log/log.h), and a datagram is moved whole. */
static ssize_t send_one(curl_socket_t fd, const char *bytes, size_t len)
{
  ssize_t sent;
  do
    sent = sendto(fd, bytes, len, MSG_NOSIGNAL, NULL, 0);
  while(sent < 0 && errno == EINTR);
  return sent;
}

static ssize_t send_segments(curl_socket_t fd, const char *bytes, size_t len, size_t segment)
{
  union {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(uint16_t))];
  } control = {.bytes = {0}};
  struct iovec io = {(void *)(uintptr_t)bytes, len};
  struct msghdr m = {
    .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *h = CMSG_FIRSTHDR(&m);
  uint16_t each = (uint16_t)segment;
  ssize_t sent;
  h->cmsg_level = IPPROTO_UDP;
  h->cmsg_type = UDP_SEGMENT;
  h->cmsg_len = CMSG_LEN(sizeof each);
  memcpy(CMSG_DATA(h), &each, sizeof each);
  do
    sent = sendmsg(fd, &m, MSG_NOSIGNAL);
  while(sent < 0 && errno == EINTR);
  return sent;
}

/* EIO: the device computes no checksums; EINVAL, ENOPROTOOPT: the kernel is older than 4.18. */
static bool is_refusal(int error)
{
  return error == EIO || error == EINVAL || error == ENOPROTOOPT || error == EOPNOTSUPP;
}

int mote_port_burst_send(curl_socket_t fd, const void *bytes, size_t len, size_t segment, size_t *n)
{
  const char *at = bytes;
  ssize_t sent = 0;
  bool together = true;
  *n = 0;
  if(len > segment && !atomic_load_explicit(&refused, memory_order_relaxed)) {
    sent = send_segments(fd, at, len, segment);
    if(sent >= 0 || !is_refusal(errno)) {
      *n = sent > 0 ? (size_t)sent : 0;
      return burst_result(sent);
    }
    together = false;
  }
  while(*n < len) {
    size_t each = len - *n < segment ? len - *n : segment;
    sent = send_one(fd, at + *n, each);
    if(sent < 0)
      return burst_result(sent);
    if(!together) /* alone it goes, so that neither its length nor the path was the reason */
      atomic_store_explicit(&refused, true, memory_order_relaxed);
    together = true;
    *n += each;
  }
  return 0;
}
