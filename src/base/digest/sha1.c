/* base/digest/sha1.c: SHA-1. */
#include "base/digest/digest.h"

static uint32_t sha1_rotate(uint32_t v, unsigned n)
{
  return v << n | v >> (32 - n);
}

/* Sections 4.1.1 and 4.2.1: the function of step t, and its constant. */
static uint32_t sha1_mix(unsigned t, uint32_t b, uint32_t c, uint32_t d)
{
  if(t < 20)
    return (d ^ (b & (c ^ d))) + 0x5a827999;
  if(t < 40)
    return (b ^ c ^ d) + 0x6ed9eba1;
  if(t < 60)
    return ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

static void sha1_compress(union mote_digest_words *words, const uint8_t *block)
{
  uint32_t *state = words->of32;
  uint32_t w[80];
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
  unsigned t;
  for(t = 0; t < 16; t++)
    w[t] = mote_digest_word(block + 4 * t);
  for(; t < 80; t++)
    w[t] = sha1_rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  for(t = 0; t < 80; t++) {
    uint32_t v = sha1_rotate(a, 5) + sha1_mix(t, b, c, d) + e + w[t];
    e = d;
    d = c;
    c = sha1_rotate(b, 30);
    b = a;
    a = v;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

static const union mote_digest_words start = {
  .of32 = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}
};

const struct mote_digest mote_sha1_digest = {
  .name = "SHA-1", .size = MOTE_SHA1_SIZE, .block = 64, .start = &start, .compress = sha1_compress
};
