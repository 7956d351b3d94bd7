/* protocol/mux/mux_fields.c: the fields that a session takes, and the trailers of a request
 * (protocol/mux/exchange.h). */
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "http/request.h"
#include "net/mux/fields.h"
#include "protocol/http1/h1.h"
#include "protocol/mux/exchange.h"
#include "transfer/upload/source.h"

/* ---- fields ---- */

CURLcode mote_mux_fields_open(struct mote_mux_fields *f, struct mote_transfer *t, size_t count,
                             struct mote_slice room)
{
  const uintptr_t odd = sizeof(void *) - 1;
  size_t need = count * sizeof *f->fields + odd;
  uintptr_t at = (uintptr_t)room.ptr;
  f->count = 0;
  f->block = NULL;
  if(room.len < need) {
    f->block = mote_kept_new(t, need);
    if(!f->block)
      return CURLE_OUT_OF_MEMORY;
    at = (uintptr_t)f->block->bytes;
  }
  f->fields = (struct mote_mux_field *)((at + odd) & ~odd);
  return CURLE_OK;
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
static void mux_fields_add_trailer(struct mote_mux_fields *f, char *text, size_t at, size_t end)
{
  const char *colon = memchr(text + at, ':', end - at);
  size_t name_len = (size_t)(colon - text) - at;
  struct mote_mux_note n = {(uint32_t)at, (uint32_t)name_len, (uint32_t)(at + name_len + 1), 0};
  if(mote_mux_judge(text, end, &n) == MOTE_MUX_SENT)
    f->fields[f->count++] = mote_mux_field_at(text, &n);
}

static CURLcode submit_lines(struct mote_mux_exchange *s, char *lines, size_t len)
{
  struct mote_mux_fields f;
  CURLcode rc = mote_mux_fields_open(&f, s->t, count_lines(lines, len), (struct mote_slice){NULL, 0});
  size_t at = 0;
  if(rc)
    return rc;
  while(at < len) {
    size_t end = (size_t)((const char *)memchr(lines + at, '\n', len - at) - lines);
    mux_fields_add_trailer(&f, lines, at, end - 1);
    at = end + 1;
  }
  rc = mote_mux_row_of(s->t)->trailers(s, f.fields, f.count);
  mote_kept_free(s->t, f.block);
  return rc;
}

CURLcode mote_mux_end_body(struct mote_mux_exchange *s, struct mote_mux_piece *p)
{
  curl_trailer_callback fn = trailers_of(s->t);
  struct mote_buf b;
  CURLcode rc;
  p->end = true;
  if(!fn)
    return CURLE_OK;
  mote_buf_init(&b, &s->t->account, MOTE_PART_TRANSFER, MOTE_H1_TRAILERS_MAX);
  rc = mote_h1_ask_trailers(s->t, fn, &b);
  if(!rc && b.len) {
    rc = submit_lines(s, b.ptr, b.len);
    p->trailers = true;
  }
  mote_buf_close(&b);
  return rc;
}
