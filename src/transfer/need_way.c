/* transfer/need_way.c: the connections of a transfer. */
#include "net/conn.h"
#include "transfer/engine.h"
#include "transfer/need.h"
#include "transfer/transfer.h"

void mote_need_add_connections(const struct mote_transfer *t, struct mote_multi *m, size_t state_size,
                               const struct mote_need_chain *chain, struct mote_need_sums *sums)
{
  struct mote_conn_closer closer = {NULL, NULL};
  struct mote_ceiling way = {0};
  uint32_t count = (uint32_t)chain->hops + 1;
  struct mote_conn_plan plan = {
    .key_len = chain->key, .state_size = state_size,
    .closer = mote_opt_fn(&t->options, CURLOPT_CLOSESOCKETFUNCTION) ? &closer : NULL,
  };
  mote_conn_ceiling(&plan, count, &way);
  mote_multi_ceiling(m, count, &way);
  mote_ceiling_add_all(&sums->multi, 1, &way);
  if(t->share) /* the shared pool's are the process's */
    mote_ceiling_add_all(&sums->process, 1, &way);
}
