/* tests/unit/engine/test_multi.c: lists, limits, deadlines and the one buffer, seen through a loop of the
 * application's own (curl_multi_socket_action) and through curl_multi_perform.
 * Needs accounts, socket_callbacks, posix. */
#include <mote/mote.h>
#include <poll.h>

#include "api/multi/multi_handle.h"
#include "net/http_server.h"
#include "net/http_client.h"
#include "net/settle.h"

/* ---- a loop of the application's own ---- */

struct loop {
  struct {
    int fd;
    int what; /* CURL_POLL_*, 0: none */
  } fds[20];
  long timer_ms;  /* as last set; -1: none, or it was called */
  long due;       /* when, by now_ms() */
  int notified;   /* calls of the socket callback */
  int refuse;     /* that call answers -1; 0: none */
  bool no_timer;  /* the timer callback answers -1 */
  int nameless;   /* calls without an easy handle */
  bool bad;       /* it did not know the descriptor, or got the same twice */
};

static int on_socket(CURL *e, curl_socket_t fd, int what, void *user, void *assigned)
{
  struct loop *l = user;
  int i, slot = -1;
  (void)assigned;
  l->nameless += !e;
  for(i = 0; i < 20; i++)
    if(l->fds[i].what ? l->fds[i].fd == fd : slot < 0)
      slot = i;
  for(i = 0; i < 20; i++)
    if(l->fds[i].what && l->fds[i].fd == fd)
      slot = i;
  if(what == CURL_POLL_REMOVE ? !l->fds[slot].what : l->fds[slot].what == what)
    l->bad = true;
  l->fds[slot].fd = fd;
  l->fds[slot].what = what == CURL_POLL_REMOVE ? 0 : what;
  return ++l->notified == l->refuse ? -1 : 0;
}

static int on_timer(CURLM *m, long ms, void *user)
{
  struct loop *l = user;
  (void)m;
  l->timer_ms = ms;
  l->due = now_ms() + ms;
  return l->no_timer ? -1 : 0;
}

static int watched(const struct loop *l)
{
  int i, n = 0;
  for(i = 0; i < 20; i++)
    n += l->fds[i].what != 0;
  return n;
}

static CURLM *loop_multi(struct loop *l)
{
  CURLM *m = curl_multi_init();
  memset(l, 0, sizeof *l);
  l->timer_ms = -1;
  if(!m)
    return NULL;
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, on_socket), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_SOCKETDATA, l), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, on_timer), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_TIMERDATA, l), CURLM_OK);
  return m;
}

/* One turn. */
static CURLMcode turn(CURLM *m, struct loop *l, int *running)
{
  struct pollfd fds[20];
  int i, n = 0;
  CURLMcode rc = CURLM_OK;
  for(i = 0; i < 20; i++)
    if(l->fds[i].what) {
      fds[n].fd = l->fds[i].fd;
      fds[n].events = (short)((l->fds[i].what & CURL_POLL_IN ? POLLIN : 0) |
                              (l->fds[i].what & CURL_POLL_OUT ? POLLOUT : 0));
      n++;
    }
  (void)poll(fds, (nfds_t)n, l->timer_ms >= 0 && l->timer_ms < 20 ? (int)l->timer_ms : 20);
  if(l->timer_ms >= 0 && now_ms() >= l->due) {
    l->timer_ms = -1;
    return curl_multi_socket_action(m, CURL_SOCKET_TIMEOUT, 0, running);
  }
  for(i = 0; i < n && !rc; i++)
    if(fds[i].revents) {
      int mask = (fds[i].revents & POLLIN ? CURL_CSELECT_IN : 0) |
                 (fds[i].revents & POLLOUT ? CURL_CSELECT_OUT : 0);
      if(fds[i].revents & (POLLERR | POLLHUP))
        mask |= CURL_CSELECT_ERR;
      rc = curl_multi_socket_action(m, fds[i].fd, mask, running);
    }
  return rc;
}

static int drive(CURLM *m, struct loop *l)
{
  int running = 1, i;
  for(i = 0; i < 1000 && running; i++) {
    CURLMcode rc = turn(m, l, &running);
    if(rc) {
      CHECK((rc == CURLM_OUT_OF_MEMORY && test_mem.failed) || rc == CURLM_ABORTED_BY_CALLBACK);
      return -1;
    }
  }
  CHECK(i < 1000);
  return running;
}

static int succeeded(CURLM *m)
{
  CURLMsg *msg;
  int left, n = 0;
  while((msg = curl_multi_info_read(m, &left)) != NULL) {
    CHECK(msg->data.result == CURLE_OK || (msg->data.result == CURLE_OUT_OF_MEMORY && test_mem.failed));
    n += msg->data.result == CURLE_OK;
  }
  return n;
}

TEST(sockets_and_timers_are_reported)
{
  struct loop l;
  CURLM *m = loop_multi(&l);
  CURL *e[4];
  int i;
  for(i = 0; i < 4; i++) {
    e[i] = easy_for(i % 2 ? "/close" : "/");
    CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_OK);
    CHECK_INT(l.timer_ms, 0); /* "start me" */
  }
  CHECK_INT(drive(m, &l), 0);
  CHECK_INT(succeeded(m), 4);
  CHECK_INT(watched(&l), 0); /* kept connections are not the application's business */
  CHECK(!l.bad);
  CHECK_INT(l.timer_ms, -1);
  for(i = 0; i < 4; i++)
    curl_easy_cleanup(e[i]);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
  CHECK_INT(watched(&l), 0);
  CHECK(!l.bad);
}

/* Applications use the easy handle that the callback is given; a lookup's wake-up has none of its own. */
TEST(each_socket_comes_with_a_handle)
{
  struct loop l;
  CURLM *m = loop_multi(&l);
  CURL *e = easy_for("/");
  int running = 1;
  test_mem.threads = true;
  CHECK_INT(curl_easy_setopt(e, CURLOPT_URL, "http://nowhere.invalid/"), CURLE_OK);
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK_INT(curl_multi_socket_action(m, CURL_SOCKET_TIMEOUT, 0, &running), CURLM_OK);
  CHECK_INT(l.notified, 1);
  CHECK_INT(l.nameless, 0);
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
  CHECK(!l.bad);
  (void)names_settle();
}

/* Its descriptor was ready for what the dial had waited for, so that each wait ended at once. */
TEST(connect_only_is_watched_no_longer)
{
  struct loop l;
  CURLM *m = loop_multi(&l);
  CURL *e = easy_for("/");
  CHECK_INT(curl_easy_setopt(e, CURLOPT_CONNECT_ONLY, 1L), CURLE_OK);
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK_INT(drive(m, &l), 0);
  CHECK_INT(succeeded(m), 1);
  CHECK_INT(watched(&l), 0);
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
  CHECK(!l.bad);
}

TEST(removed_in_the_middle)
{
  struct loop l;
  CURLM *m = loop_multi(&l);
  CURL *e = easy_for("/never");
  int running = 1, requests = server.requests, i;
  CHECK_INT(curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, 60000L), CURLE_OK);
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  for(i = 0; i < 1000 && (server.requests == requests || l.fds[0].what != CURL_POLL_IN); i++)
    CHECK_INT(turn(m, &l, &running), CURLM_OK);
  CHECK_INT(watched(&l), 1);
  CHECK(l.timer_ms > 50000);
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
  CHECK_INT(watched(&l), 0);
  CHECK_INT(l.timer_ms, -1);
  CHECK(!l.bad);
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

TEST(the_application_gives_up)
{
  struct loop l;
  CURLM *m = loop_multi(&l);
  CURL *e = easy_for("/");
  int running;
  l.refuse = 1;
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK_INT(drive(m, &l), -1);
  CHECK_INT(curl_multi_perform(m, &running), CURLM_ABORTED_BY_CALLBACK);
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
  CHECK_INT(curl_easy_perform(e), CURLE_OK);
  curl_easy_cleanup(e);
}

/* Reads all messages, and returns how many end with that code. */
static int ended_with(CURLM *m, CURLcode code)
{
  CURLMsg *msg;
  int left, n = 0;
  while((msg = curl_multi_info_read(m, &left)) != NULL)
    n += msg->data.result == code;
  return n;
}

/* Without a message, and without a way to use the multi again. One waits for a socket, one for its host, one
 * for any connection. */
TEST(transfers_end_when_the_application_gives_up)
{
  struct loop l;
  CURLM *m = loop_multi(&l);
  CURL *e[3];
  int i, running = 1;
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_MAX_HOST_CONNECTIONS, 1L), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_MAX_TOTAL_CONNECTIONS, 1L), CURLM_OK);
  for(i = 0; i < 3; i++) {
    e[i] = easy_for("/");
    if(i == 2)
      CHECK_INT(curl_easy_setopt(e[i], CURLOPT_URL, "http://127.0.0.2:9/"), CURLE_OK);
    CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_OK);
  }
  l.refuse = 1;
  CHECK_INT(curl_multi_socket_action(m, CURL_SOCKET_TIMEOUT, 0, &running), CURLM_ABORTED_BY_CALLBACK);
  CHECK_INT(running, 0);
  CHECK_INT(watched(&l), 0);
  CHECK_INT(ended_with(m, CURLE_ABORTED_BY_CALLBACK), 3);
  for(i = 0; i < 3; i++) {
    CHECK_INT(curl_multi_perform(m, &running), CURLM_ABORTED_BY_CALLBACK);
    CHECK_INT(curl_multi_remove_handle(m, e[i]), CURLM_OK);
    if(i < 2)
      CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_ABORTED_BY_CALLBACK);
  }
  for(i = 0; i < 2; i++)
    CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_OK);
  CHECK_INT(l.timer_ms, 0);
  CHECK_INT(drive(m, &l), 0);
  CHECK_INT(succeeded(m), 2);
  CHECK(!l.bad);
  for(i = 0; i < 3; i++)
    curl_easy_cleanup(e[i]);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

TEST(transfers_end_without_a_timer)
{
  struct loop l;
  CURLM *m = loop_multi(&l);
  CURL *a = easy_for("/"), *b = easy_for("/");
  int running = 1;
  l.no_timer = true;
  CHECK_INT(curl_multi_add_handle(m, a), CURLM_ABORTED_BY_CALLBACK);
  CHECK_INT(curl_multi_add_handle(m, b), CURLM_ABORTED_BY_CALLBACK);
  CHECK_INT(ended_with(m, CURLE_ABORTED_BY_CALLBACK), 1); /* the second one was not added */
  l.no_timer = false;
  CHECK_INT(curl_multi_remove_handle(m, a), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(m, a), CURLM_OK);
  CHECK_INT(l.timer_ms, 0);
  CHECK_INT(curl_multi_socket_action(m, CURL_SOCKET_TIMEOUT, 0, &running), CURLM_OK);
  l.no_timer = true;
  CHECK_INT(curl_easy_setopt(b, CURLOPT_TIMEOUT_MS, 5000L), CURLE_OK);
  CHECK_INT(curl_multi_add_handle(m, b), CURLM_ABORTED_BY_CALLBACK);
  CHECK_INT(ended_with(m, CURLE_ABORTED_BY_CALLBACK), 2);
  l.no_timer = false;
  CHECK_INT(curl_multi_remove_handle(m, a), CURLM_OK);
  curl_easy_cleanup(b);
  CHECK_INT(curl_multi_add_handle(m, a), CURLM_OK);
  CHECK_INT(drive(m, &l), 0);
  CHECK_INT(succeeded(m), 1);
  curl_easy_cleanup(a);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
  CHECK(!l.bad);
}

/* ---- limits, buffer ---- */

static bool perform(CURLM *m)
{
  int running = 1, i;
  for(i = 0; i < 1000 && running; i++) {
    CURLMcode rc = curl_multi_perform(m, &running);
    if(!rc && running)
      rc = curl_multi_poll(m, NULL, 0, 1000, NULL);
    if(rc)
      return !CHECK(rc == CURLM_OUT_OF_MEMORY && test_mem.failed);
  }
  return CHECK(!running);
}

TEST(limits)
{
  CURLM *m = curl_multi_init();
  CURL *e[10];
  int connections = server.connections, i;
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_MAX_TOTAL_CONNECTIONS, 2L), CURLM_OK);
  for(i = 0; i < 10; i++) {
    e[i] = easy_for("/");
    CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_OK);
  }
  CHECK(perform(m));
  CHECK_INT(succeeded(m), 10);
  CHECK_INT(server.connections - connections, 2);
  for(i = 0; i < 10; i++)
    CHECK_INT(curl_multi_remove_handle(m, e[i]), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_MAX_TOTAL_CONNECTIONS, 0L), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_MAX_HOST_CONNECTIONS, 1L), CURLM_OK);
  connections = server.connections;
  for(i = 0; i < 10; i++) {
    CHECK_INT(curl_easy_setopt(e[i], CURLOPT_FRESH_CONNECT, 1L), CURLE_OK);
    CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_OK);
  }
  CHECK(perform(m));
  CHECK_INT(succeeded(m), 10);
  CHECK_INT(server.connections - connections, 10);
  for(i = 0; i < 10; i++)
    curl_easy_cleanup(e[i]);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

/* A transfer that waits for a connection slept on, since no timer was asked for either. */
TEST(a_higher_limit_wakes_what_waits)
{
  static const CURLMoption limits[] = {CURLMOPT_MAX_TOTAL_CONNECTIONS, CURLMOPT_MAX_HOST_CONNECTIONS};
  int k, i, running;
  for(k = 0; k < 2; k++) {
    struct loop l;
    CURLM *m = loop_multi(&l);
    CURL *e[3] = {easy_for("/never"), easy_for("/"), easy_for("/")};
    int requests = server.requests;
    CHECK_INT(curl_multi_setopt(m, limits[k], 1L), CURLM_OK);
    for(i = 0; i < 3; i++)
      CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_OK);
    for(i = 0; i < 1000 && (server.requests == requests || l.timer_ms >= 0); i++)
      CHECK_INT(turn(m, &l, &running), CURLM_OK);
    CHECK_INT(l.timer_ms, -1);
    CHECK_INT(curl_multi_setopt(m, limits[k], 0L), CURLM_OK);
    CHECK_INT(l.timer_ms, 0);
    for(i = 0; i < 1000 && running > 1; i++)
      CHECK_INT(turn(m, &l, &running), CURLM_OK);
    CHECK_INT(succeeded(m), 2);
    for(i = 0; i < 3; i++)
      curl_easy_cleanup(e[i]);
    CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
    CHECK(!l.bad);
  }
}

TEST(no_buffer_without_a_transfer)
{
  struct mote_account_info info;
  CURLM *m = curl_multi_init();
  CURL *e = easy_for("/");
  size_t before;
  CHECK_INT(mote_multi_account(m, &info), CURLM_OK);
  before = info.live;
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK_INT(mote_multi_account(m, &info), CURLM_OK);
  CHECK_INT(info.live, before); /* linked in without allocating */
  CHECK(perform(m));
  CHECK_INT(mote_multi_account(m, &info), CURLM_OK);
  CHECK(info.peak >= before + 10000);
  CHECK_INT(succeeded(m), 1);
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
  CHECK_INT(mote_multi_account(m, &info), CURLM_OK);
  CHECK(info.live <= before + 1000); /* the kept connection, the wake-up */
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

static int slow_steps, steps_before_the_end;

static curl_socket_t slow_socket(void *user, curlsocktype purpose, struct curl_sockaddr *a)
{
  struct timespec t = {0, 60000000};
  (void)user;
  (void)purpose;
  nanosleep(&t, NULL);
  slow_steps++;
  return socket(a->family, a->socktype, a->protocol);
}

static int note_the_end(void *user, curl_socket_t fd)
{
  (void)user;
  steps_before_the_end = slow_steps;
  return close(fd);
}

/* Five transfers of one run take 60 ms each, and the deadline of another passes during the first of them:
 * that one is looked at before the second. */
TEST(a_deadline_does_not_wait_for_all_that_is_ready)
{
  CURLM *m = curl_multi_init();
  CURL *late = easy_for("/never"), *e[5];
  int i;
  CHECK_INT(curl_easy_setopt(late, CURLOPT_TIMEOUT_MS, 50L), CURLE_OK);
  CHECK_INT(curl_easy_setopt(late, CURLOPT_CLOSESOCKETFUNCTION, note_the_end), CURLE_OK);
  CHECK_INT(curl_multi_add_handle(m, late), CURLM_OK);
  for(i = 0; i < 5; i++) {
    e[i] = easy_for("/");
    CHECK_INT(curl_easy_setopt(e[i], CURLOPT_OPENSOCKETFUNCTION, slow_socket), CURLE_OK);
    CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_OK);
  }
  steps_before_the_end = 99;
  CHECK(perform(m));
  CHECK_INT(slow_steps, 5);
  CHECK(steps_before_the_end <= 1);
  CHECK_INT(curl_multi_remove_handle(m, late), CURLM_OK);
  CHECK_INT(succeeded(m), 5);
  curl_easy_cleanup(late);
  for(i = 0; i < 5; i++)
    curl_easy_cleanup(e[i]);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

/* ---- what a callback sees ---- */

static struct {
  CURLM *multi;
  int calls;
  int handles;        /* as curl_multi_get_handles() lists them; the fewest of all calls */
  curl_off_t pending; /* in the first call */
  curl_off_t running; /* likewise */
} seen;

static curl_socket_t count_handles(void *user, curlsocktype purpose, struct curl_sockaddr *a)
{
  CURL **all = curl_multi_get_handles(seen.multi);
  int n = 0;
  (void)user;
  (void)purpose;
  while(all && all[n])
    n++;
  curl_free(all);
  if(!seen.calls++) {
    seen.handles = n;
    CHECK_INT(curl_multi_get_offt(seen.multi, CURLMINFO_XFERS_PENDING, &seen.pending), CURLM_OK);
    CHECK_INT(curl_multi_get_offt(seen.multi, CURLMINFO_XFERS_RUNNING, &seen.running), CURLM_OK);
  }
  if(n < seen.handles)
    seen.handles = n;
  return socket(a->family, a->socktype, a->protocol);
}

/* Those that had yet to be stepped in the same run were missing. */
TEST(a_callback_sees_all_handles)
{
  CURLM *m = curl_multi_init();
  CURL *e[3];
  int i, running;
  memset(&seen, 0, sizeof seen);
  seen.multi = m;
  for(i = 0; i < 3; i++) {
    e[i] = easy_for("/");
    CHECK_INT(curl_easy_setopt(e[i], CURLOPT_OPENSOCKETFUNCTION, count_handles), CURLE_OK);
    CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_OK);
  }
  CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
  CHECK_INT(seen.calls, 3);
  CHECK_INT(seen.handles, 3);
  CHECK_INT(seen.pending, 2);
  CHECK_INT(seen.running, 1);
  for(i = 0; i < 3; i++)
    curl_easy_cleanup(e[i]);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

/* ---- memory runs out ---- */

static void scenario(void)
{
  struct loop l;
  CURLM *m = loop_multi(&l);
  CURL *e[3] = {easy_for("/"), easy_for("/close"), easy_for("/")};
  int i, added = 0;
  if(m) {
    for(i = 0; i < 3; i++)
      if(e[i]) {
        CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_OK);
        added++;
      }
    if(added)
      (void)drive(m, &l);
    (void)succeeded(m);
    CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
    CHECK_INT(watched(&l), 0);
    CHECK(!l.bad);
  }
  for(i = 0; i < 3; i++)
    curl_easy_cleanup(e[i]);
}

/* What is left to do for a kept connection was announced before the last transfer was over. A program that
 * dropped its timer then did not hear of the next transfer, since that is due at once, too. */
TEST(the_first_transfer_is_announced_whatever_is_left)
{
  struct loop l;
  CURLM *m = loop_multi(&l);
  CURL *e = curl_easy_init();
  if(!CHECK(m && e))
    return;
  mote_multi_of(m)->m.announced = 1; /* work */
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK_INT(l.timer_ms, 0);
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  http_begin();
  TEST_RUN(sockets_and_timers_are_reported);
  TEST_RUN(each_socket_comes_with_a_handle);
  TEST_RUN(connect_only_is_watched_no_longer);
  TEST_RUN(removed_in_the_middle);
  TEST_RUN(the_application_gives_up);
  TEST_RUN(transfers_end_when_the_application_gives_up);
  TEST_RUN(transfers_end_without_a_timer);
  TEST_RUN(limits);
  TEST_RUN(a_higher_limit_wakes_what_waits);
  TEST_RUN(no_buffer_without_a_transfer);
  TEST_RUN(a_deadline_does_not_wait_for_all_that_is_ready);
  TEST_RUN(a_callback_sees_all_handles);
  TEST_RUN(the_first_transfer_is_announced_whatever_is_left);
  TEST_RUN(survives);
  http_server_stop(&server);
  return test_end();
}
