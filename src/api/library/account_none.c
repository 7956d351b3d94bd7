/* api/library/account_none.c: the account functions of <mote/mote.h> in a build that neither counts nor
 * limits memory. */
#include <mote/mote.h>

CURLcode mote_easy_account(CURL *curl, struct mote_account_info *info)
{
  (void)curl;
  (void)info;
  return CURLE_NOT_BUILT_IN;
}

CURLMcode mote_multi_account(CURLM *multi, struct mote_account_info *info)
{
  (void)multi;
  (void)info;
  return CURLM_UNKNOWN_OPTION;
}

CURLcode mote_easy_limit(CURL *curl, size_t bytes)
{
  (void)curl;
  (void)bytes;
  return CURLE_NOT_BUILT_IN;
}

CURLMcode mote_multi_limit(CURLM *multi, size_t bytes)
{
  (void)multi;
  (void)bytes;
  return CURLM_UNKNOWN_OPTION;
}

CURLcode mote_account_detail(int on)
{
  (void)on;
  return CURLE_NOT_BUILT_IN;
}

CURLcode mote_easy_account_part(CURL *curl, int part, struct mote_part_info *info)
{
  (void)curl;
  (void)part;
  (void)info;
  return CURLE_NOT_BUILT_IN;
}

CURLMcode mote_multi_account_part(CURLM *multi, int part, struct mote_part_info *info)
{
  (void)multi;
  (void)part;
  (void)info;
  return CURLM_UNKNOWN_OPTION;
}

int mote_part_info(int index, const char **name, struct mote_part_info *info)
{
  (void)index;
  (void)name;
  (void)info;
  return 0;
}
