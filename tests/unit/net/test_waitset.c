/* tests/unit/net/test_waitset.c: waiting for few and for many, descriptors that come and go meanwhile.
 * Needs accounts, posix. */
#include "net/watches.h"

/* ---- few and many ---- */

TEST(empty)
{
  begin(0, 0);
  CHECK_INT(waited(0), 0);
  CHECK_INT(waited(5), 0);
  CHECK_INT(account.calls, 0);
  CHECK(set.polled);
  end();
}

TEST(few_are_polled)
{
  begin(MOTE_WAIT_SMALL, MOTE_WANT_IN);
  CHECK_INT(waited(0), 0);
  poke(3);
  poke(5);
  CHECK_INT(waited(1000), 2);
  CHECK_INT(items[3].fired, 1);
  CHECK_INT(items[3].events, MOTE_WANT_IN);
  CHECK_INT(items[5].fired, 1);
  CHECK_INT(all_fired(), 2);
  CHECK_INT(set.kernel, CURL_SOCKET_BAD);
  CHECK_INT(account.calls, 0);
  CHECK_INT(mote_watch_want(&set, &items[3].watch, 0), CURLE_OK);
  CHECK_INT(waited(0), 1);
  CHECK_INT(mote_watch_want(&set, &items[3].watch, MOTE_WANT_OUT), CURLE_OK);
  CHECK_INT(waited(0), 2);
  CHECK_INT(items[3].events, MOTE_WANT_OUT);
  CHECK_INT(mote_watch_want(&set, &items[3].watch, MOTE_WANT_IN | MOTE_WANT_OUT), CURLE_OK);
  CHECK_INT(waited(0), 2);
  CHECK_INT(items[3].events, MOTE_WANT_IN | MOTE_WANT_OUT);
  end();
}

TEST(many_are_in_the_kernel)
{
  begin(20, MOTE_WANT_IN);
  CHECK_INT(waited(0), 0);
  CHECK_INT(set.kernel != CURL_SOCKET_BAD, HAS_SETS);
  poke(3);
  poke(15);
  CHECK_INT(waited(1000), 2);
  CHECK_INT(items[3].fired, 1);
  CHECK_INT(items[15].fired, 1);
  CHECK_INT(all_fired(), 2);
  CHECK_INT(mote_watch_want(&set, &items[3].watch, 0), CURLE_OK);
  CHECK_INT(mote_watch_want(&set, &items[4].watch, MOTE_WANT_OUT), CURLE_OK);
  CHECK_INT(waited(0), 2);
  CHECK_INT(items[3].fired, 1);
  CHECK_INT(items[4].events, MOTE_WANT_OUT);
  end();
}

TEST(the_kernel_set_stays_and_new_ones_join_it)
{
  int i, fd[2];
  begin(MOTE_WAIT_SMALL + 1, MOTE_WANT_IN);
  CHECK_INT(waited(0), 0);
  CHECK_INT(set.kernel != CURL_SOCKET_BAD, HAS_SETS);
  for(i = 0; i < MOTE_WAIT_SMALL; i++)
    drop(&items[i]);
  fds_pair(fd);
  items[0].other = fd[1];
  mote_watch_add(&set, &items[0].watch, fd[0]);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN), CURLE_OK);
  poke(0);
  poke(MOTE_WAIT_SMALL);
  CHECK_INT(waited(1000), 2);
  CHECK_INT(items[0].fired, 1);
  CHECK_INT(items[MOTE_WAIT_SMALL].fired, 1);
  end();
}

/* A number that the system gives out again is a new descriptor. */
TEST(descriptor_numbers_come_back)
{
  int i, fd[2];
  begin(20, MOTE_WANT_IN);
  CHECK_INT(waited(0), 0);
  for(i = 0; i < 30; i++) {
    drop(&items[7]);
    fds_pair(fd);
    items[7].other = fd[1];
    items[7].fired = 0;
    mote_watch_add(&set, &items[7].watch, fd[0]);
    CHECK_INT(mote_watch_want(&set, &items[7].watch, i % 2 ? MOTE_WANT_IN : MOTE_WANT_OUT), CURLE_OK);
    if(i % 2)
      poke(7);
    CHECK_INT(waited(0), 1);
    CHECK_INT(items[7].fired, 1);
    CHECK(mote_watch_find(&set, fd[0]) == &items[7].watch);
  }
  CHECK(!mote_watch_find(&set, 100000));
  CHECK(!mote_watch_find(&set, CURL_SOCKET_BAD));
  end();
}

TEST(more_are_ready_than_one_call_takes)
{
  int i;
  begin(MANY, MOTE_WANT_OUT);
  CHECK_INT(waited(1000), MANY);
  for(i = 0; i < MANY; i++)
    CHECK(items[i].fired > 0);
  CHECK_INT(all_fired(), MANY);
  end();
}

TEST(hang_up_and_what_is_not_open)
{
  int count;
  for(count = 2; count <= 20; count += 18) {
    begin(count, MOTE_WANT_IN);
    CHECK_INT(waited(0), 0);
    close(items[0].other);
    items[0].other = 0;
    CHECK_INT(waited(1000), 1);
    CHECK_INT(items[0].fired, 1);
    CHECK_INT(items[0].events, MOTE_WANT_IN);
    CHECK(items[0].watch.error);
    if(count == 2) {
      close(items[1].watch.fd); /* the application's mistake: poll reports it, the kernel set forgets it */
      CHECK_INT(waited(0), 2);
      CHECK(items[1].watch.error);
      items[1].watch.fd = CURL_SOCKET_BAD; /* so that end() does not close it twice */
      mote_hash_remove(&set.by_fd, &items[1].watch.node);
    }
    end();
  }
}

TEST(removed_by_the_ready_of_another)
{
  int count;
  for(count = 2; count <= 20; count += 18) {
    begin(count, MOTE_WANT_OUT);
    victim = &items[0].watch; /* the first to be ready takes the other one away */
    CHECK_INT(waited(1000), count - 1);
    CHECK_INT(all_fired(), count - 1);
    end();
  }
}

struct walk {
  int count;
  bool remove;
};

static void visit(struct mote_watch *w, void *arg)
{
  struct walk *x = arg;
  x->count++;
  if(x->remove)
    drop(mote_container_of(w, struct item, watch));
}

TEST(each)
{
  struct walk x = {0, false};
  begin(0, 0);
  mote_waitset_each(&set, visit, &x);
  CHECK_INT(x.count, 0);
  end();
  begin(30, MOTE_WANT_IN);
  CHECK_INT(mote_watch_want(&set, &items[5].watch, 0), CURLE_OK);
  mote_waitset_each(&set, visit, &x);
  CHECK_INT(x.count, 29);
  end();
  begin(10, MOTE_WANT_IN); /* on one chain: each may be taken away while it is visited */
  x = (struct walk){0, true};
  mote_waitset_each(&set, visit, &x);
  CHECK_INT(x.count, 10);
  CHECK_INT(set.by_fd.count, 0);
  mote_waitset_each(&set, visit, &x);
  CHECK_INT(x.count, 10);
  end();
}

/* ---- memory runs out: the hash grows without, chains are longer then ---- */

static void scenario(void)
{
  struct mote_wait wait = {.timeout_ms = 1000, .with_wake = true};
  int i;
  CURLMcode rc;
  begin(MANY / 2, MOTE_WANT_OUT);
  rc = mote_waitset_wait(&set, &wait);
  if(rc) { /* no wake-up: the next wait does without */
    CHECK(rc == CURLM_OUT_OF_MEMORY && test_mem.failed && !set.wakeup);
    (void)waited(1000);
  }
  for(i = 0; i < MANY / 2; i++)
    CHECK(items[i].fired > 0);
  CHECK(mote_watch_find(&set, items[30].watch.fd) == &items[30].watch);
  end();
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(empty);
  TEST_RUN(few_are_polled);
  TEST_RUN(many_are_in_the_kernel);
  TEST_RUN(the_kernel_set_stays_and_new_ones_join_it);
  TEST_RUN(descriptor_numbers_come_back);
  TEST_RUN(more_are_ready_than_one_call_takes);
  TEST_RUN(hang_up_and_what_is_not_open);
  TEST_RUN(removed_by_the_ready_of_another);
  TEST_RUN(each);
  TEST_RUN(survives);
  return test_end();
}
