/* engine/need/need_connection.c: the most memory that the names and connections of a transfer take. */
#include <string.h>

#include "connect/dial/dial.h"
#include "connect/identity.h"
#include "engine/multi.h"
#include "engine/need/need.h"
#include "engine/need/need_url.h"
#include "net/conn.h"
#include "net/pool_hosts.h"
#include "transfer/transfer.h"

/* CURLOPT_CONNECT_TO may name other hosts. */
void mote_need_widen(const struct mote_transfer *t, struct mote_need_chain *chain, struct mote_ceiling *easy)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_CONNECT_TO);
  for(; l; l = l->next)
    if(strlen(l->data) > chain->host)
      chain->host = strlen(l->data);
  chain->key = mote_identity_most(t, chain->host);
  mote_ceiling_add(easy, chain->key > MOTE_IDENTITY_ROOM, chain->key);
}

void mote_need_add_names(const struct mote_transfer *t, struct mote_multi *m,
                         const struct mote_need_chain *chain, struct mote_ceiling *cache,
                         struct mote_ceiling *process)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_RESOLVE);
  struct mote_ceiling one = {0}, job = {0};
  uint32_t names = (uint32_t)chain->hops + 1;
  mote_names_ceiling(chain->host, &one, &job);
  mote_ceiling_add_all(cache, names, &one);
  mote_ceiling_add_all(process, names, &job);
  for(; l; l = l->next, names += 3)
    mote_names_preset_ceiling(l->data, cache);
  mote_hash_ceiling(m ? &m->names.by_name : NULL, names, cache);
}

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
  if(m && m->max_host)
    mote_pool_hosts_ceiling(&m->pool, count, chain->host, &way);
  mote_dial_ceiling(&way);
  mote_ceiling_add_all(&sums->multi, 1, &way);
  if(t->share) /* a shared pool's connections belong to the process */
    mote_ceiling_add_all(&sums->process, 1, &way);
}
