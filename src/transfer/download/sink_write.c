/* transfer/download/sink_write.c: calls the callbacks with chunks and header lines, and keeps what they
 * refuse with a pause. */
#include <string.h>

#include "base/report.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "transfer/callback.h"
#include "transfer/download/sink.h"
#include "transfer/multi/multi.h"
#include "transfer/multi/schedule.h"
#include "transfer/transfer.h"
#include "transfer/upload/stdio.h"

void mote_sink_target(const struct mote_transfer *t, struct mote_sink_target *to)
{
  to->fn = (curl_write_callback)mote_opt_fn(&t->options, CURLOPT_WRITEFUNCTION);
  to->data = mote_opt_ptr_or(&t->options, CURLOPT_WRITEDATA, mote_stdio_out());
  to->most = mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE);
}

/* Header lines go to HEADERFUNCTION, or to the write callback if only HEADERDATA is set
 * (CURLOPT_HEADERDATA(3)). False: the application has taken both away during the transfer. */
static inline bool header_target(const struct mote_transfer *t, struct mote_sink_target *to)
{
  to->fn = (curl_write_callback)mote_opt_fn(&t->options, CURLOPT_HEADERFUNCTION);
  to->data = mote_opt_ptr(&t->options, CURLOPT_HEADERDATA);
  if(!to->fn && to->data)
    to->fn = (curl_write_callback)mote_opt_fn(&t->options, CURLOPT_WRITEFUNCTION);
  return to->fn || to->data;
}

/* ---- what is kept during a pause ---- */

/* Keeps what the write callback has still to get of these bytes: what it has refused, which is kept already,
 * and `unused` bytes at their end. header: keeps all of them, since the header callback gets them next. */
static CURLcode sink_write_keep(struct mote_transfer *t, bool header, const char *bytes, size_t len,
                                size_t unused)
{
  struct mote_run *r = t->run;
  size_t owed = unused + (r->paused ? r->paused->len - r->paused->at : 0);
  size_t from = header ? 0 : len - owed;
  if(owed > len)
    return mote_fail_as(CURLE_WRITE_ERROR, &t->report, "a callback paused before it got what is kept");
  mote_kept_free(t, r->paused); /* first, so that no more than a line is ever kept */
  r->paused = mote_kept_new(t, len - from + header);
  if(!r->paused)
    return CURLE_OUT_OF_MEMORY;
  memcpy(r->paused->bytes, bytes + from, len - from);
  if(header)
    r->paused->bytes[len] = 0; /* as in mote_sink_call_header() */
  r->paused->len = (uint32_t)(len - from);
  r->paused->at = (uint32_t)(len - from - owed);
  r->flow.recv.header = header;
  return CURLE_AGAIN;
}

/* Keeps a refused chunk or line, unless it was kept before and is refused again. */
static CURLcode sink_write_refused(struct mote_transfer *t, bool header, const char *bytes, size_t len)
{
  struct mote_run *r = t->run;
  r->flow.recv.paused = true;
  if(r->paused && bytes == r->paused->bytes + (header ? 0 : r->paused->at))
    return CURLE_AGAIN;
  return sink_write_keep(t, header, bytes, len, header ? 0 : len);
}

CURLcode mote_sink_keep_rest(struct mote_transfer *t, const char *bytes, size_t len, size_t used)
{
  return used < len ? sink_write_keep(t, false, bytes, len, len - used) : CURLE_AGAIN;
}

CURLcode mote_sink_owe_header(struct mote_transfer *t, const char *line, size_t len)
{
  struct mote_sink_target to;
  if(!t->run->request.wants_headers || !header_target(t, &to))
    return CURLE_AGAIN;
  return sink_write_keep(t, true, line, len, 0);
}

/* ---- chunks and lines ---- */

static inline size_t sink_call_write(const struct mote_sink_target *to, char *bytes, size_t len)
{
  if(to->fn)
    return to->fn(bytes, 1, len, to->data);
  return mote_stdio_write(bytes, len, to->data);
}

/* Judges a return value that is not the number of bytes. CURLE_AGAIN: the callback paused, and the chunk is
 * kept. */
static CURLcode sink_write_judge_answer(struct mote_transfer *t, bool header, const char *bytes, size_t len,
                                        size_t n)
{
  if(n == CURL_WRITEFUNC_PAUSE)
    return sink_write_refused(t, header, bytes, len);
  if(n == CURL_WRITEFUNC_ERROR)
    mote_fail(&t->report, header ? "the header callback failed" : "the write callback failed");
  else
    mote_fail(&t->report, "Failure writing output to destination, passed %lu returned %ld",
              (unsigned long)len, (long)n);
  return CURLE_WRITE_ERROR;
}

/* Calls the callback inside the guard. CURLE_AGAIN: it paused, and the chunk is kept. */
static inline CURLcode sink_write_call(struct mote_transfer *t, const struct mote_sink_target *to,
                                       bool header,
                                       char *bytes, size_t len)
{
  size_t n = sink_call_write(to, bytes, len);
  return n == len ? CURLE_OK : sink_write_judge_answer(t, header, bytes, len, n);
}

static inline CURLcode sink_write_deliver(struct mote_transfer *t, const struct mote_sink_target *to,
                                          bool header,
                        char *bytes, size_t len)
{
  struct mote_callback_guard g = mote_callback_enter(t);
  CURLcode rc = sink_write_call(t, to, header, bytes, len);
  mote_callback_leave(t, g);
  return rc;
}

static CURLcode over_size(struct mote_transfer *t, curl_off_t most)
{
  return mote_fail_as(CURLE_FILESIZE_EXCEEDED, &t->report,
                      "more than the allowed %" CURL_FORMAT_CURL_OFF_T " bytes", most);
}

/* Cuts the next chunk off `left` bytes. False: the limit allows none. */
static inline bool sink_write_cut(const struct mote_transfer *t, const struct mote_sink_target *to,
                                  size_t left, size_t *n)
{
  curl_off_t delivered = t->run->stats.delivered;
  *n = left < CURL_MAX_WRITE_SIZE ? left : CURL_MAX_WRITE_SIZE;
  if(to->most <= 0 || delivered + (curl_off_t)*n <= to->most)
    return true;
  /* An application may lower the limit below what it has got. */
  *n = to->whole || delivered > to->most ? 0 : (size_t)(to->most - delivered);
  return *n > 0;
}

/* Delivers in chunks of the size that a write callback may get. A refused chunk counts as used, since it is
 * kept. It counts as delivered when the callback has taken it (mote_sink_resume()). */
CURLcode mote_sink_write(struct mote_transfer *t, struct mote_sink_target *to, char *bytes, size_t len,
                         size_t *used)
{
  CURLcode rc = CURLE_OK;
  *used = 0;
  while(len) {
    struct mote_run *r = t->run;
    size_t n;
    if(!sink_write_cut(t, to, len, &n)) {
      rc = over_size(t, to->most);
      break;
    }
    rc = sink_write_call(t, to, false, bytes, n);
    if(rc && rc != CURLE_AGAIN)
      break;
    if(!rc)
      r->stats.delivered += (curl_off_t)n;
    *used += n;
    bytes += n;
    len -= n;
    if(r->flow.recv.paused) {
      rc = CURLE_AGAIN;
      break;
    }
    if(t->options.changed)
      mote_sink_target(t, to);
  }
  return rc;
}

CURLcode mote_sink_enter_and_write(struct mote_transfer *t, bool whole, char *bytes, size_t len, size_t *used)
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

CURLcode mote_sink_empty(struct mote_transfer *t)
{
  struct mote_sink_target to;
  char none = 0;
  mote_sink_target(t, &to);
  return sink_write_deliver(t, &to, false, &none, 0);
}

/* CURLOPT_HEADERFUNCTION(3) promises no NUL after the line. Programs that read a line as a text have always
 * found one with libcurl, and would read on into the next line. */
CURLcode mote_sink_call_header(struct mote_transfer *t, char *line, size_t len)
{
  struct mote_sink_target to;
  CURLcode rc;
  char after;
  if(!t->run->request.wants_headers || !header_target(t, &to))
    return CURLE_OK;
  after = line[len];
  line[len] = 0;
  rc = sink_write_deliver(t, &to, true, line, len);
  line[len] = after;
  return rc;
}

CURLcode mote_sink_call_both(struct mote_transfer *t, char *line, size_t len)
{
  size_t used;
  CURLcode rc = mote_sink_enter_and_write(t, true, line, len, &used);
  if(rc == CURLE_AGAIN)
    rc = mote_sink_keep_rest(t, line, len, used);
  if(rc == CURLE_AGAIN)
    return mote_sink_owe_header(t, line, len);
  return rc ? rc : mote_sink_call_header(t, line, len);
}

/* ---- after a pause ---- */

/* Delivers what the write callback has still to get, which may be a message without bytes. It stops when the
 * transfer is paused by other means than a refusal, and returns CURLE_OK. */
static CURLcode resume_write(struct mote_transfer *t, struct mote_kept *k)
{
  struct mote_run *r = t->run;
  struct mote_sink_target to;
  to.whole = false;
  do {
    CURLcode rc;
    size_t n;
    mote_sink_target(t, &to);
    if(!sink_write_cut(t, &to, k->len - k->at, &n) && k->len)
      return over_size(t, to.most);
    rc = sink_write_deliver(t, &to, false, k->bytes + k->at, n);
    if(rc)
      return rc;
    r->stats.delivered += (curl_off_t)n;
    k->at += (uint32_t)n;
  } while(k->at < k->len && !r->flow.recv.paused);
  return CURLE_OK;
}

/* Delivers a line to the header callback, unless the application has taken that away. */
static CURLcode resume_header(struct mote_transfer *t, struct mote_kept *k)
{
  struct mote_sink_target to;
  CURLcode rc = header_target(t, &to) ? sink_write_deliver(t, &to, true, k->bytes, k->len) : CURLE_OK;
  if(!rc)
    t->run->flow.recv.header = false;
  return rc;
}

CURLcode mote_sink_resume(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct mote_kept *k = r->paused;
  CURLcode rc = CURLE_OK;
  if(!k)
    return CURLE_OK;
  if(k->at < k->len || !r->flow.recv.header)
    rc = resume_write(t, k);
  if(!rc && r->flow.recv.header && !r->flow.recv.paused)
    rc = resume_header(t, k);
  if(rc)
    return rc;
  if(k->at == k->len && !r->flow.recv.header) {
    mote_kept_free(t, k);
    r->paused = NULL;
  }
  return r->flow.recv.paused ? CURLE_AGAIN : CURLE_OK;
}

static unsigned sink_write_with(unsigned want, unsigned bit, bool on)
{
  return on ? want | bit : want & ~bit;
}

/* Watches what is left to wait for at once, so that an application that watches the descriptors hears of it
 * within this call. True: no step has to correct it. A layer may wait for another direction than the
 * protocol, and a connection of many transfers is its driver's to watch. */
static bool watch_unpaused(const struct mote_transfer *t, struct mote_flow before)
{
  const struct mote_run *r = t->run;
  struct mote_conn *c = r->channel.conn;
  unsigned want;
  if(!c || r->lease.phase != MOTE_PHASE_EXCHANGE || c->tcp.watch.user != t ||
     mote_multi_in_callback(t->multi))
    return false;
  want = c->tcp.watch.want;
  if(r->flow.recv.paused != before.recv.paused)
    want = sink_write_with(want, MOTE_WANT_IN, !r->flow.recv.paused);
  if(r->flow.send.paused != before.send.paused)
    want = sink_write_with(want, MOTE_WANT_OUT, !r->flow.send.paused && r->body);
  if(mote_watch_want(c->set, &c->tcp.watch, want))
    return false;
  mote_waitset_settle(c->set);
  return mote_conn_is_plain(c);
}

CURLcode mote_transfer_pause(struct mote_transfer *t, int action)
{
  struct mote_run *r = t->run;
  struct mote_flow before;
  bool more;
  if(!r || t->state == MOTE_STATE_IDLE || t->state == MOTE_STATE_DONE)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  before = r->flow;
  r->flow.recv.paused = (action & CURLPAUSE_RECV) != 0;
  r->flow.send.paused = (action & CURLPAUSE_SEND) != 0;
  if(before.recv.paused == r->flow.recv.paused && before.send.paused == r->flow.send.paused)
    return CURLE_OK; /* a progress callback that unpauses each time must not bring about its next call */
  more = before.recv.paused > r->flow.recv.paused || before.send.paused > r->flow.send.paused;
  if(r->channel.conn)
    mote_conn_look_again(r->channel.conn); /* no event reports what arrived during the pause */
  if((!watch_unpaused(t, before) || more) && t->multi && t->list == MOTE_LIST_WAITING)
    mote_schedule_move(t->multi, t, MOTE_LIST_READY);
  return CURLE_OK;
}
