/* net.c: shortcuts through the port's functions. */
#include "net.h"

#include <string.h>

int net_wait(curl_socket_t fd, short events)
{
  struct curl_waitfd w = {fd, events, 0};
  unsigned ready;
  int error = mote_port_poll(&w, 1, WAIT_MS, &ready);
  return error ? error : ready ? 0 : ETIMEDOUT;
}

int net_find(const char *name, struct mote_addr *out)
{
  mote_time until = mote_port_now() + WAIT_MS * MOTE_MS;
  size_t count;
  unsigned ready;
  int error;
  while((error = mote_port_lookup(name, MOTE_FAMILY_NONE, out, 1, &count)) == MOTE_PORT_AGAIN) {
    if(mote_port_now() > until)
      return ETIMEDOUT;
    (void)mote_port_poll(NULL, 0, WAIT_MS, &ready);
  }
  return error;
}

int net_connect(const struct mote_addr *to, curl_socket_t *fd)
{
  struct mote_target target;
  int error = mote_port_target_ip(&target, to, MOTE_SOCKET_STREAM);
  *fd = CURL_SOCKET_BAD;
  if(!error)
    error = mote_port_socket(&target.u.sa, fd);
  if(!error)
    error = mote_port_connect(*fd, &target.u.sa);
  while(error == MOTE_PORT_AGAIN) {
    error = net_wait(*fd, CURL_WAIT_POLLOUT);
    if(!error)
      error = mote_port_connect_result(*fd);
  }
  if(error && *fd != CURL_SOCKET_BAD) {
    mote_port_close(*fd);
    *fd = CURL_SOCKET_BAD;
  }
  return error;
}

int net_send(curl_socket_t fd, const void *p, size_t len)
{
  const char *at = p;
  while(len) {
    size_t n;
    int error = mote_port_send(fd, at, len, &n);
    if(error == MOTE_PORT_AGAIN)
      error = net_wait(fd, CURL_WAIT_POLLOUT);
    if(error)
      return error;
    at += n;
    len -= n;
  }
  return 0;
}

int net_receive(curl_socket_t fd, void *p, size_t cap, size_t *n)
{
  int error;
  while((error = mote_port_recv(fd, p, cap, n)) == MOTE_PORT_AGAIN) {
    error = net_wait(fd, CURL_WAIT_POLLIN);
    if(error)
      return error;
  }
  return error;
}

char *net_word(char **rest)
{
  char *p = *rest, *space = strchr(p, ' ');
  *rest = space ? space + 1 : p + strlen(p);
  if(space)
    *space = 0;
  return p;
}

unsigned net_number(const char *p)
{
  unsigned n = 0;
  while(*p >= '0' && *p <= '9')
    n = n * 10 + (unsigned)(*p++ - '0');
  return n;
}
