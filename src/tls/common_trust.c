/* tls/common_trust.c: the bundle of a configuration. */
#include "base/report.h"
#include "tls/common.h"
#include "tls/tls.h"
#include "tls/trust.h"

void mote_tls_bundle_cleanup(void)
{
  mote_trust_keep(NULL);
}

CURLcode mote_tls_bundle_open(struct mote_trust **out, const struct mote_tls_config *cfg,
                              struct mote_report *r)
{
  CURLcode rc;
  *out = NULL;
  if(!cfg->verify_peer || (!cfg->ca_file && !cfg->ca_blob.ptr))
    return CURLE_OK;
  rc = mote_trust_open(out, cfg->ca_file, cfg->ca_blob, cfg->ca_cache_timeout);
  if(rc == CURLE_SSL_CACERT_BADFILE && cfg->ca_blob.ptr)
    mote_fail(r, "error adding trust anchors from certificate blob");
  else if(rc == CURLE_SSL_CACERT_BADFILE)
    mote_fail(r, "error setting certificate file: %s", cfg->ca_file);
  if(!rc)
    mote_trust_keep(*out);
  return rc;
}
