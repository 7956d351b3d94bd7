/* http/auth/auth.h: how a request writes credentials, to a server (auth.c) or to a proxy that passes it on
 * (proxy.c). Which scheme it uses is decided by transfer/login.h.
 *
 * Errors: the writer's rc.
 * Tests:  tests/unit/http/test_request.c, tests/e2e/test_auth.py */
#ifndef MOTE_HTTP_AUTH_AUTH_H
#define MOTE_HTTP_AUTH_AUTH_H

#include <stdint.h>

#include "auth/scheme.h"

struct mote_http_writer;
struct mote_login;
struct mote_login_round;
struct mote_out;
struct mote_transfer;

/* Writes the field if the scheme is ready, and notes so in *round. Where the scheme waits for a challenge
 * first, the request's body is held back (mote_http.probe). Returns the scheme's CURLAUTH_* bit, or 0. */
unsigned mote_http_put_login(struct mote_http_writer *w, const char *field, const struct mote_login *l,
                             struct mote_login_round *round);
/* Finds user and password for the current origin, which may have none. */
void mote_http_find_login(const struct mote_transfer *t, struct mote_auth_login *login);
/* Writes them into a connection's key (struct mote_protocol.login): those of options and URL, and of a netrc
 * file. */
void mote_http_identity(struct mote_transfer *t, struct mote_out *out);

#endif
