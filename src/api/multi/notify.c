/* api/multi/notify.c: which notifications CURLMOPT_NOTIFYFUNCTION gets: curl_multi_notify_enable(3),
 * curl_multi_notify_disable(3). */
#include "transfer/multi/notify.h"

#include "api/multi/multi_handle.h"

static CURLMcode notify_set(CURLM *multi, unsigned int notification, bool on)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  return h ? mote_notify_switch(&h->m, notification, on) : CURLM_BAD_HANDLE;
}

CURLMcode curl_multi_notify_enable(CURLM *multi, unsigned int notification)
{
  return notify_set(multi, notification, true);
}

CURLMcode curl_multi_notify_disable(CURLM *multi, unsigned int notification)
{
  return notify_set(multi, notification, false);
}
