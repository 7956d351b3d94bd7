/* net/conn_io.h: a connection as protocols use it, an opaque struct that bytes come from and go to.
 *
 * Ownership, Failure: net/conn.h, which defines the struct.
 * Tests:     tests/unit/net/test_conn.c */
#ifndef MOTE_NET_CONN_IO_H
#define MOTE_NET_CONN_IO_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/* Most bytes held over. The longest header line may be cut just before its end, and a paused transfer keeps
 * at most one buffer (CURLOPT_BUFFERSIZE(3) allows 10 MB). */
#define MOTE_HELD_LIMIT (10u * 1024 * 1024 + 102400u)

struct mote_ceiling;
struct mote_conn;

/* Receives at most `most` new bytes; buf (size bytes) is the multi's buffer. *bytes and *len lend everything
 * that is there, what was held over first. CURLE_AGAIN means that nothing new is there; held-over bytes are
 * not lent again in that case unless the peer has ended. CURLE_OK with *end means that the peer has ended its
 * side; *len is then the number of bytes that were still held over. Lent bytes are valid until
 * mote_conn_hold(). The caller takes or holds each of them. */
CURLcode mote_conn_read(struct mote_conn *c, char *buf, size_t size, size_t most, char **bytes, size_t *len,
                        bool *end);
/* Lends the last bytes that mote_conn_receive() returned, which the reader has not used after all. */
void mote_conn_unread(struct mote_conn *c, const char *bytes, size_t len);
/* Marks the first n of the lent bytes as used. */
void mote_conn_take(struct mote_conn *c, size_t n);
/* Puts what is still lent into the borrowed room when it fits (the room stays valid and untouched until the
 * next read; it may be NULL), else into the connection's own block, at most `ceiling` bytes. Every step ends
 * with this call; without lent bytes it costs nothing. */
CURLcode mote_conn_hold(struct mote_conn *c, size_t ceiling, char *room, size_t room_size);
/* Lends the held-over bytes again without reading. They come from the block, or through buf when the room was
 * borrowed (buf is at least as large). */
size_t mote_conn_lend_held(struct mote_conn *c, char *buf, char **bytes);

/* Sends; CURLE_AGAIN when the stream takes nothing now. */
CURLcode mote_conn_send(struct mote_conn *c, const void *buf, size_t len, size_t *n);

/* True while readable bytes wait inside the streams: no event will come for them. */
bool mote_conn_pending(const struct mote_conn *c);

/* Waits for `interest` (MOTE_WANT_*) of the topmost layer. */
CURLcode mote_conn_want(struct mote_conn *c, unsigned interest);

/* Its descriptor; CURL_SOCKET_BAD while it is not connected. */
curl_socket_t mote_conn_socket(const struct mote_conn *c);
/* The wait set has reported an event that no step has looked at yet. */
bool mote_conn_has_event(const struct mote_conn *c);
/* A step looks at the events now. */
void mote_conn_clear_events(struct mote_conn *c);
/* Makes the next step read: bytes that have come already bring no event. */
void mote_conn_look_again(struct mote_conn *c);
/* Bytes held over. */
size_t mote_conn_held(const struct mote_conn *c);
bool mote_conn_has_tls(const struct mote_conn *c);
/* The peer has ended its side. */
bool mote_conn_at_end(const struct mote_conn *c);
/* Whether it may go back to the pool when the transfer leaves it. */
void mote_conn_set_reusable(struct mote_conn *c, bool reusable);

/* What one connection holds over at most when it reads `size` bytes at once and its protocol leaves no more
 * than `line` bytes untaken before it reads again. */
void mote_conn_held_ceiling(size_t size, size_t line, struct mote_ceiling *c);

#endif
