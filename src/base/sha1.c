/* base/sha1.c: SHA-1. */
#include "base/sha1.h"

#include <string.h>

#include "base/digest.h"

static uint32_t rotate(uint32_t v, unsigned n)
{
  return v << n | v >> (32 - n);
}

static uint32_t load(const uint8_t *p)
{
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store(uint8_t *p, uint32_t v)
{
  p[0] = (uint8_t)(v >> 24);
  p[1] = (uint8_t)(v >> 16);
  p[2] = (uint8_t)(v >> 8);
  p[3] = (uint8_t)v;
}

/* Sections 4.1.1 and 4.2.1: the function of step t, and its constant. */
static uint32_t mix(unsigned t, uint32_t b, uint32_t c, uint32_t d)
{
  if(t < 20)
    return (d ^ (b & (c ^ d))) + 0x5a827999;
  if(t < 40)
    return (b ^ c ^ d) + 0x6ed9eba1;
  if(t < 60)
    return ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

static void compress(uint32_t state[5], const uint8_t *block)
{
  uint32_t w[80];
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
  unsigned t;
  for(t = 0; t < 16; t++)
    w[t] = load(block + 4 * t);
  for(; t < 80; t++)
    w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  for(t = 0; t < 80; t++) {
    uint32_t v = rotate(a, 5) + mix(t, b, c, d) + e + w[t];
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = v;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

void mote_sha1_init(struct mote_sha1 *s)
{
  static const uint32_t start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  memcpy(s->state, start, sizeof start);
  s->total = 0;
}

void mote_sha1_add(struct mote_sha1 *s, const void *bytes, size_t len)
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

void mote_sha1_end(struct mote_sha1 *s, uint8_t out[MOTE_SHA1_SIZE])
{
  uint64_t bits = s->total * 8;
  uint8_t tail[72] = {0x80};
  size_t pad = 1 + (119 - (size_t)(s->total % 64)) % 64; /* to 56 bytes of a block */
  unsigned i;
  store(tail + pad, (uint32_t)(bits >> 32));
  store(tail + pad + 4, (uint32_t)bits);
  mote_sha1_add(s, tail, pad + 8);
  for(i = 0; i < 5; i++)
    store(out + 4 * i, s->state[i]);
}

static void row_init(void *state)
{
  mote_sha1_init(state);
}

static void row_add(void *state, const void *bytes, size_t len)
{
  mote_sha1_add(state, bytes, len);
}

static void row_end(void *state, uint8_t *out)
{
  mote_sha1_end(state, out);
}

const struct mote_digest mote_sha1_digest = {
  .name = "SHA-1", .size = MOTE_SHA1_SIZE, .block = 64, .init = row_init, .add = row_add, .end = row_end
};
