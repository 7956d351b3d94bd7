/* transfer/sink.c: received bytes to the application. */
#include "transfer/sink.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "codec/decode.h"
#include "transfer/callback.h"
#include "transfer/debug.h"
#include "transfer/transfer.h"

void mote_sink_target(const struct mote_transfer *t, struct mote_sink_target *to)
{
  to->fn = (curl_write_callback)mote_opt_fn(&t->options, CURLOPT_WRITEFUNCTION);
  to->data = mote_opt_ptr(&t->options, CURLOPT_WRITEDATA);
  to->most = mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE);
}

/* Header lines go to HEADERFUNCTION, or with HEADERDATA alone to the write callback
 * (CURLOPT_HEADERDATA(3)). */
static void header_target(const struct mote_transfer *t, struct mote_sink_target *to)
{
  to->fn = (curl_write_callback)mote_opt_fn(&t->options, CURLOPT_HEADERFUNCTION);
  to->data = mote_opt_ptr(&t->options, CURLOPT_HEADERDATA);
  if(!to->fn && to->data)
    to->fn = (curl_write_callback)mote_opt_fn(&t->options, CURLOPT_WRITEFUNCTION);
}

static inline size_t call_write(const struct mote_sink_target *to, char *bytes, size_t len)
{
  if(to->fn)
    return to->fn(bytes, 1, len, to->data);
  return fwrite(bytes, 1, len, to->data ? (FILE *)to->data : stdout);
}

/* Keep a refused chunk; one that is refused again is kept already. */
static CURLcode keep_paused(struct mote_transfer *t, bool header, const char *bytes, size_t len)
{
  struct mote_run *r = t->run;
  r->recv_paused = true;
  if(r->paused && bytes == r->paused->bytes)
    return CURLE_AGAIN;
  if(r->paused) { /* with CURLOPT_HEADER a line goes to two callbacks; one pause can be remembered */
    mote_fail(&t->report, "both callbacks paused on one header line");
    return CURLE_WRITE_ERROR;
  }
  r->paused = mote_kept_new(t, len);
  if(!r->paused)
    return CURLE_OUT_OF_MEMORY;
  memcpy(r->paused->bytes, bytes, len);
  r->paused->len = (uint32_t)len;
  r->paused_header = header;
  return CURLE_AGAIN;
}

/* What another answer than the number of bytes means. CURLE_AGAIN: refused with a pause, and kept. */
static CURLcode judge_answer(struct mote_transfer *t, bool header, const char *bytes, size_t len, size_t n)
{
  if(n == CURL_WRITEFUNC_PAUSE)
    return keep_paused(t, header, bytes, len);
  if(n == CURL_WRITEFUNC_ERROR)
    mote_fail(&t->report, header ? "the header callback failed" : "the write callback failed");
  else
    mote_fail(&t->report, "the write callback took %ld of %lu bytes",
              (long)n, (unsigned long)len);
  return CURLE_WRITE_ERROR;
}

/* One call of a callback that was entered. CURLE_AGAIN: refused with a pause, and kept. */
static inline CURLcode call(struct mote_transfer *t, const struct mote_sink_target *to, bool header,
                            char *bytes, size_t len)
{
  size_t n = call_write(to, bytes, len);
  return n == len ? CURLE_OK : judge_answer(t, header, bytes, len, n);
}

static CURLcode deliver(struct mote_transfer *t, const struct mote_sink_target *to, bool header, char *bytes,
                        size_t len)
{
  struct mote_callback_guard g = mote_callback_enter(t);
  CURLcode rc = call(t, to, header, bytes, len);
  mote_callback_leave(t, g);
  return rc;
}

static CURLcode over_size(struct mote_transfer *t, curl_off_t most)
{
  mote_fail(&t->report, "more than the allowed %" CURL_FORMAT_CURL_OFF_T " bytes", most);
  return CURLE_FILESIZE_EXCEEDED;
}

/* In chunks that a write callback may get; a refused chunk counts as used, it is kept. */
CURLcode mote_sink_write(struct mote_transfer *t, struct mote_sink_target *to, char *bytes, size_t len,
                         size_t *used)
{
  struct mote_run *r = t->run;
  char *at = bytes, *end = bytes + len;
  CURLcode rc = CURLE_OK;
  *used = 0;
  while(at < end) {
    size_t n = (size_t)(end - at);
    if(n > CURL_MAX_WRITE_SIZE)
      n = CURL_MAX_WRITE_SIZE;
    if(to->most > 0 && r->delivered + (curl_off_t)n > to->most) {
      rc = over_size(t, to->most);
      break;
    }
    rc = call(t, to, false, at, n);
    if(rc && rc != CURLE_AGAIN)
      break;
    r->delivered += (curl_off_t)n;
    *used += n;
    at += n;
    if(r->recv_paused) {
      rc = CURLE_AGAIN;
      break;
    }
    if(t->options.changed)
      mote_sink_target(t, to);
  }
  return rc;
}

/* The same for who has not entered the callback. */
static CURLcode write_plain(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_sink_target to;
  struct mote_callback_guard g = mote_callback_enter(t);
  CURLcode rc;
  mote_sink_target(t, &to);
  rc = mote_sink_write(t, &to, bytes, len, used);
  mote_callback_leave(t, g);
  return rc;
}

static CURLcode decoded(void *user, char *bytes, size_t len)
{
  struct mote_transfer *t = user;
  size_t used;
  /* The room is no larger than one chunk: a pause has taken all of it. */
  return write_plain(t, bytes, len, &used);
}

CURLcode mote_sink_body(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  mote_debug(&t->report, t, CURLINFO_DATA_IN, bytes, len);
  if(r->decode && !r->body_ignored) {
    rc = mote_decode_push(r->decode->chain, bytes, len, used, r->decode->room, MOTE_DECODE_ROOM, decoded, t);
    if(rc == CURLE_BAD_CONTENT_ENCODING)
      mote_fail(&t->report, "the compressed body is damaged or incomplete");
  }
  else if(r->body_ignored) {
    *used = len;
    rc = CURLE_OK;
  }
  else
    rc = write_plain(t, bytes, len, used);
  r->bytes_down += (curl_off_t)*used;
  return rc;
}

static CURLcode call_header(struct mote_transfer *t, char *line, size_t len)
{
  struct mote_sink_target to;
  if(!t->run->wants_headers)
    return CURLE_OK;
  header_target(t, &to);
  return deliver(t, &to, true, line, len);
}

/* To all who want header lines. */
static CURLcode tell_header(struct mote_transfer *t, char *line, size_t len)
{
  CURLcode rc = CURLE_OK;
  size_t used;
  mote_debug(&t->report, t, CURLINFO_HEADER_IN, line, len);
  if(mote_opt_long(&t->options, CURLOPT_HEADER)) /* part of the body then, even of one that is ignored */
    rc = write_plain(t, line, len, &used);
  if(rc == CURLE_OK || rc == CURLE_AGAIN) {
    CURLcode header_rc = call_header(t, line, len);
    if(header_rc)
      rc = header_rc;
  }
  return rc;
}

bool mote_sink_wants_headers(const struct mote_transfer *t)
{
  return t->run->wants_headers || t->report.verbose ||
         mote_option_maybe(&t->options, MOTE_OPT_ID(CURLOPT_HEADER));
}

CURLcode mote_sink_header(struct mote_transfer *t, char *line, size_t len)
{
  t->run->header_size += (uint32_t)len;
  return mote_sink_wants_headers(t) ? tell_header(t, line, len) : CURLE_OK;
}

CURLcode mote_sink_meta(struct mote_transfer *t, char *line, size_t len)
{
  return call_header(t, line, len);
}

/* Decoders may hold output although all input was used. */
static CURLcode pull_decoded(struct mote_transfer *t)
{
  size_t used;
  struct mote_decoding *d = t->run->decode;
  return mote_decode_push(d->chain, "", 0, &used, d->room, MOTE_DECODE_ROOM, decoded, t);
}

CURLcode mote_sink_resume(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct mote_sink_target to;
  CURLcode rc;
  if(!r->paused)
    return CURLE_OK;
  if(r->paused_header)
    header_target(t, &to);
  else
    mote_sink_target(t, &to);
  rc = deliver(t, &to, r->paused_header, r->paused->bytes, r->paused->len);
  if(rc)
    return rc;
  mote_kept_free(t, r->paused);
  r->paused = NULL;
  if(r->recv_paused)
    return CURLE_AGAIN;
  return r->decode ? pull_decoded(t) : CURLE_OK;
}

CURLcode mote_sink_decode(struct mote_transfer *t, const uint8_t *codings, unsigned count)
{
  struct mote_decoding *d = mote_mem_alloc(&t->account, MOTE_PART_BUFFER, sizeof *d);
  CURLcode rc;
  if(!d)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_decode_open(&d->chain, codings, count, &t->account);
  if(!rc) {
    t->run->decode = d;
    return CURLE_OK;
  }
  mote_mem_free(&t->account, MOTE_PART_BUFFER, d, sizeof *d);
  if(rc == CURLE_BAD_CONTENT_ENCODING) {
    char known[64];
    (void)mote_decode_accept(known, sizeof known);
    mote_fail(&t->report, "unknown or too many content codings; this build decodes %s", known);
  }
  return rc;
}

CURLcode mote_sink_finish(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  if(r->paused)
    return CURLE_AGAIN;
  if(!r->decode || r->body_ignored)
    return CURLE_OK;
  rc = pull_decoded(t);
  if(!rc)
    rc = mote_decode_finish(r->decode->chain);
  if(rc == CURLE_BAD_CONTENT_ENCODING)
    mote_fail(&t->report, "the compressed body is damaged or incomplete");
  return rc;
}

void mote_sink_close(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  if(r->decode) {
    mote_decode_close(r->decode->chain);
    mote_mem_free(&t->account, MOTE_PART_BUFFER, r->decode, sizeof *r->decode);
    r->decode = NULL;
  }
  mote_kept_free(t, r->paused);
  r->paused = NULL;
}
