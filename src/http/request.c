/* http/request.c: the list of fields of a request (RFC 9110), in the order that servers are used to, and the
 * application's own lines among them. How they look on the wire is the wire's matter (request.h). */
#include "http/request.h"

#include "codec/url/url.h"
#include "http/auth/netrc.h"
#include "http/hooks.h"
#include "http/http.h"
#include "transfer/multi/schedule.h"
#include "transfer/protocol.h"
#include "transfer/upload/mime.h"
#include "transfer/upload/source.h"

extern inline char *mote_http_room(struct mote_http_writer *w, size_t n);
extern inline void mote_http_put(struct mote_http_writer *w, const char *p, size_t n);

/* ---- before the request ---- */

/* A POST has no part that the server may have already (CURLOPT_RESUME_FROM_LARGE(3)). */
CURLcode mote_http_refuse_resume(struct mote_transfer *t)
{
  long method = t->run->request.method;
  bool post = method == MOTE_METHOD_POST || method == MOTE_METHOD_MIME;
  if(!post || !mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE))
    return CURLE_OK;
  return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report, "a POST cannot be resumed");
}

static CURLcode open_form(struct mote_transfer *t)
{
  CURLcode rc = mote_http_refuse_resume(t);
  if(!rc)
    rc = mote_mime_open(t, false);
  if(rc == CURLE_NOT_BUILT_IN)
    mote_fail(&t->report, "multipart forms are not built in");
  return rc;
}

/* There is no QUIC without TLS. */
static CURLcode http_request_judge_version(struct mote_transfer *t)
{
  if(!MOTE_HAS_H3 || mote_opt_long(&t->options, CURLOPT_HTTP_VERSION) != CURL_HTTP_VERSION_3ONLY ||
     t->run->request.scheme->tls == MOTE_SECURE_FIRST)
    return CURLE_OK;
  return mote_fail_as(CURLE_URL_MALFORMAT, &t->report, "HTTP/3 requested for non-HTTPS URL");
}

CURLcode mote_http_prepare(struct mote_transfer *t)
{
  bool memory = MOTE_OPT_MAYBE(&t->options, CURLOPT_POSTFIELDS) &&
                mote_option_has(&t->options, MOTE_OPT_ID(CURLOPT_POSTFIELDS));
  CURLcode rc = memory ? mote_http_refuse_resume(t) : CURLE_OK;
  if(!rc)
    rc = http_request_judge_version(t);
  if(!rc && MOTE_HAS_NETRC && mote_option_maybe(&t->options, MOTE_OPT_ID(CURLOPT_NETRC)))
    rc = mote_netrc_find(t);
  if(rc)
    return rc;
  /* A redirect has already rewound a body that is sent again. */
  if(t->run->body && t->run->request.redirects && t->run->request.method >= MOTE_METHOD_POST)
    return CURLE_OK;
  return t->run->request.method == MOTE_METHOD_MIME ? open_form(t) : mote_source_open(t);
}

CURLcode mote_http_judge_url(struct mote_transfer *t)
{
  const struct mote_http_judge *const *judge;
  CURLcode rc = CURLE_OK;
  for(judge = mote_http_judges; !rc && *judge; judge++)
    if(mote_option_maybe(&t->options, (*judge)->option))
      rc = (*judge)->url(t);
  return rc;
}

/* ---- room ---- */

CURLcode mote_http_open_writer(struct mote_http_writer *w, struct mote_transfer *t,
                               const struct mote_http_wire *wire)
{
  memset(w, 0, sizeof *w);
  w->t = t;
  w->wire = wire;
  w->ptr = mote_schedule_buffer(t->multi, (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE));
  w->cap = mote_schedule_buffer_size(t->multi);
  return w->ptr ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

CURLcode mote_http_judge_head(struct mote_http_writer *w)
{
  if(!w->rc && w->len > MOTE_HTTP_HEAD_MAX)
    w->rc = CURLE_TOO_LARGE;
  if(w->rc == CURLE_TOO_LARGE)
    mote_fail(&w->t->report, "the request head is larger than %u bytes", MOTE_HTTP_HEAD_MAX);
  return w->rc;
}

void mote_http_grow(struct mote_http_writer *w, size_t more)
{
  size_t notes = mote_http_notes(w), cap = (w->cap + notes) * 2;
  struct mote_kept *k;
  if(w->len + more > MOTE_HTTP_HEAD_MAX) {
    w->rc = CURLE_TOO_LARGE;
    return;
  }
  while(cap - w->len < more)
    cap *= 2;
  k = mote_kept_new(w->t, cap + notes);
  if(!k) {
    w->rc = CURLE_OUT_OF_MEMORY;
    return;
  }
  memcpy(k->bytes, w->ptr, w->len);
  if(notes)
    memcpy(k->bytes + cap, w->ptr + w->cap, notes);
  mote_kept_free(w->t, w->block);
  w->block = k;
  w->ptr = k->bytes;
  w->cap = cap;
}

void mote_http_put_text(struct mote_http_writer *w, const char *s)
{
  mote_http_put(w, s, strlen(s));
}

void mote_http_put_number(struct mote_http_writer *w, curl_off_t v)
{
  char digits[24];
  mote_http_put(w, digits, mote_print_dec(digits, (uint64_t)v));
}

/* ---- fields ---- */

void mote_http_begin_field(struct mote_http_writer *w, const char *name, const char *value)
{
  w->wire->field(w, name, strlen(name));
  mote_http_put(w, " ", 1);
  mote_http_put_text(w, value);
}

void mote_http_put_field(struct mote_http_writer *w, const char *name, const char *value)
{
  mote_http_begin_field(w, name, value);
  mote_http_end_field(w);
}

/* ---- the application's own lines: "Name: value", "Name;" (empty value), "Name:" (removal) ---- */

size_t mote_http_name_length(const char *line)
{
  return strcspn(line, ":;");
}

const char *mote_http_find_line(const struct curl_slist *lines, const char *name)
{
  const struct curl_slist *l;
  size_t len = strlen(name);
  for(l = lines; l; l = l->next)
    if(mote_http_name_length(l->data) == len && l->data[len] && mote_equal_nocase_n(l->data, name, len))
      return l->data + len;
  return NULL;
}

const char *mote_http_custom_header(const struct mote_transfer *t, const char *name, bool *removed)
{
  const char *value = mote_http_own_line(t, name);
  *removed = false;
  if(value && *value++ == ':') {
    while(mote_is_space(*value))
      value++;
    *removed = !*value;
  }
  return value;
}

bool mote_http_has_own(const struct mote_transfer *t, const char *name)
{
  return mote_http_own_line(t, name) != NULL;
}

void mote_http_put_optional(struct mote_http_writer *w, const char *name, const char *value)
{
  if(value && !mote_http_has_own(w->t, name))
    mote_http_put_field(w, name, value);
}

/* ---- the fields of the body ---- */

#define EXPECT_THRESHOLD (1024 * 1024) /* bytes; a larger or unsized body waits for 100 Continue */

static void put_expect(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  curl_off_t size = mote_reader_size(mote_source_bottom(t)); /* as the application has it */
  bool removed;
  const char *own = mote_http_custom_header(t, "Expect", &removed);
  h->sending = MOTE_HTTP_SEND_BODY;
  if(own && !removed && mote_list_has_token(mote_slice_of(own), "100-continue"))
    h->sending = MOTE_HTTP_SEND_WAIT;
  if(own || h->old || !w->wire->hop_by_hop || t->run->request.no_expect ||
     (size >= 0 && size <= EXPECT_THRESHOLD))
    return;
  mote_http_put_field(w, "Expect", "100-continue");
  h->sending = MOTE_HTTP_SEND_WAIT;
}

void mote_http_check_expect(struct mote_transfer *t, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  if(h->sending != MOTE_HTTP_SEND_WAIT || !mote_timer_due(t, MOTE_TIMER_STATE, now))
    return;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  mote_info(&t->report, "Done waiting for 100-continue");
  h->sending = MOTE_HTTP_SEND_BODY;
}

/* The application's own Content-Type gets the boundary as well (observed). */
static void put_form_type(struct mote_http_writer *w)
{
  const struct curl_mime *form = mote_mime_sent(w->t);
  const char *own;
  bool removed;
  if(!form)
    return;
  own = mote_http_custom_header(w->t, "Content-Type", &removed);
  mote_http_begin_field(w, "Content-Type", own ? own : "multipart/form-data");
  mote_http_put(w, "; boundary=", 11);
  mote_http_put(w, form->boundary, MOTE_MIME_BOUNDARY);
  mote_http_end_field(w);
}

static void request_put_body_fields(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  curl_off_t size;
  if(!t->run->body) {
    h->sending = MOTE_HTTP_SEND_DONE;
    return;
  }
  size = h->probe ? 0 : mote_source_size(t);
  if(size >= 0 && !h->upload_chunked && (h->probe || !mote_http_has_own(t, "Content-Length"))) {
    mote_http_begin_field(w, "Content-Length", "");
    mote_http_put_number(w, size);
    mote_http_end_field(w);
  }
  if(t->run->request.method == MOTE_METHOD_POST && !mote_http_has_own(t, "Content-Type"))
    mote_http_put_field(w, "Content-Type", "application/x-www-form-urlencoded");
  if(MOTE_HAS_FORMS && t->run->request.method == MOTE_METHOD_MIME && !h->probe)
    put_form_type(w);
  if(!h->probe)
    put_expect(w);
  if(size == 0 && (h->probe || !h->upload_chunked))
    h->sending = MOTE_HTTP_SEND_DONE;
}

/* ---- the application's fields ---- */

static bool for_first_origin(struct mote_slice name)
{
  return mote_slice_is(name, "authorization") || mote_slice_is(name, "cookie");
}

static bool has_form_type(const struct mote_transfer *t)
{
  return t->run->request.method == MOTE_METHOD_MIME && mote_mime_sent(t) != NULL;
}

/* Blanks around the name do not hide a field, since a server that ignores them would see two. */
static bool is_replaced(const struct mote_http_writer *w, struct mote_slice name, const char *rest,
                        bool blanks)
{
  return mote_slice_is(name, "host") ||
         ((blanks || mote_http_of(w->t)->probe) && mote_slice_is(name, "content-length")) ||
         (has_form_type(w->t) && mote_slice_is(name, "content-type")) ||
         (w->wire->replaces && w->wire->replaces(w, name, rest));
}

bool mote_http_line_is_sent(const struct mote_http_writer *w, const char *line, struct mote_slice *name,
                            struct mote_slice *value)
{
  struct mote_slice given = {line, mote_http_name_length(line)};
  struct mote_slice bare = mote_slice_trim(given);
  const char *rest = line + given.len;
  const char *p = rest + 1;
  if(!*rest || !bare.len)
    return false;
  while(mote_is_space(*p))
    p++;
  if(*rest == ':' ? !*p : rest[1] != 0) /* removed, or no proper "Name;" */
    return false;
  if(is_replaced(w, bare, rest, bare.len != given.len) ||
     (for_first_origin(bare) && !mote_transfer_may_log_in(w->t)))
    return false;
  *name = *rest == ':' ? given : bare; /* as the application wrote it */
  *value = mote_slice_of(rest + 1);
  return true;
}

static void put_custom_line(struct mote_http_writer *w, const char *line)
{
  struct mote_slice name, value;
  if(!mote_http_line_is_sent(w, line, &name, &value))
    return;
  w->wire->field(w, name.ptr, name.len);
  mote_http_put(w, value.ptr, value.len);
  mote_http_end_field(w);
}

void mote_http_put_lines(struct mote_http_writer *w, const struct curl_slist *lines)
{
  for(; lines; lines = lines->next)
    put_custom_line(w, lines->data);
}

/* ---- method, target and host ---- */

const char *mote_http_method(const struct mote_transfer *t)
{
  const char *custom = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST);
  if(custom && !t->run->request.drop_custom)
    return custom;
  switch(t->run->request.method) {
  case MOTE_METHOD_HEAD:
    return "HEAD";
  case MOTE_METHOD_POST:
  case MOTE_METHOD_MIME:
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

static size_t request_print_target(const struct mote_url *u, char *out, size_t cap)
{
  return mote_url_target(u, out, cap);
}

static size_t print_authority(const struct mote_url *u, char *out, size_t cap)
{
  return mote_url_authority(u, 1, out, cap);
}

/* The default port of ftp: is not that of the protocol that asks a proxy for it. */
static size_t print_proxied_host(const struct mote_url *u, char *out, size_t cap)
{
  return mote_url_authority(u, *mote_url_get(u, MOTE_URL_SCHEME).ptr == 'f' ? 2 : 1, out, cap);
}

void mote_http_put_target(struct mote_http_writer *w)
{
  const char *target = mote_opt_str(&w->t->options, CURLOPT_REQUEST_TARGET);
  if(target)
    mote_http_put_text(w, target);
  else
    put_printed(w, request_print_target);
}

void mote_http_put_authority(struct mote_http_writer *w)
{
  put_printed(w, print_authority);
}

void mote_http_put_path(struct mote_http_writer *w)
{
  put_printed(w, request_print_target);
}

static void request_put_host(struct mote_http_writer *w)
{
  const char *own = mote_http_own_line(w->t, "Host");
  /* After a redirect to another host the application's Host would be wrong (CURLOPT_HTTPHEADER(3)). */
  if(own && *own && !w->t->run->request.other_origin) {
    if(*own == ';' || own[1]) {
      w->wire->field(w, "Host", 4);
      mote_http_put_text(w, own + 1);
      mote_http_end_field(w);
    }
    return;
  }
  mote_http_begin_field(w, "Host", "");
  put_printed(w, mote_http_is_forwarded(w->t) ? print_proxied_host : print_authority);
  mote_http_end_field(w);
}

/* ---- the list ---- */

static uint32_t judged_fields(const struct mote_transfer *t)
{
  uint32_t fields = 0;
  unsigned i;
  if(mote_options_judge(&t->options))
    for(i = 0; mote_http_judges[i]; i++)
      fields |= mote_http_judges[i]->fields;
  return fields;
}

void mote_http_expect_response(struct mote_transfer *t)
{
  uint32_t fields = judged_fields(t);
  unsigned i;
  for(i = 0; mote_http_hooks[i]; i++)
    fields |= mote_http_hooks[i]->fields;
  mote_http_of(t)->fields = fields;
}

/* Finds the features that this request needs, and the fields of its response that any feature reads. Most
 * requests need none, and then no place costs anything. */
static void choose_hooks(struct mote_http_writer *w)
{
  const struct mote_http_hook *hook;
  unsigned login = w->url->has & (1u << MOTE_URL_USER | 1u << MOTE_URL_PASSWORD);
  unsigned also = (login ? MOTE_HTTP_ALSO_LOGIN : 0u) |
                  (mote_http_is_forwarded(w->t) ? MOTE_HTTP_ALSO_FORWARDED : 0u) |
                  mote_protocol_upgrade(w->t->run->request.scheme->protocol) |
                  (MOTE_HAS_ALTSVC && w->t->run->request.elsewhere ? MOTE_HTTP_ALSO_ELSEWHERE : 0u);
  uint64_t set = w->t->options.seen;
  uint32_t fields = 0;
  unsigned hooks = 0, bit = 1;
  unsigned i;
  memset(w->features, 0, sizeof w->features);
  for(i = 0; (hook = mote_http_hooks[i]) != NULL; i++, bit <<= 1) {
    fields |= hook->fields;
    if((set & hook->options) || (also & hook->also)) {
      hooks |= bit;
      w->features[hook->place] |= (uint16_t)bit;
    }
  }
  mote_http_of(w->t)->fields = fields | judged_fields(w->t);
  mote_http_of(w->t)->hooks = (uint16_t)hooks;
}

/* Most features that are asked for write in one place only. */
static void request_put_hooks(struct mote_http_writer *w, enum mote_http_place place)
{
  unsigned left = w->features[place];
  while(left)
    mote_http_first_hook(&left)->request(w);
}

/* CURLOPT_TRAILERFUNCTION adds no Trailer field. The application does (CURLOPT_TRAILERFUNCTION(3)). */
void mote_http_write(struct mote_http_writer *w)
{
  const struct mote_options *o = &w->t->options;
  const char *agent = mote_opt_str(o, CURLOPT_USERAGENT);
  const char *followed = w->t->run->request.referer;
  struct mote_url url;
  mote_url_unpack(&w->t->run->request.url, &url);
  w->url = &url;
  choose_hooks(w);
  w->wire->begin(w);
  request_put_host(w);
  request_put_hooks(w, MOTE_HTTP_AFTER_HOST);
  mote_http_put_optional(w, "User-Agent", agent && *agent ? agent : NULL);
  mote_http_put_optional(w, "Accept", "*/*");
  request_put_hooks(w, MOTE_HTTP_AFTER_ACCEPT);
  mote_http_put_optional(w, "Referer", followed ? followed : mote_opt_str(o, CURLOPT_REFERER));
  w->wire->framing(w);
  request_put_hooks(w, MOTE_HTTP_AFTER_REFERER);
  mote_http_put_lines(w, mote_opt_ptr(o, CURLOPT_HTTPHEADER));
  request_put_hooks(w, MOTE_HTTP_AFTER_CUSTOM);
  request_put_body_fields(w);
  w->wire->finish(w);
  w->url = NULL;
}
