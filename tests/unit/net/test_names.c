/* tests/unit/net/test_names.c: the name cache and its lookups in threads. Needs accounts, posix. */
#include "lookups.h"

TEST(an_answer_is_kept_for_its_time)
{
  struct mote_name_query q = query("one.test", 1000);
  begin();
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 1);
  q.name = "ONE.test";
  q.now += 60 * MOTE_SECOND - 1;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 1);
  q.now++;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 2);
  CHECK_INT(names.count, 1);
  end();
}

TEST(port_and_family_are_part_of_it)
{
  struct mote_name_query q = query("one.test", 1000);
  begin();
  CHECK_INT(whole(&q), 1);
  q.port = 81;
  CHECK_INT(whole(&q), 1);
  q.family = MOTE_FAMILY_IP6;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 3);
  CHECK_INT(names.count, 3);
  CHECK_INT(cached("one.test", 0, 1000), 1);
  CHECK_INT(cached("one.test", MOTE_FAMILY_IP6, 1000), -2); /* that one is for port 81 */
  end();
}

TEST(no_such_name_is_remembered_for_half_the_time)
{
  struct mote_name_query q = query("none.test", 1000);
  struct waiter w;
  begin();
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK(until_notified(&w, q.now));
  CHECK_INT(w.rc, CURLE_COULDNT_RESOLVE_HOST);
  CHECK(w.answer && !w.answer->count); /* which a share keeps, too */
  drop(&w);
  q.now += 30 * MOTE_SECOND - 1;
  CHECK_INT(whole(&q), -1);
  CHECK_INT(started(), 1);
  q.now++;
  CHECK_INT(whole(&q), -1);
  CHECK_INT(started(), 2);
  end();
}

TEST(other_failures_are_not_remembered)
{
  struct mote_name_query q = query("later.test", 1000);
  struct waiter w;
  begin();
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK(until_notified(&w, q.now));
  CHECK_INT(w.rc, CURLE_COULDNT_RESOLVE_HOST);
  CHECK_INT(names.count, 0);
  q = query("nomem.test", 1000);
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK(until_notified(&w, q.now));
  CHECK_INT(w.rc, CURLE_OUT_OF_MEMORY);
  CHECK_INT(names.count, 0);
  end();
}

TEST(timeout_0_uses_no_cache_and_minus_1_always)
{
  struct mote_name_query q = query("one.test", 1000);
  begin();
  q.max_age_us = 0;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(names.count, 0);
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 2);
  q.max_age_us = -1;
  CHECK_INT(whole(&q), 1);
  q.now += 1000000 * MOTE_SECOND;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 3);
  q.max_age_us = 0;
  CHECK_INT(whole(&q), 1); /* not from the cache, and what others have there stays */
  CHECK_INT(started(), 4);
  CHECK_INT(names.count, 1);
  end();
}

TEST(what_is_too_old_leaves_the_cache)
{
  struct mote_name_query q = query("one.test", 1000);
  char name[20];
  int i;
  begin();
  for(i = 0; i < 20; i++) {
    sprintf(name, "one.test%d", i);
    q = query(name, 1000 + i * 10 * MOTE_SECOND);
    CHECK_INT(whole(&q), 1);
  }
  CHECK(names.count <= 7);
  mote_names_prune(&names, q.now, 15 * MOTE_SECOND);
  CHECK_INT(names.count, 2);
  mote_names_prune(&names, q.now, -1);
  CHECK_INT(names.count, 0);
  end();
}

TEST(equal_lookups_are_joined)
{
  struct mote_name_query q = query("wait.test", 1000), other = q;
  struct waiter a, b, c;
  begin();
  CHECK_INT(ask(&q, &a), CURLE_AGAIN);
  q.name = "WAIT.test";
  CHECK_INT(ask(&q, &b), CURLE_AGAIN);
  other.family = MOTE_FAMILY_IP6;
  CHECK_INT(ask(&other, &c), CURLE_AGAIN);
  wait_for_started(2);
  open_gate(true);
  CHECK(until_notified(&a, 1000));
  CHECK(until_notified(&b, 1000));
  CHECK(until_notified(&c, 1000));
  CHECK_INT(started(), 2);
  CHECK(a.answer && a.answer == b.answer && a.answer != c.answer);
  CHECK(!mote_names_busy(&names));
  CHECK_INT(names.running, 0);
  drop(&a);
  drop(&b);
  drop(&c);
  end();
}

TEST(one_of_the_joined_leaves)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter a, b;
  begin();
  CHECK_INT(ask(&q, &a), CURLE_AGAIN);
  CHECK_INT(ask(&q, &b), CURLE_AGAIN);
  mote_names_leave(&names, &a.wait);
  mote_names_leave(&names, &a.wait); /* harmless */
  open_gate(true);
  CHECK(until_notified(&b, 1000));
  CHECK_INT(a.notified, 0);
  drop(&b);
  end();
}

TEST(a_lookup_that_all_have_left_goes_on_and_can_be_joined)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter w;
  int i;
  begin();
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  wait_for_started(1);
  mote_names_leave(&names, &w.wait);
  CHECK(mote_names_busy(&names));
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  mote_names_leave(&names, &w.wait);
  open_gate(true);
  for(i = 0; i < 20000 && mote_names_busy(&names); i++) {
    fds_nap(1);
    mote_names_collect(&names, 1000);
  }
  CHECK_INT(w.notified, 0);
  CHECK_INT(cached("wait.test", 0, 1000), 1);
  CHECK_INT(started(), 1);
  end();
}

/* The thread was done before a waiter came back: no wake-up of the thread's will come. */
TEST(joined_after_its_end)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct mote_wait wait = {.timeout_ms = 20000};
  struct waiter w;
  begin();
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  wait_for_started(1);
  mote_names_leave(&names, &w.wait);
  open_gate(true);
  fds_nap(50);
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK(!mote_waitset_wait(&set, &wait)); /* must end at once */
  mote_names_collect(&names, 1000);
  CHECK_INT(w.notified, 1);
  drop(&w);
  end();
}

TEST(the_cache_goes_while_a_lookup_is_under_way)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter a, b;
  begin();
  CHECK_INT(ask(&q, &a), CURLE_AGAIN);
  q.port = 81;
  CHECK_INT(ask(&q, &b), CURLE_AGAIN);
  wait_for_started(2);
  mote_names_leave(&names, &a.wait);
  mote_names_leave(&names, &b.wait);
  end(); /* closes before the gate opens */
}

TEST(no_more_threads_than_allowed)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter w[30];
  int i;
  begin();
  names.max_lookups = 3;
  for(i = 0; i < 30; i++) {
    q.port = (uint16_t)(1 + i);
    CHECK_INT(ask(&q, &w[i]), CURLE_AGAIN);
  }
  wait_for_started(3);
  fds_nap(20);
  CHECK_INT(started(), 3);
  mote_names_leave(&names, &w[29].wait); /* one that never got a thread */
  mote_names_leave(&names, &w[0].wait);  /* one under way: it still counts */
  mote_names_collect(&names, 1000);
  CHECK_INT(started(), 3);
  open_gate(true);
  for(i = 1; i < 29; i++) {
    CHECK(until_notified(&w[i], 1000));
    drop(&w[i]);
  }
  CHECK_INT(started(), 29);
  CHECK_INT(w[0].notified + w[29].notified, 0);
  CHECK(gate.most_at_once <= 3);
  CHECK(until_idle(1000)); /* the one that was left may be the last to end */
  end();
}

TEST(twenty_by_default)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter w[25];
  int i;
  begin();
  for(i = 0; i < 25; i++) {
    q.port = (uint16_t)(1 + i);
    CHECK_INT(ask(&q, &w[i]), CURLE_AGAIN);
  }
  wait_for_started(20);
  fds_nap(20);
  CHECK_INT(started(), 20);
  names.max_lookups = 24; /* more at once from now on */
  mote_names_collect(&names, 1000);
  wait_for_started(24);
  fds_nap(20);
  CHECK_INT(started(), 24);
  open_gate(true);
  for(i = 0; i < 25; i++) {
    CHECK(until_notified(&w[i], 1000));
    drop(&w[i]);
  }
  end();
}

/* Each run of a multi walked over all that had no thread yet. The walk would go through the hole here. */
TEST(queued_ones_are_not_walked_over)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct mote_list *first_queued, *after;
  struct waiter w[6];
  int i;
  begin();
  names.max_lookups = 2;
  for(i = 0; i < 6; i++) {
    q.port = (uint16_t)(1 + i);
    CHECK_INT(ask(&q, &w[i]), CURLE_AGAIN);
  }
  wait_for_started(2);
  first_queued = names.lookups.next->next->next;
  after = first_queued->next;
  first_queued->next = NULL;
  mote_names_collect(&names, 1000);
  first_queued->next = after;
  open_gate(true);
  for(i = 0; i < 6; i++) {
    CHECK(until_notified(&w[i], 1000));
    drop(&w[i]);
  }
  end();
}

/* A thread is free again before the queue is looked at, and a new lookup gets it: those under way stay
 * together, and all of them are collected. */
TEST(one_that_starts_before_those_in_the_queue)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter w[4];
  int i;
  begin();
  names.max_lookups = 1;
  for(i = 0; i < 3; i++) {
    q.port = (uint16_t)(1 + i);
    CHECK_INT(ask(&q, &w[i]), CURLE_AGAIN);
  }
  wait_for_started(1);
  names.max_lookups = 2;
  q.port = 4;
  CHECK_INT(ask(&q, &w[3]), CURLE_AGAIN);
  wait_for_started(2);
  open_gate(true);
  CHECK(until_notified(&w[3], 1000));
  for(i = 0; i < 3; i++)
    CHECK(until_notified(&w[i], 1000));
  CHECK_INT(started(), 4);
  for(i = 0; i < 4; i++)
    drop(&w[i]);
  end();
}

/* All threads work without a waiter: the end of one must wake those in the queue. */
TEST(queue_after_abandoned_lookups)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter a, b;
  begin();
  names.max_lookups = 1;
  CHECK_INT(ask(&q, &a), CURLE_AGAIN);
  wait_for_started(1);
  mote_names_leave(&names, &a.wait);
  q = query("one.test", 1000);
  CHECK_INT(ask(&q, &b), CURLE_AGAIN);
  CHECK_INT(started(), 1);
  open_gate(true);
  CHECK(until_notified(&b, 1000));
  CHECK(b.answer && b.answer->count == 1);
  drop(&b);
  end();
}

TEST(shuffled)
{
  struct mote_name_query q = query("many.test", 1000);
  bool moved = false;
  int i;
  begin();
  q.max_age_us = 0;
  for(i = 0; i < 10; i++) {
    struct waiter w;
    unsigned j, sum = 0;
    q.shuffle = i > 0;
    CHECK_INT(ask(&q, &w), CURLE_AGAIN);
    CHECK(until_notified(&w, 1000));
    if(!CHECK(w.answer && w.answer->count == 20))
      break;
    for(j = 0; j < 20; j++) {
      sum |= 1u << w.answer->addrs[j].ip[3];
      moved = moved || (i && w.answer->addrs[j].ip[3] != j);
      CHECK(i || w.answer->addrs[j].ip[3] == j);
    }
    CHECK_INT(sum, (1u << 20) - 1);
    drop(&w);
  }
  CHECK(moved);
  end();
}

TEST(localhost_needs_no_lookup)
{
  static const char *const local[] = {"localhost", "LocalHost.", "a.localhost", "a.b.localhost."};
  static const char *const others[] = {"one.localhosts", "one.notlocalhost", "one.localhost.test"};
  struct mote_name_query q;
  struct waiter w;
  size_t i;
  begin();
  for(i = 0; i < sizeof local / sizeof *local; i++) {
    q = query(local[i], 1000);
    CHECK_INT(ask(&q, &w), CURLE_OK);
    CHECK(w.answer && w.answer->count == 2 && w.answer->addrs[0].family == MOTE_FAMILY_IP6 &&
          w.answer->addrs[1].family == MOTE_FAMILY_IP4 && w.answer->addrs[1].ip[0] == 127);
    drop(&w);
    q.family = MOTE_FAMILY_IP4;
    CHECK_INT(ask(&q, &w), CURLE_OK);
    CHECK(w.answer && w.answer->count == 1 && w.answer->addrs[0].ip[3] == 1);
    drop(&w);
    q.family = MOTE_FAMILY_IP6;
    CHECK_INT(ask(&q, &w), CURLE_OK);
    CHECK(w.answer && w.answer->count == 1 && w.answer->addrs[0].ip[15] == 1);
    drop(&w);
  }
  CHECK_INT(started(), 0);
  for(i = 0; i < sizeof others / sizeof *others; i++) {
    q = query(others[i], 1000);
    CHECK_INT(whole(&q), 1);
  }
  CHECK_INT(started(), 3);
  end();
}

/* RFC 7686 section 2. */
TEST(onion_is_refused)
{
  static const char *const onions[] = {"onion", "a.onion", "A.B.Onion."};
  struct mote_name_query q;
  struct waiter w;
  size_t i;
  begin();
  for(i = 0; i < sizeof onions / sizeof *onions; i++) {
    q = query(onions[i], 1000);
    CHECK_INT(ask(&q, &w), CURLE_COULDNT_RESOLVE_HOST);
  }
  CHECK_INT(started(), 0);
  q = query("one.onions", 1000);
  CHECK_INT(whole(&q), 1);
  CHECK_INT(preset("a.onion:80:192.0.2.9", 1000), CURLE_OK);
  CHECK_INT(cached("a.onion", 0, 1000), 9);
  end();
}

TEST(a_name_that_is_too_long)
{
  static char name[70000];
  struct mote_name_query q;
  struct waiter w;
  memset(name, 'a', sizeof name - 1);
  q = query(name, 1000);
  begin();
  CHECK_INT(ask(&q, &w), CURLE_COULDNT_RESOLVE_HOST);
  end();
}

int main(void)
{
  TEST_RUN(an_answer_is_kept_for_its_time);
  TEST_RUN(port_and_family_are_part_of_it);
  TEST_RUN(no_such_name_is_remembered_for_half_the_time);
  TEST_RUN(other_failures_are_not_remembered);
  TEST_RUN(timeout_0_uses_no_cache_and_minus_1_always);
  TEST_RUN(what_is_too_old_leaves_the_cache);
  TEST_RUN(equal_lookups_are_joined);
  TEST_RUN(one_of_the_joined_leaves);
  TEST_RUN(a_lookup_that_all_have_left_goes_on_and_can_be_joined);
  TEST_RUN(joined_after_its_end);
  TEST_RUN(the_cache_goes_while_a_lookup_is_under_way);
  TEST_RUN(no_more_threads_than_allowed);
  TEST_RUN(twenty_by_default);
  TEST_RUN(queued_ones_are_not_walked_over);
  TEST_RUN(one_that_starts_before_those_in_the_queue);
  TEST_RUN(queue_after_abandoned_lookups);
  TEST_RUN(shuffled);
  TEST_RUN(localhost_needs_no_lookup);
  TEST_RUN(onion_is_refused);
  TEST_RUN(a_name_that_is_too_long);
  return test_end();
}
