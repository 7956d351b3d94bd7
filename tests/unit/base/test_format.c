/* tests/unit/base/test_format.c: the formatter against fixed texts and against the C library's.
 * Needs float. */
#include <curl/curl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>

#include "base/text/format.h"
#include "test.h"

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* Not marked as printf-like: what the compiler would complain about is what is tested. */
static int text(char *out, size_t size, const char *fmt, ...)
{
  va_list args;
  int len;
  va_start(args, fmt);
  len = mote_vsnprintf(out, size, fmt, args);
  va_end(args);
  return len;
}

#define IS(expected, ...) \
  do { \
    char is_[300]; \
    int len_ = text(is_, sizeof is_, __VA_ARGS__); \
    CHECK_STR(is_, expected); \
    CHECK_INT(len_, (int)strlen(expected)); \
  } while(0)

#define WRONG(...) \
  do { \
    char is_[300]; \
    CHECK_INT(text(is_, sizeof is_, __VA_ARGS__), -1); \
  } while(0)

TEST(integers)
{
  IS("", "%s", "");
  IS("1|    2|3    |-0004|+5| 6", "%d|%5d|%-5d|%05d|%+d|% d", 1, 2, 3, -4, 5, 6);
  IS("  007|-007    |00000007||", "%5.3d|%-8.3d|%08.3d|%.0d|%.0x", 7, -7, 7, 0, 0);
  IS("0xff|010|0XFF|0x0|0|0", "%#x|%#o|%#X|%#x|%#o|%#.0o", 255, 8, 255, 0, 0, 0);
  IS("  0x1|0x001|0x00001", "%#5x|%#05x|%#.5x", 1, 1, 1);
  IS("-1 4000000000 10 ffffffff", "%i %u %o %x", -1, 4000000000u, 8, -1);
  IS("    1|2    |3    ", "%*d|%-*d|%*d", 5, 1, 5, 2, -5, 3);
  IS("001|2", "%.*d|%.*d", 3, 1, -3, 2);
}

TEST(sizes_below_int_cut_nothing)
{
  IS("70000 300 70000 300", "%hd %hhd %hu %hhu", 70000, 300, 70000, 300);
  IS("200 ffffffff", "%hhd %hhx", 200, -1);
}

TEST(signs_of_unsigned_numbers)
{
  IS("+5| 5|+0x5| 0x5|+010", "%+u|% u|%+#x|% #x|%+#o", 5, 5, 5, 5, 8);
  IS("+0000005|+0x0000005", "%0+8u|%+#010x", 5, 5);
  IS("+0x1000| 0x1000", "%+p|% p", (void *)0x1000, (void *)0x1000);
}

TEST(sizes)
{
  IS("-9223372036854775808 18446744073709551615", "%lld %llu", LLONG_MIN, ULLONG_MAX);
  IS("-2 3", "%ld %lu", -2L, 3UL);
  IS("-5 5", "%qd %qu", -5LL, 5ULL);
  IS("18446744073709551615 -1", "%ju %jd", UINTMAX_MAX, (intmax_t)-1);
  IS("4 -4", "%zu %zd", (size_t)4, (ptrdiff_t)-4);
  IS("-7", "%td", (ptrdiff_t)-7);
  IS("-3 4 ff", "%Od %Ou %Ox", (curl_off_t)-3, (curl_off_t)4, (curl_off_t)255);
  IS("9223372036854775807", "%" CURL_FORMAT_CURL_OFF_T, (curl_off_t)INT64_MAX);
}

TEST(strings)
{
  char four[4] = { 'a', 'b', 'c', 'd' };
  IS("abc|       abc|abc       |ab|        ab", "%s|%10s|%-10s|%.2s|%10.2s", "abc", "abc", "abc", "abc",
     "abc");
  IS("  |   ab|ab   |  ab", "%5.3s|%5.2s|%-5.2s|%5.3s", "", "ab", "ab", "ab");
  IS("abcd|ab|", "%.4s|%.*s|%.0s", four, 2, four, four);
  IS("abc", "%.*s", -1, "abc");
  IS("[(nil)] [     (nil)] [] [] [(nil)]", "[%s] [%10s] [%.2s] [%.4s] [%.5s]", NULL, NULL, NULL, NULL, NULL);
  IS("\"abc\"|\"    d\"|(nil)", "%S|%#5s|%#s", "abc", "d", NULL);
  IS("\"\"|(nil)", "%#.2s|%#.5s", NULL, NULL);
  IS("abc|c|    a", "%ls|%lc|%05s", "abc", 'c', "a");
  IS("[x] [    y] [z    ] [    w]", "[%c] [%5c] [%-5c] [%05c]", 'x', 'y', 'z', 'w');
  IS("%|100%", "%%|100%%");
}

TEST(nul_characters_count)
{
  char out[8];
  CHECK_INT(text(out, sizeof out, "a%cb", 0), 3);
  CHECK_MEM(out, 4, "a\0b", 4);
}

TEST(pointers)
{
  IS("[(nil)] [(nil)               ] [  (nil)]", "[%p] [%20p] [%-7p]", NULL, NULL, NULL);
  IS("[0x1234] [              0x1234] [0x1234  ]", "[%p] [%20p] [%-8p]", (void *)0x1234, (void *)0x1234,
     (void *)0x1234);
}

TEST(n_stores_nothing)
{
  int n = 7;
  IS("[] 4", "[%n] %d", &n, 4);
  CHECK_INT(n, 7);
}

TEST(floats)
{
  IS("1.500000|2|0.1|     1.000|1.000     |+1.000000|     -1.00",
     "%f|%.0f|%.1f|%10.3f|%-10.3f|%+f|%010.2f", 1.5, 2.5, 0.05, 1.0, 1.0, 1.0, -1.0);
  IS("1.234568e+04|1.234568E+04|12345.7|1E-10|1.00000|1.", "%e|%E|%g|%G|%#g|%#.0f", 12345.678, 12345.678,
     12345.678, 1e-10, 1.0, 1.0);
  IS("1.5 2.5", "%.1Lf %.1lf", (long double)1.5, 2.5);
  IS("inf|  inf|-inf|INF", "%f|%05f|%f|%F", HUGE_VAL, HUGE_VAL, -HUGE_VAL, HUGE_VAL);
}

TEST(long_floats_fit)
{
  char out[1000];
  CHECK_INT(text(out, sizeof out, "%.100f", -1e308), 1 + 309 + 1 + 100);
  CHECK_INT(text(out, sizeof out, "%.900f", -1e308), 1 + 309 + 1 + MOTE_FORMAT_FLOAT_DIGITS);
  CHECK_INT(text(out, sizeof out, "%900.1f", 0.5), 900);
}

TEST(positions)
{
  IS("b a", "%2$s %1$s", "a", "b");
  IS("   42", "%2$*1$d", 5, 42);
  IS("5 5 x 00005 %", "%1$d %1$d %2$s %1$05d %%", 5, "x");
  IS("      3.14", "%1$*2$.*3$f", 3.14159, 10, 2);
  IS("1 -2 c 4 5.0", "%1$ld %2$lld %3$c %4$zu %5$.1f", 1L, -2LL, 'c', (size_t)4, 5.0);
}

TEST(wrong_formats)
{
  WRONG("%1$d %3$d", 5, 6, 7);   /* a gap */
  WRONG("%1$d %d", 5, 6);        /* mixed */
  WRONG("%d %1$d", 5, 6);
  WRONG("%*2$d", 5, 6);
  WRONG("%1$*d", 5, 6);
  WRONG("%1$d %1$s", 5, 6);      /* two types for one argument */
  WRONG("%0$d", 5);
  WRONG("%33$d", 5);             /* over MOTE_FORMAT_ARGS */
  WRONG("%99999999999d", 5);
  WRONG("%.99999999999d", 5);
  WRONG("%*d", INT_MIN, 5);
  WRONG("%1$d %99999999999d", 5, 6);
  WRONG("%1$.*33$d", 5, 6);
  WRONG("%.*2$d", 5, 6);
}

TEST(unknown_directives_are_text)
{
  IS("%y|%5y|%*y|%ly 5", "%y|%5y|%*y|%ly %d", 5);
  IS("abc%", "abc%");
  IS("abc%5", "abc%5");
  IS("abc%l", "abc%l");
  IS("%5%", "%5%");
  IS("6 %y", "%1$d %y", 6);
}

TEST(wrong_positions_write_nothing)
{
  char out[20] = "old";
  CHECK_INT(text(out, sizeof out, "abc %1$d %3$d", 5, 6, 7), -1);
  CHECK_STR(out, "abc "); /* the text before the first directive */
}

TEST(small_buffers)
{
  char out[20];
  CHECK_INT(text(out, 5, "abcdefgh"), 4);
  CHECK_STR(out, "abcd");
  CHECK_INT(text(out, 1, "abc"), 0);
  CHECK_STR(out, "");
  memset(out, '~', sizeof out);
  CHECK_INT(text(out, 0, "abc"), 0);
  CHECK(out[0] == '~');
  CHECK_INT(text(out, 9, "abcdefgh"), 8);
  CHECK_INT(text(out, 4, "%d", 12345), 3);
  CHECK_STR(out, "123");
  CHECK_INT(text(out, 10, "%2000000000d|", 1), 9);
  CHECK_STR(out, "         ");
  CHECK_INT(text(out, 10, "%.2000000000d|", 1), 9);
  CHECK_STR(out, "000000000");
  CHECK_INT(text(out, sizeof out, "%5.10s|", "ab"), 3);
  CHECK_STR(out, "ab|");
}

/* Takes as many bytes as its context says, then none. */
static bool take_some(void *ctx, const char *bytes, size_t len)
{
  size_t *left = ctx;
  (void)bytes;
  if(len > *left)
    return false;
  *left -= len;
  return true;
}

static bool count(void *ctx, const char *bytes, size_t len)
{
  (void)bytes;
  *(size_t *)ctx += len;
  return true;
}

static bool refuse(void *ctx, const char *bytes, size_t len)
{
  (void)ctx;
  (void)bytes;
  (void)len;
  return false;
}

static int to_sink(mote_format_sink sink, void *ctx, const char *fmt, ...)
{
  va_list args;
  int len;
  va_start(args, fmt);
  len = mote_format(sink, ctx, fmt, args);
  va_end(args);
  return len;
}

TEST(sinks)
{
  size_t n = 0;
  CHECK_INT(to_sink(count, &n, "abc%5d%%", 1), 9);
  CHECK_INT(n, 9);
  CHECK_INT(to_sink(refuse, NULL, "abc"), -1);
  CHECK_INT(to_sink(refuse, NULL, "%d", 1), -1);
  CHECK_INT(to_sink(refuse, NULL, ""), 0);
  n = 0;
  CHECK_INT(to_sink(count, &n, "%2147483640d%100d", 1, 2), -1); /* over INT_MAX */
}

/* Wherever a sink takes no more, the whole has failed. */
TEST(sinks_that_are_full)
{
  static const char *const format = "ab%#x|%-4d|%4d|%#s|%-3s|%y%%";
  size_t whole = 1000, left, room;
  CHECK(to_sink(take_some, &whole, format, 255, 1, 2, "q", "r") > 0);
  whole = 1000 - whole;
  for(room = 0; room < whole; room++) {
    left = room;
    CHECK_INT(to_sink(take_some, &left, format, 255, 1, 2, "q", "r"), -1);
  }
}

/* The flags that mean in C what they mean in libcurl, for this conversion. */
static const char *flags_of(char conversion, bool precision)
{
  if(strchr("di", conversion))
    return precision ? "-+ " : "-+ 0";
  if(conversion == 'u')
    return precision ? "-" : "-0";
  if(strchr("oxX", conversion))
    return precision ? "-#" : "-#0";
  return "-+ #";
}

/* One random directive with `conversions`, without what C leaves undefined. */
static void random_spec(char *spec, const char *size, const char *conversions)
{
  char *p = spec;
  const char *flag;
  char conversion = conversions[test_random() % strlen(conversions)];
  bool precision = test_random() % 2;
  *p++ = '%';
  for(flag = flags_of(conversion, precision); *flag; flag++)
    if(test_random() % 4 == 0)
      *p++ = *flag;
  if(test_random() % 2)
    p += sprintf(p, "%u", test_random() % 30 + 1);
  if(precision)
    p += sprintf(p, ".%u", test_random() % 25);
  sprintf(p, "%s%c", size, conversion);
}

/* Not 0, which has its 0x in libcurl. */
static uint64_t random_value(void)
{
  uint64_t v = (uint64_t)test_random() << 32 | test_random();
  return v >> test_random() % 64 | 1;
}

#define SAME(spec, value) \
  do { \
    char ours_[200], theirs_[200]; \
    int len_ = text(ours_, sizeof ours_, spec, value); \
    CHECK_INT(snprintf(theirs_, sizeof theirs_, spec, value), len_); \
    if(!CHECK_STR(ours_, theirs_)) \
      fprintf(stderr, "  %s\n", spec); \
  } while(0)

TEST(same_as_the_c_library)
{
  char spec[40];
  int i;
  for(i = 0; i < 20000; i++) {
    uint64_t v = random_value();
    double d = (double)(int64_t)v / (double)(test_random() % 10000 + 1);
    random_spec(spec, "", "diuoxX");
    SAME(spec, (int)v);
    random_spec(spec, "l", "diuoxX");
    SAME(spec, (long)v);
    random_spec(spec, "ll", "diuoxX");
    SAME(spec, (long long)v);
    random_spec(spec, "z", "diuoxX");
    SAME(spec, (size_t)v);
    random_spec(spec, "", "eEfFgGaA");
    SAME(spec, d);
  }
}

int main(void)
{
  TEST_RUN(integers);
  TEST_RUN(sizes);
  TEST_RUN(sizes_below_int_cut_nothing);
  TEST_RUN(signs_of_unsigned_numbers);
  TEST_RUN(strings);
  TEST_RUN(nul_characters_count);
  TEST_RUN(pointers);
  TEST_RUN(n_stores_nothing);
  TEST_RUN(floats);
  TEST_RUN(long_floats_fit);
  TEST_RUN(positions);
  TEST_RUN(wrong_formats);
  TEST_RUN(unknown_directives_are_text);
  TEST_RUN(wrong_positions_write_nothing);
  TEST_RUN(small_buffers);
  TEST_RUN(sinks);
  TEST_RUN(sinks_that_are_full);
  TEST_RUN(same_as_the_c_library);
  return test_end();
}
