/* connect/quic/quic_attempt.h: a handshake of QUIC at one address: a socket, a stream of TLS, and the
 * session that carries it. Which addresses are tried, and when, is in dial_quic.c.
 *
 * Ownership: the attempt owns all three, until it is closed or becomes the connection.
 * Errors:    CURLE_COULDNT_CONNECT (no one listens there), CURLE_QUIC_CONNECT_ERROR: another address may
 *            do. Those of TLS (tls/tls.h), CURLE_OUT_OF_MEMORY, CURLE_ABORTED_BY_CALLBACK.
 * Tests:     tests/e2e/test_h3.py */
#ifndef MOTE_CONNECT_QUIC_QUIC_ATTEMPT_H
#define MOTE_CONNECT_QUIC_QUIC_ATTEMPT_H

#include <curl/curl.h>

#include "net/waitset.h"

struct mote_addr;
struct mote_dial;
struct mote_h3_session;
struct mote_stream;
struct mote_transfer;

struct mote_quic_attempt {
  struct mote_watch watch;         /* of its socket; CURL_SOCKET_BAD: it has not begun */
  struct mote_stream *tls;         /* owns the session, or NULL */
  struct mote_h3_session *session; /* or NULL */
  bool may_be_early;               /* the request may go with it before the handshake is complete; set before
                                      it begins */
};

void mote_quic_attempt_init(struct mote_quic_attempt *a, struct mote_transfer *t);
CURLcode mote_quic_attempt_begin(struct mote_dial *d, struct mote_quic_attempt *a,
                                 const struct mote_addr *to);
/* CURLE_OK: its handshake is complete, and the server has agreed on HTTP/3. CURLE_AGAIN: wait. */
CURLcode mote_quic_attempt_step(struct mote_dial *d, struct mote_quic_attempt *a);
/* Reports whether the owner's request has gone with it. */
bool mote_quic_attempt_has_asked(const struct mote_quic_attempt *a);
/* The dial has another owner, who does not want that request. */
void mote_quic_attempt_disown(struct mote_quic_attempt *a);
/* Its peer was refused: says so to curl_easy_getinfo() of the transfer. Without memory it does not. */
void mote_quic_attempt_note_refusal(const struct mote_quic_attempt *a, struct mote_transfer *t);
/* No one listens there: the session that it would have resumed serves another attempt. */
void mote_quic_attempt_give_back(struct mote_quic_attempt *a);
/* Ends it in silence. */
void mote_quic_attempt_close(struct mote_transfer *t, struct mote_quic_attempt *a);

#endif
