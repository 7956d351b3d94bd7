/* protocol/body.h: moves the bytes of a file or a mail between a connection and the application, for
 * protocols whose commands are lines (protocol/conversation.h).
 *
 * It is a connection of its own (FTP) or that of the commands (IMAP, POP3, SMTP). Pauses, speed limits,
 * counts and callbacks are dealt with here. A direction that is paused or limited is not waited for.
 *
 * Ownership: the connection is the caller's. What a short send leaves over is in run->unsent.
 * Errors:    those of the sink (transfer/download/sink.h) or of the source (transfer/upload/source.h), of
 *            the connection, and CURLE_PARTIAL_FILE. CURLE_AGAIN: wait.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_ftp.py */
#ifndef MOTE_PROTOCOL_BODY_H
#define MOTE_PROTOCOL_BODY_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"

struct mote_conn;
struct mote_transfer;

/* What a filter has made of some bytes. */
struct mote_body_cut {
  char *bytes; /* what goes to the application: within the bytes, which the filter may change and shift */
  size_t len;  /* bytes of that, 0: none */
  size_t used; /* bytes that the filter has used, in front; 0: it needs more of them */
  bool over;   /* the body is over after these */
};

/* Undoes the framing of a body (dots, line ends), a piece at a time. */
struct mote_body_filter {
  CURLcode (*cut)(void *state, char *bytes, size_t len, struct mote_body_cut *cut);
  void *state;   /* borrowed */
  bool open_end; /* the body may end with the connection; bytes that the filter has not used are part of it */
  bool drops_rest; /* with open_end: those bytes are not */
  bool counts_all; /* CURLINFO_SIZE_DOWNLOAD counts what the filter takes away too */
};

/* Receives a body and delivers it. It begins with bytes that the connection has lent or holds, and leaves
 * what follows the body there. *left counts the bytes that are still to come, -1: until the end of the
 * connection. filter is NULL for a body without framing; *left is then in bytes before it. The first call of
 * a body is preceded by mote_conn_look_again(). CURLE_OK: the body is over. CURLE_PARTIAL_FILE: the
 * connection has ended before that. */
CURLcode mote_body_receive(struct mote_transfer *t, struct mote_conn *c, curl_off_t *left,
                           const struct mote_body_filter *filter, mote_time now);

/* Delivers bytes of a body that cannot be read again, of any length. CURLE_AGAIN: the application has paused,
 * and what it has not taken is kept. */
CURLcode mote_body_deliver(struct mote_transfer *t, char *bytes, size_t len);

/* Reads what the transfer sends (transfer/upload/source.h) and sends it. CURLE_OK: the end was sent. */
CURLcode mote_body_send(struct mote_transfer *t, struct mote_conn *c, mote_time now);

/* Reads what the transfer sends to room, if that is in memory, of a known size, at most `most` bytes, and
 * under no speed limit: the caller sends it together with what precedes it. The bytes are counted, but not
 * reported to the debug callback. *len is 0 otherwise, and mote_body_send() sends them. */
CURLcode mote_body_take_small(struct mote_transfer *t, char *room, size_t most, size_t *len);

/* Ends a transfer whose body is over: delivers what a pause has kept. CURLE_AGAIN: the application pauses,
 * and nothing is waited for but its end. Errors of the write callback, CURLE_OUT_OF_MEMORY. */
CURLcode mote_body_finish(struct mote_transfer *t, struct mote_conn *c);

/* Sends bytes, or keeps what does not go in run->unsent, which is NULL before. CURLE_AGAIN: it did. */
CURLcode mote_body_put(struct mote_transfer *t, struct mote_conn *c, const char *bytes, size_t len);
/* Sends what is in run->unsent. CURLE_OK: that is NULL. CURLE_AGAIN: wait. */
CURLcode mote_body_flush(struct mote_transfer *t, struct mote_conn *c);

#endif
