/* api/multi/multi_drive.c: the ways of driving a multi, which are curl_multi_perform(3) with poll, wait or
 * select, and curl_multi_socket_action(3) with an event loop of the application's. */
#include "api/multi/multi_handle.h"
#include "base/time.h"
#include "engine/multi.h"
#include "net/stream.h"
#include "port/select.h"

/* For functions that only inspect the multi: CURLMOPT_NOTIFYFUNCTION may call them too. */
static CURLMcode check_look(CURLM *multi, struct mote_multi_handle **h)
{
  *h = mote_multi_of(multi);
  if(!*h)
    return CURLM_BAD_HANDLE;
  if(mote_multi_in_strict_callback(&(*h)->m))
    return CURLM_RECURSIVE_API_CALL;
  if((*h)->m.dead)
    return CURLM_ABORTED_BY_CALLBACK;
  return CURLM_OK;
}

static CURLMcode multi_drive_check(CURLM *multi, struct mote_multi_handle **h)
{
  CURLMcode rc = check_look(multi, h);
  return !rc && mote_multi_in_callback(&(*h)->m) ? CURLM_RECURSIVE_API_CALL : rc;
}

static CURLMcode multi_drive_run(struct mote_multi *m, int *running)
{
  CURLMcode rc = CURLM_OK;
  mote_multi_run(m);
  if(m->dead)
    rc = mote_multi_abort(m);
  else if(mote_multi_has_new_deadline(m))
    rc = mote_multi_report_timer(m);
  if(running)
    *running = (int)m->running;
  return rc;
}

/* After curl_multi_poll() or curl_multi_wait() the ready descriptors are known. Without them (select, a
 * busy loop) the wait set has to be asked here. */
CURLMcode curl_multi_perform(CURLM *multi, int *running_handles)
{
  struct mote_multi_handle *h;
  CURLMcode rc = multi_drive_check(multi, &h);
  if(rc)
    return rc;
  if(!h->m.set.polled && h->m.set.by_fd.count) {
    struct mote_wait wait = {.timeout_ms = 0};
    rc = mote_waitset_wait(&h->m.set, &wait);
    if(rc)
      return rc;
  }
  h->m.set.polled = false;
  return multi_drive_run(&h->m, running_handles);
}

static int clip_timeout(const struct mote_multi *m, int timeout_ms)
{
  int64_t next = mote_multi_next(m);
  int ms = mote_time_wait_ms(next);
  return next >= 0 && ms < timeout_ms ? ms : timeout_ms;
}

/* Kept connections and the wake-up are watched as well, but they alone are no reason to wait. */
static bool nothing_to_wait_for(const struct mote_multi *m, unsigned extra)
{
  return !extra && !(m->running && m->set.by_fd.count) && mote_multi_next(m) < 0;
}

/* curl_multi_wait returns at once when there is nothing to wait for. curl_multi_poll, which wake-ups end,
 * does not. */
static CURLMcode multi_drive_wait_for(CURLM *multi, struct mote_wait wait, int *ret)
{
  struct mote_multi_handle *h;
  CURLMcode rc = check_look(multi, &h);
  if(rc)
    return rc;
  if(wait.timeout_ms < 0 || (wait.extra_count && !wait.extra))
    return CURLM_BAD_FUNCTION_ARGUMENT;
  if(!wait.with_wake && nothing_to_wait_for(&h->m, wait.extra_count))
    wait.timeout_ms = 0;
  wait.timeout_ms = clip_timeout(&h->m, wait.timeout_ms);
  rc = mote_waitset_wait(&h->m.set, &wait);
  if(ret)
    *ret = wait.events;
  return rc;
}

CURLMcode curl_multi_wait(CURLM *multi, struct curl_waitfd extra_fds[], unsigned int extra_nfds,
                          int timeout_ms, int *ret)
{
  struct mote_wait wait = {.extra = extra_fds, .extra_count = extra_nfds, .timeout_ms = timeout_ms};
  return multi_drive_wait_for(multi, wait, ret);
}

CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd extra_fds[], unsigned int extra_nfds,
                          int timeout_ms, int *ret)
{
  struct mote_wait wait = {.extra = extra_fds, .extra_count = extra_nfds, .timeout_ms = timeout_ms,
                           .with_wake = true};
  return multi_drive_wait_for(multi, wait, ret);
}

CURLMcode curl_multi_wakeup(CURLM *multi)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  return h ? mote_waitset_wake(&h->m.set) : CURLM_BAD_HANDLE;
}

struct fd_lists {
  fd_set *read;  /* the application's, or NULL */
  fd_set *write; /* likewise */
  int max;       /* highest descriptor; -1: none */
};

static void add_to_fdset(struct mote_watch *w, void *arg)
{
  struct fd_lists *l = arg;
  if(!mote_port_select_takes(w->fd)) /* select cannot; the transfer's own timers still drive it */
    return;
  if((w->want & MOTE_WANT_IN) && l->read)
    mote_port_select_add(w->fd, l->read);
  if((w->want & MOTE_WANT_OUT) && l->write)
    mote_port_select_add(w->fd, l->write);
  if((int)w->fd > l->max)
    l->max = (int)w->fd;
}

CURLMcode curl_multi_fdset(CURLM *multi, fd_set *read_fd_set, fd_set *write_fd_set, fd_set *exc_fd_set,
                           int *max_fd)
{
  struct mote_multi_handle *h;
  struct fd_lists l = {read_fd_set, write_fd_set, -1};
  CURLMcode rc = check_look(multi, &h);
  (void)exc_fd_set;
  if(rc)
    return rc;
  mote_waitset_each(&h->m.set, add_to_fdset, &l);
  if(max_fd)
    *max_fd = l.max;
  return CURLM_OK;
}

struct waitfd_list {
  struct curl_waitfd *fds; /* the application's; NULL with size 0 */
  unsigned size;           /* room at fds */
  unsigned count;          /* descriptors, also those without room */
};

static void add_to_waitfds(struct mote_watch *w, void *arg)
{
  struct waitfd_list *l = arg;
  if(l->count < l->size) {
    l->fds[l->count].fd = w->fd;
    l->fds[l->count].events = (short)((w->want & MOTE_WANT_IN ? CURL_WAIT_POLLIN : 0) |
                                      (w->want & MOTE_WANT_OUT ? CURL_WAIT_POLLOUT : 0));
    l->fds[l->count].revents = 0;
  }
  l->count++;
}

CURLMcode curl_multi_waitfds(CURLM *multi, struct curl_waitfd *ufds, unsigned int size,
                             unsigned int *fd_count)
{
  struct mote_multi_handle *h;
  struct waitfd_list l = {ufds, size, 0};
  CURLMcode rc = check_look(multi, &h);
  if(rc)
    return rc;
  if(!ufds && (size || !fd_count))
    return CURLM_BAD_FUNCTION_ARGUMENT;
  mote_waitset_each(&h->m.set, add_to_waitfds, &l);
  if(fd_count)
    *fd_count = l.count;
  return l.count > size && ufds ? CURLM_OUT_OF_MEMORY : CURLM_OK;
}

CURLMcode curl_multi_timeout(CURLM *multi, long *timeout_ms)
{
  struct mote_multi_handle *h;
  CURLMcode rc = check_look(multi, &h);
  int64_t next;
  if(rc)
    return rc;
  if(!timeout_ms)
    return CURLM_BAD_FUNCTION_ARGUMENT;
  next = mote_multi_next(&h->m);
  *timeout_ms = next < 0 ? -1 : mote_time_wait_ms(next);
  return CURLM_OK;
}

static unsigned multi_drive_events_of(int mask)
{
  unsigned in = mask & CURL_CSELECT_IN ? MOTE_WANT_IN : 0u;
  unsigned events = in | (mask & CURL_CSELECT_OUT ? MOTE_WANT_OUT : 0u);
  return !mask || (mask & CURL_CSELECT_ERR) ? MOTE_WANT_IN | MOTE_WANT_OUT : events;
}

CURLMcode curl_multi_socket_action(CURLM *multi, curl_socket_t s, int ev_bitmask, int *running_handles)
{
  struct mote_multi_handle *h;
  CURLMcode rc = multi_drive_check(multi, &h);
  if(rc)
    return rc;
  if(s == CURL_SOCKET_TIMEOUT)
    h->m.announced = 0; /* the application's timer has fired and needs to be set again */
  else {
    struct mote_watch *w = mote_watch_find(&h->m.set, s);
    if(w)
      w->ready(w, multi_drive_events_of(ev_bitmask));
  }
  return multi_drive_run(&h->m, running_handles);
}

CURLMcode(curl_multi_socket)(CURLM *multi, curl_socket_t s, int *running_handles)
{
  return curl_multi_socket_action(multi, s, 0, running_handles);
}

static void mark_ready(struct mote_watch *w, void *arg)
{
  (void)arg;
  w->ready(w, MOTE_WANT_IN | MOTE_WANT_OUT);
}

CURLMcode curl_multi_socket_all(CURLM *multi, int *running_handles)
{
  struct mote_multi_handle *h;
  CURLMcode rc = multi_drive_check(multi, &h);
  if(rc)
    return rc;
  mote_waitset_each(&h->m.set, mark_ready, NULL);
  return multi_drive_run(&h->m, running_handles);
}

CURLMcode curl_multi_assign(CURLM *multi, curl_socket_t sockfd, void *sockp)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  struct mote_watch *w;
  if(!h)
    return CURLM_BAD_HANDLE;
  w = mote_watch_find(&h->m.set, sockfd);
  if(!w)
    return CURLM_BAD_SOCKET;
  w->app = sockp;
  return CURLM_OK;
}
