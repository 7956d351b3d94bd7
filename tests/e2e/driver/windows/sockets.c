/* sockets.c: Winsock's sockets, and a loop of WSAPoll()'s. */
#include "system.h"
#include <errno.h>

#define LOOPS 16
#define WATCHED 4096

/* The first `n` are in use. */
struct loop {
  int open, n;
  struct pollfd watched[WATCHED];
};

static struct loop loops[LOOPS];

int socket_close(curl_socket_t fd)
{
  return closesocket(fd);
}

static int socket_kind(curl_socket_t fd)
{
  int kind = 0, size = sizeof kind;
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, (char *)&kind, &size) ? -1 : kind;
}

/* The local port of a connection: the system gives one to one of them at a time. */
unsigned long long socket_identity(curl_socket_t fd)
{
  union {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
  } at;
  int size = sizeof at;
  if(socket_kind(fd) != SOCK_STREAM || getsockname(fd, &at.any, &size))
    return 0;
  return at.any.sa_family == AF_INET6 ? at.in6.sin6_port : at.in.sin_port;
}

/* select() refuses to wait for nothing. */
int socket_select(int max, fd_set *r, fd_set *w, fd_set *x, int ms)
{
  struct timeval tv = {ms / 1000, ms % 1000 * 1000};
  if(r->fd_count || w->fd_count || x->fd_count)
    return select(max + 1, r, w, x, &tv);
  Sleep((DWORD)ms);
  return 0;
}

int loop_open(void)
{
  for(int i = 0; i < LOOPS; i++)
    if(!loops[i].open) {
      loops[i].open = 1;
      loops[i].n = 0;
      return i;
    }
  return -1;
}

void loop_close(int loop)
{
  loops[loop].open = 0;
}

static int loop_index(const struct loop *l, curl_socket_t fd)
{
  int i = 0;
  while(i < l->n && l->watched[i].fd != fd)
    i++;
  return i;
}

int loop_watch(int loop, curl_socket_t fd, int what, int again)
{
  struct loop *l = &loops[loop];
  int i = loop_index(l, fd);
  if(socket_kind(fd) < 0)
    return EBADF;
  if((i < l->n) != again)
    return again ? ENOENT : EEXIST;
  if(i == WATCHED)
    return ENOSPC;
  l->n += !again;
  l->watched[i].fd = fd;
  l->watched[i].events = (short)((what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0));
  return 0;
}

int loop_forget(int loop, curl_socket_t fd)
{
  struct loop *l = &loops[loop];
  int i = loop_index(l, fd);
  if(i < l->n)
    l->watched[i] = l->watched[--l->n];
  return 0;
}

/* A socket that was closed reports nothing, as with epoll. */
int loop_wait(int loop, struct ready *ready, int most, int ms)
{
  struct loop *l = &loops[loop];
  int n = 0, found = poll(l->watched, (unsigned long)l->n, ms);
  for(int i = 0; found > 0 && i < l->n && n < most; i++) {
    short got = l->watched[i].revents;
    if(!got || got & POLLNVAL)
      continue;
    ready[n].fd = l->watched[i].fd;
    ready[n++].bits = (got & POLLIN ? CURL_CSELECT_IN : 0) | (got & POLLOUT ? CURL_CSELECT_OUT : 0) |
                      (got & (POLLERR | POLLHUP) ? CURL_CSELECT_ERR : 0);
  }
  return n;
}
