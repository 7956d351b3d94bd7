/* protocol/mail.h: what IMAP, POP3 and SMTP have in common: whose mailbox it is, when TLS begins, and how
 * words of URLs and options go into commands.
 *
 * A URL's words are percent-encoded. mote_mail_prepare() refuses control characters in all of them, and in
 * user and password, before a connection is made.
 *
 * Ownership: slices are those of the options and of the URL.
 * Errors:    CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT (user and password by options), and those of a
 *            netrc file and of the source.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_pop3.py, test_smtp.py */
#ifndef MOTE_PROTOCOL_MAIL_H
#define MOTE_PROTOCOL_MAIL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "net/conn.h"
#include "transfer/transfer.h"

struct mote_auth_login;
struct mote_reader_row;

/* The protocol's state of the transfer's connection, which begins with struct mote_pp. */
static inline void *mote_mail_state(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

/* Checks what all three have, and opens what is sent (CURLOPT_UPLOAD, CURLOPT_MIMEPOST). */
CURLcode mote_mail_prepare(struct mote_transfer *t);

/* Finds user, password and token. False: none of them was set, not even to nothing, so that the client does
 * not log in. */
bool mote_mail_login(const struct mote_transfer *t, struct mote_auth_login *login);

/* Returns the login options of CURLOPT_LOGIN_OPTIONS or the URL. Empty: there are none. */
struct mote_slice mote_mail_options(const struct mote_transfer *t);

/* Reports whether the connection has no TLS and is to have it (CURLOPT_USE_SSL). */
bool mote_mail_wants_tls(const struct mote_transfer *t);
/* Reports whether bytes have come after the line that is lent. */
bool mote_mail_has_more(const struct mote_transfer *t);
/* Fails with CURLE_WEIRD_SERVER_REPLY: the server has answered what it was not asked. */
CURLcode mote_mail_out_of_turn(struct mote_transfer *t);
/* Takes the reply to the command that begins TLS, which is the line that is lent. What came after it in the
 * same packet would answer commands that were not sent, to a client that goes on without TLS.
 * CURLE_WEIRD_SERVER_REPLY, or those of mote_mail_without_tls() where TLS is not granted. */
CURLcode mote_mail_take_tls(struct mote_transfer *t, bool granted);
/* What follows when the server has no TLS or refuses it. CURLE_OK: it goes on without.
 * CURLE_USE_SSL_FAILED. */
CURLcode mote_mail_without_tls(struct mote_transfer *t);

/* Returns the URL's path without its first slash. */
struct mote_slice mote_mail_path(const struct mote_transfer *t);

/* Copies a word, decoded when it is `coded`, and returns the place after it. There is room for all of it. */
char *mote_mail_put(char *at, struct mote_slice word, bool coded);
/* Copies a text. */
char *mote_mail_text(char *at, const char *text);

/* Opens a mail made of parts (CURLOPT_MIMEPOST) with its head. */
#if MOTE_HAS_FORMS
CURLcode mote_mail_open_parts(struct mote_transfer *t);
#else
#define mote_mail_open_parts(t) ((void)(t), (CURLcode)CURLE_NOT_BUILT_IN)
#endif

/* The reader that puts a mail's dots in and ends it, above all others. */
extern const struct mote_reader_row mote_mail_dots;

#endif
