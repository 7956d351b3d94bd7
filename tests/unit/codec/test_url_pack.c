/* Packed URLs say the same as the parsed ones. Needs accounts. */
#include "codec/url/url_pack.h"

#include <string.h>

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

int main(void)
{
  TEST_RUN(same_parts);
  TEST_RUN(no_memory);
  TEST_RUN(too_long_to_pack);
  return test_end();
}
