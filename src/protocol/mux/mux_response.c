/* protocol/mux/mux_response.c: what comes for a stream, and what waits while its transfer does not take it
 * (protocol/mux/exchange.h). */
#include <string.h>

#include "base/report.h"
#include "http/response.h"
#include "net/mux/fields.h"
#include "net/mux/mux.h"
#include "port/port.h"
#include "protocol/mux/exchange.h"
#include "transfer/callback.h"
#include "transfer/channel.h"
#include "transfer/protocol.h"
#include "transfer/report/progress.h"

#define LINE_SMALL 512u /* bytes of a line that is written on the stack */
#define QUEUE_FIRST 4096u

/* ---- credit ---- */

/* The server may send again what the application has taken. */
static void give_credit(struct mote_transfer *t)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  struct mote_mux_link *l = mote_mux_link_of(t);
  uint32_t n = s->owed;
  if(!n || t->run->paused)
    return;
  s->owed = 0;
  if(s->ended || s->stream.closed)
    return;
  mote_mux_row_of(t)->credit(s, n, mote_mux_window_take(&s->window, l->windows, n));
  if(!l->turn)
    mote_drive_soon(&l->drive);
}

void mote_mux_give_owed(struct mote_mux_link *l)
{
  struct mote_mux_exchange *s = l->turn->owing;
  l->turn->owing = l->turn->straight = NULL;
  if(s)
    give_credit(s->t);
}

/* What is sent leaves at the end of the turn, and so credit for all pieces of a stream is given then. */
static void mux_response_owe(struct mote_transfer *t, size_t n)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  struct mote_mux_link *l = mote_mux_link_of(t);
  s->owed += (uint32_t)n;
  if(!l->turn) {
    give_credit(t);
    return;
  }
  if(l->turn->owing != s)
    mote_mux_give_owed(l);
  l->turn->owing = s;
}

/* ---- the head ---- */

static CURLcode mux_response_take_status(struct mote_transfer *t, struct mote_slice value)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  const struct mote_mux_row *row = mote_mux_row_of(t);
  struct mote_http1_event ev = {.kind = MOTE_HTTP1_STATUS, .major = 1, .minor = 1};
  char line[] = "HTTP/0 000 \r\n";
  CURLcode rc = CURLE_OK;
  ev.code = mote_mux_status(value);
  if(!ev.code)
    return row->unlawful;
  memcpy(line, row->name, 6);
  memcpy(line + 7, value.ptr, 3);
  mote_http1_response_begin(&s->response, &ev);
  s->in_head = true;
  s->http.quiet = !mote_sink_wants_headers(t);
  mote_http_of(t)->code = ev.code;
  rc = mote_headers_add(&t->run->response.headers, &t->account, CURLH_PSEUDO, 0, mote_slice_of(":status"),
                        value);
  return rc ? rc
            : mote_response_status(t, ev.code, row->version,
                                   (struct mote_slice){line, sizeof line - 1}, mote_port_now());
}

static CURLcode mux_response_note_framing(struct mote_transfer *t, struct mote_http1_name known,
                                         struct mote_slice name,
                                         struct mote_slice value)
{
  struct mote_http1_event ev = {.kind = MOTE_HTTP1_HEADER, .name = name, .value = value, .known = known};
  CURLcode rc;
  if(known.field == MOTE_FIELD_CONTENT_LENGTH && mote_opt_long(&t->options, CURLOPT_IGNORE_CONTENT_LENGTH))
    return CURLE_OK;
  rc = mote_http1_response_field(&mote_mux_exchange_of(t)->response, &ev);
  if(rc && ev.why)
    mote_fail(&t->report, "%s", mote_http1_why_text(ev.why));
  return rc;
}

/* A field whose line is written. */
static CURLcode judge_field(struct mote_transfer *t, struct mote_slice name, struct mote_slice value,
                            struct mote_slice line)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  struct mote_http1_name known;
  CURLcode rc = CURLE_OK;
  if(s->http.receiving != MOTE_HTTP_RECEIVE_HEAD) {
    s->trailers = true;
    return mote_response_trailer(t, name, value, line);
  }
  known = mote_http1_name_lower(name);
  if(mote_http1_is_framing(known.field))
    rc = mux_response_note_framing(t, known, name, value);
  return rc ? rc : mote_response_field(t, known, name, value, line);
}

/* A line that no callback gets is only counted. */
static CURLcode mux_response_take_field(struct mote_transfer *t, struct mote_slice name,
                                       struct mote_slice value)
{
  const struct mote_http *h = &mote_mux_exchange_of(t)->http;
  char small[LINE_SMALL + 1]; /* the line, and the byte after it (mote_sink_header()) */
  struct mote_slice line = {small, name.len + value.len + 4};
  struct mote_kept *block = NULL;
  char *at = small;
  CURLcode rc;
  if(name.len == 7 && name.ptr[0] == ':')
    return mux_response_take_status(t, value);
  if(h->quiet && h->receiving == MOTE_HTTP_RECEIVE_HEAD)
    return judge_field(t, name, value, (struct mote_slice){NULL, line.len});
  if(line.len > LINE_SMALL) {
    block = mote_kept_new(t, line.len + 1);
    if(!block)
      return CURLE_OUT_OF_MEMORY;
    at = block->bytes;
    line.ptr = at;
  }
  memcpy(at, name.ptr, name.len);
  memcpy(at + name.len, ": ", 2);
  memcpy(at + name.len + 2, value.ptr, value.len);
  memcpy(at + name.len + 2 + value.len, "\r\n", 2);
  rc = judge_field(t, name, value, line);
  mote_kept_free(t, block);
  return rc;
}

static curl_off_t mux_response_announced(const struct mote_http1_response *r)
{
  if(r->flags & MOTE_HTTP1_HAS_LENGTH)
    return (curl_off_t)r->length;
  return r->code == 204 || r->code == 304 ? 0 : -1;
}

static CURLcode mux_response_final_head(struct mote_transfer *t, bool end)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  bool none = end || t->run->request.method == MOTE_METHOD_HEAD;
  struct mote_http_body body = {.fields = &s->response, .size = mux_response_announced(&s->response),
                                .kind = none ? MOTE_HTTP1_BODY_NONE : MOTE_HTTP1_BODY_LENGTH};
  CURLcode rc = mote_response_head(t, &body);
  if(rc)
    return rc;
  s->http.receiving = MOTE_HTTP_RECEIVE_BODY;
  if(t->run->request.method == MOTE_METHOD_HEAD || (!end && mote_response_leaves_body(t, &body)))
    s->http.receiving = MOTE_HTTP_RECEIVE_FINISH;
  return CURLE_OK;
}

static CURLcode mux_response_take_head(struct mote_transfer *t, bool end)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  char line[] = "\r\n";
  CURLcode rc = CURLE_OK, delivered;
  if(s->http.receiving == MOTE_HTTP_RECEIVE_HEAD) {
    s->in_head = false;
    if(!mote_http1_is_interim(s->http.code))
      rc = mux_response_final_head(t, end);
    else {
      mote_response_interim(t);
      rc = end ? mote_mux_row_of(t)->unlawful : CURLE_OK;
    }
  }
  else if(!s->trailers)
    return CURLE_OK;
  /* a head is delivered completely, even when what it says ends the transfer */
  delivered = mote_sink_header(t, line, sizeof line - 1);
  return rc ? rc : delivered;
}

/* ---- the body, and the end ---- */

/* CURLE_AGAIN with bytes left: the transfer is paused, limited, or has had its turn. */
static CURLcode mux_response_take_bytes(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  size_t most = len;
  CURLcode rc;
  *used = len;
  if(s->http.receiving != MOTE_HTTP_RECEIVE_BODY)
    return CURLE_OK;
  if(t->run->speed)
    most = mote_speed_allow_down(t, mote_port_now(), len);
  *used = 0;
  if(!most)
    return CURLE_AGAIN;
  rc = mote_sink_body(t, bytes, most, used);
  mote_speed_passed_down(t, *used);
  if(rc == CURLE_AGAIN)
    mote_mux_window_pause(&s->window);
  mux_response_owe(t, *used);
  return !rc && *used < len ? CURLE_AGAIN : rc;
}

static CURLcode mux_response_take_end(struct mote_transfer *t)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  if(s->http.receiving == MOTE_HTTP_RECEIVE_HEAD)
    return mote_mux_row_of(t)->unlawful;
  if(s->http.receiving == MOTE_HTTP_RECEIVE_BODY)
    s->http.receiving = MOTE_HTTP_RECEIVE_FINISH;
  return CURLE_OK;
}

/* ---- the queue ---- */

/* What waits, each as a head and its bytes. */
enum mux_item { MUX_ITEM_FIELD, MUX_ITEM_HEAD, MUX_ITEM_BYTES, MUX_ITEM_END };

/* The head of what waits; the bytes, or name and value, follow. */
struct item {
  uint32_t kind;   /* enum mux_item */
  uint32_t len;    /* of the bytes or the name; HEAD: whether the stream ends with it */
  uint32_t value;  /* FIELD: bytes of the value */
};

/* What was taken makes room as soon as it is at least as much as what waits. Each byte that moves stands for
 * one that was taken, and the block grows with what waits, not with the body. */
static void mux_response_compact(struct mote_mux_exchange *s)
{
  struct mote_kept *k = s->queue;
  uint32_t live = k->len - k->at;
  if(k->at < live)
    return;
  memcpy(k->bytes, k->bytes + k->at, live);
  s->queue_last -= k->at;
  k->len = live;
  k->at = 0;
}

static CURLcode mux_response_make_room(struct mote_transfer *t, size_t more)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  struct mote_kept *k = s->queue;
  size_t need, cap = k ? k->cap : QUEUE_FIRST;
  if(k && k->len + more > cap)
    mux_response_compact(s);
  need = (k ? k->len : 0) + more;
  if(k && need <= cap)
    return CURLE_OK;
  while(cap < need)
    cap *= 2;
  s->queue = mote_kept_new(t, cap);
  if(!s->queue) {
    s->queue = k;
    return CURLE_OUT_OF_MEMORY;
  }
  if(k) {
    memcpy(s->queue->bytes, k->bytes, k->len);
    s->queue->len = k->len;
    s->queue->at = k->at;
    mote_kept_free(t, k);
  }
  return CURLE_OK;
}

static void mux_response_put(struct mote_kept *k, const void *p, size_t n)
{
  if(n)
    memcpy(k->bytes + k->len, p, n);
  k->len += (uint32_t)n;
}

/* Small pieces of a body are joined, so that a head for each does not take more than they do. */
static bool mux_response_joins(struct mote_mux_exchange *s, const char *bytes, size_t len)
{
  struct item last;
  if(!s->queue || s->queue->at == s->queue->len)
    return false;
  memcpy(&last, s->queue->bytes + s->queue_last, sizeof last);
  if(last.kind != MUX_ITEM_BYTES)
    return false;
  mux_response_put(s->queue, bytes, len);
  last.len += (uint32_t)len;
  memcpy(s->queue->bytes + s->queue_last, &last, sizeof last);
  return true;
}

static CURLcode mux_response_enqueue(struct mote_transfer *t, struct item i, const char *bytes,
                                    const char *value)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  size_t len = i.kind == MUX_ITEM_HEAD ? 0 : i.len;
  CURLcode rc = mux_response_make_room(t, sizeof i + len + i.value);
  if(rc)
    return rc;
  if(i.kind == MUX_ITEM_BYTES && mux_response_joins(s, bytes, len))
    return CURLE_OK;
  s->queue_last = s->queue->len;
  mux_response_put(s->queue, &i, sizeof i);
  mux_response_put(s->queue, bytes, len);
  mux_response_put(s->queue, value, i.value);
  return CURLE_OK;
}

static CURLcode enqueue_event(struct mote_transfer *t, const struct mote_event *e)
{
  struct item i = {.len = (uint32_t)e->len, .value = (uint32_t)e->value_len};
  switch(e->kind) {
  case MOTE_EVENT_FIELD:
    i.kind = MUX_ITEM_FIELD;
    break;
  case MOTE_EVENT_HEAD:
    i.kind = MUX_ITEM_HEAD;
    i.len = e->number;
    break;
  case MOTE_EVENT_BYTES:
    i.kind = MUX_ITEM_BYTES;
    break;
  default:
    i.kind = MUX_ITEM_END;
    break;
  }
  return mux_response_enqueue(t, i, e->bytes, e->value);
}

static CURLcode replay_bytes(struct mote_transfer *t, struct item i)
{
  struct mote_kept *k = mote_mux_exchange_of(t)->queue;
  size_t used;
  CURLcode rc = mux_response_take_bytes(t, k->bytes + k->at + sizeof i, i.len, &used);
  if(used == i.len) {
    k->at += (uint32_t)(sizeof i + i.len);
    return rc;
  }
  if(mote_mux_exchange_of(t)->queue_last == k->at)
    mote_mux_exchange_of(t)->queue_last += (uint32_t)used;
  k->at += (uint32_t)used;
  i.len -= (uint32_t)used;
  memcpy(k->bytes + k->at, &i, sizeof i);
  return rc;
}

static CURLcode mux_response_replay(struct mote_transfer *t)
{
  struct mote_kept *k = mote_mux_exchange_of(t)->queue;
  struct item i;
  const char *bytes = k->bytes + k->at + sizeof i;
  memcpy(&i, k->bytes + k->at, sizeof i);
  if(i.kind == MUX_ITEM_BYTES)
    return replay_bytes(t, i);
  k->at += (uint32_t)sizeof i;
  if(i.kind == MUX_ITEM_HEAD)
    return mux_response_take_head(t, i.len != 0);
  if(i.kind == MUX_ITEM_END)
    return mux_response_take_end(t);
  k->at += i.len + i.value;
  return mux_response_take_field(t, (struct mote_slice){bytes, i.len},
                                (struct mote_slice){bytes + i.len, i.value});
}

static CURLcode replay_all(struct mote_transfer *t)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  CURLcode rc = CURLE_OK;
  while(!rc && s->queue && s->queue->at < s->queue->len)
    rc = mux_response_replay(t);
  if(s->queue && s->queue->at == s->queue->len) {
    mote_kept_free(t, s->queue);
    s->queue = NULL;
  }
  return rc;
}

CURLcode mote_mux_response_go_on(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  CURLcode rc = CURLE_OK;
  bool was_paused = r->paused;
  if(r->flow.recv.paused)
    return CURLE_AGAIN;
  if(was_paused)
    rc = mote_sink_resume(t);
  if(!rc)
    give_credit(t);
  if(was_paused) /* what was taken before does not count for growth */
    mote_mux_window_pause(&s->window);
  if(!rc && r->decode)
    rc = mote_sink_turn(t);
  if(!rc && s->queue)
    rc = replay_all(t);
  if(!rc && s->http.receiving == MOTE_HTTP_RECEIVE_FINISH)
    rc = mote_response_end(t);
  if(rc == CURLE_AGAIN && !r->flow.recv.paused && !r->flow.recv.limited)
    mote_transfer_wake(t); /* the decoders have had their turn */
  return rc;
}

/* ---- events ---- */

static bool must_wait(const struct mote_transfer *t)
{
  const struct mote_run *r = t->run;
  return r->flow.recv.paused || r->flow.recv.limited || r->paused || mote_mux_exchange_of(t)->queue ||
         (r->decode && mote_sink_has_more(t));
}

static CURLcode mux_response_take(struct mote_transfer *t, const struct mote_event *e)
{
  switch(e->kind) {
  case MOTE_EVENT_FIELD:
    return mux_response_take_field(t, (struct mote_slice){e->bytes, e->len},
                                  (struct mote_slice){e->value, e->value_len});
  case MOTE_EVENT_HEAD:
    return mux_response_take_head(t, e->number != 0);
  default:
    return mux_response_take_end(t);
  }
}

/* The next piece may go straight to the write callback, until something else than that comes. */
static void go_straight(struct mote_transfer *t)
{
  struct mote_mux_turn *turn = mote_mux_link_of(t)->turn;
  const struct mote_run *r = t->run;
  if(!turn || r->speed || r->decode || r->response.body_ignored || t->options.changed || t->report.verbose)
    return;
  mote_sink_target(t, &turn->to);
  turn->to.whole = false;
  if(turn->to.most <= 0)
    turn->straight = turn->owing;
}

static CURLcode take_piece(struct mote_transfer *t, const struct mote_event *e)
{
  size_t used;
  CURLcode rc = mux_response_take_bytes(t, e->bytes, e->len, &used);
  if(rc == CURLE_AGAIN && used < e->len) {
    struct item i = {MUX_ITEM_BYTES, (uint32_t)(e->len - used), 0};
    CURLcode kept = mux_response_enqueue(t, i, e->bytes + used, NULL);
    return kept ? kept : rc;
  }
  if(!rc && mote_mux_exchange_of(t)->http.receiving == MOTE_HTTP_RECEIVE_BODY)
    go_straight(t);
  return rc;
}

/* A callback may have changed or paused the transfer since, or have ended it with an error. */
static bool is_straight(const struct mote_mux_link *l, const struct mote_mux_exchange *s)
{
  const struct mote_run *r = s->t->run;
  return l->turn && l->turn->straight == s && !r->flow.recv.paused && !s->t->options.changed &&
         r->lease.phase == MOTE_PHASE_EXCHANGE;
}

static void mux_response_deliver(struct mote_mux_link *l, const struct mote_mux_exchange *s, char *bytes,
                                 size_t len)
{
  struct mote_event e = {.kind = MOTE_EVENT_BYTES, .bytes = bytes, .len = len};
  if(l->turn && l->turn->straight == s)
    l->turn->straight = NULL;
  mote_channel_deliver(s->t, &e);
}

void mote_mux_response_data(struct mote_mux_exchange *s, char *bytes, size_t len)
{
  struct mote_transfer *t = s->t;
  struct mote_mux_link *l = mote_mux_link_of(t);
  struct mote_callback_guard g;
  CURLcode rc;
  size_t used;
  if(!is_straight(l, s)) {
    mux_response_deliver(l, s, bytes, len);
    return;
  }
  g = mote_callback_enter(t);
  rc = mote_sink_write(t, &l->turn->to, bytes, len, &used); /* a piece is one chunk at most */
  mote_callback_leave(t, g);
  t->run->stats.bytes_down += (curl_off_t)used;
  s->owed += (uint32_t)used;
  if(!rc)
    return;
  l->turn->straight = NULL;
  if(rc == CURLE_AGAIN)
    mote_mux_window_pause(&s->window);
  else
    mote_channel_fail(t, rc);
}

/* Bounds what waits of heads as well, whatever the compressed block was. */
static CURLcode count_field(struct mote_transfer *t, const struct mote_event *e)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  s->head_bytes += (uint32_t)(e->len + e->value_len + 4);
  if(s->head_bytes <= MOTE_MUX_HEAD_MAX)
    return CURLE_OK;
  return mote_fail_as(CURLE_RECV_ERROR, &t->report, "%s", mote_http1_why_text(MOTE_HTTP1_WHY_HEAD_TOO_LONG));
}

/* ---- the end of the stream or of the connection before that of the response ---- */

/* All of the response has come; what is left of the upload is given up. */
static CURLcode mux_response_finish(struct mote_transfer *t)
{
  mote_mux_exchange_of(t)->http.sending = MOTE_HTTP_SEND_DONE;
  return CURLE_OK;
}

static bool is_complete(const struct mote_mux_exchange *s)
{
  return s->ended || s->http.receiving >= MOTE_HTTP_RECEIVE_FINISH;
}

static CURLcode mux_response_reset(struct mote_transfer *t, uint32_t code)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  if(s->source)
    return s->source;
  return is_complete(s) ? mux_response_finish(t) : mote_mux_row_of(t)->judge_reset(s, code);
}

static CURLcode mux_response_failed(struct mote_transfer *t, CURLcode why)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  struct mote_run *r = t->run;
  bool gone = why == CURLE_GOT_NOTHING || why == CURLE_RECV_ERROR;
  if(is_complete(s))
    return mux_response_finish(t);
  if(s->stream.id && !mote_mux_is_repeatable(t))
    mote_lease_judge(&r->lease, MOTE_RETRY_NEVER);
  if(gone && r->lease.kind == MOTE_LEASE_KEPT && !r->response.got_bytes &&
     !r->lease.retry) /* it is made again, and no text of it is to be left */
    return why;
  return mote_mux_row_of(t)->judge_failure(s, why);
}

CURLcode mote_mux_response_deliver(struct mote_transfer *t, const struct mote_event *e)
{
  struct mote_mux_exchange *s = mote_mux_exchange_of(t);
  CURLcode rc = CURLE_OK;
  if(e->kind == MOTE_EVENT_FAILED)
    return mux_response_failed(t, e->rc);
  if(e->kind == MOTE_EVENT_RESET)
    return mux_response_reset(t, e->number);
  mote_response_arrive(&t->run->response);
  if(e->kind == MOTE_EVENT_BYTES)
    return must_wait(t) ? enqueue_event(t, e) : take_piece(t, e);
  if(e->kind == MOTE_EVENT_END || (e->kind == MOTE_EVENT_HEAD && e->number))
    s->ended = true;
  if(e->kind == MOTE_EVENT_FIELD)
    rc = count_field(t, e);
  if(rc)
    return rc;
  return must_wait(t) ? enqueue_event(t, e) : mux_response_take(t, e);
}
