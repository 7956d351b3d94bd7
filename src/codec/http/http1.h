/* codec/http/http1.h: parses the head of an HTTP/1 response (RFC 9112), one event per call.
 *
 * It has two layers. struct mote_http1_head cuts the bytes into lines and judges nothing but syntax; struct
 * mote_http1_response collects from the header events what decides where the body ends and whether the
 * connection may carry another request. docs/http1-responses.md lists what is refused and why.
 *
 * The caller passes all the bytes that are there, from the first unused one on, gets one event, drops `used`
 * bytes, and repeats this. MOTE_HTTP1_NEED_MORE always has used == 0; the caller keeps the bytes, which it
 * may move, and passes them again with more after them. Bytes that were searched are not searched again, so
 * that feeding byte by byte takes linear time. A header is complete only when the byte after its line end has
 * been seen, since it may be folded (RFC 9112 section 5.2); status line and END need no further byte.
 *
 * Invariants: nothing is allocated or copied; slices point into the caller's bytes and are valid as long.
 *             Folded lines are joined in place with one space between (so the bytes are not const); `whole`
 *             is then shorter than `used`. whole.len <= MOTE_HTTP1_MAX_LINE. The events are the same however
 *             the bytes are cut.
 * Ownership:  all structs are plain memory of the caller; there is nothing to release.
 * Failure:    CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_TOO_LARGE or CURLE_RECV_ERROR with
 *             ev->why. The connection is not reusable then, nor is the struct before its next init.
 * Tests:      tests/unit/codec/test_http1.c, test_http1_response.c; fuzz/fuzz_http1.c */
#ifndef MOTE_CODEC_HTTP_HTTP1_H
#define MOTE_CODEC_HTTP_HTTP1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curl/curl.h>

#include "base/text.h"
#include "codec/limits.h"

/* Why a response was refused, for the error buffer. */
enum mote_http1_why {
  MOTE_HTTP1_WHY_NONE,
  MOTE_HTTP1_WHY_STATUS_LINE,     /* begins as HTTP but is no status line */
  MOTE_HTTP1_WHY_VERSION,         /* HTTP/x.y that this codec does not speak */
  MOTE_HTTP1_WHY_LINE_TOO_LONG,
  MOTE_HTTP1_WHY_HEAD_TOO_LONG,   /* heads, or trailers, over their ceiling */
  MOTE_HTTP1_WHY_NUL,             /* NUL byte in a line */
  MOTE_HTTP1_WHY_BARE_CR,         /* CR that no LF follows */
  MOTE_HTTP1_WHY_NO_COLON,
  MOTE_HTTP1_WHY_EMPTY_NAME,
  MOTE_HTTP1_WHY_BLANK_IN_NAME,   /* blank or control before the colon */
  MOTE_HTTP1_WHY_FOLD_FIRST,      /* first field line begins with a blank */
  MOTE_HTTP1_WHY_LENGTH_BAD,      /* Content-Length is no number */
  MOTE_HTTP1_WHY_LENGTH_OVER,     /* Content-Length is a number over INT64_MAX */
  MOTE_HTTP1_WHY_LENGTH_DIFFERS,  /* two Content-Lengths that differ */
  MOTE_HTTP1_WHY_TRANSFER_CODING, /* chunked is not the last or occurs twice, or too many transfer codings */
  MOTE_HTTP1_WHY_CONTENT_CODINGS, /* more than MOTE_MAX_CODINGS of them (the caller's error to raise) */
  MOTE_HTTP1_WHY_CLOSED_IN_HEAD,  /* the connection ended inside a head */
  MOTE_HTTP1_WHY_NOTHING,         /* the connection ended before a status line */
  MOTE_HTTP1_WHY_NOT_HTTP,        /* HTTP/0.9 (the caller's error to raise) */
  MOTE_HTTP1_WHY_CHUNK_SIZE,      /* no hex digit where a chunk size should be */
  MOTE_HTTP1_WHY_CHUNK_TOO_LARGE, /* chunk size has too many digits or more than 63 bits */
  MOTE_HTTP1_WHY_CHUNK_LINE,      /* malformed rest of a chunk size line */
  MOTE_HTTP1_WHY_CHUNK_EXTENSION, /* extensions too long */
  MOTE_HTTP1_WHY_CHUNK_END,       /* no line end after chunk data */
  MOTE_HTTP1_WHY_LAST
};

/* English sentence without a full stop, never NULL (http1_text.c). */
const char *mote_http1_why_text(enum mote_http1_why why);

enum mote_http1_kind {
  MOTE_HTTP1_NEED_MORE, /* no event yet; used == 0 */
  MOTE_HTTP1_STATUS,    /* status line: code, major, minor, value = reason phrase, whole */
  MOTE_HTTP1_HEADER,    /* field line: field, name, value, whole */
  MOTE_HTTP1_END,       /* the empty line that ends the head: whole */
  MOTE_HTTP1_NOT_HTTP   /* the bytes cannot become a status line (HTTP/0.9, all of it body); used == 0.
                           The caller takes them as a body until close, or CURLE_UNSUPPORTED_PROTOCOL */
};

/* Fields that the library reads, or that most responses have, ordered by the length of the name. */
enum mote_http1_field {
  MOTE_FIELD_OTHER,
  MOTE_FIELD_DATE,
  MOTE_FIELD_ETAG,
  MOTE_FIELD_VARY,
  MOTE_FIELD_SERVER,
  MOTE_FIELD_ALT_SVC,
  MOTE_FIELD_EXPIRES,
  MOTE_FIELD_REFRESH,
  MOTE_FIELD_TRAILER,
  MOTE_FIELD_UPGRADE,
  MOTE_FIELD_X_CACHE,
  MOTE_FIELD_LOCATION,
  MOTE_FIELD_CONNECTION,
  MOTE_FIELD_KEEP_ALIVE,
  MOTE_FIELD_SET_COOKIE,
  MOTE_FIELD_RETRY_AFTER,
  MOTE_FIELD_CONTENT_TYPE,
  MOTE_FIELD_LAST_MODIFIED,
  MOTE_FIELD_ACCEPT_RANGES,
  MOTE_FIELD_CACHE_CONTROL,
  MOTE_FIELD_CONTENT_RANGE,
  MOTE_FIELD_CONTENT_LENGTH,
  MOTE_FIELD_X_CACHE_LOOKUP,
  MOTE_FIELD_PERSISTENT_AUTH,
  MOTE_FIELD_CONTENT_ENCODING,
  MOTE_FIELD_PROXY_CONNECTION,
  MOTE_FIELD_WWW_AUTHENTICATE,
  MOTE_FIELD_TRANSFER_ENCODING,
  MOTE_FIELD_PROXY_AUTHENTICATE,
  MOTE_FIELD_CONTENT_DISPOSITION,
#if MOTE_HAS_WS
  MOTE_FIELD_SEC_WEBSOCKET_ACCEPT,
#endif
  MOTE_FIELD_STRICT_TRANSPORT_SECURITY,
  MOTE_FIELD_LAST /* not a field; at most 32, as sets of fields are masks of 32 bits */
};

/* The names of 20 letters. */
#if MOTE_HAS_WS
#define MOTE_HTTP1_WEBSOCKET_NAMES(F) F(SEC_WEBSOCKET_ACCEPT, "sec-websocket-accept", "Sec-WebSocket-Accept")
#define MOTE_FIELD_OF_20_LETTERS MOTE_FIELD_SEC_WEBSOCKET_ACCEPT
#else
#define MOTE_HTTP1_WEBSOCKET_NAMES(F)
#define MOTE_FIELD_OF_20_LETTERS MOTE_FIELD_STRICT_TRANSPORT_SECURITY
#endif

struct mote_http1_name {
  uint8_t field;    /* enum mote_http1_field */
  uint8_t spelling; /* number of the field's name as most servers write it ("Content-Type"), or in lower case;
                       0: it is written in another way, or OTHER */
};

/* Looks a name up, in any case of letters. The name has no control characters. */
struct mote_http1_name mote_http1_name_of(struct mote_slice name);
/* The same for a name that is not written as most servers do, which is looked for first. */
struct mote_http1_name mote_http1_name_any_case(struct mote_slice name);
/* The same for a name of HTTP/2 or HTTP/3, which has no capitals (RFC 9113 section 8.2, RFC 9114
 * section 4.2). */
struct mote_http1_name mote_http1_name_lower(struct mote_slice name);
/* The name that has this spelling, a constant. */
const char *mote_http1_spelled(uint8_t spelling);

struct mote_http1_event {
  size_t used;             /* bytes that the caller may drop after handling the event */
  struct mote_slice whole; /* STATUS, HEADER, END: the line with its line end, as a header callback gets it */
  struct mote_slice name;  /* HEADER: without the colon; not empty */
  struct mote_slice value; /* HEADER: blanks trimmed off both ends. STATUS: reason phrase. May be empty */
  uint16_t code;           /* STATUS: 100 to 999 */
  uint8_t kind;            /* enum mote_http1_kind */
  struct mote_http1_name known; /* HEADER */
  uint8_t major;           /* STATUS: 1 */
  uint8_t minor;           /* STATUS: 0 or 1 */
  uint8_t why;             /* enum mote_http1_why; NONE unless the call failed */
};

/* Cutting a field section (a head's, or trailers) into field lines. */
struct mote_http1_fields {
  uint32_t scanned; /* leading bytes of the caller's that were searched; 0 to MOTE_HTTP1_MAX_LINE */
  uint32_t total;   /* bytes used by all events so far; <= limit */
  uint32_t limit;   /* ceiling of total, 1 to UINT32_MAX / 2 */
  uint8_t folded;   /* 1: the line being scanned has continuation lines */
  uint8_t ended;    /* 1: END was returned */
};

static inline void mote_http1_fields_init(struct mote_http1_fields *f, uint32_t limit)
{
  *f = (struct mote_http1_fields){.limit = limit};
}

/* Returns HEADER, END or NEED_MORE.
 * CURLE_WEIRD_SERVER_REPLY: NUL, bare CR, no colon, empty name, blank in the name, or a continuation line
 *                           without a line before it.
 * CURLE_TOO_LARGE:          a line over MOTE_HTTP1_MAX_LINE.
 * CURLE_RECV_ERROR:         over f->limit. */
CURLcode mote_http1_fields_feed(struct mote_http1_fields *f, char *bytes, size_t len,
                                struct mote_http1_event *ev);

/* Parses the heads of one response after another. */
struct mote_http1_head {
  const struct curl_slist *aliases; /* CURLOPT_HTTP200ALIASES, borrowed, may be NULL: a line that begins with
                                       one of them is "HTTP/1.0 200" */
  struct mote_http1_fields fields;  /* total counts every response since init */
  uint8_t state;                    /* private to http1.c; 0 before a status line */
};

/* Call it for each request, since MOTE_HTTP1_MAX_HEAD is the ceiling of all responses to one request. */
static inline void mote_http1_head_init(struct mote_http1_head *h, const struct curl_slist *aliases)
{
  h->aliases = aliases;
  mote_http1_fields_init(&h->fields, MOTE_HTTP1_MAX_HEAD);
  h->state = 0;
}

/* Call it after END of a 1xx, when the head of the next response to the same request follows. */
void mote_http1_head_next(struct mote_http1_head *h);

/* See the head of this file. bytes may be NULL when len is 0.
 * CURLE_UNSUPPORTED_PROTOCOL: malformed status line, or an HTTP version other than 1.0 and 1.1.
 * Otherwise what mote_http1_fields_feed says. */
CURLcode mote_http1_feed(struct mote_http1_head *h, char *bytes, size_t len, struct mote_http1_event *ev);

/* Returns a whole HEADER that is written as nearly all are, for a loop that has many of them. False: nothing
 * has changed, and mote_http1_feed() decides what is there. */
bool mote_http1_feed_plain(struct mote_http1_head *h, const char *bytes, size_t len,
                           struct mote_http1_event *ev);

/* The connection has ended where a head was expected or not complete; never returns CURLE_OK.
 * CURLE_GOT_NOTHING: no complete status line.
 * CURLE_RECV_ERROR:  ended inside a head; what was delivered of it is all there is. */
CURLcode mote_http1_closed(const struct mote_http1_head *h, enum mote_http1_why *why);

/* Reports whether another response to the same request follows this status: 1xx but 101. */
static inline bool mote_http1_is_interim(unsigned code)
{
  return code >= 100 && code < 200 && code != 101;
}

/* Bits of mote_http1_response.flags */
#define MOTE_HTTP1_HAS_LENGTH 0x01u     /* a valid Content-Length was seen */
#define MOTE_HTTP1_HAS_TRANSFER 0x02u   /* a Transfer-Encoding was seen */
#define MOTE_HTTP1_CLOSE 0x04u          /* Connection: close, in this response or an interim one before it */
#define MOTE_HTTP1_KEEP_ALIVE 0x08u     /* Connection: keep-alive */
#define MOTE_HTTP1_UPGRADE 0x10u        /* Connection: upgrade */
#define MOTE_HTTP1_CONTENT_OVER 0x20u   /* more than MOTE_MAX_CODINGS content codings; an error if decoding */
#define MOTE_HTTP1_TRANSFER_BAD 0x40u   /* chunked not last or twice, or too many transfer codings */
#define MOTE_HTTP1_SUSPECT 0x80u        /* others may read the framing differently: not reusable */

/* What frames one response. All zero before the first response to a request. */
struct mote_http1_response {
  uint64_t length;        /* Content-Length; valid with MOTE_HTTP1_HAS_LENGTH; at most INT64_MAX */
  uint16_t code;          /* status code, 100 to 999; 0 before the first response */
  uint8_t version;        /* 10 or 11 */
  uint8_t flags;          /* MOTE_HTTP1_* above */
  uint8_t content_count : 4;  /* entries of content[] */
  uint8_t transfer_count : 4; /* entries of transfer[] */
  uint8_t content[MOTE_MAX_CODINGS];  /* enum mote_coding in the order they were applied, identity left out;
                                         MOTE_CODING_UNKNOWN stands for any other name */
  uint8_t transfer[MOTE_MAX_CODINGS + 1]; /* the same for Transfer-Encoding; "chunked" comes last, and only
                                             it may be the one more */
};

/* Starts from a STATUS event. Keeps what an interim response before it said about closing. */
void mote_http1_response_begin(struct mote_http1_response *r, const struct mote_http1_event *ev);

/* True when mote_http1_response_field() reads this field (enum mote_http1_field). */
static inline bool mote_http1_is_framing(unsigned field)
{
  const uint32_t framing = 1u << MOTE_FIELD_CONTENT_LENGTH | 1u << MOTE_FIELD_TRANSFER_ENCODING |
                           1u << MOTE_FIELD_CONTENT_ENCODING | 1u << MOTE_FIELD_CONNECTION;
  return (framing >> field & 1u) != 0;
}

/* Takes in a HEADER event and ignores fields that say nothing about framing. CURLOPT_IGNORE_CONTENT_LENGTH is
 * for servers whose Content-Length is wrong or malformed; with it the caller leaves that field out.
 * CURLE_WEIRD_SERVER_REPLY: Content-Length is no number, over INT64_MAX, or differs from an earlier one;
 *                           ev->why says which. */
CURLcode mote_http1_response_field(struct mote_http1_response *r, struct mote_http1_event *ev);

enum mote_http1_body {
  MOTE_HTTP1_BODY_NONE,       /* the response is complete after its head */
  MOTE_HTTP1_BODY_LENGTH,     /* `length` bytes, may be 0 */
  MOTE_HTTP1_BODY_CHUNKED,    /* codec/http/chunked.h; the caller decodes the transfer codings under it */
  MOTE_HTTP1_BODY_UNTIL_CLOSE
};

/* What the caller knows of the request. */
#define MOTE_HTTP1_FOR_HEAD 0x1u      /* the method was HEAD: never a body */
#define MOTE_HTTP1_FOR_CONNECT 0x2u   /* the method was CONNECT: a 2xx has no body */
#define MOTE_HTTP1_IGNORE_LENGTH 0x4u /* CURLOPT_IGNORE_CONTENT_LENGTH */
#define MOTE_HTTP1_FOR_UPGRADE 0x8u   /* the application asked for another protocol (RFC 9110 section 7.8),
                                         whose bytes are what follows a 101 */

struct mote_http1_framing {
  uint64_t length;  /* BODY_LENGTH: bytes of the body. Otherwise 0 */
  uint8_t body;     /* enum mote_http1_body */
  uint8_t reusable; /* 1: the connection may carry another request when the body has been read and no bytes
                       follow it. Never with UNTIL_CLOSE or 101 */
  uint8_t interim;  /* 1: a 1xx other than 101; another head follows (mote_http1_head_next()) */
  uint8_t codings;  /* transfer codings to decode besides chunked: the first `codings` of r->transfer */
};

/* RFC 9112 section 6.3 and 9.3; call it after END.
 * CURLE_BAD_CONTENT_ENCODING: chunked is not the last transfer coding or occurs twice, or there are too many.
 *                             (mote_decode_open() refuses a coding that cannot be decoded.) */
CURLcode mote_http1_framing(const struct mote_http1_response *r, unsigned request,
                            struct mote_http1_framing *out);

#endif
