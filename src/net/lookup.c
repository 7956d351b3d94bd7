/* net/lookup.c: one name lookup in a thread of its own. */
#include "net/lookup.h"

#include <string.h>

#include "base/memory.h"
#include "net/waitset.h"
#include "port/port.h"
#include "port/thread.h"

struct mote_job *mote_job_new(const char *name, size_t name_len, enum mote_family family)
{
  struct mote_job *j = mote_mem_zalloc(mote_mem_process(), MOTE_PART_NAME, mote_job_size(name_len));
  if(!j)
    return NULL;
  atomic_init(&j->refs, 1);
  atomic_init(&j->done, false);
  j->family = family;
  j->name_len = name_len;
  memcpy(j->name, name, name_len);
  return j;
}

void mote_job_unref(struct mote_job *j)
{
  if(atomic_fetch_sub(&j->refs, 1) == 1)
    mote_mem_free(mote_mem_process(), MOTE_PART_NAME, j, mote_job_size(j->name_len));
}

static void *run(void *arg)
{
  struct mote_job *j = arg;
  j->error = mote_port_lookup(j->name, j->family, j->found, MOTE_LOOKUP_MAX, &j->count);
  atomic_store(&j->done, true);
  mote_port_lock(&j->lock);
  if(j->wake && mote_waitset_wake(j->wake))
    (void)mote_waitset_wake(j->wake); /* retry: only this wakes an application that waits by itself */
  mote_port_unlock(&j->lock);
  mote_job_unref(j);
  return NULL;
}

int mote_job_start(struct mote_job *j)
{
  int error;
  atomic_store(&j->refs, 2);
  error = mote_port_thread_start(run, j);
  if(error)
    atomic_store(&j->refs, 1);
  return error;
}

void mote_job_set_wake(struct mote_job *j, struct mote_waitset *set)
{
  mote_port_lock(&j->lock);
  j->wake = set;
  mote_port_unlock(&j->lock);
}
