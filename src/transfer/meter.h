/* transfer/meter.h: the built-in progress meter, for applications that ask for progress and take no callback
 * (CURLOPT_NOPROGRESS(3)): two lines of headings, then one line that is drawn over itself, on CURLOPT_STDERR.
 *
 * The columns are libcurl's: per cent of all, all; per cent and bytes received; per cent and bytes sent; mean
 * speed down and up; time in all, spent, left; speed of the last five seconds.
 *
 * Ownership: struct mote_meter is struct mote_speed's (transfer/progress.h), made by the first drawing.
 * Failure:   none; what the stream does not take is lost.
 * Tests:     tests/unit/transfer/test_meter.c, tests/e2e/test_meter.py */
#ifndef MOTE_TRANSFER_METER_H
#define MOTE_TRANSFER_METER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"

struct mote_transfer;

#define MOTE_METER_SAMPLES 6  /* one a second: the oldest is five seconds old */
#define MOTE_METER_LINE 120   /* room for a line: 79 columns, and what numbers beyond them may take */
#define MOTE_METER_BYTES 6    /* room for a number of bytes: five columns */
#define MOTE_METER_TIME 9     /* room for a time: eight columns */

/* What is drawn. */
struct mote_meter_state {
  curl_off_t size_down;  /* bytes expected; -1: not known */
  curl_off_t size_up;
  curl_off_t down;       /* bytes so far */
  curl_off_t up;
  int64_t spent;         /* µs */
  curl_off_t current;    /* bytes per second lately; -1: as the mean */
};

struct mote_meter {
  mote_time started;     /* the request that is shown */
  struct {
    mote_time at;
    curl_off_t bytes;    /* both directions */
  } samples[MOTE_METER_SAMPLES]; /* a ring */
  uint32_t taken;        /* samples so far, of this request */
  bool headed;           /* the headings are there */
  bool drawn;            /* so is a line of this request */
};

#if MOTE_HAS_METER

/* Another transfer of the handle: the headings are not repeated. A new meter is all zero bytes. */
void mote_meter_start(struct mote_meter *m);
/* Draw the line as it is now; a tick also takes a sample. */
void mote_meter_draw(struct mote_transfer *t, struct mote_meter *m, mote_time now, bool tick);
/* The request is over: what has been drawn stays, with a line end unless a callback shares the drawing. */
void mote_meter_end(struct mote_transfer *t, struct mote_meter *m, mote_time now, bool line_end);

/* Five columns: 99999, 9999k, 99.9M, 9999M, 99.9G, 9999G, 9999T, 9999P; units are powers of 1024. */
void mote_meter_bytes(char out[MOTE_METER_BYTES], curl_off_t bytes);
/* Eight columns: 12:34:56, or 123d 12h, or 1234567d; dashes for less than a second. */
void mote_meter_time(char out[MOTE_METER_TIME], int64_t seconds);
/* One line without its line end, NUL-terminated; its length. */
size_t mote_meter_line(char out[MOTE_METER_LINE], const struct mote_meter_state *s);

#else

#define mote_meter_start(m) ((void)(m))
#define mote_meter_draw(t, m, now, tick) ((void)(t), (void)(m), (void)(now), (void)(tick))
#define mote_meter_end(t, m, now, line_end) ((void)(t), (void)(m), (void)(now), (void)(line_end))
#endif

#endif
