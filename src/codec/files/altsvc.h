/* codec/files/altsvc.h: alternative services as text, which is the value of an Alt-Svc field (RFC 7838
 * section 3) or a line of a file (CURLOPT_ALTSVC(3)).
 *
 * Errors: what is refused is false or the end.
 * Tests:  tests/unit/codec/test_altsvc.c, fuzz/fuzz_altsvc.c */
#ifndef MOTE_CODEC_FILES_ALTSVC_H
#define MOTE_CODEC_FILES_ALTSVC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct mote_out;

enum {
  MOTE_ALTSVC_HOST_MAX = 255,        /* bytes of a host (RFC 1035) */
  MOTE_ALTSVC_AGE = 24 * 3600,       /* seconds, where a field has no `ma` */
  MOTE_ALTSVC_AGE_MAX = 2147483647,  /* seconds; a longer time is that */
  MOTE_ALTSVC_LINE_MAX = 2 * (MOTE_ALTSVC_HOST_MAX + 2) + 64 /* bytes of a line, with its line feed */
};

/* Protocols by their ALPN ids; others are left out. */
enum mote_altsvc_protocol {
  MOTE_ALTSVC_NONE,
  MOTE_ALTSVC_H1, /* "h1", "http/1.1" */
  MOTE_ALTSVC_H2,
  MOTE_ALTSVC_H3
};

/* An alternative that a server offers. */
struct mote_altsvc_offer {
  struct mote_slice host; /* without brackets; empty: the origin's */
  uint16_t port;          /* 1 to 65535 */
  uint8_t protocol;       /* enum mote_altsvc_protocol */
  bool persist;           /* also after the network has changed */
  int64_t max_age;        /* seconds */
};

/* What a file says. */
struct mote_altsvc_line {
  struct mote_slice host, to; /* origin and alternative, without brackets and dot at the end; not empty */
  uint16_t port, to_port;     /* 1 to 65535 */
  uint8_t protocol, to_protocol; /* enum mote_altsvc_protocol, not NONE */
  uint16_t priority;          /* kept, not used */
  bool persist;
  int64_t expires;            /* Unix time in seconds */
};

/* Reports whether the field takes back all that was offered. */
bool mote_altsvc_clears(struct mote_slice field);
/* Takes the next alternative of a known protocol from the front of a field. False: there is none, or the rest
 * is malformed. */
bool mote_altsvc_next(struct mote_slice *field, struct mote_altsvc_offer *out);

/* Reads a line, without its line feed. An empty line and a comment are refused, too. */
bool mote_altsvc_read_line(struct mote_slice text, struct mote_altsvc_line *out);
/* Prints the line with its line feed, MOTE_ALTSVC_LINE_MAX bytes at most. */
void mote_altsvc_print(const struct mote_altsvc_line *line, struct mote_out *out);

#endif
