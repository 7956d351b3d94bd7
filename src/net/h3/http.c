/* net/h3/http.c: nghttp3's session, and what its callbacks make of frames (net/h3/session.h). */
#include <string.h>

#include "net/h3/session.h"
#include "net/mux/mux.h"
#include "net/mux/stream.h"

#define QPACK_TABLE 4096u /* bytes of the table that the peer may fill: what HPACK begins with */
#define QPACK_BLOCKED 100u /* streams whose heads may wait for the table */
#define GLITCHES 1000u    /* oddities of a peer at once, and in a second: it attacks then */

static struct mote_mux_stream *h3_http_stream(void *request)
{
  return request ? mote_h3_stream_of(request) : NULL;
}

static void h3_http_deliver(struct mote_h3_session *s, struct mote_mux_stream *stream,
                            const struct mote_event *e)
{
  if(stream && s->user)
    s->user->deliver(s, stream, e);
}

/* ---- a response ---- */

/* What the head says of the body. nghttp3 has looked at the numbers. */
static void h3_http_note_field(struct mote_h3_request *r, int32_t token, nghttp3_vec value)
{
  uint64_t n = 0;
  size_t i;
  if(token == NGHTTP3_QPACK_TOKEN__STATUS)
    mote_h3_expect(r, 0); /* whatever an interim head has announced */
  if(token == NGHTTP3_QPACK_TOKEN__STATUS && value.len == 3 && !memcmp(value.base, "304", 3))
    mote_h3_expect_nothing(r);
  if(token != NGHTTP3_QPACK_TOKEN_CONTENT_LENGTH)
    return;
  for(i = 0; i < value.len; i++)
    n = n * 10 + (uint64_t)(value.base[i] - '0');
  mote_h3_expect(r, n);
}

static int h3_http_take_trailer(nghttp3_conn *http, int64_t id, int32_t token, nghttp3_rcbuf *name,
                                nghttp3_rcbuf *value, uint8_t flags, void *user, void *request)
{
  struct mote_h3_session *s = user;
  struct mote_mux_stream *stream = h3_http_stream(request);
  nghttp3_vec n = nghttp3_rcbuf_get_buf(name), v = nghttp3_rcbuf_get_buf(value);
  struct mote_event e = {.kind = MOTE_EVENT_FIELD, .bytes = (char *)n.base, .len = n.len,
                         .value = (const char *)v.base, .value_len = v.len};
  (void)http;
  (void)id;
  (void)token;
  (void)flags;
  if(stream)
    stream->heard = true;
  h3_http_deliver(s, stream, &e);
  return 0;
}

static int h3_http_take_field(nghttp3_conn *http, int64_t id, int32_t token, nghttp3_rcbuf *name,
                              nghttp3_rcbuf *value, uint8_t flags, void *user, void *request)
{
  if(request)
    h3_http_note_field(request, token, nghttp3_rcbuf_get_buf(value));
  return h3_http_take_trailer(http, id, token, name, value, flags, user, request);
}

/* The end of the stream comes as an event of its own. */
static int h3_http_end_head(nghttp3_conn *http, int64_t id, int end, void *user, void *request)
{
  struct mote_event e = {.kind = MOTE_EVENT_HEAD, .number = end != 0};
  (void)http;
  (void)id;
  h3_http_deliver(user, h3_http_stream(request), &e);
  return 0;
}

static int h3_http_end_stream(nghttp3_conn *http, int64_t id, void *user, void *request)
{
  static const struct mote_event e = {.kind = MOTE_EVENT_END};
  (void)http;
  (void)id;
  h3_http_deliver(user, h3_http_stream(request), &e);
  return 0;
}

static int h3_http_take_data(nghttp3_conn *http, int64_t id, const uint8_t *bytes, size_t len, void *user,
                             void *request)
{
  struct mote_h3_session *s = user;
  struct mote_mux_stream *stream = h3_http_stream(request);
  (void)http;
  if(request)
    mote_h3_arrived(request, len);
  ngtcp2_conn_extend_max_offset(s->quic, len);
  if(stream && s->user)
    s->user->data(s, stream, (char *)(uintptr_t)bytes, len);
  else /* no one takes it any more */
    ngtcp2_conn_extend_max_stream_offset(s->quic, id, len);
  return 0;
}

/* Bytes of frames that waited for QPACK's table. */
static int h3_http_consumed(nghttp3_conn *http, int64_t id, size_t len, void *user, void *request)
{
  struct mote_h3_session *s = user;
  (void)http;
  if(request)
    mote_h3_hold(request, -(int64_t)len);
  ngtcp2_conn_extend_max_stream_offset(s->quic, id, len);
  ngtcp2_conn_extend_max_offset(s->quic, len);
  return 0;
}

/* ---- a request ---- */

static int h3_http_acknowledged(nghttp3_conn *http, int64_t id, uint64_t len, void *user, void *request)
{
  (void)http;
  (void)id;
  if(request)
    mote_h3_acknowledged(user, request, len);
  return 0;
}

/* nghttp3 wants the peer not to send the rest, or has given the stream up. */
static int h3_http_stop_sending(nghttp3_conn *http, int64_t id, uint64_t code, void *user, void *request)
{
  struct mote_h3_session *s = user;
  (void)http;
  if(request)
    mote_h3_hold_nothing(request);
  return ngtcp2_conn_shutdown_stream_read(s->quic, 0, id, code) ? NGHTTP3_ERR_CALLBACK_FAILURE : 0;
}

static int h3_http_reset_stream(nghttp3_conn *http, int64_t id, uint64_t code, void *user, void *request)
{
  struct mote_h3_session *s = user;
  (void)http;
  (void)request;
  return ngtcp2_conn_shutdown_stream_write(s->quic, 0, id, code) ? NGHTTP3_ERR_CALLBACK_FAILURE : 0;
}

/* ---- the end of a stream ---- */

/* The response ends before all that its head has announced. For nghttp3 that would be the end of the
 * connection; it is that of the stream (RFC 9114 section 4.1.2). */
void mote_h3_end_short(struct mote_h3_session *s, struct mote_h3_request *r)
{
  static const struct mote_event e = {.kind = MOTE_EVENT_RESET, .number = NGHTTP3_H3_NO_ERROR};
  h3_http_deliver(s, h3_http_stream(r), &e);
}

/* The peer has not begun with it (RFC 9114 sections 5.2, 8.1). */
static bool h3_http_is_refused(const struct mote_mux_stream *stream, uint64_t code)
{
  return code == NGHTTP3_H3_REQUEST_REJECTED && !stream->heard;
}

void mote_h3_end_reset(struct mote_h3_session *s, struct mote_h3_request *r, uint64_t code)
{
  struct mote_mux_stream *stream = h3_http_stream(r);
  struct mote_event e = {.kind = MOTE_EVENT_RESET, .number = code > UINT32_MAX ? UINT32_MAX : (uint32_t)code};
  if(!stream)
    return;
  stream->reset = true;
  if(h3_http_is_refused(stream, code))
    e.kind = MOTE_EVENT_REFUSED;
  h3_http_deliver(s, stream, &e);
}

static int h3_http_close_stream(nghttp3_conn *http, int64_t id, uint64_t code, void *user, void *request)
{
  struct mote_h3_session *s = user;
  struct mote_mux_stream *stream = h3_http_stream(request);
  (void)http;
  (void)id;
  if(stream)
    stream->closed = true;
  mote_h3_end_reset(s, request, code);
  if(request)
    mote_h3_drop_request(s, request);
  return 0;
}

/* ---- the connection ---- */

static int h3_http_take_settings(nghttp3_conn *http, const nghttp3_proto_settings *settings, void *user)
{
  struct mote_h3_session *s = user;
  (void)http;
  (void)settings;
  s->settled = true;
  return 0;
}

/* GOAWAY: streams from `id` on are not served. One whose response has begun cannot be made again: the peer
 * contradicts itself. */
static int h3_http_go_away(nghttp3_conn *http, int64_t id, void *user)
{
  static const struct mote_event refused = {.kind = MOTE_EVENT_REFUSED};
  static const struct mote_event cut = {.kind = MOTE_EVENT_RESET, .number = NGHTTP3_H3_REQUEST_REJECTED};
  struct mote_h3_session *s = user;
  struct mote_mux_stream *stream, *next;
  (void)http;
  s->away = true;
  if(!s->user)
    return 0;
  s->user->leave(s);
  for(stream = s->streams; stream; stream = next) {
    next = stream->next;
    if(!stream->id || stream->id - 1 >= id)
      s->user->deliver(s, stream, stream->heard ? &cut : &refused);
  }
  return 0;
}

static const nghttp3_callbacks callbacks = {
  .acked_stream_data = h3_http_acknowledged,
  .stream_close = h3_http_close_stream,
  .recv_data = h3_http_take_data,
  .deferred_consume = h3_http_consumed,
  .recv_header = h3_http_take_field,
  .end_headers = h3_http_end_head,
  .recv_trailer = h3_http_take_trailer,
  .end_trailers = h3_http_end_head,
  .stop_sending = h3_http_stop_sending,
  .reset_stream = h3_http_reset_stream,
  .end_stream = h3_http_end_stream,
  .shutdown = h3_http_go_away,
  .recv_settings2 = h3_http_take_settings,
};

bool mote_h3_begin_http(struct mote_h3_session *s)
{
  nghttp3_settings settings;
  int64_t id[3];
  size_t i;
  nghttp3_settings_default(&settings);
  settings.qpack_max_dtable_capacity = QPACK_TABLE;
  settings.qpack_encoder_max_dtable_capacity = QPACK_TABLE;
  settings.qpack_blocked_streams = QPACK_BLOCKED;
  settings.glitch_ratelim_burst = settings.glitch_ratelim_rate = GLITCHES;
  if(nghttp3_conn_client_new(&s->http, &callbacks, &settings, &s->http_hook, s))
    return false;
  for(i = 0; i < 3; i++)
    if(ngtcp2_conn_open_uni_stream(s->quic, &id[i], NULL))
      return false;
  return !nghttp3_conn_bind_control_stream(s->http, id[0]) &&
         !nghttp3_conn_bind_qpack_streams(s->http, id[1], id[2]);
}
