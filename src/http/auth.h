/* http/auth.h: authentication schemes, each a row that its part adds (ROWS in cmake/parts.cmake).
 *
 * auth.c decides which scheme a request uses. A scheme knows its credentials, and takes them only if they may
 * go to the current origin (mote_http_auth_allowed()).
 *
 * Errors: the writer's rc.
 * Tests:  tests/unit/http/test_request.c, tests/e2e/test_auth.py */
#ifndef MOTE_HTTP_AUTH_H
#define MOTE_HTTP_AUTH_H

#include "http/request.h"

struct mote_auth_scheme {
  const char *name; /* as a challenge names it, lower case */
  uint8_t bit;      /* CURLAUTH_* */
  uint8_t rank;     /* out of several usable schemes the highest is used */
  /* Reports whether there are credentials for the current origin. */
  bool (*usable)(struct mote_transfer *t);
  /* Writes the field, for a transfer that the scheme is usable for. */
  void (*put)(struct mote_http_writer *w);
};

/* User and password, as they are or percent-encoded, which those of a URL are. */
struct mote_http_login {
  struct mote_slice user;
  struct mote_slice password;
  bool user_coded;
  bool password_coded;
};

/* auth_basic.c: writes a field with Basic credentials. */
void mote_http_put_basic(struct mote_http_writer *w, const char *field, const struct mote_http_login *login);

/* auth.c: returns the CURLAUTH_* bits of the schemes that a challenge names, built in or not. */
unsigned long mote_http_auth_named(struct mote_slice challenge);

/* The schemes of this build; NULL ends them. */
extern const struct mote_auth_scheme *const mote_auth_schemes[];

#endif
