/* protocol/http2/h2.h: HTTP/2 (RFC 9113), which carries the exchanges of http/http.h as streams of one
 * connection.
 *
 * The driver of the connection (h2_driver.c) reads for all streams and sends for them. nghttp2 cuts frames,
 * and what it finds comes by callbacks (h2_session.c) and goes to the transfer of its stream as an event
 * (transfer/channel.h). An exchange (h2.c) sends its head (h2_request.c, h2_fields.c) and its body
 * (h2_upload.c), and takes its response as events (h2_response.c). While its transfer is paused or limited
 * these wait in one queue of the stream, which its window bounds.
 *
 * Ownership: the connection owns struct mote_h2, which is its driver's state, and the streams, whose blocks
 *            are of the session's memory, from begin to end.
 * Errors:    a peer that breaks the protocol ends every stream with CURLE_HTTP2, one that breaks a stream
 *            that one with CURLE_HTTP2_STREAM.
 * Tests:     tests/e2e/test_h2.py, test_h2_errors.py, test_h2_push.py */
#ifndef MOTE_PROTOCOL_HTTP2_H2_H
#define MOTE_PROTOCOL_HTTP2_H2_H

#include "codec/http/http1.h"
#include "http/http.h"
#include "net/driver.h"
#include "net/mux/fields.h"
#include "protocol/http2/h2_memory.h"
#include "net/mux/window.h"
#include "transfer/download/sink.h"
#include "transfer/multi.h"
#include "transfer/protocol.h"

/* Most streams at a time where neither the application (CURLMOPT_MAX_CONCURRENT_STREAMS) nor the server says
 * anything. */
#define MOTE_H2_STREAMS 100u
/* Bytes of the window of a connection. Those of the streams limit what the server sends. */
#define MOTE_H2_CONNECTION_WINDOW (1000u << 20)
/* Answers to the server's SETTINGS and PING that wait for being sent. */
#define MOTE_H2_ANSWERS 1000u

/* What a connection knows while it reads, before it sends. */
struct mote_h2_turn {
  struct mote_h2_stream *owing;    /* has taken bytes in this turn without credit for the server, or NULL */
  struct mote_h2_stream *straight; /* `owing`, if its next piece may go straight to `to`, or NULL */
  struct mote_sink_target to;      /* with `straight` */
};

struct mote_h2_promise;

struct mote_h2 {
  struct mote_drive drive;         /* first */
  nghttp2_session *session;        /* NULL until the first exchange begins */
  struct mote_h2_stream *streams;  /* the first of those in their exchange, or NULL */
  union {                          /* whose field block is coming; NULL: none */
    struct mote_h2_stream *at;
    struct mote_h2_promise *promise; /* with `promised` (h2_push.c) */
  };
  struct mote_h2_turn *turn;       /* while it reads and is about to send; on the stack; or NULL */
  char *rest;                      /* what a short send has left over, a block of the account, or NULL */
  mote_time kept_up;               /* when the session began, or curl_easy_upkeep() sent a PING */
  uint32_t rest_len;               /* bytes of the block */
  uint32_t rest_at;                /* how many of them are sent */
  uint32_t away_code;              /* with `away`: the server's reason */
  uint32_t ended_code;             /* the reason of the GOAWAY that was sent */
  uint32_t unconsumed;             /* bytes of bodies that the window of the connection lacks */
  uint16_t idle_frames;            /* in a row (MOTE_MUX_IDLE_FRAMES) */
  uint8_t broken;                  /* CURLcode: why the connection can no longer be used, or CURLE_OK */
  bool settled : 1;                /* the server's SETTINGS have come */
  bool away : 1;                   /* the server takes no more streams */
  bool said_goodbye : 1;           /* GOAWAY was sent */
  bool failed : 1;                 /* the streams have heard of `broken` */
  bool preface_due : 1;            /* nothing was sent yet: `rest` is what the session says first */
  bool promised : 1;               /* `promise` is the union's member */
  bool mute : 1;                   /* sending has failed: the connection breaks when all that came is read */
  bool wide : 1;                   /* a large body comes, 16 KB and more at a time: reads use more room */
  char *why;                       /* nghttp2's text for what is wrong, a block of the session's memory, or
                                      NULL */
  struct mote_h2_memory memory;
  struct mote_h2_common *own;      /* of a connection that may move to another multi: what it would share with
                                      the other sessions of its multi; or NULL */
};

/* What waits in a stream's queue, each as such a head and the bytes. */
enum mote_h2_item { MOTE_H2_ITEM_FIELD, MOTE_H2_ITEM_HEAD, MOTE_H2_ITEM_BYTES, MOTE_H2_ITEM_END };

struct mote_h2_stream {
  struct mote_exchange exchange;   /* first */
  struct mote_http http;           /* second (struct mote_http_stream) */
  struct mote_h2_stream *next;     /* in mote_h2.streams */
  struct mote_h2_stream **link;    /* what points to this one; NULL: in no list */
  struct mote_transfer *t;
  struct mote_kept *queue;         /* events that wait, or NULL */
  uint32_t queue_last;             /* where the last one of them begins */
  int32_t id;                      /* 0: not open yet */
  struct mote_mux_window window;
  uint32_t head_bytes;             /* of all heads and trailers so far */
  uint32_t owed;                   /* bytes of the body that were taken, without credit for the server yet */
  CURLcode source;                 /* what has ended the upload, or CURLE_OK */
  bool heard : 1;                  /* something of a response has come */
  bool in_head : 1;                /* the status line of this head was delivered */
  bool trailers : 1;               /* a trailer was delivered */
  bool ended : 1;                  /* the server has sent its END_STREAM */
  bool reset : 1;                  /* the server has sent RST_STREAM */
  bool closed : 1;                 /* nghttp2 knows it no longer */
  bool upgraded : 1;               /* the request was sent by HTTP/1.1 (RFC 7540 section 3.2) */
  bool deferred : 1;               /* nghttp2 does not ask for the body until it is resumed */
  struct mote_http1_response response; /* what the current head says of its body */
};

static inline struct mote_h2_stream *mote_h2_stream_of(const struct mote_transfer *t)
{
  return t->run->channel.state;
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
static inline struct mote_mux_windows *mote_mux_windows_of(const struct mote_h2 *h)
{
  return &(*h->memory.common)->windows;
}

extern const struct mote_protocol mote_protocol_h2;
/* h2_upgrade.c: HTTP/1.1, whose requests ask the server to go on with HTTP/2. */
extern const struct mote_protocol mote_protocol_h2_upgrade;
extern const struct mote_driver mote_h2_driver;

/* ---- h2_driver.c ---- */


/* Makes the transfer's stream, and the session for the first one. upgraded: the state of an exchange whose
 * request was sent by HTTP/1.1, or NULL. CURLE_OUT_OF_MEMORY; CURLE_RECV_ERROR: the connection has broken
 * since it was chosen. */
CURLcode mote_h2_join(struct mote_h2 *h, struct mote_transfer *t, const struct mote_http *upgraded);
/* Frees it, and gives up its stream if that is not over. */
void mote_h2_leave(struct mote_h2 *h, struct mote_h2_stream *s);

/* ---- h2_session.c ---- */

/* The connection can no longer be used. The first reason counts. The streams hear of it when it acts. */
void mote_h2_break(struct mote_h2 *h, CURLcode why);
/* Our SETTINGS. */
#define MOTE_H2_SETTINGS 3
extern const nghttp2_settings_entry mote_h2_settings[MOTE_H2_SETTINGS];
/* Makes h->session with its memory. CURLE_OUT_OF_MEMORY. */
CURLcode mote_h2_session_open(struct mote_h2 *h);
/* Makes what it says first. upgraded: the stream whose request was sent by HTTP/1.1, or NULL.
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_h2_session_introduce(struct mote_h2 *h, struct mote_h2_stream *upgraded);
void mote_h2_session_close(struct mote_h2 *h);
/* Takes bytes of the peer. What they bring is delivered. */
void mote_h2_session_take(struct mote_h2 *h, const char *bytes, size_t len);

/* ---- h2_push.c ---- */

/* A PUSH_PROMISE begins: what comes until its end are fields of the promised request. */
void mote_h2_push_begin(struct mote_h2 *h);
void mote_h2_push_field(struct mote_h2 *h, struct mote_slice name, struct mote_slice value);
/* Its end. The application decides, and stream `id` becomes that of a new transfer. Returns the code with
 * which it is refused instead, or NGHTTP2_NO_ERROR. parent: the stream that the frame came on, or NULL. */
uint32_t mote_h2_push_end(struct mote_h2 *h, struct mote_h2_stream *parent, int32_t id);
/* Forgets whose field block is coming, and a promise whose end has not come. */
void mote_h2_push_forget(struct mote_h2 *h);

/* ---- h2_request.c ---- */

/* Writes the head of the request and opens the stream. */
CURLcode mote_h2_request(struct mote_transfer *t, mote_time now);

/* ---- h2_fields.c ---- */

struct mote_h2_fields {
  nghttp2_nv *fields; /* room for all of them, the caller's */
  size_t count;       /* fields so far, which borrow the bytes of name and value */
};

/* Returns the first place in a block where fields may be, less than sizeof(void *) bytes after `bytes`. */
nghttp2_nv *mote_h2_fields_place(char *bytes);
/* flags: NGHTTP2_NV_FLAG_*; nghttp2 copies names and values, except for those that live longer. */
void mote_h2_add_field(struct mote_h2_fields *c, struct mote_slice name, struct mote_slice value,
                       uint8_t flags);
/* The body has ended. Its last frame ends the stream, unless the application has trailers where HTTP/1.1
 * would send chunks (CURLOPT_TRAILERFUNCTION(3)). *flags: NGHTTP2_DATA_FLAG_*. */
CURLcode mote_h2_end_body(struct mote_h2_stream *s, uint32_t *flags);
/* A request that the server may have acted upon is not made again. CURLOPT_CUSTOMREQUEST gives its own name
 * to any of them. */
bool mote_h2_is_repeatable(const struct mote_transfer *t);

/* ---- h2_upload.c ---- */

/* nghttp2_data_source_read_callback */
ssize_t mote_h2_upload(nghttp2_session *session, int32_t id, uint8_t *to, size_t most, uint32_t *flags,
                       nghttp2_data_source *source, void *user);
/* Lets the upload go on that had nothing to send before. */
void mote_h2_upload_go_on(struct mote_transfer *t, mote_time now);
/* Nothing of the request is left to send. */
void mote_h2_upload_sent(struct mote_transfer *t);

/* ---- h2_response.c ---- */

/* Delivers the events that wait, as far as that is possible now. CURLE_AGAIN: the transfer is paused. */
CURLcode mote_h2_response_go_on(struct mote_transfer *t);
/* Delivers a piece of the body of h->turn->straight. Pieces that follow each other ask no question again that
 * the first one has answered. */
void mote_h2_response_straight(struct mote_h2 *h, char *bytes, size_t len);
/* Gives the server credit for what the stream in h->turn->owing has taken. Does nothing without one. */
void mote_h2_give_owed(struct mote_h2 *h);
/* struct mote_protocol.deliver */
CURLcode mote_h2_response_deliver(struct mote_transfer *t, const struct mote_event *e);
/* Most bytes of the heads of a stream, and of what waits beyond its window. */
#define MOTE_H2_HEAD_MAX MOTE_HTTP1_MAX_HEAD
/* Bytes of a request head that nghttp2 lets pass. */
#define MOTE_H2_HEAD_SENT (2u << 20)

#endif
