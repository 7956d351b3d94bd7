/* base/text/date.h: dates of the Gregorian calendar in UTC, as text and as seconds; no locale, no time zone
 * of the machine, no C library.
 *
 * Seconds count from 1970-01-01 00:00:00 UTC without leap seconds (POSIX).
 * Failure: false; nothing was stored.
 * Tests:   tests/unit/base/test_date.c */
#ifndef MOTE_BASE_TEXT_DATE_H
#define MOTE_BASE_TEXT_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

#define MOTE_DATE_HTTP_SIZE 30

/* A point in time, in its parts. */
struct mote_date {
  int64_t year;
  int month;   /* 1 to 12 */
  int day;     /* 1 to 31 */
  int hour;    /* 0 to 23 */
  int minute;  /* 0 to 59 */
  int second;  /* 0 to 59; 60 is read as the next minute's 0 */
  int weekday; /* 0 Sunday to 6 Saturday; not read by mote_date_join() */
};

/* Seconds of a date. A day past the end of its month runs into the next one. month must be 1 to 12. */
int64_t mote_date_join(const struct mote_date *date);
/* Years from -290,000,000,000 on; all of int64_t is allowed. */
void mote_date_split(int64_t seconds, struct mote_date *date);

/* A date as curl_getdate(3) reads them: RFC 9110's three formats, cookies' variants of them, ISO's
 * YYYYMMDD; items in any order, with anything that is not a letter or digit between them. At most six items
 * are read and the rest is ignored. Year 1583 and later; two-digit years are 1971 to 2070; the weekday is
 * not compared with the date. */
#if MOTE_HAS_DATES
bool mote_date_parse(const char *text, size_t len, int64_t *seconds);
#else
#define mote_date_parse(text, len, seconds) ((void)(text), (void)(len), (void)(seconds), false)
#endif

/* "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110 section 5.6.7, IMF-fixdate), NUL-terminated: 29 bytes.
 * false: the year has not four digits. */
#if MOTE_HAS_DATES
bool mote_date_format_http(char out[MOTE_DATE_HTTP_SIZE], int64_t seconds);
#else
#define mote_date_format_http(out, seconds) ((void)(out), (void)(seconds), false)
#endif

#endif
