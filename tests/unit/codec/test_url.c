/* Unit tests of codec/url/url.c, url_split.c, url_host.c, url_pack.c, idn.c: data/url.txt, and what every URL
 * in it must hold to. With "--print FILE" the program prints the file with what it gets instead.
 * Needs accounts, idn. */
#include "codec/url/url.h"

#include "codec/url/idn.h"
#include "codec/url/url_part.h"
#include "test.h"
#include "url_case.h"

static char line[40000];
static char got[40000];

/* What one input gives: the error, or text and parts. */
static CURLUcode describe(const char *in, size_t len, unsigned flags, struct mote_account *account, char *out)
{
  struct mote_url_how how = { .account = account, .flags = flags };
  struct mote_url u;
  CURLUcode rc = mote_url_parse(&u, in, len, &how);
  int i;
  out[0] = 0;
  if(rc) {
    sprintf(out, "%d", (int)rc);
    CHECK(!u.text && !u.block);
    return rc;
  }
  url_append(out, mote_url_get(&u, MOTE_URL_WHOLE));
  CHECK_INT(account->live, u.block);
  CHECK(u.block || u.text == in);
  CHECK(!u.block || !u.text[u.part[MOTE_URL_WHOLE].len]);
  sprintf(out + strlen(out), " kind=%d port=%u%s%s", u.host_kind, u.port, u.block ? " block" : "",
          u.guessed ? " guessed" : "");
  for(i = 1; i < MOTE_URL_PARTS; i++) {
    CHECK(mote_url_has(&u, (enum mote_url_part)i) || !u.part[i].len);
    if(i == MOTE_URL_ACE && mote_slice_same(mote_url_get(&u, MOTE_URL_ACE), mote_url_get(&u, MOTE_URL_HOST)))
      continue;
    if(mote_url_has(&u, (enum mote_url_part)i)) {
      sprintf(out + strlen(out), " %s=", url_part_names[i]);
      url_append(out, mote_url_get(&u, (enum mote_url_part)i));
    }
  }
  mote_url_close(&u);
  CHECK_ACCOUNT(account);
  return CURLUE_OK;
}

/* A normal form is one: parsed again it is found where it lies, without memory, with the same parts. */
static void check_again(const char *in, size_t len, unsigned flags, struct mote_account *account)
{
  struct mote_url_how how = { .account = account, .flags = flags };
  struct mote_url u;
  struct mote_url again;
  struct mote_url copy;
  int i;
  if(mote_url_parse(&u, in, len, &how))
    return;
  how.flags &= ~(unsigned)(CURLU_DISALLOW_USER | CURLU_GUESS_SCHEME | CURLU_DEFAULT_SCHEME | MOTE_URL_IDN);
  if(CHECK_INT(mote_url_parse(&again, u.text, u.part[MOTE_URL_WHOLE].len, &how), CURLUE_OK)) {
    char *printed = malloc(u.part[MOTE_URL_WHOLE].len + 1u);
    size_t n = mote_url_print(&u, 0, printed, u.part[MOTE_URL_WHOLE].len);
    CHECK_INT(again.block, 0);
    for(i = 0; i < MOTE_URL_ACE; i++)
      if(!CHECK(mote_slice_same(mote_url_get(&u, (enum mote_url_part)i),
                                mote_url_get(&again, (enum mote_url_part)i))))
        fprintf(stderr, "  %s of %.*s\n", url_part_names[i], (int)len, in);
    CHECK_MEM(printed, n, u.text, u.part[MOTE_URL_WHOLE].len);
    free(printed);
    mote_url_close(&again);
  }
  if(!mote_url_copy(&copy, &u, account)) {
    CHECK(mote_url_same_origin(&copy, &u) || !u.part[MOTE_URL_HOST].len);
    CHECK(copy.text != u.text && copy.block);
    CHECK(mote_slice_same(mote_url_get(&copy, MOTE_URL_WHOLE), mote_url_get(&u, MOTE_URL_WHOLE)));
    CHECK(!copy.text[copy.part[MOTE_URL_WHOLE].len]);
    mote_url_close(&copy);
  }
  mote_url_close(&u);
  CHECK_ACCOUNT(account);
}

/* The account may have one block too few. */
static void check_without_memory(const char *in, size_t len, unsigned flags)
{
  struct mote_account_more ceiling = { .limit = 1 };
  struct mote_account account = { .more = &ceiling };
  struct mote_url_how how = { .account = &account, .flags = flags };
  struct mote_url u;
  CURLUcode rc = mote_url_parse(&u, in, len, &how);
  CHECK(rc == CURLUE_OUT_OF_MEMORY ? account.refused == 1 : !account.refused);
  CHECK(rc ? !u.text : u.text == in);
  CHECK_ACCOUNT(&account);
}

static void run(const char *path, bool print)
{
  struct mote_account account = { 0 };
  char *column[3];
  FILE *f = fopen(path, "r");
  unsigned number = 0;
  if(!CHECK(f))
    return;
  while(fgets(line, sizeof line, f)) {
    unsigned flags;
    char *in;
    size_t len;
    unsigned n;
    number++;
    if(line[0] == '#' || line[0] == '\n')
      continue;
    n = url_columns(line, column, 3);
    flags = url_flags(column[0]);
    in = url_bytes(column[1], &len);
    describe(in, len, flags, &account, got);
    check_again(in, len, flags, &account);
    check_without_memory(in, len, flags);
    free(in);
    if(print)
      printf("%s\t%s\t%s\n", column[0], column[1], got);
    else if(n != 3 || strcmp(got, column[2])) {
      fprintf(stderr, "%s:%u: %s\n  expected %s\n  got      %s\n", path, number, column[1],
              n == 3 ? column[2] : "", got);
      CHECK(false);
    }
  }
  fclose(f);
}

TEST(table)
{
  run(MOTE_TEST_DATA "/url.txt", false);
}

/* No input, however it is cut, is read beyond its end. */
TEST(every_prefix)
{
  static const char url[] = "imap://u;a=b:p@[fe80::1%25eth0]:0143/a/../b%2?q#f";
  static const char file[] = "file://localhost/c:/x";
  struct mote_account account = { 0 };
  size_t i;
  for(i = 0; i <= sizeof url - 1; i++) {
    char *in = malloc(i ? i : 1);
    memcpy(in, url, i);
    describe(in, i, 0, &account, got);
    describe(in, i, CURLU_GUESS_SCHEME, &account, got);
    if(i < sizeof file) {
      memcpy(in, file, i);
      describe(in, i, 0, &account, got);
    }
    free(in);
  }
}

static bool only_http(const char *scheme, size_t len)
{
  return len == 4 && !memcmp(scheme, "http", 4);
}

TEST(schemes)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account, .supported = only_http };
  struct mote_url u;
  CHECK_INT(mote_url_parse(&u, "HTTP://h/", 9, &how), CURLUE_OK);
  mote_url_close(&u);
  CHECK_INT(mote_url_parse(&u, "ftp://h/", 8, &how), CURLUE_UNSUPPORTED_SCHEME);
  how.flags = CURLU_NON_SUPPORT_SCHEME;
  CHECK_INT(mote_url_parse(&u, "ftp://h/", 8, &how), CURLUE_OK);
  CHECK_INT(u.port, 21);
  mote_url_close(&u);
  how.flags = CURLU_DEFAULT_SCHEME;
  how.default_scheme = mote_slice_of("http");
  CHECK_INT(mote_url_parse(&u, "ftp.h", 5, &how), CURLUE_OK);
  CHECK_STR(u.text, "http://ftp.h/");
  CHECK(!u.guessed);
  mote_url_close(&u);
  how.default_scheme = mote_slice_of("dict");
  CHECK_INT(mote_url_parse(&u, "h", 1, &how), CURLUE_UNSUPPORTED_SCHEME);
  CHECK_INT(mote_scheme_facts("HTTPS", 5)->port, 443);
  CHECK(!mote_scheme_facts("httpsx", 6));
  CHECK(!mote_scheme_facts("", 0));
}

TEST(too_large)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account };
  struct mote_url u;
  char *in = malloc(MOTE_URL_MAX_INPUT + 1);
  memset(in, 'a', MOTE_URL_MAX_INPUT + 1);
  memcpy(in, "http://h/", 9);
  CHECK_INT(mote_url_parse(&u, in, MOTE_URL_MAX_INPUT + 1, &how), CURLUE_TOO_LARGE);
  CHECK_INT(mote_url_parse(&u, in, MOTE_URL_MAX_INPUT, &how), CURLUE_OK);
  CHECK_INT(u.block, 0);
  mote_url_close(&u);
  free(in);
}

static void check_print(const char *in, const char *target, const char *authority, const char *referer)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account, .flags = MOTE_URL_IDN };
  struct mote_url u;
  char text[200];
  size_t n;
  size_t cap;
  if(!CHECK_INT(mote_url_parse(&u, in, strlen(in), &how), CURLUE_OK))
    return;
  n = mote_url_target(&u, text, sizeof text);
  CHECK_MEM(text, n, target, strlen(target));
  n = mote_url_authority(&u, 1, text, sizeof text);
  CHECK_MEM(text, n, authority, strlen(authority));
  n = mote_url_print(&u, MOTE_URL_NO_CREDENTIALS | MOTE_URL_NO_FRAGMENT, text, sizeof text);
  CHECK_MEM(text, n, referer, strlen(referer));
  for(cap = 0; cap < n; cap++) { /* never more than there is room for */
    char *small = malloc(cap + 1);
    small[cap] = 'X';
    CHECK_INT(mote_url_print(&u, MOTE_URL_NO_CREDENTIALS | MOTE_URL_NO_FRAGMENT, small, cap), n);
    CHECK(small[cap] == 'X');
    CHECK_INT(mote_url_target(&u, small, cap), strlen(target));
    CHECK(small[cap] == 'X');
    CHECK_INT(mote_url_authority(&u, 1, small, cap), strlen(authority));
    CHECK(small[cap] == 'X');
    free(small);
  }
  mote_url_close(&u);
}

TEST(prints)
{
  check_print("http://u:p@host/a?b#c", "/a?b", "host", "http://host/a?b");
  check_print("http://host:80/", "/", "host", "http://host:80/");
  check_print("http://host:81/?", "/?", "host:81", "http://host:81/");
  check_print("https://[fe80::1%25e]:443/\xc3\xa9?\xc3\xa9", "/%C3%A9?\xc3\xa9", "[fe80::1]",
              "https://[fe80::1%25e]:443/\xc3\xa9?\xc3\xa9");
  check_print("http://\xc3\xa9.h/", "/", "xn--9ca.h", "http://\xc3\xa9.h/");
}

static void check_compose(const struct mote_slice part[MOTE_URL_PARTS], unsigned flags, CURLUcode want,
                          const char *text)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account, .flags = flags };
  struct mote_url u, again;
  unsigned has = 0;
  int i;
  for(i = 0; i < MOTE_URL_PARTS; i++)
    has |= part[i].ptr ? 1u << i : 0u;
  if(CHECK_INT(mote_url_compose(&u, part, has, &how), want) && !want) {
    CHECK_STR(u.text, text);
    /* user and password cannot be read as anything else in the text */
    CHECK_INT(mote_url_parse(&again, u.text, strlen(u.text), &how), CURLUE_OK);
    CHECK(mote_url_same_origin(&u, &again));
    mote_url_close(&again);
    mote_url_close(&u);
  }
  CHECK_ACCOUNT(&account);
}

TEST(parts_are_not_read_again)
{
  struct mote_slice part[MOTE_URL_PARTS] = {
    [MOTE_URL_SCHEME] = mote_slice_of("HTTP"), [MOTE_URL_HOST] = mote_slice_of("h"),
    [MOTE_URL_PATH] = mote_slice_of("/a/../b"),
  };
  check_compose(part, 0, CURLUE_OK, "http://h/a/../b");
  part[MOTE_URL_USER] = mote_slice_of("host:1/?#@%41;");
  check_compose(part, 0, CURLUE_OK, "http://host%3A1%2F%3F%23%40%41%3B@h/a/../b");
  check_compose(part, CURLU_DISALLOW_USER, CURLUE_USER_NOT_ALLOWED, NULL);
  part[MOTE_URL_PASSWORD] = mote_slice_of("a@b:/c d\n");
  check_compose(part, 0, CURLUE_OK, "http://host%3A1%2F%3F%23%40%41%3B:a%40b%3A%2Fc%20d%0A@h/a/../b");
  part[MOTE_URL_USER].ptr = NULL;
  part[MOTE_URL_USER].len = 0;
  part[MOTE_URL_PASSWORD] = mote_slice_of("p");
  part[MOTE_URL_PORT] = mote_slice_of("81");
  check_compose(part, 0, CURLUE_OK, "http://:p@h:81/a/../b");
  part[MOTE_URL_PORT] = mote_slice_of("65536");
  check_compose(part, 0, CURLUE_BAD_PORT_NUMBER, NULL);
  part[MOTE_URL_PORT] = mote_slice_of("81");
  part[MOTE_URL_QUERY] = mote_slice_of("a\r\nb");
  check_compose(part, 0, CURLUE_BAD_QUERY, NULL);
  part[MOTE_URL_QUERY] = mote_slice_of("q");
  part[MOTE_URL_HOST] = mote_slice_of("[::1]");
  part[MOTE_URL_ZONEID] = mote_slice_of("lo");
  check_compose(part, 0, CURLUE_OK, "http://:p@[::1%25lo]:81/a/../b?q");
  part[MOTE_URL_ZONEID] = mote_slice_of("x]@y/");
  check_compose(part, 0, CURLUE_BAD_IPV6, NULL);
}

TEST(origins)
{
  static const struct {
    const char *a;
    const char *b;
    bool same;
  } pairs[] = {
    { "http://h/", "http://H:80/x", true },         { "http://h/", "https://h/", false },
    { "http://h/", "http://h:81/", false },         { "http://h/", "http://i/", false },
    { "http://u@h/", "http://v:p@h/", true },       { "http://127.1/", "http://127.0.0.1/", true },
    { "http://h:80/", "ftp://h:80/", false },       { "http://0X7f.1/", "http://127.0.0.1/", true },
    { "http://\xc3\xa9/", "http://xn--9ca/", true }, { "http://[::1%25a]/", "http://[::1%25b]/", false },
  };
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account, .flags = MOTE_URL_IDN };
  size_t i;
  for(i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    struct mote_url a;
    struct mote_url b;
    CHECK_INT(mote_url_parse(&a, pairs[i].a, strlen(pairs[i].a), &how), CURLUE_OK);
    CHECK_INT(mote_url_parse(&b, pairs[i].b, strlen(pairs[i].b), &how), CURLUE_OK);
    CHECK_INT(mote_url_same_origin(&a, &b), pairs[i].same);
    mote_url_close(&a);
    mote_url_close(&b);
  }
}

/* RFC 5952 section 4, RFC 4291 section 2.2. */
TEST(ipv6_text)
{
  static const char *const pairs[][2] = {
    { "2001:0db8:0:0:1:0:0:1", "2001:db8::1:0:0:1" }, { "2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1" },
    { "0:0:0:0:0:0:0:0", "::" },                      { "::", "::" },
    { "1:0:0:0:0:0:0:0", "1::" },
    { "::FFFF:192.0.2.1", "::ffff:192.0.2.1" },       { "0:0:0:0:0:0:13.1.68.3", "::13.1.68.3" },
    { "::1:1.2.3.4", "::1:102:304" },
    { "::1", "::1" },                                 { "a:b::", "a:b::" },
  };
  static const char *const bad[] = { "", ":", "1", "1:", ":1", ":::", "1::2::3", "1:2:3:4:5:6:7:8:9",
                                     "12345::", "::1.2.3", "::1.2.3.256", "::01.2.3.4", "1.2.3.4", "::g",
                                     "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3.4444", "::1..2.3", "::1.2x3.4",
                                     "1:2:3:4:5:6:7:8::", "::1 " };
  unsigned char address[16];
  char text[MOTE_HOST_LITERAL];
  size_t len;
  size_t i;
  for(i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    CHECK(mote_ipv6_read(mote_slice_of(pairs[i][0]), address));
    len = mote_ipv6_print(address, text);
    CHECK_INT(len, strlen(text));
    CHECK_STR(text, pairs[i][1]);
  }
  for(i = 0; i < sizeof bad / sizeof bad[0]; i++)
    CHECK(!mote_ipv6_read(mote_slice_of(bad[i]), address));
}

static CURLUcode parse_rc(const char *in, size_t len, unsigned flags, const char *expected)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account, .flags = flags, .default_scheme = mote_slice_of("file") };
  struct mote_url u;
  CURLUcode rc = mote_url_parse(&u, in, len, &how);
  if(!rc && expected)
    CHECK(mote_slice_same(mote_url_get(&u, MOTE_URL_WHOLE), mote_slice_of(expected)));
  mote_url_close(&u);
  CHECK_ACCOUNT(&account);
  return rc;
}

#define PARSE(in, flags, expected) parse_rc(in, strlen(in), flags, expected)

TEST(odd_urls)
{
  char in[1300];
  CHECK_INT(PARSE("http:////h/", 0, NULL), CURLUE_BAD_SLASHES);
  CHECK_INT(PARSE("http:///x", CURLU_NO_AUTHORITY, "http:///x"), CURLUE_OK);
  CHECK_INT(PARSE("http:///x", CURLU_NO_AUTHORITY | MOTE_URL_IDN, "http:///x"), CURLUE_OK);
  CHECK_INT(PARSE("http://u@/x", CURLU_NO_AUTHORITY, NULL), CURLUE_NO_HOST);
  CHECK_INT(PARSE("imap://u;a=\x01@h/", 0, NULL), CURLUE_BAD_LOGIN);
  CHECK_INT(PARSE("http://[fe80::1%2x]/", 0, "http://[fe80::1%252x]/"), CURLUE_OK);
  CHECK_INT(PARSE("http://[::1/", 0, NULL), CURLUE_BAD_IPV6);
  CHECK_INT(PARSE("http://a%41b/", MOTE_URL_IDN, NULL), CURLUE_OK); /* encoded, and ASCII */
  CHECK_INT(PARSE("file:///c:x", 0, NULL), CURLUE_OK);
  CHECK_INT(PARSE("file:///c:\\x", 0, NULL), CURLUE_BAD_FILE_URL);
  CHECK_INT(PARSE("localhost/x", CURLU_DEFAULT_SCHEME, "file:///x"), CURLUE_OK);
  memset(in, 'a', sizeof in);
  memcpy(in + 41, "://h/", 6);
  CHECK_INT(PARSE(in, CURLU_NON_SUPPORT_SCHEME, NULL), CURLUE_BAD_SCHEME);
  CHECK_INT(PARSE(in + 1, CURLU_NON_SUPPORT_SCHEME, NULL), CURLUE_OK);
  memset(in, 'a', sizeof in);
  memcpy(in, "http://", 7);
  memcpy(in + sizeof in - 5, "%41/", 5);
  CHECK_INT(PARSE(in, MOTE_URL_IDN, NULL), CURLUE_BAD_HOSTNAME); /* too long to be decoded */
}

#if MOTE_HAS_IDN
TEST(international_names)
{
  char name[MOTE_IDN_MAX_UTF8 + 1], out[MOTE_IDN_MAX_UTF8];
  size_t len = 0;
  CHECK_INT(mote_idn_to_utf8(mote_slice_of("xn--9ca.test"), out, &len), CURLUE_OK);
  CHECK_MEM(out, len, "\xc3\xa9.test", 7u);
  CHECK_INT(mote_idn_to_utf8(mote_slice_of("a.test"), out, &len), CURLUE_OK);
  CHECK_INT(mote_idn_to_utf8(mote_slice_of("xn--\x80.test"), out, &len), CURLUE_BAD_HOSTNAME);
  CHECK_INT(mote_idn_to_utf8(mote_slice_of("xn--a-.test"), out, &len), CURLUE_BAD_HOSTNAME); /* is "a" */
  memset(name, 'a', sizeof name);
  CHECK_INT(mote_idn_to_utf8((struct mote_slice){ name, MOTE_IDN_MAX_ASCII }, out, &len),
            CURLUE_BAD_HOSTNAME);
  CHECK_INT(mote_idn_to_ascii((struct mote_slice){ name, MOTE_IDN_MAX_UTF8 }, out, &len),
            CURLUE_BAD_HOSTNAME);
  CHECK(mote_idn_version()[0] != 0);
}
#endif

TEST(a_port_from_outside)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account, .port = 99 };
  struct mote_url u;
  CHECK_INT(mote_url_parse(&u, "http://h:1/", 11, &how), CURLUE_OK);
  CHECK_INT(u.port, 99);
  CHECK_STR(u.text, "http://h:99/");
  mote_url_close(&u);
  CHECK_INT(mote_url_parse(&u, "file:///x", 9, &how), CURLUE_OK);
  CHECK_STR(u.text, "file:///x");
  mote_url_close(&u);
}

/* What is encoded becomes longer than a URL may be. */
TEST(too_large_when_encoded)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account, .flags = CURLU_URLENCODE };
  struct mote_url u;
  size_t len = MOTE_URL_MAX_INPUT / 2;
  char *in = malloc(len);
  memset(in, ' ', len);
  memcpy(in, "http://h/", 9);
  CHECK_INT(mote_url_parse(&u, in, len, &how), CURLUE_TOO_LARGE);
  free(in);
  CHECK_ACCOUNT(&account);
}

TEST(without_a_url)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account };
  struct mote_url none = { 0 }, u, copy;
  CHECK_INT(mote_url_copy(&copy, &none, &account), CURLUE_OK);
  CHECK(!copy.text && !mote_url_get(&none, MOTE_URL_HOST).ptr);
  CHECK_INT(mote_url_parse(&u, "http://h:7/", 11, &how), CURLUE_OK);
  CHECK(!mote_url_same_origin(&none, &u) && !mote_url_same_origin(&u, &none));
}

TEST(authorities)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account, .flags = CURLU_NON_SUPPORT_SCHEME };
  struct mote_url u;
  char text[40];
  CHECK_INT(mote_url_parse(&u, "http://h/?#", 11, &how), CURLUE_OK);
  CHECK_MEM(text, mote_url_authority(&u, 0, text, sizeof text), "h", 1u);
  CHECK_MEM(text, mote_url_authority(&u, 2, text, sizeof text), "h:80", 4u);
  CHECK_MEM(text, mote_url_print(&u, MOTE_URL_WITH_EMPTY | MOTE_URL_WITH_ACE, text, sizeof text),
            "http://h/?#", 11u);
  CHECK_MEM(text, mote_url_print(&u, 0, text, sizeof text), "http://h/", 9u);
  mote_url_close(&u);
  CHECK_INT(mote_url_parse(&u, "http://h/", 9, &how), CURLUE_OK);
  CHECK_MEM(text, mote_url_print(&u, MOTE_URL_WITH_EMPTY, text, sizeof text), "http://h/", 9u);
  CHECK_INT(mote_url_parse(&u, "foo://h:7/", 10, &how), CURLUE_OK);
  CHECK_MEM(text, mote_url_authority(&u, 1, text, sizeof text), "h:7", 3u);
}

TEST(odd_parts)
{
  char name[60];
  struct mote_slice part[MOTE_URL_PARTS] = {
    [MOTE_URL_SCHEME] = mote_slice_of("file"), [MOTE_URL_PATH] = mote_slice_of("/x"),
  };
  check_compose(part, 0, CURLUE_OK, "file:///x");
  memset(name, 'a', sizeof name);
  part[MOTE_URL_SCHEME] = (struct mote_slice){ name, 41 };
  check_compose(part, 0, CURLUE_BAD_SCHEME, NULL);
  part[MOTE_URL_SCHEME] = (struct mote_slice){ name, 0 };
  check_compose(part, 0, CURLUE_BAD_SCHEME, NULL);
  part[MOTE_URL_SCHEME] = mote_slice_of("http");
  part[MOTE_URL_HOST] = mote_slice_of("[");
  check_compose(part, 0, CURLUE_BAD_IPV6, NULL);
  part[MOTE_URL_HOST] = mote_slice_of("[::1");
  check_compose(part, 0, CURLUE_BAD_IPV6, NULL);
  part[MOTE_URL_HOST] = mote_slice_of("[::1]");
  check_compose(part, CURLU_DISALLOW_USER, CURLUE_OK, "http://[::1]/x");
}

int main(int argc, char **argv)
{
  if(argc == 3 && !strcmp(argv[1], "--print")) {
    run(argv[2], true);
    return 0;
  }
  TEST_RUN(table);
  TEST_RUN(every_prefix);
  TEST_RUN(schemes);
  TEST_RUN(too_large);
  TEST_RUN(prints);
  TEST_RUN(parts_are_not_read_again);
  TEST_RUN(origins);
  TEST_RUN(ipv6_text);
  TEST_RUN(odd_urls);
#if MOTE_HAS_IDN
  TEST_RUN(international_names);
#endif
  TEST_RUN(a_port_from_outside);
  TEST_RUN(too_large_when_encoded);
  TEST_RUN(without_a_url);
  TEST_RUN(authorities);
  TEST_RUN(odd_parts);
  return test_end();
}
