/* tls/backend.h: what one TLS library gives to tls.h, a row of mote_tls_backends, and what streams of all
 * libraries have and do alike.
 *
 * Everything that is asked of a stream goes through the row behind whose ops it was made, so that streams of
 * two libraries could live side by side; the process uses one (mote_tls_select).
 *
 * Contract:  tls.h says what each function does; nothing here is NULL unless it says so.
 * Ownership: a stream whose ops are not those of struct mote_tls_backend is not given to any of them.
 * Tests:     tests/unit/tls/test_backends.c; tests/e2e/test_tls.py is the same for every library. */
#ifndef MOTE_TLS_BACKEND_H
#define MOTE_TLS_BACKEND_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/list.h"
#include "net/stream.h"
#include "parts.h"

struct mote_session_cache;
struct mote_session_guard;
struct mote_tls_config;
struct mote_tls_info;

/* What a stream of any library begins with. tls.c makes it; its block ends with texts, each with its NUL: the
 * name without what is not part of it, the pinned key, the protocols to offer (empty unless `keeps`). */
struct mote_tls_head {
  struct mote_stream stream;         /* first: the layer as others see it; its ops are a row's */
  struct mote_session_cache *cache;  /* borrowed; NULL: none */
  const struct mote_session_guard *guard; /* borrowed; locked around what is done with cache; NULL: none */
  void *guard_arg;                   /* for guard */
  uint32_t block;                    /* bytes of the stream's block */
  int32_t verify_result;             /* X509_V_*, as OpenSSL numbers them; 1: nothing was verified yet */
  CURLcode below;                    /* what the stream below answered last, unless CURLE_OK or CURLE_AGAIN */
  uint16_t port;
  bool below_ended : 1;   /* the transport's end was seen */
  bool done : 1;          /* the handshake is complete and checked */
  bool dead : 1;          /* a fatal error: nothing more may be sent, not even close_notify */
  bool truncated : 1;     /* the transport ended without close_notify */
  bool is_ip : 1;         /* the name is an IP literal, or empty: it is not sent */
  bool verify_peer : 1;
  bool verify_host : 1;
  bool session_cache : 1; /* sessions may be used and kept; set_up says so */
  bool client_cert : 1;   /* a client certificate was given; set_up says so */
};

/* Pieces of records that one recv takes in before it lets others have their turn, although none of them has
 * brought a byte: a server may send empty records without end. The descriptor stays ready meanwhile. */
#define MOTE_TLS_PIECES 256

struct mote_tls_backend {
  struct mote_stream_ops stream; /* first: mote_stream.ops points here */
  curl_ssl_backend id;         /* as curl_global_sslset(3) knows it */
  uint16_t texts_at;           /* bytes of a stream of this library's, which begins with the head: there its
                                  texts begin */
  bool keeps;                  /* pinned key and protocols are among the texts */
  const char *(*version)(void); /* "OpenSSL/3.0.17", of the library that runs; static */

  /* The rest of a new stream, all zero behind its head. cfg is resolved (config.h). Errors: those of
   * mote_tls_connect_new(), which closes the stream then. */
  CURLcode (*set_up)(struct mote_tls_head *t, const struct mote_tls_config *cfg);
  void (*cleanup)(void);

  const char *(*alpn)(const struct mote_stream *s, size_t *len);
  void (*get_info)(const struct mote_stream *s, struct mote_tls_info *out);
  CURLcode (*certinfo)(const struct mote_stream *s, struct mote_account *account,
                       struct curl_certinfo **out); /* NULL: the library does not tell */
  void *(*ssl_ptr)(const struct mote_stream *s);
  void *(*ctx_ptr)(const struct mote_stream *s);
};

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

/* It gives its block back: the last thing that a library's close does. */
void mote_tls_free(struct mote_tls_head *t);

/* Parts of the ops: for the stream below; to forget the session cache, and let the one below be idle. */
bool mote_tls_pending_below(const struct mote_stream *s);
void mote_tls_idle(struct mote_stream *s);

/* The transport ended in the handshake: told, CURLE_SSL_CONNECT_ERROR. */
CURLcode mote_tls_cut_off(struct mote_tls_head *t);
/* It ended later, without close_notify: noted, a line for who listens. */
void mote_tls_cut_short(struct mote_tls_head *t);

/* The stream is of no more use. rc */
static inline CURLcode mote_tls_broken(struct mote_tls_head *t, CURLcode rc)
{
  t->dead = true;
  return rc;
}

/* The lines of curl -v, if somebody listens: what is offered and trusted; what came of it. */
#if MOTE_HAS_VERBOSE
void mote_tls_report_offer(const struct mote_tls_head *t, const struct mote_tls_config *cfg);
void mote_tls_report_peer(const struct mote_tls_head *t);
#else
static inline void mote_tls_report_offer(const struct mote_tls_head *t, const struct mote_tls_config *cfg)
{
  (void)t;
  (void)cfg;
}

static inline void mote_tls_report_peer(const struct mote_tls_head *t)
{
  (void)t;
}
#endif

/* refuse.c: reports why the peer's certificate is refused, sets verify_result and returns
 * CURLE_PEER_FAILED_VERIFICATION. The first is for the chain. result is X509_V_ERR_*, depth is 0 for the
 * server's own certificate, name is the DER of the subject. The second is for a wrong name, and cert is the
 * server's own certificate. */
#if MOTE_HAS_TEXTS
CURLcode mote_tls_refuse(struct mote_tls_head *t, int result, const char *why, unsigned depth,
                         const uint8_t *name, size_t len);
CURLcode mote_tls_refuse_name(struct mote_tls_head *t, const char *host, const uint8_t *cert, size_t len);
#else
static inline CURLcode mote_tls_refuse(struct mote_tls_head *t, int result, const char *why, unsigned depth,
                                       const uint8_t *name, size_t len)
{
  (void)why;
  (void)depth;
  (void)name;
  (void)len;
  t->verify_result = result;
  return CURLE_PEER_FAILED_VERIFICATION;
}

static inline CURLcode mote_tls_refuse_name(struct mote_tls_head *t, const char *host, const uint8_t *cert,
                                            size_t len)
{
  (void)host;
  (void)cert;
  (void)len;
  t->verify_result = 1;
  return CURLE_PEER_FAILED_VERIFICATION;
}
#endif

/* What certinfo gives points into this. */
struct mote_tls_certinfo_block {
  size_t size; /* bytes of the block */
  struct curl_certinfo info;
  /* then struct curl_slist *[num_of_certs], struct curl_slist[lines], the texts */
};

/* Those built in, ended by NULL; the first serves unless mote_tls_select() chose another. Written by the
 * build (cmake/select.cmake). */
extern const struct mote_tls_backend *const mote_tls_backends[];

/* choice.c: the one that serves; the same, which stays the one from now on (a stream is made); the same if
 * one was made, else NULL. Without part tls_choice the first serves. */
#if MOTE_HAS_TLS_CHOICE
const struct mote_tls_backend *mote_tls_serving(void);
const struct mote_tls_backend *mote_tls_settle(void);
const struct mote_tls_backend *mote_tls_used(void);
#else
static inline const struct mote_tls_backend *mote_tls_serving(void)
{
  return mote_tls_backends[0];
}

static inline const struct mote_tls_backend *mote_tls_settle(void)
{
  return mote_tls_backends[0];
}

static inline const struct mote_tls_backend *mote_tls_used(void)
{
  return mote_tls_backends[0];
}
#endif

#endif
