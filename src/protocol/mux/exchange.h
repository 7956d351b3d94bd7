/* protocol/mux/exchange.h: an exchange of http/http.h as one stream of many on a connection: what HTTP/2
 * (RFC 9113) and HTTP/3 (RFC 9114) have in common.
 *
 * The driver of the connection reads for all streams and owns their session, whose events go to the transfer
 * of each stream (transfer/channel.h). An exchange (mux.c) sends its head (mux_request.c) and its body
 * (mux_upload.c), and takes its response as events (mux_response.c). While its transfer is paused or limited
 * these wait in one queue of the stream, which its window bounds.
 *
 * A version of HTTP is a row: its driver, its names and numbers, and how its session opens a stream, gives
 * credit and goes on with an upload. A driver's state begins with struct mote_mux_link.
 *
 * Bytes of a body that one read has brought come in many pieces. What all of them share is asked for once, in
 * the turn of the driver (struct mote_mux_turn): the first piece looks whether the next ones may go straight
 * to the write callback, and the server gets its credit for all of them at the end.
 *
 * Ownership: the connection owns its driver's state, and the exchanges, whose blocks are of its session's
 *            memory, from begin to end.
 * Errors:    a peer that breaks the protocol ends every stream, one that breaks a stream that one, with the
 *            codes of the row.
 * Tests:     tests/e2e/test_h2.py, test_h2_errors.py */
#ifndef MOTE_PROTOCOL_MUX_EXCHANGE_H
#define MOTE_PROTOCOL_MUX_EXCHANGE_H

#include "codec/http/http1.h"
#include "http/http.h"
#include "net/driver.h"
#include "net/mux/stream.h"
#include "net/mux/window.h"
#include "transfer/download/sink.h"

struct mote_event;
struct mote_multi;
struct mote_mux_field;

/* Most bytes of the heads of a stream, and of what waits beyond its window. */
#define MOTE_MUX_HEAD_MAX MOTE_HTTP1_MAX_HEAD

struct mote_mux_exchange {
  struct mote_exchange exchange;   /* first */
  struct mote_http http;           /* second (struct mote_http_stream) */
  struct mote_mux_stream stream;
  struct mote_transfer *t;
  struct mote_kept *queue;         /* events that wait, or NULL */
  uint32_t queue_last;             /* where the last one of them begins */
  struct mote_mux_window window;
  uint32_t head_bytes;             /* of all heads and trailers so far */
  uint32_t owed;                   /* bytes of the body that were taken, without credit for the server yet */
  uint8_t source;                  /* CURLcode: what has ended the upload, or CURLE_OK */
  bool in_head : 1;                /* the status line of this head was delivered */
  bool trailers : 1;               /* a trailer was delivered */
  bool ended : 1;                  /* the server has ended its side of the stream */
  bool upgraded : 1;               /* the request was sent by HTTP/1.1 (RFC 7540 section 3.2) */
  struct mote_http1_response response; /* what the current head says of its body */
};

/* A version of HTTP. */
struct mote_mux_row {
  struct mote_driver driver; /* first: a connection's row is found by its driver */
  const char *name;          /* "HTTP/2": six bytes, as in a status line */
  long version;              /* CURL_HTTP_VERSION_* */
  CURLcode unlawful;         /* what a response that breaks the protocol ends its stream with */

  /* Opens the exchange's stream by its head. The fields are overwritten. CURLE_OUT_OF_MEMORY, and the row's
   * own. */
  CURLcode (*submit)(struct mote_mux_exchange *s, struct mote_mux_field *fields, size_t count, bool body);
  /* In mote_mux_upload(): these end the stream. Likewise. */
  CURLcode (*trailers)(struct mote_mux_exchange *s, struct mote_mux_field *fields, size_t count);
  /* Asks for the body that had nothing to send before, unless the stream takes none any more. */
  void (*resume)(struct mote_mux_exchange *s);
  /* Lets the server send n bytes more, unless it sends none any more. window: the new size of the stream's,
   * or 0. */
  void (*credit)(struct mote_mux_exchange *s, size_t n, uint32_t window);
  /* The stream has ended with this code of the version before its response was complete. Returns what the
   * transfer fails with, and reports why. */
  CURLcode (*judge_reset)(struct mote_mux_exchange *s, uint32_t code);
  /* The same for the connection. */
  CURLcode (*judge_failure)(struct mote_mux_exchange *s, CURLcode why);
};

/* What a driver knows while it reads, before it sends. */
struct mote_mux_turn {
  struct mote_mux_exchange *owing;    /* has taken bytes in this turn without credit for the server yet, or
                                         NULL */
  struct mote_mux_exchange *straight; /* `owing`, if its next piece may go straight to `to`, or NULL */
  struct mote_sink_target to;         /* with `straight` */
};

/* The head of a driver's state. */
struct mote_mux_link {
  struct mote_drive drive;          /* first */
  struct mote_mux_turn *turn;       /* while it reads and is about to send; on the stack; or NULL */
  struct mote_mux_windows *windows; /* of all streams of the multi, or of the connection; with the session */
};

static inline struct mote_mux_exchange *mote_mux_exchange_of(const struct mote_transfer *t)
{
  return t->run->channel.state;
}

static inline struct mote_mux_exchange *mote_mux_exchange_with(struct mote_mux_stream *stream)
{
  return mote_container_of(stream, struct mote_mux_exchange, stream);
}

/* ---- mux_link.c ---- */

/* Return the driver's state of the connection that the transfer is on, and the version of HTTP it speaks. */
struct mote_mux_link *mote_mux_link_of(const struct mote_transfer *t);
const struct mote_mux_row *mote_mux_row_of(const struct mote_transfer *t);
/* Returns the multi that drives the connection, or NULL while it is in a share. */
struct mote_multi *mote_mux_multi(const struct mote_mux_link *l);
/* Returns how many streams a connection has at a time, at most, whatever its server allows. Also while it is
 * dialled, when transfers wait for it. */
unsigned mote_mux_most(const struct mote_mux_link *l);
/* At the end of a turn: offers a connection that a look-up has found full, and whose peer now allows more
 * streams. */
void mote_mux_offer(struct mote_mux_link *l);
/* The connection can no longer be used, for this reason. Each transfer makes its own result of it. Without
 * any, the pool closes the connection at the end of the run. */
void mote_mux_fail_all(struct mote_mux_link *l, struct mote_mux_stream *streams, CURLcode why);

/* ---- mux.c: an exchange, for a protocol's row ---- */

/* struct mote_protocol.step */
CURLcode mote_mux_step(struct mote_transfer *t, mote_time now);
/* Frees what the exchange itself holds. Its stream may still be open. */
void mote_mux_end(struct mote_transfer *t);

/* ---- mux_request.c ---- */

/* Writes the head of the request and opens the stream. */
CURLcode mote_mux_request(struct mote_transfer *t, mote_time now);
/* A request that the server may have acted upon is not made again. CURLOPT_CUSTOMREQUEST gives its own name
 * to any of them. */
bool mote_mux_is_repeatable(const struct mote_transfer *t);

/* ---- mux_fields.c ---- */

/* The fields of a head or of trailers, and room for them. */
struct mote_mux_fields {
  struct mote_mux_field *fields;
  size_t count;            /* so far */
  struct mote_kept *block; /* the room, or NULL: it is the caller's */
};

/* Takes the caller's room, or a block where `count` fields do not fit there. CURLE_OUT_OF_MEMORY. */
CURLcode mote_mux_fields_open(struct mote_mux_fields *f, struct mote_transfer *t, size_t count,
                              struct mote_slice room);
/* The body has ended. Its last frame ends the stream, unless the application has trailers where HTTP/1.1
 * would send chunks (CURLOPT_TRAILERFUNCTION(3)). */
CURLcode mote_mux_end_body(struct mote_mux_exchange *s, struct mote_mux_piece *p);

/* ---- mux_upload.c ---- */

/* Reads a piece of the body. CURLE_AGAIN: nothing to send now. Other errors end the stream. */
CURLcode mote_mux_upload(struct mote_mux_exchange *s, struct mote_mux_piece *p);
/* Lets the upload go on that had nothing to send before. */
void mote_mux_upload_go_on(struct mote_transfer *t, mote_time now);
/* Nothing of the request is left to send. */
void mote_mux_upload_sent(struct mote_transfer *t);

/* ---- mux_response.c ---- */

/* Delivers the events that wait, as far as that is possible now. CURLE_AGAIN: the transfer is paused. */
CURLcode mote_mux_response_go_on(struct mote_transfer *t);
/* Delivers a piece of a body, which may be changed. Pieces that follow each other, those of
 * link->turn->straight, ask no question again that the first one has answered. */
void mote_mux_response_data(struct mote_mux_exchange *s, char *bytes, size_t len);
/* Gives the server credit for what the stream in link->turn->owing has taken. Does nothing without one. */
void mote_mux_give_owed(struct mote_mux_link *l);
/* struct mote_protocol.deliver */
CURLcode mote_mux_response_deliver(struct mote_transfer *t, const struct mote_event *e);

#endif
