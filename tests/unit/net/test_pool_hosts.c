/* tests/unit/net/test_pool_hosts.c: how many connections a pool has to each host. Needs host_limit. */
#include "net/pool_hosts.h"

#include <stdio.h>

#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/pool.h"

#include "test.h"

static struct mote_account account;
static struct mote_pool pool;

static void begin(void)
{
  mote_pool_init(&pool, &account);
}

static void end(void)
{
  mote_pool_close(&pool);
  CHECK(!pool.hosts);
  CHECK_ACCOUNT(&account);
}

/* A busy connection, whose key is the host, its NUL and something else. NULL: out of memory. */
static struct mote_conn *add(const char *host)
{
  char key[64];
  int len = snprintf(key, sizeof key, "%s%cmore", host, 0);
  struct mote_conn_plan plan = {.key = key, .key_len = (size_t)len};
  struct mote_conn *c;
  if(mote_conn_new(&c, &account, &plan)) {
    CHECK(test_mem.failed);
    return NULL;
  }
  mote_pool_add(&pool, c);
  return c;
}

static void leave(struct mote_conn *c)
{
  c->reusable = true;
  mote_pool_release(&pool, c, 100, 1);
}

TEST(connections_of_before_are_counted)
{
  struct mote_conn *c;
  begin();
  add("a:80");
  leave(add("a:80"));
  c = add("b:80");
  CHECK(!pool.hosts);
  CHECK_INT(mote_pool_count_host(&pool, "a:80"), 2);
  CHECK_INT(mote_pool_count_host(&pool, "a:8"), 0);
  CHECK_INT(mote_pool_hosts_find(&pool, "a:80")->idle, 1);
  CHECK_INT(mote_pool_count_host(&pool, "b:80"), 1);
  mote_pool_discard(&pool, c, false);
  CHECK_INT(mote_pool_count_host(&pool, "b:80"), 0);
  CHECK(!mote_pool_hosts_find(&pool, "b:80"));
  end();
}

TEST(idle_one_is_closed_for_its_host)
{
  begin();
  CHECK_INT(mote_pool_count_host(&pool, "a:80"), 0);
  leave(add("b:80"));
  leave(add("a:80"));
  add("a:80");
  CHECK_INT(mote_pool_count_host(&pool, "a:80"), 2);
  CHECK(mote_pool_close_idle_host(&pool, "a:80"));
  CHECK(!mote_pool_close_idle_host(&pool, "a:80"));
  CHECK_INT(mote_pool_count_host(&pool, "a:80"), 1);
  CHECK_INT(pool.idle_count, 1);
  end();
}

TEST(entry_stays_while_something_waits)
{
  struct mote_list waits;
  struct mote_pool_host *h;
  struct mote_conn *c;
  begin();
  CHECK(mote_pool_hosts_open(&pool));
  c = add("a:80");
  h = mote_pool_hosts_get(&pool, "a:80");
  mote_list_init(&waits);
  mote_list_append(&h->waiting, &waits);
  mote_pool_discard(&pool, c, false);
  CHECK(mote_pool_hosts_find(&pool, "a:80") == h);
  mote_list_remove(&waits);
  mote_pool_hosts_tidy(&pool, h);
  CHECK(!mote_pool_hosts_find(&pool, "a:80"));
  end();
}

TEST(connection_that_moves_is_counted_once)
{
  struct mote_pool other;
  struct mote_conn *c;
  begin();
  mote_pool_init(&other, &account);
  CHECK(mote_pool_hosts_open(&pool) && mote_pool_hosts_open(&other));
  c = add("a:80");
  mote_pool_hand_over(&pool, c, &other);
  CHECK_INT(mote_pool_count_host(&pool, "a:80"), 0);
  CHECK_INT(mote_pool_count_host(&other, "a:80"), 1);
  mote_pool_close(&other);
  end();
}

/* What could not be counted is walked over: the numbers are right in any case. */
static void scenario(void)
{
  const char *hosts[] = {"a:80", "b:80", "a:80"};
  uint32_t of_a = 0;
  size_t i;
  begin();
  (void)mote_pool_count_host(&pool, "a:80");
  for(i = 0; i < 3; i++) {
    struct mote_conn *c = add(hosts[i]);
    of_a += c && hosts[i][0] == 'a';
    if(c && i)
      leave(c);
  }
  CHECK_INT(mote_pool_count_host(&pool, "a:80"), of_a);
  (void)mote_pool_close_idle_host(&pool, "a:80");
  end();
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(connections_of_before_are_counted);
  TEST_RUN(idle_one_is_closed_for_its_host);
  TEST_RUN(entry_stays_while_something_waits);
  TEST_RUN(connection_that_moves_is_counted_once);
  TEST_RUN(survives);
  return test_end();
}
