/* tls/head.c: what the streams of all TLS libraries do alike. */
#include "base/memory.h"
#include "base/report.h"
#include "tls/backend.h"
#include "tls/tls.h"

void mote_tls_free(struct mote_tls_head *t)
{
  mote_mem_free(t->stream.env->account, MOTE_PART_TLS, t, t->block);
}

bool mote_tls_pending_below(const struct mote_stream *s)
{
  return s->below->ops->pending && s->below->ops->pending(s->below);
}

void mote_tls_idle(struct mote_stream *s)
{
  mote_tls_set_cache(s, NULL, NULL, NULL);
  if(s->below->ops->idle)
    s->below->ops->idle(s->below);
}

CURLcode mote_tls_cut_off(struct mote_tls_head *t)
{
  mote_fail(t->stream.env->report, "TLS connect error: unexpected eof in connection to %s:%u",
            mote_tls_host(t), (unsigned)t->port);
  return mote_tls_broken(t, CURLE_SSL_CONNECT_ERROR);
}

void mote_tls_cut_short(struct mote_tls_head *t)
{
  t->dead = t->truncated = true;
  mote_info(t->stream.env->report, "TLS: the connection ended without close_notify (unexpected eof)");
}

#if MOTE_HAS_VERBOSE
void mote_tls_tell_offer(const struct mote_tls_head *t, const struct mote_tls_config *cfg)
{
  struct mote_report *r = t->stream.env->report;
  if(cfg->alpn)
    mote_info(r, "ALPN: offers %s", cfg->alpn);
  if(cfg->verify_peer && (cfg->ca_blob.ptr || cfg->ca_file))
    mote_info(r, " CAfile: %s", cfg->ca_blob.ptr ? "(memory blob)" : cfg->ca_file);
}

void mote_tls_tell_peer(const struct mote_tls_head *t)
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
#endif
