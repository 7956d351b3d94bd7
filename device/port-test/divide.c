/* divide.c: divides numbers at the borders of words by each other. */
#include "divide.h"

#include <stddef.h>
#include <stdint.h>

static const uint64_t numbers[] = {
  1, 2, 3, 7, 10, 1000, 65535, 65536, 86400, 1000000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
  0x100000001, 1700000000123456, 0x7ffffffffffffffe, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
  0xfffffffffffffffe, 0xffffffffffffffff
};
#define NUMBERS (sizeof numbers / sizeof numbers[0])

static unsigned wrong_unsigned(uint64_t n, uint64_t by)
{
  volatile uint64_t quotient = n / by, rest = n % by; /* or the compiler sees that they must fit */
  return rest >= by || quotient > n || quotient * by + rest != n || (by > 1 && n && quotient >= n);
}

static uint64_t size_of(int64_t n)
{
  return n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
}

/* Compares with the other division. */
static unsigned wrong_signed(int64_t n, int64_t by)
{
  volatile uint64_t quotient = size_of(n) / size_of(by), rest = size_of(n) % size_of(by);
  return (uint64_t)(n / by) != ((n < 0) == (by < 0) ? quotient : 0 - quotient) ||
         (uint64_t)(n % by) != (n < 0 ? 0 - rest : rest);
}

unsigned divide_wrong(void)
{
  size_t i, j;
  unsigned wrong = 0;
  for(i = 0; i < NUMBERS; i++)
    for(j = 0; j < NUMBERS; j++) {
      wrong += wrong_unsigned(numbers[i], numbers[j]) + wrong_unsigned(0, numbers[j]);
      if(numbers[j] != UINT64_MAX) /* the least number divided by -1 has no result */
        wrong += wrong_signed((int64_t)numbers[i], (int64_t)numbers[j]);
    }
  return wrong;
}
