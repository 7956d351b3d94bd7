/* protocol/http2/h2.h: HTTP/2 (RFC 9113), a row of protocol/mux/exchange.h.
 *
 * The driver of the connection (h2_driver.c) reads for all streams and owns their session (net/h2/session.h).
 * What the sessions of a multi share is in h2_common.c.
 *
 * Ownership: the connection owns struct mote_h2, which is its driver's state.
 * Errors:    a peer that breaks the protocol ends every stream with CURLE_HTTP2, one that breaks a stream
 *            that one with CURLE_HTTP2_STREAM.
 * Tests:     tests/e2e/test_h2.py, test_h2_errors.py, test_h2_push.py */
#ifndef MOTE_PROTOCOL_HTTP2_H2_H
#define MOTE_PROTOCOL_HTTP2_H2_H

#include "net/h2/session.h"
#include "protocol/mux/exchange.h"
#include "transfer/protocol.h"

struct mote_h2 {
  struct mote_mux_link link;       /* first; its windows are those of a struct mote_h2_common */
  struct mote_h2_session session;  /* open from the first exchange on */
  mote_time kept_up;               /* when the session began, or curl_easy_upkeep() sent a PING */
};

static inline struct mote_h2 *mote_h2_of_session(struct mote_h2_session *s)
{
  return mote_container_of(s, struct mote_h2, session);
}

static inline struct mote_h2 *mote_h2_of(const struct mote_transfer *t)
{
  return (struct mote_h2 *)mote_mux_link_of(t);
}

extern const struct mote_protocol mote_protocol_h2;
/* h2_upgrade.c: HTTP/1.1, whose requests ask the server to go on with HTTP/2. */
extern const struct mote_protocol mote_protocol_h2_upgrade;
extern const struct mote_mux_row mote_h2_row; /* h2_driver.c */

/* ---- h2_judge.c: struct mote_mux_row ---- */

CURLcode mote_h2_judge_reset(struct mote_mux_exchange *s, uint32_t code);
CURLcode mote_h2_judge_failure(struct mote_mux_exchange *s, CURLcode why);

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
void mote_h2_end_exchange(struct mote_h2 *h, struct mote_mux_exchange *s);

/* ---- h2_push.c: struct mote_h2_user ---- */

void mote_h2_push_begin(struct mote_h2_session *s);
void mote_h2_push_field(struct mote_h2_session *s, struct mote_slice name, struct mote_slice value);
/* The application decides, and the stream becomes that of a new transfer. */
uint32_t mote_h2_push_end(struct mote_h2_session *s, void *promise, struct mote_mux_stream *parent,
                          int32_t id);
void mote_h2_push_drop(struct mote_h2_session *s);

#endif
