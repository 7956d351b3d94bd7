/* tool/writejson.h: %{json} and %{header_json}. RFC 8259.
 * Tests: tests/unit/tool/test_writeout.c */
#ifndef MOTE_TOOL_WRITEJSON_H
#define MOTE_TOOL_WRITEJSON_H

#include "tool/out.h"
#include "tool/transfer.h"

/* A text in quotes. */
void mote_cli_put_json(struct out *o, const char *text, size_t len);
/* All variables as one object. */
void mote_cli_put_all_json(struct out *o, struct transfer *t, CURLcode code);
/* The headers of the last response: an array of values for each name. */
void mote_cli_put_headers_json(struct out *o, struct transfer *t);

#endif
