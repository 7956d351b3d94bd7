/* transfer/race_one.c: the addresses of a name one after the other (without part race). */
#include "transfer/race.h"

#include "base/memory.h"
#include "transfer/connect.h"
#include "transfer/engine.h"
#include "transfer/transfer.h"

CURLcode mote_race_make(struct mote_transfer *t)
{
  struct mote_race *race = mote_mem_zalloc(&t->account, MOTE_PART_CONN, sizeof *race);
  if(!race)
    return CURLE_OUT_OF_MEMORY;
  race->owner = t;
  mote_list_init(&race->wait.link);
  t->run->race = race;
  return CURLE_OK;
}

size_t mote_race_size(void)
{
  return sizeof(struct mote_race);
}

void mote_race_stop(struct mote_transfer *t)
{
  struct mote_race *race = t->run->race;
  if(!race)
    return;
  mote_names_leave(mote_multi_names(t->multi), &race->wait);
  if(race->answer)
    mote_answer_unref(race->answer);
  mote_mem_free(&t->account, MOTE_PART_CONN, race, sizeof *race);
  t->run->race = NULL;
}

/* Half of what is left of the connect time when another address follows, so that each gets its chance. */
static mote_time share_of_time(struct mote_transfer *t, const struct mote_race *race, mote_time now)
{
  mote_time end = mote_timer_nearest(t->run);
  return end && race->next < race->answer->count ? now + (end - now) / 2 : 0;
}

/* The connection's own watch does the work, for one address at a time. */
CURLcode mote_race_step(struct mote_transfer *t, mote_time now)
{
  struct mote_race *race = t->run->race;
  CURLcode rc = CURLE_COULDNT_CONNECT;
  struct mote_addr to;
  if(!race)
    return mote_connect_single(t);
  if(mote_connect_under_way(t))
    rc = mote_timer_due(t, MOTE_TIMER_RACE, now) ? CURLE_COULDNT_CONNECT : mote_connect_single(t);
  while(rc == CURLE_COULDNT_CONNECT && race->next < race->answer->count) {
    to = race->answer->addrs[race->next++];
    to.port = race->answer->port;
    mote_connect_aim(t, &to);
    mote_timer_set(t, MOTE_TIMER_RACE, 0);
    mote_timer_set(t, MOTE_TIMER_RACE, share_of_time(t, race, now));
    rc = mote_connect_single(t);
  }
  if(!rc)
    mote_race_stop(t);
  return rc;
}
