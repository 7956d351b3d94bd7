/* tests/unit/http/test_fields.c: where the fields of a head lie, which no byte of an option moves. */
#include "http/fields.h"
#include "http/request.h"

#include "exchange.h"

static void fields_begin(struct mote_http_writer *w)
{
  mote_http_fields_begin(w, (struct mote_slice){" HTTP/x\r\n", 9});
}

static const struct mote_http_wire fields = {
  .begin = fields_begin, .field = mote_http_fields_name, .end = mote_http_fields_end,
  .framing = mote_http_fields_framing,
  .finish = mote_http_fields_finish,
};

static char room[8192];
static char list[8192];

/* Returns the fields as "name=value|", or NULL after an error. The writer has `cap` bytes to begin with. */
static const char *fields_of(struct exchange *x, size_t cap, CURLcode *rc)
{
  struct mote_http_writer w = {.t = &x->s.t, .wire = &fields, .ptr = room, .cap = cap};
  size_t i, at = 0;
  mote_http_write(&w);
  *rc = w.rc;
  for(i = 0; !w.rc && i < mote_http_fields_count(&w); i++) {
    struct mote_mux_field p = mote_http_fields_at(&w, i);
    CHECK_INT(p.is_pseudo, *p.name.ptr == ':');
    at += (size_t)snprintf(list + at, sizeof list - at, "%.*s=%.*s|", (int)p.name.len, p.name.ptr,
                           (int)p.value.len, p.value.ptr);
  }
  mote_kept_free(&x->s.t, w.block);
  return w.rc ? NULL : list;
}

static void a_head(size_t cap)
{
  struct curl_slist third = {(char *)(uintptr_t)"Transfer-Encoding : chunked", NULL};
  struct curl_slist second = {(char *)(uintptr_t)"X-Empty;", &third};
  struct curl_slist first = {(char *)(uintptr_t)"X-Colon: \t a: b \t", &second};
  struct exchange x;
  const char *text;
  CURLcode rc;
  if(exchange_begin(&x, "http://example.com:81/a?b") && exchange_text(&x, ID(USERAGENT), "agent")) {
    CHECK_INT(mote_option_set_ptr(&x.s.t.options, ID(HTTPHEADER), &first), CURLE_OK);
    text = fields_of(&x, cap, &rc);
    CHECK(text || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
    if(text)
      CHECK_STR(text, ":method=GET|:scheme=http|:authority=example.com:81|:path=/a?b|user-agent=agent|"
                      "accept=*/*|x-colon=a: b|x-empty=|");
  }
  exchange_end(&x);
}

TEST(a_head_lies_where_it_was_written)
{
  a_head(sizeof room);
}

static void a_head_that_moves(void)
{
  a_head(80);
}

TEST(notes_move_with_the_text)
{
  size_t cap;
  for(cap = 64; cap < 500; cap++)
    a_head(cap);
}

TEST(out_of_memory_leaves_nothing)
{
  run_with_failures(a_head_that_moves);
}

static void refused(uint16_t option, const char *value, CURLcode expected)
{
  struct exchange x;
  CURLcode rc;
  if(exchange_begin(&x, "http://example.com/") && exchange_text(&x, option, value)) {
    CHECK(!fields_of(&x, sizeof room, &rc));
    CHECK_INT(rc, expected);
  }
  exchange_end(&x);
}

TEST(a_line_end_of_an_option_becomes_no_field)
{
  static const char *const ends[] = {"a\nb: c", "a\n\nb", "a\r\nb: c", "a\r\n\r\nb", "\n",
                                     "\n\n", "a\n", "a\r", "\ra"};
  size_t i;
  for(i = 0; i < sizeof ends / sizeof *ends; i++) {
    refused(ID(CUSTOMREQUEST), ends[i], CURLE_URL_MALFORMAT);
    refused(ID(REQUEST_TARGET), ends[i], CURLE_URL_MALFORMAT);
    refused(ID(USERAGENT), ends[i], CURLE_BAD_FUNCTION_ARGUMENT);
    refused(ID(REFERER), ends[i], CURLE_BAD_FUNCTION_ARGUMENT);
    refused(ID(COOKIE), ends[i], CURLE_BAD_FUNCTION_ARGUMENT);
    refused(ID(ACCEPT_ENCODING), ends[i], CURLE_BAD_FUNCTION_ARGUMENT);
  }
  refused(ID(CUSTOMREQUEST), "", CURLE_URL_MALFORMAT);
  refused(ID(REQUEST_TARGET), "", CURLE_URL_MALFORMAT);
}

TEST(a_line_end_of_a_line_becomes_no_field)
{
  static const char *const lines[] = {"X: a\nY: b", "X: a\n\nY: b", "X: a\r\n",
                                      "X\nY: a", "\nX: a", "Host: a\nY: b"};
  size_t i;
  for(i = 0; i < sizeof lines / sizeof *lines; i++) {
    struct curl_slist own = {(char *)(uintptr_t)lines[i], NULL};
    struct exchange x;
    CURLcode rc;
    if(exchange_begin(&x, "http://example.com/")) {
      CHECK_INT(mote_option_set_ptr(&x.s.t.options, ID(HTTPHEADER), &own), CURLE_OK);
      CHECK(!fields_of(&x, sizeof room, &rc));
      CHECK_INT(rc, CURLE_BAD_FUNCTION_ARGUMENT);
    }
    exchange_end(&x);
  }
}

TEST(a_target_that_is_a_url_has_the_authority)
{
  static const char *const targets[][2] = {
    {"http://x:1/y", ":authority=x:1|:path=/y|"}, {"http://u:p@x/y?q", ":authority=x|:path=/y?q|"},
    {"/a://b/c", ":authority=example.com|:path=/a://b/c|"}, {"*", ":authority=example.com|:path=*|"},
    {"://", ":authority=example.com|:path=://|"}, {"x://y", ":authority=example.com|:path=x://y|"},
  };
  size_t i;
  for(i = 0; i < sizeof targets / sizeof *targets; i++) {
    struct exchange x;
    CURLcode rc;
    if(exchange_begin(&x, "http://example.com/") && exchange_text(&x, ID(REQUEST_TARGET), targets[i][0]) &&
       CHECK(fields_of(&x, sizeof room, &rc)))
      CHECK(strstr(list, targets[i][1]));
    exchange_end(&x);
  }
}

int main(void)
{
  TEST_RUN(a_head_lies_where_it_was_written);
  TEST_RUN(notes_move_with_the_text);
  TEST_RUN(out_of_memory_leaves_nothing);
  TEST_RUN(a_line_end_of_an_option_becomes_no_field);
  TEST_RUN(a_line_end_of_a_line_becomes_no_field);
  TEST_RUN(a_target_that_is_a_url_has_the_authority);
  return test_end();
}
