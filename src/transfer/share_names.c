/* transfer/share_names.c: the name cache of a share. */
#include "net/names.h"
#include "transfer/engine.h"
#include "transfer/race.h"
#include "transfer/share.h"
#include "transfer/transfer.h"

CURLcode mote_share_find_name(struct mote_transfer *t, const struct mote_name_query *q)
{
  struct mote_answer *a;
  CURLcode rc = CURLE_AGAIN;
  if(!mote_share_of(t) || !mote_share_of(t)->names)
    return CURLE_AGAIN;
  mote_share_lock(t, CURL_LOCK_DATA_DNS);
  a = mote_names_find(t->share->names, q);
  if(a) {
    t->run->race->answer = mote_answer_copy(mote_multi_memory(t->multi), a);
    rc = t->run->race->answer ? CURLE_OK : CURLE_OUT_OF_MEMORY;
  }
  mote_share_unlock(t, CURL_LOCK_DATA_DNS);
  return rc;
}

CURLcode mote_share_keep_name(struct mote_transfer *t, mote_time now)
{
  CURLcode rc;
  if(!mote_share_of(t) || !mote_share_of(t)->names || !t->run->race->answer)
    return CURLE_OK;
  mote_share_lock(t, CURL_LOCK_DATA_DNS);
  rc = mote_names_keep(t->share->names, t->run->race->answer, now);
  mote_share_unlock(t, CURL_LOCK_DATA_DNS);
  return rc;
}
