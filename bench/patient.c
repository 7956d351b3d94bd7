/* A library to preload: recv() waits for a server that is late. On a busy machine a server sends less at a
 * time than on an idle one, so that its client reads more often, and what a megabyte costs depends on the
 * machine. Under callgrind, which makes the client slow, a server that has a processor is always ahead; this
 * shows the same where it has none. What the waiting takes is not counted. */
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#define PAUSE 1000000L /* nanoseconds between two looks */
#define ENOUGH 300     /* looks at which there is no more than before: the server waits for its client */

static void await(int fd, size_t n)
{
  const struct timespec pause = {0, PAUSE};
  int has = 0;
  int same;
  for(same = 0; same < ENOUGH; same++) {
    int now = 0;
    if(ioctl(fd, FIONREAD, &now) || (size_t)now >= n)
      return;
    if(now != has)
      same = 0;
    has = now;
    nanosleep(&pause, NULL);
  }
}

ssize_t recv(int fd, void *p, size_t n, int flags)
{
  CALLGRIND_TOGGLE_COLLECT;
  await(fd, n);
  CALLGRIND_TOGGLE_COLLECT;
  return syscall(SYS_recvfrom, fd, p, n, flags, NULL, NULL);
}
