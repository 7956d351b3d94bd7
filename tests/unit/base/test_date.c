/* tests/unit/base/test_date.c: dates as libcurl's curl_getdate() read them when it was watched (7.88.1). */
#define _FILE_OFFSET_BITS 64
#define _TIME_BITS 64 /* the C library's dates have to go as far as ours */
#include <time.h>

#include "base/text/date.h"
#include "test.h"

#define NO INT64_MIN /* is not a date */

static const struct {
  const char *text;
  int64_t seconds;
} vectors[] = {
  { "Sun, 06 Nov 1994 08:49:37 GMT", 784111777 },
  { "Sunday, 06-Nov-94 08:49:37 GMT", 784111777 },
  { "Sun Nov  6 08:49:37 1994", 784111777 },
  { "06 Nov 1994 08:49:37 GMT", 784111777 },
  { "06-Nov-94 08:49:37 GMT", 784111777 },
  { "Nov  6 08:49:37 1994", 784111777 },
  { "06 Nov 1994 08:49:37", 784111777 },
  { "06-Nov-94 08:49:37", 784111777 },
  { "1994 Nov 6 08:49:37", 784111777 },
  { "GMT 08:49:37 06-Nov-94 Sunday", 784111777 },
  { "94 6 Nov 08:49:37", 784111777 },
  { "1994 Nov 6", 784080000 },
  { "06-Nov-94", 784080000 },
  { "Sun Nov 6 94", 784080000 },
  { "1994.Nov.6", 784080000 },
  { "Sun/Nov/6/94/GMT", 784080000 },
  { "Sun, 06 Nov 1994 08:49:37 CET", 784108177 },
  { "06 Nov 1994 08:49:37 EST", 784129777 },
  { "Sun, 12 Sep 2004 15:05:58 -0700", 1095026758 },
  { "Sat, 11 Sep 2004 21:32:11 +0200", 1094931131 },
  { "20040912 15:05:58 -0700", 1095026758 },
  { "20040911 +0200", 1094853600 },
  { "Thu, 01-Jan-1970 00:59:58 GMT", 3598 },
  { "Thu, 01-Jan-1970 00:00:00 GMT", 0 },
  { "Wed, 31-Dec-1969 23:59:58 GMT", -2 },
  { "Thu, 999999999999-Jan-1970 00:59:58 GMT", NO },
  { "2094 Nov 6", 3939840000 },
  { "06-Nov-1582", NO },
  { "06-Nov-1583", -12185856000 },
  { "06-Nov-99", 941846400 },
  { "06-Nov-70", 3182457600 },
  { "06-Nov-71", 58233600 },
  { "06-Nov-69", 3150921600 },
  { "06-Nov-00", 973468800 },
  { "06-Nov-3", 1068076800 },
  { "06-Nov-100", NO },
  { "06-Nov-9999", 253397462400 },
  { "06-Nov-99999", 3093523142400 },
  { "31-Feb-2020", 1583107200 },
  { "32-Feb-2020", NO },
  { "00-Feb-2020", NO },
  { "29 Feb 2100", 4107542400 },
  { "29 Feb 2000", 951782400 },
  { "29 Feb 2004", 1078012800 },
  { "12:30 06 Nov 1994", 784125000 },
  { "1:2:3 06 Nov 1994", 784083723 },
  { "01:02 06 Nov 1994", 784083720 },
  { "25:00:00 06 Nov 1994", NO },
  { "23:60:00 06 Nov 1994", NO },
  { "23:59:60 06 Nov 1994", 784166400 },
  { "23:59:61 06 Nov 1994", NO },
  { "24:00:00 06 Nov 1994", NO },
  { "Dec 24:00:00", NO },
  { "12:60 Dec", 2870035200 },
  { "06 Nov 1994 8:49:37", 784111777 },
  { "06 Nov 1994 08:49:37.123", NO },
  { "06 Nov 1994 08:49:37 Z", 784111777 },
  { "06 Nov 1994 08:49:37 A", 784108177 },
  { "06 Nov 1994 08:49:37 M", 784068577 },
  { "06 Nov 1994 08:49:37 N", 784115377 },
  { "06 Nov 1994 08:49:37 Y", 784154977 },
  { "06 Nov 1994 08:49:37 J", NO },
  { "06 Nov 1994 08:49:37 UTC", 784111777 },
  { "06 Nov 1994 08:49:37 UT", 784111777 },
  { "06 Nov 1994 08:49:37 WET", 784111777 },
  { "06 Nov 1994 08:49:37 BST", 784108177 },
  { "06 Nov 1994 08:49:37 WAT", 784115377 },
  { "06 Nov 1994 08:49:37 AST", 784126177 },
  { "06 Nov 1994 08:49:37 ADT", 784122577 },
  { "06 Nov 1994 08:49:37 EDT", 784126177 },
  { "06 Nov 1994 08:49:37 CST", 784133377 },
  { "06 Nov 1994 08:49:37 CDT", 784129777 },
  { "06 Nov 1994 08:49:37 MST", 784136977 },
  { "06 Nov 1994 08:49:37 MDT", 784133377 },
  { "06 Nov 1994 08:49:37 PST", 784140577 },
  { "06 Nov 1994 08:49:37 PDT", 784136977 },
  { "06 Nov 1994 08:49:37 YST", 784144177 },
  { "06 Nov 1994 08:49:37 YDT", 784140577 },
  { "06 Nov 1994 08:49:37 HST", 784147777 },
  { "06 Nov 1994 08:49:37 HDT", 784144177 },
  { "06 Nov 1994 08:49:37 CAT", 784147777 },
  { "06 Nov 1994 08:49:37 AHST", 784147777 },
  { "06 Nov 1994 08:49:37 NT", 784151377 },
  { "06 Nov 1994 08:49:37 IDLW", 784154977 },
  { "06 Nov 1994 08:49:37 MET", 784108177 },
  { "06 Nov 1994 08:49:37 MEWT", 784108177 },
  { "06 Nov 1994 08:49:37 MEST", 784104577 },
  { "06 Nov 1994 08:49:37 CEST", 784104577 },
  { "06 Nov 1994 08:49:37 MESZ", 784104577 },
  { "06 Nov 1994 08:49:37 FWT", 784108177 },
  { "06 Nov 1994 08:49:37 FST", 784104577 },
  { "06 Nov 1994 08:49:37 EET", 784104577 },
  { "06 Nov 1994 08:49:37 WAST", 784086577 },
  { "06 Nov 1994 08:49:37 WADT", 784082977 },
  { "06 Nov 1994 08:49:37 CCT", 784082977 },
  { "06 Nov 1994 08:49:37 JST", 784079377 },
  { "06 Nov 1994 08:49:37 EAST", 784075777 },
  { "06 Nov 1994 08:49:37 EADT", 784072177 },
  { "06 Nov 1994 08:49:37 GST", 784075777 },
  { "06 Nov 1994 08:49:37 NZT", 784068577 },
  { "06 Nov 1994 08:49:37 NZST", 784068577 },
  { "06 Nov 1994 08:49:37 NZDT", 784064977 },
  { "06 Nov 1994 08:49:37 IDLE", 784068577 },
  { "06 Nov 1994 08:49:37 IST", NO },
  { "06 Nov 1994 08:49:37 MSK", NO },
  { "06 Nov 1994 08:49:37 AEST", NO },
  { "06 Nov 1994 08:49:37 XXX", NO },
  { "06 Nov 1994 08:49:37 +0000", 784111777 },
  { "06 Nov 1994 08:49:37 +1400", 784061377 },
  { "06 Nov 1994 08:49:37 +1401", NO },
  { "06 Nov 1994 08:49:37 +1500", NO },
  { "06 Nov 1994 08:49:37 -1400", 784162177 },
  { "06 Nov 1994 08:49:37 -1500", NO },
  { "06 Nov 1994 08:49:37 +0099", 784105837 },
  { "06 Nov 1994 08:49:37 +200", NO },
  { "06 Nov 1994 08:49:37 +20", NO },
  { "06 Nov 1994 08:49:37 +02:00", NO },
  { "06 Nov 1994 08:49:37 GMT+0200", NO },
  { "06 Nov 1994 08:49:37 GMT +0200", NO },
  { "06 Nov 1994 08:49:37 +0200 GMT", NO },
  { "06 Nov 1994 08:49:37 +0200 +0300", NO },
  { "06 Nov 1994 08:49:37 gmt", NO },
  { "sun, 06 NOV 1994 08:49:37 GMT", 784111777 },
  { "06 November 1994", NO },
  { "06 Nove 1994", NO },
  { "06 Novem 1994", NO },
  { "Su 06 Nov 1994", NO },
  { "Sund 06 Nov 1994", NO },
  { "Mon 06 Nov 1994", 784080000 },
  { "Monday Tuesday 06 Nov 1994", NO },
  { "06 Nov Dec 1994", NO },
  { "06 07 Nov 1994", NO },
  { "1994 06 Nov 1995", NO },
  { "1994-11-06", NO },
  { "1994-11-06T08:49:37Z", NO },
  { "11/06/1994", NO },
  { "06.11.1994", NO },
  { "19941106", 784080000 },
  { "19941306", NO },
  { "19941132", NO },
  { "19940006", NO },
  { "9411106", NO },
  { "941106", NO },
  { "199411060849", NO },
  { "19941106 08:49:37", 784111777 },
  { "19941106T084937", NO },
  { "Nov 1994", NO },
  { "06 Nov", NO },
  { "1994", NO },
  { "06", NO },
  { "Nov", NO },
  { "", NO },
  { "hello", NO },
  { "   06 Nov 1994   ", 784080000 },
  { "06 Nov 1994 foo", NO },
  { "foo 06 Nov 1994", NO },
  { "Sun, 06-Nov-1994_08:49:37 GMT", 784111777 },
  { "Sun, 06 Nov 1994 08:49:37 GMT; foo", 784111777 },
  { "Sun, 06 Nov 1994 08:49:37 GMT 5", 784111777 },
  { "08:49:37 08:50:37 06 Nov 1994", NO },
  { "5 Nov 5", 1131148800 },
  { "5 Nov 12", 1352073600 },
  { "12 Nov 5", 1131753600 },
  { "2 3 Nov", 1067731200 },
  { "33 Nov 3", 2014588800 },
  { "3 33 Nov", 2014588800 },
  { "Nov 6 1994 -0700", 784105200 },
  { "-0700 Nov 6 1994", 784105200 },
  { "6-Nov-1994-0700", 784105200 },
  { "6 Nov 1994-0700", 784105200 },
  { "6 Nov-1994", 784080000 },
  { "6 Nov -1994", 784080000 },
  { "6 Nov +1994", 784080000 },
  { "Thu, 01 Jan 1969 00:00:00 GMT", -31536000 },
  { "Fri, 31 Dec 9999 23:59:59 GMT", 253402300799 },
  { "Fri, 31 Dec 2037 23:59:59 GMT", 2145916799 },
  { "Fri, 31 Dec 99999 23:59:59 GMT", 3093527980799 },
  { "06 Nov 1600", -11649312000 },
  { "01 Jan 1583", -12212553600 },
  { "31 Dec 1582", NO },
  { "123456789012345678901 Nov 1994", NO },
  { "0006 Nov 1994", 784080000 },
  { "06 Nov 01994", 784080000 },
  { "006 Nov 1994", 784080000 },
  { "6 Nov 94 1994", NO },
  { ":06 Nov 1994", 784080000 },
  { "08:49:37:12 06 Nov 1994", NO },
  { "8:49 06 Nov 1994", 784111740 },
  { "08:49:7 06 Nov 1994", 784111747 },
  { "0:0:0 06 Nov 1994", 784080000 },
  { "008:49:37 06 Nov 1994", NO },
  { "08:49:377 06 Nov 1994", NO },
  { "08:049:37 06 Nov 1994", NO },
  { "-1 Nov 1994", 783648000 },
  { "+1 Nov 1994", 783648000 },
  { "Sunday Sun 06 Nov 1994", NO },
  { "Tues, 06 Nov 1994", NO },
  { "Wednes 06 Nov 1994", NO },
  { "Sunday06Nov1994", 784080000 },
  { "06Nov1994", 784080000 },
  { "6Nov94 08:49:37GMT", 784111777 },
  { "Sun, 06 Nov 1994 08:49:37 G", 784086577 },
  { "Sun, 06 Nov 1994 08:49:37 GMTX", NO },
  { "Sun, 06 Nov 1994 08:49:37 PM", NO },
  { "Sun, 06 Nov 1994 AD", NO },
  { "06 Nov 1994 12:60", NO },
  { "06 Nov 1994 12:59:60", 784126800 },
  { "06 Nov 1994 12:59:60:", 784126800 },
  { "06 Nov 1994 1:2:", 784083720 },
  { "06 Nov 1994 1:", NO },
  { "06 Nov 1994 :1", NO },
  { "06 Nov 1994 12:30:", 784125000 },
  { "06 Nov 1994 12:30:1:2", NO },
  { "06 Nov 1994 12:30:1:", 784125001 },
  { "06 Nov 1994 12:30 +0100", 784121400 },
  { "1994 6 Nov", 784080000 },
  { "6 1994 Nov", 784080000 },
  { "94 Nov 6", 784080000 },
  { "40 Nov 6", 2235772800 },
  { "6 Nov 31", 1951689600 },
  { "31 Nov 6", 1164931200 },
  { "32 Nov 6", 1983312000 },
  { "6 Nov 32", 1983312000 },
  { "100 Nov 6", NO },
  { "6 Nov 1600 20000101", NO },
  { "20000101 6 Nov", NO },
  { "20000101 Nov", NO },
  { "20000101 6", NO },
  { "Nov 20000101", NO },
  { "12345678", NO },
  { "20200230", 1583020800 },
  { "20201301", NO },
  { "00000101", NO },
  { "15820101", NO },
  { "15830101", -12212553600 },
  { "20201232", NO },
  { "+20201201", 1606780800 },
  { "-20201201", 1606780800 },
  { "20201201 12:00 20201201", NO },
  { "2020120100", NO },
  { "0020201201", NO },
  { "06 Nov 1994 08:49:37 -0000", 784111777 },
  { "06 Nov 1994 +0100 08:49:37", 784108177 },
  { "+0100 06 Nov 1994", 784076400 },
  { "06 Nov +0100 1994", 784076400 },
  { "+2020 Nov 6", 1604620800 },
  { "-2020 Nov 6", 1604620800 },
  { "6 Nov +2020", 1604620800 },
  { "6 Nov-2020", 1604620800 },
  { "6-2020 Nov", 1604620800 },
  { "6+1400 Nov 1999", 941796000 },
  { "06 Nov 1994 -0060", 784083600 },
  { "06 Nov 1994 +1360", 784029600 },
  { "06 Nov 1994 0100", NO },
  { "06 Nov 1994 100", NO },
  { "2147483648 Nov 6", NO },
  { "2147483647 Nov 6", 67767976228694400 },
  { "Nov 6 2147483647", 67767976228694400 },
  { "Sun,06-Nov-94(08:49:37)GMT", 784111777 },
  { "6 nov 94 z", NO },
  { "sunnovember 6 1994", NO },
  { "06 Nov 1994 08:49:37 Sunday GMT", 784111777 },
  { "06 Nov 1994 Sun Sun", NO },
  { "06 Nov 1994 GMT GMT", NO },
  { "Sun Nov 6 08:49:37 GMT 1994", 784111777 },
  { "averyveryverylongword 6 Nov 1994", NO },
  { "a b c d e f g h", NO },
  { "6 Nov 1994 1 2 3", NO },
  { "6 Nov 1994 GMT 1 2 3", NO },
  { "1 6 Nov 1994", NO },
  { "6 Nov 1994 08:49:37 x y z", NO },
  { "6 Nov 1994 08:49:37 GMT x y z", NO },
  { "1:2:3 1 Jan 2000 GMT garbage 99:99", NO },
};

static int64_t parse(const char *text)
{
  int64_t seconds = 12345;
  if(mote_date_parse(text, strlen(text), &seconds))
    return seconds;
  CHECK_INT(seconds, 12345);
  return NO;
}

TEST(reads_as_libcurl)
{
  size_t i;
  for(i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    if(!CHECK_INT(parse(vectors[i].text), vectors[i].seconds))
      fprintf(stderr, "  %s\n", vectors[i].text);
}

/* Where we are stricter than libcurl 7.88.1. */
TEST(refuses)
{
  CHECK_INT(parse("19941100"), NO);              /* the day 0 */
  CHECK_INT(parse("08: 49:37 06 Nov 1994"), NO); /* a blank inside of the time */
  CHECK_INT(parse("6 19941106"), NO);            /* a date after a day */
  CHECK_INT(parse("6 Nov 1994 08:49:x"), NO);
  CHECK_INT(parse("6 Nov 1994 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), NO);
}

TEST(length_counts)
{
  int64_t seconds;
  CHECK(mote_date_parse("06 Nov 1994 garbage", 11, &seconds));
  CHECK_INT(seconds, 784080000);
  CHECK(!mote_date_parse("06 Nov 1994", 6, &seconds));
  CHECK(mote_date_parse("06 Nov 1994 08:49:37", 20, &seconds));
  CHECK(mote_date_parse("06 Nov 1994 08:49:37", 19, &seconds));
  CHECK_INT(seconds, 784111743); /* 08:49:3 */
  CHECK(!mote_date_parse("", 0, &seconds));
}

TEST(military_zones)
{
  static const char letters[] = "ABCDEFGHIKLMNOPQRSTUVWXYZ";
  static const int hours[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -1, -2, -3, -4, -5, -6, -7, -8, -9,
                               -10, -11, -12, 0 };
  char text[] = "06 Nov 1994 ?";
  size_t i;
  for(i = 0; letters[i]; i++) {
    text[12] = letters[i];
    CHECK_INT(parse(text), 784080000 - hours[i] * 3600);
    text[12] = (char)(letters[i] + 32);
    CHECK_INT(parse(text), NO);
  }
  text[12] = 'J';
  CHECK_INT(parse(text), NO);
}

TEST(what_is_no_time_is_numbers)
{
  CHECK_INT(parse("30 May 24:00:00"), 1717027200); /* 2024, at 00:00 */
  CHECK_INT(parse("Jun 24:00:00 0"), 961804800);   /* the 24th of June 2000 */
  CHECK_INT(parse("06 Nov 1994 24:00:00"), NO);
  CHECK_INT(parse("1 Jan 1:0294"), 757386120); /* 1994, at 01:02 */
  CHECK_INT(parse("08:49:3706-Nov-1994"), 784111777);
  CHECK_INT(parse("1 Jan 94 123:02"), NO);
}

TEST(every_prefix_is_survived)
{
  static const char whole[] = "Sun, 06 Nov 1994 08:49:37 +0100";
  char text[sizeof whole];
  size_t len;
  for(len = 0; len < sizeof whole; len++) {
    int64_t seconds;
    memcpy(text, whole, len); /* no NUL: a read too far is seen by the sanitizer */
    (void)mote_date_parse(text, len, &seconds);
  }
}

/* Against the C library. */
static void round_trip(int64_t seconds)
{
  struct mote_date d;
  struct tm tm;
  time_t t = (time_t)seconds;
  if((int64_t)t != seconds || !gmtime_r(&t, &tm))
    return;
  mote_date_split(seconds, &d);
  CHECK_INT(d.year, tm.tm_year + 1900LL);
  CHECK_INT(d.month, tm.tm_mon + 1);
  CHECK_INT(d.day, tm.tm_mday);
  CHECK_INT(d.hour, tm.tm_hour);
  CHECK_INT(d.minute, tm.tm_min);
  CHECK_INT(d.second, tm.tm_sec);
  CHECK_INT(d.weekday, tm.tm_wday);
  CHECK_INT(mote_date_join(&d), seconds);
}

TEST(split_and_join)
{
  int64_t day;
  int i;
  for(day = -1000; day < 60000; day++) {
    round_trip(day * 86400);
    round_trip(day * 86400 - 1);
  }
  for(i = 0; i < 20000; i++)
    round_trip((int64_t)((uint64_t)test_random() << 32 | test_random()) >> test_random() % 40 >> 8);
}

TEST(split_takes_all)
{
  struct mote_date d;
  mote_date_split(INT64_MAX, &d);
  CHECK_INT(d.year, 292277026596);
  CHECK(d.month == 12 && d.day == 4 && d.hour == 15);
  mote_date_split(INT64_MIN, &d);
  CHECK_INT(d.year, -292277022657);
}

TEST(days_run_over)
{
  struct mote_date d = { .year = 2020, .month = 2, .day = 31 };
  struct mote_date march = { .year = 2020, .month = 3, .day = 2 };
  CHECK_INT(mote_date_join(&d), mote_date_join(&march));
}

TEST(http_format)
{
  char text[MOTE_DATE_HTTP_SIZE];
  CHECK(mote_date_format_http(text, 784111777));
  CHECK_STR(text, "Sun, 06 Nov 1994 08:49:37 GMT");
  CHECK(mote_date_format_http(text, 0));
  CHECK_STR(text, "Thu, 01 Jan 1970 00:00:00 GMT");
  CHECK(mote_date_format_http(text, 951782399));
  CHECK_STR(text, "Mon, 28 Feb 2000 23:59:59 GMT");
  CHECK(mote_date_format_http(text, 253402300799));
  CHECK_STR(text, "Fri, 31 Dec 9999 23:59:59 GMT");
  CHECK(!mote_date_format_http(text, 253402300800));
  CHECK(mote_date_format_http(text, -62167219200));
  CHECK_STR(text, "Sat, 01 Jan 0000 00:00:00 GMT");
  CHECK(!mote_date_format_http(text, -62167219201));
}

TEST(http_format_is_read_again)
{
  char text[MOTE_DATE_HTTP_SIZE];
  int i;
  for(i = 0; i < 2000; i++) {
    int64_t seconds = (int64_t)test_random() * 50 - 12000000000;
    CHECK(mote_date_format_http(text, seconds));
    CHECK_INT(parse(text), seconds);
  }
}

int main(void)
{
  TEST_RUN(reads_as_libcurl);
  TEST_RUN(refuses);
  TEST_RUN(length_counts);
  TEST_RUN(military_zones);
  TEST_RUN(what_is_no_time_is_numbers);
  TEST_RUN(every_prefix_is_survived);
  TEST_RUN(split_and_join);
  TEST_RUN(split_takes_all);
  TEST_RUN(days_run_over);
  TEST_RUN(http_format);
  TEST_RUN(http_format_is_read_again);
  return test_end();
}
