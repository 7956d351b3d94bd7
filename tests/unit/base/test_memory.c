/* Accounts, limits, counters. Needs accounts. */
#include "port/port.h"
#include "port/thread.h"
#include "test.h"

static struct mote_account account;

TEST(counts)
{
  struct mote_part_count before;
  struct mote_part_count after;
  char *p;
  char *q;
  account = (struct mote_account){ 0 };
  mote_mem_part_get(MOTE_PART_URL, &before);
  p = mote_mem_alloc(&account, MOTE_PART_URL, 100);
  q = mote_mem_zalloc(&account, MOTE_PART_URL, 50);
  CHECK(p && q && !q[0] && !q[49]);
  CHECK_INT(account.live, 150);
  CHECK_INT(account.calls, 2);
  mote_mem_free(&account, MOTE_PART_URL, q, 50);
  CHECK_INT(account.live, 100);
  CHECK_INT(account.peak, 150);
  mote_mem_part_get(MOTE_PART_URL, &after);
  CHECK_INT(after.live - before.live, 100);
  CHECK_INT(after.calls - before.calls, 2);
  CHECK(after.peak >= before.live + 150);
  mote_mem_free(&account, MOTE_PART_URL, p, 100);
  mote_mem_free(&account, MOTE_PART_URL, NULL, 77);
  CHECK_ACCOUNT(&account);
}

TEST(nothing_is_one_byte)
{
  char *p;
  account = (struct mote_account){ 0 };
  p = mote_mem_alloc(&account, MOTE_PART_OTHER, 0);
  CHECK(p);
  CHECK_INT(account.live, 1);
  p = mote_mem_realloc(&account, MOTE_PART_OTHER, p, 0, 5);
  CHECK_INT(account.live, 5);
  p = mote_mem_realloc(&account, MOTE_PART_OTHER, p, 5, 0);
  CHECK_INT(account.live, 1);
  mote_mem_free(&account, MOTE_PART_OTHER, p, 0);
  CHECK_ACCOUNT(&account);
}

TEST(limit_refuses)
{
  char *p;
  size_t asked;
  struct mote_account_more ceiling = { .limit = 100 };
  account = (struct mote_account){ .more = &ceiling };
  asked = test_mem.calls;
  CHECK(!mote_mem_alloc(&account, MOTE_PART_OTHER, 101));
  CHECK(!mote_mem_alloc(&account, MOTE_PART_OTHER, SIZE_MAX));
  CHECK_INT(test_mem.calls, asked);
  CHECK_INT(account.refused, 2);
  p = mote_mem_alloc(&account, MOTE_PART_OTHER, 60);
  CHECK(!mote_mem_alloc(&account, MOTE_PART_OTHER, 41));
  CHECK(!mote_mem_realloc(&account, MOTE_PART_OTHER, p, 60, 101));
  CHECK_INT(account.live, 60);
  p = mote_mem_realloc(&account, MOTE_PART_OTHER, p, 60, 100);
  CHECK_INT(account.live, 100);
  ceiling.limit = 10;
  CHECK(!mote_mem_alloc(&account, MOTE_PART_OTHER, 1));
  p = mote_mem_realloc(&account, MOTE_PART_OTHER, p, 100, 8);
  CHECK_INT(account.live, 8);
  CHECK_INT(account.peak, 100);
  mote_mem_free(&account, MOTE_PART_OTHER, p, 8);
  CHECK_ACCOUNT(&account);
}

static void scenario(void)
{
  char *p;
  account = (struct mote_account){ 0 };
  p = mote_mem_strndup(&account, MOTE_PART_STRING, "abcdef", 3);
  if(!p) {
    CHECK_ACCOUNT(&account);
    return;
  }
  CHECK_STR(p, "abc");
  {
    char *q = mote_mem_realloc(&account, MOTE_PART_STRING, p, 4, 1000);
    CHECK_STR(q ? q : p, "abc");
    CHECK_INT(account.live, q ? 1000 : 4);
    mote_mem_free(&account, MOTE_PART_STRING, q ? q : p, q ? 1000 : 4);
  }
  CHECK_ACCOUNT(&account);
}

TEST(failure_changes_nothing)
{
  run_with_failures(scenario);
}

TEST(the_process_has_an_account)
{
  char *p = mote_mem_alloc(mote_mem_process(), MOTE_PART_TLS, 10);
  CHECK_INT(mote_mem_process()->live, 10);
  mote_mem_free(mote_mem_process(), MOTE_PART_TLS, p, 10);
  CHECK_ACCOUNT(mote_mem_process());
}

TEST(public_blocks_are_in_no_account)
{
  char *p = mote_mem_public_strndup("hello", 4);
  CHECK_STR(p, "hell");
  p = mote_mem_public_realloc(p, 100);
  CHECK_STR(p, "hell");
  mote_mem_public_free(p);
  mote_mem_public_free(NULL);
}

static atomic_int finished;

static void *use_process_account(void *arg)
{
  int i;
  for(i = 0; i < 20000; i++) {
    char *p = mote_mem_alloc(mote_mem_process(), MOTE_PART_TLS, 10);
    p = mote_mem_realloc(mote_mem_process(), MOTE_PART_TLS, p, 10, 30);
    mote_mem_free(mote_mem_process(), MOTE_PART_TLS, p, 30);
  }
  atomic_fetch_add(&finished, 1);
  return arg;
}

TEST(process_account_between_threads)
{
  struct mote_part_count before;
  struct mote_part_count after;
  unsigned ready;
  int i;
  test_mem.threads = true;
  mote_mem_part_get(MOTE_PART_TLS, &before);
  for(i = 0; i < 4; i++)
    CHECK_INT(mote_port_thread_start(use_process_account, NULL), 0);
  for(i = 0; i < 20000 && atomic_load(&finished) < 4; i++)
    (void)mote_port_poll(NULL, 0, 1, &ready);
  CHECK_INT(atomic_load(&finished), 4);
  CHECK_ACCOUNT(mote_mem_process());
  mote_mem_part_get(MOTE_PART_TLS, &after);
  CHECK_INT(after.live, before.live);
  CHECK_INT(after.calls - before.calls, 160000);
  CHECK(mote_mem_process()->peak <= 120);
}

/* What a freed block of 40 bytes held at the moment when it was given back. */
static char given_back[40];

static void keep_bytes(void *p)
{
  memcpy(given_back, p, sizeof given_back);
  free(p);
}

/* The bytes of one that is freed as a part's. */
static bool is_wiped(enum mote_part part)
{
  static const struct mote_allocator watching = {
    .malloc_fn = malloc, .free_fn = keep_bytes, .realloc_fn = realloc };
  const struct mote_allocator before = mote_mem_below;
  static const char zeros[sizeof given_back];
  char *p;
  mote_mem_set_allocator(&watching);
  account = (struct mote_account){ 0 };
  p = mote_mem_strndup(&account, part, "a password of thirty-nine characters...", 39);
  if(p)
    mote_mem_free(&account, part, p, 40);
  mote_mem_set_allocator(&before);
  return p && !memcmp(given_back, zeros, sizeof zeros);
}

TEST(what_may_hold_a_secret_is_wiped)
{
  int part;
  for(part = 0; part < MOTE_PART_LAST; part++)
    CHECK_INT(is_wiped((enum mote_part)part), part != MOTE_PART_BUFFER && part != MOTE_PART_CODEC);
}

/* Whatever is refused, what there was stays. */
static void sizes_scenario(void)
{
  struct mote_account a = { 0 };
  char *p = mote_mem_realloc(&a, MOTE_PART_STRING, NULL, 0, 100), *q;
  size_t size = 100;
  if(!p)
    return;
  q = mote_mem_realloc(&a, MOTE_PART_STRING, p, 100, 100);
  p = q ? q : p;
  q = mote_mem_realloc(&a, MOTE_PART_STRING, p, 100, 50);
  CHECK_INT(test_live(&a), q ? 50 : 100);
  size = q ? 50 : 100;
  p = q ? q : p;
  mote_mem_free(&a, MOTE_PART_STRING, p, size);
  p = mote_mem_strndup(&a, MOTE_PART_STRING, "abc", 2);
  if(p)
    CHECK_STR(p, "ab");
  mote_mem_free(&a, MOTE_PART_STRING, p, 3);
  p = mote_mem_zalloc(&a, MOTE_PART_STRING, 2);
  CHECK(!p || (!p[0] && !p[1]));
  mote_mem_free(&a, MOTE_PART_STRING, p, 2);
  p = mote_mem_public_strndup("abc", 2);
  CHECK(!p || !strcmp(p, "ab"));
  mote_mem_public_free(p);
  CHECK_ACCOUNT(&a);
}

TEST(sizes_with_failures)
{
  run_with_failures(sizes_scenario);
}

int main(void)
{
  TEST_RUN(counts);
  TEST_RUN(nothing_is_one_byte);
  TEST_RUN(limit_refuses);
  TEST_RUN(failure_changes_nothing);
  TEST_RUN(the_process_has_an_account);
  TEST_RUN(public_blocks_are_in_no_account);
  TEST_RUN(process_account_between_threads);
  TEST_RUN(what_may_hold_a_secret_is_wiped);
  TEST_RUN(sizes_with_failures);
  return test_end();
}
