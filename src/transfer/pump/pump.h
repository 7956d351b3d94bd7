/* transfer/pump/pump.h: moves the bytes of an exchange between a connection and its protocol, a turn at a
 * time.
 *
 * Receiving is the same loop for every protocol that reads a stream. What has waited goes first: bytes that a
 * pause has kept, output that the decoders still hold, bytes that the connection holds. Then the socket is
 * read, until it is empty, the protocol has what it wants, the application pauses, a speed limit is reached,
 * or other transfers are due. The protocol says by a row of functions what it makes of bytes, what the end of
 * the connection means, and when it has enough.
 *
 * Most bytes of most transfers are a body at which no code has to look. They go straight from the socket to
 * the write callback, and what all of these reads share is looked up once: no decoder, no speed limit, no
 * observer, nothing held, no option set since the transfer began. When one of these changes, or the body
 * ends, the protocol gets what was read beyond it, and the loop goes on as usual.
 *
 * Sending is the same loop, too: what an earlier send has left over (run->unsent) goes first, then a piece
 * after another of what the transfer sends (transfer/upload/source.h), or its file straight to the socket
 * where nothing has to see the bytes.
 *
 * Nothing here waits: CURLE_AGAIN says that the caller has to, with mote_conn_want(), for directions that are
 * neither paused nor over their limit. A turn that has ended for others' sake has woken the transfer already.
 *
 * Ownership: connection and state are the caller's. What a short send leaves over is in run->unsent.
 * Errors:    those of the sink (transfer/download/sink.h), of the source, of the connection and of the row.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_get.py, tests/e2e/test_pause.py, tests/e2e/test_ftp.py, tests/toys */
#ifndef MOTE_TRANSFER_PUMP_PUMP_H
#define MOTE_TRANSFER_PUMP_PUMP_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "net/conn.h"
#include "transfer/options/options.h"
#include "transfer/transfer.h"

struct mote_pump;
struct mote_sink_target;

/* What a protocol is to the receiving loop. */
struct mote_pump_row {
  /* Takes bytes that the connection lends (mote_conn_take()), and holds what it leaves (mote_conn_hold()).
   * CURLE_AGAIN: the application has paused. */
  CURLcode (*take)(struct mote_pump *p, char *bytes, size_t len);
  /* The peer has ended its side. len bytes are lent, which were held before. CURLE_OK: that was the end. */
  CURLcode (*ended)(struct mote_pump *p, char *bytes, size_t len);
  /* Reports that no more is wanted. */
  bool (*over)(const struct mote_pump *p);
  /* Reading has failed with rc, which is not CURLE_AGAIN. Returns rc, or what it means. NULL: rc. */
  CURLcode (*failed)(struct mote_pump *p, CURLcode rc);
  /* Reports that the bytes which the connection holds were not looked at yet, so that they are taken again
   * before others come. NULL: always. */
  bool (*unread)(const struct mote_pump *p);
  /* Reports that the next *p->left bytes are a body without framing, and sets p->to. NULL: never. */
  bool (*straight)(struct mote_pump *p);
  /* The straight way has ended with rc: because *p->left is 0, or as its reasons have. len bytes of the last
   * read are lent, those that were not delivered. Otherwise as take(). */
  CURLcode (*rest)(struct mote_pump *p, CURLcode rc, char *bytes, size_t len);
  bool reads_on; /* more than *p->left bytes may be read: the protocol knows what follows the body */
};

/* The receiving side during one step. */
struct mote_pump {
  const struct mote_pump_row *row;
  struct mote_transfer *t;
  struct mote_conn *c;
  mote_time now;               /* of the step */
  uint64_t *left;              /* bytes of the body still to come, UINT64_MAX: until the connection ends.
                                  Counted here on the straight way, and by the protocol otherwise. May be NULL
                                  where row->straight is */
  struct mote_sink_target *to; /* where straight bytes go */
  uint32_t size;               /* CURLOPT_BUFFERSIZE */
  int reads;                   /* so far in this step; a large one counts as several */
};

static inline struct mote_pump mote_pump_of(struct mote_transfer *t, struct mote_conn *c,
                                            const struct mote_pump_row *row, mote_time now)
{
  struct mote_pump p = {.row = row, .t = t, .c = c, .now = now,
                        .size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE)};
  return p;
}

/* ---- pump_receive.c ---- */

/* Receives, until one of the reasons above. CURLE_OK: row->over(). CURLE_AGAIN: wait. */
CURLcode mote_pump_receive(struct mote_pump *p);

/* Reads and delivers on the straight way, whose conditions hold, until it ends or the socket is empty
 * (CURLE_AGAIN). CURLE_OK: the loop goes on. */
CURLcode mote_pump_read_straight(struct mote_pump *p);

/* Holds what a step that came to rc leaves lent. Returns rc, or why it cannot be held where the transfer
 * would go on. */
CURLcode mote_pump_leave(struct mote_conn *c, CURLcode rc);

/* Takes len bytes of a message, at first 0. *more: how many more are wanted, 0: it is whole. */
typedef CURLcode mote_pump_part(struct mote_transfer *t, const char *bytes, size_t len, size_t *more);

/* Sends what is unsent, then reads a message and no byte beyond it, for what follows is for TLS or for other
 * code. CURLE_AGAIN: wait, it has called mote_conn_want(). CURLE_RECV_ERROR: the server has closed the
 * connection. */
CURLcode mote_pump_collect(struct mote_transfer *t, struct mote_conn *c, mote_pump_part *take);

/* Reports that nothing but the write callback and the limit on all bytes gets to see a body. */
static inline bool mote_pump_is_unseen(const struct mote_transfer *t, const struct mote_conn *c)
{
  const struct mote_run *r = t->run;
  return !r->decode && !r->response.body_ignored && !r->speed && !mote_conn_held(c) && !t->report.verbose &&
         !t->options.changed;
}

/* ---- pump_send.c ---- */

#define MOTE_PUMP_ROOM 16384u /* bytes that are read at once from what is sent */

/* Sends as many bytes as the connection takes. CURLE_OK: *n is len. CURLE_AGAIN: it is less. */
CURLcode mote_pump_push(struct mote_conn *c, const char *bytes, size_t len, size_t *n);
/* Sends what is in run->unsent. CURLE_OK: that is NULL. */
CURLcode mote_pump_flush(struct mote_transfer *t, struct mote_conn *c);
/* Sends bytes, and keeps what does not go in run->unsent, which is NULL before. CURLE_AGAIN: it did. */
CURLcode mote_pump_put(struct mote_transfer *t, struct mote_conn *c, const char *bytes, size_t len);
/* Sends pieces of what the transfer sends; run->unsent is NULL before. framing: bytes that its readers add to
 * a piece; they count as sent, but not as data for the debug callback and speed limits. CURLE_OK: *end, all
 * was read, or the application has paused. */
CURLcode mote_pump_send(struct mote_transfer *t, struct mote_conn *c, mote_time now, size_t framing,
                        bool *end);

#endif
