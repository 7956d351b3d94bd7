/* tls/x509/pin.c: whether the peer's key is one of those that were pinned. */
#include "tls/x509/pin.h"

#include <string.h>

#include "base/digest/base64.h"
#include "base/digest/sha256.h"
#include "base/report.h"
#include "tls/config.h"
#include "tls/x509/pem.h"

#define SPKI_MAX 4096 /* bytes of a public key in a file: RSA with 16,384 bits takes 2,100 */

/* "sha256//base64[;sha256//base64]..." */
static bool pinned_in_list(const char *list, const uint8_t *spki, size_t len)
{
  uint8_t digest[MOTE_SHA256_SIZE];
  char text[MOTE_BASE64_SIZE(MOTE_SHA256_SIZE)];
  size_t text_len;
  mote_sha256(spki, len, digest);
  text_len = mote_base64_encode(text, digest, sizeof digest);
  while(*list) {
    size_t n = strcspn(list, ";");
    if(n == MOTE_TLS_PIN_PREFIX_LEN + text_len && !mote_tls_pin_is_file(list) &&
       !memcmp(list + MOTE_TLS_PIN_PREFIX_LEN, text, text_len))
      return true;
    list += n;
    list += *list == ';';
  }
  return false;
}

/* A file with the key itself, DER or PEM. */
static CURLcode pinned_in_file(const char *file, const uint8_t *spki, size_t len, bool *match)
{
  const struct mote_slice none = { NULL, 0 };
  uint8_t der[SPKI_MAX];
  struct mote_tls_blob b;
  struct mote_pem pem;
  size_t used;
  CURLcode rc = mote_tls_blob_load(&b, none, file);
  *match = false;
  if(rc)
    return rc;
  mote_pem_init(&pem, "PUBLIC KEY", der, sizeof der);
  if(b.len == len && !memcmp(b.ptr, spki, len))
    *match = true;
  else if(mote_pem_feed(&pem, b.ptr, b.len, &used) || mote_pem_end(&pem))
    *match = pem.der_len == len && !memcmp(der, spki, len);
  mote_tls_blob_free(&b);
  return CURLE_OK;
}

CURLcode mote_tls_pin_check(const char *pinned, const uint8_t *spki, size_t len, struct mote_report *r)
{
  bool match = false;
  CURLcode rc = CURLE_OK;
  if(mote_tls_pin_is_file(pinned))
    rc = pinned_in_file(pinned, spki, len, &match);
  else
    match = pinned_in_list(pinned, spki, len);
  if(match || rc == CURLE_OUT_OF_MEMORY)
    return rc;
  return mote_fail_as(CURLE_SSL_PINNEDPUBKEYNOTMATCH, r, "SSL: public key does not match pinned public key");
}
