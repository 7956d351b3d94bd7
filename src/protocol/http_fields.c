/* protocol/http_fields.c: the fields that the body asks for. */
#include "base/report.h"
#include "protocol/http_writer.h"
#include "transfer/source.h"

#define EXPECT_THRESHOLD (1024 * 1024) /* bodies above this, and of unknown size, ask first */

static bool says_chunked(const char *value)
{
  return value && mote_list_has_token(mote_slice_of(value), "chunked");
}

/* Of a body that the application sends chunked no size is announced; that of a POST is unknown until its
 * callback has told the end (CURLOPT_POSTFIELDSIZE(3)). */
static void forget_size(struct mote_run *r)
{
  r->size_up = -1;
  if(r->method == MOTE_METHOD_POST && !r->body->memory && r->body->size)
    r->body->size = -1;
}

/* Chunked when the length is unknown or the application says so; HTTP/1.0 has no such coding, and what the
 * application then says of itself is its own affair. */
void mote_http_choose_framing(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  bool removed;
  const char *own = mote_http_custom_header(t, "Transfer-Encoding", &removed);
  h->upload_chunked = says_chunked(own);
  if(!t->run->body) /* the head promises a body: put_all() ends it at once */
    return;
  h->upload_chunked = h->upload_chunked || (t->run->body->size < 0 && !own);
  if(h->upload_chunked && own)
    forget_size(t->run);
  if(h->upload_chunked && h->old && !own) {
    mote_fail(&t->report, "HTTP/1.0 has no chunked uploads: state the size of the body");
    w->rc = CURLE_UPLOAD_FAILED;
  }
}

/* The application's own stands among its other fields. */
void mote_http_put_transfer_encoding(struct mote_http_writer *w)
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
  const struct mote_body *b = t->run->body;
  bool removed;
  const char *own = mote_http_custom_header(t, "Expect", &removed);
  h->sending = MOTE_HTTP_SEND_BODY;
  if(own && !removed && mote_list_has_token(mote_slice_of(own), "100-continue"))
    h->sending = MOTE_HTTP_SEND_WAIT;
  if(own || h->old || t->run->no_expect || (b->size >= 0 && b->size <= EXPECT_THRESHOLD))
    return;
  mote_http_put_text(w, "Expect: 100-continue\r\n");
  h->sending = MOTE_HTTP_SEND_WAIT;
}

void mote_http_put_body_fields(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  struct mote_http *h = mote_http_of(t);
  const struct mote_body *b = t->run->body;
  if(!b) {
    h->sending = MOTE_HTTP_SEND_DONE;
    return;
  }
  if(b->size >= 0 && !h->upload_chunked && !mote_http_has_own(t, "Content-Length")) {
    mote_http_put_text(w, "Content-Length: ");
    mote_http_put_number(w, b->size);
    mote_http_put(w, "\r\n", 2);
  }
  if(t->run->method == MOTE_METHOD_POST && !mote_http_has_own(t, "Content-Type"))
    mote_http_put_text(w, "Content-Type: application/x-www-form-urlencoded\r\n");
  put_expect(w);
  if(b->size == 0 && !h->upload_chunked)
    h->sending = MOTE_HTTP_SEND_DONE;
}
