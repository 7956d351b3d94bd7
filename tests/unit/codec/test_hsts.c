/* Unit tests of codec/files/hsts.h and codec/files/stamp.h: fields, lines, points in time. */
#include "base/out.h"
#include "codec/files/hsts.h"

#include "test.h"

/* "age" or "age+" with includeSubDomains; NULL: refused. */
static void field(const char *text, const char *expected)
{
  struct mote_hsts_field f;
  char got[40];
  bool ok = mote_hsts_read_field(mote_slice_of(text), &f);
  CHECK(ok == (expected != NULL));
  if(!ok || !expected)
    return;
  snprintf(got, sizeof got, "%lld%s", (long long)f.max_age, f.tail ? "+" : "");
  CHECK_STR(got, expected);
}

TEST(fields)
{
  field("max-age=1000", "1000");
  field("MAX-AGE=0; INCLUDESUBDOMAINS", "0+");
  field(" max-age = \"1000\" ; includeSubDomains ; preload", "1000+");
  field("includeSubDomains; foo=\"a; max-age=7\"; max-age=5", "5+");
  field(";;max-age=1000;;", "1000");
  field("max-age=12abc", "12");
  field("max-age=63072001", "63072000");
  field("max-age=99999999999999999999999999", "63072000");
  field("max-age=1000; includeSubDomainsX", "1000");
  field("max-age=5; foo=\"", "5");
  field("max-age=1000; =; includeSubDomains", "1000");
  field("", NULL);
  field(";", NULL);
  field("includeSubDomains", NULL);
  field("max-age", NULL);
  field("max-age=", NULL);
  field("max-age=-1", NULL);
  field("max-age=\"", NULL);
  field("max-age=\"1000", NULL);
  field("max-age=5; max-age=5", NULL);
  field("max-age=5; includeSubDomains; includeSubDomains", NULL);
}

TEST(a_quote_that_a_backslash_hides_ends_no_value)
{
  field("max-age=5; a=\"\\\"; includeSubDomains; b=\"", "5");
  field("max-age=5; a=\"\\\\\"; includeSubDomains; b=\"\"", "5+");
  field("max-age=5; a=\"\\", "5");
  field("max-age=5; a=\"\\\"", "5");
}

/* The line as it is printed again; NULL: refused. */
static void line(const char *text, const char *expected)
{
  struct mote_hsts_line l;
  char got[MOTE_HSTS_LINE_MAX + 1];
  struct mote_out out = mote_out_in(got, sizeof got);
  bool ok = mote_hsts_read_line(mote_slice_of(text), &l);
  CHECK(ok == (expected != NULL));
  if(!ok || !expected)
    return;
  mote_hsts_print(&l, &out);
  mote_out_end_text(&out);
  CHECK_STR(got, expected);
}

TEST(lines)
{
  static char longest[300];
  line("a.test \"20300101 00:00:00\"", "a.test \"20300101 00:00:00\"\n");
  line(".a.test \"20300101 00:00:00\"\r", ".a.test \"20300101 00:00:00\"\n");
  line(" \ta.test. \"20300102\"", "a.test \"20300102 00:00:00\"\n");
  line("A.test \"20300102 23:59\"", "A.test \"20300102 23:59:00\"\n");
  line("a.test \"unlimited\"", "a.test \"unlimited\"\n");
  line("", NULL);
  line("# a", NULL);
  line(".", NULL);
  line(". \"20300101\"", NULL);
  line("a.test", NULL);
  line("a.test \"", NULL);
  line("a.test \"\"", NULL);
  line("a.test 20300101", NULL);
  line("a.test\t\"20300101\"", NULL);
  line("a.test  \"20300101\"", NULL);
  line("a.test \"20300101\" ", NULL);
  line("a.test \"20300101\"b", NULL);
  line("a.test \"20301301\"", NULL);
  line("a.test \"20300132\"", NULL);
  line("a.test \"20300101 24:00:00\"", NULL);
  line("a.test \"20300101 00:60:00\"", NULL);
  line("a.test \"20300101 00\"", NULL);
  line("a.test \"20300101 00:00:00 \"", NULL);
  line("a.test \"UNLIMITED\"", NULL);
  memset(longest, 'a', 255);
  strcpy(longest + 255, " \"20300101\"");
  CHECK(mote_hsts_read_line(mote_slice_of(longest), &(struct mote_hsts_line){0}));
  memset(longest, 'a', 256);
  strcpy(longest + 256, " \"20300101\"");
  CHECK(!mote_hsts_read_line(mote_slice_of(longest), &(struct mote_hsts_line){0}));
}

static void stamp(int64_t at, const char *expected)
{
  char text[MOTE_STAMP_SIZE + 1];
  struct mote_out out = mote_out_in(text, sizeof text);
  mote_stamp_print(at, &out);
  mote_out_end_text(&out);
  CHECK(!out.cut);
  CHECK_STR(text, expected);
}

TEST(stamps_that_are_none)
{
  static const char *const none[] = {
    "", "200", "2001", "200109", "2001x909", "x0010909", "20010x09", "2001090x", "20010009", "20011309",
    "20010900", "20010932", "20010909x01:46:40", "20010909 0", "20010909 x1:46", "20010909 24:00",
    "20010909 01:60", "20010909 01x46", "20010909 01:46x40", "20010909 01:46:61", "20010909 01:46:40x",
    "20010909 01", "20010909 01:4",
  };
  int64_t at;
  size_t i;
  for(i = 0; i < sizeof none / sizeof *none; i++)
    if(!CHECK(!mote_stamp_read(mote_slice_of(none[i]), &at)))
      fprintf(stderr, "  %s\n", none[i]);
}

TEST(stamps)
{
  int64_t at;
  CHECK(mote_stamp_read(mote_slice_of("20010909 01:46:40"), &at) && at == 1000000000);
  stamp(at, "20010909 01:46:40");
  stamp(253402300799, "99991231 23:59:59");
  stamp(253402300800, "unlimited");
  stamp(MOTE_STAMP_NEVER, "unlimited");
  stamp(-62167219201, "unlimited"); /* before the year 0 */
}

int main(void)
{
  TEST_RUN(fields);
  TEST_RUN(a_quote_that_a_backslash_hides_ends_no_value);
  TEST_RUN(lines);
  TEST_RUN(stamps_that_are_none);
  TEST_RUN(stamps);
  return test_end();
}
