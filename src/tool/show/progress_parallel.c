#include "tool/show/progress_parallel.h"

#include "tool/options/data.h"
#include "tool/show/messages.h"
#include "tool/show/progress.h"
#include "tool/transfers/out.h"

#include <string.h>

#define SECOND 1000000  /* us */
#define MOST_LINES 16   /* of running transfers */
#define FIGURES 34      /* columns of a line before its name */
#define NAME_LEAST 6    /* columns of a name, on a narrower terminal too */

void mote_cli_board_init(struct board *b)
{
  memset(b, 0, sizeof *b);
  b->on = !mote_cli_on(GLOBAL_SILENT) && mote_cli_on(GLOBAL_METER);
  b->begun_at = mote_cli_now();
}

void mote_cli_board_clear(struct board *b)
{
  struct out o;
  if(!b->lines)
    return;
  mote_cli_out_init(&o, mote_cli.err, false);
  mote_cli_out_str(&o, "\033[");
  mote_cli_out_num(&o, b->lines);
  mote_cli_out_str(&o, "A\033[J");
  mote_cli_out_flush(&o);
  b->lines = 0;
  b->drawn_at = 0;
}

/* "100%  1234k    12k/s  name" */
static void progress_parallel_put_line(struct out *o, curl_off_t part, curl_off_t whole, curl_off_t rate,
                                       const char *what,
                                       const char *name)
{
  int left = mote_cli_columns() - FIGURES;
  size_t len = strlen(name), room = left > NAME_LEAST ? (size_t)left : NAME_LEAST;
  if(whole > 0) {
    mote_cli_out_pad(o, whole > 10000 ? part / (whole / 100) : part * 100 / whole, 3, ' ');
    mote_cli_out_str(o, "%  ");
  }
  else
    mote_cli_out_str(o, " --   ");
  mote_cli_put_bytes(o, part);
  mote_cli_out_str(o, "  ");
  mote_cli_put_bytes(o, rate);
  mote_cli_out_str(o, "/s  ");
  mote_cli_out_str(o, what);
  mote_cli_out_str(o, "  ");
  if(len > room) {
    mote_cli_out_str(o, "...");
    name += len - room + 3;
    len = room - 3;
  }
  mote_cli_out_safe(o, name, len);
  mote_cli_out_char(o, '\n');
}

static const char *progress_parallel_label(const struct transfer *t)
{
  return t->out_name ? t->out_name : mote_cli_url_without_login(t->url);
}

void mote_cli_board_done(struct board *b, struct transfer *t, CURLcode code)
{
  curl_off_t down = 0, up = 0, rate = 0;
  struct out o;
  curl_easy_getinfo(t->handle, CURLINFO_SIZE_DOWNLOAD_T, &down);
  curl_easy_getinfo(t->handle, CURLINFO_SIZE_UPLOAD_T, &up);
  curl_easy_getinfo(t->handle, up > down ? CURLINFO_SPEED_UPLOAD_T : CURLINFO_SPEED_DOWNLOAD_T, &rate);
  b->down += down;
  b->up += up;
  if(!b->on)
    return;
  mote_cli_out_init(&o, mote_cli.err, mote_cli.err_tty);
  progress_parallel_put_line(&o, down + up, code ? t->meter.down_total + t->meter.up_total : down + up, rate,
                             code ? "failed" : "done  ", progress_parallel_label(t));
  mote_cli_out_flush(&o);
}

static void progress_parallel_total(struct board *b, struct out *o, curl_off_t down, curl_off_t up,
                                    curl_off_t now)
{
  curl_off_t spent = now - b->begun_at;
  char name[] = "all";
  progress_parallel_put_line(o, down + up, b->done == b->added ? down + up : 0,
                             spent > 0 && down + up < (curl_off_t)1 << 42 ? (down + up) * SECOND / spent : 0,
                             "total ", name);
  mote_cli_out_pad(o, b->done, 6, ' ');
  mote_cli_out_str(o, " of ");
  mote_cli_out_num(o, b->added);
  mote_cli_out_str(o, " transfers done, time ");
  mote_cli_put_time(o, spent / SECOND);
  mote_cli_out_char(o, '\n');
}

void mote_cli_board_draw(struct board *b, struct transfer **slots, unsigned count, bool last)
{
  curl_off_t now = mote_cli_now(), down = b->down, up = b->up;
  unsigned lines = 0;
  struct out o;
  if(!b->on || !b->added || (!last && (!mote_cli.err_tty || (b->drawn_at && now - b->drawn_at < SECOND / 2))))
    return;
  mote_cli_board_clear(b);
  mote_cli_out_init(&o, mote_cli.err, mote_cli.err_tty);
  for(unsigned i = 0; i < count; i++) {
    struct meter *m = &slots[i]->meter;
    if(!slots[i]->active)
      continue;
    down += m->down;
    up += m->up;
    if(lines < MOST_LINES && !last) {
      o.escape = true;
      progress_parallel_put_line(&o, m->down + m->up, m->down_total + m->up_total,
                                 mote_cli_meter_speed(m, now), "      ",
                                 progress_parallel_label(slots[i]));
      lines++;
    }
  }
  progress_parallel_total(b, &o, down, up, now);
  mote_cli_out_flush(&o);
  b->lines = last ? 0 : lines + 2;
  b->drawn_at = now;
}
