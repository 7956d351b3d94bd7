/* transfer/identity.h: the canonical key under which a connection may be used again (DESIGN section 3).
 *
 * Layout: host in lower case with its zone id as it is ":" port NUL, scheme NUL, then tagged parts: where
 * it really goes (CONNECT_TO), Unix socket, interface, local ports, and with TLS 32 bytes of SHA-256 over
 * the TLS configuration. What comes before the first NUL is the host part that
 * CURLMOPT_MAX_HOST_CONNECTIONS counts.
 *
 * Without part identity host, port, scheme and TLS are all that there is (small/pool.c).
 *
 * Ownership: the key lies in `room` unless it is longer; mote_identity_close() gives a block back.
 * Failure:   CURLE_OUT_OF_MEMORY, CURLE_URL_MALFORMAT.
 * Tests:     tests/e2e/test_reuse.py */
#ifndef MOTE_TRANSFER_IDENTITY_H
#define MOTE_TRANSFER_IDENTITY_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "parts.h"

struct mote_transfer;

#if !MOTE_HAS_SMALL
#define MOTE_IDENTITY_ROOM 200 /* bytes; longer keys are allocated */
#else
#define MOTE_IDENTITY_ROOM 320 /* bytes; hosts are no longer than 255 (RFC 1035 section 2.3.4) */
#endif

struct mote_identity {
  char *key;       /* room or a block */
  size_t len;      /* bytes */
  size_t block;    /* bytes allocated, 0: key is room */
  char room[MOTE_IDENTITY_ROOM];
};

/* Is the key that of this handle's last transfer, and the pool this handle's alone? Then it need not be made:
 * see run->own_pool. What the application may change without our notice, or TLS, is always looked at. Asked
 * once for each choice of a connection. */
bool mote_identity_is_known(struct mote_transfer *t);

/* Bytes of a key at most, with hosts of no more than that. */
size_t mote_identity_most(const struct mote_transfer *t, size_t host_len);

CURLcode mote_identity_make(struct mote_transfer *t, struct mote_identity *id);
#if !MOTE_HAS_SMALL
void mote_identity_close(struct mote_transfer *t, struct mote_identity *id);
#else
#define mote_identity_close(t, id) ((void)(t), (void)(id))
#endif

/* identity_tls.c: the tagged hash of the TLS configuration; returns what is behind it. */
#define MOTE_IDENTITY_TLS_ROOM 40
#if MOTE_HAS_HTTPS
char *mote_identity_put_tls(struct mote_transfer *t, char *at);
#else
#define mote_identity_put_tls(t, at) ((void)(t), (at))
#endif

#endif
