/* transfer/report/meter.h: the built-in progress meter on CURLOPT_STDERR, for applications that ask for
 * progress without a callback (CURLOPT_NOPROGRESS(3)). It prints two lines of headings, then redraws one
 * line.
 *
 * The columns are libcurl's: per cent of all, all; per cent and bytes received; per cent and bytes sent; mean
 * speed down and up; total time, time spent, time left; speed of the last five seconds.
 *
 * Ownership: struct mote_meter is struct mote_speed's (transfer/report/progress.h), made by the first
 *            drawing.
 * Errors:    none; output that the stream refuses is lost.
 * Tests:     tests/unit/transfer/test_meter.c, tests/e2e/test_meter.py */
#ifndef MOTE_TRANSFER_REPORT_METER_H
#define MOTE_TRANSFER_REPORT_METER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"

struct mote_transfer;

#define MOTE_METER_SAMPLES 6  /* one per second, so that the oldest is five seconds old */
#define MOTE_METER_LINE 120   /* bytes of a line: 79 columns, and room for numbers that exceed theirs */
#define MOTE_METER_BYTES 6    /* bytes of a printed amount: five columns and NUL */
#define MOTE_METER_TIME 9     /* bytes of a printed time: eight columns and NUL */

/* The figures to draw. */
struct mote_meter_state {
  curl_off_t size_down;  /* bytes expected; -1: unknown */
  curl_off_t size_up;
  curl_off_t down;       /* bytes so far */
  curl_off_t up;
  int64_t spent;         /* µs */
  curl_off_t current;    /* bytes per second lately; -1: use the mean */
};

struct mote_meter {
  mote_time started;     /* when the shown request started */
  struct {
    mote_time at;
    curl_off_t bytes;    /* of both directions */
  } samples[MOTE_METER_SAMPLES]; /* a ring */
  uint32_t taken;        /* samples of this request so far */
  bool headed;           /* the headings are printed */
  bool drawn;            /* a line of this request is printed */
};

#if MOTE_HAS_METER

/* Prepares for another transfer of the handle, which does not repeat the headings. A new meter is all zero
 * bytes. */
void mote_meter_start(struct mote_meter *m);
/* Draws the current line. A tick also takes a sample. */
void mote_meter_draw(struct mote_transfer *t, struct mote_meter *m, mote_time now, bool tick);
/* Ends the request. The drawn line stays, with a line end unless a callback shares the drawing. */
void mote_meter_end(struct mote_transfer *t, struct mote_meter *m, mote_time now, bool line_end);

/* Prints in five columns: 99999, 9999k, 99.9M, 9999M, 99.9G, 9999G, 9999T, 9999P. Units are powers of
 * 1024. */
void mote_meter_bytes(char out[MOTE_METER_BYTES], curl_off_t bytes);
/* Prints in eight columns: 12:34:56, 123d 12h, 1234567d, or dashes for less than a second. */
void mote_meter_time(char out[MOTE_METER_TIME], int64_t seconds);
/* Prints one line without its line end, NUL-terminated. Returns its length. */
size_t mote_meter_line(char out[MOTE_METER_LINE], const struct mote_meter_state *s);

#else

#define mote_meter_start(m) ((void)(m))
#define mote_meter_draw(t, m, now, tick) ((void)(t), (void)(m), (void)(now), (void)(tick))
#define mote_meter_end(t, m, now, line_end) ((void)(t), (void)(m), (void)(now), (void)(line_end))
#endif

#endif
