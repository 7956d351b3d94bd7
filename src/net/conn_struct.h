/* net/conn_struct.h: what a connection is made of, for the files that make, keep, find and drive connections.
 * Those that only use one, as most protocols do, need no more than net/conn.h.
 *
 * Ownership: the struct, the protocol's state and the key are one block. */
#ifndef MOTE_NET_CONN_STRUCT_H
#define MOTE_NET_CONN_STRUCT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/containers/hash.h"
#include "base/containers/list.h"
#include "net/stream.h"
#include "net/waitset.h"
#include "port/addr.h"

struct mote_drive;
struct mote_driver;

/* The lowest layer: a connected (or connecting) socket. */
struct mote_tcp {
  struct mote_stream stream;
  struct mote_watch watch;  /* holds the descriptor */
};

struct mote_conn {
  struct mote_stream_env env;  /* shared by the layers */
  struct mote_tcp tcp;
  struct mote_stream *top;     /* topmost layer; &tcp.stream when there is no other */

  struct mote_list link;       /* in its pool: idle (oldest first) or busy */
  struct mote_hash_node node;  /* in its pool while idle or with room, by key; the hash is always there */
  struct mote_waitset *set;    /* that its watch is in, or NULL */
  const struct mote_driver *driver; /* its protocol's, or NULL (net/driver.h) */
  struct mote_drive *drive;    /* state of the driver that acts, or NULL: its transfer steps it */

  struct mote_addr remote;     /* all zero for unix sockets */
  struct mote_addr local;      /* once connected */
  char *held;                  /* where bytes are that were received and not taken: the connection's block, or
                                  borrowed room while held_cap is 0. NULL: there are none */
  const char *lent;            /* bytes lent by the last mote_conn_read() and not taken yet */
  uint32_t held_len;
  uint32_t held_cap;           /* bytes of the block, which knows what was taken in front of them */
  uint32_t lent_len;

  int32_t id;                  /* CURLINFO_CONN_ID */
  uint32_t created;            /* as last_used */
  uint32_t last_used;          /* mote_conn_seconds() */
  uint16_t key_len;            /* bytes of key */
  uint16_t state_size;         /* bytes of the protocol's state in the tail */
  bool saw_end : 1;            /* the peer has ended its side */
  bool reusable : 1;           /* may go back to the pool. This byte is its user's alone: the next one shares
                                  none with it, as other threads read that under the lock of a share */
  uint8_t events;              /* MOTE_WANT_* that the wait set has reported and no step has looked at */
  bool single_use : 1;         /* no other transfer gets it: CONNECT_ONLY, or the network has changed */
  bool has_closer : 1;         /* a struct mote_conn_closer follows the state */
  bool pooled_idle : 1;        /* in the pool's idle list */
  bool pooled_room : 1;        /* busy, and found by its key, as it may have room for another transfer */
  bool leaving : 1;            /* out of its pool, which has yet to close it */
  bool of_multi : 1;           /* in its multi's pool while it is in use, whatever the share: made with a
                                  driver that acts, or open when the share of its handle changed */
  bool of_share : 1;           /* made by a handle that shares connections: idle, it may be in the share's
                                  pool. Its number is of that pool, and the share's account pays */
  uint8_t ip_version;          /* 4, 6, 0 for unix: filter for CURLOPT_IPRESOLVE */
#if MOTE_HAS_H3
  uint32_t place;              /* QUIC: which alternative service it leads to (connect/version.h); 0: it
                                  leads to the origin, as all of TCP do */
#endif
  _Alignas(8) char tail[];     /* state_size bytes of protocol state, the closer, then the key: the canonical
                                  identity (DESIGN section 3) */
};

/* Makes the part of a new connection that pools and drivers use: it is in no list. */
static inline void mote_conn_init_links(struct mote_conn *c, const struct mote_driver *driver,
                                        bool has_closer)
{
  mote_list_init(&c->link);
  c->driver = driver;
  c->has_closer = has_closer;
}

/* Returns its protocol's driver, or NULL. */
static inline const struct mote_driver *mote_conn_driver(const struct mote_conn *c)
{
  return c->driver;
}

/* A struct mote_conn_closer follows the state. */
static inline bool mote_conn_has_closer(const struct mote_conn *c)
{
  return c->has_closer;
}

#endif
