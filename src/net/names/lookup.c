/* net/names/lookup.c: one name lookup in a thread of its own. A job that was not started has one reference,
 * the owner's; the thread holds another. In a child of fork there is no such thread, and what it had of the
 * job is the owner's. */
#include "net/names/lookup.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "net/names/names.h"
#include "net/waitset.h"
#include "port/lock.h"
#include "port/port.h"
#include "port/set.h"
#include "port/thread.h"

struct thread_job {
  struct mote_job job;
  atomic_int refs;           /* 1 or 2 */
  struct mote_mutex lock;    /* over `wake` */
  long process;              /* whose thread it is; 0: there is none */
  struct mote_waitset *wake; /* the set to wake when the lookup ends; NULL: no transfer waits */
  atomic_bool done;          /* error, count and found are valid */
  char name[];               /* NUL-terminated */
};

static struct thread_job *lookup_of(struct mote_job *j)
{
  return (struct thread_job *)j;
}

/* Likewise, where the thread must not have been left in another process with its reference and the lock. */
static struct thread_job *lookup_with_thread(struct mote_job *j)
{
  struct thread_job *t = lookup_of(j);
  if(t->process && t->process != mote_port_pid()) {
    t->process = 0;
    t->wake = NULL;
    memset(&t->lock, 0, sizeof t->lock);
    atomic_store(&t->refs, 1);
  }
  return t;
}

size_t mote_lookup_size(size_t name_len)
{
  return sizeof(struct thread_job) + name_len + 1;
}

static struct mote_job *lookup_make(const struct mote_name_query *q)
{
  struct thread_job *t = mote_mem_zalloc(mote_mem_process(), MOTE_PART_NAME, mote_lookup_size(q->name_len));
  if(!t)
    return NULL;
  atomic_init(&t->refs, 1);
  atomic_init(&t->done, false);
  t->job.way = &mote_lookup_system;
  t->job.family = q->family;
  t->job.ttl = MOTE_LOOKUP_NO_TTL;
  t->job.name = t->name;
  t->job.name_len = q->name_len;
  memcpy(t->name, q->name, q->name_len);
  return &t->job;
}

static void lookup_release(struct mote_job *j)
{
  struct thread_job *t = lookup_with_thread(j);
  if(atomic_fetch_sub(&t->refs, 1) == 1)
    mote_mem_free(mote_mem_process(), MOTE_PART_NAME, t, mote_lookup_size(j->name_len));
}

static void *lookup_run(void *arg)
{
  struct thread_job *t = arg;
  struct mote_job *j = &t->job;
  size_t count = 0;
  j->error = mote_port_lookup(j->name, j->family, j->found, MOTE_LOOKUP_MAX, &count);
  j->count = (uint32_t)count;
  atomic_store(&t->done, true);
  mote_port_lock(&t->lock);
  if(t->wake && mote_waitset_wake(t->wake))
    (void)mote_waitset_wake(t->wake); /* retry: only this wakes an application that waits by itself */
  mote_port_unlock(&t->lock);
  lookup_release(j);
  return NULL;
}

static int lookup_start(struct mote_job *j)
{
  struct thread_job *t = lookup_of(j);
  int error;
  atomic_store(&t->refs, 2);
  t->process = mote_port_pid();
  error = mote_port_thread_start(lookup_run, t);
  if(error) {
    t->process = 0;
    atomic_store(&t->refs, 1);
  }
  return error;
}

static bool lookup_orphaned(struct mote_job *j)
{
  const struct thread_job *t = lookup_with_thread(j);
  return !t->process && !atomic_load(&t->done);
}

static bool lookup_done(struct mote_job *j)
{
  return atomic_load(&lookup_of(j)->done);
}

static void lookup_set_wake(struct mote_job *j, struct mote_waitset *set)
{
  struct thread_job *t = lookup_with_thread(j);
  mote_port_lock(&t->lock);
  t->wake = set;
  mote_port_unlock(&t->lock);
}

const struct mote_lookup_way mote_lookup_system = {
  .name = "thread", .in_thread = true, .make = lookup_make, .start = lookup_start, .done = lookup_done,
  .orphaned = lookup_orphaned, .release = lookup_release,
  .set_wake = lookup_set_wake,
};
