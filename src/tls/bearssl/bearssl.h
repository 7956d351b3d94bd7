/* tls/bearssl/bearssl.h: what the bearssl_*.c files share. Only small/bearssl*.c includes it too.
 *
 * A stream is one block: the engine's context, a small send buffer, the name. What only the handshake needs
 * (X.509, client certificate) is a block of its own, given back when it is complete. The buffer for records
 * exists while a record is under way. It begins small and grows to the record that its header announces.
 * Decrypted bytes are copied from where they lie.
 *
 * The engine's own buffer registers are moved for that (bearssl_buffers.c, nowhere else): BearSSL 0.6 has no
 * call to change buffers in the middle of a connection.
 *
 * Tests: tests/unit/tls/test_bearssl.c, tests/e2e/test_tls.py */
#ifndef MOTE_TLS_BEARSSL_BEARSSL_H
#define MOTE_TLS_BEARSSL_BEARSSL_H

#include <bearssl.h>

#include "base/containers/list.h"
#include "parts.h"
#include "tls/backend.h"
#include "tls/tls.h"
#include "tls/x509/path.h"

struct mote_bearssl_client;
struct mote_ceiling;
struct mote_trust;

/* A profile may lower these. */
#ifndef MOTE_BEARSSL_FRAGMENT
#define MOTE_BEARSSL_FRAGMENT 16384 /* bytes of a record that the server is asked to keep to (RFC 6066 section
                                       4): 512, 1024, 2048, 4096; 16384: it is not asked. For a server
                                       that sends larger ones the buffer grows, record by record. */
#endif
#ifndef MOTE_BEARSSL_FIRST
#define MOTE_BEARSSL_FIRST 2048     /* bytes of the record buffer during the handshake, whose messages may be
                                       longer; at least 64 */
#endif
#ifndef MOTE_BEARSSL_SEND
#define MOTE_BEARSSL_SEND 4096      /* bytes of a record that we send when there is much to send */
#endif
#ifndef MOTE_BEARSSL_ANCHORS
#define MOTE_BEARSSL_ANCHORS 2      /* roots of one name that are tried */
#endif
#ifndef MOTE_BEARSSL_ROOM
#define MOTE_BEARSSL_ROOM (520 * (MOTE_BEARSSL_ANCHORS - 1)) /* bytes for their keys, the first excepted */
#endif
#ifndef MOTE_BEARSSL_SMALL
#define MOTE_BEARSSL_SMALL 600      /* bytes of the send buffer that is always there; less than 400 would cut
                                       the hello into records, which not every server likes */
#endif
#define MOTE_BEARSSL_CERT_MAX 16384 /* bytes of a certificate */
#define MOTE_BEARSSL_CHAIN 16       /* certificates of a chain that are verified, because each costs a
                                       signature; those that come after a root was found do not count */
#define MOTE_BEARSSL_RSA_MIN 256    /* bytes of an RSA key: 2048 bits */
#define MOTE_BEARSSL_RECORD_MAX (16384 + 325) /* bytes of a record with its header, as BearSSL counts them */
#define MOTE_BEARSSL_ALPN 3         /* protocols that are offered */
#define MOTE_BEARSSL_LOG 14         /* 2^14 is the most that a record holds */

/* Memory of the engine for a key. BearSSL 0.6 writes to `in` only when the record keys are known. */
#define MOTE_BEARSSL_KEY (sizeof((br_ssl_engine_context *)0)->in)

/* X.509, until the handshake is through. */
struct mote_bearssl_peer {
  const br_x509_class *vtable; /* first: BearSSL sees this */
  struct mote_bearssl *t;
  union {
    br_x509_minimal_context minimal; /* with verify_peer */
    br_x509_pkey key;                /* without: the server's, as it comes */
  } u;
  br_x509_trust_anchor anchors[MOTE_BEARSSL_ANCHORS]; /* roots that may have issued the certificate that is
                                                         checked */
  struct mote_path_cert own;   /* the server's own certificate after it was received, owned, or NULL */
  struct mote_path_cert cert;  /* the certificate that is being received, owned, or NULL */
  uint32_t left;               /* bytes of cert that are missing */
  uint32_t count;              /* certificates received */
  uint32_t depth;              /* of the certificate that was checked last; 0: the server's own */
  CURLcode rc;                 /* why the client refuses the server; CURLE_OK if it does not */
  uint8_t *key;                /* MOTE_BEARSSL_KEY bytes: that of the first anchor */
  uint16_t used;               /* bytes at room */
  uint8_t fault;               /* MOTE_PATH_* of that certificate */
  uint8_t root_fault;          /* MOTE_PATH_*: why a root with the issuer's name is no anchor */
  uint8_t room[];              /* MOTE_BEARSSL_ROOM bytes */
};

/* Where in the server's handshake the engine is (bearssl_buffers.c). */
struct mote_bearssl_cut {
  uint32_t record;       /* bytes of the record that was received for which the engine has no header yet */
  uint32_t message;      /* bytes of the message that the engine did not get yet */
  uint8_t header;        /* bytes of the message's header, of 4, that it got */
};

struct mote_bearssl {
  struct mote_tls_head head;
  struct mote_bearssl_peer *peer;     /* owned; NULL: the handshake is through, or not begun */
  struct mote_bearssl_client *client; /* client certificate, owned, or NULL */
  struct mote_trust *trust;           /* counted reference; NULL: no bundle */
  const char *alpn[MOTE_BEARSSL_ALPN]; /* what is offered, in text */
  uint8_t *in;                 /* record buffer; NULL: records begin in header */
  uint8_t *out;                /* large send buffer; NULL: small is used */
  uint32_t in_size;
  uint32_t ahead_at;           /* where in `in` bytes lie that were read after the record */
  uint32_t ahead_len;          /* number of these bytes */
  uint32_t unreported;         /* bytes of the caller in a record that is not sent yet, which send() has not
                                  reported */
  uint16_t offered_len;        /* bytes of the session id that was offered */
  bool started : 1;            /* the handshake has begun */
  bool full : 1;               /* the server sent certificates, so no session was resumed */
#if MOTE_HANDSHAKE_MS
  struct mote_bearssl_cut cut; /* of the handshake */
#endif
  uint8_t identity[16];        /* first half of the configuration's hash, under which sessions are kept */
  uint8_t header[8];           /* of a record that has begun, while there is no `in` */
  br_ssl_client_context cc;
  uint8_t small[MOTE_BEARSSL_SMALL];
  char text[];                 /* the head's */
};

static inline struct mote_bearssl *mote_bearssl_of(const struct mote_stream *s)
{
  return mote_container_of(s, struct mote_bearssl, head.stream);
}

/* bearssl_stream.c */
extern const struct mote_tls_backend mote_tls_bearssl;

/* bearssl_fast.c, or small/bearssl.c with part bearssl_small: which implementation of each algorithm. */
void mote_bearssl_implementations(br_ssl_engine_context *eng);
#if MOTE_HAS_BEARSSL_CURVES
#define MOTE_BEARSSL_CURVES (&br_ec_all_m15)
#else
#define MOTE_BEARSSL_CURVES (&br_ec_prime_i15) /* one routine for all */
#endif

/* Suites by preference, as number and OpenSSL's name. The function sets up what the latter two need; it is in
 * bearssl_chacha20.c, here or in small/. */
#if MOTE_HAS_CHACHA20
#define MOTE_BEARSSL_SUITES \
  MOTE_BEARSSL_SUITES_AES \
  MOTE_SUITE(BR_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, "ECDHE-ECDSA-CHACHA20-POLY1305") \
  MOTE_SUITE(BR_TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, "ECDHE-RSA-CHACHA20-POLY1305")
void mote_bearssl_chacha20(br_ssl_engine_context *eng);
#else
#define MOTE_BEARSSL_SUITES MOTE_BEARSSL_SUITES_AES
#define mote_bearssl_chacha20(eng) ((void)(eng))
#endif
#define MOTE_BEARSSL_SUITES_AES \
  MOTE_SUITE(BR_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, "ECDHE-ECDSA-AES128-GCM-SHA256") \
  MOTE_SUITE(BR_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, "ECDHE-RSA-AES128-GCM-SHA256")

/* bearssl_suites.c, or small/bearssl_suites.c: offers the suites that the options ask for.
 * Errors: CURLE_SSL_CIPHER, and those of mote_tls_check_common(); reported. */
CURLcode mote_bearssl_obey(struct mote_bearssl *t, const struct mote_tls_config *cfg);
/* bearssl_suites.c alone has it. For verbose lines. */
const char *mote_bearssl_suite_name(unsigned suite);

/* The SHA-256 of a build, which bearssl_sha256.c uses, too: small/bearssl.c with part bearssl_small. */
#if MOTE_HAS_BEARSSL_SMALL
extern const br_hash_class mote_bearssl_sha256;
#else
#define mote_bearssl_sha256 br_sha256_vtable
#endif

/* small/bearssl.c: with part bearssl_small. */
extern const br_hash_class mote_bearssl_sha384;
extern const br_hash_class mote_bearssl_sha512;
void mote_bearssl_prf(void *dst, size_t len, const void *secret, size_t secret_len, const char *label,
                      size_t seeds, const br_tls_prf_seed_chunk *seed);
void mote_bearssl_ghash(void *y, const void *h, const void *data, size_t len);

/* bearssl_buffers.c */
CURLcode mote_bearssl_first_buffers(struct mote_bearssl *t);
/* Sends what there is. CURLE_AGAIN: not all of it was sent. */
CURLcode mote_bearssl_flush(struct mote_bearssl *t);
/* Gives the engine bytes to read, if it takes any. CURLE_AGAIN: none have been received. */
CURLcode mote_bearssl_feed(struct mote_bearssl *t);
/* Makes the large send buffer if there is memory for it. */
void mote_bearssl_send_large(struct mote_bearssl *t);
/* Frees the buffers that hold no bytes. */
void mote_bearssl_drop(struct mote_bearssl *t);
void mote_bearssl_free_buffers(struct mote_bearssl *t);
void mote_bearssl_add_buffers(struct mote_ceiling *c);

/* bearssl_verify.c: a class of ours around the library's, for the handshake. CURLE_OUT_OF_MEMORY. */
CURLcode mote_bearssl_peer_new(struct mote_bearssl *t);
void mote_bearssl_peer_free(struct mote_bearssl *t);

/* bearssl_client.c. Errors: CURLE_SSL_CERTPROBLEM (reported), CURLE_OUT_OF_MEMORY. */
#if MOTE_HAS_TLS_KEYS
CURLcode mote_bearssl_client_cert(struct mote_bearssl *t, const struct mote_tls_config *cfg);
void mote_bearssl_client_free(struct mote_bearssl *t);
/* Adds the blocks for a certificate of cert bytes and a key of key bytes, as they are in their files. */
void mote_bearssl_add_client(size_t cert, size_t key, struct mote_ceiling *c);
#else
#define mote_bearssl_client_cert(t, cfg) \
  ((void)(t), (cfg)->cert_file || (cfg)->cert_blob.ptr ? CURLE_NOT_BUILT_IN : CURLE_OK)
#define mote_bearssl_client_free(t) ((void)(t))
#define mote_bearssl_add_client(cert, key, c) ((void)(cert), (void)(key), (void)(c))
#endif

/* bearssl_need.c: mote_tls_backend.ceiling. */
void mote_bearssl_ceiling(const struct mote_tls_config *cfg, struct mote_ceiling *conn,
                          struct mote_ceiling *process);

/* bearssl_session.c: after mote_tls_name_session() (session.h). */
#if MOTE_HAS_SESSIONS
void mote_bearssl_resume(struct mote_bearssl *t);
void mote_bearssl_resume_as(struct mote_stream *s, const struct mote_stream *other);
void mote_bearssl_keep(struct mote_bearssl *t);
#else
#define mote_bearssl_resume(t) ((void)(t))
#define mote_bearssl_keep(t) ((void)(t))
#endif

/* bearssl_refuse.c: reports why the server's certificates are refused: error is BR_ERR_X509_*, and a fault in
 * the peer comes before it. Sets verify_result, which stays X509_V_ERR_UNSPECIFIED without part texts. */
#if MOTE_HAS_TEXTS
CURLcode mote_bearssl_refuse(struct mote_bearssl *t, int error);
#else
#define mote_bearssl_refuse(t, error) ((void)(t), (void)(error), (CURLcode)CURLE_PEER_FAILED_VERIFICATION)
#endif

#endif
