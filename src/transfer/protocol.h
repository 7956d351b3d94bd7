/* transfer/protocol.h: the interface of a protocol to the engine. One const descriptor per protocol is found
 * through the scheme table, whose rows the build writes.
 *
 * The dial makes a connected stack of streams and lets the protocol greet the server once
 * (connect/dial/dial.h). The protocol then runs the exchange of each transfer over it.
 *
 * Where a connection carries many transfers, the driver of the protocol reads for all of them, in a timer of
 * the multi (net/driver.h). It delivers an event to the transfer that it concerns (mote_channel_deliver()).
 * The transfer sends in its own step, and gives the peer credit for bytes that its callback has taken.
 *
 * Tests: tests/e2e, tests/toys */
#ifndef MOTE_TRANSFER_PROTOCOL_H
#define MOTE_TRANSFER_PROTOCOL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"
#include "transfer/channel.h"

struct mote_conn;
struct mote_driver;
struct mote_event;
struct mote_h3_session;
struct mote_need_chain;
struct mote_need_sums;
struct mote_out;
struct mote_transfer;

struct mote_protocol {
  const char *name;
  size_t conn_size; /* bytes of its state in each connection (mote_conn_state()) */
  size_t channel_size; /* bytes of its state of one exchange, which begins with struct mote_exchange. The
                          engine makes it before begin(), all zero, at run->channel.state, in a block of the
                          handle's account, and frees it after end(). 0: it has none of its own */
  bool opens;       /* with CURLOPT_CONNECT_ONLY = 2 the handle keeps the connection after the exchange, whose
                       state ends with the connection (struct mote_driver.discard) and not by end() */
  uint8_t upgrade;  /* MOTE_HTTP_ALSO_WEBSOCKET or _H2 where a request asks the server to go on with that
                       protocol (http/hooks.h), else 0 */
  bool datagrams;   /* its connections are sockets for datagrams, which the dial does not connect */
  bool local;       /* no connection, name or proxy; its state of an exchange is run->channel.state */
  const struct mote_driver *driver; /* of its connections; NULL: solo (net/driver.h) */

  /* mote_identity_put_login() where the greeting logs in, so that a connection serves one user only
   * (connect/identity.h). NULL: it does not depend on the user. */
  void (*login)(struct mote_transfer *t, struct mote_out *out);

  /* Judges the URL of a request, and may replace it by another one, also of another scheme
   * (run->request.scheme is NULL then). Called only with one of MOTE_OPTION_JUDGES. NULL: it does not. */
  CURLcode (*url)(struct mote_transfer *t);
  /* Checks options and URL (method, source of the body, ranges) before any lookup. */
  CURLcode (*prepare)(struct mote_transfer *t);
  /* Greets the server on a new connection, before it carries an exchange. t is the dial's owner. CURLE_AGAIN:
   * wait; the protocol has called mote_conn_want(). NULL: nothing to do. */
  CURLcode (*greet)(struct mote_transfer *t, mote_time now);
#if MOTE_HAS_H3
  /* Reports whether the request may go before the handshake is complete, when an attacker may send it again
   * (RFC 8470). NULL: never. */
  bool (*may_be_early)(const struct mote_transfer *t);
  /* Does so: opens a stream for it in the session (net/h3/early.h), if that can be done without asking the
   * application. run->channel is as in state CONNECTING. */
  void (*ask_early)(struct mote_transfer *t, struct mote_h3_session *s);
#endif
  /* Starts a request. There is a connection, unless the protocol is local. */
  CURLcode (*begin)(struct mote_transfer *t);
  /* Sends what can be sent and reads what has arrived, after an event of the descriptor or a timer.
   * CURLE_OK: the exchange is over. CURLE_AGAIN: wait; the protocol has called mote_conn_want(), or a local
   * one mote_transfer_wake() unless it is paused or over a speed limit. Any other code ends the transfer. */
  CURLcode (*step)(struct mote_transfer *t, mote_time now);
  /* Takes what the connection's driver has for this transfer. It may call the transfer's callbacks. The bytes
   * that it does not pass on at once it copies, up to the credit that the peer has. Any code but CURLE_OK and
   * CURLE_AGAIN ends the transfer, in its next step. The transfer is stepped after the event in any case.
   * Only mote_channel_deliver() calls it. NULL: no driver reads for it. */
  CURLcode (*deliver)(struct mote_transfer *t, const struct mote_event *event);
  /* The transfer leaves its connection with result rc. Frees what the state holds, and sets conn->reusable if
   * the next transfer may have the connection, also after an error that leaves it in order. Called once per
   * begin(). run->unsent is freed after it. */
  void (*end)(struct mote_transfer *t, CURLcode rc);
  /* Prepares the next request after an exchange that has ended with run->response.next set
   * (engine/chain.h). The transfer has left its connection. NULL: none follows. */
  CURLcode (*follow)(struct mote_transfer *t, mote_time now);
  /* Adds the most memory that all requests of a transfer take (engine/need/need.h), except for connections,
   * names and the multi's buffer. NULL or CURLE_TOO_LARGE: unknown. */
  CURLcode (*ceiling)(const struct mote_transfer *t, const struct mote_need_chain *chain,
                      struct mote_need_sums *sums);
};

static inline bool mote_protocol_is_local(const struct mote_protocol *p)
{
  return p->local;
}
/* Reports whether its exchanges have a state of their own. */
static inline bool mote_protocol_has_channel(const struct mote_protocol *p)
{
  return p->channel_size > 0;
}
/* Returns what CURLOPT_CONNECT_ONLY means for it: 1, the handle keeps the connection as soon as it is made;
 * 2, after the exchange; 0, it does not. */
static inline long mote_protocol_connect_only(const struct mote_protocol *p, long option)
{
  return option == 2 && !p->opens ? 0 : option;
}
static inline unsigned mote_protocol_upgrade(const struct mote_protocol *p)
{
  return p->upgrade;
}
/* Calls its `url`, if it has one. */
static inline CURLcode mote_protocol_judge(const struct mote_protocol *p, struct mote_transfer *t)
{
  return p->url ? p->url(t) : CURLE_OK;
}

/* Initialises `ceiling` in a descriptor. It is NULL without part need. */
#if MOTE_HAS_NEED
#define MOTE_PROTOCOL_CEILING(fn) .ceiling = fn
#else
#define MOTE_PROTOCOL_CEILING(fn) .ceiling = NULL
#endif

/* ---- for the engine ---- */

/* Returns what was said of the request that is under way. */
static inline enum mote_retry mote_lease_retry(const struct mote_lease *l)
{
  return (enum mote_retry)l->retry;
}

static inline bool mote_lease_is_parked(const struct mote_lease *l)
{
  return l->phase == MOTE_PHASE_PARKED;
}

static inline bool mote_channel_has_state(const struct mote_channel *c)
{
  return c->state != NULL;
}

/* Makes the state of an exchange, as large as its protocol says. CURLE_OUT_OF_MEMORY. */
CURLcode mote_channel_open(struct mote_transfer *t);
/* Frees it. */
void mote_channel_close(struct mote_transfer *t);
/* Returns the error that is parked. The exchange continues to its end. */
CURLcode mote_channel_unpark(struct mote_transfer *t);

/* ---- for the driver of a connection with many transfers ---- */

/* Gives the event to the transfer's protocol (struct mote_protocol.deliver), parks an error and lets the
 * transfer step. Nothing is freed, and no other transfer is touched. Does nothing once an error is parked.
 * REFUSED does not reach the protocol: the request is made again on a new connection, unless it has been
 * already, or MOTE_RETRY_NEVER was said. */
void mote_channel_deliver(struct mote_transfer *t, const struct mote_event *event);
/* Parks an error of a transfer in EXCHANGE, for a driver that has delivered something by itself. */
void mote_channel_fail(struct mote_transfer *t, CURLcode rc);

/* Lets what TLS of a connection brings meanwhile go to the sessions of a transfer, and no longer. t is any
 * of those on the connection, or NULL: it is dropped. */
void mote_channel_lend_sessions(struct mote_conn *c, struct mote_transfer *t);
void mote_channel_end_sessions(struct mote_conn *c, struct mote_transfer *t);
/* Receives like mote_conn_receive(), for all transfers of the connection. t is any of them, or NULL: session
 * tickets of TLS that come with the bytes go to its sessions. They are dropped with NULL. What fails is no
 * transfer's own, so that no error buffer gets a text. */
CURLcode mote_channel_receive(struct mote_conn *c, struct mote_transfer *t, void *buf, size_t size,
                              size_t *n);

/* ---- schemes ---- */

/* When a connection gets TLS. */
enum mote_secure {
  MOTE_SECURE_NEVER,
  MOTE_SECURE_FIRST, /* before its first byte, by the dial */
  MOTE_SECURE_LATER, /* during the greeting (STARTTLS), by mote_dial_upgrade() */
  MOTE_SECURE_ASKED  /* likewise, if CURLOPT_USE_SSL asks for it */
};

/* Bits that <curl/curl.h> has no names for; CURLOPT_PROTOCOLS_STR(3) sets them. */
#define MOTE_PROTO_WS ((long)(1UL << 30))
#define MOTE_PROTO_WSS ((long)(1UL << 31))

struct mote_scheme {
  const char *name;      /* lower case */
  const struct mote_protocol *protocol;
  uint8_t tls;           /* enum mote_secure */
  long curlproto;        /* CURLPROTO_* or MOTE_PROTO_* */
};

/* The schemes of this build. A row with name NULL ends them. */
extern const struct mote_scheme mote_schemes[];
const struct mote_scheme *mote_scheme_find(const char *name, size_t len);
/* struct mote_url_how.supported */
static inline bool mote_scheme_is_known(const char *name, size_t len)
{
  return mote_scheme_find(name, len) != NULL;
}

#endif
