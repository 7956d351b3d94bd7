/* tool/password.h: asking for the password that --user and --proxy-user left out.
 * Tests: none automatic (needs a terminal) */
#ifndef MOTE_TOOL_PASSWORD_H
#define MOTE_TOOL_PASSWORD_H

#include "tool/operation.h"

/* "name" becomes "name:password". CURLE_OUT_OF_MEMORY. */
CURLcode mote_cli_ask_passwords(struct operation *op);

#endif
