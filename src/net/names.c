/* net/names.c: the name cache and the lookups under way. */
#include "net/names.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "net/stream.h"
#include "net/waitset.h"
#include "port/port.h"

#define MAX_ADDRESSES 32     /* of one name: more would only be tried after minutes */
#define MAX_CACHED 30000u    /* entries, whatever the timeout (CURLOPT_DNS_CACHE_TIMEOUT(3)) */

/* What the thread touches, and nothing else: charged to the process, freed by whoever lets go last. */
struct job {
  atomic_int refs;
  struct mote_mutex lock;        /* over `wake` */
  struct mote_waitset *wake;     /* whose wait is to be ended; NULL: nobody waits any more */
  atomic_bool done;
  int error;                     /* of mote_port_lookup */
  enum mote_family family;
  size_t count;
  size_t name_len;
  struct mote_addr found[MAX_ADDRESSES];
  char name[];                   /* NUL-terminated */
};

struct mote_lookup {
  struct mote_list link;         /* in names->lookups */
  struct mote_list waiters;
  struct job *job;
  struct mote_waitset *set;
  uint16_t port;
  bool shuffle;
  bool cache;
};

static struct mote_addr *addresses(struct mote_answer *a)
{
  return a->addrs;
}

static char *name_of(struct mote_answer *a)
{
  return (char *)(a->addrs + a->count);
}

static size_t answer_size(uint16_t count, uint16_t name_len)
{
  return sizeof(struct mote_answer) + count * sizeof(struct mote_addr) + name_len;
}

void mote_answer_unref(struct mote_answer *a)
{
  if(!--a->refs)
    mote_mem_free(a->account, MOTE_PART_NAME, a, answer_size(a->count, a->name_len));
}

static struct mote_answer *make_answer(struct mote_account *account, const char *name, size_t name_len,
                                       uint16_t port, const struct mote_addr *found, size_t count)
{
  struct mote_answer *a =
    mote_mem_zalloc(account, MOTE_PART_NAME, answer_size((uint16_t)count, (uint16_t)name_len));
  size_t i;
  if(!a)
    return NULL;
  a->account = account;
  a->refs = 1;
  a->count = (uint16_t)count;
  a->port = port;
  a->name_len = (uint16_t)name_len;
  if(count)
    memcpy(addresses(a), found, count * sizeof *found);
  for(i = 0; i < name_len; i++)
    name_of(a)[i] = mote_to_lower(name[i]);
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
}

static struct mote_answer *answer_of(struct mote_list *l)
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

/* FNV over the lower-case name, so that case does not matter; port and family enter too. */
static uint32_t hash_of(const char *name, size_t len, uint16_t port)
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

static void cache(struct mote_names *n, struct mote_answer *a, mote_time now)
{
  a->born = now;
  a->cached = true;
  a->refs++;
  mote_hash_insert(&n->by_name, &a->node, hash_of(name_of(a), a->name_len, a->port));
  mote_list_append(&n->order, &a->link);
  n->count++;
  while(n->count > MAX_CACHED)
    uncache(n, answer_of(n->order.next));
}

static bool is_for(struct mote_answer *a, const char *name, size_t len, uint16_t port)
{
  return a->port == port && a->name_len == len && mote_equal_nocase_n(name_of(a), name, len);
}

static struct mote_answer *find(struct mote_names *n, const char *name, size_t len, uint16_t port, uint8_t family)
{
  uint32_t hash = hash_of(name, len, port);
  struct mote_hash_node *i;
  for(i = mote_hash_chain(&n->by_name, hash); i; i = i->next) {
    struct mote_answer *a = mote_container_of(i, struct mote_answer, node);
    if(i->hash == hash && is_for(a, name, len, port) && (a->permanent || a->family == family))
      return a;
  }
  return NULL;
}

/* A name that does not exist is remembered for half the time (CURLOPT_DNS_CACHE_TIMEOUT(3)). */
static bool too_old(const struct mote_answer *a, mote_time now, int64_t max_age_us)
{
  if(a->permanent || max_age_us < 0)
    return false;
  return now - a->born >= (a->count ? max_age_us : max_age_us / 2);
}

void mote_names_prune(struct mote_names *n, mote_time now, int64_t max_age_us)
{
  struct mote_list *l = n->order.next;
  while(l != &n->order) {
    struct mote_answer *a = answer_of(l);
    l = l->next;
    if(max_age_us < 0 || too_old(a, now, max_age_us))
      uncache(n, a);
  }
}

/* ---- lookups ---- */

static void job_unref(struct job *j)
{
  if(atomic_fetch_sub(&j->refs, 1) == 1)
    mote_mem_free(mote_mem_process(), MOTE_PART_NAME, j, sizeof *j + j->name_len + 1);
}

static void *run_job(void *arg)
{
  struct job *j = arg;
  j->error = mote_port_lookup(j->name, j->family, j->found, MAX_ADDRESSES, &j->count);
  atomic_store(&j->done, true);
  mote_port_lock(&j->lock);
  if(j->wake)
    (void)mote_waitset_wake(j->wake);
  mote_port_unlock(&j->lock);
  job_unref(j);
  return NULL;
}

static struct job *start_job(const struct mote_name_query *q, struct mote_waitset *set)
{
  struct job *j = mote_mem_zalloc(mote_mem_process(), MOTE_PART_NAME, sizeof *j + q->name_len + 1);
  if(!j)
    return NULL;
  atomic_init(&j->refs, 2);
  atomic_init(&j->done, false);
  j->wake = set;
  j->family = q->family;
  j->name_len = q->name_len;
  memcpy(j->name, q->name, q->name_len);
  if(mote_port_thread_start(run_job, j)) {
    atomic_store(&j->refs, 1);
    job_unref(j);
    return NULL;
  }
  return j;
}

/* The thread goes on alone, and wakes nobody. */
static void abandon(struct mote_names *n, struct mote_lookup *l)
{
  mote_port_lock(&l->job->lock);
  l->job->wake = NULL;
  mote_port_unlock(&l->job->lock);
  job_unref(l->job);
  mote_list_remove(&l->link);
  mote_mem_free(n->account, MOTE_PART_NAME, l, sizeof *l);
}

void mote_names_close(struct mote_names *n)
{
  while(!mote_list_empty(&n->lookups))
    abandon(n, mote_container_of(n->lookups.next, struct mote_lookup, link));
  mote_names_prune(n, 0, -1);
  mote_hash_close(&n->by_name);
}

bool mote_names_busy(const struct mote_names *n)
{
  return !mote_list_empty(&n->lookups);
}

static bool joins(const struct mote_lookup *l, const struct mote_name_query *q, const struct mote_waitset *set)
{
  return l->set == set && l->port == q->port && l->job->family == q->family && l->job->name_len == q->name_len &&
         mote_equal_nocase_n(l->job->name, q->name, q->name_len);
}

static CURLcode start_lookup(struct mote_names *n, const struct mote_name_query *q, struct mote_waitset *set,
                             struct mote_name_wait *w)
{
  struct mote_lookup *l;
  struct mote_list *i;
  for(i = n->lookups.next; i != &n->lookups; i = i->next) {
    l = mote_container_of(i, struct mote_lookup, link);
    if(joins(l, q, set)) {
      mote_list_append(&l->waiters, &w->link);
      return CURLE_AGAIN;
    }
  }
  if(mote_waitset_open_wake(set))
    return CURLE_OUT_OF_MEMORY;
  l = mote_mem_zalloc(n->account, MOTE_PART_NAME, sizeof *l);
  if(!l)
    return CURLE_OUT_OF_MEMORY;
  l->job = start_job(q, set);
  if(!l->job) {
    mote_mem_free(n->account, MOTE_PART_NAME, l, sizeof *l);
    return CURLE_OUT_OF_MEMORY;
  }
  if(mote_watch_want(set, &set->wake, MOTE_WANT_IN)) {
    mote_list_init(&l->link);
    abandon(n, l);
    return CURLE_OUT_OF_MEMORY;
  }
  l->set = set;
  l->port = q->port;
  l->shuffle = q->shuffle;
  l->cache = q->max_age_us != 0;
  mote_list_init(&l->waiters);
  mote_list_append(&l->waiters, &w->link);
  mote_list_append(&n->lookups, &l->link);
  return CURLE_AGAIN;
}

/* "localhost" and what ends in ".localhost" never leave the machine (RFC 6761 section 6.3). */
static bool is_localhost(const char *name, size_t len)
{
  static const char word[] = "localhost";
  const size_t n = sizeof word - 1;
  if(len && name[len - 1] == '.')
    len--;
  if(len < n || !mote_equal_nocase_n(name + len - n, word, n))
    return false;
  return len == n || name[len - n - 1] == '.';
}

static CURLcode answer_localhost(struct mote_names *n, const struct mote_name_query *q, struct mote_answer **out)
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
  *out = make_answer(n->account, q->name, q->name_len, q->port, both, count);
  return *out ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

/* "*" of CURLOPT_RESOLVE stands for every name. */
struct mote_answer *mote_names_find(struct mote_names *n, const struct mote_name_query *q)
{
  struct mote_answer *a = find(n, q->name, q->name_len, q->port, q->family);
  if(!a)
    a = find(n, "*", 1, q->port, q->family);
  if(a && (too_old(a, q->now, q->max_age_us) || (!q->max_age_us && !a->permanent))) {
    uncache(n, a);
    a = NULL;
  }
  return a;
}

struct mote_answer *mote_answer_copy(struct mote_account *account, struct mote_answer *a)
{
  struct mote_answer *copy = make_answer(account, name_of(a), a->name_len, a->port, a->addrs, a->count);
  if(copy)
    copy->family = a->family;
  return copy;
}

CURLcode mote_names_keep(struct mote_names *n, struct mote_answer *a, mote_time now)
{
  struct mote_answer *old = find(n, name_of(a), a->name_len, a->port, a->family);
  struct mote_answer *copy = mote_answer_copy(n->account, a);
  if(!copy)
    return CURLE_OUT_OF_MEMORY;
  if(old)
    uncache(n, old);
  cache(n, copy, now);
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
  if(q->name_len > UINT16_MAX)
    return CURLE_COULDNT_RESOLVE_HOST;
  if(is_localhost(q->name, q->name_len))
    return answer_localhost(n, q, out);
  return start_lookup(n, q, set, w);
}

void mote_names_leave(struct mote_names *n, struct mote_name_wait *w)
{
  struct mote_list *head = w->link.prev;
  bool last = mote_list_linked(&w->link) && head == w->link.next;
  if(!mote_list_linked(&w->link))
    return;
  mote_list_remove(&w->link);
  if(last)
    abandon(n, mote_container_of(head, struct mote_lookup, waiters));
}

/* Fisher-Yates with the platform's random numbers. Without any the order stays. */
static void shuffle(struct mote_addr *a, size_t count)
{
  uint32_t r[MAX_ADDRESSES];
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

static CURLcode judge(const struct job *j)
{
  if(j->error == 0 || j->count)
    return CURLE_OK;
  return j->error == ENOMEM ? CURLE_OUT_OF_MEMORY : CURLE_COULDNT_RESOLVE_HOST;
}

static void finish(struct mote_names *n, struct mote_lookup *l, mote_time now)
{
  struct job *j = l->job;
  CURLcode rc = judge(j);
  bool missing = rc == CURLE_COULDNT_RESOLVE_HOST && j->error == ENOENT;
  struct mote_answer *a = NULL;
  if(l->shuffle)
    shuffle(j->found, j->count);
  if(!rc || missing)
    a = make_answer(n->account, j->name, j->name_len, l->port, j->found, rc ? 0 : j->count);
  if(!rc && !a)
    rc = CURLE_OUT_OF_MEMORY;
  if(a) {
    a->family = (uint8_t)j->family;
    if(l->cache)
      cache(n, a, now);
  }
  while(!mote_list_empty(&l->waiters)) {
    struct mote_name_wait *w = mote_container_of(l->waiters.next, struct mote_name_wait, link);
    mote_list_remove(&w->link);
    if(!rc)
      a->refs++;
    w->done(w, rc ? NULL : a, rc);
  }
  if(a)
    mote_answer_unref(a);
  abandon(n, l);
}

void mote_names_collect(struct mote_names *n, mote_time now)
{
  struct mote_list *i = n->lookups.next;
  struct mote_waitset *set = NULL;
  while(i != &n->lookups) {
    struct mote_lookup *l = mote_container_of(i, struct mote_lookup, link);
    i = i->next;
    if(atomic_load(&l->job->done)) {
      set = l->set;
      finish(n, l, now);
    }
  }
  /* Where the application watches, it need not watch our wake-up when nothing can wake it. */
  if(set && set->app && !mote_names_busy(n))
    (void)mote_watch_want(set, &set->wake, 0);
}

/* ---- CURLOPT_RESOLVE ---- */

struct preset {
  struct mote_slice host;
  uint16_t port;
  const char *addresses;   /* behind the second colon; NULL for removal */
  bool remove;
  bool mortal;             /* "+": grows old as others do */
};

static bool parse_preset(const char *line, struct preset *p)
{
  const char *colon;
  struct mote_slice port;
  uint64_t number;
  memset(p, 0, sizeof *p);
  if(*line == '-' || *line == '+') {
    p->remove = *line == '-';
    p->mortal = *line == '+';
    line++;
  }
  p->host.ptr = line;
  if(*line == '[') {
    const char *close = strchr(line, ']');
    if(!close)
      return false;
    p->host.ptr = line + 1;
    p->host.len = (size_t)(close - line - 1);
    colon = close + 1;
  }
  else {
    p->host.len = strcspn(line, ":");
    colon = line + p->host.len;
  }
  if(*colon != ':' || !p->host.len)
    return false;
  port.ptr = colon + 1;
  port.len = strcspn(port.ptr, ":");
  if(!mote_parse_dec(port, 65535, &number))
    return false;
  p->port = (uint16_t)number;
  if(port.ptr[port.len] == ':')
    p->addresses = port.ptr + port.len + 1;
  return p->remove || (p->addresses && *p->addresses);
}

static size_t parse_addresses(const char *text, struct mote_addr *out)
{
  size_t count = 0;
  while(*text) {
    struct mote_slice s = {text, strcspn(text, ",")};
    text += s.len;
    text += *text == ',';
    s = mote_slice_trim(s);
    if(s.len > 1 && s.ptr[0] == '[' && s.ptr[s.len - 1] == ']') {
      s.ptr++;
      s.len -= 2;
    }
    if(count == MAX_ADDRESSES || !mote_addr_parse(s, &out[count]))
      return 0;
    count++;
  }
  return count;
}

CURLcode mote_names_preset(struct mote_names *n, const char *line, mote_time now, struct mote_report *report)
{
  struct mote_addr found[MAX_ADDRESSES];
  struct mote_answer *a;
  struct preset p;
  size_t count = 0;
  bool ok = parse_preset(line, &p);
  if(ok && !p.remove) {
    count = parse_addresses(p.addresses, found);
    ok = count > 0;
  }
  if(!ok) {
    mote_fail(report, "Couldn't parse CURLOPT_RESOLVE entry '%s'", line);
    return CURLE_SETOPT_OPTION_SYNTAX;
  }
  while((a = find(n, p.host.ptr, p.host.len, p.port, 0)) != NULL)
    uncache(n, a);
  if(p.remove)
    return CURLE_OK;
  a = make_answer(n->account, p.host.ptr, p.host.len, p.port, found, count);
  if(!a)
    return CURLE_OUT_OF_MEMORY;
  a->permanent = !p.mortal;
  cache(n, a, now);
  mote_answer_unref(a);
  return CURLE_OK;
}
