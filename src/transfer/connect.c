/* transfer/connect.c: which connection, which address, which layers. */
#include "transfer/connect.h"

#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "base/sha256.h"
#include "net/conn.h"
#include "port/port.h"
#include "tls/tls.h"
#include "transfer/callback.h"
#include "transfer/identity.h"
#include "transfer/info.h"
#include "transfer/multi.h"
#include "transfer/protocol.h"
#include "transfer/race.h"
#include "transfer/share.h"
#include "transfer/target.h"
#include "transfer/transfer.h"

#define DEFAULT_KEPT_PER_TRANSFER 4u /* CURLMOPT_MAXCONNECTS(3) */
#define DEFAULT_KEPT_EASY 5u         /* CURLOPT_MAXCONNECTS(3) */

struct mote_pool *mote_transfer_pool(struct mote_transfer *t)
{
  return t->share && t->share->pool ? t->share->pool : &t->multi->pool;
}

struct mote_session_cache *mote_transfer_sessions(struct mote_transfer *t)
{
  return t->share && t->share->sessions ? t->share->sessions : &t->multi->sessions;
}

static void wake_user(struct mote_watch *w, unsigned events)
{
  struct mote_conn *c = mote_container_of(w, struct mote_conn, tcp.watch);
  c->events |= (uint8_t)events;
  if(w->user)
    mote_transfer_wake(w->user);
  else /* an idle connection has ended, or TLS has something to say */
    mote_container_of(c->set, struct mote_multi, set)->prune_due = true;
}

/* The transfer becomes the user of a connection of the pool. */
static void attach(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_run *r = t->run;
  r->conn = c;
  r->conn_id = c->id;
  c->env.report = &t->report;
  c->tcp.watch.user = t;
  c->set = &t->multi->set;
}

static void detach(struct mote_transfer *t, struct mote_conn *c)
{
  c->env.report = NULL;
  c->tcp.watch.user = NULL;
  t->run->conn = NULL;
}

static uint32_t most_kept(const struct mote_transfer *t)
{
  const struct mote_multi *m = t->multi;
  uint32_t n = m->total * DEFAULT_KEPT_PER_TRANSFER;
  if(m->easy_own) {
    long max = mote_opt_long(&t->options, CURLOPT_MAXCONNECTS);
    return max > 0 ? (uint32_t)max : DEFAULT_KEPT_EASY;
  }
  if(m->max_connects > 0)
    return m->max_connects;
  return n > DEFAULT_KEPT_PER_TRANSFER ? n : DEFAULT_KEPT_PER_TRANSFER;
}

/* Idle connections of a multi stay watched, so that one that the server ends is closed promptly. Where the
 * application watches, or the pool is shared, the watch is taken back (curl_multi_socket_action(3)). */
static void watch_idle(struct mote_transfer *t, struct mote_conn *c)
{
  bool shared = mote_transfer_pool(t) != &t->multi->pool;
  if(shared) {
    curl_socket_t fd = mote_conn_fd(c);
    mote_watch_remove(c->set, &c->tcp.watch);
    c->tcp.watch.fd = fd;
    c->set = NULL;
  }
  else
    (void)mote_watch_want(c->set, &c->tcp.watch, c->set->app ? 0 : MOTE_WANT_IN);
}

void mote_connect_release(struct mote_transfer *t, CURLcode rc)
{
  struct mote_run *r = t->run;
  struct mote_conn *c = r->conn;
  struct mote_pool *pool = mote_transfer_pool(t);
  if(!c)
    return;
  if(c->env.os_errno)
    r->os_errno = c->env.os_errno;
  if(r->keep_open && !rc)
    return;
  detach(t, c);
  mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
  if(rc || !c->reusable || c->connect_only || mote_opt_long(&t->options, CURLOPT_FORBID_REUSE)) {
    mote_info(&t->report, "Closing connection %d", (int)c->id);
    mote_pool_discard(pool, c, !rc);
  }
  else {
    mote_info(&t->report, "Connection #%d left intact", (int)c->id);
    watch_idle(t, c);
    mote_pool_release(pool, c, most_kept(t), mote_port_now());
  }
  mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
}

static void lock_sessions(void *arg)
{
  mote_share_lock(arg, CURL_LOCK_DATA_SSL_SESSION);
}

static void unlock_sessions(void *arg)
{
  mote_share_unlock(arg, CURL_LOCK_DATA_SSL_SESSION);
}

/* Whenever a transfer takes a connection with TLS: tickets may come at any time. */
static void use_sessions(struct mote_transfer *t, struct mote_conn *c)
{
  static const struct mote_session_guard guard = {.lock = lock_sessions, .unlock = unlock_sessions};
  if(c->tls)
    mote_tls_set_cache(c->tls, mote_transfer_sessions(t), &guard, t);
}

static uint8_t wanted_family(const struct mote_transfer *t)
{
  long v = mote_opt_long(&t->options, CURLOPT_IPRESOLVE);
  return v == CURL_IPRESOLVE_V4 ? 4 : v == CURL_IPRESOLVE_V6 ? 6 : 0;
}

static bool use_kept(struct mote_transfer *t, const struct mote_identity *id, mote_time now)
{
  struct mote_pool *pool = mote_transfer_pool(t);
  struct mote_pool_query q = {
    .key = id->key, .key_len = id->len, .ip_version = wanted_family(t), .now = now,
    .max_idle = (uint32_t)mote_opt_long(&t->options, CURLOPT_MAXAGE_CONN),
    .max_life = (uint32_t)mote_opt_long(&t->options, CURLOPT_MAXLIFETIME_CONN),
  };
  struct mote_conn *c;
  if(mote_opt_long(&t->options, CURLOPT_FRESH_CONNECT) || mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY) ||
     t->run->fresh)
    return false;
  c = mote_pool_take(pool, &q);
  if(!c)
    return false;
  if(!c->set)
    mote_watch_add(&t->multi->set, &c->tcp.watch, mote_conn_fd(c));
  attach(t, c);
  use_sessions(t, c);
  t->run->reused = true;
  t->run->primary = c->remote;
  t->run->local = c->local;
  mote_info(&t->report, "Re-using existing connection with host %.*s",
            (int)mote_url_packed_host(&t->run->url).len, mote_url_packed_host(&t->run->url).ptr);
  return true;
}

/* True: a limit is reached; the transfer waits for a slot. Idle connections make room. */
static bool over_limit(struct mote_transfer *t, const struct mote_identity *id)
{
  struct mote_multi *m = t->multi;
  struct mote_pool *pool = mote_transfer_pool(t);
  if(m->max_host > 0)
    while(mote_pool_count_host(pool, id->key) >= m->max_host)
      if(!mote_pool_close_idle_host(pool, id->key))
        return true;
  if(m->max_total > 0)
    while(pool->count >= m->max_total)
      if(!mote_pool_close_oldest(pool))
        return true;
  return false;
}

static CURLcode make_new(struct mote_transfer *t, const struct mote_identity *id, mote_time now)
{
  struct mote_pool *pool = mote_transfer_pool(t);
  struct mote_conn *c;
  struct mote_conn_closer closer = {
    .fn = (curl_closesocket_callback)mote_opt_fn(&t->options, CURLOPT_CLOSESOCKETFUNCTION),
    .data = mote_opt_ptr(&t->options, CURLOPT_CLOSESOCKETDATA),
  };
  struct mote_conn_plan plan = {
    .key = id->key, .key_len = id->len, .state_size = (t->run->scheme->protocol->conn_size + 7) & ~(size_t)7,
    .closer = closer.fn ? &closer : NULL,
  };
  CURLcode rc = mote_conn_new(&c, pool->account, &plan);
  if(rc)
    return rc;
  c->created = mote_conn_seconds(now);
  c->last_used = c->created;
  c->tcp.watch.ready = wake_user;
  c->connect_only = mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY) != 0;
  mote_pool_add(pool, c);
  attach(t, c);
  t->run->reused = false;
  return CURLE_OK;
}

/* Where nobody watches idle connections (the application's descriptors, shared pools) the dead ones are looked for
 * when a connection is wanted, once in a second at most. */
static void prune_unwatched(struct mote_transfer *t, mote_time now)
{
  struct mote_multi *m = t->multi;
  struct mote_pool *pool = mote_transfer_pool(t);
  if((pool == &m->pool && !m->set.app) || m->last_prune == mote_conn_seconds(now))
    return;
  m->last_prune = mote_conn_seconds(now);
  mote_pool_prune(pool, now, (uint32_t)mote_opt_long(&t->options, CURLOPT_MAXAGE_CONN), false);
}

CURLcode mote_connect_choose(struct mote_transfer *t, mote_time now)
{
  struct mote_identity id;
  CURLcode rc = mote_identity_make(t, &id);
  if(rc)
    return rc;
  mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
  prune_unwatched(t, now);
  if(use_kept(t, &id, now))
    rc = mote_info_note_tls(t);
  else if(over_limit(t, &id)) {
    mote_multi_move(t->multi, t, MOTE_LIST_QUEUED);
    rc = CURLE_AGAIN;
  }
  else
    rc = make_new(t, &id, now);
  mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
  mote_identity_close(t, &id);
  return rc;
}

static void name_done(struct mote_name_wait *w, struct mote_answer *a, CURLcode rc)
{
  struct mote_race *race = mote_container_of(w, struct mote_race, wait);
  race->answer = a;
  race->result = rc;
  race->asked = false;
  mote_transfer_wake(race->owner);
}

static CURLcode no_such_name(struct mote_transfer *t, struct mote_slice host)
{
  mote_fail(&t->report, "Could not resolve host: %.*s", (int)host.len, host.ptr);
  return CURLE_COULDNT_RESOLVE_HOST;
}

static CURLcode judge_answer(struct mote_transfer *t, struct mote_slice host)
{
  struct mote_race *race = t->run->race;
  CURLcode rc = race->result;
  if(rc == CURLE_COULDNT_RESOLVE_HOST || (!rc && !race->answer->count))
    return no_such_name(t, host);
  return rc;
}

/* CURLOPT_RESOLVE lines enter the cache once per transfer. */
static CURLcode preset_names(struct mote_transfer *t, mote_time now)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_RESOLVE);
  struct mote_names *names = t->share && t->share->names ? t->share->names : &t->multi->names;
  CURLcode rc = CURLE_OK;
  if(t->run->names_preset)
    return CURLE_OK;
  t->run->names_preset = true;
  if(!l)
    return CURLE_OK;
  mote_share_lock(t, CURL_LOCK_DATA_DNS);
  for(; l && !rc; l = l->next)
    rc = mote_names_preset(names, l->data, now, &t->report);
  mote_share_unlock(t, CURL_LOCK_DATA_DNS);
  return rc;
}

/* A shared cache is asked first; what it knows is copied. */
static CURLcode ask_shared(struct mote_transfer *t, const struct mote_name_query *q)
{
  struct mote_answer *a;
  CURLcode rc = CURLE_AGAIN;
  if(!t->share || !t->share->names)
    return CURLE_AGAIN;
  mote_share_lock(t, CURL_LOCK_DATA_DNS);
  a = mote_names_find(t->share->names, q);
  if(a) {
    t->run->race->answer = mote_answer_copy(&t->multi->account, a);
    rc = t->run->race->answer ? CURLE_OK : CURLE_OUT_OF_MEMORY;
  }
  mote_share_unlock(t, CURL_LOCK_DATA_DNS);
  return rc;
}

static CURLcode tell_shared(struct mote_transfer *t, mote_time now)
{
  CURLcode rc;
  if(!t->share || !t->share->names || !t->run->race->answer)
    return CURLE_OK;
  mote_share_lock(t, CURL_LOCK_DATA_DNS);
  rc = mote_names_keep(t->share->names, t->run->race->answer, now);
  mote_share_unlock(t, CURL_LOCK_DATA_DNS);
  return rc;
}

/* CURLOPT_RESOLVER_START_FUNCTION: there is no resolver handle to be told of. */
static CURLcode ask_start(struct mote_transfer *t)
{
  curl_resolver_start_callback fn =
    (curl_resolver_start_callback)mote_opt_fn(&t->options, CURLOPT_RESOLVER_START_FUNCTION);
  struct mote_callback_guard g;
  int rc;
  if(!fn)
    return CURLE_OK;
  g = mote_callback_enter(t);
  rc = fn(NULL, NULL, mote_opt_ptr(&t->options, CURLOPT_RESOLVER_START_DATA));
  mote_callback_leave(t, g);
  if(!rc)
    return CURLE_OK;
  mote_fail(&t->report, "resolver start callback refused");
  return CURLE_COULDNT_RESOLVE_HOST;
}

static CURLcode ask_name(struct mote_transfer *t, const struct mote_target_host *target, mote_time now)
{
  struct mote_race *race = t->run->race;
  long timeout = mote_opt_long(&t->options, CURLOPT_DNS_CACHE_TIMEOUT);
  struct mote_name_query q = {
    .name = target->host.ptr, .name_len = target->host.len, .port = target->port,
    .family = wanted_family(t), .max_age_us = timeout < 0 ? -1 : timeout * MOTE_SECOND,
    .shuffle = mote_opt_long(&t->options, CURLOPT_DNS_SHUFFLE_ADDRESSES) != 0, .now = now,
  };
  CURLcode rc = ask_shared(t, &q);
  if(rc == CURLE_AGAIN)
    rc = ask_start(t);
  if(!rc && !race->answer) {
    race->wait.done = name_done;
    rc = mote_names_ask(&t->multi->names, &q, &t->multi->set, &race->wait, &race->answer);
  }
  race->asked = rc == CURLE_AGAIN;
  if(rc == CURLE_COULDNT_RESOLVE_HOST)
    return no_such_name(t, target->host);
  return rc;
}

CURLcode mote_connect_name(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  struct mote_target_host target;
  CURLcode rc;
  if(mote_target_unix(t))
    return CURLE_OK;
  rc = mote_target_host(t, &target);
  if(rc)
    return rc;
  if(r->race && r->race->asked)
    return CURLE_AGAIN;
  if(r->race) {
    rc = judge_answer(t, target.host);
    return rc ? rc : tell_shared(t, now);
  }
  rc = preset_names(t, now);
  if(rc)
    return rc;
  if(mote_addr_parse(target.host, &r->conn->remote)) {
    uint8_t family = wanted_family(t);
    r->conn->remote.port = target.port;
    if(family && family != r->conn->remote.family)
      return no_such_name(t, target.host);
    return CURLE_OK;
  }
  rc = mote_race_make(t);
  if(!rc)
    rc = ask_name(t, &target, now);
  if(!rc)
    rc = judge_answer(t, target.host);
  return rc;
}

/* The TLS layer to the server on top of what is there. */
static CURLcode add_tls(struct mote_transfer *t)
{
  struct mote_conn *c = t->run->conn;
  struct mote_slice ace = mote_url_packed_ace(&t->run->url);
  struct mote_tls_config cfg;
  char host[256];
  CURLcode rc;
  if(ace.len >= sizeof host) {
    mote_fail(&t->report, "host name too long for TLS");
    return CURLE_SSL_CONNECT_ERROR;
  }
  memcpy(host, ace.ptr, ace.len);
  host[ace.len] = 0;
  mote_transfer_tls_config(t, &cfg);
  rc = mote_tls_connect_new(&c->tls, c->top, &c->env, &cfg, host, t->run->url.port, NULL);
  if(rc)
    return rc;
  c->top = c->tls;
  use_sessions(t, c);
  return CURLE_OK;
}

static CURLcode handshake(struct mote_transfer *t)
{
  struct mote_conn *c = t->run->conn;
  bool done = true;
  CURLcode rc = CURLE_OK;
  if(c->top->ops->handshake)
    rc = c->top->ops->handshake(c->top, &done);
  /* A connection that breaks now is a failed handshake, whoever noticed (libcurl-errors(3)). */
  if(rc == CURLE_RECV_ERROR || rc == CURLE_SEND_ERROR)
    rc = CURLE_SSL_CONNECT_ERROR;
  if(rc)
    return rc;
  if(done)
    return CURLE_OK;
  rc = mote_conn_want(c, MOTE_WANT_IN);
  return rc ? rc : CURLE_AGAIN;
}

static void tell_connected(struct mote_transfer *t)
{
  struct mote_slice host = mote_url_packed_host(&t->run->url);
  char address[MOTE_ADDR_TEXT_MAX];
  if(!t->report.verbose)
    return;
  (void)mote_addr_print(&t->run->primary, address);
  mote_info(&t->report, "Connected to %.*s (%s) port %u (#%d)", (int)host.len, host.ptr,
            mote_target_unix(t) ? mote_target_unix(t) : address, (unsigned)t->run->primary.port,
            (int)t->run->conn->id);
}

static void connected(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  struct mote_conn *c = r->conn;
  r->connected = true;
  r->conn_count++;
  r->os_errno = 0; /* of addresses that were tried before */
  mote_mark_set(r, MOTE_MARK_CONNECT, now);
  (void)mote_port_local_name(mote_conn_fd(c), &c->local);
  r->primary = c->remote;
  r->local = c->local;
  tell_connected(t);
  c->ip_version = c->remote.family == MOTE_FAMILY_IP4 || c->remote.family == MOTE_FAMILY_IP6 ? c->remote.family : 0;
}

/* Each attempt was told as an info line; the failure is told when all have failed. */
static void all_failed(struct mote_transfer *t, mote_time now)
{
  struct mote_slice host = mote_url_packed_host(&t->run->url);
  char text[80] = "no usable address";
  if(t->run->os_errno)
    (void)mote_port_error_text(t->run->os_errno, text, sizeof text);
  mote_fail(&t->report, "Failed to connect to %.*s port %u after %ld ms: %s", (int)host.len, host.ptr,
            (unsigned)t->run->url.port, (long)((now - t->run->started) / MOTE_MS), text);
}

CURLcode mote_connect_step(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  struct mote_conn *c = r->conn;
  CURLcode rc, noted;
  if(!r->connected) {
    rc = mote_race_step(t, now);
    if(rc == CURLE_COULDNT_CONNECT)
      all_failed(t, now);
    if(rc)
      return rc;
    connected(t, mote_port_now());
  }
  if(!r->scheme->tls)
    return CURLE_OK;
  if(!c->tls) {
    rc = add_tls(t);
    if(rc)
      return rc;
  }
  rc = handshake(t);
  if(rc == CURLE_AGAIN)
    return rc;
  noted = mote_info_note_tls(t);
  if(!rc)
    mote_mark_set(r, MOTE_MARK_APPCONNECT, mote_port_now());
  return rc ? rc : noted;
}
