/* tests/unit/net/lookups.h: a name cache whose lookups the test answers. The port's blocking lookup is
 * replaced by one whose answers, and how long they take, the name says.
 * One source file per program may include it. */
#ifndef MOTE_TEST_LOOKUPS_H
#define MOTE_TEST_LOOKUPS_H

#include "net/names/names.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/report.h"
#include "net/waitset.h"
#include "port/port.h"

#include "fds.h"

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool open;             /* "wait." names may go on */
  int started;           /* lookups */
  int under_way;
  int most_at_once;
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static inline bool begins(const char *name, const char *with)
{
  return !strncmp(name, with, strlen(with));
}

static inline void make_addr(struct mote_addr *a, enum mote_family family, unsigned char last)
{
  memset(a, 0, sizeof *a);
  a->family = (uint8_t)family;
  a->ip[family == MOTE_FAMILY_IP6 ? 15 : 3] = last;
  a->ip[0] = 192;
}

static inline int look(const char *name, enum mote_family family, struct mote_addr *out, size_t *count)
{
  unsigned char i;
  *count = 0;
  if(begins(name, "none."))
    return MOTE_PORT_NO_NAME;
  if(begins(name, "later."))
    return EAGAIN;
  if(begins(name, "nomem."))
    return MOTE_PORT_NO_MEMORY;
  if(begins(name, "many.")) {
    for(i = 0; i < 20; i++)
      make_addr(&out[i], MOTE_FAMILY_IP4, i);
    *count = 20;
    return 0;
  }
  make_addr(&out[(*count)++], family ? family : MOTE_FAMILY_IP4, 1);
  return 0;
}

int mote_port_lookup(const char *name, enum mote_family family, struct mote_addr *out, size_t max,
                     size_t *count)
{
  (void)max;
  pthread_mutex_lock(&gate.lock);
  gate.started++;
  if(++gate.under_way > gate.most_at_once)
    gate.most_at_once = gate.under_way;
  pthread_cond_broadcast(&gate.changed);
  while(begins(name, "wait.") && !gate.open)
    pthread_cond_wait(&gate.changed, &gate.lock);
  gate.under_way--;
  pthread_mutex_unlock(&gate.lock);
  return look(name, family, out, count);
}

static inline void open_gate(bool open)
{
  pthread_mutex_lock(&gate.lock);
  gate.open = open;
  pthread_cond_broadcast(&gate.changed);
  pthread_mutex_unlock(&gate.lock);
}

static inline void wait_for_started(int n)
{
  pthread_mutex_lock(&gate.lock);
  while(gate.started < n)
    pthread_cond_wait(&gate.changed, &gate.lock);
  pthread_mutex_unlock(&gate.lock);
}

static inline int started(void)
{
  int n;
  pthread_mutex_lock(&gate.lock);
  n = gate.started;
  pthread_mutex_unlock(&gate.lock);
  return n;
}

/* ---- a cache with its wait set ---- */

static struct mote_account account;
static struct mote_waitset set;
static struct mote_names names;

struct waiter {
  struct mote_name_wait wait;
  struct mote_answer *answer;
  CURLcode rc;
  int notified;
};

static inline void note(struct mote_name_wait *w, struct mote_answer *a, CURLcode rc)
{
  struct waiter *x = mote_container_of(w, struct waiter, wait);
  x->answer = a;
  x->rc = rc;
  x->notified++;
}

static inline void begin(void)
{
  test_mem.threads = true;
  pthread_mutex_lock(&gate.lock);
  gate.open = false;
  gate.started = 0;
  gate.most_at_once = 0;
  pthread_mutex_unlock(&gate.lock);
  memset(&account, 0, sizeof account);
  mote_waitset_init(&set, &account);
  mote_names_init(&names, &account);
}

/* Threads that were abandoned give their memory back themselves. */
static inline void close_names(void)
{
  struct mote_part_count c;
  int i;
  mote_names_close(&names);
  mote_waitset_close(&set);
  CHECK_ACCOUNT(&account);
  open_gate(true);
  for(i = 0; i < 20000; i++) {
    mote_mem_part_get(MOTE_PART_NAME, &c);
    if(!c.live)
      break;
    fds_nap(1);
  }
  CHECK_INT(c.live, 0);
}

static inline void end(void)
{
  close_names();
  test_mem_lock(); /* what the threads wrote is seen from here on */
  test_mem_unlock();
}

static inline struct mote_name_query query(const char *name, mote_time now)
{
  struct mote_name_query q = {.name = name, .name_len = strlen(name), .port = 80,
                              .max_age_us = 60 * MOTE_SECOND, .now = now};
  return q;
}

static inline CURLcode ask(const struct mote_name_query *q, struct waiter *w)
{
  memset(w, 0, sizeof *w);
  mote_list_init(&w->wait.link);
  w->wait.done = note;
  return mote_names_ask(&names, q, &set, &w->wait, &w->answer);
}

static inline void drop(struct waiter *w)
{
  if(w->answer)
    mote_answer_unref(w->answer);
  w->answer = NULL;
}

/* Waits and collects until the waiter was notified. */
static inline bool until_notified(struct waiter *w, mote_time now)
{
  int i;
  for(i = 0; i < 50 && !w->notified; i++) {
    struct mote_wait wait = {.timeout_ms = 200};
    (void)mote_waitset_wait(&set, &wait);
    mote_names_collect(&names, now);
  }
  return w->notified == 1;
}

/* Waits until no lookup is under way, not even one that no one waits for. */
static inline bool until_idle(mote_time now)
{
  int i;
  for(i = 0; i < 50 && mote_names_busy(&names); i++) {
    struct mote_wait wait = {.timeout_ms = 200};
    (void)mote_waitset_wait(&set, &wait);
    mote_names_collect(&names, now);
  }
  return !mote_names_busy(&names);
}

/* Ask and wait: the first address's last byte, -1 no address, -2 no answer (w.rc says why). */
static inline int whole(const struct mote_name_query *q)
{
  struct waiter w;
  int last = -2;
  w.rc = ask(q, &w);
  if(w.rc == CURLE_AGAIN)
    until_notified(&w, q->now);
  if(w.answer)
    last = !w.answer->count ? -1
                            : w.answer->addrs[0].ip[w.answer->addrs[0].family == MOTE_FAMILY_IP6 ? 15 : 3];
  drop(&w);
  return last;
}

/* The cache's answer in the same terms; -2: none. */
static inline int cached(const char *name, uint8_t family, mote_time now)
{
  struct mote_name_query q = query(name, now);
  struct mote_answer *a;
  q.family = family;
  a = mote_names_find(&names, &q);
  if(!a)
    return -2;
  return a->count ? a->addrs[0].ip[a->addrs[0].family == MOTE_FAMILY_IP6 ? 15 : 3] : -1;
}

static inline CURLcode preset(const char *line, mote_time now)
{
  return mote_names_preset(&names, line, now, NULL);
}

#endif
