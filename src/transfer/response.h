/* transfer/response.h: what the server answered, and what follows from that. It is a member of the run.
 *
 * Ownership: the run owns the stored headers and both handed out.
 * Tests:     tests/e2e/test_redirect.py, test_auth.py */
#ifndef MOTE_TRANSFER_RESPONSE_H
#define MOTE_TRANSFER_RESPONSE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "parts.h"
#include "transfer/headers.h"

struct mote_response {
  struct mote_header_store headers; /* of all responses of the chain */
  struct curl_header *handed;       /* two headers, last returned by curl_easy_header(), or NULL */
  curl_off_t size_down;             /* announced length of the body, or -1 */
  uint32_t head_bytes;              /* CURLINFO_HEADER_SIZE, bytes of all heads of the chain */
  uint16_t code;                    /* CURLINFO_RESPONSE_CODE, the last status; 0: none */
#if !MOTE_HAS_SMALL
  uint8_t auth_avail;               /* CURLINFO_HTTPAUTH_AVAIL; all known CURLAUTH_* are below 256 */
#endif
  bool follow : 1;                  /* follow `redirect` when the exchange is over */
  bool same_again : 1;              /* `follow` means the same URL again (401, 417) */
  bool challenged : 1;              /* the request was sent again with credentials after a 401 */
  bool other_challenge : 1;         /* auth_avail is that of another origin */
  bool got_bytes : 1;               /* bytes of this request's response have arrived */
  bool body_ignored : 1;            /* the body is not delivered, as its response is followed or failed */
  bool condition_unmet : 1;         /* CURLINFO_CONDITION_UNMET */
  bool old_server : 1;              /* the server has HTTP/1.0: use it for the rest of the chain */
};

#endif
