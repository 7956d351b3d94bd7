/* codec/http1_text.c: why a response was refused, in words. */
#include "codec/http1.h"

static const char *const texts[MOTE_HTTP1_WHY_LAST] = {
  [MOTE_HTTP1_WHY_NONE] = "No error",
  [MOTE_HTTP1_WHY_STATUS_LINE] = "Malformed HTTP status line in response",
  [MOTE_HTTP1_WHY_VERSION] = "Unsupported HTTP version in response",
  [MOTE_HTTP1_WHY_LINE_TOO_LONG] = "Too long response header line",
  [MOTE_HTTP1_WHY_HEAD_TOO_LONG] = "Too large response headers",
  [MOTE_HTTP1_WHY_NUL] = "Nul byte in header",
  [MOTE_HTTP1_WHY_BARE_CR] = "Carriage return without line feed in header",
  [MOTE_HTTP1_WHY_NO_COLON] = "Header without colon",
  [MOTE_HTTP1_WHY_EMPTY_NAME] = "Header without a name",
  [MOTE_HTTP1_WHY_BLANK_IN_NAME] = "Blank in the name of a header",
  [MOTE_HTTP1_WHY_FOLD_FIRST] = "Folded line before the first header",
  [MOTE_HTTP1_WHY_LENGTH_BAD] = "Invalid Content-Length: value",
  [MOTE_HTTP1_WHY_LENGTH_OVER] = "Content-Length: value over 2^63 - 1",
  [MOTE_HTTP1_WHY_LENGTH_DIFFERS] = "Content-Length: values that differ",
  [MOTE_HTTP1_WHY_TRANSFER_CODING] = "Transfer-Encoding: with chunked twice or not last, or too many codings",
  [MOTE_HTTP1_WHY_CONTENT_CODINGS] = "Reject response due to more than 5 content encodings",
  [MOTE_HTTP1_WHY_CLOSED_IN_HEAD] = "Connection closed inside the response headers",
  [MOTE_HTTP1_WHY_NOTHING] = "Empty reply from server",
  [MOTE_HTTP1_WHY_NOT_HTTP] = "Received HTTP/0.9 when not allowed",
  [MOTE_HTTP1_WHY_CHUNK_SIZE] = "Illegal or missing hexadecimal sequence in chunked-encoding",
  [MOTE_HTTP1_WHY_CHUNK_TOO_LARGE] = "Too long hexadecimal number in chunked-encoding",
  [MOTE_HTTP1_WHY_CHUNK_LINE] = "Malformed chunk size line in chunked-encoding",
  [MOTE_HTTP1_WHY_CHUNK_EXTENSION] = "Too long extensions in chunked-encoding",
  [MOTE_HTTP1_WHY_CHUNK_END] = "Malformed encoding found in chunked-encoding"
};

const char *mote_http1_why_text(enum mote_http1_why why)
{
  return (unsigned)why < MOTE_HTTP1_WHY_LAST ? texts[why] : texts[MOTE_HTTP1_WHY_NONE];
}
