/* tls/backend.h: what one TLS library gives to tls.h, a row of mote_tls_backends, and what streams of all
 * libraries have and do alike.
 *
 * Calls for a stream go through the row that made it, so that streams of two libraries could live side by
 * side. The process uses one library (mote_tls_select).
 *
 * Contract:  tls.h says what each function does; nothing here is NULL unless it says so. The functions take
 *            only streams whose ops are those of a struct mote_tls_backend.
 * Tests:     tests/unit/tls/test_backends.c; tests/e2e/test_tls.py is the same for every library. */
#ifndef MOTE_TLS_BACKEND_H
#define MOTE_TLS_BACKEND_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/containers/list.h"
#include "base/time.h"
#include "net/stream.h"
#include "parts.h"
#include "port/port.h"

struct mote_ceiling;
struct mote_quic_carrier;
struct mote_session_cache;
struct mote_session_guard;
struct mote_tls_config;
struct mote_tls_info;

/* What a stream of any library begins with. tls.c makes it. Its block ends with three texts, each with its
 * NUL: the bare host name (hostname.h), the pinned key, and the protocols to offer (both empty unless
 * `keeps`). */
struct mote_tls_head {
  struct mote_stream stream;         /* first; its ops are those of a row */
  struct mote_session_cache *cache;  /* borrowed; NULL: none */
  const struct mote_session_guard *guard; /* borrowed; locked around each use of cache; NULL: none */
  void *guard_arg;                   /* for guard */
  uint32_t block;                    /* bytes of the stream's block */
  int32_t verify_result;             /* X509_V_*, as OpenSSL numbers them; 1: nothing was verified yet */
  CURLcode below;                    /* the last code of the stream below other than CURLE_OK and
                                        CURLE_AGAIN */
  uint16_t port;          /* of the host, for sessions and texts */
  bool below_ended : 1;   /* the transport's end was seen */
  bool done : 1;          /* the handshake is complete and checked */
  bool dead : 1;          /* after a fatal error nothing more may be sent, not even close_notify */
  bool truncated : 1;     /* the transport ended without close_notify */
  bool is_ip : 1;         /* the name is an IP literal, or empty, and is not sent */
  bool verify_peer : 1;   /* as configured */
  bool verify_host : 1;   /* as configured */
  bool session_cache : 1; /* sessions may be used and kept; set_up decides */
  bool said_goodbye : 1;  /* close_notify is sent, or under way in the library */
  bool client_cert : 1;   /* a client certificate was configured; set_up sets it */
  bool interrupted : 1;   /* the handshake has more to do (mote_tls_is_over()); the stream is pending then */
  bool follows : 1;       /* it may resume another stream's session (mote_tls_resume_as()); set_up decides */
  bool mute : 1;          /* the stream below sends no more; what has come can still be read */
};

/* Pieces of records without a byte that one recv, or one call for a handshake, takes in before other
 * transfers have their turn, because a server may send empty records, warnings or requests to renegotiate
 * without end. The descriptor stays ready meanwhile; a stream that has read ahead is pending. */
#define MOTE_TLS_PIECES 256

struct mote_tls_backend {
  struct mote_stream_ops stream; /* first: mote_stream.ops points here */
  curl_ssl_backend id;         /* as curl_global_sslset(3) knows it */
  uint16_t texts_at;           /* bytes of this library's stream, the head included: there its texts begin */
  bool keeps;                  /* the stream keeps pinned key and protocols among its texts */
  const char *(*version)(void); /* "OpenSSL/3.0.17", of the library that runs; static */

  /* Fills the rest of a new stream, which is all zero after its head. cfg is resolved (config.h).
   * Errors: those of mote_tls_connect_new(), which closes the stream then. */
  CURLcode (*set_up)(struct mote_tls_head *t, const struct mote_tls_config *cfg);
  /* Goes on with a handshake that is not over, and sets head.done at its end. NULL: the stream has a
   * handshake() of its own. */
  CURLcode (*handshake)(struct mote_tls_head *t);
  /* Sends close_notify. CURLE_AGAIN: not all of it was sent. Any other error is CURLE_SSL_SHUTDOWN_FAILED to
   * the caller, and marks the stream as unusable. NULL: the stream has no shutdown(). */
  CURLcode (*shutdown)(struct mote_tls_head *t);
  void (*cleanup)(void); /* frees what no stream uses */
  /* Adds the most memory that a stream with this configuration, which is resolved, takes beyond its own
   * block, by the account that pays. NULL: unknown, since the library takes memory by itself. */
  void (*ceiling)(const struct mote_tls_config *cfg, struct mote_ceiling *conn, struct mote_ceiling *process);

  const char *(*alpn)(const struct mote_stream *s, size_t *len);
  void (*get_info)(const struct mote_stream *s, struct mote_tls_info *out);
  CURLcode (*certinfo)(const struct mote_stream *s, struct mote_account *account,
                       struct curl_certinfo **out); /* NULL: not supported */
  void *(*ssl_ptr)(const struct mote_stream *s);
  void *(*ctx_ptr)(const struct mote_stream *s);
#if MOTE_HAS_SESSIONS
  /* mote_tls_resume_as(); both streams are of this library, and s.head.follows is set. NULL without part
   * data_connections, which alone calls it. */
  void (*resume_as)(struct mote_stream *s, const struct mote_stream *other);
#endif
#if MOTE_HAS_H3
  const struct mote_tls_backend *quic; /* the row of the library's streams of QUIC, which has the next three;
                                          NULL: the library has none, or the row is that one */
  void (*give_back)(struct mote_stream *s); /* mote_tls_give_back() */
  void (*carry)(struct mote_stream *s, struct mote_quic_carrier *carrier);
  struct mote_quic_carrier *(*carrier)(const struct mote_stream *s);
#endif
#if MOTE_HAS_MESSAGE_SIGNATURES
  /* NULL: the library cannot, or this row does not ask it. */
  CURLcode (*sign_ed25519)(const uint8_t *seed, const void *bytes, size_t len, uint8_t *out);
#endif
};

/* Initialises `sign_ed25519` in a row. */
#if MOTE_HAS_MESSAGE_SIGNATURES
#define MOTE_TLS_SIGNS(fn) .sign_ed25519 = fn,
#else
#define MOTE_TLS_SIGNS(fn)
#endif

/* Initialises `quic` in a row, and chooses the row for a stream; NULL: the library knows nothing of QUIC. */
#if MOTE_HAS_H3
#define MOTE_TLS_QUIC(row) .quic = row,
#define mote_tls_row_for(row, cfg) ((cfg)->quic ? (row)->quic : (row))
#else
#define MOTE_TLS_QUIC(row)
#define mote_tls_row_for(row, cfg) (row)
#endif

/* Initialises `resume_as` in a row. */
#if MOTE_HAS_SESSIONS && MOTE_HAS_DATA_CONNECTIONS
#define MOTE_TLS_RESUMES(fn) .resume_as = fn,
#else
#define MOTE_TLS_RESUMES(fn)
#endif

/* Initialises `ceiling` in a row. It is NULL without part need. */
#if MOTE_HAS_NEED
#define MOTE_TLS_CEILING(fn) .ceiling = fn
#else
#define MOTE_TLS_CEILING(fn) .ceiling = NULL
#endif

/* The text that follows this one in a stream's block. */
static inline char *mote_tls_text_after(const char *text)
{
  return strchr(text, 0) + 1;
}

static inline const struct mote_tls_backend *mote_tls_row(const struct mote_stream *tls)
{
  return mote_container_of(tls->ops, const struct mote_tls_backend, stream);
}

static inline const char *mote_tls_host(const struct mote_tls_head *t)
{
  return (const char *)t + mote_tls_row(&t->stream)->texts_at;
}

/* ---- what all do alike: tls.c ---- */

/* Frees the stream's block. The last call of a library's close. */
void mote_tls_free(struct mote_tls_head *t);

/* The stream's handshake() and shutdown(), by those of its row. */
CURLcode mote_tls_handshake(struct mote_stream *s, bool *done);
CURLcode mote_tls_shutdown(struct mote_stream *s, bool *done);

/* The stream's idle(), or its end: forgets the session cache. */
void mote_tls_idle(struct mote_stream *s);

/* A library's way to the stream below. At its end, and ever after, receiving returns CURLE_OK with *n == 0.
 * The head remembers the end and the code of a failure. */
CURLcode mote_tls_receive_below(struct mote_tls_head *t, void *buf, size_t cap, size_t *n);
CURLcode mote_tls_send_below(struct mote_tls_head *t, const void *buf, size_t len, size_t *n);

/* Reports that the transport ended in the handshake, and returns CURLE_SSL_CONNECT_ERROR. */
CURLcode mote_tls_cut_off(struct mote_tls_head *t);
/* Notes that it ended later, without close_notify. */
void mote_tls_cut_short(struct mote_tls_head *t);

/* Marks the stream as unusable, and returns rc. */
static inline CURLcode mote_tls_broken(struct mote_tls_head *t, CURLcode rc)
{
  t->dead = true;
  return rc;
}

/* A call for a handshake begins; the time is for mote_tls_is_over(). */
static inline mote_time mote_tls_go_on(struct mote_tls_head *t)
{
  t->interrupted = false;
  return MOTE_HANDSHAKE_MS ? mote_port_now() : 0;
}

/* The call that began then interrupts the handshake now: it has taken in as many pieces as others do, or its
 * time is over (MOTE_HANDSHAKE_MS). */
static inline bool mote_tls_is_over(struct mote_tls_head *t, mote_time began, unsigned pieces)
{
  t->interrupted = pieces >= MOTE_TLS_PIECES ||
                   (MOTE_HANDSHAKE_MS && mote_port_now() - began >= MOTE_HANDSHAKE_MS * MOTE_MS);
  return t->interrupted;
}

/* report.c: the lines of curl -v about what the client offers and trusts, and about what was agreed on. */
#if MOTE_HAS_VERBOSE
void mote_tls_report_offer(const struct mote_tls_head *t, const struct mote_tls_config *cfg);
void mote_tls_report_peer(const struct mote_tls_head *t);
#else
#define mote_tls_report_offer(t, cfg) ((void)(t), (void)(cfg))
#define mote_tls_report_peer(t) ((void)(t))
#endif

/* refuse.c: reports why the peer's certificate is refused, sets verify_result and returns
 * CURLE_PEER_FAILED_VERIFICATION. The first is for the chain. result is X509_V_ERR_*, depth is 0 for the
 * server's own certificate, name is the DER of the subject. The second is for a wrong name, and cert is the
 * server's own certificate. */
CURLcode mote_tls_refuse(struct mote_tls_head *t, int result, const char *why, unsigned depth,
                         const uint8_t *name, size_t len);
CURLcode mote_tls_refuse_name(struct mote_tls_head *t, const char *host, const uint8_t *cert, size_t len);

/* The block that a struct curl_certinfo of ours points into. */
struct mote_tls_certinfo_block {
  size_t size; /* bytes of the block */
  struct curl_certinfo info;
  /* then struct curl_slist *[num_of_certs], struct curl_slist[lines], the texts */
};

/* The libraries of the build, ended by NULL. The first serves unless another was chosen. Written by the build
 * (cmake/select.cmake). */
extern const struct mote_tls_backend *const mote_tls_backends[];

/* choice.c: the library that serves. settle() makes it final, because a stream is about to be made. used()
 * returns it if a stream was made, else NULL. Without part tls_choice the first serves. */
#if MOTE_HAS_TLS_CHOICE
const struct mote_tls_backend *mote_tls_serving(void);
const struct mote_tls_backend *mote_tls_settle(void);
const struct mote_tls_backend *mote_tls_used(void);
#else
#define mote_tls_serving() (mote_tls_backends[0])
#define mote_tls_settle() (mote_tls_backends[0])
#define mote_tls_used() (mote_tls_backends[0])
#endif

#endif
