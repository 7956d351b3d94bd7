/* codec/coding/coding.h: names of content and transfer codings (RFC 9110 section 8.4.1, RFC 9112 section 7).
 *
 * They are numbers, so that a response's list takes one byte for each. The decoder table
 * (codec/coding/decode.h) has those that this build can decode.
 * Tests: tests/unit/codec/test_http1_response.c */
#ifndef MOTE_CODEC_CODING_CODING_H
#define MOTE_CODEC_CODING_CODING_H

#include "base/text.h"

enum mote_coding {
  MOTE_CODING_UNKNOWN,
  MOTE_CODING_IDENTITY, /* "identity", "none" */
  MOTE_CODING_DEFLATE,
  MOTE_CODING_GZIP,     /* "gzip", "x-gzip" */
  MOTE_CODING_BR,
  MOTE_CODING_ZSTD,
  MOTE_CODING_CHUNKED
};

/* http1_response.c, which reads the lists. Case does not matter; never fails. */
enum mote_coding mote_coding_of(struct mote_slice name);

#endif
