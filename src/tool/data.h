/* tool/data.h: bodies and queries put together from --data and its relatives.
 *
 * One piece given as text is borrowed, one --data-binary file is only named (it is read while it is sent);
 * more pieces make one block.
 * Tests: tests/unit/tool/test_data.c */
#ifndef MOTE_TOOL_DATA_H
#define MOTE_TOOL_DATA_H

#include "tool/options.h"

/* Add what one option says: text, or @file where the kind allows it. */
enum param mote_cli_data_add(struct post *post, enum data_kind kind, const char *arg);

/* Read a body that was only named. CURLE_READ_ERROR, CURLE_OUT_OF_MEMORY. */
CURLcode mote_cli_data_load(struct post *post);

/* url with ?data or &data, in front of a fragment; allocated. NULL: out of memory. */
char *mote_cli_url_with_query(const char *url, const char *data, size_t len);

/* Percent-encode all but RFC 3986 unreserved characters; with `plus` a blank becomes '+'. Allocated. */
char *mote_cli_url_encode(const char *bytes, size_t len, bool plus);

#endif
