/* net/conn.h: one connection, a stack of streams on one descriptor, in or out of the pool.
 *
 * A connection has no buffer. All connections of a multi read into the multi's one buffer, which the next
 * transfer that takes a step overwrites, so that bytes which are left over when a step ends need a place
 * of their own. Three words say where such bytes are, here and in every file above:
 *
 *   lent     received, and shown to the reader: mote_conn_read() lends all that is there, in one
 *            contiguous piece. The reader takes what it has used (mote_conn_take()). A loan ends with the
 *            step.
 *   held     received, lent and not taken: a cut line, a paused body, the next response. mote_conn_hold(),
 *            which ends each step, puts them in a block of the connection's own, under a ceiling. There they
 *            stay while they are lent again and taken in pieces, so that holding a message's rest after each
 *            of a thousand messages copies it once. The next read lends them again, in front of what has come
 *            since, which is read to where they are unless they are few; so a parser never has to join two
 *            pieces, a line that comes byte by byte is not copied with each of them, and an idle connection
 *            that holds nothing costs no buffer. Where the caller has room that stays valid until the next
 *            read, that is borrowed instead.
 *   unsent   to be sent, and refused by a short send: a block of the transfer's (run->unsent), since only
 *            the transfer knows whether they may be sent again on another connection. Nothing is sent
 *            before them.
 *
 * A reader may find that it has read too far only after it has received without a loan, on the straight
 * path of a body: mote_conn_unread() makes a loan of that rest. A peer that sends faster than the
 * application takes can fill no more than one reading and the ceiling: a direction that is paused is not
 * waited for.
 *
 * Invariants: the byte after the held ones is in the block, too, unless the room is borrowed; lent bytes are
 *             either in the held block or in the buffer given to mote_conn_read(), never in both.
 * Ownership:  the struct and its key are one block. A stream above TCP closes itself (net/stream.h).
 * Failure:    CURLcode; CURLE_TOO_LARGE when more would have to be held over than the ceiling.
 * Tests:      tests/unit/net/test_conn.c, tests/unit/net/test_layers.c */
#ifndef MOTE_NET_CONN_H
#define MOTE_NET_CONN_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"

/* Most bytes held over. The longest header line may be cut just before its end, and a paused transfer keeps
 * at most one buffer (CURLOPT_BUFFERSIZE(3) allows 10 MB). */
#define MOTE_HELD_LIMIT (10u * 1024 * 1024 + 102400u)

struct mote_account;
struct mote_ceiling;
struct mote_conn;
struct mote_driver;
struct mote_report;
struct mote_stream;

/* How a socket must be closed: CURLOPT_CLOSESOCKETFUNCTION at the time the connection was made. */
struct mote_conn_closer {
  int (*fn)(void *clientp, curl_socket_t fd);
  void *data;
};

/* The protocol's state. Valid while a transfer uses the connection, zero when the transfer begins. */
void *mote_conn_state(struct mote_conn *c);
/* The canonical identity, key_len bytes. */
const char *mote_conn_key(const struct mote_conn *c);

/* Whole seconds of the monotonic clock, which is precise enough for ages. */
static inline uint32_t mote_conn_seconds(mote_time now)
{
  return (uint32_t)(now / MOTE_SECOND);
}

/* Makes a connection without a socket; copies what the plan points to.
 * Errors: CURLE_TOO_LARGE (the key has more than 65,535 bytes), CURLE_OUT_OF_MEMORY. */
struct mote_conn_plan {
  const char *key;
  size_t key_len;                        /* at most UINT16_MAX */
  size_t state_size;                     /* bytes of protocol state, a multiple of 8 */
  const struct mote_conn_closer *closer; /* or NULL */
  const struct mote_driver *driver;      /* the protocol's, or NULL */
};
CURLcode mote_conn_new(struct mote_conn **out, struct mote_account *account,
                       const struct mote_conn_plan *plan);

/* What `count` such connections take at most, apart from what they hold over. Does not read plan->key. */
void mote_conn_ceiling(const struct mote_conn_plan *plan, size_t count, struct mote_ceiling *c);
/* Frees the connection and closes its descriptor, which leaves the wait set first. When `polite`, tries the
 * layers' goodbyes once, without waiting. */
void mote_conn_close(struct mote_conn *c, bool polite);

/* ---- the layers ---- */

/* The topmost layer of this role (enum mote_role), or NULL. */
struct mote_stream *mote_conn_layer(const struct mote_conn *c, unsigned role);

/* TLS to the server. */
bool mote_conn_has_tls(const struct mote_conn *c);

/* The socket alone: a read that returns less than it may has emptied it. */
bool mote_conn_is_plain(const struct mote_conn *c);

/* Puts layer s, whose `below` is the topmost of now, on top. It belongs to the connection from here on, and
 * is closed on failure. Bytes that were received and not taken when TLS begins came without its protection,
 * and would be used as if they had it (the injection into STARTTLS, CVE-2011-0411). So no byte crosses.
 * Errors: CURLE_WEIRD_SERVER_REPLY (reported): there are such bytes. */
CURLcode mote_conn_push(struct mote_conn *c, struct mote_stream *s);

/* Takes the topmost layer, which is not the socket, away and frees it, when the peer has ended it; the
 * connection goes on with the layers below. When `polite`, the layer says its goodbye first (FTP's CCC,
 * active or passive). BearSSL answers the peer's goodbye in any case. CURLE_AGAIN: not yet, and the watch
 * waits. Here too no byte crosses.
 * Errors: CURLE_WEIRD_SERVER_REPLY (reported): there are bytes that were received through the layer and not
 * taken; those of the layer. The connection is then only good for mote_conn_close(). */
CURLcode mote_conn_pop(struct mote_conn *c, bool polite);

/* Continues the handshakes of all layers from the bottom up. CURLE_OK: the stack is ready. CURLE_AGAIN: not
 * yet, and the watch waits for what the layer at work wants.
 * Errors: those of the layer, but CURLE_SSL_CONNECT_ERROR for a connection that breaks during a handshake of
 * TLS, whichever layer noticed it (libcurl-errors(3)). */
CURLcode mote_conn_handshake(struct mote_conn *c);

/* Continues the goodbyes of all layers from the top down. CURLE_AGAIN: not yet, and the watch waits. It never
 * waits for an answer of the peer, and needs no transfer after mote_conn_idle().
 * Errors: the first that a layer met; the layers below it have said their goodbyes all the same. */
CURLcode mote_conn_shutdown(struct mote_conn *c);

/* Does the same, and ends the sending side of the socket then. Receiving goes on. CURLE_SEND_ERROR: the
 * connection is broken. */
CURLcode mote_conn_end_sending(struct mote_conn *c);

/* Frees what the layers can do without while no transfer uses the connection. */
void mote_conn_idle(struct mote_conn *c);

/* Reports the text of a call on the socket that has failed. */
#if MOTE_HAS_TEXTS
void mote_conn_report_failure(struct mote_report *r, const char *what, int err);
#else
#define mote_conn_report_failure(r, what, err) ((void)(r), (void)(what), (void)(err))
#endif

/* Receives at most size bytes into buf without lending them. For a reader that uses everything at once, and
 * only while nothing is held over. CURLE_OK with *n == 0 means that the peer has ended its side. */
CURLcode mote_conn_receive(struct mote_conn *c, void *buf, size_t size, size_t *n);

/* True when an idle connection is still good for a request. Looks without blocking and takes no byte that
 * belongs to the protocol, so that the answer stays the same until more comes. */
bool mote_conn_alive(struct mote_conn *c);

/* Its descriptor, or CURL_SOCKET_BAD. */
curl_socket_t mote_conn_fd(const struct mote_conn *c);

/* Takes the descriptor of a connection whose driver waits for no turn out of the wait set. mote_conn_want()
 * then does nothing. */
void mote_conn_leave_set(struct mote_conn *c);

/* ---- for protocols ---- */

/* What a read has brought. */
struct mote_conn_loan {
  char *bytes; /* all that is there, what was held before first; valid until mote_conn_hold(). The byte after
                  them is the reader's too, so that a line which ends there can be shown with a NUL */
  size_t len;
  bool end;    /* the peer has ended its side: the bytes are those that were still held */
  bool full;   /* the read has filled the room that it had, so that the socket may have more. A shorter one
                  has emptied a connection that mote_conn_is_plain() */
};

/* Receives at most `most` new bytes, and no more than there is room for (loan->full); buf (size bytes) is
 * the multi's buffer. The caller takes or holds each of the lent bytes. CURLE_AGAIN: nothing new is there;
 * what is held is not lent again then, unless the peer has ended. */
CURLcode mote_conn_read(struct mote_conn *c, char *buf, size_t size, size_t most,
                        struct mote_conn_loan *loan);
/* Lends the last bytes that mote_conn_receive() returned, which the reader has not used after all. */
void mote_conn_unread(struct mote_conn *c, const char *bytes, size_t len);
/* Marks the first n of the lent bytes as used. */
void mote_conn_take(struct mote_conn *c, size_t n);
/* Leaves what is still lent where it is when that is the connection's own block. Else puts it into the
 * borrowed room when it fits (the room stays valid and untouched until the next read; it may be NULL), else
 * into the block, at most `ceiling` bytes. Every step ends with this call; without lent bytes it costs
 * nothing. */
CURLcode mote_conn_hold(struct mote_conn *c, size_t ceiling, char *room, size_t room_size);
/* Lends the held-over bytes again without reading. They come from the block, or through buf when the room
 * was borrowed (buf is at least as large). As with a read, the byte after them is the reader's. */
size_t mote_conn_lend_held(struct mote_conn *c, char *buf, char **bytes);

/* Sends; CURLE_AGAIN when the stream takes nothing now. */
CURLcode mote_conn_send(struct mote_conn *c, const void *buf, size_t len, size_t *n);
/* Sends from the file's position, which moves on. mote_conn_is_plain(c). CURLE_OK with *n == 0: its bytes
 * have to be read. */
CURLcode mote_conn_send_file(struct mote_conn *c, int file, size_t len, size_t *n);

/* True while a layer has something to give (net/stream.h), for which no event will come. */
bool mote_conn_pending(const struct mote_conn *c);

/* Waits until the topmost layer can do what `interest` (MOTE_WANT_*) says. The watch's ready() is called at
 * once when a layer below it has bytes for it. */
CURLcode mote_conn_want(struct mote_conn *c, unsigned interest);

/* The wait set has reported an event that no step has looked at yet. */
bool mote_conn_has_event(const struct mote_conn *c);

/* A step looks at the events now. */
void mote_conn_clear_events(struct mote_conn *c);

/* Makes the next step read: bytes that have come already bring no event. */
void mote_conn_look_again(struct mote_conn *c);

/* Bytes held over. */
size_t mote_conn_held(const struct mote_conn *c);

/* The peer has ended its side. */
bool mote_conn_at_end(const struct mote_conn *c);

/* Whether it may go back to the pool when the transfer leaves it. */
void mote_conn_set_reusable(struct mote_conn *c, bool reusable);

/* What one connection holds over at most when it reads `size` bytes at once and its protocol leaves no more
 * than `line` bytes untaken before it reads again. */
void mote_conn_held_ceiling(size_t size, size_t line, struct mote_ceiling *c);

#endif
