/* tests/unit/net/test_names_fork.c: the name cache in a child of fork, which has the lookups of its parent
 * and not their threads. Needs accounts, posix. */
#include "lookups.h"

#include <sys/wait.h>

static struct waiter first; /* of the parent's lookup */

static int in_child(int (*f)(void))
{
  int status = -1;
  pid_t pid = fork();
  if(!pid) {
    test_state.errors = 0;
    gate.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    gate.changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    gate.started = gate.under_way = 0;
    gate.open = true;
    _exit(f());
  }
  CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int child_ends(void)
{
  close_names();
  return (int)test_state.errors;
}

static int child_asks(void)
{
  struct mote_name_query q = query("wait.test", 1000);
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 1);
  CHECK_INT(names.running, 0);
  return child_ends();
}

TEST(a_child_asks_what_no_one_of_its_parent_waits_for)
{
  struct mote_name_query q = query("wait.test", 1000);
  begin();
  CHECK_INT(ask(&q, &first), CURLE_AGAIN);
  wait_for_started(1);
  mote_names_leave(&names, &first.wait);
  CHECK_INT(in_child(child_asks), 0);
  CHECK_INT(names.running, 1);
  end();
}

static int child_goes_on(void)
{
  CHECK(until_notified(&first, 1000));
  CHECK_INT(first.rc, CURLE_OK);
  drop(&first);
  CHECK_INT(names.running, 0);
  return child_ends();
}

TEST(a_child_goes_on_with_what_it_waits_for)
{
  struct mote_name_query q = query("wait.test", 1000);
  begin();
  CHECK_INT(ask(&q, &first), CURLE_AGAIN);
  wait_for_started(1);
  CHECK_INT(in_child(child_goes_on), 0);
  open_gate(true);
  CHECK(until_notified(&first, 1000));
  drop(&first);
  end();
}

static int child_only_leaves(void)
{
  mote_names_leave(&names, &first.wait);
  return child_ends();
}

TEST(a_child_leaves)
{
  struct mote_name_query q = query("wait.test", 1000);
  begin();
  CHECK_INT(ask(&q, &first), CURLE_AGAIN);
  wait_for_started(1);
  CHECK_INT(in_child(child_only_leaves), 0);
  mote_names_leave(&names, &first.wait);
  end();
}

/* More threads than a cache may have were under way in the parent. */
static int child_has_room(void)
{
  struct mote_name_query q = query("one.test", 1000);
  CHECK_INT(whole(&q), 1);
  return child_ends();
}

TEST(threads_of_the_parent_do_not_count)
{
  struct mote_name_query q = query("wait.test", 1000);
  begin();
  names.max_lookups = 1;
  CHECK_INT(ask(&q, &first), CURLE_AGAIN);
  wait_for_started(1);
  mote_names_leave(&names, &first.wait);
  CHECK_INT(in_child(child_has_room), 0);
  end();
}

int main(void)
{
  TEST_RUN(a_child_asks_what_no_one_of_its_parent_waits_for);
  TEST_RUN(a_child_goes_on_with_what_it_waits_for);
  TEST_RUN(a_child_leaves);
  TEST_RUN(threads_of_the_parent_do_not_count);
  return test_end();
}
