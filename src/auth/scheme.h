/* auth/scheme.h: authentication schemes (RFC 9110 section 11), each a const row that its part adds (ROWS in
 * cmake/parts.cmake). Servers, proxies that pass a request on, and CONNECT use the same rows.
 *
 * A scheme gets credentials and what it must know of a request, and writes the value of Authorization or
 * Proxy-Authorization. It knows no transfer and no connection. What it must remember from a challenge to the
 * next request is its state, a block of its own.
 *
 * Ownership: slices are the caller's. A state belongs to the caller of read(), until close().
 * Errors:    CURLE_OUT_OF_MEMORY, CURLE_TOO_LARGE (the buffer's limit). A scheme that fails has not changed
 *            its state, so that put() can be called again with a larger buffer.
 * Tests:     tests/unit/auth, tests/e2e/test_auth.py, test_digest.py; fuzz/fuzz_digest.c */
#ifndef MOTE_AUTH_SCHEME_H
#define MOTE_AUTH_SCHEME_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct mote_account;
struct mote_buf;
struct mote_report;

/* What a user has. */
struct mote_auth_login {
  struct mote_slice user;     /* may be empty */
  struct mote_slice password; /* may be empty */
  struct mote_slice token;    /* CURLOPT_XOAUTH2_BEARER; empty: none */
  bool user_coded;            /* the user is percent-encoded, as in a URL */
  bool password_coded;        /* likewise the password */
  bool given;                 /* a user or password was set, even if it is empty; only SASL asks */
  bool ticket;                /* the place may get what this process has by itself, a ticket of Kerberos. That
                                 is never allowed by a name, which a redirect or a netrc file may have */
};

/* What a scheme may have to know of the request. */
struct mote_auth_request {
  struct mote_slice method;   /* as on the request line */
  struct mote_slice target;   /* path and query, also for a proxy; host and port for CONNECT */
  struct mote_slice host;     /* name of the server, or of the proxy that the credentials are for */
  const struct mote_auth_login *login;
  bool proxy;                 /* the field is for a proxy */
  uint8_t delegation;         /* CURLGSSAPI_DELEGATION_*; this and what follows only if the scheme binds */
  uint32_t connection;        /* number of the connection that the request is sent on */
  struct mote_slice service;  /* CURLOPT_SERVICE_NAME or its like for proxies; empty: the scheme's own */
  struct mote_report *report; /* gets why there are no credentials */
};

enum mote_auth_verdict {
  MOTE_AUTH_UNUSABLE, /* the challenge cannot be answered, and there is no state */
  MOTE_AUTH_REFUSED,  /* the state is new, but the credentials were refused */
  MOTE_AUTH_ANSWER    /* the request is worth sending again with credentials */
};

struct mote_auth_scheme {
  const char *name;      /* as a challenge names it, lower case */
  uint8_t bit;           /* CURLAUTH_* */
  uint8_t rank;          /* out of several usable schemes the highest is used */
  bool token : 1;        /* its credentials are the token, not user and password */
  bool asks : 1;         /* it has nothing to send before a challenge: needs a state */
  bool binds : 1;        /* it authenticates the connection, not the request, as the user of this process,
                            so that only mote_auth_login.ticket counts */
  bool rounds : 1;       /* it may take several challenges */
  /* Readies the state for the next request, and makes it where there is none. NULL: nothing to ready.
   * CURLE_AUTH_ERROR: there are no credentials, and the request goes without. */
  CURLcode (*open)(void **state, const struct mote_auth_request *request, struct mote_account *account);
  /* Reads the parameters of a challenge. *state is the one that there was for the same place and login, or
   * NULL; the scheme replaces or frees it. sent: the request had credentials of this scheme. NULL: a
   * challenge has nothing to read and no state. */
  CURLcode (*read)(void **state, struct mote_slice params, bool sent, struct mote_account *account,
                   enum mote_auth_verdict *verdict);
  /* Appends the field's value. state is NULL where there is none. */
  CURLcode (*put)(void *state, const struct mote_auth_request *request, struct mote_buf *out);
  /* Frees the state, which is not NULL. NULL: the scheme has none. */
  void (*close)(void *state, struct mote_account *account);
};

/* The schemes of this build; NULL ends them. */
extern const struct mote_auth_scheme *const mote_auth_schemes[];

/* ---- which scheme ---- */

/* Returns the CURLAUTH_* bits of the schemes of this build. */
unsigned long mote_auth_built(void);
/* Returns the preferred scheme among these CURLAUTH_* bits that the login is enough for, or NULL. */
const struct mote_auth_scheme *mote_auth_choose(unsigned long among, const struct mote_auth_login *login);

/* What may not stand in a quoted string, nor in a field (RFC 9110 section 5.5). */
static inline bool mote_auth_is_control(char c)
{
  return ((unsigned char)c < ' ' && c != '\t') || c == 127;
}

/* ---- challenges: the values of WWW-Authenticate and Proxy-Authenticate ---- */

struct mote_auth_challenge {
  struct mote_slice name;                /* of the scheme, as it came */
  struct mote_slice params;              /* what follows, up to the next scheme */
  const struct mote_auth_scheme *scheme; /* NULL: not in this build */
  unsigned long bit;                     /* CURLAUTH_*, in this build or not; 0: unknown */
};

/* Takes the next challenge off *rest. False: there is none. */
bool mote_auth_next_challenge(struct mote_slice *rest, struct mote_auth_challenge *out);
/* Takes the next parameter off *rest. A quoted value keeps its quotes. False: there is none. */
bool mote_auth_next_param(struct mote_slice *rest, struct mote_slice *name, struct mote_slice *value);

/* Takes the quotes off, if there are any. False: they do not end, there is a control character, or a token
 * has what only a quoted string may have. */
bool mote_auth_unquote(struct mote_slice *value);

/* ---- credentials ---- */

/* Appends user or password as it is meant. coded: it is percent-encoded, and CURLE_URL_MALFORMAT if it has a
 * NUL, where many a server ends a text. */
CURLcode mote_auth_put_plain(struct mote_buf *out, struct mote_slice text, bool coded);

#endif
