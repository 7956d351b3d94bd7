/* raw.h: plain sockets, the floor of what a transfer can cost. IPv4, bodies with a length, equal replies. */
#ifndef BENCH_RAW_H
#define BENCH_RAW_H

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_in raw_address;
static char raw_request[512];
static size_t raw_length; /* of the request, bytes */
static char raw_buffer[102400 + 1];

/* argv: HOST PORT PATH ... */
static inline void raw_begin(char **argv, const char *extra)
{
  raw_address.sin_family = AF_INET;
  raw_address.sin_port = htons((unsigned short)atoi(argv[2]));
  inet_pton(AF_INET, argv[1], &raw_address.sin_addr);
  raw_length = (size_t)snprintf(raw_request, sizeof raw_request,
                                "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: */*\r\n%s\r\n",
                                argv[3], argv[1], extra);
}

static inline void raw_fail(const char *what)
{
  perror(what);
  exit(1);
}

static inline int raw_connect(int flags)
{
  int one = 1;
  int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if(s < 0)
    raw_fail("socket");
  setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if(connect(s, (struct sockaddr *)&raw_address, sizeof raw_address) && errno != EINPROGRESS)
    raw_fail("connect");
  return s;
}

static inline void raw_send(int s)
{
  if(send(s, raw_request, raw_length, MSG_NOSIGNAL) != (ssize_t)raw_length)
    raw_fail("send");
}

static inline size_t raw_recv(int s, size_t at, size_t size)
{
  ssize_t n = recv(s, raw_buffer + at, size, 0);
  if(n < 0)
    raw_fail("recv");
  return (size_t)n;
}

static inline void raw_watch(int set, int op, int s, unsigned events)
{
  struct epoll_event e;
  memset(&e, 0, sizeof e);
  e.events = events;
  e.data.fd = s;
  if(epoll_ctl(set, op, s, &e))
    raw_fail("epoll_ctl");
}

static inline double raw_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline void raw_cpu(double *user, double *sys)
{
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  *user = (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec / 1e6;
  *sys = (double)r.ru_stime.tv_sec + (double)r.ru_stime.tv_usec / 1e6;
}

/* How long the whole reply is, head and body. */
static inline size_t raw_reply(void)
{
  int s = raw_connect(0);
  size_t have = 0;
  size_t whole = 0;
  raw_send(s);
  while(!whole || have < whole) {
    size_t n = raw_recv(s, have, sizeof raw_buffer - 1 - have);
    const char *end;
    const char *field;
    if(!n)
      raw_fail("a reply of known length was expected");
    have += n;
    raw_buffer[have] = 0;
    end = strstr(raw_buffer, "\r\n\r\n");
    field = strcasestr(raw_buffer, "content-length:");
    if(end && field)
      whole = (size_t)(end - raw_buffer) + 4 + (size_t)atol(field + 15);
  }
  close(s);
  return whole;
}

#endif
