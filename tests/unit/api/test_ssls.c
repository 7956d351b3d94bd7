/* tests/unit/api/test_ssls.c: curl_easy_ssls_export() and _import(): which cache they reach, what is refused.
 * The cache itself: tests/unit/tls/test_session.c. */
#include <curl/curl.h>

#include "api/easy/easy_handle.h"
#include "api/multi/multi_handle.h"
#include "api/multi/share_handle.h"
#include "port/port.h"
#include "test.h"
#include "tls/session.h"

#define KEY "host.example:443:library:configuration"

struct seen {
  unsigned count;
  CURLcode answer;            /* what the callback returns */
  char key[80];
  unsigned char shmac[MOTE_SESSION_SHMAC];
  unsigned char sdata[200];
  size_t sdata_len;
  bool recurse;               /* call the functions from inside */
  CURL *other;                /* and with this handle, or NULL */
};

static CURLcode look(CURL *curl, void *userptr, const char *session_key, const unsigned char *shmac,
                     size_t shmac_len, const unsigned char *sdata, size_t sdata_len, curl_off_t valid_until,
                     int ietf_tls_id, const char *alpn, size_t earlydata_max)
{
  struct seen *s = userptr;
  s->count++;
  CHECK(sdata_len <= sizeof s->sdata && shmac_len == sizeof s->shmac);
  snprintf(s->key, sizeof s->key, "%s", session_key ? session_key : "");
  memcpy(s->shmac, shmac, shmac_len);
  memcpy(s->sdata, sdata, sdata_len);
  s->sdata_len = sdata_len;
  CHECK(valid_until > mote_port_wall());
  CHECK_INT(ietf_tls_id, 0x0304);
  CHECK_STR(alpn, "http/1.1");
  CHECK_INT(earlydata_max, 0);
  if(s->recurse) {
    CHECK_INT(curl_easy_ssls_export(curl, look, s), CURLE_RECURSIVE_API_CALL);
    CHECK_INT(curl_easy_ssls_import(curl, session_key, NULL, 0, sdata, sdata_len), CURLE_RECURSIVE_API_CALL);
  }
  if(s->other)
    CHECK_INT(curl_easy_ssls_import(s->other, session_key, NULL, 0, sdata, sdata_len),
              CURLE_RECURSIVE_API_CALL);
  return s->answer;
}

static void put(struct mote_session_cache *cache)
{
  struct mote_session_info info = {
    .valid_until = mote_port_wall() + 100, .tls_id = 0x0304, .alpn = "http/1.1",
  };
  mote_session_put(cache, KEY, mote_slice_of("ticket"), &info, mote_port_wall());
}

/* One session as a file would keep it. */
static void make(struct seen *s)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = mote_easy_of(curl);
  memset(s, 0, sizeof *s);
  CHECK_INT(curl_easy_ssls_export(curl, look, s), CURLE_OK); /* no transfer, no cache */
  CHECK_INT(s->count, 0);
  e->own = mote_multi_make(true);
  put(&e->own->m.sessions);
  CHECK_INT(curl_easy_ssls_export(curl, look, s), CURLE_OK);
  CHECK_INT(s->count, 1);
  CHECK_STR(s->key, KEY);
  curl_easy_cleanup(curl);
}

static unsigned exported(CURL *curl)
{
  struct seen s = {0};
  CHECK_INT(curl_easy_ssls_export(curl, look, &s), CURLE_OK);
  return s.count;
}

TEST(out_and_in)
{
  CURL *curl = curl_easy_init();
  struct seen s;
  make(&s);
  CHECK_INT(curl_easy_ssls_import(curl, s.key, NULL, 0, s.sdata, s.sdata_len), CURLE_OK);
  CHECK_INT(exported(curl), 1);
  CHECK_INT(curl_easy_ssls_import(curl, NULL, s.shmac, sizeof s.shmac, s.sdata, s.sdata_len), CURLE_OK);
  CHECK(exported(curl) >= 1);
  curl_easy_cleanup(curl);
}

TEST(wrong_arguments)
{
  CURL *curl = curl_easy_init();
  struct seen s;
  make(&s);
  CHECK_INT(curl_easy_ssls_export(NULL, look, &s), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_ssls_export(curl, NULL, &s), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_ssls_import(NULL, KEY, NULL, 0, s.sdata, s.sdata_len), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_ssls_import(curl, NULL, NULL, 0, s.sdata, s.sdata_len), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_ssls_import(curl, KEY, NULL, 0, NULL, 0), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_ssls_import(curl, KEY, NULL, 0, s.sdata, 3), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(exported(curl), 0);
  curl_easy_cleanup(curl);
}

TEST(callback_ends_it_and_may_not_call_again)
{
  CURL *curl = curl_easy_init();
  struct seen s;
  make(&s);
  CHECK_INT(curl_easy_ssls_import(curl, s.key, NULL, 0, s.sdata, s.sdata_len), CURLE_OK);
  s.answer = CURLE_WRITE_ERROR;
  s.recurse = true;
  CHECK_INT(curl_easy_ssls_export(curl, look, &s), CURLE_WRITE_ERROR);
  CHECK(!mote_easy_of(curl)->t.in_callback);
  CHECK_INT(exported(curl), 1);
  curl_easy_cleanup(curl);
}

/* The walk went on at a session that the import had dropped. */
TEST(nor_for_another_handle_with_the_same_cache)
{
  CURL *one = curl_easy_init(), *other = curl_easy_init();
  CURLM *multi = curl_multi_init();
  struct seen s;
  make(&s);
  CHECK_INT(curl_multi_add_handle(multi, one), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(multi, other), CURLM_OK);
  CHECK_INT(curl_easy_ssls_import(one, s.key, NULL, 0, s.sdata, s.sdata_len), CURLE_OK);
  s.count = 0;
  s.other = other;
  CHECK_INT(curl_easy_ssls_export(one, look, &s), CURLE_OK);
  CHECK_INT(s.count, 1);
  curl_easy_cleanup(one);
  curl_easy_cleanup(other);
  curl_multi_cleanup(multi);
}

/* Into the share by one handle, seen by the other; the multi's is another cache. */
TEST(share_before_multi_before_own)
{
  CURL *one = curl_easy_init(), *other = curl_easy_init(), *third = curl_easy_init();
  CURLM *multi = curl_multi_init();
  CURLSH *share = curl_share_init();
  struct seen s;
  make(&s);
  CHECK_INT(curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION), CURLSHE_OK);
  CHECK_INT(mote_share_attach(share, &mote_easy_of(one)->t.share), CURLSHE_OK);
  CHECK_INT(mote_share_attach(share, &mote_easy_of(other)->t.share), CURLSHE_OK);
  CHECK_INT(curl_easy_ssls_import(one, s.key, NULL, 0, s.sdata, s.sdata_len), CURLE_OK);
  CHECK(!mote_easy_of(one)->own);
  CHECK_INT(exported(other), 1);
  CHECK_INT(curl_multi_add_handle(multi, other), CURLM_OK);
  CHECK_INT(curl_multi_add_handle(multi, third), CURLM_OK);
  CHECK_INT(exported(other), 1);
  CHECK_INT(exported(third), 0);
  CHECK_INT(curl_easy_ssls_import(third, s.key, NULL, 0, s.sdata, s.sdata_len), CURLE_OK);
  CHECK_INT(mote_multi_of(multi)->m.sessions.count, 1);
  CHECK_INT(curl_multi_remove_handle(multi, third), CURLM_OK);
  CHECK_INT(exported(third), 0);
  curl_easy_cleanup(third);
  curl_easy_cleanup(other);
  curl_easy_cleanup(one);
  CHECK_INT(curl_multi_cleanup(multi), CURLM_OK);
  CHECK_INT(curl_share_cleanup(share), CURLSHE_OK);
}

static struct seen kept;

static void scenario(void)
{
  CURL *curl = curl_easy_init();
  if(curl) {
    CURLcode rc = curl_easy_ssls_import(curl, kept.key, NULL, 0, kept.sdata, kept.sdata_len);
    CHECK(rc == CURLE_OK || rc == CURLE_OUT_OF_MEMORY);
    CHECK_INT(exported(curl), rc ? 0 : 1);
  }
  curl_easy_cleanup(curl);
}

TEST(survives_failing_allocations)
{
  make(&kept);
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(out_and_in);
  TEST_RUN(wrong_arguments);
  TEST_RUN(callback_ends_it_and_may_not_call_again);
  TEST_RUN(nor_for_another_handle_with_the_same_cache);
  TEST_RUN(share_before_multi_before_own);
  TEST_RUN(survives_failing_allocations);
  return test_end();
}
