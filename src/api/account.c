/* api/account.c: the accounts of handles (<mote/mote.h>). */
#include <mote/mote.h>

#include "api/handle.h"

static void tell(const struct mote_account *a, struct mote_account_info *info)
{
  info->live = a->live;
  info->peak = a->peak;
  info->limit = a->limit;
  info->calls = a->calls;
  info->refused = a->refused;
}

CURLcode mote_easy_account(CURL *curl, struct mote_account_info *info)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e || !info)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  tell(&e->t.account, info);
  return CURLE_OK;
}

CURLMcode mote_multi_account(CURLM *multi, struct mote_account_info *info)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  if(!h)
    return CURLM_BAD_HANDLE;
  if(!info)
    return CURLM_BAD_FUNCTION_ARGUMENT;
  tell(&h->m.account, info);
  return CURLM_OK;
}

CURLcode mote_easy_limit(CURL *curl, size_t bytes)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  e->t.account.limit = bytes;
  return CURLE_OK;
}

CURLMcode mote_multi_limit(CURLM *multi, size_t bytes)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  if(!h)
    return CURLM_BAD_HANDLE;
  h->m.account.limit = bytes;
  return CURLM_OK;
}
