/* protocol/login.h: user and password in protocols whose commands carry them.
 *
 * They are the same as HTTP's: of the URL, of options, of a netrc file (http/auth/auth.h).
 * Tests: tests/e2e/test_ftp.py, test_imap.py, test_pop3.py, test_smtp.py */
#ifndef MOTE_PROTOCOL_LOGIN_H
#define MOTE_PROTOCOL_LOGIN_H

#include <curl/curl.h>
#include <stdbool.h>

struct mote_auth_login;
struct mote_transfer;

/* Finds user and password for the current origin. False: neither was set, not even to nothing. */
bool mote_login_given(const struct mote_transfer *t, struct mote_auth_login *login);
/* Checks that they have no control character, since commands have them as they are.
 * CURLE_URL_MALFORMAT: the URL's have one. CURLE_BAD_FUNCTION_ARGUMENT: those of options. */
CURLcode mote_login_check(struct mote_transfer *t);

#endif
