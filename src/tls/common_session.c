/* tls/common_session.c: what a session is kept under besides host and port. */
#include <string.h>

#include "base/sha256.h"
#include "tls/backend.h"
#include "tls/common.h"
#include "tls/pin.h"
#include "tls/tls.h"

void mote_tls_name_session(struct mote_tls_head *t, const struct mote_tls_config *cfg, uint8_t identity[16])
{
  uint8_t digest[MOTE_SHA256_SIZE];
  struct mote_sha256 h;
  mote_sha256_init(&h);
  mote_tls_config_feed(cfg, &h);
  mote_sha256_end(&h, digest);
  memcpy(identity, digest, 16);
  /* What must be looked at anew by each connection cannot be had from a resumed session. */
  t->session_cache = cfg->session_cache && !cfg->ctx_function &&
                     !(cfg->pinned_key && mote_tls_pin_is_file(cfg->pinned_key));
}
