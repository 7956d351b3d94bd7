/* protocol/http_head.c: the request head (RFC 9112 section 3), in the order that servers are used to. */
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/date.h"
#include "base/format.h"
#include "base/memory.h"
#include "codec/decode.h"
#include "codec/limits.h"
#include "codec/percent.h"
#include "codec/url.h"
#include "port/port.h"
#include "protocol/http.h"
#include "transfer/buffer.h"
#include "transfer/source.h"

#define EXPECT_THRESHOLD (1024 * 1024) /* POST bodies above this ask first (CURLOPT_POSTFIELDS(3)) */

/* A head under construction: in the multi's buffer, and in a block once that is too small. */
struct writer {
  struct mote_transfer *t;
  char *ptr;
  size_t len;
  size_t cap;
  struct mote_kept *block; /* NULL: the multi's buffer */
  struct mote_url url;     /* the run's, unpacked */
  CURLcode rc;   /* the first failure; nothing is written after it */
};

static void grow(struct writer *w, size_t more)
{
  size_t cap = w->cap * 2;
  struct mote_kept *k;
  while(cap - w->len < more)
    cap *= 2;
  k = mote_kept_new(w->t, cap);
  if(!k) {
    w->rc = CURLE_OUT_OF_MEMORY;
    return;
  }
  memcpy(k->bytes, w->ptr, w->len);
  mote_kept_free(w->t, w->block);
  w->block = k;
  w->ptr = k->bytes;
  w->cap = cap;
}

static inline char *room(struct writer *w, size_t n)
{
  if(!w->rc && w->cap - w->len < n)
    grow(w, n);
  return w->rc ? NULL : w->ptr + w->len;
}

static void put(struct writer *w, const char *p, size_t n)
{
  char *to = room(w, n);
  if(to && n) {
    memcpy(to, p, n);
    w->len += n;
  }
}

static void put_text(struct writer *w, const char *s)
{
  put(w, s, strlen(s));
}

static void put_number(struct writer *w, curl_off_t v)
{
  char digits[24];
  put(w, digits, mote_print_dec(digits, (uint64_t)v));
}

static void put_field(struct writer *w, const char *name, const char *value)
{
  put_text(w, name);
  put_text(w, value);
  put(w, "\r\n", 2);
}

/* ---- custom headers (CURLOPT_HTTPHEADER(3)): "Name: value", "Name;" (empty value), "Name:" (removal) ---- */

static size_t name_length(const char *line)
{
  return strcspn(line, ":;");
}

const char *mote_http_custom_header(const struct mote_transfer *t, const char *name, bool *removed)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER);
  size_t len = l ? strlen(name) : 0;
  *removed = false;
  for(; l; l = l->next) {
    const char *value;
    if(name_length(l->data) != len || !mote_equal_nocase_n(l->data, name, len))
      continue;
    value = l->data + len;
    if(*value == ':') {
      value++;
      while(mote_is_space(*value))
        value++;
      *removed = !*value;
    }
    else if(*value == ';')
      value++;
    return value;
  }
  return NULL;
}

/* The application has its own version of this header, or does not want any. */
static bool has_own(const struct mote_transfer *t, const char *name)
{
  bool removed;
  return mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER) && mote_http_custom_header(t, name, &removed);
}

static bool for_first_origin(struct mote_slice name)
{
  return mote_slice_is(name, "authorization") || mote_slice_is(name, "cookie");
}

static void put_custom_line(struct writer *w, const char *line)
{
  struct mote_slice name = {line, name_length(line)};
  const char *rest = line + name.len;
  const struct mote_http *h = mote_http_of(w->t);
  const char *p = rest + 1;
  if(!*rest || !name.len)
    return;
  while(mote_is_space(*p))
    p++;
  if(*rest == ':' ? !*p : *p != 0) /* removed, or no proper "Name;" */
    return;
  if(mote_slice_is(name, "host") || (mote_slice_is(name, "content-length") && h->upload_chunked) ||
     mote_slice_is(name, "transfer-encoding"))
    return; /* made apart */
  if(for_first_origin(name) && !mote_http_auth_allowed(w->t))
    return;
  put(w, name.ptr, name.len);
  put(w, ":", 1);
  if(*rest == ':')
    put_text(w, rest + 1);
  put(w, "\r\n", 2);
}

static void put_custom(struct writer *w)
{
  const struct curl_slist *l = mote_opt_ptr(&w->t->options, CURLOPT_HTTPHEADER);
  for(; l; l = l->next)
    put_custom_line(w, l->data);
}

/* ---- the parts of the head ---- */

static const char *method_name(const struct mote_transfer *t)
{
  const char *custom = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST);
  if(custom && !t->run->drop_custom)
    return custom;
  switch(t->run->method) {
  case MOTE_METHOD_HEAD:
    return "HEAD";
  case MOTE_METHOD_POST:
    return "POST";
  case MOTE_METHOD_PUT:
    return "PUT";
  default:
    return "GET";
  }
}

typedef size_t (*print_fn)(const struct mote_url *u, char *out, size_t cap);

static void put_printed(struct writer *w, print_fn print)
{
  size_t have = w->cap - w->len;
  size_t need;
  if(w->rc)
    return;
  need = print(&w->url, w->ptr + w->len, have);
  if(need > have) {
    char *to = room(w, need);
    if(!to)
      return;
    (void)print(&w->url, to, need);
  }
  w->len += need;
}

static size_t print_target(const struct mote_url *u, char *out, size_t cap)
{
  return mote_url_target(u, out, cap);
}

static size_t print_authority(const struct mote_url *u, char *out, size_t cap)
{
  return mote_url_authority(u, 1, out, cap);
}

static void put_request_line(struct writer *w)
{
  const struct mote_options *o = &w->t->options;
  const char *target = mote_opt_str(o, CURLOPT_REQUEST_TARGET);
  bool old = mote_opt_long(o, CURLOPT_HTTP_VERSION) == CURL_HTTP_VERSION_1_0;
  put_text(w, method_name(w->t));
  put(w, " ", 1);
  if(target)
    put_text(w, target);
  else
    put_printed(w, print_target);
  put_text(w, old ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
}

static void put_host(struct writer *w)
{
  bool removed;
  const char *own = mote_http_custom_header(w->t, "Host", &removed);
  /* After a redirect to another host our own Host would be wrong (CURLOPT_HTTPHEADER(3)). */
  if(own && !w->t->run->other_origin) {
    if(!removed)
      put_field(w, "Host: ", own);
    return;
  }
  put_text(w, "Host: ");
  put_printed(w, print_authority);
  put(w, "\r\n", 2);
}

static void add_part(struct writer *w, struct mote_buf *plain, struct mote_slice s, bool encoded)
{
  size_t n = s.len;
  if(w->rc || !s.len)
    return;
  w->rc = mote_buf_reserve(plain, s.len);
  if(w->rc)
    return;
  if(encoded)
    w->rc = mote_percent_decode(s, 0, plain->ptr + plain->len, s.len, &n);
  else
    memcpy(plain->ptr + plain->len, s.ptr, s.len);
  if(!w->rc)
    plain->len += n;
}

static void put_basic(struct writer *w, const struct mote_http_login *login)
{
  struct mote_buf plain;
  char *to;
  mote_buf_init(&plain, &w->t->account, MOTE_PART_TRANSFER, 2 * MOTE_URL_MAX_INPUT);
  add_part(w, &plain, login->user, login->from_url);
  if(!w->rc)
    w->rc = mote_buf_add(&plain, ":", 1);
  add_part(w, &plain, login->password, login->from_url);
  put_text(w, "Authorization: Basic ");
  to = room(w, MOTE_BASE64_SIZE(plain.len));
  if(to)
    w->len += mote_base64_encode(to, plain.ptr, plain.len);
  put(w, "\r\n", 2);
  mote_buf_close(&plain);
}

static void put_authorization(struct writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http_login login;
  unsigned long scheme;
  t->run->auth_used = 0;
  if(has_own(t, "Authorization") && mote_http_auth_allowed(t))
    return;
  scheme = mote_http_auth_scheme(t);
  t->run->auth_used = (uint16_t)scheme;
  if(scheme == CURLAUTH_BEARER)
    put_field(w, "Authorization: Bearer ", mote_opt_str(&t->options, CURLOPT_XOAUTH2_BEARER));
  else if(scheme == CURLAUTH_BASIC && mote_http_login(t, &login))
    put_basic(w, &login);
}

/* Range of a download (RFC 9110 section 14.2), Content-Range of an upload. */
static void put_range(struct writer *w)
{
  struct mote_transfer *t = w->t;
  const char *range = mote_opt_str(&t->options, CURLOPT_RANGE);
  curl_off_t from = mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE);
  const struct mote_body *b = t->run->body;
  if(from > 0)
    range = NULL; /* the later option of the two, as libcurl sees them */
  if(t->run->method == MOTE_METHOD_GET || t->run->method == MOTE_METHOD_HEAD) {
    if(has_own(t, "Range") || (!range && from <= 0))
      return;
    put_text(w, "Range: bytes=");
    if(range)
      put_text(w, range);
    else {
      mote_http_of(t)->ranged = true;
      put_number(w, from);
      put(w, "-", 1);
    }
    put(w, "\r\n", 2);
  }
  else if((range || from > 0) && !has_own(t, "Content-Range") && t->run->method == MOTE_METHOD_PUT && b) {
    curl_off_t total = b->size >= 0 ? b->size + (from > 0 ? from : 0) : -1;
    put_text(w, "Content-Range: bytes ");
    if(range)
      put_text(w, range);
    else {
      put_number(w, from);
      put(w, "-", 1);
      if(total > 0)
        put_number(w, total - 1);
    }
    put(w, "/", 1);
    if(total >= 0)
      put_number(w, total);
    else
      put(w, "*", 1);
    put(w, "\r\n", 2);
  }
}

static void put_optional(struct writer *w, const char *name, const char *field, const char *value)
{
  if(value && *value && !has_own(w->t, name))
    put_field(w, field, value);
}

static void put_accept_encoding(struct writer *w)
{
  const char *wish = mote_opt_str(&w->t->options, CURLOPT_ACCEPT_ENCODING);
  char all[64];
  if(!wish || has_own(w->t, "Accept-Encoding"))
    return;
  if(!*wish) {
    (void)mote_decode_accept(all, sizeof all);
    wish = all;
  }
  put_field(w, "Accept-Encoding: ", wish);
}

static void put_time_condition(struct writer *w)
{
  const struct mote_options *o = &w->t->options;
  static const struct {
    long condition;
    const char *name;
  } fields[] = {
    {CURL_TIMECOND_IFMODSINCE, "If-Modified-Since"},
    {CURL_TIMECOND_IFUNMODSINCE, "If-Unmodified-Since"},
    {CURL_TIMECOND_LASTMOD, "Last-Modified"},
  };
  long condition = mote_opt_long(o, CURLOPT_TIMECONDITION);
  char date[MOTE_DATE_HTTP_SIZE];
  size_t i;
  for(i = 0; i < sizeof fields / sizeof fields[0]; i++)
    if(fields[i].condition == condition && !has_own(w->t, fields[i].name)) {
      if(!mote_date_format_http(date, mote_opt_off(o, CURLOPT_TIMEVALUE_LARGE)))
        w->rc = CURLE_BAD_FUNCTION_ARGUMENT;
      put_text(w, fields[i].name);
      put_field(w, ": ", date);
    }
}

static bool says_chunked(const char *value)
{
  return value && mote_list_has_token(mote_slice_of(value), "chunked");
}

/* Chunked when the length is unknown or the application says so; HTTP/1.0 has no such coding. */
static void choose_framing(struct writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  bool removed;
  const char *own = mote_http_custom_header(t, "Transfer-Encoding", &removed);
  bool old = mote_opt_long(&t->options, CURLOPT_HTTP_VERSION) == CURL_HTTP_VERSION_1_0;
  h->upload_chunked = false;
  if(!t->run->body)
    return;
  if(says_chunked(own))
    h->upload_chunked = true;
  else if(t->run->body->size < 0 && !removed && !has_own(t, "Content-Length"))
    h->upload_chunked = true;
  if(h->upload_chunked && old) {
    mote_fail(&t->report, "HTTP/1.0 has no chunked uploads: state the size of the body");
    w->rc = CURLE_UPLOAD_FAILED;
  }
}

static void put_transfer_encoding(struct writer *w)
{
  bool removed;
  const char *own = mote_http_custom_header(w->t, "Transfer-Encoding", &removed);
  if(own && !removed)
    put_field(w, "Transfer-Encoding: ", own);
  else if(mote_http_of(w->t)->upload_chunked)
    put_text(w, "Transfer-Encoding: chunked\r\n");
}

static void put_expect(struct writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  const struct mote_body *b = t->run->body;
  bool removed;
  const char *own = mote_http_custom_header(t, "Expect", &removed);
  bool old = mote_opt_long(&t->options, CURLOPT_HTTP_VERSION) == CURL_HTTP_VERSION_1_0;
  h->sending = MOTE_HTTP_SEND_BODY;
  if(own && !removed && mote_list_has_token(mote_slice_of(own), "100-continue"))
    h->sending = MOTE_HTTP_SEND_WAIT;
  if(own || old || t->run->no_expect || (b->size >= 0 && b->size <= EXPECT_THRESHOLD && t->run->method == MOTE_METHOD_POST) ||
     b->size == 0)
    return;
  put_text(w, "Expect: 100-continue\r\n");
  h->sending = MOTE_HTTP_SEND_WAIT;
}

static void put_body_fields(struct writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  const struct mote_body *b = t->run->body;
  if(!b) {
    h->sending = MOTE_HTTP_SEND_DONE;
    return;
  }
  if(b->size >= 0 && !h->upload_chunked && !has_own(t, "Content-Length")) {
    put_text(w, "Content-Length: ");
    put_number(w, b->size);
    put(w, "\r\n", 2);
  }
  if(t->run->method == MOTE_METHOD_POST && !has_own(t, "Content-Type"))
    put_text(w, "Content-Type: application/x-www-form-urlencoded\r\n");
  put_expect(w);
  if(b->size == 0 && !h->upload_chunked)
    h->sending = MOTE_HTTP_SEND_DONE;
}

/* CURLOPT_TRANSFER_ENCODING: we can undo gzip under chunked. */
static void put_te(struct writer *w)
{
  if(!mote_opt_long(&w->t->options, CURLOPT_TRANSFER_ENCODING) || has_own(w->t, "TE"))
    return;
  if(has_own(w->t, "Connection"))
    put_text(w, "TE: gzip\r\n");
  else
    put_text(w, "Connection: TE\r\nTE: gzip\r\n");
}

/* CURLOPT_TRAILERFUNCTION announces nothing itself: the application adds its Trailer header. */
static void put_all(struct writer *w)
{
  const struct mote_options *o = &w->t->options;
  const char *referer = w->t->run->referer ? w->t->run->referer : mote_opt_str(o, CURLOPT_REFERER);
  put_request_line(w);
  put_host(w);
  put_authorization(w);
  put_range(w);
  put_optional(w, "User-Agent", "User-Agent: ", mote_opt_str(o, CURLOPT_USERAGENT));
  put_optional(w, "Accept", "Accept: ", "*/*");
  put_te(w);
  put_accept_encoding(w);
  put_optional(w, "Referer", "Referer: ", referer);
  if(mote_http_auth_allowed(w->t))
    put_optional(w, "Cookie", "Cookie: ", mote_opt_str(o, CURLOPT_COOKIE));
  put_transfer_encoding(w);
  put_time_condition(w);
  put_custom(w);
  put_body_fields(w);
  put(w, "\r\n", 2);
}

CURLcode mote_http_build_head(struct mote_transfer *t, char **head, size_t *len, struct mote_kept **block)
{
  struct mote_http *h = mote_http_of(t);
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  struct writer w;
  bool removed;
  const char *connection = mote_http_custom_header(t, "Connection", &removed);
  w.t = t;
  w.len = 0;
  w.block = NULL;
  w.rc = CURLE_OK;
  w.ptr = mote_multi_buffer(t->multi, size);
  if(!w.ptr)
    return CURLE_OUT_OF_MEMORY;
  w.cap = mote_multi_buffer_size(t->multi);
  h->close_asked = connection && mote_list_has_token(mote_slice_of(connection), "close");
  mote_url_unpack(&t->run->url, &w.url);
  choose_framing(&w);
  put_all(&w);
  if(w.rc) {
    mote_kept_free(t, w.block);
    return w.rc;
  }
  if(w.block)
    w.block->len = (uint32_t)w.len;
  *head = w.ptr;
  *len = w.len;
  *block = w.block;
  return CURLE_OK;
}
