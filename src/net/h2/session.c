/* net/h2/session.c: nghttp2's session, and what its callbacks make of frames (net/h2/session.h). */
#include <string.h>

#include "net/h2/session.h"
#include "net/mux/mux.h"
#include "net/mux/stream.h"

static struct mote_mux_stream *h2_session_stream(const struct mote_h2_session *s, int32_t id)
{
  return nghttp2_session_get_stream_user_data(s->nghttp2, id);
}

static void h2_session_deliver(struct mote_h2_session *s, struct mote_mux_stream *stream,
                               const struct mote_event *e)
{
  if(stream)
    s->user->deliver(s, stream, e);
}

/* ---- fields ---- */

static void h2_session_drop_promise(struct mote_h2_session *s)
{
  if(s->promised)
    s->user->promise_drop(s);
  s->promised = false;
  s->at = NULL;
}

static int h2_session_begin_fields(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  struct mote_h2_session *s = user;
  (void)session;
  h2_session_drop_promise(s);
  if(frame->hd.type == NGHTTP2_HEADERS)
    s->at = h2_session_stream(s, frame->hd.stream_id);
  else if(frame->hd.type == NGHTTP2_PUSH_PROMISE && s->user->promise_begin) {
    s->promised = true;
    s->user->promise_begin(s);
  }
  return 0;
}

static int h2_session_take_field(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                                 size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags,
                                 void *user)
{
  struct mote_h2_session *s = user;
  struct mote_event e = {.kind = MOTE_EVENT_FIELD, .bytes = (char *)(uintptr_t)name, .len = name_len,
                         .value = (const char *)value, .value_len = value_len};
  (void)session;
  (void)frame;
  (void)flags;
  if(s->promised) {
    s->user->promise_field(s, (struct mote_slice){e.bytes, name_len},
                           (struct mote_slice){e.value, value_len});
    return 0;
  }
  if(s->at)
    s->at->heard = true;
  h2_session_deliver(s, s->at, &e);
  return 0;
}

/* ---- frames ---- */

/* The owner hears of the end of the head first. */
static void h2_session_end_fields(struct mote_h2_session *s, const nghttp2_frame *frame)
{
  bool end = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
  struct mote_event e = {.kind = MOTE_EVENT_HEAD, .number = end};
  struct mote_mux_stream *stream = s->at;
  s->at = NULL;
  h2_session_deliver(s, stream, &e);
  e.kind = MOTE_EVENT_END;
  if(end)
    h2_session_deliver(s, stream, &e);
}

static void h2_session_end_data(struct mote_h2_session *s, const nghttp2_frame *frame)
{
  static const struct mote_event e = {.kind = MOTE_EVENT_END};
  if(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
    h2_session_deliver(s, h2_session_stream(s, frame->hd.stream_id), &e);
}

static void h2_session_note_reset(const struct mote_h2_session *s, const nghttp2_frame *frame)
{
  struct mote_mux_stream *stream = h2_session_stream(s, frame->hd.stream_id);
  if(stream)
    stream->reset = true;
}

/* nghttp2 then closes the streams that the peer does not serve. */
static void h2_session_go_away(struct mote_h2_session *s, const nghttp2_frame *frame)
{
  s->away = true;
  s->away_code = frame->goaway.error_code;
  if(s->user->leave)
    s->user->leave(s);
}

static void h2_session_end_promise(struct mote_h2_session *s, const nghttp2_frame *frame)
{
  int32_t id = frame->push_promise.promised_stream_id;
  uint32_t code = NGHTTP2_CANCEL;
  if(s->promised) {
    void *promise = s->promise;
    s->promised = false;
    s->at = NULL;
    code = s->user->promise_end(s, promise, h2_session_stream(s, frame->hd.stream_id), id);
  }
  if(code && nghttp2_submit_rst_stream(s->nghttp2, NGHTTP2_FLAG_NONE, id, code))
    mote_h2_break(s, CURLE_OUT_OF_MEMORY);
}

/* Frames of unknown types are to be ignored (RFC 9113 section 4.1), and are no more useful than others that
 * bring nothing. */
static int h2_session_ignore_frame(nghttp2_session *session, void **payload, const nghttp2_frame_hd *hd,
                                   void *user)
{
  struct mote_h2_session *s = user;
  (void)session;
  (void)payload;
  (void)hd;
  if(mote_mux_is_flood(&s->idle_frames, false))
    mote_h2_break(s, CURLE_HTTP2);
  return NGHTTP2_ERR_CANCEL;
}

static int h2_session_take_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  struct mote_h2_session *s = user;
  bool useful = frame->hd.type == NGHTTP2_HEADERS || (frame->hd.type == NGHTTP2_DATA && frame->hd.length);
  (void)session;
  if(mote_mux_is_flood(&s->idle_frames, useful))
    mote_h2_break(s, CURLE_HTTP2);
  switch(frame->hd.type) {
  case NGHTTP2_HEADERS:
    h2_session_end_fields(s, frame);
    break;
  case NGHTTP2_DATA: /* the bytes were delivered before */
    h2_session_end_data(s, frame);
    break;
  case NGHTTP2_RST_STREAM:
    h2_session_note_reset(s, frame);
    break;
  case NGHTTP2_SETTINGS:
    s->settled = true;
    break;
  case NGHTTP2_GOAWAY:
    h2_session_go_away(s, frame);
    break;
  case NGHTTP2_PUSH_PROMISE:
    h2_session_end_promise(s, frame);
    break;
  default:
    break;
  }
  return 0;
}

/* It resets the stream, and reports no end of a field block that breaks the protocol. */
static int h2_session_end_broken(nghttp2_session *session, const nghttp2_frame *frame, int why, void *user)
{
  struct mote_h2_session *s = user;
  (void)session;
  (void)frame;
  (void)why;
  if(s->promised)
    h2_session_drop_promise(s);
  return 0;
}

static int h2_session_take_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data,
                                size_t len, void *user)
{
  struct mote_h2_session *s = user;
  (void)flags;
  (void)session;
  s->unconsumed += (uint32_t)len;
  if(!s->at || s->at->id != id)
    s->at = h2_session_stream(s, id);
  if(s->at)
    s->user->data(s, s->at, (char *)(uintptr_t)data, len);
  return 0;
}

/* The window of the connection is so large that it needs credit seldom. */
static void h2_session_credit(struct mote_h2_session *s)
{
  size_t n = s->unconsumed;
  if(n < MOTE_H2_CONNECTION_WINDOW / 64)
    return;
  s->unconsumed = 0;
  if(nghttp2_session_consume_connection(s->nghttp2, n) == NGHTTP2_ERR_NOMEM)
    mote_h2_break(s, CURLE_OUT_OF_MEMORY);
}

void mote_h2_take(struct mote_h2_session *s, const char *bytes, size_t len)
{
  ssize_t n = nghttp2_session_mem_recv(s->nghttp2, (const uint8_t *)bytes, len);
  if(n < 0)
    mote_h2_break(s, n == NGHTTP2_ERR_NOMEM ? CURLE_OUT_OF_MEMORY : CURLE_RECV_ERROR);
  else
    h2_session_credit(s);
}

/* ---- the end of a stream ---- */

static bool h2_session_is_refused(const struct mote_h2_session *s, const struct mote_mux_stream *stream,
                                  uint32_t code)
{
  return code == NGHTTP2_REFUSED_STREAM && !stream->heard && (stream->reset || !s->away_code);
}

/* A stream that the peer leaves with GOAWAY ends with the reason of that. */
static uint32_t h2_session_reason(const struct mote_h2_session *s, const struct mote_mux_stream *stream,
                                  uint32_t code)
{
  bool left = code == NGHTTP2_REFUSED_STREAM && !stream->reset && s->away && s->away_code;
  return left ? s->away_code : code;
}

static int h2_session_close_stream(nghttp2_session *session, int32_t id, uint32_t code, void *user)
{
  struct mote_h2_session *s = user;
  struct mote_mux_stream *stream = h2_session_stream(s, id);
  struct mote_event e = {.kind = MOTE_EVENT_RESET};
  (void)session;
  if(!stream)
    return 0;
  stream->closed = true;
  e.number = h2_session_reason(s, stream, code);
  if(h2_session_is_refused(s, stream, code))
    e.kind = MOTE_EVENT_REFUSED;
  h2_session_deliver(s, stream, &e);
  return 0;
}

/* A request that was never sent goes to another connection, unless memory is what it lacks. Trailers that are
 * not sent end their stream. */
static int h2_session_fail_frame(nghttp2_session *session, const nghttp2_frame *frame, int why, void *user)
{
  struct mote_event e = {.kind = MOTE_EVENT_FAILED, .rc = CURLE_SEND_ERROR};
  struct mote_h2_session *s = user;
  struct mote_mux_stream *stream;
  (void)session;
  if(frame->hd.type != NGHTTP2_HEADERS || why == NGHTTP2_ERR_STREAM_CLOSING)
    return 0;
  if(why == NGHTTP2_ERR_NOMEM)
    e.rc = CURLE_OUT_OF_MEMORY;
  else if(frame->headers.cat == NGHTTP2_HCAT_REQUEST)
    e.kind = MOTE_EVENT_REFUSED;
  for(stream = s->streams; stream && stream->id != frame->hd.stream_id; stream = stream->next)
    ;
  h2_session_deliver(s, stream, &e);
  return 0;
}

static int h2_session_note_sent(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  struct mote_h2_session *s = user;
  (void)session;
  if(frame->hd.type == NGHTTP2_GOAWAY) {
    s->said_goodbye = true;
    s->ended_code = (uint8_t)frame->goaway.error_code;
  }
  return 0;
}

#define WHY_MAX 120u /* bytes of a text */

static int h2_session_note_text(nghttp2_session *session, int code, const char *text, size_t len, void *user)
{
  struct mote_h2_session *s = user;
  size_t n = len < WHY_MAX - 1 ? len : WHY_MAX - 1;
  (void)session;
  (void)code;
  if(!s->why)
    s->why = mote_h2_memory_take(s, WHY_MAX);
  if(!s->why)
    return 0;
  memcpy(s->why, text, n);
  s->why[n] = 0;
  return 0;
}

bool mote_h2_takes_more(const struct mote_h2_session *s)
{
  return nghttp2_session_want_read(s->nghttp2);
}

bool mote_h2_is_over(const struct mote_h2_session *s)
{
  return !mote_h2_takes_more(s) && !mote_h2_has_to_send(s);
}

unsigned mote_h2_room(const struct mote_h2_session *s, unsigned has, unsigned most)
{
  if(s->nghttp2 && !nghttp2_session_check_request_allowed(s->nghttp2))
    return 0;
  if(s->settled) {
    uint32_t theirs =
      nghttp2_session_get_remote_settings(s->nghttp2, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
    if(theirs < most)
      most = theirs;
  }
  return has < most ? most - has : 0;
}

/* ---- the beginning ---- */

static void h2_session_set_callbacks(nghttp2_session_callbacks *c)
{
  nghttp2_session_callbacks_set_on_begin_headers_callback(c, h2_session_begin_fields);
  nghttp2_session_callbacks_set_on_header_callback(c, h2_session_take_field);
  nghttp2_session_callbacks_set_on_frame_recv_callback(c, h2_session_take_frame);
  nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(c, h2_session_end_broken);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(c, h2_session_take_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(c, h2_session_close_stream);
  nghttp2_session_callbacks_set_on_frame_not_send_callback(c, h2_session_fail_frame);
  nghttp2_session_callbacks_set_on_frame_send_callback(c, h2_session_note_sent);
  nghttp2_session_callbacks_set_error_callback2(c, h2_session_note_text);
  nghttp2_session_callbacks_set_unpack_extension_callback(c, h2_session_ignore_frame);
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

static CURLcode h2_session_make(struct mote_h2_session *s, const nghttp2_mem *hook)
{
  nghttp2_session_callbacks *c = NULL;
  nghttp2_option *o = NULL;
  nghttp2_mem memory = *hook;
  CURLcode rc = CURLE_OUT_OF_MEMORY;
  if(!nghttp2_session_callbacks_new(&c) && !nghttp2_option_new(&o)) {
    h2_session_set_callbacks(c);
    h2_session_set_options(o);
    if(!nghttp2_session_client_new3(&s->nghttp2, c, s, o, &memory))
      rc = CURLE_OK;
  }
  nghttp2_option_del(o);
  nghttp2_session_callbacks_del(c);
  return rc;
}

void mote_h2_fill_settings(nghttp2_settings_entry *entries, uint32_t window, bool push)
{
  entries[0] = (nghttp2_settings_entry){NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, MOTE_H2_STREAMS};
  entries[1] = (nghttp2_settings_entry){NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window};
  entries[2] = (nghttp2_settings_entry){NGHTTP2_SETTINGS_ENABLE_PUSH, push};
}

/* An upgrade submits the SETTINGS too. */
static int h2_session_submit_settings(struct mote_h2_session *s, const struct mote_h2_opening *how)
{
  nghttp2_settings_entry entries[MOTE_H2_SETTINGS];
  uint8_t payload[6 * MOTE_H2_SETTINGS];
  mote_h2_fill_settings(entries, how->window, how->push);
  if(!how->upgraded)
    return nghttp2_submit_settings(s->nghttp2, NGHTTP2_FLAG_NONE, entries, MOTE_H2_SETTINGS);
  (void)nghttp2_pack_settings_payload(payload, sizeof payload, entries, MOTE_H2_SETTINGS);
  return nghttp2_session_upgrade2(s->nghttp2, payload, sizeof payload, how->head, NULL);
}

/* Bytes of what a session says first: the preface, SETTINGS with three entries, WINDOW_UPDATE. */
#define FIRST_MAX 128

struct first {
  size_t len;
  bool in_frame; /* a frame lay in the shared frame buffer */
  char bytes[FIRST_MAX];
};

/* What nghttp2 has to send is in memory that another session may use before this one sends. To take each
 * frame at once also frees its memory for the next one. */
static CURLcode h2_session_take_first(struct mote_h2_session *s, struct first *f)
{
  const uint8_t *bytes;
  ssize_t n;
  while((n = nghttp2_session_mem_send(s->nghttp2, &bytes)) > 0) {
    uintptr_t at = (uintptr_t)bytes - (uintptr_t)s->frame;
    if((size_t)n > sizeof f->bytes - f->len)
      return CURLE_HTTP2;
    memcpy(f->bytes + f->len, bytes, (size_t)n);
    f->len += (size_t)n;
    f->in_frame = f->in_frame || (s->framed && at < MOTE_H2_FRAME);
  }
  return n ? CURLE_OUT_OF_MEMORY : CURLE_OK;
}

static CURLcode h2_session_introduce(struct mote_h2_session *s, const struct mote_h2_opening *how,
                                     struct first *f)
{
  CURLcode rc;
  f->len = 0;
  f->in_frame = false;
  if(h2_session_submit_settings(s, how))
    return CURLE_OUT_OF_MEMORY;
  rc = h2_session_take_first(s, f);
  if(rc)
    return rc;
  if(nghttp2_session_set_local_window_size(s->nghttp2, NGHTTP2_FLAG_NONE, 0, MOTE_H2_CONNECTION_WINDOW))
    return CURLE_OUT_OF_MEMORY;
  return h2_session_take_first(s, f);
}

static CURLcode h2_session_begin(struct mote_h2_session *s, const struct mote_h2_opening *how,
                                 struct first *f)
{
  nghttp2_mem hook;
  CURLcode rc = CURLE_OUT_OF_MEMORY;
  memset(s, 0, sizeof *s);
  s->user = how->user;
  s->frame = how->frame;
  if(mote_h2_memory_open(s, how->account, &hook))
    rc = h2_session_make(s, &hook);
  return rc ? rc : h2_session_introduce(s, how, f);
}

CURLcode mote_h2_open(struct mote_h2_session *s, const struct mote_h2_opening *how)
{
  struct first f;
  CURLcode rc = h2_session_begin(s, how, &f);
  if(!rc && s->framed && !f.in_frame) { /* something else of the session lies there (memory.c) */
    struct mote_h2_opening apart = *how;
    apart.frame = NULL;
    mote_h2_close(s);
    rc = h2_session_begin(s, &apart, &f);
  }
  if(!rc) {
    mote_h2_keep_rest(s, (struct mote_slice){f.bytes, f.len}, (struct mote_slice){NULL, 0});
    rc = s->broken;
  }
  s->preface_due = !rc;
  if(rc)
    mote_h2_close(s);
  return rc;
}

void mote_h2_close(struct mote_h2_session *s)
{
  if(s->nghttp2)
    nghttp2_session_del(s->nghttp2);
  s->nghttp2 = NULL;
  h2_session_drop_promise(s);
  if(s->why)
    mote_h2_memory_put(s, s->why);
  s->why = NULL;
  if(s->rest)
    mote_h2_drop_rest(s);
  mote_slab_close(&s->memory);
}
