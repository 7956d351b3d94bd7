/* Tests of tool/options/numbers.c, and of the places of tool/show/progress.c. */
#include "tool_test.h"

#include "tool/options/numbers.h"
#include "tool/show/messages.h"
#include "tool/show/progress.h"

TEST(numbers)
{
  curl_off_t n;
  CHECK(!mote_cli_number("0", 0, &n) && n == 0);
  CHECK(!mote_cli_number("+12", 0, &n) && n == 12);
  CHECK(!mote_cli_number("-1", -1, &n) && n == -1);
  CHECK(!mote_cli_number("9223372036854775807", 0, &n) && n == INT64_MAX);
  CHECK_INT(mote_cli_number("9223372036854775808", 0, &n), PARAM_NUMBER);
  CHECK_INT(mote_cli_number("-3", 0, &n), PARAM_NEGATIVE);
  CHECK_INT(mote_cli_number("", 0, &n), PARAM_NUMBER);
  CHECK_INT(mote_cli_number("1x", 0, &n), PARAM_NUMBER);
}

TEST(seconds)
{
  curl_off_t ms;
  CHECK(!mote_cli_seconds("2", &ms) && ms == 2000);
  CHECK(!mote_cli_seconds("2.5", &ms) && ms == 2500);
  CHECK(!mote_cli_seconds("0.0019", &ms) && ms == 1);
  CHECK(!mote_cli_seconds("3.", &ms) && ms == 3000);
  CHECK_INT(mote_cli_seconds("-3", &ms), PARAM_NEGATIVE);
  CHECK_INT(mote_cli_seconds(".5", &ms), PARAM_NUMBER);
  CHECK_INT(mote_cli_seconds("1,5", &ms), PARAM_NUMBER);
  CHECK(!mote_cli_seconds("2147484.5", &ms) && ms == 2147484500);
  CHECK(!mote_cli_seconds("2305843009212.9", &ms) && ms == 2305843009212900);
  CHECK(!mote_cli_seconds("2305843009213.999", &ms) && ms == INT64_MAX / 4000);
  CHECK(!mote_cli_seconds("9223372036854775", &ms) && ms == INT64_MAX / 4000);
  CHECK_INT(mote_cli_seconds("9223372036854776", &ms), PARAM_TOO_LARGE);
  CHECK_INT(mote_cli_seconds("9223372036854775808", &ms), PARAM_NUMBER);
}

TEST(sizes)
{
  curl_off_t n;
  CHECK(!mote_cli_size("7", &n) && n == 7);
  CHECK(!mote_cli_size("7B", &n) && n == 7);
  CHECK(!mote_cli_size("2k", &n) && n == 2048);
  CHECK(!mote_cli_size("3M", &n) && n == 3 << 20);
  CHECK(!mote_cli_size("1g", &n) && n == 1 << 30);
  CHECK(!mote_cli_size("1P", &n) && n == (curl_off_t)1 << 50);
  CHECK_INT(mote_cli_size("3x", &n), PARAM_BAD_USE);
  CHECK_INT(mote_cli_size("3kk", &n), PARAM_BAD_USE);
  CHECK_INT(mote_cli_size("9223372036854775807k", &n), PARAM_TOO_LARGE);
  CHECK(!mote_cli_size("9223372036854775807", &n) && n == INT64_MAX);
  CHECK(!mote_cli_size("1.5k", &n) && n == 1536);
  CHECK(!mote_cli_size("0.25M", &n) && n == 1 << 18);
  CHECK(!mote_cli_size("8191.9999P", &n) && n > (curl_off_t)8191 << 50);
  CHECK(!mote_cli_size("1.55555555k", &n) && n == 1024 + 568);
  CHECK(mote_cli_size("1.5", &n) && mote_cli_size("1.k", &n) && mote_cli_size(".5k", &n));
  CHECK(mote_cli_size("1.5b", &n) && mote_cli_size("1.5.5k", &n) && mote_cli_size("8192P", &n));
}

TEST(rates)
{
  curl_off_t ms;
  CHECK(!mote_cli_rate("2/s", &ms) && ms == 500);
  CHECK(!mote_cli_rate("10/m", &ms) && ms == 6000);
  CHECK(!mote_cli_rate("3", &ms) && ms == 1200000);
  CHECK(!mote_cli_rate("1/d", &ms) && ms == 86400000);
  CHECK(!mote_cli_rate("3/2s", &ms) && ms == 666);
  CHECK(mote_cli_rate("0/s", &ms));
  CHECK(mote_cli_rate("1/0s", &ms));
  CHECK(mote_cli_rate("1/99999999999s", &ms));
  CHECK(!mote_cli_rate("1/30d", &ms) && ms == 2592000000); /* more than a long has in 32 bits */
  CHECK(!mote_cli_rate("1/26000000d", &ms) && ms == 2246400000000000);
  CHECK_INT(mote_cli_rate("1/27000000d", &ms), PARAM_TOO_LARGE);
  CHECK(mote_cli_rate("3/x", &ms));
  CHECK(mote_cli_rate("3/", &ms));
}

static const char *bytes(curl_off_t n)
{
  static struct out o;
  mote_cli_out_init(&o, 1, false);
  mote_cli_put_bytes(&o, n);
  o.buf[o.len] = 0;
  return o.buf;
}

static const char *time_text(curl_off_t n)
{
  static struct out o;
  mote_cli_out_init(&o, 1, false);
  mote_cli_put_time(&o, n);
  o.buf[o.len] = 0;
  return o.buf;
}

TEST(places)
{
  CHECK_STR(bytes(0), "    0");
  CHECK_STR(bytes(99999), "99999");
  CHECK_STR(bytes(100000), "  97k");
  CHECK_STR(bytes(1024 * 9999), "9999k");
  CHECK_STR(bytes(1024 * 10000), " 9.7M");
  CHECK_STR(bytes((curl_off_t)1 << 30), "1024M");
  CHECK_STR(bytes((curl_off_t)20 << 30), "20.0G");
  CHECK_STR(bytes(INT64_MAX), "8191P");
  for(curl_off_t n = 1; n > 0 && n < INT64_MAX / 3; n = n * 3 + 1)
    CHECK_INT(strlen(bytes(n)), 5);
  CHECK_STR(time_text(0), "--:--:--");
  CHECK_STR(time_text(3723), " 1:02:03");
  CHECK_STR(time_text(360000), "  4d 04h");
  CHECK_STR(time_text((curl_off_t)86400 * 5000), "   5000d");
}

int main(void)
{
  mote_cli.flags |= 1UL << GLOBAL_SILENT;
  TEST_RUN(numbers);
  TEST_RUN(seconds);
  TEST_RUN(sizes);
  TEST_RUN(rates);
  TEST_RUN(places);
  return test_end();
}
