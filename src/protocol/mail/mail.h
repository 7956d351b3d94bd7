/* protocol/mail/mail.h: whose mailbox it is that IMAP, POP3 and SMTP go to, and how words of URLs and
 * options go into commands.
 *
 * A URL's words are percent-encoded. mote_mail_check_words() refuses control characters in all of them, and
 * in user and password.
 *
 * Ownership: slices are those of the options and of the URL.
 * Errors:    CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT (user and password by options).
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_imap.py, test_pop3.py, test_smtp.py */
#ifndef MOTE_PROTOCOL_MAIL_MAIL_H
#define MOTE_PROTOCOL_MAIL_MAIL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "parts.h"

struct mote_reader_row;
struct mote_slice;
struct mote_transfer;

/* Checks the words of the URL and the options, before a connection is made. */
CURLcode mote_mail_check_words(struct mote_transfer *t);

/* Returns CURLOPT_CUSTOMREQUEST, or NULL. */
const char *mote_mail_custom(const struct mote_transfer *t);

/* Returns the URL's path without its first slash. */
struct mote_slice mote_mail_path(const struct mote_transfer *t);

/* The reader that puts a mail's dots in and ends it, above all others. */
extern const struct mote_reader_row mote_mail_dots;

#endif
