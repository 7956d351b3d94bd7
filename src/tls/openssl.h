/* tls/openssl.h: what the openssl_*.c files share. Nobody else includes it.
 *
 * Three lifetimes: the library (process), a context (one configuration, shared, counted), a stream.
 * Tests: tests/unit/tls/test_tls.c */
#ifndef MOTE_TLS_OPENSSL_H
#define MOTE_TLS_OPENSSL_H

#include <openssl/ssl.h>
#include <stdatomic.h>

#include "base/list.h"
#include "net/stream.h"
#include "tls/backend.h"
#include "tls/tls.h"

struct mote_trust;

/* One configuration's context. */
struct mote_tls_ctx {
  struct mote_list node;      /* in the list of shared contexts; unlinked: not found any more */
  SSL_CTX *ssl_ctx;           /* owned */
  struct mote_trust *trust;   /* owned reference; NULL: no bundle (not verifying, or only a directory) */
  X509 *issuer;               /* CURLOPT_ISSUERCERT; owned; NULL: none */
  struct mote_account *account; /* the process's */
  atomic_uint trusted;        /* certificates that lookups have put into the store of ssl_ctx */
  uint32_t refs;              /* streams that use it, under the list's lock */
  size_t block;               /* bytes of this block */
  uint8_t key[32];            /* by which it is found: identity and the stamps of its files */
  uint8_t identity[16];       /* first half of the identity's hash: names sessions */
  bool verify_status;
  bool certinfo;
  bool own;                   /* ctx_function: never shared */
  bool resumes;               /* sessions may be used and kept */
  char pinned_key[];          /* CURLOPT_PINNEDPUBLICKEY or empty */
};

/* Where in the record layer's byte stream the transport stands: records are header (5 bytes) and body. */
struct mote_tls_records {
  uint16_t body_left;  /* bytes of the record's body to come */
  uint8_t header_have; /* bytes of the header that came, 0 to 4 */
  uint8_t length_high; /* first length byte */
};

struct mote_tls_stream {
  struct mote_tls_head head;
  SSL *ssl;                          /* owned, with its BIO */
  struct mote_tls_ctx *ctx;          /* counted reference */
  CURLcode verdict;                  /* why our own check refused the peer, CURLE_OK: it did not */
  struct mote_tls_records records;
  uint16_t fragment;     /* bytes of the records that are sent at most; unused with a context of one's own */
  bool name_checked : 1;
  bool read_short : 1;   /* the last read from below got less than was asked for */
  bool read_dry : 1;     /* it got nothing */
  bool recv_wants_out : 1; /* the last recv has to write first */
  bool send_wants_in : 1; /* the last send has to read first */
  char host[];           /* the head's texts */
};

static inline struct mote_tls_stream *mote_tls_of(const struct mote_stream *s)
{
  return mote_container_of(s, struct mote_tls_stream, head.stream);
}

/* openssl_stream.c */
extern const struct mote_tls_backend mote_tls_openssl;

/* The stream whose SSL this is; NULL for an SSL that is not ours. */
struct mote_tls_stream *mote_tls_of_ssl(const SSL *ssl);

/* openssl_library.c: once per process; the caller holds the lock of the contexts. CURLE_FAILED_INIT. */
CURLcode mote_openssl_init(void);
const char *mote_openssl_version(void);
/* The oldest error in the thread's queue in words, into buf, which is returned; the queue is emptied. */
#define MOTE_OPENSSL_ERROR 160
const char *mote_openssl_error(char buf[MOTE_OPENSSL_ERROR]);

/* Writes the secrets of the context's connections to the file that the environment names in SSLKEYLOGFILE,
 * if it does. */
void mote_openssl_log_secrets(SSL_CTX *c);

/* openssl_ctx.c: the shared context of cfg, counted up, or one of its own. Errors of mote_tls_connect_new. */
CURLcode mote_tls_ctx_get(struct mote_tls_ctx **out, const struct mote_tls_config *cfg,
                          struct mote_report *r);
void mote_tls_ctx_release(struct mote_tls_ctx *ctx);
void mote_openssl_cleanup(void);

/* openssl_cert.c: what cfg names into memory, parsed. */
CURLcode mote_openssl_client_cert(SSL_CTX *ssl_ctx, const struct mote_tls_config *cfg, struct mote_report *r);
CURLcode mote_openssl_issuer(X509 **out, const struct mote_tls_config *cfg, struct mote_report *r);

/* openssl_trust.c: trust store, CRLs and flags into the context's store. */
CURLcode mote_openssl_trust(struct mote_tls_ctx *ctx, const struct mote_tls_config *cfg,
                            struct mote_report *r);
/* Why a lookup of this thread has failed since this was asked last: CURLE_OUT_OF_MEMORY,
 * CURLE_SSL_CACERT_BADFILE, or CURLE_OK. */
CURLcode mote_openssl_lookup_failed(void);

/* openssl_verify.c: chain, name, issuer, pinned key. */
int mote_openssl_verify(X509_STORE_CTX *store_ctx, void *arg); /* for SSL_CTX_set_cert_verify_callback */
/* What is left to check once the handshake is through; tells about it. */
CURLcode mote_openssl_check_peer(struct mote_tls_stream *t);

/* openssl_session.c */
void mote_openssl_resume(struct mote_tls_stream *t);
int mote_openssl_new_session(SSL *ssl, SSL_SESSION *session); /* for SSL_CTX_sess_set_new_cb */
void mote_openssl_keep(struct mote_tls_stream *t); /* the handshake is through, the peer is checked */

/* openssl_bio.c. init: by mote_openssl_init() only; false and NULL when memory has run out. */
bool mote_openssl_bio_init(void);
BIO *mote_openssl_bio(struct mote_tls_stream *t);
/* All bytes that came from below made whole records. */
bool mote_openssl_at_boundary(const struct mote_tls_stream *t);

/* openssl_info.c: for getinfo (backend.h); the lines of curl -v about the peer, if they are wanted. */
void mote_openssl_get_info(const struct mote_stream *tls, struct mote_tls_info *out);
const char *mote_openssl_alpn(const struct mote_stream *tls, size_t *len);
void *mote_openssl_ssl_ptr(const struct mote_stream *tls);
void *mote_openssl_ctx_ptr(const struct mote_stream *tls);
CURLcode mote_openssl_certinfo(const struct mote_stream *tls, struct mote_account *account,
                               struct curl_certinfo **out);
void mote_openssl_report_peer(const struct mote_tls_stream *t);

#endif
