/* Deadlines with owners: order, and owners that set and cancel deadlines while due ones are called. */
#include "net/timers.h"
#include "base/containers/list.h"
#include "test.h"

enum { MANY = 10000, MOST_CALLS = 20000 };

struct owner {
  struct mote_timer_node timer;
  struct owner *cancels; /* or NULL */
  struct owner *sets;    /* or NULL */
  mote_time at;          /* for `sets` */
  unsigned calls;
};

static struct mote_timers timers;
static struct owner *called[MOST_CALLS];
static unsigned calls;

static void due(struct mote_timer_node *n, mote_time now)
{
  struct owner *o = mote_container_of(n, struct owner, timer);
  CHECK(!mote_timers_has(&timers, n));
  CHECK(n->node.key <= now);
  if(!CHECK(calls < MOST_CALLS))
    return;
  called[calls++] = o;
  o->calls++;
  if(o->cancels)
    mote_timers_cancel(&timers, &o->cancels->timer);
  if(o->sets)
    mote_timers_set(&timers, &o->sets->timer, o->at);
}

static void start(struct owner *o, unsigned n)
{
  unsigned i;
  memset(o, 0, n * sizeof *o);
  for(i = 0; i < n; i++)
    o[i].timer.due = due;
  timers = (struct mote_timers){{NULL}};
  calls = 0;
}

/* The deadlines of the owners are 1, 2, 3 and so on. */
static void start_in_order(struct owner *o, unsigned n)
{
  unsigned i;
  start(o, n);
  for(i = 0; i < n; i++)
    mote_timers_set(&timers, &o[i].timer, 1 + i);
}

TEST(empty_has_no_deadline)
{
  struct owner o[1];
  start(o, 1);
  CHECK_INT(mote_timers_next(&timers), 0);
  mote_timers_run(&timers, INT64_MAX);
  mote_timers_cancel(&timers, &o[0].timer);
  CHECK_INT(calls, 0);
}

TEST(calls_in_order_what_is_due)
{
  struct owner o[4];
  start(o, 4);
  mote_timers_set(&timers, &o[0].timer, 30);
  mote_timers_set(&timers, &o[1].timer, 10);
  mote_timers_set(&timers, &o[2].timer, 20);
  mote_timers_set(&timers, &o[3].timer, 21);
  CHECK_INT(mote_timers_next(&timers), 10);
  mote_timers_run(&timers, 9);
  CHECK_INT(calls, 0);
  mote_timers_run(&timers, 20);
  CHECK_INT(calls, 2);
  CHECK(called[0] == &o[1] && called[1] == &o[2]);
  CHECK_INT(mote_timers_next(&timers), 21);
  mote_timers_run(&timers, 20);
  CHECK_INT(calls, 2);
  mote_timers_run(&timers, 30);
  CHECK(calls == 4 && called[2] == &o[3] && called[3] == &o[0]);
  CHECK_INT(mote_timers_next(&timers), 0);
}

TEST(moves_in_both_directions)
{
  struct owner o[2];
  start(o, 2);
  mote_timers_set(&timers, &o[0].timer, 10);
  mote_timers_set(&timers, &o[1].timer, 20);
  mote_timers_set(&timers, &o[0].timer, 30);
  CHECK_INT(mote_timers_next(&timers), 20);
  mote_timers_set(&timers, &o[0].timer, 5);
  CHECK_INT(mote_timers_next(&timers), 5);
  mote_timers_run(&timers, 20);
  CHECK(calls == 2 && called[0] == &o[0]);
}

TEST(equal_times_are_all_called)
{
  struct owner o[7];
  unsigned i;
  start(o, 7);
  for(i = 0; i < 7; i++)
    mote_timers_set(&timers, &o[i].timer, 10);
  mote_timers_run(&timers, 10);
  CHECK_INT(calls, 7);
  for(i = 0; i < 7; i++)
    CHECK_INT(o[i].calls, 1);
}

TEST(cancelled_once_or_twice_is_not_called)
{
  struct owner o[2];
  start(o, 2);
  mote_timers_set(&timers, &o[0].timer, 10);
  mote_timers_set(&timers, &o[1].timer, 10);
  mote_timers_cancel(&timers, &o[0].timer);
  mote_timers_cancel(&timers, &o[0].timer);
  mote_timers_run(&timers, 10);
  CHECK(calls == 1 && called[0] == &o[1]);
}

TEST(owner_cancels_another_that_is_due)
{
  struct owner o[3];
  start_in_order(o, 3);
  o[0].cancels = &o[1];
  o[2].cancels = &o[2];
  mote_timers_run(&timers, 10);
  CHECK(calls == 2 && called[0] == &o[0] && called[1] == &o[2]);
  CHECK_INT(mote_timers_next(&timers), 0);
}

TEST(owner_moves_another_that_is_due)
{
  struct owner o[3];
  start_in_order(o, 3);
  o[0].sets = &o[1];
  o[0].at = 11;
  mote_timers_run(&timers, 10);
  CHECK(calls == 2 && called[1] == &o[2]);
  CHECK_INT(mote_timers_next(&timers), 11);
  mote_timers_run(&timers, 11);
  CHECK(calls == 3 && called[2] == &o[1]);
}

/* A deadline that has passed is for the next run, or this one would never end. */
TEST(owner_sets_itself_again)
{
  struct owner o[2];
  start(o, 2);
  o[0].sets = &o[0];
  o[0].at = 5;
  mote_timers_set(&timers, &o[0].timer, 1);
  mote_timers_set(&timers, &o[1].timer, 6);
  mote_timers_run(&timers, 10);
  CHECK_INT(o[0].calls, 1);
  CHECK_INT(o[1].calls, 1);
  CHECK_INT(mote_timers_next(&timers), 5);
  o[0].at = 100;
  mote_timers_run(&timers, 10);
  CHECK_INT(o[0].calls, 2);
  CHECK_INT(mote_timers_next(&timers), 100);
}

TEST(ten_thousand)
{
  static struct owner o[MANY];
  mote_time last = 0;
  unsigned i;
  start(o, MANY);
  for(i = 0; i < MANY; i++)
    mote_timers_set(&timers, &o[i].timer, 1 + (mote_time)(test_random() % 5000));
  for(i = 0; i < MANY; i += 2)
    mote_timers_set(&timers, &o[i].timer, 1 + (mote_time)(test_random() % 5000));
  for(i = 0; i < MANY; i += 10)
    mote_timers_cancel(&timers, &o[i].timer);
  for(i = 500; i <= 5000; i += 500)
    while(mote_timers_due(&timers, i))
      mote_timers_run(&timers, i);
  CHECK_INT(calls, MANY - MANY / 10);
  for(i = 0; i < calls; i++) {
    CHECK(called[i]->timer.node.key >= last);
    last = called[i]->timer.node.key;
  }
  CHECK_INT(mote_timers_next(&timers), 0);
}

/* However many are due at one moment, a run is over soon. */
TEST(a_run_calls_so_many)
{
  static struct owner o[MANY];
  unsigned i;
  start(o, MANY);
  for(i = 0; i < MANY; i++)
    mote_timers_set(&timers, &o[i].timer, 7);
  mote_timers_run(&timers, 8);
  CHECK_INT(calls, MOTE_TIMERS_PER_RUN);
  CHECK_INT(mote_timers_next(&timers), 7);
  for(i = 1; i < MANY / MOTE_TIMERS_PER_RUN; i++)
    mote_timers_run(&timers, 8);
  CHECK_INT(calls, MANY);
  CHECK_INT(mote_timers_next(&timers), 0);
}

int main(void)
{
  TEST_RUN(empty_has_no_deadline);
  TEST_RUN(calls_in_order_what_is_due);
  TEST_RUN(moves_in_both_directions);
  TEST_RUN(equal_times_are_all_called);
  TEST_RUN(cancelled_once_or_twice_is_not_called);
  TEST_RUN(owner_cancels_another_that_is_due);
  TEST_RUN(owner_moves_another_that_is_due);
  TEST_RUN(owner_sets_itself_again);
  TEST_RUN(ten_thousand);
  TEST_RUN(a_run_calls_so_many);
  return test_end();
}
