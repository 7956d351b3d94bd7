/* connect/data.h: the second connection of a transfer, for a protocol that moves its data apart from its
 * commands (FTP, RFC 959 section 3.2).
 *
 * It goes to an address that the server has named, and is made with the options and callbacks of the
 * transfer. It is in no pool and counts for no limit, because no other transfer can use it. Its own step is
 * part of the transfer's: the descriptor wakes the transfer. The deadlines are the transfer's too, and
 * CURLOPT_CONNECTTIMEOUT_MS begins again for it. Bytes are read and sent with the functions of net/conn.h.
 *
 * Only connections that this side begins (passive mode) are built. One that the server begins will be
 * accepted here, from the address of the control connection alone.
 *
 * An upload ends in two steps. mote_data_finish() ends the sending side alone. The connection is closed when
 * the control connection brings the final reply, or at the end of the transfer, under whose deadlines that
 * reply is waited for. Bytes that the server has sent and that were not read (session tickets of TLS 1.3)
 * would make the system reset a connection that is closed earlier, and the end of the file would be lost with
 * what the system still holds of it.
 *
 * Invariants: the connection and its dial are one block, of the multi's account; it never goes idle.
 * Ownership:  the protocol's state of the exchange owns it. end() closes it, so that a transfer that is
 *             removed in any state closes both connections.
 * Errors:     a CURLcode, with a text in the transfer's report.
 * Tests:      tests/toys/test_login.py */
#ifndef MOTE_CONNECT_DATA_H
#define MOTE_CONNECT_DATA_H

#include <curl/curl.h>
#include <stdbool.h>

#include "base/time.h"

struct mote_addr;
struct mote_conn;
struct mote_transfer;

/* Begins to connect to `to`, with TLS to the transfer's origin on top if `tls`. *out is NULL after an error.
 * CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_ABORTED_BY_CALLBACK, CURLE_OUT_OF_MEMORY. */
CURLcode mote_data_open(struct mote_transfer *t, struct mote_conn **out, const struct mote_addr *to, bool tls,
                        mote_time now);

/* Continues the dial. CURLE_OK: the connection is ready, also in later calls. CURLE_AGAIN: wait.
 * CURLE_COULDNT_CONNECT, or one of those of mote_dial_tls(). */
CURLcode mote_data_step(struct mote_transfer *t, struct mote_conn *c);

/* Ends what was sent, with the goodbyes of the layers and the end of the socket's sending side.
 * CURLE_OK, also in later calls: the server gets all of it, and the connection waits for nothing. Its owner
 * closes it when the server has confirmed the file, or has refused it.
 * CURLE_AGAIN: wait. CURLE_SEND_ERROR: the end could not be sent. */
CURLcode mote_data_finish(struct mote_conn *c);

/* Closes the connection without a goodbye; *c is NULL then. After mote_data_finish() it keeps the session
 * tickets that have come, as the next data connection may need one. Does nothing without a connection. */
void mote_data_close(struct mote_transfer *t, struct mote_conn **c);

#endif
