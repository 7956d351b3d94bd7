/* codec/files/stamp.h: the points in time of HSTS and alt-svc files (CURLOPT_HSTS(3), CURLOPT_ALTSVC(3)),
 * which are in UTC.
 *
 * Errors: false; nothing was stored.
 * Tests:  tests/unit/codec/test_hsts.c, fuzz/fuzz_hsts.c */
#ifndef MOTE_CODEC_FILES_STAMP_H
#define MOTE_CODEC_FILES_STAMP_H

#include <stdbool.h>
#include <stdint.h>

struct mote_out;
struct mote_slice;

#define MOTE_STAMP_SIZE 17         /* bytes of a stamp at most */
#define MOTE_STAMP_NEVER INT64_MAX /* "unlimited": what is stored does not expire */

/* Reads "YYYYMMDD", "YYYYMMDD HH:MM" or "YYYYMMDD HH:MM:SS" as Unix time in seconds. */
bool mote_stamp_read(struct mote_slice text, int64_t *seconds);
/* Prints "YYYYMMDD HH:MM:SS", or "unlimited" for MOTE_STAMP_NEVER and what is after the year 9999. */
void mote_stamp_print(int64_t seconds, struct mote_out *out);

#endif
