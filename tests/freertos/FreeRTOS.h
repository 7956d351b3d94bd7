/* FreeRTOS.h in place of the kernel's: the types and calls that src/port/freertos/system.c takes. A test
 * says how wide ticks are (TickType_t). */
#ifndef MOTE_TESTS_FREERTOS_H
#define MOTE_TESTS_FREERTOS_H

#include <stdint.h>

#define configTICK_RATE_HZ 1000

typedef long BaseType_t;

typedef struct {
  BaseType_t xOverflowCount;
  TickType_t xTimeOnEntering;
} TimeOut_t;

void vTaskSetTimeOutState(TimeOut_t *now);
void *xTaskGetCurrentTaskHandle(void);
void vTaskDelay(TickType_t ticks);

#endif
