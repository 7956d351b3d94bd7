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

void mote_multi_tidy(struct mote_multi *m)
{
  /* Between a message and its reading a transfer is most often added again at once. */
  if(!m->buffer || m->active || !mote_list_empty(&m->lists[MOTE_LIST_READY]) || (m->unread && m->total))
    return;
  mote_mem_free(&m->account, MOTE_PART_BUFFER, m->buffer, m->buffer_size);
  m->buffer = NULL;
  m->buffer_size = 0;
}
