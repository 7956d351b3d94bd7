/* protocol/http2/h2.h: HTTP/2 (RFC 9113), which carries the exchanges of http/http.h as streams of one
 * connection.
 *
 * The driver of the connection (h2_driver.c) reads for all streams and owns their session (net/h2/session.h),
 * whose events go to the transfer of each stream (transfer/channel.h). An exchange (h2.c) sends its head
 * (h2_request.c) and its body (h2_upload.c), and takes its response as events (h2_response.c). While its
 * transfer is paused or limited these wait in one queue of the stream, which its window bounds.
 *
 * Ownership: the connection owns struct mote_h2, which is its driver's state, and the exchanges, whose blocks
 *            are of the session's memory, from begin to end.
 * Errors:    a peer that breaks the protocol ends every stream with CURLE_HTTP2, one that breaks a stream
 *            that one with CURLE_HTTP2_STREAM.
 * Tests:     tests/e2e/test_h2.py, test_h2_errors.py, test_h2_push.py */
#ifndef MOTE_PROTOCOL_HTTP2_H2_H
#define MOTE_PROTOCOL_HTTP2_H2_H

#include "base/buf.h"
#include "codec/http/http1.h"
#include "http/http.h"
#include "net/driver.h"
#include "net/h2/session.h"
#include "transfer/download/sink.h"
#include "transfer/multi.h"
#include "transfer/protocol.h"

/* What a connection knows while it reads, before it sends. */
struct mote_h2_turn {
  struct mote_h2_exchange *owing;    /* has taken bytes in this turn without credit for the server, or NULL */
  struct mote_h2_exchange *straight; /* `owing`, if its next piece may go straight to `to`, or NULL */
  struct mote_sink_target to;      /* with `straight` */
};

/* The fields of a request that the server promises (h2_push.c); session.promise. */
struct mote_h2_promise {
  struct mote_buf lines; /* "name:value" and a NUL each */
  uint32_t count;        /* of them */
  bool lost;             /* a line had no room, and the promise is refused */
};

/* What the sessions of a multi share. A connection that may move to another multi has one of its own. */
struct mote_h2_common {
  struct mote_loan loan;        /* first: the frame buffer, as the multi's buffer (transfer/schedule.h) */
  struct mote_account *account; /* of the first session, that pays: borrowed */
  uint32_t sessions;            /* that use it */
  struct mote_mux_windows windows;
  _Alignas(8) char frame[MOTE_H2_FRAME];
};

struct mote_h2 {
  struct mote_drive drive;         /* first */
  struct mote_h2_session session;  /* open from the first exchange on */
  struct mote_h2_turn *turn;       /* while it reads and is about to send; on the stack; or NULL */
  struct mote_h2_common *common;   /* with the session */
  mote_time kept_up;               /* when the session began, or curl_easy_upkeep() sent a PING */
};

/* What waits in a stream's queue, each as such a head and the bytes. */
enum mote_h2_item { MOTE_H2_ITEM_FIELD, MOTE_H2_ITEM_HEAD, MOTE_H2_ITEM_BYTES, MOTE_H2_ITEM_END };

struct mote_h2_exchange {
  struct mote_exchange exchange;   /* first */
  struct mote_http http;           /* second (struct mote_http_stream) */
  struct mote_h2_stream stream;
  struct mote_transfer *t;
  struct mote_kept *queue;         /* events that wait, or NULL */
  uint32_t queue_last;             /* where the last one of them begins */
  struct mote_mux_window window;
  uint32_t head_bytes;             /* of all heads and trailers so far */
  uint32_t owed;                   /* bytes of the body that were taken, without credit for the server yet */
  uint8_t source;                  /* CURLcode: what has ended the upload, or CURLE_OK */
  bool in_head : 1;                /* the status line of this head was delivered */
  bool trailers : 1;               /* a trailer was delivered */
  bool ended : 1;                  /* the server has sent its END_STREAM */
  bool upgraded : 1;               /* the request was sent by HTTP/1.1 (RFC 7540 section 3.2) */
  struct mote_http1_response response; /* what the current head says of its body */
};

static inline struct mote_h2_exchange *mote_h2_exchange_of(const struct mote_transfer *t)
{
  return t->run->channel.state;
}

static inline struct mote_h2_exchange *mote_h2_exchange_with(struct mote_h2_stream *stream)
{
  return mote_container_of(stream, struct mote_h2_exchange, stream);
}

static inline struct mote_h2 *mote_h2_of_session(struct mote_h2_session *s)
{
  return mote_container_of(s, struct mote_h2, session);
}

static inline struct mote_h2 *mote_h2_of(const struct mote_transfer *t)
{
  return (struct mote_h2 *)t->run->channel.conn->drive;
}

/* Returns the multi that drives the connection, or NULL while it is in a share. */
static inline struct mote_multi *mote_h2_multi(const struct mote_h2 *h)
{
  struct mote_waitset *set = h->drive.conn->set;
  return set ? mote_container_of(set, struct mote_multi, set) : NULL;
}

/* Returns the windows of all streams of the multi, or of the connection (own). The session must be open. */
static inline struct mote_mux_windows *mote_h2_windows_of(const struct mote_h2 *h)
{
  return &h->common->windows;
}

extern const struct mote_protocol mote_protocol_h2;
/* h2_upgrade.c: HTTP/1.1, whose requests ask the server to go on with HTTP/2. */
extern const struct mote_protocol mote_protocol_h2_upgrade;
extern const struct mote_driver mote_h2_driver;

/* ---- h2_common.c ---- */

/* Opens h->session. upgraded: a transfer whose request was sent by HTTP/1.1, or NULL. CURLE_OUT_OF_MEMORY. */
CURLcode mote_h2_open_session(struct mote_h2 *h, const struct mote_h2_user *user,
                              const struct mote_transfer *upgraded);
/* Reports whether the session shares with others of its multi. */
bool mote_h2_is_common(const struct mote_h2 *h);
/* Does nothing for one that is not open. */
void mote_h2_close_session(struct mote_h2 *h);

/* ---- h2_driver.c ---- */

/* Makes the transfer's stream, and the session for the first one. upgraded: the state of an exchange whose
 * request was sent by HTTP/1.1, or NULL. CURLE_OUT_OF_MEMORY; CURLE_RECV_ERROR: the connection has broken
 * since it was chosen. */
CURLcode mote_h2_begin_exchange(struct mote_h2 *h, struct mote_transfer *t, const struct mote_http *upgraded);
/* Frees it, and gives up its stream if that is not over. */
void mote_h2_end_exchange(struct mote_h2 *h, struct mote_h2_exchange *s);

/* ---- h2_push.c: struct mote_h2_user ---- */

void mote_h2_push_begin(struct mote_h2_session *s);
void mote_h2_push_field(struct mote_h2_session *s, struct mote_slice name, struct mote_slice value);
/* The application decides, and the stream becomes that of a new transfer. */
uint32_t mote_h2_push_end(struct mote_h2_session *s, void *promise, struct mote_h2_stream *parent,
                          int32_t id);
void mote_h2_push_drop(struct mote_h2_session *s);

/* ---- h2_request.c ---- */

/* Writes the head of the request and opens the stream. */
CURLcode mote_h2_request(struct mote_transfer *t, mote_time now);

/* ---- h2_fields.c ---- */

/* The fields of a head or of trailers, and room for them. */
struct mote_h2_fields {
  struct mote_mux_field *fields;
  size_t count;            /* so far */
  struct mote_kept *block; /* the room, or NULL: it is the caller's */
};

/* Takes the caller's room, or a block where `count` fields do not fit there. CURLE_OUT_OF_MEMORY. */
CURLcode mote_h2_fields_open(struct mote_h2_fields *f, struct mote_transfer *t, size_t count,
                             struct mote_slice room);
/* The body has ended. Its last frame ends the stream, unless the application has trailers where HTTP/1.1
 * would send chunks (CURLOPT_TRAILERFUNCTION(3)). */
CURLcode mote_h2_end_body(struct mote_h2_exchange *s, struct mote_h2_piece *p);
/* A request that the server may have acted upon is not made again. CURLOPT_CUSTOMREQUEST gives its own name
 * to any of them. */
bool mote_h2_is_repeatable(const struct mote_transfer *t);

/* ---- h2_upload.c ---- */

/* struct mote_h2_user.body */
CURLcode mote_h2_upload(struct mote_h2_session *session, struct mote_h2_stream *stream,
                        struct mote_h2_piece *p);
/* Lets the upload go on that had nothing to send before. */
void mote_h2_upload_go_on(struct mote_transfer *t, mote_time now);
/* Nothing of the request is left to send. */
void mote_h2_upload_sent(struct mote_transfer *t);

/* ---- h2_response.c ---- */

/* Delivers the events that wait, as far as that is possible now. CURLE_AGAIN: the transfer is paused. */
CURLcode mote_h2_response_go_on(struct mote_transfer *t);
/* Delivers a piece of a body (struct mote_h2_user.data). Pieces that follow each other, those of
 * h->turn->straight, ask no question again that the first one has answered. */
void mote_h2_response_data(struct mote_h2_session *session, struct mote_h2_stream *stream, char *bytes,
                           size_t len);
/* Gives the server credit for what the stream in h->turn->owing has taken. Does nothing without one. */
void mote_h2_give_owed(struct mote_h2 *h);
/* struct mote_protocol.deliver */
CURLcode mote_h2_response_deliver(struct mote_transfer *t, const struct mote_event *e);
/* Most bytes of the heads of a stream, and of what waits beyond its window. */
#define MOTE_H2_HEAD_MAX MOTE_HTTP1_MAX_HEAD

#endif
