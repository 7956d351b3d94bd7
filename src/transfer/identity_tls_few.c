/* transfer/identity_tls_few.c: whom a TLS connection trusts, as part of its key (without part
 * tls_options). */
#include <string.h>

#include "base/sha256.h"
#include "transfer/identity.h"
#include "transfer/transfer.h"

#define KEPT 16 /* bytes of the SHA-256 of the bundle, or of its file's name */

char *mote_identity_put_tls(struct mote_transfer *t, char *at)
{
  const struct mote_options *o = &t->options;
  const char *file = mote_opt_str(o, CURLOPT_CAINFO);
  struct curl_blob blob = {.data = (void *)(uintptr_t)file, .len = file ? strlen(file) : 0};
  uint8_t digest[MOTE_SHA256_SIZE];
  *at++ = (char)(mote_opt_long(o, CURLOPT_SSL_VERIFYPEER) != 0);
  *at++ = (char)(mote_opt_long(o, CURLOPT_SSL_VERIFYHOST) != 0);
  *at++ = (char)mote_opt_blob(o, CURLOPT_CAINFO_BLOB, &blob);
  mote_sha256(blob.data, blob.len, digest);
  memcpy(at, digest, KEPT);
  return at + KEPT;
}
