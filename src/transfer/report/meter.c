/* transfer/report/meter.c: computes and draws the built-in progress meter (transfer/report/meter.h). */
#include "transfer/report/meter.h"

#include <stdio.h>
#include <string.h>

#include "base/text/format.h"
#include "transfer/transfer.h"

#define KILO ((curl_off_t)1024)
#define DAY 86400
#define HOUR 3600

static const char headings[] =
  "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n"
  "                                 Dload  Upload   Total   Spent    Left  Speed\n";

void mote_meter_bytes(char out[MOTE_METER_BYTES], curl_off_t bytes)
{
  static const char units[] = "kMGTP";
  curl_off_t unit = KILO, tenths;
  const char *u = units;
  if(bytes < 100000) {
    (void)mote_snprintf(out, MOTE_METER_BYTES, "%5" CURL_FORMAT_CURL_OFF_T, bytes);
    return;
  }
  while(u[1] && bytes / unit >= 10000) {
    unit *= KILO;
    u++;
  }
  tenths = bytes % unit / (unit / 10);
  if((*u == 'M' || *u == 'G') && bytes / unit < 100)
    (void)mote_snprintf(out, MOTE_METER_BYTES, "%2d.%d%c", (int)(bytes / unit),
                        tenths < 9 ? (int)tenths : 9, *u);
  else
    (void)mote_snprintf(out, MOTE_METER_BYTES, "%4d%c", (int)(bytes / unit), *u);
}

void mote_meter_time(char out[MOTE_METER_TIME], int64_t seconds)
{
  int64_t days = seconds / DAY;
  if(seconds <= 0)
    (void)mote_snprintf(out, MOTE_METER_TIME, "--:--:--");
  else if(seconds / HOUR < 100)
    (void)mote_snprintf(out, MOTE_METER_TIME, "%2d:%02d:%02d", (int)(seconds / HOUR),
                        (int)(seconds % HOUR / 60), (int)(seconds % 60));
  else if(days < 1000)
    (void)mote_snprintf(out, MOTE_METER_TIME, "%3dd %02dh", (int)days, (int)(seconds % DAY / HOUR));
  else
    (void)mote_snprintf(out, MOTE_METER_TIME, "%7" CURL_FORMAT_CURL_OFF_T "d",
                        (curl_off_t)(days < 9999999 ? days : 9999999));
}

/* Returns bytes per second, without overflow. */
static curl_off_t meter_rate(curl_off_t bytes, int64_t us)
{
  if(us <= 0)
    us = 1;
  if(bytes < INT64_MAX / MOTE_SECOND)
    return bytes * MOTE_SECOND / us;
  return us < MOTE_SECOND ? bytes : bytes / (us / MOTE_SECOND);
}

static int meter_percent(curl_off_t part, curl_off_t whole)
{
  if(whole <= 0 || part <= 0)
    return 0;
  if(part >= whole)
    return 100;
  return (int)(part < INT64_MAX / 100 ? part * 100 / whole : part / (whole / 100 + 1));
}

/* Returns the expected time of the whole transfer in seconds, the longer of the two directions. 0:
 * unknown. */
static int64_t time_in_all(const struct mote_meter_state *s, curl_off_t speed_down, curl_off_t speed_up)
{
  int64_t down = s->size_down > 0 && speed_down > 0 ? s->size_down / speed_down : 0;
  int64_t up = s->size_up > 0 && speed_up > 0 ? s->size_up / speed_up : 0;
  return down > up ? down : up;
}

size_t mote_meter_line(char out[MOTE_METER_LINE], const struct mote_meter_state *s)
{
  curl_off_t speed_down = meter_rate(s->down, s->spent), speed_up = meter_rate(s->up, s->spent);
  curl_off_t whole = (s->size_down >= 0 ? s->size_down : s->down) + (s->size_up >= 0 ? s->size_up : s->up);
  int64_t all = time_in_all(s, speed_down, speed_up), spent = s->spent / MOTE_SECOND;
  char size[MOTE_METER_BYTES], down[MOTE_METER_BYTES], up[MOTE_METER_BYTES];
  char mean_down[MOTE_METER_BYTES], mean_up[MOTE_METER_BYTES], current[MOTE_METER_BYTES];
  char time_all[MOTE_METER_TIME], time_spent[MOTE_METER_TIME], time_left[MOTE_METER_TIME];
  mote_meter_bytes(size, whole);
  mote_meter_bytes(down, s->down);
  mote_meter_bytes(up, s->up);
  mote_meter_bytes(mean_down, speed_down);
  mote_meter_bytes(mean_up, speed_up);
  mote_meter_bytes(current, s->current >= 0 ? s->current : speed_down + speed_up);
  mote_meter_time(time_all, all);
  mote_meter_time(time_spent, spent);
  mote_meter_time(time_left, all ? all - spent : 0);
  return (size_t)mote_snprintf(out, MOTE_METER_LINE, "\r%3d %s  %3d %s  %3d %s  %s  %s %s %s %s %s",
                               meter_percent(s->down + s->up, whole), size,
                               meter_percent(s->down, s->size_down), down,
                               meter_percent(s->up, s->size_up), up, mean_down, mean_up, time_all, time_spent,
                               time_left, current);
}

static void meter_show(struct mote_transfer *t, const char *text, size_t len)
{
  FILE *out = mote_opt_ptr(&t->options, CURLOPT_STDERR);
  if(!out)
    out = stderr;
  (void)fwrite(text, 1, len, out);
  (void)fflush(out);
}

static void show_headings(struct mote_transfer *t)
{
  curl_off_t from = mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE);
  char line[80];
  if(from) {
    int n = mote_snprintf(line, sizeof line,
                          "** Resuming transfer from byte position %" CURL_FORMAT_CURL_OFF_T "\n", from);
    meter_show(t, line, (size_t)n);
  }
  meter_show(t, headings, sizeof headings - 1);
}

static void take_sample(struct mote_meter *m, mote_time now, curl_off_t bytes)
{
  uint32_t i = m->taken++ % MOTE_METER_SAMPLES;
  m->samples[i].at = now;
  m->samples[i].bytes = bytes;
}

/* Returns the speed since the oldest sample. -1: there is no sample, or it is too recent. */
static curl_off_t current_speed(const struct mote_meter *m, mote_time now, curl_off_t bytes)
{
  uint32_t oldest = m->taken > MOTE_METER_SAMPLES ? m->taken % MOTE_METER_SAMPLES : 0;
  int64_t ms;
  if(!m->taken)
    return -1;
  ms = (now - m->samples[oldest].at) / MOTE_MS;
  return ms > 0 ? meter_rate(bytes - m->samples[oldest].bytes, ms * MOTE_MS) : -1;
}

void mote_meter_start(struct mote_meter *m)
{
  m->started = 0;
  m->taken = 0;
  m->drawn = false;
}

void mote_meter_draw(struct mote_transfer *t, struct mote_meter *m, mote_time now, bool tick)
{
  const struct mote_run *r = t->run;
  curl_off_t bytes = r->stats.bytes_down + r->stats.bytes_up;
  struct mote_meter_state s = {
    .size_down = r->response.size_down, .size_up = r->request.size_up,
    .down = r->stats.bytes_down, .up = r->stats.bytes_up,
  };
  char line[MOTE_METER_LINE];
  if(!m->headed)
    show_headings(t);
  if(!m->drawn && !m->started)
    m->started = r->stats.started;
  m->headed = true;
  m->drawn = true;
  if(tick)
    take_sample(m, now, bytes);
  s.spent = now - m->started;
  s.current = current_speed(m, now, bytes);
  meter_show(t, line, mote_meter_line(line, &s));
}

void mote_meter_end(struct mote_transfer *t, struct mote_meter *m, mote_time now, bool line_end)
{
  if(m->drawn && line_end)
    meter_show(t, "\n", 1);
  m->drawn = false;
  m->taken = 0;
  m->started = now;
}
