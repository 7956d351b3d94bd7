/* transfer/url_parts.c: the URL of CURLOPT_CURLU, out of the parts that the application's object holds.
 * Its text is never parsed, since a user name that was set by itself may look like a host in it. */
#include <string.h>

#include "transfer/start.h"

_Static_assert((int)MOTE_URL_SCHEME == (int)CURLUPART_SCHEME && (int)MOTE_URL_ZONEID == (int)CURLUPART_ZONEID,
               "parts have the numbers of CURLUPART_*");

CURLUcode mote_start_compose(CURLU *handle, const struct mote_url_how *how, struct mote_url *u)
{
  struct mote_slice part[MOTE_URL_PARTS];
  char *text[MOTE_URL_PARTS];
  CURLUcode rc = CURLUE_OK;
  unsigned has = 0;
  int i;
  memset(part, 0, sizeof part);
  memset(text, 0, sizeof text);
  memset(u, 0, sizeof *u);
  for(i = MOTE_URL_SCHEME; i <= MOTE_URL_ZONEID && rc != CURLUE_OUT_OF_MEMORY; i++) {
    rc = curl_url_get(handle, (CURLUPart)i, &text[i], CURLU_GET_EMPTY);
    if(!rc) {
      part[i] = mote_slice_of(text[i]);
      has |= 1u << i;
    }
  }
  if(rc != CURLUE_OUT_OF_MEMORY)
    rc = has & 1u << MOTE_URL_SCHEME ? mote_url_compose(u, part, has, how) : CURLUE_NO_SCHEME;
  for(i = MOTE_URL_SCHEME; i <= MOTE_URL_ZONEID; i++)
    curl_free(text[i]);
  return rc;
}
