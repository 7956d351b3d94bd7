/* The simulated port (src/port/sim/sim.h): a world is the same again, time passes in waits, bytes keep their
 * order.
 * Needs wait_sets, !small, posix.
 *
 * needs: src/port/sim/world.c src/port/sim/stream.c src/port/sim/wait.c src/port/sim/names.c
 * needs: src/port/sim/file.c src/port/sim/absent.c */
#include "port/sim/sim.h"

#include <errno.h>

#include "port/file.h"
#include "port/port.h"
#include "port/set.h"
#include "port/thread.h"
#include "test.h"

_Noreturn void mote_sim_broken(const char *rule)
{
  fprintf(stderr, "broken: %s\n", rule);
  exit(1);
}

static const struct mote_addr here = { .family = MOTE_FAMILY_IP4, .port = 80, .ip = { 10, 0, 0, 1 } };

/* ---- a server that sends back what comes, and ends when the client does ---- */

static void echo_readable(struct mote_sim_peer *p)
{
  char bytes[100];
  size_t n;
  while((n = mote_sim_peer_read(p, bytes, sizeof bytes)) != 0)
    (void)mote_sim_peer_write(p, bytes, n);
  if(mote_sim_peer_ended(p))
    mote_sim_peer_close(p);
}

static const struct mote_sim_service echo = { .readable = echo_readable };

/* Sends ten bytes, and breaks the connection. */
static void breaker_accepted(struct mote_sim_peer *p)
{
  (void)mote_sim_peer_write(p, "0123456789", 10);
  mote_sim_peer_reset(p);
}

static const struct mote_sim_service breaker = { .accepted = breaker_accepted };

static curl_socket_t connect_to(const struct mote_addr *to, int *error)
{
  struct mote_target t;
  curl_socket_t fd = CURL_SOCKET_BAD;
  CHECK_INT(mote_port_target_ip(&t, to, MOTE_SOCKET_STREAM), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), 0);
  *error = mote_port_connect(fd, &t.u.sa);
  return fd;
}

static unsigned wait_ready(curl_socket_t fd, short events, int timeout_ms)
{
  struct curl_waitfd w = { fd, events, 0 };
  unsigned ready;
  CHECK_INT(mote_port_poll(&w, 1, timeout_ms, &ready), 0);
  return (unsigned short)w.revents;
}

/* Reads until an end or an error, which is returned. */
static int read_all(curl_socket_t fd, char *out, size_t size, size_t *len)
{
  *len = 0;
  for(;;) {
    size_t n;
    int error = mote_port_recv(fd, out + *len, size - *len, &n);
    if(error == MOTE_PORT_AGAIN) {
      if(!wait_ready(fd, CURL_WAIT_POLLIN, 10000))
        return MOTE_PORT_AGAIN;
      continue;
    }
    if(error || !n)
      return error;
    *len += n;
  }
}

TEST(time_passes_in_waits)
{
  mote_time start;
  unsigned ready;
  mote_sim_begin(1);
  start = mote_port_now();
  CHECK(mote_port_now() == start);
  CHECK_INT(mote_port_poll(NULL, 0, 1500, &ready), 0);
  CHECK_INT(ready, 0);
  CHECK(mote_port_now() - start == 1500 * MOTE_MS);
  CHECK_INT(mote_sim_end(), 0);
}

static size_t fill_bytes(char *out, size_t size)
{
  size_t i;
  for(i = 0; i < size; i++)
    out[i] = (char)(i * 7 + i / 256);
  return size;
}

/* What an echo gives back of a few thousand bytes; returns when. */
static mote_time echo_once(char *out, size_t size, size_t *len)
{
  char bytes[5000];
  size_t at, n, all = fill_bytes(bytes, sizeof bytes);
  mote_time took;
  int error;
  curl_socket_t fd = connect_to(&here, &error);
  mote_time start = mote_port_now();
  CHECK_INT(error, MOTE_PORT_AGAIN);
  CHECK(wait_ready(fd, CURL_WAIT_POLLOUT, 10000) & CURL_WAIT_POLLOUT);
  CHECK_INT(mote_port_connect_result(fd), 0);
  for(at = 0; at < all; at += n) {
    error = mote_port_send(fd, bytes + at, all - at, &n);
    if(error == MOTE_PORT_AGAIN)
      (void)wait_ready(fd, CURL_WAIT_POLLOUT, 10000);
    else if(!CHECK_INT(error, 0))
      break;
  }
  CHECK_INT(mote_port_shutdown(fd), 0);
  CHECK_INT(read_all(fd, out, size, len), 0);
  CHECK_INT(*len, all);
  CHECK(!memcmp(out, bytes, all));
  took = mote_port_now() - start;
  mote_port_close(fd);
  return took;
}

static void set_weather(void)
{
  struct mote_sim_weather *w = mote_sim_weather();
  w->latency_us = 50000;
  w->piece = 900;
  w->short_read = 300;
  w->short_write = 300;
  mote_sim_listen(&here, &echo, NULL);
}

TEST(bytes_keep_their_order_in_any_weather)
{
  char out[6000];
  size_t len;
  uint64_t seed;
  for(seed = 1; seed < 50; seed++) {
    mote_sim_begin(seed);
    set_weather();
    CHECK(echo_once(out, sizeof out, &len) > 0);
    CHECK_INT(mote_sim_end(), 0);
  }
}

TEST(a_tape_makes_the_same_world)
{
  struct mote_sim_drawn tape[4096];
  char out[6000];
  size_t len, count, again;
  mote_time took;
  mote_sim_begin(7);
  set_weather();
  took = echo_once(out, sizeof out, &len);
  memcpy(tape, mote_sim_tape(&count), sizeof tape);
  CHECK(count > 10 && count < sizeof tape / sizeof *tape);
  CHECK_INT(mote_sim_end(), 0);

  mote_sim_play(tape, count);
  set_weather();
  CHECK(echo_once(out, sizeof out, &len) == took);
  (void)mote_sim_tape(&again);
  CHECK_INT(again, count);
  CHECK_INT(mote_sim_end(), 0);

  mote_sim_play(tape, 0); /* nothing but ordinary answers */
  set_weather();
  CHECK(echo_once(out, sizeof out, &len) == 0);
  CHECK_INT(mote_sim_end(), 0);
}

TEST(refuses_where_none_listens)
{
  int error;
  curl_socket_t fd;
  mote_sim_begin(1);
  fd = connect_to(&here, &error);
  CHECK_INT(error, MOTE_PORT_AGAIN);
  CHECK(wait_ready(fd, CURL_WAIT_POLLOUT, 1000) & MOTE_POLL_ERROR);
  CHECK_INT(mote_port_connect_result(fd), ECONNREFUSED);
  CHECK(mote_sim_harms() & MOTE_SIM_REFUSED);
  CHECK_INT(mote_sim_end(), 1);
}

TEST(bytes_come_ahead_of_a_reset)
{
  char out[100];
  size_t len;
  int error;
  curl_socket_t fd;
  mote_sim_begin(1);
  mote_sim_listen(&here, &breaker, NULL);
  fd = connect_to(&here, &error);
  CHECK(wait_ready(fd, CURL_WAIT_POLLOUT, 1000) & CURL_WAIT_POLLOUT);
  CHECK_INT(read_all(fd, out, sizeof out, &len), ECONNRESET);
  CHECK_INT(len, 10);
  CHECK_INT(mote_port_peek(fd), MOTE_PEEK_CLOSED);
  mote_port_close(fd);
  CHECK_INT(mote_sim_end(), 0);
}

TEST(descriptors_run_out)
{
  struct mote_target t;
  curl_socket_t fd[2];
  mote_sim_begin(1);
  mote_sim_weather()->descriptors = 1;
  CHECK_INT(mote_port_target_ip(&t, &here, MOTE_SOCKET_STREAM), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd[0]), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd[1]), EMFILE);
  CHECK_INT(fd[1], CURL_SOCKET_BAD);
  mote_port_close(fd[0]);
  CHECK_INT(mote_sim_end(), 0);
}

TEST(a_set_reports_what_is_ready)
{
  struct mote_port_event e[2];
  curl_socket_t set, fd;
  unsigned ready;
  int error;
  mote_sim_begin(1);
  mote_sim_listen(&here, &breaker, NULL);
  CHECK_INT(mote_port_set_open(&set), 0);
  fd = connect_to(&here, &error);
  CHECK_INT(mote_port_set_change(set, fd, 0, CURL_WAIT_POLLIN, &error), 0);
  CHECK_INT(mote_port_set_wait(set, e, 2, 1000, &ready), 0);
  CHECK_INT(ready, 1);
  CHECK(e[0].tag == &error);
  CHECK(e[0].ready & CURL_WAIT_POLLIN);
  mote_port_close(fd); /* which takes it out of the set */
  CHECK_INT(mote_port_set_wait(set, e, 2, 10, &ready), 0);
  CHECK_INT(ready, 0);
  mote_port_set_close(set, (uint32_t)mote_port_pid());
  CHECK_INT(mote_sim_end(), 0);
}

static void *count_run(void *arg)
{
  ++*(int *)arg;
  return NULL;
}

TEST(a_thread_runs_in_a_wait)
{
  struct mote_addr found[4];
  size_t count;
  int runs = 0;
  unsigned ready;
  mote_sim_begin(1);
  mote_sim_name("host.sim", &here, 1);
  CHECK_INT(mote_port_thread_start(count_run, &runs), 0);
  CHECK_INT(runs, 0);
  CHECK_INT(mote_port_poll(NULL, 0, 10, &ready), 0);
  CHECK_INT(runs, 1);
  CHECK_INT(mote_port_thread_start(count_run, &runs), 0);
  CHECK_INT(mote_port_lookup("HOST.sim", MOTE_FAMILY_NONE, found, 4, &count), 0);
  CHECK_INT(count, 1);
  CHECK_INT(found[0].port, 0);
  CHECK_INT(mote_port_lookup("host.sim", MOTE_FAMILY_IP6, found, 4, &count), MOTE_PORT_NO_NAME);
  CHECK_INT(mote_port_lookup("other.sim", MOTE_FAMILY_NONE, found, 4, &count), MOTE_PORT_NO_NAME);
  CHECK_INT(mote_sim_end(), 0);
  CHECK_INT(runs, 2);
}

TEST(files_are_in_memory)
{
  struct mote_file_info info;
  char bytes[10];
  size_t n;
  int file;
  mote_sim_begin(1);
  CHECK_INT(mote_port_file_open("/a", MOTE_FILE_READ, 0, &file), ENOENT);
  CHECK_INT(mote_port_file_open("/a", MOTE_FILE_WRITE, 0600, &file), 0);
  CHECK_INT(mote_port_file_write(file, "text", 4), 0);
  CHECK_INT(mote_port_file_close(file), 0);
  CHECK_INT(mote_port_file_open("/a", MOTE_FILE_NEW, 0600, &file), EEXIST);
  CHECK_INT(mote_port_file_rename("/a", "/b"), 0);
  CHECK_INT(mote_port_path_info("/a", &info), ENOENT);
  CHECK_INT(mote_port_path_info("/b", &info), 0);
  CHECK_INT(info.size, 4);
  CHECK_INT(mote_port_file_open("/b", MOTE_FILE_READ, 0, &file), 0);
  CHECK_INT(mote_port_file_remove("/b"), 0);
  CHECK_INT(mote_port_file_read(file, bytes, sizeof bytes, &n), 0);
  CHECK_INT(n, 4);
  CHECK_INT(mote_port_file_close(file), 0);
  CHECK_INT(mote_sim_end(), 0);
}

int main(void)
{
  TEST_RUN(time_passes_in_waits);
  TEST_RUN(bytes_keep_their_order_in_any_weather);
  TEST_RUN(a_tape_makes_the_same_world);
  TEST_RUN(refuses_where_none_listens);
  TEST_RUN(bytes_come_ahead_of_a_reset);
  TEST_RUN(descriptors_run_out);
  TEST_RUN(a_set_reports_what_is_ready);
  TEST_RUN(a_thread_runs_in_a_wait);
  TEST_RUN(files_are_in_memory);
  return test_end();
}
