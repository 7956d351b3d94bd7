/* tool/options/numbers.h: numbers as options take them.
 * Tests: tests/unit/tool/test_numbers.c */
#ifndef MOTE_TOOL_OPTIONS_NUMBERS_H
#define MOTE_TOOL_OPTIONS_NUMBERS_H

#include "tool/options/options.h"

/* A decimal number, the whole text, not below `least` (PARAM_NEGATIVE; PARAM_NUMBER otherwise). */
enum param mote_cli_number(const char *text, curl_off_t least, curl_off_t *n);
/* Seconds with an optional fraction after a dot; *ms is in milliseconds, and at most INT64_MAX / 4000.
 * PARAM_TOO_LARGE above INT64_MAX / 1000 seconds. */
enum param mote_cli_seconds(const char *text, curl_off_t *ms);
/* A number with an optional unit: B, K, M, G, T, P (1024 based). PARAM_BAD_USE for another unit. */
enum param mote_cli_size(const char *text, curl_off_t *n);
/* "N" or "N/s", "N/m", "N/h", "N/d": milliseconds between two starts. PARAM_TOO_LARGE: they do not
 * fit in microseconds. */
enum param mote_cli_rate(const char *text, curl_off_t *ms);

#endif
