/* tls/openssl/openssl_sign.c: signatures that are not TLS's own, by OpenSSL. */
#include <openssl/evp.h>

#include "tls/openssl/openssl.h"

CURLcode mote_openssl_sign_ed25519(const uint8_t *seed, const void *bytes, size_t len, uint8_t *out)
{
  size_t n = MOTE_TLS_ED25519_SIGNATURE;
  CURLcode rc = mote_openssl_init();
  EVP_MD_CTX *ctx;
  EVP_PKEY *key;
  if(rc)
    return rc;
  ctx = EVP_MD_CTX_new();
  key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, MOTE_TLS_ED25519_SEED);
  rc = !ctx || !key ? CURLE_OUT_OF_MEMORY : CURLE_OK;
  if(!rc && (EVP_DigestSignInit(ctx, NULL, NULL, NULL, key) != 1 ||
             EVP_DigestSign(ctx, out, &n, bytes, len) != 1))
    rc = CURLE_AUTH_ERROR;
  EVP_PKEY_free(key);
  EVP_MD_CTX_free(ctx);
  return rc;
}
