/* small/bearssl.c: the algorithms of TLS in the least code, constant in time also on processors whose long
 * multiplication takes a different time for each operand (Cortex-M3).
 *
 * SHA-256, SHA-384 and SHA-512 (FIPS 180-4), as classes of BearSSL, take a third of its own code. One
 * table serves all three, since the constants of SHA-256 are the upper halves of those of SHA-512. They are
 * two to three times slower. The pseudorandom function of TLS 1.2 (RFC 5246 section 5) is here because
 * BearSSL's would link its SHA-256. GHASH (NIST SP 800-38D) goes bit by bit, without multiplications.
 * Products have 16 bits. One implementation of elliptic curves serves P-256, P-384 and P-521; there is no
 * X25519. With part bearssl_curves P-256 and X25519 have routines of their own.
 * Tests: tests/unit/small/test_bearssl.c */
#include <string.h>

#include "tls/bearssl/bearssl.h"

/* ---- hashes ---- */

/* Fractional parts of the cube roots of the first 80 primes. */
static const uint64_t k[80] = {
  0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
  0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
  0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
  0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
  0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
  0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
  0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
  0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
  0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
  0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
  0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
  0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
  0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
  0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
  0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
  0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

/* The same of the square roots: the first eight for SHA-512 (upper halves SHA-256), the next eight for
 * SHA-384. */
static const uint64_t first[2][8] = {
  {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1,
   0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179},
  {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939, 0x67332667ffc00b31,
   0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4},
};

/* BearSSL's context for either width. */
union context {
  const br_hash_class *vtable;
  br_sha256_context s32;
  br_sha512_context s64;
};

static union context *bearssl_context_of(const br_hash_class **ctx)
{
  return (union context *)(void *)ctx;
}

static bool is_64(const br_hash_class *class)
{
  return class->desc & BR_HASHDESC_MD_PADDING_128;
}

static uint32_t load_32(const uint8_t *p)
{
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint64_t load_64(const uint8_t *p)
{
  return (uint64_t)load_32(p) << 32 | load_32(p + 4);
}

static void store_32(uint8_t *p, uint32_t x)
{
  int i;
  for(i = 4; i-- > 0; x >>= 8)
    p[i] = (uint8_t)x;
}

static void store_64(uint8_t *p, uint64_t x)
{
  store_32(p, (uint32_t)(x >> 32));
  store_32(p + 4, (uint32_t)x);
}

/* ---- rounds ---- */

static uint32_t turn_32(uint32_t x, unsigned n)
{
  return x >> n | x << (32 - n);
}

static uint64_t turn_64(uint64_t x, unsigned n)
{
  return x >> n | x << (64 - n);
}

/* s: a to h of the standard, to which t1 and t2 are added; they move on by one. */
static void round_32(uint32_t *state, const uint8_t *block)
{
  uint32_t w[16];
  uint32_t s[8];
  unsigned i;
  memcpy(s, state, sizeof s);
  for(i = 0; i < 64; i++) {
    uint32_t x;
    uint32_t y;
    if(i < 16)
      w[i] = load_32(block + 4 * i);
    else {
      x = w[(i + 1) & 15];
      y = w[(i + 14) & 15];
      w[i & 15] += w[(i + 9) & 15] + (turn_32(x, 7) ^ turn_32(x, 18) ^ x >> 3) +
                   (turn_32(y, 17) ^ turn_32(y, 19) ^ y >> 10);
    }
    x = s[7] + (turn_32(s[4], 6) ^ turn_32(s[4], 11) ^ turn_32(s[4], 25)) + (((s[5] ^ s[6]) & s[4]) ^ s[6]) +
        (uint32_t)(k[i] >> 32) + w[i & 15];
    y = x + (turn_32(s[0], 2) ^ turn_32(s[0], 13) ^ turn_32(s[0], 22)) +
        ((s[0] & s[1]) | ((s[0] | s[1]) & s[2]));
    memmove(s + 1, s, sizeof s - sizeof *s);
    s[4] += x;
    s[0] = y;
  }
  for(i = 0; i < 8; i++)
    state[i] += s[i];
}

static void round_64(uint64_t *state, const uint8_t *block)
{
  uint64_t w[16];
  uint64_t s[8];
  unsigned i;
  memcpy(s, state, sizeof s);
  for(i = 0; i < 80; i++) {
    uint64_t x;
    uint64_t y;
    if(i < 16)
      w[i] = load_64(block + 8 * i);
    else {
      x = w[(i + 1) & 15];
      y = w[(i + 14) & 15];
      w[i & 15] += w[(i + 9) & 15] + (turn_64(x, 1) ^ turn_64(x, 8) ^ x >> 7) +
                   (turn_64(y, 19) ^ turn_64(y, 61) ^ y >> 6);
    }
    x = s[7] + (turn_64(s[4], 14) ^ turn_64(s[4], 18) ^ turn_64(s[4], 41)) + (((s[5] ^ s[6]) & s[4]) ^ s[6]) +
        k[i] + w[i & 15];
    y = x + (turn_64(s[0], 28) ^ turn_64(s[0], 34) ^ turn_64(s[0], 39)) +
        ((s[0] & s[1]) | ((s[0] | s[1]) & s[2]));
    memmove(s + 1, s, sizeof s - sizeof *s);
    s[4] += x;
    s[0] = y;
  }
  for(i = 0; i < 8; i++)
    state[i] += s[i];
}

/* ---- classes ---- */

/* Not even the vtable of a context may be set (br_multihash_update()). With in NULL each begins with its
 * initial values. */
static void bearssl_set(const br_hash_class **ctx, const br_hash_class *class, const uint8_t *in,
                        uint64_t count)
{
  union context *c = bearssl_context_of(ctx);
  const uint64_t *iv = first[class == &mote_bearssl_sha384];
  int i;
  c->vtable = class;
  if(is_64(class))
    c->s64.count = count;
  else
    c->s32.count = count;
  for(i = 0; i < 8; i++)
    if(is_64(class))
      c->s64.val[i] = in ? load_64(in + 8 * i) : iv[i];
    else
      c->s32.val[i] = in ? load_32(in + 4 * i) : (uint32_t)(iv[i] >> 32);
}

static void init_256(const br_hash_class **ctx)
{
  bearssl_set(ctx, &mote_bearssl_sha256, NULL, 0);
}

static void set_256(const br_hash_class **ctx, const void *in, uint64_t count)
{
  bearssl_set(ctx, &mote_bearssl_sha256, in, count);
}

static void init_384(const br_hash_class **ctx)
{
  bearssl_set(ctx, &mote_bearssl_sha384, NULL, 0);
}

static void set_384(const br_hash_class **ctx, const void *in, uint64_t count)
{
  bearssl_set(ctx, &mote_bearssl_sha384, in, count);
}

static void init_512(const br_hash_class **ctx)
{
  bearssl_set(ctx, &mote_bearssl_sha512, NULL, 0);
}

static void set_512(const br_hash_class **ctx, const void *in, uint64_t count)
{
  bearssl_set(ctx, &mote_bearssl_sha512, in, count);
}

static void bearssl_update(const br_hash_class **ctx, const void *data, size_t len)
{
  union context *c = bearssl_context_of(ctx);
  bool wide = is_64(c->vtable);
  uint64_t *count = wide ? &c->s64.count : &c->s32.count;
  size_t block = wide ? 128 : 64;
  const uint8_t *p = data;
  for(; len; len--) {
    c->s64.buf[*count & (block - 1)] = *p++;
    if(++*count & (block - 1))
      continue;
    if(wide)
      round_64(c->s64.val, c->s64.buf);
    else
      round_32(c->s32.val, c->s32.buf);
  }
}

static uint64_t give_state(const br_hash_class *const *ctx, void *out)
{
  const union context *c = (const union context *)(const void *)ctx;
  uint8_t *p = out;
  int i;
  for(i = 0; i < 8; i++)
    if(is_64(c->vtable))
      store_64(p + 8 * i, c->s64.val[i]);
    else
      store_32(p + 4 * i, c->s32.val[i]);
  return is_64(c->vtable) ? c->s64.count : c->s32.count;
}

static void bearssl_end(const br_hash_class *const *ctx, void *out)
{
  static const uint8_t zero = 0;
  union context c = *(const union context *)(const void *)ctx;
  bool wide = is_64(c.vtable);
  uint64_t *count = wide ? &c.s64.count : &c.s32.count;
  size_t tail = wide ? 16 : 8; /* bytes of the length */
  uint8_t bits[16] = {0};
  uint8_t sum[64];
  store_64(bits + 8, *count << 3);
  bearssl_update(&c.vtable, "\x80", 1);
  while((*count + tail) & (wide ? 127 : 63))
    bearssl_update(&c.vtable, &zero, 1);
  bearssl_update(&c.vtable, bits + 16 - tail, tail);
  give_state(&c.vtable, sum);
  memcpy(out, sum, c.vtable->desc >> BR_HASHDESC_OUT_OFF & BR_HASHDESC_OUT_MASK);
}

#define WIDE BR_HASHDESC_MD_PADDING_128
#define CLASS(name, size, state_size, log_block, more, type) { \
  .context_size = sizeof(type), \
  .desc = BR_HASHDESC_ID(br_sha##name##_ID) | BR_HASHDESC_OUT(size) | BR_HASHDESC_STATE(state_size) | \
          BR_HASHDESC_LBLEN(log_block) | BR_HASHDESC_MD_PADDING | BR_HASHDESC_MD_PADDING_BE | (more), \
  .init = init_##name, \
  .update = bearssl_update, \
  .out = bearssl_end, \
  .state = give_state, \
  .set_state = set_##name, \
}

const br_hash_class mote_bearssl_sha256 = CLASS(256, 32, 32, 6, 0u, br_sha256_context);
const br_hash_class mote_bearssl_sha384 = CLASS(384, 48, 64, 7, WIDE, br_sha384_context);
const br_hash_class mote_bearssl_sha512 = CLASS(512, 64, 64, 7, WIDE, br_sha512_context);

/* ---- the pseudorandom function ---- */

/* HMAC of what came before, if anything, and of label and seeds, if there is a label. */
static void bearssl_step(uint8_t out[32], const br_hmac_key_context *key, const uint8_t *before,
                         const char *label,
                         size_t seeds, const br_tls_prf_seed_chunk *seed)
{
  br_hmac_context h;
  br_hmac_init(&h, key, 0);
  if(before)
    br_hmac_update(&h, before, 32);
  if(label)
    br_hmac_update(&h, label, strlen(label));
  for(; label && seeds; seeds--, seed++)
    br_hmac_update(&h, seed->data, seed->len);
  br_hmac_out(&h, out);
}

void mote_bearssl_prf(void *dst, size_t len, const void *secret, size_t secret_len, const char *label,
                      size_t seeds, const br_tls_prf_seed_chunk *seed)
{
  br_hmac_key_context key;
  uint8_t a[32];
  uint8_t piece[32];
  uint8_t *to = dst;
  br_hmac_key_init(&key, &mote_bearssl_sha256, secret, secret_len);
  bearssl_step(a, &key, NULL, label, seeds, seed);
  while(len) {
    size_t n = len < sizeof piece ? len : sizeof piece;
    bearssl_step(piece, &key, a, label, seeds, seed);
    memcpy(to, piece, n);
    to += n;
    len -= n;
    bearssl_step(a, &key, a, NULL, 0, NULL);
  }
}

/* ---- GHASH ---- */

static uint32_t bearssl_load(const uint8_t *p)
{
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* y times h. The standard counts bits from the highest of the first byte. */
static void multiply(uint8_t y[16], const uint8_t *h)
{
  uint32_t a = bearssl_load(h);
  uint32_t b = bearssl_load(h + 4);
  uint32_t c = bearssl_load(h + 8);
  uint32_t d = bearssl_load(h + 12);
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

/* ---- the choice of algorithms ---- */

void mote_bearssl_implementations(br_ssl_engine_context *eng)
{
  br_ssl_engine_set_hash(eng, br_sha256_ID, &mote_bearssl_sha256);
  br_ssl_engine_set_hash(eng, br_sha384_ID, &mote_bearssl_sha384);
  br_ssl_engine_set_hash(eng, br_sha512_ID, &mote_bearssl_sha512);
  br_ssl_engine_set_prf_sha256(eng, mote_bearssl_prf);
  br_ssl_engine_set_rsavrfy(eng, br_rsa_i15_pkcs1_vrfy);
  br_ssl_engine_set_ec(eng, MOTE_BEARSSL_CURVES);
  br_ssl_engine_set_ecdsa(eng, br_ecdsa_i15_vrfy_asn1);
  br_ssl_engine_set_gcm(eng, &br_sslrec_in_gcm_vtable, &br_sslrec_out_gcm_vtable);
  br_ssl_engine_set_aes_ctr(eng, &br_aes_ct_ctr_vtable);
  br_ssl_engine_set_ghash(eng, mote_bearssl_ghash);
}
