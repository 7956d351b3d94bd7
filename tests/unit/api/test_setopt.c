/* tests/unit/api/test_setopt.c: curl_easy_setopt: what is stored, under which number, and what is refused.
 * Needs share, option_names, ftp, rtsp. */
#include <limits.h>

#include "api/easy/easy_handle.h"
#include "api/multi/share_handle.h"
#include "api/easy/setopt.h"
#include "base/text.h"
#include "transfer/options/options.h"
#include "transfer/protocol.h"

#include "test.h"

static CURL *curl;              /* of the test that runs */
static struct mote_options *set; /* what it has stored */

static bool begin(void)
{
  curl = curl_easy_init();
  set = curl ? &mote_easy_of(curl)->t.options : NULL;
  return curl != NULL;
}

static void end(void)
{
  curl_easy_cleanup(curl);
  curl = NULL;
}

/* ---- what comes in ---- */

TEST(kinds)
{
  struct curl_blob blob = {(char *)(uintptr_t)"abc", 3, CURL_BLOB_COPY};
  struct mote_slice kept;
  struct curl_slist list = {NULL, NULL};
  if(!CHECK(begin()))
    return;
  CHECK(!curl_easy_setopt(curl, CURLOPT_VERBOSE, 1L));
  CHECK(!curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)1 << 40));
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://a/"));
  CHECK(!curl_easy_setopt(curl, CURLOPT_HTTPHEADER, &list));
  CHECK(!curl_easy_setopt(curl, CURLOPT_PRIVATE, &blob));
  CHECK(!curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, fwrite));
  CHECK(!curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, &blob));
  CHECK_INT(mote_opt_long(set, CURLOPT_VERBOSE), 1);
  CHECK_INT(mote_opt_off(set, CURLOPT_INFILESIZE_LARGE), (curl_off_t)1 << 40);
  CHECK_STR(mote_opt_str(set, CURLOPT_URL), "http://a/");
  CHECK(mote_opt_ptr(set, CURLOPT_HTTPHEADER) == &list);
  CHECK(mote_opt_ptr(set, CURLOPT_PRIVATE) == &blob);
  CHECK(mote_opt_fn(set, CURLOPT_WRITEFUNCTION) == (mote_fn)fwrite);
  kept = mote_opt_blob(set, CURLOPT_CAINFO_BLOB);
  CHECK_MEM(kept.ptr, kept.len, "abc", 3);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, NULL));
  CHECK(!curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, NULL));
  CHECK(!curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, NULL));
  CHECK(!mote_opt_is_set(set, CURLOPT_URL) && !mote_opt_is_set(set, CURLOPT_CAINFO_BLOB));
  CHECK(!mote_opt_is_set(set, CURLOPT_WRITEFUNCTION));
  end();
}

TEST(an_empty_string_is_a_value)
{
  if(!CHECK(begin()))
    return;
  CHECK(!curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, ""));
  CHECK(!curl_easy_setopt(curl, CURLOPT_PROXY, ""));
  CHECK_STR(mote_opt_str(set, CURLOPT_ACCEPT_ENCODING), "");
  CHECK_STR(mote_opt_str(set, CURLOPT_PROXY), "");
  end();
}

TEST(not_an_option)
{
  static const int numbers[] = {
    0, 8, 72, 900, 333, 10000, 10900, 10013, 13 + 20000, 30002, 40002, 20002, 99999, -1, INT_MIN, INT_MAX
  };
  char no_handle[sizeof(struct mote_easy)];
  size_t i;
  memset(no_handle, 0, sizeof no_handle);
  if(!CHECK(begin()))
    return;
  for(i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    CHECK_INT((curl_easy_setopt)(curl, (CURLoption)numbers[i], 0L), CURLE_UNKNOWN_OPTION);
  CHECK_INT(set->count, 0);
  CHECK_INT(curl_easy_setopt(NULL, CURLOPT_URL, "a"), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_setopt((CURL *)no_handle, CURLOPT_URL, "a"), CURLE_BAD_FUNCTION_ARGUMENT);
  end();
}

TEST(too_long)
{
  size_t len = MOTE_INPUT_MAX + 1;
  char *text = malloc(len + 1);
  struct curl_blob blob = {text, len, CURL_BLOB_NOCOPY};
  if(!CHECK(text && begin()))
    return;
  memset(text, 'a', len);
  text[len] = 0;
  CHECK(!curl_easy_setopt(curl, CURLOPT_COOKIE, "kept"));
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_COOKIE, text), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_STR(mote_opt_str(set, CURLOPT_COOKIE), "kept");
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_USERPWD, text), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_PROXYUSERPWD, text), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, text), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, &blob), CURLE_BAD_FUNCTION_ARGUMENT);
  text[len - 1] = 0;
  CHECK(!curl_easy_setopt(curl, CURLOPT_COOKIE, text));
  end();
  free(text);
}

/* ---- numbers: what comes out, or the code ---- */

#define NEGOTIATE (MOTE_HAS_GSSAPI ? CURLAUTH_NEGOTIATE : 0)
#define SAFE (CURLAUTH_BEARER | CURLAUTH_AWS_SIGV4 | CURLAUTH_DIGEST | NEGOTIATE)
#define ONLY_BASIC (long)(CURLAUTH_BASIC | CURLAUTH_ONLY)

static const struct number_case {
  CURLoption option;
  long value;
  CURLoption stored; /* 0: as it came */
  long want;         /* when rc is CURLE_OK */
  CURLcode rc;
} number_cases[] = {
  {CURLOPT_TIMEOUT, 5, CURLOPT_TIMEOUT_MS, 5000, CURLE_OK},
  {CURLOPT_TIMEOUT, 2147483, CURLOPT_TIMEOUT_MS, 2147483000, CURLE_OK},
  {CURLOPT_TIMEOUT, 2147484, CURLOPT_TIMEOUT_MS, INT_MAX, CURLE_OK},
  {CURLOPT_TIMEOUT, -1, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_TIMEOUT_MS, LONG_MAX, 0, INT_MAX, CURLE_OK},
  {CURLOPT_TIMEOUT_MS, -1, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_CONNECTTIMEOUT, 5, CURLOPT_CONNECTTIMEOUT_MS, 5000, CURLE_OK},
  {CURLOPT_CONNECTTIMEOUT, LONG_MIN, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_INFILESIZE, 5, CURLOPT_INFILESIZE_LARGE, 5, CURLE_OK},
  {CURLOPT_INFILESIZE, -1, CURLOPT_INFILESIZE_LARGE, -1, CURLE_OK},
  {CURLOPT_INFILESIZE, -2, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_POSTFIELDSIZE, 5, CURLOPT_POSTFIELDSIZE_LARGE, 5, CURLE_OK},
  {CURLOPT_POSTFIELDSIZE, -2, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_MAXFILESIZE, 5, CURLOPT_MAXFILESIZE_LARGE, 5, CURLE_OK},
  {CURLOPT_MAXFILESIZE, -1, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_RESUME_FROM, -1, CURLOPT_RESUME_FROM_LARGE, -1, CURLE_OK},
  {CURLOPT_RESUME_FROM, -2, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_TIMEVALUE, -2, CURLOPT_TIMEVALUE_LARGE, -2, CURLE_OK},
  {CURLOPT_BUFFERSIZE, 0, 0, 1024, CURLE_OK},
  {CURLOPT_BUFFERSIZE, 5000, 0, 5000, CURLE_OK},
  {CURLOPT_BUFFERSIZE, LONG_MAX, 0, 10 * 1024 * 1024, CURLE_OK},
  {CURLOPT_BUFFERSIZE, -1, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_UPLOAD_BUFFERSIZE, -1, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_UPLOAD_BUFFERSIZE, 1, 0, 16384, CURLE_OK},
  {CURLOPT_UPLOAD_BUFFERSIZE, 1L << 30, 0, 2 * 1024 * 1024, CURLE_OK},
  {CURLOPT_PORT, 65535, 0, 65535, CURLE_OK},
  {CURLOPT_PORT, 65536, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_PORT, -1, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_LOCALPORT, 65536, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_MAXREDIRS, -1, 0, -1, CURLE_OK},
  {CURLOPT_MAXREDIRS, -2, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_MAXREDIRS, 1000000, 0, 32767, CURLE_OK},
  {CURLOPT_FOLLOWLOCATION, CURLFOLLOW_FIRSTONLY, 0, CURLFOLLOW_FIRSTONLY, CURLE_OK},
  {CURLOPT_FOLLOWLOCATION, 4, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_FOLLOWLOCATION, -1, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_IPRESOLVE, 2, 0, 2, CURLE_OK},
  {CURLOPT_IPRESOLVE, 3, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_TIMECONDITION, 4, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_HTTP09_ALLOWED, 2, 0, 1, CURLE_OK},
  {CURLOPT_CONNECT_ONLY, 1, 0, 1, CURLE_OK},
  {CURLOPT_CONNECT_ONLY, 2, 0, 2, CURLE_OK}, /* the WebSocket way */
  {CURLOPT_CONNECT_ONLY, 3, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_DNS_CACHE_TIMEOUT, -1, 0, -1, CURLE_OK},
  {CURLOPT_DNS_CACHE_TIMEOUT, -2, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_LOW_SPEED_TIME, -1, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_TCP_KEEPCNT, LONG_MAX, 0, INT_MAX, CURLE_OK},
  {CURLOPT_MAXAGE_CONN, LONG_MAX, 0, INT_MAX, CURLE_OK},
  {CURLOPT_SSL_VERIFYHOST, 1, 0, 2, CURLE_OK},
  {CURLOPT_SSL_VERIFYHOST, 0, 0, 0, CURLE_OK},
  {CURLOPT_HTTPAUTH, CURLAUTH_BASIC, 0, CURLAUTH_BASIC, CURLE_OK},
  {CURLOPT_HTTPAUTH, CURLAUTH_NONE, 0, CURLAUTH_NONE, CURLE_OK},
  {CURLOPT_HTTPAUTH, (long)CURLAUTH_ANY, 0, CURLAUTH_BASIC | SAFE, CURLE_OK},
  {CURLOPT_HTTPAUTH, (long)CURLAUTH_ANYSAFE, 0, SAFE, CURLE_OK},
  {CURLOPT_HTTPAUTH, CURLAUTH_BASIC | CURLAUTH_DIGEST, 0, CURLAUTH_BASIC | CURLAUTH_DIGEST, CURLE_OK},
  {CURLOPT_HTTPAUTH, ONLY_BASIC, 0, ONLY_BASIC, CURLE_OK},
  {CURLOPT_HTTPAUTH, CURLAUTH_DIGEST, 0, CURLAUTH_DIGEST, CURLE_OK},
  {CURLOPT_HTTPAUTH, CURLAUTH_DIGEST_IE | CURLAUTH_NTLM, 0, CURLAUTH_DIGEST, CURLE_OK},
  {CURLOPT_PROXYAUTH, CURLAUTH_DIGEST | CURLAUTH_NTLM, 0, CURLAUTH_DIGEST, CURLE_OK},
  {CURLOPT_HTTPAUTH, (long)(CURLAUTH_NTLM | CURLAUTH_ONLY), 0, 0, CURLE_NOT_BUILT_IN},
  {CURLOPT_SOCKS5_AUTH, ONLY_BASIC, 0, ONLY_BASIC, CURLE_OK},
  {CURLOPT_SOCKS5_AUTH, (long)CURLAUTH_ONLY, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_NONE, 0, CURL_HTTP_VERSION_NONE, CURLE_OK},
  {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_0, 0, CURL_HTTP_VERSION_1_0, CURLE_OK},
  {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1, 0, CURL_HTTP_VERSION_1_1, CURLE_OK},
  {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_0, 0, MOTE_HAS_H2 ? CURL_HTTP_VERSION_2_0 : 0, CURLE_OK},
  {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS, 0, MOTE_HAS_H2 ? CURL_HTTP_VERSION_2TLS : 0, CURLE_OK},
  {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_3, 0, MOTE_HAS_H3 ? CURL_HTTP_VERSION_3 : 0, CURLE_OK},
  {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE, 0, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE,
   MOTE_HAS_H2 ? CURLE_OK : CURLE_UNSUPPORTED_PROTOCOL}, /* kept: the transfer says so too */
  {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_3ONLY, 0, CURL_HTTP_VERSION_3ONLY,
   MOTE_HAS_H3 ? CURLE_OK : CURLE_UNSUPPORTED_PROTOCOL},
  {CURLOPT_HTTP_VERSION, 99, 0, 0, CURLE_UNSUPPORTED_PROTOCOL},
  {CURLOPT_HTTP_VERSION, -1, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2 | CURL_SSLVERSION_MAX_TLSv1_3, 0,
   CURL_SSLVERSION_TLSv1_2 | CURL_SSLVERSION_MAX_TLSv1_3, CURLE_OK},
  {CURLOPT_SSLVERSION, CURL_SSLVERSION_MAX_DEFAULT, 0, CURL_SSLVERSION_MAX_DEFAULT, CURLE_OK},
#if LONG_MAX > INT_MAX
  {CURLOPT_HTTPAUTH, 1L << 32, 0, 0, CURLE_NOT_BUILT_IN},
  {CURLOPT_SSLVERSION, 1L << 32, 0, 0, CURLE_OK},
#endif
  {CURLOPT_NETRC, 3, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_FTP_FILEMETHOD, 4, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_RTSP_REQUEST, 0, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_SSLVERSION, CURL_SSLVERSION_SSLv3, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_SSLVERSION, 8, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_SSLVERSION, 8 << 16, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
  {CURLOPT_SSLVERSION, 2 << 16, 0, 0, CURLE_BAD_FUNCTION_ARGUMENT},
};

static long stored(CURLoption option)
{
  uint16_t id = MOTE_OPT_ID(option);
  const struct mote_option_row *row = mote_option_row(id);
  if(row->kind == MOTE_KIND_OFF)
    return (long)mote_opt_find_off(set, id, row->preset);
  return mote_opt_find_long(set, id, row->preset);
}

TEST(numbers)
{
  size_t i;
  for(i = 0; i < sizeof number_cases / sizeof number_cases[0]; i++) {
    const struct number_case *n = &number_cases[i];
    CURLoption as = n->stored ? n->stored : n->option;
    long before, want;
    CURLcode rc;
    if(!CHECK(begin()))
      return;
    before = stored(as);
    rc = curl_easy_setopt(curl, n->option, n->value);
    /* An authentication scheme that is refused leaves none. */
    want = rc && rc != CURLE_UNSUPPORTED_PROTOCOL && n->option != CURLOPT_HTTPAUTH ? before : n->want;
    if(rc != n->rc || stored(as) != want) {
      fprintf(stderr, "%s %ld: %d, %ld\n", curl_easy_option_by_id(n->option)->name, n->value, rc, stored(as));
      BROKEN("as in the table");
    }
    CHECK(!mote_opt_is_set(set, n->option) || as == n->option);
    end();
  }
}

TEST(sizes)
{
  if(!CHECK(begin()))
    return;
  CHECK(!curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)-1));
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)-2), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)-1), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_MAX_SEND_SPEED_LARGE, (curl_off_t)-1),
            CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK(!curl_easy_setopt(curl, CURLOPT_MAX_RECV_SPEED_LARGE, INT64_MAX));
  CHECK(mote_opt_off(set, CURLOPT_MAX_RECV_SPEED_LARGE) < INT64_MAX / 12000000);
  CHECK(!curl_easy_setopt(curl, CURLOPT_RESUME_FROM_LARGE, INT64_MAX));
  CHECK_INT(mote_opt_off(set, CURLOPT_RESUME_FROM_LARGE), INT64_MAX);
  end();
}

/* ---- one option that is two ---- */

TEST(userpwd)
{
  static const struct {
    const char *text, *user, *password;
  } cases[] = {
    {"joe:secret", "joe", "secret"}, {"joe", "joe", NULL}, {":secret", "", "secret"}, {":", "", ""},
    {"joe:a:b", "joe", "a:b"}, {"", "", NULL}, {NULL, NULL, NULL},
  };
  size_t i;
  if(!CHECK(begin()))
    return;
  for(i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    CHECK(!curl_easy_setopt(curl, CURLOPT_USERPWD, cases[i].text));
    CHECK_STR(mote_opt_str(set, CURLOPT_USERNAME), cases[i].user);
    CHECK_STR(mote_opt_str(set, CURLOPT_PASSWORD), cases[i].password);
    CHECK(!mote_opt_is_set(set, CURLOPT_USERPWD));
  }
  CHECK(!curl_easy_setopt(curl, CURLOPT_USERPWD, "joe:secret"));
  CHECK(!curl_easy_setopt(curl, CURLOPT_USERNAME, "ann:x"));
  CHECK_STR(mote_opt_str(set, CURLOPT_USERNAME), "ann:x");
  CHECK_STR(mote_opt_str(set, CURLOPT_PASSWORD), "secret");
  end();
}

#define ALL_BUILT -2L

static long all_schemes(void)
{
  const struct mote_scheme *s;
  long all = 0;
  for(s = mote_schemes; s->name; s++)
    all |= s->curlproto;
  return all;
}

TEST(protocols)
{
  static const struct {
    const char *names;
    long mask; /* -1: what was there before */
    CURLcode rc;
  } cases[] = {
    {"http", CURLPROTO_HTTP, CURLE_OK},
    {"HTTP,hTTps", CURLPROTO_HTTP | CURLPROTO_HTTPS, CURLE_OK},
    {"ALL", ALL_BUILT, CURLE_OK},
    {"http,,https,", CURLPROTO_HTTP | CURLPROTO_HTTPS, CURLE_OK},
    {"http, https", CURLPROTO_HTTP, CURLE_UNSUPPORTED_PROTOCOL},
    {"http,all", CURLPROTO_HTTP, CURLE_UNSUPPORTED_PROTOCOL},
    {"smb,https", CURLPROTO_HTTPS, CURLE_UNSUPPORTED_PROTOCOL}, {"nope", 0, CURLE_UNSUPPORTED_PROTOCOL},
    {"", -1, CURLE_BAD_FUNCTION_ARGUMENT}, {",", -1, CURLE_BAD_FUNCTION_ARGUMENT},
    {NULL, -1, CURLE_OK},
  };
  size_t i;
  for(i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    long mask = cases[i].mask == ALL_BUILT ? all_schemes() : cases[i].mask;
    if(!CHECK(begin()))
      return;
    CHECK_INT(curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, cases[i].names), cases[i].rc);
    CHECK_INT(mote_opt_long(set, CURLOPT_PROTOCOLS), mask);
    CHECK(!mote_opt_is_set(set, CURLOPT_PROTOCOLS_STR) && !mote_opt_is_set(set, CURLOPT_REDIR_PROTOCOLS));
    CHECK_INT(curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, cases[i].names), cases[i].rc);
    CHECK_INT(mote_opt_long(set, CURLOPT_REDIR_PROTOCOLS), mask == -1 ? 15 : mask);
    /* NULL brings back the default */
    CHECK_INT(curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, NULL), CURLE_OK);
    CHECK_INT(mote_opt_long(set, CURLOPT_PROTOCOLS), -1);
    CHECK_INT(curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, NULL), CURLE_OK);
    CHECK_INT(mote_opt_long(set, CURLOPT_REDIR_PROTOCOLS), 15);
    end();
  }
}

/* ---- the method ---- */

/* What libcurl 7.88 does with the same calls: G and g are HTTPGET 1 and 0, likewise P POST, N NOBODY,
 * U UPLOAD, T PUT; F and f are POSTFIELDS with a text and NULL, C and c COPYPOSTFIELDS, M CUSTOMREQUEST. */
static const struct {
  const char *calls;
  enum mote_method method;
} sequences[] = {
  {"", MOTE_METHOD_GET}, {"g", MOTE_METHOD_GET}, {"P", MOTE_METHOD_POST}, {"Pp", MOTE_METHOD_GET},
  {"N", MOTE_METHOD_HEAD}, {"Nn", MOTE_METHOD_GET}, {"U", MOTE_METHOD_PUT}, {"Uu", MOTE_METHOD_GET},
  {"T", MOTE_METHOD_PUT}, {"Tt", MOTE_METHOD_GET}, {"F", MOTE_METHOD_POST}, {"Ff", MOTE_METHOD_POST},
  {"f", MOTE_METHOD_POST}, {"FG", MOTE_METHOD_GET}, {"Fp", MOTE_METHOD_GET}, {"FN", MOTE_METHOD_HEAD},
  {"FNn", MOTE_METHOD_GET}, {"NF", MOTE_METHOD_HEAD}, {"NFn", MOTE_METHOD_POST}, {"NP", MOTE_METHOD_POST},
  {"Np", MOTE_METHOD_HEAD}, {"Npn", MOTE_METHOD_GET}, {"NG", MOTE_METHOD_GET}, {"Ng", MOTE_METHOD_HEAD},
  {"Nu", MOTE_METHOD_HEAD}, {"NU", MOTE_METHOD_PUT}, {"UN", MOTE_METHOD_HEAD}, {"UNn", MOTE_METHOD_GET},
  {"Un", MOTE_METHOD_PUT}, {"Pn", MOTE_METHOD_POST}, {"UG", MOTE_METHOD_GET}, {"Ug", MOTE_METHOD_PUT},
  {"UF", MOTE_METHOD_POST}, {"FU", MOTE_METHOD_PUT}, {"Fu", MOTE_METHOD_GET}, {"Pu", MOTE_METHOD_GET},
  {"C", MOTE_METHOD_POST}, {"c", MOTE_METHOD_POST}, {"NC", MOTE_METHOD_HEAD}, {"NUn", MOTE_METHOD_PUT},
  {"NNF", MOTE_METHOD_HEAD}, {"NFNn", MOTE_METHOD_GET}, {"M", MOTE_METHOD_GET}, {"NM", MOTE_METHOD_HEAD},
};

static CURLcode call(char c)
{
  switch(c) {
  case 'F':
    return curl_easy_setopt(curl, CURLOPT_POSTFIELDS, "fields");
  case 'f':
    return curl_easy_setopt(curl, CURLOPT_POSTFIELDS, NULL);
  case 'C':
    return curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, "copied");
  case 'c':
    return curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, NULL);
  case 'M':
    return curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "MOVE");
  case 'G':
  case 'g':
    return curl_easy_setopt(curl, CURLOPT_HTTPGET, (long)(c == 'G'));
  case 'P':
  case 'p':
    return curl_easy_setopt(curl, CURLOPT_POST, (long)(c == 'P'));
  case 'N':
  case 'n':
    return curl_easy_setopt(curl, CURLOPT_NOBODY, (long)(c == 'N'));
  case 'U':
  case 'u':
    return curl_easy_setopt(curl, CURLOPT_UPLOAD, (long)(c == 'U'));
  default:
    return curl_easy_setopt(curl, CURLOPT_PUT, (long)(c == 'T'));
  }
}

static long method_set(void)
{
  return mote_opt_find_long(set, MOTE_OPT_METHOD, MOTE_METHOD_GET);
}

TEST(methods)
{
  size_t i;
  for(i = 0; i < sizeof sequences / sizeof sequences[0]; i++) {
    const char *c;
    if(!CHECK(begin()))
      return;
    for(c = sequences[i].calls; *c; c++)
      CHECK(!call(*c));
    if(method_set() != (long)sequences[i].method) {
      fprintf(stderr, "%s: method %ld\n", sequences[i].calls, method_set());
      BROKEN("the method is libcurl's");
    }
    CHECK((mote_opt_long(set, CURLOPT_NOBODY) != 0) == (sequences[i].method == MOTE_METHOD_HEAD));
    end();
  }
}

TEST(fields)
{
  char data[] = "a\0b";
  struct mote_option o;
  if(!CHECK(begin()))
    return;
  CHECK(!curl_easy_setopt(curl, CURLOPT_POSTFIELDS, data));
  CHECK(mote_opt_ptr(set, CURLOPT_POSTFIELDS) == data);
  CHECK(!curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, data));
  if(CHECK(mote_option_view(set, MOTE_OPT_ID(CURLOPT_POSTFIELDS), &o)))
    CHECK(o.kind == MOTE_KIND_BLOB && !o.borrowed && o.size == 1);
  CHECK(!curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, 3L));
  CHECK(!curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, data));
  data[0] = 'x';
  if(CHECK(mote_option_view(set, MOTE_OPT_ID(CURLOPT_POSTFIELDS), &o)))
    CHECK_MEM(o.v.ptr, o.size, "a\0b", 3);
  CHECK(!curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, 0L));
  CHECK(!curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, data));
  if(CHECK(mote_option_view(set, MOTE_OPT_ID(CURLOPT_POSTFIELDS), &o)))
    CHECK(o.kind == MOTE_KIND_BLOB && o.size == 0);
  CHECK(!curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, NULL));
  CHECK(!mote_opt_is_set(set, CURLOPT_POSTFIELDS) && !mote_opt_is_set(set, CURLOPT_COPYPOSTFIELDS));
  end();
}

/* ---- shares ---- */

TEST(share)
{
  CURLSH *share = curl_share_init();
  char none[512] = ""; /* no handle, though as large as one */
  struct mote_easy *e;
  if(!CHECK(share && begin()))
    return;
  e = mote_easy_of(curl);
  CHECK(!curl_easy_setopt(curl, CURLOPT_SHARE, share));
  CHECK(!curl_easy_setopt(curl, CURLOPT_SHARE, share));
  CHECK_INT(curl_share_cleanup(share), CURLSHE_IN_USE);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_SHARE, none), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK(e->t.share != NULL);
  CHECK(!curl_easy_setopt(curl, CURLOPT_SHARE, NULL));
  CHECK(!e->t.share);
  CHECK_INT(curl_share_cleanup(share), CURLSHE_OK);
  end();
}

TEST(share_of_a_running_transfer_stays)
{
  CURLM *multi = curl_multi_init();
  if(!CHECK(multi && begin()))
    return;
  CHECK(!curl_multi_add_handle(multi, curl));
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_SHARE, NULL), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK(!curl_easy_setopt(curl, CURLOPT_URL, "http://a/"));
  CHECK(!curl_multi_remove_handle(multi, curl));
  CHECK(!curl_multi_cleanup(multi));
  end();
}

/* ---- every option ---- */

static CURLcode set_neutral(const struct curl_easyoption *o)
{
  if(o->type == CURLOT_LONG || o->type == CURLOT_VALUES)
    return (curl_easy_setopt)(curl, o->id, 0L);
  if(o->type == CURLOT_OFF_T)
    return (curl_easy_setopt)(curl, o->id, (curl_off_t)0);
  return (curl_easy_setopt)(curl, o->id, NULL);
}

static CURLcode set_other(const struct curl_easyoption *o)
{
  static struct curl_blob blob = {(char *)(uintptr_t)"abc", 3, CURL_BLOB_COPY};
  if(o->type == CURLOT_LONG || o->type == CURLOT_VALUES)
    return (curl_easy_setopt)(curl, o->id, 1L);
  if(o->type == CURLOT_BLOB)
    return (curl_easy_setopt)(curl, o->id, &blob);
  return (curl_easy_setopt)(curl, o->id, "text");
}

/* What asks for nothing is always accepted; what is left out never answers with success, and leaves a note
 * only where transfers are to be refused; what is harmless is accepted and stores nothing. */
TEST(every_option)
{
  const struct curl_easyoption *o = NULL;
  if(!CHECK(begin()))
    return;
  while((o = curl_easy_option_next(o)) != NULL) {
    const struct mote_option_row *row = mote_option_row(MOTE_OPT_ID(o->id));
    bool lacks = row->built == MOTE_OPTION_LACKING || row->built == MOTE_OPTION_REFUSED;
    bool form = mote_option_row(MOTE_OPT_ID(o->id))->rule == MOTE_RULE_FORM;
    CURLcode rc = o->id == CURLOPT_RTSP_REQUEST ? CURLE_OK : set_neutral(o); /* no number asks for none */
    if(rc) {
      fprintf(stderr, "%s: %d\n", o->name, rc);
      BROKEN("what asks for nothing is accepted");
    }
    if(row->built == MOTE_OPTION_BUILT)
      continue;
    if(row->kind == MOTE_KIND_LONG && lacks)
      CHECK(!(curl_easy_setopt)(curl, o->id, (long)row->preset));
    rc = set_other(o);
    if((rc != CURLE_OK) != lacks) {
      fprintf(stderr, "%s: %d\n", o->name, rc);
      BROKEN("what is left out says so");
    }
    CHECK(!rc || rc == CURLE_UNKNOWN_OPTION || rc == CURLE_NOT_BUILT_IN || rc == CURLE_SSL_ENGINE_NOTFOUND);
    CHECK(mote_opt_is_set(set, o->id) == (row->built == MOTE_OPTION_REFUSED && !form));
    CHECK(!lacks || !set_neutral(o));
    CHECK(!mote_opt_is_set(set, o->id));
  }
  end();
}

TEST(a_refused_option_is_noted_also_in_a_copy)
{
  CURL *copy;
  if(!CHECK(begin()))
    return;
  CHECK(!set->judged);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_ECH, "true"), CURLE_NOT_BUILT_IN);
  CHECK(set->judged && mote_opt_is_set(set, CURLOPT_ECH));
  copy = curl_easy_duphandle(curl);
  if(CHECK(copy)) {
    CHECK(mote_easy_of(copy)->t.options.judged);
    CHECK(mote_opt_is_set(&mote_easy_of(copy)->t.options, CURLOPT_ECH));
  }
  curl_easy_cleanup(copy);
  curl_easy_reset(curl);
  CHECK(!set->judged && !mote_opt_is_set(set, CURLOPT_ECH));
  end();
}

TEST(blobs_that_have_no_bytes)
{
  struct curl_blob none = {NULL, 5, CURL_BLOB_COPY}, borrowed = {NULL, 5, CURL_BLOB_NOCOPY};
  struct curl_blob empty = {(char *)(uintptr_t)"abc", 0, CURL_BLOB_COPY};
  if(!CHECK(begin()))
    return;
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, &none), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_SSLCERT_BLOB, &borrowed), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, &empty), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_PROXY_CAINFO_BLOB, &none), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK(!mote_opt_is_set(set, CURLOPT_CAINFO_BLOB));
  end();
}

TEST(texts_of_a_form)
{
  static const struct {
    const char *text;
    CURLcode rc;
  } cases[] = {
    {"eth0", CURLE_OK}, {"", CURLE_OK}, {"if!eth0", CURLE_OK}, {"host!::1", CURLE_OK},
    {"ifhost!eth0!::1", CURLE_OK}, {"ifhost!!::1", CURLE_OK}, {"if!", CURLE_BAD_FUNCTION_ARGUMENT},
    {"host!", CURLE_BAD_FUNCTION_ARGUMENT}, {"ifhost!", CURLE_BAD_FUNCTION_ARGUMENT},
    {"ifhost!eth0", CURLE_BAD_FUNCTION_ARGUMENT}, {"ifhost!eth0!", CURLE_BAD_FUNCTION_ARGUMENT},
  };
  char text[514];
  size_t i;
  if(!CHECK(begin()))
    return;
  for(i = 0; i < sizeof cases / sizeof cases[0]; i++)
    CHECK_INT(curl_easy_setopt(curl, CURLOPT_INTERFACE, cases[i].text), cases[i].rc);
  memset(text, 'x', sizeof text);
  text[513] = 0;
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_INTERFACE, text), CURLE_BAD_FUNCTION_ARGUMENT);
  text[512] = 0;
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_INTERFACE, text), CURLE_OK);
  text[129] = 0;
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_SSLENGINE, text), CURLE_BAD_FUNCTION_ARGUMENT);
  text[128] = 0;
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_SSLENGINE, text), CURLE_SSL_ENGINE_NOTFOUND);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_SSLENGINE, ""), CURLE_OK);
  end();
}

static unsigned cookies_of(CURL *handle)
{
  struct curl_slist *list = NULL, *at;
  unsigned count = 0;
  CHECK_INT(curl_easy_getinfo(handle, CURLINFO_COOKIELIST, &list), CURLE_OK);
  for(at = list; at; at = at->next)
    count++;
  curl_slist_free_all(list);
  return count;
}

TEST(cookies_take_nothing_until_they_are_asked_for)
{
  static const char *const commands[] = {"ALL", "sess", "FLUSH", "RELOAD"};
  size_t blocks, i;
  if(!CHECK(begin()))
    return;
  blocks = test_mem.blocks;
  for(i = 0; i < sizeof commands / sizeof commands[0]; i++)
    CHECK_INT(curl_easy_setopt(curl, CURLOPT_COOKIELIST, commands[i]), CURLE_OK);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_COOKIEFILE, NULL), CURLE_OK);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_COOKIEJAR, NULL), CURLE_OK);
  CHECK_INT(cookies_of(curl), 0);
  CHECK_INT(test_mem.blocks, blocks);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_COOKIELIST, "Set-Cookie: a=b; domain=example.com"), CURLE_OK);
  CHECK_INT(test_mem.blocks, blocks + 2); /* the engine and the cookie */
  CHECK_INT(cookies_of(curl), 1);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_COOKIELIST, "nothing"), CURLE_OK);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_COOKIEFILE, NULL), CURLE_OK);
  CHECK_INT(test_mem.blocks, blocks);
  end();
}

TEST(a_copy_has_no_cookies)
{
  CURL *copy;
  if(!CHECK(begin()))
    return;
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_COOKIEFILE, "/nonexistent"), CURLE_OK);
  CHECK_INT(curl_easy_setopt(curl, CURLOPT_COOKIELIST, "Set-Cookie: a=b; domain=example.com"), CURLE_OK);
  copy = curl_easy_duphandle(curl);
  if(CHECK(copy))
    CHECK_INT(cookies_of(copy), 0);
  curl_easy_cleanup(copy);
  curl_easy_reset(curl);
  CHECK_INT(cookies_of(curl), 1);
  end();
}

/* ---- without memory ---- */

static void set_many(void)
{
  static const char *const names[] = {
    "USERPWD", "URL", "USERAGENT", "COPYPOSTFIELDS", "PROTOCOLS_STR", "REFERER"
  };
  size_t i;
  long before;
  if(!begin())
    return;
  for(i = 0; i < sizeof names / sizeof names[0]; i++) {
    CURLcode rc = (curl_easy_setopt)(curl, curl_easy_option_by_name(names[i])->id, "http:x");
    CHECK(!rc || rc == CURLE_OUT_OF_MEMORY || rc == CURLE_UNSUPPORTED_PROTOCOL);
  }
  CHECK((mote_opt_str(set, CURLOPT_USERNAME) != NULL) == (mote_opt_str(set, CURLOPT_PASSWORD) != NULL));
  for(i = 0; i < sizeof sequences / sizeof sequences[0]; i++) {
    const char *c;
    for(c = sequences[i].calls; *c; c++) {
      CURLcode rc;
      before = method_set();
      rc = call(*c);
      CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed && method_set() == before));
    }
  }
  end();
}

TEST(survives_without_memory)
{
  run_with_failures(set_many);
}

int main(void)
{
  TEST_RUN(kinds);
  TEST_RUN(an_empty_string_is_a_value);
  TEST_RUN(not_an_option);
  TEST_RUN(too_long);
  TEST_RUN(numbers);
  TEST_RUN(sizes);
  TEST_RUN(userpwd);
  TEST_RUN(protocols);
  TEST_RUN(methods);
  TEST_RUN(fields);
  TEST_RUN(share);
  TEST_RUN(share_of_a_running_transfer_stays);
  TEST_RUN(every_option);
  TEST_RUN(a_refused_option_is_noted_also_in_a_copy);
  TEST_RUN(blobs_that_have_no_bytes);
  TEST_RUN(texts_of_a_form);
  TEST_RUN(cookies_take_nothing_until_they_are_asked_for);
  TEST_RUN(a_copy_has_no_cookies);
  TEST_RUN(survives_without_memory);
  return test_end();
}
