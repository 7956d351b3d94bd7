/* tls/tls.h: TLS over any stream; the one header of this folder that the floors above need (with
 * session.h). What a TLS library gives to it is in backend.h.
 *
 * A TLS stream is a struct mote_stream (net/stream.h) on top of another. One configuration is one TLS
 * context, shared by the process, found by the configuration's hash and counted by reference. Its trust
 * store is indexed once and read certificate by certificate (trust.h). The first stream initialises the TLS
 * library.
 *
 * Invariants: nothing blocks, and nothing asks for a passphrase. A stream that waits or is idle holds no
 *             record buffers. The name and the chain are verified, if so configured, before handshake()
 *             reports done. A session is only resumed under the configuration and name that it was verified
 *             for.
 * Ownership:  the configuration and what it points to are the caller's and only read inside the call,
 *             ca_blob until the handshake is over where the part tls_files is left out. A stream's block is
 *             charged to env->account, contexts and trust indexes to the process account. What the TLS
 *             library allocates is in no account, unless it takes our allocator.
 * Threads:    a stream belongs to its connection's thread; contexts and trust stores lock themselves.
 * Failure:    CURLcode as libcurl-errors(3) has it, the text through env->report.
 * Tests:      tests/unit/tls */
#ifndef MOTE_TLS_TLS_H
#define MOTE_TLS_TLS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

#include "base/text.h"

struct mote_account;
struct mote_ceiling;
struct mote_report;
struct mote_session_cache;
struct mote_sha256;
struct mote_stream;
struct mote_stream_env;

/* What one transfer wants of TLS, for the server or for a proxy. The values of its options are gathered when
 * it starts. All pointers are borrowed; NULL (slice: ptr NULL) is "not set". mote_tls_config_init() sets
 * libcurl's defaults. */
struct mote_tls_config {
  /* Trust. Nothing of it is read with verify_peer false. */
  const char *ca_file;          /* CURLOPT_CAINFO: PEM bundle; NULL: the system's, "": none */
  const char *ca_path;          /* CURLOPT_CAPATH: directories hashed by openssl-rehash, ':' between them;
                                   NULL: the system's, "": none. Searched for what ca_file lacks. */
  struct mote_slice ca_blob;    /* CURLOPT_CAINFO_BLOB: PEM or DER, in place of ca_file */
  const char *crl_file;         /* CURLOPT_CRLFILE: PEM */
  const char *issuer_file;      /* CURLOPT_ISSUERCERT: PEM */
  struct mote_slice issuer_blob; /* CURLOPT_ISSUERCERT_BLOB, before issuer_file */
  const char *pinned_key;       /* CURLOPT_PINNEDPUBLICKEY: "sha256//base64[;...]" or a file (PEM, DER);
                                   "": no key will do */

  /* The client certificate. */
  const char *cert_file;        /* CURLOPT_SSLCERT */
  struct mote_slice cert_blob;  /* CURLOPT_SSLCERT_BLOB, before cert_file */
  const char *cert_type;        /* CURLOPT_SSLCERTTYPE: PEM (default), DER, P12 */
  const char *key_file;         /* CURLOPT_SSLKEY; default: cert_file */
  struct mote_slice key_blob;   /* CURLOPT_SSLKEY_BLOB, before key_file */
  const char *key_type;         /* CURLOPT_SSLKEYTYPE: PEM (default), DER; ENG and PROV are refused */
  const char *key_password;     /* CURLOPT_KEYPASSWD */
  const char *srp_user;         /* CURLOPT_TLSAUTH_USERNAME: set means CURLE_NOT_BUILT_IN */
  const char *srp_password;     /* CURLOPT_TLSAUTH_PASSWORD */

  /* What may be spoken, in the TLS library's own syntax. */
  const char *ciphers;          /* CURLOPT_SSL_CIPHER_LIST: up to TLS 1.2 */
  const char *ciphers13;        /* CURLOPT_TLS13_CIPHERS */
  const char *curves;           /* CURLOPT_SSL_EC_CURVES */
  const char *sigalgs;          /* CURLOPT_SSL_SIGNATURE_ALGORITHMS */
  const char *alpn;             /* protocols to offer, best first, "http/1.1" or "h2,http/1.1"; NULL: no ALPN
                                   (CURLOPT_SSL_ENABLE_ALPN 0). Not part of the identity. */
  long version;                 /* CURLOPT_SSLVERSION: CURL_SSLVERSION_* | CURL_SSLVERSION_MAX_*; default:
                                   TLS 1.2 and up */
  long options;                 /* CURLOPT_SSL_OPTIONS: CURLSSLOPT_*; docs/tls.md lists those without
                                   effect */

  long ca_cache_timeout;        /* CURLOPT_CA_CACHE_TIMEOUT: seconds until the bundle's file is checked for a
                                   change; -1 never, 0 at each connection; default 86400. Not part of the
                                   identity. */
  curl_ssl_ctx_callback ctx_function; /* CURLOPT_SSL_CTX_FUNCTION: such a stream has a context of its own, and
                                         neither resumes nor keeps sessions */
  void *ctx_data;               /* CURLOPT_SSL_CTX_DATA */
  void *easy;                   /* the CURL * for ctx_function. Not part of the identity. */

  uint8_t role;                 /* of the stream, MOTE_ROLE_TLS (default) or MOTE_ROLE_PROXY_TLS. Not part of
                                   the identity. */
  bool verify_peer;             /* CURLOPT_SSL_VERIFYPEER; default true */
  bool verify_host;             /* CURLOPT_SSL_VERIFYHOST is not 0; default true */
  bool verify_status;           /* CURLOPT_SSL_VERIFYSTATUS: a good stapled OCSP response is required */
  bool session_cache;           /* CURLOPT_SSL_SESSIONID_CACHE; default true. Not part of the identity. */
  bool certinfo;                /* CURLOPT_CERTINFO: the chain is kept for mote_tls_certinfo() */
#if MOTE_HAS_H3
  bool quic;                    /* QUIC carries the stream's messages (mote_tls_carry()) */
  bool early;                   /* with `quic`: the carrier may send data before the handshake is complete, if
                                   a session that is resumed allows it. Not part of the identity */
#endif
};

#if MOTE_HAS_H3
#define mote_tls_config_is_quic(cfg) ((cfg)->quic)
#else
#define mote_tls_config_is_quic(cfg) ((void)(cfg), false)
#endif

void mote_tls_config_init(struct mote_tls_config *cfg);

/* Feeds what makes two configurations different into h, for the key under which a connection may be reused.
 * File names are part of it, what the files hold is not. */
void mote_tls_config_feed(const struct mote_tls_config *cfg, struct mote_sha256 *h);

/* Feeds the stamps of the files that a resolved configuration names (files.c). What is kept of them, contexts
 * and sessions, is good while these are the same. */
#if MOTE_HAS_TLS_FILES
void mote_tls_files_feed(const struct mote_tls_config *cfg, struct mote_sha256 *h);
#else
#define mote_tls_files_feed(cfg, h) ((void)(cfg), (void)(h))
#endif

/* Initialises the TLS library and makes the configuration's shared context now, for a program that will lose
 * its rights to files. The context stays until mote_tls_cleanup() or until others crowd it out.
 * Errors: those of mote_tls_connect_new(). */
CURLcode mote_tls_prepare(const struct mote_tls_config *cfg, struct mote_report *report);

/* Adds the most memory that `count` streams with this configuration take, for hosts of up to host_len bytes,
 * by the account that pays. CURLE_TOO_LARGE: unknown with the TLS library in use. */
#if MOTE_HAS_HTTPS
CURLcode mote_tls_ceiling(const struct mote_tls_config *cfg, size_t host_len, size_t count,
                          struct mote_ceiling *conns, struct mote_ceiling *process);
#else
#define mote_tls_ceiling(cfg, host_len, count, conns, process) \
  ((void)(cfg), (void)(host_len), (void)(count), (void)(conns), (void)(process), (CURLcode)CURLE_TOO_LARGE)
#endif

/* Frees contexts and trust indexes that no stream uses. For curl_global_cleanup(); harmless at any time. */
#if MOTE_HAS_HTTPS
void mote_tls_cleanup(void);
#else
#define mote_tls_cleanup() ((void)0)
#endif

#define MOTE_TLS_HOST_MOST 255u

/* To whom a stream goes. */
struct mote_tls_server {
  struct mote_slice host; /* the name to send (SNI; not for IP literals) and to verify against subjectAltName
                             (RFC 9110 section 4.3.4, RFC 9525; the common name does not count). Brackets, a
                             zone id and one trailing dot are not part of it */
  uint16_t port;          /* sessions are found by host and port */
};

/* Makes a TLS client stream over `below`, which stays the caller's and must outlive it; it may be a TLS
 * stream too. env is the connection's. It has no session cache before mote_tls_set_cache(). Nothing is sent
 * before handshake(). *out is NULL on failure.
 * Errors: CURLE_OUT_OF_MEMORY;
 *   CURLE_SSL_CACERT_BADFILE  the bundle cannot be read or has no certificate
 *   CURLE_SSL_CERTPROBLEM     client certificate or key: missing, unreadable, wrong password, no match, type
 *                             unknown or not supported (ENG, PROV)
 *   CURLE_SSL_CIPHER          a list of ciphers, curves or signature algorithms that names none
 *   CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR    their files
 *   CURLE_NOT_BUILT_IN        SSLv2, SSLv3, TLS-SRP; QUIC, of which the library that serves knows nothing
 *   CURLE_SSL_CONNECT_ERROR   the TLS library refuses; the host's name is too long
 *   or whatever ctx_function returned. */
CURLcode mote_tls_connect_new(struct mote_stream **out, struct mote_stream *below,
                              struct mote_stream_env *env, const struct mote_tls_config *cfg,
                              struct mote_tls_server server);

/* The ops of that stream, as net/stream.h has them:
 * handshake  while it waits, CURLE_OK with *done false; want() returns what it waits for. A want() of 0 means
 *            that a verify callback of the application asked for a pause (SSL_set_retry_verify): call again
 *            after curl_easy_pause(). Errors: CURLE_SSL_CONNECT_ERROR (alert, protocol, end of file),
 *            CURLE_PEER_FAILED_VERIFICATION (chain or name; the text has the X.509 reason),
 *            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
 *            CURLE_SSL_CLIENTCERT (the server wants a certificate), CURLE_OUT_OF_MEMORY, or the code of the
 *            stream below.
 * recv       CURLE_OK with *n == 0 after close_notify. The transport's end without one is CURLE_RECV_ERROR
 *            without a failure text, and mote_tls_truncated() is true then, because HTTP decides whether that
 *            is the end of a body (docs/tls.md has what curl does). Alerts, bad records: CURLE_RECV_ERROR.
 * send       CURLE_SEND_ERROR.
 * shutdown   sends close_notify and waits for no answer; CURLE_SSL_SHUTDOWN_FAILED.
 * idle       frees the record buffers unless a part of a record is in them, and forgets the session cache.
 *            Sessions that come until mote_tls_set_cache() are not kept. */

/* Sets the session cache that the TLS streams from `top` down use from now on, NULL for none; ignored where
 * sessions are off. To be called whenever a transfer takes the connection. A stream looks into the cache when
 * its handshake begins, and puts in the sessions that handshake() and recv() bring (TLS 1.3 tickets come at
 * any time). guard is locked around that, with arg (the transfer, for a share's lock functions). guard is
 * borrowed, and NULL where no lock is needed. */
struct mote_session_guard {
  void (*lock)(void *arg);
  void (*unlock)(void *arg);
};
void mote_tls_set_cache(struct mote_stream *top, struct mote_session_cache *cache,
                        const struct mote_session_guard *guard, void *arg);

/* Lets a stream whose handshake has not begun resume the session of another one, which goes to the same
 * server with the same configuration, and none of the cache, which may be of a third one. For a server that
 * takes no second connection without. The other stream stays until the handshake has begun. Does nothing
 * where sessions are off. */
#if MOTE_HAS_SESSIONS
void mote_tls_resume_as(struct mote_stream *tls, const struct mote_stream *other);
#endif

#if MOTE_HAS_H3
struct mote_quic_carrier;
/* Gives a stream that was made for QUIC its carrier (net/h3/carrier.h), which it owns from here on. To be
 * called before its first handshake. Nothing goes through such a stream. */
void mote_tls_carry(struct mote_stream *tls, struct mote_quic_carrier *carrier);
/* Puts the session that such a stream was about to resume back into the cache, as no server has seen it. The
 * handshake has not got an answer. */
void mote_tls_give_back(struct mote_stream *tls);
/* Returns the carrier, or NULL: there is none yet, or the stream is not one of QUIC. */
struct mote_quic_carrier *mote_tls_carrier(const struct mote_stream *tls);
#endif

/* The transport of a TLS stream from `top` down ended without close_notify. */
#if MOTE_HAS_HTTPS
bool mote_tls_truncated(const struct mote_stream *top);
#else
#define mote_tls_truncated(top) ((void)(top), false)
#endif

/* The protocol that the server chose, not NUL-terminated; NULL with *len 0 if none. Valid until close, and of
 * a stream of QUIC until mote_conn_idle(), which gives TLS up. */
const char *mote_tls_alpn(const struct mote_stream *tls, size_t *len);

/* For getinfo and texts; valid after the handshake (verify_result also after its failure). */
struct mote_tls_info {
  const char *version; /* "TLSv1.3"; static text */
  const char *cipher;  /* "TLS_AES_256_GCM_SHA384"; static text. "(NONE)" where no verbose line shows it */
  long verify_result;  /* CURLINFO_SSL_VERIFYRESULT: X509_V_*, 0 is fine; 1 for a wrong name. With verify_peer
                          false the result of an empty trust store */
  int tls_id;          /* 0x0303, 0x0304 ... */
  bool resumed;
};
void mote_tls_get_info(const struct mote_stream *tls, struct mote_tls_info *out);

/* CURLINFO_CERTINFO: the peer's chain in words, one block charged to `account`; also for a reused connection.
 * *out is NULL where certinfo was not configured. Errors: CURLE_OUT_OF_MEMORY. */
CURLcode mote_tls_certinfo(const struct mote_stream *tls, struct mote_account *account,
                           struct curl_certinfo **out);
#if MOTE_HAS_HTTPS
void mote_tls_certinfo_free(struct mote_account *account, struct curl_certinfo *info); /* info may be NULL */
#else
#define mote_tls_certinfo_free(account, info) ((void)(account), (void)(info))
#endif

#if MOTE_HAS_HTTPS
void *mote_tls_ssl_ptr(const struct mote_stream *tls); /* CURLINFO_TLS_SSL_PTR: of the type that the
                                                          manual names for the library: SSL *, ... */
void *mote_tls_ctx_ptr(const struct mote_stream *tls); /* CURLINFO_TLS_SESSION: SSL_CTX *, ... */
#else
#define mote_tls_ssl_ptr(tls) ((void)(tls), NULL)
#define mote_tls_ctx_ptr(tls) ((void)(tls), NULL)
#endif
#if MOTE_HAS_HTTPS
curl_sslbackend mote_tls_backend_of(const struct mote_stream *tls); /* the library that made it */
#else
#define mote_tls_backend_of(tls) ((void)(tls), CURLSSLBACKEND_NONE)
#endif

/* ---- the libraries that are built in ---- */

#if MOTE_HAS_HTTPS
curl_sslbackend mote_tls_backend(void); /* the one that serves */
/* "OpenSSL/3.0.17": the version that runs of the library that serves. Static text; nothing is initialised. */
const char *mote_tls_version(void);
#else
#define mote_tls_backend() (CURLSSLBACKEND_NONE)
#define mote_tls_version() ("none")
#endif

/* Lets the library with this id, or of this name (in any case), serve the process. Without a call the one
 * serves that CURL_SSL_BACKEND names, or else the first.
 * Errors: CURLSSLSET_UNKNOWN_BACKEND (not built in), CURLSSLSET_TOO_LATE (another has made a stream). */
CURLsslset mote_tls_select(curl_sslbackend id, const char *name);

const curl_ssl_backend *mote_tls_backend_at(unsigned i); /* NULL after the last */
/* Lists the libraries of the build, then the alias, which may be NULL, in a static array that NULL ends.
 * Every call of a process passes the same alias, so that threads write the same values. */
const curl_ssl_backend **mote_tls_offered(const curl_ssl_backend *alias);
const char *mote_tls_version_at(unsigned i);

/* The system's bundle and directory: CURLINFO_CAINFO, CURLINFO_CAPATH, curl_version_info. NULL: none. */
#if MOTE_HAS_TLS_FILES
const char *mote_tls_default_ca_file(void);
const char *mote_tls_default_ca_path(void);
#else
#define mote_tls_default_ca_file() (NULL)
#define mote_tls_default_ca_path() (NULL)
#endif

/* ---- signatures that are not TLS's own ---- */

#define MOTE_TLS_ED25519_SEED 32      /* bytes of a private key (RFC 8032 section 5.1.5) */
#define MOTE_TLS_ED25519_SIGNATURE 64 /* bytes */

#if MOTE_HAS_MESSAGE_SIGNATURES
/* Signs bytes with Ed25519. CURLE_NOT_BUILT_IN: the library that serves cannot. CURLE_AUTH_ERROR: it failed
 * to. CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY. */
CURLcode mote_tls_sign_ed25519(const uint8_t seed[MOTE_TLS_ED25519_SEED], const void *bytes, size_t len,
                               uint8_t out[MOTE_TLS_ED25519_SIGNATURE]);
#endif

#endif
