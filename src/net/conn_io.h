/* net/conn_io.h: a connection as protocols use it: an opaque struct mote_conn that bytes come from and go to.
 *
 * Ownership, failure: net/conn.h, where the struct is.
 * Tests:     tests/unit/net/test_conn.c */
#ifndef MOTE_NET_CONN_IO_H
#define MOTE_NET_CONN_IO_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/* Most bytes held over: a header line that is cut may be as long as a header line may be, and a paused
 * transfer keeps at most one buffer (CURLOPT_BUFFERSIZE(3) allows 10 MB). */
#define MOTE_HELD_LIMIT (10u * 1024 * 1024 + 102400u)

struct mote_ceiling;
struct mote_conn;

/* Receive. buf (size bytes) is the multi's buffer; at most `most` new bytes are read. *bytes, *len lend
 * everything that is there, what was held over first. CURLE_AGAIN: nothing new now (held-over bytes are
 * not lent again in that case unless the peer has ended). CURLE_OK with *end: the peer ended its side;
 * *len tells what was still held over.
 * Lent bytes are valid until mote_conn_hold(); each must be taken or held. */
CURLcode mote_conn_read(struct mote_conn *c, char *buf, size_t size, size_t most, char **bytes, size_t *len,
                        bool *end);
/* The last bytes that mote_conn_receive() brought were not used after all: they are lent now. */
void mote_conn_unread(struct mote_conn *c, const char *bytes, size_t len);
/* n of the lent bytes are used up. */
void mote_conn_take(struct mote_conn *c, size_t n);
/* Put what is still lent into the borrowed room when it fits (room stays valid and untouched until the next
 * read; it may be NULL), else into the connection's own block, at most `ceiling` bytes. Always call it before
 * the step ends; without lent bytes it costs nothing. */
CURLcode mote_conn_hold(struct mote_conn *c, size_t ceiling, char *room, size_t room_size);
/* Lend the held-over bytes again without reading: from the block, or through buf when the room was borrowed
 * (buf is at least as large). */
size_t mote_conn_lend_held(struct mote_conn *c, char *buf, char **bytes);

/* Send; CURLE_AGAIN when nothing could be sent. */
CURLcode mote_conn_send(struct mote_conn *c, const void *buf, size_t len, size_t *n);

/* Readable bytes wait inside the streams (no event will come for them). */
bool mote_conn_pending(const struct mote_conn *c);

/* Wait for `interest` (MOTE_WANT_*) of the topmost layer. */
CURLcode mote_conn_want(struct mote_conn *c, unsigned interest);

/* Its descriptor, CURL_SOCKET_BAD: it is not connected. */
curl_socket_t mote_conn_socket(const struct mote_conn *c);
/* The wait set has told of something that nobody has looked at yet. */
bool mote_conn_has_event(const struct mote_conn *c);
/* It is looked at now. */
void mote_conn_clear_events(struct mote_conn *c);
/* Look for something to read in the next step: no event tells of what has come already. */
void mote_conn_look_again(struct mote_conn *c);
/* Bytes held over. */
size_t mote_conn_held(const struct mote_conn *c);
bool mote_conn_has_tls(const struct mote_conn *c);
/* The peer has ended its side. */
bool mote_conn_at_end(const struct mote_conn *c);
/* It may go back to the pool when the transfer leaves it. */
void mote_conn_set_reusable(struct mote_conn *c, bool reusable);

/* What one connection holds over at most: it reads `size` bytes at once, and its protocol leaves no more than
 * `line` bytes lying before it reads again. */
void mote_conn_held_ceiling(size_t size, size_t line, struct mote_ceiling *c);

#endif
