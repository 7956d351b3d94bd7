/* tls/openssl/openssl.h: what the openssl_*.c files share. No other file includes it.
 *
 * Three lifetimes: the library (process), a context (one configuration, shared, counted), a stream.
 * Tests: tests/unit/tls/test_tls.c */
#ifndef MOTE_TLS_OPENSSL_OPENSSL_H
#define MOTE_TLS_OPENSSL_OPENSSL_H

#include <openssl/ssl.h>
#include <stdatomic.h>

#include "base/containers/list.h"
#include "tls/backend.h"
#include "tls/tls.h"

struct mote_account;
struct mote_report;
struct mote_trust;

/* One configuration's context. */
struct mote_tls_ctx {
  struct mote_list node;      /* in the list of shared contexts; unlinked: not shared any more */
  SSL_CTX *ssl_ctx;           /* owned */
  struct mote_trust *trust;   /* owned reference; NULL: no bundle (not verifying, or only a directory) */
  X509 *issuer;               /* CURLOPT_ISSUERCERT; owned; NULL: none */
  struct mote_account *account; /* the process's */
  atomic_uint trusted;        /* certificates that lookups have added to the store of ssl_ctx */
  uint32_t refs;              /* streams that use it, under the list's lock */
  size_t block;               /* bytes of this block */
  uint8_t key[32];            /* hash of the identity and the stamps of its files, by which it is found, and
                                 under whose first half sessions are kept */
  bool verify_status;         /* as configured */
  bool certinfo;              /* as configured */
  bool own;                   /* made for a ctx_function, never shared */
  bool resumes;               /* sessions may be used and kept */
  char pinned_key[];          /* mote_tls_pin_text() */
};

/* How far the transport is in the record layer's byte stream. A record is a header of 5 bytes and a body. */
struct mote_tls_records {
  uint16_t body_left;  /* bytes of the record's body to come */
  uint8_t header_have; /* bytes of the header received, 0 to 4 */
  uint8_t length_high; /* first length byte */
};

/* Bytes that one call may read, some of the largest records: the messages without data that a server may send
 * (requests to renegotiate, updates of keys, empty records) are handled without a return to the caller. */
#define MOTE_OPENSSL_AT_ONCE 65535u

struct mote_tls_stream {
  struct mote_tls_head head;
  SSL *ssl;                          /* owned, with its BIO; NULL: QUIC has no more use for it */
  struct mote_tls_ctx *ctx;          /* counted reference */
  CURLcode verdict;                  /* why our own check refused the peer; CURLE_OK if it did not */
  struct mote_tls_records records;
  uint16_t fragment;     /* most bytes of a record that is sent; unused with ctx->own */
  uint16_t allowed;      /* bytes that the library may still read in this call */
  bool name_checked : 1; /* the host name was compared with the certificate */
  bool read_short : 1;   /* the last read from below returned less than was asked for */
  bool read_dry : 1;     /* it returned CURLE_AGAIN: the library holds no whole record */
  bool recv_wants_out : 1; /* the last recv has to write first */
  bool send_wants_in : 1; /* the last send has to read first */
#if MOTE_HAS_H3
  struct openssl_quic *quic; /* openssl_quic.c's, owned; NULL: no stream of QUIC, or one that is not set up */
#endif
  char host[];           /* the head's texts */
};

static inline struct mote_tls_stream *mote_tls_of(const struct mote_stream *s)
{
  return mote_container_of(s, struct mote_tls_stream, head.stream);
}

/* openssl_stream.c */
extern const struct mote_tls_backend mote_tls_openssl;
/* For openssl_quic.c: struct mote_tls_backend.set_up, with or without records below the stream. */
CURLcode mote_openssl_set_up(struct mote_tls_head *head, const struct mote_tls_config *cfg, bool records);
/* Reports why the handshake has failed, and returns the code for it. */
CURLcode mote_openssl_handshake_failed(struct mote_tls_stream *t);
/* The handshake is complete: checks the peer. */
CURLcode mote_openssl_handshake_done(struct mote_tls_stream *t);
void mote_openssl_close(struct mote_stream *s);

/* openssl_quic.c */
#if MOTE_HAS_H3
extern const struct mote_tls_backend mote_tls_openssl_quic;
/* Returns the stream of QUIC whose SSL this is; NULL for another one. */
struct mote_tls_stream *mote_openssl_quic_stream(const SSL *ssl);
/* Only mote_openssl_init() calls it. False: out of memory. */
bool mote_openssl_quic_init(void);
/* A server has sent a session. One that comes while the peer is not checked yet, with the last message of the
 * handshake, is kept, and its reference. False: t is checked, no stream of QUIC, or NULL. */
bool mote_openssl_quic_put_off(struct mote_tls_stream *t, SSL_SESSION *session);
/* Writes what a stream of QUIC needs for early data, which is kept with its session, after its bytes. Returns
 * how many; 0 for a stream that needs nothing. There is room for MOTE_OPENSSL_REMEMBERED bytes. */
size_t mote_openssl_quic_remember(const struct mote_tls_stream *t, uint8_t *to);
#define MOTE_OPENSSL_REMEMBERED 256u /* MOTE_QUIC_REMEMBERED */
#else
#define mote_openssl_quic_put_off(t, session) false
#define mote_openssl_quic_remember(t, to) ((size_t)0)
#define MOTE_OPENSSL_REMEMBERED 0u
#define mote_openssl_quic_init() true
#define mote_openssl_quic_stream(ssl) ((void)(ssl), (struct mote_tls_stream *)NULL)
#endif

/* The stream whose SSL this is; NULL for an SSL that is not ours. */
struct mote_tls_stream *mote_tls_of_ssl(const SSL *ssl);

/* openssl_library.c: initialises the library, once, under a lock of its own.
 * Errors: CURLE_FAILED_INIT. */
CURLcode mote_openssl_init(void);
/* openssl_sign.c: struct mote_tls_backend.sign_ed25519. */
CURLcode mote_openssl_sign_ed25519(const uint8_t *seed, const void *bytes, size_t len, uint8_t *out);
const char *mote_openssl_version(void);
/* Writes the oldest error of the thread's queue to buf in words, empties the queue and returns buf. */
#define MOTE_OPENSSL_ERROR 160
const char *mote_openssl_error(char buf[MOTE_OPENSSL_ERROR]);

/* Writes the secrets of the context's connections to the file that the environment names in SSLKEYLOGFILE,
 * if it does. */
void mote_openssl_log_secrets(SSL_CTX *c);

/* openssl_ctx.c: gives a reference to the shared context of cfg, or to one of its own.
 * Errors: those of mote_tls_connect_new(). */
CURLcode mote_tls_ctx_get(struct mote_tls_ctx **out, const struct mote_tls_config *cfg,
                          struct mote_report *r);
void mote_tls_ctx_release(struct mote_tls_ctx *ctx);
void mote_openssl_cleanup(void);

/* openssl_cert.c: loads the client certificate and the issuer that cfg names. */
CURLcode mote_openssl_client_cert(SSL_CTX *ssl_ctx, const struct mote_tls_config *cfg, struct mote_report *r);
CURLcode mote_openssl_issuer(X509 **out, const struct mote_tls_config *cfg, struct mote_report *r);

/* openssl_trust.c: sets up the context's certificate store: the bundle, CRLs, flags. */
CURLcode mote_openssl_trust(struct mote_tls_ctx *ctx, const struct mote_tls_config *cfg,
                            struct mote_report *r);
/* Returns and forgets why a lookup of this thread failed: CURLE_OUT_OF_MEMORY, CURLE_SSL_CACERT_BADFILE, or
 * CURLE_OK if none did. */
CURLcode mote_openssl_lookup_failed(void);

/* openssl_verify.c: verifies the chain and the name during the handshake. */
int mote_openssl_verify(X509_STORE_CTX *store_ctx, void *arg); /* for SSL_CTX_set_cert_verify_callback */
/* Checks what is left after the handshake (issuer, stapled OCSP response, pinned key) and reports the
 * result. */
CURLcode mote_openssl_check_peer(struct mote_tls_stream *t);

/* openssl_session.c */
void mote_openssl_resume(struct mote_tls_stream *t);
void mote_openssl_resume_as(struct mote_stream *s, const struct mote_stream *other);
int mote_openssl_new_session(SSL *ssl, SSL_SESSION *session); /* for SSL_CTX_sess_set_new_cb */
void mote_openssl_keep(struct mote_tls_stream *t); /* after the handshake and its checks */

/* openssl_bio.c: the stream below as a BIO. Only mote_openssl_init() calls init. false and NULL mean out of
 * memory. */
bool mote_openssl_bio_init(void);
BIO *mote_openssl_bio(struct mote_tls_stream *t);
/* Whether all bytes received from below make whole records. */
bool mote_openssl_at_boundary(const struct mote_tls_stream *t);

/* openssl_info.c: for getinfo (backend.h), and the lines of curl -v about the peer. */
void mote_openssl_get_info(const struct mote_stream *tls, struct mote_tls_info *out);
const char *mote_openssl_alpn(const struct mote_stream *tls, size_t *len);
void *mote_openssl_ssl_ptr(const struct mote_stream *tls);
void *mote_openssl_ctx_ptr(const struct mote_stream *tls);
CURLcode mote_openssl_certinfo(const struct mote_stream *tls, struct mote_account *account,
                               struct curl_certinfo **out);

/* What the library's two rows have alike (struct mote_tls_backend). What the handshake has led to, each
 * answers itself. */
#define MOTE_OPENSSL_ROW \
  .id = {CURLSSLBACKEND_OPENSSL, "openssl"}, \
  .texts_at = offsetof(struct mote_tls_stream, host), \
  .version = mote_openssl_version, \
  .cleanup = mote_openssl_cleanup, \
  .certinfo = mote_openssl_certinfo, \
  .ssl_ptr = mote_openssl_ssl_ptr, \
  .ctx_ptr = mote_openssl_ctx_ptr

void mote_openssl_report_peer(const struct mote_tls_stream *t);

#endif
