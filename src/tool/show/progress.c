/* The progress meter of one transfer, in the form of curl's, and the progress bar. The meter is drawn once
 * a second at most. */
#include "tool/show/progress.h"

#include "tool/show/messages.h"
#include "tool/transfers/out.h"

#include <string.h>

#define SECOND 1000000 /* us */

bool mote_cli_meter_wanted(const struct transfer *t)
{
  if(mote_cli_on(GLOBAL_SILENT) || !mote_cli_on(GLOBAL_METER))
    return false;
  return t->out_name || t->out_null || !mote_cli.out_tty;
}

/* A byte count in five places: 99999, 9999k, 99.9M, 9999M, 99.9G ... */
void mote_cli_put_bytes(struct out *o, curl_off_t bytes)
{
  static const char units[] = "kMGTP";
  curl_off_t unit = 1024;
  int i = 0;
  if(bytes < 100000) {
    mote_cli_out_pad(o, bytes, 5, ' ');
    return;
  }
  while(units[i + 1] && bytes >= unit * 10000) {
    unit *= 1024;
    i++;
  }
  if(i && bytes < unit * 100) {
    mote_cli_out_pad(o, bytes / unit, 2, ' ');
    mote_cli_out_char(o, '.');
    mote_cli_out_num(o, bytes % unit / (unit / 10) > 9 ? 9 : bytes % unit / (unit / 10));
  }
  else
    mote_cli_out_pad(o, bytes / unit, 4, ' ');
  mote_cli_out_char(o, units[i]);
}

/* Seconds in eight places: " 1:02:03", " 12d 03h", "--:--:--". */
void mote_cli_put_time(struct out *o, curl_off_t seconds)
{
  if(seconds <= 0)
    mote_cli_out_str(o, "--:--:--");
  else if(seconds < 100 * 3600) {
    mote_cli_out_pad(o, seconds / 3600, 2, ' ');
    mote_cli_out_char(o, ':');
    mote_cli_out_pad(o, seconds / 60 % 60, 2, '0');
    mote_cli_out_char(o, ':');
    mote_cli_out_pad(o, seconds % 60, 2, '0');
  }
  else if(seconds < (curl_off_t)1000 * 86400) {
    mote_cli_out_pad(o, seconds / 86400, 3, ' ');
    mote_cli_out_str(o, "d ");
    mote_cli_out_pad(o, seconds / 3600 % 24, 2, '0');
    mote_cli_out_char(o, 'h');
  }
  else {
    mote_cli_out_pad(o, seconds / 86400, 7, ' ');
    mote_cli_out_char(o, 'd');
  }
}

static curl_off_t show_progress_percent(curl_off_t part, curl_off_t whole)
{
  if(whole <= 0)
    return 0;
  return whole > 10000 ? part / (whole / 100) : part * 100 / whole;
}

static curl_off_t show_progress_speed(curl_off_t bytes, curl_off_t us)
{
  if(us < 1)
    us = 1;
  if(bytes > (curl_off_t)1 << 40)
    return bytes / (us / SECOND + 1);
  return bytes * SECOND / us;
}

/* Bytes a second over the last seconds. */
curl_off_t mote_cli_meter_speed(struct meter *m, curl_off_t now)
{
  const unsigned room = sizeof m->ring_at / sizeof m->ring_at[0];
  curl_off_t bytes = m->down + m->up;
  unsigned oldest = m->ring < room ? 0 : m->ring % room;
  curl_off_t begun = m->ring ? m->ring_at[oldest] : m->begun_at;
  curl_off_t had = m->ring ? m->ring_bytes[oldest] : 0;
  m->ring_at[m->ring % room] = now;
  m->ring_bytes[m->ring % room] = bytes;
  m->ring++;
  if(now <= begun)
    return show_progress_speed(bytes, now - m->begun_at);
  return show_progress_speed(bytes - had, now - begun);
}

static void show_progress_put_pair(struct out *o, curl_off_t part, curl_off_t percent_of, curl_off_t bytes)
{
  mote_cli_out_pad(o, show_progress_percent(part, percent_of), 3, ' ');
  mote_cli_out_char(o, ' ');
  mote_cli_put_bytes(o, bytes);
  mote_cli_out_str(o, "  ");
}

static void show_progress_draw_meter(struct meter *m, curl_off_t now)
{
  curl_off_t spent = now - m->begun_at;
  curl_off_t down_speed = show_progress_speed(m->down, spent), up_speed = show_progress_speed(m->up, spent),
  all = 0, left = 0;
  curl_off_t total = (m->down_total > 0 ? m->down_total : m->down) + (m->up_total > 0 ? m->up_total : m->up);
  struct out o;
  mote_cli_out_init(&o, mote_cli.err, false);
  if(!m->started)
    mote_cli_out_str(&o, "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n"
                         "                                 Dload  Upload   Total   Spent    Left  Speed\n");
  m->started = true;
  if(m->down_total > 0 && down_speed > 0)
    all = m->down_total / down_speed;
  if(m->up_total > 0 && up_speed > 0 && m->up_total / up_speed > all)
    all = m->up_total / up_speed;
  left = all > spent / SECOND ? all - spent / SECOND : 0;
  mote_cli_out_char(&o, '\r');
  show_progress_put_pair(&o, m->down + m->up, m->down_total > 0 || m->up_total > 0 ? total : 0, total);
  show_progress_put_pair(&o, m->down, m->down_total, m->down);
  show_progress_put_pair(&o, m->up, m->up_total, m->up);
  mote_cli_put_bytes(&o, down_speed);
  mote_cli_out_str(&o, "  ");
  mote_cli_put_bytes(&o, up_speed);
  mote_cli_out_char(&o, ' ');
  mote_cli_put_time(&o, all);
  mote_cli_out_char(&o, ' ');
  mote_cli_put_time(&o, spent / SECOND);
  mote_cli_out_char(&o, ' ');
  mote_cli_put_time(&o, left);
  mote_cli_out_char(&o, ' ');
  mote_cli_put_bytes(&o, mote_cli_meter_speed(m, now));
  mote_cli_out_flush(&o);
}

/* The last picture of a transfer whose size is unknown is an empty line, since there is nothing to show. */
static void draw_bar(struct meter *m, bool last)
{
  curl_off_t have = m->down + m->up;
  curl_off_t total = (m->down_total > 0 ? m->down_total : 0) + (m->up_total > 0 ? m->up_total : 0);
  int width = mote_cli_columns() - 7;
  struct out o;
  mote_cli_out_init(&o, mote_cli.err, false);
  mote_cli_out_char(&o, '\r');
  if(total > 0) {
    curl_off_t permille = have >= total ? 1000 : total > 100000 ? have / (total / 1000) : have * 1000 / total;
    int marks = (int)(permille * width / 1000);
    for(int i = 0; i < width; i++)
      mote_cli_out_char(&o, i < marks ? '#' : ' ');
    mote_cli_out_char(&o, ' ');
    mote_cli_out_pad(&o, permille / 10, 3, ' ');
    mote_cli_out_char(&o, '.');
    mote_cli_out_num(&o, permille % 10);
    mote_cli_out_char(&o, '%');
  }
  else {
    /* The size is unknown: a mark that moves to and fro. */
    int span = width - 3, at = (int)(m->tick++ % (unsigned)(span * 2));
    at = at > span ? span * 2 - at : at;
    for(int i = 0; i < width + 7; i++) /* over a picture with figures, too */
      mote_cli_out_char(&o, !last && i >= at && i < at + 3 ? '=' : ' ');
    if(last)
      mote_cli_out_char(&o, '\r');
  }
  mote_cli_out_flush(&o);
}

static void show_progress_draw(struct meter *m, curl_off_t now, bool last)
{
  if(mote_cli_on(GLOBAL_BAR))
    draw_bar(m, last);
  else
    show_progress_draw_meter(m, now);
  m->drawn = true;
  m->drawn_at = now;
}

int mote_cli_progress(void *transfer, curl_off_t down_total, curl_off_t down, curl_off_t up_total,
                      curl_off_t up)
{
  struct transfer *t = transfer;
  struct meter *m = &t->meter;
  curl_off_t now, pause = mote_cli_on(GLOBAL_BAR) ? SECOND / 5 : SECOND;
  m->down_total = down_total;
  m->down = down;
  m->up_total = up_total;
  m->up = up;
  if(!m->on)
    return 0;
  now = mote_cli_now();
  if(!m->begun_at)
    m->begun_at = now;
  if(mote_cli_on(GLOBAL_PARALLEL))
    return 0;
  if(!m->drawn_at || now - m->drawn_at >= pause)
    show_progress_draw(m, now, false);
  return 0;
}

void mote_cli_meter_finish(struct transfer *t)
{
  struct meter *m = &t->meter;
  if(m->on && m->begun_at && !mote_cli_on(GLOBAL_PARALLEL)) {
    show_progress_draw(m, mote_cli_now(), true);
    mote_cli_write_all(mote_cli.err, "\n", 1);
  }
  memset(m, 0, sizeof *m);
}
