/* api/easy/need_none.c: mote_need() in a build without accounts, which does not know what a handle holds
 * already. */
#include <mote/mote.h>

CURLcode mote_need(CURL *curl, struct mote_need *need)
{
  (void)curl;
  if(need)
    *need = (struct mote_need){0};
  return CURLE_NOT_BUILT_IN;
}
