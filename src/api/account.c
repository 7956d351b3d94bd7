/* api/account.c: the accounts of handles (<mote/mote.h>). */
#include <mote/mote.h>

#include "api/easy_handle.h"
#include "api/handle.h"
#include "transfer/engine.h"

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
  struct mote_multi *m = mote_multi_engine_of(multi);
  if(!m)
    return CURLM_BAD_HANDLE;
  if(!info)
    return CURLM_BAD_FUNCTION_ARGUMENT;
  tell(mote_multi_memory(m), info);
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
  struct mote_multi *m = mote_multi_engine_of(multi);
  if(!m)
    return CURLM_BAD_HANDLE;
  mote_multi_memory(m)->limit = bytes;
  return CURLM_OK;
}
