/* transfer/choose.c: a kept connection or a new one, and how many there may be. */
#include "net/conn_io.h"
#include "net/pool.h"
#include "transfer/connect.h"
#include "transfer/identity.h"
#include "transfer/info.h"
#include "transfer/multi.h"
#include "transfer/share.h"
#include "transfer/transfer.h"

#define DEFAULT_KEPT_EASY 5u /* CURLOPT_MAXCONNECTS(3) */

struct mote_pool *mote_transfer_pool(struct mote_transfer *t)
{
  const struct mote_share *share = mote_share_of(t);
  return share && share->pool ? share->pool : &t->multi->pool;
}

/* Likewise for a handle that is in no multi: m may be NULL, and so the answer. */
static struct mote_pool *pool_with(const struct mote_transfer *t, struct mote_multi *m)
{
  const struct mote_share *share = mote_share_of(t);
  if(share && share->pool)
    return share->pool;
  return m ? &m->pool : NULL;
}

uint32_t mote_connect_most_kept(const struct mote_transfer *t)
{
  long max;
  if(!mote_multi_is_private(t->multi))
    return mote_multi_most_kept(t->multi);
  max = mote_opt_long(&t->options, CURLOPT_MAXCONNECTS);
  return max > 0 ? (uint32_t)max : DEFAULT_KEPT_EASY;
}

uint8_t mote_connect_family(const struct mote_transfer *t)
{
  long v = mote_opt_long(&t->options, CURLOPT_IPRESOLVE);
  return v == CURL_IPRESOLVE_V4 ? 4 : v == CURL_IPRESOLVE_V6 ? 6 : 0;
}

/* id NULL: the connection that the pool has given out last. */
static bool use_kept(struct mote_transfer *t, const struct mote_identity *id, mote_time now)
{
  struct mote_pool *pool = mote_transfer_pool(t);
  struct mote_pool_query q = {
    .key = id ? id->key : NULL, .key_len = id ? id->len : 0, .ip_version = mote_connect_family(t), .now = now,
    .max_idle = (uint32_t)mote_opt_long(&t->options, CURLOPT_MAXAGE_CONN),
    .max_life = (uint32_t)mote_opt_long(&t->options, CURLOPT_MAXLIFETIME_CONN),
  };
  struct mote_conn *c;
  bool first = !t->run->redirects; /* what follows may use the connection that was made for it */
  if((first && mote_opt_long(&t->options, CURLOPT_FRESH_CONNECT)) ||
     mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY) || t->run->fresh)
    return false;
  c = id ? mote_pool_take(pool, &q) : mote_pool_take_last(pool, &q);
  if(!c)
    return false;
  mote_connect_take(t, c);
  t->run->reused = true;
  return true;
}

/* True: a limit is reached; the transfer waits for a slot. Idle connections make room. */
static bool over_limit(struct mote_transfer *t, const struct mote_identity *id)
{
  uint32_t max_host = t->multi->max_host, max_total = t->multi->max_total;
  struct mote_pool *pool = mote_transfer_pool(t);
  if(max_host > 0)
    while(mote_pool_count_host(pool, id->key) >= max_host)
      if(!mote_pool_close_idle_host(pool, id->key))
        return true;
  if(max_total > 0)
    while(pool->count >= max_total)
      if(!mote_pool_close_oldest(pool))
        return true;
  return false;
}

/* Where nobody watches idle connections (the application's descriptors, shared pools) the dead ones are
 * looked for when a connection is wanted, once in a second at most. */
static void prune_unwatched(struct mote_transfer *t, mote_time now)
{
  struct mote_pool *pool = mote_transfer_pool(t);
  if(mote_multi_prune_due(t->multi, pool, now))
    mote_pool_prune(pool, now, (uint32_t)mote_opt_long(&t->options, CURLOPT_MAXAGE_CONN), false);
}

static CURLcode queue(struct mote_transfer *t)
{
  CURLcode rc = mote_share_note(t);
  if(rc)
    return rc;
  mote_multi_move(t->multi, t, MOTE_LIST_QUEUED);
  return CURLE_AGAIN;
}

static CURLcode choose_by_key(struct mote_transfer *t, mote_time now)
{
  struct mote_identity id;
  CURLcode rc = mote_identity_make(t, &id);
  if(rc)
    return rc;
  if(use_kept(t, &id, now))
    rc = mote_info_note_tls(t);
  else if(over_limit(t, &id))
    rc = queue(t);
  else
    rc = mote_connect_make(t, id.key, id.len, now);
  mote_identity_close(t, &id);
  return rc;
}

CURLcode mote_connect_choose(struct mote_transfer *t, mote_time now)
{
  struct mote_pool *pool = mote_transfer_pool(t);
  struct mote_slice host = mote_url_packed_host(&t->run->url);
  struct mote_pool_visit v;
  CURLcode rc = CURLE_OK;
  bool known;
  mote_pool_visit_begin(t, &v);
  known = mote_identity_is_known(t);
  prune_unwatched(t, now);
  if(!known || !use_kept(t, NULL, now))
    rc = choose_by_key(t, now);
  mote_pool_visit_end(t, pool, &v);
  if(t->run->reused)
    mote_info(&t->report, "Re-using existing connection with host %.*s", (int)host.len, host.ptr);
  return mote_share_waits(t) ? mote_share_settle(t, rc, now) : rc;
}

void mote_connect_prune(struct mote_transfer *t, struct mote_multi *m, mote_time now)
{
  struct mote_pool *pool = pool_with(t, m);
  struct mote_pool_visit v;
  if(!pool)
    return;
  mote_pool_visit_begin(t, &v);
  mote_pool_prune(pool, now, (uint32_t)mote_opt_long(&t->options, CURLOPT_MAXAGE_CONN), false);
  mote_pool_visit_end(t, pool, &v);
}

/* After the transfer the connection may be idle in the pool, closed, or another transfer's. */
curl_socket_t mote_connect_last_socket(struct mote_transfer *t, struct mote_multi *m)
{
  struct mote_pool *pool = pool_with(t, m);
  curl_socket_t fd;
  if(t->run->conn)
    return mote_conn_socket(t->run->conn);
  if(!pool || t->run->conn_id < 0)
    return CURL_SOCKET_BAD;
  mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
  fd = mote_pool_idle_socket(pool, t->run->conn_id);
  mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
  return fd;
}
