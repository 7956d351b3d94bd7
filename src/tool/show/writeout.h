/* tool/show/writeout.h: --write-out. Source: curl(1), --write-out.
 * Tests: tests/unit/tool/test_writeout.c, tests/tool/test_own.py */
#ifndef MOTE_TOOL_SHOW_WRITEOUT_H
#define MOTE_TOOL_SHOW_WRITEOUT_H

#include "tool/transfers/transfer.h"

/* Show what the operation's format says about the transfer that ended with `code`. */
void mote_cli_writeout(struct transfer *t, CURLcode code);

/* The same with a format given directly. Output goes to fd at first. */
void mote_cli_writeout_format(struct transfer *t, CURLcode code, const char *format, int fd);

#endif
