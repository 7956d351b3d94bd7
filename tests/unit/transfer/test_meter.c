/* tests/unit/transfer/test_meter.c: the columns of the built-in progress meter. */
#include "transfer/report/meter.h"

#include <curl/curl.h>

#include "test.h"

static void check_bytes(curl_off_t bytes, const char *wanted)
{
  char out[MOTE_METER_BYTES];
  mote_meter_bytes(out, bytes);
  CHECK_STR(out, wanted);
}

TEST(bytes_take_five_columns)
{
  check_bytes(0, "    0");
  check_bytes(99999, "99999");
  check_bytes(100000, "  97k");
  check_bytes(102400, " 100k");
  check_bytes(10239999, "9999k");
  check_bytes(10240000, " 9.7M");
  check_bytes(10485760, "10.0M");
  check_bytes(10643046, "10.1M");
  check_bytes(11534335, "10.9M"); /* libcurl 7.88 rounds this one up to "10.10" */
  check_bytes(11534336, "11.0M");
  check_bytes(104857599, "99.9M");
  check_bytes(104857600, " 100M");
  check_bytes(10485759999, "9999M");
  check_bytes(10485760000, " 9.7G");
  check_bytes(107374182400, " 100G");
  check_bytes(10737418239999, "9999G");
  check_bytes(10995116277760, "  10T");
  check_bytes(10995116277759999, "9999T");
  check_bytes(11258999068426240, "  10P");
  check_bytes(INT64_MAX, "8191P");
}

static void check_time(int64_t seconds, const char *wanted)
{
  char out[MOTE_METER_TIME];
  mote_meter_time(out, seconds);
  CHECK_STR(out, wanted);
}

TEST(times_take_eight_columns)
{
  check_time(-1, "--:--:--");
  check_time(0, "--:--:--");
  check_time(1, " 0:00:01");
  check_time(3964, " 1:06:04");
  check_time(359999, "99:59:59");
  check_time(360000, "  4d 04h");
  check_time(396913, "  4d 14h");
  check_time(86399999, "999d 23h");
  check_time(86400000, "   1000d");
  check_time(95213628, "   1102d");
  check_time(INT64_MAX, "9999999d");
}

static void check_line(const struct mote_meter_state *s, const char *wanted)
{
  char out[MOTE_METER_LINE];
  size_t len = mote_meter_line(out, s);
  CHECK_STR(out, wanted);
  CHECK(len == strlen(wanted));
}

/* The lines are what /usr/bin/curl 7.88.1 draws for the same numbers. */
TEST(lines_are_libcurls)
{
  struct mote_meter_state s = {.size_down = -1, .size_up = -1, .current = -1};
  check_line(&s, "\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0");
  s.size_down = 350000;
  s.down = 300000;
  s.spent = 1802000;
  s.current = 166389;
  check_line(&s, "\r 85  341k   85  292k    0     0   162k      0  0:00:02  0:00:01  0:00:01  162k");
  s.size_down = -1;
  s.down = 20000;
  s.spent = 1100715;
  s.current = 18181;
  check_line(&s, "\r100 20000    0 20000    0     0  18170      0 --:--:--  0:00:01 --:--:-- 18181");
  s.size_up = 300000;
  s.down = 0;
  s.up = 131072;
  s.spent = 1311000;
  s.current = 99978;
  check_line(&s, "\r 43  292k    0     0   43  128k      0  99978  0:00:03  0:00:01  0:00:02 99978");
}

TEST(nothing_overflows)
{
  struct mote_meter_state s = {
    .size_down = INT64_MAX / 2, .size_up = INT64_MAX / 2, .down = INT64_MAX / 2 - 1, .up = INT64_MAX / 2 - 1,
    .spent = 1, .current = INT64_MAX,
  };
  check_line(&s, "\r 99 8191P   99 4095P   99 4095P  4095P  4095P  0:00:01 --:--:--  0:00:01 8191P");
  s.spent = INT64_MAX;
  s.current = 0;
  check_line(&s, "\r 99 8191P   99 4095P   99 4095P   488k   488k 9999999d 9999999d --:--:--     0");
}

int main(void)
{
  TEST_RUN(bytes_take_five_columns);
  TEST_RUN(times_take_eight_columns);
  TEST_RUN(lines_are_libcurls);
  TEST_RUN(nothing_overflows);
  return test_end();
}
