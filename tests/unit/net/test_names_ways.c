/* tests/unit/net/test_names_ways.c: lookups in another way than a thread (net/names/lookup.h), and answers
 * that say how long they hold. Needs accounts, posix. */
#include "lookups.h"

#include "net/names/lookup.h"

/* A way whose jobs the test ends. Its asker is a number, and jobs serve askers of the same tens. */
struct slow_job {
  struct mote_job job;
  bool done;
  int asker;
};

static struct slow_job *last;  /* the job made last, or NULL */
static int made, released;

static struct mote_job *make(const struct mote_name_query *q)
{
  struct slow_job *s = mote_mem_zalloc(&account, MOTE_PART_NAME, sizeof *s);
  if(!s)
    return NULL;
  s->job.way = q->way;
  s->job.name = q->name;
  s->job.name_len = q->name_len;
  s->job.family = q->family;
  s->asker = *(int *)q->asker;
  last = s;
  made++;
  return &s->job;
}

static int start(struct mote_job *j)
{
  return !strncmp(j->name, "fails", 5) ? ENOMEM : 0;
}

static bool done(struct mote_job *j)
{
  return ((struct slow_job *)j)->done;
}

static void release(struct mote_job *j)
{
  if((struct slow_job *)j == last)
    last = NULL;
  mote_mem_free(&account, MOTE_PART_NAME, j, sizeof(struct slow_job));
  released++;
}

static bool serves(const struct mote_job *j, const struct mote_name_query *q)
{
  return ((const struct slow_job *)j)->asker / 10 == *(int *)q->asker / 10;
}

static void adopt(struct mote_job *j, void *asker)
{
  ((struct slow_job *)j)->asker = *(int *)asker;
}

static const struct mote_lookup_way slow = {
  .name = "slow", .option = 1, .make = make, .start = start, .done = done, .release = release,
  .serves = serves, .adopt = adopt,
};

static struct mote_name_query slowly(const char *name, int *asker)
{
  struct mote_name_query q = query(name, 1000);
  q.way = &slow;
  q.asker = asker;
  return q;
}

static void answer(uint32_t ttl)
{
  last->job.count = 1;
  make_addr(&last->job.found[0], MOTE_FAMILY_IP4, 5);
  last->job.ttl = ttl;
  last->done = true;
}

static void fresh(void)
{
  begin();
  made = released = 0;
}

TEST(waiters_join_a_job_that_serves_them)
{
  int eleven = 11, twelve = 12, twenty = 20;
  struct mote_name_query q = slowly("a.test", &eleven), r = slowly("A.test", &twelve);
  struct mote_name_query s = slowly("a.test", &twenty);
  struct mote_name_query thread = query("a.test", 1000);
  struct waiter w[4];
  fresh();
  CHECK_INT(ask(&q, &w[0]), CURLE_AGAIN);
  CHECK_INT(ask(&r, &w[1]), CURLE_AGAIN);
  CHECK_INT(made, 1);
  answer(MOTE_LOOKUP_NO_TTL);
  mote_names_collect(&names, 1000);
  CHECK_INT(w[0].notified + w[1].notified, 2);
  CHECK_INT(w[1].answer->addrs[0].ip[3], 5);
  CHECK_INT(released, 1);
  mote_names_prune(&names, 0, -1);
  CHECK_INT(ask(&q, &w[2]), CURLE_AGAIN);
  CHECK_INT(ask(&s, &w[3]), CURLE_AGAIN);
  CHECK_INT(made, 3);
  CHECK_INT(names.running, 0); /* none is a thread */
  mote_names_leave(&names, &w[2].wait);
  mote_names_leave(&names, &w[3].wait);
  CHECK_INT(whole(&thread), 1);
  drop(&w[0]);
  drop(&w[1]);
  end();
}

TEST(the_last_waiter_ends_it)
{
  int eleven = 11;
  struct mote_name_query q = slowly("a.test", &eleven);
  struct waiter w;
  fresh();
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK(mote_names_busy(&names));
  mote_names_leave(&names, &w.wait);
  mote_names_leave(&names, &w.wait); /* does nothing */
  CHECK(!mote_names_busy(&names));
  CHECK_INT(released, 1);
  end();
}

TEST(another_waiter_adopts_it)
{
  int eleven = 11, twelve = 12, thirteen = 13, fourteen = 14;
  struct mote_name_query q[3] = {
    slowly("a.test", &eleven), slowly("a.test", &twelve), slowly("a.test", &thirteen),
  };
  struct waiter w[3];
  fresh();
  CHECK_INT(ask(&q[0], &w[0]), CURLE_AGAIN);
  CHECK_INT(ask(&q[1], &w[1]), CURLE_AGAIN);
  CHECK_INT(ask(&q[2], &w[2]), CURLE_AGAIN);
  CHECK_INT(last->asker, 11);
  mote_names_leave(&names, &w[0].wait);
  CHECK_INT(last->asker, 12);
  mote_names_leave(&names, &w[2].wait);
  CHECK_INT(last->asker, 12);
  mote_names_hand_over(&w[1].wait, &fourteen);
  CHECK_INT(last->asker, 14);
  CHECK_INT(released, 0);
  mote_names_leave(&names, &w[1].wait);
  CHECK_INT(released, 1);
  mote_names_hand_over(&w[1].wait, &eleven); /* it does not wait */
  end();
}

TEST(a_job_that_cannot_start)
{
  int eleven = 11;
  struct mote_name_query q = slowly("fails.test", &eleven);
  struct waiter w;
  fresh();
  CHECK_INT(ask(&q, &w), CURLE_OUT_OF_MEMORY);
  CHECK(!mote_names_busy(&names));
  CHECK_INT(released, 1);
  end();
}

/* Returns how many lookups an answer with this TTL has needed `us` microseconds later. */
static int lookups_after(uint32_t ttl, int64_t us, int64_t max_age_us)
{
  int eleven = 11;
  struct mote_name_query q = slowly("a.test", &eleven);
  struct waiter w;
  fresh();
  q.max_age_us = max_age_us;
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  answer(ttl);
  mote_names_collect(&names, 1000);
  drop(&w);
  q.now += us;
  if(ask(&q, &w) == CURLE_AGAIN)
    mote_names_leave(&names, &w.wait);
  drop(&w);
  end();
  return made;
}

TEST(an_answer_holds_for_its_ttl)
{
  const int64_t minute = 60 * MOTE_SECOND;
  CHECK_INT(lookups_after(5, 5 * MOTE_SECOND - 1, minute), 1);
  CHECK_INT(lookups_after(5, 5 * MOTE_SECOND, minute), 2);
  CHECK_INT(lookups_after(0, 0, minute), 2);
  CHECK_INT(lookups_after(100, minute - 1, minute), 1);
  CHECK_INT(lookups_after(100, minute, minute), 2);
  CHECK_INT(lookups_after(MOTE_LOOKUP_NO_TTL, minute - 1, minute), 1);
  CHECK_INT(lookups_after(5, 3 * minute, -1), 1);       /* the application asks for ever */
  CHECK_INT(lookups_after(1000000, 60000 * MOTE_SECOND, 70000 * MOTE_SECOND), 1);
  CHECK_INT(lookups_after(5, 5 * MOTE_SECOND, 1000 * minute), 2);
}

TEST(a_short_ttl_after_a_long_one)
{
  int eleven = 11;
  struct mote_name_query q[2] = {slowly("long.test", &eleven), slowly("short.test", &eleven)};
  struct waiter w;
  int i;
  fresh();
  for(i = 0; i < 2; i++) {
    CHECK_INT(ask(&q[i], &w), CURLE_AGAIN);
    answer(i ? 5 : 100);
    mote_names_collect(&names, 1000);
    drop(&w);
  }
  CHECK_INT(cached("short.test", 0, 1000 + 5 * MOTE_SECOND - 1), 5);
  CHECK_INT(cached("short.test", 0, 1000 + 5 * MOTE_SECOND), -2);
  CHECK_INT(cached("long.test", 0, 1000 + 5 * MOTE_SECOND), 5);
  end();
}

/* Asks, and gives the answer with this TTL to another cache, too. */
static void keep_twice(struct mote_names *other, const struct mote_name_query *q, struct waiter *w,
                       uint32_t ttl)
{
  fresh();
  mote_names_init(other, &account);
  CHECK_INT(ask(q, w), CURLE_AGAIN);
  answer(ttl);
  mote_names_collect(&names, 1000);
  CHECK_INT(mote_names_keep(other, w->answer, 1000), CURLE_OK);
}

TEST(copies_hold_as_long)
{
  int eleven = 11;
  struct mote_name_query q = slowly("a.test", &eleven);
  struct mote_names other;
  struct waiter w;
  keep_twice(&other, &q, &w, 5);
  q.now += 5 * MOTE_SECOND;
  CHECK(!mote_names_find(&other, &q));
  drop(&w);
  mote_names_close(&other);
  end();
}

/* A TTL of zero is not one that is unknown. */
TEST(an_answer_that_passes_is_not_kept)
{
  int eleven = 11;
  struct mote_name_query q = slowly("a.test", &eleven);
  struct mote_names other;
  struct waiter w;
  keep_twice(&other, &q, &w, 0);
  CHECK(w.answer && w.answer->passing);
  CHECK(!mote_names_find(&other, &q) && !mote_names_find(&names, &q));
  drop(&w);
  mote_names_close(&other);
  end();
}

int main(void)
{
  TEST_RUN(waiters_join_a_job_that_serves_them);
  TEST_RUN(the_last_waiter_ends_it);
  TEST_RUN(another_waiter_adopts_it);
  TEST_RUN(a_job_that_cannot_start);
  TEST_RUN(an_answer_holds_for_its_ttl);
  TEST_RUN(a_short_ttl_after_a_long_one);
  TEST_RUN(copies_hold_as_long);
  TEST_RUN(an_answer_that_passes_is_not_kept);
  return test_end();
}
