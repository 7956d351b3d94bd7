/* transfer/report/progress.h: progress callbacks or the built-in meter, the low speed limit, and the
 * maximum speed. The application may change CURLOPT_NOPROGRESS and the callbacks while the transfer runs.
 *
 * Without part progress run->speed is always NULL.
 *
 * Ownership: the run owns struct mote_speed, which exists only when an option asks for one of these.
 * Tests:     tests/e2e/test_progress.py, test_meter.py, test_speed.py */
#ifndef MOTE_TRANSFER_REPORT_PROGRESS_H
#define MOTE_TRANSFER_REPORT_PROGRESS_H

#include <curl/curl.h>
#include <stdbool.h>

#include "base/time.h"
#include "parts.h"
#include "transfer/transfer.h"

struct mote_ceiling;
struct mote_meter;

/* One direction's rate limit: a window in which `bytes` may pass. */
struct mote_rate {
  mote_time since;   /* start of the window */
  curl_off_t bytes;  /* bytes that passed in it */
};

struct mote_speed {
  curl_xferinfo_callback xferinfo; /* or NULL */
  curl_progress_callback old_progress; /* CURLOPT_PROGRESSFUNCTION, or NULL */
  void *progress_data;
  struct mote_meter *meter; /* made by the first drawing, or NULL */
  bool progress;          /* CURLOPT_NOPROGRESS is off */
  long low_limit;         /* bytes per second; 0: none */
  long low_time;          /* seconds */
  mote_time low_since;    /* when it became too slow; 0: it is not */
  mote_time last_look;    /* when the rate was last measured */
  curl_off_t last_bytes;  /* of both directions at that time */
  mote_time next_tick;    /* time of the next periodic progress callback */
  curl_off_t max_down;    /* bytes per second; 0: no limit */
  curl_off_t max_up;
  struct mote_rate down;
  struct mote_rate up;
};

#if MOTE_HAS_PROGRESS

/* Adds the most memory that progress takes with the transfer's options. */
void mote_speed_ceiling(const struct mote_transfer *t, struct mote_ceiling *c);

/* Makes or frees run->speed at the start of a transfer, as the options say. CURLE_OUT_OF_MEMORY. */
CURLcode mote_speed_choose(struct mote_transfer *t);
void mote_speed_free(struct mote_transfer *t);

/* The same, for a transfer that may want none of it. */
static inline CURLcode mote_speed_start(struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  bool asked = MOTE_OPT_MAYBE(o, CURLOPT_NOPROGRESS) || MOTE_OPT_MAYBE(o, CURLOPT_LOW_SPEED_LIMIT) ||
               MOTE_OPT_MAYBE(o, CURLOPT_MAX_RECV_SPEED_LARGE) ||
               MOTE_OPT_MAYBE(o, CURLOPT_MAX_SEND_SPEED_LARGE);
  return asked || t->run->speed ? mote_speed_choose(t) : CURLE_OK;
}

/* Reports progress, checks the low speed limit and sets the timer for the next check. `force`: at the end.
 * CURLE_ABORTED_BY_CALLBACK, CURLE_OPERATION_TIMEDOUT, CURLE_OUT_OF_MEMORY (run->speed or the meter is made
 * here). */
CURLcode mote_speed_look(struct mote_transfer *t, mote_time now, bool force);

/* The same, for a transfer that may have none of it. */
static inline CURLcode mote_speed_check(struct mote_transfer *t, mote_time now, bool force)
{
  return t->run->speed || t->options.changed ? mote_speed_look(t, now, force) : CURLE_OK;
}

/* Arms the timer while a connection is made. The first report comes after it, or after a second. */
static inline void mote_speed_arm(struct mote_transfer *t, mote_time now)
{
  if(t->run->speed)
    mote_timer_set(t, MOTE_TIMER_SPEED, now + MOTE_SECOND);
}

/* Reports progress for the last time at the end of a request (rc is its result), or before the next one of
 * a chain (CURLE_AGAIN), and ends the meter's line. A request that failed before it was sent is not
 * reported. CURLE_ABORTED_BY_CALLBACK. */
CURLcode mote_speed_end(struct mote_transfer *t, mote_time now, CURLcode rc);

/* Return how many of `most` bytes (not 0) may pass now. 0: wait, the timer is set and the direction is
 * limited. */
size_t mote_speed_allow_down(struct mote_transfer *t, mote_time now, size_t most);
size_t mote_speed_allow_up(struct mote_transfer *t, mote_time now, size_t most);
/* Count n bytes that have passed. */
static inline void mote_speed_passed_down(struct mote_transfer *t, size_t n)
{
  if(t->run->speed)
    t->run->speed->down.bytes += (curl_off_t)n;
}

static inline void mote_speed_passed_up(struct mote_transfer *t, size_t n)
{
  if(t->run->speed)
    t->run->speed->up.bytes += (curl_off_t)n;
}

#else

#define mote_speed_ceiling(t, c) ((void)(t), (void)(c))
#define mote_speed_start(t) ((void)(t), (CURLcode)CURLE_OK)
#define mote_speed_free(t) ((void)(t))
#define mote_speed_check(t, now, force) ((void)(t), (void)(now), (void)(force), (CURLcode)CURLE_OK)
#define mote_speed_arm(t, now) ((void)(t), (void)(now))
#define mote_speed_end(t, now, rc) ((void)(t), (void)(now), (void)(rc), (CURLcode)CURLE_OK)
#define mote_speed_allow_down(t, now, most) ((void)(t), (void)(now), (most))
#define mote_speed_allow_up(t, now, most) ((void)(t), (void)(now), (most))
#define mote_speed_passed_down(t, n) ((void)(t), (void)(n))
#define mote_speed_passed_up(t, n) ((void)(t), (void)(n))
#endif

#endif
