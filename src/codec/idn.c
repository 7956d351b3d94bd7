/* codec/idn.c: libidn2. */
#include "codec/idn.h"

#include <idn2.h>
#include <string.h>

static CURLUcode status(int rc)
{
  return rc == IDN2_MALLOC ? CURLUE_OUT_OF_MEMORY : CURLUE_BAD_HOSTNAME;
}

static CURLUcode take(char *from, char *out, size_t cap, size_t *len)
{
  size_t n = strlen(from);
  CURLUcode rc = n < cap ? CURLUE_OK : CURLUE_BAD_HOSTNAME;
  if(!rc) {
    memcpy(out, from, n + 1);
    *len = n;
  }
  idn2_free(from);
  return rc;
}

CURLUcode mote_idn_to_ascii(struct mote_slice host, char out[MOTE_IDN_MAX_ASCII], size_t *len)
{
  char name[MOTE_IDN_MAX_UTF8];
  uint8_t *ascii = NULL;
  int rc;
  if(host.len >= sizeof name)
    return CURLUE_BAD_HOSTNAME;
  memcpy(name, host.ptr, host.len);
  name[host.len] = 0;
  rc = idn2_lookup_u8((const uint8_t *)name, &ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
  return rc == IDN2_OK ? take((char *)ascii, out, MOTE_IDN_MAX_ASCII, len) : status(rc);
}

CURLUcode mote_idn_to_utf8(struct mote_slice host, char out[MOTE_IDN_MAX_UTF8], size_t *len)
{
  char name[MOTE_IDN_MAX_ASCII];
  char *utf8 = NULL;
  int rc;
  if(host.len >= sizeof name)
    return CURLUE_BAD_HOSTNAME;
  memcpy(name, host.ptr, host.len);
  name[host.len] = 0;
  rc = idn2_to_unicode_8z8z(name, &utf8, 0);
  return rc == IDN2_OK ? take(utf8, out, MOTE_IDN_MAX_UTF8, len) : status(rc);
}
