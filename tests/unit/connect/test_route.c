/* tests/unit/connect/test_route.c: the hops of a route. The lines of CURLOPT_CONNECT_TO were compared with
 * curl 7.88.1. */
#include "connect/route.h"

#include "transfer/subject.h"

static const struct {
  const char *url;
  const char *lines[3];
  CURLcode rc;
  const char *host;
  int port;
  bool direct; /* there is a hop before the origin */
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
    struct mote_route out;
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
    rc = mote_route_make(&s.t, &out);
    CHECK_INT(rc, rows[i].rc);
    if(!rc && rows[i].host) {
      const struct mote_hop *hop = mote_route_first(&out);
      bool ok = CHECK_MEM(hop->host.ptr, hop->host.len, rows[i].host, strlen(rows[i].host));
      ok = CHECK_INT(hop->port, rows[i].port) && ok;
      ok = CHECK_INT(hop->kind, rows[i].direct ? MOTE_HOP_DIRECT : MOTE_HOP_ORIGIN) && ok;
      ok = CHECK_INT(mote_route_origin(&out)->kind, MOTE_HOP_ORIGIN) && ok;
      if(!CHECK_INT(out.hops, rows[i].direct ? 2 : 1) || !ok)
        fprintf(stderr, "  row %zu: %s\n", i, rows[i].lines[0]);
    }
    subject_end(&s);
  }
}

static bool first_is(struct subject *s, const char *path, bool abstract)
{
  struct mote_route r;
  const struct mote_hop *hop = mote_route_first(&r);
  return CHECK(!mote_route_make(&s->t, &r)) && CHECK_INT(r.hops, 2) && CHECK_INT(hop->kind, MOTE_HOP_UNIX) &&
         CHECK_STR(hop->host.ptr, path) && CHECK_INT(hop->abstract, abstract) && CHECK_INT(hop->port, 0);
}

TEST(unix_sockets)
{
  struct curl_slist line = {(char *)(uintptr_t)"::b.test:82", NULL};
  struct mote_hop hop;
  struct subject s;
  subject_begin(&s, "http");
  if(subject_url(&s, "http://a.test/")) {
    CHECK(!mote_route_unix(&s.t, &hop));
    CHECK(!mote_option_set_str(&s.t.options, ID(ABSTRACT_UNIX_SOCKET), "name", 4));
    first_is(&s, "name", true);
    CHECK(!mote_option_set_str(&s.t.options, ID(UNIX_SOCKET_PATH), "/run/x", 6));
    first_is(&s, "/run/x", false);
    CHECK(!mote_option_set_ptr(&s.t.options, ID(CONNECT_TO), &line)); /* the socket goes before it */
    first_is(&s, "/run/x", false);
  }
  subject_end(&s);
}

TEST(only_family)
{
  struct mote_route r;
  struct subject s;
  subject_begin(&s, "http");
  if(subject_url(&s, "http://a.test/")) {
    CHECK(!mote_route_make(&s.t, &r));
    CHECK_INT(r.family, 0);
    CHECK(!mote_option_set_long(&s.t.options, ID(IPRESOLVE), CURL_IPRESOLVE_V6));
    CHECK(!mote_route_make(&s.t, &r));
    CHECK_INT(r.family, 6);
  }
  subject_end(&s);
}

int main(void)
{
  TEST_RUN(connect_to);
  TEST_RUN(unix_sockets);
  TEST_RUN(only_family);
  return test_end();
}
