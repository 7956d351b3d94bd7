/* connect/dial/preset.c: adds the lines of CURLOPT_RESOLVE to the name cache. */
#include "connect/dial/dial_phases.h"
#include "connect/route/route.h"
#include "net/names/names.h"
#include "transfer/multi/multi.h"
#include "transfer/multi/share.h"
#include "transfer/transfer.h"

static struct mote_names *names_of(struct mote_transfer *t)
{
  struct mote_share *share = mote_share_of(t);
  return share && share->names ? share->names : &t->multi->names;
}

CURLcode mote_dial_preset(struct mote_transfer *t, mote_time now)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_RESOLVE);
  struct mote_names *names = names_of(t);
  const char *line = NULL;
  CURLcode rc = CURLE_OK;
  if(t->run->lease.names_preset)
    return CURLE_OK;
  t->run->lease.names_preset = true;
  if(!l)
    return CURLE_OK;
  mote_share_lock(t, CURL_LOCK_DATA_DNS);
  for(; l && !rc; l = l->next) {
    line = l->data;
    rc = mote_names_preset(names, line, now, NULL);
  }
  mote_share_unlock(t, CURL_LOCK_DATA_DNS);
  if(rc == CURLE_SETOPT_OPTION_SYNTAX) /* reported after the application's lock is released */
    mote_fail(&t->report, "not a CURLOPT_RESOLVE entry: '%s'", line);
  return rc;
}

/* Only CURLOPT_RESOLVE ever caches anything for a literal address. */
bool mote_dial_is_preset(struct mote_transfer *t, const struct mote_route *route, const struct mote_hop *hop,
                         mote_time now)
{
  struct mote_name_query q;
  struct mote_answer *a;
  bool usable;
  if(!mote_share_of(t) && !names_of(t)->count)
    return false;
  q = mote_route_query(t, route, hop, now);
  mote_share_lock(t, CURL_LOCK_DATA_DNS);
  a = mote_names_find(names_of(t), &q);
  usable = a && a->count;
  mote_share_unlock(t, CURL_LOCK_DATA_DNS);
  return usable;
}
