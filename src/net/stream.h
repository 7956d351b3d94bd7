/* net/stream.h: one layer of a connection (TCP, TLS, a proxy's tunnel); a connection is a stack of them.
 *
 * A layer uses the one below it through its recv and send only, and knows nothing of the layers above.
 * What concerns the whole stack (waiting, looking, handshakes, goodbyes) is the connection's, which asks
 * each layer in turn (net/conn.h). Several layers of a stack may be of one kind, even of one TLS library.
 * Nothing blocks. A function that cannot go on now returns CURLE_AGAIN, and its caller calls again when the
 * descriptor is ready for what want() has returned.
 *
 * Ownership: each layer is one block; close() frees that layer only, never those below.
 * Failure:   CURLcode; the text goes to env->report. After any code but CURLE_OK and CURLE_AGAIN the
 *            stream is only good for close().
 * Tests:     tests/unit/net/test_layers.c, tests/unit/tls/layers.h, tests/e2e */
#ifndef MOTE_NET_STREAM_H
#define MOTE_NET_STREAM_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mote_account;
struct mote_report;
struct mote_stream;

#define MOTE_WANT_IN 1u  /* readable */
#define MOTE_WANT_OUT 2u /* writable */

/* What a layer of a connection is for. */
enum mote_role {
  MOTE_ROLE_TCP,       /* the socket; the lowest layer, and no other */
  MOTE_ROLE_PROXY_TLS, /* TLS to an HTTPS proxy */
  MOTE_ROLE_TUNNEL,    /* makes a proxy pass bytes on (SOCKS, CONNECT); a stack may have several */
  MOTE_ROLE_PROTECTION, /* protects what goes to a SOCKS proxy, by GSS-API */
  MOTE_ROLE_TLS        /* TLS to the server */
};

/* Gets what a layer receives that belongs to the transfer, although it is no byte of the protocol's. A field
 * of its owner. */
struct mote_stream_observer {
  /* A header line of a proxy's response to CONNECT, its line end included; valid during the call. The layer's
   * handshake ends with any code but CURLE_OK. */
  CURLcode (*header)(struct mote_stream_observer *o, const char *line, size_t len);
};

/* What the layers of one connection share; a field of the connection. Report and observer change with the
 * transfer that uses the connection (NULL while it is idle). */
struct mote_stream_env {
  struct mote_report *report;   /* borrowed, may be NULL */
  struct mote_stream_observer *observer; /* borrowed; NULL: nothing is observed */
  struct mote_account *account; /* pays for the connection's blocks */
  int os_errno;                 /* the platform's number of the last failed call, for CURLINFO_OS_ERRNO */
  uint8_t proxy_error;          /* CURLproxycode of the last layer that failed, for CURLINFO_PROXY_ERROR */
  bool drained;                 /* a layer has set it in its recv: all that the socket had is taken, and its
                                   next bytes will be an event */
};

struct mote_stream_ops {
  /* Continues to set up the layer (a TLS handshake), when those below are; *done when it is set up, also in
   * later calls. CURLE_OK without *done: it waits, or was interrupted and is pending.
   * NULL: nothing to set up. */
  CURLcode (*handshake)(struct mote_stream *s, bool *done);

  /* Receives at most cap bytes. CURLE_OK and *n == 0: the peer ended in order. CURLE_AGAIN: nothing now. */
  CURLcode (*recv)(struct mote_stream *s, void *buf, size_t cap, size_t *n);

  /* Sends *n bytes of buf, 1 to len. CURLE_AGAIN: none now; the caller repeats the call with the same bytes,
   * which may then lie at another address. */
  CURLcode (*send)(struct mote_stream *s, const void *buf, size_t len, size_t *n);

  /* Returns what this layer wants of the one below when the one above wants `interest` (MOTE_WANT_*). TLS may
   * have to write in order to read. NULL: the same. */
  unsigned (*want)(const struct mote_stream *s, unsigned interest);

  /* True when recv has something to give without another byte from below, for which the descriptor may never
   * become readable, or when the handshake was interrupted. A caller may be woken as long as it is true: so a
   * part of a record that is held until the rest comes does not count, at the latest once recv has returned
   * CURLE_AGAIN for it. NULL: never. */
  bool (*pending)(const struct mote_stream *s);

  /* Says goodbye (TLS close_notify); *done when nothing more is to be sent, also in later calls. CURLE_OK
   * without *done: it waits until it can send. recv may be called until the peer has ended too. NULL: no
   * goodbye. */
  CURLcode (*shutdown)(struct mote_stream *s, bool *done);

  /* Frees memory that an idle stream can do without (TLS record buffers). NULL: there is none. */
  void (*idle)(struct mote_stream *s);

  /* Takes in what the peer may send unasked (TLS tickets and alerts) and leaves the bytes of the layer above
   * where they are. Reads through the layers below, which need not be asked then. False when there are such
   * bytes or the stream has ended. NULL: every byte is for the layer above. */
  bool (*quiet)(struct mote_stream *s);

  void (*close)(struct mote_stream *s);
};

struct mote_stream {
  const struct mote_stream_ops *ops;
  struct mote_stream *below;         /* NULL for the lowest */
  struct mote_stream_env *env;       /* the connection's */
  uint8_t role;                      /* enum mote_role */
};

#endif
