/* codec/socks/socks.h: the client's side of a SOCKS handshake (SOCKS4, SOCKS4a, SOCKS5: RFC 1928, RFC 1929).
 *
 * The handshake is a row of messages and answers. The caller sends what mote_socks_message() writes and
 * reports it with mote_socks_sent(). It then receives mote_socks_missing() bytes, never more, and passes what
 * has come to mote_socks_feed(). The bytes after the last answer are the server's: none of them is read here.
 *
 * SOCKS4 and SOCKS4a have one message, which names the destination, and one answer. SOCKS5 first agrees on a
 * method: none, user and password, or GSS-API. For the last, the handshake stops while the caller logs in by
 * frames of another kind (codec/socks/socks_gss.h).
 *
 * Invariants: nothing is allocated; a message is the same each time that it is written.
 * Ownership:  the structs are plain memory of the caller; the request's slices are borrowed during a call.
 * Failure:    a CURLproxycode; the handshake is over then.
 * Tests:      tests/unit/codec/test_socks.c; fuzz/fuzz_socks.c */
#ifndef MOTE_CODEC_SOCKS_SOCKS_H
#define MOTE_CODEC_SOCKS_SOCKS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "port/addr.h"

/* Longest user, password and host, in bytes: a length has one byte. */
#define MOTE_SOCKS_MAX_TEXT 255u

/* Longest message: user and password of SOCKS5, or user and host of SOCKS4a with 10 bytes around them. */
#define MOTE_SOCKS_MAX_MESSAGE (2u * MOTE_SOCKS_MAX_TEXT + 10u)

/* What the proxy is asked for. */
struct mote_socks_request {
  struct mote_slice host;     /* name for the proxy to resolve; used when address.family is NONE */
  struct mote_slice user;     /* decoded; may be empty */
  struct mote_slice password; /* likewise; SOCKS4 has none */
  struct mote_addr address;   /* destination; its port is not used */
  uint16_t port;              /* of the destination */
  uint8_t version;            /* 4 or 5; SOCKS4 with a name is SOCKS4a */
  bool login;                 /* SOCKS5: user and password are offered */
  bool gss;                   /* SOCKS5: GSS-API is offered */
  bool must_login;            /* SOCKS5: no login is not offered (CURLAUTH_ONLY) */
};

struct mote_socks {
  uint8_t step;      /* private to socks.c; 0 before the handshake */
  uint8_t have;      /* bytes in answer */
  uint16_t rest;     /* bytes of the last answer that are not kept and still to come */
  bool login;        /* user and password were offered */
  bool gss;          /* GSS-API was offered */
  bool must_login;   /* no login was not offered */
  uint8_t answer[8]; /* the first bytes of an answer */
};

/* Starts a handshake and judges the request.
 * CURLPX_LONG_USER, CURLPX_LONG_PASSWD, CURLPX_LONG_HOSTNAME: over MOTE_SOCKS_MAX_TEXT.
 * CURLPX_BAD_ADDRESS_TYPE: SOCKS4 cannot reach an IPv6 address.
 * CURLPX_NO_AUTH: SOCKS5 must log in, and there is nothing to log in with. */
CURLproxycode mote_socks_init(struct mote_socks *s, const struct mote_socks_request *r);

/* Writes the message that is due and returns its length; 0: an answer is due, a login by GSS-API, or the
 * handshake is over. */
size_t mote_socks_message(const struct mote_socks *s, const struct mote_socks_request *r,
                          uint8_t out[MOTE_SOCKS_MAX_MESSAGE]);
/* The whole message was sent. */
void mote_socks_sent(struct mote_socks *s);

/* Returns how many bytes of the answer are certain to come; 0: a message is due, a login by GSS-API, or the
 * handshake is over. */
size_t mote_socks_missing(const struct mote_socks *s);

/* Takes in `len` bytes of the answer, at most mote_socks_missing().
 * CURLPX_BAD_VERSION: the answer is of no SOCKS proxy, or of another version.
 * CURLPX_NO_AUTH: the proxy accepts no method that was offered. CURLPX_UNKNOWN_MODE: it chose another one.
 * CURLPX_USER_REJECTED: user and password are wrong. CURLPX_BAD_ADDRESS_TYPE: no known type of address.
 * CURLPX_REQUEST_FAILED, CURLPX_IDENTD, CURLPX_IDENTD_DIFFER, CURLPX_UNKNOWN_FAIL: the answers of SOCKS4.
 * CURLPX_REPLY_*: the answers of SOCKS5. */
CURLproxycode mote_socks_feed(struct mote_socks *s, const uint8_t *bytes, size_t len);

/* A login by GSS-API is due: the proxy has chosen it. */
bool mote_socks_wants_gss(const struct mote_socks *s);
/* It succeeded. */
void mote_socks_gss_done(struct mote_socks *s);

/* The destination is connected: what follows is the server's. */
bool mote_socks_done(const struct mote_socks *s);

/* English sentence without a full stop for the error buffer, never NULL. */
const char *mote_socks_text(CURLproxycode code);

#endif
