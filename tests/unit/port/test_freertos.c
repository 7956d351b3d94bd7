/* Lookups of two tasks, one of which takes the other's place over (port/freertos/names.c). Needs posix.
 * stand-in: tests/lwip */
#define mote_port_now freertos_now
#include "../../../src/port/freertos/poll.c"
#include "../../../src/port/freertos/names.c"
#include "../../lwip/lwip.c"

#include "test.h"

static const char *task; /* that runs, by the name that it asks for */
static void (*meanwhile)(void); /* what the other task does in the first wait */
static unsigned waited; /* milliseconds */

mote_time freertos_now(void)
{
  return (mote_time)waited * MOTE_MS + 1;
}

const void *mote_freertos_task(void)
{
  return task;
}

int mote_freertos_error(void)
{
  return EIO;
}

int lwip_fcntl(int fd, int command, int value)
{
  (void)fd;
  (void)command;
  (void)value;
  return 0;
}

int lwip_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
  const char *before = task;
  (void)fds;
  (void)count;
  waited += (unsigned)timeout_ms;
  task = "other";
  if(meanwhile)
    meanwhile();
  meanwhile = NULL;
  task = before;
  return 0;
}

static int look_up(void)
{
  uint8_t ip[4];
  return mote_embedded_lookup(task, ip);
}

static void take_place(void)
{
  CHECK_INT(look_up(), MOTE_PORT_AGAIN);
}

static void take_place_and_end(void)
{
  lwip_dns_answer = ERR_OK; /* lwIP knows that one already */
  CHECK_INT(look_up(), 0);
  lwip_dns_answer = ERR_INPROGRESS;
}

/* How long a wait of a minute takes in which the other task does this. */
static unsigned freertos_wait(void (*other)(void))
{
  unsigned ready;
  waited = 0;
  meanwhile = other;
  CHECK_INT(mote_port_poll(NULL, 0, 60000, &ready), 0);
  return waited;
}

static void freertos_begin(void)
{
  memset(places, 0, sizeof places);
  task = "mine";
  lwip_dns_answer = ERR_INPROGRESS;
  CHECK_INT(look_up(), MOTE_PORT_AGAIN);
}

TEST(a_lookup_that_loses_its_place_asks_again_soon)
{
  freertos_begin();
  CHECK(freertos_wait(take_place) <= 2 * MOTE_FREERTOS_LOOKUP_MS);
  CHECK_INT(look_up(), MOTE_PORT_AGAIN);
  CHECK(freertos_wait(take_place_and_end) <= 2 * MOTE_FREERTOS_LOOKUP_MS);
}

TEST(a_lookup_under_way_ends_no_wait)
{
  freertos_begin();
  CHECK_INT(freertos_wait(NULL), 60000);
  task = "idle";
  CHECK_INT(freertos_wait(NULL), 60000);
}

int main(void)
{
  TEST_RUN(a_lookup_that_loses_its_place_asks_again_soon);
  TEST_RUN(a_lookup_under_way_ends_no_wait);
  return test_end();
}
