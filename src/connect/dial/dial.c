/* connect/dial/dial.c: the beginning and the end of a dial, its owner and its waiters
 * (connect/dial/dial.h). */
#include "base/memory.h"
#include "connect/dial/dial.h"
#include "connect/dial/dial_phases.h"
#include "connect/version.h"
#include "net/conn_struct.h"
#include "net/pool.h"
#include "port/port.h"
#include "transfer/multi/multi.h"
#include "transfer/transfer.h"

#define WAITERS_FIRST 4u /* for which there is room at first; then the block doubles */

/* ---- as the driver of its connection ---- */

static void dial_wake_owner(struct mote_drive *drive)
{
  const struct mote_dial *d = (struct mote_dial *)drive;
  mote_transfer_wake(d->owner);
}

/* As many may wait as the connection has streams for beside the owner's: others need another one. */
static unsigned dial_room(const struct mote_drive *drive)
{
  const struct mote_dial *d = (const struct mote_dial *)drive;
  unsigned most = mote_multi_streams(d->owner->multi) - 1;
  return d->waiting < most ? most - d->waiting : 0;
}

static void close_dial(struct mote_drive *drive)
{
  struct mote_dial *d = (struct mote_dial *)drive;
  mote_dial_stop_race(d);
  mote_dial_quic_end(d);
  mote_mem_free(drive->conn->env.account, MOTE_PART_CONN, d->waiters, d->waiters_cap * sizeof *d->waiters);
}

static const struct mote_driver dial = {
  .name = "dial", .size = sizeof(struct mote_dial), .ready = dial_wake_owner, .room = dial_room,
  .close = close_dial,
};

bool mote_dial_is_of(const struct mote_conn *c)
{
  return c->drive && c->drive->driver == &dial;
}

/* ---- owner and waiters ---- */

static void dial_own(struct mote_dial *d, struct mote_transfer *t)
{
  struct mote_conn *c = d->drive.conn;
  d->owner = t;
  t->run->channel.conn = c;
  t->run->channel.dial = d;
  t->run->stats.conn_id = c->id;
  c->env.report = &t->report;
  c->tcp.watch.user = t;
  mote_connect_use_sessions(t, c); /* TLS may have begun with those of the owner before */
  mote_dial_quic_own(d);
  if(d->race) {
    mote_names_hand_over(&d->race->wait, t);
    d->race->lanes[0].watch.user = t;
    d->race->lanes[1].watch.user = t;
  }
}

/* What a wait has seen is for the driver, else for the one transfer. An idle connection was closed by its
 * server, or TLS has data for it. */
static void dial_ready(struct mote_watch *w, unsigned events)
{
  struct mote_conn *c = mote_container_of(w, struct mote_conn, tcp.watch);
  c->events |= (uint8_t)events;
  if(c->drive)
    c->drive->driver->ready(c->drive);
  else if(w->user)
    mote_transfer_wake(w->user);
  else
    mote_schedule_prune_soon(c->set, c);
}

/* A protocol that does not greet has no use for its state yet. */
CURLcode mote_dial_begin(struct mote_transfer *t, struct mote_conn *c)
{
  bool greets = t->run->request.scheme->protocol->greet != NULL;
  CURLcode rc = CURLE_OK;
  if(greets || !mote_drive_start_in_state(c, &dial))
    rc = mote_drive_start(c, &dial);
  c->tcp.watch.ready = dial_ready;
  if(!rc)
    dial_own((struct mote_dial *)c->drive, t);
  return rc;
}

CURLcode mote_dial_join(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_dial *d = (struct mote_dial *)c->drive;
  if(d->waiting == d->waiters_cap) {
    uint32_t cap = d->waiters_cap ? d->waiters_cap * 2u : WAITERS_FIRST;
    void *p = mote_mem_realloc(c->env.account, MOTE_PART_CONN, d->waiters,
                               d->waiters_cap * sizeof *d->waiters, cap * sizeof *d->waiters);
    if(!p)
      return CURLE_OUT_OF_MEMORY;
    d->waiters = p;
    d->waiters_cap = cap;
  }
  d->waiters[d->waiting++] = t;
  t->run->channel.dial = d;
  return CURLE_OK;
}

static void remove_waiter(struct mote_dial *d, unsigned i)
{
  d->waiters[i]->run->channel.dial = NULL;
  for(d->waiting--; i < d->waiting; i++)
    d->waiters[i] = d->waiters[i + 1];
}

/* The callbacks that a dial calls, each with its pointer, and the version. Other options that matter are in
 * the key. */
static bool may_succeed(struct mote_transfer *a, struct mote_transfer *b)
{
  static const struct {
    uint16_t fn, data; /* MOTE_OPT_ID */
  } pairs[] = {
    {MOTE_OPT_ID(CURLOPT_OPENSOCKETFUNCTION), MOTE_OPT_ID(CURLOPT_OPENSOCKETDATA)},
    {MOTE_OPT_ID(CURLOPT_SOCKOPTFUNCTION), MOTE_OPT_ID(CURLOPT_SOCKOPTDATA)},
    {MOTE_OPT_ID(CURLOPT_CLOSESOCKETFUNCTION), MOTE_OPT_ID(CURLOPT_CLOSESOCKETDATA)},
    {MOTE_OPT_ID(CURLOPT_RESOLVER_START_FUNCTION), MOTE_OPT_ID(CURLOPT_RESOLVER_START_DATA)},
    {MOTE_OPT_ID(CURLOPT_SSL_CTX_FUNCTION), MOTE_OPT_ID(CURLOPT_SSL_CTX_DATA)},
  };
  size_t i;
  for(i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if(mote_opt_find_fn(&a->options, pairs[i].fn) != mote_opt_find_fn(&b->options, pairs[i].fn) ||
       mote_opt_find_ptr(&a->options, pairs[i].data) != mote_opt_find_ptr(&b->options, pairs[i].data))
      return false;
  return mote_version_same(a, b);
}

/* Makes the oldest equal waiter the owner. False: there is none. */
static bool dial_hand_on(struct mote_dial *d)
{
  unsigned i;
  for(i = 0; i < d->waiting; i++) {
    struct mote_transfer *next = d->waiters[i];
    if(!may_succeed(d->owner, next))
      continue;
    remove_waiter(d, i);
    dial_own(d, next);
    mote_transfer_wake(next);
    return true;
  }
  return false;
}

/* The waiters choose again. Those for which the connection has room then get it. With SOON they do not wait
 * for each other's dials. */
static void dial_dismiss(struct mote_dial *d, enum mote_lease_kind kind)
{
  unsigned i;
  for(i = 0; i < d->waiting; i++) {
    struct mote_transfer *t = d->waiters[i];
    t->run->channel.dial = NULL;
    mote_lease_choose(&t->run->lease, kind);
    mote_transfer_wake(t);
  }
  d->waiting = 0;
}

void mote_dial_leave(struct mote_transfer *t)
{
  struct mote_dial *d = t->state == MOTE_STATE_CONNECTING ? t->run->channel.dial : NULL;
  unsigned i;
  if(!d)
    return;
  t->run->channel.dial = NULL;
  if(d->owner != t) {
    for(i = 0; d->waiters[i] != t; i++)
      ;
    remove_waiter(d, i);
    return;
  }
  if(!d->failed && !d->bound && dial_hand_on(d)) {
    t->run->channel.conn = NULL;
    return;
  }
  dial_dismiss(d, MOTE_LEASE_NEW);
  mote_drive_end(d->drive.conn);
}

/* ---- the end ---- */

/* The connection is ready. Its protocol's driver takes over, if there is one. The connection may have room
 * for those that wait for it, and for those in the queue. */
static CURLcode dial_finish(struct mote_dial *d)
{
  struct mote_transfer *t = d->owner;
  struct mote_conn *c = d->drive.conn;
  CURLcode rc;
  t->run->channel.dial = NULL;
  mote_dial_quic_end(d);
  mote_version_settle(t, c);
  dial_dismiss(d, mote_driver_has_room(c->driver) ? MOTE_LEASE_NEW : MOTE_LEASE_SOON);
  if(!c->driver || !c->driver->size) {
    mote_drive_end(c);
    return CURLE_OK;
  }
  rc = mote_drive_start(c, c->driver);
  if(rc)
    return rc;
  c->drive->channels = 1;
  if(c->driver->room) { /* from here on it is not one transfer's */
    c->env.report = NULL;
    mote_connect_forget_sessions(c);
    mote_pool_offer(&t->multi->pool, c); /* as a dial it may have been full */
    mote_schedule_offer(t->multi, c);
  }
  return CURLE_OK;
}

bool mote_dial_begins_again(const struct mote_transfer *t)
{
  const struct mote_dial *d = t->run->channel.dial;
  return d && d->owner == t && d->failed && d->renew;
}

CURLcode mote_dial_step(struct mote_transfer *t, mote_time now)
{
  struct mote_dial *d = t->run->channel.dial;
  if(!d)
    return CURLE_OK;
  if(d->owner != t)
    return CURLE_AGAIN;
  /* One that has passed would be due for as long as the next phases wait for something else. That of a
   * greeting is its conversation's. */
  if(d->phase < MOTE_DIAL_GREETING && mote_timer_due(t, MOTE_TIMER_STATE, now))
    mote_timer_set(t, MOTE_TIMER_STATE, 0);
  while(d->phase < MOTE_DIAL_READY) {
    CURLcode rc = CURLE_OK;
    if(!mote_dial_quic_leads(d, now, &rc))
      rc = mote_dial_quic_judge(d, mote_dial_phases[d->phase](d, now));
    else if(!rc)
      continue;
    if(rc) {
      d->failed = rc != CURLE_AGAIN;
      return rc;
    }
    if(d->phase++ == MOTE_DIAL_NAMES)
      now = mote_port_now();
  }
  return dial_finish(d);
}

bool mote_dial_is_naming(const struct mote_transfer *t)
{
  const struct mote_dial *d = t->run->channel.dial;
  return d && d->phase == MOTE_DIAL_NAMES;
}
