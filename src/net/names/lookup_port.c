/* net/names/lookup_port.c: one name lookup without a thread, which asks the port until it knows (without part
 * threads). */
#include "net/names/lookup.h"

#include <string.h>

#include "base/memory.h"
#include "net/names/names.h"
#include "port/port.h"

struct port_job {
  struct mote_job job;
  bool started;
  bool done;
  char name[]; /* NUL-terminated */
};

size_t mote_lookup_size(size_t name_len)
{
  return sizeof(struct port_job) + name_len + 1;
}

static struct mote_job *lookup_port_make(const struct mote_name_query *q)
{
  struct port_job *p = mote_mem_zalloc(mote_mem_process(), MOTE_PART_NAME, mote_lookup_size(q->name_len));
  if(!p)
    return NULL;
  p->job.way = &mote_lookup_system;
  p->job.family = q->family;
  p->job.ttl = MOTE_LOOKUP_NO_TTL;
  p->job.name = p->name;
  p->job.name_len = q->name_len;
  memcpy(p->name, q->name, q->name_len);
  return &p->job;
}

static void lookup_port_release(struct mote_job *j)
{
  mote_mem_free(mote_mem_process(), MOTE_PART_NAME, j, mote_lookup_size(j->name_len));
}

static int lookup_port_start(struct mote_job *j)
{
  ((struct port_job *)j)->started = true;
  return 0;
}

static bool lookup_port_done(struct mote_job *j)
{
  struct port_job *p = (struct port_job *)j;
  size_t count = 0;
  if(p->started && !p->done) {
    j->error = mote_port_lookup(j->name, j->family, j->found, MOTE_LOOKUP_MAX, &count);
    j->count = (uint32_t)count;
    p->done = j->error != MOTE_PORT_AGAIN;
  }
  return p->done;
}

static void lookup_port_set_wake(struct mote_job *j, struct mote_waitset *set)
{
  (void)j;
  (void)set;
}

/* It counts as a thread, since a port has room for as many lookups as this library starts at once. */
const struct mote_lookup_way mote_lookup_system = {
  .name = "port", .in_thread = true, .make = lookup_port_make, .start = lookup_port_start,
  .done = lookup_port_done, .release = lookup_port_release,
  .set_wake = lookup_port_set_wake,
};
