/* connect/socket.h: makes one socket as the transfer's options say and begins its connect.
 *
 * Errors: CURLE_COULDNT_CONNECT (this address fails, another may work), CURLE_INTERFACE_FAILED,
 *         CURLE_ABORTED_BY_CALLBACK. The socket is closed then.
 * Tests:  tests/e2e/test_connect.py */
#ifndef MOTE_CONNECT_SOCKET_H
#define MOTE_CONNECT_SOCKET_H

#include <curl/curl.h>
#include <stdbool.h>

#include "parts.h"

struct mote_addr;
struct mote_transfer;

/* Opens a socket for `to` (NULL: the Unix socket of the options), sets its options, binds it and begins to
 * connect. *done: it is connected already. */
CURLcode mote_socket_start(struct mote_transfer *t, const struct mote_addr *to, curl_socket_t *out,
                           bool *done);

/* Closes a socket that never became a connection's, by the application's callback if there is one. */
void mote_socket_abandon(struct mote_transfer *t, curl_socket_t fd);

/* Returns the state of a connect. CURLE_AGAIN: under way. CURLE_COULDNT_CONNECT: failed and reported; the
 * system's error number is kept for CURLINFO_OS_ERRNO. */
CURLcode mote_socket_result(struct mote_transfer *t, const struct mote_addr *to, curl_socket_t fd);

/* Write the verbose lines. to is NULL for the Unix socket. */
#if MOTE_HAS_VERBOSE
void mote_socket_report_trying(struct mote_transfer *t, const struct mote_addr *to);
void mote_socket_report_failed(struct mote_transfer *t, const struct mote_addr *to, int err);
#else
#define mote_socket_report_trying(t, to) ((void)(t), (void)(to))
#define mote_socket_report_failed(t, to, err) ((void)(t), (void)(to), (void)(err))
#endif

#endif
