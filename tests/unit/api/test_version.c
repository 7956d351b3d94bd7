/* tests/unit/api/test_version.c: what curl_version() and its struct say.
 * Needs zlib, brotli, zstd. */
#include <curl/curl.h>
#include <mote/mote.h>

#include "test.h"
#include "tls/tls.h"

TEST(text)
{
  char *first = curl_version();
  CHECK(!strncmp(first, "libcurl/8.23.0 Mote/" MOTE_VERSION " ", 26));
  CHECK(!strncmp(first + 26, mote_tls_version(), strlen(mote_tls_version())));
  CHECK(strstr(first, " zlib/1.") && strstr(first, " brotli/1.") && strstr(first, " zstd/1."));
  CHECK(!strstr(first, "(null)") && !strstr(first, "  ") && first[strlen(first) - 1] != ' ');
  CHECK(strlen(first) < 200);
  CHECK(curl_version() == first);
  CHECK_INT(test_mem.calls, 0);
}

static bool has(const char *const *list, const char *name)
{
  for(; *list; list++)
    if(!strcmp(*list, name))
      return true;
  return false;
}

TEST(info)
{
  const curl_version_info_data *v = curl_version_info(CURLVERSION_NOW);
  char text[60];
  CHECK_INT(v->age, CURLVERSION_NOW);
  CHECK_STR(v->version, LIBCURL_VERSION);
  CHECK_INT(v->version_num, LIBCURL_VERSION_NUM);
  CHECK(v->host && *v->host);
  CHECK(v->ssl_version && strstr(curl_version(), v->ssl_version));
  CHECK_INT(v->ssl_version_num, 0);
  CHECK(has(v->protocols, "http") && has(v->protocols, "https") && !has(v->protocols, "smb"));
  snprintf(text, sizeof text, " zlib/%.10s brotli/%.10s zstd/%.10s", v->libz_version, v->brotli_version,
           v->zstd_version);
  CHECK(strstr(curl_version(), strtok(text, "")));
  snprintf(text, sizeof text, "%u.%u.%u", v->brotli_ver_num >> 24, v->brotli_ver_num >> 12 & 0xfff,
           v->brotli_ver_num & 0xfff);
  CHECK_STR(v->brotli_version, text);
  snprintf(text, sizeof text, "%u.%u.%u", v->zstd_ver_num >> 24, v->zstd_ver_num >> 12 & 0xfff,
           v->zstd_ver_num & 0xfff);
  CHECK_STR(v->zstd_version, text);
  CHECK_INT(!v->quic_version, !MOTE_HAS_H3);
  CHECK(!v->quic_version || strstr(curl_version(), v->quic_version));
  CHECK(!v->ares && !v->hyper_version &&
        !v->gsasl_version && !v->rtmp_version);
  CHECK(curl_version_info(CURLVERSION_FIRST) == v);
}

TEST(http_2)
{
  const curl_version_info_data *v = curl_version_info(CURLVERSION_NOW);
  char text[60];
  CHECK_INT(!v->nghttp2_version, !MOTE_HAS_H2);
  CHECK_INT(!(v->features & CURL_VERSION_HTTP2), !MOTE_HAS_H2);
  if(!v->nghttp2_version)
    return;
  snprintf(text, sizeof text, "%u.%u.%u", v->nghttp2_ver_num >> 16, v->nghttp2_ver_num >> 8 & 0xff,
           v->nghttp2_ver_num & 0xff);
  CHECK_STR(v->nghttp2_version, text);
  CHECK(strstr(curl_version(), " nghttp2/"));
}

TEST(features)
{
  static const struct {
    const char *name;
    int bit;
  } known[] = {
    { "AsynchDNS", CURL_VERSION_ASYNCHDNS }, { "brotli", CURL_VERSION_BROTLI },
    { "HTTP2", CURL_VERSION_HTTP2 },         { "HTTPS-proxy", CURL_VERSION_HTTPS_PROXY },
    { "IDN", CURL_VERSION_IDN },             { "IPv6", CURL_VERSION_IPV6 },
    { "Largefile", CURL_VERSION_LARGEFILE }, { "libz", CURL_VERSION_LIBZ },
    { "NTLM", CURL_VERSION_NTLM },           { "SSL", CURL_VERSION_SSL },
    { "threadsafe", CURL_VERSION_THREADSAFE }, { "UnixSockets", CURL_VERSION_UNIX_SOCKETS },
    { "zstd", CURL_VERSION_ZSTD },           { "HSTS", CURL_VERSION_HSTS },
    { "alt-svc", CURL_VERSION_ALTSVC },      { "PSL", CURL_VERSION_PSL },
    { "GSS-API", CURL_VERSION_GSSAPI },      { "Kerberos", CURL_VERSION_KERBEROS5 },
    { "SPNEGO", CURL_VERSION_SPNEGO }
  };
  const curl_version_info_data *v = curl_version_info(CURLVERSION_NOW);
  size_t i;
  for(i = 0; i < sizeof known / sizeof known[0]; i++)
    CHECK(has(v->feature_names, known[i].name) == ((v->features & known[i].bit) != 0));
  CHECK(v->features & CURL_VERSION_SSL);
  CHECK(v->features & CURL_VERSION_HTTPS_PROXY);
  CHECK_INT(!(v->features & CURL_VERSION_HTTP3), !MOTE_HAS_H3);
}

int main(void)
{
  TEST_RUN(text);
  TEST_RUN(info);
  TEST_RUN(http_2);
  TEST_RUN(features);
  return test_end();
}
