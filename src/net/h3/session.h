/* net/h3/session.h: one connection of QUIC (RFC 9000) with its session of HTTP/3 (RFC 9114), from the
 * datagrams of a socket to events of its streams and back. Packets are ngtcp2's, frames nghttp3's.
 *
 * The session begins with the handshake, when a stream of TLS moves it on (net/h3/carrier.h). Its owner
 * joins when that is over: it calls mote_h3_take() when datagrams have come, and mote_h3_send() at the end
 * of each turn, which gathers what all streams have to say into few system calls. All that comes is read
 * and acknowledged, so that no stream holds up another one; what a stream may get ahead of its owner is
 * its window, which only mote_h3_credit() opens. The window of the connection is so large that only those
 * of the streams count.
 *
 * Deadlines of QUIC (loss, idle timeout) are a timer of the multi. It wakes the connection's driver, and
 * the next turn does what is due. While streams are open a connection is kept alive at half of its idle
 * timeout; one without is left to that.
 *
 * ngtcp2 sends bytes again that were lost, so that those of an upload stay in blocks of the session until
 * the peer has acknowledged them, MOTE_H3_UNACKED of a stream at most.
 *
 * Whether the path to the peer works shows in answers alone, which a session that was idle wants soon; when
 * the machine loses the socket's address the connection migrates to another (path.c).
 *
 * The end has two forms: `away`, the peer takes no more streams, and those that it serves go on (section
 * 5.2), and `broken`: nothing goes on, and the owner says so to the streams. Each calls user->leave. A
 * goodbye is one packet. Nothing waits for its arrival.
 *
 * Ownership:  the stream of TLS owns the session as its carrier. Streams are their owners', and in the
 *             session's list from mote_h3_join() to mote_h3_leave(). The session's memory is a slab,
 *             charged to the account.
 * Errors:     broken: CURLE_HTTP3: the peer broke HTTP/3; CURLE_RECV_ERROR, CURLE_SEND_ERROR: QUIC ended,
 *             `why` has a text; CURLE_OUT_OF_MEMORY. Before the handshake is over
 *             CURLE_QUIC_CONNECT_ERROR, CURLE_COULDNT_CONNECT (no one listens there).
 * Bounds:     MOTE_H3_UNACKED; ngtcp2 and nghttp3 limit what a peer makes them do.
 * Tests:      tests/e2e/test_h3.py, test_h3_*.py */
#ifndef MOTE_NET_H3_SESSION_H
#define MOTE_NET_H3_SESSION_H

#include <nghttp3/nghttp3.h>
#include <ngtcp2/ngtcp2.h>

#include "base/memory/slab.h"
#include "net/conn_struct.h"
#include "net/h3/carrier.h"
#include "net/timers.h"
#include "port/port.h"

/* Bytes of an upload that a stream keeps until the peer acknowledges them: 50 MB/s on a path of 20 ms. */
#define MOTE_H3_UNACKED (1u << 20)
/* Bytes of the window of a connection. */
#define MOTE_H3_CONNECTION_WINDOW (1000u << 20)
/* Bytes of a datagram that comes, at most: a larger one would not fit into a frame of Ethernet. */
#define MOTE_H3_DATAGRAM 1472u
/* Bytes of one that any path of QUIC takes (RFC 9000 section 14). */
#define MOTE_H3_DATAGRAM_LEAST 1200u
/* Seconds without a packet after which a connection ends; the peer may want fewer. */
#define MOTE_H3_IDLE 120
/* Spare bytes that an idle session keeps: what ten streams at a time need. More is all given back. */
#define MOTE_H3_IDLE_SPARE 16384
/* Bytes of the room for datagrams on the stack, where the multi's buffer cannot be had. */
#define MOTE_H3_ALONE 2048u

struct mote_event;
struct mote_h3_closing;
struct mote_h3_early;
struct mote_h3_request;
struct mote_h3_session;
struct mote_mux_field;
struct mote_mux_piece;
struct mote_mux_stream;
struct mote_slice;

/* The owner's functions. */
struct mote_h3_user {
  /* FIELD, HEAD, END, RESET, REFUSED or FAILED. The stream may leave meanwhile. */
  void (*deliver)(struct mote_h3_session *s, struct mote_mux_stream *stream, const struct mote_event *e);
  /* Bytes of the stream's body, CURL_MAX_WRITE_SIZE at most, borrowed, which may be changed. Likewise. */
  void (*data)(struct mote_h3_session *s, struct mote_mux_stream *stream, char *bytes, size_t len);
  /* Reads a piece of the body. CURLE_AGAIN: nothing to send now. After another error no more is asked for. */
  CURLcode (*body)(struct mote_h3_session *s, struct mote_mux_stream *stream, struct mote_mux_piece *p);
  /* The peer allows more streams: this one was not opened for want of that. */
  void (*allow)(struct mote_h3_session *s, struct mote_mux_stream *stream);
  /* No further stream may use the connection: away or broken. */
  void (*leave)(struct mote_h3_session *s);
};

/* Asks the owner of an opening for a request before the handshake is complete (net/h3/early.h). */
struct mote_h3_ask {
  void (*request)(struct mote_h3_session *s, void *arg); /* NULL: it has none */
  void *arg;
};

struct mote_h3_session {
  struct mote_quic_carrier carrier; /* first */
  const struct mote_h3_user *user;  /* NULL: its owner has not joined */
  struct mote_conn *conn;
  struct mote_watch *watch;         /* of its socket: an attempt's, then the connection's */
  ngtcp2_conn *quic;
  nghttp3_conn *http;               /* NULL: there are no keys for it yet */
  struct mote_mux_stream *streams;  /* the first one, or NULL */
  struct mote_h3_request *requests; /* whose streams are not closed: the last one, or NULL */
  struct mote_h3_ask ask;           /* of the opening, until the handshake has begun */
  struct mote_h3_early *early;      /* the request before the end of the handshake, or NULL */
  struct mote_timers *timers;       /* the multi's, where the next deadline of QUIC is set */
  struct mote_timer_node timer;
  ngtcp2_tstamp answer_by;          /* when silence of the peer is the end; 0: never. path.c's */
  ngtcp2_tstamp moved_at;           /* when the socket took another address; 0: it has its first. path.c's */
  char *rest; /* datagrams that the socket has refused, a block of the account, or NULL */
  char *why;                        /* text for what is wrong, of the session's memory, or NULL */
  uint64_t http_error;              /* the error of HTTP/3 with which the connection ends, or 0 */
  uint32_t rest_len;                /* bytes of the block */
  uint32_t rest_at;                 /* how many of them are sent */
  uint32_t rest_segment;            /* bytes of each datagram of it */
  uint16_t most;                    /* bytes of a datagram that is sent, path.c's */
  uint8_t late;                     /* requests that mote_h3_close_late() is to close */
  uint8_t errors;                   /* of receiving, in a row, path.c's */
  uint8_t broken;                   /* CURLcode: why the connection can no longer be used, or CURLE_OK */
  uint8_t http_code;                /* with http_error: CURLE_HTTP3 or CURLE_OUT_OF_MEMORY */
  bool heard : 1;                   /* the peer has sent something */
  bool shaken : 1;                  /* the handshake is complete */
  bool confirmed : 1;               /* and the peer says so */
  bool settled : 1;                 /* the peer's SETTINGS have come */
  bool away : 1;                    /* the peer takes no more streams */
  bool over : 1;                    /* CONNECTION_CLOSE was sent or has come, or the peer is silent */
  bool many : 1;                    /* bursts may be gathered when a large body flows */
  bool gathered : 1;                /* they are, and need MOTE_PORT_BURST_MOST bytes of room */
  bool failed : 1;                  /* the owner's: the streams have heard of `broken` */
  bool alive : 1;                   /* streams are open: QUIC keeps the connection alive. path.c's */
  bool used : 1;                    /* streams have been open before. path.c's */
  bool asks : 1;                    /* what has come from before is no answer. path.c's */
  bool unsent : 1;                  /* the last datagrams had no address to come from */
  bool migrates : 1;                /* the socket has another address, QUIC not yet. path.c's */
  bool refused : 1;                 /* the network says that no one listens there. path.c's */
  bool starved : 1;                 /* memory was refused in this turn, memory.c's */
  bool limited : 1;                 /* bytes of streams wait for QUIC's pacing or congestion window */
  bool short_of_streams : 1;        /* the peer has refused one, and user->allow waits for more */
  bool rested : 1;                  /* it was idle before */
  struct mote_slab memory;
  ngtcp2_mem quic_hook;             /* the libraries' ways to it */
  nghttp3_mem http_hook;
};

static inline struct mote_h3_session *mote_h3_of(struct mote_quic_carrier *q)
{
  return (struct mote_h3_session *)q;
}

/* Returns the time as ngtcp2 has it, nanoseconds. It must never be earlier than in a call before, so that
 * the time of a step will not do. */
static inline ngtcp2_tstamp mote_h3_now(void)
{
  return (ngtcp2_tstamp)mote_port_now() * 1000;
}

/* ---- session.c ---- */

/* How a session begins. */
struct mote_h3_opening {
  struct mote_conn *conn;
  struct mote_watch *watch;        /* of its socket, which is connected */
  struct mote_timers *timers;
  const struct mote_addr *local;
  const struct mote_addr *remote;
  bool many;                       /* memory has no limit, so that bursts may be gathered */
  struct mote_h3_ask ask;          /* `arg` is used in the first step of the handshake alone */
};

/* CURLE_OUT_OF_MEMORY; CURLE_FAILED_INIT: the libraries are older than those of the build. */
CURLcode mote_h3_open(struct mote_h3_session **out, const struct mote_h3_opening *how);

/* An address as ngtcp2 has it, which borrows *to. */
void mote_h3_address(const struct mote_addr *from, ngtcp2_sockaddr_union *to, ngtcp2_addr *out);

/* The session can no longer be used. The first reason counts. */
void mote_h3_break(struct mote_h3_session *s, CURLcode why);
/* Keeps a text for that, unless there is one. */
void mote_h3_note(struct mote_h3_session *s, struct mote_slice text);
/* A call of ngtcp2 has failed: breaks the session as this error says, and says so to the peer. Not for its
 * callbacks. */
void mote_h3_fail(struct mote_h3_session *s, int error);
/* A call of nghttp3 has failed: notes what the callback's NGTCP2_ERR_CALLBACK_FAILURE then means. */
void mote_h3_fail_http(struct mote_h3_session *s, int error);

/* Lets HTTP/3 read bytes of a stream, and its end. r: the stream's request, or NULL. Returns 0 or an error of
 * nghttp3. */
int mote_h3_read_stream(struct mote_h3_session *s, struct mote_h3_request *r, int64_t number,
                        struct mote_slice bytes, bool fin);
/* QUIC has closed a stream. Likewise. */
int mote_h3_close_stream(struct mote_h3_session *s, const struct mote_h3_closing *c);

/* Returns how many streams the session takes besides those that it has; most: at a time. */
unsigned mote_h3_room(const struct mote_h3_session *s, unsigned has, unsigned most);

/* ---- datagrams.c ---- */

/* Takes what has come; room for datagrams. Returns whether more may have come, for which
 * no event will come. */
bool mote_h3_take(struct mote_h3_session *s, void *room, size_t size);
/* Does what is due, sends what there is by way of this room, and sets the timer. Returns whether it ended
 * early so that other connections have their turn. */
bool mote_h3_send(struct mote_h3_session *s, char *room, size_t size);
/* Sets the timer alone: what there is to send waits for that or for the next turn. */
void mote_h3_set_timer(struct mote_h3_session *s, ngtcp2_tstamp now);
static inline bool mote_h3_waits_to_send(const struct mote_h3_session *s)
{
  return s->rest && !s->broken;
}
/* Says to the peer that the connection ends, with this error of QUIC (NULL: HTTP/3 ends without one). */
void mote_h3_goodbye(struct mote_h3_session *s, const ngtcp2_ccerr *why);

/* ---- path.c: whether the peer is still there ---- */

/* Streams are open from here on, or none. */
void mote_h3_path_use(struct mote_h3_session *s);
void mote_h3_path_rest(struct mote_h3_session *s);
/* The peer has acknowledged or sent bytes of a stream. */
void mote_h3_path_answered(struct mote_h3_session *s);
/* A datagram has come. */
void mote_h3_path_heard(struct mote_h3_session *s);
/* Breaks the session whose peer has not answered by s->answer_by. What has come is to be taken before. */
void mote_h3_path_judge(struct mote_h3_session *s);
/* A call of the socket has failed. During the handshake that breaks the session, later the peer's silence
 * does, or errors of receiving without end; when the socket's address is gone the connection moves to
 * another. `at` is the time of the turn. */
void mote_h3_path_receive_failed(struct mote_h3_session *s, int error);
void mote_h3_path_send_failed(struct mote_h3_session *s, int error, ngtcp2_tstamp at);
/* With s->migrates, at the beginning of a turn: tries to let QUIC follow the socket to its address. */
void mote_h3_path_migrate(struct mote_h3_session *s, ngtcp2_tstamp at);
/* A datagram of this length was too long for the path. */
void mote_h3_path_is_narrow(struct mote_h3_session *s, size_t len);
/* Reports that it is time to judge. */
static inline bool mote_h3_path_is_due(const struct mote_h3_session *s)
{
  return s->answer_by && mote_h3_now() >= s->answer_by;
}
/* Reports that no new request is to be given to an idle session. */
static inline bool mote_h3_path_is_doubtful(const struct mote_h3_session *s)
{
  return s->refused && !s->alive;
}

/* ---- http.c ---- */

/* Makes the session of HTTP/3 on the connection, which has keys and room for its three streams. False: out of
 * memory. */
bool mote_h3_begin_http(struct mote_h3_session *s);
/* The peer has ended the stream with mote_h3_is_short(): reports to its owner that it is over. */
void mote_h3_end_short(struct mote_h3_session *s, struct mote_h3_request *r);
/* The peer has given its side of the stream up with this code, or the whole stream: reports it to its owner.
 * r: the stream's request, or NULL. */
void mote_h3_end_reset(struct mote_h3_session *s, struct mote_h3_request *r, uint64_t code);

/* ---- stream.c ---- */

void mote_h3_join(struct mote_h3_session *s, struct mote_mux_stream *stream);
/* Takes it out of the list, and gives it up if it is not over. Returns whether that is to be sent. */
bool mote_h3_leave(struct mote_h3_session *s, struct mote_mux_stream *stream);
/* Opens a stream by its head. The fields are overwritten. CURLE_AGAIN: the peer allows none now
 * (user->allow). CURLE_OUT_OF_MEMORY, CURLE_HTTP3. */
CURLcode mote_h3_submit(struct mote_h3_session *s, struct mote_mux_stream *stream,
                        struct mote_mux_field *fields, size_t count, bool has_body);
/* In user->body, with piece->trailers: these end the stream. */
CURLcode mote_h3_trailers(struct mote_h3_session *s, struct mote_mux_stream *stream,
                          struct mote_mux_field *fields, size_t count);
/* Asks for the body that had nothing to send before. */
void mote_h3_resume(struct mote_h3_session *s, struct mote_mux_stream *stream);
/* Lets the peer send n bytes more on the stream. window: its new size, or 0. */
void mote_h3_credit(struct mote_h3_session *s, const struct mote_mux_stream *stream, size_t n,
                    uint32_t window);
/* The stream of a request is closed: frees what it has kept. */
void mote_h3_drop_request(struct mote_h3_session *s, struct mote_h3_request *r);
void mote_h3_drop_requests(struct mote_h3_session *s);
/* Blocks that were acknowledged go. */
void mote_h3_acknowledged(struct mote_h3_session *s, struct mote_h3_request *r, uint64_t bytes);
/* The head announces so many bytes of body. */
void mote_h3_expect(struct mote_h3_request *r, uint64_t bytes);
/* No body comes, whatever a head announces. */
void mote_h3_expect_nothing(struct mote_h3_request *r);
/* Bytes of the body have come. */
void mote_h3_arrived(struct mote_h3_request *r, size_t bytes);
/* Returns whether the end of the stream now would leave some of them out. */
bool mote_h3_is_short(const struct mote_h3_request *r);
/* nghttp3 holds n more bytes (or fewer) of the response, which waits for QPACK's table (RFC 9204 section
 * 2.2.1). */
void mote_h3_hold(struct mote_h3_request *r, int64_t n);
/* What it holds comes no more: the peer has reset the stream, or broken it. */
void mote_h3_hold_nothing(struct mote_h3_request *r);
/* QUIC has closed the stream. Returns whether nghttp3 is to hear so later, since it holds bytes of it. */
bool mote_h3_closes_later(struct mote_h3_session *s, struct mote_h3_request *r, uint64_t code);
/* Closes those that nghttp3 holds nothing of any more, or whose owners have left. Not for callbacks. 0, or an
 * error of nghttp3. */
int mote_h3_close_late(struct mote_h3_session *s);
/* Reports whether a request with a body is among those whose streams are not closed. */
bool mote_h3_has_bodies(const struct mote_h3_session *s);
/* Returns the stream of a request, or NULL: it has left. */
struct mote_mux_stream *mote_h3_stream_of(const struct mote_h3_request *r);
/* Returns the name of an error code of HTTP/3 (section 8.1) or QPACK. */
const char *mote_h3_error_name(uint64_t code);

/* ---- memory.c ---- */

/* Opens s->memory, with the libraries' hooks. False: out of memory. */
bool mote_h3_memory_open(struct mote_h3_session *s, struct mote_account *account);
/* A block of zeros for the session, which lives as long as a stream. NULL: out of memory. */
void *mote_h3_memory_take(struct mote_h3_session *s, size_t bytes);
/* No stream is open: gives back what is spare, except for what a few streams need. */
void mote_h3_memory_idle(struct mote_h3_session *s);

#endif
