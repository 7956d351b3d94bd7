/* codec/url/curlu.h: what CURLU * points to (curl_url(3)).
 *
 * The parts lie one after the other in one block, in the order of CURLUPART_*, so that an object takes two
 * allocations.
 *
 * Invariants: the lengths add up to `used`; used <= size; an absent part has length 0.
 * Ownership:  the application owns the object, and the object its block; the process account pays for both.
 * Errors:     a call that fails changes nothing.
 * Tests:      tests/unit/api/test_url_api.c */
#ifndef MOTE_CODEC_URL_CURLU_H
#define MOTE_CODEC_URL_CURLU_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "codec/url/idn.h"
#include "parts.h"

struct mote_url;
struct mote_url_how;

#define MOTE_CURLU_PARTS 11 /* the place of CURLUPART_URL is not used */

/* The bit of Curl_URL.has in the place of CURLUPART_URL says that the fragment was set by itself, so that
 * it counts as present even when it is empty. */
#define MOTE_CURLU_OWN_FRAGMENT (1u << CURLUPART_URL)

struct Curl_URL {
  char *text;                     /* the parts' bytes, no NUL; NULL while size is 0 */
  uint32_t size;                  /* bytes allocated at text */
  uint32_t used;                  /* bytes of text in use */
  uint32_t len[MOTE_CURLU_PARTS]; /* bytes of each part. HOST: IPv6 in brackets without its
                                     zone id; names not encoded */
  uint16_t has;                   /* bit 1 << part: present, maybe empty */
  bool guessed;                   /* the scheme was guessed from the host */
};

static inline bool mote_curlu_has(const CURLU *u, CURLUPart part)
{
  return (u->has & (1u << part)) != 0;
}

/* Bytes in front of a part in the text. */
size_t mote_curlu_offset(const CURLU *u, CURLUPart part);

/* A part's bytes; empty when it is absent. */
struct mote_slice mote_curlu_part(const CURLU *u, CURLUPart part);

#define MOTE_CURLU_TEXT MOTE_IDN_MAX_UTF8 /* bytes that a converted host or a default port may need */

/* A part as curl_url_get() returns it without CURLU_URLENCODE and CURLU_URLDECODE; text (MOTE_CURLU_TEXT
 * bytes) is room for it. Not CURLUPART_URL. CURLUE_NO_SCHEME and the like, CURLUE_BAD_HOSTNAME,
 * CURLUE_LACKS_IDN. */
CURLUcode mote_curlu_value(const CURLU *u, CURLUPart what, unsigned flags, char *text,
                           struct mote_slice *out);

/* Write the URL as curl_url_get(CURLUPART_URL) returns it to out[cap], without a NUL. *len is the length
 * of the whole, which may be more than cap. CURLUE_NO_SCHEME, CURLUE_NO_HOST, CURLUE_BAD_HOSTNAME,
 * CURLUE_LACKS_IDN, CURLUE_OUT_OF_MEMORY. */
CURLUcode mote_curlu_print(const CURLU *u, unsigned flags, char *out, size_t cap, size_t *len);

/* Makes the URL of a transfer (CURLOPT_CURLU). Errors: as mote_url_compose(), CURLUE_NO_SCHEME. */
#if MOTE_HAS_URL_API
CURLUcode mote_curlu_compose(const CURLU *handle, const struct mote_url_how *how, struct mote_url *u);
#else
#define mote_curlu_compose(handle, how, u) \
  ((void)(handle), (void)(how), (void)(u), (CURLUcode)CURLUE_BAD_HANDLE)
#endif

#endif
