/* A plain HTTP GET by the port's functions alone. usage (arguments): NAME PORT PATH */
#include <string.h>

#include "board.h"
#include "port/port.h"

static char arguments[512];
static char text[1024];

static int failed(const char *what, int error)
{
  board_print(what);
  board_print(" failed: ");
  board_print_number((uint32_t)error);
  board_print("\n");
  return 1;
}

static int wait_for(curl_socket_t fd, short events)
{
  struct curl_waitfd w = {fd, events, 0};
  unsigned ready;
  int error = mote_port_poll(&w, 1, 5000, &ready);
  return error ? error : ready ? 0 : ETIMEDOUT;
}

static int find(const char *name, struct mote_addr *out)
{
  size_t count;
  unsigned ready;
  int error;
  while((error = mote_port_lookup(name, MOTE_FAMILY_NONE, out, 1, &count)) == MOTE_PORT_AGAIN)
    (void)mote_port_poll(NULL, 0, 5000, &ready);
  return error;
}

static int connect_to(const struct mote_addr *to, curl_socket_t *fd)
{
  struct mote_target target;
  int error = mote_port_target_ip(&target, to, MOTE_SOCKET_STREAM);
  if(!error)
    error = mote_port_socket(&target.u.sa, fd);
  if(!error)
    error = mote_port_connect(*fd, &target.u.sa);
  while(error == MOTE_PORT_AGAIN) {
    error = wait_for(*fd, CURL_WAIT_POLLOUT);
    if(!error)
      error = mote_port_connect_result(*fd);
  }
  return error;
}

static int send_all(curl_socket_t fd, const char *p, size_t len)
{
  while(len) {
    size_t n;
    int error = mote_port_send(fd, p, len, &n);
    if(error == MOTE_PORT_AGAIN)
      error = wait_for(fd, CURL_WAIT_POLLOUT);
    if(error)
      return error;
    p += n;
    len -= n;
  }
  return 0;
}

static int print_all(curl_socket_t fd)
{
  for(;;) {
    size_t n;
    int error = mote_port_recv(fd, text, sizeof text - 1, &n);
    if(error == MOTE_PORT_AGAIN)
      error = wait_for(fd, CURL_WAIT_POLLIN);
    else if(!error && !n)
      return 0;
    if(error)
      return error;
    text[n] = 0;
    board_print(text);
  }
}

static char *word(char **rest)
{
  char *p = *rest, *space = strchr(p, ' ');
  *rest = space ? space + 1 : p + strlen(p);
  if(space)
    *space = 0;
  return p;
}

static uint16_t number(const char *p)
{
  unsigned n = 0;
  while(*p >= '0' && *p <= '9')
    n = n * 10 + (unsigned)(*p++ - '0');
  return (uint16_t)n;
}

int main(void)
{
  struct mote_addr to;
  curl_socket_t fd;
  char *rest = arguments;
  const char *name, *path;
  uint16_t port;
  int error;
  board_arguments(arguments, sizeof arguments);
  name = word(&rest);
  port = number(word(&rest));
  path = word(&rest);
  if(!board_network_up(10000))
    return failed("DHCP", 0);
  error = find(name, &to);
  if(error)
    return failed("lookup", error);
  to.port = port;
  error = connect_to(&to, &fd);
  if(error)
    return failed("connect", error);
  strcpy(text, "GET ");
  strcat(strcat(strcat(strcat(text, path), " HTTP/1.0\r\nHost: "), name), "\r\n\r\n");
  error = send_all(fd, text, strlen(text));
  if(!error)
    error = print_all(fd);
  mote_port_close(fd);
  if(error)
    return failed("transfer", error);
  board_print("\nstack ");
  board_print_number((uint32_t)board_stack_used());
  board_print("\n");
  return 0;
}
