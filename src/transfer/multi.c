/* transfer/multi.c: lists, deadlines and the one buffer. */
#include "transfer/multi.h"

#include <string.h>

#include "port/port.h"
#include "transfer/buffer.h"
#include "transfer/callback.h"
#include "transfer/transfer.h"

#define RUNS_PER_CALL 8 /* times one call goes round: a transfer that stays ready cannot starve the caller */

static bool tell_watch(struct mote_waitset *set, struct mote_watch *w, int what)
{
  struct mote_multi *m = mote_container_of(set, struct mote_multi, set);
  struct mote_transfer *t = w->user;
  bool outer = m->in_callback;
  int rc;
  if(!m->socket_fn)
    return true;
  m->in_callback = true;
  rc = m->socket_fn(t ? t->msg.easy_handle : NULL, w->fd, what, m->socket_data, w->app);
  m->in_callback = outer;
  if(rc == -1)
    m->dead = true;
  return rc != -1;
}

const struct mote_waitset_app mote_multi_app = {.tell = tell_watch};

void mote_multi_setup(struct mote_multi *m)
{
  int i;
  memset(m, 0, sizeof *m);
  for(i = 0; i < MOTE_LIST_LAST; i++)
    mote_list_init(&m->lists[i]);
  mote_waitset_init(&m->set, &m->account);
  mote_pool_init(&m->pool, &m->account);
  mote_names_init(&m->names, &m->account);
  mote_session_cache_init(&m->sessions, &m->account);
}

void mote_multi_close(struct mote_multi *m)
{
  mote_names_close(&m->names);
  mote_pool_close(&m->pool);
  mote_session_cache_close(&m->sessions);
  mote_waitset_close(&m->set);
  mote_mem_free(&m->account, MOTE_PART_BUFFER, m->buffer, m->buffer_size);
  m->buffer = NULL;
}

struct mote_callback_guard mote_callback_enter(struct mote_transfer *t)
{
  struct mote_callback_guard before = {t->in_callback, t->multi && t->multi->in_callback};
  t->in_callback = true;
  if(t->multi)
    t->multi->in_callback = true;
  return before;
}

void mote_callback_leave(struct mote_transfer *t, struct mote_callback_guard before)
{
  t->in_callback = before.transfer;
  if(t->multi)
    t->multi->in_callback = before.multi;
}

static bool counts_as_running(enum mote_list_id id)
{
  return id == MOTE_LIST_READY || id == MOTE_LIST_WAITING || id == MOTE_LIST_QUEUED;
}

void mote_multi_move(struct mote_multi *m, struct mote_transfer *t, enum mote_list_id to)
{
  enum mote_list_id from = t->list;
  if(from == to)
    return;
  mote_list_remove(&t->link);
  m->running += counts_as_running(to);
  m->running -= counts_as_running(from);
  m->unread += to == MOTE_LIST_DONE;
  m->unread -= from == MOTE_LIST_DONE;
  t->list = (uint8_t)to;
  if(to != MOTE_LIST_NONE)
    mote_list_append(&m->lists[to], &t->link);
}

void mote_multi_add(struct mote_multi *m, struct mote_transfer *t)
{
  t->multi = m;
  t->state = MOTE_STATE_PENDING;
  t->list = MOTE_LIST_NONE;
  t->announced = false;
  m->total++;
  t->xfer_id = (int32_t)m->added++;
  mote_multi_move(m, t, MOTE_LIST_READY);
}

void mote_multi_remove(struct mote_multi *m, struct mote_transfer *t)
{
  mote_transfer_detach(t);
  mote_multi_move(m, t, MOTE_LIST_NONE);
  m->total--;
  t->multi = NULL;
  t->state = MOTE_STATE_IDLE;
  mote_multi_wake_queued(m);
  mote_multi_tidy(m);
}

char *mote_multi_buffer(struct mote_multi *m, uint32_t size)
{
  char *p;
  if(m->buffer && m->buffer_size >= size)
    return m->buffer;
  p = mote_mem_alloc(&m->account, MOTE_PART_BUFFER, size);
  if(!p)
    return NULL;
  mote_mem_free(&m->account, MOTE_PART_BUFFER, m->buffer, m->buffer_size);
  m->buffer = p;
  m->buffer_size = size;
  return p;
}

uint32_t mote_multi_buffer_size(const struct mote_multi *m)
{
  return m->buffer ? m->buffer_size : 0;
}

void mote_multi_tidy(struct mote_multi *m)
{
  /* Between a message and its reading a transfer is most often added again at once. */
  if(!m->buffer || m->active || !mote_list_empty(&m->lists[MOTE_LIST_READY]) || (m->unread && m->total))
    return;
  mote_mem_free(&m->account, MOTE_PART_BUFFER, m->buffer, m->buffer_size);
  m->buffer = NULL;
  m->buffer_size = 0;
}

void mote_multi_wake_queued(struct mote_multi *m)
{
  struct mote_list *l = &m->lists[MOTE_LIST_QUEUED];
  while(!mote_list_empty(l)) {
    mote_multi_move(m, mote_container_of(l->next, struct mote_transfer, link), MOTE_LIST_READY);
    if(!m->max_host)
      break;
  }
}

static void notify(struct mote_multi *m, unsigned what, struct mote_transfer *t)
{
  bool outer = m->in_callback;
  if(!m->notify_fn || !(m->notify & (1u << what)))
    return;
  /* Adding and removing handles is allowed in this callback (CURLMOPT_NOTIFYFUNCTION): it is called when no
   * list of ours is being walked. */
  m->in_callback = false;
  m->notify_fn((CURLM *)m->handle, what, t->msg.easy_handle, m->notify_data);
  m->in_callback = outer;
}

void mote_multi_done(struct mote_multi *m, struct mote_transfer *t)
{
  bool first = !m->unread;
  mote_multi_move(m, t, MOTE_LIST_DONE);
  if(first)
    m->notify_read_due = true;
  t->notify_due = true;
}

static struct mote_transfer *next_unnotified(struct mote_multi *m)
{
  struct mote_list *l = &m->lists[MOTE_LIST_DONE], *i;
  for(i = l->next; i != l; i = i->next) {
    struct mote_transfer *t = mote_container_of(i, struct mote_transfer, link);
    if(t->notify_due)
      return t;
  }
  return NULL;
}

/* Notifications wait until no transfer is being stepped: their callback may add and remove handles. */
static void deliver_notifications(struct mote_multi *m)
{
  struct mote_transfer *t;
  if(!m->notify_fn || !m->notify)
    return;
  if(m->notify_read_due && (t = next_unnotified(m)) != NULL)
    notify(m, CURLMNOTIFY_INFO_READ, t);
  m->notify_read_due = false;
  while((t = next_unnotified(m)) != NULL) {
    t->notify_due = false;
    notify(m, CURLMNOTIFY_EASY_DONE, t);
  }
}

static struct mote_transfer *due_transfer(struct mote_multi *m, mote_time now)
{
  struct mote_run *r;
  if(!m->timers.top || m->timers.top->key > now)
    return NULL;
  r = mote_container_of(m->timers.top, struct mote_run, timer);
  return r->owner;
}

/* Everything whose deadline has passed becomes ready; its step looks which one it was. */
static void collect_due(struct mote_multi *m)
{
  struct mote_transfer *t;
  mote_time now;
  if(!m->timers.top)
    return;
  now = mote_port_now();
  while((t = due_transfer(m, now)) != NULL) {
    mote_heap_remove(&m->timers, &t->run->timer);
    if(t->list == MOTE_LIST_WAITING || t->list == MOTE_LIST_QUEUED)
      mote_multi_move(m, t, MOTE_LIST_READY);
  }
}

static void step_batch(struct mote_multi *m)
{
  struct mote_list batch;
  mote_list_init(&batch);
  mote_list_move_all(&batch, &m->lists[MOTE_LIST_READY]);
  while(!mote_list_empty(&batch)) {
    struct mote_transfer *t = mote_container_of(batch.next, struct mote_transfer, link);
    /* The link leaves the batch first: the step decides which list it joins. */
    mote_list_remove(&t->link);
    mote_list_append(&m->lists[MOTE_LIST_WAITING], &t->link);
    t->list = MOTE_LIST_WAITING;
    mote_transfer_step(t);
  }
}

void mote_multi_run(struct mote_multi *m)
{
  int round;
  if(mote_names_busy(&m->names))
    mote_names_collect(&m->names, mote_port_now());
  for(round = 0; round < RUNS_PER_CALL && !m->dead; round++) {
    collect_due(m);
    if(mote_list_empty(&m->lists[MOTE_LIST_READY]))
      break;
    step_batch(m);
  }
  if(m->prune_due) {
    m->prune_due = false;
    mote_pool_prune(&m->pool, mote_port_now(), 0, true);
  }
  mote_multi_tidy(m);
  deliver_notifications(m);
}

int64_t mote_multi_next(const struct mote_multi *m, mote_time now)
{
  if(!mote_list_empty(&m->lists[MOTE_LIST_READY]))
    return 0;
  if(!m->timers.top)
    return -1;
  return m->timers.top->key > now ? m->timers.top->key - now : 0;
}

CURLMcode mote_multi_tell_timer(struct mote_multi *m)
{
  bool ready = !mote_list_empty(&m->lists[MOTE_LIST_READY]);
  mote_time at = ready ? 1 : m->timers.top ? m->timers.top->key : 0;
  int64_t wait;
  long ms = -1;
  int rc;
  if(!m->timer_fn || at == m->announced)
    return CURLM_OK;
  m->announced = at;
  if(at) {
    wait = mote_multi_next(m, ready ? 0 : mote_port_now());
    ms = (long)((wait + 999) / 1000);
  }
  m->in_callback = true;
  rc = m->timer_fn((CURLM *)m->handle, ms, m->timer_data);
  m->in_callback = false;
  if(rc == -1) {
    m->dead = true;
    return CURLM_ABORTED_BY_CALLBACK;
  }
  return CURLM_OK;
}
