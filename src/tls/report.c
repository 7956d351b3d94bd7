/* tls/report.c: writes the verbose lines about TLS that are the same with every library. */
#include "base/report.h"
#include "tls/backend.h"
#include "tls/tls.h"

void mote_tls_report_offer(const struct mote_tls_head *t, const struct mote_tls_config *cfg)
{
  struct mote_report *r = t->stream.env->report;
  if(cfg->alpn)
    mote_info(r, "ALPN: offers %s", cfg->alpn);
  if(cfg->verify_peer && (cfg->ca_blob.ptr || cfg->ca_file))
    mote_info(r, " CAfile: %s", cfg->ca_blob.ptr ? "(memory blob)" : cfg->ca_file);
}

void mote_tls_report_peer(const struct mote_tls_head *t)
{
  struct mote_report *r = t->stream.env->report;
  struct mote_tls_info info;
  const char *alpn;
  size_t len;
  if(!r || !r->verbose)
    return;
  mote_tls_get_info(&t->stream, &info);
  mote_info(r, "SSL connection using %s / %s%s", info.version, info.cipher, info.resumed ? " (resumed)" : "");
  alpn = mote_tls_alpn(&t->stream, &len);
  if(alpn)
    mote_info(r, "ALPN: server accepted %.*s", (int)len, alpn);
  else
    mote_info(r, "ALPN: server did not agree on a protocol. Uses default.");
}
