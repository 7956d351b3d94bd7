/* connect/identity_last.c: whether the connection of a handle's last transfer has the key of this one, which
 * then is not built (connect/identity.h). */
#include "connect/identity.h"
#include "net/conn.h"
#include "net/pool.h"
#include "transfer/multi/multi.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

/* A netrc file may have another login for a connection that is logged in. */
static bool has_login_of_file(const struct mote_transfer *t)
{
  return MOTE_HAS_NETRC && t->run->request.scheme->protocol->login &&
         mote_opt_long(&t->options, CURLOPT_NETRC) != CURL_NETRC_IGNORED;
}

bool mote_identity_is_known(struct mote_transfer *t, const struct mote_pool *pool)
{
  struct mote_run *r = t->run;
  bool own_pool = pool == &t->multi->pool;
  bool own = own_pool && mote_multi_is_private(t->multi);
  bool same_url = !r->request.redirects && !r->request.upgraded && !t->options.changed;
  bool known = own && r->lease.own_pool && same_url;
  const struct mote_conn *c = known ? mote_pool_last(pool) : NULL;
  if(mote_transfer_is_internal(t))
    return own_pool && mote_identity_recalls(t);
  known = c && !has_login_of_file(t);
  r->lease.own_pool = known || (own && !mote_identity_may_have_tls(t) &&
                                !mote_opt_ptr(&t->options, CURLOPT_CONNECT_TO));
  return known;
}
