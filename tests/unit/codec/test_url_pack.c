/* Packed URLs say the same as the parsed ones. Needs accounts. */
#include "codec/url/url_pack.h"

#include <string.h>

#include "base/memory/ceiling.h"
#include "codec/url/url.h"
#include "test.h"

static const char *const urls[] = {
  "http://h/", "https://user:pw@example.com:8080/a/b?q=1#frag", "http://user@h/?", "http://:pw@h/p",
  "http://[::1]:99/x", "http://[fe80::1%25lo]:8/x?y", "http://[fe80::1%25lo]/", "HTTP://EXAMPLE.com",
  "http://1.2.3.4/#only", "imap://u;auth=x@h/box", "imap://u:p;auth=x@h:1/box", "ftp://h/a/../b;type=i",
  "http://bücher.example/ä?ö", "example.com/guess", "file:///etc/hosts", "http://h?query", "http://h/#",
  "http://h/?#f",
};

static void same(const struct mote_url *a, const struct mote_url *b)
{
  int i;
  CHECK_INT(a->port, b->port);
  CHECK_INT(a->has, b->has);
  CHECK_INT(a->host_kind, b->host_kind);
  for(i = 0; i < MOTE_URL_PARTS; i++) {
    struct mote_slice x = mote_url_get(a, (enum mote_url_part)i), y = mote_url_get(b, (enum mote_url_part)i);
    if(x.len || y.len)
      CHECK_MEM(x.ptr, x.len, y.ptr, y.len);
  }
}

static void round_trip(const char *text, struct mote_account *account)
{
  struct mote_url_how how = {.account = account,
                             .flags = CURLU_GUESS_SCHEME | MOTE_URL_IDN | CURLU_NON_SUPPORT_SCHEME};
  struct mote_url parsed, kept, back;
  struct mote_url_packed packed;
  CURLUcode rc = mote_url_parse(&parsed, text, strlen(text), &how);
  if(rc) {
    CHECK_INT(rc, CURLUE_OUT_OF_MEMORY);
    return;
  }
  rc = mote_url_copy(&kept, &parsed, account);
  if(rc) {
    CHECK_INT(rc, CURLUE_OUT_OF_MEMORY);
    mote_url_close(&parsed);
    return;
  }
  rc = mote_url_pack(&packed, &parsed, account);
  CHECK(parsed.text == NULL);
  if(rc) {
    CHECK_INT(rc, CURLUE_OUT_OF_MEMORY);
    mote_url_close(&kept);
    return;
  }
  mote_url_unpack(&packed, &back);
  same(&kept, &back);
  mote_url_packed_close(&packed, account);
  mote_url_close(&kept);
}

static void all(void)
{
  struct mote_account account = {0};
  size_t i;
  for(i = 0; i < sizeof urls / sizeof urls[0]; i++)
    round_trip(urls[i], &account);
  CHECK_INT(account.live, 0);
}

TEST(same_parts)
{
  all();
}

TEST(no_memory)
{
  run_with_failures(all);
}

TEST(too_long_to_pack)
{
  static char text[80000];
  struct mote_account account = {0};
  memset(text, 'a', sizeof text - 1);
  memcpy(text, "http://h/", 9);
  round_trip(text, &account);
  CHECK_INT(account.live, 0);
}

static bool packed(struct mote_url_packed *p, const char *text, size_t len, struct mote_account *account)
{
  struct mote_url_how how = {.account = account, .flags = MOTE_URL_IDN};
  struct mote_url u;
  return CHECK_INT(mote_url_parse(&u, text, len, &how), CURLUE_OK) &&
         CHECK_INT(mote_url_pack(p, &u, account), CURLUE_OK);
}

static bool is(struct mote_slice s, const char *text)
{
  return mote_slice_same(s, mote_slice_of(text));
}

/* What is asked of a packed URL without unpacking it. */
static void asks(const char *text, size_t len, const char *host, const char *ace, const char *zoned,
                 const char *path, const char *user, const char *password)
{
  struct mote_account account = {0};
  struct mote_url_packed p;
  struct mote_slice name, secret;
  if(!packed(&p, text, len, &account))
    return;
  CHECK(is(mote_url_packed_host(&p), host));
  CHECK(is(mote_url_packed_ace(&p), ace));
  CHECK(is(mote_url_packed_zoned(&p), zoned));
  CHECK(!path || is(mote_url_packed_path(&p), path));
  CHECK(mote_url_packed_login(&p, &name, &secret) == (user != NULL));
  if(user) {
    CHECK(is(name, user));
    CHECK(password ? is(secret, password) : !secret.ptr);
  }
  mote_url_packed_close(&p, &account);
  CHECK_INT(account.live, 0);
}

TEST(parts_of_packed_urls)
{
  static char text[80000];
  static const char many[] = "http://u:p@[fe80::1%25lo]/";
  asks("http://h/", 9, "h", "h", "h", "", NULL, NULL);
  asks("http://u@h/a/b?q", 16, "h", "h", "h", "a/b", "u", NULL);
  asks("http://:p@h/", 12, "h", "h", "h", "", "", "p");
  asks("http://[fe80::1%25lo]/x", 23, "fe80::1", "fe80::1", "fe80::1%25lo", "x", NULL, NULL);
#if MOTE_HAS_IDN
  asks("http://u@\xc3\xa9.test/x", 18, "\xc3\xa9.test", "xn--9ca.test", "xn--9ca.test", "x", "u", NULL);
#endif
  memset(text, 'a', sizeof text);
  memcpy(text, many, sizeof many - 1);
  asks(text, sizeof text, "fe80::1", "fe80::1", "fe80::1%25lo", NULL, "u", "p");
}

TEST(no_url)
{
  static const struct mote_url_packed none;
  struct mote_url u;
  char text[20];
  CHECK_INT(mote_url_packed_path(&none).len, 0);
  mote_url_unpack(&none, &u);
  CHECK(!u.text);
  CHECK_INT(mote_url_print(&u, 0, text, sizeof text), 0);
  CHECK_INT(mote_url_target(&u, text, sizeof text), 0);
  CHECK_INT(mote_url_authority(&u, 1, text, sizeof text), 0);
}

/* The text of one block, for the application. */
static void text_scenario(void)
{
  struct mote_account account = {0};
  struct mote_url_how how = {.account = &account};
  struct mote_url u;
  char *text;
  if(mote_url_parse(&u, "http://h/?#", 11, &how))
    return;
  text = mote_url_text(&u, MOTE_URL_WITH_EMPTY, &account, MOTE_PART_URL);
  if(text) {
    CHECK_STR(text, "http://h/?#");
    mote_mem_free(&account, MOTE_PART_URL, text, strlen(text) + 1);
  }
  else
    CHECK(test_mem.failed);
  mote_url_close(&u);
  CHECK_INT(account.live, 0);
}

TEST(text_of_a_url)
{
  run_with_failures(text_scenario);
}

TEST(ceiling_of_a_packed_url)
{
  static char text[80000];
  struct mote_account account = {0};
  struct mote_url_how how = {.account = &account};
  struct mote_ceiling c = {0}, longer = {0};
  struct mote_url u;
  CHECK_INT(mote_url_parse(&u, "http://h/", 9, &how), CURLUE_OK);
  mote_url_pack_ceiling(&u, &c);
  memset(text, 'a', sizeof text);
  memcpy(text, "http://h/", 9);
  CHECK_INT(mote_url_parse(&u, text, sizeof text, &how), CURLUE_OK);
  mote_url_pack_ceiling(&u, &longer);
  CHECK(memcmp(&c, &longer, sizeof c) != 0);
  mote_url_close(&u);
}

int main(void)
{
  TEST_RUN(same_parts);
  TEST_RUN(no_memory);
  TEST_RUN(too_long_to_pack);
  TEST_RUN(parts_of_packed_urls);
  TEST_RUN(no_url);
  TEST_RUN(text_of_a_url);
  TEST_RUN(ceiling_of_a_packed_url);
  return test_end();
}
