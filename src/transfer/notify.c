/* transfer/notify.c: what the multi tells the application. */
#include "transfer/multi.h"
#include "transfer/transfer.h"

static struct mote_transfer *transfer_of(struct mote_list *link)
{
  return mote_container_of(link, struct mote_transfer, link);
}

/* The application's callback gets a handle always: a descriptor of no transfer comes with any of them
 * (CURLMOPT_SOCKETFUNCTION(3)). NULL: the multi has none. */
static CURL *handle_for(struct mote_multi *m, const struct mote_watch *w)
{
  const struct mote_transfer *t = w->user;
  int i;
  for(i = 0; !t && i < MOTE_LIST_LAST; i++)
    if(!mote_list_empty(&m->lists[i]))
      t = transfer_of(m->lists[i].next);
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

const struct mote_waitset_app mote_multi_app = {.notify = notify_watch};

static void notify(struct mote_multi *m, unsigned what, struct mote_transfer *t)
{
  uint8_t outer = m->in_callback;
  if(!m->notify_fn || !(m->notify & (1u << what)))
    return;
  /* Adding and removing handles is allowed in this callback (CURLMOPT_NOTIFYFUNCTION): it is called when no
   * list of ours is being walked. Driving the multi, or its end, is not. */
  m->in_callback = MOTE_CALLBACK_NOTIFY;
  m->notify_fn((CURLM *)m->handle, what, t->msg.easy_handle, m->notify_data);
  m->in_callback = outer;
}

/* Over and not told. Of those whose message was read meanwhile they are the first (mote_multi_read()). */
static struct mote_transfer *next_unnotified(struct mote_multi *m)
{
  struct mote_list *l = &m->lists[MOTE_LIST_READ], *i;
  if(!mote_list_empty(l) && transfer_of(l->next)->notify_due)
    return transfer_of(l->next);
  l = &m->lists[MOTE_LIST_DONE];
  for(i = l->next; i != l; i = i->next)
    if(transfer_of(i)->notify_due)
      return transfer_of(i);
  return NULL;
}

void mote_multi_read(struct mote_multi *m, struct mote_transfer *t)
{
  mote_multi_move(m, t, MOTE_LIST_READ);
  if(!t->notify_due)
    return;
  mote_list_remove(&t->link);
  mote_list_prepend(&m->lists[MOTE_LIST_READ], &t->link);
}

static void told(struct mote_multi *m, struct mote_transfer *t)
{
  t->notify_due = false;
  if(t->list != MOTE_LIST_READ)
    return;
  mote_list_remove(&t->link);
  mote_list_append(&m->lists[MOTE_LIST_READ], &t->link);
}

void mote_multi_notify(struct mote_multi *m)
{
  struct mote_transfer *t;
  struct mote_list *unread = &m->lists[MOTE_LIST_DONE];
  if(!m->notify_fn || !m->notify)
    return;
  if(m->notify_read_due && !mote_list_empty(unread))
    notify(m, CURLMNOTIFY_INFO_READ, transfer_of(unread->next));
  m->notify_read_due = false;
  while((t = next_unnotified(m)) != NULL) {
    told(m, t);
    notify(m, CURLMNOTIFY_EASY_DONE, t);
  }
}
