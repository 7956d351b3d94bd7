/* Waiting on arrays and sets, waking. Needs wait_sets, posix. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "port/port.h"
#include "port/set.h"
#include "port/wake.h"
#include "test.h"

/* The port has sets; and it has what only Linux has. */
#define HAS_SETS (strcmp(MOTE_TEST_PORT, "posix") != 0)
#define IS_LINUX (strcmp(MOTE_TEST_PORT, "linux") == 0)

static void make_pair(int fds[2])
{
  CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds));
}

static void close_pair(const int fds[2])
{
  close(fds[0]);
  close(fds[1]);
}

static void on_alarm(int signal_number)
{
  (void)signal_number;
}

/* A signal in 20 ms. */
static void start_alarm(void)
{
  struct sigaction action = { .sa_handler = on_alarm };
  struct itimerval soon = { { 0, 0 }, { 0, 20000 } };
  CHECK(!sigaction(SIGALRM, &action, NULL));
  CHECK(!setitimer(ITIMER_REAL, &soon, NULL));
}

TEST(polling)
{
  int fds[2];
  struct curl_waitfd w[3];
  unsigned ready = 99;
  mote_time start = mote_port_now();
  make_pair(fds);
  memset(w, 0, sizeof w);
  CHECK_INT(mote_port_poll(NULL, 0, 0, &ready), 0);
  CHECK_INT(ready, 0);
  CHECK_INT(mote_port_poll(NULL, 0, 10, &ready), 0);
  CHECK(mote_port_now() - start >= 10 * MOTE_MS);
  w[0].fd = fds[0];
  w[0].events = CURL_WAIT_POLLIN;
  w[1].fd = fds[0];
  w[1].events = CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT;
  w[2].fd = 1000000;
  w[2].events = CURL_WAIT_POLLIN;
  CHECK_INT(mote_port_poll(w, 1, 0, &ready), 0);
  CHECK_INT(ready, 0);
  CHECK_INT(mote_port_poll(w, 3, -1, &ready), 0);
  CHECK_INT(ready, 2);
  CHECK(w[0].revents == 0 && w[1].revents == CURL_WAIT_POLLOUT && w[2].revents == MOTE_POLL_INVALID);
  CHECK(write(fds[1], "x", 1) == 1);
  CHECK_INT(mote_port_poll(w, 1, -1, &ready), 0);
  CHECK(ready == 1 && w[0].revents == CURL_WAIT_POLLIN);
  close(fds[1]);
  w[0].events = 0;
  CHECK_INT(mote_port_poll(w, 1, -1, &ready), 0);
  CHECK(w[0].revents & (MOTE_POLL_HANGUP | MOTE_POLL_ERROR));
  close(fds[0]);
}

TEST(poll_interrupted)
{
  int fds[2];
  struct curl_waitfd w = { 0, CURL_WAIT_POLLIN, 77 };
  unsigned ready = 99;
  make_pair(fds);
  w.fd = fds[0];
  start_alarm();
  CHECK_INT(mote_port_poll(&w, 1, 10000, &ready), 0);
  CHECK(ready == 0 && w.revents == 0);
  close_pair(fds);
}

static unsigned wait_now(curl_socket_t set, struct mote_port_event *events, unsigned max)
{
  unsigned ready = 99;
  CHECK_INT(mote_port_set_wait(set, events, max, 0, &ready), 0);
  return ready;
}

TEST(set)
{
  int fds[2];
  int a;
  int b;
  struct mote_port_event e[8];
  curl_socket_t set;
  if(!HAS_SETS) {
    unsigned ready;
    CHECK_INT(mote_port_set_open(&set), ENOSYS);
    CHECK_INT(set, CURL_SOCKET_BAD);
    CHECK_INT(mote_port_set_change(set, 0, 0, 1, NULL), ENOSYS);
    CHECK_INT(mote_port_set_wait(set, e, 8, 0, &ready), ENOSYS);
    mote_port_set_close(set, 0);
    return;
  }
  make_pair(fds);
  CHECK_INT(mote_port_set_open(&set), 0);
  CHECK(fcntl(set, F_GETFD) & FD_CLOEXEC);
  CHECK_INT(wait_now(set, e, 8), 0);
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLIN, &a), 0);
  CHECK_INT(wait_now(set, e, 8), 0);
  CHECK_INT(mote_port_set_change(set, fds[1], 0, CURL_WAIT_POLLOUT, &b), 0);
  CHECK_INT(wait_now(set, e, 8), 1);
  CHECK(e[0].tag == &b && e[0].ready == CURL_WAIT_POLLOUT);
  CHECK(write(fds[1], "x", 1) == 1);
  CHECK_INT(wait_now(set, e, 8), 2);
  CHECK_INT(wait_now(set, e, 1), 1);
  /* Wrong guesses of what was before, and another tag. */
  CHECK_INT(mote_port_set_change(set, fds[1], 0, CURL_WAIT_POLLOUT, &a), 0);
  CHECK_INT(mote_port_set_change(set, fds[1], CURL_WAIT_POLLOUT, 0, NULL), 0);
  CHECK_INT(mote_port_set_change(set, fds[1], CURL_WAIT_POLLOUT, 0, NULL), 0);
  CHECK_INT(wait_now(set, e, 8), 1);
  CHECK(e[0].tag == &a && e[0].ready == CURL_WAIT_POLLIN);
  CHECK_INT(mote_port_set_change(set, fds[1], CURL_WAIT_POLLIN, CURL_WAIT_POLLOUT, &b), 0);
  CHECK_INT(wait_now(set, e, 8), 2);
  close(fds[1]);
  CHECK_INT(mote_port_set_change(set, fds[1], CURL_WAIT_POLLOUT, 0, NULL), 0);
  CHECK_INT(wait_now(set, e, 8), 1);
  CHECK(e[0].tag == &a && (e[0].ready & MOTE_POLL_HANGUP) && (e[0].ready & CURL_WAIT_POLLIN));
  close(fds[0]);
  CHECK_INT(wait_now(set, e, 8), 0);
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLIN, &a), EBADF);
  mote_port_set_close(set, (uint32_t)mote_port_pid());
}

TEST(set_in_another_wait)
{
  int fds[2];
  struct curl_waitfd w = { 0, CURL_WAIT_POLLIN, 0 };
  unsigned ready;
  curl_socket_t set;
  struct mote_port_event e[2];
  int file, error;
  if(!HAS_SETS) {
    CHECK(!mote_port_set_nests());
    return;
  }
  make_pair(fds);
  CHECK_INT(mote_port_set_open(&set), 0);
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLIN, NULL), 0);
  w.fd = set;
  CHECK(mote_port_set_nests() || !IS_LINUX);
  if(mote_port_set_nests()) {
    CHECK_INT(mote_port_poll(&w, 1, 0, &ready), 0);
    CHECK_INT(ready, 0);
  }
  start_alarm();
  CHECK_INT(mote_port_set_wait(set, e, 1, 10000, &ready), 0);
  CHECK_INT(ready, 0);
  CHECK(write(fds[1], "x", 1) == 1);
  if(mote_port_set_nests()) {
    CHECK_INT(mote_port_poll(&w, 1, 0, &ready), 0);
    CHECK_INT(w.revents, CURL_WAIT_POLLIN);
  }
  file = open("/bin/sh", O_RDONLY);
  error = mote_port_set_change(set, file, 0, CURL_WAIT_POLLIN, NULL);
  CHECK(IS_LINUX ? error == EPERM : !error && wait_now(set, e, 2) == 2);
  close(file);
  mote_port_set_close(set, (uint32_t)mote_port_pid());
  close_pair(fds);
}

/* More than one batch are reported little by little, and none for ever last. */
TEST(set_of_many)
{
  enum { MANY = 150 };
  static int fds[MANY][2];
  struct mote_port_event e[200];
  unsigned char seen[MANY] = { 0 };
  unsigned rounds;
  unsigned i;
  unsigned ready;
  curl_socket_t set;
  if(!HAS_SETS)
    return;
  CHECK_INT(mote_port_set_open(&set), 0);
  for(i = 0; i < MANY; i++) {
    make_pair(fds[i]);
    CHECK_INT(mote_port_set_change(set, fds[i][0], 0, CURL_WAIT_POLLOUT, &seen[i]), 0);
  }
  for(rounds = 0; rounds < 4; rounds++) {
    ready = wait_now(set, e, 200);
    CHECK(ready <= 64);
    for(i = 0; i < ready; i++)
      *(unsigned char *)e[i].tag = 1;
  }
  for(i = 0; i < MANY; i++) {
    CHECK(seen[i]);
    close_pair(fds[i]);
  }
  mote_port_set_close(set, (uint32_t)mote_port_pid());
}

/* What is ready both ways is one event, however many there are. */
TEST(set_both_ways)
{
  enum { MANY = 40 };
  static int fds[MANY][2];
  struct mote_port_event e[100];
  unsigned seen[MANY] = { 0 };
  unsigned i;
  unsigned ready;
  curl_socket_t set;
  if(!HAS_SETS)
    return;
  CHECK_INT(mote_port_set_open(&set), 0);
  for(i = 0; i < MANY; i++) {
    make_pair(fds[i]);
    CHECK(write(fds[i][1], "x", 1) == 1);
    CHECK_INT(mote_port_set_change(set, fds[i][0], 0, CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT, &seen[i]), 0);
    if(i == 19) {
      ready = wait_now(set, e, 100);
      CHECK_INT(ready, 20);
      while(ready--)
        CHECK_INT(e[ready].ready, CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT);
    }
  }
  for(i = 0; i < 4; i++) {
    ready = wait_now(set, e, 100);
    while(ready--) {
      unsigned *of = e[ready].tag;
      CHECK_INT(*of >> 4, i); /* this is the first event of this wait */
      *of = (*of & 15) | (i + 1) << 4 | e[ready].ready;
    }
    for(ready = 0; ready < MANY; ready++)
      seen[ready] = (seen[ready] & 15) | (i + 1) << 4;
  }
  for(i = 0; i < MANY; i++) {
    CHECK_INT(seen[i] & 15, CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT);
    close_pair(fds[i]);
  }
  mote_port_set_close(set, (uint32_t)mote_port_pid());
}

/* What was wanted first is no longer reported, whatever the caller believes was wanted. */
TEST(set_wants_less)
{
  int fds[2];
  int a;
  struct mote_port_event e[8];
  curl_socket_t set;
  if(!HAS_SETS)
    return;
  make_pair(fds);
  CHECK_INT(mote_port_set_open(&set), 0);
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT, &a), 0);
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLIN, &a), 0);
  CHECK_INT(wait_now(set, e, 8), 0);
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLOUT, &a), 0);
  CHECK(write(fds[1], "x", 1) == 1);
  CHECK_INT(wait_now(set, e, 8), 1);
  CHECK_INT(e[0].ready, CURL_WAIT_POLLOUT);
  CHECK_INT(mote_port_set_change(set, fds[0], 0, 0, NULL), 0);
  CHECK_INT(wait_now(set, e, 8), 0);
  mote_port_set_close(set, (uint32_t)mote_port_pid());
  close_pair(fds);
}

/* A peer that sends no more, one that is gone, and a reader that is. */
TEST(set_ends)
{
  int fds[2];
  int ends[2];
  int a;
  int b;
  struct mote_port_event e[8];
  curl_socket_t set;
  if(!HAS_SETS)
    return;
  make_pair(fds);
  CHECK_INT(mote_port_set_open(&set), 0);
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLIN, &a), 0);
  CHECK(!shutdown(fds[1], SHUT_WR));
  CHECK_INT(wait_now(set, e, 8), 1);
  CHECK(e[0].tag == &a && e[0].ready & CURL_WAIT_POLLIN && !(e[0].ready & MOTE_POLL_ERROR));
  CHECK_INT(mote_port_set_change(set, fds[0], CURL_WAIT_POLLIN, CURL_WAIT_POLLOUT, &a), 0);
  CHECK_INT(wait_now(set, e, 8), 1);
  CHECK_INT(e[0].ready, CURL_WAIT_POLLOUT);
  close(fds[1]);
  CHECK_INT(wait_now(set, e, 8), 1);
  CHECK(e[0].ready & MOTE_POLL_HANGUP);
  close(fds[0]);
  CHECK(!pipe(ends));
  CHECK_INT(mote_port_set_change(set, ends[1], 0, CURL_WAIT_POLLOUT, &b), 0);
  CHECK_INT(wait_now(set, e, 8), 1);
  CHECK(e[0].tag == &b && e[0].ready == CURL_WAIT_POLLOUT);
  close(ends[0]);
  CHECK_INT(wait_now(set, e, 8), 1);
  CHECK(e[0].ready & (MOTE_POLL_ERROR | MOTE_POLL_HANGUP));
  close(ends[1]);
  CHECK_INT(wait_now(set, e, 8), 0);
  mote_port_set_close(set, (uint32_t)mote_port_pid());
}

/* A connect that is refused ends a wait for writing. */
TEST(set_refused)
{
  struct mote_addr a = { .family = MOTE_FAMILY_IP4, .ip = { 127, 0, 0, 1 } };
  struct mote_target t;
  struct mote_port_event e[1];
  curl_socket_t set, taken, fd;
  unsigned ready;
  int error;
  if(!HAS_SETS)
    return;
  CHECK_INT(mote_port_set_open(&set), 0);
  CHECK_INT(mote_port_target_ip(&t, &a, MOTE_SOCKET_STREAM), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &taken), 0);
  CHECK(!bind(taken, &t.u.sa.addr, (socklen_t)t.u.sa.addrlen)); /* a port that listens to no one */
  CHECK_INT(mote_port_local_name(taken, &a), 0);
  CHECK_INT(mote_port_target_ip(&t, &a, MOTE_SOCKET_STREAM), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), 0);
  error = mote_port_connect(fd, &t.u.sa);
  CHECK(error == MOTE_PORT_AGAIN || error == ECONNREFUSED);
  CHECK_INT(mote_port_set_change(set, fd, 0, CURL_WAIT_POLLOUT, &fd), 0);
  CHECK_INT(mote_port_set_wait(set, e, 1, 5000, &ready), 0);
  CHECK_INT(ready, 1);
  CHECK(e[0].tag == &fd && e[0].ready & MOTE_POLL_ERROR);
  CHECK(error == ECONNREFUSED || mote_port_connect_result(fd) == ECONNREFUSED);
  mote_port_close(fd);
  mote_port_close(taken);
  mote_port_set_close(set, (uint32_t)mote_port_pid());
}

/* A descriptor with the number of one that was closed is not in the set, and nothing of that one is. */
TEST(set_has_a_number_again)
{
  int fds[2];
  int again[2];
  int a;
  int b;
  struct mote_port_event e[8];
  curl_socket_t set;
  if(!HAS_SETS)
    return;
  make_pair(fds);
  CHECK_INT(mote_port_set_open(&set), 0);
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLOUT, &a), 0);
  close_pair(fds);
  make_pair(again);
  CHECK(again[0] == fds[0]);
  CHECK_INT(wait_now(set, e, 8), 0);
  CHECK_INT(mote_port_set_change(set, again[0], CURL_WAIT_POLLOUT, CURL_WAIT_POLLIN, &b), 0);
  CHECK_INT(wait_now(set, e, 8), 0);
  CHECK(write(again[1], "x", 1) == 1);
  CHECK_INT(wait_now(set, e, 8), 1);
  CHECK(e[0].tag == &b && e[0].ready == CURL_WAIT_POLLIN);
  close_pair(again);
  mote_port_set_close(set, (uint32_t)mote_port_pid());
}

TEST(set_timeout)
{
  int fds[2];
  struct mote_port_event e[1];
  unsigned ready = 99;
  curl_socket_t set;
  mote_time start = mote_port_now();
  if(!HAS_SETS)
    return;
  make_pair(fds);
  CHECK_INT(mote_port_set_open(&set), 0);
  CHECK_INT(mote_port_set_change(set, fds[0], 0, CURL_WAIT_POLLIN, NULL), 0);
  CHECK_INT(mote_port_set_wait(set, e, 1, 10, &ready), 0);
  CHECK_INT(ready, 0);
  CHECK(mote_port_now() - start >= 10 * MOTE_MS);
  CHECK_INT(mote_port_set_wait(set, e, 1, 1010, &ready), 0);
  CHECK(mote_port_now() - start >= 1020 * MOTE_MS);
  CHECK(write(fds[1], "x", 1) == 1);
  CHECK_INT(mote_port_set_wait(set, e, 1, -1, &ready), 0);
  CHECK_INT(ready, 1);
  mote_port_set_close(set, (uint32_t)mote_port_pid());
  close_pair(fds);
}

static struct mote_wake wake;

static void wake_on_alarm(int signal_number)
{
  (void)signal_number;
  (void)mote_port_wake_signal(&wake);
}

static bool awake(void)
{
  struct curl_waitfd w = { 0, CURL_WAIT_POLLIN, 0 };
  unsigned ready = 99;
  w.fd = wake.in;
  CHECK_INT(mote_port_poll(&w, 1, 0, &ready), 0);
  return ready == 1;
}

TEST(waking)
{
  struct sigaction action = { .sa_handler = wake_on_alarm };
  struct curl_waitfd w = { 0, CURL_WAIT_POLLIN, 0 };
  unsigned ready = 0;
  int i;
  CHECK_INT(mote_port_wake_open(&wake), 0);
  CHECK_INT(wake.in == wake.out, IS_LINUX);
  CHECK(fcntl(wake.in, F_GETFD) & FD_CLOEXEC);
  CHECK(fcntl(wake.out, F_GETFD) & FD_CLOEXEC);
  CHECK(!awake());
  CHECK_INT(mote_port_wake_drain(&wake), 0);
  for(i = 0; i < (IS_LINUX ? 300 : 200000); i++) {
    errno = 7;
    CHECK_INT(mote_port_wake_signal(&wake), 0);
    CHECK_INT(errno, 7);
  }
  if(IS_LINUX) {
    const uint64_t most = UINT64_MAX - 1 - 300; /* with the 300 above the counter is full */
    CHECK(write(wake.out, &most, sizeof most) == sizeof most);
    CHECK_INT(mote_port_wake_signal(&wake), 0);
    CHECK_INT(errno, 7);
  }
  CHECK(awake());
  CHECK(awake());
  CHECK_INT(mote_port_wake_drain(&wake), 0);
  CHECK(!awake());
  start_alarm();
  CHECK(!sigaction(SIGALRM, &action, NULL));
  w.fd = wake.in;
  for(i = 0; i < 2 && !ready; i++)
    CHECK_INT(mote_port_poll(&w, 1, 10000, &ready), 0);
  CHECK_INT(ready, 1);
  mote_port_wake_close(&wake);
  CHECK(wake.in == CURL_SOCKET_BAD && wake.out == CURL_SOCKET_BAD);
  mote_port_wake_close(&wake);
  CHECK_INT(mote_port_wake_signal(&wake), EBADF);
  CHECK_INT(mote_port_wake_drain(&wake), EBADF);
}

int main(void)
{
  TEST_RUN(polling);
  TEST_RUN(poll_interrupted);
  TEST_RUN(set);
  TEST_RUN(set_in_another_wait);
  TEST_RUN(set_of_many);
  TEST_RUN(set_both_ways);
  TEST_RUN(set_wants_less);
  TEST_RUN(set_ends);
  TEST_RUN(set_refused);
  TEST_RUN(set_has_a_number_again);
  TEST_RUN(set_timeout);
  TEST_RUN(waking);
  return test_end();
}
