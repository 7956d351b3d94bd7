/* net/waitset.c: waits whose cost depends on what is ready, not on what is watched. */
#include "net/waitset.h"

#include <string.h>

#include "base/containers/list.h"
#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "net/stream.h"
#include "net/wakeup.h"
#include "port/port.h"
#include "port/set.h"
#include "port/wake.h"

#define BLIND_WAIT_MS 100 /* longest wait without a wake-up's descriptor */
#define MAX_EVENTS 64 /* kernel events taken by one call */
#define MAX_ROUNDS 16 /* such calls in a row */
#define MAX_POLL 64   /* poll entries on the stack; more come from the account */

extern inline CURLcode mote_watch_want(struct mote_waitset *set, struct mote_watch *w, unsigned want);

static void drain_wake(struct mote_watch *w, unsigned events)
{
  struct mote_wakeup *u = mote_container_of(w, struct mote_wakeup, watch);
  (void)events;
  if(u->set->takes_wake)
    atomic_store(&u->set->woken, false); /* before draining, so that no later wake-up is lost */
  (void)mote_port_wake_drain(&u->ends);
}

bool mote_watch_is_wake(const struct mote_watch *w)
{
  return w->ready == drain_wake;
}

static uint32_t own_pid(void)
{
  return (uint32_t)mote_port_pid();
}

void mote_waitset_init(struct mote_waitset *set, struct mote_account *account)
{
  memset(set, 0, sizeof *set);
  mote_hash_init(&set->by_fd, account);
  set->kernel = CURL_SOCKET_BAD;
  set->parting = CURL_SOCKET_BAD;
  atomic_init(&set->woken, false);
  atomic_init(&set->wake_open, false);
}

void mote_waitset_ceiling(const struct mote_waitset *set, uint32_t more, struct mote_ceiling *c)
{
  mote_hash_ceiling(set ? &set->by_fd : NULL, more + 1, c);
  mote_ceiling_add(c, 1, sizeof(struct mote_wakeup));
}

static bool has_kernel(const struct mote_waitset *set)
{
  return mote_port_is_set(set->kernel);
}

/* Whether the kernel set is one of the descriptors of a wait that has others, too. */
static bool nests_kernel(const struct mote_waitset *set)
{
  return has_kernel(set) && mote_port_set_nests();
}

static void close_kernel(struct mote_waitset *set)
{
  if(has_kernel(set))
    mote_port_set_close(set->kernel, set->owner_pid);
  set->kernel = CURL_SOCKET_BAD;
}

/* A child of fork shares the parent's set of the kernel: what it took out would be gone for the parent. */
static bool has_own_kernel(struct mote_waitset *set)
{
  if(has_kernel(set) && set->owner_pid != own_pid())
    close_kernel(set);
  return has_kernel(set);
}

void mote_watch_init(struct mote_watch *w, void (*ready)(struct mote_watch *w, unsigned events))
{
  memset(w, 0, sizeof *w);
  w->fd = CURL_SOCKET_BAD;
  w->ready = ready;
}

void mote_watch_add(struct mote_waitset *set, struct mote_watch *w, curl_socket_t fd)
{
  w->fd = fd;
  w->want = 0;
  w->known = 0;
  w->error = 0;
  w->app = NULL;
  mote_hash_insert(&set->by_fd, &w->node, (uint32_t)fd);
}

static int poll_what(unsigned want)
{
  return (want & MOTE_WANT_IN ? CURL_POLL_IN : 0) | (want & MOTE_WANT_OUT ? CURL_POLL_OUT : 0);
}

static CURLcode notify_app(struct mote_waitset *set, struct mote_watch *w, unsigned want)
{
  bool ok = set->app->notify(set, w, want ? poll_what(want) : CURL_POLL_REMOVE);
  w->known = (uint8_t)want;
  if(!want)
    w->app = NULL;
  return ok ? CURLE_OK : CURLE_ABORTED_BY_CALLBACK;
}

static unsigned port_events(unsigned want)
{
  return (want & MOTE_WANT_IN ? CURL_WAIT_POLLIN : 0u) | (want & MOTE_WANT_OUT ? CURL_WAIT_POLLOUT : 0u);
}

static CURLcode change_kernel(struct mote_waitset *set, struct mote_watch *w, unsigned want)
{
  if(mote_port_set_change(set->kernel, w->fd, port_events(w->known), port_events(want), w) && want)
    return CURLE_OUT_OF_MEMORY;
  w->known = (uint8_t)want;
  return CURLE_OK;
}

/* The one before has had its chance: a transfer that goes on wants its next descriptor in the same step. */
static CURLcode part_later(struct mote_waitset *set, const struct mote_watch *w)
{
  if(set->parting == w->fd)
    return CURLE_OK;
  mote_waitset_settle(set);
  set->parting = w->fd;
  return CURLE_OK;
}

CURLcode mote_watch_change(struct mote_waitset *set, struct mote_watch *w, unsigned want)
{
  if(set->app)
    return want ? notify_app(set, w, want) : part_later(set, w);
  if(has_own_kernel(set))
    return change_kernel(set, w, want);
  w->known = (uint8_t)want; /* each wait asks for it; add_to_kernel() and forget_known() begin again */
  return CURLE_OK;
}

void mote_watch_part(struct mote_waitset *set, struct mote_watch *w, CURL *handle)
{
  (void)mote_watch_want(set, w, 0);
  if(w->fd == CURL_SOCKET_BAD || set->parting != w->fd)
    return;
  w->user = handle;
  w->parted = true;
}

void mote_waitset_end_parting(struct mote_waitset *set)
{
  struct mote_watch *w = mote_watch_find(set, set->parting);
  set->parting = CURL_SOCKET_BAD;
  if(!w->want && w->known)
    (void)notify_app(set, w, 0);
  if(w->parted)
    w->user = NULL;
  w->parted = false;
}

void mote_watch_remove(struct mote_waitset *set, struct mote_watch *w)
{
  if(w->fd == CURL_SOCKET_BAD)
    return;
  if(set->parting == w->fd)
    mote_waitset_settle(set);
  if(w->known && set->app)
    (void)notify_app(set, w, 0);
  else if(w->known && has_own_kernel(set))
    (void)change_kernel(set, w, 0);
  w->known = 0;
  w->want = 0;
  mote_hash_remove(&set->by_fd, &w->node);
  w->fd = CURL_SOCKET_BAD;
}

/* The kernel set has the address of the watch. */
void mote_watch_move(struct mote_waitset *set, struct mote_watch *from, struct mote_watch *to)
{
  mote_hash_remove(&set->by_fd, &from->node);
  to->fd = from->fd;
  to->want = from->want;
  to->known = from->known;
  to->error = from->error;
  to->app = from->app;
  mote_hash_insert(&set->by_fd, &to->node, (uint32_t)to->fd);
  from->fd = CURL_SOCKET_BAD;
  from->known = 0;
  from->app = NULL;
  if(!set->app && to->known && has_own_kernel(set) && change_kernel(set, to, to->known))
    to->known = 0; /* the next wish adds it */
}

static void close_wake(struct mote_waitset *set)
{
  struct mote_wakeup *u = set->wakeup;
  if(!u)
    return;
  atomic_store(&set->wake_open, false);
  mote_watch_remove(set, &u->watch);
  mote_port_wake_close(&u->ends);
  mote_mem_free(set->by_fd.account, MOTE_PART_MULTI, u, sizeof *u);
  set->wakeup = NULL;
}

void mote_waitset_close(struct mote_waitset *set)
{
  close_wake(set);
  close_kernel(set);
  mote_hash_close(&set->by_fd);
}

struct mote_watch *mote_watch_find(const struct mote_waitset *set, curl_socket_t fd)
{
  struct mote_hash_node *n;
  for(n = mote_hash_chain(&set->by_fd, (uint32_t)fd); n; n = n->next) {
    struct mote_watch *w = mote_container_of(n, struct mote_watch, node);
    if(w->fd == fd)
      return w;
  }
  return NULL;
}

void mote_waitset_each(const struct mote_waitset *set, void (*f)(struct mote_watch *w, void *arg), void *arg)
{
  size_t i, buckets = (size_t)1 << set->by_fd.bits;
  for(i = 0; i < buckets; i++) {
    struct mote_hash_node *n = set->by_fd.bits ? set->by_fd.buckets[i] : set->by_fd.small;
    while(n) {
      struct mote_watch *w = mote_container_of(n, struct mote_watch, node);
      n = n->next;
      if(w->want)
        f(w, arg);
    }
  }
}

static void forget_known(struct mote_watch *w, void *arg)
{
  (void)arg;
  w->known = 0;
}

void mote_waitset_watched_by(struct mote_waitset *set, const struct mote_waitset_app *app)
{
  if(set->app == app)
    return;
  close_kernel(set);
  mote_waitset_each(set, forget_known, NULL);
  set->parting = CURL_SOCKET_BAD;
  set->app = app;
}

struct filling {
  struct mote_waitset *set;
  bool failed;
};

static void add_to_kernel(struct mote_watch *w, void *arg)
{
  struct filling *f = arg;
  w->known = 0;
  f->failed = f->failed || change_kernel(f->set, w, w->want) != CURLE_OK;
}

/* A child of fork must not share the parent's kernel set and wake-up. */
static void renew_after_fork(struct mote_waitset *set)
{
  uint32_t pid;
  if(!has_kernel(set) && !set->wakeup)
    return;
  pid = own_pid();
  if(set->owner_pid == pid)
    return;
  close_kernel(set);
  set->owner_pid = pid;
  if(set->wakeup) {
    close_wake(set);
    (void)mote_waitset_open_wake(set);
  }
}

/* Makes a kernel set when there are many watches. Where that fails, for one watch or all, polling goes on. */
static void prepare_kernel(struct mote_waitset *set)
{
  struct filling f = {set, false};
  renew_after_fork(set);
  if(set->app || has_kernel(set) || set->by_fd.count <= MOTE_WAIT_SMALL)
    return;
  set->owner_pid = own_pid();
  if(mote_port_set_open(&set->kernel)) {
    set->kernel = CURL_SOCKET_BAD;
    return;
  }
  mote_waitset_each(set, add_to_kernel, &f);
  if(f.failed)
    close_kernel(set);
}

struct poll_list {
  struct curl_waitfd *entries;
  struct mote_watch **watches;
  unsigned count;
  unsigned cap;
};

static void net_waitset_collect(struct mote_watch *w, void *arg)
{
  struct poll_list *l = arg;
  if(l->count == l->cap)
    return;
  l->entries[l->count].fd = w->fd;
  l->entries[l->count].events = (short)port_events(w->want);
  l->entries[l->count].revents = 0;
  l->watches[l->count++] = w;
}

/* An error or a hang-up counts as what is waited for, since the next call on the descriptor reports it. */
static void net_waitset_fire(struct mote_watch *w, unsigned ready)
{
  unsigned in = ready & CURL_WAIT_POLLIN ? MOTE_WANT_IN : 0u;
  unsigned events = in | (ready & CURL_WAIT_POLLOUT ? MOTE_WANT_OUT : 0u);
  w->error = (ready & (MOTE_POLL_ERROR | MOTE_POLL_HANGUP | MOTE_POLL_INVALID)) != 0;
  w->ready(w, w->error ? events | w->want : events);
}

/* The kernel returns descriptors that are still ready again, so that the second appearance of the first one
 * ends the rounds. The `ready` of one watch may have removed another. */
static bool count_and_fire(const struct mote_port_event *ev, unsigned n, const void **first, int *events)
{
  unsigned i;
  for(i = 0; i < n; i++) {
    struct mote_watch *w = ev[i].tag;
    if(w == *first)
      return false;
    if(!*first)
      *first = w;
    if(w->fd == CURL_SOCKET_BAD)
      continue;
    *events += !mote_watch_is_wake(w);
    net_waitset_fire(w, ev[i].ready);
  }
  return n == MAX_EVENTS;
}

/* Waits in the first round only; later ones take what else is ready. */
static CURLMcode wait_kernel(struct mote_waitset *set, int timeout_ms, int *events)
{
  struct mote_port_event ev[MAX_EVENTS];
  const void *first = NULL;
  unsigned n, rounds = 0;
  do {
    if(mote_port_set_wait(set->kernel, ev, MAX_EVENTS, timeout_ms, &n))
      return CURLM_UNRECOVERABLE_POLL;
    timeout_ms = 0;
  } while(count_and_fire(ev, n, &first, events) && ++rounds < MAX_ROUNDS);
  set->polled = true;
  return CURLM_OK;
}

/* Layout of the poll array: [watches, or the kernel set] [the application's own]. */
static unsigned net_waitset_fill(struct mote_waitset *set, struct poll_list *l, const struct mote_wait *wait)
{
  unsigned ours;
  if(nests_kernel(set)) {
    l->entries[0].fd = set->kernel;
    l->entries[0].events = CURL_WAIT_POLLIN;
    l->entries[0].revents = 0;
    l->count = 1;
  }
  else
    mote_waitset_each(set, net_waitset_collect, l);
  ours = l->count;
  if(wait->extra_count)
    memcpy(l->entries + ours, wait->extra, wait->extra_count * sizeof *wait->extra);
  l->count += wait->extra_count;
  return ours;
}

static CURLMcode dispatch(struct mote_waitset *set, struct poll_list *l, unsigned ours,
                          struct mote_wait *wait)
{
  unsigned i;
  for(i = 0; i < wait->extra_count; i++) {
    unsigned got = (unsigned short)l->entries[ours + i].revents;
    wait->events += got != 0;
    if(got & (MOTE_POLL_ERROR | MOTE_POLL_HANGUP | MOTE_POLL_INVALID))
      got |= CURL_WAIT_POLLIN;
    wait->extra[i].revents = (short)(got & (CURL_WAIT_POLLIN | CURL_WAIT_POLLPRI | CURL_WAIT_POLLOUT));
  }
  if(nests_kernel(set))
    return l->entries[0].revents ? wait_kernel(set, 0, &wait->events) : CURLM_OK;
  for(i = 0; i < ours; i++) {
    struct mote_watch *w = l->watches[i];
    if(!l->entries[i].revents || w->fd != l->entries[i].fd)
      continue;
    wait->events += !mote_watch_is_wake(w);
    net_waitset_fire(w, (unsigned short)l->entries[i].revents);
  }
  return CURLM_OK;
}

static CURLMcode wait_with(struct mote_waitset *set, struct poll_list *l, struct mote_wait *wait)
{
  unsigned ours = net_waitset_fill(set, l, wait), n;
  if(mote_port_poll(l->entries, l->count, wait->timeout_ms, &n))
    return CURLM_UNRECOVERABLE_POLL;
  set->polled = true;
  return n || wait->extra_count ? dispatch(set, l, ours, wait) : CURLM_OK;
}

/* The one watch of a set without buckets that is waited for. NULL: none or several are. */
static struct mote_watch *only_one(const struct mote_waitset *set)
{
  const struct mote_hash_node *node;
  struct mote_watch *one = NULL;
  for(node = set->by_fd.small; node; node = node->next) {
    struct mote_watch *w = mote_container_of(node, struct mote_watch, node);
    if(w->want && one)
      return NULL;
    if(w->want)
      one = w;
  }
  return one;
}

/* Most transfers wait so. */
static CURLMcode wait_one(struct mote_waitset *set, struct mote_watch *w, struct mote_wait *wait)
{
  struct curl_waitfd entry = {w->fd, (short)port_events(w->want), 0};
  unsigned ready;
  if(mote_port_poll(&entry, 1, wait->timeout_ms, &ready))
    return CURLM_UNRECOVERABLE_POLL;
  set->polled = true;
  if(entry.revents && w->fd == entry.fd) {
    wait->events += !mote_watch_is_wake(w);
    net_waitset_fire(w, (unsigned short)entry.revents);
  }
  return CURLM_OK;
}

/* Waits for the few descriptors of a set without buckets. */
static CURLMcode wait_few(struct mote_waitset *set, struct mote_wait *wait)
{
  struct curl_waitfd entries[MOTE_WAIT_SMALL];
  struct mote_watch *watches[MOTE_WAIT_SMALL];
  const struct mote_hash_node *node;
  unsigned n = 0, ready, i;
  for(node = set->by_fd.small; node; node = node->next) {
    struct mote_watch *w = mote_container_of(node, struct mote_watch, node);
    if(w->want) {
      entries[n].fd = w->fd;
      entries[n].events = (short)port_events(w->want);
      entries[n].revents = 0;
      watches[n++] = w;
    }
  }
  if(mote_port_poll(entries, n, wait->timeout_ms, &ready))
    return CURLM_UNRECOVERABLE_POLL;
  set->polled = true;
  for(i = 0; i < n && ready; i++)
    if(entries[i].revents) {
      ready--;
      if(watches[i]->fd != entries[i].fd)
        continue;
      wait->events += !mote_watch_is_wake(watches[i]);
      net_waitset_fire(watches[i], (unsigned short)entries[i].revents);
    }
  return CURLM_OK;
}

/* A wake-up that came before ends the wait at once. A program at its limit of descriptors, which still has
 * transfers to serve, waits for a short time only; its next wait sees the wake-up. */
static CURLMcode arm_wake(struct mote_waitset *set, int *timeout_ms)
{
  CURLMcode rc = mote_waitset_open_wake(set);
  if(rc == CURLM_WAKEUP_FAILURE && *timeout_ms > BLIND_WAIT_MS)
    *timeout_ms = BLIND_WAIT_MS;
  if(!rc && set->app)
    set->wakeup->watch.want = MOTE_WANT_IN; /* this wait is ours, not the application's */
  else if(!rc)
    (void)mote_watch_want(set, &set->wakeup->watch, MOTE_WANT_IN);
  if(atomic_exchange(&set->woken, false))
    *timeout_ms = 0;
  return rc == CURLM_WAKEUP_FAILURE ? CURLM_OK : rc;
}

static bool is_few(const struct mote_waitset *set)
{
  return !has_kernel(set) && !set->by_fd.bits && set->by_fd.count <= MOTE_WAIT_SMALL;
}

static CURLMcode wait_any(struct mote_waitset *set, struct mote_wait *wait)
{
  struct curl_waitfd entries[MAX_POLL];
  struct mote_watch *watches[MAX_POLL];
  struct poll_list l = {.entries = entries, .watches = watches};
  struct mote_account *account = set->by_fd.account;
  unsigned needed;
  CURLMcode rc;
  prepare_kernel(set);
  if(!wait->extra_count && has_kernel(set))
    return wait_kernel(set, wait->timeout_ms, &wait->events);
  if(!wait->extra_count && is_few(set))
    return wait_few(set, wait);
  l.cap = nests_kernel(set) ? 1 : set->by_fd.count;
  needed = l.cap + wait->extra_count;
  if(needed <= MAX_POLL)
    return wait_with(set, &l, wait);

  l.entries = mote_mem_alloc(account, MOTE_PART_MULTI, needed * sizeof *l.entries);
  if(!l.entries)
    return CURLM_OUT_OF_MEMORY;
  l.watches = mote_mem_alloc(account, MOTE_PART_MULTI, needed * sizeof *l.watches);
  rc = l.watches ? wait_with(set, &l, wait) : CURLM_OUT_OF_MEMORY;
  mote_mem_free(account, MOTE_PART_MULTI, l.watches, needed * sizeof *l.watches);
  mote_mem_free(account, MOTE_PART_MULTI, l.entries, needed * sizeof *l.entries);
  return rc;
}

/* What can have been inherited by a fork is looked at by wait_any() alone. */
CURLMcode mote_waitset_wait(struct mote_waitset *set, struct mote_wait *wait)
{
  CURLMcode rc = CURLM_OK;
  wait->events = 0;
  set->takes_wake = wait->with_wake;
  if(wait->with_wake)
    rc = arm_wake(set, &wait->timeout_ms);
  if(rc)
    return rc;
  if(!wait->extra_count && !set->wakeup && is_few(set)) {
    struct mote_watch *one = only_one(set);
    return one ? wait_one(set, one, wait) : wait_few(set, wait);
  }
  return wait_any(set, wait);
}

CURLMcode mote_waitset_open_wake(struct mote_waitset *set)
{
  struct mote_wakeup *u;
  struct mote_wake ends;
  if(set->wakeup)
    return CURLM_OK;
  if(mote_port_wake_open(&ends)) /* first, so that a port without wake-ups costs no allocation per wait */
    return CURLM_WAKEUP_FAILURE;
  u = mote_mem_alloc(set->by_fd.account, MOTE_PART_MULTI, sizeof *u);
  if(!u) {
    mote_port_wake_close(&ends);
    return CURLM_OUT_OF_MEMORY;
  }
  renew_after_fork(set); /* from here on the set counts as this process's */
  u->ends = ends;
  u->set = set;
  mote_watch_init(&u->watch, drain_wake);
  mote_watch_add(set, &u->watch, u->ends.in);
  set->wakeup = u;
  set->owner_pid = own_pid();
  if(!set->app)
    (void)mote_watch_want(set, &u->watch, MOTE_WANT_IN);
  atomic_store(&set->wake_open, true);
  return CURLM_OK;
}

CURLcode mote_waitset_watch_wake(struct mote_waitset *set, bool on)
{
  return set->wakeup ? mote_watch_want(set, &set->wakeup->watch, on ? MOTE_WANT_IN : 0) : CURLE_OK;
}

CURLMcode mote_waitset_wake(struct mote_waitset *set)
{
  atomic_store(&set->woken, true);
  if(atomic_load(&set->wake_open))
    return mote_port_wake_signal(&set->wakeup->ends) ? CURLM_WAKEUP_FAILURE : CURLM_OK;
  return CURLM_OK;
}
