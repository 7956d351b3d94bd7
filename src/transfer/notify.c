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

static bool tell_watch(struct mote_waitset *set, struct mote_watch *w, int what)
{
  struct mote_multi *m = mote_container_of(set, struct mote_multi, set);
  bool outer = m->in_callback;
  int rc;
  if(!m->socket_fn)
    return true;
  m->in_callback = true;
  rc = m->socket_fn(handle_for(m, w), w->fd, what, m->socket_data, w->app);
  m->in_callback = outer;
  if(rc == -1)
    m->dead = true;
  return rc != -1;
}

const struct mote_waitset_app mote_multi_app = {.tell = tell_watch};

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

void mote_multi_notify(struct mote_multi *m)
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
