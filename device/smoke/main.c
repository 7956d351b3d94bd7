/* A plain HTTP GET by the port's functions alone. Arguments: NAME PORT PATH */
#include <string.h>

#include "board.h"
#include "net.h"

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

static int get(curl_socket_t fd, const char *name, const char *path)
{
  int error;
  size_t n;
  strcpy(text, "GET ");
  strcat(strcat(strcat(strcat(text, path), " HTTP/1.0\r\nHost: "), name), "\r\n\r\n");
  error = net_send(fd, text, strlen(text));
  while(!error) {
    error = net_receive(fd, text, sizeof text - 1, &n);
    if(error || !n)
      break;
    text[n] = 0;
    board_print(text);
  }
  return error;
}

int main(void)
{
  struct mote_addr to;
  curl_socket_t fd;
  char *rest = arguments;
  const char *name;
  uint16_t port;
  int error;
  board_arguments(arguments, sizeof arguments);
  name = net_word(&rest);
  port = (uint16_t)net_number(net_word(&rest));
  if(!board_network_up(10000))
    return failed("DHCP", 0);
  error = net_find(name, &to);
  if(error)
    return failed("lookup", error);
  to.port = port;
  error = net_connect(&to, &fd);
  if(error)
    return failed("connect", error);
  error = get(fd, name, net_word(&rest));
  mote_port_close(fd);
  if(error)
    return failed("transfer", error);
  board_print("stack ");
  board_print_number((uint32_t)board_stack_used());
  board_print("\n");
  return 0;
}
