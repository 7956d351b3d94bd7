/* http/auth/netrc.h: credentials of the current request's host from a netrc file (CURLOPT_NETRC(3)).
 *
 * The file is read once: the answer, found or not, is kept by the handle together with what it depends on,
 * and is good until one of that changes: path, time, size and number of the file, which is looked at for
 * each request, host, and user. While no option was set and the URL of the option is the same, the path of
 * the option, host and user are not compared again; HSTS changes neither. With it is kept what the request's
 * field had, which depends on the options besides. What is no regular file, as a pipe, is read again by each
 * transfer, and within one for another host or user.
 *
 * Ownership: the answer is an option of the handle (MOTE_OPT_NETRC).
 * Errors:    CURLE_READ_ERROR: CURL_NETRC_REQUIRED, and the file cannot be read or understood, or its
 *            credentials are to be printable and have a control character; CURLE_OUT_OF_MEMORY.
 * Tests:     tests/e2e/test_netrc.py */
#ifndef MOTE_HTTP_AUTH_NETRC_H
#define MOTE_HTTP_AUTH_NETRC_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "parts.h"

struct mote_slice;
struct mote_transfer;

#if MOTE_HAS_NETRC

/* Looks for what the request does not have, before it is made. */
CURLcode mote_netrc_find(struct mote_transfer *t);
/* Does the same for a protocol in whose commands credentials stand as they are. */
CURLcode mote_netrc_find_printable(struct mote_transfer *t);
/* Reports whether the file has credentials for the request. *login keeps its value where the request named
 * the user itself. */
bool mote_netrc_login(const struct mote_transfer *t, struct mote_slice *login, struct mote_slice *password);
/* Keeps the value of the request's field with the blank before it, which was made from the answer and the
 * options alone. scheme: its CURLAUTH_* bit. */
void mote_netrc_keep_field(struct mote_transfer *t, struct mote_slice value, uint8_t scheme);
/* Returns the scheme of the value that was kept, if this request has the same, or 0. */
uint8_t mote_netrc_field(const struct mote_transfer *t, struct mote_slice *value);

#else
#define mote_netrc_find(t) ((void)(t), (CURLcode)CURLE_OK)
#define mote_netrc_find_printable(t) ((void)(t), (CURLcode)CURLE_OK)
#define mote_netrc_login(t, login, password) ((void)(t), (void)(login), (void)(password), false)
#define mote_netrc_keep_field(t, value, scheme) ((void)(t), (void)(value), (void)(scheme))
#define mote_netrc_field(t, value) ((void)(t), (void)(value), 0)
#endif

#endif
