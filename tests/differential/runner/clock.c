/* clock.c: the clock that the library sees. It takes the place of the C library's functions of the same
 * names.
 *
 * It stands still but for a microsecond at each look, and moves when the client waits (wait.c). The date
 * is always the same, so that what a server's dates mean does not change. */
#define _GNU_SOURCE
#include "runner.h"
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define DATE 1795000000LL /* seconds since 1970: 18 November 2026 */
#define BOOT 100000LL     /* the monotonic clock's seconds then */

static long long passed; /* microseconds */

void clock_reset(void)
{
  passed = 0;
}

long long clock_now(void)
{
  return passed;
}

void clock_advance(long long microseconds)
{
  passed += microseconds;
}

int clock_gettime(clockid_t id, struct timespec *to)
{
  long long base = id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE ? DATE : BOOT;
  passed++;
  to->tv_sec = (time_t)(base + passed / 1000000);
  to->tv_nsec = (long)(passed % 1000000 * 1000);
  return 0;
}

int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
  (void)zone;
  passed++;
  to->tv_sec = (time_t)(DATE + passed / 1000000);
  to->tv_usec = (suseconds_t)(passed % 1000000);
  return 0;
}

time_t time(time_t *to)
{
  time_t now = (time_t)(DATE + passed / 1000000);
  if(to)
    *to = now;
  return now;
}

int usleep(useconds_t microseconds)
{
  passed += microseconds;
  return 0;
}

int nanosleep(const struct timespec *length, struct timespec *left)
{
  (void)left;
  passed += (long long)length->tv_sec * 1000000 + length->tv_nsec / 1000;
  return 0;
}
