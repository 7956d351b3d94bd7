/* tls/common/common.c: what streams do alike by libraries that bring no trust store. */
#include "tls/common/common.h"

#include "base/report.h"
#include "base/text.h"
#include "tls/backend.h"
#include "tls/tls.h"
#include "tls/x509/trust.h"

unsigned mote_tls_want(const struct mote_tls_head *t, unsigned interest, bool sending)
{
  unsigned want = t->done ? interest : sending ? 0 : MOTE_WANT_IN;
  return sending ? want | MOTE_WANT_OUT : want;
}

size_t mote_tls_cut_protocols(char *list, const char **names, size_t most)
{
  size_t n = 0;
  while(*list && n < most) {
    size_t len = strcspn(list, ",");
    bool last = !list[len];
    list[len] = 0;
    names[n++] = list;
    list += len + !last;
  }
  return n;
}

void mote_tls_report_done(const struct mote_tls_head *t)
{
  mote_tls_report_peer(t);
  if(t->verify_peer)
    mote_info(t->stream.env->report, " SSL certificate verify ok.");
  else
    mote_info(t->stream.env->report, " SSL certificate verify result: %d, continuing anyway.",
              (int)t->verify_result);
}

CURLcode mote_tls_ctx_function(const struct mote_tls_head *t, const struct mote_tls_config *cfg, void *ctx)
{
  CURLcode rc = cfg->ctx_function ? cfg->ctx_function(cfg->easy, ctx, cfg->ctx_data) : CURLE_OK;
  if(rc)
    mote_fail(t->stream.env->report, "error signaled by ssl ctx callback");
  return rc;
}

/* ---- trust ---- */

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

void mote_tls_bundle_cleanup(void)
{
  mote_trust_keep(NULL);
}

/* ---- alerts in words ---- */

static const struct mote_numbered alerts[] = {
  {0, "close_notify"},
  {10, "unexpected message"},
  {20, "bad record MAC"},
  {22, "record overflow"},
  {40, "handshake failure (no suite in common, or a client certificate is missing)"},
  {42, "bad certificate"},
  {43, "unsupported certificate"},
  {44, "certificate revoked"},
  {45, "certificate expired"},
  {46, "certificate unknown"},
  {47, "illegal parameter"},
  {48, "unknown CA"},
  {49, "access denied"},
  {50, "decode error"},
  {51, "decrypt error"},
  {70, "protocol version (this library speaks TLS 1.2 only)"},
  {71, "insufficient security"},
  {80, "internal error"},
  {112, "unrecognized name"},
  {120, "no application protocol"},
};

const char *mote_tls_alert_text(int alert)
{
  return mote_numbered_text(alerts, alert, "alert");
}
