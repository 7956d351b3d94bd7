/* transfer/multi/schedule.c: what transfers do with their multi (transfer/multi/schedule.h). */
#include "transfer/multi/schedule.h"

#include "base/memory.h"
#include "transfer/callback.h"
#include "transfer/internal.h"
#include "transfer/multi/multi.h"
#include "transfer/multi/notify.h"
#include "transfer/multi/share.h"
#include "transfer/run.h"
#include "transfer/transfer.h"

#define DEFAULT_KEPT_PER_TRANSFER 4u /* CURLMOPT_MAXCONNECTS(3) */
#define WOKEN_AT_ONCE 4u /* transfers at most that a step wakes for slots */
#define MARK_IN_MS 0x80000000u /* says that the other bits are milliseconds */

/* ---- lists ---- */

static bool counts_as_running(enum mote_list_id id)
{
  return id < MOTE_LIST_DONE;
}

static void schedule_count(struct mote_multi *m, enum mote_list_id from, enum mote_list_id to)
{
  m->running += counts_as_running(to);
  m->running -= counts_as_running(from);
  m->unread += to == MOTE_LIST_DONE;
  m->unread -= from == MOTE_LIST_DONE;
}

void mote_schedule_move(struct mote_multi *m, struct mote_transfer *t, enum mote_list_id to)
{
  enum mote_list_id from = t->list;
  if(from == to)
    return;
  schedule_count(m, from, to);
  t->list = (uint8_t)to;
  if(to == MOTE_LIST_NONE)
    mote_list_remove(&t->link);
  else
    mote_list_move(&m->lists[to], &t->link);
}

/* The lists count the transfer like any other, which is taken back here. */
void mote_schedule_move_uncounted(struct mote_multi *m, struct mote_transfer *t, enum mote_list_id to)
{
  m->running += to == MOTE_LIST_NONE;
  mote_schedule_move(m, t, to);
  m->running -= to != MOTE_LIST_NONE;
}

static void internal_done(struct mote_multi *m, struct mote_transfer *t)
{
  mote_schedule_move_uncounted(m, t, MOTE_LIST_NONE);
  mote_internal_of(t)->done(mote_internal_of(t));
}

static bool is_waiting(const struct mote_transfer *t)
{
  return t->list == MOTE_LIST_WAITING || t->list == MOTE_LIST_QUEUED;
}

/* Each event comes by here. Nothing is to be counted, as a waiting transfer is a running one. */
void mote_transfer_wake(struct mote_transfer *t)
{
  struct mote_multi *m = t->multi;
  if(!m || !is_waiting(t))
    return;
  t->list = MOTE_LIST_READY;
  mote_list_move(&m->lists[MOTE_LIST_READY], &t->link);
}

void mote_transfer_wake_user(struct mote_watch *w, unsigned events)
{
  (void)events;
  mote_transfer_wake(w->user);
}

bool mote_schedule_mixes(const struct mote_list *list, const struct mote_transfer *t, bool mixed)
{
  if(mote_list_empty(list))
    return false;
  return mixed || !mote_share_waits_alike(mote_container_of(list->prev, const struct mote_transfer, link), t);
}

/* Those that were woken are the last `count` of the ready ones. */
static bool was_woken_for(const struct mote_multi *m, const struct mote_transfer *t, unsigned count)
{
  const struct mote_list *l = m->lists[MOTE_LIST_READY].prev;
  for(; count; count--, l = l->prev)
    if(mote_share_waits_alike(mote_container_of(l, const struct mote_transfer, link), t))
      return true;
  return false;
}

void mote_schedule_wake_firsts(struct mote_multi *m, struct mote_list *list, bool host_turn)
{
  struct mote_list *l = list->next;
  unsigned count = 0;
  while(l != list) {
    struct mote_transfer *t = mote_container_of(l, struct mote_transfer, link);
    l = l->next;
    if(was_woken_for(m, t, count))
      continue;
    t->host_turn = host_turn;
    mote_schedule_move(m, t, MOTE_LIST_READY);
    count++;
  }
}

static bool schedule_is_older(const struct mote_transfer *a, const struct mote_transfer *b)
{
  return (int32_t)((uint32_t)b->xfer_id - (uint32_t)a->xfer_id) > 0;
}

/* Moves it, which is in the list, before the first one there that is not as old, or in another state. `most`
 * are looked at. */
static void schedule_put_in_order(struct mote_list *list, struct mote_transfer *t, uint32_t most)
{
  struct mote_list *at = list->next;
  for(; most && at != &t->link; most--, at = at->next) {
    const struct mote_transfer *other = mote_container_of(at, struct mote_transfer, link);
    if(other->state != MOTE_STATE_PENDING || !schedule_is_older(other, t))
      break;
  }
  if(at != &t->link)
    mote_list_move(at, &t->link);
}

/* Older ones that were woken just before come first. There may be others, whose deadline has passed. */
void mote_schedule_wake_next(struct mote_multi *m, struct mote_transfer *t)
{
  mote_schedule_move(m, t, MOTE_LIST_READY);
  schedule_put_in_order(&m->lists[MOTE_LIST_READY], t, WOKEN_AT_ONCE);
}

static struct mote_transfer *first_queued(struct mote_multi *m)
{
  return mote_container_of(m->lists[MOTE_LIST_QUEUED].next, struct mote_transfer, link);
}

void mote_schedule_wake_queued(struct mote_multi *m)
{
  struct mote_list *l = &m->lists[MOTE_LIST_QUEUED];
  if(mote_list_empty(l))
    return;
  if(!MOTE_HAS_HOST_LIMIT && m->max_host)
    mote_schedule_wake_all_queued(m);
  else if(mote_multi_mixed(m))
    mote_schedule_wake_firsts(m, l, false);
  else
    mote_schedule_wake_next(m, first_queued(m));
}

void mote_schedule_offer_queued(struct mote_multi *m)
{
  if(!mote_list_empty(&m->lists[MOTE_LIST_QUEUED]))
    first_queued(m)->offered = true;
  mote_schedule_wake_queued(m);
}

/* New ones are appended. One that was woken was among the first. */
void mote_schedule_queue(struct mote_transfer *t)
{
  struct mote_list *l = &t->multi->lists[MOTE_LIST_QUEUED];
  bool again = !mote_list_empty(l) && !t->offered &&
               (schedule_is_older(t, mote_container_of(l->next, struct mote_transfer, link)) ||
                schedule_is_older(t, mote_container_of(l->prev, struct mote_transfer, link)));
  t->offered = false;
  mote_schedule_move(t->multi, t, MOTE_LIST_QUEUED);
  if(again)
    schedule_put_in_order(l, t, UINT32_MAX);
}

/* Idle connections give way. Those of a share are not counted here, as that takes its lock. */
static bool slot_may_be_free(struct mote_multi *m)
{
  uint32_t busy = m->pool.count - m->pool.idle_count;
  if(!m->max_total || busy < m->max_total || mote_multi_mixed(m))
    return true;
  return !mote_list_empty(&m->lists[MOTE_LIST_QUEUED]) && mote_share_waits(first_queued(m));
}

void mote_schedule_pass_on(struct mote_multi *m, bool pending)
{
  if(pending || slot_may_be_free(m))
    mote_schedule_wake_queued(m);
}

void mote_schedule_wake_all_queued(struct mote_multi *m)
{
  struct mote_list *l = &m->lists[MOTE_LIST_QUEUED];
  while(!mote_list_empty(l))
    mote_schedule_move(m, mote_container_of(l->next, struct mote_transfer, link), MOTE_LIST_READY);
}

void mote_schedule_done(struct mote_multi *m, struct mote_transfer *t)
{
  bool first = !m->unread;
  if(mote_transfer_is_internal(t)) {
    internal_done(m, t);
    return;
  }
  mote_schedule_move(m, t, MOTE_LIST_DONE);
  mote_notify_note_end(m, t, first);
}

void mote_schedule_count_active(struct mote_multi *m, int by)
{
  m->active += (uint32_t)by;
}

/* ---- time ---- */

/* The step finds out which deadline has passed. */
static void transfer_due(struct mote_timer_node *node, mote_time now)
{
  struct mote_transfer *t = mote_container_of(node, struct mote_run_block, timer)->run.owner;
  struct mote_multi *m = t->multi;
  (void)now;
  mote_transfer_wake(t);
  if(!m->hurry || t->list != MOTE_LIST_READY)
    return;
  m->hurry--;
  mote_list_remove(&t->link);
  mote_list_prepend(&m->lists[MOTE_LIST_READY], &t->link);
}

void mote_schedule_set_deadline(struct mote_transfer *t, mote_time nearest)
{
  struct mote_timer_node *node = &mote_run_block_of(t->run)->timer;
  node->due = transfer_due;
  if(nearest)
    mote_timers_set(&t->multi->timers, node, nearest);
  else {
    mote_timers_cancel(&t->multi->timers, node);
    node->node.key = INT64_MAX; /* mote_run_nothing_due() */
  }
}

void mote_mark_set(struct mote_stats *s, enum mote_mark m, mote_time now)
{
  int64_t us = now - s->started;
  if(us < (int64_t)MARK_IN_MS)
    s->mark[m] = us > 0 ? (uint32_t)us : 1;
  else
    s->mark[m] = (uint32_t)(us / MOTE_MS) | MARK_IN_MS;
}

int64_t mote_mark_get(const struct mote_stats *s, enum mote_mark m)
{
  uint32_t v = s->mark[m];
  return v & MARK_IN_MS ? (int64_t)(v & ~MARK_IN_MS) * MOTE_MS : (int64_t)v;
}

/* ---- the buffer ---- */

static char *schedule_bytes_of(struct mote_loan *loan)
{
  return loan ? (char *)loan + loan->at : NULL;
}

void mote_schedule_drop_buffer(struct mote_multi *m)
{
  if(m->buffer != schedule_bytes_of(mote_multi_loan(m)))
    mote_mem_free(&m->account, MOTE_PART_BUFFER, m->buffer, m->buffer_size);
  m->buffer = NULL;
  m->buffer_size = 0;
}

/* The smaller one goes first, so that both are never held. */
static void replace_buffer(struct mote_multi *m, uint32_t size)
{
  struct mote_loan *loan = mote_multi_loan(m);
  mote_schedule_drop_buffer(m);
  if(loan && size <= loan->size) {
    m->buffer = schedule_bytes_of(loan);
    m->buffer_size = loan->size;
    return;
  }
  m->buffer = mote_mem_alloc(&m->account, MOTE_PART_BUFFER, size);
  m->buffer_size = m->buffer ? size : 0;
}

void mote_schedule_end_loan(struct mote_multi *m)
{
  if(m->buffer == schedule_bytes_of(mote_multi_loan(m)))
    mote_schedule_drop_buffer(m);
}

char *mote_schedule_buffer(struct mote_multi *m, uint32_t size)
{
  if(m->buffer_size < size)
    replace_buffer(m, size);
  return m->buffer;
}

uint32_t mote_schedule_buffer_size(const struct mote_multi *m)
{
  return m->buffer_size;
}

/* ---- connections ---- */

uint32_t mote_schedule_most_kept(const struct mote_multi *m)
{
  uint32_t n = m->total * DEFAULT_KEPT_PER_TRANSFER;
  if(m->max_connects > 0)
    return m->max_connects;
  return n > DEFAULT_KEPT_PER_TRANSFER ? n : DEFAULT_KEPT_PER_TRANSFER;
}

void mote_schedule_prune_soon(struct mote_waitset *set, struct mote_conn *c)
{
  struct mote_multi *m = mote_container_of(set, struct mote_multi, set);
  mote_pool_suspect(&m->pool, c);
  m->prune_due = true;
}

bool mote_schedule_prune_due(struct mote_multi *m, const struct mote_pool *pool, mote_time now)
{
  uint32_t second = (uint32_t)(now / MOTE_SECOND);
  if((pool == &m->pool && !mote_waitset_by_app(&m->set)) || m->last_prune == second)
    return false;
  m->last_prune = second;
  return true;
}

/* ---- the guard around callbacks ---- */

struct mote_callback_guard mote_callback_enter(struct mote_transfer *t)
{
  struct mote_callback_guard before = {t->in_callback, t->multi ? t->multi->in_callback : MOTE_CALLBACK_NONE};
  t->in_callback = true;
  if(t->multi)
    t->multi->in_callback = MOTE_CALLBACK_TRANSFER;
  return before;
}

void mote_callback_leave(struct mote_transfer *t, struct mote_callback_guard before)
{
  t->in_callback = before.transfer;
  if(t->multi)
    t->multi->in_callback = before.multi;
}
