/* transfer/upload/mime_read.c: gives the bytes of a form (transfer/upload/mime.h): a walk over the tree
 * that stops wherever the room ends, and goes on there. A part's content passes its encoding. */
#include "transfer/upload/mime.h"

#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "base/text.h"
#include "port/file.h"
#include "transfer/callback.h"
#include "transfer/transfer.h"
#include "transfer/upload/source.h"

/* What is filled, and what stopped that. */
struct filler {
  const struct mote_mime_reading *how;
  char *to;
  size_t room; /* bytes left */
  CURLcode rc; /* CURLE_AGAIN: a callback has paused */
};

static void mime_read_fail(const struct mote_mime_reading *how, const char *text)
{
  if(how->t)
    mote_fail(&how->t->report, "%s", text);
}

/* ---- the head of a part ---- */

/* Content-Type as it was set, or as the application's own line has it, or NULL. */
static const char *own_type(const struct curl_mimepart *p)
{
  return p->type.ptr ? p->type.ptr : mote_mime_field(p->headers, "Content-Type");
}

/* The same, or as the name suggests: a file that is sent without a name has none (observed). */
static const char *mime_read_type_of(const struct curl_mimepart *p)
{
  const char *type = own_type(p);
  if(type)
    return type;
  if(p->kind == MOTE_MIME_FORM)
    return "multipart/mixed";
  type = mote_mime_type_of(p->filename.ptr);
  if(type || p->kind != MOTE_MIME_FILE || !p->filename.ptr)
    return type;
  type = mote_mime_type_of(p->text.ptr);
  return type ? type : "application/octet-stream";
}

bool mote_mime_is_form_data(const char *type)
{
  static const char form[] = "multipart/form-data";
  const size_t len = sizeof form - 1;
  return mote_equal_nocase_n(type, form, len) && (!type[len] || strchr("; \t\r\n", type[len]));
}

static void put_disposition(struct mote_mime_text *x, const struct curl_mimepart *p, bool is_form,
                            bool backslash)
{
  if(!is_form && !p->name.ptr && !p->filename.ptr)
    return;
  if(is_form)
    mote_mime_put(x, "Content-Disposition: form-data", 30);
  else
    mote_mime_put(x, "Content-Disposition: attachment", 31);
  if(p->name.ptr) {
    mote_mime_put(x, "; name=", 7);
    mote_mime_put_quoted(x, p->name.ptr, backslash);
  }
  if(p->filename.ptr) {
    mote_mime_put(x, "; filename=", 11);
    mote_mime_put_quoted(x, p->filename.ptr, backslash);
  }
  mote_mime_put(x, "\r\n", 2);
}

/* The application's line of a type is written in its place among the others of ours. */
static bool is_type_line(const char *line)
{
  static const char type[] = "Content-Type:";
  return mote_equal_nocase_n(line, type, sizeof type - 1);
}

static void put_own_lines(struct mote_mime_text *x, const struct curl_slist *l)
{
  for(; l; l = l->next) {
    if(is_type_line(l->data))
      continue;
    mote_mime_puts(x, l->data);
    mote_mime_put(x, "\r\n", 2);
  }
}

/* The part of a mail is plain text of 7 bits unless it says otherwise (RFC 2045 section 5.2, 6.1). */
static const char *type_in_mail(const struct curl_mimepart *p)
{
  const char *type = mime_read_type_of(p);
  return type && !own_type(p) && !strcmp(type, "text/plain") ? NULL : type;
}

static const char *coding_of(const struct mote_mime_reading *how, const struct curl_mimepart *p,
                             const char *type)
{
  if(p->coding)
    return p->coding->name;
  return how->mail && type && p->kind != MOTE_MIME_FORM ? "8bit" : NULL;
}

static void mime_read_put_fields(struct mote_mime_text *x, const struct mote_mime_reading *how,
                                 const struct curl_mimepart *p, bool is_form)
{
  const char *type = how->mail ? type_in_mail(p) : mime_read_type_of(p);
  const char *coding = coding_of(how, p, type);
  if(!p->headers || !mote_mime_field(p->headers, "Content-Disposition"))
    put_disposition(x, p, is_form, how->backslash);
  if(type) {
    mote_mime_put(x, "Content-Type: ", 14);
    mote_mime_puts(x, type);
    if(p->kind == MOTE_MIME_FORM) {
      mote_mime_put(x, "; boundary=", 11);
      mote_mime_put(x, p->from.inner->boundary, MOTE_MIME_BOUNDARY);
    }
    mote_mime_put(x, "\r\n", 2);
  }
  if(coding && (!p->headers || !mote_mime_field(p->headers, "Content-Transfer-Encoding"))) {
    mote_mime_put(x, "Content-Transfer-Encoding: ", 27);
    mote_mime_puts(x, coding);
    mote_mime_put(x, "\r\n", 2);
  }
  put_own_lines(x, p->headers);
  mote_mime_put(x, "\r\n", 2);
}

/* A line ends where it is broken, so that no other follows in it. */
static void put_mail_line(struct mote_mime_text *x, const char *line)
{
  mote_mime_put(x, line, strcspn(line, "\r\n"));
  mote_mime_put(x, "\r\n", 2);
}

/* The head of the whole: its type, Mime-Version, and the application's lines (CURLOPT_HTTPHEADER). */
static void put_mail_head(struct mote_mime_text *x, const struct mote_transfer *t, const struct curl_mime *m)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER);
  const char *type = mote_mime_field(l, "Content-Type");
  if(!type)
    type = "multipart/mixed";
  mote_mime_puts(x, "Content-Type: ");
  mote_mime_put(x, type, strcspn(type, "\r\n"));
  mote_mime_puts(x, "; boundary=");
  put_mail_line(x, m->boundary);
  if(!mote_mime_field(l, "Mime-Version"))
    put_mail_line(x, "Mime-Version: 1.0");
  for(; l; l = l->next)
    if(!is_type_line(l->data))
      put_mail_line(x, l->data);
  mote_mime_put(x, "\r\n", 2);
}

/* The delimiter before a part and the part's head; p NULL: the closing delimiter. */
static void mime_read_put_head(struct mote_mime_text *x, const struct mote_mime_reading *how,
                               const struct curl_mime *m,
                               const struct curl_mimepart *p, bool is_form)
{
  if(p != m->first)
    mote_mime_put(x, "\r\n", 2);
  else if(how->mail && !m->parent)
    put_mail_head(x, how->t, m);
  mote_mime_put(x, "--", 2);
  mote_mime_put(x, m->boundary, MOTE_MIME_BOUNDARY);
  if(!p) {
    mote_mime_put(x, "--\r\n", 4);
    return;
  }
  mote_mime_put(x, "\r\n", 2);
  mime_read_put_fields(x, how, p, is_form);
}

static bool holds_form_data(const struct curl_mimepart *p)
{
  const char *type = mime_read_type_of(p);
  return type && mote_mime_is_form_data(type);
}

/* ---- sizes ---- */

static curl_off_t part_size(const struct mote_mime_reading *how, const struct curl_mimepart *p, bool *refused)
{
  curl_off_t size = p->size;
  if(p->kind == MOTE_MIME_FORM)
    size = mote_mime_size(how, p->from.inner, holds_form_data(p), refused);
  if(size < 0)
    return -1;
  return p->coding && p->coding->size ? p->coding->size(size) : size;
}

curl_off_t mote_mime_size(const struct mote_mime_reading *how, const struct curl_mime *m, bool is_form,
                          bool *refused)
{
  const struct curl_mimepart *p;
  struct mote_mime_text x = {.room = 0};
  curl_off_t sum = 0;
  for(p = m->first; p; p = p->next) {
    curl_off_t size = part_size(how, p, refused);
    mime_read_put_head(&x, how, m, p, is_form);
    sum = size < 0 || sum < 0 || size > INT64_MAX / 4 - sum ? -1 : sum + size;
  }
  mime_read_put_head(&x, how, m, NULL, is_form);
  *refused = *refused || x.refused;
  return sum < 0 ? -1 : sum + (curl_off_t)x.total;
}

/* ---- content ---- */

static void mime_read_filled(struct filler *f, size_t n)
{
  f->to += n;
  f->room -= n;
}

/* Returns how much of the room the content may still fill. */
static size_t mime_read_most_of(const struct filler *f, const struct curl_mimepart *p)
{
  if(p->size >= 0 && p->size - p->at < (curl_off_t)f->room)
    return (size_t)(p->size - p->at);
  return f->room;
}

static bool mime_read_took(struct filler *f, struct curl_mimepart *p, size_t n)
{
  mime_read_filled(f, n);
  p->at += (curl_off_t)n;
  return p->at == p->size;
}

/* True: the content is over. */
static bool mime_read_ended_early(struct filler *f, const struct curl_mimepart *p)
{
  if(p->size < 0)
    return true;
  if(f->how->t)
    mote_fail(&f->how->t->report,
              "a part of the form ended after %" CURL_FORMAT_CURL_OFF_T " of %" CURL_FORMAT_CURL_OFF_T
              " bytes", p->at, p->size);
  f->rc = CURLE_READ_ERROR;
  return false;
}

static bool read_data(struct filler *f, struct curl_mimepart *p)
{
  size_t n = mime_read_most_of(f, p);
  if(n)
    memcpy(f->to, p->text.ptr + p->at, n);
  return mime_read_took(f, p, n);
}

static void close_file(struct curl_mimepart *p)
{
  (void)mote_port_file_close(p->file);
  p->file = -1;
}

static bool mime_read_file(struct filler *f, struct curl_mimepart *p)
{
  size_t n, most = mime_read_most_of(f, p);
  int err = 0;
  if(!most)
    return true;
  p->touched = true;
  if(p->file < 0)
    err = mote_port_file_open(p->text.ptr, MOTE_FILE_READ, 0, &p->file);
  if(!err)
    err = mote_port_file_read(p->file, f->to, most, &n);
  if(err) {
    if(f->how->t)
      mote_fail(&f->how->t->report, "cannot read %s for the form", p->text.ptr);
    f->rc = CURLE_READ_ERROR;
    return false;
  }
  if(n && !mime_read_took(f, p, n))
    return false;
  if(!n && !mime_read_ended_early(f, p))
    return false;
  close_file(p);
  return true;
}

static size_t mime_call_read(const struct mote_mime_reading *how, const struct mote_mime_callback *c,
                             char *to,
                             size_t room)
{
  struct mote_callback_guard g = {0};
  size_t n;
  if(how->t)
    g = mote_callback_enter(how->t);
  n = c->read(to, 1, room, c->arg);
  if(how->t)
    mote_callback_leave(how->t, g);
  return n;
}

static void mime_read_refused(struct filler *f, size_t n)
{
  if(n == CURL_READFUNC_ABORT) {
    mime_read_fail(f->how, "operation aborted by callback");
    f->rc = CURLE_ABORTED_BY_CALLBACK;
  }
  else if(n == CURL_READFUNC_PAUSE && f->how->t) {
    f->how->t->run->flow.send.paused = true;
    f->rc = CURLE_AGAIN;
  }
  else {
    mime_read_fail(f->how, "the read function of a part returned more bytes than fit");
    f->rc = CURLE_READ_ERROR;
  }
}

static bool read_callback(struct filler *f, struct curl_mimepart *p)
{
  size_t n, most = mime_read_most_of(f, p);
  if(!most)
    return true;
  p->touched = true;
  n = mime_call_read(f->how, &p->from.call, f->to, most);
  if(n > most) {
    mime_read_refused(f, n);
    return false;
  }
  return n ? mime_read_took(f, p, n) : mime_read_ended_early(f, p);
}

static void read_form(struct filler *f, struct curl_mime *m, bool is_form);

/* Reads content as it is. True: the content is over. */
static bool read_raw(struct filler *f, struct curl_mimepart *p)
{
  switch((enum mote_mime_kind)p->kind) {
  case MOTE_MIME_DATA:
    return read_data(f, p);
  case MOTE_MIME_FILE:
    return mime_read_file(f, p);
  case MOTE_MIME_CALLBACK:
    return read_callback(f, p);
  case MOTE_MIME_FORM:
    read_form(f, p->from.inner, holds_form_data(p));
    return p->from.inner->over;
  case MOTE_MIME_NONE:
    break;
  }
  return true;
}

/* Encodes as much as is sure to fit. The bytes from below lie at the end of the same room, which the encoded
 * ones cannot reach before they are used. */
static size_t encode_some(struct filler *f, struct curl_mimepart *p, char *room, size_t size)
{
  size_t most = (size - MOTE_MIME_ENCODED(0)) / (MOTE_MIME_ENCODED(1) - MOTE_MIME_ENCODED(0));
  char *raw = room + size - most;
  struct filler below = {.how = f->how, .to = raw, .room = most};
  bool end = read_raw(&below, p);
  size_t n = p->coding->encode(&p->coder, raw, most - below.room, end, room);
  f->rc = below.rc;
  p->coded = end;
  if(p->coder.refused) {
    mime_read_fail(f->how, "a part with the encoding 7bit has a byte above 127");
    f->rc = CURLE_READ_ERROR;
  }
  return n;
}

static void empty_drain(struct filler *f, struct curl_mimepart *p)
{
  size_t n = (size_t)(p->drain_len - p->drain_at);
  if(n > f->room)
    n = f->room;
  memcpy(f->to, p->drain + p->drain_at, n);
  p->drain_at = (uint8_t)(p->drain_at + n);
  mime_read_filled(f, n);
}

static bool read_coded(struct filler *f, struct curl_mimepart *p)
{
  while(f->room && !f->rc) {
    if(p->drain_at < p->drain_len)
      empty_drain(f, p);
    else if(p->coded)
      return true;
    else if(f->room < MOTE_MIME_DRAIN) {
      p->drain_at = 0;
      p->drain_len = (uint8_t)encode_some(f, p, p->drain, sizeof p->drain);
    }
    else
      mime_read_filled(f, encode_some(f, p, f->to, f->room));
  }
  return p->coded && p->drain_at == p->drain_len;
}

/* ---- the walk ---- */

static void mime_read_next_part(struct curl_mime *m)
{
  m->at = m->at->next;
  m->in_head = true;
}

/* Writes what fits of the next head. */
static void mime_read_head(struct filler *f, struct curl_mime *m, bool is_form)
{
  struct mote_mime_text x = {.to = f->to, .room = f->room, .skip = m->head_at};
  mime_read_put_head(&x, f->how, m, m->at, is_form);
  mime_read_filled(f, x.written);
  m->head_at += x.written;
  if(m->head_at < x.total)
    return;
  m->head_at = 0;
  m->in_head = false;
  m->over = !m->at;
}

static void read_form(struct filler *f, struct curl_mime *m, bool is_form)
{
  while(f->room && !f->rc && !m->over) {
    struct curl_mimepart *p = m->at;
    if(m->in_head)
      mime_read_head(f, m, is_form);
    else if(p->coding && p->coding->encode ? read_coded(f, p) : read_raw(f, p))
      mime_read_next_part(m);
  }
}

CURLcode mote_mime_read(const struct mote_mime_reading *how, struct curl_mime *m, bool is_form,
                        struct mote_piece *p)
{
  struct filler f = {.how = how, .to = p->room, .room = p->most};
  read_form(&f, m, is_form);
  p->bytes = p->room;
  p->len = p->most - f.room;
  p->end = m->over;
  return f.rc;
}

/* ---- a file that is sent without being read ---- */

static bool is_encoded(const struct curl_mimepart *p)
{
  return p->coding && p->coding->encode;
}

/* Returns the form whose bytes come next as they are. */
static struct curl_mime *innermost(struct curl_mime *m)
{
  while(!m->in_head && m->at && m->at->kind == MOTE_MIME_FORM && !is_encoded(m->at))
    m = m->at->from.inner;
  return m;
}

int mote_mime_file(struct curl_mime *form, curl_off_t *len)
{
  const struct curl_mime *m = innermost(form);
  const struct curl_mimepart *p = m->at;
  if(m->in_head || !p || p->kind != MOTE_MIME_FILE || !p->regular || p->file < 0 || is_encoded(p))
    return -1;
  *len = p->size - p->at;
  return *len < MOTE_SOURCE_FILE_LEAST ? -1 : p->file;
}

bool mote_mime_moved(struct curl_mime *form, curl_off_t n)
{
  struct curl_mime *m = innermost(form);
  struct curl_mimepart *p = m->at;
  p->at += n;
  if(p->at == p->size) {
    close_file(p);
    mime_read_next_part(m);
  }
  return false; /* the closing line follows */
}

/* ---- back to the first byte ---- */

static CURLcode seek_callback(const struct mote_mime_reading *how, const struct mote_mime_callback *c)
{
  struct mote_callback_guard g = {0};
  int rc;
  if(!c->seek)
    return CURLE_SEND_FAIL_REWIND;
  if(how->t)
    g = mote_callback_enter(how->t);
  rc = c->seek(c->arg, 0, SEEK_SET);
  if(how->t)
    mote_callback_leave(how->t, g);
  return rc == CURL_SEEKFUNC_OK ? CURLE_OK : CURLE_SEND_FAIL_REWIND;
}

static CURLcode rewind_content(const struct mote_mime_reading *how, struct curl_mimepart *p)
{
  CURLcode rc = CURLE_OK;
  if(p->kind == MOTE_MIME_FORM)
    return mote_mime_rewind(how, p->from.inner);
  if(!p->touched)
    return CURLE_OK;
  if(p->kind == MOTE_MIME_CALLBACK)
    rc = seek_callback(how, &p->from.call);
  else if(p->kind == MOTE_MIME_FILE && !p->regular)
    rc = CURLE_SEND_FAIL_REWIND;
  p->touched = rc != CURLE_OK;
  return rc;
}

CURLcode mote_mime_rewind(const struct mote_mime_reading *how, struct curl_mime *m)
{
  struct curl_mimepart *p;
  CURLcode rc = CURLE_OK;
  for(p = m->first; p; p = p->next) {
    CURLcode one = rewind_content(how, p);
    mote_mime_forget(p);
    rc = rc ? rc : one;
  }
  m->at = m->first;
  m->head_at = 0;
  m->in_head = true;
  m->over = false;
  return rc;
}

void mote_mime_rest(struct curl_mime *m)
{
  struct curl_mimepart *p;
  for(p = m->first; p; p = p->next) {
    if(p->file >= 0)
      close_file(p);
    if(p->kind == MOTE_MIME_FORM)
      mote_mime_rest(p->from.inner);
  }
}

void mote_mime_measure(struct curl_mime *m)
{
  struct mote_file_info info;
  struct curl_mimepart *p;
  for(p = m->first; p; p = p->next) {
    if(p->kind == MOTE_MIME_FORM)
      mote_mime_measure(p->from.inner);
    else if(p->kind == MOTE_MIME_FILE && p->regular && !mote_port_path_info(p->text.ptr, &info))
      p->size = info.size;
  }
}

bool mote_mime_at_hand(const struct curl_mime *m)
{
  const struct curl_mimepart *p;
  for(p = m->first; p; p = p->next) {
    bool inside = p->kind == MOTE_MIME_FORM && mote_mime_at_hand(p->from.inner);
    if(!inside && p->kind != MOTE_MIME_DATA && p->kind != MOTE_MIME_NONE)
      return false;
  }
  return true;
}
