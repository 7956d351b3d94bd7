/* pattern.c: the bytes that all bodies are made of. */
#include "plan.h"

#define PERIOD 8191u /* a prime: no other number in a protocol goes with it */

static unsigned char bytes[PERIOD + PATTERN_RUN];

void pattern_init(void)
{
  uint32_t x = 1;
  unsigned i;
  for(i = 0; i < PERIOD; i++) {
    x = x * 1664525u + 1013904223u;
    bytes[i] = (unsigned char)(x >> 24);
  }
  for(i = 0; i < PATTERN_RUN; i++)
    bytes[PERIOD + i] = bytes[i];
}

const unsigned char *pattern(unsigned number, bool upload, size_t at)
{
  return bytes + (at + number * 331u + upload * 97u) % PERIOD;
}
