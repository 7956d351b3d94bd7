/* tests/unit/api/test_header.c: curl_easy_header() and curl_easy_nextheader() over a store filled by hand;
 * the answers are those of libcurl 7.88.1 for such responses (a redirect, a 103, a 200 with trailers). */
#include <curl/curl.h>

#include "api/easy/easy_handle.h"
#include "base/text.h"
#include "transfer/download/headers.h"
#include "run.h"
#include "test.h"

#define ALL (CURLH_HEADER | CURLH_TRAILER | CURLH_CONNECT | CURLH_1XX | CURLH_PSEUDO)

static void add(struct mote_easy *e, uint8_t origin, const char *name, const char *value)
{
  CHECK_INT(mote_headers_add(&e->t.run->response.headers, &e->t.account, origin, 0, mote_slice_of(name),
                             mote_slice_of(value)), CURLE_OK);
}

/* A redirect and its target. */
static void fill(struct mote_easy *e)
{
  add(e, CURLH_HEADER, "Location", "/final");
  add(e, CURLH_HEADER, "X-One", "a");
  add(e, CURLH_HEADER, "x-one", "b");
  e->t.run->response.headers.request = 1;
  add(e, CURLH_1XX, "Link", "</x>");
  add(e, CURLH_1XX, "X-One", "early");
  add(e, CURLH_HEADER, "Content-Type", "text/plain");
  add(e, CURLH_HEADER, "X-One", "c");
  add(e, CURLH_HEADER, "X-one", "d");
  add(e, CURLH_HEADER, "X-ONE", "");
  add(e, CURLH_TRAILER, "X-T", "t1");
  add(e, CURLH_TRAILER, "X-One", "trail");
}

static const struct {
  const char *name;
  size_t index;
  unsigned origin;
  int request;
  CURLHcode rc;
  const char *value;
  size_t amount;
  unsigned from;
} asked[] = {
  {"X-One", 0, CURLH_HEADER, -1, CURLHE_OK, "c", 3, CURLH_HEADER},
  {"x-oNE", 1, CURLH_HEADER, -1, CURLHE_OK, "d", 3, CURLH_HEADER},
  {"X-One", 2, CURLH_HEADER, 1, CURLHE_OK, "", 3, CURLH_HEADER},
  {"X-One", 3, CURLH_HEADER, -1, CURLHE_BADINDEX, NULL, 0, 0},
  {"X-One", 0, CURLH_HEADER, 0, CURLHE_OK, "a", 2, CURLH_HEADER},
  {"X-One", 1, CURLH_HEADER, 0, CURLHE_OK, "b", 2, CURLH_HEADER},
  {"X-One", 2, CURLH_HEADER, 0, CURLHE_BADINDEX, NULL, 0, 0},
  {"X-One", 0, CURLH_TRAILER, -1, CURLHE_OK, "trail", 1, CURLH_TRAILER},
  {"X-One", 0, CURLH_TRAILER, 0, CURLHE_MISSING, NULL, 0, 0},
  {"X-One", 0, CURLH_1XX, -1, CURLHE_OK, "early", 1, CURLH_1XX},
  {"X-One", 0, CURLH_CONNECT, -1, CURLHE_MISSING, NULL, 0, 0},
  {"X-One", 0, CURLH_PSEUDO, -1, CURLHE_MISSING, NULL, 0, 0},
  {"X-One", 0, ALL, -1, CURLHE_OK, "early", 5, CURLH_1XX},
  {"X-One", 4, ALL, -1, CURLHE_OK, "trail", 5, CURLH_TRAILER},
  {"X-One", 5, ALL, -1, CURLHE_BADINDEX, NULL, 0, 0},
  {"X-One", 1, CURLH_HEADER | CURLH_TRAILER, -1, CURLHE_OK, "d", 4, CURLH_HEADER},
  {"Content-Type", 0, CURLH_HEADER, -1, CURLHE_OK, "text/plain", 1, CURLH_HEADER},
  {"Content-Type", 1, CURLH_HEADER, -1, CURLHE_BADINDEX, NULL, 0, 0},
  {"Content-Type", 0, CURLH_HEADER, 0, CURLHE_MISSING, NULL, 0, 0},
  {"nope", 0, CURLH_HEADER, -1, CURLHE_MISSING, NULL, 0, 0},
  {"nope", 5, CURLH_HEADER, -1, CURLHE_MISSING, NULL, 0, 0},
  {"", 0, CURLH_HEADER, -1, CURLHE_MISSING, NULL, 0, 0},
  {"X-One", 0, CURLH_HEADER, 2, CURLHE_NOREQUEST, NULL, 0, 0},
  {"X-One", 0, CURLH_HEADER, -2, CURLHE_BAD_ARGUMENT, NULL, 0, 0},
  {"X-One", 0, 0, -1, CURLHE_BAD_ARGUMENT, NULL, 0, 0},
  {"X-One", 0, 32, -1, CURLHE_BAD_ARGUMENT, NULL, 0, 0},
  {"X-One", 0, 33, 2, CURLHE_BAD_ARGUMENT, NULL, 0, 0},
  {NULL, 0, CURLH_HEADER, -1, CURLHE_BAD_ARGUMENT, NULL, 0, 0},
};

TEST(by_name)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = with_run(curl);
  size_t i;
  fill(e);
  for(i = 0; i < sizeof asked / sizeof asked[0]; i++) {
    struct curl_header *h = NULL;
    CURLHcode rc =
      curl_easy_header(curl, asked[i].name, asked[i].index, asked[i].origin, asked[i].request, &h);
    if(!CHECK_INT(rc, asked[i].rc) || rc)
      CHECK(!h);
    else {
      CHECK(curl_strequal(h->name, asked[i].name));
      CHECK_STR(h->value, asked[i].value);
      CHECK_INT(h->amount, asked[i].amount);
      CHECK_INT(h->index, asked[i].index);
      CHECK_INT(h->origin, asked[i].from);
    }
  }
  curl_easy_cleanup(curl);
}

TEST(wrong_arguments)
{
  CURL *curl = curl_easy_init();
  struct curl_header *h = NULL;
  CHECK_INT(curl_easy_header(NULL, "x", 0, CURLH_HEADER, -1, &h), CURLHE_BAD_ARGUMENT);
  CHECK_INT(curl_easy_header(curl, "x", 0, CURLH_HEADER, -1, NULL), CURLHE_BAD_ARGUMENT);
  CHECK_INT(curl_easy_header(curl, "x", 0, CURLH_HEADER, -1, &h), CURLHE_NOHEADERS);
  CHECK_INT(curl_easy_header(curl, "x", 0, CURLH_HEADER, 1, &h), CURLHE_NOHEADERS);
  CHECK(!curl_easy_nextheader(NULL, CURLH_HEADER, -1, NULL));
  CHECK(!curl_easy_nextheader(curl, CURLH_HEADER, -1, NULL));
  (void)with_run(curl);
  CHECK_INT(curl_easy_header(curl, "x", 0, CURLH_HEADER, -1, &h), CURLHE_NOHEADERS);
  CHECK(!curl_easy_nextheader(curl, CURLH_HEADER, -1, NULL));
  CHECK(!h);
  curl_easy_cleanup(curl);
}

/* "name=value(index/amount) ..." of a walk. */
static const char *walk(CURL *curl, unsigned origin, int request, char *out, size_t size)
{
  struct curl_header *h = NULL;
  size_t n = 0;
  out[0] = 0;
  while((h = curl_easy_nextheader(curl, origin, request, h)) != NULL && n < size)
    n += (size_t)snprintf(out + n, size - n, "%s=%s(%zu/%zu) ", h->name, h->value, h->index, h->amount);
  return out;
}

TEST(one_after_another)
{
  CURL *curl = curl_easy_init();
  char text[500];
  fill(with_run(curl));
  CHECK_STR(walk(curl, CURLH_HEADER, 0, text, sizeof text),
            "Location=/final(0/1) X-One=a(0/2) x-one=b(1/2) ");
  CHECK_STR(walk(curl, CURLH_HEADER, -1, text, sizeof text),
            "Content-Type=text/plain(0/1) X-One=c(0/3) X-one=d(1/3) X-ONE=(2/3) ");
  CHECK_STR(walk(curl, ALL, 1, text, sizeof text),
            "Link=</x>(0/1) X-One=early(0/5) Content-Type=text/plain(0/1) X-One=c(1/5) X-one=d(2/5) "
            "X-ONE=(3/5) X-T=t1(0/1) X-One=trail(4/5) ");
  CHECK_STR(walk(curl, CURLH_TRAILER, -1, text, sizeof text), "X-T=t1(0/1) X-One=trail(0/1) ");
  CHECK_STR(walk(curl, CURLH_CONNECT, -1, text, sizeof text), "");
  CHECK_STR(walk(curl, ALL, 2, text, sizeof text), "");
  CHECK_STR(walk(curl, ALL, -2, text, sizeof text), "");
  CHECK_STR(walk(curl, 0, -1, text, sizeof text), "");
  CHECK_STR(walk(curl, 64, -1, text, sizeof text), "");
  curl_easy_cleanup(curl);
}

TEST(walk_goes_on_from_anywhere)
{
  CURL *curl = curl_easy_init();
  struct curl_header *h = NULL, *next, *other = NULL, foreign;
  fill(with_run(curl));
  CHECK_INT(curl_easy_header(curl, "x-one", 0, CURLH_HEADER, 0, &h), CURLHE_OK);
  next = curl_easy_nextheader(curl, ALL, 0, h);
  CHECK(next && !strcmp(next->value, "b"));
  /* A look-up in between disturbs neither the walk nor what it has given. */
  CHECK_INT(curl_easy_header(curl, "Location", 0, CURLH_HEADER, 0, &other), CURLHE_OK);
  CHECK_STR(next->value, "b");
  CHECK(!curl_easy_nextheader(curl, ALL, 0, next));
  /* The same place, another request. */
  next = curl_easy_nextheader(curl, CURLH_HEADER, 1, other);
  CHECK(next && !strcmp(next->name, "Content-Type"));
  foreign = *next;
  foreign.anchor = NULL;
  CHECK(!curl_easy_nextheader(curl, ALL, -1, &foreign));
  foreign.anchor = &foreign;
  CHECK(!curl_easy_nextheader(curl, ALL, -1, &foreign));
  curl_easy_cleanup(curl);
}

/* Over several blocks of the store. */
TEST(walks_over_many)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = with_run(curl);
  struct curl_header *h = NULL;
  char name[16];
  int i;
  for(i = 0; i < 500; i++) {
    snprintf(name, sizeof name, "n%d", i);
    add(e, CURLH_HEADER, name, "value");
  }
  for(i = 0; (h = curl_easy_nextheader(curl, CURLH_HEADER, -1, h)) != NULL; i++) {
    snprintf(name, sizeof name, "n%d", i);
    CHECK_STR(h->name, name);
  }
  CHECK_INT(i, 500);
  curl_easy_cleanup(curl);
}

static void scenario(void)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = curl ? with_run(curl) : NULL;
  struct curl_header *h = NULL;
  CURLHcode rc;
  if(e && !mote_headers_add(&e->t.run->response.headers, &e->t.account, CURLH_HEADER, 0, mote_slice_of("a"),
                            mote_slice_of("b"))) {
    rc = curl_easy_header(curl, "A", 0, CURLH_HEADER, -1, &h);
    CHECK(rc == CURLHE_OK || (rc == CURLHE_OUT_OF_MEMORY && !h));
    (void)curl_easy_nextheader(curl, CURLH_HEADER, -1, NULL);
  }
  curl_easy_cleanup(curl);
}

TEST(survives_failing_allocations)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(by_name);
  TEST_RUN(wrong_arguments);
  TEST_RUN(one_after_another);
  TEST_RUN(walk_goes_on_from_anywhere);
  TEST_RUN(walks_over_many);
  TEST_RUN(survives_failing_allocations);
  return test_end();
}
