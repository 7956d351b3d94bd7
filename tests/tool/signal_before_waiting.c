/* Preloaded: SIGINT comes right before the command waits for what is typed, where it is noticed last. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t read(int fd, void *bytes, size_t size)
{
  if(isatty(fd))
    raise(SIGINT);
  return syscall(SYS_read, fd, bytes, size);
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *wait, const sigset_t *mask)
{
  if(count == 1 && isatty(fds->fd))
    raise(SIGINT);
  return (int)syscall(SYS_ppoll, fds, count, wait, mask, _NSIG / 8);
}
