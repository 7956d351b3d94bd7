/* tests/unit/transfer/test_host_queue.c: transfers that wait for their host. Needs host_limit, share. */
#include "transfer/multi/host_queue.h"

#include "engine/multi.h"
#include "transfer/multi/multi.h"
#include "transfer/multi/schedule.h"
#include "transfer/multi/share.h"

#include "transfer/subject.h"

#define SUBJECTS 6

static struct mote_multi multi;
static struct subject subjects[SUBJECTS];

static struct mote_transfer *transfer(int i)
{
  return &subjects[i].t;
}

static void begin(void)
{
  int i;
  mote_multi_setup(&multi);
  multi.max_host = 1;
  for(i = 0; i < SUBJECTS; i++) {
    subject_begin(&subjects[i], "http");
    transfer(i)->multi = &multi;
    transfer(i)->list = MOTE_LIST_NONE;
    transfer(i)->state = MOTE_STATE_PENDING;
    mote_schedule_move(&multi, transfer(i), MOTE_LIST_READY);
  }
}

static void end(void)
{
  int i;
  for(i = 0; i < SUBJECTS; i++) {
    mote_schedule_move(&multi, transfer(i), MOTE_LIST_NONE);
    subject_end(&subjects[i]);
  }
  mote_multi_close(&multi);
  CHECK_ACCOUNT(&multi.account);
}

static void wait_for(int i, const char *host)
{
  CHECK_INT(mote_schedule_wait_for_host(transfer(i), host), CURLE_OK);
}

/* The transfers that are ready, in their order, as digits. */
static const char *ready(void)
{
  static char text[SUBJECTS + 1];
  const struct mote_list *l;
  char *to = text;
  for(l = multi.lists[MOTE_LIST_READY].next; l != &multi.lists[MOTE_LIST_READY]; l = l->next)
    *to++ = (char)('0' + (mote_container_of(l, const struct subject, t.link) - subjects));
  *to = 0;
  return text;
}

static int lists(void)
{
  const struct mote_list *l = NULL;
  int n = 0;
  while((l = mote_host_queue_next(&multi, l)) != NULL)
    n++;
  return n;
}

/* Each free connection woke all transfers that waited, for whichever host. */
TEST(first_of_its_host_is_woken_and_no_other)
{
  begin();
  wait_for(0, "a:80");
  wait_for(1, "b:80");
  wait_for(2, "a:80");
  wait_for(3, "b:80");
  CHECK_STR(ready(), "45");
  CHECK_INT(multi.running, SUBJECTS);
  mote_schedule_wake_host(&multi, "b:80");
  CHECK_STR(ready(), "145");
  CHECK(transfer(1)->host_turn && !transfer(3)->host_turn);
  mote_schedule_wake_host(&multi, "a:80");
  CHECK_STR(ready(), "0145");
  mote_schedule_wake_host(&multi, "a:8");
  mote_schedule_wake_queued(&multi);
  CHECK_STR(ready(), "0145");
  end();
}

TEST(list_goes_with_its_last_transfer)
{
  begin();
  wait_for(0, "a:80");
  wait_for(1, "b:80");
  CHECK_INT(lists(), 2);
  mote_schedule_wake_host(&multi, "a:80");
  CHECK_INT(lists(), 1);
  mote_schedule_move(&multi, transfer(1), MOTE_LIST_NONE); /* it is removed from its multi */
  mote_schedule_wake_host(&multi, "b:80");
  CHECK_INT(lists(), 0);
  CHECK_STR(ready(), "02345");
  end();
}

/* It has ended before it had a connection: without this the others would wait for ever. */
TEST(turn_of_one_that_ends_is_passed_on)
{
  begin();
  wait_for(0, "a:80");
  wait_for(1, "a:80");
  wait_for(2, "b:80");
  mote_schedule_leave_host(transfer(3));
  CHECK_STR(ready(), "345");
  mote_schedule_wake_host(&multi, "a:80");
  mote_schedule_leave_host(transfer(0));
  CHECK_STR(ready(), "034512");
  CHECK(!transfer(0)->host_turn);
  end();
}

TEST(one_that_waits_again_is_the_last)
{
  begin();
  wait_for(0, "a:80");
  wait_for(1, "a:80");
  mote_schedule_wake_host(&multi, "a:80");
  wait_for(0, "a:80");
  CHECK(!transfer(0)->host_turn);
  mote_schedule_wake_host(&multi, "a:80");
  CHECK_STR(ready(), "12345");
  end();
}

/* Each new one took the connection for which it was woken, so that it waited for ever. */
TEST(one_that_is_woken_comes_before_new_ones)
{
  begin();
  mote_schedule_move(&multi, transfer(5), MOTE_LIST_QUEUED);
  mote_schedule_move(&multi, transfer(4), MOTE_LIST_QUEUED);
  wait_for(2, "a:80");
  mote_schedule_wake_host(&multi, "a:80");
  CHECK_STR(ready(), "2013");
  mote_schedule_wake_queued(&multi);
  CHECK_STR(ready(), "52013");
  end();
}

TEST(those_that_are_woken_keep_their_order)
{
  int i;
  begin();
  for(i = 0; i < SUBJECTS; i++)
    transfer(i)->xfer_id = i;
  mote_schedule_move(&multi, transfer(0), MOTE_LIST_QUEUED);
  mote_schedule_move(&multi, transfer(1), MOTE_LIST_QUEUED);
  mote_schedule_wake_queued(&multi);
  mote_schedule_wake_queued(&multi);
  CHECK_STR(ready(), "012345");
  for(i = 1; i < SUBJECTS; i++)
    mote_schedule_move(&multi, transfer(i), MOTE_LIST_QUEUED);
  mote_schedule_wake_queued(&multi);
  CHECK_STR(ready(), "01");
  end();
}

/* An idle connection gives way to the next in the queue, which nothing else wakes. */
TEST(turn_of_the_queue_is_passed_on_when_connections_are_idle)
{
  begin();
  multi.max_total = 2;
  multi.pool.count = 2;
  mote_schedule_move(&multi, transfer(5), MOTE_LIST_QUEUED);
  wait_for(0, "a:80");
  CHECK_STR(ready(), "1234");
  multi.pool.idle_count = 1;
  wait_for(1, "a:80");
  CHECK_STR(ready(), "5234");
  multi.pool.count = 0;
  multi.pool.idle_count = 0;
  end();
}

static void look_again(void)
{
  struct mote_transfer *t = mote_container_of(multi.lists[MOTE_LIST_READY].next, struct mote_transfer, link);
  mote_schedule_queue(t);
}

/* It waited as the last, again and again. Room on a connection may suit the next one, however. */
TEST(place_in_the_queue_is_kept)
{
  int i;
  begin();
  for(i = 0; i < SUBJECTS; i++)
    transfer(i)->xfer_id = i;
  for(i = 0; i < SUBJECTS; i++)
    look_again();
  mote_schedule_wake_queued(&multi);
  CHECK_STR(ready(), "0");
  look_again();
  mote_schedule_offer_queued(&multi);
  CHECK_STR(ready(), "0");
  look_again();
  mote_schedule_wake_queued(&multi);
  CHECK_STR(ready(), "1");
  look_again();
  mote_schedule_wake_all_queued(&multi);
  CHECK_STR(ready(), "123450");
  end();
}

TEST(one_that_ends_without_a_slot_wakes_none)
{
  begin();
  multi.max_total = 1;
  multi.pool.count = 1;
  mote_schedule_move(&multi, transfer(5), MOTE_LIST_QUEUED);
  mote_schedule_pass_on(&multi, false);
  CHECK_STR(ready(), "01234");
  mote_schedule_pass_on(&multi, true);
  CHECK_STR(ready(), "501234");
  mote_schedule_move(&multi, transfer(5), MOTE_LIST_QUEUED);
  multi.pool.count = 0;
  mote_schedule_pass_on(&multi, false);
  CHECK_STR(ready(), "501234");
  end();
}

TEST(all_are_woken)
{
  begin();
  wait_for(0, "a:80");
  wait_for(1, "b:80");
  wait_for(2, "a:80");
  mote_host_queue_wake_all(&multi);
  CHECK_STR(ready(), "345021");
  CHECK_INT(lists(), 0);
  end();
}

static struct mote_pool shared;
static struct mote_share share = {.pool = &shared};

static void share_connections(int i, bool two_pools)
{
  transfer(i)->share = &share;
  transfer(i)->run->lease.two_pools = two_pools;
}

/* All were woken, as what is free may not suit the first one. */
TEST(first_that_waits_for_each_pool_is_woken)
{
  begin();
  share_connections(1, false);
  share_connections(3, true);
  share_connections(4, false);
  wait_for(0, "a:80");
  wait_for(1, "a:80");
  wait_for(2, "a:80");
  wait_for(3, "a:80");
  wait_for(4, "a:80");
  mote_schedule_wake_host(&multi, "a:80");
  CHECK_STR(ready(), "5013");
  CHECK(transfer(3)->host_turn && !transfer(4)->host_turn);
  mote_schedule_wake_host(&multi, "a:80");
  CHECK_STR(ready(), "501324");
  end();
}

/* They wait in the queue of all. */
TEST(first_in_the_queue_for_each_pool_is_woken)
{
  int i;
  begin();
  share_connections(1, false);
  share_connections(2, false);
  share_connections(4, true);
  for(i = 0; i < SUBJECTS; i++) {
    mote_share_queues(transfer(i));
    mote_schedule_move(&multi, transfer(i), MOTE_LIST_QUEUED);
  }
  mote_schedule_wake_queued(&multi);
  CHECK_STR(ready(), "014");
  CHECK(!transfer(0)->host_turn);
  mote_schedule_wake_queued(&multi);
  CHECK_STR(ready(), "01423");
  end();
}

/* Another multi does not say at which host it has left a connection of the share. */
TEST(first_of_each_host_retries_that_waits_for_a_share)
{
  begin();
  share_connections(1, false);
  share_connections(2, false);
  share_connections(3, false);
  transfer(1)->slot_wait = transfer(2)->slot_wait = transfer(3)->slot_wait = true;
  wait_for(0, "own:80");
  wait_for(1, "a:80");
  wait_for(2, "a:80");
  wait_for(3, "b:80");
  mote_multi_look_for_slots(&multi);
  CHECK_STR(ready(), "45");
  atomic_store(&multi.slot_freed, true);
  mote_multi_look_for_slots(&multi);
  mote_multi_look_for_slots(&multi);
  CHECK_STR(ready(), "3145");
  transfer(1)->slot_wait = transfer(2)->slot_wait = transfer(3)->slot_wait = false;
  end();
}

static void scenario(void)
{
  int i;
  begin();
  for(i = 0; i < 4; i++) {
    CURLcode rc = mote_schedule_wait_for_host(transfer(i), i % 2 ? "a:80" : "b:80");
    CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
    CHECK_INT(transfer(i)->list, rc ? MOTE_LIST_READY : MOTE_LIST_QUEUED);
  }
  mote_schedule_wake_host(&multi, "a:80");
  end();
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(first_of_its_host_is_woken_and_no_other);
  TEST_RUN(list_goes_with_its_last_transfer);
  TEST_RUN(turn_of_one_that_ends_is_passed_on);
  TEST_RUN(one_that_waits_again_is_the_last);
  TEST_RUN(one_that_is_woken_comes_before_new_ones);
  TEST_RUN(those_that_are_woken_keep_their_order);
  TEST_RUN(turn_of_the_queue_is_passed_on_when_connections_are_idle);
  TEST_RUN(place_in_the_queue_is_kept);
  TEST_RUN(one_that_ends_without_a_slot_wakes_none);
  TEST_RUN(all_are_woken);
  TEST_RUN(first_that_waits_for_each_pool_is_woken);
  TEST_RUN(first_in_the_queue_for_each_pool_is_woken);
  TEST_RUN(first_of_each_host_retries_that_waits_for_a_share);
  TEST_RUN(survives);
  return test_end();
}
