/* protocol/http1/h1.h: HTTP/1.0 and 1.1 (RFC 9112), which carry the exchange of http/http.h as lines.
 *
 * An exchange runs in both directions at once. h1_send.c sends (head, Expect, body), h1_parse.c parses
 * heads and bodies and reports them to http/response.h, and h1.c reads from the connection and joins the
 * two directions.
 *
 * Sending and receiving have a state each (http/http.h). A step sends first, then receives, so that a
 * request and its answer can pass in one step. Neither waits for the other but for Expect: a server may
 * answer in the middle of an upload, and its response is worth more than our broken pipe, which is why a
 * failed send still reads what has come. The exchange is over when both directions are.
 *
 * The framing of the response follows from its head alone, in the order of RFC 9112 section 6.3: the
 * request was HEAD or the status has no body; Transfer-Encoding; Content-Length; else the body lasts until
 * the connection ends. What breaks a rule of that section ends the transfer or at least the connection,
 * because two parties that disagree about an end read each other's requests (request smuggling).
 *
 * Bytes go three ways, from the slowest to the fastest: heads and chunks are parsed in pieces of 64 KB; a
 * body without framing or coding that something observes (a speed limit, the debug callback, a pause)
 * passes the sink piece by piece; and one that nothing observes goes straight from the socket to the write
 * callback, read after read, until the socket is empty. When a step has left nothing but such a body
 * (`flowing`), the next one does not even look at the other direction.
 *
 * Ownership: the state lies in the connection; it has no memory of its own.
 * Errors:    those of codec/http/http1.h and codec/http/chunked.h, and of http/.
 * Tests:     tests/e2e */
#ifndef MOTE_PROTOCOL_HTTP1_H1_H
#define MOTE_PROTOCOL_HTTP1_H1_H

#include "codec/http/chunked.h"
#include "codec/http/http1.h"
#include "http/http.h"
#include "transfer/download/sink.h"

struct mote_buf;
struct mote_need_chain;
struct mote_need_sums;
struct mote_protocol;
struct mote_reader_row;

struct mote_h1 {
  struct mote_http http;               /* first: mote_http_of() */
  bool chunked : 1;                    /* the response body has chunked framing (valid in BODY) */
  bool raw_chunked : 1;                /* CURLOPT_HTTP_TRANSFER_DECODING is off: framing is delivered too */
  bool bare_lf : 1;                    /* chunked framing broke RFC 9112: not reusable */
  bool not_http : 1;                   /* HTTP/0.9, where everything is body */
  bool close_asked : 1;                /* the request said Connection: close */
  bool unread : 1;                     /* held bytes were not parsed since a pause */
  bool surplus : 1;                    /* bytes came after the response: not reusable */
  bool old_peer : 1;                   /* the last response here was HTTP/1.0; outlives the exchange */
  bool has_target : 1;                 /* the body has no framing, and its destination was looked up */
  bool flowing : 1;                    /* the last step left nothing to do but to deliver a plain body */
  bool reusable : 1;                   /* another response may follow the body; valid in BODY and later */
  uint8_t body;                        /* enum mote_http1_body; likewise */
  uint64_t left;                       /* bytes of the body still to come, where it has a length */
  union {
    struct mote_http1_head head;       /* valid in HEAD */
    struct mote_chunked chunked;       /* valid in BODY with chunked framing */
    struct mote_sink_target to;        /* valid if has_target */
  } in;
  struct mote_http1_response response; /* what the current head says of its framing */
};

/* Returns the exchange's state. run->channel.conn must not be NULL. */
static inline struct mote_h1 *mote_h1_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

/* h1.c: the protocol of http and https, which others begin with (protocol/ws/ws.h). */
extern const struct mote_protocol mote_protocol_http;

/* h1_send.c: sends what the connection takes. CURLE_OK also when nothing can be sent now; errors end the
 * transfer. */
CURLcode mote_h1_send_step(struct mote_transfer *t, mote_time now);
/* Reports whether bytes wait for the descriptor to become writable. */
static inline bool mote_h1_wants_to_send(struct mote_transfer *t)
{
  uint8_t sending = mote_http_of(t)->sending;
  return t->run->unsent || sending == MOTE_HTTP_SEND_HEAD ||
         (sending == MOTE_HTTP_SEND_BODY && !t->run->flow.send.paused);
}

/* h1_chunks.c: frames what the reader below gives as chunks, and ends with the last chunk and the lines of
 * CURLOPT_TRAILERFUNCTION. A piece's payload is smaller than its room by MOTE_H1_FRAMING bytes. */
extern const struct mote_reader_row mote_h1_chunks;

/* Appends the lines of that callback, each with its end. Those that are no fields are left out. */
CURLcode mote_h1_ask_trailers(struct mote_transfer *t, curl_trailer_callback fn, struct mote_buf *b);

/* h1_need.c: struct mote_protocol.ceiling */
CURLcode mote_h1_ceiling(const struct mote_transfer *t, const struct mote_need_chain *chain,
                         struct mote_need_sums *sums);

#define MOTE_H1_CHUNK_FRONT 10u /* bytes before the data: eight hex digits and CRLF */
#define MOTE_H1_CHUNK_BACK 2u   /* bytes after the data: CRLF */
#define MOTE_H1_FRAMING (MOTE_H1_CHUNK_FRONT + MOTE_H1_CHUNK_BACK)

#define MOTE_H1_TRAILERS_MAX 65536u /* bytes of the application's trailers; libcurl's limit */

/* h1_parse.c: parses the connection's bytes until they are used up, an element is incomplete, or a
 * callback pauses (CURLE_AGAIN). */
CURLcode mote_h1_consume(struct mote_transfer *t, char *bytes, size_t len, mote_time now);
/* Notes that the body is complete. */
void mote_h1_body_complete(struct mote_transfer *t);
/* The connection has ended. If not even a status line arrived, the request may be retried. */
void mote_h1_judge_answer(struct mote_transfer *t);
/* The peer has closed its side (ended), or TLS ended without a close_notify (truncated). CURLE_GOT_NOTHING,
 * CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, or CURLE_OK where that completes the body. */
CURLcode mote_h1_ended(struct mote_transfer *t);
CURLcode mote_h1_truncated(struct mote_transfer *t);

#endif
