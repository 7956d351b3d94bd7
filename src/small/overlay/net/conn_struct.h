/* small/overlay/net/conn_struct.h: a connection that is in no list, has no driver, and is closed by the port
 * alone (net/conn.h). */
#ifndef MOTE_NET_CONN_STRUCT_H
#define MOTE_NET_CONN_STRUCT_H

#include <stdbool.h>
#include <stdint.h>

#include "net/stream.h"
#include "net/waitset.h"
#include "port/addr.h"

/* The lowest layer: a connected (or connecting) socket. */
struct mote_tcp {
  struct mote_stream stream;
  struct mote_watch watch;  /* holds the descriptor */
};

struct mote_conn {
  struct mote_stream_env env;  /* shared by the layers */
  struct mote_tcp tcp;
  struct mote_stream *top;     /* topmost layer; &tcp.stream when there is no other */
  struct mote_waitset *set;    /* that its watch is in, or NULL */

  struct mote_addr remote;
  char *held;                  /* where bytes are that were received and not taken: the connection's block, or
                                  borrowed room while held_cap is 0. NULL: there are none */
  const char *lent;            /* bytes lent by the last mote_conn_read() and not taken yet */
  uint32_t held_len;
  uint32_t held_cap;           /* bytes of the block, which knows what was taken in front of them */
  uint32_t lent_len;

  int32_t id;                  /* CURLINFO_CONN_ID */
  uint32_t last_used;          /* mote_conn_seconds() */
  uint16_t key_len;            /* bytes of key */
  uint16_t state_size;         /* bytes of the protocol's state in the tail */
  bool saw_end : 1;            /* the peer has ended its side */
  bool reusable : 1;           /* may be used again */
  uint8_t events;              /* MOTE_WANT_* that the wait set has reported and no step has looked at */
  _Alignas(8) char tail[];     /* state_size bytes of protocol state, then the key (small/pool.c) */
};

#define mote_conn_init_links(c, driver, has_closer) ((void)(c), (void)(driver), (void)(has_closer))
#define mote_conn_driver(c) ((void)(c), (const struct mote_driver *)NULL)
#define mote_conn_has_closer(c) ((void)(c), false)

#endif
