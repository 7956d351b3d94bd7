/* transfer/source.c: supplies request bodies (transfer/source.h). */
#include "transfer/source.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "transfer/callback.h"
#include "transfer/stdio.h"
#include "transfer/transfer.h"

#define SKIP_ROOM 1024 /* bytes read at once to skip the start of a resumed upload */

typedef size_t (*read_fn)(char *, size_t, size_t, void *);

void mote_source_close(struct mote_transfer *t)
{
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, t->run->body, sizeof *t->run->body);
  t->run->body = NULL;
}

static size_t call_read(struct mote_transfer *t, char *to, size_t room)
{
  const struct mote_body *b = t->run->body;
  struct mote_callback_guard g;
  size_t n;
  if(!b->read_fn)
    return mote_stdio_read(to, room, b->read_data);
  g = mote_callback_enter(t);
  n = b->read_fn(to, 1, room, b->read_data);
  mote_callback_leave(t, g);
  return n;
}

/* The size is POSTFIELDSIZE, or the text's length without it. A copy (COPYPOSTFIELDS) knows its size, which
 * a POSTFIELDSIZE that was set later can only reduce. */
static void use_memory(struct mote_transfer *t, struct mote_body *b, const char *fields)
{
  const struct mote_option *e = mote_option_find(&t->options, MOTE_OPT_ID(CURLOPT_POSTFIELDS));
  curl_off_t size = mote_opt_off(&t->options, CURLOPT_POSTFIELDSIZE_LARGE);
  b->memory = fields;
  if(e && e->kind == MOTE_KIND_BLOB && (size < 0 || size > (curl_off_t)e->size))
    size = (curl_off_t)e->size;
  b->size = size >= 0 ? size : (curl_off_t)strlen(fields);
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

static CURLcode skip_by_reading(struct mote_transfer *t, curl_off_t offset)
{
  char bin[SKIP_ROOM];
  while(offset > 0) {
    size_t want = offset > (curl_off_t)sizeof bin ? sizeof bin : (size_t)offset;
    size_t n = call_read(t, bin, want);
    if(!n || n > want) {
      mote_fail(&t->report,
                "the source ended %" CURL_FORMAT_CURL_OFF_T " bytes before the offset to resume from",
                offset);
      return CURLE_READ_ERROR;
    }
    offset -= (curl_off_t)n;
  }
  return CURLE_OK;
}

/* Returns the offset of the first byte to send. A PUT may be resumed. */
static curl_off_t first_byte(const struct mote_transfer *t)
{
  curl_off_t from = mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE);
  return from > 0 && t->run->request.method == MOTE_METHOD_PUT && !t->run->body->memory ? from : 0;
}

static CURLcode skip_resumed(struct mote_transfer *t, struct mote_body *b)
{
  curl_off_t offset = first_byte(t);
  int rc;
  if(!offset)
    return CURLE_OK;
  rc = call_seek(t, offset, SEEK_SET);
  if(rc == CURL_SEEKFUNC_FAIL) {
    mote_fail(&t->report, "the seek callback failed to skip what was sent before");
    return CURLE_READ_ERROR;
  }
  if(rc == CURL_SEEKFUNC_CANTSEEK) {
    CURLcode skipped = skip_by_reading(t, offset);
    if(skipped)
      return skipped;
  }
  b->touched = true;
  if(b->size >= 0)
    b->size -= offset;
  if(b->size == 0 || b->size < -1) {
    mote_fail(&t->report, "the whole file was uploaded before: nothing is left to send");
    return CURLE_PARTIAL_FILE;
  }
  return CURLE_OK;
}

CURLcode mote_source_open_whole(struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  long method = t->run->request.method;
  const char *fields = NULL;
  const struct mote_option *e;
  struct mote_body *b = t->run->body;
  t->run->request.size_up = -1;
  if(method != MOTE_METHOD_POST && method != MOTE_METHOD_PUT) {
    mote_source_close(t);
    return CURLE_OK;
  }
  if(!b) {
    b = mote_mem_alloc(&t->account, MOTE_PART_TRANSFER, sizeof *b);
    if(!b)
      return CURLE_OUT_OF_MEMORY;
    t->run->body = b;
  }
  memset(b, 0, sizeof *b);
  b->read_fn = (read_fn)mote_opt_fn(o, CURLOPT_READFUNCTION);
  b->read_data = mote_opt_ptr(o, CURLOPT_READDATA);
  e = mote_option_find(o, MOTE_OPT_ID(CURLOPT_POSTFIELDS));
  if(e && method == MOTE_METHOD_POST)
    fields = e->v.ptr;
  if(fields)
    use_memory(t, b, fields);
  else
    b->size = method == MOTE_METHOD_PUT ? mote_opt_off(o, CURLOPT_INFILESIZE_LARGE)
                                        : mote_opt_off(o, CURLOPT_POSTFIELDSIZE_LARGE);
  if(b->size < -1)
    b->size = -1;
  t->run->request.size_up = b->size;
  b->ended = b->size == 0;
  return CURLE_OK;
}

CURLcode mote_source_open(struct mote_transfer *t)
{
  CURLcode rc = mote_source_open_whole(t);
  return !rc && t->run->request.method == MOTE_METHOD_PUT ? skip_resumed(t, t->run->body) : rc;
}

static CURLcode refused(struct mote_transfer *t, size_t n, size_t room)
{
  if(n == CURL_READFUNC_ABORT) {
    mote_fail(&t->report, "operation aborted by callback");
    return CURLE_ABORTED_BY_CALLBACK;
  }
  if(n == CURL_READFUNC_PAUSE) {
    t->run->flow.send.paused = true;
    return CURLE_AGAIN;
  }
  mote_fail(&t->report, "read function returned %lu bytes where at most %lu fit", (unsigned long)n,
            (unsigned long)room);
  return CURLE_READ_ERROR;
}

CURLcode mote_source_read(struct mote_transfer *t, char *to, size_t room, size_t *n)
{
  struct mote_body *b = t->run->body;
  *n = 0;
  if(!b || b->ended)
    return CURLE_OK;
  if(b->size >= 0 && (curl_off_t)room > b->size - b->read)
    room = (size_t)(b->size - b->read);
  if(b->memory) {
    memcpy(to, b->memory + b->read, room);
    *n = room;
  }
  else {
    b->touched = true;
    *n = call_read(t, to, room);
    if(*n > room) {
      size_t answer = *n;
      *n = 0;
      return refused(t, answer, room);
    }
  }
  b->read += (curl_off_t)*n;
  b->ended = !*n || b->read == b->size;
  if(!*n && b->size >= 0 && b->read < b->size) {
    mote_fail(&t->report,
              "the source of the upload ended after %" CURL_FORMAT_CURL_OFF_T
              " of %" CURL_FORMAT_CURL_OFF_T " bytes",
              b->read, b->size);
    return CURLE_READ_ERROR;
  }
  return CURLE_OK;
}

static bool rewind_file(struct mote_transfer *t)
{
  /* Only the default reader is certain to read a FILE (CURLOPT_READDATA(3)). */
  const struct mote_body *b = t->run->body;
  return !b->read_fn && mote_stdio_rewind(b->read_data);
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

CURLcode mote_source_rewind(struct mote_transfer *t)
{
  struct mote_body *b = t->run->body;
  bool have_seek = mote_opt_fn(&t->options, CURLOPT_SEEKFUNCTION) != NULL;
  if(!b)
    return CURLE_OK;
  if(b->touched) {
    curl_off_t from = first_byte(t);
    bool ok = have_seek ? call_seek(t, from, SEEK_SET) == CURL_SEEKFUNC_OK
                        : (rewind_by_ioctl(t) || rewind_file(t)) && !skip_by_reading(t, from);
    if(!ok) {
      mote_fail(&t->report, "the request must be sent again, but its body cannot be rewound");
      return CURLE_SEND_FAIL_REWIND;
    }
  }
  b->read = 0;
  b->ended = b->size == 0;
  b->touched = false;
  return CURLE_OK;
}

void mote_source_seek_back(struct mote_transfer *t)
{
  if(t->run->body && t->run->body->touched)
    (void)call_seek(t, 0, SEEK_SET);
}
