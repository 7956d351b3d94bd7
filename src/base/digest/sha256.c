/* base/digest/sha256.c: SHA-256. */
#include "base/digest/sha256.h"

#include "base/digest/digest.h"

/* FIPS 180-4 section 4.2.2. */
static const uint32_t constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t sha256_rotate(uint32_t v, unsigned n)
{
  return v >> n | v << (32 - n);
}

/* FIPS 180-4 section 4.1.2. */
static uint32_t sha256_sigma(uint32_t v, unsigned a, unsigned b, unsigned shift)
{
  return sha256_rotate(v, a) ^ sha256_rotate(v, b) ^ v >> shift;
}

/* One round, for the letters of FIPS 180-4 section 6.2.2. What becomes the next a is left in h, and the next
 * e in d, so that no letter is moved. */
static inline void sha256_step(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                               uint32_t g,
                               uint32_t *h, uint32_t word)
{
  uint32_t t1 = *h + (sha256_rotate(e, 6) ^ sha256_rotate(e, 11) ^ sha256_rotate(e, 25)) +
    (g ^ (e & (f ^ g))) + word;
  *d += t1;
  *h = t1 + (sha256_rotate(a, 2) ^ sha256_rotate(a, 13) ^ sha256_rotate(a, 22)) + ((a & b) | (c & (a | b)));
}

/* Eight rounds take each letter to its place again. */
static void sha256_compress(union mote_digest_words *words, const uint8_t *block)
{
  uint32_t *state = words->of32;
  uint32_t w[64];
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  unsigned t;
  for(t = 0; t < 16; t++)
    w[t] = mote_digest_word(block + 4 * t);
  for(; t < 64; t++)
    w[t] = sha256_sigma(w[t - 2], 17, 19, 10) + w[t - 7] + sha256_sigma(w[t - 15], 7, 18, 3) + w[t - 16];
  for(t = 0; t < 64; t += 8) {
    const uint32_t *k = constants + t, *v = w + t;
    sha256_step(a, b, c, &d, e, f, g, &h, k[0] + v[0]);
    sha256_step(h, a, b, &c, d, e, f, &g, k[1] + v[1]);
    sha256_step(g, h, a, &b, c, d, e, &f, k[2] + v[2]);
    sha256_step(f, g, h, &a, b, c, d, &e, k[3] + v[3]);
    sha256_step(e, f, g, &h, a, b, c, &d, k[4] + v[4]);
    sha256_step(d, e, f, &g, h, a, b, &c, k[5] + v[5]);
    sha256_step(c, d, e, &f, g, h, a, &b, k[6] + v[6]);
    sha256_step(b, c, d, &e, f, g, h, &a, k[7] + v[7]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

static const union mote_digest_words start = {
  .of32 = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
};

const struct mote_digest mote_sha256_digest = {
  .name = "SHA-256", .size = MOTE_SHA256_SIZE, .block = 64, .start = &start, .compress = sha256_compress
};

void mote_sha256_init(struct mote_sha256 *s)
{
  mote_digest_init(&s->state, &mote_sha256_digest);
}

void mote_sha256_add(struct mote_sha256 *s, const void *bytes, size_t len)
{
  mote_digest_add(&s->state, bytes, len);
}

void mote_sha256_end(struct mote_sha256 *s, uint8_t out[MOTE_SHA256_SIZE])
{
  mote_digest_end(&s->state, out);
}

void mote_sha256(const void *bytes, size_t len, uint8_t out[MOTE_SHA256_SIZE])
{
  struct mote_sha256 s;
  mote_sha256_init(&s);
  mote_sha256_add(&s, bytes, len);
  mote_sha256_end(&s, out);
}
