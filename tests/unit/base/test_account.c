/* tests/unit/base/test_account.c: an account's own parts, and what it takes to have them. Needs accounts. */
#include "test.h"

static struct mote_account account;

static size_t sum_of_parts(const struct mote_account *a)
{
  size_t live = 0;
  int i;
  for(i = 0; i < MOTE_PART_LAST; i++)
    live += a->more->parts[i].live;
  return live;
}

static void scenario(void)
{
  char *p;
  account = (struct mote_account){ 0 };
  if(!mote_account_open(&account)) {
    CHECK_ACCOUNT(&account);
    CHECK(!account.more && test_mem.failed);
    return;
  }
  CHECK_INT(account.live, mote_account_open_size());
  CHECK_INT(sum_of_parts(&account), account.live);
  p = mote_mem_alloc(&account, MOTE_PART_URL, 100);
  if(p) {
    char *q = mote_mem_realloc(&account, MOTE_PART_URL, p, 100, 300);
    CHECK_INT(account.more->parts[MOTE_PART_URL].live, q ? 300 : 100);
    CHECK_INT(account.more->parts[MOTE_PART_URL].calls, q ? 2 : 1);
    CHECK_INT(sum_of_parts(&account), account.live);
    p = q ? q : p;
    CHECK_INT(account.more->parts[MOTE_PART_URL].peak, q ? 300 : 100);
    CHECK_INT(sum_of_parts(&account), account.live);
    mote_mem_free(&account, MOTE_PART_URL, p, q ? 300 : 100);
  }
  CHECK_INT(account.more->parts[MOTE_PART_URL].live, 0);
  mote_account_close(&account);
  CHECK_ACCOUNT(&account);
}

TEST(parts_add_up)
{
  mote_account_keep_parts(true);
  run_with_failures(scenario);
  mote_account_keep_parts(false);
}

TEST(without_details_nothing_is_taken)
{
  size_t calls = test_mem.calls;
  account = (struct mote_account){ 0 };
  CHECK_INT(mote_account_open_size(), 0);
  CHECK(mote_account_open(&account));
  CHECK(mote_account_limit(&account, 0));
  CHECK(!account.more);
  CHECK_INT(test_mem.calls, calls);
  mote_account_close(&account);
}

TEST(a_ceiling_takes_a_block)
{
  account = (struct mote_account){ 0 };
  CHECK(mote_account_limit(&account, 50));
  CHECK_INT(account.live, mote_account_limit_size());
  CHECK_INT(mote_account_limit_of(&account), 50);
  CHECK(!mote_mem_alloc(&account, MOTE_PART_URL, 51 - mote_account_limit_size()));
  CHECK_INT(account.refused, 1);
  CHECK(mote_account_limit(&account, 0));
  CHECK_INT(mote_account_limit_of(&account), 0);
  mote_account_close(&account);
  CHECK_ACCOUNT(&account);
}

static void limit_scenario(void)
{
  struct mote_account a = { 0 };
  bool ok = mote_account_limit(&a, 1000);
  CHECK(ok || test_mem.failed);
  CHECK_INT(mote_account_limit_of(&a), ok ? 1000 : 0);
  CHECK_INT(mote_account_room(&a) != 0, ok);
  if(ok) {
    void *p = mote_mem_alloc(&a, MOTE_PART_OTHER, 100), *q;
    size_t room = mote_account_room(&a);
    CHECK(!p || (room > 0 && room < 900));
    a.more->limit = 1; /* less than what is held */
    CHECK_INT(mote_account_room(&a), 1);
    q = p ? mote_mem_realloc(&a, MOTE_PART_OTHER, p, 100, 100) : NULL;
    p = q ? q : p;
    q = p ? mote_mem_realloc(&a, MOTE_PART_OTHER, p, 100, 50) : NULL;
    mote_mem_free(&a, MOTE_PART_OTHER, q ? q : p, q ? 50 : 100);
  }
  mote_account_close(&a);
}

TEST(limits_with_failures)
{
  run_with_failures(limit_scenario);
}

int main(void)
{
  TEST_RUN(parts_add_up);
  TEST_RUN(without_details_nothing_is_taken);
  TEST_RUN(a_ceiling_takes_a_block);
  TEST_RUN(limits_with_failures);
  return test_end();
}
