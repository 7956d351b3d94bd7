/* tls/bearssl_prf.c: the pseudorandom function of TLS 1.2 (RFC 5246 section 5) over our SHA-256:
 * BearSSL's own would bring its SHA-256 along. */
#include <string.h>

#include "tls/bearssl.h"

/* HMAC of what went before, or of nothing, then label and seeds (or no label: nothing more). */
static void step(uint8_t out[32], const br_hmac_key_context *key, const uint8_t *before, const char *label,
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
  step(a, &key, NULL, label, seeds, seed);
  while(len) {
    size_t n = len < sizeof piece ? len : sizeof piece;
    step(piece, &key, a, label, seeds, seed);
    memcpy(to, piece, n);
    to += n;
    len -= n;
    step(a, &key, a, NULL, 0, NULL);
  }
}
