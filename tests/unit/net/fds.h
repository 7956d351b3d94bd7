/* tests/unit/net/fds.h: descriptors for tests: how many are open, pairs of connected sockets, listeners. */
#ifndef MOTE_TEST_FDS_H
#define MOTE_TEST_FDS_H

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

/* Descriptors of this process. */
static inline int fds_open(void)
{
  DIR *d = opendir("/proc/self/fd");
  int n = -1; /* the directory's own */
  if(!d)
    return 0;
  while(readdir(d))
    n++;
  closedir(d);
  return n - 2; /* "." and ".." */
}

static inline void fds_nap(long ms)
{
  struct timespec t = {ms / 1000, ms % 1000 * 1000000};
  (void)nanosleep(&t, NULL);
}

/* Two connected stream sockets that do not block. */
static inline void fds_pair(int fd[2])
{
  if(!CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fd)))
    fd[0] = fd[1] = -1;
}

/* A listening socket on an address of 127.0.0.0/8; *port is the system's choice when it is 0. */
static inline int fds_listen(const char *address, uint16_t *port, int backlog)
{
  struct sockaddr_in in;
  socklen_t len = sizeof in;
  int yes = 1;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  memset(&in, 0, sizeof in);
  in.sin_family = AF_INET;
  in.sin_port = htons(*port);
  in.sin_addr.s_addr = inet_addr(address);
  (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if(!CHECK(fd >= 0 && !bind(fd, (struct sockaddr *)&in, len) && !listen(fd, backlog) &&
            !getsockname(fd, (struct sockaddr *)&in, &len))) {
    if(fd >= 0)
      close(fd);
    return -1;
  }
  *port = ntohs(in.sin_port);
  return fd;
}

#endif
