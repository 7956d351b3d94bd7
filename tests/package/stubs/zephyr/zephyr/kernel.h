#ifndef STUB_KERNEL_H
#define STUB_KERNEL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef struct {
  int64_t ticks;
} k_timeout_t;
#define K_MSEC(ms) ((k_timeout_t){(ms)})
#define K_FOREVER ((k_timeout_t){-1})
int64_t k_uptime_get(void);
int32_t k_msleep(int32_t ms);
int32_t k_sleep(k_timeout_t timeout);
#endif
