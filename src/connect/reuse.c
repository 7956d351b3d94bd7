/* connect/reuse.c: selects the connection of a transfer, kept or new, and decides what becomes of it when
 * the transfer leaves it. */
#include "connect/dial/dial.h"
#include "connect/identity.h"
#include "connect/route/route.h"
#include "connect/version.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/driver.h"
#include "port/port.h"
#include "transfer/callback.h"
#include "transfer/multi/multi.h"
#include "transfer/multi/share.h"
#include "transfer/report/info.h"
#include "transfer/transfer.h"

#define DEFAULT_KEPT_EASY 5u /* CURLOPT_MAXCONNECTS(3) */

/* ---- the pool that a transfer uses, with the locks and the guard around its use ---- */

/* A use of a pool that may close connections. It holds the share's lock and enters the guard, because the
 * application may have a callback for closed sockets. Connections that leave a shared pool are closed after
 * the lock is released, so that no other callback of the application runs under it. */
struct visit {
  struct mote_list leaving; /* connections to close; only if the pool is shared */
  bool shared;              /* the pool is the share's */
  bool transfer;            /* the guard's state before (transfer/callback.h) */
  uint8_t multi;            /* likewise */
};

/* A connection with a driver that acts, possibly for the transfers of several handles, runs in their multi,
 * whose pool it is in. One that may become such a connection is there too until its version is settled. So
 * no other thread ever finds it while anything drives it. Idle it goes to the share's pool (rest_in_share()),
 * and to the pool of the multi that takes it from there (reuse_adopt()). */
static struct mote_pool *reuse_pool_of(struct mote_transfer *t, bool of_multi)
{
  const struct mote_share *share = mote_share_of(t);
  return share && share->pool && !of_multi ? share->pool : &t->multi->pool;
}

static bool wants_driver(struct mote_transfer *t)
{
  return mote_driver_acts(mote_version_driver(t));
}

static struct mote_pool *pool_to_choose_from(struct mote_transfer *t)
{
  const struct mote_share *share = mote_share_of(t);
  return share ? reuse_pool_of(t, wants_driver(t)) : &t->multi->pool;
}

/* Returns the share's pool where the transfer chooses from its multi's: connections of HTTP/1.1 are there,
 * and idle ones of many transfers. */
static struct mote_pool *second_pool(struct mote_transfer *t)
{
  const struct mote_share *share = mote_share_of(t);
  return share && wants_driver(t) ? share->pool : NULL;
}

static void begin_visit(struct mote_transfer *t, const struct mote_pool *pool, struct visit *v)
{
  const struct mote_share *share = mote_share_of(t);
  struct mote_callback_guard before;
  v->shared = share && share->pool == pool;
  if(v->shared)
    mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
  before = mote_callback_enter(t);
  v->transfer = before.transfer;
  v->multi = before.multi;
  mote_list_init(&v->leaving);
}

static void end_visit(struct mote_transfer *t, struct mote_pool *pool, struct visit *v)
{
  if(v->shared) {
    mote_pool_take_leaving(pool, &v->leaving);
    mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
    mote_pool_close_leaving(&v->leaving);
  }
  mote_callback_leave(t, (struct mote_callback_guard){v->transfer, v->multi});
}

/* ---- the transfer and its connection ---- */

static bool reuse_leaves_open(const struct mote_transfer *t)
{
  return mote_protocol_connect_only(t->run->request.scheme->protocol,
                                    mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY)) != 0;
}

/* A transfer has joined a kept connection of many transfers. The next one that waits gets what is left: more
 * room, or the slot for which this one may have been woken. A full connection is offered again when it has
 * room. */
static void reuse_pass_on(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_multi *m = t->multi;
  const char *key = mote_conn_key(c);
  if(c->drive->driver->room(c->drive) > 0) {
    mote_schedule_offer(m, c);
    return;
  }
  mote_pool_withdraw(reuse_pool_of(t, c->of_multi), c);
  if(m->max_host && mote_pool_count_busy_host(&m->pool, key) < m->max_host)
    mote_schedule_wake_host(m, key);
  mote_schedule_pass_on(m, false);
}

static void reuse_take(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_run *r = t->run;
  struct mote_waitset *set = &t->multi->set;
  if(mote_conn_fd(c) != CURL_SOCKET_BAD) { /* a kept connection has its address already */
    if(!c->set)
      mote_watch_add(set, &c->tcp.watch, mote_conn_fd(c));
    r->stats.primary = c->remote;
    r->stats.local = c->local;
  }
  r->channel.conn = c;
  r->stats.conn_id = c->id;
  c->set = set;
  if(c->tcp.watch.parted || !c->tcp.watch.user)
    c->tcp.watch.user = t;
  c->tcp.watch.parted = false;
  if(mote_driver_has_room(c->driver)) {
    if(c->drive) /* it is kept, and may have room for the next one in the queue */
      reuse_pass_on(t, c);
    return;
  }
  mote_conn_set_reusable(c, false); /* until the exchange has ended well */
  c->env.report = &t->report;
  mote_connect_use_sessions(t, c);
}

/* A connection that may move between a share and multis has one CURLINFO_CONN_ID, the share's, as no other
 * connection of the share may have. In a multi's pool it is then not to be found by its number alone. */
static void reuse_number(struct mote_transfer *t, struct mote_pool *pool, struct mote_conn *c)
{
  const struct mote_share *share = mote_share_of(t);
  c->of_share = share && share->pool;
  if(!c->of_share || share->pool == pool)
    return;
  mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
  mote_pool_number(share->pool, c);
  mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
  mote_pool_forget_last(pool);
}

static CURLcode reuse_make(struct mote_transfer *t, const char *key, size_t key_len, mote_time now)
{
  struct mote_pool *pool = pool_to_choose_from(t);
  struct mote_conn *c;
  struct mote_conn_closer closer = {
    .fn = (curl_closesocket_callback)mote_opt_fn(&t->options, CURLOPT_CLOSESOCKETFUNCTION),
    .data = mote_opt_ptr(&t->options, CURLOPT_CLOSESOCKETDATA),
  };
  struct mote_conn_plan plan = {
    .key = key, .key_len = key_len,
    .state_size = (mote_version_conn_size(t) + 7) & ~(size_t)7,
    .closer = closer.fn ? &closer : NULL,
    .driver = mote_version_driver(t),
  };
  CURLcode rc = mote_conn_new(&c, reuse_pool_of(t, false)->by_key.account, &plan);
  if(rc)
    return rc;
  c->created = mote_conn_seconds(now);
  c->last_used = c->created;
  c->single_use = reuse_leaves_open(t);
  mote_pool_add(pool, c);
  reuse_number(t, pool, c);
  reuse_take(t, c);
  rc = mote_dial_begin(t, c);
  if(!rc && mote_driver_has_room(c->driver))
    mote_pool_offer(pool, c);
  return rc;
}

/* ---- choosing a connection ---- */

/* Returns the pool of a handle that may be in no multi. m may be NULL, and then the result may be too. */
static struct mote_pool *pool_with(const struct mote_transfer *t, struct mote_multi *m)
{
  const struct mote_share *share = mote_share_of(t);
  if(share && share->pool)
    return share->pool;
  return m ? &m->pool : NULL;
}

/* Takes a kept connection from the pool, or NULL. id NULL: the one that mote_identity_is_known() means. */
static struct mote_conn *find_kept(struct mote_transfer *t, struct mote_pool *pool,
                                   const struct mote_identity *id, mote_time now)
{
  struct mote_pool_query q = {
    .key = id ? id->key : NULL, .key_len = id ? id->len : 0, .ip_version = mote_route_family(t), .now = now,
    .max_idle = (uint32_t)mote_opt_long(&t->options, CURLOPT_MAXAGE_CONN),
    .max_life = (uint32_t)mote_opt_long(&t->options, CURLOPT_MAXLIFETIME_CONN),
    .may_wait = mote_opt_long(&t->options, CURLOPT_PIPEWAIT) != 0 &&
                t->run->lease.kind != MOTE_LEASE_SOON && mote_driver_has_room(mote_version_driver(t)),
  };
  /* later requests may reuse the connection that the first one made */
  bool first = !t->run->request.redirects;
  if((first && mote_opt_long(&t->options, CURLOPT_FRESH_CONNECT)) ||
     reuse_leaves_open(t) ||
     t->run->lease.kind == MOTE_LEASE_ONLY_NEW)
    return NULL;
  if(!id && !mote_transfer_is_internal(t))
    return mote_pool_take_last(pool, &q);
  if(!id)
    mote_identity_recall(t, &q);
  mote_version_filter(t, &q);
  return mote_pool_take(pool, &q);
}

/* Under the lock of the share's pool, where c was found: an idle connection that has a driver moves to the
 * multi. */
static struct mote_conn *reuse_adopt(struct mote_transfer *t, struct mote_pool *pool, struct mote_conn *c)
{
  if(!c || !c->drive || pool == &t->multi->pool)
    return c;
  mote_pool_hand_over(pool, c, &t->multi->pool);
  mote_pool_offer(&t->multi->pool, c);
  return c;
}

static void use_kept(struct mote_transfer *t, struct mote_conn *c)
{
  reuse_take(t, c);
  mote_version_use(t, c);
  mote_lease_choose(&t->run->lease, MOTE_LEASE_KEPT);
}

CURLcode mote_connect_join(struct mote_transfer *t, struct mote_conn *c)
{
  mote_version_restore(t);
  c->drive->channels++;
  use_kept(t, c);
  return mote_info_note_tls(t);
}

static void expect_new(struct mote_transfer *t)
{
  if(t->run->lease.kind == MOTE_LEASE_KEPT)
    mote_lease_choose(&t->run->lease, MOTE_LEASE_NEW);
}

/* Idle connections are not watched if the application has the descriptors or the pool is shared. Dead ones
 * are then searched for when a transfer needs a connection, at most once per second. */
static void prune_unwatched(struct mote_transfer *t, struct mote_pool *pool, mote_time now)
{
  if(mote_schedule_prune_due(t->multi, pool, now))
    mote_pool_prune(pool, now, (uint32_t)mote_opt_long(&t->options, CURLOPT_MAXAGE_CONN));
}

static struct mote_conn *find_in_second(struct mote_transfer *t, const struct mote_identity *id,
                                        mote_time now)
{
  struct mote_pool *pool = second_pool(t);
  struct mote_conn *c;
  struct visit v;
  if(!pool)
    return NULL;
  begin_visit(t, pool, &v);
  prune_unwatched(t, pool, now);
  c = reuse_adopt(t, pool, find_kept(t, pool, id, now));
  end_visit(t, pool, &v);
  return c;
}

/* The limit that a new connection would exceed. */
enum limit {
  LIMIT_NONE,
  LIMIT_HOST, /* CURLMOPT_MAX_HOST_CONNECTIONS */
  LIMIT_TOTAL /* CURLMOPT_MAX_TOTAL_CONNECTIONS */
};

/* Closes idle connections to get below the limits. `second` may be NULL. */
static enum limit over_limit(struct mote_transfer *t, const struct mote_identity *id, struct mote_pool *pool,
                       struct mote_pool *second)
{
  uint32_t max_host = t->multi->max_host, max_total = t->multi->max_total;
  const char *key = id->key;
  if(mote_transfer_is_internal(t))
    return LIMIT_NONE;
  if(max_host > 0)
    while(mote_pool_count_host(pool, key) + (second ? mote_pool_count_host(second, key) : 0) >= max_host)
      if(!mote_pool_close_idle_host(pool, key) && !(second && mote_pool_close_idle_host(second, key)))
        return LIMIT_HOST;
  if(max_total > 0)
    while(pool->count + (second ? second->count : 0) >= max_total)
      if(!mote_pool_close_oldest(pool) && !(second && mote_pool_close_oldest(second)))
        return LIMIT_TOTAL;
  return LIMIT_NONE;
}

/* The transfer waits for its host, or in the queue of all. CURLE_AGAIN, CURLE_OUT_OF_MEMORY. */
static CURLcode wait_for_slot(struct mote_transfer *t, const struct mote_identity *id, enum limit limit)
{
  CURLcode rc = mote_share_note(t);
  if(rc)
    return rc;
  t->run->lease.two_pools = second_pool(t) != NULL;
  if(limit == LIMIT_HOST) {
    rc = mote_schedule_wait_for_host(t, id->key);
    return rc ? rc : CURLE_AGAIN;
  }
  mote_share_queues(t);
  mote_schedule_queue(t);
  return CURLE_AGAIN;
}

/* CURLE_AGAIN: the transfer waits for a slot. */
static CURLcode find_slot(struct mote_transfer *t, const struct mote_identity *id)
{
  struct mote_pool *second = second_pool(t);
  CURLcode rc = CURLE_OK;
  enum limit limit;
  struct visit v;
  if(second)
    begin_visit(t, second, &v);
  limit = over_limit(t, id, pool_to_choose_from(t), second);
  if(limit)
    rc = wait_for_slot(t, id, limit);
  if(second)
    end_visit(t, second, &v);
  return rc;
}

/* Takes a new connection, or waits for one that is being made. */
static CURLcode take_new(struct mote_transfer *t, const struct mote_identity *id, struct mote_conn *dialled,
                         mote_time now)
{
  CURLcode rc;
  expect_new(t);
  if(dialled)
    return mote_dial_join(t, dialled);
  rc = find_slot(t, id);
  return rc ? rc : reuse_make(t, id->key, id->len, now);
}

static uint32_t busy_at_host(struct mote_transfer *t, const char *key)
{
  struct mote_pool *second = second_pool(t);
  uint32_t n = mote_pool_count_busy_host(pool_to_choose_from(t), key);
  if(!second)
    return n;
  mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
  n += mote_pool_count_busy_host(second, key);
  mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
  return n;
}

/* Reports whether a transfer that is not waiting any more leaves something at its host to the next one. It
 * has no connection of its own, as it has joined a dial or failed; or other multis have left more than one of
 * their share, for which only one transfer was woken. */
static bool host_suits_next(struct mote_transfer *t, const char *key)
{
  if(!t->host_turn)
    return false;
  return !t->run->channel.conn || (mote_share_waits(t) && busy_at_host(t, key) < t->multi->max_host);
}

static CURLcode choose_by_key(struct mote_transfer *t, mote_time now)
{
  struct mote_identity id;
  struct mote_conn *c;
  CURLcode rc = mote_identity_make(t, &id);
  if(rc)
    return rc;
  c = reuse_adopt(t, pool_to_choose_from(t), find_kept(t, pool_to_choose_from(t), &id, now));
  if(!c)
    c = find_in_second(t, &id, now);
  if(c && !mote_dial_is_of(c)) {
    use_kept(t, c);
    rc = mote_info_note_tls(t);
  }
  else
    rc = take_new(t, &id, c, now);
  if(mote_transfer_is_internal(t))
    mote_identity_note(t, t->run->channel.conn);
  if(rc != CURLE_AGAIN && host_suits_next(t, id.key))
    mote_schedule_wake_host(t->multi, id.key);
  if(rc != CURLE_AGAIN)
    t->host_turn = false;
  mote_identity_close(t, &id);
  return rc;
}

CURLcode mote_connect_choose(struct mote_transfer *t, mote_time now)
{
  struct mote_pool *pool;
  struct mote_slice host = mote_url_packed_host(&t->run->request.url);
  struct mote_conn *known = NULL;
  struct visit v;
  CURLcode rc = CURLE_OK;
  mote_version_restore(t);
  pool = pool_to_choose_from(t);
  begin_visit(t, pool, &v);
  if(!second_pool(t)) /* else the idle ones are there */
    prune_unwatched(t, pool, now);
  if(mote_identity_is_known(t, pool))
    known = find_kept(t, pool, NULL, now);
  if(known) {
    use_kept(t, known);
    t->host_turn = false;
  }
  else
    rc = choose_by_key(t, now);
  if(mote_transfer_is_internal(t)) /* mote_identity_is_known() is about the application's last transfer */
    mote_pool_forget_last(pool_to_choose_from(t));
  end_visit(t, pool, &v);
  if(t->run->lease.kind == MOTE_LEASE_KEPT)
    mote_info(&t->report, "Re-using existing connection with host %.*s", (int)host.len, host.ptr);
  return mote_share_waits(t) ? mote_share_settle(t, rc, now) : rc;
}

void mote_connect_upkeep(struct mote_transfer *t, struct mote_multi *m, mote_time now)
{
  struct mote_pool *pool = pool_with(t, m);
  struct visit v;
  if(!pool)
    return;
  begin_visit(t, pool, &v);
  mote_pool_prune(pool, now, (uint32_t)mote_opt_long(&t->options, CURLOPT_MAXAGE_CONN));
  mote_version_upkeep(t, pool, now);
  if(m && pool != &m->pool)
    mote_version_upkeep(t, &m->pool, now);
  end_visit(t, pool, &v);
}

/* After the transfer the connection may be idle in the pool, closed, or in use by another transfer. */
curl_socket_t mote_connect_last_socket(struct mote_transfer *t, struct mote_multi *m)
{
  const struct mote_share *share = mote_share_of(t);
  curl_socket_t fd = CURL_SOCKET_BAD;
  if(t->run->channel.conn)
    return mote_conn_fd(t->run->channel.conn);
  if(t->run->stats.conn_id < 0)
    return CURL_SOCKET_BAD;
  if(share && share->pool) {
    mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
    fd = mote_pool_idle_socket(share->pool, t->run->stats.conn_id);
    mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
  }
  if(fd == CURL_SOCKET_BAD && m)
    fd = mote_pool_idle_socket(&m->pool, t->run->stats.conn_id);
  return fd;
}

/* ---- leaving it ---- */

static uint32_t most_kept(const struct mote_transfer *t)
{
  long max;
  if(!mote_multi_is_private(t->multi))
    return mote_schedule_most_kept(t->multi);
  max = mote_opt_long(&t->options, CURLOPT_MAXCONNECTS);
  return max > 0 ? (uint32_t)max : DEFAULT_KEPT_EASY;
}

/* The connection may outlive the handle and its share: a goodbye is read from it, with which a ticket may
 * come. */
static void reuse_detach(struct mote_transfer *t, struct mote_conn *c)
{
  mote_connect_forget_sessions(c);
  if(c->env.report == &t->report)
    c->env.report = NULL;
  if(c->tcp.watch.user == t)
    c->tcp.watch.user = NULL;
  t->run->channel.conn = NULL;
}

/* Idle connections of a multi stay watched, so that one that the server closes is closed promptly, unless
 * what comes is the protocol's. The watch ends where the application watches the descriptors
 * (net/waitset.h) or the pool is shared. A driver that acts does the same by itself. */
static void watch_idle(struct mote_transfer *t, struct mote_conn *c)
{
  const struct mote_share *share = mote_share_of(t);
  if((share && share->pool) || !mote_waitset_watches_idle())
    mote_conn_leave_set(c);
  else if(!mote_waitset_by_app(c->set))
    (void)mote_watch_want(c->set, &c->tcp.watch, c->driver && c->driver->unasked ? 0 : MOTE_WANT_IN);
}

/* Reports whether the share gets a connection of many transfers that is idle, which then nothing drives. */
static bool rest_in_share(struct mote_transfer *t, struct mote_conn *c)
{
  const struct mote_share *share = mote_share_of(t);
  struct mote_drive *d = c->drive;
  if(!share || !share->pool || !c->of_share || !d->driver->rest || !d->driver->rest(d))
    return false;
  mote_drive_leave_set(d);
  return true;
}

/* A slot of a share's pool has become free, perhaps by a connection in this multi's. */
static void notify_share(struct mote_transfer *t, const struct visit *v)
{
  if(!v->shared)
    mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
  mote_share_notify(t);
  if(!v->shared)
    mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
}

/* The last transfer has left the connection. */
static void reuse_give_back(struct mote_transfer *t, struct mote_pool *pool, struct mote_conn *c, CURLcode rc)
{
  const struct mote_share *share = mote_share_of(t);
  bool kept = c->reusable && !c->single_use;
  struct mote_pool *to = pool;
  struct visit v;
  if(c->set && mote_waitset_by_app(c->set))
    mote_watch_part(c->set, &c->tcp.watch, t->msg.easy_handle);
  if(kept && !c->drive)
    watch_idle(t, c);
  else if(kept && rest_in_share(t, c))
    to = share->pool;
  mote_info(&t->report, kept ? "Connection #%d left intact" : "Closing connection %d", (int)c->id);
  mote_schedule_wake_host(t->multi, mote_conn_key(c));
  begin_visit(t, to, &v);
  if(to != pool)
    mote_pool_hand_over(pool, c, to);
  if(kept)
    mote_pool_release(to, c, most_kept(t), mote_port_now());
  else
    mote_pool_discard(to, c, !rc || mote_driver_parts(c->driver));
  notify_share(t, &v);
  end_visit(t, to, &v);
}

/* The multi's pool serves whatever the next share is, also when the connection is released. A slot of the
 * share's pool has become free. */
void mote_connect_leave_share(struct mote_transfer *t, struct mote_multi *m)
{
  const struct mote_share *share = mote_share_of(t);
  struct mote_conn *c = t->run ? t->run->channel.conn : NULL;
  if(!c)
    return;
  mote_connect_forget_sessions(c);
  if(share && share->pool && !c->of_multi) {
    mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
    mote_pool_hand_over(share->pool, c, &m->pool);
    mote_share_notify(t);
    mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
  }
  c->of_multi = true;
}

void mote_connect_release(struct mote_transfer *t, CURLcode rc)
{
  struct mote_run *r = t->run;
  struct mote_conn *c = r->channel.conn;
  struct mote_pool *pool;
  if(mote_share_waits(t))
    mote_share_forget(t);
  mote_dial_leave(t);
  if(!c || r->channel.conn != c)
    return;
  if(c->env.os_errno)
    r->stats.os_errno = (uint16_t)c->env.os_errno;
  if(r->lease.phase == MOTE_PHASE_OPEN && !rc) { /* what it waits for is the application's business now */
    (void)mote_watch_want(c->set, &c->tcp.watch, 0);
    return;
  }
  if(mote_opt_long(&t->options, CURLOPT_FORBID_REUSE))
    c->reusable = false;
  reuse_detach(t, c);
  pool = reuse_pool_of(t, c->of_multi);
  if(mote_driver_has_room(c->driver) && mote_pool_leave(pool, c))
    mote_schedule_offer(t->multi, c);
  else
    reuse_give_back(t, pool, c, rc);
}
