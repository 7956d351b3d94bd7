/* codec/url/idn.h: internationalised host names (RFC 5890, UTS 46 non-transitional). Only idn.c knows
 * libidn2.
 *
 * Without part idn a host name beyond ASCII is CURLUE_LACKS_IDN.
 *
 * Ownership:  results go into the caller's buffer. libidn2 calls malloc(), since it takes no allocator; its
 *             blocks are freed before the call returns.
 * Tests:      tests/unit/codec/test_url.c */
#ifndef MOTE_CODEC_URL_IDN_H
#define MOTE_CODEC_URL_IDN_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "parts.h"

/* Room that any result fits into, NUL included: 253 bytes of ASCII are at most as many code points, each
 * of at most four bytes. */
#define MOTE_IDN_MAX_ASCII 256
#define MOTE_IDN_MAX_UTF8  1024

/* True when any byte is above 127. */
static inline bool mote_idn_needed(struct mote_slice host)
{
  size_t i;
  for(i = 0; i < host.len; i++) {
    if((unsigned char)host.ptr[i] > 127)
      return true;
  }
  return false;
}

#if !MOTE_HAS_IDN

#define mote_idn_version() (NULL)
#define mote_idn_to_ascii(host, out, len) ((void)(host), (void)(out), (void)(len), CURLUE_LACKS_IDN)
#define mote_idn_to_utf8(host, out, len) ((void)(host), (void)(out), (void)(len), CURLUE_LACKS_IDN)

#else

/* "2.3.3": of the library that runs, static. NULL: not built in. */
const char *mote_idn_version(void);

/* Converts UTF-8 to its ASCII-compatible form (A-labels); out is NUL-terminated, *len its length.
 * CURLUE_BAD_HOSTNAME: not UTF-8, or no such name may exist. CURLUE_OUT_OF_MEMORY. CURLUE_LACKS_IDN: not
 *                      built in. */
CURLUcode mote_idn_to_ascii(struct mote_slice host, char out[MOTE_IDN_MAX_ASCII], size_t *len);

/* Converts A-labels to UTF-8. Errors as mote_idn_to_ascii(). */
CURLUcode mote_idn_to_utf8(struct mote_slice host, char out[MOTE_IDN_MAX_UTF8], size_t *len);
#endif

#endif
