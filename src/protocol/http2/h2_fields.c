/* protocol/http2/h2_fields.c: the fields that nghttp2 takes, and the trailers of a request
 * (protocol/http2/h2.h). */
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "http/fields.h"
#include "protocol/http1/h1.h"
#include "protocol/http2/h2.h"
#include "transfer/upload/source.h"

/* ---- fields ---- */

nghttp2_nv *mote_h2_fields_place(char *bytes)
{
  const uintptr_t odd = sizeof(void *) - 1;
  return (nghttp2_nv *)(((uintptr_t)bytes + odd) & ~odd);
}

void mote_h2_add_field(struct mote_h2_fields *c, struct mote_slice name, struct mote_slice value,
                       uint8_t flags)
{
  nghttp2_nv *nv = &c->fields[c->count++];
  nv->name = (uint8_t *)(uintptr_t)name.ptr;
  nv->namelen = name.len;
  nv->value = (uint8_t *)(uintptr_t)value.ptr;
  nv->valuelen = value.len;
  nv->flags = flags;
}

/* ---- trailers ---- */

/* An upload has trailers where HTTP/1.1 would send it in chunks. */
static curl_trailer_callback trailers_of(const struct mote_transfer *t)
{
  curl_trailer_callback fn = (curl_trailer_callback)mote_opt_fn(&t->options, CURLOPT_TRAILERFUNCTION);
  return fn && (mote_source_size(t) < 0 || mote_http_own_line(t, "Transfer-Encoding")) ? fn : NULL;
}

static size_t count_lines(const char *p, size_t len)
{
  const char *end = p + len;
  size_t count = 0;
  while((p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
    p++;
    count++;
  }
  return count;
}

/* Adds the field of a line, "name: value" without its end (mote_h1_ask_trailers()). */
static void h2_fields_add_trailer(struct mote_h2_fields *c, char *line, size_t len)
{
  const char *colon = memchr(line, ':', len);
  struct mote_slice name = {line, (size_t)(colon - line)}, value = {colon + 1, len - name.len - 1};
  char *p;
  value = mote_slice_trim(value);
  if(mote_mux_is_of_connection(mote_slice_trim(name), value))
    return;
  for(p = line; p < colon; p++)
    *p = mote_to_lower(*p);
  mote_h2_add_field(c, name, value, NGHTTP2_NV_FLAG_NONE);
}

static CURLcode submit_lines(const struct mote_h2_stream *s, char *lines, size_t len)
{
  size_t need = count_lines(lines, len) * sizeof(nghttp2_nv) + sizeof(void *);
  struct mote_kept *block = mote_kept_new(s->t, need);
  struct mote_h2_fields c = {NULL, 0};
  char *at = lines, *last = lines + len, *end;
  int rc;
  if(!block)
    return CURLE_OUT_OF_MEMORY;
  c.fields = mote_h2_fields_place(block->bytes);
  for(; at < last; at = end + 1) {
    end = memchr(at, '\n', (size_t)(last - at));
    h2_fields_add_trailer(&c, at, (size_t)(end - at) - 1);
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
