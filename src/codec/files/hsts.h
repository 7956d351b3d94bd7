/* codec/files/hsts.h: HTTP Strict Transport Security as text, which is the value of a
 * Strict-Transport-Security field (RFC 6797 section 6.1) or a line of a file (CURLOPT_HSTS(3)).
 *
 * Errors: false: the text is refused.
 * Tests:  tests/unit/codec/test_hsts.c, fuzz/fuzz_hsts.c */
#ifndef MOTE_CODEC_FILES_HSTS_H
#define MOTE_CODEC_FILES_HSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "codec/files/stamp.h"

enum {
  MOTE_HSTS_AGE_MAX = 2 * 365 * 86400, /* seconds that a server can ask for; libcurl's limit */
  MOTE_HSTS_HOST_MAX = 255,            /* bytes of a host (RFC 1035) */
  MOTE_HSTS_LINE_MAX = MOTE_HSTS_HOST_MAX + MOTE_STAMP_SIZE + 5 /* bytes of a line, with its line feed */
};

/* What a server asks for. */
struct mote_hsts_field {
  int64_t max_age; /* seconds, at most MOTE_HSTS_AGE_MAX; 0: it is to be forgotten */
  bool tail;       /* includeSubDomains */
};

/* What a file says. */
struct mote_hsts_line {
  struct mote_slice host; /* without the dot in front and one at the end; 1 to MOTE_HSTS_HOST_MAX bytes */
  int64_t expires;        /* Unix time in seconds, or MOTE_STAMP_NEVER */
  bool tail;              /* hosts under it, too */
};

/* Reads the field. A field without max-age, or with max-age or includeSubDomains twice, is refused. What
 * stands between directives does not matter, as in libcurl, and unknown directives are skipped. */
bool mote_hsts_read_field(struct mote_slice value, struct mote_hsts_field *out);

/* Reads a line, without its line feed. An empty line and a comment are refused, too. */
bool mote_hsts_read_line(struct mote_slice line, struct mote_hsts_line *out);

/* Takes a dot off the end. False: no host of that length can be. */
bool mote_hsts_host(struct mote_slice *host);

/* Prints the line with its line feed, MOTE_HSTS_LINE_MAX bytes at most. */
void mote_hsts_print(const struct mote_hsts_line *line, struct mote_out *out);

#endif
