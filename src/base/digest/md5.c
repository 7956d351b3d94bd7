/* base/digest/md5.c: MD5 (RFC 1321). */
#include "base/digest/digest.h"

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

static uint32_t md5_load(const uint8_t *p)
{
  return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* The function of a round (F, G, H, I), and the word of the block that step i takes. */
static uint32_t md5_mix(unsigned i, uint32_t b, uint32_t c, uint32_t d, unsigned *word)
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

static void md5_compress(union mote_digest_words *words, const uint8_t *block)
{
  uint32_t *state = words->of32;
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  unsigned i;
  for(i = 0; i < 64; i++) {
    unsigned word, n = rotations[i / 16][i % 4];
    uint32_t v = a + md5_mix(i, b, c, d, &word) + constants[i];
    v += md5_load(block + 4 * word);
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

static const union mote_digest_words start = {.of32 = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};

const struct mote_digest mote_md5_digest = {
  .name = "MD5", .size = MOTE_MD5_SIZE, .block = 64, .little = true, .start = &start, .compress = md5_compress
};
