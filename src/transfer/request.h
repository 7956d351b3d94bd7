/* transfer/request.h: the request that a transfer makes now, one of a chain when redirects are followed. It
 * is a member of the run.
 *
 * Ownership: the run owns the URL and both texts.
 * Tests:     tests/e2e/test_redirect.py, tests/unit/transfer */
#ifndef MOTE_TRANSFER_REQUEST_H
#define MOTE_TRANSFER_REQUEST_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "codec/url/url_pack.h"

struct mote_scheme;

/* How far the current URL has come. It outlives the chain, for getinfo. */
enum mote_request_stage {
  MOTE_REQUEST_NEW,
  MOTE_REQUEST_PREPARED, /* the URL is checked and the protocol has prepared */
  MOTE_REQUEST_ASKED     /* HTTP: the request head was sent; not taken back by a retry */
};

/* Combinations: other_origin and drop_custom only after a redirect (redirects > 0); stage beyond NEW without
 * in_chain only after the end. no_expect lasts for the rest of the chain. */
struct mote_request {
  struct mote_url_packed url;
  const struct mote_scheme *scheme; /* the URL's */
  char *redirect;                   /* next URL, followed or not; a block of strlen + 1, or NULL */
  char *referer;                    /* for CURLOPT_AUTOREFERER, the URL before; likewise, or NULL */
  curl_off_t size_up;               /* announced length of the body, or -1 */
  uint32_t bytes;                   /* CURLINFO_REQUEST_SIZE, bytes of all heads of the chain, and of the
                                       bodies of all requests but this one; saturates */
  uint16_t redirects;               /* redirects followed so far */
  uint8_t method : 3;               /* enum mote_method */
  bool whole : 1;                   /* no challenge came to a request without its body: it goes whole, and
                                       without credentials; until the URL changes */
  bool upgraded : 1;                /* HSTS has made the chain's first URL an https one */
  bool in_chain : 1;                /* started and not over: counters and options are this transfer's */
  uint8_t stage : 2;                /* enum mote_request_stage */
  bool own_port : 1;                /* an absolute Location was followed: CURLOPT_PORT applies no longer */
  bool other_origin : 1;            /* redirected away from the origin that the credentials are for */
  bool drop_custom : 1;             /* CURLOPT_CUSTOMREQUEST does not apply after this redirect */
  bool no_expect : 1;               /* the server refused Expect with 417 */
  bool elsewhere : 1;               /* there is another place to connect to (transfer/elsewhere.h) */
  bool wants_headers : 1;           /* header lines go to a callback or to their own FILE */
  bool only_http1 : 1;              /* the server has asked for HTTP/1.1; until the URL changes */
  bool same_url : 1;                /* no option was set since the transfer before, and the chain begins with
                                       the same URL */
};

/* The only writer of size_up. -1: the size is unknown, or there is no body. */
static inline void mote_request_announce(struct mote_request *r, curl_off_t size)
{
  r->size_up = size;
}

#endif
