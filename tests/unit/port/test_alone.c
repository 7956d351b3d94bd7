/* What the headers of the port promise, asked of the port alone: the suite for a system that has no POSIX.
 * The other tests of this folder look closer, by calls of POSIX. Needs data_listen, tftp, threads, file. */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "port/datagram.h"
#include "port/env.h"
#include "port/file.h"
#include "port/interface.h"
#include "port/listen.h"
#include "port/lock.h"
#include "port/port.h"
#include "port/thread.h"
#include "port/wake.h"
#include "test.h"

enum {
  LONG_MS = 20000 /* more than anything takes */
};

static struct mote_addr loopback(uint16_t port)
{
  struct mote_addr a = {.family = MOTE_FAMILY_IP4, .port = port, .ip = {127, 0, 0, 1}};
  return a;
}

/* The events of one descriptor after a wait. */
static unsigned events_of(curl_socket_t fd, unsigned events, int timeout_ms)
{
  struct curl_waitfd wait = {.fd = fd, .events = (short)events};
  unsigned ready = 77;
  CHECK_INT(mote_port_poll(&wait, 1, timeout_ms, &ready), 0);
  CHECK_INT(ready, wait.revents != 0);
  CHECK_INT(wait.events, (short)events);
  return (unsigned short)wait.revents;
}

static curl_socket_t bound(enum mote_socket_type type, struct mote_addr *a)
{
  struct mote_target t;
  curl_socket_t fd = CURL_SOCKET_BAD;
  CHECK_INT(mote_port_target_ip(&t, a, type), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), 0);
  CHECK_INT(mote_port_bind(fd, a), 0);
  CHECK_INT(mote_port_local_name(fd, a), 0);
  CHECK(a->port);
  return fd;
}

/* A socket whose connect to *to has begun. */
static curl_socket_t begin(const struct mote_addr *to, int *error)
{
  struct mote_target t;
  curl_socket_t fd = CURL_SOCKET_BAD;
  CHECK_INT(mote_port_target_ip(&t, to, MOTE_SOCKET_STREAM), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), 0);
  *error = mote_port_connect(fd, &t.u.sa);
  return fd;
}

struct pair {
  curl_socket_t client, server;
};

static struct pair make_pair(void)
{
  struct mote_addr a = loopback(0), peer;
  struct pair p = {CURL_SOCKET_BAD, CURL_SOCKET_BAD};
  curl_socket_t l = bound(MOTE_SOCKET_STREAM, &a);
  int error;
  CHECK_INT(mote_port_listen(l), 0);
  CHECK_INT(mote_port_accept(l, &p.server, &peer), MOTE_PORT_AGAIN);
  CHECK(p.server == CURL_SOCKET_BAD);
  p.client = begin(&a, &error);
  CHECK(!error || error == MOTE_PORT_AGAIN);
  CHECK(events_of(p.client, CURL_WAIT_POLLOUT, LONG_MS) == CURL_WAIT_POLLOUT);
  CHECK_INT(mote_port_connect_result(p.client), 0);
  CHECK(events_of(l, CURL_WAIT_POLLIN, LONG_MS) == CURL_WAIT_POLLIN);
  CHECK_INT(mote_port_accept(l, &p.server, &peer), 0);
  CHECK_INT(peer.family, MOTE_FAMILY_IP4);
  CHECK_INT(mote_port_local_name(p.client, &a), 0);
  CHECK_INT(peer.port, a.port);
  CHECK_INT(mote_port_peer_name(p.server, &a), 0);
  CHECK_INT(peer.port, a.port);
  mote_port_close(l);
  return p;
}

static void close_pair(const struct pair *p)
{
  mote_port_close(p->client);
  mote_port_close(p->server);
}

TEST(bytes_go_both_ways_and_end)
{
  struct pair p = make_pair();
  char room[10];
  size_t n = 77;
  CHECK_INT(mote_port_recv(p.client, room, sizeof room, &n), MOTE_PORT_AGAIN);
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_peek(p.client), MOTE_PEEK_QUIET);
  CHECK_INT(mote_port_send(p.server, "hello", 5, &n), 0);
  CHECK_INT(n, 5);
  CHECK(events_of(p.client, CURL_WAIT_POLLIN, LONG_MS) == CURL_WAIT_POLLIN);
  CHECK_INT(mote_port_peek(p.client), MOTE_PEEK_BYTES);
  CHECK_INT(mote_port_recv(p.client, room, 0, &n), 0);
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_recv(p.client, room, sizeof room, &n), 0);
  CHECK_MEM(room, n, "hello", 5);
  CHECK_INT(mote_port_shutdown(p.server), 0);
  CHECK(events_of(p.client, CURL_WAIT_POLLIN, LONG_MS) & CURL_WAIT_POLLIN);
  CHECK_INT(mote_port_recv(p.client, room, sizeof room, &n), 0);
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_peek(p.client), MOTE_PEEK_CLOSED);
  CHECK_INT(mote_port_send(p.client, "back", 4, &n), 0); /* the other way is still open */
  CHECK(events_of(p.server, CURL_WAIT_POLLIN, LONG_MS) & CURL_WAIT_POLLIN);
  CHECK_INT(mote_port_recv(p.server, room, sizeof room, &n), 0);
  CHECK_MEM(room, n, "back", 4);
  close_pair(&p);
}

TEST(a_full_connection_takes_no_more)
{
  static char bytes[65536];
  struct pair p = make_pair();
  size_t n, total = 0;
  int error = 0;
  while(!error && total < (64u << 20)) {
    error = mote_port_send(p.client, bytes, sizeof bytes, &n);
    CHECK(error ? !n : n > 0);
    total += n;
  }
  CHECK_INT(error, MOTE_PORT_AGAIN);
  CHECK_INT(events_of(p.client, CURL_WAIT_POLLOUT, 0), 0);
  while(!mote_port_recv(p.server, bytes, sizeof bytes, &n) && n)
    total -= n;
  CHECK(events_of(p.client, CURL_WAIT_POLLOUT, LONG_MS) == CURL_WAIT_POLLOUT);
  close_pair(&p);
}

TEST(a_refused_connection_says_so)
{
  struct mote_addr a = loopback(0);
  char text[60];
  int error;
  curl_socket_t fd;
  mote_port_close(bound(MOTE_SOCKET_STREAM, &a));
  fd = begin(&a, &error);
  if(error == MOTE_PORT_AGAIN) {
    CHECK(events_of(fd, CURL_WAIT_POLLOUT, LONG_MS) != 0);
    error = mote_port_connect_result(fd);
  }
  CHECK_INT(error, ECONNREFUSED);
  CHECK_INT(mote_port_error_text(error, text, sizeof text), sizeof "Connection refused" - 1);
  CHECK_STR(text, "Connection refused");
  CHECK_INT(mote_port_error_text(error, text, 5), 4);
  CHECK_STR(text, "Conn");
  mote_port_close(fd);
}

TEST(a_reset_is_an_error)
{
  struct pair p = make_pair();
  size_t n;
  char room[10];
  int error;
  CHECK_INT(mote_port_send(p.client, "unread", 6, &n), 0);
  CHECK(events_of(p.server, CURL_WAIT_POLLIN, LONG_MS) & CURL_WAIT_POLLIN);
  mote_port_close(p.server); /* with bytes that were not read */
  CHECK(events_of(p.client, CURL_WAIT_POLLIN, LONG_MS) != 0);
  error = mote_port_recv(p.client, room, sizeof room, &n);
  CHECK(error == ECONNRESET || (!error && !strcmp(MOTE_TEST_PORT, "windows"))); /* wine ends it first */
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_peek(p.client), MOTE_PEEK_CLOSED);
  mote_port_close(p.client);
}

/* It was reset before the first look at its connect: waiting for that would never end. */
TEST(a_connection_that_was_reset_is_not_under_way)
{
  struct pair p = make_pair();
  size_t n;
  CHECK_INT(mote_port_send(p.client, "unread", 6, &n), 0);
  CHECK(events_of(p.server, CURL_WAIT_POLLIN, LONG_MS) & CURL_WAIT_POLLIN);
  mote_port_close(p.server);
  CHECK(events_of(p.client, CURL_WAIT_POLLIN, LONG_MS) != 0);
  CHECK_INT(mote_port_connect_result(p.client), ECONNRESET);
  mote_port_close(p.client);
}

TEST(a_wait_ends_when_it_is_over)
{
  struct pair p = make_pair();
  unsigned ready = 77;
  mote_time began = mote_port_now();
  CHECK_INT(events_of(p.client, CURL_WAIT_POLLIN, 0), 0);
  CHECK_INT(events_of(p.client, CURL_WAIT_POLLIN, 60), 0);
  CHECK(mote_port_now() - began >= 40 * MOTE_MS);
  CHECK_INT(mote_port_poll(NULL, 0, 60, &ready), 0);
  CHECK_INT(ready, 0);
  CHECK(mote_port_now() - began >= 80 * MOTE_MS);
  CHECK_INT(events_of(p.client, CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT, LONG_MS), CURL_WAIT_POLLOUT);
  close_pair(&p);
}

TEST(a_descriptor_that_is_not_open_is_invalid)
{
  struct pair p = make_pair();
  struct curl_waitfd both[2] = {{.fd = p.server, .events = CURL_WAIT_POLLOUT},
                                {.fd = p.client, .events = CURL_WAIT_POLLIN}};
  unsigned ready;
  mote_port_close(p.client);
  CHECK_INT(events_of(p.client, CURL_WAIT_POLLIN, LONG_MS), MOTE_POLL_INVALID);
  CHECK_INT(mote_port_poll(both, 2, LONG_MS, &ready), 0);
  CHECK_INT(both[1].revents, MOTE_POLL_INVALID);
  CHECK(both[0].revents & CURL_WAIT_POLLOUT);
  CHECK_INT(ready, 2);
  mote_port_close(p.server);
}

TEST(options_are_taken_or_missing)
{
  struct pair p = make_pair();
  int option;
  for(option = MOTE_SOCKOPT_NODELAY; option <= MOTE_SOCKOPT_SEND_BUFFER; option++) {
    int error = mote_port_setopt(p.client, (enum mote_sockopt)option,
                                 option >= MOTE_SOCKOPT_RECEIVE_BUFFER ? 30000 : 1);
    /* an option of a socket before its connect; those of a later kernel */
    CHECK(!error || error == ENOPROTOOPT || option == MOTE_SOCKOPT_FASTOPEN);
  }
  CHECK_INT(mote_port_setopt(p.client, MOTE_SOCKOPT_NODELAY, 1), 0);
  CHECK_INT(mote_port_setopt(p.client, MOTE_SOCKOPT_KEEPALIVE, 1), 0);
  close_pair(&p);
}

TEST(a_wake_up_ends_a_wait)
{
  struct mote_wake w;
  int i;
  CHECK_INT(mote_port_wake_open(&w), 0);
  CHECK_INT(events_of(w.in, CURL_WAIT_POLLIN, 0), 0);
  for(i = 0; i < 3; i++)
    CHECK_INT(mote_port_wake_signal(&w), 0);
  CHECK_INT(events_of(w.in, CURL_WAIT_POLLIN, LONG_MS), CURL_WAIT_POLLIN);
  CHECK_INT(mote_port_wake_drain(&w), 0);
  CHECK_INT(events_of(w.in, CURL_WAIT_POLLIN, 0), 0);
  for(i = 0; i < 100000; i++) /* more than there is room for */
    CHECK_INT(mote_port_wake_signal(&w), 0);
  CHECK_INT(mote_port_wake_drain(&w), 0);
  mote_port_wake_close(&w);
  CHECK(w.in == CURL_SOCKET_BAD && w.out == CURL_SOCKET_BAD);
  mote_port_wake_close(&w);
}

TEST(datagrams_keep_their_ends)
{
  struct mote_addr a = loopback(0), b = loopback(0), from;
  curl_socket_t one = bound(MOTE_SOCKET_DATAGRAM, &a), other = bound(MOTE_SOCKET_DATAGRAM, &b);
  char room[10];
  size_t n = 77;
  CHECK_INT(mote_port_recv_from(one, room, sizeof room, &n, &from), MOTE_PORT_AGAIN);
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_send_to(other, &a, "abc", 3), 0);
  CHECK_INT(mote_port_send_to(other, &a, "", 0), 0);
  CHECK_INT(mote_port_send_to(other, &a, "more than there is room for", 27), 0);
  CHECK_INT(events_of(one, CURL_WAIT_POLLIN, LONG_MS), CURL_WAIT_POLLIN);
  CHECK_INT(mote_port_recv_from(one, room, sizeof room, &n, &from), 0);
  CHECK_MEM(room, n, "abc", 3);
  CHECK_INT(from.family, MOTE_FAMILY_IP4);
  CHECK_INT(from.port, b.port);
  CHECK_INT(mote_port_recv_from(one, room, sizeof room, &n, &from), 0);
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_recv_from(one, room, sizeof room, &n, &from), 0);
  CHECK_MEM(room, n, "more than ", 10);
  mote_port_close(one);
  mote_port_close(other);
}

TEST(local_addresses_are_checked)
{
  struct mote_addr a = loopback(0), nowhere = {.family = MOTE_FAMILY_IP4, .ip = {192, 0, 2, 1}};
  struct mote_target t;
  curl_socket_t l = bound(MOTE_SOCKET_STREAM, &a), fd;
  CHECK_INT(mote_port_listen(l), 0);
  CHECK_INT(mote_port_target_ip(&t, &a, MOTE_SOCKET_STREAM), 0);
  CHECK_INT(mote_port_socket(&t.u.sa, &fd), 0);
  CHECK_INT(mote_port_bind(fd, &a), EADDRINUSE);
  CHECK_INT(mote_port_bind(fd, &nowhere), EADDRNOTAVAIL);
  CHECK_INT(mote_port_interface_address("no such device", &a, &nowhere), ENODEV);
  CHECK_INT(mote_port_interface_index("no such device"), 0);
  a.family = 99;
  CHECK_INT(mote_port_target_ip(&t, &a, MOTE_SOCKET_STREAM), EAFNOSUPPORT);
  mote_port_close(fd);
  mote_port_close(l);
}

/* ---- names, threads, locks ---- */

static struct mote_mutex mutex;
static int guarded;
static atomic_int ended;

static void *count_up(void *arg)
{
  int i;
  (void)arg;
  for(i = 0; i < 10000; i++) {
    mote_port_lock(&mutex);
    guarded++;
    mote_port_unlock(&mutex);
  }
  atomic_fetch_add(&ended, 1);
  return NULL;
}

TEST(threads_lock_each_other_out)
{
  unsigned ready;
  int i;
  for(i = 0; i < 4; i++)
    CHECK_INT(mote_port_thread_start(count_up, NULL), 0);
  for(i = 0; i < 2000 && atomic_load(&ended) < 4; i++)
    (void)mote_port_poll(NULL, 0, 10, &ready);
  CHECK_INT(atomic_load(&ended), 4);
  CHECK_INT(guarded, 40000);
}

TEST(names_have_addresses)
{
  struct mote_addr found[8];
  size_t n = 77, i;
  CHECK_INT(mote_port_lookup("localhost", MOTE_FAMILY_IP4, found, 8, &n), 0);
  CHECK(n >= 1 && n <= 8);
  for(i = 0; i < n; i++)
    CHECK(found[i].family == MOTE_FAMILY_IP4 && found[i].ip[0] == 127 && !found[i].port);
  CHECK_INT(mote_port_lookup("127.0.0.1", MOTE_FAMILY_NONE, found, 8, &n), 0);
  CHECK_INT(found[0].ip[3], 1);
  CHECK(mote_port_lookup("no-such-name.invalid", MOTE_FAMILY_NONE, found, 8, &n) != 0);
  CHECK_INT(n, 0);
}

TEST(clocks_and_random_bytes)
{
  unsigned char a[600] = {0}, b[600] = {0};
  char host[300];
  mote_time before = mote_port_now();
  CHECK(before > 0);
  CHECK(mote_port_now() >= before);
  CHECK(mote_port_wall() > 1700000000);
  CHECK_INT(mote_port_random(a, sizeof a), CURLE_OK);
  CHECK_INT(mote_port_random(b, sizeof b), CURLE_OK);
  CHECK(memcmp(a, b, sizeof a) != 0);
  CHECK(mote_port_hostname(host, sizeof host) && *host);
  CHECK(!mote_port_hostname(host, 1));
}

TEST(variables_of_the_environment)
{
  static char set[] = "MOTE_TEST_VARIABLE=value", proxy[] = "Gopher_PROXY=http://127.0.0.1/";
  static char no_proxy[] = "no_proxy=localhost";
  CHECK(!mote_port_getenv("MOTE_TEST_VARIABLE"));
  CHECK_INT(putenv(set), 0);
  CHECK(mote_port_getenv("MOTE_TEST_VARIABLE") != NULL);
  CHECK(!strcmp(mote_port_getenv("MOTE_TEST_VARIABLE"), "value"));
  CHECK(!mote_port_env_proxies("gopher", 6));
  CHECK_INT(putenv(proxy), 0);
  CHECK(mote_port_env_proxies("gopher", 6));
  CHECK(!mote_port_env_proxies("goph", 4));
  CHECK_INT(putenv(no_proxy), 0);
  CHECK(mote_port_env_no_proxy());
}

/* ---- files, in the folder for those that do not last ---- */

static char folder[200];
static char name[300]; /* UTF-8 with an umlaut and a euro sign */
static char other_name[300];

static void choose_names(void)
{
  const char *given = mote_port_getenv("TMPDIR");
  unsigned number;
  if(!given)
    given = mote_port_getenv("TEMP");
  (void)snprintf(folder, sizeof folder, "%s", given ? given : "/tmp");
  CHECK_INT(mote_port_random(&number, sizeof number), CURLE_OK);
  (void)snprintf(name, sizeof name, "%s/mote-\xc3\xa4-\xe2\x82\xac-%u", folder, number);
  (void)snprintf(other_name, sizeof other_name, "%s/mote-other-%u", folder, number);
}

static void put(const char *path, enum mote_file_mode mode, const char *text)
{
  int file = -1;
  CHECK_INT(mote_port_file_open(path, mode, 0644, &file), 0);
  CHECK_INT(mote_port_file_write(file, text, strlen(text)), 0);
  CHECK_INT(mote_port_file_close(file), 0);
}

static void expect(const char *path, const char *want)
{
  char have[100];
  size_t total = 0, n = 1;
  int file = -1;
  CHECK_INT(mote_port_file_open(path, MOTE_FILE_READ, 0, &file), 0);
  while(n && total < sizeof have - 5) {
    CHECK_INT(mote_port_file_read(file, have + total, 5, &n), 0);
    total += n;
  }
  CHECK_MEM(have, total, want, strlen(want));
  CHECK_INT(mote_port_file_seek(file, 2), 0);
  CHECK_INT(mote_port_file_read(file, have, sizeof have, &n), 0);
  CHECK_MEM(have, n, want + 2, strlen(want) - 2);
  CHECK_INT(mote_port_file_close(file), 0);
}

TEST(files_are_written_and_read)
{
  int file;
  choose_names();
  put(name, MOTE_FILE_NEW, "first\r\n");
  CHECK_INT(mote_port_file_open(name, MOTE_FILE_NEW, 0644, &file), EEXIST);
  CHECK_INT(file, -1);
  expect(name, "first\r\n");
  put(name, MOTE_FILE_APPEND, "\x1asecond\n"); /* neither line ends nor an end of text mean anything */
  expect(name, "first\r\n\x1asecond\n");
  put(name, MOTE_FILE_WRITE, "new");
  expect(name, "new");
  CHECK_INT(mote_port_file_remove(name), 0);
  CHECK_INT(mote_port_file_remove(name), ENOENT);
  CHECK_INT(mote_port_file_open(name, MOTE_FILE_READ, 0, &file), ENOENT);
  CHECK_INT(mote_port_file_open("no-such-folder/x", MOTE_FILE_WRITE, 0644, &file), ENOENT);
  CHECK_INT(mote_port_file_open("", MOTE_FILE_READ, 0, &file), ENOENT);
  put(name, MOTE_FILE_APPEND, "made");
  expect(name, "made");
  CHECK_INT(mote_port_file_remove(name), 0);
}

TEST(files_take_the_place_of_others)
{
  struct mote_file_info before, after;
  int64_t changed;
  int file = -1;
  put(name, MOTE_FILE_WRITE, "one");
  put(other_name, MOTE_FILE_WRITE, "other");
  CHECK_INT(mote_port_path_info(name, &before), 0);
  CHECK(before.regular && !before.directory);
  CHECK_INT(before.size, 3);
  CHECK(before.perms & 0200);
  changed = before.mtime / 1000000000;
  CHECK(changed > mote_port_wall() - 1000 && changed < mote_port_wall() + 1000);
  CHECK_INT(mote_port_file_open(other_name, MOTE_FILE_READ, 0, &file), 0);
  CHECK_INT(mote_port_file_info(file, &after), 0);
  CHECK_INT(mote_port_file_close(file), 0);
  CHECK_INT(after.size, 5);
  CHECK(!after.number || after.number != before.number);
  CHECK_INT(mote_port_file_rename(name, other_name), 0);
  expect(other_name, "one");
  CHECK_INT(mote_port_path_info(name, &after), ENOENT);
  CHECK_INT(mote_port_path_info(other_name, &after), 0);
  CHECK(after.number == before.number);
  CHECK_INT(mote_port_file_remove(other_name), 0);
  CHECK_INT(mote_port_path_info(folder, &after), 0);
  CHECK(after.directory && !after.regular);
}

/* A path of more than 260 characters, and the longest that is none. */
TEST(long_paths)
{
  static char path[9000];
  const char *last = other_name + strlen(folder);
  size_t len = strlen(folder);
  int file;
  memcpy(path, folder, len);
  while(len < 400) {
    memcpy(path + len, "/.", 2);
    len += 2;
  }
  memcpy(path + len, last, strlen(last) + 1);
  put(path, MOTE_FILE_WRITE, "far away");
  expect(other_name, "far away");
  CHECK_INT(mote_port_file_remove(path), 0);
  memset(path, 'x', sizeof path - 1);
  CHECK_INT(mote_port_file_open(path, MOTE_FILE_READ, 0, &file), ENAMETOOLONG);
}

int main(void)
{
  TEST_RUN(bytes_go_both_ways_and_end);
  TEST_RUN(a_full_connection_takes_no_more);
  TEST_RUN(a_refused_connection_says_so);
  TEST_RUN(a_reset_is_an_error);
  TEST_RUN(a_connection_that_was_reset_is_not_under_way);
  TEST_RUN(a_wait_ends_when_it_is_over);
  TEST_RUN(a_descriptor_that_is_not_open_is_invalid);
  TEST_RUN(options_are_taken_or_missing);
  TEST_RUN(a_wake_up_ends_a_wait);
  TEST_RUN(datagrams_keep_their_ends);
  TEST_RUN(local_addresses_are_checked);
  TEST_RUN(threads_lock_each_other_out);
  TEST_RUN(names_have_addresses);
  TEST_RUN(clocks_and_random_bytes);
  TEST_RUN(variables_of_the_environment);
  TEST_RUN(files_are_written_and_read);
  TEST_RUN(files_take_the_place_of_others);
  TEST_RUN(long_paths);
  return test_end();
}
