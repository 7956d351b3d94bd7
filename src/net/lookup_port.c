/* net/lookup_port.c: one name lookup without a thread, which asks the port until it knows (without part
 * threads). */
#include "net/lookup.h"

#include <string.h>

#include "base/memory.h"
#include "port/port.h"

struct mote_job *mote_job_new(const char *name, size_t name_len, enum mote_family family)
{
  struct mote_job *j = mote_mem_zalloc(mote_mem_process(), MOTE_PART_NAME, mote_job_size(name_len));
  if(!j)
    return NULL;
  j->family = family;
  j->name_len = name_len;
  memcpy(j->name, name, name_len);
  return j;
}

void mote_job_unref(struct mote_job *j)
{
  mote_mem_free(mote_mem_process(), MOTE_PART_NAME, j, mote_job_size(j->name_len));
}

int mote_job_start(struct mote_job *j)
{
  j->started = true;
  return 0;
}

bool mote_job_done(struct mote_job *j)
{
  if(j->started && !j->done) {
    j->error = mote_port_lookup(j->name, j->family, j->found, MOTE_LOOKUP_MAX, &j->count);
    j->done = j->error != MOTE_PORT_AGAIN;
  }
  return j->done;
}
