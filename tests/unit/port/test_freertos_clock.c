/* The clock of port/freertos where ticks have 16 bits (configUSE_16_BIT_TICKS). Needs posix.
 * stand-in: tests/freertos */
#include <stdint.h>

typedef uint16_t TickType_t;

/* The library has its own. */
#define mote_port_now freertos_now
#define mote_port_wall freertos_wall
#define mote_port_random freertos_random
#define mote_port_nap freertos_nap
#include "../../../src/port/freertos/system.c"

#include "test.h"

static uint64_t ticks;

void vTaskSetTimeOutState(TimeOut_t *now)
{
  now->xOverflowCount = (BaseType_t)(ticks >> 16);
  now->xTimeOnEntering = (TickType_t)ticks;
}

void *xTaskGetCurrentTaskHandle(void)
{
  return NULL;
}

void vTaskDelay(TickType_t n)
{
  ticks += n;
}

int64_t mote_freertos_wall(void)
{
  return 0;
}

bool mote_freertos_random(void *p, size_t n)
{
  (void)p;
  (void)n;
  return false;
}

TEST(the_clock_goes_on_when_ticks_begin_again)
{
  for(ticks = 65000; ticks < 200000; ticks += 100)
    CHECK(mote_port_now() == (mote_time)ticks * MOTE_MS + 1);
}

int main(void)
{
  TEST_RUN(the_clock_goes_on_when_ticks_begin_again);
  return test_end();
}
