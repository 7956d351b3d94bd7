/* http/fields.h: the head of a request as fields, for a protocol that sends these and not lines (RFC 9113
 * section 8.3, RFC 9114 section 4.3).
 *
 * A wire has these functions in its row, but for begin(), which calls mote_http_fields_begin() with the
 * protocol's version. The text is what HTTP/1 would send, and only the application sees it
 * (CURLINFO_HEADER_OUT). Where names and values lie in it is noted as each one is written, in the last bytes
 * of the writer's memory. Nothing looks for them in the text, which may have colons and line ends of options.
 *
 * What may be sent is judged by net/mux/fields.h.
 *
 * Ownership: what mote_http_fields_at() returns borrows the writer's memory.
 * Errors:    CURLE_URL_MALFORMAT: method or target are empty or have a line end.
 *            CURLE_BAD_FUNCTION_ARGUMENT: a field has one. The newest libcurl makes two fields of it.
 * Tests:     tests/unit/http/test_fields.c, tests/e2e/test_h2.py */
#ifndef MOTE_HTTP_FIELDS_H
#define MOTE_HTTP_FIELDS_H

#include "net/mux/fields.h"

struct mote_http_writer;

/* version: how the first line ends, with its line end. */
void mote_http_fields_begin(struct mote_http_writer *w, struct mote_slice version);

/* The functions of struct mote_http_wire. */
void mote_http_fields_name(struct mote_http_writer *w, const char *name, size_t len);
void mote_http_fields_end(struct mote_http_writer *w);
void mote_http_fields_framing(struct mote_http_writer *w);
void mote_http_fields_finish(struct mote_http_writer *w);

/* How many fields the head has, pseudo-fields included. */
size_t mote_http_fields_count(const struct mote_http_writer *w);
/* Returns one of them, after the application has seen the text: the name becomes lower case in there. */
struct mote_mux_field mote_http_fields_at(struct mote_http_writer *w, size_t i);

#endif
