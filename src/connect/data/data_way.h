/* connect/data/data_way.h: what the files of data connections share (connect/data/data.h), which is the
 * beginning of a connection, and the way in which its socket is connected.
 *
 * Tests: tests/toys/test_login.py, test_active.py */
#ifndef MOTE_CONNECT_DATA_DATA_WAY_H
#define MOTE_CONNECT_DATA_DATA_WAY_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"

struct mote_addr;
struct mote_conn;
struct mote_transfer;

struct mote_data_way {
  size_t size; /* bytes of its state, which begins with struct mote_data; a multiple of 8 */
  bool ours;   /* sockets are made by the application's callbacks, and closed by them */

  /* Continues until the socket of the connection is connected. CURLE_AGAIN: wait. */
  CURLcode (*connect)(struct mote_transfer *t, struct mote_conn *c, mote_time now);

  /* Gives back what connect() has not come to an end with. NULL: nothing. */
  void (*abandon)(struct mote_transfer *t, struct mote_conn *c);
};

enum mote_data_phase {
  MOTE_DATA_CONNECTING,
  MOTE_DATA_INTRODUCING, /* the line of CURLOPT_HAPROXYPROTOCOL is sent */
  MOTE_DATA_SECURING, /* TLS comes on top */
  MOTE_DATA_READY,
  MOTE_DATA_FINISHED  /* the sending side has ended */
};

/* In the place of a protocol's state. */
struct mote_data {
  const struct mote_data_way *way;
  bool tls;
  bool introducing; /* that line has begun */
  uint8_t phase; /* enum mote_data_phase */
};

#define MOTE_DATA_SIZE(state) ((sizeof(state) + 7) & ~(size_t)7)

/* Makes a connection without a socket. Its watch wakes the transfer. CURLE_OUT_OF_MEMORY. */
CURLcode mote_data_new(struct mote_transfer *t, struct mote_conn **out, const struct mote_data_way *way,
                       bool tls);

/* Gives the connection its socket, and waits for `interest` (MOTE_WANT_*). */
CURLcode mote_data_watch(struct mote_transfer *t, struct mote_conn *c, curl_socket_t fd, unsigned interest);

/* Gives a socket to a connection by which the proxies are reached, or the server without any; *at_once: it is
 * connected already. */
CURLcode mote_data_start(struct mote_transfer *t, struct mote_conn *c, bool *at_once);
/* Continues it, and counts the connection. */
CURLcode mote_data_continue(struct mote_transfer *t, struct mote_conn *c, bool at_once);

/* mote_data_open() for a transfer whose control connection goes by proxies. */
#if MOTE_HAS_DATA_PROXIES
CURLcode mote_data_relay(struct mote_transfer *t, struct mote_conn *c, const struct mote_addr *to);
extern const struct mote_data_way *const mote_data_relayed;
#else
#define mote_data_relayed ((const struct mote_data_way *)NULL)
#define mote_data_relay(t, c, to) ((void)(t), (void)(c), (void)(to), (CURLcode)CURLE_NOT_BUILT_IN)
#endif

#endif
