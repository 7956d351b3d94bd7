/* transfer/engine.c: what a multi has, for those who do not look into it. */
#include "transfer/engine.h"

#include "transfer/multi.h"

#define DEFAULT_KEPT_PER_TRANSFER 4u /* CURLMOPT_MAXCONNECTS(3) */

struct mote_account *mote_multi_memory(struct mote_multi *m)
{
  return &m->account;
}

struct mote_names *mote_multi_names(struct mote_multi *m)
{
  return &m->names;
}

struct mote_pool *mote_multi_pool(struct mote_multi *m)
{
  return &m->pool;
}

struct mote_waitset *mote_multi_waitset(struct mote_multi *m)
{
  return &m->set;
}

CURLM *mote_multi_handle_of(const struct mote_multi *m)
{
  return m->handle;
}

bool mote_multi_in_callback(const struct mote_multi *m)
{
  return m->in_callback != MOTE_CALLBACK_NONE;
}

bool mote_multi_in_strict_callback(const struct mote_multi *m)
{
  return m->in_callback != MOTE_CALLBACK_NONE && m->in_callback != MOTE_CALLBACK_NOTIFY;
}

bool mote_multi_in_watch(const struct mote_multi *m)
{
  return m->in_callback == MOTE_CALLBACK_WATCH;
}

bool mote_multi_is_dead(const struct mote_multi *m)
{
  return m->dead;
}

bool mote_multi_is_private(const struct mote_multi *m)
{
  return m->easy_own;
}

CURLMcode mote_multi_wait(struct mote_multi *m, int ms)
{
  int events;
  return mote_waitset_wait(&m->set, NULL, 0, ms, false, &events);
}

void mote_multi_count_active(struct mote_multi *m, int by)
{
  m->active += (uint32_t)by;
}

uint32_t mote_multi_most_kept(const struct mote_multi *m)
{
  uint32_t n = m->total * DEFAULT_KEPT_PER_TRANSFER;
  if(m->max_connects > 0)
    return m->max_connects;
  return n > DEFAULT_KEPT_PER_TRANSFER ? n : DEFAULT_KEPT_PER_TRANSFER;
}

uint32_t mote_multi_max_host(const struct mote_multi *m)
{
  return m->max_host;
}

uint32_t mote_multi_max_total(const struct mote_multi *m)
{
  return m->max_total;
}

void mote_multi_prune_soon(struct mote_waitset *set)
{
  mote_container_of(set, struct mote_multi, set)->prune_due = true;
}

bool mote_multi_prune_due(struct mote_multi *m, const struct mote_pool *pool, mote_time now)
{
  uint32_t second = (uint32_t)(now / MOTE_SECOND);
  if((pool == &m->pool && !mote_waitset_by_app(&m->set)) || m->last_prune == second)
    return false;
  m->last_prune = second;
  return true;
}
