/* net/names/names.c: the lookups under way (net/names/names.h). */
#include "net/names/names.h"

#include <string.h>

#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "net/names/address.h"
#include "net/names/answers.h"
#include "net/names/lookup.h"
#include "net/waitset.h"
#include "port/port.h"

#define KEPT_MAX 60u         /* seconds: as long as an answer is cached by default */

struct mote_lookup {
  struct mote_list link;         /* in names->lookups */
  struct mote_list waiters;      /* empty: all have left */
  struct mote_job *job;
  struct mote_waitset *set;
  uint16_t port;
  uint16_t kept_since;           /* while it is kept: the second in which it ended, modulo 2^16 */
  bool running;                  /* has a thread; else it waits for one */
  bool shuffle;
  bool cache;
  bool kept;                     /* it is over, and waits for the next query */
};

void mote_names_init(struct mote_names *n, struct mote_account *account)
{
  mote_hash_init(&n->by_name, account);
  mote_list_init(&n->order);
  mote_list_init(&n->lookups);
  n->account = account;
  n->count = 0;
  n->max_lookups = 0;
  n->running = 0;
}

/* ---- lookups ---- */

static void net_names_set_wake(struct mote_lookup *l, struct mote_waitset *set)
{
  if(l->job->way->set_wake)
    l->job->way->set_wake(l->job, set);
}

static void drop_lookup(struct mote_names *n, struct mote_lookup *l)
{
  if(l->running && l->job->way->in_thread)
    n->running--;
  net_names_set_wake(l, NULL);
  l->job->way->release(l->job);
  mote_list_remove(&l->link);
  mote_mem_free(n->account, MOTE_PART_NAME, l, sizeof *l);
}

static struct mote_lookup *net_names_lookup_of(struct mote_list *link)
{
  return mote_container_of(link, struct mote_lookup, link);
}

void mote_names_close(struct mote_names *n)
{
  while(!mote_list_empty(&n->lookups))
    drop_lookup(n, net_names_lookup_of(n->lookups.next));
  mote_names_prune(n, 0, -1);
  mote_hash_close(&n->by_name);
}

static bool net_names_is_queued(const struct mote_lookup *l)
{
  return !l->running && !l->kept;
}

/* For walks over the kept and the running ones. NULL: `at` is a queued one, or the end. */
static struct mote_lookup *net_names_started(struct mote_names *n, struct mote_list *at)
{
  struct mote_lookup *l = net_names_lookup_of(at);
  return at == &n->lookups || net_names_is_queued(l) ? NULL : l;
}

static bool has_waiters(const struct mote_names *n)
{
  const struct mote_list *i;
  for(i = n->lookups.next; i != &n->lookups; i = i->next)
    if(!mote_list_empty(&mote_container_of(i, const struct mote_lookup, link)->waiters))
      return true;
  return false;
}

/* An application that watches the descriptors need not watch our wake-up while no transfer waits. */
static void watch_less(struct mote_names *n, struct mote_waitset *set)
{
  if(set->app && !has_waiters(n))
    (void)mote_waitset_want_wake(set, MOTE_WAKE_FOR_NAMES, false);
}

/* The end of this lookup matters again. */
static void net_names_listen_to(struct mote_lookup *l)
{
  net_names_set_wake(l, l->set);
  if(l->job->way->done(l->job))
    (void)mote_waitset_wake(l->set);
}

/* l has begun to run, so that it has to be in front of those that are queued. */
static void net_names_set_running(struct mote_names *n, struct mote_lookup *l)
{
  struct mote_list *first = n->lookups.next;
  l->running = true;
  if(l->link.prev == &n->lookups || !net_names_is_queued(net_names_lookup_of(l->link.prev)))
    return;
  mote_list_remove(&l->link);
  mote_list_prepend(net_names_lookup_of(first)->kept ? first : &n->lookups, &l->link);
}

static bool is_full(const struct mote_names *n)
{
  return n->running >= (n->max_lookups ? n->max_lookups : MOTE_LOOKUPS_DEFAULT);
}

/* Starts a thread for l, or leaves l in the queue. CURLE_OUT_OF_MEMORY when neither is possible: no thread is
 * under way whose end would be the moment to retry. */
static CURLcode net_names_launch(struct mote_names *n, struct mote_lookup *l)
{
  struct mote_lookup *other;
  struct mote_list *i;
  if(!l->job->way->in_thread) {
    net_names_set_running(n, l);
    return l->job->way->start(l->job) ? CURLE_OUT_OF_MEMORY : CURLE_OK;
  }
  if(!is_full(n)) {
    net_names_set_wake(l, l->set);
    if(!l->job->way->start(l->job)) {
      net_names_set_running(n, l);
      n->running++;
      return CURLE_OK;
    }
  }
  if(!n->running)
    return CURLE_OUT_OF_MEMORY;
  for(i = n->lookups.next; (other = net_names_started(n, i)) != NULL; i = i->next)
    if(other->running && mote_list_empty(&other->waiters))
      net_names_listen_to(other);
  return CURLE_OK;
}

static bool net_names_is_orphaned(const struct mote_lookup *l)
{
  return l->running && l->job->way->orphaned && l->job->way->orphaned(l->job);
}

/* A child of fork has the lookups of its parent and not their threads. Those with a waiter become the first
 * ones of the queue, from which start_queued() starts them. */
static void net_names_end_orphans(struct mote_names *n)
{
  struct mote_list *i = n->running ? n->lookups.next : &n->lookups;
  struct mote_list again;
  struct mote_lookup *l;
  mote_list_init(&again);
  while((l = net_names_started(n, i)) != NULL) {
    i = i->next;
    if(!net_names_is_orphaned(l))
      continue;
    l->running = false;
    n->running--;
    if(mote_list_empty(&l->waiters))
      drop_lookup(n, l);
    else
      mote_list_move(&again, &l->link);
  }
  while(!mote_list_empty(&again)) {
    struct mote_list *first = again.next;
    mote_list_move(i, first);
  }
}

static const struct mote_lookup_way *net_names_way_of(const struct mote_name_query *q)
{
  return q->way ? q->way : &mote_lookup_system;
}

static struct mote_lookup *find_lookup(struct mote_names *n, const struct mote_name_query *q,
                                       const struct mote_waitset *set)
{
  struct mote_list *i;
  for(i = n->lookups.next; i != &n->lookups; i = i->next) {
    struct mote_lookup *l = net_names_lookup_of(i);
    const struct mote_job *j = l->job;
    if(!l->kept && l->set == set && l->port == q->port && j->family == q->family &&
       j->way == net_names_way_of(q) && j->name_len == q->name_len &&
       mote_equal_nocase_n(j->name, q->name, q->name_len) && (!j->way->serves || j->way->serves(j, q)))
      return l;
  }
  return NULL;
}

/* The kept lookup is the first one. */
static struct mote_lookup *find_spare(struct mote_names *n)
{
  struct mote_lookup *l = mote_list_empty(&n->lookups) ? NULL : net_names_lookup_of(n->lookups.next);
  return l && l->kept ? l : NULL;
}

/* Takes the kept lookup for the query, or frees it if it does not suit. */
static struct mote_lookup *take_spare(struct mote_names *n, const struct mote_name_query *q,
                                      struct mote_waitset *set)
{
  struct mote_lookup *l = q->way && q->way->again ? find_spare(n) : NULL;
  if(!l)
    return NULL;
  if(l->set != set || l->job->way != q->way || !q->way->again(l->job, q)) {
    drop_lookup(n, l);
    return NULL;
  }
  l->kept = l->shuffle = l->cache = false;
  l->port = q->port;
  mote_list_remove(&l->link);
  mote_list_append(&n->lookups, &l->link);
  return l;
}

static struct mote_lookup *make_lookup(struct mote_names *n, const struct mote_name_query *q,
                                       struct mote_waitset *set)
{
  struct mote_lookup *l = take_spare(n, q, set);
  if(l)
    return l;
  l = mote_mem_zalloc(n->account, MOTE_PART_NAME, sizeof *l);
  if(!l)
    return NULL;
  l->job = net_names_way_of(q)->make(q);
  if(!l->job) {
    mote_mem_free(n->account, MOTE_PART_NAME, l, sizeof *l);
    return NULL;
  }
  l->set = set;
  l->port = q->port;
  mote_list_init(&l->waiters);
  mote_list_append(&n->lookups, &l->link);
  return l;
}

static struct mote_name_wait *wait_of(struct mote_list *link)
{
  return mote_container_of(link, struct mote_name_wait, link);
}

/* A waiter has left, or has failed to join. The oldest one that is left stands in for it. After the last one
 * a running thread goes on without waking the set, and any other lookup is dropped. */
static void net_names_left(struct mote_names *n, struct mote_lookup *l)
{
  if(!mote_list_empty(&l->waiters)) {
    if(l->job->way->adopt)
      l->job->way->adopt(l->job, wait_of(l->waiters.next)->asker);
    return;
  }
  watch_less(n, l->set);
  if(l->running && l->job->way->in_thread)
    net_names_set_wake(l, NULL);
  else
    drop_lookup(n, l);
}

static CURLcode join_or_start(struct mote_names *n, const struct mote_name_query *q, struct mote_waitset *set,
                              struct mote_name_wait *w)
{
  bool made, in_thread = net_names_way_of(q)->in_thread;
  struct mote_lookup *l;
  net_names_end_orphans(n);
  l = find_lookup(n, q, set);
  made = !l;
  if(in_thread && mote_names_in_threads() && mote_waitset_open_wake(set))
    return CURLE_OUT_OF_MEMORY;
  if(made)
    l = make_lookup(n, q, set);
  if(!l)
    return CURLE_OUT_OF_MEMORY;
  if(made && net_names_launch(n, l)) {
    drop_lookup(n, l);
    return CURLE_OUT_OF_MEMORY;
  }
  if(in_thread && mote_waitset_want_wake(set, MOTE_WAKE_FOR_NAMES, true)) {
    net_names_left(n, l);
    return CURLE_OUT_OF_MEMORY;
  }
  if(!made && mote_list_empty(&l->waiters))
    net_names_listen_to(l);
  w->lookup = l;
  w->asker = q->asker;
  l->shuffle = l->shuffle || q->shuffle;
  l->cache = l->cache || (q->max_age_us && !q->shared);
  mote_list_append(&l->waiters, &w->link);
  return CURLE_AGAIN;
}

/* The name is `domain` or ends in it, with or without a dot at the end. */
static bool is_below(const char *name, size_t len, const char *domain)
{
  const size_t n = strlen(domain);
  if(len && name[len - 1] == '.')
    len--;
  if(len < n || !mote_equal_nocase_n(name + len - n, domain, n))
    return false;
  return len == n || name[len - n - 1] == '.';
}

static CURLcode answer_localhost(struct mote_names *n, const struct mote_name_query *q,
                                 struct mote_answer **out)
{
  struct mote_addr both[2];
  size_t count = 0;
  memset(both, 0, sizeof both);
  if(q->family != MOTE_FAMILY_IP4) {
    both[count].family = MOTE_FAMILY_IP6;
    both[count++].ip[15] = 1;
  }
  if(q->family != MOTE_FAMILY_IP6) {
    both[count].family = MOTE_FAMILY_IP4;
    both[count].ip[0] = 127;
    both[count++].ip[3] = 1;
  }
  *out = mote_answer_new(n->account, (struct mote_slice){q->name, q->name_len}, q->port, both, count);
  return *out ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

CURLcode mote_names_ask(struct mote_names *n, const struct mote_name_query *q, struct mote_waitset *set,
                        struct mote_name_wait *w, struct mote_answer **out)
{
  struct mote_answer *a = mote_names_find(n, q);
  if(a) {
    a->refs++;
    *out = a;
    return CURLE_OK;
  }
  if(q->name_len > UINT16_MAX || mote_name_is_onion(q->name, q->name_len))
    return CURLE_COULDNT_RESOLVE_HOST;
  if(is_below(q->name, q->name_len, "localhost"))
    return answer_localhost(n, q, out);
  return join_or_start(n, q, set, w);
}

void mote_names_leave(struct mote_names *n, struct mote_name_wait *w)
{
  struct mote_lookup *l = w->lookup;
  if(!mote_list_linked(&w->link))
    return;
  mote_list_remove(&w->link);
  net_names_left(n, l);
}

void mote_names_hand_over(struct mote_name_wait *w, void *asker)
{
  const struct mote_job *j;
  w->asker = asker;
  if(!mote_list_linked(&w->link))
    return;
  j = w->lookup->job;
  if(j->way->adopt)
    j->way->adopt(w->lookup->job, wait_of(w->lookup->waiters.next)->asker);
}


/* Fisher-Yates with the platform's random numbers. Without these the order stays. */
static void shuffle(struct mote_addr *a, size_t count)
{
  uint32_t r[MOTE_LOOKUP_MAX];
  size_t i;
  if(count < 2 || mote_port_random(r, count * sizeof r[0]))
    return;
  for(i = count - 1; i; i--) {
    size_t j = r[i] % (i + 1);
    struct mote_addr swap = a[i];
    a[i] = a[j];
    a[j] = swap;
  }
}

static CURLcode net_names_judge(const struct mote_job *j)
{
  if(j->error == 0 || j->count)
    return CURLE_OK;
  return j->error == MOTE_PORT_NO_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_COULDNT_RESOLVE_HOST;
}

static void notify_waiters(struct mote_lookup *l, struct mote_answer *a, CURLcode rc)
{
  while(!mote_list_empty(&l->waiters)) {
    struct mote_name_wait *w = wait_of(l->waiters.next);
    mote_list_remove(&w->link);
    if(a)
      a->refs++;
    w->done(w, a, rc);
  }
}

static uint16_t second_of(mote_time now)
{
  return (uint16_t)(now / MOTE_SECOND);
}

/* One is kept, the last. */
static void keep_or_drop(struct mote_names *n, struct mote_lookup *l, mote_time now)
{
  struct mote_lookup *spare;
  if(!l->job->way->keeps || !l->job->way->keeps(l->job)) {
    drop_lookup(n, l);
    return;
  }
  spare = find_spare(n);
  if(spare)
    drop_lookup(n, spare);
  mote_list_remove(&l->link);
  mote_list_prepend(&n->lookups, &l->link);
  l->running = false;
  l->kept = true;
  l->kept_since = second_of(now);
}

static void net_names_finish(struct mote_names *n, struct mote_lookup *l, mote_time now)
{
  struct mote_job *j = l->job;
  CURLcode rc = net_names_judge(j);
  bool missing = rc == CURLE_COULDNT_RESOLVE_HOST && j->error == MOTE_PORT_NO_NAME;
  struct mote_answer *a = NULL;
  if(l->shuffle)
    shuffle(j->found, j->count);
  if(!rc || missing)
    a = mote_answer_new(n->account, (struct mote_slice){j->name, j->name_len}, l->port, j->found,
                    rc ? 0 : j->count);
  if(!rc && !a)
    rc = CURLE_OUT_OF_MEMORY;
  if(a) {
    a->family = (uint8_t)j->family;
    a->ttl = (uint16_t)(j->ttl < UINT16_MAX ? j->ttl : j->ttl == MOTE_LOOKUP_NO_TTL ? 0 : UINT16_MAX);
    a->passing = !j->ttl;
    mote_answer_take_service(a, j);
    if(l->cache && !a->passing)
      mote_names_replace(n, a, now);
  }
  notify_waiters(l, a, rc);
  if(a)
    mote_answer_unref(a);
  keep_or_drop(n, l, now);
}

/* Starts threads for lookups in the queue, `first` and those after it, until one has to wait. */
static void start_queued(struct mote_names *n, struct mote_list *first)
{
  while(first != &n->lookups && !is_full(n)) {
    struct mote_lookup *l = net_names_lookup_of(first);
    CURLcode rc = net_names_launch(n, l);
    first = first->next;
    if(!rc && !l->running)
      return;
    if(!rc)
      continue;
    notify_waiters(l, NULL, CURLE_OUT_OF_MEMORY);
    drop_lookup(n, l);
  }
}

void mote_names_collect(struct mote_names *n, mote_time now)
{
  struct mote_lookup *spare = find_spare(n);
  struct mote_waitset *set = NULL;
  struct mote_lookup *l;
  struct mote_list *i;
  net_names_end_orphans(n);
  if(spare && (uint16_t)(second_of(now) - spare->kept_since) > KEPT_MAX)
    drop_lookup(n, spare);
  i = n->lookups.next;
  while((l = net_names_started(n, i)) != NULL) {
    i = i->next;
    if(l->running && l->job->way->done(l->job)) {
      set = l->set;
      net_names_finish(n, l, now);
    }
  }
  start_queued(n, i);
  if(set)
    watch_less(n, set);
}

void mote_names_ceiling(size_t name_len, struct mote_ceiling *cache, struct mote_ceiling *process)
{
  uint16_t len = name_len < UINT16_MAX ? (uint16_t)name_len : UINT16_MAX; /* longer ones are refused */
  mote_ceiling_add(cache, 1, sizeof(struct mote_lookup));
  mote_ceiling_add(cache, 1, mote_answer_size(MOTE_LOOKUP_MAX, len));
  mote_ceiling_add(process, 1, mote_lookup_size(len));
}
