/* tool/show/progress.h: what the two progress displays have in common (progress.c,
 * progress_parallel.c).
 * Tests: tests/tool/test_same_as_curl.py */
#ifndef MOTE_TOOL_SHOW_PROGRESS_H
#define MOTE_TOOL_SHOW_PROGRESS_H

#include "tool/transfers/out.h"
#include "tool/transfers/transfer.h"

/* A byte count in five places. */
void mote_cli_put_bytes(struct out *o, curl_off_t bytes);
/* A time in eight places. */
void mote_cli_put_time(struct out *o, curl_off_t seconds);
/* The current speed in bytes per second. Takes a sample. */
curl_off_t mote_cli_meter_speed(struct meter *m, curl_off_t now);

#endif
