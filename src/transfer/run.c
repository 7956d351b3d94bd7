/* transfer/run.c: makes and frees what a transfer has from its first start on: the run, kept bytes,
 * deadlines. */
#include <string.h>

#include "base/memory.h"
#include "transfer/multi/schedule.h"
#include "transfer/run.h"
#include "transfer/transfer.h"

#define DEFAULT_CONNECT_TIMEOUT_MS 300000 /* CURLOPT_CONNECTTIMEOUT_MS(3) */

_Static_assert(sizeof(struct mote_lease) + sizeof(struct mote_flow) == sizeof(uint32_t),
               "lease and flow fill the place after the deadlines");

void mote_text_free(struct mote_transfer *t, char *text)
{
  if(text)
    mote_mem_free(&t->account, MOTE_PART_URL, text, strlen(text) + 1);
}

struct mote_kept *mote_kept_new(struct mote_transfer *t, size_t cap)
{
  struct mote_kept *k = mote_mem_alloc(&t->account, MOTE_PART_TRANSFER, mote_kept_size(cap));
  if(k) {
    k->at = 0;
    k->len = 0;
    k->cap = (uint32_t)cap;
  }
  return k;
}

struct mote_kept *mote_kept_copy(struct mote_transfer *t, const char *bytes, size_t len)
{
  struct mote_kept *k = mote_kept_new(t, len);
  if(k) {
    memcpy(k->bytes, bytes, len);
    k->len = (uint32_t)len;
  }
  return k;
}

void mote_kept_free(struct mote_transfer *t, struct mote_kept *k)
{
  if(k)
    mote_mem_free(&t->account, MOTE_PART_TRANSFER, k, mote_kept_size(k->cap));
}

CURLcode mote_run_make(struct mote_transfer *t)
{
  struct mote_run_block *block = mote_mem_zalloc(&t->account, MOTE_PART_TRANSFER, MOTE_RUN_SIZE);
  struct mote_run *r;
  if(!block)
    return CURLE_OUT_OF_MEMORY;
  r = &block->run;
  r->owner = t;
  mote_headers_init(&r->response.headers, block + 1, MOTE_HEADER_TAIL);
  t->run = r;
  return CURLE_OK;
}

mote_time mote_timer_at(const struct mote_run *r, enum mote_timer id)
{
  return r->deadline[id] ? r->stats.started + (mote_time)(r->deadline[id] - 1) * MOTE_MS : 0;
}

mote_time mote_timer_nearest(const struct mote_run *r)
{
  uint32_t nearest = 0;
  int i;
  for(i = 0; i < MOTE_TIMER_LAST; i++)
    if(r->deadline[i] && (!nearest || r->deadline[i] < nearest))
      nearest = r->deadline[i];
  return nearest ? r->stats.started + (mote_time)(nearest - 1) * MOTE_MS : 0;
}

/* A deadline in more than 49 days counts as none. */
static uint32_t deadline_of(const struct mote_run *r, mote_time at)
{
  int64_t ms;
  if(!at)
    return 0;
  ms = (at - r->stats.started + MOTE_MS - 1) / MOTE_MS;
  if(ms >= UINT32_MAX)
    return 0;
  return ms > 0 ? (uint32_t)ms + 1 : 1;
}

void mote_timer_set(struct mote_transfer *t, enum mote_timer id, mote_time at)
{
  struct mote_run *r = t->run;
  uint32_t deadline = deadline_of(r, at);
  if(r->deadline[id] == deadline)
    return;
  r->deadline[id] = deadline;
  if(t->multi)
    mote_schedule_set_deadline(t, mote_timer_nearest(r));
}

bool mote_timer_due(const struct mote_transfer *t, enum mote_timer id, mote_time now)
{
  return t->run->deadline[id] && now >= mote_timer_at(t->run, id);
}

void mote_transfer_set_active(struct mote_transfer *t, bool active)
{
  mote_schedule_count_active(t->multi, active - t->active);
  t->active = active;
}

void mote_timer_start_connect(struct mote_transfer *t, mote_time now)
{
  long ms = mote_opt_long(&t->options, CURLOPT_CONNECTTIMEOUT_MS);
  if(ms <= 0)
    ms = DEFAULT_CONNECT_TIMEOUT_MS;
  mote_timer_set(t, MOTE_TIMER_CONNECT, now + ms * MOTE_MS);
}
