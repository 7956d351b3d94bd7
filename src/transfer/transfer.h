/* transfer/transfer.h: one transfer. Every handle has struct mote_transfer; struct mote_run exists only
 * from the first start on.
 *
 * States: idle, pending (limits on connections), name, connect, exchange, done; CONNECT_ONLY has open instead
 * of exchange. Each state has a function (states.c). A step does what is possible now and never blocks.
 *
 * Invariants: a transfer in a multi is linked in exactly one of the multi's lists; run != NULL from the
 *             first step on; run->conn != NULL in exchange and open, unless the protocol is local.
 * Ownership:  the easy handle embeds struct mote_transfer. The transfer owns the run, keeps it after the end
 *             for getinfo and uses it again in the next start.
 * Errors:     every error ends the transfer with one CURLcode in `result`; other transfers go on.
 * Tests:      tests/unit/transfer, tests/e2e */
#ifndef MOTE_TRANSFER_TRANSFER_H
#define MOTE_TRANSFER_TRANSFER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/report.h"
#include "base/time.h"
#include "codec/url_pack.h"
#include "parts.h"
#include "port/addr.h"
#include "transfer/headers.h"
#include "transfer/options.h"

struct mote_conn;
struct mote_multi;
struct mote_protocol;
struct mote_scheme;
struct mote_race;
struct mote_share;
struct mote_body;
struct mote_decoding;
struct mote_info;
struct mote_speed;

enum mote_state {
  MOTE_STATE_IDLE,     /* in no multi, or not started */
  MOTE_STATE_PENDING,  /* waits for its start, or for a connection slot */
  MOTE_STATE_NAME,     /* the name lookup is under way */
  MOTE_STATE_CONNECT,  /* connection attempts, then the handshakes of the streams */
  MOTE_STATE_EXCHANGE, /* request and response, in both directions at once */
  MOTE_STATE_OPEN,     /* CONNECT_ONLY: the application drives the connection */
  MOTE_STATE_DONE      /* the result is valid */
};

/* The deadlines of a transfer, at most one per id, stored in the run. */
enum mote_timer {
  MOTE_TIMER_TOTAL,    /* CURLOPT_TIMEOUT_MS */
  MOTE_TIMER_CONNECT,  /* CURLOPT_CONNECTTIMEOUT_MS, which includes the name lookup */
  MOTE_TIMER_RACE,     /* the next poll of a name lookup, then the next connection attempt (happy
                          eyeballs) or the end of an address's share of time */
  MOTE_TIMER_EXPECT,   /* CURLOPT_EXPECT_100_TIMEOUT_MS */
  MOTE_TIMER_SPEED,    /* low speed check, progress callback, end of a wait for a speed limit */
  MOTE_TIMER_LAST
};

/* Points in time for getinfo, in microseconds since `started`, summed over redirects. */
enum mote_mark {
  MOTE_MARK_QUEUE,
  MOTE_MARK_NAME,
  MOTE_MARK_CONNECT,
  MOTE_MARK_APPCONNECT,
  MOTE_MARK_PRETRANSFER,
  MOTE_MARK_POSTTRANSFER,
  MOTE_MARK_STARTTRANSFER,
  MOTE_MARK_REDIRECT,
  MOTE_MARK_LAST
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

/* Bytes of header room after every run. They hold what a common server sends, so that most transfers need
 * no further block. */
#if !MOTE_HAS_SMALL
#define MOTE_HEADER_TAIL 272u
#else
#define MOTE_HEADER_TAIL 0u /* none is stored */
#endif

struct mote_run {
  struct mote_transfer *owner;
#if !MOTE_HAS_SMALL
  struct mote_heap_node timer;      /* in the multi's heap, by the nearest deadline */
#endif
  uint32_t deadline[MOTE_TIMER_LAST]; /* ms after `started`, plus 1; 0: none */

  uint32_t conn_count;              /* CURLINFO_NUM_CONNECTS, the sockets that were connected */
  struct mote_conn *conn;           /* borrowed from the pool, or NULL */
  union {
    struct mote_race *race;         /* lookup and attempts while connecting to a named host, or NULL */
    void *local_state;              /* a local protocol's state from begin to end, or NULL */
  };

  struct mote_url_packed url;       /* the URL of the current request */
  char *redirect;                   /* next URL, followed or not; a block of strlen + 1, or NULL */
  char *referer;                    /* for CURLOPT_AUTOREFERER, the URL before; likewise, or NULL */


  /* Counters and times. */
  mote_time started;                /* start of the first request of the chain */
#if !MOTE_HAS_SMALL
  uint32_t mark[MOTE_MARK_LAST];    /* read by mote_mark_get(); 0: not reached */
#endif
  int64_t total_us;                 /* set at the end */
  curl_off_t bytes_down;            /* body bytes received, before decoding */
  curl_off_t bytes_up;              /* body bytes sent, with their framing */
  curl_off_t delivered;             /* CURLINFO_SIZE_DELIVERED */
  curl_off_t size_down;             /* announced length, or -1 */
  curl_off_t size_up;               /* announced length, or -1 */
  uint32_t header_size;             /* bytes of all response heads */
  uint32_t request_size;            /* bytes of all request heads, and of the bodies of all requests but the
                                       current one; saturates */
  uint16_t redirects;               /* redirects followed so far */
  uint16_t redirect_status;         /* status of the response that is followed */
  uint16_t response_code;
  uint16_t os_errno;                /* CURLINFO_OS_ERRNO; fits on all platforms */
  int32_t xfer_id;                  /* CURLINFO_XFER_ID; -1 before the first */
  int32_t conn_id;                  /* CURLINFO_CONN_ID; -1: none */

  struct mote_speed *speed;         /* limits, low speed and progress (transfer/progress.h), or NULL */
#if !MOTE_HAS_SMALL
  struct mote_body *body;           /* source of the upload (transfer/source.h), or NULL */
  struct mote_decoding *decode;     /* decoders (transfer/sink.h), or NULL: the body is not coded */
  struct mote_kept *paused;         /* the chunk that a callback refused with a pause, or NULL */
#endif
  struct mote_info *info;           /* answers for getinfo, made on demand (transfer/info.h), or NULL */
  struct curl_header *handed;       /* two headers, last returned by curl_easy_header(), or NULL */

  /* What a short send left over, or a request head too long for the buffer, or NULL. */
  struct mote_kept *unsent;         /* or NULL */

  struct mote_header_store headers;

  const struct mote_scheme *scheme; /* the current URL's */
  uint8_t method;                   /* enum mote_method of the current request */
  uint8_t http_version;             /* CURL_HTTP_VERSION_* of the last response */
#if !MOTE_HAS_SMALL
  uint8_t auth_avail;               /* CURLINFO_HTTPAUTH_AVAIL; all known CURLAUTH_* are below 256 */
  uint8_t auth_used;                /* CURLINFO_HTTPAUTH_USED, by the last request with credentials */
#endif
  bool wants_headers : 1;           /* header lines go to a callback or to their own FILE */
  bool recv_paused : 1;
  bool send_paused : 1;
  bool recv_limited : 1;            /* a speed limit holds this direction until MOTE_TIMER_SPEED */
  bool send_limited : 1;
  bool no_expect : 1;               /* the server refused Expect with 417 */
  bool challenged : 1;              /* the request was sent again with credentials after a 401 */
  bool reused : 1;                  /* the connection was used before */
  bool got_bytes : 1;               /* bytes of this request's response have arrived */
  bool body_ignored : 1;            /* the body is not delivered, as its response is followed or failed */
  bool follow : 1;                  /* follow `redirect` when the exchange is over */
  bool same_again : 1;              /* `follow` means the same URL again (401, 417) */
  bool condition_unmet : 1;         /* CURLINFO_CONDITION_UNMET */

  bool in_chain : 1;                /* started and not over: counters and options are this transfer's */
  bool prepared : 1;                /* the current URL is checked and the protocol has prepared */
  bool other_origin : 1;            /* redirected away from the origin that the credentials are for */
  bool drop_custom : 1;             /* CURLOPT_CUSTOMREQUEST does not apply after this redirect */
  bool keep_open : 1;               /* CONNECT_ONLY: the handle keeps the connection after the end */
  bool begun : 1;                   /* protocol->begin() was called, end() not yet */
  bool names_preset : 1;            /* CURLOPT_RESOLVE is in the cache */
  bool connected : 1;               /* in CONNECT: the socket is connected, upper layers are being set up */
  bool fresh : 1;                   /* a kept connection was dead: use a new one */
  bool paused_header : 1;           /* `paused` is a header line, not part of a body */
  bool old_server : 1;              /* the server has HTTP/1.0: use it for the rest of the chain */
  bool other_challenge : 1;         /* auth_avail is that of another origin */
  bool own_pool : 1;                /* the connection is of a pool that only this handle uses; before one
                                       is chosen: so was the last one, and no option was set since */
  bool asked : 1;                   /* the current URL was requested */
#if !MOTE_HAS_SMALL
  struct mote_addr primary;         /* CURLINFO_PRIMARY_IP and _PORT */
  struct mote_addr local;           /* CURLINFO_LOCAL_IP and _PORT */
#endif


  /* MOTE_HEADER_TAIL bytes of header room follow */
};

/* Returns NULL without part multi_api, which has the heap of deadlines. */
#if !MOTE_HAS_SMALL
static inline struct mote_heap_node *mote_run_timer(struct mote_run *r)
{
  return &r->timer;
}
#else
#define mote_run_timer(r) ((void)(r), NULL)
#endif

#define MOTE_RUN_SIZE (sizeof(struct mote_run) + MOTE_HEADER_TAIL) /* bytes of its block */

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
  bool active : 1;                  /* counted in the multi's `active`, which keeps its buffer */
  bool in_callback : 1;             /* one of its callbacks is running */
  bool failed_text : 1;             /* the error buffer has its text already */
  bool wake_after : 1;              /* a callback has unpaused the transfer: step it again */
  bool announced : 1;               /* msg is in the done list */
  bool notify_due : 1;              /* CURLMNOTIFY_EASY_DONE must be delivered */
  bool slot_wait : 1;               /* pending because a share's pool was full (transfer/share.h) */
  struct mote_account account;      /* the handle's account; last, as it fits into the padding if empty */
};

/* Makes the part that every handle has. */
void mote_transfer_init(struct mote_transfer *t, CURL *easy);
/* Frees the run and the options. The transfer must be in no multi. */
void mote_transfer_close(struct mote_transfer *t);

/* Makes t->run, all zero except for its owner and its header store. CURLE_OUT_OF_MEMORY. */
CURLcode mote_run_make(struct mote_transfer *t);
/* Frees t->run with all that it owns. The transfer must have left its connection. */
void mote_run_free(struct mote_transfer *t);

/* Does what is possible now. Only the multi calls it. */
void mote_transfer_step(struct mote_transfer *t);

/* Ends the transfer with rc. Its connection is released or closed, its state is done, and the multi is
 * notified. */
void mote_transfer_finish(struct mote_transfer *t, CURLcode rc);

/* Leaves everything that belongs to the multi (connection, name lookup, timers), for
 * curl_multi_remove_handle. */
void mote_transfer_detach(struct mote_transfer *t);

/* Notes whether the transfer is past pending, which keeps the multi's buffer. */
void mote_transfer_set_active(struct mote_transfer *t, bool active);

/* Frees a text such as run->redirect. NULL is allowed. */
void mote_text_free(struct mote_transfer *t, char *text);

/* Schedules a step, because what the transfer waits for may have happened. */
void mote_transfer_wake(struct mote_transfer *t);

/* Makes an empty block with room for cap bytes. NULL: out of memory. */
struct mote_kept *mote_kept_new(struct mote_transfer *t, size_t cap);
void mote_kept_free(struct mote_transfer *t, struct mote_kept *k); /* NULL is allowed */

/* A point in time is stored in 32 bits, as microseconds up to 35 minutes, then as milliseconds. */
#if !MOTE_HAS_SMALL
void mote_mark_set(struct mote_run *r, enum mote_mark m, mote_time now);
int64_t mote_mark_get(const struct mote_run *r, enum mote_mark m); /* µs since started */
#else
#define mote_mark_set(r, m, now) ((void)(r), (void)(m), (void)(now))
#endif

/* Sets a deadline (at: absolute µs, rounded up to ms) or cancels it (0). */
void mote_timer_set(struct mote_transfer *t, enum mote_timer id, mote_time at);
mote_time mote_timer_at(const struct mote_run *r, enum mote_timer id); /* 0: none */
mote_time mote_timer_nearest(const struct mote_run *r);                /* 0: none */
bool mote_timer_due(const struct mote_transfer *t, enum mote_timer id, mote_time now);

/* Does what curl_easy_pause() does. action: CURLPAUSE_* bits. CURLE_BAD_FUNCTION_ARGUMENT: no transfer is
 * under way. */
#if !MOTE_HAS_SMALL
CURLcode mote_transfer_pause(struct mote_transfer *t, int action);
#else
#define mote_transfer_pause(t, action) ((void)(t), (void)(action), (CURLcode)CURLE_NOT_BUILT_IN)
#endif


#endif
