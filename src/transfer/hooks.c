/* transfer/hooks.c: calls the application's callbacks between the lookup and the request. */
#include "net/address.h"
#include "net/names.h"
#include "transfer/callback.h"
#include "transfer/connect.h"
#include "transfer/multi.h"
#include "transfer/transfer.h"

/* The callback's resolver handle is NULL, since this library has no such object. A name in the cache is not
 * resolved again. */
CURLcode mote_connect_resolver_start(struct mote_transfer *t, const struct mote_name_query *q)
{
  curl_resolver_start_callback fn =
    (curl_resolver_start_callback)mote_opt_fn(&t->options, CURLOPT_RESOLVER_START_FUNCTION);
  struct mote_callback_guard g;
  int rc;
  if(!fn || (q && mote_names_find(&t->multi->names, q)))
    return CURLE_OK;
  g = mote_callback_enter(t);
  rc = fn(NULL, NULL, mote_opt_ptr(&t->options, CURLOPT_RESOLVER_START_DATA));
  mote_callback_leave(t, g);
  if(!rc)
    return CURLE_OK;
  mote_fail(&t->report, "The resolver start callback ended the transfer");
  return CURLE_ABORTED_BY_CALLBACK;
}

CURLcode mote_connect_prereq(struct mote_transfer *t)
{
  curl_prereq_callback fn = (curl_prereq_callback)mote_opt_fn(&t->options, CURLOPT_PREREQFUNCTION);
  struct mote_run *r = t->run;
  char primary[MOTE_ADDR_TEXT_MAX], local[MOTE_ADDR_TEXT_MAX];
  struct mote_callback_guard g;
  int rc;
  if(!fn)
    return CURLE_OK;
  mote_addr_print(&r->primary, primary);
  mote_addr_print(&r->local, local);
  g = mote_callback_enter(t);
  rc = fn(mote_opt_ptr(&t->options, CURLOPT_PREREQDATA), primary, local, r->primary.port, r->local.port);
  mote_callback_leave(t, g);
  if(rc == CURL_PREREQFUNC_OK)
    return CURLE_OK;
  mote_fail(&t->report, "operation aborted by pre-request callback");
  return CURLE_ABORTED_BY_CALLBACK;
}
