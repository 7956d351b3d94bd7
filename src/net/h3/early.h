/* net/h3/early.h: a request that goes with the first packets of a resumed connection, before the handshake is
 * complete (0-RTT, RFC 9001 section 4.6).
 *
 * Anyone on the path can send these packets again, so that the request must be one that may be made twice
 * (RFC 8470). That is judged by the owner, who writes the request too: the session asks for it when TLS is
 * about to resume a session that allows early data (mote_h3_opening.ask). What the server has promised for
 * streams and bytes is remembered with that session. HTTP/3 remembers nothing, as nghttp3 begins with the
 * defaults of all settings, which are within whatever the server has said (RFC 9114 section 7.2.4.2).
 *
 * The server may refuse early data and go on with the handshake. ngtcp2 forgets the streams then, HTTP/3
 * begins again, and the owner opens another stream.
 *
 * A response may come with the end of the handshake, when no driver has the connection yet. The bytes of that
 * stream wait until its owner is there. They are within the window that the stream begins with.
 *
 * Ownership:  the session has at most one of these, from the offer until the owner gets its bytes. The block
 *             that the stream lies in is the session's until the owner takes it.
 * Bounds:     MOTE_MUX_WINDOW bytes wait.
 * Tests:      tests/e2e/test_h3_early.py */
#ifndef MOTE_NET_H3_EARLY_H
#define MOTE_NET_H3_EARLY_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"

struct mote_h3_request;
struct mote_h3_session;
struct mote_mux_field;
struct mote_mux_stream;
struct mote_slice;

/* How QUIC has closed a stream. */
struct mote_h3_closing {
  int64_t number;
  uint64_t code;                   /* error of HTTP/3, unless `clean` */
  struct mote_h3_request *request; /* of the stream, or NULL: it has none */
  bool clean;                      /* neither side has given it up */
};

/* A request, as its owner gives it. */
struct mote_h3_early_request {
  struct mote_mux_stream *stream; /* in `block` */
  void *block;                    /* of the session's memory (mote_h3_memory_take()) */
  char *head;                     /* its text as the application sees it; likewise */
  uint32_t head_len;              /* bytes */
  mote_time at;                   /* when it was written */
};

struct mote_h3_early {
  struct mote_h3_early_request request; /* stream NULL: there is none */
  int64_t number;     /* of QUIC's stream, while that is open */
  char *held;         /* bytes that wait: a block of the session's account, or NULL */
  uint32_t held_len;  /* bytes */
  uint32_t held_size; /* bytes of the block */
  struct mote_h3_closing closing; /* with `closed`; its request: with `held`, too */
  bool sent : 1;      /* bytes of it have left before the handshake was complete */
  bool refused : 1;   /* the server does not take early data: the stream is not open */
  bool taken : 1;     /* the owner has it */
  bool ended : 1;     /* the bytes that wait are all */
  bool reset : 1;     /* the server has given the stream up after them */
  bool closed : 1;    /* QUIC has closed it then */
};

/* ---- for the owner ---- */

/* Opens the stream of a request without a body. Only in mote_h3_opening.ask. Errors: those of
 * mote_h3_submit(); the caller keeps the blocks then. */
CURLcode mote_h3_early_submit(struct mote_h3_session *s, const struct mote_h3_early_request *request,
                              struct mote_mux_field *fields, size_t count);
/* Gives the request to its owner, who has joined. NULL: there is none. The rest stays the session's, until
 * mote_h3_early_deliver(). If it was refused its stream is not open. */
const struct mote_h3_early *mote_h3_early_take(struct mote_h3_session *s);
/* Reports whether bytes wait for an owner that has taken the request. */
static inline bool mote_h3_early_is_owed(const struct mote_h3_early *e)
{
  return e && e->taken;
}
/* Delivers what has come for a request that was taken, and frees it. */
void mote_h3_early_deliver(struct mote_h3_session *s);
/* Gives up a request that its owner does not take. Does nothing without one. */
void mote_h3_early_drop(struct mote_h3_session *s);

/* ---- for the session ---- */

/* mote_quic_carrier_ops.begin_early */
bool mote_h3_early_begin(struct mote_h3_session *s, struct mote_slice remembered);
/* The handshake is complete: finds out what has become of the request. False: the session cannot go on. */
bool mote_h3_early_settle(struct mote_h3_session *s);
/* Reports whether what comes on a stream has to wait. */
static inline bool mote_h3_early_holds(const struct mote_h3_early *e, int64_t number)
{
  return e && e->request.stream && !e->refused && e->number == number;
}
/* Keeps bytes of it, which is r's. end: there are no more. False: out of memory. */
bool mote_h3_early_hold(struct mote_h3_session *s, struct mote_h3_request *r, struct mote_slice bytes,
                        bool end);
/* Frees everything, with the session. */
void mote_h3_early_free(struct mote_h3_session *s);

#endif
