/* codec/url/idn.c: libidn2. */
#include "codec/url/idn.h"

#include <idn2.h>
#include <string.h>

static CURLUcode idn_status(int rc)
{
  return rc == IDN2_MALLOC ? CURLUE_OUT_OF_MEMORY : CURLUE_BAD_HOSTNAME;
}

static CURLUcode idn_take(char *from, char *out, size_t cap, size_t *len)
{
  size_t n = strlen(from);
  CURLUcode rc = n && n < cap ? CURLUE_OK : CURLUE_BAD_HOSTNAME; /* a soft hyphen is nothing */
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
  if(rc != IDN2_OK && rc != IDN2_MALLOC) /* symbols are registered, though IDNA 2008 has none */
    rc = idn2_lookup_u8((const uint8_t *)name, &ascii, IDN2_NFC_INPUT | IDN2_TRANSITIONAL);
  return rc == IDN2_OK ? idn_take((char *)ascii, out, MOTE_IDN_MAX_ASCII, len) : idn_status(rc);
}

/* The name that out[] stands for must be the one that it was made from: libidn2 decodes what it should
 * refuse. */
static CURLUcode check_back(const char *name, struct mote_slice utf8)
{
  char back[MOTE_IDN_MAX_ASCII];
  size_t len;
  CURLUcode rc = mote_idn_needed(utf8) ? mote_idn_to_ascii(utf8, back, &len) : CURLUE_OK;
  if(rc)
    return rc;
  if(!mote_idn_needed(utf8))
    return mote_slice_is(utf8, name) ? CURLUE_OK : CURLUE_BAD_HOSTNAME;
  return mote_equal_nocase(back, name) ? CURLUE_OK : CURLUE_BAD_HOSTNAME;
}

CURLUcode mote_idn_to_utf8(struct mote_slice host, char out[MOTE_IDN_MAX_UTF8], size_t *len)
{
  char name[MOTE_IDN_MAX_ASCII];
  struct mote_slice utf8 = { out, 0 };
  char *text = NULL;
  CURLUcode rc;
  int idn;
  if(host.len >= sizeof name)
    return CURLUE_BAD_HOSTNAME;
  memcpy(name, host.ptr, host.len);
  name[host.len] = 0;
  idn = idn2_to_unicode_8z8z(name, &text, 0);
  rc = idn == IDN2_OK ? idn_take(text, out, MOTE_IDN_MAX_UTF8, &utf8.len) : idn_status(idn);
  if(!rc)
    rc = check_back(name, utf8);
  if(!rc)
    *len = utf8.len;
  return rc;
}

const char *mote_idn_version(void)
{
  return idn2_check_version(NULL);
}
