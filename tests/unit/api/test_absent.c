/* tests/unit/api/test_absent.c: what is not built in reports so (push, and WebSocket, accounts,
 * notifications and options without their parts); trace is accepted. tests/parts runs it in profile mcu, too.
 * Needs !small. */
#include <curl/curl.h>
#include <mote/mote.h>

#include "test.h"

TEST(websockets)
{
  size_t n = 5;
  const struct curl_ws_frame *meta = NULL;
  char byte = 'a';
  CURLcode rc = MOTE_HAS_WS ? CURLE_BAD_FUNCTION_ARGUMENT : CURLE_NOT_BUILT_IN;
  CHECK_INT(curl_ws_recv(NULL, &byte, 1, &n, &meta), rc);
  CHECK_INT(curl_ws_send(NULL, &byte, 1, &n, 0, CURLWS_TEXT), rc);
  CHECK_INT(curl_ws_start_frame(NULL, CURLWS_TEXT, 1), rc);
  CHECK(!curl_ws_meta(NULL));
}

TEST(push)
{
  CHECK(!curl_pushheader_bynum(NULL, 0));
  CHECK(!curl_pushheader_byname(NULL, ":path"));
}

TEST(accounts)
{
  struct mote_account_info info;
  struct mote_part_info part;
  const char *name;
  CURLcode easy = MOTE_HAS_ACCOUNT ? CURLE_BAD_FUNCTION_ARGUMENT : CURLE_NOT_BUILT_IN;
  CURLMcode multi = MOTE_HAS_ACCOUNT ? CURLM_BAD_HANDLE : CURLM_UNKNOWN_OPTION;
  CHECK_INT(mote_easy_account(NULL, &info), easy);
  CHECK_INT(mote_easy_account_part(NULL, 0, &part), easy);
  CHECK_INT(mote_easy_limit(NULL, 1), easy);
  CHECK_INT(mote_multi_account(NULL, &info), multi);
  CHECK_INT(mote_multi_account_part(NULL, 0, &part), multi);
  CHECK_INT(mote_multi_limit(NULL, 1), multi);
  CHECK_INT(mote_account_detail(0), MOTE_HAS_ACCOUNT ? CURLE_OK : CURLE_NOT_BUILT_IN);
  CHECK_INT(mote_part_info(MOTE_HAS_ACCOUNT ? -1 : 0, &name, &part), 0);
}

static void on_notification(CURLM *m, unsigned int what, CURL *curl, void *user)
{
  (void)m;
  (void)what;
  (void)curl;
  (void)user;
}

TEST(notifications)
{
  CURLMcode rc = MOTE_HAS_NOTIFICATIONS ? CURLM_OK : CURLM_UNKNOWN_OPTION;
  CURLM *m = curl_multi_init();
  if(!CHECK(m))
    return;
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_NOTIFYFUNCTION, on_notification), rc);
  CHECK_INT(curl_multi_setopt(m, CURLMOPT_NOTIFYDATA, &rc), rc);
  CHECK_INT(curl_multi_notify_enable(m, CURLMNOTIFY_EASY_DONE), rc);
  CHECK_INT(curl_multi_notify_disable(m, CURLMNOTIFY_EASY_DONE), rc);
  curl_multi_cleanup(m);
}

static curl_socket_t on_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
  (void)user;
  (void)purpose;
  (void)address;
  return CURL_SOCKET_BAD;
}

static int on_trailers(struct curl_slist **list, void *user)
{
  (void)list;
  (void)user;
  return CURL_TRAILERFUNC_OK;
}

static CURLcode unless(bool built)
{
  return built ? CURLE_OK : CURLE_UNKNOWN_OPTION;
}

/* What asks for nothing is accepted all the same. */
TEST(options)
{
  CURL *curl = curl_easy_init();
  if(!CHECK(curl))
    return;
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, on_socket), unless(MOTE_HAS_SOCKET_CALLBACKS));
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, (curl_opensocket_callback)NULL), CURLE_OK);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_TRAILERFUNCTION, on_trailers), unless(MOTE_HAS_REQUEST_TRAILERS));
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_TRAILERFUNCTION, (curl_trailer_callback)NULL), CURLE_OK);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_HTTP09_ALLOWED, 1L), unless(MOTE_HAS_OLD_SERVERS));
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_HTTP09_ALLOWED, 0L), CURLE_OK);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_IGNORE_CONTENT_LENGTH, 1L), unless(MOTE_HAS_OLD_SERVERS));
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_SSLCERT, "me.pem"),
            unless(MOTE_HAS_CLIENT_KEYS || !MOTE_HAS_HTTPS));
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_SSLCERT, (char *)NULL), CURLE_OK);
  curl_easy_cleanup(curl);
}

TEST(trace)
{
  CHECK_INT(curl_global_trace("all"), CURLE_OK);
  CHECK_INT(curl_global_trace("-all, no such component"), CURLE_OK);
  CHECK_INT(curl_global_trace(NULL), CURLE_OK);
}

int main(void)
{
  TEST_RUN(websockets);
  TEST_RUN(push);
  TEST_RUN(accounts);
  TEST_RUN(notifications);
  TEST_RUN(options);
  TEST_RUN(trace);
  return test_end();
}
