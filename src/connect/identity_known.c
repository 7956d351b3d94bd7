/* connect/identity_known.c: the connection that an internal transfer had last (connect/identity.h). */
#include "connect/identity.h"
#include "net/conn_struct.h"
#include "net/pool.h"
#include "transfer/internal.h"

/* A variable of the environment may name another proxy at any time. */
void mote_identity_note(struct mote_transfer *t, const struct mote_conn *c)
{
  struct mote_internal *i = mote_internal_of(t);
  i->conn_id = -1;
  if(!c || t->share || t->run->lease.proxied)
    return;
  i->conn_id = c->id;
  i->conn_hash = mote_pool_hash(c);
}

bool mote_identity_recalls(const struct mote_transfer *t)
{
  const struct mote_run *r = t->run;
  return r->request.same_url && !r->lease.proxied && ((const struct mote_internal *)t)->conn_id >= 0;
}

void mote_identity_recall(struct mote_transfer *t, struct mote_pool_query *q)
{
  struct mote_internal *i = mote_internal_of(t);
  q->hash = i->conn_hash;
  q->id = i->conn_id;
}
