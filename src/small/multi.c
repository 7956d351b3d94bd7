/* small/multi.c: runs the one transfer of an easy handle, without lists or a queue of deadlines, and guards
 * its callbacks. */
#include "engine/multi.h"

#include <string.h>

#include "port/port.h"
#include "transfer/callback.h"
#include "transfer/transfer.h"

#define STEPS_PER_CALL 8 /* then the caller reads the clock again */

void mote_multi_setup(struct mote_multi *m)
{
  memset(m, 0, sizeof *m);
  mote_pool_init(&m->pool, &m->account);
}

static void drop_buffer(struct mote_multi *m)
{
  mote_mem_free(&m->account, MOTE_PART_BUFFER, m->buffer, m->buffer_size);
  m->buffer = NULL;
  m->buffer_size = 0;
}

void mote_multi_close(struct mote_multi *m)
{
  mote_pool_close(&m->pool);
  drop_buffer(m);
}

void mote_schedule_move(struct mote_multi *m, struct mote_transfer *t, enum mote_list_id to)
{
  (void)m;
  t->list = (uint8_t)to;
}

void mote_multi_add(struct mote_multi *m, struct mote_transfer *t)
{
  m->only = t;
  t->multi = m;
  t->state = MOTE_STATE_PENDING;
  t->list = MOTE_LIST_READY;
  t->xfer_id = m->added++;
}

void mote_multi_remove(struct mote_multi *m, struct mote_transfer *t)
{
  mote_transfer_detach(t);
  t->list = MOTE_LIST_NONE;
  m->only = NULL;
  t->multi = NULL;
  drop_buffer(m);
}

void mote_transfer_wake(struct mote_transfer *t)
{
  if(t->list == MOTE_LIST_WAITING)
    t->list = MOTE_LIST_READY;
}

/* A deadline that has passed makes the transfer ready, too; the step finds out which one. */
void mote_multi_run(struct mote_multi *m)
{
  struct mote_transfer *t = m->only;
  int steps = STEPS_PER_CALL;
  do {
    if(t->list != MOTE_LIST_DONE) {
      t->list = MOTE_LIST_WAITING;
      mote_transfer_step(t, mote_port_now());
    }
  } while(t->list == MOTE_LIST_READY && --steps);
}

int64_t mote_multi_next(const struct mote_multi *m)
{
  mote_time now, at = m->only->run ? mote_timer_nearest(m->only->run) : 0;
  if(m->only->list == MOTE_LIST_READY)
    return 0;
  if(!at)
    return -1;
  now = mote_port_now();
  return at > now ? at - now : 0;
}

/* No application asks for it. */
CURLMcode mote_multi_report_timer(struct mote_multi *m)
{
  (void)m;
  return CURLM_OK;
}

CURLcode mote_transfer_pause(struct mote_transfer *t, int action)
{
  (void)t;
  (void)action;
  return CURLE_NOT_BUILT_IN;
}

CURLMcode mote_multi_wait(struct mote_multi *m, int ms)
{
  return mote_waitset_look(&m->set, ms);
}

char *mote_schedule_buffer(struct mote_multi *m, uint32_t size)
{
  char *p;
  if(m->buffer && m->buffer_size >= size)
    return m->buffer;
  p = mote_mem_alloc(&m->account, MOTE_PART_BUFFER, size);
  if(!p)
    return NULL;
  drop_buffer(m);
  m->buffer = p;
  m->buffer_size = size;
  return p;
}

uint32_t mote_schedule_buffer_size(const struct mote_multi *m)
{
  return m->buffer ? m->buffer_size : 0;
}

struct mote_callback_guard mote_callback_enter(struct mote_transfer *t)
{
  struct mote_callback_guard before = {t->in_callback, 0};
  t->in_callback = true;
  return before;
}

void mote_callback_leave(struct mote_transfer *t, struct mote_callback_guard before)
{
  t->in_callback = before.transfer;
}
