/* api/library/account.c: what a handle, or the whole process, holds in memory, and its limit
 * (<mote/mote.h>). */
#include <mote/mote.h>

#include <stdbool.h>

#include "api/easy/easy_handle.h"
#include "api/multi/multi_handle.h"

static void fill_info(const struct mote_account *a, struct mote_account_info *info)
{
  info->live = a->live;
  info->peak = a->peak;
  info->limit = mote_account_limit_of(a);
  info->calls = a->calls;
  info->refused = a->refused;
}

CURLcode mote_easy_account(CURL *curl, struct mote_account_info *info)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e || !info)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  fill_info(&e->t.account, info);
  return CURLE_OK;
}

CURLMcode mote_multi_account(CURLM *multi, struct mote_account_info *info)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  if(!h)
    return CURLM_BAD_HANDLE;
  if(!info)
    return CURLM_BAD_FUNCTION_ARGUMENT;
  fill_info(&h->m.account, info);
  return CURLM_OK;
}

CURLcode mote_easy_limit(CURL *curl, size_t bytes)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  return mote_account_limit(&e->t.account, bytes) ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

CURLMcode mote_multi_limit(CURLM *multi, size_t bytes)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  if(!h)
    return CURLM_BAD_HANDLE;
  return mote_account_limit(&h->m.account, bytes) ? CURLM_OK : CURLM_OUT_OF_MEMORY;
}

static bool is_part(int part, const struct mote_part_info *info)
{
  return info && part >= 0 && part < MOTE_PART_LAST;
}

/* False: mote_account_detail() was off when the account was opened, so that it has no parts. */
static bool fill_part(const struct mote_account *a, int part, struct mote_part_info *info)
{
  const struct mote_account_part *p;
  if(!a->more || !a->more->has_parts)
    return false;
  p = &a->more->parts[part];
  info->live = p->live;
  info->peak = p->peak;
  info->calls = p->calls;
  return true;
}

CURLcode mote_account_detail(int on)
{
  mote_account_keep_parts(on != 0);
  return CURLE_OK;
}

CURLcode mote_easy_account_part(CURL *curl, int part, struct mote_part_info *info)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e || !is_part(part, info))
    return CURLE_BAD_FUNCTION_ARGUMENT;
  return fill_part(&e->t.account, part, info) ? CURLE_OK : CURLE_FAILED_INIT;
}

CURLMcode mote_multi_account_part(CURLM *multi, int part, struct mote_part_info *info)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  if(!h)
    return CURLM_BAD_HANDLE;
  if(!is_part(part, info))
    return CURLM_BAD_FUNCTION_ARGUMENT;
  return fill_part(&h->m.account, part, info) ? CURLM_OK : CURLM_UNKNOWN_OPTION;
}

/* ---- the whole process ---- */

static const char part_names[][9] = {
  [MOTE_PART_HANDLE] = "handle",
  [MOTE_PART_STRING] = "string",
  [MOTE_PART_TRANSFER] = "transfer",
  [MOTE_PART_HEADER] = "header",
  [MOTE_PART_MULTI] = "multi",
  [MOTE_PART_BUFFER] = "buffer",
  [MOTE_PART_CONN] = "conn",
  [MOTE_PART_NAME] = "name",
  [MOTE_PART_TLS] = "tls",
  [MOTE_PART_URL] = "url",
  [MOTE_PART_SHARE] = "share",
  [MOTE_PART_CODEC] = "codec",
  [MOTE_PART_OTHER] = "other",
};
_Static_assert(sizeof part_names / sizeof part_names[0] == MOTE_PART_LAST, "every part has a name");

int mote_part_info(int index, const char **name, struct mote_part_info *info)
{
  struct mote_part_count count;
  if(index < 0 || index >= MOTE_PART_LAST)
    return 0;
  if(name)
    *name = part_names[index];
  if(info) {
    mote_mem_part_get((enum mote_part)index, &count);
    info->live = count.live;
    info->peak = count.peak;
    info->calls = count.calls;
  }
  return 1;
}
