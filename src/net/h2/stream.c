/* net/h2/stream.c: one stream, from its head to its end (net/h2/session.h). */
#include <curl/curl.h>
#include <string.h>

#include "net/h2/session.h"
#include "net/mux/fields.h"
#include "net/mux/stream.h"

void mote_h2_join(struct mote_h2_session *s, struct mote_mux_stream *stream)
{
  mote_mux_join(&s->streams, stream);
}

static void h2_stream_give_up(struct mote_h2_session *s, const struct mote_mux_stream *stream)
{
  (void)nghttp2_session_set_stream_user_data(s->nghttp2, stream->id, NULL);
  if(nghttp2_submit_rst_stream(s->nghttp2, NGHTTP2_FLAG_NONE, stream->id, NGHTTP2_CANCEL))
    mote_h2_break(s, CURLE_OUT_OF_MEMORY);
}

bool mote_h2_leave(struct mote_h2_session *s, struct mote_mux_stream *stream)
{
  mote_mux_leave(stream);
  if(!s->promised && s->at == stream)
    s->at = NULL;
  if(!stream->id || stream->closed || s->broken)
    return false;
  h2_stream_give_up(s, stream);
  return true;
}

/* ---- what goes ---- */

static ssize_t h2_stream_read_body(nghttp2_session *session, int32_t id, uint8_t *to, size_t most,
                                   uint32_t *flags, nghttp2_data_source *source, void *user)
{
  struct mote_h2_session *s = user;
  struct mote_mux_stream *stream = nghttp2_session_get_stream_user_data(session, id);
  struct mote_mux_piece p = {.room = (char *)to, .most = most};
  CURLcode rc;
  (void)source;
  if(!stream)
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  rc = s->user->body(s, stream, &p);
  if(rc == CURLE_AGAIN) {
    stream->deferred = true;
    return NGHTTP2_ERR_DEFERRED;
  }
  if(p.end)
    *flags |= NGHTTP2_DATA_FLAG_EOF;
  if(p.trailers)
    *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
  return rc ? NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE : (ssize_t)p.len;
}

_Static_assert(sizeof(nghttp2_nv) == sizeof(struct mote_mux_field), "one takes the place of the other");

/* nghttp2 copies names and values, except for names that are literals. */
static const nghttp2_nv *h2_stream_rewrite(struct mote_mux_field *fields, size_t count)
{
  size_t i;
  for(i = 0; i < count; i++) {
    const struct mote_mux_field *f = &fields[i];
    nghttp2_nv nv = {(uint8_t *)(uintptr_t)f->name.ptr, (uint8_t *)(uintptr_t)f->value.ptr, f->name.len,
                     f->value.len, f->is_pseudo ? NGHTTP2_NV_FLAG_NO_COPY_NAME : NGHTTP2_NV_FLAG_NONE};
    memcpy(&fields[i], &nv, sizeof nv);
  }
  return (const nghttp2_nv *)(const void *)fields;
}

static CURLcode h2_stream_judge(int rc)
{
  return rc >= 0 ? CURLE_OK : rc == NGHTTP2_ERR_NOMEM ? CURLE_OUT_OF_MEMORY : CURLE_HTTP2;
}

CURLcode mote_h2_submit(struct mote_h2_session *s, struct mote_mux_stream *stream,
                        struct mote_mux_field *fields, size_t count, bool has_body)
{
  nghttp2_data_provider body = {.read_callback = h2_stream_read_body};
  int32_t id = nghttp2_submit_request(s->nghttp2, NULL, h2_stream_rewrite(fields, count), count,
                                      has_body ? &body : NULL, stream);
  if(id > 0)
    stream->id = id;
  return h2_stream_judge(id);
}

void mote_h2_adopt(struct mote_h2_session *s, struct mote_mux_stream *stream, int32_t id)
{
  stream->id = id;
  (void)nghttp2_session_set_stream_user_data(s->nghttp2, id, stream);
}

CURLcode mote_h2_trailers(struct mote_h2_session *s, struct mote_mux_stream *stream,
                          struct mote_mux_field *fields, size_t count)
{
  const nghttp2_nv *nv = h2_stream_rewrite(fields, count);
  return h2_stream_judge(nghttp2_submit_trailer(s->nghttp2, stream->id, nv, count));
}

void mote_h2_resume(struct mote_h2_session *s, struct mote_mux_stream *stream)
{
  stream->deferred = false;
  (void)nghttp2_session_resume_data(s->nghttp2, stream->id);
}

void mote_h2_credit(struct mote_h2_session *s, const struct mote_mux_stream *stream, size_t n,
                    uint32_t window)
{
  (void)nghttp2_session_consume_stream(s->nghttp2, stream->id, n);
  if(window)
    (void)nghttp2_session_set_local_window_size(s->nghttp2, NGHTTP2_FLAG_NONE, stream->id, (int32_t)window);
}

bool mote_h2_is_blocked(const struct mote_h2_session *s, const struct mote_mux_stream *stream)
{
  return nghttp2_session_get_stream_remote_window_size(s->nghttp2, stream->id) <= 0 ||
         nghttp2_session_get_remote_window_size(s->nghttp2) <= 0;
}

void mote_h2_ping(struct mote_h2_session *s)
{
  if(nghttp2_submit_ping(s->nghttp2, NGHTTP2_FLAG_NONE, NULL))
    mote_h2_break(s, CURLE_OUT_OF_MEMORY);
}

const char *mote_h2_error_name(uint32_t code)
{
  return code <= NGHTTP2_HTTP_1_1_REQUIRED ? nghttp2_http2_strerror(code) : "unknown";
}
