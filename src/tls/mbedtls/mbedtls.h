/* tls/mbedtls/mbedtls.h: what the mbedtls_*.c files share. No other file includes it.
 *
 * A stream is one block: the library's configuration and context, the name. What only the handshake needs
 * (the client certificate, the bundle) is given back when it is complete, and so is the server's chain.
 * The library's own buffers for records come with the handshake and go with the stream, because mbedTLS 2.28
 * cannot free them in between.
 *
 * Tests: tests/unit/tls/test_mbedtls.c, tests/e2e/test_tls.py */
#ifndef MOTE_TLS_MBEDTLS_MBEDTLS_H
#define MOTE_TLS_MBEDTLS_MBEDTLS_H

#include <mbedtls/ssl.h>

#include "base/containers/list.h"
#include "parts.h"
#include "tls/backend.h"
#include "tls/tls.h"

struct mote_mbedtls_client;
struct mote_trust;

/* A profile may lower it. */
#ifndef MOTE_MBEDTLS_FRAGMENT
#define MOTE_MBEDTLS_FRAGMENT 16384 /* bytes of a record that the server is asked to keep to (RFC 6066 section
                                       4): 512, 1024, 2048, 4096; 16384: it is not asked */
#endif
#ifndef MOTE_MBEDTLS_OPS
#define MOTE_MBEDTLS_OPS 130        /* multiplications of P-256 between two looks at the clock, with
                                       MOTE_HANDSHAKE_MS and a library that has MBEDTLS_ECP_RESTARTABLE; fewer
                                       than 124 make no difference */
#endif
#define MOTE_MBEDTLS_SUITES 16      /* that are offered */
#define MOTE_MBEDTLS_ALPN 3         /* protocols that are offered */
#define MOTE_MBEDTLS_CHAIN (MBEDTLS_X509_MAX_INTERMEDIATE_CA + 1) /* certificates of a chain whose issuers are
                                                                     looked up; the root comes on top */

/* Whether the library can interrupt a computation. */
#if MOTE_HANDSHAKE_MS && defined(MBEDTLS_ECP_RESTARTABLE)
#define MOTE_MBEDTLS_SLICES 1
#else
#define MOTE_MBEDTLS_SLICES 0
#endif

/* The verification of a chain, between two calls of the library. */
struct mote_mbedtls_check {
  mbedtls_x509_crt roots; /* that the chain names */
#if MOTE_MBEDTLS_SLICES
  mbedtls_x509_crt_restart_ctx state; /* the library's */
  mbedtls_x509_crt *own;  /* the server's certificate, the library's; NULL: rest is where it belongs */
  mbedtls_x509_crt *rest; /* of the chain. The library does not see it, or it would verify it again */
#endif
};

struct mote_mbedtls {
  struct mote_tls_head head;
  struct mote_mbedtls_client *client; /* client certificate, owned, or NULL */
  const struct mote_mbedtls *first;   /* whose session is resumed, or NULL; borrowed until the handshake
                                         begins */
  struct mote_trust *trust;           /* counted reference; NULL: no bundle */
  const char *alpn[MOTE_MBEDTLS_ALPN + 1]; /* what is offered, in text; ended by NULL */
  int suites[MOTE_MBEDTLS_SUITES + 1];     /* ended by 0 */
  uint32_t unreported;         /* bytes of the caller in a record that is not sent yet, which send() has not
                                  reported */
  uint32_t flags;              /* MBEDTLS_X509_BADCERT_* of the server's chain */
  CURLcode refused;            /* why the client refuses the server, reported; CURLE_OK if it does not */
  uint16_t pieces;             /* pieces that this call may still take in from below */
  bool started : 1;            /* the handshake has begun */
  bool ended : 1;              /* the server sent close_notify */
  bool full : 1;               /* the server sent certificates, so no session was resumed */
  bool own_context : 1;        /* CURLOPT_SSL_CTX_FUNCTION is set: the application may use the chain */
#if MOTE_MBEDTLS_SLICES
  struct mote_mbedtls_check *check; /* that was interrupted, owned, or NULL */
#endif
  uint8_t identity[16];        /* first half of the configuration's hash, under which sessions are kept */
  mbedtls_ssl_config conf;
  mbedtls_ssl_context ssl;
  char text[];                 /* the head's */
};

static inline struct mote_mbedtls *mote_mbedtls_of(const struct mote_stream *s)
{
  return mote_container_of(s, struct mote_mbedtls, head.stream);
}

/* mbedtls_stream.c */
extern const struct mote_tls_backend mote_tls_mbedtls;

/* mbedtls_setup.c: makes the library's configuration, and sees to its memory.
 * Errors: CURLE_SSL_CIPHER and those of mote_tls_check_common(), reported; CURLE_OUT_OF_MEMORY. */
CURLcode mote_mbedtls_configure(struct mote_mbedtls *t, const struct mote_tls_config *cfg);
const char *mote_mbedtls_suite_name(const struct mote_mbedtls *t);

/* mbedtls_verify.c: sets the configuration to verify the server's chain against the bundle, and its name. */
void mote_mbedtls_verify_by(struct mote_mbedtls *t);
/* Frees a verification that was interrupted. The library's context still has the chain. */
#if MOTE_MBEDTLS_SLICES
void mote_mbedtls_check_free(struct mote_mbedtls *t);
#else
#define mote_mbedtls_check_free(t) ((void)(t))
#endif

/* mbedtls_client.c. Errors: CURLE_SSL_CERTPROBLEM (reported), CURLE_OUT_OF_MEMORY. */
#if MOTE_HAS_TLS_KEYS
CURLcode mote_mbedtls_client_cert(struct mote_mbedtls *t, const struct mote_tls_config *cfg);
void mote_mbedtls_client_free(struct mote_mbedtls *t);
#else
#define mote_mbedtls_client_cert(t, cfg) \
  ((void)(t), (cfg)->cert_file || (cfg)->cert_blob.ptr ? CURLE_NOT_BUILT_IN : CURLE_OK)
#define mote_mbedtls_client_free(t) ((void)(t))
#endif

/* mbedtls_session.c: after mote_tls_name_session() (session.h). */
#if MOTE_HAS_SESSIONS
void mote_mbedtls_resume(struct mote_mbedtls *t);
void mote_mbedtls_resume_as(struct mote_stream *s, const struct mote_stream *other);
void mote_mbedtls_keep(struct mote_mbedtls *t);
#else
#define mote_mbedtls_resume(t) ((void)(t))
#define mote_mbedtls_keep(t) ((void)(t))
#endif

/* mbedtls_error.c */
bool mote_mbedtls_no_memory(int ret);
/* Reports the library's error and returns it as a code of ours; sets verify_result. The stream is dead
 * then. */
CURLcode mote_mbedtls_failed(struct mote_mbedtls *t, int ret, CURLcode otherwise);

#endif
