/* protocol/rtsp/rtsp_request.c: the head of an RTSP request, in libcurl's order (protocol/rtsp/rtsp.h). */
#include "protocol/rtsp/rtsp.h"

#include <string.h>

#include "http/auth/netrc.h"
#include "http/hooks.h"
#include "http/request.h"
#include "protocol/body.h"
#include "transfer/report/debug.h"
#include "transfer/upload/source.h"

static const struct {
  const char *method;
  bool body;      /* it may have one */
  bool range;     /* CURLOPT_RANGE is sent */
} requests[] = {
  [CURL_RTSPREQ_OPTIONS] = {.method = "OPTIONS"},
  [CURL_RTSPREQ_DESCRIBE] = {.method = "DESCRIBE"},
  [CURL_RTSPREQ_ANNOUNCE] = {.method = "ANNOUNCE", .body = true},
  [CURL_RTSPREQ_SETUP] = {.method = "SETUP"},
  [CURL_RTSPREQ_PLAY] = {.method = "PLAY", .range = true},
  [CURL_RTSPREQ_PAUSE] = {.method = "PAUSE", .range = true},
  [CURL_RTSPREQ_TEARDOWN] = {.method = "TEARDOWN"},
  [CURL_RTSPREQ_GET_PARAMETER] = {.method = "GET_PARAMETER", .body = true},
  [CURL_RTSPREQ_SET_PARAMETER] = {.method = "SET_PARAMETER", .body = true},
  [CURL_RTSPREQ_RECORD] = {.method = "RECORD", .range = true},
  [CURL_RTSPREQ_RECEIVE] = {.method = NULL}
};

long mote_rtsp_request(const struct mote_transfer *t)
{
  long request = mote_opt_long(&t->options, CURLOPT_RTSP_REQUEST);
  return request ? request : CURL_RTSPREQ_OPTIONS;
}

/* CURLOPT_RTSP_CLIENT_CSEQ has an effect once. */
struct mote_rtsp_memory *mote_rtsp_remember(struct mote_transfer *t)
{
  bool known = mote_option_has(&t->options, MOTE_OPT_RTSP);
  struct mote_rtsp_memory *m = mote_option_keep_block(&t->options, MOTE_OPT_RTSP, sizeof *m);
  long set = mote_opt_long(&t->options, CURLOPT_RTSP_CLIENT_CSEQ);
  if(m && !known)
    *m = (struct mote_rtsp_memory){.next = 1};
  if(m && set) {
    m->next = set;
    mote_option_unset(&t->options, MOTE_OPT_ID(CURLOPT_RTSP_CLIENT_CSEQ));
  }
  return m;
}

/* ---- before the request ---- */

/* A line end in an option would begin a field or a request of its own. */
static bool rtsp_request_has_control(const char *text)
{
  for(; text && *text; text++)
    if((unsigned char)*text < ' ' || *text == 127)
      return true;
  return false;
}

static bool rtsp_request_has_line_end(const char *text)
{
  return text && text[strcspn(text, "\r\n")];
}

/* What RTSP shares with HTTP may have tabs. */
static bool has_line_end_in_fields(const struct mote_options *o)
{
  const struct curl_slist *l;
  for(l = mote_opt_ptr(o, CURLOPT_HTTPHEADER); l; l = l->next)
    if(rtsp_request_has_line_end(l->data))
      return true;
  return rtsp_request_has_line_end(mote_opt_str(o, CURLOPT_USERAGENT)) ||
    rtsp_request_has_line_end(mote_opt_str(o, CURLOPT_REFERER)) ||
         rtsp_request_has_line_end(mote_opt_str(o, CURLOPT_ACCEPT_ENCODING)) ||
         rtsp_request_has_line_end(mote_opt_str(o, CURLOPT_XOAUTH2_BEARER));
}

static CURLcode judge_options(struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  const char *uri = mote_opt_str(o, CURLOPT_RTSP_STREAM_URI);
  const char *range = mote_opt_str(o, CURLOPT_RANGE);
  if(mote_http_has_own(t, "CSeq"))
    return mote_fail_as(CURLE_RTSP_CSEQ_ERROR, &t->report, "CSeq cannot be set as a custom header");
  if(mote_http_has_own(t, "Session"))
    return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report,
                        "Session ID cannot be set as a custom header");
  if(mote_rtsp_request(t) == CURL_RTSPREQ_SETUP && !mote_opt_str(o, CURLOPT_RTSP_TRANSPORT) &&
     !mote_http_has_own(t, "Transport"))
    return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report, "RTSP SETUP needs CURLOPT_RTSP_TRANSPORT");
  if(rtsp_request_has_control(uri) || (uri && strchr(uri, ' ')) || rtsp_request_has_control(range) ||
     rtsp_request_has_control(mote_opt_str(o, CURLOPT_RTSP_TRANSPORT)) ||
     rtsp_request_has_control(mote_opt_str(o, CURLOPT_RTSP_SESSION_ID)))
    return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report,
                        "An RTSP option contains a control character");
  if(has_line_end_in_fields(o))
    return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report,
                        "A field of the RTSP request contains a line end");
  return CURLE_OK;
}

CURLcode mote_rtsp_prepare(struct mote_transfer *t)
{
  bool body = requests[mote_rtsp_request(t)].body;
  CURLcode rc = judge_options(t);
  if(rc)
    return rc;
  if(body && t->run->request.method == MOTE_METHOD_MIME)
    return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report, "RTSP has no multipart forms");
  if(body)
    rc = mote_http_prepare(t);
  else {
    mote_source_close(t);
    mote_request_announce(&t->run->request, -1);
    if(MOTE_HAS_NETRC && mote_option_maybe(&t->options, MOTE_OPT_ID(CURLOPT_NETRC)))
      rc = mote_netrc_find_printable(t);
  }
  if(!rc && t->run->body && mote_source_size(t) < 0)
    rc = mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &t->report,
                      "RTSP needs the size of a body (CURLOPT_INFILESIZE)");
  return rc;
}

/* ---- the head ---- */

static void rtsp_request_begin_line(struct mote_http_writer *w, const char *name, size_t len)
{
  mote_http_put(w, name, len);
  mote_http_put(w, ":", 1);
}

static void rtsp_request_end_line(struct mote_http_writer *w)
{
  mote_http_put(w, "\r\n", 2);
}

static const struct mote_http_wire lines =
  {.field = rtsp_request_begin_line, .end = rtsp_request_end_line};

static void put_number_field(struct mote_http_writer *w, const char *name, curl_off_t value)
{
  mote_http_begin_field(w, name, "");
  mote_http_put_number(w, value);
  mote_http_end_field(w);
}

/* An empty body is none. */
static void rtsp_request_put_body_fields(struct mote_http_writer *w, long request)
{
  curl_off_t size = w->t->run->body ? mote_source_size(w->t) : 0;
  if(size <= 0)
    return;
  if(!mote_http_has_own(w->t, "Content-Length"))
    put_number_field(w, "Content-Length", size);
  mote_http_put_optional(w, "Content-Type",
                         request == CURL_RTSPREQ_ANNOUNCE ? "application/sdp" : "text/parameters");
}

/* Of HTTP's features only these two write fields of a request. */
static void rtsp_request_put_hooks(struct mote_http_writer *w, long request)
{
  struct mote_http *h = mote_http_of(w->t);
  h->fields = mote_http_auth.fields;
  h->hooks = 0;
  mote_http_auth.request(w);
  if(request == CURL_RTSPREQ_DESCRIBE)
    mote_http_time_condition.request(w);
}

static void rtsp_request_write_head(struct mote_http_writer *w, long request, long cseq)
{
  const struct mote_options *o = &w->t->options;
  const char *agent = mote_opt_str(o, CURLOPT_USERAGENT);
  mote_http_put_text(w, w->method);
  mote_http_put(w, " ", 1);
  mote_http_put_text(w, w->target);
  mote_http_put_text(w, " RTSP/1.0\r\n");
  put_number_field(w, "CSeq", cseq);
  mote_http_put_optional(w, "Session", mote_opt_str(o, CURLOPT_RTSP_SESSION_ID));
  if(request == CURL_RTSPREQ_SETUP)
    mote_http_put_optional(w, "Transport", mote_opt_str(o, CURLOPT_RTSP_TRANSPORT));
  if(request == CURL_RTSPREQ_DESCRIBE)
    mote_http_put_optional(w, "Accept", "application/sdp");
  mote_http_put_optional(w, "Accept-Encoding", mote_opt_str(o, CURLOPT_ACCEPT_ENCODING));
  if(requests[request].range)
    mote_http_put_optional(w, "Range", mote_opt_str(o, CURLOPT_RANGE));
  mote_http_put_optional(w, "Referer", mote_opt_str(o, CURLOPT_REFERER));
  mote_http_put_optional(w, "User-Agent", agent && *agent ? agent : NULL);
  rtsp_request_put_hooks(w, request);
  mote_http_put_lines(w, mote_opt_ptr(o, CURLOPT_HTTPHEADER));
  rtsp_request_put_body_fields(w, request);
  mote_http_put(w, "\r\n", 2);
}

static CURLcode rtsp_request_build_head(struct mote_http_writer *w, struct mote_transfer *t, long cseq)
{
  const char *uri = mote_opt_str(&t->options, CURLOPT_RTSP_STREAM_URI);
  long request = mote_rtsp_request(t);
  CURLcode rc = mote_http_open_writer(w, t, &lines);
  if(rc)
    return rc;
  w->method = requests[request].method;
  w->target = uri ? uri : "*";
  rtsp_request_write_head(w, request, cseq);
  return mote_http_judge_head(w);
}

CURLcode mote_rtsp_send_head(struct mote_transfer *t)
{
  struct mote_rtsp_memory *m = mote_rtsp_remember(t);
  struct mote_rtsp *s = mote_rtsp_of(t);
  struct mote_http_writer w;
  CURLcode rc;
  if(!m)
    return CURLE_OUT_OF_MEMORY;
  s->cseq = m->next;
  rc = rtsp_request_build_head(&w, t, s->cseq);
  if(rc) {
    mote_kept_free(t, w.block);
    return rc;
  }
  m->next++;
  m->received = 0;
  t->run->request.bytes += (uint32_t)w.len;
  t->run->request.stage = MOTE_REQUEST_ASKED;
  mote_debug(t, CURLINFO_HEADER_OUT, w.ptr, w.len);
  if(!w.block)
    return mote_body_put(t, t->run->channel.conn, w.ptr, w.len);
  w.block->len = (uint32_t)w.len;
  t->run->unsent = w.block;
  return mote_body_flush(t, t->run->channel.conn);
}
