/* transfer/identity_tls_few.c: whom a TLS connection trusts, as part of its key (without part
 * tls_options). */
#include <string.h>

#include "base/hash.h"
#include "transfer/identity.h"
#include "transfer/transfer.h"

/* The application's own settings are told apart, nobody's attacks are kept off: 32 bits will do. */
char *mote_identity_put_tls(struct mote_transfer *t, char *at)
{
  const struct mote_options *o = &t->options;
  const char *file = mote_opt_str(o, CURLOPT_CAINFO);
  struct curl_blob blob = {0};
  uint32_t hash = file ? mote_hash_bytes(file, strlen(file), 0) : 0;
  if(mote_opt_blob(o, CURLOPT_CAINFO_BLOB, &blob))
    hash = mote_hash_bytes(blob.data, blob.len, hash);
  *at++ = (char)(mote_opt_long(o, CURLOPT_SSL_VERIFYPEER) != 0);
  *at++ = (char)(mote_opt_long(o, CURLOPT_SSL_VERIFYHOST) != 0);
  memcpy(at, &hash, sizeof hash);
  return at + sizeof hash;
}
