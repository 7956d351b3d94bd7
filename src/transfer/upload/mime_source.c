/* transfer/upload/mime_source.c: a form as the reader at the bottom of a request's body
 * (transfer/upload/source.h). */
#include <stdio.h>

#include "base/report.h"
#include "transfer/transfer.h"
#include "transfer/upload/mime.h"
#include "transfer/upload/source.h"
#include "transfer/upload/stdio.h"

struct from_form {
  struct mote_reader reader;
  struct curl_mime *form; /* NULL: the request has an empty form */
  curl_off_t size;        /* bytes, -1: unknown */
  CURLcode failed;        /* met after bytes that were given first, or CURLE_OK */
  bool is_form;           /* multipart/form-data */
  bool mail;              /* it is sent as a mail */
  bool owned;             /* the form was made for this transfer */
};

static struct mote_mime_reading reading(struct mote_transfer *t, const struct from_form *f)
{
  bool escape = (mote_opt_long(&t->options, CURLOPT_MIME_OPTIONS) & CURLMIMEOPT_FORMESCAPE) != 0;
  struct mote_mime_reading how = {.t = t, .backslash = f->mail || escape, .mail = f->mail};
  return how;
}

/* Bytes that were read before something went wrong are sent, and the next read reports it. */
static CURLcode form_read(struct mote_transfer *t, struct mote_reader *r, struct mote_piece *p)
{
  struct from_form *f = (struct from_form *)r;
  struct mote_mime_reading how = reading(t, f);
  CURLcode rc;
  p->end = !f->form;
  if(!f->form || f->failed)
    return f->failed;
  rc = mote_mime_read(&how, f->form, f->is_form, p);
  if(!rc || !p->len)
    return rc;
  f->failed = rc == CURLE_AGAIN ? CURLE_OK : rc;
  return CURLE_OK;
}

static CURLcode cannot_rewind(struct mote_transfer *t, CURLcode rc)
{
  if(rc)
    mote_fail(&t->report, "the form must be sent again, but a part of it cannot be rewound");
  return rc;
}

static CURLcode form_rewind(struct mote_transfer *t, struct mote_reader *r, bool again)
{
  struct from_form *f = (struct from_form *)r;
  struct mote_mime_reading how = reading(t, f);
  CURLcode rc = f->form ? mote_mime_rewind(&how, f->form) : CURLE_OK;
  f->failed = CURLE_OK;
  return again ? cannot_rewind(t, rc) : rc;
}

static curl_off_t form_size(const struct mote_reader *r)
{
  return ((const struct from_form *)r)->size;
}

static int form_file(struct mote_reader *r, curl_off_t *len)
{
  struct from_form *f = (struct from_form *)r;
  return f->form && !f->failed ? mote_mime_file(f->form, len) : -1;
}

static bool form_moved(struct mote_reader *r, curl_off_t n)
{
  return mote_mime_moved(((struct from_form *)r)->form, n);
}

static void form_close(struct mote_transfer *t, struct mote_reader *r)
{
  struct from_form *f = (struct from_form *)r;
  (void)t;
  if(!f->form)
    return;
  mote_mime_rest(f->form);
  f->form->busy = false;
  if(f->owned)
    mote_mime_close(f->form);
}

static const struct mote_reader_row form_row = {
  .name = "form",
  .bytes = sizeof(struct from_form),
  .read = form_read,
  .rewind = form_rewind,
  .size = form_size,
  .file = MOTE_HAS_SENDFILE ? form_file : NULL,
  .moved = MOTE_HAS_SENDFILE ? form_moved : NULL,
  .close = form_close,
};

/* All of it lies in memory, so that a small one is sent with the head. */
static const struct mote_reader_row memory_form_row = {
  .name = "form in memory",
  .bytes = sizeof(struct from_form),
  .at_hand = true,
  .read = form_read,
  .rewind = form_rewind,
  .size = form_size,
  .close = form_close,
};

/* ---- opening ---- */

static size_t read_stdio(char *to, size_t size, size_t n, void *file)
{
  return mote_stdio_read(to, size * n, file);
}

static CURLcode find_form(struct mote_transfer *t, struct curl_mime **form, bool *owned)
{
  const struct curl_httppost *post = mote_opt_ptr(&t->options, CURLOPT_HTTPPOST);
  curl_read_callback read = (curl_read_callback)mote_opt_fn(&t->options, CURLOPT_READFUNCTION);
  *form = mote_opt_ptr(&t->options, CURLOPT_MIMEPOST);
  *owned = !*form && post;
  return *owned ? mote_mime_from_post(post, read ? read : read_stdio, form) : CURLE_OK;
}

static CURLcode mime_source_prepare(struct mote_transfer *t, struct from_form *f)
{
  struct mote_mime_reading how = reading(t, f);
  const char *type = mote_mime_field(mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER), "Content-Type");
  bool refused = false;
  CURLcode rc;
  f->is_form = type ? mote_mime_is_form_data(type) : !f->mail;
  rc = cannot_rewind(t, mote_mime_rewind(&how, f->form));
  if(rc)
    return rc;
  mote_mime_measure(f->form);
  f->size = mote_mime_size(&how, f->form, f->is_form, &refused);
  if(!refused)
    return CURLE_OK;
  return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report,
                      "a name in the form has a line break, for which CURLMIMEOPT_FORMESCAPE has no escape");
}

static struct from_form *mime_source_begin(struct mote_transfer *t, struct curl_mime *form, bool owned)
{
  const struct mote_reader_row *row = !form || mote_mime_at_hand(form) ? &memory_form_row : &form_row;
  struct from_form *f = (struct from_form *)mote_source_begin(t, owned || !form ? NULL : form->chain, row);
  if(!f)
    return NULL;
  f->form = form;
  f->owned = owned;
  if(form)
    form->busy = true;
  return f;
}

CURLcode mote_mime_open(struct mote_transfer *t, bool mail)
{
  struct curl_mime *form;
  struct from_form *f;
  bool owned;
  CURLcode rc;
  mote_source_close(t);
  rc = find_form(t, &form, &owned);
  if(rc)
    return rc;
  if(form && form->busy)
    return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report, "another transfer is sending this form");
  f = mime_source_begin(t, form, owned);
  if(!f) {
    if(owned)
      mote_mime_close(form);
    return CURLE_OUT_OF_MEMORY;
  }
  f->mail = mail;
  rc = form ? mime_source_prepare(t, f) : CURLE_OK;
  mote_request_announce(&t->run->request, rc ? -1 : f->size);
  return rc;
}

const struct curl_mime *mote_mime_sent(const struct mote_transfer *t)
{
  const struct mote_reader *r = mote_source_bottom(t);
  bool is_form = r && (r->row == &form_row || r->row == &memory_form_row);
  return is_form ? ((const struct from_form *)r)->form : NULL;
}
