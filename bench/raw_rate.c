/* raw_rate HOST PORT PATH TOTAL N: TOTAL GETs over N kept connections by epoll. */
#define _GNU_SOURCE
#include "raw.h"

static size_t got[65536]; /* bytes of the reply under way, by descriptor */

int main(int argc, char **argv)
{
  struct epoll_event ev[256];
  int total = argc > 5 ? atoi(argv[4]) : 0;
  int n = argc > 5 ? atoi(argv[5]) : 0;
  int set = epoll_create1(EPOLL_CLOEXEC);
  int begun = 0;
  int done = 0;
  size_t whole;
  double clock;
  if(total < 1 || n < 1)
    return 2;
  raw_begin(argv, "");
  whole = raw_reply();
  clock = raw_clock();
  for(; begun < n && begun < total; begun++) {
    int s = raw_connect(0);
    raw_watch(set, EPOLL_CTL_ADD, s, EPOLLIN);
    raw_send(s);
  }
  while(done < total) {
    int k = epoll_wait(set, ev, 256, 5000);
    int i;
    if(k <= 0)
      raw_fail("epoll_wait");
    for(i = 0; i < k; i++) {
      int s = ev[i].data.fd;
      size_t part = raw_recv(s, 0, 16384);
      if(!part)
        raw_fail("closed");
      got[s] += part;
      if(got[s] < whole)
        continue;
      got[s] = 0;
      done++;
      if(begun < total) {
        begun++;
        raw_send(s);
      }
    }
  }
  printf("result rate=%.1f done=%d\n", total / (raw_clock() - clock), done);
  return 0;
}
