/* tests/unit/connect/test_route.c: lines of CURLOPT_CONNECT_TO, compared with curl 7.88.1, and Unix
 * sockets. */
#include "connect/route.h"

#include "transfer/subject.h"

static const struct {
  const char *url;
  const char *lines[3];
  CURLcode rc;
  const char *host;
  int port;
  bool redirected;
} rows[] = {
  {"http://a.test/", {NULL}, CURLE_OK, "a.test", 80, false},
  {"http://a.test:81/", {"::b.test:82"}, CURLE_OK, "b.test", 82, true},
  {"http://a.test/", {"a.test:80:b.test:82"}, CURLE_OK, "b.test", 82, true},
  {"http://A.test/", {"a.TEST:80:b.test:82"}, CURLE_OK, "b.test", 82, true},
  {"http://a.test/", {"a.test:81:b.test:82"}, CURLE_OK, "a.test", 80, false},
  {"http://a.test/", {"aa.test:80:b.test:82"}, CURLE_OK, "a.test", 80, false},
  {"http://a.test/", {"a.test::b.test:"}, CURLE_OK, "b.test", 80, true},
  {"http://a.test/", {":80:b.test"}, CURLE_OK, "b.test", 80, true},
  {"http://a.test/", {":::82"}, CURLE_OK, "a.test", 82, true},
  {"http://a.test/", {":::"}, CURLE_OK, "a.test", 80, false},
  {"http://a.test/", {"::127.0.0.1:0"}, CURLE_OK, "127.0.0.1", 0, true},
  {"http://[2001:db8::7]/", {"[2001:db8::7]:80:[2001:db8::8]:82"}, CURLE_OK, "2001:db8::8", 82, true},
  {"http://a.test/", {"x:1:y:2", "a.test:80:b.test:82", "a.test:80:c.test:83"}, CURLE_OK, "b.test", 82, true},
  /* what has no sense is for no host */
  {"http://a.test/", {""}, CURLE_OK, "a.test", 80, false},
  {"http://a.test/", {"a.test"}, CURLE_OK, "a.test", 80, false},
  {"http://a.test/", {"[a.test:80:b.test:82"}, CURLE_OK, "a.test", 80, false},
  {"http://a.test/", {"a.test:xx:b.test:82"}, CURLE_OK, "a.test", 80, false},
  {"http://a.test/", {"other:80:b.test:xx"}, CURLE_OK, "a.test", 80, false},
  {"http://a.test/", {":::xx"}, CURLE_SETOPT_OPTION_SYNTAX, NULL, 0, false},
  {"http://a.test/", {"::b.test:99999"}, CURLE_SETOPT_OPTION_SYNTAX, NULL, 0, false},
  {"http://a.test/", {"::b.test:82:more"}, CURLE_SETOPT_OPTION_SYNTAX, NULL, 0, false},
};

TEST(connect_to)
{
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct curl_slist list[3];
    struct mote_target_host out;
    struct subject s;
    CURLcode rc;
    int n;
    subject_begin(&s, "http");
    if(!subject_url(&s, rows[i].url))
      continue;
    for(n = 0; n < 3 && rows[i].lines[n]; n++) {
      list[n].data = (char *)(uintptr_t)rows[i].lines[n];
      list[n].next = n < 2 && rows[i].lines[n + 1] ? &list[n + 1] : NULL;
    }
    if(n)
      CHECK(!mote_option_set_ptr(&s.t.options, ID(CONNECT_TO), list));
    rc = mote_target_host(&s.t, &out);
    CHECK_INT(rc, rows[i].rc);
    if(!rc && rows[i].host) {
      bool ok = CHECK_MEM(out.host.ptr, out.host.len, rows[i].host, strlen(rows[i].host));
      ok = CHECK_INT(out.port, rows[i].port) && ok;
      if(!CHECK_INT(out.redirected, rows[i].redirected) || !ok)
        fprintf(stderr, "  row %zu: %s\n", i, rows[i].lines[0]);
    }
    subject_end(&s);
  }
}

TEST(unix_sockets)
{
  struct subject s;
  subject_begin(&s, "http");
  CHECK(!mote_target_unix(&s.t));
  CHECK(!mote_option_set_str(&s.t.options, ID(ABSTRACT_UNIX_SOCKET), "name", 4));
  CHECK_STR(mote_target_unix(&s.t), "name");
  CHECK(mote_target_unix_abstract(&s.t));
  CHECK(!mote_option_set_str(&s.t.options, ID(UNIX_SOCKET_PATH), "/run/x", 6));
  CHECK_STR(mote_target_unix(&s.t), "/run/x");
  CHECK(!mote_target_unix_abstract(&s.t));
  subject_end(&s);
}

int main(void)
{
  TEST_RUN(connect_to);
  TEST_RUN(unix_sockets);
  return test_end();
}
