/* transfer/upload/source.c: the chain of readers, and the readers at its bottom (transfer/upload/source.h).
 * */
#include "base/text.h"
#include "transfer/upload/source.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "port/sendfile.h"
#include "transfer/callback.h"
#include "transfer/transfer.h"
#include "transfer/upload/mime.h"
#include "transfer/upload/stdio.h"

#define SKIP_ROOM 1024   /* bytes read at once to skip the start of a resumed upload */
#define READER_ROOM 96   /* bytes: the bottom and the reader of chunked framing */
#define READER_ALIGN ((unsigned)_Alignof(int64_t)) /* 4 on i386, where blocks of handles have no more */

struct mote_source {
  struct mote_reader *top;
  struct mote_reader *bare; /* the topmost reader that was not pushed */
  uint32_t used;            /* bytes of room in which readers lie */
  bool lent;                /* the block belongs to a form (transfer/upload/mime.h) */
  _Alignas(READER_ALIGN) char room[READER_ROOM];
};

_Static_assert(sizeof(struct mote_source) <= MOTE_SOURCE_BYTES, "who lends the block knows its size");

/* ---- the chain ---- */

struct mote_reader *mote_source_push(struct mote_transfer *t, const struct mote_reader_row *row)
{
  struct mote_source *s = t->run->body;
  struct mote_reader *r;
  if(row->bytes <= sizeof s->room - s->used) {
    r = (void *)(s->room + s->used);
    s->used += (uint32_t)((row->bytes + READER_ALIGN - 1) / READER_ALIGN * READER_ALIGN);
  }
  else
    r = mote_mem_alloc(&t->account, MOTE_PART_TRANSFER, row->bytes);
  if(!r)
    return NULL;
  memset(r, 0, row->bytes);
  r->row = row;
  r->below = s->top;
  s->top = r;
  return r;
}

static bool lies_inside(const struct mote_source *s, const struct mote_reader *r)
{
  uintptr_t at = (uintptr_t)r, room = (uintptr_t)s->room;
  return at >= room && at < room + sizeof s->room;
}

static void source_pop(struct mote_transfer *t, struct mote_source *s)
{
  struct mote_reader *r = s->top;
  s->top = r->below;
  if(r->row->close)
    r->row->close(t, r);
  if(lies_inside(s, r))
    s->used = (uint32_t)((char *)r - s->room);
  else
    mote_mem_free(&t->account, MOTE_PART_TRANSFER, r, r->row->bytes);
}

void mote_source_strip(struct mote_transfer *t)
{
  struct mote_source *s = t->run->body;
  while(s->top != s->bare)
    source_pop(t, s);
}

void mote_source_close(struct mote_transfer *t)
{
  struct mote_source *s = t->run->body;
  if(!s)
    return;
  while(s->top)
    source_pop(t, s);
  t->run->body = NULL;
  if(s->lent)
    mote_mime_return(s);
}

CURLcode mote_source_read(struct mote_transfer *t, struct mote_piece *p)
{
  return mote_reader_read(t, t->run->body->top, p);
}

int mote_source_file(const struct mote_transfer *t, curl_off_t *len)
{
  struct mote_reader *r = t->run->body->top;
  return r->row->file ? r->row->file(r, len) : -1;
}

bool mote_source_moved(const struct mote_transfer *t, curl_off_t n)
{
  struct mote_reader *r = t->run->body->top;
  return r->row->moved(r, n);
}

curl_off_t mote_reader_size(const struct mote_reader *r)
{
  while(!r->row->size)
    r = r->below;
  return r->row->size(r);
}

curl_off_t mote_source_size(const struct mote_transfer *t)
{
  return mote_reader_size(t->run->body->top);
}

bool mote_source_at_hand(const struct mote_transfer *t)
{
  const struct mote_reader *r;
  for(r = t->run->body->top; r; r = r->below)
    if(!r->row->at_hand)
      return false;
  return true;
}

static CURLcode rewind_all(struct mote_transfer *t, bool again)
{
  struct mote_reader *r;
  CURLcode rc = CURLE_OK;
  if(!t->run->body)
    return CURLE_OK;
  for(r = t->run->body->top; r && !rc; r = r->below)
    if(r->row->rewind)
      rc = r->row->rewind(t, r, again);
  return rc;
}

CURLcode mote_source_rewind(struct mote_transfer *t)
{
  return rewind_all(t, true);
}

void mote_source_seek_back(struct mote_transfer *t)
{
  (void)rewind_all(t, false);
}

/* ---- at the bottom: memory ---- */

struct in_memory {
  struct mote_reader reader;
  const char *bytes; /* borrowed from the option */
  curl_off_t size;   /* bytes */
  curl_off_t at;     /* bytes given */
};

/* Lends the bytes where they lie. */
static CURLcode memory_read(struct mote_transfer *t, struct mote_reader *r, struct mote_piece *p)
{
  struct in_memory *m = (struct in_memory *)r;
  curl_off_t left = m->size - m->at;
  (void)t;
  p->bytes = m->bytes + m->at;
  p->len = (curl_off_t)p->most < left ? p->most : (size_t)left;
  m->at += (curl_off_t)p->len;
  p->end = m->at == m->size;
  return CURLE_OK;
}

static CURLcode memory_rewind(struct mote_transfer *t, struct mote_reader *r, bool again)
{
  (void)t;
  (void)again;
  ((struct in_memory *)r)->at = 0;
  return CURLE_OK;
}

static curl_off_t memory_size(const struct mote_reader *r)
{
  return ((const struct in_memory *)r)->size;
}

static const struct mote_reader_row memory_row = {
  .name = "memory",
  .bytes = sizeof(struct in_memory),
  .at_hand = true,
  .read = memory_read,
  .rewind = memory_rewind,
  .size = memory_size,
};

/* The size is POSTFIELDSIZE, or the text's length without it. A copy (COPYPOSTFIELDS) knows how many bytes it
 * has, which a POSTFIELDSIZE that was set later can only reduce, and it need not end in NUL. */
static curl_off_t size_in_memory(curl_off_t size, const struct mote_option *e)
{
  bool copied = e->kind == MOTE_KIND_BLOB;
  const char *bytes = e->v.ptr, *nul;
  if(size >= 0)
    return copied && size > (curl_off_t)e->size ? (curl_off_t)e->size : size;
  nul = copied ? memchr(bytes, 0, e->size) : bytes + strlen(bytes);
  return nul ? (curl_off_t)(nul - bytes) : (curl_off_t)e->size;
}

bool mote_source_in_memory(const struct mote_transfer *t, struct mote_slice *body)
{
  struct mote_option e;
  if(t->run->request.method != MOTE_METHOD_POST ||
     !mote_option_view(&t->options, MOTE_OPT_ID(CURLOPT_POSTFIELDS), &e) || !e.v.ptr)
    return false;
  body->ptr = e.v.ptr;
  body->len = (size_t)size_in_memory(mote_opt_off(&t->options, CURLOPT_POSTFIELDSIZE_LARGE), &e);
  return true;
}

static void open_memory(struct in_memory *m, struct mote_slice body)
{
  m->bytes = body.ptr;
  m->size = (curl_off_t)body.len;
}

/* ---- at the bottom: the read callback, or a FILE ---- */

typedef size_t (*read_fn)(char *, size_t, size_t, void *);

struct from_callback {
  struct mote_reader reader;
  read_fn read;        /* NULL: fread(), data is a FILE */
  void *data;
  curl_off_t size;     /* bytes to give; -1: until the callback returns 0 */
  curl_off_t at;       /* bytes given */
  curl_off_t from;     /* bytes of the application's source before the first one to give */
  bool ended;          /* nothing more comes */
  bool touched;        /* the source was read or moved, so that a repeated request must rewind it */
};

static size_t source_call_read(struct mote_transfer *t, const struct from_callback *c, char *to, size_t room)
{
  struct mote_callback_guard g;
  size_t n;
  if(!c->read)
    return mote_stdio_read(to, room, c->data);
  g = mote_callback_enter(t);
  n = c->read(to, 1, room, c->data);
  mote_callback_leave(t, g);
  return n;
}

static CURLcode source_refused(struct mote_transfer *t, size_t n, size_t room)
{
  if(n == CURL_READFUNC_ABORT)
    return mote_fail_as(CURLE_ABORTED_BY_CALLBACK, &t->report, "operation aborted by callback");
  if(n == CURL_READFUNC_PAUSE) {
    t->run->flow.send.paused = true;
    return CURLE_AGAIN;
  }
  return mote_fail_as(CURLE_READ_ERROR, &t->report, "read function returned %lu bytes where at most %lu fit",
                      (unsigned long)n, (unsigned long)room);
}

static CURLcode callback_read(struct mote_transfer *t, struct mote_reader *r, struct mote_piece *p)
{
  struct from_callback *c = (struct from_callback *)r;
  size_t n, room = p->most;
  p->end = c->ended;
  if(c->ended)
    return CURLE_OK;
  if(c->size >= 0 && (curl_off_t)room > c->size - c->at)
    room = (size_t)(c->size - c->at);
  c->touched = true;
  n = source_call_read(t, c, p->room, room);
  if(n > room)
    return source_refused(t, n, room);
  c->at += (curl_off_t)n;
  c->ended = !n || c->at == c->size;
  if(!n && c->size >= 0 && c->at < c->size) {
    mote_fail(&t->report,
              "the source of the upload ended after %" CURL_FORMAT_CURL_OFF_T
              " of %" CURL_FORMAT_CURL_OFF_T " bytes",
              c->at, c->size);
    return CURLE_READ_ERROR;
  }
  p->len = n;
  p->end = c->ended;
  return CURLE_OK;
}

curl_off_t mote_source_no_size(const struct mote_reader *r)
{
  (void)r;
  return -1;
}

void mote_source_go_on(struct mote_transfer *t)
{
  struct mote_reader *r;
  for(r = t->run->body->top; r; r = r->below)
    if(r->row->go_on)
      r->row->go_on(r);
}

static void callback_go_on(struct mote_reader *r)
{
  ((struct from_callback *)r)->ended = false;
}

static int call_seek(struct mote_transfer *t, curl_off_t offset, int origin)
{
  curl_seek_callback seek = (curl_seek_callback)mote_opt_fn(&t->options, CURLOPT_SEEKFUNCTION);
  struct mote_callback_guard g;
  int rc;
  if(!seek)
    return CURL_SEEKFUNC_CANTSEEK;
  g = mote_callback_enter(t);
  rc = seek(mote_opt_ptr(&t->options, CURLOPT_SEEKDATA), offset, origin);
  mote_callback_leave(t, g);
  return rc;
}

static bool rewind_by_ioctl(struct mote_transfer *t)
{
  curl_ioctl_callback fn = (curl_ioctl_callback)mote_opt_fn(&t->options, CURLOPT_IOCTLFUNCTION);
  struct mote_callback_guard g;
  curlioerr rc;
  if(!fn)
    return false;
  g = mote_callback_enter(t);
  rc = fn(t->msg.easy_handle, CURLIOCMD_RESTARTREAD, mote_opt_ptr(&t->options, CURLOPT_IOCTLDATA));
  mote_callback_leave(t, g);
  return rc == CURLIOE_OK;
}

/* Only the default reader is certain to read a FILE (CURLOPT_READDATA(3)). */
static bool rewind_file(const struct from_callback *c)
{
  return !c->read && mote_stdio_rewind(c->data);
}

static CURLcode skip_by_reading(struct mote_transfer *t, const struct from_callback *c)
{
  char bin[SKIP_ROOM];
  curl_off_t left = c->from;
  while(left > 0) {
    size_t want = left > (curl_off_t)sizeof bin ? sizeof bin : (size_t)left;
    size_t n = source_call_read(t, c, bin, want);
    if(!n || n > want) {
      mote_fail(&t->report,
                "the source ended %" CURL_FORMAT_CURL_OFF_T " bytes before the offset to resume from",
                left);
      return CURLE_READ_ERROR;
    }
    left -= (curl_off_t)n;
  }
  return CURLE_OK;
}

static bool go_back(struct mote_transfer *t, const struct from_callback *c)
{
  if(mote_opt_fn(&t->options, CURLOPT_SEEKFUNCTION))
    return call_seek(t, c->from, SEEK_SET) == CURL_SEEKFUNC_OK;
  return (rewind_by_ioctl(t) || rewind_file(c)) && !skip_by_reading(t, c);
}

/* Without another request for the body only the seek callback is called, and back to the first byte of the
 * source, as by libcurl. */
static CURLcode callback_rewind(struct mote_transfer *t, struct mote_reader *r, bool again)
{
  struct from_callback *c = (struct from_callback *)r;
  if(!again) {
    if(c->touched)
      (void)call_seek(t, 0, SEEK_SET);
    return CURLE_OK;
  }
  if(c->touched && !go_back(t, c))
    return mote_fail_as(CURLE_SEND_FAIL_REWIND, &t->report,
                        "the request must be sent again, but its body cannot be rewound");
  c->at = 0;
  c->ended = c->size == 0;
  c->touched = false;
  return CURLE_OK;
}

static curl_off_t callback_size(const struct mote_reader *r)
{
  return ((const struct from_callback *)r)->size;
}

/* The first bytes are always read: those that the application has put back (ungetc) are in no file. */
static int callback_file(struct mote_reader *r, curl_off_t *len)
{
  struct from_callback *c = (struct from_callback *)r;
  *len = c->size - c->at;
  return c->read || !c->at || *len < MOTE_SOURCE_FILE_LEAST ? -1 : mote_port_stream_file(c->data);
}

static bool callback_moved(struct mote_reader *r, curl_off_t n)
{
  struct from_callback *c = (struct from_callback *)r;
  c->at += n;
  c->ended = c->at == c->size;
  return c->ended;
}

static const struct mote_reader_row callback_row = {
  .name = "callback",
  .bytes = sizeof(struct from_callback),
  .read = callback_read,
  .rewind = callback_rewind,
  .go_on = callback_go_on,
  .size = callback_size,
  .file = MOTE_HAS_SENDFILE ? callback_file : NULL,
  .moved = MOTE_HAS_SENDFILE ? callback_moved : NULL,
};

static void open_callback(struct mote_transfer *t, struct from_callback *c)
{
  const struct mote_options *o = &t->options;
  mote_fn read = mote_opt_fn(o, CURLOPT_READFUNCTION);
  c->read = mote_stdio_is_fread(read) ? NULL : (read_fn)read;
  c->data = mote_opt_ptr_or(o, CURLOPT_READDATA, mote_stdio_in());
  c->size = t->run->request.method == MOTE_METHOD_PUT ? mote_opt_off(o, CURLOPT_INFILESIZE_LARGE)
                                              : mote_opt_off(o, CURLOPT_POSTFIELDSIZE_LARGE);
  if(c->size < -1)
    c->size = -1;
  c->ended = c->size == 0;
}

static CURLcode source_skip(struct mote_transfer *t, struct from_callback *c, curl_off_t from)
{
  int rc;
  c->from = from;
  rc = call_seek(t, c->from, SEEK_SET);
  if(rc == CURL_SEEKFUNC_FAIL)
    return mote_fail_as(CURLE_READ_ERROR, &t->report,
                        "the seek callback failed to skip what was sent before");
  if(rc == CURL_SEEKFUNC_CANTSEEK) {
    CURLcode skipped = skip_by_reading(t, c);
    if(skipped)
      return skipped;
  }
  c->touched = true;
  if(c->size >= 0)
    c->size -= c->from;
  if(c->size == 0 || c->size < -1)
    return mote_fail_as(CURLE_PARTIAL_FILE, &t->report,
                        "the whole file was uploaded before: nothing is left to send");
  return CURLE_OK;
}

/* ---- opening ---- */

_Static_assert(sizeof(struct from_callback) <= READER_ROOM && sizeof(struct in_memory) <= READER_ROOM,
               "opening allocates one block, and the bottom is the first reader in it");

static struct mote_reader *bottom_of(struct mote_source *s)
{
  return (void *)s->room;
}

void mote_source_forget_size(struct mote_transfer *t)
{
  struct mote_reader *r = bottom_of(t->run->body);
  struct from_callback *c = (struct from_callback *)r;
  if(r->row == &callback_row && c->size)
    c->size = -1;
}

/* A handle that has sent something is likely to send more, and keeps the block. */
static CURLcode make_source(struct mote_transfer *t, void *lent)
{
  struct mote_source *s = lent ? lent : mote_option_keep_block(&t->options, MOTE_OPT_SOURCE, sizeof *s);
  if(!s)
    return CURLE_OUT_OF_MEMORY;
  s->top = NULL;
  s->used = 0;
  s->lent = lent != NULL;
  t->run->body = s;
  return CURLE_OK;
}

struct mote_reader *mote_source_begin(struct mote_transfer *t, void *lent, const struct mote_reader_row *row)
{
  struct mote_reader *r;
  if(make_source(t, lent))
    return NULL;
  r = mote_source_push(t, row);
  if(!r)
    mote_source_close(t);
  else
    t->run->body->bare = r;
  return r;
}

const struct mote_reader *mote_source_bottom(const struct mote_transfer *t)
{
  return t->run->body ? bottom_of(t->run->body) : NULL;
}

CURLcode mote_source_open_whole(struct mote_transfer *t)
{
  long method = t->run->request.method;
  struct mote_slice body;
  struct mote_source *s;
  CURLcode rc;
  mote_source_close(t);
  mote_request_announce(&t->run->request, -1);
  if(method != MOTE_METHOD_POST && method != MOTE_METHOD_PUT)
    return CURLE_OK;
  rc = make_source(t, NULL);
  if(rc)
    return rc;
  s = t->run->body;
  if(mote_source_in_memory(t, &body))
    open_memory((struct in_memory *)mote_source_push(t, &memory_row), body);
  else
    open_callback(t, (struct from_callback *)mote_source_push(t, &callback_row));
  if(mote_opt_long(&t->options, CURLOPT_CRLF) && !mote_source_push(t, &mote_source_crlf))
    rc = CURLE_OUT_OF_MEMORY;
  s->bare = s->top;
  mote_request_announce(&t->run->request, mote_source_size(t));
  return rc;
}

CURLcode mote_source_open_rest(struct mote_transfer *t)
{
  CURLcode rc = mote_source_open_whole(t);
  if(rc || t->run->request.method != MOTE_METHOD_PUT)
    return rc;
  return mote_source_skip(t, mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE));
}

CURLcode mote_source_skip(struct mote_transfer *t, curl_off_t from)
{
  return from > 0 ? source_skip(t, (struct from_callback *)bottom_of(t->run->body), from) : CURLE_OK;
}
