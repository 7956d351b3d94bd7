/* transfer/identity_tls.c: the TLS configuration's part of a connection's key. */
#include "base/sha256.h"
#include "tls/tls.h"
#include "transfer/connect.h"
#include "transfer/identity.h"
#include "transfer/transfer.h"

char *mote_identity_put_tls(struct mote_transfer *t, char *at)
{
  struct mote_tls_config cfg;
  struct mote_sha256 h;
  mote_transfer_tls_config(t, &cfg);
  mote_sha256_init(&h);
  mote_tls_config_feed(&cfg, &h);
  *at++ = 't';
  mote_sha256_end(&h, (unsigned char *)at);
  return at + 32;
}
