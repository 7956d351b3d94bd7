/* transfer/sink.c: received bytes to the application. */
#include "transfer/sink.h"

#include "base/report.h"
#include "transfer/callback.h"
#include "transfer/debug.h"
#include "transfer/stdio.h"
#include "transfer/transfer.h"

void mote_sink_target(const struct mote_transfer *t, struct mote_sink_target *to)
{
  to->fn = (curl_write_callback)mote_opt_fn(&t->options, CURLOPT_WRITEFUNCTION);
  to->data = mote_opt_ptr(&t->options, CURLOPT_WRITEDATA);
  to->most = mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE);
}

static inline size_t call_write(const struct mote_sink_target *to, char *bytes, size_t len)
{
  if(to->fn)
    return to->fn(bytes, 1, len, to->data);
  return mote_stdio_write(bytes, len, to->data);
}

/* What another answer than the number of bytes means. CURLE_AGAIN: refused with a pause, and kept. */
static CURLcode judge_answer(struct mote_transfer *t, bool header, const char *bytes, size_t len, size_t n)
{
  if(n == CURL_WRITEFUNC_PAUSE)
    return mote_sink_keep(t, header, bytes, len);
  if(n == CURL_WRITEFUNC_ERROR)
    mote_fail(&t->report, header ? "the header callback failed" : "the write callback failed");
  else
    mote_fail(&t->report, "Failure writing output to destination, passed %lu returned %ld",
              (unsigned long)len, (long)n);
  return CURLE_WRITE_ERROR;
}

/* One call of a callback that was entered. CURLE_AGAIN: refused with a pause, and kept. */
static inline CURLcode call(struct mote_transfer *t, const struct mote_sink_target *to, bool header,
                            char *bytes, size_t len)
{
  size_t n = call_write(to, bytes, len);
  return n == len ? CURLE_OK : judge_answer(t, header, bytes, len, n);
}

CURLcode mote_sink_deliver(struct mote_transfer *t, const struct mote_sink_target *to, bool header,
                           char *bytes, size_t len)
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

/* In chunks that a write callback may get; a refused chunk counts as used, it is kept, and as delivered when
 * the callback has taken it (mote_sink_resume). */
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
      n = to->whole ? 0 : (size_t)(to->most - r->delivered);
      if(!n) {
        rc = over_size(t, to->most);
        break;
      }
    }
    rc = call(t, to, false, at, n);
    if(rc && rc != CURLE_AGAIN)
      break;
    if(!rc)
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

/* The same for a caller that has not entered the callback. */
static CURLcode enter_and_write(struct mote_transfer *t, bool whole, char *bytes, size_t len, size_t *used)
{
  struct mote_sink_target to;
  struct mote_callback_guard g = mote_callback_enter(t);
  CURLcode rc;
  to.whole = whole;
  mote_sink_target(t, &to);
  rc = mote_sink_write(t, &to, bytes, len, used);
  mote_callback_leave(t, g);
  return rc;
}

CURLcode mote_sink_plain(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  return enter_and_write(t, true, bytes, len, used);
}

CURLcode mote_sink_body(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  mote_debug(&t->report, t, CURLINFO_DATA_IN, bytes, len);
  if(r->decode && !r->body_ignored) {
    rc = mote_sink_coded(t, bytes, len, used);
    if(rc && rc != CURLE_AGAIN) /* what came of it was refused, or is damaged */
      return rc;
  }
  else if(r->body_ignored) {
    *used = len;
    rc = CURLE_OK;
  }
  else
    rc = enter_and_write(t, false, bytes, len, used);
  r->bytes_down += (curl_off_t)*used;
  return rc;
}

CURLcode mote_sink_finish(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  if(r->paused)
    return CURLE_AGAIN;
  return r->decode && !r->body_ignored ? mote_sink_coded_end(t) : CURLE_OK;
}

void mote_sink_close(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  mote_sink_decode_close(t);
  mote_kept_free(t, r->paused);
  r->paused = NULL;
}
