/* tests/unit/http/test_request.c: the list of a request's fields, written by a wire that is not HTTP/1: pairs
 * of name and value, as HTTP/2 and HTTP/3 send them, without fields that belong to one connection.
 * Needs !plain_urls. */
#include "http/request.h"

#include "exchange.h"

static char room[2048];

static void pairs_begin(struct mote_http_writer *w)
{
  mote_http_put_text(w, mote_http_method(w->t));
  mote_http_put(w, "|", 1);
  mote_http_put_target(w);
  mote_http_put(w, "\n", 1);
}

static void pairs_field(struct mote_http_writer *w, const char *name, size_t len)
{
  for(size_t i = 0; i < len; i++) {
    char c = mote_to_lower(name[i]);
    mote_http_put(w, &c, 1);
  }
  mote_http_put(w, "|", 1);
}

static void pairs_end(struct mote_http_writer *w)
{
  mote_http_put(w, "\n", 1);
}

static void pairs_nothing(struct mote_http_writer *w)
{
  (void)w;
}

static bool pairs_replaces(const struct mote_http_writer *w, struct mote_slice name, const char *rest)
{
  (void)w;
  (void)rest;
  return mote_slice_is(name, "connection") || mote_slice_is(name, "transfer-encoding");
}

static const struct mote_http_wire pairs = {
  .begin = pairs_begin, .field = pairs_field, .end = pairs_end, .framing = pairs_nothing,
  .replaces = pairs_replaces, .finish = pairs_nothing,
};

/* Returns what the wire has written, or NULL. */
static const char *written(struct exchange *x)
{
  struct mote_http_writer w = {.t = &x->s.t, .wire = &pairs, .ptr = room, .cap = sizeof room - 1};
  mote_http_write(&w);
  CHECK(!w.block && (!w.rc || (w.rc == CURLE_OUT_OF_MEMORY && test_mem.failed)));
  room[w.len] = 0;
  return w.rc ? NULL : room;
}

TEST(a_plain_get_needs_no_feature)
{
  struct exchange x;
  if(exchange_begin(&x, "http://example.com/a?b")) {
    CHECK_STR(written(&x), "GET|/a?b\nhost| example.com\naccept| */*\n");
    CHECK_INT(mote_http_of(&x.s.t)->hooks, 0);
    CHECK_INT(mote_http_of(&x.s.t)->sending, MOTE_HTTP_SEND_DONE);
  }
  exchange_end(&x);
}

static void every_feature(void)
{
  struct exchange x;
  struct mote_options *o = &x.s.t.options;
  const char *text = NULL;
  bool set;
  if(!exchange_begin(&x, "http://example.com:8080/")) {
    exchange_end(&x);
    return;
  }
  set = exchange_text(&x, ID(USERNAME), "u") && exchange_text(&x, ID(PASSWORD), "p") &&
        exchange_text(&x, ID(RANGE), "1-2") && exchange_text(&x, ID(USERAGENT), "agent") &&
        exchange_text(&x, ID(ACCEPT_ENCODING), "gzip") && exchange_text(&x, ID(REFERER), "r") &&
        exchange_text(&x, ID(COOKIE), "a=b") && !mote_option_set_long(o, ID(TIMECONDITION), 1) &&
        !mote_option_set_off(o, ID(TIMEVALUE_LARGE), 0) && !mote_option_set_long(o, ID(TRANSFER_ENCODING), 1);
  if(CHECK(set || test_mem.failed) && set)
    text = written(&x);
  CHECK(text || test_mem.failed);
  if(text)
    CHECK_STR(text, "GET|/\nhost| example.com:8080\nauthorization| Basic dTpw\nrange| bytes=1-2\n"
                    "user-agent| agent\naccept| */*\naccept-encoding| gzip\nreferer| r\ncookie| a=b\n"
                    "if-modified-since| Thu, 01 Jan 1970 00:00:00 GMT\n");
  exchange_end(&x);
}

TEST(features_write_their_fields_in_the_order_of_the_list)
{
  every_feature();
}

TEST(out_of_memory_leaves_nothing)
{
  run_with_failures(every_feature);
}

TEST(lines_of_the_application_are_fields_of_the_list)
{
  struct curl_slist third = {(char *)(uintptr_t)"Transfer-Encoding: chunked", NULL};
  struct curl_slist second = {(char *)(uintptr_t)"Connection: close", &third};
  struct curl_slist own = {(char *)(uintptr_t)"X-Own:  value", &second};
  struct curl_slist first = {(char *)(uintptr_t)"Accept:", &own};
  struct exchange x;
  if(exchange_begin(&x, "http://example.com/")) {
    CHECK_INT(mote_option_set_ptr(&x.s.t.options, ID(HTTPHEADER), &first), CURLE_OK);
    CHECK_STR(written(&x), "GET|/\nhost| example.com\nx-own|  value\n");
  }
  exchange_end(&x);
}

TEST(another_origin_gets_no_credentials_and_cookies)
{
  struct curl_slist own = {(char *)(uintptr_t)"Cookie: own", NULL};
  struct exchange x;
  if(exchange_begin(&x, "http://example.com/") && exchange_text(&x, ID(USERNAME), "u") &&
     exchange_text(&x, ID(COOKIE), "a=b")) {
    x.s.run.request.other_origin = true;
    CHECK_STR(written(&x), "GET|/\nhost| example.com\naccept| */*\n");
    CHECK_INT(mote_option_set_ptr(&x.s.t.options, ID(HTTPHEADER), &own), CURLE_OK);
    CHECK_STR(written(&x), "GET|/\nhost| example.com\naccept| */*\n");
    CHECK_INT(mote_option_set_long(&x.s.t.options, ID(UNRESTRICTED_AUTH), 1), CURLE_OK);
    CHECK_STR(written(&x), "GET|/\nhost| example.com\nauthorization| Basic dTo=\naccept| */*\ncookie| own\n");
  }
  exchange_end(&x);
}

int main(void)
{
  TEST_RUN(a_plain_get_needs_no_feature);
  TEST_RUN(features_write_their_fields_in_the_order_of_the_list);
  TEST_RUN(out_of_memory_leaves_nothing);
  TEST_RUN(lines_of_the_application_are_fields_of_the_list);
  TEST_RUN(another_origin_gets_no_credentials_and_cookies);
  return test_end();
}
