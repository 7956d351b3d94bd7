/* transfer/login.h: which scheme a request authenticates with, to a server or to a proxy, and what a
 * challenge changes about that. The schemes are rows (auth/scheme.h).
 *
 * A single scheme is used without asking, unless CURLAUTH_ONLY demands a challenge or the scheme needs one.
 * Out of several, a challenge chooses (CURLOPT_HTTPAUTH(3)), of this transfer or of an earlier one of the
 * handle. It is remembered with the place that it came from, and a digest's nonce with the login as well.
 *
 * Ownership: MOTE_OPT_AUTH and MOTE_OPT_PROXY_AUTH of the handle own what is remembered, one for each side.
 * Errors:    CURLE_OUT_OF_MEMORY and those of the scheme.
 * Tests:     tests/e2e/test_auth.py, test_digest.py */
#ifndef MOTE_TRANSFER_LOGIN_H
#define MOTE_TRANSFER_LOGIN_H

#include <curl/curl.h>

#include "auth/memory.h"
#include "auth/scheme.h"

struct mote_login_round;
struct mote_transfer;

/* One side of a request. */
struct mote_login {
  struct mote_transfer *t;
  unsigned long schemes;        /* CURLOPT_HTTPAUTH or CURLOPT_PROXYAUTH */
  uint16_t memory;              /* MOTE_OPT_AUTH or MOTE_OPT_PROXY_AUTH */
  struct mote_auth_place place; /* who gets the credentials */
  struct mote_auth_login login;
};

/* Reports whether CURLOPT_HTTPAUTH or its like for proxies allows one scheme alone. */
static inline bool mote_login_is_single(unsigned long schemes)
{
  schemes &= 0xffffffffUL & ~(unsigned long)CURLAUTH_ONLY;
  return schemes && !(schemes & (schemes - 1));
}

/* Returns the scheme of the next request, or NULL. *ready: it has what it needs for its field. */
const struct mote_auth_scheme *mote_login_scheme(const struct mote_login *l, bool *ready);

/* Readies a scheme that is ready for its field. False: the request goes without, and *rc may be why it
 * fails. */
bool mote_login_open(const struct mote_login *l, const struct mote_auth_scheme *scheme, CURLcode *rc);

/* Appends the value of the field, by a scheme that is ready and was readied.
 * CURLE_AUTH_ERROR: it was not. */
CURLcode mote_login_put(const struct mote_login *l, const struct mote_auth_scheme *scheme,
                        struct mote_auth_request *request, struct mote_buf *out);

/* Reads a challenge, one of the response's. Only that response counts: a scheme that an earlier one has
 * offered is not chosen, and credentials of another scheme were not refused. *offered gets the CURLAUTH_*
 * bits of all schemes that it names as well. */
CURLcode mote_login_read(const struct mote_login *l, struct mote_slice challenge,
                         struct mote_login_round *round, uint8_t *offered);

#endif
