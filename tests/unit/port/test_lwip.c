/* What port/lwip makes of lwIP's callbacks, of a full resolver and of a clock of 32 bits. Needs posix.
 * stand-in: tests/lwip */
#include "../../lwip/lwip.c"
#include "../../../src/port/lwip/names.c"
#include "../../../src/port/lwip/poll.c"
#include "../../../src/port/lwip/socket.c"
#include "../../../src/port/lwip/timers.c"

#include "test.h"

static uint64_t lwip_ms;

uint64_t mote_lwip_ms(void)
{
  return lwip_ms;
}

void mote_lwip_wait(uint32_t ms)
{
  lwip_ms += ms;
}

/* How long a wait of a minute takes. */
static unsigned lwip_wait(void)
{
  uint64_t before = lwip_ms;
  unsigned ready;
  CHECK_INT(mote_port_poll(NULL, 0, 60000, &ready), 0);
  CHECK_INT(ready, 0);
  return (unsigned)(lwip_ms - before);
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

/* Questions of others, as SNTP's, end without a word to us. */
TEST(a_name_that_finds_no_room_is_asked_for_again_soon)
{
  ip_addr_t ip;
  lwip_dns_answer = ERR_MEM;
  CHECK_INT(mote_embedded_lookup("name", &ip), MOTE_PORT_AGAIN);
  CHECK(lwip_wait() <= 20);
  CHECK_INT(mote_embedded_lookup("name", &ip), MOTE_PORT_AGAIN);
  CHECK(lwip_wait() <= 20);
  lwip_dns_answer = ERR_INPROGRESS;
  CHECK_INT(mote_embedded_lookup("name", &ip), MOTE_PORT_AGAIN);
  CHECK_INT(lwip_wait(), 60000);
  ip.addr = 7;
  lwip_found("name", &ip, lwip_found_arg);
  CHECK_INT(lwip_wait(), 0);
  ip.addr = 0;
  CHECK_INT(mote_embedded_lookup("name", &ip), 0);
  CHECK_INT(ip.addr, 7);
  CHECK_INT(lwip_wait(), 60000);
}

int main(void)
{
  TEST_RUN(a_name_that_finds_no_room_is_asked_for_again_soon);
  TEST_RUN(a_reset_after_the_end_takes_nothing_back);
  TEST_RUN(a_reset_before_the_end_is_an_error);
  TEST_RUN(timers_run_after_each_pause);
  return test_end();
}
