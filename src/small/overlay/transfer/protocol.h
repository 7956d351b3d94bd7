/* small/overlay/transfer/protocol.h: the interface of a protocol to the engine, with one exchange on a
 * connection and no state but the connection's.
 *
 * Tests: tests/parts/test_parts.py */
#ifndef MOTE_TRANSFER_PROTOCOL_H
#define MOTE_TRANSFER_PROTOCOL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "transfer/channel.h"

struct mote_transfer;

struct mote_protocol {
  size_t conn_size; /* bytes of its state in each connection (mote_conn_state()) */
  /* Checks options and URL before any lookup. */
  CURLcode (*prepare)(struct mote_transfer *t);
  /* Starts a request. */
  CURLcode (*begin)(struct mote_transfer *t);
  /* Sends what can be sent and reads what has arrived. CURLE_OK: the exchange is over. CURLE_AGAIN: wait; the
   * protocol has called mote_conn_want(). Any other code ends the transfer. */
  CURLcode (*step)(struct mote_transfer *t, mote_time now);
  /* The transfer leaves its connection with result rc. Sets conn->reusable if the next one may have it. */
  void (*end)(struct mote_transfer *t, CURLcode rc);
};

/* None is without a connection. */
#define mote_protocol_is_local(p) ((void)(p), false)
#define mote_protocol_has_channel(p) ((void)(p), false)
#define mote_protocol_connect_only(p, option) ((void)(p), (option))
#define mote_protocol_judge(p, t) ((void)(p), (void)(t), (CURLcode)CURLE_OK)

/* Nothing is parked, and no request that was begun is known to be untouched. */
#define mote_lease_retry(lease) ((void)(lease), MOTE_RETRY_NONE)
#define mote_lease_is_parked(lease) ((void)(lease), false)
#define mote_channel_has_state(channel) ((void)(channel), false)
#define mote_channel_open(t) ((void)(t), (CURLcode)CURLE_OK)
#define mote_channel_close(t) ((void)(t))
#define mote_channel_unpark(t) ((void)(t), (CURLcode)CURLE_OK)

/* When a connection gets TLS. */
enum mote_secure {
  MOTE_SECURE_NEVER,
  MOTE_SECURE_FIRST /* before its first byte */
};

struct mote_scheme {
  const char *name;      /* lower case */
  const struct mote_protocol *protocol;
  uint8_t tls;           /* enum mote_secure */
  long curlproto;        /* CURLPROTO_* */
};

/* The schemes of this build. A row with name NULL ends them. */
extern const struct mote_scheme mote_schemes[];
const struct mote_scheme *mote_scheme_find(const char *name, size_t len);

#endif
