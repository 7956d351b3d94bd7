/* The growing buffer. Needs accounts. */
#include "base/buf.h"
#include "base/memory/ceiling.h"
#include "base/text/format.h"
#include "test.h"

static struct mote_account account;

TEST(starts_and_ends_empty)
{
  struct mote_buf b;
  account = (struct mote_account){ 0 };
  mote_buf_init(&b, &account, MOTE_PART_TRANSFER, 100);
  CHECK(!b.ptr && !b.len);
  mote_buf_clear(&b);
  mote_buf_drop(&b, 3);
  mote_buf_close(&b);
  CHECK_INT(mote_buf_add(&b, "abc", 3), CURLE_OK);
  CHECK_STR(b.ptr, "abc");
  mote_buf_clear(&b);
  CHECK_STR(b.ptr, "");
  CHECK_INT(mote_buf_add_str(&b, "xyz"), CURLE_OK);
  CHECK_STR(b.ptr, "xyz");
  mote_buf_close(&b);
  CHECK(!b.ptr && !b.len && !b.cap);
  CHECK_INT(mote_buf_add_str(&b, ""), CURLE_OK);
  CHECK_STR(b.ptr, "");
  mote_buf_close(&b);
  CHECK_ACCOUNT(&account);
}

TEST(ceiling)
{
  struct mote_buf b;
  mote_buf_init(&b, &account, MOTE_PART_TRANSFER, 10);
  CHECK_INT(mote_buf_add(&b, "12345678", 8), CURLE_OK);
  CHECK(b.cap <= 11);
  CHECK_INT(mote_buf_add(&b, "901", 3), CURLE_TOO_LARGE);
  CHECK_STR(b.ptr, "12345678");
  CHECK_INT(mote_buf_reserve(&b, SIZE_MAX), CURLE_TOO_LARGE);
  CHECK_INT(mote_buf_addf(&b, "%s-%d", "9", 12), CURLE_TOO_LARGE);
  CHECK_STR(b.ptr, "12345678");
  CHECK_INT(b.len, 8);
  CHECK_INT(mote_buf_add(&b, "90", 2), CURLE_OK);
  CHECK_STR(b.ptr, "1234567890");
  CHECK_INT(mote_buf_add(&b, "", 0), CURLE_OK);
  CHECK_INT(mote_buf_add(&b, "x", 1), CURLE_TOO_LARGE);
  CHECK_INT(b.cap, 11);
  mote_buf_close(&b);
  mote_buf_init(&b, &account, MOTE_PART_TRANSFER, SIZE_MAX);
  CHECK_INT(mote_buf_reserve(&b, SIZE_MAX), CURLE_TOO_LARGE);
  CHECK_INT(mote_buf_add(&b, "x", 1), CURLE_OK);
  CHECK_INT(mote_buf_reserve(&b, SIZE_MAX - 1), CURLE_TOO_LARGE);
  mote_buf_close(&b);
  mote_buf_init(&b, &account, MOTE_PART_TRANSFER, 0);
  CHECK_INT(mote_buf_add(&b, "x", 1), CURLE_TOO_LARGE);
  CHECK_INT(mote_buf_add(&b, "", 0), CURLE_OK);
  CHECK_INT(b.cap, 1);
  mote_buf_close(&b);
  CHECK_ACCOUNT(&account);
}

TEST(reserve_is_exact_at_first)
{
  struct mote_buf b;
  mote_buf_init(&b, &account, MOTE_PART_TRANSFER, 1000);
  CHECK_INT(mote_buf_reserve(&b, 20), CURLE_OK);
  CHECK_INT(b.cap, 21);
  CHECK_STR(b.ptr, "");
  memcpy(b.ptr, "hello", 6);
  b.len = 5;
  CHECK_INT(mote_buf_add_str(&b, " world"), CURLE_OK);
  CHECK_INT(b.cap, 21);
  CHECK_STR(b.ptr, "hello world");
  mote_buf_close(&b);
  CHECK_ACCOUNT(&account);
}

TEST(formats)
{
  struct mote_buf b;
  mote_buf_init(&b, &account, MOTE_PART_TRANSFER, 1000);
  CHECK_INT(mote_buf_addf(&b, "%s %d", "GET", 42), CURLE_OK);
  CHECK_INT(mote_buf_addf(&b, "/%x", 255u), CURLE_OK);
  CHECK_STR(b.ptr, "GET 42/ff");
  CHECK_INT(b.len, 9);
  mote_buf_close(&b);
  CHECK_ACCOUNT(&account);
}

static void random_steps(void)
{
  static char model[5000];
  size_t len = 0;
  struct mote_buf b;
  int i;
  account = (struct mote_account){ 0 };
  mote_buf_init(&b, &account, MOTE_PART_TRANSFER, 4000);
  for(i = 0; i < 400; i++) {
    char piece[200];
    size_t n = test_random() % sizeof piece;
    size_t k;
    CURLcode rc;
    for(k = 0; k < n; k++)
      piece[k] = (char)('a' + test_random() % 26);
    if(test_random() % 4) {
      rc = mote_buf_add(&b, piece, n);
      if(!rc) {
        memcpy(model + len, piece, n);
        len += n;
      }
      else
        CHECK(rc == CURLE_TOO_LARGE ? len + n > 4000 : rc == CURLE_OUT_OF_MEMORY && test_mem.failed);
    }
    else {
      mote_buf_drop(&b, n);
      n = n < len ? n : len;
      len -= n;
      memmove(model, model + n, len);
    }
    CHECK(b.len == len && (!len || !memcmp(b.ptr, model, len)) && (!b.ptr || !b.ptr[len]));
    CHECK(b.cap <= 4001 && account.live == b.cap);
  }
  mote_buf_close(&b);
  CHECK_ACCOUNT(&account);
}

/* Bytes that fit need no memory; more leave the room, as do those that are to outlive it. */
static void borrowed_steps(void)
{
  char room[8];
  struct mote_buf b;
  CURLcode rc;
  mote_buf_borrow(&b, &account, MOTE_PART_TRANSFER, 100, room, sizeof room);
  CHECK(!mote_buf_add_str(&b, "1234567") && b.ptr == room && !account.live);
  rc = mote_buf_add_str(&b, "89");
  CHECK(rc == CURLE_OK || rc == CURLE_OUT_OF_MEMORY);
  CHECK_STR(b.ptr, rc ? "1234567" : "123456789");
  CHECK((b.ptr == room) == (rc != CURLE_OK));
  mote_buf_close(&b);
  CHECK_ACCOUNT(&account);
  mote_buf_borrow(&b, &account, MOTE_PART_TRANSFER, 100, room, sizeof room);
  CHECK(!mote_buf_settle(&b) && !b.ptr && !b.borrowed);
  mote_buf_borrow(&b, &account, MOTE_PART_TRANSFER, 100, room, sizeof room);
  CHECK(!mote_buf_add_str(&b, "kept"));
  rc = mote_buf_settle(&b);
  CHECK(b.ptr != room && !b.borrowed && b.len == (rc ? 0u : 4u));
  CHECK(rc || !strcmp(b.ptr, "kept"));
  mote_buf_close(&b);
  CHECK_ACCOUNT(&account);
}

TEST(borrowed_room_with_failures)
{
  run_with_failures(borrowed_steps);
}

TEST(random_with_failures)
{
  run_with_failures(random_steps);
}

static void format_scenario(void)
{
  struct mote_buf b;
  CURLcode rc;
  mote_buf_init(&b, &account, MOTE_PART_TRANSFER, 4000);
  if(!mote_buf_add_str(&b, "kept")) {
    rc = mote_buf_addf(&b, "%s%300d%s", "abc", 5, "def");
    CHECK(rc == CURLE_OK || rc == CURLE_OUT_OF_MEMORY);
    CHECK_INT(b.len, rc ? 4 : 310);
    CHECK(rc == CURLE_OK || !strcmp(b.ptr, "kept"));
  }
  mote_buf_close(&b);
}

TEST(format_failures)
{
  run_with_failures(format_scenario);
}

TEST(a_ceiling_that_came_down)
{
  struct mote_buf b;
  mote_buf_init(&b, &account, MOTE_PART_TRANSFER, 100);
  CHECK_INT(mote_buf_add_str(&b, "four"), CURLE_OK);
  b.limit = 3;
  CHECK_INT(mote_buf_add_str(&b, ""), CURLE_TOO_LARGE);
  CHECK_INT(mote_buf_settle(&b), CURLE_OK); /* its bytes are its own already */
  CHECK_STR(b.ptr, "four");
  mote_buf_close(&b);
}

static void is_refused(struct mote_buf *b, const char *format)
{
  CHECK_INT(mote_buf_addf(b, format, 1, 2), CURLE_BAD_FUNCTION_ARGUMENT);
}

TEST(a_wrong_format)
{
  struct mote_buf b;
  mote_buf_init(&b, &account, MOTE_PART_TRANSFER, 100);
  CHECK_INT(mote_buf_add_str(&b, "kept"), CURLE_OK);
  is_refused(&b, "%1$d %d");
  CHECK_STR(b.ptr, "kept");
  mote_buf_close(&b);
  is_refused(&b, "%1$d %d");
  CHECK(!b.ptr);
}

TEST(ceiling_of_a_buffer)
{
  struct mote_ceiling c = { 0 };
  struct mote_buf b;
  size_t i;
  mote_buf_ceiling(1000, &c);
  mote_buf_init(&b, &account, MOTE_PART_TRANSFER, 2000);
  for(i = 0; i < 1000; i++)
    CHECK_INT(mote_buf_add(&b, "x", 1), CURLE_OK);
  CHECK(b.cap <= c.bytes && c.bytes < 2000);
  mote_buf_close(&b);
}

int main(void)
{
  TEST_RUN(starts_and_ends_empty);
  TEST_RUN(ceiling);
  TEST_RUN(reserve_is_exact_at_first);
  TEST_RUN(formats);
  TEST_RUN(borrowed_room_with_failures);
  TEST_RUN(random_with_failures);
  TEST_RUN(format_failures);
  TEST_RUN(a_ceiling_that_came_down);
  TEST_RUN(a_wrong_format);
  TEST_RUN(ceiling_of_a_buffer);
  return test_end();
}
