/* connect/data/data.h: the second connection of a transfer, for a protocol that moves its data apart from its
 * commands (FTP, RFC 959 section 3.2).
 *
 * It is made with the options and callbacks of the transfer, either by this side, to what the server has
 * named (mote_data_open(), passive mode), or by the server, to a socket that waits here (mote_data_listen(),
 * active mode). It is in no pool and counts for no limit, because no other transfer can use it. Its own step
 * is part of the transfer's: the descriptor wakes the transfer. Bytes are read and sent with the functions of
 * net/conn.h.
 *
 * The deadlines are the transfer's. CURLOPT_CONNECTTIMEOUT_MS begins again with the first mote_data_step()
 * that has to wait, and for the handshake of TLS on a connection that the server has begun.
 * CURLOPT_ACCEPTTIMEOUT_MS begins with the first mote_data_step() after mote_data_listen(), which the
 * protocol calls when its command has been sent. Until the connection is ready, MOTE_TIMER_STATE belongs to
 * it.
 *
 * An upload ends in two steps. mote_data_finish() ends the sending side alone. The connection is closed when
 * the control connection brings the final reply, or at the end of the transfer, under whose deadlines that
 * reply is waited for. Bytes that the server has sent and that were not read (session tickets of TLS 1.3)
 * would make the system reset a connection that is closed earlier, and the end of the file would be lost with
 * what the system still holds of it.
 *
 * Files: data.c (states, end), data_open.c (passive mode), data_proxy.c (the same by proxies), data_listen.c
 * (active mode).
 *
 * Invariants: the connection and its dial are one block, of the multi's account; it never goes idle.
 * Ownership:  the protocol's state of the exchange owns it. end() closes it, so that a transfer that is
 *             removed in any state closes both connections.
 * Errors:     a CURLcode, with a text in the transfer's report.
 * Tests:      tests/toys/test_login.py, test_active.py */
#ifndef MOTE_CONNECT_DATA_DATA_H
#define MOTE_CONNECT_DATA_DATA_H

#include <curl/curl.h>
#include <stdbool.h>

#include "base/time.h"
#include "parts.h"

struct mote_addr;
struct mote_conn;
struct mote_transfer;

/* Begins to connect to `to`, with TLS to the transfer's origin on top if `tls`. Family NONE is the host that
 * the control connection goes to; the port counts alone. Where that goes by proxies, so does this, from the
 * same address of the first of them on (data_proxy.c), and the last one gets host or address as it got that
 * of the control connection. *out is NULL after an error.
 * CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_ABORTED_BY_CALLBACK, CURLE_OUT_OF_MEMORY. */
CURLcode mote_data_open(struct mote_transfer *t, struct mote_conn **out, const struct mote_addr *to,
                        bool tls);

/* Opens a socket that waits for the server, where `where` says (the text of CURLOPT_FTPPORT(3); "-": the
 * control connection's own address). *named is the address and port for the command to the server. An address
 * that is none of this machine is named all the same, as a router in front of it may have it; the socket is
 * then bound to the control connection's.
 * CURLE_AGAIN: a name is being looked up. Call again with the same arguments; *out is the connection already.
 * CURLE_FTP_PORT_FAILED: no socket could be bound, or the address is of another IP version than the control
 * connection's. CURLE_COULDNT_RESOLVE_HOST, CURLE_OUT_OF_MEMORY. *out is NULL after an error. */
#if MOTE_HAS_DATA_LISTEN
CURLcode mote_data_listen(struct mote_transfer *t, struct mote_conn **out, const char *where, bool tls,
                          mote_time now, struct mote_addr *named);
#else
#define mote_data_listen(t, out, where, tls, now, named) \
  ((void)(t), (void)(out), (void)(where), (void)(tls), (void)(now), (void)(named), \
   (CURLcode)CURLE_NOT_BUILT_IN)
#endif

/* Continues the dial. CURLE_OK: the connection is ready, also in later calls. CURLE_AGAIN: wait. The server
 * may begin a connection before it has answered the command that needs it.
 * Only the control connection's peer is let in: connections from other addresses are closed at once.
 * CURLE_COULDNT_CONNECT, CURLE_PROXY, one of those of mote_dial_tls(), CURLE_FTP_ACCEPT_TIMEOUT,
 * CURLE_FTP_ACCEPT_FAILED, CURLE_ABORTED_BY_CALLBACK. */
CURLcode mote_data_step(struct mote_transfer *t, struct mote_conn *c, mote_time now);

/* Reports whether the server has begun the connection that was waited for, or this side has connected: from
 * then on an end without bytes is that of the data. */
bool mote_data_is_connected(const struct mote_conn *c);

/* Ends what was sent, with the goodbyes of the layers and the end of the socket's sending side.
 * CURLE_OK, also in later calls: the server gets all of it, and the connection waits for nothing. Its owner
 * closes it when the server has confirmed the file, or has refused it.
 * CURLE_AGAIN: wait. CURLE_SEND_ERROR: the end could not be sent. */
CURLcode mote_data_finish(struct mote_conn *c);

/* Closes the connection without a goodbye; *c is NULL then. After mote_data_finish() it keeps the session
 * tickets that have come, as the next data connection may need one. Does nothing without a connection. */
void mote_data_close(struct mote_transfer *t, struct mote_conn **c);

#endif
