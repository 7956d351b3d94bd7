/* ASCII text; against the C library's functions in the C locale where there are some. */
#include <ctype.h>
#include <strings.h>

#include "base/text.h"
#include "test.h"

static struct mote_slice slice(const char *s)
{
  return mote_slice_of(s);
}

TEST(classes)
{
  int i;
  for(i = 0; i < 256; i++) {
    char c = (char)i;
    CHECK(mote_is_digit(c) == !!(i < 128 && isdigit(i)));
    CHECK(mote_is_alpha(c) == !!(i < 128 && isalpha(i)));
    CHECK(mote_is_alnum(c) == !!(i < 128 && isalnum(i)));
    CHECK(mote_is_space(c) == !!(i < 128 && isspace(i)));
    CHECK(mote_is_blank(c) == !!(i < 128 && isblank(i)));
    CHECK(mote_to_lower(c) == (char)(i < 128 ? tolower(i) : i));
    CHECK(mote_to_upper(c) == (char)(i < 128 ? toupper(i) : i));
    CHECK((mote_hex_digit(c) >= 0) == !!(i < 128 && isxdigit(i)));
  }
  CHECK_INT(mote_hex_digit('9'), 9);
  CHECK_INT(mote_hex_digit('a'), 10);
  CHECK_INT(mote_hex_digit('F'), 15);
}

TEST(equality)
{
  static const char letters[] = "aAbB@[{`\xe4\xc4";
  int i;
  for(i = 0; i < 20000; i++) {
    char a[5] = { 0 };
    char b[5] = { 0 };
    size_t n = test_random() % 6;
    size_t k;
    for(k = 0; k < test_random() % 5; k++) {
      a[k] = letters[test_random() % (sizeof letters - 1)];
      b[k] = test_random() % 4 ? a[k] : letters[test_random() % (sizeof letters - 1)];
    }
    CHECK(mote_equal_nocase(a, b) == !strcasecmp(a, b));
    CHECK(mote_equal_nocase_n(a, b, n) == !strncasecmp(a, b, n));
    CHECK(mote_slice_is(slice(a), b) == !strcasecmp(a, b));
    CHECK(mote_slice_same(slice(a), slice(b)) == !strcmp(a, b));
  }
  CHECK(mote_slice_is((struct mote_slice){ NULL, 0 }, ""));
  CHECK(mote_slice_same((struct mote_slice){ NULL, 0 }, slice("")));
  CHECK(!mote_slice_is((struct mote_slice){ "a\0b", 3 }, "a"));
  CHECK(mote_slice_among(slice("ONE"), "one\0two\0") == 1);
  CHECK(mote_slice_among(slice("two"), "one\0two\0") == 2);
  CHECK(!mote_slice_among(slice("tw"), "one\0two\0") && !mote_slice_among(slice(""), "one\0two\0"));
  CHECK(!mote_slice_among(slice("one"), ""));
}

TEST(trim)
{
  CHECK(mote_slice_same(mote_slice_trim(slice(" \t a b\t ")), slice("a b")));
  CHECK(mote_slice_same(mote_slice_trim(slice("\r\n")), slice("\r\n")));
  CHECK_INT(mote_slice_trim(slice(" \t ")).len, 0);
  CHECK_INT(mote_slice_trim(slice("")).len, 0);
}

TEST(tokens)
{
  static const struct {
    const char *list;
    const char *word;
    bool has;
  } rows[] = {
    { "close", "close", true },
    { "Close", "close", true },
    { "keep-alive, close", "close", true },
    { "keep-alive,close ,x", "close", true },
    { ",, ,close", "close", true },
    { "close,", "close", true },
    { "closed", "close", false },
    { "clos", "close", false },
    { "close;q=1", "close", false },
    { "close x", "close", false },
    { "", "close", false },
    { ",", "close", false },
    { "x=\"a, close\"", "close", false },
    { "x=\"a\\\", close, \"", "close", false },
    { "x=\"a\", close", "close", true },
    { "x=\"a, close", "close", false },
    { "a\\,close", "close", true },
    { "x=\"a\\", "close", false },
    { "\tchunked\t", "chunked", true },
  };
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++)
    if(mote_list_has_token(slice(rows[i].list), rows[i].word) != rows[i].has)
      test_check(false, rows[i].list, __FILE__, __LINE__);
}

TEST(numbers)
{
  static const struct {
    const char *text;
    uint64_t max;
    bool ok;
    uint64_t value;
    size_t used; /* by the prefix parser; 0: fails too */
  } rows[] = {
    { "0", 0, true, 0, 1 },
    { "1", 0, false, 0, 0 },
    { "007", 7, true, 7, 3 },
    { "8", 7, false, 0, 0 },
    { "12x", 99, false, 12, 2 },
    { "", 99, false, 0, 0 },
    { "-1", 99, false, 0, 0 },
    { "+1", 99, false, 0, 0 },
    { " 1", 99, false, 0, 0 },
    { "65535", 65535, true, 65535, 5 },
    { "65536", 65535, false, 0, 0 },
    { "655350", 65535, false, 0, 0 },
    { "18446744073709551615", UINT64_MAX, true, UINT64_MAX, 20 },
    { "18446744073709551616", UINT64_MAX, false, 0, 0 },
    { "99999999999999999999", UINT64_MAX, false, 0, 0 },
    { "184467440737095516150", UINT64_MAX, false, 0, 0 },
    { "00000000000000000000000000000009", 9, true, 9, 32 },
  };
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint64_t v = 77;
    size_t used = 0;
    bool ok = mote_parse_dec(slice(rows[i].text), rows[i].max, &v);
    if(ok != rows[i].ok || v != (ok ? rows[i].value : 77))
      test_check(false, rows[i].text, __FILE__, __LINE__);
    v = 77;
    ok = mote_parse_dec_prefix(slice(rows[i].text), rows[i].max, &v, &used);
    if(ok != !!rows[i].used || used != rows[i].used || v != (ok ? rows[i].value : 77))
      test_check(false, rows[i].text, __FILE__, __LINE__);
  }
}

TEST(hex_numbers)
{
  uint64_t v = 77;
  size_t used = 0;
  CHECK(mote_parse_hex_prefix(slice("fFg"), 255, &v, &used) && v == 255 && used == 2);
  CHECK(!mote_parse_hex_prefix(slice("100"), 255, &v, &used) && v == 255);
  CHECK(!mote_parse_hex_prefix(slice("x1"), 255, &v, &used));
  CHECK(!mote_parse_hex_prefix(slice(""), 255, &v, &used));
  CHECK(mote_parse_hex_prefix(slice("7fffffffffffffff;x"), INT64_MAX, &v, &used));
  CHECK(v == INT64_MAX && used == 16);
  CHECK(!mote_parse_hex_prefix(slice("8000000000000000"), INT64_MAX, &v, &used));
  CHECK(mote_parse_hex_prefix(slice("0000000000000000000001"), 1, &v, &used) && v == 1 && used == 22);
}

/* Every maximum around a value, read from what mote_print_dec wrote. */
TEST(round_trip)
{
  int i;
  for(i = 0; i < 20000; i++) {
    uint64_t v = ((uint64_t)test_random() << 32 | test_random()) >> test_random() % 64;
    uint64_t back = 0;
    char text[21];
    char want[32];
    size_t len = mote_print_dec(text, v);
    snprintf(want, sizeof want, "%llu", (unsigned long long)v);
    CHECK_STR(text, want);
    CHECK_INT(len, strlen(want));
    CHECK(mote_parse_dec(slice(text), v, &back) && back == v);
    CHECK(!v || !mote_parse_dec(slice(text), v - 1, &back));
    snprintf(want, sizeof want, "%llX", (unsigned long long)v);
    CHECK(mote_parse_hex_prefix(slice(want), v, &back, &len) && back == v && len == strlen(want));
    CHECK(!v || !mote_parse_hex_prefix(slice(want), v - 1, &back, &len));
  }
}

TEST(numbered_texts)
{
  static const struct mote_numbered rows[] = { { 1, "one" }, { -7, "less" } };
  CHECK_STR(mote_numbered_find(rows, 2, -7, "none"), "less");
  CHECK_STR(mote_numbered_find(rows, 2, 1, "none"), "one");
  CHECK_STR(mote_numbered_find(rows, 2, 2, "none"), "none");
}

TEST(slices)
{
  struct mote_slice s = mote_slice_of(" \tab");
  CHECK(!mote_slice_same(slice("ab"), slice("abc")) && mote_slice_same(slice(""), slice("")));
  CHECK(mote_slice_same_nocase(slice("aB"), slice("Ab")) && !mote_slice_same_nocase(slice("a"), slice("ab")));
  CHECK(!mote_slice_same_nocase(slice("a"), slice("b")));
  mote_slice_skip_blanks(&s);
  CHECK(mote_slice_same(s, slice("ab")));
  mote_slice_skip(&s, 2);
  mote_slice_skip_blanks(&s);
  CHECK_INT(s.len, 0);
}

int main(void)
{
  TEST_RUN(classes);
  TEST_RUN(equality);
  TEST_RUN(trim);
  TEST_RUN(tokens);
  TEST_RUN(numbers);
  TEST_RUN(hex_numbers);
  TEST_RUN(round_trip);
  TEST_RUN(numbered_texts);
  TEST_RUN(slices);
  return test_end();
}
