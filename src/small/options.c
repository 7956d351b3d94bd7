/* small/options.c: the options of a handle in one array, and the new run with which each transfer begins. */
#include "base/text.h"
#include "transfer/options/options.h"

#include <string.h>

#include "base/memory.h"
#include "engine/start.h"
#include "transfer/transfer.h"

#define MORE_STEP 4u

void mote_options_init(struct mote_options *o, struct mote_account *account)
{
  memset(o, 0, sizeof *o);
  o->account = account;
}

static void small_options_free_value(struct mote_options *o, const struct mote_option *e)
{
  if(e->size && !e->borrowed)
    mote_mem_free(o->account, MOTE_PART_STRING, e->v.ptr, e->size);
}

void mote_options_close(struct mote_options *o)
{
  while(o->count)
    small_options_free_value(o, &o->more[--o->count]);
  mote_mem_free(o->account, MOTE_PART_HANDLE, o->more, o->more_cap * sizeof *o->more);
  o->more = NULL;
  o->more_cap = 0;
}

const struct mote_option *mote_option_find(const struct mote_options *o, uint16_t id)
{
  unsigned i;
  for(i = 0; i < o->count; i++)
    if(o->more[i].id == id)
      return &o->more[i];
  return NULL;
}

static CURLcode small_options_grow(struct mote_options *o)
{
  size_t old = o->more_cap * sizeof *o->more;
  size_t size = old + MORE_STEP * sizeof *o->more;
  void *more = mote_mem_realloc(o->account, MOTE_PART_HANDLE, o->more, old, size);
  if(!more)
    return CURLE_OUT_OF_MEMORY;
  o->more = more;
  o->more_cap = (uint16_t)(o->more_cap + MORE_STEP);
  return CURLE_OK;
}

CURLcode mote_few_put(struct mote_options *o, const struct mote_option *value)
{
  struct mote_option *e = (struct mote_option *)(uintptr_t)mote_option_find(o, value->id);
  o->changed = true;
  if(e)
    small_options_free_value(o, e);
  else {
    if(o->count == o->more_cap && small_options_grow(o)) {
      small_options_free_value(o, value);
      return CURLE_OUT_OF_MEMORY;
    }
    e = &o->more[o->count++];
  }
  *e = *value;
  return CURLE_OK;
}

long mote_opt_find_long(const struct mote_options *o, uint16_t id, long preset)
{
  const struct mote_option *e = mote_option_find(o, id);
  return e ? e->v.num : preset;
}

curl_off_t mote_opt_find_off(const struct mote_options *o, uint16_t id, curl_off_t preset)
{
  const struct mote_option *e = mote_option_find(o, id);
  return e ? e->v.off : preset;
}

void *mote_opt_find_ptr(const struct mote_options *o, uint16_t id)
{
  const struct mote_option *e = mote_option_find(o, id);
  return e ? e->v.ptr : NULL;
}

struct mote_slice mote_opt_blob(const struct mote_options *o, CURLoption option)
{
  const struct mote_option *e = mote_option_find(o, MOTE_OPT_ID(option));
  return (struct mote_slice){e ? e->v.ptr : NULL, e ? e->size : 0};
}

static CURLcode small_options_dup_entry(struct mote_options *to, struct mote_option e)
{
  if(e.size && !e.borrowed) {
    void *copy = mote_mem_alloc(to->account, MOTE_PART_STRING, e.size);
    if(!copy)
      return CURLE_OUT_OF_MEMORY;
    memcpy(copy, e.v.ptr, e.size);
    e.v.ptr = copy;
  }
  return mote_few_put(to, &e);
}

CURLcode mote_options_dup(struct mote_options *to, const struct mote_options *from)
{
  unsigned i;
  for(i = 0; i < from->count; i++)
    if(small_options_dup_entry(to, from->more[i])) {
      mote_options_close(to);
      return CURLE_OUT_OF_MEMORY;
    }
  return CURLE_OK;
}

/* A transfer has none that would have to be kept. */
void mote_run_close_bodies(struct mote_transfer *t)
{
  (void)t;
}

CURLcode mote_run_reset(struct mote_transfer *t)
{
  mote_run_free(t);
  mote_options_drop_url(&t->options);
  return mote_run_make(t);
}
