/* tests/toys/mux.h: the toy protocol mux, many transfers on one connection.
 *
 * A frame is {type u8, flags u8, stream u16, length u32} in network order and its payload:
 *
 *   O  opens a stream; payload: the path. MUX_HAS_BODY: the client sends a body
 *   B  bytes of a body, at most MUX_FRAME_MAX and at most what the receiver's window of the stream has
 *   E  the sender's side of the stream is over; payload: a status u32, 0 is success
 *   W  the receiver of bodies gives u32 bytes more of the stream's window
 *   R  the stream is given up; payload: an error u32
 *   P  ping, and Q  its answer with the same payload of 8 bytes; stream 0
 *   G  the server takes no stream after number u32, and closes when those before it are over; stream 0
 *
 * The client's streams are 1, 3, 5 and so on. Each side of a stream begins with a window of MUX_WINDOW. The
 * client gives credit for what the write callback has taken, so that the bytes of a paused transfer stay
 * within its window.
 *
 * mux_driver.c reads for all streams and keeps the order of frames; mux.c is one exchange.
 *
 * Ownership: the connection owns struct mux, which is its driver's state; it borrows the transfers in
 *            `streams` from begin to end. The engine owns struct mux_stream.
 * Errors:    frames that break the rules above end every transfer of the connection with
 *            CURLE_WEIRD_SERVER_REPLY, those that break a window only that stream's.
 * Tests:     tests/toys/test_mux.py */
#ifndef MOTE_TOYS_MUX_H
#define MOTE_TOYS_MUX_H

#include "net/driver.h"
#include "net/mux/mux.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

#define MUX_HEAD 8u           /* bytes of a frame's head */
#define MUX_FRAME_MAX 16384u  /* most bytes of a payload; a longer frame is an attack on memory */
#define MUX_PIECE 1024u       /* most bytes of a payload that the client sends: they lie on the stack */
#define MUX_SMALL 8u          /* most bytes of the payload of any other frame that the server may send */
#define MUX_WINDOW 16384u     /* bytes */
#define MUX_CREDIT_MAX 0x7fffffffu /* most bytes of a window */
#define MUX_STREAMS 16u       /* most streams of a connection at a time */
#define MUX_LAST_ID 65533u
#define MUX_HAS_BODY 1u       /* flag of O */

/* A frame to send, or the head of one that has come. */
struct mux_frame {
  uint8_t type;
  uint8_t flags;
  uint16_t stream;
  uint32_t len;        /* bytes of the payload */
  const char *payload; /* to send: borrowed, at most MUX_PIECE bytes; else NULL */
};

/* What comes of the frame whose head is complete. */
struct mux_in {
  uint8_t head[MUX_HEAD];
  uint8_t small[MUX_SMALL]; /* the payload of any frame but B */
  uint8_t head_len;         /* bytes of head that have come */
  uint8_t small_len;        /* likewise */
  uint32_t left;            /* bytes of the payload that are still to come */
};

/* What waits until the connection takes it, in the order in which it is sent. */
struct mux_out {
  char *rest;                     /* the rest of a frame, a block of the connection's account, or NULL */
  uint32_t rest_len;              /* bytes of the block */
  uint32_t rest_at;               /* how many of them are sent */
  uint16_t resets[MUX_STREAMS];   /* streams that were given up */
  uint8_t reset_count;
  bool pong_due;
  uint8_t pong[MUX_SMALL];        /* the payload of the last ping: one answer shows that the client lives */
};

struct mux {
  struct mote_drive drive;        /* first */
  struct mote_transfer *streams[MUX_STREAMS]; /* in their exchange; NULL: free */
  struct mux_in in;
  struct mux_out out;
  uint32_t next_id;               /* of the next stream; 0 before the first transfer begins */
  uint32_t last_id;               /* with `away`: the last stream that the server serves */
  CURLcode broken;                /* why the connection can no longer be used, or CURLE_OK */
  bool away;                      /* the server takes no more streams */
};

/* The state of one exchange. */
struct mux_stream {
  struct mote_exchange exchange;  /* first */
  struct mote_kept *queue;        /* bytes that came during a pause, at most MUX_WINDOW; or NULL */
  curl_off_t credited;            /* bytes of the body for which the peer has credit again */
  uint32_t window;                /* bytes that the peer may still send */
  uint32_t credit;                /* bytes that the client may still send */
  uint32_t status;                /* with `ended` */
  uint16_t id;                    /* 0: not open yet */
  bool ended;                     /* the peer's side is over */
  bool sent;                      /* the client's side is over */
};

static inline struct mux_stream *mux_stream_of(const struct mote_transfer *t)
{
  return t->run->channel.state;
}

/* ---- mux_driver.c ---- */

extern const struct mote_driver mux_driver;

/* Puts the transfer into a free place. The driver's state begins with the first one. CURLE_RECV_ERROR: the
 * connection has broken since it was chosen. */
CURLcode mux_join(struct mux *m, struct mote_transfer *t);
/* Takes it out. Sends R if that stream is not over. */
void mux_leave(struct mux *m, struct mote_transfer *t, bool reset);

/* Sends a frame, or sends its beginning and keeps the rest. CURLE_AGAIN: nothing was sent, since an earlier
 * frame still waits; the driver wakes all transfers when that is gone. An error breaks the connection, of
 * which the transfers hear by an event. */
CURLcode mux_send(struct mux *m, const struct mux_frame *f);

static inline void mux_put32(char out[4], uint32_t v)
{
  out[0] = (char)(v >> 24);
  out[1] = (char)(v >> 16);
  out[2] = (char)(v >> 8);
  out[3] = (char)v;
}

#endif
