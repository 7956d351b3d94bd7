/* protocol/h2_fields.c: lines of HTTP/1 as the fields of HTTP/2, and the trailers of a request
 * (protocol/h2.h). */
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "http/request.h"
#include "protocol/h1.h"
#include "protocol/h2.h"
#include "transfer/source.h"

/* ---- lines ---- */

nghttp2_nv *mote_h2_fields_place(char *bytes)
{
  const uintptr_t odd = sizeof(void *) - 1;
  return (nghttp2_nv *)(((uintptr_t)bytes + odd) & ~odd);
}

size_t mote_h2_count_lines(const char *p, size_t len)
{
  const char *end = p + len;
  size_t count = 0;
  while((p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
    p++;
    count++;
  }
  return count;
}

void mote_h2_add_field(struct mote_h2_fields *c, const char *name, size_t name_len, const char *value,
                       size_t value_len, uint8_t flags)
{
  nghttp2_nv *nv = &c->fields[c->count++];
  nv->name = (uint8_t *)(uintptr_t)name;
  nv->namelen = name_len;
  nv->value = (uint8_t *)(uintptr_t)value;
  nv->valuelen = value_len;
  nv->flags = flags;
}

/* Fields of the connection, which HTTP/2 does not have (RFC 9113 section 8.2.2). */
static bool is_left_out(struct mote_slice name, struct mote_slice value)
{
  static const char *const names[] = {"connection", "upgrade", "keep-alive", "proxy-connection",
                                      "transfer-encoding"};
  static const uint32_t lengths = 1u << 2 | 1u << 7 | 1u << 10 | 1u << 16 | 1u << 17; /* of these and TE */
  size_t i;
  if(name.len > 17 || !(lengths >> name.len & 1u))
    return false;
  if(mote_slice_is(name, "te"))
    return !mote_slice_is(value, "trailers");
  for(i = 0; i < sizeof names / sizeof *names; i++)
    if(mote_slice_is(name, names[i]))
      return true;
  return false;
}

static void lower(char *p, size_t len)
{
  size_t i;
  for(i = 0; i < len; i++)
    if(p[i] >= 'A' && p[i] <= 'Z')
      p[i] = (char)(p[i] | 0x20);
}

void mote_h2_cut_line(struct mote_h2_fields *c, char *line, size_t len)
{
  const char *colon = memchr(line, ':', len);
  struct mote_slice name = {line, colon ? (size_t)(colon - line) : len}, value;
  if(!colon)
    return;
  value.ptr = colon + 1;
  value.len = len - name.len - 1;
  if(value.len && *value.ptr == ' ') {
    value.ptr++;
    value.len--;
  }
  if(is_left_out(name, value))
    return;
  lower(line, name.len);
  mote_h2_add_field(c, name.ptr, name.len, value.ptr, value.len, NGHTTP2_NV_FLAG_NONE);
}

/* ---- trailers ---- */

/* An upload has trailers where HTTP/1.1 would send it in chunks. */
static curl_trailer_callback trailers_of(const struct mote_transfer *t)
{
  curl_trailer_callback fn = (curl_trailer_callback)mote_opt_fn(&t->options, CURLOPT_TRAILERFUNCTION);
  return fn && (mote_source_size(t) < 0 || mote_http_own_line(t, "Transfer-Encoding")) ? fn : NULL;
}

static CURLcode submit_lines(const struct mote_h2_stream *s, char *lines, size_t len)
{
  size_t need = mote_h2_count_lines(lines, len) * sizeof(nghttp2_nv) + sizeof(void *);
  struct mote_kept *block = mote_kept_new(s->t, need);
  struct mote_h2_fields c = {NULL, 0};
  char *at = lines, *last = lines + len, *end;
  int rc;
  if(!block)
    return CURLE_OUT_OF_MEMORY;
  c.fields = mote_h2_fields_place(block->bytes);
  for(; at < last; at = end + 1) {
    end = memchr(at, '\n', (size_t)(last - at));
    mote_h2_cut_line(&c, at, (size_t)(end - at) - 1);
  }
  rc = nghttp2_submit_trailer(mote_h2_of(s->t)->session, s->id, c.fields, c.count);
  mote_kept_free(s->t, block);
  return !rc ? CURLE_OK : rc == NGHTTP2_ERR_NOMEM ? CURLE_OUT_OF_MEMORY : CURLE_HTTP2;
}

CURLcode mote_h2_end_body(struct mote_h2_stream *s, uint32_t *flags)
{
  curl_trailer_callback fn = trailers_of(s->t);
  struct mote_buf b;
  CURLcode rc;
  *flags |= NGHTTP2_DATA_FLAG_EOF;
  if(!fn)
    return CURLE_OK;
  mote_buf_init(&b, &s->t->account, MOTE_PART_TRANSFER, MOTE_H1_TRAILERS_MAX);
  rc = mote_h1_ask_trailers(s->t, fn, &b);
  if(!rc && b.len) {
    rc = submit_lines(s, b.ptr, b.len);
    *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
  }
  mote_buf_close(&b);
  return rc;
}

bool mote_h2_is_repeatable(const struct mote_transfer *t)
{
  const char *name = mote_http_method(t);
  bool has_body = t->run->request.method != MOTE_METHOD_GET && t->run->request.method != MOTE_METHOD_HEAD;
  return !has_body && (!strcmp(name, "GET") || !strcmp(name, "HEAD"));
}
