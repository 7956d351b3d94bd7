/* net/pool.c: connections kept for later. */
#include "net/pool.h"

#include <string.h>

#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/driver.h"
#include "net/pool_hosts.h"
#include "net/timers.h"
#include "port/port.h"

void mote_pool_init(struct mote_pool *p, struct mote_account *account)
{
  memset(p, 0, sizeof *p);
  mote_hash_init(&p->by_key, account);
  mote_list_init(&p->idle);
  mote_list_init(&p->busy);
}

void mote_pool_ceiling(const struct mote_pool *p, uint32_t more, struct mote_ceiling *c)
{
  mote_hash_ceiling(p ? &p->by_key : NULL, more, c);
}

static struct mote_conn *conn_of_link(struct mote_list *l)
{
  return mote_container_of(l, struct mote_conn, link);
}

void mote_pool_offer(struct mote_pool *p, struct mote_conn *c)
{
  if(c->pooled_room)
    return;
  c->pooled_room = true;
  mote_hash_insert(&p->by_key, &c->node, c->node.hash);
}

void mote_pool_withdraw(struct mote_pool *p, struct mote_conn *c)
{
  if(c->pooled_room)
    mote_hash_remove(&p->by_key, &c->node);
  c->pooled_room = false;
}

static void net_pool_count(struct mote_pool *p, const struct mote_conn *c, int by)
{
  p->count += (uint32_t)by;
  mote_pool_hosts_count(p, c, by);
}

/* Takes a connection out of the kept ones; the caller puts it into another list. */
static void net_pool_unkeep(struct mote_pool *p, struct mote_conn *c)
{
  mote_list_remove(&c->link);
  mote_pool_withdraw(p, c);
  if(!c->pooled_idle)
    return;
  mote_hash_remove(&p->by_key, &c->node);
  c->pooled_idle = false;
  p->idle_count--;
  mote_pool_hosts_count_idle(p, c, -1);
}

/* ---- discarding ---- */

/* A goodbye in the background. Where the application watches the descriptors no watch is asked for, as there
 * is no transfer (net/waitset.h), and the goodbye goes on after `nap`, which then doubles. */
struct goodbye {
  struct mote_drive drive;
  struct mote_timers *timers;
  struct mote_timer_node timer;
  mote_time end; /* when the connection is closed in any case */
  mote_time nap; /* 0: the wait set reports that it can go on */
};

#define FIRST_NAP MOTE_MS

static void close_now(struct mote_conn *c)
{
  mote_list_remove(&c->link);
  mote_drive_end(c);
  mote_conn_close(c, false);
}

static void net_pool_go_on_soon(struct mote_drive *d)
{
  struct goodbye *g = (struct goodbye *)d;
  mote_timers_set(g->timers, &g->timer, 1);
}

static void set_goodbye_timer(struct goodbye *g, mote_time now)
{
  mote_time next = now + g->nap;
  g->nap *= 2;
  mote_timers_set(g->timers, &g->timer, g->nap && next < g->end ? next : g->end);
}

static void net_pool_go_on(struct mote_timer_node *n, mote_time now)
{
  struct goodbye *g = mote_container_of(n, struct goodbye, timer);
  if(now < g->end && mote_conn_goodbye(g->drive.conn) == CURLE_AGAIN)
    set_goodbye_timer(g, now);
  else
    close_now(g->drive.conn);
}

static void net_pool_forget(struct mote_drive *d)
{
  struct goodbye *g = (struct goodbye *)d;
  mote_timers_cancel(g->timers, &g->timer);
}

static const struct mote_driver goodbye = {
  .name = "goodbye", .size = sizeof(struct goodbye), .ready = net_pool_go_on_soon, .close = net_pool_forget,
};

/* Says goodbye as far as that is possible at once. True: the rest happens in the background. */
static bool says_goodbye(struct mote_pool *p, struct mote_conn *c)
{
  struct goodbye *g;
  bool watched = c->set && !mote_waitset_by_app(c->set);
  mote_time now;
  mote_drive_end(c);
  if(!watched)
    mote_conn_leave_set(c);
  if(mote_conn_goodbye(c) != CURLE_AGAIN || !p->timers || mote_drive_start(c, &goodbye))
    return false;
  now = mote_port_now();
  g = (struct goodbye *)c->drive;
  g->timers = p->timers;
  g->timer.due = net_pool_go_on;
  g->end = now + MOTE_GOODBYE;
  g->nap = watched ? 0 : FIRST_NAP;
  set_goodbye_timer(g, now);
  return true;
}

void mote_pool_discard(struct mote_pool *p, struct mote_conn *c, bool polite)
{
  net_pool_unkeep(p, c);
  net_pool_count(p, c, -1);
  c->leaving = true;
  if(p->shared) {
    c->reusable = polite; /* from now on: whether it says goodbye */
    mote_list_prepend(&p->busy, &c->link);
    return;
  }
  mote_list_append(&p->busy, &c->link);
  if(!polite || !says_goodbye(p, c))
    close_now(c);
}

void mote_pool_take_leaving(struct mote_pool *p, struct mote_list *leaving)
{
  while(!mote_list_empty(&p->busy) && conn_of_link(p->busy.next)->leaving) {
    struct mote_list *link = p->busy.next;
    mote_list_move(leaving, link);
  }
}

void mote_pool_close_leaving(struct mote_list *leaving)
{
  while(!mote_list_empty(leaving)) {
    struct mote_conn *c = conn_of_link(leaving->next);
    mote_drive_end(c);
    if(c->reusable)
      (void)mote_conn_goodbye(c);
    close_now(c);
  }
}

void mote_pool_close(struct mote_pool *p)
{
  p->shared = 0;
  p->timers = NULL;
  mote_hash_close(&p->by_key);
  while(!mote_list_empty(&p->idle))
    mote_pool_discard(p, conn_of_link(p->idle.next), true);
  while(!mote_list_empty(&p->busy)) {
    struct mote_conn *c = conn_of_link(p->busy.next);
    if(c->leaving)
      close_now(c);
    else
      mote_pool_discard(p, c, true);
  }
  mote_pool_hosts_close(p);
}

/* ---- finding ---- */

static uint32_t net_pool_hash_of(const char *key, size_t len)
{
  return mote_hash_bytes(key, len, 0);
}

static bool has_key(const struct mote_conn *c, const struct mote_pool_query *q)
{
  if(!q->key)
    return c->id == q->id;
  return c->key_len == q->key_len && !memcmp(mote_conn_key(c), q->key, q->key_len);
}

/* Whole seconds since then. `then` may be ahead of `now`, by another thread's clock or a later part of the
 * step. */
static uint32_t net_pool_age(uint32_t now, uint32_t then)
{
  return (int32_t)(now - then) > 0 ? now - then : 0;
}

static bool net_pool_too_old(const struct mote_conn *c, const struct mote_pool_query *q)
{
  uint32_t now = mote_conn_seconds(q->now);
  return (q->max_idle && net_pool_age(now, c->last_used) > q->max_idle) ||
         (q->max_life && net_pool_age(now, c->created) > q->max_life);
}

static bool net_pool_matches(const struct mote_conn *c, const struct mote_pool_query *q, uint32_t hash)
{
  if(c->node.hash != hash || c->single_use || !has_key(c, q) ||
     !mote_pool_query_accepts(q, c))
    return false;
  return !q->ip_version || !c->ip_version || c->ip_version == q->ip_version;
}

/* The most recently used match, which is the first one of its chain (make_idle()). */
static struct mote_conn *best_match(struct mote_pool *p, const struct mote_pool_query *q, uint32_t hash)
{
  struct mote_hash_node *n;
  if(mote_list_empty(&p->idle))
    return NULL;
  for(n = mote_hash_chain(&p->by_key, hash); n; n = n->next) {
    struct mote_conn *c = mote_container_of(n, struct mote_conn, node);
    if(c->pooled_idle && net_pool_matches(c, q, hash))
      return c;
  }
  return NULL;
}

static bool has_room(const struct mote_conn *c, const struct mote_pool_query *q)
{
  const struct mote_drive *d = c->drive;
  bool ready = c->driver == d->driver; /* else it is being dialled */
  return (ready || q->may_wait) && d->driver->room(d) > 0;
}

/* A busy connection that takes one more transfer. The first one will do. A full one that is found on the way
 * is offered again when it has room: the next look-up, of which there may be thousands, does without it. */
static struct mote_conn *with_room(struct mote_pool *p, const struct mote_pool_query *q, uint32_t hash)
{
  struct mote_hash_node *n, *next;
  for(n = mote_hash_chain(&p->by_key, hash); n; n = next) {
    struct mote_conn *c = mote_container_of(n, struct mote_conn, node);
    next = n->next;
    if(!c->pooled_room || !net_pool_matches(c, q, hash))
      continue;
    if(has_room(c, q))
      return c;
    if(!c->drive->driver->room(c->drive))
      mote_pool_withdraw(p, c);
  }
  return NULL;
}

/* An idle connection may have a driver that takes in what the peer sends unasked. */
static bool is_good(struct mote_conn *c)
{
  const struct mote_drive *d = c->drive;
  return d && d->driver->usable ? d->driver->usable(c->drive) : mote_conn_alive(c);
}

static void make_busy(struct mote_pool *p, struct mote_conn *c)
{
  net_pool_unkeep(p, c);
  mote_list_append(&p->busy, &c->link);
  p->last_id = c->id;
  if(mote_driver_has_room(c->driver)) {
    c->drive->channels = 1;
    mote_pool_offer(p, c);
  }
}

bool mote_pool_leave(struct mote_pool *p, struct mote_conn *c)
{
  struct mote_drive *d = c->drive;
  if(!c->reusable)
    mote_pool_withdraw(p, c);
  if(!d || d->driver != c->driver || !--d->channels)
    return false;
  if(c->reusable)
    mote_pool_offer(p, c);
  return true;
}

/* Suspects are in front of all others. */
static void put_in_order(struct mote_pool *p, struct mote_conn *c)
{
  struct mote_list *at;
  mote_list_remove(&c->link);
  at = p->idle.prev;
  while(at != &p->idle && !conn_of_link(at)->events &&
        (int32_t)(conn_of_link(at)->last_used - c->last_used) > 0)
    at = at->prev;
  mote_list_prepend(at, &c->link);
}

/* Idle connections are in the order of last use in their list and, the youngest first, in their chain. The
 * place of this one is the end of the list, unless the clock was read too early; younger ones then come to
 * the front of their chains again. */
static void make_idle(struct mote_pool *p, struct mote_conn *c)
{
  struct mote_list *l;
  mote_pool_withdraw(p, c);
  put_in_order(p, c);
  mote_hash_insert(&p->by_key, &c->node, c->node.hash);
  for(l = c->link.next; l != &p->idle; l = l->next) {
    struct mote_conn *younger = conn_of_link(l);
    mote_hash_remove(&p->by_key, &younger->node);
    mote_hash_insert(&p->by_key, &younger->node, younger->node.hash);
  }
  c->pooled_idle = true;
  p->idle_count++;
  mote_pool_hosts_count_idle(p, c, 1);
}

struct mote_conn *mote_pool_last(const struct mote_pool *p)
{
  struct mote_conn *c = mote_list_empty(&p->idle) ? NULL : conn_of_link(p->idle.prev);
  return c && c->id == p->last_id ? c : NULL;
}

struct mote_conn *mote_pool_take_last(struct mote_pool *p, const struct mote_pool_query *q)
{
  struct mote_conn *c = mote_pool_last(p);
  if(!c || c->single_use)
    return NULL;
  if((q->ip_version && c->ip_version && c->ip_version != q->ip_version) || net_pool_too_old(c, q) ||
     !is_good(c))
    return NULL;
  make_busy(p, c);
  return c;
}

static struct mote_conn *take_one(struct mote_pool *p, const struct mote_pool_query *q)
{
  uint32_t hash = q->key ? net_pool_hash_of(q->key, q->key_len) : q->hash;
  struct mote_conn *c;
  while((c = best_match(p, q, hash)) != NULL) {
    if(net_pool_too_old(c, q) || !is_good(c)) {
      mote_pool_discard(p, c, false);
      continue;
    }
    make_busy(p, c);
    return c;
  }
  c = mote_pool_query_takes_busy(q) ? with_room(p, q, hash) : NULL;
  if(c && c->drive->driver == c->driver)
    c->drive->channels++;
  return c;
}

struct mote_conn *mote_pool_take(struct mote_pool *p, const struct mote_pool_query *q)
{
  struct mote_conn *c = NULL;
  if(mote_pool_query_has_preference(q)) {
    struct mote_pool_query first = *q;
    mote_pool_query_narrow(&first);
    c = take_one(p, &first);
  }
  return c ? c : take_one(p, q);
}

void mote_pool_add(struct mote_pool *p, struct mote_conn *c)
{
  c->id = p->next_id++;
  p->last_id = c->id;
  mote_list_append(&p->busy, &c->link);
  c->node.hash = net_pool_hash_of(mote_conn_key(c), c->key_len);
  c->of_multi = mote_driver_acts(c->driver);
  net_pool_count(p, c, 1);
}

/* Two connections of a pool may have the same number then, by which none of them is to be taken. */
void mote_pool_number(struct mote_pool *numbers, struct mote_conn *c)
{
  c->id = numbers->next_id++;
}

void mote_pool_hand_over(struct mote_pool *p, struct mote_conn *c, struct mote_pool *to)
{
  net_pool_unkeep(p, c);
  net_pool_count(p, c, -1);
  mote_pool_forget_last(p);
  mote_pool_forget_last(to);
  mote_list_append(&to->busy, &c->link);
  c->of_multi = mote_driver_acts(c->driver);
  net_pool_count(to, c, 1);
}

void mote_pool_release(struct mote_pool *p, struct mote_conn *c, uint32_t max_kept, mote_time now)
{
  if(!c->reusable || !max_kept) {
    mote_pool_discard(p, c, c->reusable);
    return;
  }
  while(p->idle_count >= max_kept)
    mote_pool_discard(p, conn_of_link(p->idle.next), true);
  c->last_used = mote_conn_seconds(now);
  make_idle(p, c);
  mote_conn_idle(c);
}

static bool same_host(const struct mote_conn *c, const char *key)
{
  size_t n = strlen(key) + 1;
  return c->key_len >= n && !memcmp(mote_conn_key(c), key, n);
}

static uint32_t count_host(const struct mote_list *list, const char *key)
{
  const struct mote_list *l;
  uint32_t count = 0;
  for(l = list->next; l != list; l = l->next) {
    const struct mote_conn *c = mote_container_of(l, const struct mote_conn, link);
    count += !c->leaving && same_host(c, key);
  }
  return count;
}

uint32_t mote_pool_count_host(struct mote_pool *p, const char *key)
{
  const struct mote_pool_host *h = mote_pool_hosts_counts(p, key);
  return h ? h->count : count_host(&p->idle, key) + count_host(&p->busy, key);
}

uint32_t mote_pool_count_busy_host(struct mote_pool *p, const char *key)
{
  const struct mote_pool_host *h = mote_pool_hosts_counts(p, key);
  return h ? h->count - h->idle : count_host(&p->busy, key);
}

bool mote_pool_close_idle_host(struct mote_pool *p, const char *key)
{
  const struct mote_pool_host *h = mote_pool_hosts_counts(p, key);
  struct mote_list *l;
  if(h && !h->idle)
    return false;
  for(l = p->idle.next; l != &p->idle; l = l->next) {
    struct mote_conn *c = conn_of_link(l);
    if(same_host(c, key)) {
      mote_pool_discard(p, c, true);
      return true;
    }
  }
  return false;
}

bool mote_pool_close_oldest(struct mote_pool *p)
{
  if(mote_list_empty(&p->idle))
    return false;
  mote_pool_discard(p, conn_of_link(p->idle.next), true);
  return true;
}

void mote_pool_retire(struct mote_pool *p)
{
  struct mote_list *l;
  while(mote_pool_close_oldest(p))
    ;
  for(l = p->busy.next; l != &p->busy; l = l->next)
    conn_of_link(l)->single_use = true;
}

void mote_pool_suspect(struct mote_pool *p, struct mote_conn *c)
{
  if(!c->pooled_idle)
    return;
  mote_list_remove(&c->link);
  mote_list_prepend(&p->idle, &c->link);
}

/* A look at one may make it a suspect again, for the next time. */
void mote_pool_prune_suspects(struct mote_pool *p)
{
  struct mote_list suspects;
  mote_list_init(&suspects);
  while(!mote_list_empty(&p->idle) && conn_of_link(p->idle.next)->events) {
    struct mote_list *first = p->idle.next;
    mote_list_move(&suspects, first);
  }
  while(!mote_list_empty(&suspects)) {
    struct mote_conn *c = conn_of_link(suspects.next);
    c->events = 0;
    put_in_order(p, c);
    if(!is_good(c))
      mote_pool_discard(p, c, false);
  }
}

void mote_pool_prune(struct mote_pool *p, mote_time now, uint32_t max_idle)
{
  struct mote_list *l = p->idle.next;
  while(l != &p->idle) {
    struct mote_conn *c = conn_of_link(l);
    bool old = max_idle && net_pool_age(mote_conn_seconds(now), c->last_used) > max_idle;
    l = l->next;
    c->events = 0;
    if(old || !is_good(c))
      mote_pool_discard(p, c, old);
  }
}

curl_socket_t mote_pool_idle_socket(const struct mote_pool *p, int32_t id)
{
  const struct mote_list *n;
  for(n = p->idle.next; n != &p->idle; n = n->next) {
    const struct mote_conn *c = mote_container_of(n, const struct mote_conn, link);
    if(c->id == id)
      return mote_conn_fd(c);
  }
  return CURL_SOCKET_BAD;
}
