/* tool/password.h: asks for the password that --user or --proxy-user left out.
 * Tests: none, since they would need a terminal */
#ifndef MOTE_TOOL_PASSWORD_H
#define MOTE_TOOL_PASSWORD_H

#include "tool/transfers/operation.h"

/* Turns "name" into "name:password". CURLE_OUT_OF_MEMORY. */
CURLcode mote_cli_ask_passwords(struct operation *op);

#endif
