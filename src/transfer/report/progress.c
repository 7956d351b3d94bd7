/* transfer/report/progress.c: reports progress, checks the low speed limit and keeps to the maximum speed. */
#include "transfer/report/progress.h"

#include <string.h>

#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "base/report.h"
#include "transfer/callback.h"
#include "transfer/report/meter.h"
#include "transfer/transfer.h"

#define WINDOW MOTE_SECOND              /* passed bytes are settled against the rate at least this often */
#define PIECES 20                       /* waits of a limited transfer in a second, or fewer */
#define BURST ((curl_off_t)16384)       /* most bytes that may pass at once */
#define MAX_LOW 1000000000              /* highest LOW_SPEED_LIMIT and LOW_SPEED_TIME: 1 GB/s, 31 years */
#define MAX_RATE ((curl_off_t)1 << 40)  /* bytes per second; a higher limit counts as none (no overflow) */

static bool report_progress_wanted(const struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  return !mote_opt_long(o, CURLOPT_NOPROGRESS) || mote_opt_off(o, CURLOPT_MAX_RECV_SPEED_LARGE) > 0 ||
         mote_opt_off(o, CURLOPT_MAX_SEND_SPEED_LARGE) > 0 ||
         (mote_opt_long(o, CURLOPT_LOW_SPEED_LIMIT) > 0 && mote_opt_long(o, CURLOPT_LOW_SPEED_TIME) > 0);
}

void mote_speed_ceiling(const struct mote_transfer *t, struct mote_ceiling *c)
{
  if(!report_progress_wanted(t))
    return;
  mote_ceiling_add(c, 1, sizeof(struct mote_speed));
  mote_ceiling_add(c, !mote_opt_long(&t->options, CURLOPT_NOPROGRESS), sizeof(struct mote_meter));
}

static void report_progress_read_options(const struct mote_options *o, struct mote_speed *s)
{
  s->progress = !mote_opt_long(o, CURLOPT_NOPROGRESS);
  s->xferinfo = NULL;
  s->old_progress = NULL;
  if(s->progress) {
    s->xferinfo = (curl_xferinfo_callback)mote_opt_fn(o, CURLOPT_XFERINFOFUNCTION);
    s->old_progress = (curl_progress_callback)mote_opt_fn(o, CURLOPT_PROGRESSFUNCTION);
    s->progress_data = mote_opt_ptr(o, CURLOPT_XFERINFODATA);
  }
}

CURLcode mote_speed_choose(struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  struct mote_speed *s = t->run->speed;
  struct mote_meter *meter = s ? s->meter : NULL;
  if(!report_progress_wanted(t)) {
    mote_speed_free(t);
    return CURLE_OK;
  }
  if(!s) {
    s = mote_mem_alloc(&t->account, MOTE_PART_TRANSFER, sizeof *s);
    if(!s)
      return CURLE_OUT_OF_MEMORY;
    t->run->speed = s;
  }
  memset(s, 0, sizeof *s);
  s->meter = meter;
  if(meter)
    mote_meter_start(meter);
  report_progress_read_options(o, s);
  s->max_down = mote_opt_off(o, CURLOPT_MAX_RECV_SPEED_LARGE);
  s->max_up = mote_opt_off(o, CURLOPT_MAX_SEND_SPEED_LARGE);
  s->low_limit = mote_opt_long(o, CURLOPT_LOW_SPEED_LIMIT);
  s->low_time = mote_opt_long(o, CURLOPT_LOW_SPEED_TIME);
  if(s->low_limit > MAX_LOW)
    s->low_limit = MAX_LOW;
  if(s->low_time > MAX_LOW)
    s->low_time = MAX_LOW;
  if(!s->low_time)
    s->low_limit = 0;
  return CURLE_OK;
}

void mote_speed_free(struct mote_transfer *t)
{
  struct mote_speed *s = t->run->speed;
  if(!s)
    return;
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, s->meter, sizeof *s->meter);
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, s, sizeof *s);
  t->run->speed = NULL;
}

static CURLcode report_progress_draw_meter(struct mote_transfer *t, struct mote_speed *s, mote_time now,
                                           bool tick)
{
  if(!s->meter)
    s->meter = mote_mem_zalloc(&t->account, MOTE_PART_TRANSFER, sizeof *s->meter);
  if(!s->meter)
    return CURLE_OUT_OF_MEMORY;
  mote_meter_draw(t, s->meter, now, tick);
  return CURLE_OK;
}

/* Calls the progress callback. *draw says that the meter must be drawn, because there is no callback or it
 * asks for that. */
static CURLcode report_progress(struct mote_transfer *t, struct mote_speed *s, bool *draw)
{
  struct mote_run *r = t->run;
  curl_off_t total_down = r->response.size_down > 0 ? r->response.size_down : 0;
  bool sends = r->request.size_up > 0 && r->lease.phase != MOTE_PHASE_OPEN; /* CONNECT_ONLY sends nothing */
  curl_off_t total_up = sends ? r->request.size_up : 0;
  struct mote_callback_guard g;
  int rc;
  *draw = true;
  if(!s->xferinfo && !s->old_progress)
    return CURLE_OK;
  g = mote_callback_enter(t);
  if(s->xferinfo)
    rc = s->xferinfo(s->progress_data, total_down, r->stats.bytes_down, total_up, r->stats.bytes_up);
  else
    rc = s->old_progress(s->progress_data, (double)total_down, (double)r->stats.bytes_down, (double)total_up,
                         (double)r->stats.bytes_up);
  mote_callback_leave(t, g);
  *draw = rc == CURL_PROGRESSFUNC_CONTINUE;
  if(rc && !*draw)
    return mote_fail_as(CURLE_ABORTED_BY_CALLBACK, &t->report, "Callback aborted");
  return CURLE_OK;
}

/* Neither a pause is slow nor a connection that is not ready yet, which CURLOPT_CONNECTTIMEOUT bounds. */
static bool cannot_move(const struct mote_transfer *t)
{
  return t->state == MOTE_STATE_PENDING || t->state == MOTE_STATE_CONNECTING || t->run->flow.recv.paused ||
         t->run->flow.send.paused;
}

/* Compares the mean over the last second or more, so that pauses between bursts do not count as slow. */
static CURLcode check_low_speed(struct mote_transfer *t, struct mote_speed *s, mote_time now)
{
  curl_off_t bytes = t->run->stats.bytes_down + t->run->stats.bytes_up;
  mote_time span = now - s->last_look;
  bool slow;
  if(!s->low_limit || cannot_move(t)) {
    s->low_since = 0;
    s->last_look = 0; /* measure again after it */
    return CURLE_OK;
  }
  if(bytes < s->last_bytes) /* the next request of the chain counts from 0 */
    s->last_bytes = 0;
  if(!s->last_look || span >= MOTE_SECOND) {
    slow = s->last_look && (bytes - s->last_bytes) * MOTE_SECOND < (curl_off_t)s->low_limit * span;
    if(!slow)
      s->low_since = 0;
    else if(!s->low_since)
      s->low_since = s->last_look;
    s->last_look = now;
    s->last_bytes = bytes;
  }
  if(s->low_since && now - s->low_since >= s->low_time * MOTE_SECOND)
    return mote_fail_as(CURLE_OPERATION_TIMEDOUT, &t->report,
                        "Operation too slow. Less than %ld bytes/sec transferred the last %ld seconds",
                        s->low_limit, s->low_time);
  return CURLE_OK;
}

/* The application has changed options since the transfer began. It may want progress now, or no longer. */
static CURLcode read_changed(struct mote_transfer *t)
{
  if(t->run->speed)
    report_progress_read_options(&t->options, t->run->speed);
  else if(!mote_opt_long(&t->options, CURLOPT_NOPROGRESS))
    return mote_speed_choose(t);
  return CURLE_OK;
}

static CURLcode show_progress(struct mote_transfer *t, struct mote_speed *s, mote_time now, bool force)
{
  bool tick = now >= s->next_tick, draw;
  CURLcode rc = CURLE_OK;
  if(force || tick || t->run->response.got_bytes) {
    rc = report_progress(t, s, &draw);
    if(!rc && draw && (force || tick))
      rc = report_progress_draw_meter(t, s, now, tick);
  }
  return rc;
}

CURLcode mote_speed_look(struct mote_transfer *t, mote_time now, bool force)
{
  struct mote_speed *s;
  CURLcode rc = t->options.changed ? read_changed(t) : CURLE_OK;
  s = t->run->speed;
  if(rc || !s)
    return rc;
  rc = check_low_speed(t, s, now);
  if(!rc && s->progress)
    rc = show_progress(t, s, now, force);
  if(now >= s->next_tick)
    s->next_tick = now + MOTE_SECOND;
  if((s->progress || s->low_limit) && !t->run->deadline[MOTE_TIMER_SPEED])
    mote_timer_set(t, MOTE_TIMER_SPEED, s->next_tick);
  return rc;
}

/* Before the next request, and after a failure of one that was sent, callbacks get the figures that they
 * may not have. The meter shows them if it has shown anything. */
CURLcode mote_speed_end(struct mote_transfer *t, mote_time now, CURLcode rc)
{
  struct mote_speed *s = t->run->speed;
  CURLcode reported = CURLE_OK;
  bool draw;
  if(!s)
    return CURLE_OK;
  s->last_look = 0; /* each request of a chain gets the whole CURLOPT_LOW_SPEED_TIME */
  s->low_since = 0;
  if(!s->progress)
    return CURLE_OK;
  if(!rc)
    reported = mote_speed_look(t, now, true);
  else if(rc == CURLE_AGAIN ||
          (t->run->request.stage == MOTE_REQUEST_ASKED && rc != CURLE_ABORTED_BY_CALLBACK))
    reported = report_progress(t, s, &draw);
  if(rc && s->meter && s->meter->drawn)
    mote_meter_draw(t, s->meter, now, false);
  if(s->meter)
    mote_meter_end(t, s->meter, now, !s->xferinfo && !s->old_progress);
  return reported;
}

/* How many bytes a wait is for: those of a twentieth of a second, and half a burst at most. After a wait for
 * one byte there is little more than one to be read, and each turn and callback would be for that. */
static curl_off_t rate_piece(curl_off_t rate, size_t most)
{
  curl_off_t piece = rate / PIECES < BURST / 2 ? rate / PIECES : BURST / 2;
  piece = (curl_off_t)most < piece ? (curl_off_t)most : piece;
  return piece ? piece : 1;
}

/* Returns the bytes that may pass now. They are what the rate has given since the window began, and a
 * burst, so that small rates progress. Bytes unused within a window are lost; bytes passed in advance stay
 * owed. */
static size_t report_progress_allow(struct mote_transfer *t, struct mote_rate *w, curl_off_t rate,
                                    mote_time now, size_t most)
{
  mote_time gone = w->since ? now - w->since : 0;
  curl_off_t given, quota;
  if(rate > MAX_RATE)
    return most;
  given = rate * (gone < 4 * WINDOW ? gone : 4 * WINDOW) / MOTE_SECOND;
  if(!w->since || gone > WINDOW) {
    w->bytes = w->bytes > given ? w->bytes - given : 0;
    w->since = now;
    given = 0;
  }
  quota = given + (rate > BURST ? BURST : rate) - w->bytes;
  if(quota > 0)
    return (curl_off_t)most < quota ? most : (size_t)quota;
  mote_timer_set(t, MOTE_TIMER_SPEED, now + (rate_piece(rate, most) - quota) * MOTE_SECOND / rate + MOTE_MS);
  return 0;
}

size_t mote_speed_allow_down(struct mote_transfer *t, mote_time now, size_t most)
{
  struct mote_speed *s = t->run->speed;
  if(s && s->max_down > 0)
    most = report_progress_allow(t, &s->down, s->max_down, now, most);
  t->run->flow.recv.limited = !most;
  return most;
}

size_t mote_speed_allow_up(struct mote_transfer *t, mote_time now, size_t most)
{
  struct mote_speed *s = t->run->speed;
  if(s && s->max_up > 0)
    most = report_progress_allow(t, &s->up, s->max_up, now, most);
  t->run->flow.send.limited = !most;
  return most;
}
