/* net/h3/carrier.h: what a stream of TLS asks of the connection of QUIC that carries its messages (RFC
 * 9001), and what that asks of TLS.
 *
 * The stream of TLS is the top of the connection's layers, as elsewhere, so that what there is to ask of
 * TLS (its peer, certificates, sessions) is asked of it. Nothing else goes through it: the carrier reads
 * and sends on the socket.
 *
 * Ownership: the stream of TLS owns its carrier from mote_tls_carry() on (tls/tls.h). */
#ifndef MOTE_NET_H3_CARRIER_H
#define MOTE_NET_H3_CARRIER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of what a carrier remembers for a session, at most: some numbers of the server. */
#define MOTE_QUIC_REMEMBERED 256u

struct mote_quic_carrier;
struct mote_slice;
struct mote_stream;

struct mote_quic_carrier_ops {
  /* Goes on with the handshake: takes what has come, sends what there is to send. *done: it is complete.
   * CURLE_SSL_CONNECT_ERROR: TLS has failed and knows why. Other errors are reported. */
  CURLcode (*go_on)(struct mote_quic_carrier *q, bool *done);
  /* Returns what the carrier waits for (MOTE_WANT_*). */
  unsigned (*want)(const struct mote_quic_carrier *q);
  /* Returns the ngtcp2_conn. */
  void *(*quic)(const struct mote_quic_carrier *q);
  /* TLS is `handle` from now on (ngtcp2_conn_set_tls_native_handle(3)). NULL: there is none any more, what
   * comes for it is dropped; the handshake is confirmed. */
  void (*use_tls)(struct mote_quic_carrier *q, void *handle);
  /* Reports whether the peer has confirmed the handshake, of which nothing is sent again (section 4.1.2). */
  bool (*is_confirmed)(const struct mote_quic_carrier *q);
  /* Writes what early data on a session of this connection will need, the server's transport parameters (RFC
   * 9000 section 7.4.1). Those that were remembered, where they have not come yet. Returns the bytes, or 0:
   * there is nothing to remember. */
  size_t (*remember)(const struct mote_quic_carrier *q, uint8_t to[MOTE_QUIC_REMEMBERED]);
  /* TLS resumes a session that allows early data (section 4.6 of RFC 9001), and this was remembered with it.
   * Called before the handshake. Returns whether the carrier sends some; otherwise TLS must not offer it. */
  bool (*begin_early)(struct mote_quic_carrier *q, struct mote_slice remembered);
  /* Frees the carrier, silently. */
  void (*close)(struct mote_quic_carrier *q);
};

struct mote_quic_carrier {
  const struct mote_quic_carrier_ops *ops;
  struct mote_stream *tls; /* whose carrier it is; TLS sets these two (mote_tls_carry()) */
  /* Reports whether the server has taken the early data that TLS has offered. The handshake is complete. */
  bool (*early_is_taken)(const struct mote_stream *tls);
};

#endif
