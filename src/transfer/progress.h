/* transfer/progress.h: progress callbacks or the built-in meter, the low speed limit, and keeping to a
 * maximum speed. CURLOPT_NOPROGRESS and the callbacks may be changed while the transfer runs.
 *
 * Ownership: the run owns struct mote_speed; it exists only when one of these is asked for.
 * Without part progress run->speed is always NULL.
 * Tests:     tests/e2e/test_progress.py, test_meter.py, test_speed.py */
#ifndef MOTE_TRANSFER_PROGRESS_H
#define MOTE_TRANSFER_PROGRESS_H

#include <curl/curl.h>
#include <stdbool.h>

#include "base/time.h"
#include "parts.h"

struct mote_ceiling;
struct mote_meter;
struct mote_transfer;

/* One direction's rate limit: a window in which `bytes` may pass. */
struct mote_rate {
  mote_time since;   /* start of the window */
  curl_off_t bytes;  /* passed in it */
};

struct mote_speed {
  curl_xferinfo_callback xferinfo; /* or NULL */
  curl_progress_callback old_progress; /* CURLOPT_PROGRESSFUNCTION, or NULL */
  void *progress_data;
  struct mote_meter *meter; /* made when it is drawn, or NULL */
  bool progress;          /* CURLOPT_NOPROGRESS is off */
  long low_limit;         /* bytes per second; 0: none */
  long low_time;          /* seconds */
  mote_time low_since;    /* since when it is too slow; 0: it is not */
  mote_time last_look;    /* when the rate was looked at */
  curl_off_t last_bytes;  /* both directions then */
  mote_time next_tick;    /* next progress callback by the clock */
  curl_off_t max_down;    /* bytes per second; 0: no limit */
  curl_off_t max_up;
  struct mote_rate down;
  struct mote_rate up;
};

#if MOTE_HAS_PROGRESS

/* What a transfer with these options takes at most for it. */
void mote_speed_ceiling(const struct mote_transfer *t, struct mote_ceiling *c);

/* At the start of a transfer: make or drop run->speed as the options say. CURLE_OUT_OF_MEMORY. */
CURLcode mote_speed_start(struct mote_transfer *t);
void mote_speed_free(struct mote_transfer *t);

/* Tell progress, check low speed. CURLE_ABORTED_BY_CALLBACK, CURLE_OPERATION_TIMEDOUT, CURLE_OUT_OF_MEMORY
 * (run->speed or the meter, made now). Sets the timer for the next look. `force`: at the end. */
CURLcode mote_speed_check(struct mote_transfer *t, mote_time now, bool force);

/* A connection is being made: the first report comes with it, or in a second. */
void mote_speed_arm(struct mote_transfer *t, mote_time now);

/* A request is over, well or badly (rc), or the transfer goes on with another (CURLE_AGAIN): progress is told
 * for the last time, but for a failure before the request was sent, and the meter's line ends.
 * CURLE_ABORTED_BY_CALLBACK. */
CURLcode mote_speed_end(struct mote_transfer *t, mote_time now, CURLcode rc);

/* How many bytes may pass now; 0: wait, the timer is set. */
size_t mote_speed_allow_down(struct mote_transfer *t, mote_time now, size_t most);
size_t mote_speed_allow_up(struct mote_transfer *t, mote_time now, size_t most);
/* n bytes have passed. */
void mote_speed_passed_down(struct mote_transfer *t, size_t n);
void mote_speed_passed_up(struct mote_transfer *t, size_t n);

#else

#define mote_speed_ceiling(t, c) ((void)(t), (void)(c))
#define mote_speed_start(t) ((void)(t), CURLE_OK)
#define mote_speed_free(t) ((void)(t))
#define mote_speed_check(t, now, force) ((void)(t), (void)(now), (void)(force), CURLE_OK)
#define mote_speed_arm(t, now) ((void)(t), (void)(now))
#define mote_speed_end(t, now, rc) ((void)(t), (void)(now), (void)(rc), CURLE_OK)
#define mote_speed_allow_down(t, now, most) ((void)(t), (void)(now), (most))
#define mote_speed_allow_up(t, now, most) ((void)(t), (void)(now), (most))
#define mote_speed_passed_down(t, n) ((void)(t), (void)(n))
#define mote_speed_passed_up(t, n) ((void)(t), (void)(n))
#endif

#endif
