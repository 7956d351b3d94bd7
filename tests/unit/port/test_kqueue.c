/* The set of kqueue() where it differs from what test_wait.c can ask of each port: changes of which the
 * kernel makes one half, the error of a socket, and fork. Needs wait_sets.
 * stand-in: tests/kqueue */
#include "../../kqueue/kqueue.c"
#include "../../../src/port/kqueue/set.c"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "test.h"

static curl_socket_t set;
static int fds[2];
static struct mote_port_event found[8];

static void kqueue_begin(void)
{
  CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds));
  CHECK_INT(mote_port_set_open(&set), 0);
}

static void kqueue_end(void)
{
  mote_port_set_close(set, (uint32_t)mote_port_pid());
  close(fds[0]);
  close(fds[1]);
}

static unsigned kqueue_ready(void)
{
  unsigned ready = 99;
  CHECK_INT(mote_port_set_wait(set, found, 8, 0, &ready), 0);
  return ready;
}

TEST(a_change_that_fails_leaves_nothing)
{
  int a;
  kqueue_begin();
  CHECK(write(fds[1], "x", 1) == 1);
  kqueue_write_error = ENOMEM;
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT, &a), ENOMEM);
  CHECK_INT(kqueue_ready(), 0);
  kqueue_write_error = 0;
  kqueue_end();
}

TEST(a_change_that_fails_leaves_what_was)
{
  int a;
  kqueue_begin();
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLIN, &a), 0);
  kqueue_write_error = ENOMEM;
  CHECK_INT(mote_port_set_change(set, fds[0], CURL_WAIT_POLLIN, CURL_WAIT_POLLOUT, &a), ENOMEM);
  CHECK_INT(kqueue_ready(), 0);
  CHECK(write(fds[1], "x", 1) == 1);
  CHECK_INT(kqueue_ready(), 1);
  CHECK(found[0].tag == &a && found[0].ready == CURL_WAIT_POLLIN);
  kqueue_write_error = 0;
  kqueue_end();
}

TEST(no_set)
{
  unsigned ready = 99;
  kqueue_begin();
  CHECK_INT(mote_port_set_change(fds[0], fds[1], 0, CURL_WAIT_POLLIN, NULL), EBADF);
  CHECK_INT(mote_port_set_change(fds[0], fds[1], CURL_WAIT_POLLIN, 0, NULL), 0);
  CHECK_INT(mote_port_set_wait(fds[0], found, 8, 0, &ready), EBADF);
  CHECK_INT(ready, 0);
  kqueue_end();
}

/* A reset connection, of which only reading is wanted. */
TEST(errors_of_a_socket)
{
  struct linger at_once = { 1, 0 };
  struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  socklen_t len = sizeof in;
  int listener = socket(AF_INET, SOCK_STREAM, 0), one = socket(AF_INET, SOCK_STREAM, 0), other;
  kqueue_begin();
  CHECK(!bind(listener, (struct sockaddr *)&in, len) && !listen(listener, 1));
  CHECK(!getsockname(listener, (struct sockaddr *)&in, &len) && !connect(one, (struct sockaddr *)&in, len));
  other = accept(listener, NULL, NULL);
  CHECK_INT(mote_port_set_change(set, one, 0, CURL_WAIT_POLLIN, &one), 0);
  CHECK_INT(kqueue_ready(), 0);
  CHECK(!setsockopt(other, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once));
  close(other);
  CHECK_INT(kqueue_ready(), 1);
  CHECK_INT(found[0].ready, CURL_WAIT_POLLIN | MOTE_POLL_HANGUP | MOTE_POLL_ERROR);
  close(one);
  close(listener);
  kqueue_end();
}

static int child_has_none(uint32_t owner)
{
  int file = open("/dev/null", O_RDONLY);
  bool taken = file == set; /* the lowest number that is free */
  bool alone = mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLIN, NULL) == EBADF;
  mote_port_set_close(set, owner);
  return taken && alone && fcntl(file, F_GETFD) >= 0 ? 0 : 1;
}

TEST(a_child_has_no_copy)
{
  uint32_t owner = (uint32_t)mote_port_pid();
  int status = -1;
  pid_t pid;
  kqueue_begin();
  pid = fork();
  if(!pid)
    _exit(child_has_none(owner));
  CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status));
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLOUT, &status), 0);
  CHECK_INT(kqueue_ready(), 1);
  kqueue_end();
}

int main(void)
{
  TEST_RUN(a_change_that_fails_leaves_nothing);
  TEST_RUN(a_change_that_fails_leaves_what_was);
  TEST_RUN(no_set);
  TEST_RUN(errors_of_a_socket);
  TEST_RUN(a_child_has_no_copy);
  return test_end();
}
