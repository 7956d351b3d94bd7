/* tool/options/data.h: bodies and queries made from --data and its relatives.
 *
 * A single text is borrowed. A single --data-binary file is only named here and read while it is sent, if it
 * is large and nothing needs it earlier (plan.c).
 * Several pieces are copied into one block.
 *
 * Tests: tests/unit/tool/test_data.c */
#ifndef MOTE_TOOL_OPTIONS_DATA_H
#define MOTE_TOOL_OPTIONS_DATA_H

#include "tool/options/options.h"

/* Add the argument of one option, a text, or @file where the kind allows it. */
enum param mote_cli_data_add(struct post *post, enum data_kind kind, const char *arg);

/* Read a body that was only named. CURLE_READ_ERROR, CURLE_OUT_OF_MEMORY. */
CURLcode mote_cli_data_load(struct post *post);

/* Returns where the authority of a URL begins, with or without a scheme (RFC 3986 section 3). */
const char *mote_cli_url_authority(const char *url);
/* Returns the URL to show: if it has a user or a password, what follows them. */
const char *mote_cli_url_without_login(const char *url);

/* The URL with ?data or &data before its fragment. Allocated. NULL: out of memory. */
char *mote_cli_url_with_query(const char *url, const char *data, size_t len);

/* Percent-encode all but RFC 3986 unreserved characters; with `plus` a blank becomes '+'. Allocated. */
char *mote_cli_url_encode(const char *bytes, size_t len, bool plus);

#endif
