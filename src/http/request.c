/* http/request.c: writes the request head (RFC 9112 section 3), with its fields in the order that
 * servers are used to. */
#include "base/report.h"
#include "codec/url.h"
#include "http/writer.h"
#include "transfer/schedule.h"
#include "transfer/source.h"

/* ---- the fields that the body asks for ---- */

#define EXPECT_THRESHOLD (1024 * 1024) /* bytes; a larger or unsized body waits for 100 Continue */

static bool says_chunked(const char *value)
{
  return value && mote_list_has_token(mote_slice_of(value), "chunked");
}

/* When the application asks for chunked framing the size is not announced. A POST's size is unknown until
 * its callback reports the end (CURLOPT_POSTFIELDSIZE(3)). */
static void forget_size(struct mote_transfer *t)
{
  t->run->request.size_up = -1;
  if(t->run->request.method == MOTE_METHOD_POST)
    mote_source_forget_size(t);
}

/* The body is chunked when its length is unknown or the application says so. HTTP/1.0 has no chunked
 * coding, but an application that asks for it there gets it. */
static void choose_framing(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  bool removed;
  const char *own = mote_http_custom_header(t, "Transfer-Encoding", &removed);
  h->upload_chunked = says_chunked(own);
  if(!t->run->body) /* a promised body is then empty: put_all() ends it */
    return;
  h->upload_chunked = h->upload_chunked || (mote_source_size(t) < 0 && !own);
  if(h->upload_chunked && own)
    forget_size(t);
  if(h->upload_chunked && h->old && !own) {
    mote_fail(&t->report, "HTTP/1.0 has no chunked uploads: state the size of the body");
    w->rc = CURLE_UPLOAD_FAILED;
  }
}

/* The application's own field is written among its other fields. */
static void put_transfer_encoding(struct mote_http_writer *w)
{
  bool removed;
  const char *own = mote_http_custom_header(w->t, "Transfer-Encoding", &removed);
  if(mote_http_of(w->t)->upload_chunked && (!own || removed))
    mote_http_put_text(w, "Transfer-Encoding: chunked\r\n");
}

static void put_expect(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  curl_off_t size = mote_source_size(t);
  bool removed;
  const char *own = mote_http_custom_header(t, "Expect", &removed);
  h->sending = MOTE_HTTP_SEND_BODY;
  if(own && !removed && mote_list_has_token(mote_slice_of(own), "100-continue"))
    h->sending = MOTE_HTTP_SEND_WAIT;
  if(own || h->old || t->run->request.no_expect || (size >= 0 && size <= EXPECT_THRESHOLD))
    return;
  mote_http_put_text(w, "Expect: 100-continue\r\n");
  h->sending = MOTE_HTTP_SEND_WAIT;
}

static void put_body_fields(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  curl_off_t size;
  if(!t->run->body) {
    h->sending = MOTE_HTTP_SEND_DONE;
    return;
  }
  size = mote_source_size(t);
  if(size >= 0 && !h->upload_chunked && !mote_http_has_own(t, "Content-Length")) {
    mote_http_put_text(w, "Content-Length: ");
    mote_http_put_number(w, size);
    mote_http_put(w, "\r\n", 2);
  }
  if(t->run->request.method == MOTE_METHOD_POST && !mote_http_has_own(t, "Content-Type"))
    mote_http_put_text(w, "Content-Type: application/x-www-form-urlencoded\r\n");
  put_expect(w);
  if(size == 0 && !h->upload_chunked)
    h->sending = MOTE_HTTP_SEND_DONE;
}

/* ---- the head ---- */

static bool for_first_origin(struct mote_slice name)
{
  return mote_slice_is(name, "authorization") || mote_slice_is(name, "cookie");
}

/* Some fields are generated elsewhere, and a second Transfer-Encoding is dropped. Blanks around the name do
 * not hide a field, since a server that ignores them would see two. rest is the line after the name. */
static bool is_generated(struct mote_transfer *t, struct mote_slice name, const char *rest, bool blanks)
{
  if(mote_slice_is(name, "content-length"))
    return mote_http_of(t)->upload_chunked || blanks;
  if(mote_slice_is(name, "transfer-encoding"))
    return rest != mote_http_own_line(t, "Transfer-Encoding");
  return mote_slice_is(name, "host") || mote_slice_is(name, "connection");
}

static void put_custom_line(struct mote_http_writer *w, const char *line)
{
  struct mote_slice given = {line, mote_http_name_length(line)};
  struct mote_slice name = mote_slice_trim(given);
  const char *rest = line + given.len;
  const char *p = rest + 1;
  if(!*rest || !name.len)
    return;
  while(mote_is_space(*p))
    p++;
  if(*rest == ':' ? !*p : rest[1] != 0) /* removed, or no proper "Name;" */
    return;
  if(is_generated(w->t, name, rest, name.len != given.len) ||
     (for_first_origin(name) && !mote_http_auth_allowed(w->t)))
    return;
  if(*rest == ':')
    name = given; /* as the application wrote it */
  mote_http_put(w, name.ptr, name.len);
  mote_http_put(w, ":", 1);
  if(*rest == ':')
    mote_http_put_text(w, rest + 1);
  mote_http_put(w, "\r\n", 2);
}

static void put_custom(struct mote_http_writer *w)
{
  const struct curl_slist *l = mote_opt_ptr(&w->t->options, CURLOPT_HTTPHEADER);
  for(; l; l = l->next)
    put_custom_line(w, l->data);
}

/* Writes the application's Connection lines. The first one also names TE where that is sent (RFC 9110
 * section 10.1.4), even if the application removed Connection. */
static void put_connection(struct mote_http_writer *w)
{
  const struct curl_slist *l = mote_opt_ptr(&w->t->options, CURLOPT_HTTPHEADER);
  bool te = mote_http_asks_te(w->t), first = true;
  for(; l; l = l->next) {
    struct mote_slice value, name = {l->data, mote_http_name_length(l->data)};
    if(l->data[name.len] != ':' || !mote_slice_is(name, "connection"))
      continue;
    value = mote_slice_trim(mote_slice_of(l->data + name.len + 1));
    if(!value.len)
      continue;
    if(first) {
      mote_http_put_text(w, "Connection: ");
      mote_http_put(w, value.ptr, value.len);
    }
    else
      mote_http_put_text(w, l->data);
    mote_http_put_text(w, te ? ", TE\r\n" : "\r\n");
    te = false;
    first = false;
  }
  if(te)
    mote_http_put_text(w, "Connection: TE\r\n");
}

/* ---- the parts of the head ---- */

static const char *method_name(const struct mote_transfer *t)
{
  const char *custom = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST);
  if(custom && !t->run->request.drop_custom)
    return custom;
  switch(t->run->request.method) {
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

static void put_printed(struct mote_http_writer *w, print_fn print)
{
  size_t have = w->cap - w->len;
  size_t need;
  if(w->rc)
    return;
  need = print(w->url, w->ptr + w->len, have);
  if(need > have) {
    char *to = mote_http_room(w, need);
    if(!to)
      return;
    (void)print(w->url, to, need);
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

static void put_request_line(struct mote_http_writer *w)
{
  const struct mote_options *o = &w->t->options;
  const char *target = mote_opt_str(o, CURLOPT_REQUEST_TARGET);
  mote_http_put_text(w, method_name(w->t));
  mote_http_put(w, " ", 1);
  if(target)
    mote_http_put_text(w, target);
  else
    put_printed(w, print_target);
  mote_http_put_text(w, mote_http_of(w->t)->old ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
}

static void put_host(struct mote_http_writer *w)
{
  const char *own = mote_http_own_line(w->t, "Host");
  /* After a redirect to another host the application's Host would be wrong (CURLOPT_HTTPHEADER(3)). */
  if(own && *own && !w->t->run->request.other_origin) {
    if(*own == ';' || own[1])
      mote_http_put_field(w, "Host:", own + 1);
    return;
  }
  mote_http_put_text(w, "Host: ");
  put_printed(w, print_authority);
  mote_http_put(w, "\r\n", 2);
}

/* The application's Transfer-Encoding promises a body where there is none, so send an empty one. */
static void put_no_body(struct mote_http_writer *w)
{
  static const char last[] = "0\r\n\r\n";
  const uint32_t len = sizeof last - 1;
  mote_http_put(w, last, len);
  if(w->rc || w->len > MOTE_HTTP_HEAD_MAX)
    return;
  w->t->run->stats.bytes_up += len;
  w->t->run->request.bytes -= len; /* the caller adds it again, with the head */
}

/* CURLOPT_TRAILERFUNCTION adds no Trailer field. The application does (CURLOPT_TRAILERFUNCTION(3)). */
static void put_all(struct mote_http_writer *w)
{
  const struct mote_options *o = &w->t->options;
  const char *followed = w->t->run->request.referer;
  const char *referer = followed ? followed : mote_opt_str(o, CURLOPT_REFERER);
  const char *agent = mote_opt_str(o, CURLOPT_USERAGENT);
  put_request_line(w);
  put_host(w);
  mote_http_put_authorization(w);
  mote_http_put_range(w);
  mote_http_put_optional(w, "User-Agent", "User-Agent: ", agent && *agent ? agent : NULL);
  mote_http_put_optional(w, "Accept", "Accept: ", "*/*");
  mote_http_put_te(w);
  mote_http_put_accept_encoding(w);
  mote_http_put_optional(w, "Referer", "Referer: ", referer);
  put_transfer_encoding(w);
  if(mote_http_auth_allowed(w->t))
    mote_http_put_optional(w, "Cookie", "Cookie: ", mote_opt_str(o, CURLOPT_COOKIE));
  mote_http_put_time_condition(w);
  put_custom(w);
  put_body_fields(w);
  put_connection(w);
  mote_http_put(w, "\r\n", 2);
  if(mote_http_of(w->t)->upload_chunked && !w->t->run->body)
    put_no_body(w);
}

CURLcode mote_http_build_head(struct mote_transfer *t, char **head, size_t *len, struct mote_kept **block)
{
  struct mote_http *h = mote_http_of(t);
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  struct mote_http_writer w;
  struct mote_url url;
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
  mote_url_unpack(&t->run->request.url, &url);
  w.url = &url;
  choose_framing(&w);
  put_all(&w);
  if(!w.rc && w.len > MOTE_HTTP_HEAD_MAX)
    w.rc = CURLE_TOO_LARGE;
  if(w.rc == CURLE_TOO_LARGE)
    mote_fail(&t->report, "the request head is larger than %u bytes", MOTE_HTTP_HEAD_MAX);
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
