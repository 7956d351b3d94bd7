/* tls/common_stream.c: what streams by these libraries do alike. */
#include "base/report.h"
#include "tls/backend.h"
#include "tls/common.h"
#include "tls/tls.h"

unsigned mote_tls_want(const struct mote_tls_head *t, unsigned interest, bool sending)
{
  const struct mote_stream *below = t->stream.below;
  unsigned want = t->done ? interest : sending ? 0 : MOTE_WANT_IN;
  if(sending)
    want |= MOTE_WANT_OUT;
  return below->ops->want ? below->ops->want(below, want) : want;
}

CURLcode mote_tls_said_goodbye(struct mote_tls_head *t, CURLcode rc, bool *done)
{
  *done = rc != CURLE_AGAIN;
  return rc && *done ? mote_tls_broken(t, CURLE_SSL_SHUTDOWN_FAILED) : CURLE_OK;
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

void mote_tls_tell_done(const struct mote_tls_head *t)
{
  mote_tls_tell_peer(t);
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
