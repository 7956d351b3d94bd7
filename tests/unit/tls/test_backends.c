/* Tests of tls/backend.h: which TLS library serves. Needs tls_choice. */
#include <curl/curl.h>

#include "test.h"
#include "tls/backend.h"
#include "tls/tls.h"

static unsigned built_in(void)
{
  unsigned n = 0;
  while(mote_tls_backend_at(n))
    n++;
  return n;
}

static void in_capitals(char *upper, const char *name)
{
  do
    *upper++ = (char)(*name >= 'a' ? *name - 32 : *name);
  while(*name++);
}

/* Before anything was chosen; what is not built in changes nothing. */
TEST(the_environment_chooses)
{
  static const char *const others[] = {"nosuch", "", "open"};
  unsigned last = built_in() - 1;
  char upper[32];
  size_t i;
  in_capitals(upper, mote_tls_backend_at(last)->name);
  setenv("CURL_SSL_BACKEND", upper, 1);
  CHECK_INT(mote_tls_backend(), mote_tls_backend_at(last)->id);
  CHECK(mote_tls_version() == mote_tls_version_at(last));
  for(i = 0; i < 3; i++) {
    setenv("CURL_SSL_BACKEND", others[i], 1);
    CHECK_INT(mote_tls_backend(), mote_tls_backend_at(0)->id);
  }
  unsetenv("CURL_SSL_BACKEND");
}

TEST(the_first_serves)
{
  CHECK(built_in() >= 1);
  CHECK_INT(mote_tls_backend(), mote_tls_backend_at(0)->id);
  CHECK(mote_tls_version() == mote_tls_version_at(0));
  CHECK(strchr(mote_tls_version(), '/'));
}

TEST(unknown)
{
  CHECK_INT(mote_tls_select(CURLSSLBACKEND_NONE, NULL), CURLSSLSET_UNKNOWN_BACKEND);
  CHECK_INT(mote_tls_select((curl_sslbackend)-1, "nosuch"), CURLSSLSET_UNKNOWN_BACKEND);
  CHECK_INT(mote_tls_backend(), mote_tls_backend_at(0)->id);
}

TEST(each_by_id_and_by_name)
{
  const curl_ssl_backend *b;
  unsigned i;
  for(i = 0; (b = mote_tls_backend_at(i)) != NULL; i++) {
    char upper[32];
    CHECK_INT(mote_tls_select(b->id, NULL), CURLSSLSET_OK);
    CHECK_INT(mote_tls_backend(), b->id);
    CHECK(strstr(curl_version_info(CURLVERSION_NOW)->ssl_version, mote_tls_version()));
    in_capitals(upper, b->name);
    CHECK_INT(mote_tls_select((curl_sslbackend)-1, upper), CURLSSLSET_OK);
    CHECK_INT(mote_tls_backend(), b->id);
  }
  CHECK_INT(mote_tls_select(mote_tls_backend_at(0)->id, NULL), CURLSSLSET_OK);
  setenv("CURL_SSL_BACKEND", mote_tls_backend_at(built_in() - 1)->name, 1);
  CHECK_INT(mote_tls_backend(), mote_tls_backend_at(0)->id); /* what the program says goes before */
  unsetenv("CURL_SSL_BACKEND");
}

TEST(those_that_do_not_serve_stand_in_parentheses)
{
  const curl_version_info_data *v = curl_version_info(CURLVERSION_NOW);
  char text[64];
  CHECK_INT((v->features & CURL_VERSION_MULTI_SSL) != 0, built_in() > 1);
  CHECK(!strncmp(v->ssl_version, mote_tls_version_at(0), strlen(mote_tls_version_at(0))));
  if(built_in() > 1) {
    snprintf(text, sizeof text, " (%.40s)", mote_tls_version_at(1));
    CHECK(strstr(v->ssl_version, text));
    CHECK(strstr(curl_version(), text));
  }
}

TEST(what_is_offered)
{
  const curl_ssl_backend **avail = NULL;
  unsigned i;
  CHECK_INT(curl_global_sslset(CURLSSLBACKEND_NONE, NULL, &avail), CURLSSLSET_UNKNOWN_BACKEND);
  for(i = 0; mote_tls_backend_at(i); i++)
    CHECK(avail[i] == mote_tls_backend_at(i));
  CHECK(!avail[i]);
}

TEST(too_late)
{
  struct mote_tls_config cfg;
  unsigned last = built_in() - 1;
  mote_tls_config_init(&cfg);
  cfg.verify_peer = false;
  CHECK_INT(mote_tls_prepare(&cfg, NULL), CURLE_OK);
  CHECK_INT(mote_tls_select(mote_tls_backend_at(0)->id, NULL), CURLSSLSET_OK);
  CHECK_INT(mote_tls_select(mote_tls_backend_at(last)->id, NULL), last ? CURLSSLSET_TOO_LATE : CURLSSLSET_OK);
  mote_tls_cleanup();
}

int main(void)
{
  TEST_RUN(the_environment_chooses);
  TEST_RUN(the_first_serves);
  TEST_RUN(unknown);
  TEST_RUN(each_by_id_and_by_name);
  TEST_RUN(those_that_do_not_serve_stand_in_parentheses);
  TEST_RUN(what_is_offered);
  TEST_RUN(too_late);
  return test_end();
}
