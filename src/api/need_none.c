/* api/need_none.c: a build without accounts (<mote/mote.h>): what a handle holds already is not known. */
#include <mote/mote.h>

CURLcode mote_need(CURL *curl, struct mote_need *need)
{
  (void)curl;
  if(need)
    *need = (struct mote_need){0};
  return CURLE_NOT_BUILT_IN;
}
