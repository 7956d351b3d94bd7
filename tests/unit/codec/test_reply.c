/* tests/unit/codec/test_reply.c: replies a line at a time, and what FTP's carry.
 *
 * Needs dates.
 * needs: src/codec/ftp/reply.c */
#include "codec/ftp/reply.h"

#include "test.h"

static unsigned take(uint16_t *open, const char *line)
{
  return mote_reply_take(open, mote_slice_of(line));
}

TEST(single_lines)
{
  uint16_t open = 0;
  CHECK_INT(take(&open, "220 hello"), 220);
  CHECK_INT(take(&open, "220 "), 220);
  CHECK_INT(take(&open, "220"), 220);
  CHECK_INT(take(&open, "999 x"), 999);
  CHECK_INT(open, 0);
}

TEST(a_line_that_begins_no_reply_is_passed_over)
{
  static const char *const lines[] = {"", "hello", "22", "2a0 x", "22a x",
                                      "020 x", "2200 x", "220\tx", " 220 x",
                                      "\xff\xff\xff "};
  uint16_t open = 0;
  size_t i;
  for(i = 0; i < sizeof lines / sizeof *lines; i++) {
    CHECK_INT(take(&open, lines[i]), 0);
    CHECK_INT(open, 0);
  }
}

TEST(several_lines_end_with_their_own_code)
{
  static const char *const inner[] = {"220-again", "230 another", " 220 x", "220x", "221-", "", "text"};
  uint16_t open = 0;
  size_t i;
  CHECK_INT(take(&open, "220-first"), 0);
  CHECK_INT(open, 220);
  for(i = 0; i < sizeof inner / sizeof *inner; i++) {
    CHECK_INT(take(&open, inner[i]), 0);
    CHECK_INT(open, 220);
  }
  CHECK_INT(take(&open, "220 last"), 220);
  CHECK_INT(open, 0);
  CHECK_INT(take(&open, "331-"), 0);
  CHECK_INT(take(&open, "331"), 331);
}

TEST(text_of_a_line)
{
  CHECK_INT(mote_reply_text(mote_slice_of("220")).len, 0);
  CHECK_INT(mote_reply_text(mote_slice_of("220 a b")).len, 3);
  CHECK(mote_slice_is(mote_reply_text(mote_slice_of("220-x")), "x"));
}

static void word(const char *line, enum mote_reply_word expected, const char *rest)
{
  struct mote_slice text = {"", 0};
  CHECK_INT(mote_reply_word(mote_slice_of(line), &text), expected);
  if(rest)
    CHECK(mote_slice_same(text, mote_slice_of(rest)));
}

TEST(words_of_pop3)
{
  word("+OK", MOTE_REPLY_OK, "");
  word("+OK ", MOTE_REPLY_OK, "");
  word("+OK two 320", MOTE_REPLY_OK, "two 320");
  word("-ERR [IN-USE] no", MOTE_REPLY_ERR, "[IN-USE] no");
  word("+", MOTE_REPLY_GO_ON, "");
  word("+ abc=", MOTE_REPLY_GO_ON, "abc=");
  word("+OKAY", MOTE_REPLY_OTHER, NULL);
  word("-ER", MOTE_REPLY_OTHER, NULL);
  word("", MOTE_REPLY_OTHER, NULL);
  word("* OK", MOTE_REPLY_OTHER, NULL);
}

static void passive(const char *text, const char *expected)
{
  uint8_t a[4] = {0};
  uint16_t port = 0;
  char got[40] = "";
  if(mote_reply_passive(mote_slice_of(text), a, &port))
    snprintf(got, sizeof got, "%d.%d.%d.%d:%d", a[0], a[1], a[2], a[3], port);
  CHECK_STR(got, expected);
}

TEST(the_address_of_227_stands_anywhere)
{
  passive("Entering Passive Mode (127,0,0,1,4,1).", "127.0.0.1:1025");
  passive("=127,0,0,1,255,255", "127.0.0.1:65535");
  passive("1 2,3 port 10,1,2,3,0,0", "10.1.2.3:0");
  passive("7,10,1,2,3,4,5", "7.10.1.2:772");
  passive("300,1,2,3,4,5,6", "1.2.3.4:1286");
  passive("127,0,0,1,256,1", "");
  passive("127,0,0,1,4", "");
  passive("127,0,0,1,4,", "");
  passive("", "");
}

static void extended(const char *text, int expected)
{
  uint16_t port = 0;
  CHECK_INT(mote_reply_extended(mote_slice_of(text), &port) ? port : -1, expected);
}

TEST(the_port_of_229)
{
  extended("Entering Extended Passive Mode (|||6446|)", 6446);
  extended("(!!!1!)", 1);
  extended("(\x1f\x1f\x1f" "1\x1f)", -1);
  extended("(\x7f\x7f\x7f" "1\x7f)", -1);
  extended("(|||65535|", 65535);
  extended("(|||65536|)", -1);
  extended("(|||0|)", 0);
  extended("(|||6446)", -1);
  extended("(||6446|)", -1);
  extended("(1111)", -1);
  extended("(|1|127.0.0.1|6446|)", -1);
  extended("|||6446|", -1);
  extended("(|||", -1);
  extended("(", -1);
  extended("", -1);
}

static void path(const char *text, const char *expected)
{
  char got[64];
  size_t len = 0;
  if(mote_reply_path(mote_slice_of(text), got, &len))
    got[len] = 0;
  else
    snprintf(got, sizeof got, "(broken)");
  CHECK_STR(got, expected);
}

TEST(the_path_of_257)
{
  path("\"/\" is the directory", "/");
  path("\"/a \"\"b\"\" c\" made", "/a \"b\" c");
  path("made \"\" x", "");
  path("\"\"\"\"", "\"");
  path("\"/\xe4 \" \x03", "/\xe4 ");
  path("/a", "");
  path("", "");
  path("\"/a", "(broken)");
  path("\"/a\"\"", "(broken)");
  path("\"/\x03\"", "(broken)");
  path("\"/a\rb\"", "(broken)");
  path("\"/\t\"", "(broken)");
  path("\"/\x7f\"", "(broken)");
}

static void size(const char *text, long long expected)
{
  int64_t got = -1;
  CHECK(mote_reply_size(mote_slice_of(text), &got) == (expected >= 0));
  CHECK_INT(got, expected);
}

TEST(the_size_of_213)
{
  size("12", 12);
  size("12 ", 12);
  size("size 7 is 12", 12);
  size("9223372036854775807", INT64_MAX);
  size("9223372036854775808", -1);
  size("", -1);
  size("none", -1);
}

static void when(const char *text, long long expected)
{
  int64_t got = -1;
  CHECK(mote_reply_time(mote_slice_of(text), &got) == (expected >= 0));
  CHECK_INT(got, expected);
}

TEST(the_time_of_213)
{
  when("19700101000001", 1);
  when("20261123040000", 1795406400);
  when("20261123040000.123", 1795406400);
  when(" 19991231235959", 946684799);
  when("20261323040000", -1);
  when("20260023040000", -1);
  when("20261132040000", -1);
  when("20261100040000", -1);
  when("20261123046000", -1);
  when("20261123040061", -1);
  when("20261123240000", -1);
  when("2026112304000", -1);
  when("202611230400000", -1);
  when("192611230400000", -1);
  when("x", -1);
}

int main(void)
{
  TEST_RUN(single_lines);
  TEST_RUN(a_line_that_begins_no_reply_is_passed_over);
  TEST_RUN(several_lines_end_with_their_own_code);
  TEST_RUN(text_of_a_line);
  TEST_RUN(words_of_pop3);
  TEST_RUN(the_address_of_227_stands_anywhere);
  TEST_RUN(the_port_of_229);
  TEST_RUN(the_path_of_257);
  TEST_RUN(the_size_of_213);
  TEST_RUN(the_time_of_213);
  return test_end();
}
