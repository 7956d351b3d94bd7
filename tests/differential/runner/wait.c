/* wait.c: poll and its like, which take the place of the C library's.
 *
 * When nothing is ready the scripted servers do their next step; when they have none, the time that the
 * client would have waited passes at once. */
#define _GNU_SOURCE
#include "runner.h"
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MANY 60000                       /* waits in one case: the client turns in a circle */
#define LONG (3LL * 24 * 3600 * 1000000) /* microseconds of one case: the client never ends */
#define MOMENTS 40                       /* of two milliseconds, for a lookup that has ended */
#define PATIENCE (20 * 1000000LL)        /* microseconds without an event after which every server leaves */

static long waits;
static long long last; /* when something happened, on the client's side or the servers' */
static int threads;    /* that the library started in this case: they look up names, in real time */
static int settled;    /* how often the client was given a moment since the last lookup has ended */
static int counted;    /* threads and lookups then */
extern int net_lookups;

void wait_reset(void)
{
  waits = last = threads = settled = counted = 0;
  net_lookups = 0;
}

void wait_moved(void)
{
  last = clock_now();
}

int pthread_create(pthread_t *restrict id, const pthread_attr_t *restrict attributes, void *(*call)(void *),
                   void *restrict argument)
{
  union {
    void *symbol;
    int (*call)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  } real;
  real.symbol = dlsym(RTLD_NEXT, "pthread_create");
  threads++;
  return real.call(id, attributes, call, argument);
}

/* Lets threads end what they do. The client sees the end of a lookup moments later; after MOMENTS of them
 * the waits of the rest of the case take no real time. */
static void let_threads(void)
{
  int lookups = __atomic_load_n(&net_lookups, __ATOMIC_SEQ_CST);
  if(counted != threads + lookups) {
    counted = threads + lookups;
    settled = 0;
  }
  if(++settled > MOMENTS)
    return;
  for(int i = 0; threads && i < 2000; i++) {
    struct timespec moment = {0, 500000};
    syscall(SYS_nanosleep, &moment, NULL);
    if(i >= 4 && __atomic_load_n(&net_lookups, __ATOMIC_SEQ_CST) >= threads)
      return;
  }
  settled = MOMENTS; /* a thread that looks up nothing, since what it was asked for was no name */
}

/* What is ready now; with threads, what will be in a moment. */
static long ready_now(struct pollfd *list, nfds_t n)
{
  long ready = syscall(SYS_poll, list, n, 0);
  if(ready || !threads)
    return ready;
  let_threads();
  return syscall(SYS_poll, list, n, 0);
}

/* Nothing was ready. 0: look again; 1: the time is over. deadline is in clock_now()'s time, -1: none. */
static int nothing(long long deadline)
{
  long long next;
  if(net_step()) {
    wait_moved();
    return 0;
  }
  next = net_next();
  if(next >= 0 && (deadline < 0 || next <= deadline)) {
    if(next > clock_now())
      clock_advance(next - clock_now());
    net_step();
    wait_moved();
    return 0;
  }
  if(next < 0 && (deadline < 0 || clock_now() - last > PATIENCE) && net_leave())
    return 0;
  if(deadline < 0 || clock_now() > LONG)
    give_up("hang");
  if(deadline > clock_now())
    clock_advance(deadline - clock_now());
  return 1;
}

static long long deadline_of(long long milliseconds)
{
  if(++waits > MANY)
    give_up("busy");
  return milliseconds < 0 ? -1 : clock_now() + milliseconds * 1000;
}

int poll(struct pollfd *list, nfds_t n, int milliseconds)
{
  long long deadline = deadline_of(milliseconds);
  for(;;) {
    long ready = ready_now(list, n);
    if(ready || !milliseconds || nothing(deadline))
      return (int)ready;
  }
}

int ppoll(struct pollfd *list, nfds_t n, const struct timespec *length, const sigset_t *mask)
{
  (void)mask;
  return poll(list, n, length ? (int)(length->tv_sec * 1000 + length->tv_nsec / 1000000) : -1);
}

int epoll_wait(int set, struct epoll_event *events, int room, int milliseconds)
{
  long long deadline = deadline_of(milliseconds);
  for(;;) {
    struct pollfd one = {set, POLLIN, 0};
    long ready;
    ready_now(&one, 1);
    ready = syscall(SYS_epoll_wait, set, events, room, 0);
    if(ready || !milliseconds || nothing(deadline))
      return (int)ready;
  }
}

int epoll_pwait(int set, struct epoll_event *events, int room, int milliseconds, const sigset_t *mask)
{
  (void)mask;
  return epoll_wait(set, events, room, milliseconds);
}

int select(int n, fd_set *restrict in, fd_set *restrict to, fd_set *restrict odd,
           struct timeval *restrict length)
{
  fd_set sets[3], *given[3] = {in, to, odd};
  long long deadline = deadline_of(length ? length->tv_sec * 1000 + length->tv_usec / 1000 : -1);
  for(int i = 0; i < 3; i++)
    if(given[i])
      sets[i] = *given[i];
  for(;;) {
    struct timeval none = {0, 0};
    long ready;
    for(int i = 0; i < 3; i++)
      if(given[i])
        *given[i] = sets[i];
    if(threads)
      let_threads();
    ready = syscall(SYS_select, n, in, to, odd, &none);
    if(ready || (length && !length->tv_sec && length->tv_usec < 1000) || nothing(deadline))
      return (int)ready;
  }
}
