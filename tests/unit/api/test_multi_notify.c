/* tests/unit/api/test_multi_notify.c: which ends CURLMOPT_NOTIFYFUNCTION reports when
 * notifications are switched or messages stay unread. Needs file, notifications, posix. */
#include <curl/curl.h>

#include "api/easy/easy_handle.h"

#include "test.h"

static int done;
static CURL *last;

static void notify(CURLM *m, unsigned what, CURL *e, void *user)
{
  (void)m;
  (void)user;
  CHECK_INT(what, CURLMNOTIFY_EASY_DONE);
  done++;
  last = e;
}

/* Files need no wait. */
static void drive(CURLM *m)
{
  int running = 1, calls = 0;
  while(running && calls++ < 100)
    CHECK_INT(curl_multi_perform(m, &running), CURLM_OK);
  CHECK_INT(running, 0);
}

static size_t switch_off(char *bytes, size_t size, size_t n, void *multi)
{
  (void)bytes;
  CHECK_INT(curl_multi_notify_disable(multi, CURLMNOTIFY_EASY_DONE), CURLM_OK);
  return size * n;
}

static size_t switch_on(char *bytes, size_t size, size_t n, void *multi)
{
  (void)bytes;
  CHECK_INT(curl_multi_notify_enable(multi, CURLMNOTIFY_EASY_DONE), CURLM_OK);
  return size * n;
}

static size_t switch_nothing(char *bytes, size_t size, size_t n, void *multi)
{
  (void)bytes;
  (void)multi;
  return size * n;
}

static CURL *add_file(CURLM *m, curl_write_callback on_body)
{
  CURL *e = curl_easy_init();
  CHECK_INT(curl_easy_setopt(e, CURLOPT_URL, "file:///etc/passwd"), CURLE_OK);
  CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body), CURLE_OK);
  CHECK_INT(curl_easy_setopt(e, CURLOPT_WRITEDATA, m), CURLE_OK);
  CHECK_INT(curl_multi_add_handle(m, e), CURLM_OK);
  return e;
}

static CURLM *notifying(void)
{
  CURLM *m = curl_multi_init();
  done = 0;
  last = NULL;
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_NOTIFYFUNCTION, notify), CURLM_OK);
  CHECK_INT(curl_multi_notify_enable(m, CURLMNOTIFY_EASY_DONE), CURLM_OK);
  return m;
}

/* The second one ends between two whose notifications are due, and its own is not. */
TEST(notifications_switched_between_ends)
{
  CURLM *m = notifying();
  CURL *e[3] = {add_file(m, switch_nothing), add_file(m, switch_off), add_file(m, switch_on)};
  int i;
  drive(m);
  CHECK_INT(done, 2);
  CHECK(last == e[2]);
  for(i = 0; i < 3; i++) {
    CHECK_INT(curl_multi_remove_handle(m, e[i]), CURLM_OK);
    curl_easy_cleanup(e[i]);
  }
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

/* All messages that a program had left unread were walked over for each notification. A notification of which
 * the multi does not know would be found by that. */
TEST(unread_messages_are_not_walked_over)
{
  CURLM *m = notifying();
  CURL *e[3];
  int i;
  for(i = 0; i < 3; i++) {
    e[i] = add_file(m, switch_nothing);
    drive(m);
    CHECK_INT(done, i + 1);
    mote_easy_of(e[0])->t.notify_due = i == 1;
  }
  for(i = 0; i < 3; i++) {
    CHECK_INT(curl_multi_remove_handle(m, e[i]), CURLM_OK);
    curl_easy_cleanup(e[i]);
  }
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

#define MANY 2500

static int running_at_first;

static void notify_abort(CURLM *m, unsigned what, CURL *e, void *user)
{
  curl_off_t n = 0;
  (void)what;
  (void)e;
  (void)user;
  if(done++)
    return;
  CHECK_INT(curl_multi_get_offt(m, CURLMINFO_XFERS_DONE, &n), CURLM_OK);
  running_at_first = MANY - (int)n;
}

static int give_up(CURLM *m, long ms, void *user)
{
  (void)m;
  (void)ms;
  (void)user;
  return -1;
}

/* All ends of an abort were due at once, and the cost of them was the square of their number. */
TEST(ends_of_an_abort_are_notified_on_the_way)
{
  static CURL *e[MANY];
  CURLM *m = notifying();
  int i;
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_NOTIFYFUNCTION, notify_abort), CURLM_OK);
  for(i = 0; i < MANY - 1; i++)
    e[i] = add_file(m, switch_nothing);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, give_up), CURLM_OK);
  e[i] = curl_easy_init();
  CHECK_INT(curl_multi_add_handle(m, e[i]), CURLM_ABORTED_BY_CALLBACK);
  CHECK_INT(done, MANY);
  CHECK(running_at_first > 0 && running_at_first < MANY);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, NULL), CURLM_OK);
  for(i = 0; i < MANY; i++) {
    CHECK_INT(curl_multi_remove_handle(m, e[i]), CURLM_OK);
    curl_easy_cleanup(e[i]);
  }
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

/* The number may be larger than an int has bits. */
TEST(unknown_kind_is_refused)
{
  CURLM *m = notifying();
  CHECK_INT(curl_multi_notify_enable(m, CURLMNOTIFY_EASY_DONE + 1), CURLM_UNKNOWN_OPTION);
  CHECK_INT(curl_multi_notify_enable(m, 4711), CURLM_UNKNOWN_OPTION);
  CHECK_INT(curl_multi_notify_disable(m, 4711), CURLM_UNKNOWN_OPTION);
  CHECK_INT(curl_multi_cleanup(m), CURLM_OK);
}

int main(void)
{
  CHECK_INT(curl_global_init(CURL_GLOBAL_DEFAULT), CURLE_OK);
  TEST_RUN(notifications_switched_between_ends);
  TEST_RUN(unread_messages_are_not_walked_over);
  TEST_RUN(ends_of_an_abort_are_notified_on_the_way);
  TEST_RUN(unknown_kind_is_refused);
  curl_global_cleanup();
  return test_end();
}
