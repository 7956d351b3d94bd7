/* Tests of tls/session.h. */
#include "test.h"

#include "tls/session.h"

static struct mote_account account;
static struct mote_session_cache cache;

static void open_cache(void)
{
  memset(&account, 0, sizeof account);
  mote_session_cache_init(&cache, &account);
}

static void close_cache(void)
{
  mote_session_cache_close(&cache);
  CHECK_INT(cache.count, 0);
  CHECK_ACCOUNT(&account);
}

static void put(const char *key, const char *bytes, int tls_id, int64_t until)
{
  struct mote_session_info info = { .valid_until = until, .tls_id = tls_id, .alpn = "http/1.1",
                                    .earlydata_max = 16384 };
  mote_session_put(&cache, key, mote_slice_of(bytes), &info, 100);
}

/* What was handed to the callback; refuse makes it say no. */
static char seen[64];
static bool refuse;

static bool note(void *arg, const void *bytes, size_t len)
{
  (void)arg;
  memcpy(seen, bytes, len);
  seen[len] = 0;
  return !refuse;
}

static const char *taken(const char *key, int64_t now)
{
  seen[0] = 0;
  return mote_session_take(&cache, key, now, note, NULL) ? seen : NULL;
}

TEST(tickets_are_used_once_newest_first)
{
  open_cache();
  put("a:1", "one", 0x0304, 1000);
  put("a:1", "two", 0x0304, 1000);
  put("a:1", "three", 0x0304, 1000);
  put("b:1", "other", 0x0304, 1000);
  CHECK_INT(cache.count, MOTE_SESSION_TICKETS + 1);
  CHECK_STR(taken("a:1", 200), "three");
  CHECK_STR(taken("a:1", 200), "two");
  CHECK_STR(taken("a:1", 200), NULL);
  CHECK_STR(taken("b:1", 200), "other");
  close_cache();
}

TEST(older_sessions_stay_and_are_replaced)
{
  open_cache();
  put("a:1", "one", 0x0303, 1000);
  put("a:1", "two", 0x0303, 1000);
  CHECK_INT(cache.count, 1);
  CHECK_STR(taken("a:1", 200), "two");
  CHECK_STR(taken("a:1", 200), "two");
  refuse = true;
  CHECK_STR(taken("a:1", 200), NULL);
  refuse = false;
  CHECK_STR(taken("a:1", 200), NULL);
  close_cache();
}

TEST(what_has_expired_is_dropped)
{
  open_cache();
  put("a:1", "late", 0x0304, 100);
  CHECK_INT(cache.count, 0);
  put("a:1", "soon", 0x0304, 150);
  CHECK_STR(taken("a:1", 150), NULL);
  CHECK_INT(cache.count, 0);
  close_cache();
}

TEST(the_oldest_makes_room)
{
  char key[16];
  int i;
  open_cache();
  for(i = 0; i <= MOTE_SESSION_LIMIT; i++) {
    snprintf(key, sizeof key, "h%d:1", i);
    put(key, "x", 0x0304, 1000);
  }
  CHECK_INT(cache.count, MOTE_SESSION_LIMIT);
  CHECK_STR(taken("h0:1", 200), NULL);
  CHECK_STR(taken("h1:1", 200), "x");
  close_cache();
}

/* One exported session, as a program would keep it. */
static struct {
  char key[64];
  unsigned char shmac[64];
  unsigned char sdata[256];
  size_t sdata_len;
  int count;
  CURLcode answer;
} kept;

static CURLcode keep(CURL *easy, void *userptr, const char *session_key, const unsigned char *shmac,
                     size_t shmac_len, const unsigned char *sdata, size_t sdata_len, curl_off_t valid_until,
                     int ietf_tls_id, const char *alpn, size_t earlydata_max)
{
  (void)easy;
  CHECK(userptr == &kept && shmac_len == 64 && sdata_len <= sizeof kept.sdata);
  CHECK(valid_until == 1000 && ietf_tls_id == 0x0304 && earlydata_max == 16384);
  CHECK_STR(alpn, "http/1.1");
  snprintf(kept.key, sizeof kept.key, "%s", session_key ? session_key : "");
  memcpy(kept.shmac, shmac, shmac_len);
  memcpy(kept.sdata, sdata, sdata_len);
  kept.sdata_len = sdata_len;
  kept.count++;
  return kept.answer;
}

static void export_all(void)
{
  memset(&kept, 0, sizeof kept);
  CHECK_INT(mote_session_export(&cache, 200, NULL, keep, &kept), CURLE_OK);
}

/* shmac_len: how many bytes of what was exported are passed. */
static CURLcode import(const char *key, size_t shmac_len, const unsigned char *sdata, size_t len, int64_t now)
{
  const struct mote_session_export from = {
    key, {shmac_len ? (const char *)kept.shmac : NULL, shmac_len}, {(const char *)sdata, len}};
  return mote_session_import(&cache, &from, now);
}

TEST(goes_out_and_comes_in_by_key)
{
  open_cache();
  put("a:1", "one", 0x0304, 1000);
  export_all();
  CHECK_INT(kept.count, 1);
  CHECK_STR(kept.key, "a:1");
  mote_session_cache_close(&cache);
  CHECK_INT(import(kept.key, 0, kept.sdata, kept.sdata_len, 200), CURLE_OK);
  CHECK_STR(taken("b:1", 200), NULL);
  CHECK_STR(taken("a:1", 200), "one");
  close_cache();
}

TEST(goes_out_and_comes_in_by_hash)
{
  open_cache();
  put("a:1", "one", 0x0304, 1000);
  export_all();
  mote_session_cache_close(&cache);
  CHECK_INT(import(NULL, 64, kept.sdata, kept.sdata_len, 200), CURLE_OK);
  export_all();
  CHECK_INT(kept.count, 1);
  CHECK_STR(kept.key, "");
  CHECK_STR(taken("b:1", 200), NULL);
  CHECK_STR(taken("a:1", 200), "one");
  close_cache();
}

TEST(export_stops_and_leaves_out_client_certificates)
{
  struct mote_session_info info = { .valid_until = 1000, .tls_id = 0x0304, .client_cert = true };
  open_cache();
  mote_session_put(&cache, "a:1", mote_slice_of("one"), &info, 100);
  export_all();
  CHECK_INT(kept.count, 0);
  put("b:1", "two", 0x0304, 1000);
  put("c:1", "three", 0x0304, 1000);
  memset(&kept, 0, sizeof kept);
  kept.answer = CURLE_ABORTED_BY_CALLBACK;
  CHECK_INT(mote_session_export(&cache, 200, NULL, keep, &kept), CURLE_ABORTED_BY_CALLBACK);
  CHECK_INT(kept.count, 1);
  close_cache();
}

TEST(refuses_bad_imports)
{
  unsigned char bad[256];
  size_t i;
  open_cache();
  put("a:1", "one", 0x0304, 1000);
  export_all();
  mote_session_cache_close(&cache);
  CHECK_INT(import(NULL, 0, kept.sdata, kept.sdata_len, 200),
            CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(import(NULL, 63, kept.sdata, kept.sdata_len, 200),
            CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(import("a:1", 0, NULL, 0, 200), CURLE_BAD_FUNCTION_ARGUMENT);
  for(i = 0; i < kept.sdata_len - 3; i++)
    CHECK_INT(import("a:1", 0, kept.sdata, i, 200), CURLE_BAD_FUNCTION_ARGUMENT);
  memcpy(bad, kept.sdata, kept.sdata_len);
  bad[4]++;
  CHECK_INT(import("a:1", 0, bad, kept.sdata_len, 200),
            CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(import("a:1", 0, kept.sdata, kept.sdata_len, 1000), CURLE_OK);
  CHECK_INT(cache.count, 0);
  close_cache();
}

static void scenario(void)
{
  open_cache();
  put("a:1", "one", 0x0304, 1000);
  put("a:1", "two", 0x0304, 1000);
  put("b:1", "three", 0x0303, 1000);
  (void)taken("a:1", 200);
  if(cache.count) {
    CURLcode rc = import("c:1", 0, kept.sdata, kept.sdata_len, 200);
    CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  }
  close_cache();
}

TEST(survives_without_memory)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(tickets_are_used_once_newest_first);
  TEST_RUN(older_sessions_stay_and_are_replaced);
  TEST_RUN(what_has_expired_is_dropped);
  TEST_RUN(the_oldest_makes_room);
  TEST_RUN(goes_out_and_comes_in_by_key);
  TEST_RUN(goes_out_and_comes_in_by_hash);
  TEST_RUN(export_stops_and_leaves_out_client_certificates);
  TEST_RUN(refuses_bad_imports);
  TEST_RUN(survives_without_memory);
  return test_end();
}
