/* auth/gss.h: the client's side of a GSS-API security context (RFC 2743, RFC 2744), by MIT krb5.
 *
 * gss.c is the only file that knows that library's header. A context is made of rounds: the caller sends the
 * token that mote_gss_step() gives, and passes the peer's answer to the next call, until the context is
 * established. Then single messages can be wrapped and unwrapped.
 *
 * mote_gss_step() blocks while the library asks the KDC for a ticket that the credential cache lacks.
 *
 * Ownership: mote_gss_new() makes one block, charged to its account; what the library allocates is in none.
 *            A token or message is the context's until the next call with the same context.
 * Errors:    CURLE_AUTH_ERROR with the library's own words in the report; CURLE_OUT_OF_MEMORY.
 * Threads:   a context is used by one thread at a time.
 * Tests:     tests/unit/auth/test_gss.c, tests/e2e/test_socks_gss.py */
#ifndef MOTE_AUTH_GSS_H
#define MOTE_AUTH_GSS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "parts.h"

struct mote_account;
struct mote_gss;
struct mote_report;

/* Longest name of a service with its host, in bytes: a host name has 255 (RFC 1035 section 2.3.4). */
#define MOTE_GSS_NAME_MAX 511u

enum mote_gss_mechanism {
  MOTE_GSS_KERBEROS, /* RFC 4121 */
  MOTE_GSS_SPNEGO    /* RFC 4178 */
};

/* Whom the context is with. */
struct mote_gss_peer {
  struct mote_slice service; /* "rcmd", "HTTP" */
  struct mote_slice host;    /* the peer's, as the user gave it */
  bool whole;                /* the service is the whole name of a principal, and the host does not count */
  uint8_t mechanism;         /* enum mote_gss_mechanism */
  uint8_t delegation;        /* CURLGSSAPI_DELEGATION_*: when the peer gets the user's ticket */
};

#if MOTE_HAS_GSSAPI
/* False in a static command, which lacks the library (cmake/static_gss.c). */
bool mote_gss_is_there(void);

/* CURLE_AUTH_ERROR: the name is too long or none. *out is NULL on failure. */
CURLcode mote_gss_new(struct mote_gss **out, struct mote_account *account, struct mote_report *report,
                      const struct mote_gss_peer *peer);

/* Takes the peer's token (empty in the first round) and makes the one to send, which may be empty in the last
 * round. Peer and client are proven to each other when the context is established. */
CURLcode mote_gss_step(struct mote_gss *g, struct mote_report *report, struct mote_slice from_peer,
                       struct mote_slice *to_peer);
bool mote_gss_is_established(const struct mote_gss *g);

/* Reports whether an established context can keep messages secret, or unchanged. */
bool mote_gss_can_encrypt(const struct mote_gss *g);
bool mote_gss_can_sign(const struct mote_gss *g);

/* Signs a message, and encrypts it too. CURLE_AUTH_ERROR: the context cannot. */
CURLcode mote_gss_wrap(struct mote_gss *g, struct mote_report *report, bool encrypt,
                       struct mote_slice message, struct mote_slice *wrapped);
/* Verifies the peer's message and gives its text. *encrypted: it was encrypted. CURLE_AUTH_ERROR: it is not
 * the peer's, or was changed on its way. */
CURLcode mote_gss_unwrap(struct mote_gss *g, struct mote_report *report, struct mote_slice wrapped,
                         struct mote_slice *message, bool *encrypted);

void mote_gss_close(struct mote_gss *g); /* NULL: does nothing */
#else
#define mote_gss_is_there() false
#endif

#endif
