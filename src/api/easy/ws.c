/* api/easy/ws.c: curl_ws_send(3), curl_ws_recv(3), curl_ws_meta(3) and curl_ws_start_frame(3), on the
 * WebSocket that CURLOPT_CONNECT_ONLY = 2 has left with the handle or that a transfer is about to deliver.
 *
 * Each call does what it can now. A PING is answered by curl_ws_recv(), or by the transfer. */
#include "api/easy/easy_handle.h"
#include "base/report.h"
#include "engine/multi.h"
#include "net/conn.h"
#include "protocol/ws/ws.h"
#include "transfer/transfer.h"

/* Finds the handle's WebSocket. rc: what the lack of one means to the caller. */
static CURLcode easy_ws_find(CURL *curl, CURLcode rc, struct mote_transfer **t, struct mote_ws **w)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  *t = &e->t;
  *w = mote_ws_find(&e->t);
  if(*w)
    return CURLE_OK;
  return mote_fail_as(rc, &e->t.report, "the handle has no open WebSocket");
}

/* ---- receiving ---- */

static bool only_connects(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY) != 0;
}

CURLcode curl_ws_recv(CURL *curl, void *buffer, size_t buflen, size_t *nread,
                      const struct curl_ws_frame **metap)
{
  struct mote_transfer *t;
  struct mote_ws *w;
  CURLcode rc;
  size_t n = 0;
  if(nread)
    *nread = 0;
  if(metap)
    *metap = NULL;
  if(!nread || (buflen && !buffer))
    return CURLE_BAD_FUNCTION_ARGUMENT;
  rc = easy_ws_find(curl, CURLE_BAD_FUNCTION_ARGUMENT, &t, &w);
  if(rc == CURLE_BAD_FUNCTION_ARGUMENT && mote_easy_of(curl) && !only_connects(&mote_easy_of(curl)->t))
    rc = CURLE_UNSUPPORTED_PROTOCOL;
  if(rc)
    return rc;
  if(t->run->lease.phase != MOTE_PHASE_OPEN)
    return mote_fail_as(CURLE_UNSUPPORTED_PROTOCOL, &t->report,
                        "the write callback gets what this WebSocket receives");
  rc = mote_ws_receive(t, buffer, buflen, &n);
  if(rc)
    return rc;
  *nread = n;
  if(metap)
    *metap = &w->meta;
  return CURLE_OK;
}

const struct curl_ws_frame *curl_ws_meta(CURL *curl)
{
  struct mote_easy *e = mote_easy_of(curl);
  const struct mote_ws *w = e && e->t.in_callback ? mote_ws_find(&e->t) : NULL;
  return w && w->delivering && !mote_ws_is_raw(&e->t) ? &w->meta : NULL;
}

/* ---- sending ---- */

static CURLcode send_raw(struct mote_transfer *t, const void *buffer, size_t len, size_t *sent,
                         bool plain_call)
{
  CURLcode rc;
  if(!plain_call)
    return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report, "fragsize and flags must be 0 in raw mode");
  rc = len ? mote_conn_send(t->run->channel.conn, buffer, len, sent) : CURLE_OK;
  *sent = rc ? 0 : *sent;
  return rc;
}

/* Begins the frame, unless one is under way, whose next bytes these are. */
static CURLcode easy_ws_begin(struct mote_transfer *t, const struct mote_ws *w, size_t len,
                              curl_off_t fragsize,
                              unsigned flags)
{
  curl_off_t size = flags & CURLWS_OFFSET ? fragsize : (curl_off_t)len;
  if(w->out.left || w->owed)
    size = (curl_off_t)w->out.left + w->owed;
  if(size < 0)
    return mote_fail_as(CURLE_SEND_ERROR, &t->report, "a WebSocket frame cannot have a negative size");
  if((uint64_t)len > (uint64_t)size)
    return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report,
                        "%lu bytes are more than the WebSocket frame has left", (unsigned long)len);
  return w->out.left || w->owed ? CURLE_OK : mote_ws_begin_frame(t, flags, (uint64_t)size);
}

/* A transfer sends by itself what a short send has kept, once it looks at it. */
static void wake_sender(struct mote_transfer *t, const struct mote_ws *w)
{
  if(!w->unsent || t->run->lease.phase != MOTE_PHASE_EXCHANGE)
    return;
  mote_transfer_wake(t);
  if(!mote_multi_in_callback(t->multi))
    (void)mote_multi_report_timer(t->multi);
}

CURLcode curl_ws_send(CURL *curl, const void *buffer, size_t buflen, size_t *sent, curl_off_t fragsize,
                      unsigned int flags)
{
  struct mote_transfer *t;
  struct mote_ws *w;
  size_t n = 0;
  CURLcode rc;
  if(sent)
    *sent = 0;
  if(!sent || (buflen && !buffer))
    return CURLE_BAD_FUNCTION_ARGUMENT;
  rc = easy_ws_find(curl, CURLE_SEND_ERROR, &t, &w);
  if(rc)
    return rc;
  if(w->failed) {
    mote_fail(&t->report, "sending has failed within a WebSocket frame before");
    return (CURLcode)w->failed;
  }
  rc = mote_ws_flush(t);
  if(!rc && mote_ws_is_raw(t)) {
    rc = send_raw(t, buffer, buflen, &n, !flags && !fragsize);
    *sent = n;
    return rc;
  }
  if(!rc)
    rc = easy_ws_begin(t, w, buflen, fragsize, flags);
  if(!rc) {
    rc = mote_ws_send_again(t, buffer, buflen, sent);
    wake_sender(t, w);
  }
  return rc && *sent ? CURLE_OK : rc; /* an error after bytes that went waits for the next call */
}

CURLcode curl_ws_start_frame(CURL *curl, unsigned int flags, curl_off_t frame_len)
{
  struct mote_transfer *t;
  struct mote_ws *w;
  CURLcode rc = easy_ws_find(curl, CURLE_SEND_ERROR, &t, &w);
  if(rc)
    return rc;
  if(mote_ws_is_raw(t) || !w->uploads || w->out.left || frame_len < 0) {
    mote_fail(&t->report, mote_ws_is_raw(t) ? "raw mode has no WebSocket frames of ours"
                          : frame_len < 0 ? "a WebSocket frame cannot have a negative size"
                          : w->out.left ? "the WebSocket frame before is not complete"
                                        : "the transfer uploads nothing");
    return mote_ws_is_raw(t) ? CURLE_FAILED_INIT : CURLE_SEND_ERROR;
  }
  rc = mote_ws_flush(t);
  if(!rc)
    rc = mote_ws_begin_frame(t, flags, (uint64_t)frame_len);
  w->started = w->started || !rc;
  return rc;
}
