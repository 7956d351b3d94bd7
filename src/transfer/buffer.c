/* transfer/buffer.c: the one receive and send buffer of a multi. */
#include "transfer/buffer.h"

#include "base/memory.h"
#include "transfer/multi.h"

char *mote_multi_buffer(struct mote_multi *m, uint32_t size)
{
  char *p;
  if(m->buffer && m->buffer_size >= size)
    return m->buffer;
  p = mote_mem_alloc(&m->account, MOTE_PART_BUFFER, size);
  if(!p)
    return NULL;
  mote_mem_free(&m->account, MOTE_PART_BUFFER, m->buffer, m->buffer_size);
  m->buffer = p;
  m->buffer_size = size;
  return p;
}

uint32_t mote_multi_buffer_size(const struct mote_multi *m)
{
  return m->buffer ? m->buffer_size : 0;
}
