/* small/tls.c: the certificates that a TLS connection trusts, as its configuration and as part of the
 * connection's key. TLS has no other options here. */
#include <string.h>

#include "base/digest/sha256.h"
#include "connect/dial/dial.h"
#include "small/trust.h"
#include "tls/common/common.h"
#include "tls/tls.h"
#include "transfer/transfer.h"

#define KEPT (MOTE_SMALL_TRUST - 3) /* bytes of the SHA-256 of the bundle, or of its file's name */

void mote_transfer_tls_config(struct mote_transfer *t, struct mote_tls_config *cfg)
{
  const struct mote_options *o = &t->options;
  mote_tls_config_init(cfg);
  cfg->alpn = "http/1.1";
  cfg->ca_file = mote_opt_str(o, CURLOPT_CAINFO);
  cfg->ca_blob = mote_opt_blob(o, CURLOPT_CAINFO_BLOB);
  cfg->easy = t->msg.easy_handle;
  cfg->verify_peer = mote_opt_long(o, CURLOPT_SSL_VERIFYPEER) != 0;
  cfg->verify_host = mote_opt_long(o, CURLOPT_SSL_VERIFYHOST) != 0;
}

/* None that a library could lack can be set. */
CURLcode mote_tls_check_common(struct mote_report *r, const struct mote_tls_config *cfg, const char *library)
{
  (void)r;
  (void)cfg;
  (void)library;
  return CURLE_OK;
}

char *mote_small_put_trust(struct mote_transfer *t, char *at)
{
  const struct mote_options *o = &t->options;
  const char *file = mote_opt_str(o, CURLOPT_CAINFO);
  struct mote_slice blob = mote_opt_blob(o, CURLOPT_CAINFO_BLOB);
  uint8_t digest[MOTE_SHA256_SIZE];
  *at++ = (char)(mote_opt_long(o, CURLOPT_SSL_VERIFYPEER) != 0);
  *at++ = (char)(mote_opt_long(o, CURLOPT_SSL_VERIFYHOST) != 0);
  *at++ = (char)(blob.ptr ? 2 : file != NULL); /* an empty name is no bundle, and not the default one */
  if(!blob.ptr && file)
    blob = mote_slice_of(file);
  mote_sha256(blob.ptr, blob.len, digest);
  memcpy(at, digest, KEPT);
  return at + KEPT;
}
