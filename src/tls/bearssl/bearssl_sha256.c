/* tls/bearssl/bearssl_sha256.c: base/digest/sha256.h by BearSSL, where part sha256 is left out. */
#include "base/digest/sha256.h"
#include "tls/bearssl/bearssl.h"

static const br_hash_class **bearssl_sha256_context_of(struct mote_sha256 *s)
{
  _Static_assert(sizeof(br_sha256_context) <= sizeof *s, "there is room for the library's");
  return (const br_hash_class **)(void *)s;
}

void mote_sha256_init(struct mote_sha256 *s)
{
  mote_bearssl_sha256.init(bearssl_sha256_context_of(s));
}

void mote_sha256_add(struct mote_sha256 *s, const void *bytes, size_t len)
{
  mote_bearssl_sha256.update(bearssl_sha256_context_of(s), bytes, len);
}

void mote_sha256_end(struct mote_sha256 *s, uint8_t out[MOTE_SHA256_SIZE])
{
  mote_bearssl_sha256.out(bearssl_sha256_context_of(s), out);
}

void mote_sha256(const void *bytes, size_t len, uint8_t out[MOTE_SHA256_SIZE])
{
  struct mote_sha256 s;
  mote_sha256_init(&s);
  mote_sha256_add(&s, bytes, len);
  mote_sha256_end(&s, out);
}
