/* server.h: the loop of both servers: one process, a listening socket, epoll, and a signal to go on. */
#ifndef BENCH_MILLION_SERVER_H
#define BENCH_MILLION_SERVER_H

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include "million.h"

static int server_set;         /* epoll */
static unsigned long chunks;   /* of a body */
static unsigned long released; /* chunks that may be sent by now; 1 until the signal */

static inline void server_fail(const char *what)
{
  perror(what);
  exit(1);
}

static inline void server_watch(int op, int s, unsigned events, void *tag)
{
  struct epoll_event e = { .events = events, .data.ptr = tag };
  if(epoll_ctl(server_set, op, s, &e))
    server_fail("epoll_ctl");
}

/* Listens at 127.0.0.1:PORT. */
static inline int server_listen(int port)
{
  struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((unsigned short)port),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  int one = 1, s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if(bind(s, (struct sockaddr *)&a, sizeof a) || listen(s, 4096))
    server_fail("listen");
  return s;
}

/* The signal to go on, as a descriptor. */
static inline int server_signal(void)
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  return signalfd(-1, &set, SFD_NONBLOCK);
}

/* Runs until the process is killed. accepted: makes a connection, which the server watches with itself as
 * tag.
 * ready: an event of it. round: `released` has grown, and each connection may send the next chunk. */
static inline void server_run(int port, void (*accepted)(int s), void (*ready)(void *c, unsigned events),
                              void (*round)(void))
{
  struct epoll_event ev[512];
  int listener = server_listen(port), go = server_signal();
  signal(SIGPIPE, SIG_IGN);
  server_set = epoll_create1(0);
  released = 1;
  server_watch(EPOLL_CTL_ADD, listener, EPOLLIN, &listener);
  server_watch(EPOLL_CTL_ADD, go, EPOLLIN, &go);
  puts("ready");
  fflush(stdout);
  for(;;) {
    int going = released > 1 && released < chunks;
    int i, n = epoll_wait(server_set, ev, 512, going ? 0 : -1);
    for(i = 0; i < n; i++) {
      if(ev[i].data.ptr == &listener) {
        int s;
        while((s = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0)
          accepted(s);
      }
      else if(ev[i].data.ptr == &go) {
        struct signalfd_siginfo info;
        if(read(go, &info, sizeof info) > 0 && released == 1) {
          released = 2;
          round();
        }
      }
      else
        ready(ev[i].data.ptr, ev[i].events);
    }
    if(going && !n) { /* what was sent has gone, and no request has come: the next round */
      released++;
      round();
    }
  }
}

#endif
