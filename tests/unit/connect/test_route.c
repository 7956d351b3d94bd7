/* tests/unit/connect/test_route.c: the hops of a route. The lines of CURLOPT_CONNECT_TO were compared with
 * curl 7.88.1. Needs proxy, posix. */
#include "connect/route/route.h"

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
  const struct mote_hop *hop;
  if(!CHECK(!mote_route_make(&s->t, &r)))
    return false;
  hop = mote_route_first(&r);
  return CHECK_INT(r.hops, 2) && CHECK_INT(hop->kind, MOTE_HOP_UNIX) &&
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

/* ---- proxies ---- */

static const struct {
  const char *pre, *proxy, *none;
  long type, port;
  CURLcode rc;
  int proxies;
  int kind; /* of the first proxy, as host and port */
  const char *host;
  int hop_port;
} proxied[] = {
  {NULL, NULL, NULL, 0, 0, CURLE_OK, 0, 0, NULL, 0},
  {NULL, "", NULL, 0, 0, CURLE_OK, 0, 0, NULL, 0},
  {"", NULL, NULL, 0, 0, CURLE_OK, 0, 0, NULL, 0},
  {NULL, "socks4://p", NULL, 0, 0, CURLE_OK, 1, MOTE_HOP_SOCKS4, "p", 1080},
  {NULL, "socks4a://p", NULL, 0, 0, CURLE_OK, 1, MOTE_HOP_SOCKS4A, "p", 1080},
  {NULL, "socks5://p", NULL, 0, 0, CURLE_OK, 1, MOTE_HOP_SOCKS5, "p", 1080},
  {NULL, "socks5h://p:9", NULL, 0, 0, CURLE_OK, 1, MOTE_HOP_SOCKS5H, "p", 9},
  {NULL, "p", NULL, CURLPROXY_SOCKS5_HOSTNAME, 0, CURLE_OK, 1, MOTE_HOP_SOCKS5H, "p", 1080},
  {NULL, "p", NULL, CURLPROXY_SOCKS4A, 99, CURLE_OK, 1, MOTE_HOP_SOCKS4A, "p", 99},
  {NULL, "socks5://p:9", NULL, CURLPROXY_SOCKS4A, 99, CURLE_OK, 1, MOTE_HOP_SOCKS5, "p", 9},
  {"p", NULL, NULL, 0, 0, CURLE_OK, 1, MOTE_HOP_SOCKS4, "p", 1080},
  {"socks5h://p", "", NULL, 0, 0, CURLE_OK, 1, MOTE_HOP_SOCKS5H, "p", 1080},
  {NULL, "socks5://p", "a.test", 0, 0, CURLE_OK, 0, 0, NULL, 0},
  {NULL, "socks5://p", "test", 0, 0, CURLE_OK, 0, 0, NULL, 0},
  {NULL, "socks5://p", "*", 0, 0, CURLE_OK, 0, 0, NULL, 0},
  {NULL, "socks5://p", "b.test", 0, 0, CURLE_OK, 1, MOTE_HOP_SOCKS5, "p", 1080},
  {NULL, "socks5://p", "", 0, 0, CURLE_OK, 1, MOTE_HOP_SOCKS5, "p", 1080},
  {NULL, "socks5h://localhost/run/x", NULL, 0, 99, CURLE_OK, 1, MOTE_HOP_SOCKS5H, "/run/x", 0},
  {NULL, "p", NULL, 0, 0, CURLE_OK, 1, MOTE_HOP_HTTP, "p", 80},
  {NULL, "http://p", NULL, 0, 99, CURLE_OK, 1, MOTE_HOP_HTTP, "p", 99},
  {"socks4://q", "http://p", NULL, 0, 0, CURLE_OK, 2, MOTE_HOP_SOCKS4, "q", 1080},
  {NULL, "https://p", NULL, 0, 0, CURLE_OK, 1, MOTE_HOP_HTTP, "p", 443},
  {"socks4://q", "https://p", NULL, 0, 0, CURLE_OK, 2, MOTE_HOP_SOCKS4, "q", 1080},
  /* refused */
  {NULL, "http://", NULL, 0, 0, CURLE_COULDNT_RESOLVE_PROXY, 0, 0, NULL, 0},
  {NULL, "ftp://p", NULL, 0, 0, CURLE_COULDNT_CONNECT, 0, 0, NULL, 0},
  {"http://p", NULL, NULL, 0, 0, CURLE_COULDNT_RESOLVE_PROXY, 0, 0, NULL, 0},
  {"socks4://p", "socks5://p", NULL, 0, 0, CURLE_COULDNT_RESOLVE_PROXY, 0, 0, NULL, 0},
};

static void set_text(struct subject *s, uint16_t id, const char *text)
{
  if(text)
    CHECK(!mote_option_set_str(&s->t.options, id, text, strlen(text)));
}

static bool has_hops(const struct mote_route *r, size_t row)
{
  const struct mote_hop *hop = mote_route_first(r);
  bool ok = CHECK_INT(r->proxies, proxied[row].proxies);
  ok = CHECK_INT(r->hops, r->proxies + 1) && ok;
  ok = CHECK_INT(mote_route_origin(r)->kind, MOTE_HOP_ORIGIN) && ok;
  if(!ok || !r->proxies)
    return ok;
  ok = CHECK_INT(hop->kind, proxied[row].kind) && CHECK_INT(hop->port, proxied[row].hop_port);
  ok = CHECK_INT(hop->path, proxied[row].host[0] == '/') && ok;
  return CHECK_MEM(hop->host.ptr, hop->host.len, proxied[row].host, strlen(proxied[row].host)) && ok;
}

TEST(proxies)
{
  size_t i;
  for(i = 0; i < sizeof proxied / sizeof *proxied; i++) {
    struct mote_route r;
    struct subject s;
    CURLcode rc;
    subject_begin(&s, "http");
    if(!subject_url(&s, "http://a.test/"))
      continue;
    set_text(&s, ID(PRE_PROXY), proxied[i].pre);
    set_text(&s, ID(PROXY), proxied[i].proxy);
    set_text(&s, ID(NOPROXY), proxied[i].none);
    CHECK(!mote_option_set_long(&s.t.options, ID(PROXYTYPE), proxied[i].type));
    CHECK(!mote_option_set_long(&s.t.options, ID(PROXYPORT), proxied[i].port));
    mote_route_note_proxy(&s.t);
    rc = mote_route_make(&s.t, &r);
    if(!CHECK_INT(rc, proxied[i].rc) || (!rc && !has_hops(&r, i)))
      fprintf(stderr, "  row %zu: %s\n", i, proxied[i].proxy);
    subject_end(&s);
  }
}

/* The host of CURLOPT_CONNECT_TO is between them; a Unix socket in the origin's place goes before both. */
TEST(proxies_and_others)
{
  struct curl_slist line = {(char *)(uintptr_t)"::b.test:82", NULL};
  struct mote_route r;
  struct subject s;
  subject_begin(&s, "http");
  if(subject_url(&s, "http://a.test/")) {
    set_text(&s, ID(PROXY), "socks5h://p");
    CHECK(!mote_option_set_ptr(&s.t.options, ID(CONNECT_TO), &line));
    mote_route_note_proxy(&s.t);
    CHECK(!mote_route_make(&s.t, &r));
    CHECK_INT(r.hops, 3);
    CHECK_INT(r.hop[0].kind, MOTE_HOP_SOCKS5H);
    CHECK_INT(r.hop[1].kind, MOTE_HOP_DIRECT);
    CHECK_MEM(r.hop[1].host.ptr, r.hop[1].host.len, "b.test", 6);
    CHECK_INT(r.hop[2].kind, MOTE_HOP_ORIGIN);
    set_text(&s, ID(UNIX_SOCKET_PATH), "/run/x");
    mote_route_note_proxy(&s.t);
    CHECK(!mote_route_make(&s.t, &r));
    CHECK_INT(r.proxies, 0);
    CHECK_INT(r.hop[0].kind, MOTE_HOP_UNIX);
  }
  subject_end(&s);
}

/* An HTTP proxy gets the request where nothing needs a tunnel. */
TEST(forwarding)
{
  struct curl_slist line = {(char *)(uintptr_t)"::b.test:82", NULL};
  struct mote_route r;
  struct subject s;
  subject_begin(&s, "http");
  if(subject_url(&s, "http://a.test/")) {
    set_text(&s, ID(PROXY), "http://u:p@p");
    mote_route_note_proxy(&s.t);
    CHECK(!mote_route_make(&s.t, &r) && r.forward);
    CHECK(!mote_option_set_long(&s.t.options, MOTE_OPT_NO_PROXY_AUTH, 1));
    CHECK_INT(mote_route_make(&s.t, &r), CURLE_NOT_BUILT_IN);
    mote_option_unset(&s.t.options, MOTE_OPT_NO_PROXY_AUTH);
    CHECK(!mote_route_make(&s.t, &r));
    CHECK(!mote_option_set_long(&s.t.options, ID(HTTPPROXYTUNNEL), 1));
    CHECK(!mote_route_make(&s.t, &r) && !r.forward);
    mote_option_unset(&s.t.options, ID(HTTPPROXYTUNNEL));
    CHECK(!mote_option_set_ptr(&s.t.options, ID(CONNECT_TO), &line));
    CHECK(!mote_route_make(&s.t, &r) && !r.forward);
    set_text(&s, ID(PROXY), "socks5h://p");
    CHECK(!mote_route_make(&s.t, &r) && !r.forward);
  }
  subject_end(&s);
}

static bool login_is(struct subject *s, const char *user, const char *password, bool coded)
{
  struct mote_route_login login;
  struct mote_route r;
  bool given;
  mote_route_note_proxy(&s->t);
  if(!CHECK(!mote_route_make(&s->t, &r)))
    return false;
  given = mote_route_login(&s->t, &r, &r.hop[0], &login);
  return CHECK_INT(given, *user || *password) && CHECK_INT(login.coded, coded) &&
         CHECK_MEM(login.user.ptr ? login.user.ptr : "", login.user.len, user, strlen(user)) &&
         CHECK_MEM(login.password.ptr ? login.password.ptr : "", login.password.len, password,
                   strlen(password));
}

TEST(logins)
{
  struct subject s;
  subject_begin(&s, "http");
  if(subject_url(&s, "http://a.test/")) {
    set_text(&s, ID(PROXY), "socks5h://p");
    login_is(&s, "", "", false);
    set_text(&s, ID(PROXYUSERNAME), "me");
    set_text(&s, ID(PROXYPASSWORD), "pw");
    login_is(&s, "me", "pw", false);
    set_text(&s, ID(PROXY), "socks5h://o%20r@p");
    login_is(&s, "o%20r", "", true);
    set_text(&s, ID(PRE_PROXY), "socks5h://p"); /* the options are not for it */
    set_text(&s, ID(PROXY), "");
    login_is(&s, "", "", false);
    set_text(&s, ID(PRE_PROXY), "socks5h://:x@p");
    login_is(&s, "", "x", true);
  }
  subject_end(&s);
}

TEST(environment)
{
  struct mote_route r;
  struct subject s;
  subject_begin(&s, "http");
  if(subject_url(&s, "http://a.test/")) {
    unsetenv("no_proxy");
    unsetenv("NO_PROXY");
    setenv("all_proxy", "socks5h://all", 1);
    mote_route_note_proxy(&s.t);
    CHECK(!mote_route_make(&s.t, &r));
    CHECK_MEM(r.hop[0].host.ptr, r.hop[0].host.len, "all", 3);
    setenv("http_proxy", "socks5h://http", 1);
    CHECK(!mote_route_make(&s.t, &r));
    CHECK_MEM(r.hop[0].host.ptr, r.hop[0].host.len, "http", 4);
    setenv("no_proxy", "a.test", 1);
    mote_route_note_proxy(&s.t);
    CHECK(!s.t.run->lease.proxied);
    unsetenv("no_proxy");
    set_text(&s, ID(PRE_PROXY), ""); /* any option keeps the environment out */
    mote_route_note_proxy(&s.t);
    CHECK(!s.t.run->lease.proxied);
    unsetenv("http_proxy");
    unsetenv("all_proxy");
  }
  subject_end(&s);
}

int main(void)
{
  TEST_RUN(proxies);
  TEST_RUN(proxies_and_others);
  TEST_RUN(forwarding);
  TEST_RUN(logins);
  TEST_RUN(environment);
  TEST_RUN(connect_to);
  TEST_RUN(unix_sockets);
  TEST_RUN(only_family);
  return test_end();
}
