/* What port/lwip makes of lwIP's callbacks and of a clock of 32 bits. Needs posix.
 * stand-in: tests/lwip */
#include "../../lwip/lwip.c"
#include "../../../src/port/lwip/socket.c"
#include "../../../src/port/lwip/timers.c"

#include "test.h"

static uint64_t lwip_ms;

uint64_t mote_lwip_ms(void)
{
  return lwip_ms;
}

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

/* Between two transfers of a device that is seldom awake nothing drives the network. */
TEST(timers_run_after_each_pause)
{
  static const uint64_t pauses[] = {0, 1, 24, 25, 30, 49, 50, 100}; /* days */
  size_t i;
  for(i = 0; i < sizeof pauses / sizeof *pauses; i++) {
    unsigned before;
    lwip_ms += pauses[i] * 24 * 60 * 60 * 1000 + TCP_TMR_INTERVAL;
    before = lwip_tcp_ticks;
    CHECK_INT(mote_lwip_timer(), 0);
    mote_lwip_run_timers();
    CHECK_INT(lwip_tcp_ticks, before + 1);
    CHECK_INT(mote_lwip_timer(), TCP_TMR_INTERVAL);
    mote_lwip_run_timers();
    CHECK_INT(lwip_tcp_ticks, before + 1);
  }
}

int main(void)
{
  TEST_RUN(a_reset_after_the_end_takes_nothing_back);
  TEST_RUN(a_reset_before_the_end_is_an_error);
  TEST_RUN(timers_run_after_each_pause);
  return test_end();
}
