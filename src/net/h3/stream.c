/* net/h3/stream.c: one stream, from its head to its end, and the bytes of an upload that the peer has not
 * acknowledged (net/h3/session.h). */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "net/h3/session.h"
#include "net/mux/fields.h"
#include "net/mux/stream.h"

#define BLOCK_ROOM 16384u /* bytes of an upload that are read at once */
/* Of the last stream of a connection, but for those that are waiting: a stream's id has 31 bits. */
#define LAST_NUMBER (INT32_MAX - 0x1000000)

/* Bytes of an upload, which ngtcp2 may have to send again. */
struct block {
  struct block *next;
  uint32_t len;          /* bytes of it that are sent */
  char bytes[BLOCK_ROOM];
};

/* An upload. */
struct h3_upload {
  struct block *first, *last; /* not acknowledged, the oldest first, or NULL */
  uint32_t kept;              /* bytes in them */
  uint32_t first_done;        /* bytes of the first one that are acknowledged */
  bool full;                  /* no more is read until some are acknowledged */
  bool ended;                 /* the owner gives no more */
};

/* What the session keeps of a request until its stream is closed, whether its owner has left or not. */
struct mote_h3_request {
  struct mote_h3_request *next;   /* in the session's list */
  struct mote_h3_request **link;  /* what points to this one */
  struct mote_mux_stream *stream; /* NULL: it has left */
  int64_t held;                   /* bytes of the response that nghttp3 holds */
  uint64_t code;                  /* with `late` */
  uint64_t missing;               /* bytes of the body that are announced and have not come */
  int32_t id;                     /* of QUIC's stream */
  bool bodyless;                  /* no body comes: HEAD, 304 */
  bool late;                      /* QUIC has closed the stream, nghttp3 has not yet heard so */
  bool has_body;                  /* `upload` is there */
  struct h3_upload upload[];
};

bool mote_h3_has_bodies(const struct mote_h3_session *s)
{
  const struct mote_h3_request *r = s->requests;
  while(r && !r->has_body)
    r = r->next;
  return r;
}

struct mote_mux_stream *mote_h3_stream_of(const struct mote_h3_request *r)
{
  return r->stream;
}

/* The number of QUIC's stream. */
static int64_t h3_stream_number(const struct mote_mux_stream *stream)
{
  return stream->id - 1;
}

void mote_h3_join(struct mote_h3_session *s, struct mote_mux_stream *stream)
{
  if(!s->streams && !s->alive)
    mote_h3_path_use(s);
  mote_mux_join(&s->streams, stream);
}

/* QUIC has forgotten those that are late, and one whose response waits for its owner. */
static struct mote_h3_request *h3_stream_request(const struct mote_h3_session *s,
                                                 const struct mote_mux_stream *stream)
{
  struct mote_h3_request *r = ngtcp2_conn_get_stream_user_data(s->quic, h3_stream_number(stream));
  if(!r && (s->late || s->early))
    for(r = s->requests; r && r->stream != stream; r = r->next)
      ;
  return r;
}

void mote_h3_expect(struct mote_h3_request *r, uint64_t bytes)
{
  r->missing = r->bodyless ? 0 : bytes;
}

void mote_h3_expect_nothing(struct mote_h3_request *r)
{
  r->bodyless = true;
  r->missing = 0;
}

void mote_h3_arrived(struct mote_h3_request *r, size_t bytes)
{
  r->held -= (int64_t)bytes;
  r->missing -= bytes < r->missing ? bytes : r->missing;
}

bool mote_h3_is_short(const struct mote_h3_request *r)
{
  return r->missing && r->held <= 0;
}

void mote_h3_hold(struct mote_h3_request *r, int64_t n)
{
  r->held += n;
}

void mote_h3_hold_nothing(struct mote_h3_request *r)
{
  r->held = INT64_MIN / 2;
}

bool mote_h3_closes_later(struct mote_h3_session *s, struct mote_h3_request *r, uint64_t code)
{
  if(r->held <= 0 || !r->stream || s->late == UINT8_MAX)
    return false;
  r->late = true;
  r->code = code;
  s->late++;
  return true;
}

int mote_h3_close_late(struct mote_h3_session *s)
{
  struct mote_h3_request *r, *next;
  int rc = 0;
  for(r = s->requests; r && s->late && !rc; r = next) {
    next = r->next;
    if(!r->late || (r->held > 0 && r->stream))
      continue;
    s->late--;
    rc = nghttp3_conn_close_stream(s->http, r->id, r->code);
  }
  return rc;
}

bool mote_h3_leave(struct mote_h3_session *s, struct mote_mux_stream *stream)
{
  struct mote_h3_request *r;
  mote_mux_leave(stream);
  if(!s->streams && s->alive)
    mote_h3_path_rest(s);
  if(!stream->id || stream->closed)
    return false;
  r = h3_stream_request(s, stream);
  if(r)
    r->stream = NULL;
  if(s->broken)
    return false;
  (void)ngtcp2_conn_shutdown_stream(s->quic, 0, h3_stream_number(stream), NGHTTP3_H3_REQUEST_CANCELLED);
  return true;
}

/* ---- what goes ---- */

static void h3_stream_free(struct mote_h3_session *s, struct block *b)
{
  mote_mem_free(s->memory.account, MOTE_PART_BUFFER, b, sizeof *b);
}

static void h3_stream_drop_blocks(struct mote_h3_session *s, struct h3_upload *u)
{
  while(u->first) {
    struct block *b = u->first;
    u->first = b->next;
    h3_stream_free(s, b);
  }
}

void mote_h3_drop_request(struct mote_h3_session *s, struct mote_h3_request *r)
{
  if(r->has_body)
    h3_stream_drop_blocks(s, r->upload);
  *r->link = r->next;
  if(r->next)
    r->next->link = r->link;
  mote_slab_put(&s->memory, r);
}

void mote_h3_drop_requests(struct mote_h3_session *s)
{
  while(s->requests)
    mote_h3_drop_request(s, s->requests);
}

void mote_h3_acknowledged(struct mote_h3_session *s, struct mote_h3_request *r, uint64_t bytes)
{
  struct h3_upload *u = r->upload;
  u->kept -= (uint32_t)bytes;
  bytes += u->first_done;
  while(u->first && bytes >= u->first->len) {
    struct block *b = u->first;
    bytes -= b->len;
    u->first = b->next;
    h3_stream_free(s, b);
  }
  if(!u->first)
    u->last = NULL;
  u->first_done = (uint32_t)bytes;
  if(u->full && u->kept <= MOTE_H3_UNACKED / 2) {
    u->full = false;
    if(r->stream)
      mote_h3_resume(s, r->stream);
  }
}

static void h3_stream_keep(struct h3_upload *u, struct block *b)
{
  if(u->last)
    u->last->next = b;
  else
    u->first = b;
  u->last = b;
  b->next = NULL;
  u->kept += b->len;
}

/* Returns how many parts of a vector the piece is. */
static nghttp3_ssize h3_stream_give(struct h3_upload *u, struct block *b, const struct mote_mux_piece *p,
                                    nghttp3_vec *vec, uint32_t *flags)
{
  b->len = (uint32_t)p->len;
  if(p->end) {
    u->ended = true;
    *flags |= NGHTTP3_DATA_FLAG_EOF;
  }
  if(p->trailers)
    *flags |= NGHTTP3_DATA_FLAG_NO_END_STREAM;
  if(!p->len)
    return 0;
  h3_stream_keep(u, b);
  vec->base = (uint8_t *)b->bytes;
  vec->len = p->len;
  return 1;
}

/* A stream whose upload has failed is given up by its owner, in its next step. */
static nghttp3_ssize h3_stream_read_body(nghttp3_conn *http, int64_t id, nghttp3_vec *vec, size_t count,
                                         uint32_t *flags, void *user, void *request)
{
  struct mote_h3_request *r = request;
  struct mote_h3_session *s = user;
  struct h3_upload *u = r->upload;
  struct mote_mux_piece p = {.most = BLOCK_ROOM};
  nghttp3_ssize given;
  struct block *b;
  CURLcode rc;
  (void)http;
  (void)id;
  (void)count;
  if(!r->stream || u->ended || !s->user)
    return NGHTTP3_ERR_WOULDBLOCK;
  u->full = u->kept >= MOTE_H3_UNACKED;
  if(u->full)
    return NGHTTP3_ERR_WOULDBLOCK;
  b = mote_mem_alloc(s->memory.account, MOTE_PART_BUFFER, sizeof *b);
  if(!b) {
    mote_h3_fail_http(s, NGHTTP3_ERR_NOMEM);
    return NGHTTP3_ERR_CALLBACK_FAILURE;
  }
  p.room = b->bytes;
  rc = s->user->body(s, r->stream, &p);
  given = rc ? NGHTTP3_ERR_WOULDBLOCK : h3_stream_give(u, b, &p, vec, flags);
  if(given <= 0)
    h3_stream_free(s, b);
  if(!rc)
    return given;
  u->ended = rc != CURLE_AGAIN;
  if(r->stream)
    r->stream->deferred = rc == CURLE_AGAIN;
  return given;
}

_Static_assert(sizeof(nghttp3_nv) == sizeof(struct mote_mux_field), "one takes the place of the other");

/* nghttp3 copies names and values, except for names that are literals. */
static const nghttp3_nv *h3_stream_rewrite(struct mote_mux_field *fields, size_t count)
{
  size_t i;
  for(i = 0; i < count; i++) {
    const struct mote_mux_field *f = &fields[i];
    nghttp3_nv nv = {(uint8_t *)(uintptr_t)f->name.ptr, (uint8_t *)(uintptr_t)f->value.ptr, f->name.len,
                     f->value.len, f->is_pseudo ? NGHTTP3_NV_FLAG_NO_COPY_NAME : NGHTTP3_NV_FLAG_NONE};
    memcpy(&fields[i], &nv, sizeof nv);
  }
  return (const nghttp3_nv *)(const void *)fields;
}

static struct mote_h3_request *h3_stream_make_request(struct mote_h3_session *s,
                                                      struct mote_mux_stream *stream, bool has_body)
{
  struct mote_h3_request *r = mote_h3_memory_take(s, sizeof *r + (has_body ? sizeof *r->upload : 0));
  if(!r)
    return NULL;
  r->stream = stream;
  r->has_body = has_body;
  r->next = s->requests;
  r->link = &s->requests;
  if(r->next)
    r->next->link = &r->next;
  s->requests = r;
  return r;
}

static bool h3_stream_is_head(const struct mote_mux_field *fields, size_t count)
{
  size_t i;
  for(i = 0; i < count && fields[i].is_pseudo; i++)
    if(mote_slice_is(fields[i].name, ":method"))
      return mote_slice_is(fields[i].value, "HEAD");
  return false;
}

static CURLcode h3_stream_judge(int rc)
{
  return !rc ? CURLE_OK : rc == NGHTTP3_ERR_NOMEM ? CURLE_OUT_OF_MEMORY : CURLE_HTTP3;
}

CURLcode mote_h3_submit(struct mote_h3_session *s, struct mote_mux_stream *stream,
                        struct mote_mux_field *fields, size_t count, bool has_body)
{
  const nghttp3_data_reader body = {.read_data = h3_stream_read_body};
  struct mote_h3_request *r = h3_stream_make_request(s, stream, has_body);
  int64_t id;
  int rc;
  if(!r)
    return CURLE_OUT_OF_MEMORY;
  rc = ngtcp2_conn_open_bidi_stream(s->quic, &id, r);
  if(rc) {
    mote_h3_drop_request(s, r);
    if(rc != NGTCP2_ERR_STREAM_ID_BLOCKED)
      return CURLE_OUT_OF_MEMORY;
    s->short_of_streams = true;
    return CURLE_AGAIN;
  }
  r->id = (int32_t)id;
  if(h3_stream_is_head(fields, count))
    mote_h3_expect_nothing(r);
  stream->id = (int32_t)id + 1;
  if(id >= LAST_NUMBER && !s->away) {
    s->away = true;
    s->user->leave(s);
  }
  rc = nghttp3_conn_submit_request(s->http, id, h3_stream_rewrite(fields, count), count,
                                   has_body ? &body : NULL, r);
  return h3_stream_judge(rc);
}

CURLcode mote_h3_trailers(struct mote_h3_session *s, struct mote_mux_stream *stream,
                          struct mote_mux_field *fields, size_t count)
{
  const nghttp3_nv *nv = h3_stream_rewrite(fields, count);
  return h3_stream_judge(nghttp3_conn_submit_trailers(s->http, h3_stream_number(stream), nv, count));
}

void mote_h3_resume(struct mote_h3_session *s, struct mote_mux_stream *stream)
{
  stream->deferred = false;
  (void)nghttp3_conn_resume_stream(s->http, h3_stream_number(stream));
}

/* A window doubles when it grows (net/mux/window.h). */
void mote_h3_credit(struct mote_h3_session *s, const struct mote_mux_stream *stream, size_t n,
                    uint32_t window)
{
  (void)ngtcp2_conn_extend_max_stream_offset(s->quic, h3_stream_number(stream), n + window / 2);
}

const char *mote_h3_error_name(uint64_t code)
{
  static const char *const names[] = {
    "H3_NO_ERROR", "H3_GENERAL_PROTOCOL_ERROR", "H3_INTERNAL_ERROR", "H3_STREAM_CREATION_ERROR",
    "H3_CLOSED_CRITICAL_STREAM", "H3_FRAME_UNEXPECTED", "H3_FRAME_ERROR", "H3_EXCESSIVE_LOAD", "H3_ID_ERROR",
    "H3_SETTINGS_ERROR", "H3_MISSING_SETTINGS", "H3_REQUEST_REJECTED", "H3_REQUEST_CANCELLED",
    "H3_REQUEST_INCOMPLETE", "H3_MESSAGE_ERROR", "H3_CONNECT_ERROR", "H3_VERSION_FALLBACK"};
  if(code >= NGHTTP3_H3_NO_ERROR && code - NGHTTP3_H3_NO_ERROR < sizeof names / sizeof *names)
    return names[code - NGHTTP3_H3_NO_ERROR];
  return code == NGHTTP3_QPACK_DECOMPRESSION_FAILED ? "QPACK_DECOMPRESSION_FAILED" : "unknown";
}
