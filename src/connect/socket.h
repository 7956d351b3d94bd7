/* connect/socket.h: makes one socket as the transfer's options say and begins its connect.
 *
 * Errors: CURLE_COULDNT_CONNECT (this address fails, another may work), CURLE_INTERFACE_FAILED,
 *         CURLE_ABORTED_BY_CALLBACK. The socket is closed then.
 * Tests:  tests/e2e/test_connect.py */
#ifndef MOTE_CONNECT_SOCKET_H
#define MOTE_CONNECT_SOCKET_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "parts.h"

struct mote_addr;
struct mote_target;
struct mote_transfer;

/* What a socket is for. */
enum mote_socket_use {
  MOTE_SOCKET_TURNS, /* both sides speak in turns: CURLOPT_TCP_NODELAY counts */
  MOTE_SOCKET_FLOW,  /* a stream of data, which gains nothing by that */
  MOTE_SOCKET_QUIC   /* datagrams */
};

/* Opens a socket for `to` (NULL: the Unix socket of the options), sets its options, binds it and begins to
 * connect. *done: it is connected already. */
CURLcode mote_socket_start(struct mote_transfer *t, const struct mote_addr *to, enum mote_socket_use use,
                           curl_socket_t *out, bool *done);

/* Makes a socket for the target, by the application's callback if there is one. *err: the platform's error, 0
 * if there is a socket. CURLE_COULDNT_CONNECT: the callback gave none (reported). */
CURLcode mote_socket_open(struct mote_transfer *t, struct mote_target *target, curl_socket_t *fd, int *err);

/* Calls CURLOPT_SOCKOPTFUNCTION. *connected: the callback reports that the socket is connected already. */
CURLcode mote_socket_ask(struct mote_transfer *t, curl_socket_t fd, curlsocktype purpose, bool *connected);

/* Closes a socket that never became a connection's, by the application's callback if there is one. */
void mote_socket_abandon(struct mote_transfer *t, curl_socket_t fd);

/* Returns the state of a connect. CURLE_AGAIN: under way. CURLE_COULDNT_CONNECT: failed and reported; the
 * system's error number is kept for CURLINFO_OS_ERRNO. */
CURLcode mote_socket_result(struct mote_transfer *t, const struct mote_addr *to, curl_socket_t fd);

/* ---- sockets that wait (connect/data/socket_listen.c, with part data_listen) ---- */

/* Finds the address of the named interface that is of the kind of `like`. False: there is none. */
bool mote_socket_interface(struct mote_slice name, const struct mote_addr *like, struct mote_addr *out);

/* Opens a socket that waits for connections to `local`, on the first port that can be had from local->port
 * (0: any) to `last`. An address that is none of this machine is replaced by that of `instead`. *local then
 * has what was bound. CURLE_FTP_PORT_FAILED (reported). */
CURLcode mote_socket_listen(struct mote_transfer *t, struct mote_addr *local, uint16_t last,
                            const struct mote_addr *instead, curl_socket_t *out);

/* Takes a connection that waits, and calls CURLOPT_SOCKOPTFUNCTION for it. One that does not come from the
 * address of `from` is closed. CURLE_AGAIN: there is none now. CURLE_FTP_ACCEPT_FAILED,
 * CURLE_ABORTED_BY_CALLBACK (reported). */
CURLcode mote_socket_accept(struct mote_transfer *t, curl_socket_t fd, const struct mote_addr *from,
                            curl_socket_t *out);

/* Write the verbose lines of a transfer that wants them. to is NULL for the Unix socket. */
#if MOTE_HAS_VERBOSE
void mote_socket_report_trying(struct mote_transfer *t, const struct mote_addr *to);
void mote_socket_report_failed(struct mote_transfer *t, const struct mote_addr *to, int err);
#else
#define mote_socket_report_trying(t, to) ((void)(t), (void)(to))
#define mote_socket_report_failed(t, to, err) ((void)(t), (void)(to), (void)(err))
#endif

#endif
