/* http/http.h: HTTP/1.1 as a client speaks it (RFC 9110, RFC 9112), shared by the files of http/ and h1.
 *
 * An exchange runs in both directions at once. protocol/h1_send.c sends (head, Expect, body),
 * h1_parse.c parses heads and bodies, and response.c decides what a response means. h1.c reads from the
 * connection and joins the two directions. The state lives in the connection; the part of it that only the
 * parsing files use is in parser.h.
 *
 * Tests: tests/e2e */
#ifndef MOTE_PROTOCOL_HTTP_H
#define MOTE_PROTOCOL_HTTP_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "net/conn.h"
#include "parts.h"
#include "transfer/transfer.h"

struct mote_need_chain;
struct mote_need_sums;
struct mote_reader_row;

enum mote_http_send {
  MOTE_HTTP_SEND_HEAD,
  MOTE_HTTP_SEND_WAIT, /* Expect: 100-continue is sent; waiting for an answer or the timer */
  MOTE_HTTP_SEND_BODY,
  MOTE_HTTP_SEND_DONE
};

enum mote_http_receive {
  MOTE_HTTP_RECEIVE_HEAD,
  MOTE_HTTP_RECEIVE_BODY,
  MOTE_HTTP_RECEIVE_FINISH, /* the body is complete, decoders may still have output */
  MOTE_HTTP_RECEIVE_DONE
};

struct mote_http {
  uint64_t left;                       /* bytes of the body still to come, where it has a length */
  uint8_t sending;                     /* enum mote_http_send */
  uint8_t receiving;                   /* enum mote_http_receive */
  bool upload_chunked;                 /* the request body is sent chunked */
  bool chunked;                        /* the response body has chunked framing (valid in BODY) */
  bool raw_chunked;                    /* CURLOPT_HTTP_TRANSFER_DECODING is off: framing is delivered too */
  bool bare_lf;                        /* chunked framing broke RFC 9112: not reusable */
  bool not_http;                       /* HTTP/0.9, where everything is body */
  bool close_asked;                    /* the request said Connection: close */
  bool abandoned;                      /* the request body was cut short: not reusable */
  bool again;                          /* request the same URL again (401 with a usable challenge, 417) */
  bool ranged;                         /* CURLOPT_RESUME_FROM asked for a range */
  bool unread;                         /* held bytes were not parsed since a pause */
  bool quiet;                          /* HEAD: header lines are not delivered (mote_sink_wants_headers()) */
  bool surplus;                        /* bytes came after the response: not reusable */
  bool old;                            /* the request is HTTP/1.0, by option or since the last response was */
  bool old_peer;                       /* the last response here was HTTP/1.0; outlives the exchange */
  _Alignas(8) char parser[];           /* struct mote_http_parser (http/parser.h) */
};

/* Returns the exchange's state. run->channel.conn must not be NULL. */
static inline struct mote_http *mote_http_of(struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

/* h1_send.c: sends what the connection takes. CURLE_OK also when nothing can be sent now; errors end the
 * transfer. */
CURLcode mote_http_send_step(struct mote_transfer *t, mote_time now);
/* Reports whether bytes wait for the descriptor to become writable. */
bool mote_http_wants_to_send(struct mote_transfer *t);

/* h1_send.c: CURLE_BAD_FUNCTION_ARGUMENT for a POST with CURLOPT_RESUME_FROM. libcurl checks a POST whose
 * body is in memory before it connects, and any other afterwards. */
CURLcode mote_http_refuse_resume(struct mote_transfer *t);

/* h1_send.c: checks the method and opens the source of the body, or rewinds it. */
CURLcode mote_http_prepare(struct mote_transfer *t);

/* h1_chunks.c: frames what the reader below gives as chunks, and ends with the last chunk and the lines of
 * CURLOPT_TRAILERFUNCTION. A piece's payload is smaller than its room by MOTE_HTTP_FRAMING bytes. */
extern const struct mote_reader_row mote_http_chunks;

/* h1_need.c: struct mote_protocol.ceiling */
CURLcode mote_http_ceiling(const struct mote_transfer *t, const struct mote_need_chain *chain,
                           struct mote_need_sums *sums);

/* Most body bytes of one send. A block keeps what a short send leaves over. */
#define MOTE_HTTP_SEND_ROOM 16384u
#define MOTE_HTTP_CHUNK_FRONT 10u /* bytes before the data: eight hex digits and CRLF */
#define MOTE_HTTP_CHUNK_BACK 2u   /* bytes after the data: CRLF */
#define MOTE_HTTP_FRAMING (MOTE_HTTP_CHUNK_FRONT + MOTE_HTTP_CHUNK_BACK)
#define MOTE_HTTP_PIECE (MOTE_HTTP_SEND_ROOM + MOTE_HTTP_FRAMING)

#define MOTE_HTTP_TRAILERS_MAX 65536u /* bytes of the application's trailers; libcurl's limit */

#define MOTE_HTTP_READS_PER_STEP 64   /* then other transfers get their turn */
#define MOTE_HTTP_READ_UNIT 65536u    /* bytes; a larger read counts as several */

/* h1_parse.c: parses the connection's bytes until they are used up, an element is incomplete, or a
 * callback pauses (CURLE_AGAIN). */
CURLcode mote_http_consume(struct mote_transfer *t, char *bytes, size_t len, mote_time now);
/* Notes that the body is complete. */
void mote_http_body_complete(struct mote_transfer *t);
/* Delivers what the decoders still hold and ends the response. */
CURLcode mote_http_finish_body(struct mote_transfer *t);
/* The connection has ended. Clears got_bytes if not even a status line arrived, since that request may be
 * retried. */
void mote_http_judge_answer(struct mote_transfer *t);
/* The peer has closed its side (ended), or TLS ended without a close_notify (truncated). CURLE_GOT_NOTHING,
 * CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, or CURLE_OK where that completes the body. */
CURLcode mote_http_ended(struct mote_transfer *t);
CURLcode mote_http_truncated(struct mote_transfer *t);

/* auth.c: notes the schemes of a WWW-Authenticate field and decides whether to send the request
 * again. */
void mote_http_challenge(struct mote_transfer *t, struct mote_slice value);

/* auth.c: returns the CURLAUTH_* bits of the schemes that are built in. */
#if MOTE_HAS_HTTP
unsigned long mote_http_auth_built(void);
#else
#define mote_http_auth_built() 0UL
#endif

#endif
