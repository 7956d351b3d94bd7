/* protocol/ws/ws.h: WebSocket (RFC 6455), which begins with an exchange of HTTP/1.1 and goes on with frames.
 *
 * ws.c has the handshake, and the transfer whose frames go to the write callback and come from the read
 * callback. With CURLOPT_CONNECT_ONLY = 2 the transfer ends with the handshake, and the handle owns the
 * connection (api/easy/ws.c). ws_frames.c receives and sends frames for both.
 *
 * Memory is bounded whatever the peer does. At most MOTE_WS_AHEAD bytes are read ahead of the application,
 * a PING is answered from a block that the next one takes over, and what a short send leaves is one piece.
 * None of these blocks exists while the connection is idle.
 *
 * Ownership: the state is the connection's, from the handshake on to its end; so are the blocks.
 * Errors:    CURLE_RECV_ERROR (a wrong frame), CURLE_GOT_NOTHING (the server has closed the connection),
 *            CURLE_SEND_ERROR, CURLE_OUT_OF_MEMORY. CURLE_AGAIN: not now.
 * Tests:     tests/e2e/test_ws.py */
#ifndef MOTE_PROTOCOL_WS_WS_H
#define MOTE_PROTOCOL_WS_WS_H

#include "codec/http/websocket.h"
#include "protocol/http1/h1.h"
#include "transfer/protocol.h"

#define MOTE_WS_AHEAD 4096u   /* most bytes read before the head of the frame is known */
#define MOTE_WS_PIECE 16384u  /* most bytes of one send, head included */
#define MOTE_WS_SMALL 256u    /* bytes that are masked without a block */
#define MOTE_WS_RANDOM 48u    /* random bytes fetched at once; four mask a frame */

/* Bytes to send; a block of the connection's account. */
struct mote_ws_block {
  uint32_t at;  /* bytes already sent */
  uint32_t len; /* bytes to send */
  uint32_t cap; /* bytes of room */
  char bytes[];
};

enum mote_ws_accept {
  MOTE_WS_ACCEPT_NONE,  /* the response has no Sec-WebSocket-Accept */
  MOTE_WS_ACCEPT_RIGHT,
  MOTE_WS_ACCEPT_WRONG
};

struct mote_ws {
  struct mote_h1 h1;                   /* first: mote_h1_of() and mote_http_of() during the handshake */
  struct mote_websocket_reader in;
  struct mote_websocket_writer out;
  struct curl_ws_frame meta;           /* the application's, of the bytes that it got last */
  struct mote_ws_block *unsent;        /* what a short send has left, or NULL */
  struct mote_ws_block *pong;          /* the answer to a PING, or NULL */
  uint8_t random[MOTE_WS_RANDOM];      /* the last random_left bytes are unused; first the nonce */
  uint8_t random_left;
  char head[MOTE_WEBSOCKET_HEAD];      /* of the current frame to send; its first head_len bytes are unsent */
  uint8_t head_len;
  uint8_t accept;                      /* enum mote_ws_accept */
  uint8_t failed;                      /* CURLcode that has ended sending within a frame, or 0 */
  uint8_t answers;                     /* to PINGs, sent while this call receives */
  uint16_t owed;                       /* bytes of payload in front of the application's next curl_ws_send(),
                                          which were taken, but did not leave in time to be reported */
  bool open : 1;                       /* the handshake is over */
  bool broken : 1;                     /* a frame was wrong: nothing more is read */
  bool answering : 1;                  /* the current frame is a PING, whose payload goes to `pong` */
  bool delivering : 1;                 /* a write callback runs or is paused: meta is about its bytes */
  bool uploads : 1;                    /* the read callback may have more */
  bool ended : 1;                      /* the server has closed its side */
  bool started : 1;                    /* curl_ws_start_frame() was called in this read */
};

/* Returns the state. run->channel.conn must not be NULL. */
static inline struct mote_ws *mote_ws_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

/* The application sends and receives frames as they are (CURLOPT_WS_OPTIONS(3)). */
static inline bool mote_ws_is_raw(const struct mote_transfer *t)
{
  return (mote_opt_long(&t->options, CURLOPT_WS_OPTIONS) & CURLWS_RAW_MODE) != 0;
}

extern const struct mote_protocol mote_protocol_ws;

/* Returns the state of an open WebSocket that is the transfer's, or NULL. */
struct mote_ws *mote_ws_find(const struct mote_transfer *t);

/* ---- ws_frames.c ---- */

/* Makes the first n bytes of w->random fresh. Those of mote_port_random(). */
CURLcode mote_ws_refill(struct mote_ws *w, size_t n);

/* Passes over heads and PINGs, which it answers, in the bytes at hand. *used: those that are done with.
 * *payload: the next ones, if there are any, belong to a frame for the application, w->in, which may have
 * none. */
CURLcode mote_ws_next(struct mote_transfer *t, const char *bytes, size_t len, size_t *used, bool *payload);
/* Judges the next n bytes of the frame, which may end a text. CURLE_RECV_ERROR: it is not UTF-8. */
CURLcode mote_ws_judge(struct mote_transfer *t, const char *bytes, size_t n);
/* Notes in meta that the application gets the next n bytes of the frame. */
void mote_ws_give(struct mote_ws *w, size_t n);

/* Receives into the application's memory, as curl_ws_recv(3) does. */
CURLcode mote_ws_receive(struct mote_transfer *t, char *buf, size_t size, size_t *n);

/* A call has received what it could: sends the answer to its last PING, which may wait. */
void mote_ws_answer_last(struct mote_transfer *t);
/* Sends what waits. CURLE_AGAIN: some of it still does. */
CURLcode mote_ws_flush(struct mote_transfer *t);
/* Begins a frame, whose head goes with its first bytes, or alone by mote_ws_flush().
 * Errors: CURLE_BAD_FUNCTION_ARGUMENT (flags), CURLE_TOO_LARGE (a control frame), CURLE_FAILED_INIT (no
 * random bytes), CURLE_OUT_OF_MEMORY. */
CURLcode mote_ws_begin_frame(struct mote_transfer *t, unsigned flags, uint64_t size);
/* Sends len bytes of the current frame, at most w->out.left. *taken: those that have left or are kept, all of
 * them unless the connection is full. After an error it is those of the pieces before, and the WebSocket
 * sends no more. The caller sees to it that mote_ws_flush() is called until nothing is kept. */
CURLcode mote_ws_send(struct mote_transfer *t, const char *bytes, size_t len, size_t *taken);
/* The same for an application that calls again until *sent is len (curl_ws_send(3)): only what has left
 * counts. What is kept counts in a later call, which gets the same bytes; its len is at most w->out.left and
 * w->owed. mote_ws_flush() has returned CURLE_OK. CURLE_AGAIN: nothing has left. */
CURLcode mote_ws_send_again(struct mote_transfer *t, const char *bytes, size_t len, size_t *sent);

/* Sends bytes that are frames already, and keeps what is left over. mote_ws_flush() has returned CURLE_OK. */
CURLcode mote_ws_send_raw(struct mote_transfer *t, const char *bytes, size_t len);

/* Frees the blocks. */
void mote_ws_discard(struct mote_conn *c);

#endif
