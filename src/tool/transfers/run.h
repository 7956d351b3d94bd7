/* tool/transfers/run.h: runs all transfers of the command line.
 * Tests: tests/tool (end to end) */
#ifndef MOTE_TOOL_TRANSFERS_RUN_H
#define MOTE_TOOL_TRANSFERS_RUN_H

#include "tool/transfers/plan.h"

/* One after the other on one handle. Returns the exit code. */
CURLcode mote_cli_run_serial(struct operation *first);
/* --parallel: side by side in a multi handle. */
CURLcode mote_cli_run_parallel(struct operation *first);

#endif
