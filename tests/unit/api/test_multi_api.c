/* tests/unit/api/test_multi_api.c: curl_multi_*: codes, orders of adding, removing and cleaning up,
 * recursion, what the handle reports about itself, waking. Needs accounts, posix. */
#include <limits.h>
#include "net/http_server.h"
#include "net/http_client.h"
#include "net/settle.h"

#include <curl/curl.h>
#include <sys/select.h>

static int fds_before;

/* Drive until nothing runs, at most ten seconds. False: it did not end. */
static bool drive(CURLM *m)
{
  long until = now_ms() + 10000;
  int running = 1;
  while(running && now_ms() < until) {
    CURLMcode rc = curl_multi_perform(m, &running);
    if(rc == CURLM_OK && running)
      rc = curl_multi_poll(m, NULL, 0, 1000, NULL);
    if(rc) {
      CHECK(rc == CURLM_OUT_OF_MEMORY && test_mem.failed);
      return false;
    }
  }
  return !running;
}

/* The next message's result, -1: none. *e: whose. */
static int message(CURLM *m, CURL **e)
{
  int left;
  CURLMsg *msg = curl_multi_info_read(m, &left);
  if(e)
    *e = msg ? msg->easy_handle : NULL;
  return msg ? (int)msg->data.result : -1;
}

static curl_off_t count_of(CURLM *m, CURLMinfo_offt what)
{
  curl_off_t v = -2;
  CHECK_INT(curl_multi_get_offt(m, what, &v), CURLM_OK);
  return v;
}

/* ---- codes ---- */

TEST(wrong_handles)
{
  CURLM *m = curl_multi_init();
  CURL *e = curl_easy_init();
  struct curl_waitfd fd;
  fd_set set;
  unsigned count;
  int running;
  long ms;
  curl_off_t v;
  CHECK_INT(curl_multi_add_handle(NULL, e), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_add_handle((CURLM *)e, e), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_add_handle(m, NULL), CURLM_BAD_EASY_HANDLE);
  CHECK_INT(curl_multi_add_handle(m, (CURL *)m), CURLM_BAD_EASY_HANDLE);
  CHECK_INT(curl_multi_remove_handle(NULL, e), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_remove_handle(m, NULL), CURLM_BAD_EASY_HANDLE);
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK); /* not in there: nothing to do */
  CHECK_INT(curl_multi_perform(NULL, &running), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_wait(NULL, NULL, 0, 0, NULL), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_poll(NULL, NULL, 0, 0, NULL), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_wakeup(NULL), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_fdset(NULL, &set, &set, &set, &running), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_waitfds(NULL, &fd, 1, &count), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_timeout(NULL, &ms), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_socket_action(NULL, CURL_SOCKET_TIMEOUT, 0, &running), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_assign(NULL, 0, NULL), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_setopt(NULL, CURLMOPT_MAXCONNECTS, 1L), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_get_offt(NULL, CURLMINFO_XFERS_ADDED, &v), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_notify_enable(NULL, CURLMNOTIFY_INFO_READ), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_notify_disable(NULL, CURLMNOTIFY_INFO_READ), CURLM_BAD_HANDLE);
  CHECK(!curl_multi_get_handles(NULL));
  CHECK(!curl_multi_info_read(NULL, &running));
  CHECK_INT(running, 0);
  CHECK_INT(curl_multi_cleanup(NULL), CURLM_BAD_HANDLE);
  CHECK_INT(curl_multi_cleanup((CURLM *)e), CURLM_BAD_HANDLE);
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

TEST(wrong_arguments)
{
  CURLM *m = curl_multi_init();
  CHECK_INT(curl_multi_wait(m, NULL, 0, -1, NULL), CURLM_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_multi_poll(m, NULL, 0, -1, NULL), CURLM_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_multi_waitfds(m, NULL, 5, NULL), CURLM_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_multi_timeout(m, NULL), CURLM_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_multi_assign(m, 999, m), CURLM_BAD_SOCKET);
  CHECK_INT(curl_multi_setopt(m, (CURLMoption)4711, 1L), CURLM_UNKNOWN_OPTION);
  CHECK_INT(curl_multi_setopt(m, (CURLMoption)14711, NULL), CURLM_UNKNOWN_OPTION);
  CHECK_INT(curl_multi_setopt(m, (CURLMoption)24711, NULL), CURLM_UNKNOWN_OPTION);
  CHECK_INT(curl_multi_get_offt(m, CURLMINFO_XFERS_ADDED, NULL), CURLM_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_multi_notify_enable(m, 2), CURLM_UNKNOWN_OPTION);
  CHECK_INT(curl_multi_notify_disable(m, 2), CURLM_UNKNOWN_OPTION);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

TEST(lookup_threads)
{
  CURLM *m = curl_multi_init();
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_RESOLVE_THREADS_MAX, 1L), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_RESOLVE_THREADS_MAX, 0x7fffffffL), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_RESOLVE_THREADS_MAX, 0L), CURLM_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_RESOLVE_THREADS_MAX, -1L), CURLM_BAD_FUNCTION_ARGUMENT);
  if(sizeof(long) > 4)
    CHECK_INT(curl_multi_setopt(m, CURLMOPT_RESOLVE_THREADS_MAX, (long)(0x10000000ull * 16)),
              CURLM_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

static int count_progress(void *calls, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
  (void)a;
  (void)b;
  (void)c;
  (void)d;
  ++*(int *)calls;
  return 0;
}

/* Programs free what the callback uses before the multi. */
TEST(no_progress_while_a_multi_is_torn_down)
{
  int how, calls = 0, running;
  for(how = 0; how < 3; how++) {
    CURLM *m = curl_multi_init();
    CURL *e = easy_for("/");
    curl_easy_setopt(e, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(e, CURLOPT_XFERINFOFUNCTION, count_progress);
    curl_easy_setopt(e, CURLOPT_XFERINFODATA, &calls);
    CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
    CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
    CHECK_INT(running, 1);
    calls = 0;
    if(how == 0)
      CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
    if(how == 1)
      curl_easy_cleanup(e);
    CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
    if(how != 1)
      curl_easy_cleanup(e);
    CHECK_INT(calls, 0);
  }
}

/* As libcurl 8.23 takes them. */
TEST(numbers_out_of_range)
{
  static const struct {
    CURLMoption option;
    CURLMcode below; /* of -1 */
  } cases[] = {
    {CURLMOPT_MAXCONNECTS, CURLM_OK},
    {CURLMOPT_MAX_HOST_CONNECTIONS, CURLM_BAD_FUNCTION_ARGUMENT},
    {CURLMOPT_MAX_TOTAL_CONNECTIONS, CURLM_BAD_FUNCTION_ARGUMENT},
  };
  CURLM *m = curl_multi_init();
  size_t i;
  for(i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK_INT(curl_multi_setopt(m, cases[i].option, -1L), cases[i].below);
    CHECK_INT(curl_multi_setopt(m, cases[i].option, LONG_MAX), CURLM_OK);
  }
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

TEST(options_are_taken)
{
  static const CURLMoption numbers[] = {
    CURLMOPT_MAXCONNECTS, CURLMOPT_MAX_HOST_CONNECTIONS, CURLMOPT_MAX_TOTAL_CONNECTIONS, CURLMOPT_PIPELINING,
    CURLMOPT_MAX_CONCURRENT_STREAMS, CURLMOPT_NETWORK_CHANGED,
  };
  CURLM *m = curl_multi_init();
  size_t i;
  for(i = 0; i < sizeof numbers / sizeof *numbers; i++)
    CHECK_INT(curl_multi_setopt(m, numbers[i], 1L), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_SOCKETDATA, m), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_TIMERDATA, m), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_NOTIFYDATA, m), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, NULL), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, NULL), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_NOTIFYFUNCTION, NULL), CURLM_OK);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

/* ---- in and out ---- */

TEST(added_removed_added)
{
  CURLM *m = curl_multi_init(), *other = curl_multi_init();
  CURL *e = easy_for("/");
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_ADDED_ALREADY);
  CHECK_INT(curl_multi_add_handle(other, e), CURLM_ADDED_ALREADY);
  CHECK_INT(curl_multi_remove_handle(other, e), CURLM_BAD_EASY_HANDLE);
  CHECK_INT(curl_easy_perform(e), CURLE_FAILED_INIT);
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(other, e), CURLM_OK);
  CHECK(drive(other));
  CHECK_INT(message(other, NULL), CURLE_OK);
  CHECK_INT(curl_multi_remove_handle(other, e), CURLM_OK);
  CHECK_INT(curl_easy_perform(e), CURLE_OK);
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK(drive(m));
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
  CHECK_INT(message(m, NULL), -1); /* the message goes with the handle */
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
  CHECK_INT(curl_multi_cleanup(other), CURLM_OK);
}

/* Its time is over with the transfer, however much later its handle is removed. */
TEST(time_ends_with_the_transfer)
{
  CURLM *m = curl_multi_init();
  CURL *e = easy_for("/");
  curl_off_t before = 0, after = 0;
  long until;
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK(drive(m));
  CHECK_INT(message(m, NULL), CURLE_OK);
  CHECK_INT(curl_easy_getinfo(e, CURLINFO_TOTAL_TIME_T, &before), CURLE_OK);
  for(until = now_ms() + 3; now_ms() < until;)
    ;
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
  CHECK_INT(curl_easy_getinfo(e, CURLINFO_TOTAL_TIME_T, &after), CURLE_OK);
  CHECK(before > 0);
  CHECK_INT(after, before);
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

TEST(cleaned_up_while_added)
{
  CURLM *m = curl_multi_init();
  CURL *a = easy_for("/never"), *b = easy_for("/never");
  int requests = server.requests, running;
  CHECK_INT(curl_multi_add_handle(m, a), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(m, b), CURLM_OK);
  while(server.requests < requests + 2) {
    CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
    CHECK_INT(curl_multi_poll(m, NULL, 0, 10, NULL), CURLM_OK);
  }
  CHECK_INT(running, 2);
  curl_easy_cleanup(a); /* first the handle */
  CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
  CHECK_INT(running, 1);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK); /* first the multi */
  CHECK_INT(curl_easy_setopt(b, CURLOPT_TIMEOUT_MS, 20L), CURLE_OK);
  CHECK_INT(curl_easy_perform(b), CURLE_OPERATION_TIMEDOUT); /* it is free again */
  curl_easy_cleanup(b);
}

TEST(removed_in_each_state)
{
  CURLM *m = curl_multi_init();
  CURL *e = easy_for("/never");
  int steps, i, running;
  for(steps = 0; steps < 6; steps++) {
    CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
    for(i = 0; i < steps; i++) {
      CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
      fds_nap(1);
    }
    CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
    CHECK_INT(count_of(m, CURLMINFO_XFERS_CURRENT), 0);
  }
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

/* The name's lookup is abandoned with the handle; a name of RFC 6761 that no resolver knows. */
TEST(removed_during_a_lookup)
{
  CURLM *m = curl_multi_init();
  CURL *e = easy_for("/");
  int running;
  test_mem.threads = true;
  CHECK_INT(curl_easy_setopt(e, CURLOPT_URL, "http://nowhere.invalid/"), CURLE_OK);
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
  curl_easy_cleanup(e);
  (void)names_settle();
}

/* The manual asks for the opposite order, but programs do it. */
static void free_form_of_a_transfer(bool goes_on)
{
  CURLM *m = curl_multi_init();
  CURL *e = easy_for("/");
  curl_mime *form = curl_mime_init(e);
  curl_mimepart *part = curl_mime_addpart(form);
  size_t before;
  int running;
  CHECK_INT(curl_mime_data(part, "text", CURL_ZERO_TERMINATED), CURLE_OK);
  CHECK_INT(curl_easy_setopt(e, CURLOPT_MIMEPOST, form), CURLE_OK);
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
  CHECK_INT(running, 1);
  before = test_mem.blocks;
  curl_mime_free(form);
  CHECK_INT(test_mem.blocks, before); /* its reader is in use */
  if(goes_on) {
    CHECK(drive(m));
    CHECK_INT(message(m, NULL), CURLE_OK);
  }
  CHECK_INT(curl_multi_remove_handle(m, e), CURLM_OK);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
  curl_easy_cleanup(e);
}

TEST(form_freed_while_a_transfer_sends_it)
{
  free_form_of_a_transfer(false);
  free_form_of_a_transfer(true);
}

/* ---- what it reports ---- */

TEST(handles_and_numbers)
{
  CURLM *m = curl_multi_init();
  CURL *a = easy_for("/"), *b = easy_for("/"), *e;
  CURL **all = curl_multi_get_handles(m);
  int left = 7;
  CHECK(all && !all[0]);
  curl_free(all);
  CHECK(!curl_multi_info_read(m, &left));
  CHECK_INT(left, 0);
  CHECK_INT(curl_multi_add_handle(m, a), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(m, b), CURLM_OK);
  all = curl_multi_get_handles(m);
  CHECK(all && ((all[0] == a && all[1] == b) || (all[0] == b && all[1] == a)) && !all[2]);
  curl_free(all);
  CHECK_INT(count_of(m, CURLMINFO_XFERS_CURRENT), 2);
  CHECK_INT(count_of(m, CURLMINFO_XFERS_ADDED), 2);
  CHECK_INT(count_of(m, CURLMINFO_XFERS_PENDING), 2);
  CHECK_INT(count_of(m, CURLMINFO_XFERS_RUNNING), 0);
  CHECK(drive(m));
  CHECK_INT(count_of(m, CURLMINFO_XFERS_DONE), 2);
  CHECK_INT(count_of(m, CURLMINFO_XFERS_PENDING) + count_of(m, CURLMINFO_XFERS_RUNNING), 0);
  CHECK_INT(message(m, &e), CURLE_OK);
  CHECK(e == a || e == b);
  CHECK_INT(count_of(m, CURLMINFO_XFERS_DONE), 1);
  CHECK_INT(message(m, NULL), CURLE_OK);
  CHECK_INT(message(m, NULL), -1);
  CHECK_INT(count_of(m, CURLMINFO_XFERS_CURRENT), 2);
  CHECK_INT(curl_multi_remove_handle(m, a), CURLM_OK);
  all = curl_multi_get_handles(m);
  CHECK(all && all[0] == b && !all[1]);
  curl_free(all);
  CHECK_INT(curl_multi_add_handle(m, a), CURLM_OK);
  CHECK_INT(count_of(m, CURLMINFO_XFERS_ADDED), 3);
  {
    curl_off_t v = 5;
    CHECK_INT(curl_multi_get_offt(m, (CURLMinfo_offt)77, &v), CURLM_UNKNOWN_OPTION);
    CHECK_INT(v, -1);
  }
  curl_easy_cleanup(a);
  curl_easy_cleanup(b);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

TEST(timeout_and_descriptors)
{
  CURLM *m = curl_multi_init();
  CURL *e = easy_for("/never");
  struct curl_waitfd fds[2];
  fd_set in, out, err;
  unsigned count = 77;
  int running, max = 77;
  long ms = 77, sent = 0;
  CHECK_INT(curl_multi_timeout(m, &ms), CURLM_OK);
  CHECK_INT(ms, -1);
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_ZERO(&err);
  CHECK_INT(curl_multi_fdset(m, &in, &out, &err, &max), CURLM_OK);
  CHECK_INT(max, -1);
  CHECK_INT(curl_multi_waitfds(m, NULL, 0, &count), CURLM_OK);
  CHECK_INT(count, 0);
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK_INT(curl_multi_timeout(m, &ms), CURLM_OK);
  CHECK_INT(ms, 0);
  while(!sent) { /* the server may yet count a request of the test before */
    CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
    CHECK_INT(curl_easy_getinfo(e, CURLINFO_REQUEST_SIZE, &sent), CURLE_OK);
    fds_nap(1);
  }
  CHECK_INT(curl_multi_fdset(m, &in, &out, &err, &max), CURLM_OK);
  CHECK(max >= 0 && FD_ISSET(max, &in) && !FD_ISSET(max, &out));
  CHECK_INT(curl_multi_waitfds(m, NULL, 0, &count), CURLM_OK);
  CHECK_INT(count, 1);
  CHECK_INT(curl_multi_waitfds(m, fds, 2, &count), CURLM_OK);
  CHECK(count == 1 && fds[0].fd == max && fds[0].events == CURL_WAIT_POLLIN);
  CHECK_INT(curl_multi_waitfds(m, fds, 0, &count), CURLM_OUT_OF_MEMORY); /* room for none is not enough */
  CHECK_INT(count, 1);
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

/* ---- recursion ---- */

static struct {
  CURLM *multi;
  CURL *easy;
  CURL *other;
  int calls;
} inside;

static size_t try_everything(char *bytes, size_t size, size_t n, void *user)
{
  CURLM *m = inside.multi;
  struct curl_waitfd fd;
  fd_set set;
  unsigned count;
  int i;
  long ms;
  (void)bytes;
  (void)user;
  inside.calls++;
  FD_ZERO(&set);
  CHECK_INT(curl_multi_add_handle(m, inside.other), CURLM_RECURSIVE_API_CALL);
  CHECK_INT(curl_multi_remove_handle(m, inside.easy), CURLM_RECURSIVE_API_CALL);
  CHECK_INT(curl_multi_perform(m, &i), CURLM_RECURSIVE_API_CALL);
  CHECK_INT(curl_multi_poll(m, NULL, 0, 0, &i), CURLM_RECURSIVE_API_CALL);
  CHECK_INT(curl_multi_wait(m, NULL, 0, 0, &i), CURLM_RECURSIVE_API_CALL);
  CHECK_INT(curl_multi_fdset(m, &set, &set, &set, &i), CURLM_RECURSIVE_API_CALL);
  CHECK_INT(curl_multi_waitfds(m, &fd, 1, &count), CURLM_RECURSIVE_API_CALL);
  CHECK_INT(curl_multi_timeout(m, &ms), CURLM_RECURSIVE_API_CALL);
  CHECK_INT(curl_multi_socket_action(m, CURL_SOCKET_TIMEOUT, 0, &i), CURLM_RECURSIVE_API_CALL);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_MAXCONNECTS, 5L), CURLM_RECURSIVE_API_CALL);
  CHECK_INT(curl_multi_cleanup(m), CURLM_RECURSIVE_API_CALL);
  CHECK(!curl_multi_info_read(m, &i));
  CHECK_INT(curl_multi_wakeup(m), CURLM_OK); /* from anywhere */
  CHECK_INT(curl_easy_perform(inside.easy), CURLE_RECURSIVE_API_CALL);
  curl_easy_cleanup(inside.easy); /* refused without a word */
  curl_easy_reset(inside.easy);
  return size * n;
}

TEST(from_inside_a_callback)
{
  memset(&inside, 0, sizeof inside);
  inside.multi = curl_multi_init();
  inside.easy = easy_for("/");
  inside.other = easy_for("/");
  CHECK_INT(curl_easy_setopt(inside.easy, CURLOPT_WRITEFUNCTION, try_everything), CURLE_OK);
  CHECK_INT(curl_multi_add_handle(inside.multi, inside.easy), CURLM_OK);
  CHECK(drive(inside.multi));
  CHECK_INT(inside.calls, 1);
  CHECK_INT(message(inside.multi, NULL), CURLE_OK);
  CHECK_INT(curl_multi_remove_handle(inside.multi, inside.easy), CURLM_OK);
  CHECK_INT(curl_multi_cleanup(inside.multi), CURLM_OK);
  curl_easy_cleanup(inside.easy);
  curl_easy_cleanup(inside.other);
}

/* ---- notifications ---- */

static struct {
  int info_read;
  int done;
  CURL *last;
  bool read_there; /* the callback reads the messages and removes the handles */
} notified;

static void notify(CURLM *m, unsigned what, CURL *e, void *user)
{
  CHECK(user == &notified);
  if(what == CURLMNOTIFY_EASY_DONE) {
    notified.done++;
    notified.last = e;
  }
  else
    notified.info_read++;
  if(notified.read_there && what == CURLMNOTIFY_INFO_READ) {
    CURL *gone;
    while(message(m, &gone) >= 0)
      CHECK_INT(curl_multi_remove_handle(m, gone), CURLM_OK);
  }
}

TEST(notifications)
{
  CURLM *m = curl_multi_init();
  CURL *a = easy_for("/"), *b = easy_for("/");
  memset(&notified, 0, sizeof notified);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_NOTIFYFUNCTION, notify), CURLM_OK);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_NOTIFYDATA, &notified), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(m, a), CURLM_OK);
  CHECK(drive(m));
  CHECK_INT(notified.info_read + notified.done, 0); /* none was enabled */
  CHECK_INT(message(m, NULL), CURLE_OK);
  CHECK_INT(curl_multi_remove_handle(m, a), CURLM_OK);
  CHECK_INT(curl_multi_notify_enable(m, CURLMNOTIFY_EASY_DONE), CURLM_OK);
  CHECK_INT(curl_multi_notify_enable(m, CURLMNOTIFY_EASY_DONE), CURLM_OK);
  CHECK_INT(curl_multi_notify_enable(m, CURLMNOTIFY_INFO_READ), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(m, a), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(m, b), CURLM_OK);
  CHECK(drive(m));
  CHECK_INT(notified.done, 2);
  CHECK_INT(notified.info_read, 1); /* it was not empty when the second came */
  CHECK(notified.last == a || notified.last == b);
  while(message(m, NULL) >= 0)
    ;
  CHECK_INT(curl_multi_notify_disable(m, CURLMNOTIFY_EASY_DONE), CURLM_OK);
  CHECK_INT(curl_multi_remove_handle(m, a), CURLM_OK);
  CHECK_INT(curl_multi_remove_handle(m, b), CURLM_OK);
  notified.read_there = true;
  CHECK_INT(curl_multi_add_handle(m, a), CURLM_OK);
  CHECK(drive(m));
  CHECK_INT(notified.done, 2);
  CHECK_INT(notified.info_read, 2);
  CHECK_INT(count_of(m, CURLMINFO_XFERS_CURRENT), 0);
  /* the end of a handle that the callback for messages removes was never notified */
  CHECK_INT(curl_multi_notify_enable(m, CURLMNOTIFY_EASY_DONE), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(m, a), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(m, b), CURLM_OK);
  CHECK(drive(m));
  CHECK_INT(notified.done, 4);
  CHECK_INT(count_of(m, CURLMINFO_XFERS_CURRENT), 0);
  curl_easy_cleanup(a);
  curl_easy_cleanup(b);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

/* ---- waiting and waking ---- */

static long took(CURLMcode (*f)(CURLM *, struct curl_waitfd *, unsigned, int, int *), CURLM *m,
                 int timeout_ms)
{
  long begin = now_ms();
  int n = 77;
  CHECK_INT(f(m, NULL, 0, timeout_ms, &n), CURLM_OK);
  CHECK_INT(n, 0);
  return now_ms() - begin;
}

/* curl_multi_wait(3): nothing to wait for, no wait; curl_multi_poll(3) waits. */
TEST(nothing_to_wait_for)
{
  CURLM *m = curl_multi_init();
  CURL *e = easy_for("/");
  CHECK(took(curl_multi_wait, m, 3000) < 2000);
  CHECK(took(curl_multi_poll, m, 30) >= 29);
  CHECK(took(curl_multi_wait, m, 3000) < 2000); /* the wake-up's descriptor is not something to wait for */
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  CHECK(drive(m));
  CHECK(took(curl_multi_wait, m, 3000) < 2000); /* nor is a kept connection */
  curl_easy_cleanup(e);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

static void *wake(void *arg)
{
  fds_nap(30);
  CHECK_INT(curl_multi_wakeup(arg), CURLM_OK);
  return NULL;
}

TEST(woken_by_another_thread)
{
  CURLM *m = curl_multi_init();
  pthread_t thread;
  CHECK_INT(curl_multi_wakeup(m), CURLM_OK);
  CHECK(took(curl_multi_poll, m, 20000) < 19000);
  CHECK(!pthread_create(&thread, NULL, wake, m));
  CHECK(took(curl_multi_poll, m, 20000) < 19000);
  pthread_join(thread, NULL);
  CHECK(took(curl_multi_poll, m, 10) < 4000);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

/* ---- memory runs out ---- */

static void scenario(void)
{
  CURLM *m = curl_multi_init();
  CURL *e[3] = {easy_for("/a"), easy_for("/close"), easy_for("/b")};
  CURL **all;
  int i, rc;
  if(m) {
    for(i = 0; i < 3; i++)
      if(e[i])
        CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_OK);
    all = curl_multi_get_handles(m);
    CHECK(all || test_mem.failed);
    curl_free(all);
    if(drive(m))
      while((rc = message(m, NULL)) >= 0)
        CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
    CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
  }
  for(i = 0; i < 3; i++)
    curl_easy_cleanup(e[i]);
}

/* A call that steps whatever is ready took as long as there were transfers: 57 ms with 10,000. */
TEST(a_call_does_not_take_all_that_are_ready)
{
  enum { MANY = 2500 };
  CURLM *m = curl_multi_init();
  CURL **all = calloc(MANY, sizeof *all);
  int i, running, done = 0;
  long ms = -2;
  for(i = 0; i < MANY; i++) {
    all[i] = curl_easy_init();
    curl_easy_setopt(all[i], CURLOPT_URL, "nothing://host/");
    CHECK_INT(curl_multi_add_handle(m, all[i]), CURLM_OK);
  }
  CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
  CHECK_INT(running, 1500);
  CHECK_INT(curl_multi_timeout(m, &ms), CURLM_OK);
  CHECK_INT(ms, 0);
  CHECK(drive(m));
  while(message(m, NULL) == CURLE_UNSUPPORTED_PROTOCOL)
    done++;
  CHECK_INT(done, MANY);
  for(i = 0; i < MANY; i++) {
    curl_multi_remove_handle(m, all[i]);
    curl_easy_cleanup(all[i]);
  }
  curl_multi_cleanup(m);
  free(all);
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  http_begin();
  fds_before = fds_open();
  TEST_RUN(wrong_handles);
  TEST_RUN(wrong_arguments);
  TEST_RUN(lookup_threads);
  TEST_RUN(options_are_taken);
  TEST_RUN(numbers_out_of_range);
  TEST_RUN(no_progress_while_a_multi_is_torn_down);
  TEST_RUN(added_removed_added);
  TEST_RUN(time_ends_with_the_transfer);
  TEST_RUN(cleaned_up_while_added);
  TEST_RUN(removed_in_each_state);
  TEST_RUN(removed_during_a_lookup);
  TEST_RUN(form_freed_while_a_transfer_sends_it);
  TEST_RUN(handles_and_numbers);
  TEST_RUN(timeout_and_descriptors);
  TEST_RUN(from_inside_a_callback);
  TEST_RUN(notifications);
  TEST_RUN(nothing_to_wait_for);
  TEST_RUN(woken_by_another_thread);
  TEST_RUN(a_call_does_not_take_all_that_are_ready);
  TEST_RUN(survives);
  http_server_stop(&server);
  CHECK_INT(fds_open(), fds_before - 1); /* the listener */
  return test_end();
}
