/* transfer/preset.c: CURLOPT_RESOLVE. */
#include "net/names.h"
#include "transfer/connect.h"
#include "transfer/engine.h"
#include "transfer/share.h"
#include "transfer/transfer.h"

CURLcode mote_connect_preset(struct mote_transfer *t, mote_time now)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_RESOLVE);
  struct mote_share *share = mote_share_of(t);
  struct mote_names *names = share && share->names ? share->names : mote_multi_names(t->multi);
  CURLcode rc = CURLE_OK;
  if(t->run->names_preset)
    return CURLE_OK;
  t->run->names_preset = true;
  if(!l)
    return CURLE_OK;
  mote_share_lock(t, CURL_LOCK_DATA_DNS);
  for(; l && !rc; l = l->next)
    rc = mote_names_preset(names, l->data, now, &t->report);
  mote_share_unlock(t, CURL_LOCK_DATA_DNS);
  return rc;
}
