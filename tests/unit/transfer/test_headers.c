/* tests/unit/transfer/test_headers.c: the packed store of response headers. Needs accounts. */
#include "transfer/download/headers.h"

#include <curl/curl.h>
#include <string.h>

#include "codec/http/http1.h"
#include "transfer/transfer.h"

#include "test.h"

#define TAIL 128u

struct fixture {
  struct mote_account account;
  struct mote_header_store store;
  _Alignas(16) char tail[TAIL];
};

static void open_store(struct fixture *f)
{
  memset(f, 0, sizeof *f);
  mote_headers_init(&f->store, f->tail, TAIL);
}

static void close_store(struct fixture *f)
{
  mote_headers_close(&f->store, &f->account);
  CHECK_ACCOUNT(&f->account);
}

static CURLcode add(struct fixture *f, uint8_t origin, const char *name, const char *value)
{
  struct mote_slice n = mote_slice_of(name);
  return mote_headers_add(&f->store, &f->account, origin, mote_http1_name_of(n).spelling, n,
                          mote_slice_of(value));
}

TEST(keeps_order_and_text)
{
  struct fixture f;
  struct mote_header_view v = {0};
  open_store(&f);
  CHECK(!mote_headers_next(&f.store, &v));
  CHECK_INT(add(&f, CURLH_1XX, "Link", "</x>"), CURLE_OK);
  CHECK_INT(add(&f, CURLH_HEADER, "X-Empty", ""), CURLE_OK);
  CHECK_INT(add(&f, CURLH_TRAILER, "x", "y z"), CURLE_OK);
  CHECK_INT(f.store.count, 3);
  memset(&v, 0, sizeof v);
  CHECK(mote_headers_next(&f.store, &v));
  CHECK_STR(v.name, "Link");
  CHECK_STR(v.value, "</x>");
  CHECK_INT(v.origin, CURLH_1XX);
  CHECK_INT(v.request, 0);
  CHECK(mote_headers_next(&f.store, &v));
  CHECK_STR(v.name, "X-Empty");
  CHECK_STR(v.value, "");
  CHECK(mote_headers_next(&f.store, &v));
  CHECK_STR(v.value, "y z");
  CHECK_INT(v.origin, CURLH_TRAILER);
  CHECK(!mote_headers_next(&f.store, &v));
  close_store(&f);
}

/* Also in spellings of which the store keeps no text. */
TEST(keeps_names_as_they_were_written)
{
  static const char *const names[] = {"Content-Type", "content-type", "CONTENT-TYPE", "Content-type", "ETag",
                                      "Etag", "etag", "WWW-Authenticate", "Www-Authenticate", "Server",
                                      "Strict-Transport-Security", "X-Server"};
  struct fixture f;
  struct mote_header_view v = {0};
  size_t i;
  open_store(&f);
  for(i = 0; i < sizeof names / sizeof names[0]; i++) {
    f.store.request = (uint16_t)(i & ~(size_t)1);
    CHECK_INT(add(&f, CURLH_HEADER, names[i], "value"), CURLE_OK);
  }
  for(i = 0; i < sizeof names / sizeof names[0]; i++) {
    CHECK(mote_headers_next(&f.store, &v));
    CHECK_STR(v.name, names[i]);
    CHECK_STR(v.value, "value");
    CHECK_INT(v.request, i & ~(size_t)1);
    CHECK_INT(v.origin, CURLH_HEADER);
  }
  CHECK(!mote_headers_next(&f.store, &v));
  close_store(&f);
}

/* nginx, Apache and a server that writes lower case, each for a file: the tail of a run suffices. */
TEST(common_responses_need_no_block)
{
  static const char *const responses[3][10][2] = {
    {{"Server", "nginx/1.22.1"}, {"Date", "Sun, 22 Nov 2026 21:38:06 GMT"},
     {"Content-Type", "application/octet-stream"}, {"Content-Length", "20000"},
     {"Last-Modified", "Sun, 22 Nov 2026 21:38:05 GMT"}, {"Connection", "keep-alive"},
     {"ETag", "\"637d5f3e-4e20\""}, {"Accept-Ranges", "bytes"}},
    {{"Date", "Sun, 22 Nov 2026 21:38:06 GMT"}, {"Server", "Apache/2.4.57 (Debian)"},
     {"Last-Modified", "Sun, 22 Nov 2026 21:38:05 GMT"}, {"ETag", "\"4e20-5eb0d3b2c8f40\""},
     {"Accept-Ranges", "bytes"}, {"Content-Length", "20000"}, {"Keep-Alive", "timeout=5, max=100"},
     {"Connection", "Keep-Alive"}, {"Content-Type", "text/html"}},
    {{"server", "envoy"}, {"date", "Sun, 22 Nov 2026 21:38:06 GMT"}, {"content-type", "application/json"},
     {"content-length", "20000"}, {"cache-control", "no-cache"}, {"vary", "accept-encoding"},
     {"x-envoy-upstream-service-time", "12"}}
  };
  size_t r, i;
  for(r = 0; r < 3; r++) {
    struct mote_header_store s;
    struct mote_account account = {0};
    char tail[MOTE_HEADER_TAIL];
    mote_headers_init(&s, tail, sizeof tail);
    for(i = 0; responses[r][i][0]; i++) {
      struct mote_slice name = mote_slice_of(responses[r][i][0]);
      CHECK_INT(mote_headers_add(&s, &account, CURLH_HEADER, mote_http1_name_of(name).spelling, name,
                                 mote_slice_of(responses[r][i][1])),
                CURLE_OK);
    }
    CHECK_INT(account.calls, 0);
    mote_headers_close(&s, &account);
    CHECK_ACCOUNT(&account);
  }
}

TEST(needs_no_memory_while_the_tail_suffices)
{
  struct fixture f;
  open_store(&f);
  CHECK_INT(add(&f, CURLH_HEADER, "Content-Length", "12"), CURLE_OK);
  CHECK_INT(add(&f, CURLH_HEADER, "Content-Type", "text/plain"), CURLE_OK);
  CHECK_INT(f.account.calls, 0);
  close_store(&f);
}

/* 300 headers of changing length: block after block, none of which moves. */
TEST(pointers_stay_while_it_grows)
{
  struct fixture f;
  struct mote_header_view v = {0};
  const char *names[300];
  char name[16], value[64];
  int i;
  open_store(&f);
  for(i = 0; i < 300; i++) {
    struct mote_header_view last = {0};
    snprintf(name, sizeof name, "n%d", i);
    memset(value, 'a' + i % 26, sizeof value);
    value[i % 60] = 0;
    CHECK_INT(add(&f, CURLH_HEADER, name, value), CURLE_OK);
    while(mote_headers_next(&f.store, &last))
      names[i] = last.name;
  }
  for(i = 0; mote_headers_next(&f.store, &v); i++) {
    snprintf(name, sizeof name, "n%d", i);
    CHECK_STR(v.name, name);
    CHECK(v.name == names[i]);
    CHECK_INT(strlen(v.value), i % 60);
  }
  CHECK_INT(i, 300);
  close_store(&f);
}

TEST(takes_a_header_larger_than_a_block)
{
  struct fixture f;
  struct mote_header_view v = {0};
  static char large[100001];
  open_store(&f);
  memset(large, 'v', sizeof large - 1);
  CHECK_INT(add(&f, CURLH_HEADER, "Big", large), CURLE_OK);
  CHECK_INT(add(&f, CURLH_HEADER, "After", "1"), CURLE_OK);
  CHECK(mote_headers_next(&f.store, &v));
  CHECK_STR(v.name, "Big");
  CHECK_INT(strlen(v.value), sizeof large - 1);
  CHECK(mote_headers_next(&f.store, &v));
  CHECK_STR(v.name, "After");
  close_store(&f);
}

TEST(finds_the_last_value_of_a_request)
{
  struct fixture f;
  open_store(&f);
  CHECK(mote_headers_find(&f.store, "A", -1) == NULL);
  CHECK_INT(add(&f, CURLH_HEADER, "A", "1"), CURLE_OK);
  CHECK_INT(add(&f, CURLH_HEADER, "a", "2"), CURLE_OK);
  CHECK_INT(add(&f, CURLH_TRAILER, "A", "trailer"), CURLE_OK);
  f.store.request = 1;
  CHECK_INT(add(&f, CURLH_1XX, "A", "early"), CURLE_OK);
  CHECK_STR(mote_headers_find(&f.store, "A", 0), "2");
  CHECK(mote_headers_find(&f.store, "A", -1) == NULL);
  CHECK_INT(add(&f, CURLH_HEADER, "A", "3"), CURLE_OK);
  CHECK_STR(mote_headers_find(&f.store, "A", -1), "3");
  CHECK_STR(mote_headers_find(&f.store, "A", 1), "3");
  CHECK(mote_headers_find(&f.store, "A", 2) == NULL);
  CHECK(mote_headers_find(&f.store, "AA", -1) == NULL);
  close_store(&f);
}

TEST(keeps_request_numbers_above_127)
{
  struct fixture f;
  struct mote_header_view v = {0};
  open_store(&f);
  f.store.request = 300;
  CHECK_INT(add(&f, CURLH_HEADER, "A", "1"), CURLE_OK);
  CHECK(mote_headers_next(&f.store, &v));
  CHECK_INT(v.request, 300);
  CHECK_STR(mote_headers_find(&f.store, "A", 300), "1");
  close_store(&f);
}

TEST(refuses_more_than_the_limit)
{
  struct fixture f;
  unsigned i;
  open_store(&f);
  for(i = 0; i < MOTE_HEADERS_MAX; i++)
    CHECK_INT(add(&f, CURLH_HEADER, "n", "v"), CURLE_OK);
  CHECK_INT(add(&f, CURLH_HEADER, "n", "v"), CURLE_TOO_LARGE);
  CHECK_INT(f.store.count, MOTE_HEADERS_MAX);
  close_store(&f);
}

TEST(refuses_more_bytes_than_the_limit)
{
  static char value[100001];
  struct fixture f;
  size_t sum = 0;
  CURLcode rc;
  open_store(&f);
  memset(value, 'v', sizeof value - 1);
  while((rc = add(&f, CURLH_HEADER, "n", value)) == CURLE_OK)
    sum += sizeof value;
  CHECK_INT(rc, CURLE_TOO_LARGE);
  CHECK(sum < MOTE_HEADERS_BYTES_MAX && sum + 2 * sizeof value > MOTE_HEADERS_BYTES_MAX);
  close_store(&f);
}

static void fill(struct fixture *f, int n)
{
  for(; n; n--)
    (void)add(f, CURLH_HEADER, "some-name", "a value of some length");
}

TEST(keeps_one_block_for_the_next_transfer)
{
  struct fixture f;
  struct mote_header_view v = {0};
  uint32_t calls;
  open_store(&f);
  fill(&f, 200);
  mote_headers_clear(&f.store, &f.account);
  CHECK_INT(f.store.count, 0);
  CHECK(!mote_headers_next(&f.store, &v));
  calls = f.account.calls;
  fill(&f, 8);
  CHECK_INT(f.account.calls, calls);
  CHECK_INT(f.store.count, 8);
  close_store(&f);
}

/* What the spare room is used for must not touch what is stored. */
TEST(lends_the_rest_of_the_tail)
{
  struct fixture f;
  size_t size;
  char *spare;
  open_store(&f);
  CHECK_INT(add(&f, CURLH_HEADER, "A", "1"), CURLE_OK);
  spare = mote_headers_spare(&f.store, &size);
  CHECK(spare > f.tail && spare + size == f.tail + TAIL);
  memset(spare, 'x', size);
  CHECK_STR(mote_headers_find(&f.store, "A", -1), "1");
  CHECK_INT(add(&f, CURLH_HEADER, "B", "2"), CURLE_OK);
  CHECK_STR(mote_headers_find(&f.store, "B", -1), "2");
  close_store(&f);
}

static void scenario(void)
{
  struct fixture f;
  struct mote_header_view v = {0};
  unsigned stored = 0, seen = 0;
  int i;
  open_store(&f);
  for(i = 0; i < 100; i++) {
    CURLcode rc = add(&f, CURLH_HEADER, "some-name", "a value of some length");
    CHECK(rc == CURLE_OK || rc == CURLE_OUT_OF_MEMORY);
    stored += rc == CURLE_OK;
  }
  CHECK_INT(f.store.count, stored);
  while(mote_headers_next(&f.store, &v)) {
    CHECK_STR(v.name, "some-name");
    seen++;
  }
  CHECK_INT(seen, stored);
  mote_headers_clear(&f.store, &f.account);
  close_store(&f);
}

TEST(survives_failing_allocations)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(keeps_order_and_text);
  TEST_RUN(keeps_names_as_they_were_written);
  TEST_RUN(common_responses_need_no_block);
  TEST_RUN(needs_no_memory_while_the_tail_suffices);
  TEST_RUN(pointers_stay_while_it_grows);
  TEST_RUN(takes_a_header_larger_than_a_block);
  TEST_RUN(finds_the_last_value_of_a_request);
  TEST_RUN(keeps_request_numbers_above_127);
  TEST_RUN(refuses_more_than_the_limit);
  TEST_RUN(refuses_more_bytes_than_the_limit);
  TEST_RUN(keeps_one_block_for_the_next_transfer);
  TEST_RUN(lends_the_rest_of_the_tail);
  TEST_RUN(survives_failing_allocations);
  return test_end();
}
