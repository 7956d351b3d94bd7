/* tests/unit/api/test_getinfo.c: curl_easy_getinfo() before a transfer and over a run filled by hand; what
 * transfers leave is seen in tests/e2e. */
#include <curl/curl.h>

#include "codec/url/url.h"
#include "net/names/address.h"
#include "port/port.h"
#include "run.h"
#include "test.h"
#include "tls/tls.h"
#include "transfer/download/headers.h"
#include "transfer/protocol.h"
#include "transfer/report/info.h"

static long get_long(CURL *curl, CURLINFO info)
{
  long v = -77;
  CHECK_INT(curl_easy_getinfo(curl, info, &v), CURLE_OK);
  return v;
}

static curl_off_t get_off(CURL *curl, CURLINFO info)
{
  curl_off_t v = -77;
  CHECK_INT(curl_easy_getinfo(curl, info, &v), CURLE_OK);
  return v;
}

static double get_double(CURL *curl, CURLINFO info)
{
  double v = -77;
  CHECK_INT(curl_easy_getinfo(curl, info, &v), CURLE_OK);
  return v;
}

static const char *get_text(CURL *curl, CURLINFO info)
{
  char *v = (char *)(uintptr_t)"not set";
  CHECK_INT(curl_easy_getinfo(curl, info, &v), CURLE_OK);
  return v;
}

static void *get_pointer(CURL *curl, CURLINFO info)
{
  void *v = &v;
  CHECK_INT(curl_easy_getinfo(curl, info, &v), CURLE_OK);
  return v;
}

/* By number: the bits of its types (1 << type), from the table of the interface. */
static void read_types(uint8_t types[CURLINFO_LASTONE + 1])
{
  static const char *const words[] = {"", "string", "long", "double", "ptr", "socket", "off_t"};
  static const char data[] = MOTE_TEST_DATA; /* tests/unit/api/data */
  char path[1000], line[300], word[20];
  unsigned id, type;
  FILE *f;
  snprintf(path, sizeof path, "%.*s../../interface/tables/getinfo.tsv", (int)(sizeof data - sizeof "data"),
           data);
  f = fopen(path, "r");
  if(!CHECK(f))
    return;
  while(fgets(line, sizeof line, f)) {
    if(sscanf(line, "CURLINFO_%*s %19s %u", word, &id) != 2 || !CHECK(id <= CURLINFO_LASTONE))
      continue;
    for(type = 1; type < sizeof words / sizeof words[0]; type++)
      if(!strcmp(word, words[type]) || (type == 4 && !strcmp(word, "slist")))
        types[id] |= (uint8_t)(1u << type);
  }
  (void)fclose(f);
}

/* Every number of the interface answers in each of its types and in no other. */
TEST(every_info_in_its_types)
{
  CURL *curl = curl_easy_init();
  uint8_t types[CURLINFO_LASTONE + 1] = {0};
  unsigned id, type, rows = 0;
  read_types(types);
  for(id = 0; id <= CURLINFO_LASTONE + 1; id++)
    for(type = 0; type <= 0xf; type++) {
      union {
        void *p;
        double d;
        curl_off_t o;
      } v = {0};
      CURLINFO info = (CURLINFO)(id | type << 20);
      bool known = id <= CURLINFO_LASTONE && (types[id] & (1u << type));
      rows += known;
      CHECK_INT(curl_easy_getinfo(curl, info, &v), known ? CURLE_OK : CURLE_UNKNOWN_OPTION);
    }
  CHECK_INT(rows, 78); /* the infos of curl.h */
  curl_easy_cleanup(curl);
}

TEST(wrong_arguments)
{
  CURL *curl = curl_easy_init();
  long v = 5;
  CHECK_INT(curl_easy_getinfo(NULL, CURLINFO_RESPONSE_CODE, &v), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_getinfo(curl, (CURLINFO)(CURLINFO_LONG + 999), &v), CURLE_UNKNOWN_OPTION);
  CHECK_INT(curl_easy_getinfo(curl, CURLINFO_NONE, &v), CURLE_UNKNOWN_OPTION);
  CHECK_INT(curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, (long *)NULL), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_getinfo(curl, (CURLINFO)0x700001, (long *)NULL), CURLE_UNKNOWN_OPTION);
  CHECK_INT(v, 5);
  curl_easy_cleanup(curl);
}

/* As libcurl answers before the first transfer. */
TEST(before_a_transfer)
{
  CURL *curl = curl_easy_init();
  struct curl_tlssessioninfo *tls;
  curl_socket_t fd = 5;
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_URL), "");
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_METHOD), "GET");
  CHECK_STR(get_text(curl, CURLINFO_PRIMARY_IP), "");
  CHECK_STR(get_text(curl, CURLINFO_LOCAL_IP), "");
  CHECK(!get_text(curl, CURLINFO_CONTENT_TYPE));
  CHECK(!get_text(curl, CURLINFO_PRIVATE));
  CHECK(!get_text(curl, CURLINFO_SCHEME));
  CHECK(!get_text(curl, CURLINFO_REDIRECT_URL));
  CHECK(!get_text(curl, CURLINFO_REFERER));
  CHECK_INT(get_long(curl, CURLINFO_RESPONSE_CODE), 0);
  CHECK_INT(get_long(curl, CURLINFO_FILETIME), -1);
  CHECK_INT(get_long(curl, CURLINFO_LASTSOCKET), -1);
  CHECK_INT(get_off(curl, CURLINFO_FILETIME_T), -1);
  CHECK_INT(get_off(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T), -1);
  CHECK_INT(get_off(curl, CURLINFO_XFER_ID), -1);
  CHECK_INT(get_off(curl, CURLINFO_CONN_ID), -1);
  CHECK(get_double(curl, CURLINFO_CONTENT_LENGTH_UPLOAD) == -1.0);
  CHECK(get_double(curl, CURLINFO_TOTAL_TIME) == 0.0);
  CHECK_INT(get_off(curl, CURLINFO_TOTAL_TIME_T), 0);
  CHECK_INT(curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, &fd), CURLE_OK);
  CHECK_INT(fd, CURL_SOCKET_BAD);
  CHECK_INT(((struct curl_certinfo *)get_pointer(curl, CURLINFO_CERTINFO))->num_of_certs, 0);
  CHECK(!get_pointer(curl, CURLINFO_COOKIELIST));
  CHECK(!get_pointer(curl, CURLINFO_SSL_ENGINES));
  tls = get_pointer(curl, CURLINFO_TLS_SSL_PTR);
  CHECK_INT(tls->backend, mote_tls_backend());
  CHECK(!tls->internals);
  CHECK(get_pointer(curl, CURLINFO_TLS_SESSION) == tls);
  curl_easy_cleanup(curl);
}

TEST(counters_in_every_type)
{
  CURL *curl = curl_easy_init();
  struct mote_run *r = with_run(curl)->t.run;
  r->response.code = 404;
  r->stats.bytes_down = 5000000000;
  r->stats.bytes_up = 12;
  r->response.size_down = 7;
  r->response.head_bytes = 321;
  r->request.redirects = 3;
  r->stats.os_errno = 111;
  r->stats.started = 1;
  mote_mark_set(&r->stats, MOTE_MARK_TOTAL, 1 + 2500000);
  r->stats.http_version = CURL_HTTP_VERSION_1_1;
  mote_mark_set(&r->stats, MOTE_MARK_CONNECT, 1 + 1250000);
  CHECK_INT(get_long(curl, CURLINFO_RESPONSE_CODE), 404);
  CHECK_INT(get_long(curl, CURLINFO_HEADER_SIZE), 321);
  CHECK_INT(get_long(curl, CURLINFO_REDIRECT_COUNT), 3);
  CHECK_INT(get_long(curl, CURLINFO_OS_ERRNO), 111);
  CHECK_INT(get_long(curl, CURLINFO_HTTP_VERSION), CURL_HTTP_VERSION_1_1);
  CHECK_INT(get_off(curl, CURLINFO_SIZE_DOWNLOAD_T), 5000000000);
  CHECK(get_double(curl, CURLINFO_SIZE_DOWNLOAD) == 5e9);
  CHECK_INT(get_off(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T), 7);
  r->response.size_down = -1;
  CHECK_INT(get_off(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T), -1);
  CHECK_INT(get_off(curl, CURLINFO_CONTENT_LENGTH_UPLOAD_T), -1);
  r->request.stage = MOTE_REQUEST_ASKED;
  CHECK_INT(get_off(curl, CURLINFO_CONTENT_LENGTH_UPLOAD_T), -1); /* a GET whose own fields promise chunks */
  r->stats.bytes_up = 0;
  CHECK_INT(get_off(curl, CURLINFO_CONTENT_LENGTH_UPLOAD_T), 0);
  r->stats.bytes_up = 12;
  r->request.method = MOTE_METHOD_POST;
  CHECK_INT(get_off(curl, CURLINFO_CONTENT_LENGTH_UPLOAD_T), -1);
  CHECK_INT(get_off(curl, CURLINFO_TOTAL_TIME_T), 2500000);
  CHECK(get_double(curl, CURLINFO_TOTAL_TIME) == 2.5);
  CHECK_INT(get_off(curl, CURLINFO_CONNECT_TIME_T), 1250000);
  CHECK(get_double(curl, CURLINFO_CONNECT_TIME) == 1.25);
  CHECK_INT(get_off(curl, CURLINFO_SPEED_DOWNLOAD_T), 2000000000);
  CHECK(get_double(curl, CURLINFO_SPEED_DOWNLOAD) == 2e9);
  CHECK_INT(get_off(curl, CURLINFO_SPEED_UPLOAD_T), 4);
  r->stats.bytes_down = INT64_MAX / 2; /* times a million does not fit */
  CHECK(get_off(curl, CURLINFO_SPEED_DOWNLOAD_T) / 1000 == INT64_MAX / 2 / 2500);
  r->stats.mark[MOTE_MARK_TOTAL] = 0;
  CHECK_INT(get_off(curl, CURLINFO_SPEED_UPLOAD_T), 12);
  curl_easy_cleanup(curl);
}

TEST(total_time_so_far)
{
  CURL *curl = curl_easy_init();
  struct mote_run *r = with_run(curl)->t.run;
  curl_off_t first, later;
  r->stats.started = mote_port_now() - 3000000;
  r->request.in_chain = true;
  first = get_off(curl, CURLINFO_TOTAL_TIME_T);
  later = get_off(curl, CURLINFO_TOTAL_TIME_T);
  CHECK(first >= 3000000 && first < 60000000);
  CHECK(later >= first);
  r->request.in_chain = false;
  curl_easy_cleanup(curl);
}

static void add(struct mote_easy *e, const char *name, const char *value)
{
  CHECK_INT(mote_headers_add(&e->t.run->response.headers, &e->t.account, CURLH_HEADER, 0, mote_slice_of(name),
                             mote_slice_of(value)), CURLE_OK);
}

static curl_off_t retry_after(const char *value)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = with_run(curl);
  curl_off_t seconds;
  e->t.run->stats.started = mote_port_now();
  add(e, "retry-after", value);
  seconds = get_off(curl, CURLINFO_RETRY_AFTER);
  curl_easy_cleanup(curl);
  return seconds;
}

TEST(retry_after_in_seconds_or_as_a_date)
{
  CHECK_INT(retry_after("120"), 120);
  CHECK_INT(retry_after("0"), 0);
  CHECK_INT(retry_after("5 apples"), 5);
  CHECK_INT(retry_after("Sun, 06 Nov 1994 08:49:37 GMT"), 0);
  CHECK_INT(retry_after("soon"), 0);
  CHECK_INT(retry_after("-5"), 0);
  CHECK_INT(retry_after(""), 0);
  CHECK_INT(retry_after("99999999999999999999999"), 0);
  /* six hours are the most */
  CHECK_INT(retry_after("21600"), 21600);
  CHECK_INT(retry_after("21601"), 21600);
  CHECK_INT(retry_after("9999999999"), 21600);
  CHECK_INT(retry_after("Fri, 06 Nov 2099 08:49:37 GMT"), 21600);
  /* eight digits are a date */
  CHECK_INT(retry_after("20000101"), 0);
  CHECK_INT(retry_after("20991106"), 21600);
}

TEST(file_time_when_asked_for)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = with_run(curl);
  add(e, "Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT");
  CHECK_INT(get_off(curl, CURLINFO_FILETIME_T), -1);
  CHECK_INT(mote_option_set_long(&e->t.options, MOTE_OPT_ID(CURLOPT_FILETIME), 1), CURLE_OK);
  CHECK_INT(get_off(curl, CURLINFO_FILETIME_T), 784111777);
  CHECK_INT(get_long(curl, CURLINFO_FILETIME), 784111777);
  e->t.run->response.headers.request = 1; /* the response of the redirect had a date, the last one has none */
  CHECK_INT(get_off(curl, CURLINFO_FILETIME_T), -1);
  add(e, "Last-Modified", "yesterday");
  CHECK_INT(get_off(curl, CURLINFO_FILETIME_T), 0);
  curl_easy_cleanup(curl);
}

/* CURLINFO_FILETIME(3): a long of 32 bits has no dates after 2038, which CURLINFO_FILETIME_T has. */
TEST(a_late_file_time_is_the_last_one_that_a_long_has)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = with_run(curl);
  CHECK_INT(mote_option_set_long(&e->t.options, MOTE_OPT_ID(CURLOPT_FILETIME), 1), CURLE_OK);
  add(e, "Last-Modified", "Sun, 06 Nov 2050 08:49:37 GMT");
  CHECK_INT(get_off(curl, CURLINFO_FILETIME_T), 2551337377);
  CHECK_INT(get_long(curl, CURLINFO_FILETIME), sizeof(long) > 4 ? 2551337377 : INT32_MAX);
  curl_easy_cleanup(curl);
}

TEST(ports_without_a_connection)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = NULL;
  CHECK_INT(get_long(curl, CURLINFO_PRIMARY_PORT), -1);
  CHECK_INT(get_long(curl, CURLINFO_LOCAL_PORT), -1);
  e = with_run(curl);
  CHECK_INT(get_long(curl, CURLINFO_PRIMARY_PORT), -1);
  CHECK_INT(get_long(curl, CURLINFO_LOCAL_PORT), -1);
  e->t.run->request.size_up = 5;
  CHECK_INT(get_off(curl, CURLINFO_CONTENT_LENGTH_UPLOAD_T), -1); /* not sent */
  e->t.run->request.stage = MOTE_REQUEST_ASKED;
  CHECK_INT(get_off(curl, CURLINFO_CONTENT_LENGTH_UPLOAD_T), 5);
  curl_easy_cleanup(curl);
}

TEST(texts)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = with_run(curl);
  struct mote_run *r = e->t.run;
  r->request.scheme = mote_scheme_find("https", 5);
  CHECK(mote_addr_parse(mote_slice_of("192.0.2.7"), &r->stats.primary));
  CHECK(mote_addr_parse(mote_slice_of("2001:db8::1"), &r->stats.local));
  r->stats.primary.port = 443;
  r->stats.local.port = 50000;
  add(e, "Content-Type", "text/plain; charset=x");
  CHECK_STR(get_text(curl, CURLINFO_SCHEME), "https");
  CHECK_INT(get_long(curl, CURLINFO_PROTOCOL), CURLPROTO_HTTPS);
  CHECK_STR(get_text(curl, CURLINFO_PRIMARY_IP), "192.0.2.7");
  CHECK_STR(get_text(curl, CURLINFO_LOCAL_IP), "2001:db8::1");
  CHECK_INT(get_long(curl, CURLINFO_PRIMARY_PORT), 443);
  CHECK_INT(get_long(curl, CURLINFO_LOCAL_PORT), 50000);
  CHECK_STR(get_text(curl, CURLINFO_CONTENT_TYPE), "text/plain; charset=x");
  add(e, "Content-Type", "");
  CHECK_STR(get_text(curl, CURLINFO_CONTENT_TYPE), "text/plain; charset=x");
  r->response.condition_unmet = true;
  CHECK_INT(get_long(curl, CURLINFO_CONDITION_UNMET), 1);
  r->response.condition_unmet = false;
  CHECK_INT(get_long(curl, CURLINFO_CONDITION_UNMET), 0);
  r->response.code = 304;
  CHECK_INT(get_long(curl, CURLINFO_CONDITION_UNMET), 1);
  curl_easy_cleanup(curl);
}

TEST(method_is_the_last_request_s)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = mote_easy_of(curl);
  CHECK_INT(mote_option_set_long(&e->t.options, MOTE_OPT_METHOD, MOTE_METHOD_PUT), CURLE_OK);
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_METHOD), "PUT");
  (void)with_run(curl);
  e->t.run->request.method = MOTE_METHOD_HEAD;
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_METHOD), "HEAD");
  CHECK_INT(mote_option_set_str(&e->t.options, MOTE_OPT_ID(CURLOPT_CUSTOMREQUEST), "PURGE", 5), CURLE_OK);
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_METHOD), "PURGE");
  e->t.run->request.drop_custom = true; /* redirected to a GET */
  e->t.run->request.method = MOTE_METHOD_GET;
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_METHOD), "GET");
  curl_easy_cleanup(curl);
}

/* As engine/start.c takes the URL: in place, without a copy. */
static bool use_url(struct mote_easy *e)
{
  struct mote_url_how how = {.account = &e->t.account, .flags = CURLU_GUESS_SCHEME};
  const char *text = mote_opt_str(&e->t.options, CURLOPT_URL);
  struct mote_url u;
  mote_options_drop_url(&e->t.options);
  if(!text || mote_url_parse(&u, text, strlen(text), &how) ||
     mote_url_pack(&e->t.run->request.url, &u, &e->t.account))
    return false;
  e->t.options.url_in_use = !e->t.run->request.url.block;
  return true;
}

static CURLcode set_url(struct mote_easy *e, const char *text)
{
  return mote_option_set_str(&e->t.options, MOTE_OPT_ID(CURLOPT_URL), text, strlen(text));
}

TEST(url_is_the_new_one)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = mote_easy_of(curl);
  const char *shown;
  uint16_t count;
  int i;
  CHECK_INT(set_url(e, "http://a.example/one"), CURLE_OK);
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_URL), "http://a.example/one");
  (void)with_run(curl);
  CHECK(use_url(e));
  CHECK_INT(e->t.run->request.url.block, 0);
  shown = get_text(curl, CURLINFO_EFFECTIVE_URL);
  for(i = 0; i < 20; i++) /* kept once, not twenty times */
    CHECK_INT(set_url(e, "http://b.example/another"), CURLE_OK);
  count = e->t.options.count;
  CHECK_INT(count, 2);
  CHECK_STR(shown, "http://a.example/one"); /* the application may still read it */
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_URL), "http://b.example/another");
  CHECK(use_url(e)); /* the next transfer */
  CHECK_INT(e->t.options.count, 2); /* the room of the first one */
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_URL), "http://b.example/another");
  mote_option_unset(&e->t.options, MOTE_OPT_ID(CURLOPT_URL));
  CHECK(!mote_opt_str(&e->t.options, CURLOPT_URL));
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_URL), "");
  curl_easy_cleanup(curl);
}

/* It had that of its options. */
TEST(url_of_a_copy)
{
  CURL *curl = curl_easy_init(), *copy, *second;
  struct mote_easy *e = mote_easy_of(curl);
  CHECK_INT(set_url(e, "http://a.example/one"), CURLE_OK);
  (void)with_run(curl);
  CHECK(use_url(e));
  e->t.options.url_changed = false;
  CHECK_INT(mote_option_set_str(&e->t.options, MOTE_OPT_ID(CURLOPT_USERAGENT), "x", 1), CURLE_OK);
  copy = curl_easy_duphandle(curl);
  CHECK_STR(get_text(copy, CURLINFO_EFFECTIVE_URL), "http://a.example/one");
  second = curl_easy_duphandle(copy);
  CHECK_STR(get_text(second, CURLINFO_EFFECTIVE_URL), "http://a.example/one");
  CHECK_INT(set_url(mote_easy_of(copy), "http://b.example/"), CURLE_OK);
  CHECK_STR(get_text(copy, CURLINFO_EFFECTIVE_URL), "http://b.example/");
  curl_easy_cleanup(second);
  second = curl_easy_duphandle(copy);
  CHECK_STR(get_text(second, CURLINFO_EFFECTIVE_URL), "http://b.example/");
  curl_easy_cleanup(second);
  curl_easy_cleanup(copy);
  curl_easy_cleanup(curl);
}

/* Replaced by a callback of the running transfer, which keeps its own; other strings go when it is over. */
TEST(url_replaced_while_it_runs)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = mote_easy_of(curl);
  CURL *copy;
  CHECK_INT(set_url(e, "http://a.example/one"), CURLE_OK);
  CHECK_INT(mote_option_set_str(&e->t.options, MOTE_OPT_ID(CURLOPT_USERAGENT), "x", 1), CURLE_OK);
  (void)with_run(curl);
  CHECK(use_url(e));
  e->t.options.running = true;
  e->t.options.url_changed = false;
  CHECK_INT(set_url(e, "http://b.example/"), CURLE_OK);
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_URL), "http://a.example/one");
  CHECK_INT(set_url(e, "http://c.example/"), CURLE_OK);
  CHECK_INT(mote_option_set_str(&e->t.options, MOTE_OPT_ID(CURLOPT_USERAGENT), "y", 1), CURLE_OK);
  mote_options_sweep(&e->t.options);
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_URL), "http://c.example/");
  CHECK_INT(e->t.options.count, 3); /* URL, user agent, the URL that was used */
  copy = curl_easy_duphandle(curl);
  CHECK_STR(get_text(copy, CURLINFO_EFFECTIVE_URL), "http://c.example/");
  CHECK_INT(mote_easy_of(copy)->t.options.count, 2);
  curl_easy_cleanup(copy);
  curl_easy_reset(curl);
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_URL), "");
  curl_easy_cleanup(curl);
}

static void check_effective(const char *set, const char *shown)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = mote_easy_of(curl);
  const char *first;
  (void)with_run(curl);
  CHECK_INT(set_url(e, set), CURLE_OK);
  CHECK(use_url(e));
  first = get_text(curl, CURLINFO_EFFECTIVE_URL);
  CHECK_STR(first, shown);
  CHECK(get_text(curl, CURLINFO_EFFECTIVE_URL) == first); /* which the application may still look at */
  curl_easy_cleanup(curl);
}

TEST(effective_url_without_credentials_and_with_empty_query_and_fragment)
{
  check_effective("http://a.example/path", "http://a.example/path");
  check_effective("http://a.example/path?", "http://a.example/path?");
  check_effective("http://a.example/path#", "http://a.example/path#");
  check_effective("http://a.example?#", "http://a.example/?#");
  check_effective("http://u:p@a.example:81/path?q", "http://a.example:81/path?q");
  check_effective("http://:p@a.example/", "http://a.example/");
}

TEST(effective_url_before_a_transfer_has_no_credentials)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = mote_easy_of(curl);
  const char *first;
  CHECK_INT(set_url(e, "http://u:p@a.example/b/../c?#"), CURLE_OK);
  first = get_text(curl, CURLINFO_EFFECTIVE_URL);
  CHECK_STR(first, "http://a.example/c?#");
  CHECK(get_text(curl, CURLINFO_EFFECTIVE_URL) == first);
  CHECK_INT(set_url(e, "foo://u@a.example/"), CURLE_OK);
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_URL), "foo://a.example/");
  CHECK_INT(set_url(e, "u@a.example"), CURLE_OK); /* no URL, as its scheme is not guessed yet */
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_URL), "u@a.example");
  curl_easy_reset(curl);
  CHECK_STR(get_text(curl, CURLINFO_EFFECTIVE_URL), "");
  curl_easy_cleanup(curl);
}

static void scenario(void)
{
  CURL *curl = curl_easy_init();
  struct mote_easy *e = mote_easy_of(curl);
  char *text = NULL;
  CURLcode rc;
  if(e && !set_url(e, "http://u@a.example/")) {
    rc = curl_easy_getinfo(curl, CURLINFO_EFFECTIVE_URL, &text);
    CHECK(rc == CURLE_OK ? !strcmp(text, "http://a.example/") : rc == CURLE_OUT_OF_MEMORY);
  }
  if(!e || !with_run(curl) || set_url(e, "http://a.example/path?") || !use_url(e)) {
    curl_easy_cleanup(curl);
    return;
  }
  rc = curl_easy_getinfo(curl, CURLINFO_EFFECTIVE_URL, &text);
  CHECK(rc == CURLE_OK ? !strcmp(text, "http://a.example/path?") : rc == CURLE_OUT_OF_MEMORY);
  CHECK(mote_addr_parse(mote_slice_of("192.0.2.7"), &e->t.run->stats.primary));
  rc = curl_easy_getinfo(curl, CURLINFO_PRIMARY_IP, &text);
  CHECK(rc == CURLE_OK ? !strcmp(text, "192.0.2.7") : rc == CURLE_OUT_OF_MEMORY);
  (void)set_url(e, "http://b.example/");
  curl_easy_cleanup(curl);
}

TEST(survives_failing_allocations)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(every_info_in_its_types);
  TEST_RUN(wrong_arguments);
  TEST_RUN(before_a_transfer);
  TEST_RUN(counters_in_every_type);
  TEST_RUN(total_time_so_far);
  TEST_RUN(retry_after_in_seconds_or_as_a_date);
  TEST_RUN(file_time_when_asked_for);
  TEST_RUN(a_late_file_time_is_the_last_one_that_a_long_has);
  TEST_RUN(ports_without_a_connection);
  TEST_RUN(texts);
  TEST_RUN(method_is_the_last_request_s);
  TEST_RUN(url_is_the_new_one);
  TEST_RUN(url_of_a_copy);
  TEST_RUN(url_replaced_while_it_runs);
  TEST_RUN(effective_url_without_credentials_and_with_empty_query_and_fragment);
  TEST_RUN(effective_url_before_a_transfer_has_no_credentials);
  TEST_RUN(survives_failing_allocations);
  return test_end();
}
