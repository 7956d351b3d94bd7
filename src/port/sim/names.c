/* port/sim/names.c: names and their addresses, threads, and locks. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/containers/list.h"
#include "port/lock.h"
#include "port/port.h"
#include "port/sim/internal.h"
#include "port/thread.h"

static struct {
  const char *name;
  unsigned count;
  struct mote_addr addresses[MOTE_SIM_ADDRESSES];
} names[MOTE_SIM_NAMES];
static unsigned name_count;

struct sim_thread {
  struct mote_sim_event begin;
  struct sim_thread *next, **link; /* in `threads` */
  void *(*run)(void *arg);
  void *arg;
};
static struct sim_thread *threads;
static unsigned locks;

/* ---- names ---- */

void mote_sim_name(const char *name, const struct mote_addr *addresses, unsigned count)
{
  if(name_count == MOTE_SIM_NAMES || count > MOTE_SIM_ADDRESSES)
    mote_sim_broken("more names than MOTE_SIM_NAMES, or addresses than MOTE_SIM_ADDRESSES");
  names[name_count].name = name;
  names[name_count].count = count;
  memcpy(names[name_count++].addresses, addresses, count * sizeof *addresses);
}

void mote_sim_names_end(void)
{
  name_count = 0;
}

/* Those of a name that are of the family, with port 0. */
static size_t fill(unsigned name, enum mote_family family, struct mote_addr *out, size_t max)
{
  size_t n = 0;
  unsigned i;
  for(i = 0; i < names[name].count && n < max; i++) {
    const struct mote_addr *a = &names[name].addresses[i];
    if(family != MOTE_FAMILY_NONE && a->family != family)
      continue;
    out[n] = *a;
    out[n++].port = 0;
  }
  return n;
}

/* A lookup takes its time before it is called: its thread begins late. */
int mote_port_lookup(const char *name, enum mote_family family, struct mote_addr *out, size_t max,
                     size_t *count)
{
  static const int failures[] = { MOTE_PORT_NO_NAME, EAGAIN, EIO, MOTE_PORT_NO_MEMORY };
  unsigned i;
  *count = 0;
  if(mote_sim_chance("a lookup that fails", mote_sim_weather()->no_name)) {
    mote_sim_note(MOTE_SIM_NO_NAME);
    return failures[mote_sim_draw("how it fails", 4)];
  }
  for(i = 0; i < name_count; i++)
    if(!strcasecmp(names[i].name, name))
      *count = fill(i, family, out, max);
  if(!*count)
    mote_sim_note(MOTE_SIM_NO_NAME);
  return *count || !max ? 0 : MOTE_PORT_NO_NAME;
}

/* ---- threads ---- */

static void thread_begin(struct mote_sim_event *e)
{
  struct sim_thread *t = mote_container_of(e, struct sim_thread, begin);
  void *(*run)(void *arg) = t->run;
  void *arg = t->arg;
  *t->link = t->next;
  if(t->next)
    t->next->link = t->link;
  free(t);
  (void)run(arg);
}

int mote_port_thread_start(void *(*run)(void *), void *arg)
{
  struct sim_thread *t;
  if(mote_sim_chance("a thread that cannot be started", mote_sim_weather()->no_thread)) {
    mote_sim_note(MOTE_SIM_NO_THREAD);
    return EAGAIN;
  }
  t = calloc(1, sizeof *t);
  if(!t)
    return ENOMEM;
  t->begin.fire = thread_begin;
  t->run = run;
  t->arg = arg;
  t->next = threads;
  t->link = &threads;
  if(threads)
    threads->link = &t->next;
  threads = t;
  mote_sim_at(&t->begin, mote_port_now() + mote_sim_delay("time of a lookup", mote_sim_weather()->name_us));
  return 0;
}

void mote_sim_threads_end(void)
{
  while(threads) {
    mote_sim_cancel(&threads->begin);
    thread_begin(&threads->begin);
  }
}

/* ---- locks: there is one thread, which would wait for itself ---- */

void mote_port_lock(struct mote_mutex *m)
{
  if(atomic_load(&m->state))
    mote_sim_broken("a lock that is held already");
  atomic_store(&m->state, 1);
  locks++;
}

void mote_port_unlock(struct mote_mutex *m)
{
  if(!atomic_load(&m->state))
    mote_sim_broken("a lock is given back that is not held");
  atomic_store(&m->state, 0);
  locks--;
}

unsigned mote_sim_locks(void)
{
  return locks;
}
