/* base/text/date.c: what a word or a number means depends on which items are still missing. */
#include "base/text/date.h"

#include <limits.h>
#include <string.h>

#include "base/text.h"
#include "base/text/format.h"

static const char weekdays[7][10] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
                                      "Saturday" };
static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

/* Names of time zones that libcurl knows, as hours east of UTC. */
static const struct {
  char name[5]; /* no NUL after five letters */
  signed char hours;
} zones[] = {
  { "GMT", 0 },    { "UT", 0 },    { "UTC", 0 },   { "WET", 0 },   { "BST", 1 },    { "WAT", -1 },
  { "AST", -4 },   { "ADT", -3 },  { "EST", -5 },  { "EDT", -4 },  { "CST", -6 },   { "CDT", -5 },
  { "MST", -7 },   { "MDT", -6 },  { "PST", -8 },  { "PDT", -7 },  { "YST", -9 },   { "YDT", -8 },
  { "HST", -10 },  { "HDT", -9 },  { "CAT", -10 }, { "AHST", -10 }, { "NT", -11 },  { "IDLW", -12 },
  { "CET", 1 },    { "MET", 1 },   { "MEWT", 1 },  { "MEST", 2 },  { "CEST", 2 },   { "MESZ", 2 },
  { "FWT", 1 },    { "FST", 2 },   { "EET", 2 },   { "WAST", 7 },  { "WADT", 8 },   { "CCT", 8 },
  { "JST", 9 },    { "EAST", 10 }, { "EADT", 11 }, { "GST", 10 },  { "NZT", 12 },   { "NZST", 12 },
  { "NZDT", 13 },  { "IDLE", 12 },
};

#define ITEMS_MAX 6 /* weekday, month, day, year, time, zone */
#define FIRST_YEAR 1583 /* the first whole year of the Gregorian calendar */
#define ZONE_MAX 1400 /* hhmm */
#define DATE_DIGITS 8 /* YYYYMMDD */

/* Calendar -------------------------------------------------------------------------------------------- */

/* Days from 1970-01-01 to the first of March of a year that begins there, so that the leap day is last. */
static int64_t days_to_march(int64_t year)
{
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t in_era = year - era * 400;
  return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 - 719468;
}

/* Days before a month of a year that begins in March; 0 is March. */
static int days_before(int month)
{
  return (153 * month + 2) / 5;
}

int64_t mote_date_join(const struct mote_date *date)
{
  int64_t year = date->month > 2 ? date->year : date->year - 1;
  int month = (date->month + 9) % 12;
  int64_t days = days_to_march(year) + days_before(month) + date->day - 1;
  return ((days * 24 + date->hour) * 60 + date->minute) * 60 + date->second;
}

void mote_date_split(int64_t seconds, struct mote_date *date)
{
  int64_t days = seconds / 86400;
  int rest = (int)(seconds % 86400);
  int64_t year;
  int month = 0;
  int day;
  if(rest < 0) {
    rest += 86400;
    days--;
  }
  date->hour = rest / 3600;
  date->minute = rest / 60 % 60;
  date->second = rest % 60;
  date->weekday = (int)((days % 7 + 11) % 7);

  /* A guess by the mean length of a year, which is never more than one year off. */
  year = 1970 + days / 146097 * 400 + days % 146097 * 400 / 146097;
  while(days_to_march(year) > days)
    year--;
  while(days_to_march(year + 1) <= days)
    year++;
  day = (int)(days - days_to_march(year));
  while(month < 11 && days_before(month + 1) <= day)
    month++;
  date->day = day - days_before(month) + 1;
  date->month = month < 10 ? month + 3 : month - 9;
  date->year = month < 10 ? year : year + 1;
}

/* Reading --------------------------------------------------------------------------------------------- */

#define UNSET (-1)

struct reader {
  const char *start;
  const char *p;
  const char *end;
  int weekday; /* all of these: UNSET, or found */
  int month;   /* 1 to 12 */
  int day;
  int year;
  int hour;    /* with minute and second */
  int minute;
  int second;
  int zone;    /* minutes east of UTC; have_zone */
  bool have_zone;
};

static int find_weekday(struct mote_slice word)
{
  int i;
  for(i = 0; i < 7; i++)
    if(mote_slice_is(word, weekdays[i]) ||
       (word.len == 3 && mote_equal_nocase_n(word.ptr, weekdays[i], 3)))
      return i;
  return UNSET;
}

static int find_month(struct mote_slice word)
{
  int i;
  for(i = 0; i < 12; i++)
    if(mote_slice_is(word, months[i]))
      return i + 1;
  return UNSET;
}

/* The military letters: A to M but J run east, N to Y west, Z is UTC. RFC 822 has them the wrong way round
 * (RFC 1123, section 5.2.14). */
static bool military_zone(char letter, int *hours)
{
  if(letter < 'A' || letter > 'Z' || letter == 'J')
    return false;
  if(letter < 'J')
    *hours = letter - 'A' + 1;
  else if(letter < 'N')
    *hours = letter - 'A';
  else
    *hours = letter == 'Z' ? 0 : 'M' - letter;
  return true;
}

static bool find_zone(struct mote_slice word, int *minutes)
{
  size_t i;
  int hours;
  if(word.len == 1) {
    if(!military_zone(word.ptr[0], &hours))
      return false;
    *minutes = hours * 60;
    return true;
  }
  for(i = 0; i < sizeof zones / sizeof zones[0]; i++) {
    if(word.len <= sizeof zones[i].name && !memcmp(word.ptr, zones[i].name, word.len) &&
       (word.len == sizeof zones[i].name || !zones[i].name[word.len])) {
      *minutes = zones[i].hours * 60;
      return true;
    }
  }
  return false;
}

static bool read_word(struct reader *r)
{
  struct mote_slice word = { r->p, 0 };
  int found;
  while(r->p < r->end && mote_is_alpha(*r->p))
    r->p++;
  word.len = (size_t)(r->p - word.ptr);
  if(r->weekday == UNSET && (found = find_weekday(word)) != UNSET)
    r->weekday = found;
  else if(r->month == UNSET && (found = find_month(word)) != UNSET)
    r->month = found;
  else if(!r->have_zone && find_zone(word, &r->zone))
    r->have_zone = true;
  else
    return false;
  return true;
}

/* One or two digits; a third one begins the next number. */
static bool read_two(const char **p, const char *end, int *out)
{
  const char *q = *p;
  int value = 0;
  while(q < end && mote_is_digit(*q) && q - *p < 2)
    value = value * 10 + (*q++ - '0');
  if(q == *p)
    return false;
  *p = q;
  *out = value;
  return true;
}

/* Is there HH:MM? */
static bool at_time(const struct reader *r)
{
  const char *p = r->p;
  int hour;
  return read_two(&p, r->end, &hour) && r->end - p >= 2 && p[0] == ':' && mote_is_digit(p[1]);
}

/* HH:MM or HH:MM:SS. false: what looked like a time is none, and its numbers are others. */
static bool date_read_time(struct reader *r)
{
  r->second = 0;
  if(!read_two(&r->p, r->end, &r->hour))
    return false;
  r->p++;
  if(!read_two(&r->p, r->end, &r->minute))
    return false;
  if(r->end - r->p >= 2 && r->p[0] == ':' && mote_is_digit(r->p[1])) {
    r->p++;
    if(!read_two(&r->p, r->end, &r->second))
      return false;
  }
  return r->hour <= 23 && r->minute <= 59 && r->second <= 60;
}

/* YYYYMMDD */
static bool use_iso(struct reader *r, int value)
{
  r->year = value / 10000;
  r->month = value / 100 % 100;
  r->day = value % 100;
  return r->month >= 1 && r->month <= 12 && r->day >= 1 && r->day <= 31;
}

static bool use_year(struct reader *r, int value)
{
  if(r->year != UNSET)
    return false;
  r->year = value > 99 ? value : value > 70 ? 1900 + value : 2000 + value;
  return true;
}

/* +hhmm or -hhmm */
static void use_zone(struct reader *r, int value, char sign)
{
  int minutes = value / 100 * 60 + value % 100;
  r->zone = sign == '+' ? minutes : -minutes;
  r->have_zone = true;
}

static bool date_read_number(struct reader *r)
{
  struct mote_slice rest = { r->p, (size_t)(r->end - r->p) };
  struct reader timed = *r;
  char sign = 0;
  uint64_t value;
  size_t len;
  if(r->hour == UNSET && at_time(r) && date_read_time(&timed)) {
    *r = timed;
    return true;
  }
  if(!mote_parse_dec_prefix(rest, INT_MAX, &value, &len))
    return false;
  if(r->p > r->start)
    sign = r->p[-1];
  r->p += len;
  if((sign == '+' || sign == '-') && !r->have_zone && len == 4 && value <= ZONE_MAX) {
    use_zone(r, (int)value, sign);
    return true;
  }
  if(len == DATE_DIGITS && r->year == UNSET && r->month == UNSET && r->day == UNSET)
    return use_iso(r, (int)value);
  if(r->day == UNSET && value >= 1 && value <= 31) {
    r->day = (int)value;
    return true;
  }
  return use_year(r, (int)value);
}

bool mote_date_parse(const char *text, size_t len, int64_t *seconds)
{
  struct reader r = {
    .start = text, .p = text, .end = text + len,
    .weekday = UNSET, .month = UNSET, .day = UNSET, .year = UNSET, .hour = UNSET,
  };
  struct mote_date date;
  int items = 0;
  while(r.p < r.end && items < ITEMS_MAX) {
    if(!mote_is_alnum(*r.p)) {
      r.p++;
      continue;
    }
    if(!(mote_is_digit(*r.p) ? date_read_number(&r) : read_word(&r)))
      return false;
    items++;
  }
  if(r.day == UNSET || r.month == UNSET || r.year < FIRST_YEAR)
    return false;
  date.year = r.year;
  date.month = r.month;
  date.day = r.day;
  date.hour = r.hour == UNSET ? 0 : r.hour;
  date.minute = r.hour == UNSET ? 0 : r.minute;
  date.second = r.hour == UNSET ? 0 : r.second;
  *seconds = mote_date_join(&date) - (int64_t)r.zone * 60;
  return true;
}

bool mote_date_format_http(char out[MOTE_DATE_HTTP_SIZE], int64_t seconds)
{
  struct mote_date d;
  mote_date_split(seconds, &d);
  if(d.year < 0 || d.year > 9999)
    return false;
  return mote_snprintf(out, MOTE_DATE_HTTP_SIZE, "%.3s, %02d %s %04d %02d:%02d:%02d GMT", weekdays[d.weekday],
                       d.day, months[d.month - 1], (int)d.year, d.hour, d.minute, d.second) > 0;
}
