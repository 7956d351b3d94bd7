/* Unit tests of codec/files/cookie.h: what is read of Set-Cookie fields and of lines of files, and what
 * matches. */
#include "codec/files/cookie.h"

#include "test.h"

#define NOW 1000000000

static struct mote_slice of(const char *text)
{
  return mote_slice_of(text);
}

/* The text in a block of its own size, so that a sanitizer sees any read beyond it. */
struct window {
  char *block;
  struct mote_slice text;
};

static struct window window(const char *text)
{
  struct window w = {malloc(strlen(text) + !*text), {NULL, strlen(text)}};
  if(w.block)
    memcpy(w.block, text, w.text.len);
  w.text.ptr = w.block;
  return w;
}

/* "name|value|domain|path|expires" and a letter per flag, or "-" and the reason. */
static const char *shown(const struct mote_cookie_text *c, const char *why)
{
  static char out[400];
  snprintf(out, sizeof out, "%.*s|%.*s|%.*s|%.*s|%lld|%s%s%s%s", (int)c->name.len, c->name.ptr,
    (int)c->value.len,
           c->value.ptr, (int)c->domain.len, c->domain.ptr, (int)c->path.len, c->path.ptr,
             (long long)c->expires,
           c->tail ? "t" : "", c->secure ? "s" : "", c->http_only ? "h" : "", c->expired ? "x" : "");
  return why ? why : out;
}

struct example {
  const char *text;
  const char *want;
};

static void check(const struct example *e, size_t count,
                  const char *(*read)(struct mote_cookie_text *c, struct mote_slice in, int64_t now))
{
  size_t i;
  for(i = 0; i < count; i++) {
    struct mote_cookie_text c;
    struct window w = window(e[i].text);
    if(CHECK(w.block))
      CHECK_STR(shown(&c, read(&c, w.text, NOW)), e[i].want);
    free(w.block);
  }
}

TEST(set_cookie)
{
  static const struct example examples[] = {
    {"a=b", "a|b|||0|"}, {" a = b c ", "a|b c|||0|"}, {"a=b=c; x", "a|b=c|||0|"}, {"a=\"b\"", "a|\"b\"|||0|"},
    {"a=", "a||||0|"}, {"a=b\r\nc=d", "a|b|||0|"},
    {"a=b;domain=.x.org;path=/p/;secure;httponly", "a|b|x.org|/p|0|tsh"},
    {"a=b; Domain = x.org ; PATH = \"/p\"", "a|b|x.org|/p|0|t"},
    {"a=b; domain=127.0.0.1", "a|b|127.0.0.1||0|"},
    {"a=b; domain=; path=", "a|b|||0|"}, {"a=b; path=p", "a|b||/|0|"}, {"a=b;;;", "a|b|||0|"},
    {"a=b; max-age=10", "a|b|||1000000010|"}, {"a=b; max-age=\"10\"", "a|b|||1000000010|"},
    {"a=b; max-age=0", "a|b|||0|x"}, {"a=b; max-age=-1", "a|b|||0|x"}, {"a=b; max-age=x", "a|b|||0|x"},
    {"a=b; max-age=99999999999999999999999", "a|b|||1034560020|"},
    {"a=b; expires=Sun, 09 Sep 2001 01:46:50 GMT", "a|b|||1000000010|"},
    {"a=b; expires=Sunday, 09-Sep-01 01:46:50 GMT", "a|b|||1000000010|"},
    {"a=b; expires=Thu, 01 Jan 1970 00:00:01 GMT", "a|b|||0|x"}, {"a=b; expires=x", "a|b|||0|"},
    {"a=b; expires=Thu, 01 Jan 2099 00:00:00 GMT", "a|b|||1034560020|"},
    {"a=b; expires=Thu, 01 Jan 1970 00:00:01 GMT; max-age=10", "a|b|||1000000010|"},
    {"a=b; path=\"", "a|b||/|0|"}, {"a=b; path=\"/p", "a|b||/p|0|"}, {"a=b; path", "a|b|||0|"},
    {"a=b; domain=.", "a|b|||0|"}, {"a=b; samesite=lax", "a|b|||0|"},
    {"a=b; expires=Sun, 09 Sep 2001 01:46:50 GMT; expires=Thu, 01 Jan 1970 00:00:01 GMT",
     "a|b|||1000000010|"},
    {"a=b; expires=Sun, 09 Sep 2001 01:46:50 GMT                                                      "
     "                                                                                              x",
     "a|b|||0|"},
    {"a=b; x\ty=1", "it has control characters"},
    {"", "it has no name"}, {"a", "it has no name"}, {"=b", "it has no name"}, {" ; a=b", "it has no name"},
    {"a\tb=c", "it has control characters"}, {"a=b\tc", "it has control characters"},
    {"a=b; path=/\tx", "it has control characters"}, {"a=b\x01", "it has control characters"},
    {"12345678\x7f=b", "it has control characters"}, {"a=b; x=\x1fyyyyyyyyyyy", "it has control characters"},
    {"a=\xc3\xa4\xff\x80", "a|\xc3\xa4\xff\x80|||0|"},
  };
  check(examples, sizeof examples / sizeof examples[0], mote_cookie_read_set);
}

TEST(lines_of_a_file)
{
  static const struct example examples[] = {
    {"x.org\tFALSE\t/\tFALSE\t0\ta\tb", "a|b|x.org|/|0|"},
    {".x.org\tTRUE\t/p/\tTRUE\t0\ta\tb", "a|b|x.org|/p|0|ts"},
    {"#HttpOnly_x.org\tFALSE\t/\tFALSE\t0\ta\tb\r\n", "a|b|x.org|/|0|h"},
    {"x.org\tTRUE\tFALSE\t0\ta\tb", "a|b|x.org|/|0|t"},
    {"x.org\tFALSE\t/\tFALSE\t1000000001\ta\t", "a||x.org|/|1000000001|"},
    {"x.org\tFALSE\t/\tFALSE\t0\ta", "a||x.org|/|0|"},
    {"x.org\tFALSE\t/\tFALSE\t1000000000\ta\tb", "a|b|x.org|/|1000000000|x"},
    {"x.org\tFALSE\t/\tFALSE\t0", "it has too few fields"}, {"x.org", "it has too few fields"},
    {"x.org\tFALSE\t/\tFALSE\t0\ta\tb\tc", "it has too many fields"},
    {"x.org\tFALSE\t/\tFALSE\tx\ta\tb", "its time is not a number"},
    {"x.org\tFALSE\t/\tFALSE\t99999999999999999999\ta\tb", "its time is not a number"},
    {"\tFALSE\t/\tFALSE\t0\ta\tb", "it has no domain or path"},
    {".\tTRUE\t/\tFALSE\t0\ta\tb", "it has no domain or path"},
    {"x.org\tFALSE\t\tFALSE\t0\ta\tb", "it has no domain or path"}, {"# x", "it is a comment"},
    {"", "it is a comment"}, {"x.org\tFALSE\t/\tFALSE\t99999999\ta\tb", "a|b|x.org|/|99999999|x"},
    {"x.org\tFALSE\t/\tFALSE\t12345678901\ta\tb", "a|b|x.org|/|12345678901|"},
    {"x.org\tFALSE\t/\tFALSE\t1234567:\ta\tb", "its time is not a number"},
    {"x.org\tFALSE\t/\tFALSE\t/2345678\ta\tb", "its time is not a number"},
    {"x.org\tFALSE\t/\tFALSE\t12345678x\ta\tb", "its time is not a number"},
    {"x.org\ttrue\t/abc\tfalse\t0\ta\tb", "a|b|x.org|/abc|0|t"},
    {"x.org\tnone\t/\tFALSE\t0\ta\tb", "a|b|x.org|/|0|"},
    {"x.org\tTRUE\t/abcd\tFALSE\t0\ta\tb", "a|b|x.org|/abcd|0|t"},
    {"x.org\tTRUE\tTRUE\t0\ta\tb", "a|b|x.org|/|0|ts"},
    {"x.org\tFALSE\t/\tFALSE\t0\ta\tb\tc\td", "it has too many fields"},
    {"x.org\tFALSE\t/\tFALSE\t0\ta\tb\x7f", "it has control characters"},
    {"\r\n", "it is a comment"}, {"#HttpOnly_\n", "it is a comment"},
    {"#HttpOnly_#x.org\tFALSE\t/\tFALSE\t0\ta\tb", "it is a comment"},
    {"x.org\tFALSE\t/\tFALSE\t0\ta\x02\tb", "it has control characters"},
  };
  check(examples, sizeof examples / sizeof examples[0], mote_cookie_read_line);
}

TEST(times_with_a_fraction_of_a_second)
{
  static const struct example examples[] = {
    {"x.org\tFALSE\t/\tFALSE\t1800000000.5\ta\tb", "a|b|x.org|/|1800000000|"},
    {"x.org\tFALSE\t/\tFALSE\t1800000000.123456789\ta\tb", "a|b|x.org|/|1800000000|"},
    {"x.org\tFALSE\t/\tFALSE\t1000000000.9\ta\tb", "a|b|x.org|/|1000000000|x"},
    {"x.org\tFALSE\t/\tFALSE\t0.0\ta\tb", "a|b|x.org|/|0|"},
    {"x.org\tFALSE\t/\tFALSE\t.5\ta\tb", "its time is not a number"},
    {"x.org\tFALSE\t/\tFALSE\t18000000000000000000.5\ta\tb", "its time is not a number"},
  };
  check(examples, sizeof examples / sizeof examples[0], mote_cookie_read_line);
}

TEST(either_form)
{
  static const struct example examples[] = {
    {"Set-Cookie: a=b; path=/x", "a|b||/x|0|"}, {"set-cookie:a=b", "a|b|||0|"},
    {"Set-Cookie : a=b", "it has too few fields"},
    {"Set-Cooki", "it has too few fields"}, {"x.org\tFALSE\t/\tFALSE\t0\ta\tb", "a|b|x.org|/|0|"},
  };
  check(examples, sizeof examples / sizeof examples[0], mote_cookie_read);
}

TEST(limits)
{
  static char text[MOTE_COOKIE_LINE_MAX + 100];
  struct mote_cookie_text c;
  memset(text, 'v', sizeof text);
  memcpy(text, "a=", 2);
  CHECK(!mote_cookie_read_set(&c, (struct mote_slice){text, 2 + MOTE_COOKIE_PAIR_MAX - 1}, NOW));
  CHECK_STR(mote_cookie_read_set(&c, (struct mote_slice){text, 2 + MOTE_COOKIE_PAIR_MAX}, NOW),
            "name and value are too long");
  text[10] = ';';
  CHECK(!mote_cookie_read_set(&c, (struct mote_slice){text, MOTE_COOKIE_SET_MAX}, NOW));
  CHECK_STR(mote_cookie_read_set(&c, (struct mote_slice){text, MOTE_COOKIE_SET_MAX + 1}, NOW),
            "the line is too long");
  memset(text, 'v', sizeof text);
  memcpy(text, "x.org\tFALSE\t/\tFALSE\t0\ta\t", 24);
  CHECK(!mote_cookie_read_line(&c, (struct mote_slice){text, MOTE_COOKIE_LINE_MAX}, NOW));
  CHECK_STR(mote_cookie_read_line(&c, (struct mote_slice){text, MOTE_COOKIE_LINE_MAX + 1}, NOW),
            "the line is too long");
  text[30] = '\n'; /* where the line ends, what follows does not count */
  CHECK(!mote_cookie_read_line(&c, (struct mote_slice){text, sizeof text}, NOW));
  CHECK_INT(c.value.len, 6);
}

/* Each byte value at each place of a word of eight: the fast search finds what the slow one would. */
TEST(control_characters_anywhere)
{
  char text[24];
  struct mote_cookie_text c;
  int value;
  size_t at;
  for(value = 0; value < 256; value++)
    for(at = 2; at < sizeof text; at++) {
      bool bad = value < 0x20 || value == 0x7f, end = value == '\r' || value == '\n';
      memset(text, 'x', sizeof text);
      text[1] = '=';
      text[at] = (char)value;
      if(at == 2 || at == sizeof text - 1)
        bad = bad && value != '\t'; /* blanks around a value are taken off */
      CHECK(!mote_cookie_read_set(&c, (struct mote_slice){text, sizeof text}, NOW) == (!bad || end));
    }
}

TEST(prefixes)
{
  static const struct {
    const char *line;
    bool fits;
  } cases[] = {
    {"__Secure-a=b", false}, {"__Secure-a=b; secure", true}, {"__Host-a=b; secure; path=/", true},
    {"__Host-a=b; secure; path=/x", false}, {"__Host-a=b; secure; path=/; domain=x.org", false},
    {"__Host-a=b; path=/", false}, {"__Hosta=b", true}, {"__Secur=b", true},
    {"a=b", true}, {"abcdefghij=b", true},
  };
  size_t i;
  for(i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct mote_cookie_text c;
    CHECK(!mote_cookie_read_set(&c, of(cases[i].line), NOW));
    CHECK(mote_cookie_prefix_fits(&c) == cases[i].fits);
  }
}

static bool default_path_is(const char *request, const char *want)
{
  return mote_slice_same(mote_cookie_default_path(of(request)), of(want));
}

TEST(paths)
{
  CHECK(default_path_is("/", "/") && default_path_is("/x", "/") && default_path_is("/x/", "/x"));
  CHECK(default_path_is("/x/y/z", "/x/y") && default_path_is("", "/"));
  CHECK(mote_cookie_path_matches(of("/"), of("/x")) && mote_cookie_path_matches(of("/x"), of("/x")));
  CHECK(mote_cookie_path_matches(of("/x"), of("/x/y")) && mote_cookie_path_matches(of("/"), of("")));
  CHECK(!mote_cookie_path_matches(of("/x"), of("/xy")) && !mote_cookie_path_matches(of("/x"), of("/")));
  CHECK(!mote_cookie_path_matches(of("/x"), of("/X")));
}

TEST(domains)
{
  CHECK(mote_cookie_domain_matches(of("x.org"), of("x.org")) &&
        mote_cookie_domain_matches(of("x.org"), of("A.X.org")));
  CHECK(!mote_cookie_domain_matches(of("x.org"), of("yx.org")) &&
        !mote_cookie_domain_matches(of("x.org"), of("org")));
  CHECK(!mote_cookie_domain_matches(of("x.org"), of("y.org")));
  CHECK(mote_cookie_is_address(of("127.0.0.1")) && mote_cookie_is_address(of("::1")));
  CHECK(!mote_cookie_is_address(of("127.0.0.x")) && !mote_cookie_is_address(of("")));
  CHECK(!mote_cookie_is_address(of("1")) && !mote_cookie_is_address(of(".")) &&
        !mote_cookie_is_address(of("1.2.3.400")));
}

int main(void)
{
  TEST_RUN(set_cookie);
  TEST_RUN(lines_of_a_file);
  TEST_RUN(times_with_a_fraction_of_a_second);
  TEST_RUN(either_form);
  TEST_RUN(limits);
  TEST_RUN(control_characters_anywhere);
  TEST_RUN(prefixes);
  TEST_RUN(paths);
  TEST_RUN(domains);
  return test_end();
}
