/* transfer/sink.c: received bytes to the application. */
#include "transfer/sink.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "codec/decode.h"
#include "transfer/callback.h"
#include "transfer/debug.h"

static size_t call_write(struct mote_transfer *t, bool header, char *bytes, size_t len)
{
  struct mote_run *r = t->run;
  size_t (*fn)(char *, size_t, size_t, void *) = header ? r->header_fn : r->write_fn;
  void *data = header ? r->header_data : r->write_data;
  struct mote_callback_guard g;
  size_t n;
  if(!fn)
    return fwrite(bytes, 1, len, data ? (FILE *)data : stdout);
  g = mote_callback_enter(t);
  n = fn(bytes, 1, len, data);
  mote_callback_leave(t, g);
  return n;
}

/* Keep a refused chunk. An older block is large enough or replaced. */
static CURLcode keep_paused(struct mote_transfer *t, bool header, const char *bytes, size_t len)
{
  struct mote_run *r = t->run;
  r->recv_paused = true;
  if(bytes == r->paused)
    return CURLE_AGAIN;
  if(r->paused_cap < len) {
    char *p = mote_mem_alloc(&t->account, MOTE_PART_TRANSFER, len);
    if(!p)
      return CURLE_OUT_OF_MEMORY;
    mote_mem_free(&t->account, MOTE_PART_TRANSFER, r->paused, r->paused_cap);
    r->paused = p;
    r->paused_cap = (uint32_t)len;
  }
  memcpy(r->paused, bytes, len);
  r->paused_len = (uint32_t)len;
  r->paused_header = header;
  return CURLE_AGAIN;
}

/* One call of a callback and what its answer means. CURLE_AGAIN: refused with a pause, and kept. */
static CURLcode deliver(struct mote_transfer *t, bool header, char *bytes, size_t len)
{
  size_t n = call_write(t, header, bytes, len);
  if(n == len)
    return CURLE_OK;
  if(n == CURL_WRITEFUNC_PAUSE)
    return keep_paused(t, header, bytes, len);
  if(n == CURL_WRITEFUNC_ERROR)
    mote_fail(&t->report, header ? "Header callback returned error" : "Write callback returned error");
  else
    mote_fail(&t->report, "Failure writing output to destination, passed %lu returned %ld",
              (unsigned long)len, (long)n);
  return CURLE_WRITE_ERROR;
}

static CURLcode over_size(struct mote_transfer *t)
{
  mote_fail(&t->report, "Exceeded the maximum allowed file size (%" CURL_FORMAT_CURL_OFF_T ")",
            t->run->max_filesize);
  return CURLE_FILESIZE_EXCEEDED;
}

/* Decoded bytes in chunks that a write callback may get; a refused chunk counts as used, it is kept. */
static CURLcode write_body(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_run *r = t->run;
  *used = 0;
  if(r->body_ignored) {
    *used = len;
    return CURLE_OK;
  }
  while(*used < len) {
    size_t n = len - *used;
    CURLcode rc;
    if(n > CURL_MAX_WRITE_SIZE)
      n = CURL_MAX_WRITE_SIZE;
    if(r->max_filesize && r->delivered + (curl_off_t)n > r->max_filesize)
      return over_size(t);
    rc = deliver(t, false, bytes + *used, n);
    if(rc && rc != CURLE_AGAIN)
      return rc;
    r->delivered += (curl_off_t)n;
    *used += n;
    if(rc || r->recv_paused)
      return CURLE_AGAIN;
  }
  return CURLE_OK;
}

static CURLcode decoded(void *user, char *bytes, size_t len)
{
  struct mote_transfer *t = user;
  size_t used;
  CURLcode rc = write_body(t, bytes, len, &used);
  /* The room is no larger than one chunk: a pause has taken all of it. */
  return rc;
}

CURLcode mote_sink_body(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  mote_debug(&t->report, t, CURLINFO_DATA_IN, bytes, len);
  if(r->decode && !r->body_ignored) {
    rc = mote_decode_push(r->decode, bytes, len, used, r->decoded, MOTE_DECODE_ROOM, decoded, t);
    if(rc == CURLE_BAD_CONTENT_ENCODING)
      mote_fail(&t->report, "Error while processing content unencoding");
  }
  else
    rc = write_body(t, bytes, len, used);
  r->bytes_down += (curl_off_t)*used;
  return rc;
}

CURLcode mote_sink_header(struct mote_transfer *t, char *line, size_t len)
{
  struct mote_run *r = t->run;
  CURLcode rc = CURLE_OK;
  size_t used;
  mote_debug(&t->report, t, CURLINFO_HEADER_IN, line, len);
  r->header_size += (uint32_t)len;
  if(mote_opt_is_set(&t->options, CURLOPT_HEADER) && mote_opt_long(&t->options, CURLOPT_HEADER)) {
    bool ignored = r->body_ignored;
    r->body_ignored = false;
    rc = write_body(t, line, len, &used);
    r->body_ignored = ignored;
  }
  if((rc == CURLE_OK || rc == CURLE_AGAIN) && (r->header_fn || r->header_data)) {
    CURLcode header_rc = deliver(t, true, line, len);
    if(header_rc)
      rc = header_rc;
  }
  return rc;
}

/* Decoders may hold output although all input was used. */
static CURLcode pull_decoded(struct mote_transfer *t)
{
  size_t used;
  return mote_decode_push(t->run->decode, "", 0, &used, t->run->decoded, MOTE_DECODE_ROOM, decoded, t);
}

CURLcode mote_sink_resume(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  if(!r->paused_len)
    return CURLE_OK;
  rc = deliver(t, r->paused_header, r->paused, r->paused_len);
  if(rc)
    return rc;
  r->paused_len = 0;
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, r->paused, r->paused_cap);
  r->paused = NULL;
  r->paused_cap = 0;
  if(r->recv_paused)
    return CURLE_AGAIN;
  return r->decode ? pull_decoded(t) : CURLE_OK;
}

CURLcode mote_sink_decode(struct mote_transfer *t, const uint8_t *codings, unsigned count)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  r->decoded = mote_mem_alloc(&t->account, MOTE_PART_BUFFER, MOTE_DECODE_ROOM);
  if(!r->decoded)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_decode_open(&r->decode, codings, count, &t->account);
  if(rc) {
    r->decode = NULL;
    mote_mem_free(&t->account, MOTE_PART_BUFFER, r->decoded, MOTE_DECODE_ROOM);
    r->decoded = NULL;
    if(rc == CURLE_BAD_CONTENT_ENCODING) {
      char known[64];
      (void)mote_decode_accept(known, sizeof known);
      mote_fail(&t->report, "Unrecognized or too many content encodings; this build understands %s", known);
    }
  }
  return rc;
}

CURLcode mote_sink_finish(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  if(r->paused_len)
    return CURLE_AGAIN;
  if(!r->decode || r->body_ignored)
    return CURLE_OK;
  rc = pull_decoded(t);
  if(!rc)
    rc = mote_decode_finish(r->decode);
  if(rc == CURLE_BAD_CONTENT_ENCODING)
    mote_fail(&t->report, "Error while processing content unencoding");
  return rc;
}

void mote_sink_close(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  mote_decode_close(r->decode);
  r->decode = NULL;
  mote_mem_free(&t->account, MOTE_PART_BUFFER, r->decoded, r->decoded ? MOTE_DECODE_ROOM : 0);
  r->decoded = NULL;
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, r->paused, r->paused_cap);
  r->paused = NULL;
  r->paused_cap = 0;
  r->paused_len = 0;
}
