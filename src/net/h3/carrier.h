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

struct mote_quic_carrier;

struct mote_quic_carrier_ops {
  /* Goes on with the handshake: takes what has come, sends what there is to send. *done: it is complete.
   * CURLE_SSL_CONNECT_ERROR: TLS has failed and knows why. Other errors are reported. */
  CURLcode (*go_on)(struct mote_quic_carrier *q, bool *done);
  /* Returns what the carrier waits for (MOTE_WANT_*). */
  unsigned (*want)(const struct mote_quic_carrier *q);
  /* Returns the ngtcp2_conn. */
  void *(*quic)(const struct mote_quic_carrier *q);
  /* TLS is `handle` from now on (ngtcp2_conn_set_tls_native_handle(3)). */
  void (*use_tls)(struct mote_quic_carrier *q, void *handle);
  /* Frees the carrier, silently. */
  void (*close)(struct mote_quic_carrier *q);
};

struct mote_quic_carrier {
  const struct mote_quic_carrier_ops *ops;
};

#endif
