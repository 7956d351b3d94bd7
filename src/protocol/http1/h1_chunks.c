/* protocol/http1/h1_chunks.c: the reader of chunked framing (RFC 9112 section 7.1), with the trailers that
 * the application adds to a request (CURLOPT_TRAILERFUNCTION(3)). */
#include <string.h>

#include "base/buf.h"
#include "base/containers/slist.h"
#include "base/report.h"
#include "protocol/http1/h1.h"
#include "transfer/callback.h"
#include "transfer/upload/source.h"

enum stage {
  STAGE_DATA, /* the reader below has more */
  STAGE_LAST, /* the last chunk and the trailers are next */
  STAGE_ENDED
};

struct chunks {
  struct mote_reader reader;
  struct mote_kept *last; /* the last chunk with the application's trailers, while some of it is left, or
                             NULL */
  uint8_t stage;          /* enum stage */
};

/* ---- the last chunk ---- */

static CURLcode h1_chunks_add_trailer(struct mote_transfer *t, struct mote_buf *b, const char *line)
{
  const char *colon = strchr(line, ':');
  if(!colon || colon == line || colon[1] != ' ' || strpbrk(line, "\r\n")) {
    mote_info(&t->report, "Ignored a trailer line that is not \"name: value\"");
    return CURLE_OK;
  }
  {
    CURLcode rc = mote_buf_add_str(b, line);
    return rc ? rc : mote_buf_add(b, "\r\n", 2);
  }
}

CURLcode mote_h1_ask_trailers(struct mote_transfer *t, curl_trailer_callback fn, struct mote_buf *b)
{
  struct curl_slist *list = NULL, *l;
  struct mote_callback_guard g;
  CURLcode rc = CURLE_OK;
  int answer;
  g = mote_callback_enter(t);
  answer = fn(&list, mote_opt_ptr(&t->options, CURLOPT_TRAILERDATA));
  mote_callback_leave(t, g);
  if(answer != CURL_TRAILERFUNC_OK) {
    mote_fail(&t->report, "the trailer callback ended the transfer");
    rc = CURLE_ABORTED_BY_CALLBACK;
  }
  for(l = list; l && !rc; l = l->next)
    rc = h1_chunks_add_trailer(t, b, l->data);
  mote_slist_free(list);
  return rc;
}

static CURLcode make_trailers(struct mote_transfer *t, struct chunks *c, curl_trailer_callback fn)
{
  struct mote_buf b;
  CURLcode rc;
  mote_buf_init(&b, &t->account, MOTE_PART_TRANSFER, MOTE_H1_TRAILERS_MAX);
  rc = mote_buf_add(&b, "0\r\n", 3);
  if(!rc)
    rc = mote_h1_ask_trailers(t, fn, &b);
  if(!rc)
    rc = mote_buf_add(&b, "\r\n", 2);
  if(!rc) {
    c->last = mote_kept_copy(t, b.ptr, b.len);
    rc = c->last ? CURLE_OK : CURLE_OUT_OF_MEMORY;
  }
  mote_buf_close(&b);
  return rc;
}

static CURLcode read_last(struct mote_transfer *t, struct chunks *c, struct mote_piece *p)
{
  static const char last[] = "0\r\n\r\n";
  curl_trailer_callback fn = (curl_trailer_callback)mote_opt_fn(&t->options, CURLOPT_TRAILERFUNCTION);
  CURLcode rc = fn && !c->last ? make_trailers(t, c, fn) : CURLE_OK;
  if(rc)
    return rc;
  if(c->last) { /* more than one piece, if the trailers are long */
    size_t left = c->last->len - c->last->at;
    p->bytes = c->last->bytes + c->last->at;
    p->len = left < p->most ? left : p->most;
    c->last->at += (uint32_t)p->len;
    p->end = p->len == left;
  }
  else {
    p->bytes = last;
    p->len = sizeof last - 1;
    p->end = true;
  }
  p->front = p->len;
  if(p->end)
    c->stage = STAGE_ENDED;
  return CURLE_OK;
}

/* ---- data ---- */

/* Writes the size line of a chunk so that it ends at `end`, and returns its beginning. A small build has no
 * other use for formatting. */
static char *size_line(char *end, size_t len)
{
  *--end = '\n';
  *--end = '\r';
  do
    *--end = "0123456789abcdef"[len & 15];
  while((len >>= 4) != 0);
  return end;
}

/* The data starts after room for the longest size line, so that the line can be written right before it. */
static void h1_chunks_frame(struct mote_piece *p, char *data)
{
  char *line;
  size_t front;
  if(p->bytes != data)
    memcpy(data, p->bytes, p->len);
  line = size_line(data, p->len);
  front = (size_t)(data - line);
  memcpy(data + p->len, "\r\n", MOTE_H1_CHUNK_BACK);
  p->bytes = line;
  p->len += front + MOTE_H1_CHUNK_BACK;
  p->front += front;
  p->back += MOTE_H1_CHUNK_BACK;
}

static CURLcode chunks_read(struct mote_transfer *t, struct mote_reader *r, struct mote_piece *p)
{
  struct chunks *c = (struct chunks *)r;
  CURLcode rc;
  p->end = c->stage == STAGE_ENDED;
  if(c->stage == STAGE_DATA) {
    p->room += MOTE_H1_CHUNK_FRONT;
    p->most -= MOTE_H1_FRAMING;
    rc = mote_reader_read(t, r->below, p);
    if(!rc && p->end)
      c->stage = STAGE_LAST;
    if(!rc && p->len)
      h1_chunks_frame(p, p->room);
    p->room -= MOTE_H1_CHUNK_FRONT;
    p->most += MOTE_H1_FRAMING;
    p->end = false;
    if(rc || p->len)
      return rc;
  }
  return c->stage == STAGE_LAST ? read_last(t, c, p) : CURLE_OK;
}

static void drop_last(struct mote_transfer *t, struct mote_reader *r)
{
  struct chunks *c = (struct chunks *)r;
  mote_kept_free(t, c->last);
  c->last = NULL;
}

static CURLcode chunks_rewind(struct mote_transfer *t, struct mote_reader *r, bool again)
{
  (void)again;
  drop_last(t, r);
  ((struct chunks *)r)->stage = STAGE_DATA;
  return CURLE_OK;
}

const struct mote_reader_row mote_h1_chunks = {
  .name = "chunks",
  .bytes = sizeof(struct chunks),
  .read = chunks_read,
  .rewind = chunks_rewind,
  .size = mote_source_no_size,
  .close = drop_last,
};
