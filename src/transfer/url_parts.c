/* transfer/url_parts.c: the URL of CURLOPT_CURLU, out of the parts that the application's object holds.
 * Its text is never parsed, since a user name that was set by itself may look like a host in it. */
#include <string.h>

#include "codec/curlu.h"
#include "transfer/start.h"

_Static_assert((int)MOTE_URL_SCHEME == (int)CURLUPART_SCHEME && (int)MOTE_URL_ZONEID == (int)CURLUPART_ZONEID,
               "parts have the numbers of CURLUPART_*");

CURLUcode mote_start_compose(CURLU *handle, const struct mote_url_how *how, struct mote_url *u)
{
  struct mote_slice part[MOTE_URL_PARTS];
  char text[MOTE_CURLU_TEXT];
  unsigned has = 0;
  int i;
  memset(part, 0, sizeof part);
  memset(u, 0, sizeof *u);
  for(i = MOTE_URL_SCHEME; i <= MOTE_URL_ZONEID; i++)
    if(!mote_curlu_value(handle, (CURLUPart)i, CURLU_GET_EMPTY, text, &part[i]))
      has |= 1u << i;
  return has & 1u << MOTE_URL_SCHEME ? mote_url_compose(u, part, has, how) : CURLUE_NO_SCHEME;
}
