/* protocol/http.h: HTTP/1.1 as a client speaks it (RFC 9110, RFC 9112); what the files of this protocol
 * share.
 *
 * The exchange has two directions at once: http_send.c (head, Expect, body, trailers) and http_parse.c
 * (heads, body), with http_respond.c. http.c reads, and joins them. State lives in the connection; the
 * parsers' part of it is apart (protocol/http_parser.h).
 * Tests: tests/e2e */
#ifndef MOTE_PROTOCOL_HTTP_H
#define MOTE_PROTOCOL_HTTP_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "net/conn.h"
#include "transfer/transfer.h"

struct mote_buf;
struct mote_need_chain;
struct mote_need_sums;

enum mote_http_send {
  MOTE_HTTP_SEND_HEAD,
  MOTE_HTTP_SEND_WAIT, /* Expect: 100-continue is out, its answer or timer is awaited */
  MOTE_HTTP_SEND_BODY,
  MOTE_HTTP_SEND_DONE
};

enum mote_http_receive {
  MOTE_HTTP_RECEIVE_HEAD,
  MOTE_HTTP_RECEIVE_BODY,
  MOTE_HTTP_RECEIVE_FINISH, /* body complete, decoders may still have output */
  MOTE_HTTP_RECEIVE_DONE
};

struct mote_http {
  uint64_t left;                       /* BODY with a length: bytes still to come */
  uint8_t sending;                     /* enum mote_http_send */
  uint8_t receiving;                   /* enum mote_http_receive */
  bool upload_chunked;                 /* request body goes out chunked */
  bool chunked;                        /* BODY: the response body has chunked framing */
  bool raw_chunked;                    /* CURLOPT_HTTP_TRANSFER_DECODING is off: framing is delivered too */
  bool bare_lf;                        /* chunked framing was not by the book: do not reuse */
  bool not_http;                       /* HTTP/0.9: everything is body */
  bool close_asked;                    /* our own Connection: close */
  bool abandoned;                      /* the request body was cut short: the connection is of no use */
  bool again;                          /* the same URL once more (401 with a usable challenge, 417) */
  bool ranged;                         /* a Range was asked for by RESUME_FROM */
  bool unread;                         /* bytes held over were not looked at since a pause */
  bool quiet;                          /* HEAD: nobody is told of header lines (mote_sink_wants_headers()) */
  bool surplus;                        /* bytes after the response: the connection is of no use */
  bool old;                            /* the request is HTTP/1.0: by option, or since the last answer was */
  bool old_peer;                       /* the last answer on this connection was HTTP/1.0: not the
                                          exchange's, but the connection's */
  _Alignas(8) char parser[];           /* struct mote_http_parser (protocol/http_parser.h) */
};

/* The exchange's state; run->conn is not NULL. */
static inline struct mote_http *mote_http_of(struct mote_transfer *t)
{
  return mote_conn_state(t->run->conn);
}

/* http_send.c: CURLE_OK when nothing can be sent now or all is sent; errors end the transfer. */
CURLcode mote_http_send_step(struct mote_transfer *t, mote_time now);
/* Something waits for the descriptor to take bytes. */
bool mote_http_wants_to_send(struct mote_transfer *t);

/* http_send.c: CURLE_BAD_FUNCTION_ARGUMENT for a POST with RESUME_FROM. libcurl judges one whose body is in
 * memory before it connects, the others afterwards. */
CURLcode mote_http_refuse_resume(struct mote_transfer *t);

/* http_send.c: check the method, open the source of the body or rewind it. */
CURLcode mote_http_prepare(struct mote_transfer *t);

#if !MOTE_HAS_SMALL
/* http_trailers.c: the last chunk with the lines of CURLOPT_TRAILERFUNCTION behind it; b is the caller's to
 * close. CURLE_ABORTED_BY_CALLBACK, CURLE_OUT_OF_MEMORY. */
CURLcode mote_http_build_trailers(struct mote_transfer *t, struct mote_buf *b);
#else
#define mote_http_build_trailers(t, b) ((void)(t), (void)(b), CURLE_NOT_BUILT_IN)
#endif

/* http_need.c: struct mote_protocol.ceiling */
CURLcode mote_http_ceiling(const struct mote_transfer *t, const struct mote_need_chain *chain,
                           struct mote_need_sums *sums);

/* Most body bytes of one send: what a short send leaves over is kept in a block. */
#define MOTE_HTTP_SEND_ROOM 16384u
#define MOTE_HTTP_CHUNK_FRONT 10u /* room before the data: eight hex digits and CRLF */
#define MOTE_HTTP_CHUNK_BACK 2u   /* CRLF behind it */
#define MOTE_HTTP_PIECE (MOTE_HTTP_SEND_ROOM + MOTE_HTTP_CHUNK_FRONT + MOTE_HTTP_CHUNK_BACK)

#define MOTE_HTTP_TRAILERS_MAX 65536u /* bytes of own trailers: what libcurl's own trailer buffer holds */

#define MOTE_HTTP_READS_PER_STEP 64   /* then others have their turn */
#define MOTE_HTTP_READ_UNIT 65536u    /* a read of so many bytes is one; a larger one counts as several */

/* http_parse.c: lent bytes, until they are used up, more are needed, or a callback pauses (CURLE_AGAIN). */
CURLcode mote_http_consume(struct mote_transfer *t, char *bytes, size_t len, mote_time now);
/* The body is complete. */
void mote_http_body_complete(struct mote_transfer *t);
/* What the decoders still have, then the end of the response. */
CURLcode mote_http_finish_body(struct mote_transfer *t);
/* The connection has ended: less than a status line is no answer, the request may go again. */
void mote_http_judge_answer(struct mote_transfer *t);
/* The peer has ended its side; or TLS has ended without a close. CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE,
 * CURLE_RECV_ERROR, or CURLE_OK where that is a body's end. */
CURLcode mote_http_ended(struct mote_transfer *t);
CURLcode mote_http_truncated(struct mote_transfer *t);

/* http_head.c: the request head into the multi's buffer, or into a block of the transfer when it is longer.
 * Either way the bytes are at *head, *len of them; *block is that block, NULL for the buffer. */
CURLcode mote_http_build_head(struct mote_transfer *t, char **head, size_t *len, struct mote_kept **block);

/* http_writer.c: may an own or made Authorization go to the current origin? */
bool mote_http_auth_allowed(const struct mote_transfer *t);

#if !MOTE_HAS_SMALL
/* http_auth.c: a WWW-Authenticate field: note the schemes, decide whether to ask again. */
void mote_http_challenge(struct mote_transfer *t, struct mote_slice value);
#else
#define mote_http_challenge(t, value) ((void)(t), (void)(value))
#endif

/* A value of CURLOPT_HTTPHEADER for this name, or NULL; *removed: the list says "Name:" without a value. */
const char *mote_http_custom_header(const struct mote_transfer *t, const char *name, bool *removed);

#endif
