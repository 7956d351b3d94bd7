/* codec/http/http1_text.c: why a response was refused, in words. */
#include "codec/http/http1.h"

#include <stddef.h>

/* In the order of enum mote_http1_why. */
#define TEXTS(T) \
  T(NONE, "No error") \
  T(STATUS_LINE, "Malformed HTTP status line in response") \
  T(VERSION, "Unsupported HTTP version in response") \
  T(LINE_TOO_LONG, "Too long response header line") \
  T(HEAD_TOO_LONG, "Too large response headers") \
  T(NUL, "Nul byte in header") \
  T(BARE_CR, "Carriage return without line feed in header") \
  T(NO_COLON, "Header without colon") \
  T(EMPTY_NAME, "Header without a name") \
  T(BLANK_IN_NAME, "Blank in the name of a header") \
  T(FOLD_FIRST, "Folded line before the first header") \
  T(LENGTH_BAD, "Invalid Content-Length: value") \
  T(LENGTH_OVER, "Content-Length: value over 2^63 - 1") \
  T(LENGTH_DIFFERS, "Content-Length: values that differ") \
  T(TRANSFER_CODING, "Transfer-Encoding: with chunked twice or not last, or too many codings") \
  T(CONTENT_CODINGS, "Reject response due to more than 5 content encodings") \
  T(CLOSED_IN_HEAD, "Connection closed inside the response headers") \
  T(NOTHING, "Empty reply from server") \
  T(NOT_HTTP, "Received HTTP/0.9 when not allowed") \
  T(CHUNK_SIZE, "Illegal or missing hexadecimal sequence in chunked-encoding") \
  T(CHUNK_TOO_LARGE, "Too long hexadecimal number in chunked-encoding") \
  T(CHUNK_LINE, "Malformed chunk size line in chunked-encoding") \
  T(CHUNK_EXTENSION, "Too long extensions in chunked-encoding") \
  T(CHUNK_END, "Malformed encoding found in chunked-encoding")

/* All texts, one after the other: places in it take a quarter of pointers, and are not relocated. */
struct texts {
#define MEMBER(why, text) char why[sizeof(text)];
  TEXTS(MEMBER)
};

#define TEXT(why, text) text,
static const struct texts texts = {TEXTS(TEXT)};

#define PLACE(why, text) [MOTE_HTTP1_WHY_##why] = offsetof(struct texts, why),
static const uint16_t place[MOTE_HTTP1_WHY_LAST] = {TEXTS(PLACE)};

const char *mote_http1_why_text(enum mote_http1_why why)
{
  return (const char *)&texts + ((unsigned)why < MOTE_HTTP1_WHY_LAST ? place[why] : 0);
}
