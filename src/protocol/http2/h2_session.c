/* protocol/http2/h2_session.c: nghttp2's session, and what its callbacks make of frames
 * (protocol/http2/h2.h). */
#include <string.h>

#include "net/conn.h"
#include "protocol/http2/h2.h"
#include "transfer/channel.h"
#include "transfer/multi.h"
#include "transfer/push.h"

static struct mote_h2_stream *stream_with(const struct mote_h2 *h, int32_t id)
{
  return nghttp2_session_get_stream_user_data(h->session, id);
}

static void h2_session_deliver(const struct mote_h2_stream *s, const struct mote_event *e)
{
  if(s)
    mote_channel_deliver(s->t, e);
}

void mote_h2_break(struct mote_h2 *h, CURLcode why)
{
  if(h->broken)
    return;
  h->broken = (uint8_t)why;
  mote_conn_set_reusable(h->drive.conn, false);
  mote_drive_soon(&h->drive);
}

/* ---- fields ---- */

static int begin_fields(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  struct mote_h2 *h = user;
  (void)session;
  mote_h2_push_forget(h);
  if(frame->hd.type == NGHTTP2_HEADERS)
    h->at = stream_with(h, frame->hd.stream_id);
  else if(frame->hd.type == NGHTTP2_PUSH_PROMISE)
    mote_h2_push_begin(h);
  return 0;
}

static int h2_session_take_field(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                                 size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags,
                                 void *user)
{
  struct mote_h2 *h = user;
  struct mote_event e = {.kind = MOTE_EVENT_FIELD, .bytes = (char *)(uintptr_t)name, .len = name_len,
                         .value = (const char *)value, .value_len = value_len};
  (void)session;
  (void)frame;
  (void)flags;
  if(h->promised)
    mote_h2_push_field(h, (struct mote_slice){e.bytes, name_len}, (struct mote_slice){e.value, value_len});
  else
    h2_session_deliver(h->at, &e);
  return 0;
}

/* ---- frames ---- */

/* The transfer hears of the end of its head first. */
static void end_fields(struct mote_h2 *h, const nghttp2_frame *frame)
{
  bool end = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
  struct mote_event e = {.kind = MOTE_EVENT_HEAD, .number = end};
  struct mote_h2_stream *s = h->at;
  h->at = NULL;
  h2_session_deliver(s, &e);
  e.kind = MOTE_EVENT_END;
  if(end)
    h2_session_deliver(s, &e);
}

static void end_data(const struct mote_h2 *h, const nghttp2_frame *frame)
{
  static const struct mote_event e = {.kind = MOTE_EVENT_END};
  if(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
    h2_session_deliver(stream_with(h, frame->hd.stream_id), &e);
}

static void note_reset(const struct mote_h2 *h, const nghttp2_frame *frame)
{
  struct mote_h2_stream *s = stream_with(h, frame->hd.stream_id);
  if(s)
    s->reset = true;
}

/* nghttp2 then closes the streams that the server does not serve. */
static void go_away(struct mote_h2 *h, const nghttp2_frame *frame)
{
  h->away = true;
  h->away_code = frame->goaway.error_code;
  mote_conn_set_reusable(h->drive.conn, false);
}

/* What comes most, and brings nothing but the bytes that were delivered before it. */
static bool is_only_bytes(const nghttp2_frame *frame)
{
  return frame->hd.type == NGHTTP2_DATA && frame->hd.length && !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM);
}

static void end_promise(struct mote_h2 *h, const nghttp2_frame *frame)
{
  int32_t id = frame->push_promise.promised_stream_id;
  uint32_t code = mote_h2_push_end(h, stream_with(h, frame->hd.stream_id), id);
  if(code && nghttp2_submit_rst_stream(h->session, NGHTTP2_FLAG_NONE, id, code))
    mote_h2_break(h, CURLE_OUT_OF_MEMORY);
}

/* Frames of unknown types are to be ignored (RFC 9113 section 4.1), and are no more useful than others that
 * bring nothing. */
static int ignore_frame(nghttp2_session *session, void **payload, const nghttp2_frame_hd *hd, void *user)
{
  struct mote_h2 *h = user;
  (void)session;
  (void)payload;
  (void)hd;
  if(mote_mux_is_flood(&h->idle_frames, false))
    mote_h2_break(h, CURLE_HTTP2);
  return NGHTTP2_ERR_CANCEL;
}

static int take_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  struct mote_h2 *h = user;
  bool useful = frame->hd.type == NGHTTP2_HEADERS || (frame->hd.type == NGHTTP2_DATA && frame->hd.length);
  (void)session;
  if(mote_mux_is_flood(&h->idle_frames, useful))
    mote_h2_break(h, CURLE_HTTP2);
  if(is_only_bytes(frame))
    return 0;
  switch(frame->hd.type) {
  case NGHTTP2_HEADERS:
    end_fields(h, frame);
    break;
  case NGHTTP2_DATA:
    end_data(h, frame);
    break;
  case NGHTTP2_RST_STREAM:
    note_reset(h, frame);
    break;
  case NGHTTP2_SETTINGS:
    h->settled = true;
    break;
  case NGHTTP2_GOAWAY:
    go_away(h, frame);
    break;
  case NGHTTP2_PUSH_PROMISE:
    end_promise(h, frame);
    break;
  default:
    break;
  }
  return 0;
}

static int h2_session_take_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data,
                                size_t len,
                                void *user)
{
  struct mote_h2 *h = user;
  struct mote_event e = {.kind = MOTE_EVENT_BYTES, .bytes = (char *)(uintptr_t)data, .len = len};
  (void)flags;
  (void)session;
  h->unconsumed += (uint32_t)len;
  if(h->turn && h->turn->straight && h->turn->straight->id == id)
    mote_h2_response_straight(h, (char *)(uintptr_t)data, len);
  else
    h2_session_deliver(stream_with(h, id), &e);
  return 0;
}

/* The window of the connection is so large that it needs credit seldom. */
static void give_connection_credit(struct mote_h2 *h)
{
  size_t n = h->unconsumed;
  if(n < MOTE_H2_CONNECTION_WINDOW / 64)
    return;
  h->unconsumed = 0;
  if(nghttp2_session_consume_connection(h->session, n) == NGHTTP2_ERR_NOMEM)
    mote_h2_break(h, CURLE_OUT_OF_MEMORY);
}

/* ---- the end of a stream ---- */

static bool is_refused(const struct mote_h2 *h, const struct mote_h2_stream *s, uint32_t code)
{
  return code == NGHTTP2_REFUSED_STREAM && !s->heard && (s->reset || !h->away_code);
}

/* A stream that the server leaves with GOAWAY ends with the reason of that. */
static uint32_t h2_session_reason(const struct mote_h2 *h, const struct mote_h2_stream *s, uint32_t code)
{
  bool left = code == NGHTTP2_REFUSED_STREAM && !s->reset && h->away && h->away_code;
  return left ? h->away_code : code;
}

static int close_stream(nghttp2_session *session, int32_t id, uint32_t code, void *user)
{
  const struct mote_h2 *h = user;
  struct mote_h2_stream *s = stream_with(h, id);
  struct mote_event e = {.kind = MOTE_EVENT_RESET};
  (void)session;
  if(!s)
    return 0;
  s->closed = true;
  e.number = h2_session_reason(h, s, code);
  if(is_refused(h, s, code))
    e.kind = MOTE_EVENT_REFUSED;
  h2_session_deliver(s, &e);
  return 0;
}

/* A request that was never sent goes to another connection, unless memory is what it lacks. Trailers that are
 * not sent end their stream. */
static int fail_frame(nghttp2_session *session, const nghttp2_frame *frame, int why, void *user)
{
  struct mote_event e = {.kind = MOTE_EVENT_FAILED, .rc = CURLE_SEND_ERROR};
  const struct mote_h2 *h = user;
  struct mote_h2_stream *s;
  (void)session;
  if(frame->hd.type != NGHTTP2_HEADERS || why == NGHTTP2_ERR_STREAM_CLOSING)
    return 0;
  if(why == NGHTTP2_ERR_NOMEM)
    e.rc = CURLE_OUT_OF_MEMORY;
  else if(frame->headers.cat == NGHTTP2_HCAT_REQUEST)
    e.kind = MOTE_EVENT_REFUSED;
  for(s = h->streams; s && s->id != frame->hd.stream_id; s = s->next)
    ;
  h2_session_deliver(s, &e);
  return 0;
}

static int note_sent(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  struct mote_h2 *h = user;
  (void)session;
  if(frame->hd.type == NGHTTP2_GOAWAY) {
    h->said_goodbye = true;
    h->ended_code = frame->goaway.error_code;
  }
  return 0;
}

#define WHY_MAX 120u /* bytes of a text */

static int note_text(nghttp2_session *session, int code, const char *text, size_t len, void *user)
{
  struct mote_h2 *h = user;
  size_t n = len < WHY_MAX - 1 ? len : WHY_MAX - 1;
  (void)session;
  (void)code;
  if(!h->why)
    h->why = mote_h2_memory_take(&h->memory, WHY_MAX);
  if(!h->why)
    return 0;
  memcpy(h->why, text, n);
  h->why[n] = 0;
  return 0;
}

/* ---- the session ---- */

static void h2_session_set_callbacks(nghttp2_session_callbacks *c)
{
  nghttp2_session_callbacks_set_on_begin_headers_callback(c, begin_fields);
  nghttp2_session_callbacks_set_on_header_callback(c, h2_session_take_field);
  nghttp2_session_callbacks_set_on_frame_recv_callback(c, take_frame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(c, h2_session_take_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(c, close_stream);
  nghttp2_session_callbacks_set_on_frame_not_send_callback(c, fail_frame);
  nghttp2_session_callbacks_set_on_frame_send_callback(c, note_sent);
  nghttp2_session_callbacks_set_error_callback2(c, note_text);
  nghttp2_session_callbacks_set_unpack_extension_callback(c, ignore_frame);
}

/* nghttp2 reports no frame of a type that it neither knows nor was asked for. */
static void h2_session_set_options(nghttp2_option *o)
{
  unsigned type;
  for(type = NGHTTP2_CONTINUATION + 1; type <= UINT8_MAX; type++)
    nghttp2_option_set_user_recv_extension_type(o, (uint8_t)type);
  nghttp2_option_set_no_auto_window_update(o, 1);
  nghttp2_option_set_max_send_header_block_length(o, MOTE_H2_HEAD_SENT);
  nghttp2_option_set_max_outbound_ack(o, MOTE_H2_ANSWERS);
  nghttp2_option_set_no_closed_streams(o, 1);
  nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(o, 1);
}

static CURLcode h2_session_make(struct mote_h2 *h)
{
  nghttp2_session_callbacks *c = NULL;
  nghttp2_option *o = NULL;
  nghttp2_mem hook = mote_h2_memory_hook(&h->memory);
  CURLcode rc = CURLE_OUT_OF_MEMORY;
  if(!nghttp2_session_callbacks_new(&c) && !nghttp2_option_new(&o)) {
    h2_session_set_callbacks(c);
    h2_session_set_options(o);
    if(!nghttp2_session_client_new3(&h->session, c, h, o, &hook))
      rc = CURLE_OK;
  }
  nghttp2_option_del(o);
  nghttp2_session_callbacks_del(c);
  return rc;
}

/* Bytes of what a session says first: the preface, SETTINGS with three entries, WINDOW_UPDATE. */
#define FIRST_MAX 128

struct first {
  size_t len;
  char bytes[FIRST_MAX];
};

/* What nghttp2 has to send is in memory that another session may use before this one sends. To take each
 * frame at once also frees its memory for the next one. */
static CURLcode take_first(struct mote_h2 *h, struct first *f)
{
  const uint8_t *bytes;
  ssize_t n;
  while((n = nghttp2_session_mem_send(h->session, &bytes)) > 0) {
    if((size_t)n > sizeof f->bytes - f->len)
      return CURLE_HTTP2;
    memcpy(f->bytes + f->len, bytes, (size_t)n);
    f->len += (size_t)n;
  }
  return n ? CURLE_OUT_OF_MEMORY : CURLE_OK;
}

static CURLcode keep_first(struct mote_h2 *h, const struct first *f)
{
  h->rest = mote_mem_alloc(h->drive.conn->env.account, MOTE_PART_CONN, f->len);
  if(!h->rest)
    return CURLE_OUT_OF_MEMORY;
  memcpy(h->rest, f->bytes, f->len);
  h->rest_len = (uint32_t)f->len;
  h->rest_at = 0;
  h->preface_due = true;
  return CURLE_OK;
}

const nghttp2_settings_entry mote_h2_settings[MOTE_H2_SETTINGS] = {
  {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, MOTE_H2_STREAMS},
  {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, MOTE_MUX_WINDOW},
  {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
};

#define PUSH 2 /* the entry that says whether the server may push */

/* An upgrade submits the SETTINGS too. */
static int submit_settings(struct mote_h2 *h, struct mote_h2_stream *upgraded)
{
  nghttp2_settings_entry entries[MOTE_H2_SETTINGS];
  uint8_t payload[6 * MOTE_H2_SETTINGS];
  memcpy(entries, mote_h2_settings, sizeof entries);
  entries[PUSH].value = mote_push_is_wanted(mote_h2_multi(h));
  if(!upgraded)
    return nghttp2_submit_settings(h->session, NGHTTP2_FLAG_NONE, entries, MOTE_H2_SETTINGS);
  (void)nghttp2_pack_settings_payload(payload, sizeof payload, entries, MOTE_H2_SETTINGS);
  return nghttp2_session_upgrade2(h->session, payload, sizeof payload,
                                  upgraded->t->run->request.method == MOTE_METHOD_HEAD, upgraded);
}

CURLcode mote_h2_session_introduce(struct mote_h2 *h, struct mote_h2_stream *upgraded)
{
  struct first f;
  CURLcode rc;
  f.len = 0;
  if(submit_settings(h, upgraded))
    return CURLE_OUT_OF_MEMORY;
  rc = take_first(h, &f);
  if(rc)
    return rc;
  if(nghttp2_session_set_local_window_size(h->session, NGHTTP2_FLAG_NONE, 0, MOTE_H2_CONNECTION_WINDOW))
    return CURLE_OUT_OF_MEMORY;
  rc = take_first(h, &f);
  return rc ? rc : keep_first(h, &f);
}

CURLcode mote_h2_session_open(struct mote_h2 *h)
{
  CURLcode rc;
  struct mote_conn *c = h->drive.conn;
  if(!mote_h2_memory_init(&h->memory, c->env.account, c->of_share ? &h->own : &mote_h2_multi(h)->h2))
    return CURLE_OUT_OF_MEMORY;
  rc = h2_session_make(h);
  if(rc)
    mote_h2_session_close(h);
  return rc;
}

void mote_h2_session_close(struct mote_h2 *h)
{
  if(h->session)
    nghttp2_session_del(h->session);
  h->session = NULL;
  mote_h2_push_forget(h);
  if(h->why)
    mote_h2_memory_put(&h->memory, h->why);
  h->why = NULL;
  if(mote_h2_memory_is_last(&h->memory) && !h->own)
    mote_schedule_end_loan(mote_h2_multi(h));
  mote_h2_memory_close(&h->memory);
}

void mote_h2_session_take(struct mote_h2 *h, const char *bytes, size_t len)
{
  ssize_t n = nghttp2_session_mem_recv(h->session, (const uint8_t *)bytes, len);
  if(n < 0)
    mote_h2_break(h, n == NGHTTP2_ERR_NOMEM ? CURLE_OUT_OF_MEMORY : CURLE_RECV_ERROR);
  else
    give_connection_credit(h);
}
