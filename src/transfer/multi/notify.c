/* transfer/multi/notify.c: calls CURLMOPT_NOTIFYFUNCTION for transfers that have ended, and for messages that
 * can be read (transfer/multi/notify.h). */
#include "transfer/multi/notify.h"

#include "base/memory.h"
#include "transfer/multi/schedule.h"

/* Nothing is kept for an option that is unset before it was ever set. */
static CURLMcode notify_need(struct mote_multi *m, bool something)
{
  if(m->notify || !something)
    return CURLM_OK;
  m->notify = mote_mem_zalloc(&m->account, MOTE_PART_MULTI, sizeof *m->notify);
  if(!m->notify)
    return CURLM_OUT_OF_MEMORY;
  m->notify->read_due = true; /* for messages that are there */
  return CURLM_OK;
}

void mote_notify_close(struct mote_multi *m)
{
  mote_mem_free(&m->account, MOTE_PART_MULTI, m->notify, sizeof *m->notify);
  m->notify = NULL;
}

CURLMcode mote_notify_set_function(struct mote_multi *m, curl_notify_callback fn)
{
  CURLMcode rc = notify_need(m, fn != NULL);
  if(rc || !m->notify)
    return rc;
  m->notify->gaps = true;
  m->notify->fn = fn;
  return CURLM_OK;
}

CURLMcode mote_notify_set_data(struct mote_multi *m, void *data)
{
  CURLMcode rc = notify_need(m, data != NULL);
  if(!rc && m->notify)
    m->notify->data = data;
  return rc;
}

CURLMcode mote_notify_switch(struct mote_multi *m, unsigned what, bool on)
{
  unsigned bit;
  CURLMcode rc = what > CURLMNOTIFY_EASY_DONE ? CURLM_UNKNOWN_OPTION : notify_need(m, on);
  if(rc || !m->notify)
    return rc;
  bit = 1u << what; /* a larger number has no bit */
  m->notify->gaps = true;
  m->notify->kinds = (uint8_t)(on ? m->notify->kinds | bit : m->notify->kinds & ~bit);
  return CURLM_OK;
}

void mote_notify_note(struct mote_notify *n, struct mote_transfer *t, bool first)
{
  n->read_due = n->read_due || first;
  t->notify_due = n->fn && (n->kinds & (1u << CURLMNOTIFY_EASY_DONE));
}

static struct mote_transfer *notify_transfer_of(struct mote_list *link)
{
  return mote_container_of(link, struct mote_transfer, link);
}

static void notify_call(struct mote_multi *m, unsigned what, struct mote_transfer *t)
{
  const struct mote_notify *n = m->notify;
  uint8_t outer = m->in_callback;
  if(!n->fn || !(n->kinds & (1u << what)))
    return;
  /* This callback may add and remove handles and set options (CURLMOPT_NOTIFYFUNCTION), because no list is
   * being walked. It may not drive the multi or close it. */
  m->in_callback = MOTE_CALLBACK_NOTIFY;
  n->fn(mote_multi_public(m), what, t->msg.easy_handle, n->data);
  m->in_callback = outer;
}

static struct mote_transfer *notify_find_first(struct mote_multi *m)
{
  struct mote_list *done = &m->lists[MOTE_LIST_DONE], *l;
  for(l = done->next; l != done; l = l->next)
    if(notify_transfer_of(l)->notify_due)
      return notify_transfer_of(l);
  m->notify->gaps = false;
  return NULL;
}

/* Those that are due are the last ones in the done list, as long as notifications are not switched off and
 * on. A program may leave many messages unread, which are not walked over then. */
static struct mote_transfer *notify_find_last(struct mote_multi *m)
{
  struct mote_list *done = &m->lists[MOTE_LIST_DONE], *l = done->prev;
  while(l != done && notify_transfer_of(l)->notify_due)
    l = l->prev;
  return l->next == done ? NULL : notify_transfer_of(l->next);
}

/* Returns a finished transfer whose notification is due. Those whose message has been read meanwhile come
 * first (mote_notify_read()). */
static struct mote_transfer *notify_next(struct mote_multi *m)
{
  struct mote_list *read = &m->lists[MOTE_LIST_READ];
  if(!mote_list_empty(read) && notify_transfer_of(read->next)->notify_due)
    return notify_transfer_of(read->next);
  return m->notify->gaps ? notify_find_first(m) : notify_find_last(m);
}

void mote_notify_put_first(struct mote_multi *m, struct mote_transfer *t)
{
  mote_list_remove(&t->link);
  mote_list_prepend(&m->lists[MOTE_LIST_READ], &t->link);
}

static void notify_settle(struct mote_multi *m, struct mote_transfer *t)
{
  t->notify_due = false;
  if(t->list != MOTE_LIST_READ)
    return;
  mote_list_move(&m->lists[MOTE_LIST_READ], &t->link);
}

/* The ends come first, as the callback for messages may remove the handles. */
void mote_notify_deliver(struct mote_multi *m)
{
  struct mote_transfer *t;
  struct mote_list *unread = &m->lists[MOTE_LIST_DONE];
  bool read_due = m->notify->read_due;
  if(!m->notify->kinds)
    return;
  m->notify->read_due = false;
  while((t = notify_next(m)) != NULL) {
    notify_settle(m, t);
    notify_call(m, CURLMNOTIFY_EASY_DONE, t);
  }
  if(read_due && !mote_list_empty(unread))
    notify_call(m, CURLMNOTIFY_INFO_READ, notify_transfer_of(unread->next));
}
