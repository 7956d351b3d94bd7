/* transfer/transfer.h: one transfer. Every handle has struct mote_transfer; struct mote_run exists only
 * from the first start on.
 *
 * States: idle, pending (limits on connections), name, connect, exchange, done; CONNECT_ONLY has open instead
 * of exchange. Each state has a function (states.c). A step does what is possible now and never blocks.
 *
 * Invariants: a transfer in a multi is linked in exactly one of the multi's lists; run != NULL from the
 *             first step on; run->channel.conn != NULL in exchange and open, unless the protocol is local.
 * Pieces:     what belongs to one question is a struct of its own in the run: transfer/channel.h (channel and
 *             lease), exchange.h (request and response), report/stats.h, and struct mote_flow here.
 * Ownership:  the easy handle embeds struct mote_transfer. The transfer owns the run, keeps it after the end
 *             for getinfo and uses it again in the next start.
 * Errors:     every error ends the transfer with one CURLcode in `result`; other transfers go on.
 * Tests:      tests/unit/transfer, tests/e2e */
#ifndef MOTE_TRANSFER_TRANSFER_H
#define MOTE_TRANSFER_TRANSFER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/containers/list.h"
#include "base/memory.h"
#include "base/report.h"
#include "base/time.h"
#include "parts.h"
#include "transfer/channel.h"
#include "transfer/exchange.h"
#include "transfer/options/options.h"
#include "transfer/report/stats.h"

struct mote_multi;
struct mote_protocol;
struct mote_share;
struct mote_source;
struct mote_decoding;
struct mote_info;
struct mote_speed;
struct mote_watch;

enum mote_state {
  MOTE_STATE_IDLE,       /* in no multi, or not started */
  MOTE_STATE_PENDING,    /* waits for its start, or for a connection slot */
  MOTE_STATE_CONNECTING, /* its connection is dialled, by itself or by another transfer */
  MOTE_STATE_EXCHANGE,   /* request and response, in both directions at once */
  MOTE_STATE_OPEN,       /* CONNECT_ONLY: the application drives the connection */
  MOTE_STATE_DONE        /* the result is valid */
};

/* The deadlines of a transfer, at most one per id, stored in the run. */
enum mote_timer {
  MOTE_TIMER_TOTAL,    /* CURLOPT_TIMEOUT_MS */
  MOTE_TIMER_CONNECT,  /* CURLOPT_CONNECTTIMEOUT_MS, which includes the name lookup */
  MOTE_TIMER_STATE,    /* what the state waits for. PENDING: the next look at a shared pool; CONNECTING:
                          the next poll of a lookup, the next attempt (happy eyeballs) or the end of an
                          address's share of time; EXCHANGE: CURLOPT_EXPECT_100_TIMEOUT_MS */
  MOTE_TIMER_SPEED,    /* low speed check, progress callback, end of a wait for a speed limit */
  MOTE_TIMER_LAST
};

/* Bytes kept for later, in one block. */
struct mote_kept {
  uint32_t at;   /* bytes used already */
  uint32_t len;  /* bytes */
  uint32_t cap;  /* bytes allocated after the struct */
  char bytes[];
};

static inline size_t mote_kept_size(size_t cap)
{
  return sizeof(struct mote_kept) + cap;
}

/* Bytes of header room in the block of every run (transfer/run.h). They hold what a common server sends, so
 * that most transfers need no further block. A profile may lower it. */
#ifndef MOTE_HEADER_TAIL
#define MOTE_HEADER_TAIL 172u
#endif

/* What holds back one direction of the exchange. All four combinations exist, because an application may
 * pause a direction that a speed limit holds, and a limit may end during a pause. */
struct mote_direction {
  bool paused : 1;                  /* by a callback or curl_easy_pause() */
  bool limited : 1;                 /* by a speed limit, until MOTE_TIMER_SPEED */
  bool header : 1;                  /* receiving: the header callback gets run->paused (sink.h) */
};

struct mote_flow {
  struct mote_direction recv;
  struct mote_direction send;
};

struct mote_run {
  struct mote_transfer *owner;
  uint32_t deadline[MOTE_TIMER_LAST]; /* ms after `started`, plus 1; 0: none */

  struct mote_lease lease;          /* fills, with flow, the place before the next pointer */
  struct mote_flow flow;
  uint16_t conn_count;              /* CURLINFO_NUM_CONNECTS, the sockets that were connected; likewise */
  uint16_t connect_code;            /* CURLINFO_HTTP_CONNECTCODE; likewise */
  struct mote_channel channel;
  struct mote_kept *unsent;         /* in greeting and exchange: what a short send left over, or a request
                                       head too long for the buffer; or NULL */

  struct mote_request request;
  struct mote_response response;
  struct mote_stats stats;

  struct mote_speed *speed;         /* limits, low speed and progress (transfer/report/progress.h), or NULL */
  struct mote_source *body;         /* what is sent (transfer/upload/source.h), or NULL */
  struct mote_decoding *decode;     /* decoders (transfer/download/sink.h), or NULL: the body is not coded */
  struct mote_kept *paused;         /* what is kept during a pause (transfer/download/sink.h), or NULL */
  struct mote_info *info;           /* answers for getinfo, on demand (transfer/report/info.h), or NULL */
};

struct mote_transfer {
  struct mote_list link;            /* in one of the multi's lists */
  struct mote_multi *multi;         /* or NULL */
  struct mote_share *share;         /* CURLOPT_SHARE, or NULL */
  struct mote_run *run;             /* NULL before the first start */
  CURLMsg msg;                      /* for curl_multi_info_read; easy_handle is also passed to callbacks */
  struct mote_report report;        /* error buffer and debug callback */
  struct mote_options options;
  int32_t xfer_id;                  /* number of this addition within its multi */
  uint8_t state;                    /* enum mote_state */
  uint8_t list;                     /* enum mote_list_id, the list that link is in */
  bool in_callback;                 /* one of its callbacks is running; a byte, since each event sets it */
  bool active : 1;                  /* counted in the multi's `active`, which keeps its buffer */
  bool failed_text : 1;             /* the error buffer has its text already */
  bool wake_after : 1;              /* a callback has unpaused the transfer: step it again */
  bool offered : 1;                 /* woken in the queue for room on a connection of many transfers */
  bool notify_due : 1;              /* CURLMNOTIFY_EASY_DONE must be delivered */
  bool internal : 1;                /* made by the library (transfer/internal.h) */
  bool slot_wait : 1;               /* pending because a share's pool was full (transfer/multi/share.h) */
  bool host_turn : 1;               /* woken for what is free at its host (transfer/multi/host_queue.h) */
  struct mote_account account;      /* the handle's account; last, as it fits into the padding if empty */
};

/* Reports whether the library has made the transfer for one of the application's (transfer/internal.h). */
#if MOTE_HAS_DOH
#define mote_transfer_is_internal(t) ((t)->internal)
#else
#define mote_transfer_is_internal(t) ((void)(t), false)
#endif

/* Takes back the text of a failure that was made good. */
static inline void mote_transfer_unsay(struct mote_transfer *t)
{
  char *buffer = mote_opt_ptr(&t->options, CURLOPT_ERRORBUFFER);
  t->failed_text = false;
  if(buffer)
    buffer[0] = 0;
}

/* Makes the part that every handle has. */
void mote_transfer_init(struct mote_transfer *t, CURL *easy);
/* Frees the run and the options. The transfer must be in no multi. */
void mote_transfer_close(struct mote_transfer *t);

/* Makes t->run, all zero except for its owner and its header store. CURLE_OUT_OF_MEMORY. */
CURLcode mote_run_make(struct mote_transfer *t);
/* Prepares t->run for the next transfer. All of it is zero except for what that can reuse.
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_run_reset(struct mote_transfer *t); /* there is one */

static inline CURLcode mote_run_reuse(struct mote_transfer *t)
{
  return t->run ? mote_run_reset(t) : mote_run_make(t);
}
/* Frees what the run has for the bodies of a chain that is over: source, decoders, what a pause has kept. */
void mote_run_close_bodies(struct mote_transfer *t);
/* Frees t->run with all that it owns. The transfer must have left its connection. */
void mote_run_free(struct mote_transfer *t);

/* Does what is possible now. Only the multi calls it. `now` was read after the last step. */
void mote_transfer_step(struct mote_transfer *t, mote_time now);

/* Ends the transfer with rc. Its connection is released or closed, its state is done, and the multi is
 * notified. */
void mote_transfer_finish(struct mote_transfer *t, CURLcode rc);

/* Ends the exchange, if one was begun, and frees what it has not sent. rc is the result so far. */
void mote_transfer_end_exchange(struct mote_transfer *t, CURLcode rc);

/* Leaves everything that belongs to the multi (connection, name lookup, timers), for
 * curl_multi_remove_handle. */
void mote_transfer_detach(struct mote_transfer *t);

/* Notes whether the transfer is past pending, which keeps the multi's buffer. */
void mote_transfer_set_active(struct mote_transfer *t, bool active);

/* Frees a text such as run->request.redirect. NULL is allowed. */
void mote_text_free(struct mote_transfer *t, char *text);

/* Schedules a step, because what the transfer waits for may have happened. */
void mote_transfer_wake(struct mote_transfer *t);
/* The same for a watch whose user is the transfer (struct mote_watch.ready). */
void mote_transfer_wake_user(struct mote_watch *w, unsigned events);

/* Makes an empty block with room for cap bytes. NULL: out of memory. */
struct mote_kept *mote_kept_new(struct mote_transfer *t, size_t cap);
/* Makes a block with a copy of len bytes. NULL: out of memory. */
struct mote_kept *mote_kept_copy(struct mote_transfer *t, const char *bytes, size_t len);
void mote_kept_free(struct mote_transfer *t, struct mote_kept *k); /* NULL is allowed */

/* Sets a deadline (at: absolute µs, rounded up to ms) or cancels it (0). */
void mote_timer_set(struct mote_transfer *t, enum mote_timer id, mote_time at);
void mote_timer_start_connect(struct mote_transfer *t, mote_time now); /* CURLOPT_CONNECTTIMEOUT_MS begins */
mote_time mote_timer_at(const struct mote_run *r, enum mote_timer id); /* 0: none */
mote_time mote_timer_nearest(const struct mote_run *r);                /* 0: none */
bool mote_timer_due(const struct mote_transfer *t, enum mote_timer id, mote_time now);

/* Does what curl_easy_pause() does. action: CURLPAUSE_* bits. CURLE_BAD_FUNCTION_ARGUMENT: no transfer is
 * under way. */
CURLcode mote_transfer_pause(struct mote_transfer *t, int action);

/* Reports whether credentials, cookies included, may go to the current origin: not to another one, where a
 * redirect has led (CURLOPT_UNRESTRICTED_AUTH). */
static inline bool mote_transfer_may_log_in(const struct mote_transfer *t)
{
  return !t->run->request.other_origin || mote_opt_long(&t->options, CURLOPT_UNRESTRICTED_AUTH);
}

#endif
