/* tests/unit/codec/test_proxy.c: proxy strings (codec/url/proxy.h). The rows were compared with curl 8.23.
 * Needs !plain_urls.
 * needs: src/codec/url/proxy.c */
#include "codec/url/proxy.h"

#include "test.h"

#define HTTP CURLPROXY_HTTP
#define SOCKS5H CURLPROXY_SOCKS5_HOSTNAME

static const struct {
  const char *text;
  CURLUcode rc;
  int type;
  const char *host;
  int port;
  const char *user; /* NULL: none */
  const char *password;
} rows[] = {
  {"127.0.0.2", CURLUE_OK, HTTP, "127.0.0.2", 80, NULL, NULL},
  {"proxy.test:3128", CURLUE_OK, HTTP, "proxy.test", 3128, NULL, NULL},
  {"http://proxy.test", CURLUE_OK, HTTP, "proxy.test", 80, NULL, NULL},
  {"http://proxy.test:82/path?q#f", CURLUE_OK, HTTP, "proxy.test", 82, NULL, NULL},
  {"http:/proxy.test:82", CURLUE_OK, HTTP, "proxy.test", 82, NULL, NULL},
  {"HTTPS://proxy.test", CURLUE_OK, CURLPROXY_HTTPS, "proxy.test", 443, NULL, NULL},
  {"https://proxy.test:0", CURLUE_OK, CURLPROXY_HTTPS, "proxy.test", 0, NULL, NULL},
  {"socks://proxy.test", CURLUE_OK, CURLPROXY_SOCKS4, "proxy.test", 1080, NULL, NULL},
  {"socks4://proxy.test", CURLUE_OK, CURLPROXY_SOCKS4, "proxy.test", 1080, NULL, NULL},
  {"socks4a://proxy.test", CURLUE_OK, CURLPROXY_SOCKS4A, "proxy.test", 1080, NULL, NULL},
  {"SOCKS5://proxy.test:82", CURLUE_OK, CURLPROXY_SOCKS5, "proxy.test", 82, NULL, NULL},
  {"socks5h://proxy.test", CURLUE_OK, SOCKS5H, "proxy.test", 1080, NULL, NULL},
  {"u:p@127.0.0.2:82", CURLUE_OK, HTTP, "127.0.0.2", 82, "u", "p"},
  {"socks5h://x%20y:p%40w@a:82", CURLUE_OK, SOCKS5H, "a", 82, "x%20y", "p%40w"},
  {"http://u@a", CURLUE_OK, HTTP, "a", 80, "u", NULL},
  {"http://:p@a", CURLUE_OK, HTTP, "a", 80, "", "p"},
  {"http://127.0.0.2:", CURLUE_OK, HTTP, "127.0.0.2", 80, NULL, NULL},
  {"127.0.0.2:", CURLUE_BAD_PORT_NUMBER, 0, NULL, 0, NULL, NULL},
  {"u:p@a:/x", CURLUE_BAD_PORT_NUMBER, 0, NULL, 0, NULL, NULL},
  {"[fe80::1%25lo]:", CURLUE_BAD_PORT_NUMBER, 0, NULL, 0, NULL, NULL},
  {"[::1]:82", CURLUE_OK, HTTP, "::1", 82, NULL, NULL},
  {"[fe80::1%25lo]:82", CURLUE_OK, HTTP, "fe80::1%25lo", 82, NULL, NULL},
  {"http://127.2:82", CURLUE_OK, HTTP, "127.0.0.2", 82, NULL, NULL},
  {"http://127.0.0.%32:82", CURLUE_OK, HTTP, "127.0.0.2", 82, NULL, NULL},
  {"http://a%62c:82", CURLUE_OK, HTTP, "abc", 82, NULL, NULL},
  /* Unix sockets */
  {"socks5h://localhost/tmp/s", CURLUE_OK, SOCKS5H, "/tmp/s", 0, NULL, NULL},
  {"socks4://LOCALHOST:99/%2ftmp/a%20b", CURLUE_OK, CURLPROXY_SOCKS4, "//tmp/a b", 0, NULL, NULL},
  {"socks5h://localhost/s", CURLUE_OK, SOCKS5H, "/s", 0, NULL, NULL},
  {"socks5h://localhost/", CURLUE_OK, SOCKS5H, "localhost", 1080, NULL, NULL},
  {"socks5h://127.0.0.1/tmp/s", CURLUE_OK, SOCKS5H, "127.0.0.1", 1080, NULL, NULL},
  {"http://localhost/tmp/s", CURLUE_OK, HTTP, "localhost", 80, NULL, NULL},
  {"socks5h://localhost/tmp/%00s", CURLUE_BAD_PATH, 0, NULL, 0, NULL, NULL},
  /* no proxies */
  {"ftp://proxy.test", CURLUE_UNSUPPORTED_SCHEME, 0, NULL, 0, NULL, NULL},
  {"none://proxy.test", CURLUE_UNSUPPORTED_SCHEME, 0, NULL, 0, NULL, NULL},
  {"socks5h://a:99999", CURLUE_BAD_PORT_NUMBER, 0, NULL, 0, NULL, NULL},
  {"http://a:x", CURLUE_BAD_PORT_NUMBER, 0, NULL, 0, NULL, NULL},
  {"http://", CURLUE_NO_HOST, 0, NULL, 0, NULL, NULL},
  {"//a:82", CURLUE_NO_HOST, 0, NULL, 0, NULL, NULL},
  {"", CURLUE_NO_HOST, 0, NULL, 0, NULL, NULL},
  {" ", CURLUE_BAD_HOSTNAME, 0, NULL, 0, NULL, NULL},
  {"http://a b:82", CURLUE_BAD_HOSTNAME, 0, NULL, 0, NULL, NULL},
#if MOTE_HAS_IDN
  {"http://\xc3\xa9.test:82", CURLUE_OK, HTTP, "xn--9ca.test", 82, NULL, NULL},
  {"http://%c3%a9.test:82", CURLUE_OK, HTTP, "xn--9ca.test", 82, NULL, NULL},
  {"http://\xc2\xad:82", CURLUE_BAD_HOSTNAME, 0, NULL, 0, NULL, NULL}, /* a soft hyphen */
#endif
  {"[::1", CURLUE_BAD_IPV6, 0, NULL, 0, NULL, NULL},
};

static bool is(struct mote_slice s, const char *text)
{
  if(!text)
    return CHECK(!s.ptr);
  return CHECK_MEM(s.ptr, s.len, text, strlen(text));
}

TEST(strings)
{
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct mote_proxy p;
    CURLUcode rc = mote_proxy_parse(&p, rows[i].text, HTTP);
    bool ok = CHECK_INT(rc, rows[i].rc);
    if(!rc) {
      ok = CHECK_INT(p.type, rows[i].type) && ok;
      ok = is(p.host, rows[i].host) && ok;
      ok = CHECK_INT(p.port, rows[i].port) && ok;
      ok = CHECK_INT(p.path, rows[i].host[0] == '/') && ok;
      ok = is(p.user, rows[i].user) && ok;
      ok = is(p.password, rows[i].password) && ok;
    }
    if(!ok)
      fprintf(stderr, "  row %zu: %s\n", i, rows[i].text);
  }
}

/* CURLOPT_PROXYTYPE is for a text that has no type, and the default port follows from it. */
TEST(default_types)
{
  static const struct {
    int type;
    int port;
  } types[] = {
    {CURLPROXY_HTTP_1_0, 80}, {CURLPROXY_HTTPS, 443}, {CURLPROXY_HTTPS2, 443}, {CURLPROXY_SOCKS4, 1080},
    {CURLPROXY_SOCKS5, 1080}, {CURLPROXY_SOCKS4A, 1080}, {CURLPROXY_SOCKS5_HOSTNAME, 1080},
  };
  struct mote_proxy p;
  size_t i;
  for(i = 0; i < sizeof types / sizeof *types; i++) {
    CHECK(!mote_proxy_parse(&p, "a", (uint8_t)types[i].type));
    CHECK_INT(p.type, types[i].type);
    CHECK_INT(p.port, types[i].port);
    CHECK(!p.stated_port);
    CHECK(!mote_proxy_parse(&p, "socks5h://a:80", (uint8_t)types[i].type));
    CHECK_INT(p.type, SOCKS5H);
    CHECK(p.stated_port);
  }
  CHECK(!mote_proxy_parse(&p, "http://a", CURLPROXY_HTTP_1_0) && p.type == CURLPROXY_HTTP_1_0);
  CHECK(!mote_proxy_parse(&p, "https://a", CURLPROXY_HTTPS2) && p.type == CURLPROXY_HTTPS2);
  CHECK(!mote_proxy_is_socks(&p));
  CHECK(!mote_proxy_parse(&p, "a", 99) && p.port == 1080 && !mote_proxy_is_socks(&p));
  CHECK(!mote_proxy_parse(&p, "a", CURLPROXY_SOCKS4) && mote_proxy_is_socks(&p));
  CHECK(!mote_proxy_parse(&p, "localhost/tmp/s", SOCKS5H));
  CHECK(p.path);
}

TEST(ceilings)
{
  char text[600] = "socks5h://localhost/";
  struct mote_proxy p;
  size_t head = strlen(text);
  memset(text + head, 'x', MOTE_PROXY_ROOM - 2);
  CHECK_INT(mote_proxy_parse(&p, text, HTTP), CURLUE_OK);
  CHECK_INT(p.host.len, MOTE_PROXY_ROOM - 1);
  CHECK_INT(p.host.ptr[p.host.len], 0);
  text[head + MOTE_PROXY_ROOM - 2] = 'x';
  CHECK_INT(mote_proxy_parse(&p, text, HTTP), CURLUE_TOO_LARGE);
  strcpy(text, "http://%41");
  memset(text + 10, 'x', MOTE_PROXY_ROOM);
  text[10 + MOTE_PROXY_ROOM] = 0;
  CHECK_INT(mote_proxy_parse(&p, text, HTTP), CURLUE_TOO_LARGE);
}

int main(void)
{
  TEST_RUN(strings);
  TEST_RUN(default_types);
  TEST_RUN(ceilings);
  return test_end();
}
