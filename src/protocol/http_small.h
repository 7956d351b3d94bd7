/* protocol/http_small.h: GET over HTTP/1.1 in a build without the part http_all (RFC 9110, RFC 9112).
 *
 * One request at a time has the multi's buffer for itself: the head is built there, and what was received
 * and not understood yet stays at its front, so that a cut line waits for its rest where it lies. The largest
 * line is the smaller of MOTE_HTTP1_MAX_LINE and the buffer.
 *
 * As strict as codec/http1.h about what two readers may take in two ways, and simpler: a folded line, a
 * control character, a Content-Length that is no number or differs from another are CURLE_WEIRD_SERVER_REPLY;
 * a Transfer-Encoding other than chunked is CURLE_BAD_CONTENT_ENCODING. A bare LF, HTTP/1.0, Content-Length
 * beside chunked, or bytes behind the response: read as far as it goes, but the connection is not used again.
 * Tests: tests/parts/test_parts.py */
#ifndef MOTE_PROTOCOL_HTTP_SMALL_H
#define MOTE_PROTOCOL_HTTP_SMALL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mote_transfer;

enum mote_small_state {
  MOTE_SMALL_SENDING,
  MOTE_SMALL_STATUS,    /* a status line is next */
  MOTE_SMALL_FIELDS,    /* field lines, or the empty one that ends the head */
  MOTE_SMALL_SIZE,      /* size line of a chunk */
  MOTE_SMALL_CHUNK_END, /* the line end behind a chunk's data */
  MOTE_SMALL_TRAILERS,
  MOTE_SMALL_BODY,      /* `left` bytes, framed by length or by the end of the connection */
  MOTE_SMALL_CHUNK,     /* `left` bytes of a chunk */
  MOTE_SMALL_DONE
};

#define MOTE_SMALL_HAS_LENGTH 1u
#define MOTE_SMALL_HAS_CHUNKED 2u
#define MOTE_SMALL_UNTIL_CLOSE UINT64_MAX

struct mote_small_http {
  uint64_t left;   /* BODY, CHUNK: bytes still to come; else 0 */
  uint64_t length; /* Content-Length; valid with HAS_LENGTH */
  uint32_t fill;   /* bytes at the buffer's front: of the request; received and not used */
  uint32_t at;     /* SENDING: bytes sent */
  uint32_t head;   /* bytes of all heads and trailers so far */
  uint8_t state;   /* enum mote_small_state */
  uint8_t facts;   /* HAS_*, of this response */
  bool spoiled;    /* the connection is of no use afterwards */
};

/* http_small_response.c: what is in the buffer (h->fill of its `size` bytes), as far as it goes; the rest
 * moves to the front. */
CURLcode mote_small_take(struct mote_transfer *t, struct mote_small_http *h, char *bytes, size_t size);

/* http_small_end.c: what the end of the connection makes of the response. */
CURLcode mote_small_ended(const struct mote_small_http *h);

#endif
