/* net/mux/fields.h: the fields of a head where a protocol sends these and not lines (RFC 9113 section 8.3,
 * RFC 9114 section 4.3).
 *
 * Whatever writes a head writes it as a text, and notes where each field lies in it. No other file looks for
 * fields in a text, which may have colons and line ends of options.
 *
 * A value has no blanks around it (RFC 9113 section 8.2.1). Fields of the connection, which such a protocol
 * does not have, are left out (section 8.2.2). A line end is refused, since a gateway to HTTP/1 would end the
 * line there.
 *
 * Ownership: what mote_mux_field_at() returns borrows the text.
 * Tests:     tests/unit/http/test_fields.c, tests/e2e/test_h2.py, test_https_proxy_h2.py */
#ifndef MOTE_NET_MUX_FIELDS_H
#define MOTE_NET_MUX_FIELDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "parts.h"

/* Where a field lies: offsets in the text, and lengths. */
struct mote_mux_note {
  uint32_t name, name_len, value, value_len;
};

/* A field as libraries take it: nghttp2_nv and nghttp3_nv have the same size. */
struct mote_mux_field {
  struct mote_slice name; /* in lower case */
  struct mote_slice value;
  bool is_pseudo;         /* the name is a literal */
};

enum mote_mux_verdict { MOTE_MUX_SENT, MOTE_MUX_LEFT_OUT, MOTE_MUX_HAS_LINE_END };

#if MOTE_HAS_MUX

/* Judges a field whose value ends at `end`, and notes where that lies without the blanks around it. */
enum mote_mux_verdict mote_mux_judge(const char *text, size_t end, struct mote_mux_note *n);
/* Returns the field; its name becomes lower case in the text. */
struct mote_mux_field mote_mux_field_at(char *text, const struct mote_mux_note *n);
/* Reports whether a protocol without fields of the connection leaves this one out. */
bool mote_mux_is_of_connection(struct mote_slice name, struct mote_slice value);
/* Returns the status of a response, 100 to 999, or 0 where the value is none. */
uint16_t mote_mux_status(struct mote_slice value);

#else
#define mote_mux_judge(text, end, n) ((void)(text), (void)(end), (void)(n), MOTE_MUX_SENT)
#endif

/* Reports whether a text has a line end. */
static inline bool mote_mux_has_line_end(const char *p, size_t len)
{
  return memchr(p, '\n', len) || memchr(p, '\r', len);
}

#endif
