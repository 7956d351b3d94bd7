/* transfer/socket.h: one socket as the transfer's options want it, and the beginning of its connect.
 *
 * Failure: CURLE_COULDNT_CONNECT (this address does not work, another may), CURLE_INTERFACE_FAILED,
 *          CURLE_ABORTED_BY_CALLBACK, CURLE_UNIX… as CURLE_COULDNT_CONNECT; the socket is closed then.
 * Tests:   tests/e2e/test_connect.py */
#ifndef MOTE_TRANSFER_SOCKET_H
#define MOTE_TRANSFER_SOCKET_H

#include <curl/curl.h>
#include <stdbool.h>

#include "parts.h"

struct mote_addr;
struct mote_transfer;

/* Socket for `to` (NULL: the Unix socket of the options), options set, bound, connect begun. *done: it is
 * connected already. */
CURLcode mote_socket_start(struct mote_transfer *t, const struct mote_addr *to, curl_socket_t *out,
                           bool *done);

/* Close one that never became a connection: by the application's callback where there is one. */
void mote_socket_abandon(struct mote_transfer *t, curl_socket_t fd);

/* How a connect that was begun goes. CURLE_AGAIN: still under way. CURLE_COULDNT_CONNECT: told, and the
 * system's error number is kept for CURLINFO_OS_ERRNO. */
CURLcode mote_socket_result(struct mote_transfer *t, const struct mote_addr *to, curl_socket_t fd);

/* Verbose lines; to NULL: the Unix socket. */
#if MOTE_HAS_VERBOSE
void mote_socket_report_trying(struct mote_transfer *t, const struct mote_addr *to);
void mote_socket_report_failed(struct mote_transfer *t, const struct mote_addr *to, int err);
#else
#define mote_socket_report_trying(t, to) ((void)(t), (void)(to))
#define mote_socket_report_failed(t, to, err) ((void)(t), (void)(to), (void)(err))
#endif

#endif
