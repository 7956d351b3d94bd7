/* protocol/http3/h3.h: HTTP/3 (RFC 9114), a row of protocol/mux/exchange.h.
 *
 * The driver of the connection (h3_driver.c) takes datagrams for all streams and sends for them. The session
 * (net/h3/session.h) is the carrier of the connection's TLS, and there before the driver is.
 *
 * Ownership: the connection owns struct mote_h3, which is its driver's state; its TLS owns the session.
 * Errors:    a peer that breaks the protocol ends every stream with CURLE_HTTP3, and one that breaks a stream
 *            that one.
 * Tests:     tests/e2e/test_h3.py */
#ifndef MOTE_PROTOCOL_HTTP3_H3_H
#define MOTE_PROTOCOL_HTTP3_H3_H

#include "net/conn_struct.h"
#include "net/h3/session.h"
#include "protocol/mux/exchange.h"

struct mote_h3 {
  struct mote_mux_link link;        /* first; its windows are those of the multi that made it */
  struct mote_h3_session *session;  /* from the first exchange on; borrowed from TLS */
  bool stood_back;                  /* its last turn was left to transfers that are about to run */
};

static inline struct mote_h3 *mote_h3_with(const struct mote_transfer *t)
{
  return (struct mote_h3 *)t->run->channel.conn->drive;
}

extern const struct mote_protocol mote_protocol_h3;
extern const struct mote_mux_row mote_h3_row; /* h3_driver.c */

/* ---- h3_judge.c: struct mote_mux_row ---- */

CURLcode mote_h3_judge_reset(struct mote_mux_exchange *s, uint32_t code);
CURLcode mote_h3_judge_failure(struct mote_mux_exchange *s, CURLcode why);

/* ---- h3_early.c: the request before the end of the handshake ---- */

/* struct mote_protocol.may_be_early, .ask_early */
bool mote_h3_may_be_early(const struct mote_transfer *t);
void mote_h3_ask_early(struct mote_transfer *t, struct mote_h3_session *s);
/* Makes the exchange of such a request the transfer's, which owned the dial. Its stream is in the session's
 * list, and what has come for it is owed (mote_h3_early_is_owed()). NULL: there is none, or the server has
 * refused it. */
struct mote_mux_exchange *mote_h3_take_early(struct mote_h3_session *s, struct mote_transfer *t);
/* Looks at what comes for it: 425 means that it is made again. */
void mote_h3_judge_early(struct mote_mux_stream *stream, const struct mote_event *e);

/* ---- h3_driver.c ---- */

/* Makes the transfer's stream. CURLE_OUT_OF_MEMORY; CURLE_RECV_ERROR: the connection has broken since it was
 * chosen. */
CURLcode mote_h3_begin_exchange(struct mote_h3 *h, struct mote_transfer *t);
/* Frees it, and gives up its stream if that is not over. */
void mote_h3_end_exchange(struct mote_h3 *h, struct mote_mux_exchange *s);

#endif
