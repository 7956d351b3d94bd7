/* tool/progress.h: pieces of the progress displays.
 * Tests: tests/tool/test_same_as_curl.py */
#ifndef MOTE_TOOL_PROGRESS_H
#define MOTE_TOOL_PROGRESS_H

#include "tool/out.h"
#include "tool/transfer.h"

/* Five places. */
void mote_cli_put_bytes(struct out *o, curl_off_t bytes);
/* Eight places. */
void mote_cli_put_time(struct out *o, curl_off_t seconds);
/* Current speed, bytes a second; takes a sample. */
curl_off_t mote_cli_meter_speed(struct meter *m, curl_off_t now);

#endif
