/* base/md5.c: MD5 (RFC 1321). */
#include "base/md5.h"

#include <string.h>

#include "base/digest.h"

/* Section 3.4: the integer part of 2^32 times the absolute value of sin(i + 1). */
static const uint32_t constants[64] = {
  0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
  0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
  0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
  0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
  0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
  0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
  0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
  0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

/* The rotations of each round, which repeat after four steps. */
static const uint8_t rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static uint32_t load(const uint8_t *p)
{
  return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void store(uint8_t *p, uint32_t v)
{
  p[0] = (uint8_t)v;
  p[1] = (uint8_t)(v >> 8);
  p[2] = (uint8_t)(v >> 16);
  p[3] = (uint8_t)(v >> 24);
}

/* The function of a round (F, G, H, I), and the word of the block that step i takes. */
static uint32_t mix(unsigned i, uint32_t b, uint32_t c, uint32_t d, unsigned *word)
{
  switch(i / 16) {
  case 0:
    *word = i;
    return (b & c) | (~b & d);
  case 1:
    *word = (5 * i + 1) & 15;
    return (d & b) | (~d & c);
  case 2:
    *word = (3 * i + 5) & 15;
    return b ^ c ^ d;
  default:
    *word = (7 * i) & 15;
    return c ^ (b | ~d);
  }
}

static void compress(uint32_t state[4], const uint8_t *block)
{
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  unsigned i;
  for(i = 0; i < 64; i++) {
    unsigned word, n = rotations[i / 16][i % 4];
    uint32_t v = a + mix(i, b, c, d, &word) + constants[i];
    v += load(block + 4 * word);
    a = d;
    d = c;
    c = b;
    b += v << n | v >> (32 - n);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

void mote_md5_init(struct mote_md5 *s)
{
  static const uint32_t start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  memcpy(s->state, start, sizeof start);
  s->total = 0;
}

void mote_md5_add(struct mote_md5 *s, const void *bytes, size_t len)
{
  const uint8_t *p = bytes;
  size_t used = (size_t)(s->total % 64);
  s->total += len;
  while(len) {
    size_t some = 64 - used < len ? 64 - used : len;
    memcpy(s->block + used, p, some);
    if(used + some == 64)
      compress(s->state, s->block);
    used = (used + some) % 64;
    p += some;
    len -= some;
  }
}

void mote_md5_end(struct mote_md5 *s, uint8_t out[MOTE_MD5_SIZE])
{
  uint64_t bits = s->total * 8;
  uint8_t tail[72] = {0x80};
  size_t pad = 1 + (119 - (size_t)(s->total % 64)) % 64; /* to 56 bytes of a block */
  unsigned i;
  store(tail + pad, (uint32_t)bits);
  store(tail + pad + 4, (uint32_t)(bits >> 32));
  mote_md5_add(s, tail, pad + 8);
  for(i = 0; i < 4; i++)
    store(out + 4 * i, s->state[i]);
}

static void row_init(void *state)
{
  mote_md5_init(state);
}

static void row_add(void *state, const void *bytes, size_t len)
{
  mote_md5_add(state, bytes, len);
}

static void row_end(void *state, uint8_t *out)
{
  mote_md5_end(state, out);
}

const struct mote_digest mote_md5_digest = {
  .name = "MD5", .size = MOTE_MD5_SIZE, .block = 64, .init = row_init, .add = row_add, .end = row_end
};
