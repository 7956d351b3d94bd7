/* api/easy/getinfo.c: curl_easy_getinfo(3). One row of a const table says how an info is answered; the
 * numbers, structs and lists that are more than a field of struct mote_run have a reader here, the texts in
 * getinfo_text.c.
 *
 * A number is asked for in up to three types (CURLINFO_SIZE_UPLOAD is a double, _SIZE_UPLOAD_T a curl_off_t);
 * one row answers them all.
 *
 * Tests: tests/unit/api/test_getinfo.c */
#include "api/easy/getinfo.h"

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "api/easy/easy_handle.h"
#include "base/text/date.h"
#include "connect/dial/dial.h"
#include "net/conn.h"
#include "net/stream.h"
#include "port/port.h"
#include "tls/tls.h"
#include "transfer/download/headers.h"
#include "transfer/protocol.h"
#include "transfer/report/info.h"

/* How a row is answered. Fields lie in struct mote_run. */
enum from {
  FROM_NOTHING,  /* no such info */
  FROM_CONSTANT, /* number: always `preset`, since the feature is left out */
  FROM_U8,       /* number: a field; `preset` before the first transfer */
  FROM_U16,
  FROM_U32,
  FROM_INT,
  FROM_OFF,      /* curl_off_t */
  FROM_TIME,     /* `at` is an enum mote_mark: microseconds for curl_off_t, seconds for double */
  FROM_NUMBER,   /* a reader's `number` */
  FROM_SPAN,     /* the same, of a time */
  FROM_TEXT,     /* a reader's `text` */
  FROM_POINTER   /* a reader's `pointer` */
};

struct row {
  uint8_t from;    /* enum from */
  uint8_t types;   /* bit 1 << (CURLINFO type >> 20): asked for in these types */
  int8_t preset;   /* before the first transfer, and CONSTANT's value */
  uint16_t at;     /* offset of the field in struct mote_run, enum mote_mark, or enum reader_id */
};

union reader {
  int64_t (*number)(struct mote_easy *e); /* e->t.run is not NULL */
  CURLcode (*text)(struct mote_easy *e, const char **out);
  CURLcode (*pointer)(struct mote_easy *e, void **out);
};

#define TYPE_BIT(t) (1u << ((unsigned)(t) >> 20))

/* ---- numbers ---- */

static int64_t total_time(struct mote_easy *e)
{
  const struct mote_run *r = e->t.run;
  return r->request.in_chain ? mote_port_now() - r->stats.started : mote_mark_get(&r->stats, MOTE_MARK_TOTAL);
}

static int64_t getinfo_speed(struct mote_easy *e, curl_off_t bytes)
{
  int64_t us = total_time(e);
  if(us <= 0)
    return bytes;
  if(bytes > INT64_MAX / MOTE_SECOND) /* the product would not fit */
    return (int64_t)((double)bytes / ((double)us / (double)MOTE_SECOND));
  return bytes * MOTE_SECOND / us;
}

static int64_t speed_down(struct mote_easy *e)
{
  return getinfo_speed(e, e->t.run->stats.bytes_down);
}

static int64_t speed_up(struct mote_easy *e)
{
  return getinfo_speed(e, e->t.run->stats.bytes_up);
}

/* Heads and bodies. A local file takes no request. */
static int64_t request_size(struct mote_easy *e)
{
  const struct mote_run *r = e->t.run;
  return r->request.bytes ? r->request.bytes + r->stats.bytes_up : 0;
}

/* Reports whether bytes are sent by a protocol of commands, which has no request that announces them. */
static bool sends_by_commands(const struct mote_run *r)
{
  return r->stats.bytes_up && r->request.scheme && r->request.scheme->protocol->login;
}

/* Requests without a body announce no bytes, unless they are chunked. Of one that was not sent nothing is
 * known. */
static int64_t length_up(struct mote_easy *e)
{
  const struct mote_run *r = e->t.run;
  bool bodiless = r->request.method == MOTE_METHOD_GET || r->request.method == MOTE_METHOD_HEAD;
  if(r->request.stage < MOTE_REQUEST_ASKED && !sends_by_commands(r) &&
     !(r->request.scheme && r->request.scheme->protocol->local))
    return -1;
  if(r->request.size_up < 0 && bodiless && r->request.stage == MOTE_REQUEST_ASKED && !r->stats.bytes_up)
    return 0;
  return r->request.size_up;
}

/* The time of a file that no HTTP server has sent. */
static int64_t noted_time(const struct mote_run *r)
{
  const char *text = mote_headers_find_note(&r->response.headers, "Last-Modified");
  uint64_t seconds;
  return text && mote_parse_dec(mote_slice_of(text), INT64_MAX, &seconds) ? (int64_t)seconds : -1;
}

static int64_t filetime(struct mote_easy *e)
{
  const char *text;
  int64_t seconds;
  seconds = noted_time(e->t.run); /* that of a local file even without CURLOPT_FILETIME */
  if(seconds >= 0)
    return seconds;
  if(!mote_opt_long(&e->t.options, CURLOPT_FILETIME))
    return -1;
  text = mote_headers_find(&e->t.run->response.headers, "Last-Modified", -1);
  if(!text)
    return -1;
  return mote_date_parse(text, strlen(text), &seconds) ? seconds : 0; /* no date: as in libcurl 8 */
}

/* RFC 9110 section 10.2.3. As in libcurl, bytes after a number are ignored. A date counts from the moment
 * at which the transfer ended. */
#define RETRY_AFTER_MAX (6 * 3600) /* seconds: no server can make a client wait for longer */

/* Dates come first, since eight digits may be one. */
static int64_t retry_after(struct mote_easy *e)
{
  const struct mote_run *r = e->t.run;
  const char *text = mote_headers_find(&r->response.headers, "Retry-After", -1);
  uint64_t seconds;
  int64_t date, left = 0;
  size_t used;
  if(!text)
    return 0;
  if(mote_date_parse(text, strlen(text), &date))
    left = date - (mote_port_wall() - (mote_port_now() - r->stats.started - total_time(e)) / MOTE_SECOND);
  else if(mote_parse_dec_prefix(mote_slice_of(text), INT64_MAX, &seconds, &used))
    left = (int64_t)seconds;
  return left < 0 ? 0 : left > RETRY_AFTER_MAX ? RETRY_AFTER_MAX : left;
}

static int64_t getinfo_condition_unmet(struct mote_easy *e)
{
  return e->t.run->response.condition_unmet || e->t.run->response.code == 304;
}

/* -1: no connection, or one without ports. */
static int64_t port_of(const struct mote_addr *a)
{
  return a->family < MOTE_FAMILY_IP4 ? -1 : a->port;
}

static int64_t primary_port(struct mote_easy *e)
{
  return port_of(&e->t.run->stats.primary);
}

static int64_t local_port(struct mote_easy *e)
{
  return port_of(&e->t.run->stats.local);
}

static int64_t protocol(struct mote_easy *e)
{
  const struct mote_run *r = e->t.run;
  return r->request.scheme ? r->request.scheme->curlproto : 0;
}

static int64_t getinfo_xfer_id(struct mote_easy *e)
{
  return e->t.xfer_id;
}

static int64_t proxy_error(struct mote_easy *e)
{
  return e->t.run->info ? e->t.run->info->proxy_error : 0;
}

static int64_t proxy_verify_result(struct mote_easy *e)
{
  return e->t.run->info ? e->t.run->info->proxy_verify_result : 0;
}

static int64_t proxy_offered(struct mote_easy *e)
{
  return mote_info_proxy_offered(&e->t);
}

static int64_t proxy_login(struct mote_easy *e)
{
  return e->t.run->info ? e->t.run->info->proxy_used : 0;
}

static int64_t used_proxy(struct mote_easy *e)
{
  return e->t.run->lease.proxied;
}

static int64_t last_socket(struct mote_easy *e)
{
  return (int64_t)mote_connect_last_socket(&e->t, mote_easy_multi(e));
}

/* ---- structs and lists ---- */

static CURLcode no_list(struct mote_easy *e, void **out)
{
  (void)e;
  *out = NULL;
  return CURLE_OK;
}

static CURLcode certinfo(struct mote_easy *e, void **out)
{
  static const struct curl_certinfo none = {0};
  const struct mote_info *kept = e->t.run ? e->t.run->info : NULL;
  const struct curl_certinfo *info = kept ? kept->certinfo : NULL;
  *out = (void *)(uintptr_t)(info ? info : &none);
  return CURLE_OK;
}

/* Without a TLS connection the back end is reported all the same, by one constant struct for each. */
static const struct curl_tlssessioninfo *no_session(void)
{
  static const struct curl_tlssessioninfo none[] = {
    {.backend = CURLSSLBACKEND_NONE},
    {.backend = CURLSSLBACKEND_OPENSSL},
    {.backend = CURLSSLBACKEND_MBEDTLS},
    {.backend = CURLSSLBACKEND_BEARSSL},
    {.backend = CURLSSLBACKEND_WOLFSSL},
  };
  curl_sslbackend wanted = mote_tls_backend();
  size_t i;
  for(i = 1; i < sizeof none / sizeof none[0]; i++)
    if(none[i].backend == wanted)
      return &none[i];
  return &none[0];
}

static struct mote_stream *tls_of(const struct mote_easy *e)
{
  return e->t.run && e->t.run->channel.conn ? mote_conn_layer(e->t.run->channel.conn, MOTE_ROLE_TLS) : NULL;
}

static CURLcode session(struct mote_easy *e, bool ctx, void **out)
{
  struct mote_stream *tls = tls_of(e);
  struct curl_tlssessioninfo *s;
  struct mote_info *kept;
  if(!tls) {
    *out = (void *)(uintptr_t)no_session();
    return CURLE_OK;
  }
  kept = mote_info_need(&e->t);
  if(!kept)
    return CURLE_OUT_OF_MEMORY;
  s = ctx ? &kept->tls_ctx : &kept->tls_ssl;
  s->backend = mote_tls_backend_of(tls);
  s->internals = ctx ? mote_tls_ctx_ptr(tls) : mote_tls_ssl_ptr(tls);
  *out = s;
  return CURLE_OK;
}

static CURLcode tls_ssl(struct mote_easy *e, void **out)
{
  return session(e, false, out);
}

static CURLcode tls_ctx(struct mote_easy *e, void **out)
{
  return session(e, true, out);
}

/* ---- the readers ----
 *
 * A row has the number of its reader, since a pointer in each of them would take 500 bytes more. */

#define READERS(NUMBER, TEXT, POINTER) \
  NUMBER(total_time) NUMBER(speed_down) NUMBER(speed_up) NUMBER(request_size) NUMBER(length_up) \
  NUMBER(filetime) NUMBER(retry_after) NUMBER(getinfo_condition_unmet) NUMBER(primary_port) \
  NUMBER(local_port) \
  NUMBER(protocol) NUMBER(getinfo_xfer_id) NUMBER(proxy_error) NUMBER(used_proxy) \
  NUMBER(proxy_offered) NUMBER(proxy_login) \
  NUMBER(proxy_verify_result) NUMBER(last_socket) \
  NUMBER(mote_info_rtsp_next) NUMBER(mote_info_rtsp_server) NUMBER(mote_info_rtsp_received) \
  TEXT(mote_info_effective_url) TEXT(mote_info_content_type) TEXT(mote_info_private) \
  TEXT(mote_info_rtsp_session) \
  TEXT(mote_info_entry_path) \
  TEXT(mote_info_redirect_url) TEXT(mote_info_primary_ip) TEXT(mote_info_local_ip) TEXT(mote_info_scheme) \
  TEXT(mote_info_effective_method) TEXT(mote_info_referer) TEXT(mote_info_ca_file) TEXT(mote_info_ca_path) \
  POINTER(mote_info_cookies) POINTER(no_list) POINTER(certinfo) POINTER(tls_ctx) POINTER(tls_ssl)

#define READ(fn) READ_##fn,
enum reader_id { READERS(READ, READ, READ) };

#define READS_NUMBER(fn) {.number = fn},
#define READS_TEXT(fn) {.text = fn},
#define READS_POINTER(fn) {.pointer = fn},
static const union reader readers[] = {READERS(READS_NUMBER, READS_TEXT, READS_POINTER)};

/* ---- the rows ----
 *
 * docs/compat-info.md is made from this table (tools/gen_info.py): a comment in front of a row gives the
 * reason why it is "constant", or says how it "differs" from libcurl 7.88.1. */

#define STRING TYPE_BIT(CURLINFO_STRING)
#define LONG TYPE_BIT(CURLINFO_LONG)
#define DOUBLE TYPE_BIT(CURLINFO_DOUBLE)
#define LIST TYPE_BIT(CURLINFO_PTR) /* CURLINFO_SLIST is the same */
#define SOCKET TYPE_BIT(CURLINFO_SOCKET)
#define OFF TYPE_BIT(CURLINFO_OFF_T)

#define AT(info) [(info) & CURLINFO_MASK]
#define FIELD(kind, member) .from = FROM_##kind, .at = offsetof(struct mote_run, member)
#define MARK(which) .from = FROM_TIME, .at = MOTE_MARK_##which
#define NUMBER(fn) .from = FROM_NUMBER, .at = READ_##fn
#define SPAN(fn) .from = FROM_SPAN, .at = READ_##fn
#define TEXT(fn) .from = FROM_TEXT, .types = STRING, .at = READ_##fn
#define POINTER(fn) .from = FROM_POINTER, .types = LIST, .at = READ_##fn
#define UNKNOWN_SIZE .types = DOUBLE | OFF, .preset = -1
#define CONSTANT(value) .from = FROM_CONSTANT, .preset = value
#define EARLY(member) MOTE_STATS_EARLY(FIELD(INT, stats.member), CONSTANT(0))
#define VERIFY(member) MOTE_STATS_VERIFY(FIELD(U16, stats.member), CONSTANT(0))

/* By number (CURLINFO_MASK). */
static const struct row rows[CURLINFO_LASTONE + 1] = {
  /* differs: stays until the next transfer begins; what is no URL is shown as it was set, not as an error */
  AT(CURLINFO_EFFECTIVE_URL) = {TEXT(mote_info_effective_url)},
  AT(CURLINFO_RESPONSE_CODE) = {FIELD(U16, response.code), .types = LONG},
  AT(CURLINFO_TOTAL_TIME) = {SPAN(total_time), .types = DOUBLE},
  /* differs: 0 on a connection that is used again, where there is no lookup */
  AT(CURLINFO_NAMELOOKUP_TIME) = {MARK(NAME), .types = DOUBLE},
  AT(CURLINFO_CONNECT_TIME) = {MARK(CONNECT), .types = DOUBLE},
  AT(CURLINFO_PRETRANSFER_TIME) = {MARK(PRETRANSFER), .types = DOUBLE},
  /* differs: counts the framing of a chunked body, as in libcurl 8 */
  AT(CURLINFO_SIZE_UPLOAD_T) = {FIELD(OFF, stats.bytes_up), .types = DOUBLE | OFF},
  AT(CURLINFO_SIZE_DOWNLOAD_T) = {FIELD(OFF, stats.bytes_down), .types = DOUBLE | OFF},
  AT(CURLINFO_SPEED_DOWNLOAD_T) = {NUMBER(speed_down), .types = DOUBLE | OFF},
  AT(CURLINFO_SPEED_UPLOAD_T) = {NUMBER(speed_up), .types = DOUBLE | OFF},
  /* differs: trailers are counted, too, as in libcurl 8 */
  AT(CURLINFO_HEADER_SIZE) = {FIELD(U32, response.head_bytes), .types = LONG},
  /* differs: with requests that open a tunnel (CONNECT) */
  AT(CURLINFO_REQUEST_SIZE) = {NUMBER(request_size), .types = LONG},
  /* differs: of this transfer alone, not left over from an earlier one of the handle */
  AT(CURLINFO_SSL_VERIFYRESULT) = {VERIFY(verify_result), .types = LONG},
  /* differs: of the last response alone, not of a redirect before it; also of a 204 or 304 */
  AT(CURLINFO_FILETIME_T) = {NUMBER(filetime), .types = LONG | OFF, .preset = -1},
  AT(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T) = {FIELD(OFF, response.size_down), UNKNOWN_SIZE},
  AT(CURLINFO_CONTENT_LENGTH_UPLOAD_T) = {NUMBER(length_up), UNKNOWN_SIZE},
  AT(CURLINFO_STARTTRANSFER_TIME) = {MARK(STARTTRANSFER), .types = DOUBLE},
  /* differs: of the last response alone, not of a redirect before it */
  AT(CURLINFO_CONTENT_TYPE) = {TEXT(mote_info_content_type)},
  AT(CURLINFO_REDIRECT_TIME) = {MARK(REDIRECT), .types = DOUBLE},
  AT(CURLINFO_REDIRECT_COUNT) = {FIELD(U16, request.redirects), .types = LONG},
  AT(CURLINFO_PRIVATE) = {TEXT(mote_info_private)},
  AT(CURLINFO_HTTP_CONNECTCODE) = {FIELD(U16, connect_code), .types = LONG},
  AT(CURLINFO_HTTPAUTH_AVAIL) = {FIELD(U8, response.auth_avail), .types = LONG},
  AT(CURLINFO_PROXYAUTH_AVAIL) = {NUMBER(proxy_offered), .types = LONG},
  AT(CURLINFO_OS_ERRNO) = {FIELD(U16, stats.os_errno), .types = LONG},
  AT(CURLINFO_NUM_CONNECTS) = {FIELD(U16, conn_count), .types = LONG},
  /* constant: no engines of the TLS library */
  AT(CURLINFO_SSL_ENGINES) = {POINTER(no_list)},
  AT(CURLINFO_COOKIELIST) = {POINTER(mote_info_cookies)},
  AT(CURLINFO_LASTSOCKET) = {NUMBER(last_socket), .types = LONG, .preset = -1},
  AT(CURLINFO_FTP_ENTRY_PATH) = {TEXT(mote_info_entry_path)},
  AT(CURLINFO_REDIRECT_URL) = {TEXT(mote_info_redirect_url)},
  AT(CURLINFO_PRIMARY_IP) = {TEXT(mote_info_primary_ip)},
  AT(CURLINFO_APPCONNECT_TIME) = {MARK(APPCONNECT), .types = DOUBLE},
  /* differs: also reported for a connection that is used again */
  AT(CURLINFO_CERTINFO) = {POINTER(certinfo)},
  AT(CURLINFO_CONDITION_UNMET) = {NUMBER(getinfo_condition_unmet), .types = LONG},
  AT(CURLINFO_RTSP_SESSION_ID) = {TEXT(mote_info_rtsp_session)},
  AT(CURLINFO_RTSP_CLIENT_CSEQ) = {NUMBER(mote_info_rtsp_next), .types = LONG},
  AT(CURLINFO_RTSP_SERVER_CSEQ) = {NUMBER(mote_info_rtsp_server), .types = LONG},
  AT(CURLINFO_RTSP_CSEQ_RECV) = {NUMBER(mote_info_rtsp_received), .types = LONG},
  AT(CURLINFO_PRIMARY_PORT) = {NUMBER(primary_port), .types = LONG, .preset = -1},
  AT(CURLINFO_LOCAL_IP) = {TEXT(mote_info_local_ip)},
  AT(CURLINFO_LOCAL_PORT) = {NUMBER(local_port), .types = LONG, .preset = -1},
  AT(CURLINFO_TLS_SESSION) = {POINTER(tls_ctx)},
  AT(CURLINFO_ACTIVESOCKET) = {NUMBER(last_socket), .types = SOCKET, .preset = -1},
  AT(CURLINFO_TLS_SSL_PTR) = {POINTER(tls_ssl)},
  AT(CURLINFO_HTTP_VERSION) = {FIELD(U8, stats.http_version), .types = LONG},
  AT(CURLINFO_PROXY_SSL_VERIFYRESULT) = {NUMBER(proxy_verify_result), .types = LONG},
  AT(CURLINFO_PROTOCOL) = {NUMBER(protocol), .types = LONG},
  /* differs: in lower case, as in libcurl 8 */
  AT(CURLINFO_SCHEME) = {TEXT(mote_info_scheme)},
  AT(CURLINFO_TOTAL_TIME_T) = {SPAN(total_time), .types = OFF},
  /* differs: 0 on a connection that is used again, where there is no lookup */
  AT(CURLINFO_NAMELOOKUP_TIME_T) = {MARK(NAME), .types = OFF},
  AT(CURLINFO_CONNECT_TIME_T) = {MARK(CONNECT), .types = OFF},
  AT(CURLINFO_PRETRANSFER_TIME_T) = {MARK(PRETRANSFER), .types = OFF},
  AT(CURLINFO_STARTTRANSFER_TIME_T) = {MARK(STARTTRANSFER), .types = OFF},
  AT(CURLINFO_REDIRECT_TIME_T) = {MARK(REDIRECT), .types = OFF},
  AT(CURLINFO_APPCONNECT_TIME_T) = {MARK(APPCONNECT), .types = OFF},
  /* differs: 0 for a date in the past; of the last response alone, not of a redirect before it */
  AT(CURLINFO_RETRY_AFTER) = {NUMBER(retry_after), .types = OFF},
  /* differs: of the last request, also where CURLOPT_FOLLOWLOCATION has dropped CURLOPT_CUSTOMREQUEST */
  AT(CURLINFO_EFFECTIVE_METHOD) = {TEXT(mote_info_effective_method)},
  AT(CURLINFO_PROXY_ERROR) = {NUMBER(proxy_error), .types = LONG},
  AT(CURLINFO_REFERER) = {TEXT(mote_info_referer)},
  AT(CURLINFO_CAINFO) = {TEXT(mote_info_ca_file)},
  AT(CURLINFO_CAPATH) = {TEXT(mote_info_ca_path)},
  AT(CURLINFO_XFER_ID) = {NUMBER(getinfo_xfer_id), .types = OFF, .preset = -1},
  AT(CURLINFO_CONN_ID) = {FIELD(INT, stats.conn_id), .types = OFF, .preset = -1},
  AT(CURLINFO_QUEUE_TIME_T) = {MARK(QUEUE), .types = OFF},
  AT(CURLINFO_USED_PROXY) = {NUMBER(used_proxy), .types = LONG},
  AT(CURLINFO_POSTTRANSFER_TIME_T) = {MARK(POSTTRANSFER), .types = OFF},
  /* differs: of HTTP/3 alone, else 0; negative where the server has refused it */
  AT(CURLINFO_EARLYDATA_SENT_T) = {EARLY(early), .types = OFF},
  AT(CURLINFO_HTTPAUTH_USED) = {FIELD(U8, stats.auth_used), .types = LONG},
  AT(CURLINFO_PROXYAUTH_USED) = {NUMBER(proxy_login), .types = LONG},
  AT(CURLINFO_SIZE_DELIVERED) = {FIELD(OFF, stats.delivered), .types = OFF},
};

/* ---- the answer, in the type that was asked for ---- */

static int64_t getinfo_field(const struct mote_run *r, const struct row *row)
{
  const char *p = (const char *)r + row->at;
  switch(row->from) {
  case FROM_U8:
    return *(const uint8_t *)p;
  case FROM_U16: {
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
  }
  case FROM_U32: {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
  }
  case FROM_INT: {
    int v;
    memcpy(&v, p, sizeof v);
    return v;
  }
  case FROM_TIME:
    return mote_mark_get(&r->stats, (enum mote_mark)row->at);
  default: {
    int64_t v;
    memcpy(&v, p, sizeof v);
    return v;
  }
  }
}

static int64_t getinfo_number(struct mote_easy *e, const struct row *row)
{
  if(!e->t.run || row->from == FROM_CONSTANT)
    return row->preset;
  if(row->from == FROM_NUMBER || row->from == FROM_SPAN)
    return readers[row->at].number(e);
  return getinfo_field(e->t.run, row);
}

static bool is_time(const struct row *row)
{
  return row->from == FROM_TIME || row->from == FROM_SPAN;
}

/* The nearest number that a long has: one of 32 bits ends with a date in 2038. */
static long getinfo_long(int64_t n)
{
  return n > LONG_MAX ? LONG_MAX : n < LONG_MIN ? LONG_MIN : (long)n;
}

/* The type says what out points to: char *, long, double, a struct pointer, curl_socket_t or curl_off_t. */
static CURLcode getinfo_answer(struct mote_easy *e, const struct row *row, int type, void *out)
{
  switch(type) {
  case CURLINFO_STRING:
    return readers[row->at].text(e, out);
  case CURLINFO_PTR:
    return readers[row->at].pointer(e, out);
  case CURLINFO_LONG:
    *(long *)out = getinfo_long(getinfo_number(e, row));
    return CURLE_OK;
  case CURLINFO_SOCKET:
    *(curl_socket_t *)out = (curl_socket_t)getinfo_number(e, row);
    return CURLE_OK;
  case CURLINFO_OFF_T:
    *(curl_off_t *)out = (curl_off_t)getinfo_number(e, row);
    return CURLE_OK;
  default:
    *(double *)out = (double)getinfo_number(e, row) / (is_time(row) ? (double)MOTE_SECOND : 1);
    return CURLE_OK;
  }
}

CURLcode(curl_easy_getinfo)(CURL *curl, CURLINFO info, ...)
{
  struct mote_easy *e = mote_easy_of(curl);
  unsigned id = (unsigned)info & CURLINFO_MASK;
  int type = (int)info & CURLINFO_TYPEMASK;
  const struct row *row = &rows[id <= CURLINFO_LASTONE ? id : 0];
  va_list args;
  void *out;
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  va_start(args, info);
  out = va_arg(args, void *);
  va_end(args);
  if(!out && type && type <= CURLINFO_OFF_T) /* even for an info that does not exist */
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(!(row->types & TYPE_BIT(type)))
    return CURLE_UNKNOWN_OPTION;
  return getinfo_answer(e, row, type, out);
}
