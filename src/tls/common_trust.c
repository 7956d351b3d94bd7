/* tls/common_trust.c: the bundle of a configuration. */
#include "base/report.h"
#include "port/lock.h"
#include "tls/common.h"
#include "tls/tls.h"
#include "tls/trust.h"

/* The index that was asked for last stays, so that it is not made anew when connections come and go. */
static struct {
  struct mote_mutex lock;
  struct mote_trust *trust;
} kept;

static void keep(struct mote_trust *trust)
{
  struct mote_trust *old;
  mote_port_lock(&kept.lock);
  old = kept.trust;
  kept.trust = trust;
  mote_port_unlock(&kept.lock);
  mote_trust_release(old);
}

void mote_tls_bundle_cleanup(void)
{
  keep(NULL);
}

CURLcode mote_tls_bundle_open(struct mote_trust **out, const struct mote_tls_config *cfg,
                              struct mote_report *r)
{
  struct mote_trust *again;
  CURLcode rc;
  *out = NULL;
  if(!cfg->verify_peer || (!cfg->ca_file && !cfg->ca_blob.ptr))
    return CURLE_OK;
  rc = mote_trust_open(out, cfg->ca_file, cfg->ca_blob, cfg->ca_cache_timeout);
  if(rc == CURLE_SSL_CACERT_BADFILE && cfg->ca_blob.ptr)
    mote_fail(r, "error adding trust anchors from certificate blob");
  else if(rc == CURLE_SSL_CACERT_BADFILE)
    mote_fail(r, "error setting certificate file: %s", cfg->ca_file);
  if(!rc && !mote_trust_open(&again, cfg->ca_file, cfg->ca_blob, -1))
    keep(again);
  return rc;
}
