/* api/url.h: the object behind CURLU (curl_url(3)).
 *
 * The parts lie one behind the other, in the order of CURLUPART_*, in one block: two allocations per object.
 *
 * Invariants: the lengths add up to `used`; used <= size; a part that is not there has length 0.
 * Ownership:  object and block are the application's object's, paid by the process account.
 * Failure:    a call that fails has changed nothing.
 * Tests:      tests/unit/api/test_url_api.c */
#ifndef MOTE_API_URL_H
#define MOTE_API_URL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define MOTE_CURLU_PARTS 11 /* CURLUPART_URL is a place never used */

/* Bit of Curl_URL.has in the place of CURLUPART_URL: the fragment was set by itself, so that it counts as
 * present even when it is empty. */
#define MOTE_CURLU_OWN_FRAGMENT (1u << CURLUPART_URL)

struct Curl_URL {
  char *text;                     /* the parts' bytes, no NUL; NULL while size is 0 */
  uint32_t size;                  /* bytes allocated at text */
  uint32_t used;                  /* bytes of text in use */
  uint32_t len[MOTE_CURLU_PARTS]; /* bytes of each part. HOST: IPv6 in brackets without its
                                     zone id; names not encoded */
  uint16_t has;                   /* bit 1 << part: set, maybe to nothing */
  bool guessed;                   /* the scheme is a guess */
};

static inline bool mote_curlu_has(const CURLU *u, CURLUPart part)
{
  return (u->has & (1u << part)) != 0;
}

/* Bytes in front of a part in the text. */
size_t mote_curlu_offset(const CURLU *u, CURLUPart part);

/* A part's bytes; empty when it is not there. */
struct mote_slice mote_curlu_part(const CURLU *u, CURLUPart part);

/* The URL as curl_url_get(CURLUPART_URL) gives it, into out[cap] without NUL; *len is the
 * length of the whole.
 * CURLUE_NO_SCHEME, CURLUE_NO_HOST, CURLUE_BAD_HOSTNAME, CURLUE_LACKS_IDN, CURLUE_OUT_OF_MEMORY. */
CURLUcode mote_curlu_print(const CURLU *u, unsigned flags, char *out, size_t cap, size_t *len);

#endif
