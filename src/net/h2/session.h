/* net/h2/session.h: one session of HTTP/2 (RFC 9113), from the bytes of a connection to events of its
 * streams and back. Frames are nghttp2's.
 *
 * The owner reads bytes and gives them to mote_h2_take(). What they bring goes to its callbacks, by stream.
 * It asks for streams, credit and resets, and calls mote_h2_send(), which gathers frames into few sends, so
 * that what all streams have to say leaves together. What the connection does not take is kept in `rest`,
 * and no other frame is made before that has left. The order within a turn is therefore: take all that came,
 * give credit, send.
 *
 * The end has three forms. `away`: the peer takes no more streams, and those that it serves go on (section
 * 6.8). `mute`: sending has failed, and what the peer has sent before is still to be taken; it may be a
 * response, or the reason. `broken`: nothing goes on, and the owner says so to the streams. Each calls
 * user->leave.
 *
 * A stream's window is its owner's business (net/mux/window.h). That of the connection is so large that only
 * those of the streams count.
 *
 * Ownership:  the owner embeds the session, which does not move while it is open, and the streams, which are
 *             in its list from mote_h2_join() to mote_h2_leave(). The session's memory is a slab
 *             (base/memory/slab.h), charged to the account.
 * Errors:     broken: CURLE_HTTP2: the peer broke the protocol or sent nothing of use; `why` may have a text.
 *             CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_OUT_OF_MEMORY.
 * Bounds:     MOTE_H2_ANSWERS, MOTE_H2_HEAD_SENT, MOTE_MUX_IDLE_FRAMES; nghttp2 has those of heads that come.
 * Tests:      tests/unit/net/test_h2_session.c, tests/unit/stream/test_tunnel_h2.c,
 *             tests/e2e/test_h2_attacks.py */
#ifndef MOTE_NET_H2_SESSION_H
#define MOTE_NET_H2_SESSION_H

#include <curl/curl.h>
#include <nghttp2/nghttp2.h>

#include "base/memory/slab.h"
#include "base/text.h"

/* Streams that a peer may open, where it may push. */
#define MOTE_H2_STREAMS 100u
/* Bytes of the window of a connection. Those of the streams limit what the peer sends. */
#define MOTE_H2_CONNECTION_WINDOW (1000u << 20)
/* Answers to the peer's SETTINGS and PING that wait for being sent. */
#define MOTE_H2_ANSWERS 1000u
/* Bytes of a request head that nghttp2 lets pass. */
#define MOTE_H2_HEAD_SENT (2u << 20)
/* Bytes of the first block: a session of nghttp2 without its frame buffer (9 KB in 1.52, 5 KB in 1.64, whose
 * table of streams begins small), one stream and the header fields that a small answer leaves in the tables.
 * With pointers of 32 bits 1.52 takes 7 KB; 1.64 was not measured with them. */
#if NGHTTP2_VERSION_NUM >= 0x014000
#define MOTE_H2_SLAB 7616
#else
#define MOTE_H2_SLAB (sizeof(void *) > 4 ? 11408 : 7424)
#endif
/* A frame buffer: a frame of 16,384 bytes, its head and a byte of padding. */
#define MOTE_H2_FRAME 16394
/* Spare bytes that an idle session keeps: what ten streams at a time need. More is all given back. */
#define MOTE_H2_IDLE_SPARE 16384

struct mote_account;
struct mote_event;
struct mote_h2_session;
struct mote_mux_field;
struct mote_mux_piece;
struct mote_mux_stream;

/* The owner's functions. */
struct mote_h2_user {
  /* FIELD, HEAD, END, RESET, REFUSED or FAILED. The stream may leave meanwhile. */
  void (*deliver)(struct mote_h2_session *s, struct mote_mux_stream *stream, const struct mote_event *e);
  /* Bytes of the stream's body, borrowed, which may be changed. Likewise. Not an event, as a large body comes
   * in thousands of frames, which mostly go straight to the application. */
  void (*data)(struct mote_h2_session *s, struct mote_mux_stream *stream, char *bytes, size_t len);
  /* CURLE_AGAIN: nothing to send now. Other errors reset the stream. */
  CURLcode (*body)(struct mote_h2_session *s, struct mote_mux_stream *stream, struct mote_mux_piece *p);
  /* As a layer's (net/stream.h). */
  CURLcode (*send)(struct mote_h2_session *s, const char *bytes, size_t len, size_t *n);
  /* No further stream may use the connection: away, mute or broken. NULL: nothing. */
  void (*leave)(struct mote_h2_session *s);
  /* A PUSH_PROMISE begins, has a field, ends; or it is dropped, also where none has begun. promise_end()
   * returns the code with which it is refused, or NGHTTP2_NO_ERROR. parent: the stream that it came on, or
   * NULL. All NULL: the peer may not push. */
  void (*promise_begin)(struct mote_h2_session *s);
  void (*promise_field)(struct mote_h2_session *s, struct mote_slice name, struct mote_slice value);
  uint32_t (*promise_end)(struct mote_h2_session *s, void *promise, struct mote_mux_stream *parent,
                          int32_t id);
  void (*promise_drop)(struct mote_h2_session *s);
};

struct mote_h2_session {
  nghttp2_session *nghttp2;       /* NULL: not open */
  const struct mote_h2_user *user;
  struct mote_mux_stream *streams; /* the first one, or NULL */
  union {
    struct mote_mux_stream *at;    /* whose field block is coming, or whose data came last, or NULL */
    void *promise;                /* with `promised`: the owner's, NULL at first */
  };
  char *rest;                     /* what a short send has left over, a block of the account, or NULL */
  char *why;                      /* nghttp2's text for what is wrong, of the session's memory, or NULL */
  char *frame;                    /* a frame buffer that other sessions share, or NULL */
  uint32_t rest_len;              /* bytes of the block */
  uint32_t rest_at;               /* how many of them are sent */
  uint32_t away_code;             /* with `away`: the peer's reason */
  uint32_t unconsumed;            /* bytes of bodies that the window of the connection lacks */
  uint16_t idle_frames;           /* in a row (mote_mux_is_flood()) */
  uint8_t ended_code;             /* the reason of the GOAWAY that was sent */
  uint8_t broken;                 /* CURLcode: why the connection can no longer be used, or CURLE_OK */
  bool settled : 1;               /* the peer's SETTINGS have come */
  bool away : 1;                  /* the peer takes no more streams */
  bool said_goodbye : 1;          /* GOAWAY was sent */
  bool preface_due : 1;           /* nothing was sent yet: `rest` is what the session says first */
  bool promised : 1;              /* the field block that is coming is a promise's */
  bool mute : 1;                  /* sending has failed: the session breaks when all that came is taken */
  bool framed : 1;                /* nghttp2 has `frame` */
  bool failed : 1;                /* the owner's: the streams have heard of `broken` */
  bool bulk : 1;                  /* the owner's: a large body comes, 16 KB and more at a time */
  struct mote_slab memory;
};

/* How a session begins. */
struct mote_h2_opening {
  const struct mote_h2_user *user;
  struct mote_account *account;
  char *frame;     /* MOTE_H2_FRAME bytes at a multiple of 8, which several sessions may use as their frame
                      buffer; nothing else is in there while one of them sends. NULL: it has its own */
  uint32_t window; /* bytes of each stream's */
  bool push;       /* the peer may push */
  bool upgraded;   /* stream 1 was opened by HTTP/1.1 (RFC 7540 section 3.2) */
  bool head;       /* with `upgraded`: by a HEAD */
};

/* The session can no longer be used. The first reason counts. */
static inline void mote_h2_break(struct mote_h2_session *s, CURLcode why)
{
  if(s->broken)
    return;
  s->broken = (uint8_t)why;
  if(s->user->leave)
    s->user->leave(s);
}

/* ---- session.c ---- */

/* Our SETTINGS, but for the window and pushes. */
#define MOTE_H2_SETTINGS 3
void mote_h2_fill_settings(nghttp2_settings_entry *entries, uint32_t window, bool push);

/* Makes the session, and what it says first. CURLE_OUT_OF_MEMORY: it is closed. */
CURLcode mote_h2_open(struct mote_h2_session *s, const struct mote_h2_opening *how);
/* Frees all that it holds. Streams need not have left. Does nothing for one that is all zero. */
void mote_h2_close(struct mote_h2_session *s);
/* Takes bytes of the peer. What they bring is delivered. */
void mote_h2_take(struct mote_h2_session *s, const char *bytes, size_t len);

static inline bool mote_h2_may_send(const struct mote_h2_session *s)
{
  return !s->broken && !s->mute;
}
/* Reports that the peer's bytes are of use: not after a GOAWAY of either side without streams. */
bool mote_h2_takes_more(const struct mote_h2_session *s);
/* Reports that nothing more will come or go. */
bool mote_h2_is_over(const struct mote_h2_session *s);
/* Returns how many streams the session takes besides those that it has; most: at a time. What the peer
 * allows is not known before its SETTINGS; nghttp2 keeps the streams that it then forbids. */
unsigned mote_h2_room(const struct mote_h2_session *s, unsigned has, unsigned most);

/* ---- stream.c ---- */

void mote_h2_join(struct mote_h2_session *s, struct mote_mux_stream *stream);
/* Takes it out of the list, and gives it up if it is not over. Returns whether that is to be sent. */
bool mote_h2_leave(struct mote_h2_session *s, struct mote_mux_stream *stream);
/* Opens a stream by its head. The fields are overwritten. CURLE_OUT_OF_MEMORY, CURLE_HTTP2. */
CURLcode mote_h2_submit(struct mote_h2_session *s, struct mote_mux_stream *stream,
                        struct mote_mux_field *fields, size_t count, bool has_body);
/* The stream is one that is open already, by an upgrade or a promise. */
void mote_h2_adopt(struct mote_h2_session *s, struct mote_mux_stream *stream, int32_t id);
/* In user->body, with piece->trailers: these end the stream. */
CURLcode mote_h2_trailers(struct mote_h2_session *s, struct mote_mux_stream *stream,
                          struct mote_mux_field *fields, size_t count);
/* Asks for the body that had nothing to send before. */
void mote_h2_resume(struct mote_h2_session *s, struct mote_mux_stream *stream);
/* Lets the peer send n bytes more on the stream. window: its new size, or 0. */
void mote_h2_credit(struct mote_h2_session *s, const struct mote_mux_stream *stream, size_t n,
                    uint32_t window);
/* Reports whether the peer has to open a window before a byte of the body can be sent. */
bool mote_h2_is_blocked(const struct mote_h2_session *s, const struct mote_mux_stream *stream);
/* Asks the peer for an answer. */
void mote_h2_ping(struct mote_h2_session *s);
/* Returns the name of an error code (section 7). */
const char *mote_h2_error_name(uint32_t code);

/* ---- send.c ---- */

/* Sends what there is. Returns whether it ended early so that other connections have their turn. */
bool mote_h2_send(struct mote_h2_session *s);
/* Reports whether the connection is waited for to take more. */
static inline bool mote_h2_waits_to_send(const struct mote_h2_session *s)
{
  return s->rest && mote_h2_may_send(s);
}
/* Reports whether there is something to send. */
static inline bool mote_h2_has_to_send(const struct mote_h2_session *s)
{
  return s->rest || nghttp2_session_want_write(s->nghttp2);
}
/* Keeps two pieces as what is sent next. */
void mote_h2_keep_rest(struct mote_h2_session *s, struct mote_slice a, struct mote_slice b);
void mote_h2_drop_rest(struct mote_h2_session *s);

/* ---- memory.c ---- */

/* Opens s->memory; nghttp2's hook is *hook. False: out of memory. */
bool mote_h2_memory_open(struct mote_h2_session *s, struct mote_account *account, nghttp2_mem *hook);
/* A block of zeros for the owner, which lives as long as a stream. NULL: out of memory. */
void *mote_h2_memory_take(struct mote_h2_session *s, size_t bytes);
static inline void mote_h2_memory_put(struct mote_h2_session *s, void *p) /* NULL is allowed */
{
  mote_slab_put(&s->memory, p);
}
/* The session has no stream now: gives back what is spare. */
static inline void mote_h2_memory_idle(struct mote_h2_session *s)
{
  mote_slab_idle(&s->memory, MOTE_H2_IDLE_SPARE);
}
/* Reports whether that is worth a turn. */
static inline bool mote_h2_memory_has_spare(const struct mote_h2_session *s)
{
  return mote_slab_spare(&s->memory) > MOTE_H2_IDLE_SPARE;
}
/* Reports whether the version of nghttp2 was tested with a frame buffer that sessions share. */
bool mote_h2_frame_is_shared(void);

#endif
