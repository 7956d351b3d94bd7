/* tls/bearssl_ghash.c: GHASH (NIST SP 800-38D) bit by bit, without multiplications: little code, and constant
 * in time on every processor. For the part bearssl_small. */
#include "tls/bearssl.h"

static uint32_t load(const uint8_t *p)
{
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* y times h. The highest bit of the first byte is the first of the standard's. */
static void multiply(uint8_t y[16], const uint8_t *h)
{
  uint32_t a = load(h);
  uint32_t b = load(h + 4);
  uint32_t c = load(h + 8);
  uint32_t d = load(h + 12);
  uint32_t z[4] = {0};
  unsigned i;
  for(i = 0; i < 128; i++) {
    uint32_t taken = 0u - (y[i / 8] >> (7 - i % 8) & 1u);
    uint32_t over = 0u - (d & 1);
    z[0] ^= a & taken;
    z[1] ^= b & taken;
    z[2] ^= c & taken;
    z[3] ^= d & taken;
    d = d >> 1 | c << 31;
    c = c >> 1 | b << 31;
    b = b >> 1 | a << 31;
    a = a >> 1 ^ (over & 0xe1000000u);
  }
  for(i = 0; i < 16; i++)
    y[i] = (uint8_t)(z[i / 4] >> (24 - i % 4 * 8));
}

void mote_bearssl_ghash(void *y, const void *h, const void *data, size_t len)
{
  const uint8_t *p = data;
  uint8_t *sum = y;
  unsigned at = 0;
  while(len--) {
    sum[at++] ^= *p++;
    if(at < 16 && len)
      continue;
    multiply(sum, h);
    at = 0;
  }
}
