/* What port/lwip makes of lwIP's callbacks. Needs posix.
 * stand-in: tests/lwip */
#include "../../lwip/lwip.c"
#include "../../../src/port/lwip/socket.c"

#include "test.h"

void mote_lwip_turn(uint32_t ms)
{
  (void)ms;
}

static curl_socket_t lwip_connect(void)
{
  struct curl_sockaddr sa = {.family = AF_INET, .socktype = SOCK_STREAM};
  curl_socket_t fd;
  CHECK_INT(mote_port_socket(&sa, &fd), 0);
  CHECK_INT(mote_port_connect(fd, &sa), MOTE_PORT_AGAIN);
  CHECK_INT(mote_port_connect_result(fd), MOTE_PORT_AGAIN);
  lwip_pcb.connected(lwip_pcb.arg, &lwip_pcb, ERR_OK);
  CHECK_INT(mote_port_connect_result(fd), 0);
  return fd;
}

/* A server that has closed answers the last bytes that it gets with a reset. */
TEST(a_reset_after_the_end_takes_nothing_back)
{
  curl_socket_t fd = lwip_connect();
  char bytes[10];
  size_t n;
  lwip_pcb.receive(lwip_pcb.arg, &lwip_pcb, lwip_bytes(4), ERR_OK);
  lwip_pcb.receive(lwip_pcb.arg, &lwip_pcb, NULL, ERR_OK);
  lwip_fail(ERR_RST);
  CHECK_INT(mote_port_recv(fd, bytes, sizeof bytes, &n), 0);
  CHECK_INT(n, 4);
  CHECK_INT(mote_port_recv(fd, bytes, sizeof bytes, &n), 0);
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_send(fd, bytes, 1, &n), ECONNRESET);
  CHECK_INT(mote_port_peek(fd), MOTE_PEEK_CLOSED);
  mote_port_close(fd);
  CHECK_INT(lwip_pcbs, 0);
}

TEST(a_reset_before_the_end_is_an_error)
{
  curl_socket_t fd = lwip_connect();
  char bytes[10];
  size_t n;
  lwip_pcb.receive(lwip_pcb.arg, &lwip_pcb, lwip_bytes(4), ERR_OK);
  lwip_fail(ERR_RST);
  CHECK_INT(mote_port_recv(fd, bytes, sizeof bytes, &n), 0);
  CHECK_INT(n, 4);
  CHECK_INT(mote_port_recv(fd, bytes, sizeof bytes, &n), ECONNRESET);
  mote_port_close(fd);
  CHECK_INT(lwip_pcbs, 0);
}

int main(void)
{
  TEST_RUN(a_reset_after_the_end_takes_nothing_back);
  TEST_RUN(a_reset_before_the_end_is_an_error);
  return test_end();
}
