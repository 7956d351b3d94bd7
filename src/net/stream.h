/* net/stream.h: one layer of a connection (TCP, TLS, a proxy's tunnel); a connection is a stack of them.
 *
 * A layer uses the one below it through these ops only. Nothing blocks. A function that cannot go on now
 * returns CURLE_AGAIN, and its caller calls again when the descriptor is ready for what want() has returned.
 * The connection reads with recv into the multi's receive buffer (net/conn.h).
 *
 * Ownership: each layer is one block; close() frees that layer only, never those below.
 * Failure:   CURLcode; the text goes to env->report. After any code but CURLE_OK and CURLE_AGAIN the
 *            stream is only good for close().
 * Tests:     tests/unit/stream, tests/e2e */
#ifndef MOTE_NET_STREAM_H
#define MOTE_NET_STREAM_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

struct mote_account;
struct mote_report;
struct mote_stream;

#define MOTE_WANT_IN 1u  /* readable */
#define MOTE_WANT_OUT 2u /* writable */

/* What the layers of one connection share; a field of the connection. The report changes with the
 * transfer that uses the connection (NULL while it is idle). */
struct mote_stream_env {
  struct mote_report *report;   /* borrowed, may be NULL */
  struct mote_account *account; /* pays for the connection's blocks */
  int os_errno;                 /* the platform's number of the last failed call, for CURLINFO_OS_ERRNO */
};

struct mote_stream_ops {
  const char *name; /* for verbose texts: "tcp", "tls" */

  /* Continues to set up the layer (a TLS handshake); *done when it is set up. NULL: nothing to set up. */
  CURLcode (*handshake)(struct mote_stream *s, bool *done);

  /* Receives at most cap bytes. CURLE_OK and *n == 0: the peer ended in order. CURLE_AGAIN: nothing now. */
  CURLcode (*recv)(struct mote_stream *s, void *buf, size_t cap, size_t *n);

  /* Sends *n bytes of buf, 1 to len. CURLE_AGAIN: none now; the caller repeats the call with the same bytes,
   * which may then lie at another address. */
  CURLcode (*send)(struct mote_stream *s, const void *buf, size_t len, size_t *n);

  /* Returns what to wait for on the descriptor when the layer above wants `interest` (MOTE_WANT_*). TLS may
   * have to write in order to read. NULL: the same. */
  unsigned (*want)(const struct mote_stream *s, unsigned interest);

  /* True when recv would return bytes although the descriptor may never become readable. NULL: never. */
  bool (*pending)(const struct mote_stream *s);

  /* Says goodbye (TLS close_notify); *done when nothing more is to be sent. NULL: no goodbye. */
  CURLcode (*shutdown)(struct mote_stream *s, bool *done);

  /* Frees memory that an idle stream can do without (TLS record buffers). NULL: there is none. */
  void (*idle)(struct mote_stream *s);

  /* Takes in what the peer may send unasked (TLS tickets and alerts) and leaves the bytes of the layer above
   * where they are. False when there are such bytes or the stream has ended. NULL: every byte is for the
   * layer above. */
  bool (*quiet)(struct mote_stream *s);

  void (*close)(struct mote_stream *s);
};

struct mote_stream {
  const struct mote_stream_ops *ops;
  struct mote_stream *below;         /* NULL for the lowest */
  struct mote_stream_env *env;       /* the connection's */
};

#endif
