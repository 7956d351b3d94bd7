/* tests/unit/net/test_waitset_app.c: a wait set that the application watches, waking, the application's own
 * descriptors, and fork. Needs accounts, posix. */
#include "net/watches.h"

#include <pthread.h>
#include <sys/wait.h>

/* ---- the application watches ---- */

static char notified[200];
static bool refuses;

static bool notify(struct mote_waitset *s, struct mote_watch *w, int what)
{
  static const char *const words[] = {"?", "in", "out", "inout", "remove"};
  CHECK(s == &set);
  sprintf(notified + strlen(notified), "%s%d:%s", *notified ? " " : "",
          mote_watch_is_wake(w) ? -1 : (int)(mote_container_of(w, struct item, watch) - items), words[what]);
  return !refuses;
}

static const struct mote_waitset_app app = {.notify = notify};

TEST(the_application_gets_each_change_once)
{
  int data;
  begin(0, 0);
  *notified = 0;
  set.app = &app;
  mote_watch_add(&set, &items[0].watch, 100);
  CHECK_STR(notified, "");
  CHECK_INT(mote_watch_want(&set, &items[0].watch, 0), CURLE_OK);
  CHECK_STR(notified, "");
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_OUT), CURLE_OK);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_OUT), CURLE_OK);
  CHECK_STR(notified, "0:out");
  items[0].watch.app = &data;
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN), CURLE_OK);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN | MOTE_WANT_OUT), CURLE_OK);
  CHECK_STR(notified, "0:out 0:in 0:inout");
  CHECK(items[0].watch.app == &data);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, 0), CURLE_OK);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, 0), CURLE_OK);
  mote_waitset_settle(&set);
  CHECK_STR(notified, "0:out 0:in 0:inout 0:remove");
  CHECK(!items[0].watch.app); /* curl_multi_assign's pointer goes with the descriptor */
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN), CURLE_OK);
  mote_watch_remove(&set, &items[0].watch);
  mote_watch_remove(&set, &items[0].watch);
  CHECK_STR(notified, "0:out 0:in 0:inout 0:remove 0:in 0:remove");
  mote_watch_add(&set, &items[1].watch, 101);
  mote_watch_remove(&set, &items[1].watch); /* it never knew that one */
  CHECK_STR(notified, "0:out 0:in 0:inout 0:remove 0:in 0:remove");
  CHECK_INT(mote_watch_want(&set, &items[1].watch, MOTE_WANT_IN), CURLE_OK); /* no descriptor */
  CHECK_STR(notified, "0:out 0:in 0:inout 0:remove 0:in 0:remove");
  end();
}

/* The end of a watch must not be announced for a socket that goes on as another watch's. */
TEST(the_application_sees_nothing_of_a_move)
{
  int data;
  begin(0, 0);
  *notified = 0;
  set.app = &app;
  mote_watch_add(&set, &items[0].watch, 100);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_OUT), CURLE_OK);
  items[0].watch.app = &data;
  mote_watch_move(&set, &items[0].watch, &items[1].watch);
  CHECK_INT(items[0].watch.fd, CURL_SOCKET_BAD);
  CHECK(mote_watch_find(&set, 100) == &items[1].watch);
  CHECK(items[1].watch.app == &data);
  CHECK_INT(mote_watch_want(&set, &items[1].watch, MOTE_WANT_OUT), CURLE_OK);
  CHECK_STR(notified, "0:out");
  mote_watch_remove(&set, &items[1].watch);
  CHECK_STR(notified, "0:out 1:remove");
  end();
}

static void *named; /* in the last call of note_user */

static bool note_user(struct mote_waitset *s, struct mote_watch *w, int what)
{
  named = w->user;
  return notify(s, w, what);
}

/* A redirect goes on with the connection that its transfer has just left, and a pause may end in the call in
 * which it began. */
TEST(what_is_no_longer_wanted_is_said_at_the_end)
{
  static const struct mote_waitset_app naming = {.notify = note_user};
  int user;
  begin(0, 0);
  *notified = 0;
  set.app = &naming;
  mote_watch_add(&set, &items[0].watch, 100);
  mote_watch_add(&set, &items[1].watch, 101);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN), CURLE_OK);
  CHECK_INT(mote_watch_want(&set, &items[1].watch, MOTE_WANT_IN), CURLE_OK);
  mote_watch_part(&set, &items[0].watch, &user);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN), CURLE_OK);
  mote_waitset_settle(&set);
  CHECK_STR(notified, "0:in 1:in");
  mote_watch_part(&set, &items[0].watch, &user);
  CHECK_INT(mote_watch_want(&set, &items[1].watch, 0), CURLE_OK); /* of two, one is said at once */
  CHECK_STR(notified, "0:in 1:in 0:remove");
  CHECK(named == &user && !items[0].watch.user);
  mote_waitset_settle(&set);
  mote_waitset_settle(&set);
  CHECK_STR(notified, "0:in 1:in 0:remove 1:remove");
  CHECK(!named);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN), CURLE_OK);
  mote_watch_part(&set, &items[0].watch, &user);
  mote_watch_remove(&set, &items[0].watch); /* it is closed at once after all */
  CHECK_STR(notified, "0:in 1:in 0:remove 1:remove 0:in 0:remove");
  mote_waitset_settle(&set);
  mote_watch_remove(&set, &items[1].watch);
  end();
}

TEST(the_application_refuses)
{
  begin(0, 0);
  *notified = 0;
  set.app = &app;
  refuses = true;
  mote_watch_add(&set, &items[0].watch, 100);
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_IN), CURLE_ABORTED_BY_CALLBACK);
  refuses = false;
  mote_watch_remove(&set, &items[0].watch);
  CHECK_STR(notified, "0:in 0:remove"); /* every descriptor that it watched is taken back */
  end();
}

/* An application that has set SOCKETFUNCTION may still call curl_multi_poll. */
TEST(waiting_although_the_application_watches)
{
  begin(0, 0);
  *notified = 0;
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

static atomic_bool enough;

/* Again and again, and one time more when it is enough. */
static void *wake_later(void *arg)
{
  while(!atomic_load(&enough)) {
    fds_nap(5);
    CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  }
  CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  return arg;
}

/* One wait that the other thread ends; that thread has then ended, and its last wake-up has come. */
static void wait_while_waking(void)
{
  pthread_t thread;
  atomic_store(&enough, false);
  CHECK_INT(mote_waitset_open_wake(&set), CURLM_OK);
  CHECK(!pthread_create(&thread, NULL, wake_later, NULL));
  CHECK_INT(polled(5000), 0);
  atomic_store(&enough, true);
  pthread_join(thread, NULL);
}

TEST(woken_during_the_wait)
{
  int count;
  for(count = 1; count <= 20; count += 19) {
    begin(count, MOTE_WANT_IN);
    wait_while_waking();
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
  begin(0, 0);
  *notified = 0;
  set.app = &app;
  wait_while_waking();
  CHECK_STR(notified, "");
  mote_waitset_watched_by(&set, NULL); /* and when it does no longer */
  CHECK_INT(polled(0), 0);
  CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  atomic_store(&set.woken, false);
  CHECK_INT(polled(5000), 0);
  end();
}

/* The last one that wants the wake-up ends it. */
TEST(the_wake_up_is_watched_for_two)
{
  begin(0, 0);
  *notified = 0;
  set.app = &app;
  CHECK_INT(mote_waitset_want_wake(&set, MOTE_WAKE_FOR_NAMES, false), CURLE_OK); /* there is none yet */
  CHECK_INT(mote_waitset_open_wake(&set), CURLM_OK);
  CHECK_STR(notified, "");
  CHECK_INT(mote_waitset_want_wake(&set, MOTE_WAKE_FOR_NAMES, true), CURLE_OK);
  CHECK_INT(mote_waitset_want_wake(&set, MOTE_WAKE_FOR_SLOTS, true), CURLE_OK);
  CHECK_INT(mote_waitset_want_wake(&set, MOTE_WAKE_FOR_NAMES, false), CURLE_OK);
  CHECK_STR(notified, "-1:in");
  CHECK_INT(mote_waitset_want_wake(&set, MOTE_WAKE_FOR_SLOTS, false), CURLE_OK);
  mote_waitset_settle(&set);
  CHECK_STR(notified, "-1:in -1:remove");
  end();
}

TEST(the_application_begins_to_watch)
{
  begin(20, MOTE_WANT_IN);
  *notified = 0;
  CHECK_INT(waited(0), 0);
  mote_waitset_watched_by(&set, &app);
  CHECK_INT(set.kernel, CURL_SOCKET_BAD);
  CHECK_INT(mote_watch_want(&set, &items[3].watch, MOTE_WANT_IN), CURLE_OK);
  CHECK_STR(notified, "3:in");
  mote_waitset_watched_by(&set, NULL);
  poke(3);
  CHECK_INT(waited(1000), 1);
  CHECK_STR(notified, "3:in");
  end();
}

/* ---- the application's own descriptors ---- */

static CURLMcode wait_with(struct curl_waitfd *extra, unsigned count, bool with_wake, int *events)
{
  struct mote_wait wait = {.extra = extra, .extra_count = count, .timeout_ms = 1000, .with_wake = with_wake};
  CURLMcode rc = mote_waitset_wait(&set, &wait);
  *events = wait.events;
  return rc;
}

TEST(extra_descriptors)
{
  int count;
  for(count = 2; count <= 20; count += 18) {
    struct curl_waitfd extra[3];
    int pair[2], events;
    char byte;
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
    CHECK_INT(wait_with(extra, 3, false, &events), CURLM_OK);
    CHECK_INT(events, 1);
    CHECK_INT(extra[0].revents, 0);
    CHECK_INT(extra[1].revents, CURL_WAIT_POLLOUT);
    CHECK_INT(extra[2].revents, 0);
    poke(1);
    CHECK_INT(write(pair[1], "x", 1), 1);
    CHECK_INT(wait_with(extra, 1, true, &events), CURLM_OK);
    CHECK_INT(events, 2);
    CHECK_INT(extra[0].revents, CURL_WAIT_POLLIN);
    CHECK_INT(read(pair[0], &byte, 1), 1);
    CHECK_INT(read(items[1].watch.fd, &byte, 1), 1);
    CHECK_INT(wait_with(extra, 1, false, &events), CURLM_OK);
    CHECK_INT(events, 0);
    CHECK_INT(extra[0].revents, 0); /* as by poll(): what was ready before is not any more */
    CHECK_INT(items[1].fired, 1);
    close(pair[1]);
    extra[0].events = 0;
    CHECK_INT(wait_with(extra, 1, true, &events), CURLM_OK);
    CHECK(extra[0].revents != 0); /* a hang-up is reported whatever was asked for */
    drop(&items[0]);
    close(pair[0]);
    end();
  }
}

/* One of the application's own does not end a wait for many that are in the kernel's set, and they do. */
TEST(an_extra_descriptor_and_many)
{
  struct curl_waitfd extra = {.events = CURL_WAIT_POLLIN};
  struct mote_wait wait = {.extra = &extra, .extra_count = 1, .timeout_ms = 20};
  mote_time start = mote_port_now();
  int pair[2];
  begin(MANY, MOTE_WANT_IN);
  fds_pair(pair);
  CHECK_INT(waited(0), 0);
  extra.fd = pair[0];
  CHECK_INT(mote_waitset_wait(&set, &wait), CURLM_OK);
  CHECK_INT(wait.events, 0);
  CHECK(mote_port_now() - start >= 20 * MOTE_MS);
  poke(1);
  poke(70);
  CHECK_INT(mote_waitset_wait(&set, &wait), CURLM_OK);
  CHECK_INT(wait.events, 2);
  CHECK_INT(items[1].fired, 1);
  CHECK_INT(items[70].fired, 1);
  close(pair[0]);
  close(pair[1]);
  end();
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
  rc = wait_with(extra, 200, true, &events);
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

/* It took the parent's descriptors out of the set that both have. */
static int child_leaves(void)
{
  int i;
  test_state.errors = 0;
  CHECK_INT(mote_watch_want(&set, &items[0].watch, MOTE_WANT_OUT), CURLE_OK);
  for(i = 0; i < 20; i++)
    drop(&items[i]);
  mote_waitset_close(&set);
  return (int)test_state.errors;
}

TEST(a_child_of_fork_leaves_its_parents_set_alone)
{
  begin(20, MOTE_WANT_IN);
  CHECK_INT(mote_waitset_open_wake(&set), CURLM_OK);
  CHECK_INT(waited(0), 0);
  CHECK_INT(in_child(child_leaves), 0);
  poke(0);
  poke(1);
  CHECK_INT(waited(1000), 2);
  CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  CHECK_INT(items[0].fired + items[1].fired, 2);
  end();
}

/* The first wake-up that the process has is the child's: the set of the kernel is still its parent's. */
static int child_is_woken(void)
{
  test_state.errors = 0;
  CHECK_INT(mote_waitset_wake(&set), CURLM_OK);
  CHECK_INT(polled(0), 1);
  CHECK_INT(items[1].fired, 1);
  CHECK_INT(mote_watch_want(&set, &items[1].watch, 0), CURLE_OK);
  return (int)test_state.errors;
}

TEST(a_child_of_fork_is_woken)
{
  begin(20, MOTE_WANT_IN);
  CHECK_INT(waited(0), 0);
  poke(1);
  CHECK_INT(in_child(child_is_woken), 0);
  CHECK_INT(waited(0), 1);
  CHECK_INT(items[1].fired, 1);
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
  CHECK_INT(set.kernel != CURL_SOCKET_BAD, HAS_SETS);
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

/* What the child opens may get the number of the parent's set, of which the child may have no copy. */
static int child_opens_and_closes(void)
{
  int file = open("/dev/null", O_RDONLY | O_CLOEXEC), i;
  test_state.errors = 0;
  CHECK(file >= 0);
  for(i = 0; i < 20; i++)
    drop(&items[i]);
  mote_waitset_close(&set);
  CHECK(fcntl(file, F_GETFD) >= 0);
  return (int)test_state.errors;
}

TEST(a_child_of_fork_closes_no_file_of_its_own)
{
  begin(20, MOTE_WANT_IN);
  CHECK_INT(waited(0), 0);
  CHECK_INT(in_child(child_opens_and_closes), 0);
  end();
}

int main(void)
{
  TEST_RUN(the_application_gets_each_change_once);
  TEST_RUN(the_application_sees_nothing_of_a_move);
  TEST_RUN(what_is_no_longer_wanted_is_said_at_the_end);
  TEST_RUN(the_application_refuses);
  TEST_RUN(waiting_although_the_application_watches);
  TEST_RUN(woken_before_the_wait);
  TEST_RUN(woken_during_the_wait);
  TEST_RUN(awake_with_events);
  TEST_RUN(other_waits_leave_the_wake_up_alone);
  TEST_RUN(woken_although_the_application_watches);
  TEST_RUN(the_wake_up_is_watched_for_two);
  TEST_RUN(the_application_begins_to_watch);
  TEST_RUN(extra_descriptors);
  TEST_RUN(an_extra_descriptor_and_many);
  TEST_RUN(many_extra_descriptors);
  TEST_RUN(a_child_of_fork_has_its_own);
  TEST_RUN(a_child_of_fork_leaves_its_parents_set_alone);
  TEST_RUN(a_child_of_fork_is_woken);
  TEST_RUN(a_child_of_fork_grows);
  TEST_RUN(a_child_of_fork_closes_no_file_of_its_own);
  return test_end();
}
