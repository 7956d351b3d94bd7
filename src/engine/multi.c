/* engine/multi.c: the transfers of a multi handle, and the loop that steps them. */
#include "engine/multi.h"

#include <string.h>

#include "net/driver.h"
#include "port/port.h"
#include "engine/internal.h"
#include "transfer/multi/host_queue.h"
#include "transfer/multi/notify.h"
#include "transfer/multi/push.h"
#include "transfer/multi/schedule.h"
#include "transfer/transfer.h"

#define RUNS_PER_CALL 8 /* rounds per call, so that a transfer that stays ready cannot starve the caller */
#define STEPS_PER_CALL 1000 /* likewise, so that many transfers that are ready at once cannot */

void mote_multi_setup(struct mote_multi *m)
{
  int i;
  memset(m, 0, sizeof *m);
  for(i = 0; i < MOTE_LIST_LAST; i++)
    mote_list_init(&m->lists[i]);
  mote_waitset_init(&m->set, &m->account);
  mote_pool_init(&m->pool, &m->account);
  m->pool.timers = &m->timers;
  mote_names_init(&m->names, &m->account);
  mote_multi_sessions_init(m);
}

void mote_multi_tidy(struct mote_multi *m)
{
  /* An application usually adds a transfer again right after it has read its message, so the buffer stays
   * until then. */
  if(!m->buffer || m->active || !mote_list_empty(&m->lists[MOTE_LIST_READY]) || (m->unread && m->total))
    return;
  mote_schedule_drop_buffer(m);
}

void mote_multi_close(struct mote_multi *m)
{
  m->in_callback = MOTE_CALLBACK_TRANSFER; /* refuse re-entry by the callback for closed sockets */
  mote_names_close(&m->names);
  mote_pool_close(&m->pool);
  mote_multi_sessions_close(m);
  mote_waitset_close(&m->set);
  mote_schedule_drop_buffer(m);
  mote_push_close(m);
  mote_notify_close(m);
}

void mote_multi_retire_connections(struct mote_multi *m)
{
  uint8_t outer = m->in_callback;
  m->in_callback = MOTE_CALLBACK_TRANSFER;
  mote_pool_retire(&m->pool);
  m->in_callback = outer;
}

void mote_multi_ceiling(const struct mote_multi *m, uint32_t more, struct mote_ceiling *c)
{
  mote_pool_ceiling(m ? &m->pool : NULL, more, c);
  mote_waitset_ceiling(m ? &m->set : NULL, more + 2, c);
}

void mote_multi_add(struct mote_multi *m, struct mote_transfer *t)
{
  if(!m->running)
    m->announced = 0; /* a program without a transfer may have dropped its timer, as it drops its watches */
  t->multi = m;
  t->state = MOTE_STATE_PENDING;
  t->list = MOTE_LIST_NONE;
  t->offered = false;
  m->total++;
  t->xfer_id = (int32_t)m->added++;
  mote_schedule_move(m, t, MOTE_LIST_READY);
}

void mote_multi_remove(struct mote_multi *m, struct mote_transfer *t)
{
  bool pending = t->state == MOTE_STATE_PENDING;
  mote_transfer_detach(t);
  mote_waitset_settle(&m->set);
  mote_schedule_move(m, t, MOTE_LIST_NONE);
  mote_schedule_leave_host(t);
  m->total--;
  t->multi = NULL;
  t->state = MOTE_STATE_IDLE;
  mote_schedule_pass_on(m, pending);
  mote_multi_tidy(m);
}

/* The ready list comes last, because removing a transfer may make queued ones ready. */
void mote_multi_remove_all(struct mote_multi *m)
{
  int i;
  mote_host_queue_wake_all(m);
  for(i = MOTE_LIST_LAST - 1; i >= 0; i--)
    while(!mote_list_empty(&m->lists[i])) {
      struct mote_transfer *t = mote_container_of(m->lists[i].next, struct mote_transfer, link);
      if(mote_transfer_is_internal(t))
        mote_internal_stop(mote_internal_of(t));
      else
        mote_multi_remove(m, t);
    }
}

/* ---- callbacks ---- */

static struct mote_transfer *transfer_of(struct mote_list *link)
{
  return mote_container_of(link, struct mote_transfer, link);
}

/* NULL: there is none. */
static const struct mote_transfer *engine_multi_any(struct mote_multi *m)
{
  const struct mote_list *of_host = NULL;
  int i;
  for(i = 0; i < MOTE_LIST_LAST; i++)
    if(!mote_list_empty(&m->lists[i]))
      return transfer_of(m->lists[i].next);
  while((of_host = mote_host_queue_next(m, of_host)) != NULL)
    if(!mote_list_empty(of_host))
      return transfer_of(of_host->next);
  return NULL;
}

/* A descriptor that belongs to no transfer is reported with any of them (CURLMOPT_SOCKETFUNCTION(3)). */
static CURL *handle_for(struct mote_multi *m, const struct mote_watch *w)
{
  const struct mote_transfer *t = w->user;
  if(w->parted)
    return w->user;
  if(!t)
    t = engine_multi_any(m);
  return t ? t->msg.easy_handle : NULL;
}

static bool notify_watch(struct mote_waitset *set, struct mote_watch *w, int what)
{
  struct mote_multi *m = mote_container_of(set, struct mote_multi, set);
  uint8_t outer = m->in_callback;
  int rc;
  if(!m->socket_fn)
    return true;
  m->in_callback = MOTE_CALLBACK_WATCH;
  rc = m->socket_fn(handle_for(m, w), w->fd, what, m->socket_data, w->app);
  m->in_callback = outer;
  if(rc == -1)
    m->dead = true;
  return rc != -1;
}

void mote_multi_watch(struct mote_multi *m, bool by_app)
{
  static const struct mote_waitset_app app = {.notify = notify_watch};
  mote_waitset_watched_by(&m->set, by_app ? &app : NULL);
}

/* Transfers of the library's own end with those that they serve. */
static struct mote_transfer *engine_multi_unfinished(struct mote_multi *m)
{
  int i;
  for(i = 0; i <= MOTE_LIST_QUEUED; i++) {
    struct mote_list *l = &m->lists[i], *at;
    for(at = l->next; at != l; at = at->next)
      if(!mote_transfer_is_internal(transfer_of(at)))
        return transfer_of(at);
  }
  return NULL;
}

/* Notifications that are due are walked over for each of them, so there are never many. */
CURLMcode mote_multi_abort(struct mote_multi *m)
{
  struct mote_transfer *t;
  unsigned due = 0;
  if(!m->running)
    return CURLM_ABORTED_BY_CALLBACK;
  mote_host_queue_wake_all(m);
  while((t = engine_multi_unfinished(m)) != NULL) {
    mote_transfer_finish(t, CURLE_ABORTED_BY_CALLBACK);
    mote_waitset_settle(&m->set);
    if(++due % STEPS_PER_CALL == 0 && !m->in_callback)
      mote_notify_run(m);
  }
  mote_multi_tidy(m);
  if(!m->in_callback)
    mote_notify_run(m);
  return CURLM_ABORTED_BY_CALLBACK;
}

CURLMcode mote_multi_report_timer(struct mote_multi *m)
{
  uint8_t outer = m->in_callback;
  mote_time at;
  long ms;
  int rc;
  if(m->dead)
    (void)mote_multi_abort(m);
  if(!mote_multi_has_new_deadline(m))
    return CURLM_OK;
  at = mote_multi_deadline(m);
  ms = at ? mote_time_wait_ms(at - mote_port_now()) : -1;
  m->announced = at;
  m->in_callback = MOTE_CALLBACK_WATCH;
  rc = m->timer_fn(mote_multi_public(m), ms, m->timer_data);
  m->in_callback = outer;
  if(rc == -1) {
    m->dead = true;
    return mote_multi_abort(m);
  }
  return CURLM_OK;
}

/* ---- a run ---- */

/* An owner may close a connection, for which the application may have a callback. */
static void run_timers(struct mote_multi *m, mote_time now)
{
  if(!mote_timers_due(&m->timers, now))
    return;
  m->in_callback = MOTE_CALLBACK_TRANSFER;
  mote_timers_run_due(&m->timers, now);
  m->in_callback = MOTE_CALLBACK_NONE;
}

static void multi_act_all(struct mote_multi *m, mote_time now)
{
  m->in_callback = MOTE_CALLBACK_TRANSFER;
  mote_drive_act(&m->set, now);
  m->in_callback = MOTE_CALLBACK_NONE;
}

/* A driver may call the application as well. Most events have none that waits for its turn. */
static inline void engine_multi_act(struct mote_multi *m, mote_time now)
{
  if(m->set.turns && !m->dead)
    multi_act_all(m, now);
}

/* A deadline may pass while other transfers are stepped, since one step takes a bounded time but many steps
 * do not. Transfers that are due come first, *most of them, so that a deadline that stays due does not hold
 * up the rest. */
static void hurry_due(struct mote_multi *m, uint32_t *most, mote_time now)
{
  if(!*most || !mote_timers_due(&m->timers, now))
    return;
  m->hurry = *most;
  run_timers(m, now);
  *most = m->hurry;
  m->hurry = 0;
}

static void engine_multi_step(struct mote_multi *m, struct mote_list *link, mote_time now)
{
  struct mote_transfer *t = transfer_of(link);
  /* Leave the ready list first, since the step decides which list the transfer joins. */
  mote_list_move(&m->lists[MOTE_LIST_WAITING], link);
  t->list = MOTE_LIST_WAITING;
  mote_transfer_step(t, now);
}

/* What a call may still do. */
struct call {
  mote_time began;
  unsigned steps;
};

/* So many steps were made, or handshakes have taken the time that a call may take. */
static bool call_is_over(const struct call *c, mote_time now)
{
  return !c->steps || (MOTE_HANDSHAKE_MS && now - c->began >= MOTE_HANDSHAKE_MS * MOTE_MS);
}

static unsigned ready_at_most(const struct mote_multi *m, unsigned most)
{
  const struct mote_list *ready = &m->lists[MOTE_LIST_READY], *l;
  unsigned n = 0;
  for(l = ready->next; l != ready && n < most; l = l->next)
    n++;
  return n;
}

/* Steps as many transfers as are ready at the beginning. They stay in the ready list until their turn, where
 * callbacks find them (curl_multi_get_handles(3)), and what becomes ready is appended. The clock is read once
 * per step. Transfers that did not have their turn when the call is over come first in the next one. */
static void step_batch(struct mote_multi *m, struct call *c, mote_time now)
{
  struct mote_list *ready = &m->lists[MOTE_LIST_READY];
  unsigned left = ready_at_most(m, c->steps);
  uint32_t most = m->running < c->steps ? m->running : c->steps;
  while(left-- && !mote_list_empty(ready)) {
    engine_multi_step(m, ready->next, now);
    c->steps--;
    if(!left)
      return;
    now = mote_port_now();
    if(call_is_over(c, now))
      return;
    hurry_due(m, &most, now);
  }
}

static bool has_ready(const struct mote_multi *m)
{
  return !m->dead && !mote_list_empty(&m->lists[MOTE_LIST_READY]);
}

static void step_ready(struct mote_multi *m, mote_time now)
{
  struct mote_list *ready = &m->lists[MOTE_LIST_READY];
  struct call call = {now, STEPS_PER_CALL};
  int round;
  if(!has_ready(m))
    return;
  if(ready->next == ready->prev) /* an application that watches the descriptors reports one event at a time */
    engine_multi_step(m, ready->next, now);
  else
    step_batch(m, &call, now);
  engine_multi_act(m, now);
  for(round = 1; round < RUNS_PER_CALL && has_ready(m); round++) {
    mote_time then = mote_port_now();
    if(call_is_over(&call, then))
      break;
    step_batch(m, &call, then);
    engine_multi_act(m, now);
  }
}

/* A deadline that passes during the last steps is due in the next call. */
void mote_multi_run(struct mote_multi *m)
{
  mote_time now = mote_port_now();
  if(mote_names_busy(&m->names))
    mote_names_collect(&m->names, now);
  mote_multi_look_for_slots(m);
  run_timers(m, now);
  engine_multi_act(m, now);
  step_ready(m, now);
  if(m->prune_due) {
    m->prune_due = false;
    m->in_callback = MOTE_CALLBACK_TRANSFER;
    mote_pool_prune_suspects(&m->pool);
    m->in_callback = MOTE_CALLBACK_NONE;
  }
  mote_waitset_settle(&m->set);
  if(!m->active)
    mote_multi_tidy(m);
  mote_notify_run(m);
}

int64_t mote_multi_next(const struct mote_multi *m)
{
  mote_time now, at = mote_timers_next(&m->timers);
  if(mote_multi_has_work(m))
    return 0;
  if(!at)
    return -1;
  now = mote_port_now();
  return at > now ? at - now : 0;
}

CURLMcode mote_multi_wait(struct mote_multi *m, int ms)
{
  struct mote_wait wait = {.timeout_ms = ms};
  return mote_waitset_wait(&m->set, &wait);
}
