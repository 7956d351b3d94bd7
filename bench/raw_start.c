/* raw_start HOST PORT PATH N: N connections, one GET each, until each has its first bytes. */
#define _GNU_SOURCE
#include "raw.h"

enum state { UNUSED, CONNECTING, ASKED, STARTED };

static unsigned char state[65536]; /* enum state, by descriptor */

static int step(int set, int s)
{
  if(state[s] == CONNECTING) {
    raw_send(s);
    state[s] = ASKED;
    raw_watch(set, EPOLL_CTL_MOD, s, EPOLLIN);
    return 0;
  }
  if(!raw_recv(s, 0, 16384))
    raw_fail("closed");
  if(state[s] != ASKED)
    return 0;
  state[s] = STARTED;
  return 1;
}

int main(int argc, char **argv)
{
  struct epoll_event ev[256];
  int n = argc > 4 ? atoi(argv[4]) : 0;
  int set = epoll_create1(EPOLL_CLOEXEC);
  int started = 0;
  int i;
  double user;
  double sys;
  if(n < 1)
    return 2;
  raw_begin(argv, "");
  for(i = 0; i < n; i++) {
    int s = raw_connect(SOCK_NONBLOCK);
    state[s] = CONNECTING;
    raw_watch(set, EPOLL_CTL_ADD, s, EPOLLOUT);
  }
  while(started < n) {
    int k = epoll_wait(set, ev, 256, 5000);
    if(k <= 0)
      raw_fail("epoll_wait");
    for(i = 0; i < k; i++)
      started += step(set, ev[i].data.fd);
  }
  raw_cpu(&user, &sys);
  printf("result started=%d user=%.6f system=%.6f\n", started, user, sys);
  return 0;
}
