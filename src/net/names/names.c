/* net/names/names.c: the name cache and the lookups under way. */
#include "net/names/names.h"

#include <string.h>

#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "base/report.h"
#include "net/names/address.h"
#include "net/names/lookup.h"
#include "net/names/preset.h"
#include "net/waitset.h"
#include "port/port.h"

#define MAX_CACHED 30000u    /* entries, whatever the timeout is (CURLOPT_DNS_CACHE_TIMEOUT(3)) */
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

static struct mote_addr *net_names_addresses(struct mote_answer *a)
{
  return a->addrs;
}

static char *net_names_name_of(struct mote_answer *a)
{
  return (char *)(a->addrs + a->count);
}

static size_t net_names_answer_size(uint16_t count, uint16_t name_len)
{
  return sizeof(struct mote_answer) + count * sizeof(struct mote_addr) + name_len;
}

void mote_answer_unref(struct mote_answer *a)
{
  if(--a->refs)
    return;
  mote_answer_drop_service(a);
  mote_mem_free(a->account, MOTE_PART_NAME, a, net_names_answer_size(a->count, a->name_len));
}

static struct mote_answer *make_answer(struct mote_account *account, struct mote_slice name, uint16_t port,
                                       const struct mote_addr *found, size_t count)
{
  struct mote_answer *a =
    mote_mem_zalloc(account, MOTE_PART_NAME, net_names_answer_size((uint16_t)count, (uint16_t)name.len));
  size_t i;
  if(!a)
    return NULL;
  a->account = account;
  a->refs = 1;
  a->count = (uint16_t)count;
  a->port = port;
  a->name_len = (uint16_t)name.len;
  if(count)
    memcpy(net_names_addresses(a), found, count * sizeof *found);
  for(i = 0; i < name.len; i++)
    net_names_name_of(a)[i] = mote_to_lower(name.ptr[i]);
  mote_list_init(&a->link);
  return a;
}

/* ---- the cache ---- */

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

static struct mote_answer *net_names_answer_of(struct mote_list *l)
{
  return mote_container_of(l, struct mote_answer, link);
}

static void uncache(struct mote_names *n, struct mote_answer *a)
{
  mote_hash_remove(&n->by_name, &a->node);
  mote_list_remove(&a->link);
  a->cached = false;
  n->count--;
  mote_answer_unref(a);
}

/* FNV over the lower-case name, so that case does not matter, and the port. */
static uint32_t net_names_hash_of(const char *name, size_t len, uint16_t port)
{
  uint32_t h = mote_hash_bytes(&port, sizeof port, 0);
  char c;
  size_t i;
  for(i = 0; i < len; i++) {
    c = mote_to_lower(name[i]);
    h = mote_hash_bytes(&c, 1, h);
  }
  return h;
}

static void net_names_cache(struct mote_names *n, struct mote_answer *a, mote_time now)
{
  a->born = now;
  a->cached = true;
  a->refs++;
  mote_hash_insert(&n->by_name, &a->node, net_names_hash_of(net_names_name_of(a), a->name_len, a->port));
  mote_list_append(&n->order, &a->link);
  n->count++;
  while(n->count > MAX_CACHED)
    uncache(n, net_names_answer_of(n->order.next));
}

static bool net_names_is_for(struct mote_answer *a, const char *name, size_t len, uint16_t port)
{
  return a->port == port && a->name_len == len && mote_equal_nocase_n(net_names_name_of(a), name, len);
}

static struct mote_answer *net_names_find(struct mote_names *n, const char *name, size_t len, uint16_t port,
                                          uint8_t family)
{
  uint32_t hash = net_names_hash_of(name, len, port);
  struct mote_hash_node *i;
  for(i = mote_hash_chain(&n->by_name, hash); i; i = i->next) {
    struct mote_answer *a = mote_container_of(i, struct mote_answer, node);
    if(i->hash == hash && net_names_is_for(a, name, len, port) && a->family == family)
      return a;
  }
  return NULL;
}

/* A name that does not exist is remembered for half the time (CURLOPT_DNS_CACHE_TIMEOUT(3)). */
static bool net_names_too_old(const struct mote_answer *a, mote_time now, int64_t max_age_us)
{
  if(a->permanent || max_age_us < 0)
    return false;
  if(a->ttl && now - a->born >= a->ttl * MOTE_SECOND)
    return true;
  return now - a->born >= (a->count || a->preset ? max_age_us : max_age_us / 2);
}

void mote_names_prune(struct mote_names *n, mote_time now, int64_t max_age_us)
{
  struct mote_list *l = n->order.next;
  while(l != &n->order) {
    struct mote_answer *a = net_names_answer_of(l);
    l = l->next;
    if(max_age_us < 0 || net_names_too_old(a, now, max_age_us))
      uncache(n, a);
  }
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

static bool is_full(const struct mote_names *n)
{
  return n->running >= (n->max_lookups ? n->max_lookups : MOTE_LOOKUPS_DEFAULT);
}

/* Starts a thread for l, or leaves l in the queue. CURLE_OUT_OF_MEMORY when neither is possible: no thread is
 * under way whose end would be the moment to retry. */
static CURLcode net_names_launch(struct mote_names *n, struct mote_lookup *l)
{
  struct mote_list *i;
  if(!l->job->way->in_thread) {
    l->running = true;
    return l->job->way->start(l->job) ? CURLE_OUT_OF_MEMORY : CURLE_OK;
  }
  if(!is_full(n)) {
    net_names_set_wake(l, l->set);
    if(!l->job->way->start(l->job)) {
      l->running = true;
      n->running++;
      return CURLE_OK;
    }
  }
  if(!n->running)
    return CURLE_OUT_OF_MEMORY;
  for(i = n->lookups.next; i != &n->lookups; i = i->next)
    if(net_names_lookup_of(i)->running && mote_list_empty(&net_names_lookup_of(i)->waiters))
      net_names_listen_to(net_names_lookup_of(i));
  return CURLE_OK;
}

static bool net_names_is_orphaned(const struct mote_lookup *l)
{
  return l->running && l->job->way->orphaned && l->job->way->orphaned(l->job);
}

/* In a child of fork the threads of the parent are gone: what someone waits for is to be started again. */
static void net_names_end_orphans(struct mote_names *n)
{
  struct mote_list *i = n->running ? n->lookups.next : &n->lookups;
  while(i != &n->lookups) {
    struct mote_lookup *l = net_names_lookup_of(i);
    i = i->next;
    if(!net_names_is_orphaned(l))
      continue;
    l->running = false;
    n->running--;
    if(mote_list_empty(&l->waiters))
      drop_lookup(n, l);
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
  l->cache = l->cache || q->max_age_us != 0;
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
  *out = make_answer(n->account, (struct mote_slice){q->name, q->name_len}, q->port, both, count);
  return *out ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

/* Oldest first, up to the first young one. */
static void drop_old(struct mote_names *n, mote_time now, int64_t max_age_us)
{
  struct mote_list *l = n->order.next;
  while(l != &n->order) {
    struct mote_answer *a = net_names_answer_of(l);
    l = l->next;
    if(net_names_too_old(a, now, max_age_us))
      uncache(n, a);
    else if(!a->permanent && now - a->born < max_age_us / 2)
      break;
  }
}

/* "*" of CURLOPT_RESOLVE stands for every name. */
struct mote_answer *mote_names_find(struct mote_names *n, const struct mote_name_query *q)
{
  struct mote_answer *a;
  if(q->max_age_us > 0)
    drop_old(n, q->now, q->max_age_us);
  a = net_names_find(n, q->name, q->name_len, q->port, q->family);
  if(a && a->ttl &&
     net_names_too_old(a, q->now, q->max_age_us)) { /* it may be younger than one that holds longer */
    uncache(n, a);
    a = NULL;
  }
  if(!a)
    a = net_names_find(n, "*", 1, q->port, q->family);
  return a && (q->max_age_us || a->preset) ? a : NULL;
}

struct mote_answer *mote_answer_copy(struct mote_account *account, struct mote_answer *a)
{
  struct mote_answer *copy =
    make_answer(account, (struct mote_slice){net_names_name_of(a), a->name_len}, a->port, a->addrs, a->count);
  if(copy) {
    copy->family = a->family;
    copy->ttl = a->ttl;
    mote_answer_take_service(copy, a);
  }
  return copy;
}

/* Keeps what a line of CURLOPT_RESOLVE has put there meanwhile. */
static void net_names_replace(struct mote_names *n, struct mote_answer *a, mote_time now)
{
  struct mote_answer *old = net_names_find(n, net_names_name_of(a), a->name_len, a->port, a->family);
  if(old && old->preset)
    return;
  if(old)
    uncache(n, old);
  net_names_cache(n, a, now);
}

CURLcode mote_names_keep(struct mote_names *n, struct mote_answer *a, mote_time now)
{
  struct mote_answer *copy = mote_answer_copy(n->account, a);
  if(!copy)
    return CURLE_OUT_OF_MEMORY;
  net_names_replace(n, copy, now);
  mote_answer_unref(copy);
  return CURLE_OK;
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
    a = make_answer(n->account, (struct mote_slice){j->name, j->name_len}, l->port, j->found,
                    rc ? 0 : j->count);
  if(!rc && !a)
    rc = CURLE_OUT_OF_MEMORY;
  if(a) {
    a->family = (uint8_t)j->family;
    a->ttl = (uint16_t)(j->ttl < UINT16_MAX ? j->ttl : j->ttl == MOTE_LOOKUP_NO_TTL ? 0 : UINT16_MAX);
    mote_answer_take_service(a, j);
    if(l->cache && j->ttl)
      net_names_replace(n, a, now);
  }
  notify_waiters(l, rc ? NULL : a, rc);
  if(a)
    mote_answer_unref(a);
  keep_or_drop(n, l, now);
}

/* Starts threads for lookups in the queue. */
static void start_queued(struct mote_names *n)
{
  struct mote_list *i = n->lookups.next;
  while(i != &n->lookups && !is_full(n)) {
    struct mote_lookup *l = net_names_lookup_of(i);
    i = i->next;
    if(l->running || l->kept || !net_names_launch(n, l))
      continue;
    notify_waiters(l, NULL, CURLE_OUT_OF_MEMORY);
    drop_lookup(n, l);
  }
}

void mote_names_collect(struct mote_names *n, mote_time now)
{
  struct mote_lookup *spare = find_spare(n);
  struct mote_waitset *set = NULL;
  struct mote_list *i;
  net_names_end_orphans(n);
  if(spare && (uint16_t)(second_of(now) - spare->kept_since) > KEPT_MAX)
    drop_lookup(n, spare);
  i = n->lookups.next;
  while(i != &n->lookups) {
    struct mote_lookup *l = net_names_lookup_of(i);
    i = i->next;
    if(l->running && l->job->way->done(l->job)) {
      set = l->set;
      net_names_finish(n, l, now);
    }
  }
  start_queued(n);
  if(set)
    watch_less(n, set);
}

void mote_names_ceiling(size_t name_len, struct mote_ceiling *cache, struct mote_ceiling *process)
{
  uint16_t len = name_len < UINT16_MAX ? (uint16_t)name_len : UINT16_MAX; /* longer ones are refused */
  mote_ceiling_add(cache, 1, sizeof(struct mote_lookup));
  mote_ceiling_add(cache, 1, net_names_answer_size(MOTE_LOOKUP_MAX, len));
  mote_ceiling_add(process, 1, mote_lookup_size(len));
}

/* ---- CURLOPT_RESOLVE ---- */

static void net_names_forget(struct mote_names *n, const struct mote_preset *p)
{
  static const uint8_t families[] = {MOTE_FAMILY_NONE, MOTE_FAMILY_IP4, MOTE_FAMILY_IP6};
  struct mote_answer *a;
  size_t i;
  for(i = 0; i < sizeof families; i++)
    while((a = net_names_find(n, p->host.ptr, p->host.len, p->port, families[i])) != NULL)
      uncache(n, a);
}

/* Keeps the line's answer to queries for one family, or (NONE) for any. */
static CURLcode add_preset(struct mote_names *n, const struct mote_preset *p, enum mote_family family,
                           mote_time now)
{
  struct mote_addr wanted[MOTE_PRESET_MAX];
  struct mote_answer *a;
  size_t count = 0, i;
  for(i = 0; i < p->count; i++)
    if(!family || p->addrs[i].family == family)
      wanted[count++] = p->addrs[i];
  a = make_answer(n->account, p->host, p->port, wanted, count);
  if(!a)
    return CURLE_OUT_OF_MEMORY;
  a->family = (uint8_t)family;
  a->preset = true;
  a->permanent = p->kind == MOTE_PRESET_KEEP;
  net_names_cache(n, a, now);
  mote_answer_unref(a);
  return CURLE_OK;
}

void mote_names_preset_ceiling(const char *line, struct mote_ceiling *cache)
{
  struct mote_preset p;
  if(mote_preset_parse(line, &p) && p.host.len <= UINT16_MAX)
    mote_ceiling_add(cache, 3,
                     net_names_answer_size((uint16_t)p.count, (uint16_t)p.host.len)); /* one per family */
}

CURLcode mote_names_preset(struct mote_names *n, const char *line, mote_time now, struct mote_report *report)
{
  struct mote_preset p;
  CURLcode rc;
  if(!mote_preset_parse(line, &p) || p.host.len > UINT16_MAX)
    return mote_fail_as(CURLE_SETOPT_OPTION_SYNTAX, report, "not a CURLOPT_RESOLVE entry: '%s'", line);
  if(p.kind == MOTE_PRESET_IGNORE)
    return CURLE_OK;
  net_names_forget(n, &p);
  if(p.kind == MOTE_PRESET_REMOVE)
    return CURLE_OK;
  rc = add_preset(n, &p, MOTE_FAMILY_NONE, now);
  rc = rc ? rc : add_preset(n, &p, MOTE_FAMILY_IP4, now);
  rc = rc ? rc : add_preset(n, &p, MOTE_FAMILY_IP6, now);
  if(rc)
    net_names_forget(n, &p);
  return rc;
}
