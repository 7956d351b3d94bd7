/* raw_get HOST PORT PATH [BUFFER]: one download by recv(). */
#define _GNU_SOURCE
#include "raw.h"

int main(int argc, char **argv)
{
  size_t size = argc > 4 ? (size_t)atol(argv[4]) : 102400;
  double clock = raw_clock();
  double user;
  double sys;
  long long got = 0;
  size_t n;
  int s;
  if(argc < 4 || size >= sizeof raw_buffer)
    return 2;
  raw_begin(argv, "Connection: close\r\n");
  s = raw_connect(0);
  raw_send(s);
  while((n = raw_recv(s, 0, size)))
    got += (long long)n;
  raw_cpu(&user, &sys);
  printf("result bytes=%lld clock=%.6f cpu=%.6f\n", got, raw_clock() - clock, user + sys);
  return 0;
}
