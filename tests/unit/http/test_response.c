/* tests/unit/http/test_response.c: what follows from the events of a response, reported by no protocol.
 * Needs header_store. */
#include "http/response.h"

#include "exchange.h"
#include "http/request.h"
#include "transfer/download/headers.h"

static char room[1024];

static void nothing(struct mote_http_writer *w)
{
  (void)w;
}

static void no_field(struct mote_http_writer *w, const char *name, size_t len)
{
  (void)w;
  (void)name;
  (void)len;
}

static bool keeps(const struct mote_http_writer *w, struct mote_slice name, const char *rest)
{
  (void)w;
  (void)name;
  (void)rest;
  return false;
}

static const struct mote_http_wire wire = {
  .begin = nothing, .field = no_field, .end = nothing, .framing = nothing,
  .replaces = keeps, .finish = nothing,
};

/* Writes the request, since that decides which features judge its response. */
static bool ask(struct exchange *x)
{
  struct mote_http_writer w = {.t = &x->s.t, .wire = &wire, .ptr = room, .cap = sizeof room};
  mote_http_write(&w);
  return CHECK_INT(w.rc, CURLE_OK);
}

static CURLcode status(struct exchange *x, unsigned code)
{
  return mote_response_status(&x->s.t, code, CURL_HTTP_VERSION_2_0, mote_slice_of("HTTP/2 200\r\n"), 1);
}

static CURLcode field(struct exchange *x, const char *name, const char *value)
{
  struct mote_slice n = mote_slice_of(name), line = mote_slice_of("line\r\n");
  return mote_response_field(&x->s.t, mote_http1_name_of(n), n, mote_slice_of(value), line);
}

static CURLcode head(struct exchange *x, curl_off_t size)
{
  struct mote_http1_response fields = {0};
  struct mote_http_body body = {.fields = &fields, .size = size, .kind = MOTE_HTTP1_BODY_LENGTH};
  return mote_response_head(&x->s.t, &body);
}

TEST(status_fields_and_trailers_are_kept)
{
  struct exchange x;
  struct mote_header_view v = {0};
  if(exchange_begin(&x, "http://example.com/") && ask(&x)) {
    CHECK_INT(status(&x, 103), CURLE_OK);
    CHECK_INT(field(&x, "Link", "a"), CURLE_OK);
    mote_response_interim(&x.s.t);
    CHECK_INT(status(&x, 200), CURLE_OK);
    CHECK_INT(field(&x, "Server", "b"), CURLE_OK);
    CHECK_INT(head(&x, 7), CURLE_OK);
    CHECK_INT(mote_response_trailer(&x.s.t, mote_slice_of("Sum"), mote_slice_of("c"),
                                    mote_slice_of("Sum: c\r\n")),
              CURLE_OK);
    CHECK_INT(x.s.run.response.code, 200);
    CHECK_INT(x.s.run.stats.http_version, CURL_HTTP_VERSION_2_0);
    CHECK_INT(x.s.run.response.size_down, 7);
    CHECK_INT(x.s.run.response.head_bytes, 2 * 12 + 2 * 6 + 8);
    CHECK(mote_headers_next(&x.s.run.response.headers, &v));
    CHECK_INT(v.origin, CURLH_1XX);
    CHECK(mote_headers_next(&x.s.run.response.headers, &v));
    CHECK_INT(v.origin, CURLH_HEADER);
    CHECK_STR(v.value, "b");
    CHECK(mote_headers_next(&x.s.run.response.headers, &v));
    CHECK_INT(v.origin, CURLH_TRAILER);
  }
  exchange_end(&x);
}

TEST(a_location_leads_to_another_request)
{
  struct exchange x;
  if(exchange_begin(&x, "http://example.com/a") && ask(&x)) {
    CHECK_INT(mote_option_set_long(&x.s.t.options, ID(FOLLOWLOCATION), 1), CURLE_OK);
    CHECK_INT(status(&x, 103), CURLE_OK);
    CHECK_INT(field(&x, "Location", "/early"), CURLE_OK);
    CHECK_INT(x.s.run.response.next, MOTE_NEXT_NONE);
    CHECK_INT(status(&x, 302), CURLE_OK);
    CHECK_INT(field(&x, "location", "/b"), CURLE_OK);
    CHECK_INT(head(&x, 0), CURLE_OK);
    CHECK_INT(x.s.run.response.next, MOTE_NEXT_URL);
    CHECK_STR(x.s.run.request.redirect, "http://example.com/b");
    CHECK(x.s.run.response.body_ignored);
  }
  exchange_end(&x);
}

TEST(a_challenge_that_can_be_answered_repeats_the_request)
{
  const long both = CURLAUTH_BASIC | CURLAUTH_BEARER;
  struct exchange x;
  if(exchange_begin(&x, "http://u:p@example.com/") &&
     CHECK(!mote_option_set_long(&x.s.t.options, ID(HTTPAUTH), both)) && ask(&x)) {
    CHECK_INT(status(&x, 401), CURLE_OK);
    CHECK_INT(field(&x, "WWW-Authenticate", "Digest realm=\"a\", Basic realm=\"b\""), CURLE_OK);
    CHECK_INT(x.s.run.response.auth_avail, CURLAUTH_DIGEST | CURLAUTH_BASIC);
    CHECK_INT(head(&x, 0), CURLE_OK);
    CHECK_INT(x.s.run.response.next, MOTE_NEXT_SAME);
    CHECK_INT(x.s.run.response.challenge, MOTE_CHALLENGE_ANSWERED);
  }
  exchange_end(&x);
}

TEST(only_features_that_were_asked_for_judge_the_head)
{
  struct exchange x;
  if(exchange_begin(&x, "http://example.com/")) {
    CHECK_INT(mote_option_set_off(&x.s.t.options, ID(RESUME_FROM_LARGE), 5), CURLE_OK);
    if(ask(&x)) {
      CHECK_INT(status(&x, 200), CURLE_OK);
      CHECK_INT(head(&x, 9), CURLE_RANGE_ERROR);
      mote_option_unset(&x.s.t.options, ID(RESUME_FROM_LARGE));
      mote_http_of(&x.s.t)->ranged = false;
      CHECK(ask(&x));
      CHECK_INT(head(&x, 9), CURLE_OK);
    }
  }
  exchange_end(&x);
}

int main(void)
{
  TEST_RUN(status_fields_and_trailers_are_kept);
  TEST_RUN(a_location_leads_to_another_request);
  TEST_RUN(a_challenge_that_can_be_answered_repeats_the_request);
  TEST_RUN(only_features_that_were_asked_for_judge_the_head);
  return test_end();
}
