/* tls/wolfssl/wolfssl.h: what the wolfssl_*.c files share. No other file includes it, because wolfSSL's
 * headers define names of OpenSSL's.
 *
 * Licence: wolfSSL is under the GPL, version 2 or later (or a commercial licence of its makers). A program
 *          that is linked with it may only be passed on under terms that allow that.
 *
 * A stream has a context (WOLFSSL_CTX) of its own. wolfSSL's verdict on the chain does not count, because
 * it would need all roots loaded. Its verify callback hands the certificates to wolfssl_verify.c, which
 * asks the index (trust.h) for the roots that the chain needs. wolfSSL verifies the signatures, path.c
 * checks the rest. A handshake that resumes no session fails if the callback was not called. Bytes that the
 * transport has no room for wait in a queue of ours, so wolfSSL never waits in order to write. After the
 * handshake a queue of 64 KB ends the connection: the server asks for answers that it does not read.
 *
 * Ownership: the stream's block and its queue are charged to env->account; what wolfSSL allocates to the
 *            process account, by its process-wide hooks.
 * Tests: tests/unit/tls/test_wolfssl.c, tests/e2e/test_tls.py */
#ifndef MOTE_TLS_WOLFSSL_WOLFSSL_H
#define MOTE_TLS_WOLFSSL_WOLFSSL_H

#include <wolfssl/options.h>

#include <wolfssl/ssl.h>

#include "base/containers/list.h"
#include "tls/backend.h"
#include "tls/tls.h"

struct mote_trust;

#define MOTE_WOLFSSL_SEND 4096 /* bytes of a record that we send */

struct mote_wolfssl {
  struct mote_tls_head head;
  WOLFSSL_CTX *ctx;    /* owned */
  WOLFSSL *ssl;        /* owned */
  struct mote_trust *trust;         /* counted reference until the handshake is through; NULL: no bundle */
  uint8_t *queue;      /* bytes to be sent, owned; NULL: there are none */
  uint32_t queue_size; /* bytes at queue */
  uint32_t queue_at;   /* offset of the first that is not sent */
  uint32_t unreported; /* bytes of the caller in the queue, which send() has not reported */
  CURLcode rc;         /* why the client refuses the server, reported; CURLE_OK if it does not */
  unsigned refusals;   /* mote_wolfssl_refusals() when wolfSSL was called */
  bool entered : 1;    /* mote_wolfssl_enter() counted it */
  bool started : 1;    /* the handshake has begun */
  bool offered : 1;    /* a session of ours was offered */
  bool checked : 1;    /* the server's certificate passed all checks */
  bool ticket : 1;     /* a session ticket has come and is not kept yet */
  uint8_t pieces;      /* pieces that this recv may still take in from below, less 1; after the handshake */
  uint8_t identity[16]; /* first half of the configuration's hash, under which sessions are kept */
  char text[];          /* the head's */
};

static inline struct mote_wolfssl *mote_wolfssl_of(const struct mote_stream *s)
{
  return mote_container_of(s, struct mote_wolfssl, head.stream);
}

/* wolfssl_stream.c */
extern const struct mote_tls_backend mote_tls_wolfssl;

/* wolfssl_library.c: counts the streams that use the library; the first initialises it. */
CURLcode mote_wolfssl_enter(void);
void mote_wolfssl_leave(void);
void mote_wolfssl_end(void); /* frees what the library keeps, unless a stream uses it */
const char *mote_wolfssl_version(void);
unsigned mote_wolfssl_refusals(void); /* allocations that failed so far */
#define MOTE_WOLFSSL_DEVICE 0x4d4f5445 /* the device id under which the port's entropy is registered */

/* wolfssl_setup.c: make the context; load the client certificate.
 * Errors: CURLE_SSL_CIPHER, CURLE_NOT_BUILT_IN, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, all reported;
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_wolfssl_context(struct mote_wolfssl *t, const struct mote_tls_config *cfg);
CURLcode mote_wolfssl_client_cert(struct mote_wolfssl *t, const struct mote_tls_config *cfg);

/* wolfssl_verify.c: for wolfSSL_CTX_set_verify(), with t as the callback's context. Sets t->rc and
 * verify_result, and reports a refusal. */
int mote_wolfssl_verify(int good, WOLFSSL_X509_STORE_CTX *store);

/* wolfssl_session.c */
void mote_wolfssl_resume(struct mote_wolfssl *t);
void mote_wolfssl_resume_as(struct mote_stream *s, const struct mote_stream *other);
void mote_wolfssl_keep(struct mote_wolfssl *t);

/* wolfssl_buffers.c: wolfSSL's transport, with t as the context of the callbacks. */
int mote_wolfssl_recv(WOLFSSL *ssl, char *buf, int cap, void *arg);
int mote_wolfssl_send(WOLFSSL *ssl, char *buf, int len, void *arg);
CURLcode mote_wolfssl_flush(struct mote_wolfssl *t); /* CURLE_AGAIN: not all was sent */

#endif
