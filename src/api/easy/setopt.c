/* api/easy/setopt.c: curl_easy_setopt(3). The option's row (transfer/options/option_rows.h) says of which
 * kind its value is, whether the build has it, and by which rule its values are checked and changed before
 * one is stored. */
#include "api/easy/setopt.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "api/easy/easy_handle.h"
#include "api/easy/rules.h"
#include "api/multi/share_handle.h"
#include "base/text.h"
#include "codec/url/percent.h"
#include "http/hosts/remember.h"
#include "http/http.h"
#include "transfer/protocol.h"

/* Bytes, as libcurl 8.23 has them. */
#define INTERFACE_MAX 512
#define ENGINE_MAX 128

/* Bytes per second. A higher speed is no limit in practice, and this one times a clock in microseconds
 * fits 64 bits. */
#define SPEED_MAX ((curl_off_t)1 << 38)

/* ---- rules ---- */

static const struct {
  int32_t min;     /* below: an error, or clipped */
  long max;        /* above: an error, or clipped */
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
  [MOTE_RULE_SCOPE] = {0, LONG_MAX / 2 > INT32_MAX ? (long)UINT32_MAX : LONG_MAX, 0, 0},
  [MOTE_RULE_RTSP] = {CURL_RTSPREQ_OPTIONS, CURL_RTSPREQ_RECEIVE, 0, 0},
  [MOTE_RULE_REDIRS] = {-1, INT16_MAX, .clip_max = 1},
  [MOTE_RULE_BUFFER] = {1024, CURL_MAX_READ_SIZE, .clip_min = 1, .clip_max = 1},
  [MOTE_RULE_UPLOAD_BUFFER] = {16384, 2 * 1024 * 1024, .clip_min = 1, .clip_max = 1},
};
_Static_assert(sizeof ranges / sizeof ranges[0] == MOTE_RULE_RANGES, "a range for each rule that has one");

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
 * CURLAUTH_ONLY counts only beside a single scheme, since CURLAUTH_ANY has its bit without meaning it.
 * CURLAUTH_DIGEST_IE is another name of Digest, as in libcurl (observed). */
static CURLcode check_auth(uint16_t id, long *value)
{
  unsigned long signatures = id == MOTE_OPT_ID(CURLOPT_HTTPAUTH) ? MOTE_HTTP_SIGN_BUILT : 0;
  unsigned long wanted = (unsigned long)*value & 0xffffffffUL;
  unsigned long schemes = wanted & ~CURLAUTH_ONLY;
  unsigned long only;
  unsigned long built;
  if(schemes & CURLAUTH_DIGEST_IE)
    schemes = (schemes & ~CURLAUTH_DIGEST_IE) | CURLAUTH_DIGEST;
  only = schemes & (schemes - 1) ? 0 : wanted & CURLAUTH_ONLY;
  built = schemes & (mote_http_auth_built() | signatures);
  if(*value && !built)
    return CURLE_NOT_BUILT_IN;
  *value = (long)(built | only);
  return CURLE_OK;
}

/* With CURLAUTH_ONLY the proxy must ask for a login, so one has to be allowed (CURLOPT_SOCKS5_AUTH(3)). */
static CURLcode check_socks_auth(long value)
{
  unsigned long wanted = (unsigned long)value;
  if(wanted == CURLAUTH_ONLY)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  return wanted & ~(CURLAUTH_BASIC | CURLAUTH_GSSAPI | CURLAUTH_ONLY) ? CURLE_NOT_BUILT_IN : CURLE_OK;
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
    *value = MOTE_HAS_H2 ? *value : CURL_HTTP_VERSION_NONE;
    return CURLE_OK;
  case CURL_HTTP_VERSION_3: /* with a fallback to older ones */
    *value = MOTE_HAS_H3 ? *value : CURL_HTTP_VERSION_NONE;
    return CURLE_OK;
  case CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE:
    return MOTE_HAS_H2 ? CURLE_OK : CURLE_NOT_BUILT_IN;
  case CURL_HTTP_VERSION_3ONLY:
    return MOTE_HAS_H3 ? CURLE_OK : CURLE_NOT_BUILT_IN;
  default:
    return *value < 0 ? CURLE_BAD_FUNCTION_ARGUMENT : CURLE_UNSUPPORTED_PROTOCOL;
  }
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

/* Checks a number, and clips or masks it where its rule says so. CURLE_OK for rules that are not about
 * numbers. CURLE_NOT_BUILT_IN: it asks for what this build lacks. */
static CURLcode check_number(enum mote_rule rule, long *value)
{
  if(rule > MOTE_RULE_ANY && rule < MOTE_RULE_RANGES)
    return check_range(rule, value);
  switch(rule) {
  case MOTE_RULE_SOCKS_AUTH:
    return MOTE_RULE_IS(rule, SOCKS_AUTH) ? check_socks_auth(*value) : CURLE_OK;
  case MOTE_RULE_HTTP_VERSION:
    return check_http_version(value);
  case MOTE_RULE_SSLVERSION:
    return check_ssl_version(value);
  case MOTE_RULE_SECONDS:
    return check_seconds(value);
  case MOTE_RULE_CONNECT_ONLY:
    return *value < 0 || *value > 2 ? CURLE_BAD_FUNCTION_ARGUMENT : CURLE_OK;
  case MOTE_RULE_PROXYTYPE:
    return MOTE_RULE_IS(rule, PROXYTYPE) ? check_proxy_type(*value) : CURLE_OK;
  case MOTE_RULE_HTTPSIG:
    return *value < CURLHTTPSIG_NONE || *value > CURLHTTPSIG_HMAC_SHA256 ? CURLE_BAD_FUNCTION_ARGUMENT
                                                                         : CURLE_OK;
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

/* CURLE_BAD_FUNCTION_ARGUMENT: the text is too long, or not of its form. */
static CURLcode check_text(enum mote_rule rule, const char *text)
{
  size_t len, most = rule == MOTE_RULE_INTERFACE ? INTERFACE_MAX : rule == MOTE_RULE_ENGINE ? ENGINE_MAX
                                                                                            : MOTE_INPUT_MAX;
  if(rule == MOTE_RULE_ANY_LENGTH || rule == MOTE_RULE_PROTOCOLS)
    return CURLE_OK;
  len = strlen(text);
  return len > most || (MOTE_RULE_IS(rule, INTERFACE) && !is_interface(text)) ? CURLE_BAD_FUNCTION_ARGUMENT
                                                                             : CURLE_OK;
}

/* Reports whether the text asks for nothing that this build lacks. */
static bool asks_nothing(enum mote_rule rule, const char *text)
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

/* Finds the CURLPROTO_* mask of a list of scheme names (CURLOPT_PROTOCOLS_STR(3)).
 * CURLE_BAD_FUNCTION_ARGUMENT: the list has no name. CURLE_UNSUPPORTED_PROTOCOL: a name is not a scheme of
 * this build; *mask has the others. */
static CURLcode read_protocols(const char *names, long *mask)
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

/* Returns the option number under which a value of this option is stored. */
static uint16_t stored_as(uint16_t id)
{
  static const struct {
    uint16_t from, to;
  } pairs[] = {
#define SETS(name, stored) {MOTE_OPT_ID(CURLOPT_##name), MOTE_OPT_ID(CURLOPT_##stored)},
#include "transfer/options/option_rows.inc"
  };
  unsigned i;
  for(i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    if(pairs[i].from == id)
      return pairs[i].to;
  return id;
}

/* ---- what a build lacks ---- */

/* The option that is being set. */
struct setting {
  struct mote_easy *e;               /* the handle */
  const struct mote_option_row *row; /* of the option, also of one that does not exist */
  uint16_t id;                       /* MOTE_OPT_ID of the option */
  enum mote_rule rule;
};

static bool left_out(const struct setting *s)
{
  return s->row->built == MOTE_OPTION_LACKING || s->row->built == MOTE_OPTION_REFUSED;
}

/* A value for a feature that is left out. A neutral value, which asks for nothing, is accepted. Where
 * another one must not be ignored, it is noted, and the start of the transfer fails, since many programs
 * ignore the error here. */
static CURLcode easy_setopt_refuse(const struct setting *s, bool neutral)
{
  struct mote_options *o = &s->e->t.options;
  bool noted = s->row->built == MOTE_OPTION_REFUSED;
  if(noted && neutral)
    mote_option_unset(o, s->id);
  if(neutral)
    return CURLE_OK;
  if(noted && mote_option_set_ptr(o, s->id, (void *)(uintptr_t)""))
    return CURLE_OUT_OF_MEMORY;
  o->judged = o->judged || noted;
  if(s->rule == MOTE_RULE_ENGINE)
    return CURLE_SSL_ENGINE_NOTFOUND;
  return s->rule == MOTE_RULE_NOT_BUILT_IN ? CURLE_NOT_BUILT_IN : CURLE_UNKNOWN_OPTION;
}

/* ---- the options that choose the method ----
 *
 * All of them write one pseudo-option, so that the last one set wins, as it does in libcurl. */

/* NOBODY asks for HEAD whatever the method is. POST 1, UPLOAD 1 and HTTPGET 1 take it back, the others do not
 * (seen with libcurl 7.88). While it is on, the option holds 1 + the method that NOBODY 0 brings back. */
struct choice {
  enum mote_method method;
  bool no_body;
};

static struct choice method_now(const struct mote_easy *e)
{
  long no_body = mote_opt_long(&e->t.options, CURLOPT_NOBODY);
  long method =
    no_body ? no_body - 1 : mote_opt_find_long(&e->t.options, MOTE_OPT_METHOD, MOTE_METHOD_GET);
  return (struct choice){(enum mote_method)method, no_body > 0};
}

/* A handle without an entry does GET. NOBODY is set only together with the method, so that the earlier choice
 * stands when memory runs out. */
static CURLcode store_method(struct mote_easy *e, struct choice c)
{
  struct mote_options *o = &e->t.options;
  CURLcode rc = CURLE_OK;
  if(c.no_body)
    rc = mote_option_set_long(o, MOTE_OPT_ID(CURLOPT_NOBODY), 1 + (long)c.method);
  if(!rc && (c.no_body || c.method != MOTE_METHOD_GET))
    rc = mote_option_set_long(o, MOTE_OPT_METHOD, (long)(c.no_body ? MOTE_METHOD_HEAD : c.method));
  else if(!rc)
    mote_option_unset(o, MOTE_OPT_METHOD);
  if(c.no_body == (rc != CURLE_OK))
    mote_option_unset(o, MOTE_OPT_ID(CURLOPT_NOBODY));
  return rc;
}

static CURLcode easy_setopt_set_method(struct mote_easy *e, enum mote_rule rule, bool on)
{
  static const uint8_t methods[] = {
    [MOTE_RULE_GET - MOTE_RULE_GET] = MOTE_METHOD_GET,
    [MOTE_RULE_NOBODY - MOTE_RULE_GET] = MOTE_METHOD_HEAD,
    [MOTE_RULE_POST - MOTE_RULE_GET] = MOTE_METHOD_POST,
    [MOTE_RULE_UPLOAD - MOTE_RULE_GET] = MOTE_METHOD_PUT,
  };
  struct choice c = method_now(e);
  if(rule == MOTE_RULE_GET && !on)
    return CURLE_OK;
  if(on)
    c.method = (enum mote_method)methods[rule - MOTE_RULE_GET];
  else if(rule != MOTE_RULE_NOBODY || c.method == MOTE_METHOD_HEAD)
    c.method = MOTE_METHOD_GET;
  if(on || rule == MOTE_RULE_NOBODY)
    c.no_body = on && rule == MOTE_RULE_NOBODY;
  return store_method(e, c);
}

CURLcode mote_setopt_form(struct mote_easy *e)
{
  struct choice c = {MOTE_METHOD_MIME, false};
  return store_method(e, c);
}

static CURLcode easy_setopt_copy_fields(struct mote_options *o, const char *data)
{
  curl_off_t size = mote_opt_off(o, CURLOPT_POSTFIELDSIZE_LARGE);
  size_t len = size < 0 ? strlen(data) : (size_t)size;
  if(size < 0 && len > MOTE_INPUT_MAX)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(size > 0 && (uint64_t)size > UINT32_MAX - 1)
    return CURLE_OUT_OF_MEMORY;
  return mote_option_set_blob(o, MOTE_OPT_ID(CURLOPT_POSTFIELDS), data, len, true);
}

static CURLcode set_fields(struct mote_easy *e, enum mote_rule rule, void *data)
{
  struct mote_options *o = &e->t.options;
  struct choice before = method_now(e);
  struct choice after = {MOTE_METHOD_POST, before.no_body};
  CURLcode rc = store_method(e, after);
  if(rc)
    return rc;
  if(rule == MOTE_RULE_COPY_FIELDS && data)
    rc = easy_setopt_copy_fields(o, data);
  else
    rc = mote_option_set_ptr(o, MOTE_OPT_ID(CURLOPT_POSTFIELDS), data);
  if(rc)
    (void)store_method(e, before);
  return rc;
}

/* ---- one function per kind of value ---- */

static CURLcode set_off(const struct setting *s, uint16_t id, curl_off_t value)
{
  uint8_t rule = mote_option_row(id)->rule;
  if(left_out(s))
    return easy_setopt_refuse(s, value == 0 || value == s->row->preset);
  if(rule != MOTE_RULE_ANY && value < (rule == MOTE_RULE_SIZE_UNSET ? -1 : 0))
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(rule == MOTE_RULE_SPEED && value > SPEED_MAX)
    value = SPEED_MAX;
  if(s->row->built == MOTE_OPTION_HARMLESS)
    return CURLE_OK;
  return mote_option_set_off(&s->e->t.options, id, value);
}

/* Returns the option that notes that no scheme is built in. */
static uint16_t no_auth(const struct setting *s)
{
  return s->id == MOTE_OPT_ID(CURLOPT_PROXYAUTH) ? MOTE_OPT_NO_PROXY_AUTH : MOTE_OPT_NO_AUTH;
}

/* The start of the transfer fails as well. An application that ignores the error here must not get another
 * authentication scheme or HTTP version than it asked for. */
static CURLcode refuse_number(const struct setting *s, long value, CURLcode rc)
{
  struct mote_options *o = &s->e->t.options;
  CURLcode noted = CURLE_OK;
  if(s->row->built != MOTE_OPTION_BUILT)
    return rc;
  if(s->rule == MOTE_RULE_AUTH) {
    noted = mote_option_set_long(o, no_auth(s), 1);
    value = 0;
  }
  if(!noted)
    noted = mote_option_set_long(o, s->id, value);
  o->judged = true;
  return noted ? noted : rc;
}

/* A signature is the request's only authentication (CURLOPT_AWS_SIGV4(3)). */
static CURLcode set_signature(struct mote_options *o, unsigned long bit, bool on)
{
  unsigned long schemes = (unsigned long)mote_opt_long(o, CURLOPT_HTTPAUTH);
  if(!on && !(schemes & bit))
    return CURLE_OK;
  mote_option_unset(o, MOTE_OPT_NO_AUTH);
  return mote_option_set_long(o, MOTE_OPT_ID(CURLOPT_HTTPAUTH), (long)(on ? bit : schemes & ~bit));
}

static CURLcode easy_setopt_set_number(const struct setting *s, long value)
{
  struct mote_options *o = &s->e->t.options;
  CURLcode rc;
  if(left_out(s))
    return easy_setopt_refuse(s, value == 0 || value == s->row->preset);
  if(s->rule >= MOTE_RULE_GET && s->rule <= MOTE_RULE_UPLOAD)
    return easy_setopt_set_method(s->e, s->rule, value != 0);
  if(MOTE_RULE_IS(s->rule, HSTS))
    return mote_hsts_set_control(&s->e->t, value);
  if(MOTE_RULE_IS(s->rule, ALTSVC))
    return mote_altsvc_set_control(&s->e->t, value);
  if(s->rule == MOTE_RULE_LARGE)
    return set_off(s, stored_as(s->id), value);
  rc = s->rule == MOTE_RULE_AUTH ? check_auth(s->id, &value) : check_number(s->rule, &value);
  if(rc == CURLE_NOT_BUILT_IN)
    return refuse_number(s, value, s->rule == MOTE_RULE_HTTP_VERSION ? CURLE_UNSUPPORTED_PROTOCOL : rc);
  if(rc || s->row->built == MOTE_OPTION_HARMLESS)
    return rc;
  if(s->rule == MOTE_RULE_AUTH)
    mote_option_unset(o, no_auth(s));
  if(MOTE_RULE_IS(s->rule, HTTPSIG))
    rc = set_signature(o, CURLAUTH_HTTPSIG, value != CURLHTTPSIG_NONE);
  if(rc)
    return rc;
  return mote_option_set_long(o, stored_as(s->id), value);
}

/* Where user and password are stored, and how they come. */
struct login_options {
  uint16_t user, password; /* MOTE_OPT_ID */
  bool coded;              /* percent-encoded */
};

static const struct login_options *login_options(enum mote_rule rule)
{
  static const struct login_options server = {
    MOTE_OPT_ID(CURLOPT_USERNAME), MOTE_OPT_ID(CURLOPT_PASSWORD), false
  };
  static const struct login_options proxy = {
    MOTE_OPT_ID(CURLOPT_PROXYUSERNAME), MOTE_OPT_ID(CURLOPT_PROXYPASSWORD), true
  };
  return rule == MOTE_RULE_USERPWD ? &server : MOTE_RULE_IS(rule, PROXYUSERPWD) ? &proxy : NULL;
}

/* A decoded NUL is refused, as it would end the text. */
static CURLcode set_decoded(struct mote_options *o, uint16_t id, struct mote_slice text, bool coded)
{
  char *plain;
  size_t len;
  CURLcode rc;
  if(!MOTE_BUILT_CURLOPT_PROXYUSERPWD || !coded || !memchr(text.ptr, '%', text.len))
    return mote_option_set_str(o, id, text.ptr, text.len);
  plain = mote_mem_alloc(o->account, MOTE_PART_STRING, text.len);
  if(!plain)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_percent_decode(text, MOTE_PERCENT_REJECT_NUL, plain, text.len, &len);
  if(!rc)
    rc = mote_option_set_str(o, id, plain, len);
  mote_mem_free(o->account, MOTE_PART_STRING, plain, text.len);
  return rc == CURLE_URL_MALFORMAT ? CURLE_BAD_FUNCTION_ARGUMENT : rc;
}

/* "user:password"; a text without a colon is a user name (CURLOPT_USERPWD(3), CURLOPT_PROXYUSERPWD(3)). */
static CURLcode set_userpwd(struct mote_options *o, const struct login_options *to, const char *text)
{
  struct mote_slice user = {text, strcspn(text, ":")};
  CURLcode rc = set_decoded(o, to->user, user, to->coded);
  if(rc)
    return rc;
  if(text[user.len])
    rc = set_decoded(o, to->password, mote_slice_of(text + user.len + 1), to->coded);
  else
    mote_option_unset(o, to->password);
  if(rc) /* a user name with the password of another is worse than none */
    mote_option_unset(o, to->user);
  return rc;
}

/* Many programs ignore the error for a list with a scheme that is not built in. The list still restricts the
 * transfer to its other schemes, as it does in libcurl up to that name. NULL restores the default. */
static CURLcode set_protocols(const struct setting *s, const char *names)
{
  long mask;
  CURLcode rc = read_protocols(names, &mask);
  CURLcode stored = CURLE_OK;
  if(!names) {
    mote_option_unset(&s->e->t.options, stored_as(s->id));
    return CURLE_OK;
  }
  if(rc != CURLE_BAD_FUNCTION_ARGUMENT)
    stored = mote_option_set_long(&s->e->t.options, stored_as(s->id), mask);
  return rc ? rc : stored;
}

static CURLcode set_string(const struct setting *s, const char *text)
{
  const struct login_options *to = login_options((enum mote_rule)s->rule);
  struct mote_options *o = &s->e->t.options;
  CURLcode rc = text ? check_text(s->rule, text) : CURLE_OK;
  if(rc)
    return rc;
  if(left_out(s))
    return easy_setopt_refuse(s, !text || asks_nothing(s->rule, text));
  if(s->row->built == MOTE_OPTION_HARMLESS)
    return CURLE_OK;
  if(MOTE_RULE_IS(s->rule, COOKIE) || MOTE_RULE_IS(s->rule, COOKIE_LIST))
    return mote_cookies_set(&s->e->t, s->id, text);
  if(MOTE_RULE_IS(s->rule, HSTS))
    return mote_hsts_set_file(&s->e->t, text);
  if(MOTE_RULE_IS(s->rule, ALTSVC))
    return mote_altsvc_set_file(&s->e->t, text);
  if(s->rule == MOTE_RULE_PROTOCOLS)
    return set_protocols(s, text);
  if(to && text)
    return set_userpwd(o, to, text);
  if(!text && MOTE_RULE_IS(s->rule, TRUST))
    text = "";
  if(text && MOTE_RULE_IS(s->rule, HAPROXY_IP))
    rc = mote_option_set_long(o, MOTE_OPT_ID(CURLOPT_HAPROXYPROTOCOL), 1);
  if(MOTE_RULE_IS(s->rule, SIGV4))
    rc = set_signature(o, CURLAUTH_AWS_SIGV4, text != NULL);
  if(text)
    return rc ? rc : mote_option_set_str(o, stored_as(s->id), text, strlen(text));
  mote_option_unset(o, to ? to->user : stored_as(s->id));
  if(to)
    mote_option_unset(o, to->password);
  return rc;
}

/* Not while a transfer runs, which has to return what it has taken from its share. */
static CURLcode set_share(struct mote_easy *e, CURLSH *share)
{
  struct mote_share *next = NULL;
  if(e->t.multi)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(share && mote_share_attach(share, &next))
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(MOTE_HAS_SHARE && next != e->t.share)
    mote_easy_keep_open(e);
  mote_share_detach(e->t.share);
  e->t.share = next;
  return mote_remember_reshare(&e->t);
}

/* The last one set of the two options wins. NULL asks for an empty form. */
static CURLcode set_form(const struct setting *s, void *form)
{
  static const uint16_t ids[] = {MOTE_OPT_ID(CURLOPT_MIMEPOST), MOTE_OPT_ID(CURLOPT_HTTPPOST)};
  struct mote_options *o = &s->e->t.options;
  CURLcode rc;
  if(!MOTE_HAS_FORMS || left_out(s)) {
    rc = mote_setopt_form(s->e);
    return rc || !form ? rc : CURLE_UNKNOWN_OPTION;
  }
  rc = s->id == ids[0] ? mote_option_set_form(o, form) : mote_option_set_ptr(o, s->id, form);
  if(rc)
    return rc;
  mote_option_unset(o, ids[s->id == ids[0]]);
  return mote_setopt_form(s->e);
}

static CURLcode easy_setopt_set_pointer(const struct setting *s, void *p)
{
  struct mote_options *o = &s->e->t.options;
  if(left_out(s) && s->rule != MOTE_RULE_FORM)
    return easy_setopt_refuse(s, !p);
  if(s->row->built == MOTE_OPTION_HARMLESS)
    return CURLE_OK;
  switch(s->rule) {
  case MOTE_RULE_FORM:
    return set_form(s, p);
  case MOTE_RULE_SHARE:
    return MOTE_RULE_IS(s->rule, SHARE) ? set_share(s->e, (CURLSH *)p) : CURLE_UNKNOWN_OPTION;
  case MOTE_RULE_FIELDS:
  case MOTE_RULE_COPY_FIELDS:
    return set_fields(s->e, s->rule, p);
  case MOTE_RULE_FILE:
    return p ? mote_option_set_ptr(o, s->id, p) : mote_option_set_null(o, s->id);
  default:
    return mote_option_set_ptr(o, s->id, p);
  }
}

static CURLcode easy_setopt_set_function(const struct setting *s, mote_fn fn)
{
  if(left_out(s))
    return easy_setopt_refuse(s, !fn);
  if(s->row->built == MOTE_OPTION_HARMLESS)
    return CURLE_OK;
  return mote_option_set_fn(&s->e->t.options, s->id, fn);
}

static CURLcode set_blob(const struct setting *s, const struct curl_blob *blob)
{
  if(blob && (!blob->data || !blob->len || blob->len > MOTE_INPUT_MAX))
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(left_out(s))
    return easy_setopt_refuse(s, !blob);
  if(s->row->built == MOTE_OPTION_HARMLESS)
    return CURLE_OK;
  if(blob)
    return mote_option_set_blob(&s->e->t.options, s->id, blob->data, blob->len,
                                (blob->flags & CURL_BLOB_COPY) != 0);
  mote_option_unset(&s->e->t.options, s->id);
  return CURLE_OK;
}

static CURLcode set_by_kind(const struct setting *s, va_list args)
{
  switch((enum mote_option_kind)s->row->kind) {
  case MOTE_KIND_LONG:
    return easy_setopt_set_number(s, va_arg(args, long));
  case MOTE_KIND_OFF:
    return set_off(s, s->id, va_arg(args, curl_off_t));
  case MOTE_KIND_STR:
    return set_string(s, va_arg(args, const char *));
  case MOTE_KIND_PTR:
    return easy_setopt_set_pointer(s, va_arg(args, void *));
  case MOTE_KIND_FN:
    return easy_setopt_set_function(s, va_arg(args, mote_fn));
  case MOTE_KIND_BLOB:
    return set_blob(s, va_arg(args, const struct curl_blob *));
  case MOTE_KIND_NONE:
    break;
  }
  return CURLE_UNKNOWN_OPTION;
}

/* Whether the type in the option's number is that of its kind. */
static bool class_fits(unsigned option, uint8_t kind)
{
  static const uint8_t classes[] = {
    [MOTE_KIND_LONG] = CURLOPTTYPE_LONG / 10000,
    [MOTE_KIND_OFF] = CURLOPTTYPE_OFF_T / 10000,
    [MOTE_KIND_STR] = CURLOPTTYPE_STRINGPOINT / 10000,
    [MOTE_KIND_PTR] = CURLOPTTYPE_OBJECTPOINT / 10000,
    [MOTE_KIND_FN] = CURLOPTTYPE_FUNCTIONPOINT / 10000,
    [MOTE_KIND_BLOB] = CURLOPTTYPE_BLOB / 10000,
  };
  return kind != MOTE_KIND_NONE && option / 10000 == classes[kind];
}

CURLcode(curl_easy_setopt)(CURL *curl, CURLoption option, ...)
{
  struct setting s;
  CURLcode rc;
  va_list args;
  s.e = mote_easy_of(curl);
  if(!s.e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  s.id = MOTE_OPT_ID(option);
  s.row = mote_option_row(s.id);
  s.rule = (enum mote_rule)s.row->rule;
  if(!class_fits((unsigned)option, s.row->kind))
    return CURLE_UNKNOWN_OPTION;
  va_start(args, option);
  rc = set_by_kind(&s, args);
  va_end(args);
  return rc;
}
