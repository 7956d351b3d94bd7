/* tests/unit/net/test_names_preset.c: the name cache with CURLOPT_RESOLVE lines, shared, without memory.
 * Needs accounts, posix. */
#include "lookups.h"

/* ---- CURLOPT_RESOLVE ---- */

TEST(preset_and_removed)
{
  begin();
  CHECK_INT(preset("a.test:80:192.0.2.9", 1000), CURLE_OK);
  CHECK_INT(cached("A.TEST", 0, 1000), 9);
  CHECK_INT(cached("a.test", 0, 1000 + 1000000 * MOTE_SECOND), 9);
  CHECK_INT(preset("a.test:80:192.0.2.8,192.0.2.7", 1000), CURLE_OK);
  CHECK_INT(cached("a.test", 0, 1000), 8);
  CHECK_INT(preset("-a.test:81", 1000), CURLE_OK);
  CHECK_INT(cached("a.test", 0, 1000), 8);
  CHECK_INT(preset("-a.test", 1000), CURLE_OK);
  CHECK_INT(preset("-A.test:80", 1000), CURLE_OK);
  CHECK_INT(cached("a.test", 0, 1000), -2);
  CHECK_INT(cached("a.test", MOTE_FAMILY_IP4, 1000), -2);
  CHECK_INT(names.count, 0);
  CHECK_INT(preset("a.test:80:", 1000), CURLE_SETOPT_OPTION_SYNTAX);
  end();
}

TEST(removal_takes_looked_up_answers_too)
{
  struct mote_name_query q = query("one.test", 1000);
  begin();
  q.family = MOTE_FAMILY_IP4;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(preset("-one.test:80", 1000), CURLE_OK);
  CHECK_INT(cached("one.test", MOTE_FAMILY_IP4, 1000), -2);
  end();
}

TEST(preset_goes_before_what_was_looked_up)
{
  struct mote_name_query q = query("one.test", 1000);
  int family;
  begin();
  for(family = 0; family <= 6; family += family ? 2 : 4) {
    q.family = (uint8_t)family;
    CHECK_INT(whole(&q), 1);
  }
  CHECK_INT(preset("one.test:80:192.0.2.9,[2001:db8::6]", 1000), CURLE_OK);
  CHECK_INT(cached("one.test", 0, 1000), 9);
  CHECK_INT(cached("one.test", 4, 1000), 9);
  CHECK_INT(cached("one.test", 6, 1000), 6);
  q.max_age_us = 0; /* "do not use the cache" is not for these */
  CHECK_INT(whole(&q), 6);
  end();
}

/* A lookup that was under way when the line came does not hide it. */
TEST(preset_during_a_lookup)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter w;
  begin();
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK_INT(preset("wait.test:80:192.0.2.9", 1000), CURLE_OK);
  open_gate(true);
  CHECK(until_notified(&w, 1000));
  drop(&w);
  CHECK_INT(cached("wait.test", 0, 1000), 9);
  end();
}

TEST(plus_grows_old)
{
  struct mote_name_query q = query("one.test", 1000 + 60 * MOTE_SECOND);
  begin();
  CHECK_INT(preset("+one.test:80:192.0.2.9", 1000), CURLE_OK);
  CHECK_INT(cached("one.test", 0, q.now - 1), 9);
  CHECK_INT(cached("one.test", 4, q.now - 1), 9);
  CHECK_INT(cached("one.test", 6, q.now - 1), -1);
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 1);
  end();
}

TEST(star_stands_for_every_name)
{
  begin();
  CHECK_INT(preset("*:80:192.0.2.9", 1000), CURLE_OK);
  CHECK_INT(preset("a.test:80:192.0.2.8", 1000), CURLE_OK);
  CHECK_INT(cached("a.test", 0, 1000), 8);
  CHECK_INT(cached("b.test", 0, 1000), 9);
  CHECK_INT(cached("localhost", 4, 1000), 9);
  CHECK_INT(preset("-*:80", 1000), CURLE_OK);
  CHECK_INT(cached("b.test", 0, 1000), -2);
  CHECK_INT(cached("a.test", 0, 1000), 8);
  end();
}

/* CURLOPT_IPRESOLVE restricts what a line gives. */
TEST(families_of_a_line)
{
  struct mote_name_query q = query("a.test", 1000);
  struct waiter w;
  begin();
  CHECK_INT(preset("a.test:80:[2001:db8::6],192.0.2.4,[2001:db8::7]", 1000), CURLE_OK);
  CHECK_INT(ask(&q, &w), CURLE_OK);
  CHECK(w.answer && w.answer->count == 3 && w.answer->addrs[0].family == MOTE_FAMILY_IP6);
  drop(&w);
  q.family = 4;
  CHECK_INT(ask(&q, &w), CURLE_OK);
  CHECK(w.answer && w.answer->count == 1 && w.answer->addrs[0].ip[3] == 4);
  drop(&w);
  q.family = 6;
  CHECK_INT(ask(&q, &w), CURLE_OK);
  CHECK(w.answer && w.answer->count == 2 && w.answer->addrs[1].ip[15] == 7);
  drop(&w);
  CHECK_INT(preset("a.test:80:192.0.2.4", 1000), CURLE_OK);
  CHECK_INT(ask(&q, &w), CURLE_OK);
  CHECK(w.answer && w.answer->count == 0);
  drop(&w);
  CHECK_INT(started(), 0);
  end();
}

/* ---- shares ---- */

TEST(copies_for_shares)
{
  struct mote_name_query q = query("one.test", 1000);
  struct mote_names shared;
  struct mote_account other = {0};
  struct mote_answer *copy;
  struct waiter w;
  begin();
  mote_names_init(&shared, &other);
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK(until_notified(&w, 1000));
  CHECK_INT(mote_names_keep(&shared, w.answer, 1000), CURLE_OK);
  CHECK_INT(mote_names_keep(&shared, w.answer, 2000), CURLE_OK);
  CHECK_INT(shared.count, 1);
  drop(&w);
  q.now = 2000 + 60 * MOTE_SECOND - 1;
  copy = mote_answer_copy(&account, mote_names_find(&shared, &q));
  CHECK(copy && copy->account == &account && copy->count == 1 && copy->port == 80);
  mote_answer_unref(copy);
  CHECK_INT(mote_names_preset(&shared, "one.test:80:192.0.2.9", 1000, NULL), CURLE_OK);
  CHECK_INT(ask(&q, &w), CURLE_AGAIN); /* the own one is too old by now */
  CHECK(until_notified(&w, q.now));
  CHECK_INT(mote_names_keep(&shared, w.answer, q.now), CURLE_OK);
  drop(&w);
  CHECK_INT(mote_names_find(&shared, &q)->addrs[0].ip[3], 9);
  mote_names_close(&shared);
  CHECK_ACCOUNT(&other);
  end();
}

/* Its answer is in the share's cache, which another line may take away. */
TEST(a_shared_query_uses_no_other_cache)
{
  struct mote_name_query q = query("one.test", 1000);
  begin();
  CHECK_INT(whole(&q), 1);
  q.shared = true;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 2);
  CHECK_INT(preset("one.test:80:192.0.2.9", 1000), CURLE_OK);
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 3);
  q = query("two.test", 1000);
  q.shared = true;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(cached("two.test", 0, 1000), -2);
  end();
}

TEST(an_answer_outlives_the_cache)
{
  struct mote_name_query q = query("a.test", 1000);
  struct waiter w;
  begin();
  CHECK_INT(preset("a.test:80:192.0.2.9", 1000), CURLE_OK);
  CHECK_INT(ask(&q, &w), CURLE_OK);
  CHECK_INT(preset("-a.test:80", 1000), CURLE_OK);
  mote_names_close(&names);
  CHECK(w.answer && w.answer->addrs[0].ip[3] == 9);
  drop(&w);
  end();
}

/* ---- memory runs out ---- */

static void scenario(void)
{
  struct mote_name_query q = query("one.test", 1000);
  struct waiter w;
  CURLcode rc;
  int fds = fds_open();
  begin();
  rc = preset("a.test:80:192.0.2.9,[2001:db8::6]", 1000);
  CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed && !names.count));
  rc = ask(&q, &w);
  CHECK(rc == CURLE_AGAIN || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  if(rc == CURLE_AGAIN && CHECK(until_notified(&w, 1000)))
    CHECK(w.rc ? w.rc == CURLE_OUT_OF_MEMORY && test_mem.failed : w.answer != NULL);
  drop(&w);
  q = query("none.test", 1000);
  rc = ask(&q, &w);
  CHECK(rc == CURLE_AGAIN || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  if(rc == CURLE_AGAIN && CHECK(until_notified(&w, 1000)))
    CHECK_INT(w.rc, CURLE_COULDNT_RESOLVE_HOST);
  drop(&w);
  q = query("localhost", 1000);
  rc = ask(&q, &w);
  CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  drop(&w);
  end();
  CHECK_INT(fds_open(), fds);
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(preset_and_removed);
  TEST_RUN(removal_takes_looked_up_answers_too);
  TEST_RUN(preset_goes_before_what_was_looked_up);
  TEST_RUN(preset_during_a_lookup);
  TEST_RUN(plus_grows_old);
  TEST_RUN(star_stands_for_every_name);
  TEST_RUN(families_of_a_line);
  TEST_RUN(copies_for_shares);
  TEST_RUN(a_shared_query_uses_no_other_cache);
  TEST_RUN(an_answer_outlives_the_cache);
  TEST_RUN(survives);
  return test_end();
}
