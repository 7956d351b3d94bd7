/* protocol/http3/h3_early.c: a request as early data (RFC 8470, net/h3/early.h).
 *
 * It is written again if the server refuses it, or if another attempt of the dial becomes the connection.
 * So nothing is noted of it, and the application does not see it, before the handshake is complete and its
 * owner begins with the exchange. */
#include <string.h>

#include "base/report.h"
#include "http/fields.h"
#include "http/request.h"
#include "net/h3/early.h"
#include "net/mux/mux.h"
#include "port/port.h"
#include "protocol/http3/h3.h"
#include "transfer/report/debug.h"

/* ---- which requests ---- */

/* Safe methods (RFC 9110 section 9.2.1). */
static bool h3_early_is_safe(const struct mote_transfer *t)
{
  static const char methods[] = "GET\0HEAD\0OPTIONS\0TRACE\0";
  const char *name = mote_http_method(t), *safe;
  for(safe = methods; *safe; safe += strlen(safe) + 1)
    if(!strcmp(name, safe))
      return !t->run->body && t->run->request.method <= MOTE_METHOD_HEAD;
  return false;
}

/* What takes rounds or depends on the connection, and a signature, which counts or has a time. */
static bool h3_early_logs_in(const struct mote_options *o)
{
  unsigned long schemes = (unsigned long)mote_opt_long(o, CURLOPT_HTTPAUTH);
  return (schemes & ~(CURLAUTH_BASIC | CURLAUTH_BEARER)) != 0 || mote_opt_str(o, CURLOPT_SSLCERT) ||
         mote_opt_blob(o, CURLOPT_SSLCERT_BLOB).ptr;
}

/* One that was made before is made again because it has failed, or because the server wants that. */
bool mote_h3_may_be_early(const struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  return (mote_opt_long(o, CURLOPT_SSL_OPTIONS) & CURLSSLOPT_EARLYDATA) &&
         t->run->request.stage < MOTE_REQUEST_ASKED && h3_early_is_safe(t) && !h3_early_logs_in(o) &&
         !mote_opt_fn(o, CURLOPT_PREREQFUNCTION);
}

/* ---- writing it ---- */

static void h3_early_begin_head(struct mote_http_writer *w)
{
  mote_http_fields_begin(w, mote_slice_of(" HTTP/3\r\n"));
}

static const struct mote_http_wire early_fields = {
  .hop_by_hop = false,
  .begin = h3_early_begin_head,
  .field = mote_http_fields_name,
  .end = mote_http_fields_end,
  .framing = mote_http_fields_framing,
  .finish = mote_http_fields_finish,
};

static bool h3_early_write(struct mote_http_writer *w, struct mote_transfer *t)
{
  if(mote_http_open_writer(w, t, &early_fields))
    return false;
  mote_http_write(w);
  return !w->rc && w->len <= MOTE_HTTP_HEAD_MAX;
}

static CURLcode h3_early_open_stream(struct mote_http_writer *w, struct mote_h3_session *s,
                                     const struct mote_h3_early_request *request)
{
  struct mote_slice room = {w->ptr + w->len, w->cap - w->len};
  size_t count = mote_http_fields_count(w);
  struct mote_mux_fields f;
  CURLcode rc = mote_mux_fields_open(&f, w->t, count, room);
  if(rc)
    return rc;
  memcpy(request->head, w->ptr, w->len);
  while(f.count < count) {
    f.fields[f.count] = mote_http_fields_at(w, f.count);
    f.count++;
  }
  rc = mote_h3_early_submit(s, request, f.fields, count);
  mote_kept_free(w->t, f.block);
  return rc;
}

/* The exchange is where the request's features look for it (mote_http_of()). */
void mote_h3_ask_early(struct mote_transfer *t, struct mote_h3_session *s)
{
  struct mote_mux_exchange *x = mote_h3_memory_take(s, sizeof *x);
  struct mote_h3_early_request request = {.stream = &x->stream, .block = x, .at = mote_port_now()};
  struct mote_dial *dial = t->run->channel.dial;
  struct mote_http_writer w = {0};
  CURLcode rc = CURLE_OUT_OF_MEMORY;
  if(!x)
    return;
  x->t = t;
  t->run->channel.state = x;
  if(h3_early_write(&w, t))
    request.head = mote_h3_memory_take(s, w.len);
  request.head_len = (uint32_t)w.len;
  if(request.head)
    rc = h3_early_open_stream(&w, s, &request);
  mote_kept_free(t, w.block);
  t->run->channel.dial = dial;
  if(!rc)
    return;
  mote_slab_put(&s->memory, request.head);
  mote_slab_put(&s->memory, x);
}

/* ---- the exchange ---- */

static void h3_early_note(struct mote_transfer *t, const struct mote_h3_early *e)
{
  int32_t bytes = e->request.head_len < INT32_MAX ? (int32_t)e->request.head_len : INT32_MAX;
  if(!e->sent) {
    mote_info(&t->report, "TLS has not let the request go as early data");
    return;
  }
  t->run->stats.early = e->refused ? -bytes : bytes;
  mote_info(&t->report, e->refused ? "The server has refused early data: the request is sent again"
                                   : "The server has taken the request as early data");
}

/* The request was sent before. Only now it is known which one of the attempts it was. */
static void h3_early_account(struct mote_transfer *t, const struct mote_h3_early *e)
{
  struct mote_stats *st = &t->run->stats;
  t->run->request.bytes += e->request.head_len;
  t->run->request.stage = MOTE_REQUEST_ASKED;
  mote_debug(t, CURLINFO_HEADER_OUT, e->request.head, e->request.head_len);
  mote_mux_upload_sent(t);
  mote_mark_set(st, MOTE_MARK_PRETRANSFER, e->request.at);
  mote_mark_set(st, MOTE_MARK_POSTTRANSFER, e->request.at);
}

struct mote_mux_exchange *mote_h3_take_early(struct mote_h3_session *s, struct mote_transfer *t)
{
  const struct mote_h3_early *e = mote_h3_early_take(s);
  struct mote_mux_exchange *x;
  if(!e)
    return NULL;
  x = mote_mux_exchange_with(e->request.stream);
  h3_early_note(t, e);
  if(!e->refused) {
    t->run->channel.state = x;
    h3_early_account(t, e);
    return x;
  }
  (void)mote_h3_leave(s, &x->stream);
  mote_slab_put(&s->memory, x);
  mote_h3_early_deliver(s);
  return NULL;
}

/* Too Early (RFC 8470 section 5.2): the request is made again now that the handshake is complete. Whatever is
 * said of it then is the response. */
void mote_h3_judge_early(struct mote_mux_stream *stream, const struct mote_event *e)
{
  struct mote_mux_exchange *x = mote_mux_exchange_with(stream);
  if(e->kind != MOTE_EVENT_FIELD || e->len != 7 || e->bytes[0] != ':' ||
     mote_mux_status((struct mote_slice){e->value, e->value_len}) != 425)
    return;
  mote_info(&x->t->report, "The server wants the request after the handshake: making it again");
  x->http.again = true;
}
