/* api/setopt_rules.c: the rule of each option (api/setopt.h). Ranges are those of the options' manual
 * pages, and those seen with libcurl 7.88 where a page gives none. */
#include "api/setopt.h"

#include <string.h>

#include "base/text.h"
#include "transfer/options.h"
#include "transfer/protocol.h"

#define AUTH_BUILT (CURLAUTH_BASIC | CURLAUTH_BEARER)

/* Bytes, as libcurl 8.23 has them. */
#define INTERFACE_MAX 512
#define ENGINE_MAX 128

#define RULE(option, rule) [MOTE_OPT_ID(CURLOPT_##option)] = MOTE_RULE_##rule

static const uint8_t rules[] = {
  RULE(BUFFERSIZE, BUFFER),
  RULE(UPLOAD_BUFFERSIZE, UPLOAD_BUFFER),
  RULE(PORT, PORT),
  RULE(LOCALPORT, PORT),
  RULE(LOCALPORTRANGE, PORT),
  RULE(PROXYPORT, PORT),
  RULE(PROXYTYPE, PROXYTYPE),
  RULE(PROXY_TRANSFER_MODE, BOOL),
  RULE(HTTP09_ALLOWED, BOOL),
  RULE(CONNECT_ONLY, CONNECT_ONLY),
  RULE(IPRESOLVE, 0_2),
  RULE(TIMECONDITION, 0_3),
  RULE(FOLLOWLOCATION, 0_3),
  RULE(MAXREDIRS, REDIRS),
  RULE(NEW_FILE_PERMS, PERMS),
  RULE(POSTREDIR, UP),
  RULE(LOW_SPEED_LIMIT, UP),
  RULE(LOW_SPEED_TIME, UP),
  RULE(MAXCONNECTS, UP),
  RULE(MAXAGE_CONN, UP),
  RULE(MAXLIFETIME_CONN, UP),
  RULE(TCP_KEEPIDLE, UP),
  RULE(TCP_KEEPINTVL, UP),
  RULE(TCP_KEEPCNT, UP),
  RULE(TIMEOUT_MS, UP),
  RULE(CONNECTTIMEOUT_MS, UP),
  RULE(EXPECT_100_TIMEOUT_MS, UP),
  RULE(HAPPY_EYEBALLS_TIMEOUT_MS, UP),
  RULE(SERVER_RESPONSE_TIMEOUT_MS, UP),
  RULE(UPKEEP_INTERVAL_MS, UP),
  RULE(ACCEPTTIMEOUT_MS, UP),
  RULE(RTSP_CLIENT_CSEQ, UP),
  RULE(RTSP_SERVER_CSEQ, UP),
  RULE(TFTP_BLKSIZE, UP),
  RULE(NETRC, 0_2),
  RULE(FTPSSLAUTH, 0_2),
  RULE(FTP_CREATE_MISSING_DIRS, 0_2),
  RULE(FTP_SSL_CCC, 0_2),
  RULE(FTP_FILEMETHOD, 0_3),
  RULE(USE_SSL, 0_3),
  RULE(NEW_DIRECTORY_PERMS, PERMS),
  RULE(RTSP_REQUEST, RTSP),
  RULE(ADDRESS_SCOPE, NOT_BUILT_IN),
  RULE(DNS_CACHE_TIMEOUT, MINUS_UP),
  RULE(CA_CACHE_TIMEOUT, MINUS_UP),

  RULE(TIMEOUT, SECONDS),
  RULE(CONNECTTIMEOUT, SECONDS),
  RULE(SERVER_RESPONSE_TIMEOUT, SECONDS),
  RULE(INFILESIZE, LARGE),
  RULE(POSTFIELDSIZE, LARGE),
  RULE(MAXFILESIZE, LARGE),
  RULE(RESUME_FROM, LARGE),
  RULE(TIMEVALUE, LARGE),
  RULE(INFILESIZE_LARGE, SIZE_UNSET),
  RULE(POSTFIELDSIZE_LARGE, SIZE_UNSET),
  RULE(RESUME_FROM_LARGE, SIZE_UNSET),
  RULE(MAXFILESIZE_LARGE, SIZE),
  RULE(MAX_SEND_SPEED_LARGE, SPEED),
  RULE(MAX_RECV_SPEED_LARGE, SPEED),

  RULE(HTTPAUTH, AUTH),
  RULE(SOCKS5_AUTH, SOCKS_AUTH),
  RULE(HTTP_VERSION, HTTP_VERSION),
  RULE(SSLVERSION, SSLVERSION),
  RULE(PROXY_SSLVERSION, SSLVERSION),
  RULE(SSL_VERIFYHOST, VERIFYHOST),
  RULE(PROXY_SSL_VERIFYHOST, VERIFYHOST),
  RULE(PROTOCOLS_STR, PROTOCOLS),
  RULE(REDIR_PROTOCOLS_STR, PROTOCOLS),
  RULE(INTERFACE, INTERFACE),
  RULE(RANDOM_FILE, ANY_LENGTH),
  RULE(EGDSOCKET, ANY_LENGTH),
  RULE(COOKIEFILE, COOKIE_FILE),
  RULE(COOKIELIST, COOKIE_LIST),
  RULE(USERPWD, USERPWD),
  RULE(SHARE, SHARE),

  RULE(HTTPGET, GET),
  RULE(NOBODY, NOBODY),
  RULE(POST, POST),
  RULE(UPLOAD, UPLOAD),
  RULE(PUT, UPLOAD),
  RULE(POSTFIELDS, FIELDS),
  RULE(COPYPOSTFIELDS, COPY_FIELDS),
  RULE(MIMEPOST, FORM),
  RULE(HTTPPOST, FORM),

  RULE(CRLF, NOT_BUILT_IN),
  RULE(SSL_FALSESTART, NOT_BUILT_IN),
  RULE(TLSAUTH_USERNAME, NOT_BUILT_IN),
  RULE(TLSAUTH_PASSWORD, NOT_BUILT_IN),
  RULE(TLSAUTH_TYPE, NOT_BUILT_IN),
  RULE(PROXY_TLSAUTH_USERNAME, NOT_BUILT_IN),
  RULE(PROXY_TLSAUTH_PASSWORD, NOT_BUILT_IN),
  RULE(PROXY_TLSAUTH_TYPE, NOT_BUILT_IN),
  RULE(ECH, NOT_BUILT_IN),
  RULE(KRBLEVEL, NOT_BUILT_IN),
  RULE(SSLENGINE, ENGINE),
};

static const struct {
  uint16_t from;
  uint16_t to;
} targets[] = {
  {MOTE_OPT_ID(CURLOPT_TIMEOUT), MOTE_OPT_ID(CURLOPT_TIMEOUT_MS)},
  {MOTE_OPT_ID(CURLOPT_CONNECTTIMEOUT), MOTE_OPT_ID(CURLOPT_CONNECTTIMEOUT_MS)},
  {MOTE_OPT_ID(CURLOPT_SERVER_RESPONSE_TIMEOUT), MOTE_OPT_ID(CURLOPT_SERVER_RESPONSE_TIMEOUT_MS)},
  {MOTE_OPT_ID(CURLOPT_INFILESIZE), MOTE_OPT_ID(CURLOPT_INFILESIZE_LARGE)},
  {MOTE_OPT_ID(CURLOPT_POSTFIELDSIZE), MOTE_OPT_ID(CURLOPT_POSTFIELDSIZE_LARGE)},
  {MOTE_OPT_ID(CURLOPT_MAXFILESIZE), MOTE_OPT_ID(CURLOPT_MAXFILESIZE_LARGE)},
  {MOTE_OPT_ID(CURLOPT_RESUME_FROM), MOTE_OPT_ID(CURLOPT_RESUME_FROM_LARGE)},
  {MOTE_OPT_ID(CURLOPT_TIMEVALUE), MOTE_OPT_ID(CURLOPT_TIMEVALUE_LARGE)},
  {MOTE_OPT_ID(CURLOPT_PROTOCOLS_STR), MOTE_OPT_ID(CURLOPT_PROTOCOLS)},
  {MOTE_OPT_ID(CURLOPT_REDIR_PROTOCOLS_STR), MOTE_OPT_ID(CURLOPT_REDIR_PROTOCOLS)},
};

static const struct {
  int32_t min;     /* below: an error, or clipped */
  int32_t max;     /* above: an error, or clipped */
  uint8_t clip_min;
  uint8_t clip_max;
} ranges[] = {
  [MOTE_RULE_UP] = {0, INT32_MAX, .clip_max = 1},
  [MOTE_RULE_MINUS_UP] = {-1, INT32_MAX, .clip_max = 1},
  [MOTE_RULE_0_1] = {0, 1, 0, 0},
  [MOTE_RULE_0_2] = {0, 2, 0, 0},
  [MOTE_RULE_0_3] = {0, 3, 0, 0},
  [MOTE_RULE_PORT] = {0, 65535, 0, 0},
  [MOTE_RULE_PERMS] = {0, 0777, 0, 0},
  [MOTE_RULE_RTSP] = {CURL_RTSPREQ_OPTIONS, CURL_RTSPREQ_RECEIVE, 0, 0},
  [MOTE_RULE_REDIRS] = {-1, INT16_MAX, .clip_max = 1},
  [MOTE_RULE_BUFFER] = {1024, CURL_MAX_READ_SIZE, .clip_min = 1, .clip_max = 1},
  [MOTE_RULE_UPLOAD_BUFFER] = {16384, 2 * 1024 * 1024, .clip_min = 1, .clip_max = 1},
};
_Static_assert(sizeof ranges / sizeof ranges[0] == MOTE_RULE_RANGES, "a range for each rule that has one");

enum mote_rule mote_rule_of(uint16_t id)
{
  return id < sizeof rules ? (enum mote_rule)rules[id] : MOTE_RULE_ANY;
}

uint16_t mote_rule_target(uint16_t id)
{
  unsigned i;
  for(i = 0; i < sizeof targets / sizeof targets[0]; i++)
    if(targets[i].from == id)
      return targets[i].to;
  return id;
}

static CURLcode check_range(enum mote_rule rule, long *value)
{
  bool clip_min = ranges[rule].clip_min && *value >= 0;
  if(*value < ranges[rule].min) {
    if(!clip_min)
      return CURLE_BAD_FUNCTION_ARGUMENT;
    *value = ranges[rule].min;
  }
  if(*value > ranges[rule].max) {
    if(!ranges[rule].clip_max)
      return CURLE_BAD_FUNCTION_ARGUMENT;
    *value = ranges[rule].max;
  }
  return CURLE_OK;
}

/* Schemes that are not built in are dropped. It is an error to ask for nothing else (CURLOPT_HTTPAUTH(3)).
 * CURLAUTH_ONLY counts only beside a single scheme, since CURLAUTH_ANY has its bit without meaning it. */
static CURLcode check_auth(long *value)
{
  unsigned long wanted = (unsigned long)*value & 0xffffffffUL;
  unsigned long schemes = wanted & ~CURLAUTH_ONLY;
  unsigned long only = schemes & (schemes - 1) ? 0 : wanted & CURLAUTH_ONLY;
  if(*value && !(schemes & AUTH_BUILT))
    return CURLE_NOT_BUILT_IN;
  *value = (long)((schemes & AUTH_BUILT) | only);
  return CURLE_OK;
}

static CURLcode check_http_version(long *value)
{
  switch(*value) {
  case CURL_HTTP_VERSION_NONE:
  case CURL_HTTP_VERSION_1_0:
  case CURL_HTTP_VERSION_1_1:
    return CURLE_OK;
  case CURL_HTTP_VERSION_2_0:
  case CURL_HTTP_VERSION_2TLS:
  case CURL_HTTP_VERSION_3:
    *value = CURL_HTTP_VERSION_NONE;
    return CURLE_OK;
  case CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE:
  case CURL_HTTP_VERSION_3ONLY:
    return CURLE_NOT_BUILT_IN;
  default:
    return *value < 0 ? CURLE_BAD_FUNCTION_ARGUMENT : CURLE_UNSUPPORTED_PROTOCOL;
  }
}

static CURLcode check_connect_only(long *value)
{
  if(*value < 0 || *value > 2)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  *value = *value == 1;
  return CURLE_OK;
}

static CURLcode check_proxy_type(long value)
{
  if(value < CURLPROXY_HTTP || value > CURLPROXY_HTTPS3)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  return value == CURLPROXY_HTTPS3 ? CURLE_NOT_BUILT_IN : CURLE_OK;
}

static CURLcode check_seconds(long *value)
{
  if(*value < 0)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  *value = *value > INT32_MAX / 1000 ? INT32_MAX : *value * 1000;
  return CURLE_OK;
}

/* The low half has the lowest version, the high half the highest. SSL 2 and 3 are not supported
 * (CURLOPT_SSLVERSION(3)). */
static CURLcode check_ssl_version(long *value)
{
  long low = *value & 0xffff;
  long high = (*value & 0x7fff0000) >> 16;
  *value = (int32_t)*value;
  if(*value < 0 || low == CURL_SSLVERSION_SSLv2 || low == CURL_SSLVERSION_SSLv3 ||
     low > CURL_SSLVERSION_TLSv1_3)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(high && high != (CURL_SSLVERSION_MAX_DEFAULT >> 16) &&
     (high < (CURL_SSLVERSION_MAX_TLSv1_0 >> 16) || high > (CURL_SSLVERSION_MAX_TLSv1_3 >> 16)))
    return CURLE_BAD_FUNCTION_ARGUMENT;
  return CURLE_OK;
}

CURLcode mote_rule_check(enum mote_rule rule, long *value)
{
  if(rule > MOTE_RULE_ANY && rule < MOTE_RULE_RANGES)
    return check_range(rule, value);
  switch(rule) {
  case MOTE_RULE_AUTH:
    return check_auth(value);
  case MOTE_RULE_SOCKS_AUTH:
    return *value & ~(long)(CURLAUTH_BASIC | CURLAUTH_GSSAPI) ? CURLE_NOT_BUILT_IN : CURLE_OK;
  case MOTE_RULE_HTTP_VERSION:
    return check_http_version(value);
  case MOTE_RULE_SSLVERSION:
    return check_ssl_version(value);
  case MOTE_RULE_SECONDS:
    return check_seconds(value);
  case MOTE_RULE_CONNECT_ONLY:
    return check_connect_only(value);
  case MOTE_RULE_PROXYTYPE:
    return check_proxy_type(*value);
  case MOTE_RULE_BOOL:
    *value = *value != 0;
    return CURLE_OK;
  case MOTE_RULE_VERIFYHOST:
    *value = *value ? 2 : 0;
    return CURLE_OK;
  default:
    return CURLE_OK;
  }
}

/* One of "name", "if!name", "host!name" and "ifhost!name!host". */
static bool is_interface(const char *text)
{
  const char *last;
  if(!strncmp(text, "if!", 3))
    return text[3];
  if(!strncmp(text, "host!", 5))
    return text[5];
  if(strncmp(text, "ifhost!", 7))
    return true;
  last = strchr(text + 7, '!');
  return last && last[1];
}

CURLcode mote_rule_text(enum mote_rule rule, const char *text)
{
  size_t len, most = rule == MOTE_RULE_INTERFACE ? INTERFACE_MAX : rule == MOTE_RULE_ENGINE ? ENGINE_MAX
                                                                                            : MOTE_INPUT_MAX;
  if(rule == MOTE_RULE_ANY_LENGTH || rule == MOTE_RULE_PROTOCOLS)
    return CURLE_OK;
  len = strlen(text);
  return len > most || (rule == MOTE_RULE_INTERFACE && !is_interface(text)) ? CURLE_BAD_FUNCTION_ARGUMENT
                                                                             : CURLE_OK;
}

bool mote_rule_asks_nothing(enum mote_rule rule, const char *text)
{
  if(rule == MOTE_RULE_ENGINE)
    return !*text;
  return rule == MOTE_RULE_COOKIE_LIST &&
         (!*text || mote_equal_nocase(text, "ALL") || mote_equal_nocase(text, "SESS") ||
          mote_equal_nocase(text, "FLUSH") || mote_equal_nocase(text, "RELOAD"));
}

static long mask_of_all(void)
{
  const struct mote_scheme *s;
  long all = 0;
  for(s = mote_schemes; s->name; s++)
    all |= s->curlproto;
  return all;
}

CURLcode mote_rule_protocols(const char *names, long *mask)
{
  CURLcode rc = CURLE_BAD_FUNCTION_ARGUMENT;
  *mask = 0;
  if(names && mote_equal_nocase(names, "all")) {
    *mask = mask_of_all();
    return CURLE_OK;
  }
  while(names && *names) {
    size_t len = strcspn(names, ",");
    const struct mote_scheme *s = mote_scheme_find(names, len);
    if(s)
      *mask |= s->curlproto;
    if(len && (!s || rc == CURLE_BAD_FUNCTION_ARGUMENT))
      rc = s ? CURLE_OK : CURLE_UNSUPPORTED_PROTOCOL;
    names += len + (names[len] == ',');
  }
  return rc;
}
