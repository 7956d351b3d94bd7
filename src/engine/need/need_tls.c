/* engine/need/need_tls.c: the most memory that the TLS of a transfer's connections takes. */
#include "connect/dial/dial.h"
#include "engine/need/need.h"
#include "engine/need/need_url.h"
#include "tls/tls.h"
#include "transfer/report/info.h"
#include "transfer/transfer.h"

CURLcode mote_need_add_tls(struct mote_transfer *t, const struct mote_need_chain *chain,
                           struct mote_need_sums *sums)
{
  struct mote_ceiling conns = {0};
  struct mote_tls_config cfg;
  CURLcode rc;
  mote_transfer_tls_config(t, &cfg);
  rc = mote_tls_ceiling(&cfg, chain->host, chain->hops + 1, &conns, &sums->process);
  mote_ceiling_add_all(&sums->multi, 1, &conns);
  if(t->share) /* a shared pool's connections, and shared sessions, belong to the process */
    mote_ceiling_add_all(&sums->process, 1, &conns);
  mote_ceiling_add(&sums->easy, 1, sizeof(struct mote_info)); /* for what a certificate lacks */
  return rc;
}
