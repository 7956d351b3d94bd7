/* transfer/multi/share.c: data that handles share, with its locks, the name cache, and transfers that wait
 * for a connection of a full pool. */
#include "transfer/multi/share.h"

#include <stddef.h>

#include "base/memory.h"
#include "net/names/names.h"
#include "transfer/callback.h"
#include "transfer/multi/host_queue.h"
#include "transfer/multi/multi.h"
#include "transfer/transfer.h"

#define BLIND_WAIT (100 * MOTE_MS) /* time between retries without a wake-up descriptor */

static bool transfer_share_shares(const struct mote_share *s, curl_lock_data data)
{
  return data == CURL_LOCK_DATA_CONNECT     ? s->pool != NULL
         : data == CURL_LOCK_DATA_DNS         ? s->names != NULL
         : data == CURL_LOCK_DATA_SSL_SESSION ? s->sessions != NULL
         : data == CURL_LOCK_DATA_COOKIE      ? s->jar != NULL
         : data == CURL_LOCK_DATA_HSTS        ? s->hsts != NULL
                                              : false;
}

static void share_call(struct mote_transfer *t, mote_share_fn fn, curl_lock_data data)
{
  struct mote_callback_guard g;
  if(!transfer_share_shares(t->share, data))
    return;
  g = mote_callback_enter(t);
  fn(t->share, t->msg.easy_handle, data);
  mote_callback_leave(t, g);
}

void mote_share_lock_data(struct mote_transfer *t, curl_lock_data data)
{
  share_call(t, t->share->lock, data);
}

void mote_share_unlock_data(struct mote_transfer *t, curl_lock_data data)
{
  share_call(t, t->share->unlock, data);
}

/* ---- names ---- */

CURLcode mote_share_copy_name(struct mote_transfer *t, struct mote_name_query *q,
                              struct mote_answer **answer)
{
  struct mote_answer *a;
  CURLcode rc = CURLE_AGAIN;
  if(!t->share->names)
    return CURLE_AGAIN;
  mote_share_lock(t, CURL_LOCK_DATA_DNS);
  a = mote_names_find(t->share->names, q);
  if(a) {
    *answer = mote_answer_copy(&t->multi->account, a);
    rc = *answer ? CURLE_OK : CURLE_OUT_OF_MEMORY;
  }
  mote_share_unlock(t, CURL_LOCK_DATA_DNS);
  q->shared = true;
  return rc;
}

CURLcode mote_share_keep_name(struct mote_transfer *t, struct mote_answer *answer, mote_time now)
{
  CURLcode rc;
  if(!mote_share_of(t) || !mote_share_of(t)->names || !answer ||
     !mote_opt_long(&t->options, CURLOPT_DNS_CACHE_TIMEOUT))
    return CURLE_OK;
  mote_share_lock(t, CURL_LOCK_DATA_DNS);
  rc = mote_names_keep(t->share->names, answer, now);
  mote_share_unlock(t, CURL_LOCK_DATA_DNS);
  return rc;
}

/* ---- multis that wait for a connection of the pool ---- */

struct mote_share_note {
  struct mote_share_note *next;
  struct mote_multi *multi;
  uint32_t waiting; /* its transfers that wait for the share's pool, at least one */
};

static struct mote_share_note **transfer_share_find(struct mote_share *s, const struct mote_multi *m)
{
  struct mote_share_note **n = &s->notes;
  while(*n && (*n)->multi != m)
    n = &(*n)->next;
  return n;
}

static void transfer_share_drop(struct mote_share_note **n)
{
  struct mote_share_note *gone = *n;
  *n = gone->next;
  mote_mem_free(mote_mem_process(), MOTE_PART_SHARE, gone, sizeof *gone);
}

static bool shares_pool(const struct mote_transfer *t)
{
  return mote_share_pool_of(t) != NULL;
}

void mote_share_queues(struct mote_transfer *t)
{
  struct mote_multi *m = t->multi;
  m->mixed = mote_schedule_mixes(&m->lists[MOTE_LIST_QUEUED], t, m->mixed);
}

CURLcode mote_share_note(struct mote_transfer *t)
{
  struct mote_share_note **at, *n;
  if(!shares_pool(t) || t->slot_wait)
    return CURLE_OK;
  at = transfer_share_find(t->share, t->multi);
  if(!*at) {
    n = mote_mem_alloc(mote_mem_process(), MOTE_PART_SHARE, sizeof *n);
    if(!n)
      return CURLE_OUT_OF_MEMORY;
    n->next = NULL;
    n->multi = t->multi;
    n->waiting = 0;
    *at = n;
  }
  (*at)->waiting++;
  t->slot_wait = true;
  return CURLE_OK;
}

/* Sets the flag before the wake-up, so that the woken thread sees it. As long as the multi has not taken the
 * flag back, another wake-up adds nothing. A noted multi exists, because the last of its transfers that stops
 * waiting removes the note. */
void mote_share_notify(struct mote_transfer *t)
{
  const struct mote_share_note *n;
  if(!shares_pool(t))
    return;
  for(n = t->share->notes; n; n = n->next) {
    struct mote_multi *m = n->multi;
    if(m == t->multi)
      mote_schedule_wake_queued(m);
    else if(!atomic_exchange(&m->slot_freed, true))
      (void)mote_waitset_wake(&m->set);
  }
}

/* True: none of the multi's transfers waits for this share any more. */
static bool withdraw_note(struct mote_transfer *t)
{
  struct mote_share_note **n;
  bool last;
  mote_share_lock(t, CURL_LOCK_DATA_CONNECT);
  n = transfer_share_find(t->share, t->multi);
  last = !--(*n)->waiting;
  if(last)
    transfer_share_drop(n);
  mote_share_unlock(t, CURL_LOCK_DATA_CONNECT);
  return last;
}

static bool one_waits_for_a_share(const struct mote_list *list)
{
  const struct mote_list *l;
  for(l = list->next; l != list; l = l->next)
    if(mote_container_of(l, const struct mote_transfer, link)->slot_wait)
      return true;
  return false;
}

/* Reports whether the multi still needs its wake-up descriptor for slots. */
static bool waits_for_others(const struct mote_multi *m)
{
  const struct mote_list *of_host = NULL;
  if(one_waits_for_a_share(&m->lists[MOTE_LIST_QUEUED]))
    return true;
  while((of_host = mote_host_queue_next(m, of_host)) != NULL)
    if(one_waits_for_a_share(of_host))
      return true;
  return false;
}

void mote_share_forget(struct mote_transfer *t)
{
  struct mote_multi *m = t->multi;
  bool last = withdraw_note(t);
  t->slot_wait = false;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  if(t->list == MOTE_LIST_QUEUED)
    mote_schedule_move(m, t, MOTE_LIST_WAITING);
  if(last && mote_waitset_by_app(&m->set) && !waits_for_others(m))
    (void)mote_waitset_want_wake(&m->set, MOTE_WAKE_FOR_SLOTS, false);
}

/* The flag shows a slot that became free before there was a descriptor. */
static CURLcode go_on_waiting(struct mote_transfer *t, mote_time now)
{
  struct mote_multi *m = t->multi;
  CURLMcode opened = mote_waitset_open_wake(&m->set);
  CURLcode rc;
  if(opened == CURLM_OUT_OF_MEMORY)
    return CURLE_OUT_OF_MEMORY;
  mote_timer_set(t, MOTE_TIMER_STATE, opened ? now + BLIND_WAIT : 0);
  rc = mote_waitset_want_wake(&m->set, MOTE_WAKE_FOR_SLOTS, true);
  mote_multi_look_for_slots(m);
  return rc ? rc : CURLE_AGAIN;
}

CURLcode mote_share_settle(struct mote_transfer *t, CURLcode rc, mote_time now)
{
  if(rc == CURLE_AGAIN)
    rc = go_on_waiting(t, now);
  if(rc == CURLE_AGAIN)
    return rc;
  mote_share_forget(t);
  mote_schedule_wake_queued(t->multi);
  return rc;
}
