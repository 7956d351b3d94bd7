/* transfer/exchange.h: the request that a transfer makes now, one of a chain when redirects are followed, and
 * what the server answered. Both are members of the run.
 *
 * Ownership: the run owns the URL, both texts of the request, the stored headers and those handed out.
 * Tests:     tests/e2e/test_redirect.py, test_auth.py, tests/unit/transfer */
#ifndef MOTE_TRANSFER_EXCHANGE_H
#define MOTE_TRANSFER_EXCHANGE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "codec/url/url_pack.h"
#include "parts.h"

struct mote_header_block;
struct mote_scheme;

/* ---- the request ---- */

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

/* ---- the response ---- */

/* Where the headers of all responses of the chain are (transfer/download/headers.h). */
#if MOTE_HAS_HEADER_STORE
struct mote_header_store {
  char *tail;                      /* room for the first entries, the run's */
  struct mote_header_block *last;  /* the block being filled, whose next is the first one. NULL or empty: the
                                      tail is being filled */
  uint16_t tail_cap;               /* bytes of the tail */
  uint16_t tail_len;               /* bytes of it that are used */
  uint16_t count;                  /* headers stored */
  uint16_t request;                /* index of the current request of the chain, from 0 */
};

/* Empties the store. tail is room of tail_size bytes that outlives it. */
static inline void mote_headers_init(struct mote_header_store *s, void *tail, uint16_t tail_size)
{
  *s = (struct mote_header_store){.tail = (char *)tail, .tail_cap = tail_size};
}

#else

struct mote_header_store {
  char *tail;
  uint32_t tail_size;
  uint16_t request;
};

#define mote_headers_init(s, room, size) \
  ((s)->tail = (char *)(room), (s)->tail_size = (size), (void)((s)->request = 0))
#endif

#define MOTE_HEADERS_HANDED 2 /* one of curl_easy_header(), one of curl_easy_nextheader() */

/* What follows when the exchange is over. */
enum mote_next {
  MOTE_NEXT_NONE, /* the end of the transfer */
  MOTE_NEXT_URL,  /* a request for run->request.redirect */
  MOTE_NEXT_SAME  /* the same request again (401, 417); takes precedence over URL */
};

/* Whose challenge auth_avail is. */
enum mote_challenge {
  MOTE_CHALLENGE_NONE,     /* the last response's, if it has one */
  MOTE_CHALLENGE_ANSWERED, /* after this origin's 401 the request was sent again with credentials */
  MOTE_CHALLENGE_ELSEWHERE /* that was another origin, so that the next challenge replaces auth_avail */
};

/* What is known of one exchange with a side that the client logs in to (transfer/login.h); all zero before
 * its request. A scheme is the number of its CURLAUTH_* bit, from 1; no row of auth/scheme.h has a bit above
 * CURLAUTH_BEARER, so that 3 bits hold it. */
struct mote_login_round {
  uint8_t sent : 3;   /* the scheme whose credentials the request had, or lacked since they could not be made;
                         0: none */
  uint8_t chosen : 3; /* the preferred scheme among the response's challenges so far; 0: none */
  bool again : 1;     /* the response asks for another request with credentials */
};

static inline unsigned mote_login_number(unsigned long bit)
{
  unsigned n = 0;
  for(; bit; bit >>= 1)
    n++;
  return n;
}

/* Combinations: a `next` other than NONE always comes with body_ignored. Beyond that, all are independent. */
struct mote_response {
  struct mote_header_store headers; /* of all responses of the chain */
  struct curl_header *handed;       /* MOTE_HEADERS_HANDED that were last returned, or NULL */
  curl_off_t size_down;             /* announced length of the body, or -1 */
  uint32_t head_bytes;              /* CURLINFO_HEADER_SIZE, bytes of all heads of the chain */
  uint16_t code;                    /* CURLINFO_RESPONSE_CODE, the last status; 0: none */
  uint8_t auth_avail;               /* CURLINFO_HTTPAUTH_AVAIL; all known CURLAUTH_* are below 256 */
  uint8_t next : 2;                 /* enum mote_next */
  uint8_t challenge : 2;            /* enum mote_challenge */
  bool got_bytes : 1;               /* bytes of this request's response have arrived */
  bool body_ignored : 1;            /* the body is not delivered, as its response is followed or failed */
  bool condition_unmet : 1;         /* CURLINFO_CONDITION_UNMET */
  bool old_server : 1;              /* the server has HTTP/1.0: use it for the rest of the chain */
};

/* The only writers of got_bytes: a byte of the response has come; a request begins, or begins again. */
static inline void mote_response_arrive(struct mote_response *r)
{
  r->got_bytes = true;
}

static inline void mote_response_await(struct mote_response *r)
{
  r->got_bytes = false;
}

/* The only writer of size_down. -1: the peer has not said, or will not send any. */
static inline void mote_response_announce(struct mote_response *r, curl_off_t size)
{
  r->size_down = size;
}

#endif
