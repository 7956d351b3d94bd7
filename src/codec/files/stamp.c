/* codec/files/stamp.c: reads and prints points in time (codec/files/stamp.h). */
#include "codec/files/stamp.h"

#include <string.h>

#include "base/out.h"
#include "base/text/date.h"

#define UNLIMITED "unlimited"

/* Takes `count` digits from the front. */
static bool stamp_take_number(struct mote_slice *s, size_t count, int *value)
{
  int n = 0;
  if(s->len < count)
    return false;
  for(; count; count--, s->ptr++, s->len--) {
    if(!mote_is_digit(*s->ptr))
      return false;
    n = n * 10 + (*s->ptr - '0');
  }
  *value = n;
  return true;
}

/* Takes a separator and two digits, if there is anything left. */
static bool take_pair(struct mote_slice *s, char before, int most, int *value)
{
  *value = 0;
  if(!s->len)
    return true;
  if(*s->ptr != before)
    return false;
  s->ptr++;
  s->len--;
  return stamp_take_number(s, 2, value) && *value <= most;
}

bool mote_stamp_read(struct mote_slice text, int64_t *seconds)
{
  struct mote_date d;
  int year;
  if(!stamp_take_number(&text, 4, &year) || !stamp_take_number(&text, 2, &d.month) ||
     !stamp_take_number(&text, 2, &d.day) ||
     d.month < 1 || d.month > 12 || d.day < 1 || d.day > 31 || text.len == 3 /* hours alone */)
    return false;
  if(!take_pair(&text, ' ', 23, &d.hour) || !take_pair(&text, ':', 59, &d.minute) ||
     !take_pair(&text, ':', 60, &d.second) || text.len)
    return false;
  d.year = year;
  d.weekday = 0;
  *seconds = mote_date_join(&d);
  return true;
}

static void stamp_put_number(struct mote_out *out, char before, int value)
{
  if(before)
    mote_out_char(out, before);
  mote_out_char(out, (char)('0' + value / 10 % 10));
  mote_out_char(out, (char)('0' + value % 10));
}

void mote_stamp_print(int64_t seconds, struct mote_out *out)
{
  struct mote_date d;
  mote_date_split(seconds, &d);
  if(seconds == MOTE_STAMP_NEVER || d.year > 9999 || d.year < 0) {
    mote_out_text(out, UNLIMITED);
    return;
  }
  stamp_put_number(out, 0, (int)d.year / 100);
  stamp_put_number(out, 0, (int)d.year % 100);
  stamp_put_number(out, 0, d.month);
  stamp_put_number(out, 0, d.day);
  stamp_put_number(out, ' ', d.hour);
  stamp_put_number(out, ':', d.minute);
  stamp_put_number(out, ':', d.second);
}
