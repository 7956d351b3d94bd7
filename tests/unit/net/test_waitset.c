/* tests/unit/net/test_waitset.c: the three modes of waiting, waking, and descriptors that come and go
 * meanwhile. Needs accounts. */
#include "net/waitset.h"

#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>

#include "base/list.h"
#include "net/stream.h"
#include "net/wakeup.h"
#include "port/port.h"

#include "fds.h"

#define MANY 100 /* watches: more than one round of kernel events */

struct item {
  struct mote_watch watch;
  int other;       /* the pair's other end */
  int fired;       /* calls of ready */
  unsigned events; /* of the last one */
};

static struct mote_account account;
static struct mote_waitset set;
static struct item items[MANY];
static struct mote_watch *victim; /* removed by the first ready that comes */
static int fds_before;

static void on_ready(struct mote_watch *w, unsigned events)
{
  struct item *i = mote_container_of(w, struct item, watch);
  i->fired++;
  i->events = events;
  if(victim) {
    struct mote_watch *gone = victim == w ? &items[1].watch : victim;
    int fd = gone->fd;
    victim = NULL;
    mote_watch_remove(&set, gone);
    close(fd);
  }
}

static void begin(int count, unsigned want)
{
  int i;
  fds_before = fds_open();
  memset(&account, 0, sizeof account);
  memset(items, 0, sizeof items);
  mote_waitset_init(&set, &account);
  for(i = 0; i < MANY; i++)
    mote_watch_init(&items[i].watch, on_ready);
  for(i = 0; i < count; i++) {
    int fd[2];
    fds_pair(fd);
    items[i].other = fd[1];
    mote_watch_add(&set, &items[i].watch, fd[0]);
    CHECK_INT(mote_watch_want(&set, &items[i].watch, want), CURLE_OK);
  }
}

static void drop(struct item *i)
{
  int fd = i->watch.fd;
  mote_watch_remove(&set, &i->watch);
  if(fd != CURL_SOCKET_BAD)
    close(fd);
  if(i->other)
    close(i->other);
  i->other = 0;
}

static void end(void)
{
  int i;
  for(i = 0; i < MANY; i++)
    drop(&items[i]);
  CHECK_INT(set.by_fd.count, set.wakeup != NULL);
  mote_waitset_close(&set);
  CHECK_ACCOUNT(&account);
  CHECK_INT(fds_open(), fds_before);
}

static void poke(int i)
{
  CHECK_INT(write(items[i].other, "x", 1), 1);
}

/* A wait of a second or more must be ended by something. */
static int wait_for(int timeout_ms, bool with_wake)
{
  mote_time until = mote_port_now() + timeout_ms * MOTE_MS;
  int events = -1;
  CHECK_INT(mote_waitset_wait(&set, NULL, 0, timeout_ms, with_wake, &events), CURLM_OK);
  CHECK(timeout_ms < 1000 || mote_port_now() < until);
  return events;
}

static int waited(int timeout_ms)
{
  return wait_for(timeout_ms, false);
}

static int polled(int timeout_ms)
{
  return wait_for(timeout_ms, true);
}

static int all_fired(void)
{
  int i, n = 0;
  for(i = 0; i < MANY; i++)
    n += items[i].fired;
  return n;
}

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
  CHECK(set.kernel != CURL_SOCKET_BAD);
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
  CHECK(set.kernel != CURL_SOCKET_BAD);
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
      close(items[1].watch.fd); /* the application's mistake: poll tells, the kernel set forgets it */
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
    victim = &items[0].watch; /* whichever is told first takes the other one away */
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

/* ---- the application watches ---- */

static char told[200];
static bool refuses;

static bool tell(struct mote_waitset *s, struct mote_watch *w, int what)
{
  static const char *const words[] = {"?", "in", "out", "inout", "remove"};
  CHECK(s == &set);
  sprintf(told + strlen(told), "%s%d:%s", *told ? " " : "",
          mote_watch_is_wake(w) ? -1 : (int)(mote_container_of(w, struct item, watch) - items), words[what]);
  return !refuses;
}

static const struct mote_waitset_app app = {.tell = tell};

TEST(the_application_is_told_of_each_change_once)
{
  int data;
  begin(0, 0);
  *told = 0;
  set.app = &app;
  mote_watch_add(&set, &items[0].watch, 100);
  CHECK_STR(told, "");
  CHECK_INT(mote_watch_want(&set, &items[0].watch, 0), CURLE_OK);
  CHECK_STR(told, "");
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_OUT), CURLE_OK);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_OUT), CURLE_OK);
  CHECK_STR(told, "0:out");
  items[0].watch.app = &data;
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN), CURLE_OK);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN | MOTE_WANT_OUT), CURLE_OK);
  CHECK_STR(told, "0:out 0:in 0:inout");
  CHECK(items[0].watch.app == &data);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, 0), CURLE_OK);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, 0), CURLE_OK);
  CHECK_STR(told, "0:out 0:in 0:inout 0:remove");
  CHECK(!items[0].watch.app); /* curl_multi_assign's pointer goes with the descriptor */
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN), CURLE_OK);
  mote_watch_remove(&set, &items[0].watch);
  mote_watch_remove(&set, &items[0].watch);
  CHECK_STR(told, "0:out 0:in 0:inout 0:remove 0:in 0:remove");
  mote_watch_add(&set, &items[1].watch, 101);
  mote_watch_remove(&set, &items[1].watch); /* it never knew that one */
  CHECK_STR(told, "0:out 0:in 0:inout 0:remove 0:in 0:remove");
  CHECK_INT(mote_watch_want(&set, &items[1].watch, MOTE_WANT_IN), CURLE_OK); /* no descriptor */
  CHECK_STR(told, "0:out 0:in 0:inout 0:remove 0:in 0:remove");
  end();
}

TEST(the_application_refuses)
{
  begin(0, 0);
  *told = 0;
  set.app = &app;
  refuses = true;
  mote_watch_add(&set, &items[0].watch, 100);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN), CURLE_ABORTED_BY_CALLBACK);
  refuses = false;
  mote_watch_remove(&set, &items[0].watch);
  CHECK_STR(told, "0:in 0:remove"); /* every descriptor it was told of is taken back */
  end();
}

/* An application that has set SOCKETFUNCTION may still call curl_multi_poll. */
TEST(waiting_although_the_application_watches)
{
  begin(0, 0);
  *told = 0;
  set.app = &app;
  {
    int i, fd[2];
    for(i = 0; i < 20; i++) {
      fds_pair(fd);
      items[i].other = fd[1];
      mote_watch_add(&set, &items[i].watch, fd[0]);
    }
  }
  CHECK_INT(mote_watch_want(&set, &items[4].watch, MOTE_WANT_IN), CURLE_OK);
  poke(4);
  CHECK_INT(waited(1000), 1);
  CHECK_INT(items[4].fired, 1);
  CHECK_INT(set.kernel, CURL_SOCKET_BAD);
  end();
}

/* ---- waking ---- */

TEST(woken_before_the_wait)
{
  begin(1, MOTE_WANT_IN);
  CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  CHECK_INT(polled(5000), 0);
  CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  CHECK_INT(polled(5000), 0);
  CHECK_INT(polled(10), 0);
  end();
}

static void *wake_later(void *arg)
{
  int i;
  for(i = 0; i < 20; i++) {
    fds_nap(5);
    CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  }
  return arg;
}

TEST(woken_during_the_wait)
{
  int count;
  for(count = 1; count <= 20; count += 19) {
    pthread_t thread;
    begin(count, MOTE_WANT_IN);
    CHECK_INT(mote_waitset_open_wake(&set), CURLM_OK);
    CHECK(!pthread_create(&thread, NULL, wake_later, NULL));
    CHECK_INT(polled(5000), 0);
    pthread_join(thread, NULL);
    CHECK_INT(all_fired(), 0);
    CHECK_INT(polled(5000), 0); /* the later ones */
    CHECK_INT(polled(10), 0);    /* and that is all */
    end();
  }
}

TEST(awake_with_events)
{
  begin(20, MOTE_WANT_IN);
  poke(2);
  CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  CHECK_INT(polled(5000), 1);
  CHECK_INT(items[2].fired, 1);
  end();
}

/* curl_multi_wakeup(3): the next curl_multi_poll, whatever else waits before it. */
TEST(other_waits_leave_the_wake_up_alone)
{
  begin(1, MOTE_WANT_IN);
  CHECK_INT(polled(0), 0);
  CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  CHECK_INT(waited(0), 0);
  CHECK_INT(waited(0), 0);
  CHECK(atomic_load(&set.woken));
  CHECK_INT(polled(5000), 0);
  CHECK_INT(polled(10), 0);
  CHECK(!atomic_load(&set.woken));
  end();
}

TEST(woken_although_the_application_watches)
{
  pthread_t thread;
  begin(0, 0);
  *told = 0;
  set.app = &app;
  CHECK_INT(mote_waitset_open_wake(&set), CURLM_OK);
  CHECK(!pthread_create(&thread, NULL, wake_later, NULL));
  CHECK_INT(polled(5000), 0);
  pthread_join(thread, NULL);
  CHECK_STR(told, "");
  mote_waitset_watched_by(&set, NULL); /* and when it does no longer */
  CHECK_INT(polled(0), 0);
  CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  atomic_store(&set.woken, false);
  CHECK_INT(polled(5000), 0);
  end();
}

TEST(the_application_begins_to_watch)
{
  begin(20, MOTE_WANT_IN);
  *told = 0;
  CHECK_INT(waited(0), 0);
  mote_waitset_watched_by(&set, &app);
  CHECK_INT(set.kernel, CURL_SOCKET_BAD);
  CHECK_INT(mote_watch_want(&set, &items[3].watch, MOTE_WANT_IN), CURLE_OK);
  CHECK_STR(told, "3:in");
  mote_waitset_watched_by(&set, NULL);
  poke(3);
  CHECK_INT(waited(1000), 1);
  CHECK_STR(told, "3:in");
  end();
}

/* ---- the application's own descriptors ---- */

TEST(extra_descriptors)
{
  int count;
  for(count = 2; count <= 20; count += 18) {
    struct curl_waitfd extra[3];
    int pair[2], events;
    begin(count, MOTE_WANT_IN);
    fds_pair(pair);
    memset(extra, 0, sizeof extra);
    extra[0].fd = pair[0];
    extra[0].events = CURL_WAIT_POLLIN;
    extra[1].fd = pair[0];
    extra[1].events = CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT;
    extra[2].fd = pair[0];
    extra[2].events = CURL_WAIT_POLLIN;
    extra[2].revents = 77;
    CHECK_INT(mote_waitset_wait(&set, extra, 3, 1000, false, &events), CURLM_OK);
    CHECK_INT(events, 1);
    CHECK_INT(extra[0].revents, 0);
    CHECK_INT(extra[1].revents, CURL_WAIT_POLLOUT);
    CHECK_INT(extra[2].revents, 0);
    poke(1);
    CHECK_INT(write(pair[1], "x", 1), 1);
    CHECK_INT(mote_waitset_wait(&set, extra, 1, 1000, true, &events), CURLM_OK);
    CHECK_INT(events, 2);
    CHECK_INT(extra[0].revents, CURL_WAIT_POLLIN);
    CHECK_INT(items[1].fired, 1);
    close(pair[1]);
    extra[0].events = 0;
    CHECK_INT(mote_waitset_wait(&set, extra, 1, 1000, true, &events), CURLM_OK);
    CHECK(extra[0].revents != 0); /* a hang-up is told whatever was asked for */
    drop(&items[0]);
    close(pair[0]);
    end();
  }
}

static void many_extra(void)
{
  struct curl_waitfd extra[200];
  int pair[2], i, events = -1;
  CURLMcode rc;
  int fds = fds_open();
  fds_pair(pair);
  begin(4, MOTE_WANT_IN);
  for(i = 0; i < 200; i++) {
    extra[i].fd = pair[0];
    extra[i].events = i % 2 ? CURL_WAIT_POLLOUT : CURL_WAIT_POLLIN;
    extra[i].revents = 0;
  }
  poke(0);
  rc = mote_waitset_wait(&set, extra, 200, 1000, true, &events);
  if(rc)
    CHECK(rc == CURLM_OUT_OF_MEMORY && test_mem.failed && !events);
  else {
    CHECK_INT(events, 101);
    CHECK_INT(extra[199].revents, CURL_WAIT_POLLOUT);
    CHECK_INT(items[0].fired, 1);
  }
  CHECK_INT(account.live, set.wakeup ? sizeof *set.wakeup : 0);
  end();
  close(pair[0]);
  close(pair[1]);
  CHECK_INT(fds_open(), fds);
}

TEST(many_extra_descriptors)
{
  run_with_failures(many_extra);
}

/* ---- fork ---- */

static int in_child(int (*f)(void))
{
  int status = -1;
  pid_t pid = fork();
  if(!pid)
    _exit(f());
  CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The child takes a descriptor away and wakes itself: neither is the parent's business. */
static int child_changes(void)
{
  test_state.errors = 0;
  CHECK_INT(waited(0), 1);
  CHECK_INT(items[1].fired, 1);
  CHECK_INT(mote_watch_want(&set, &items[1].watch, 0), CURLE_OK);
  CHECK_INT(mote_watch_want(&set, &items[2].watch, MOTE_WANT_OUT), CURLE_OK);
  CHECK_INT(waited(0), 1);
  CHECK_INT(items[2].fired, 1);
  CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  CHECK_INT(polled(0), 1);
  return (int)test_state.errors;
}

TEST(a_child_of_fork_has_its_own)
{
  begin(20, MOTE_WANT_IN);
  CHECK_INT(mote_waitset_open_wake(&set), CURLM_OK);
  CHECK_INT(waited(0), 0);
  poke(1);
  CHECK_INT(in_child(child_changes), 0);
  CHECK_INT(polled(0), 1);
  CHECK_INT(items[1].fired, 1);
  CHECK_INT(items[2].fired, 0);
  end();
}

/* The child's set is small, and grows again: nothing of the parent's kernel set is left in it. */
static int child_grows(void)
{
  int i, fd[2];
  test_state.errors = 0;
  for(i = 1; i < 20; i++)
    drop(&items[i]);
  CHECK_INT(waited(0), 0);
  CHECK_INT(set.kernel, CURL_SOCKET_BAD);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, 0), CURLE_OK);
  for(i = 1; i < 20; i++) {
    fds_pair(fd);
    items[i].other = fd[1];
    mote_watch_add(&set, &items[i].watch, fd[0]);
    CHECK_INT(mote_watch_want(&set, &items[i].watch, MOTE_WANT_IN), CURLE_OK);
  }
  CHECK_INT(waited(0), 0);
  CHECK(set.kernel != CURL_SOCKET_BAD);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN), CURLE_OK);
  poke(0);
  CHECK_INT(waited(1000), 1);
  CHECK_INT(items[0].fired, 1);
  return (int)test_state.errors;
}

TEST(a_child_of_fork_grows)
{
  begin(20, MOTE_WANT_IN);
  CHECK_INT(waited(0), 0);
  CHECK_INT(in_child(child_grows), 0);
  end();
}

/* ---- memory runs out: the hash grows without, chains are longer then ---- */

static void scenario(void)
{
  int i, events;
  CURLMcode rc;
  begin(MANY / 2, MOTE_WANT_OUT);
  rc = mote_waitset_wait(&set, NULL, 0, 1000, true, &events);
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
  TEST_RUN(the_application_is_told_of_each_change_once);
  TEST_RUN(the_application_refuses);
  TEST_RUN(waiting_although_the_application_watches);
  TEST_RUN(woken_before_the_wait);
  TEST_RUN(woken_during_the_wait);
  TEST_RUN(awake_with_events);
  TEST_RUN(other_waits_leave_the_wake_up_alone);
  TEST_RUN(woken_although_the_application_watches);
  TEST_RUN(the_application_begins_to_watch);
  TEST_RUN(extra_descriptors);
  TEST_RUN(many_extra_descriptors);
  TEST_RUN(a_child_of_fork_has_its_own);
  TEST_RUN(a_child_of_fork_grows);
  TEST_RUN(survives);
  return test_end();
}
