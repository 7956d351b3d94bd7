/* transfer/transfer.h: one transfer: what every handle has (struct mote_transfer) and what exists only from
 * its first start on (struct mote_run).
 *
 * Life: idle → pending (limits on connections) → name → connect → exchange → done; CONNECT_ONLY stays in
 * open. One function per state (states.c). A step does what is possible now and never blocks.
 *
 * Invariants: a transfer in a multi is linked in exactly one of the multi's lists; run != NULL from the
 *             first step on; run->conn != NULL in exchange and open.
 * Ownership:  the easy handle embeds struct mote_transfer; the run is the transfer's, kept after the end for
 *             getinfo and used again by the next start.
 * Failure:    every error ends the transfer with one CURLcode in `result`; other transfers go on.
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
#include "codec/url.h"
#include "net/address.h"
#include "net/names.h"
#include "transfer/headers.h"
#include "transfer/options.h"

struct mote_conn;
struct mote_multi;
struct mote_protocol;
struct mote_scheme;
struct mote_race;
struct mote_share;
struct mote_body;
struct mote_decode_chain;
struct mote_speed;

enum mote_state {
  MOTE_STATE_IDLE,     /* in no multi, or not started */
  MOTE_STATE_PENDING,  /* to be started: waits for its turn (connection limits) */
  MOTE_STATE_NAME,     /* name lookup under way */
  MOTE_STATE_CONNECT,  /* sockets race, then handshakes of the streams */
  MOTE_STATE_EXCHANGE, /* request and response, both directions at once */
  MOTE_STATE_OPEN,     /* CONNECT_ONLY: the application drives the connection */
  MOTE_STATE_DONE      /* result is valid */
};

/* Deadlines of a transfer: at most one per id, kept in place. */
enum mote_timer {
  MOTE_TIMER_TOTAL,    /* CURLOPT_TIMEOUT_MS */
  MOTE_TIMER_CONNECT,  /* CURLOPT_CONNECTTIMEOUT_MS, name lookup included */
  MOTE_TIMER_RACE,     /* next connection attempt (happy eyeballs), per-address share of time */
  MOTE_TIMER_EXPECT,   /* CURLOPT_EXPECT_100_TIMEOUT_MS */
  MOTE_TIMER_SPEED,    /* low speed check, progress callback, and waiting for a speed limit */
  MOTE_TIMER_LAST
};

/* Points in time of a transfer, for getinfo; microseconds since `started`, summed over redirects. */
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

struct mote_run {
  struct mote_transfer *owner;
  struct mote_heap_node timer;      /* in the multi's heap; key: nearest deadline */
  mote_time deadline[MOTE_TIMER_LAST]; /* absolute; 0: none */

  const struct mote_protocol *protocol;
  struct mote_conn *conn;           /* borrowed from the pool, or NULL */
  struct mote_list conn_link;       /* in conn->users */
  struct mote_answer *answer;       /* addresses, a reference; or NULL */
  struct mote_race *race;           /* connection attempts under way, or NULL */
  struct mote_name_wait name_wait;
  CURLcode name_result;             /* of the lookup, CURLE_OK until it fails */

  struct mote_url url;              /* of the current request */
  char *redirect;                   /* next URL to follow (or that would be), NUL-terminated, or NULL */
  uint32_t redirect_size;           /* bytes of that block */
  uint32_t referer_size;            /* bytes of the next block */
  char *referer;                    /* CURLOPT_AUTOREFERER: the URL that redirected here, or NULL */

  /* Resolved once per start, never searched in the loop. */
  size_t (*write_fn)(char *ptr, size_t size, size_t nmemb, void *data); /* NULL: fwrite */
  void *write_data;
  size_t (*header_fn)(char *ptr, size_t size, size_t nmemb, void *data); /* NULL: headers are not delivered apart */
  void *header_data;
  size_t (*read_fn)(char *ptr, size_t size, size_t nmemb, void *data);
  void *read_data;
  curl_off_t max_recv_speed;        /* bytes per second; 0: no limit */
  curl_off_t max_send_speed;
  curl_off_t max_filesize;          /* 0: no limit */

  /* What is counted. */
  mote_time started;                /* of the first request of the chain */
  mote_time request_started;        /* of the current request */
  int64_t mark[MOTE_MARK_LAST];     /* µs; 0: not reached */
  int64_t total_us;                 /* set at the end */
  curl_off_t bytes_down;            /* body bytes received, before decoding */
  curl_off_t bytes_up;              /* body bytes sent */
  curl_off_t delivered;             /* CURLINFO_SIZE_DELIVERED */
  curl_off_t size_down;             /* announced length, or -1 */
  curl_off_t size_up;               /* announced length, or -1 */
  uint32_t header_size;             /* bytes of all heads received */
  uint32_t request_size;            /* bytes of all request heads sent */
  uint32_t conn_count;              /* CURLINFO_NUM_CONNECTS */
  uint16_t redirects;               /* followed so far */
  uint16_t redirect_status;         /* of the response that is followed */
  uint16_t response_code;
  uint16_t connect_code;
  int os_errno;                     /* CURLINFO_OS_ERRNO */
  uint32_t auth_avail;              /* CURLINFO_HTTPAUTH_AVAIL: CURLAUTH_* */
  uint32_t auth_used;               /* CURLINFO_HTTPAUTH_USED */
  curl_off_t xfer_id;               /* CURLINFO_XFER_ID, -1 before the first */
  curl_off_t conn_id;               /* CURLINFO_CONN_ID, -1: none */

  struct mote_speed *speed;         /* limits, low speed and progress (transfer/progress.h), made when asked for */
  struct mote_body *body;           /* upload source in use (transfer/source.h), made when there is a body */
  struct mote_decode_chain *decode; /* content decoders (codec/decode.h), made when the response is encoded */
  char *decoded;                    /* their output room, MOTE_DECODE_ROOM bytes, while decode != NULL */
  struct curl_header *handed;       /* what curl_easy_header() gave out last: two of them, or NULL */

  /* What a short send left over, or a request head too long for the buffer. */
  char *unsent;
  uint32_t unsent_at;               /* bytes of it sent already */
  uint32_t unsent_len;
  uint32_t unsent_cap;

  struct mote_header_store headers;

  const struct mote_scheme *scheme; /* of the current URL */
  uint8_t method;                   /* enum mote_method of the current request */
  uint8_t http_version;             /* CURL_HTTP_VERSION_* of the last response */
  bool recv_paused;
  bool send_paused;
  bool recv_limited;                /* a speed limit holds this direction until MOTE_TIMER_SPEED */
  bool send_limited;
  bool no_expect;                   /* the server has refused Expect with 417 */
  bool challenged;                  /* a 401 was answered with credentials */
  bool reused;                      /* the connection had been used before */
  bool got_bytes;                   /* of the response of this request */
  bool retried;                     /* repeated once because a kept connection was dead */
  bool body_ignored;                /* the body of a response that is followed or failed is not delivered */
  bool follow;                      /* `redirect` is to be followed when the exchange is over */
  bool same_again;                  /* `follow` means the same URL once more (401, 417) */
  bool condition_unmet;             /* CURLINFO_CONDITION_UNMET */
  bool used_ssl;

  bool in_chain;                    /* started, not over: counters and options belong to this transfer */
  bool prepared;                    /* the current URL was checked and the protocol has prepared */
  bool other_origin;                /* redirected away: the first origin's credentials are not for this one */
  bool drop_custom;                 /* CURLOPT_CUSTOMREQUEST is not used after this redirect */
  bool keep_open;                   /* CONNECT_ONLY: the connection stays with the handle after the end */
  bool begun;                       /* protocol->begin was called, end not yet */
  bool name_asked;                  /* a lookup is under way */
  bool names_preset;                /* CURLOPT_RESOLVE has been put into the cache */
  bool connected;                   /* CONNECT: the socket is connected, the layers above are being set up */
  bool fresh;                       /* a kept connection was dead: ask on a new one */
  bool paused_header;               /* `paused` is a header line, not body */
  struct mote_addr primary;         /* CURLINFO_PRIMARY_IP and _PORT */
  struct mote_addr local;           /* CURLINFO_LOCAL_IP and _PORT */

  char *paused;                     /* the chunk that a callback has refused with a pause, or NULL */
  uint32_t paused_len;
  uint32_t paused_cap;

  uint16_t state_size;              /* bytes of protocol state behind the struct */
  uint16_t tail_size;               /* bytes of header room behind that */
  /* state_size bytes: the protocol's own state; then tail_size bytes of header room */
};

struct mote_transfer {
  struct mote_list link;            /* in one of the multi's lists */
  struct mote_multi *multi;         /* or NULL */
  struct mote_share *share;         /* CURLOPT_SHARE, or NULL */
  struct mote_run *run;             /* or NULL before the first start */
  CURL *easy;                       /* what callbacks get */
  CURLMsg msg;                      /* for curl_multi_info_read; result in data.result */
  struct mote_account account;      /* the handle's */
  struct mote_report report;        /* error buffer and debug callback */
  struct mote_options options;
  uint8_t state;                    /* enum mote_state */
  uint8_t list;                     /* enum mote_list_id: the list link is in */
  bool in_callback;                 /* one of its callbacks runs */
  bool failed_text;                 /* the error buffer has its text */
  bool wake_after;                  /* unpaused from inside a callback: run again */
  bool announced;                   /* msg was put into the done list */
  bool notify_due;                  /* CURLMNOTIFY_EASY_DONE is to be told */
};

/* Set up and tear down the part that every handle has. */
void mote_transfer_init(struct mote_transfer *t, CURL *easy);
/* Not while in a multi. The options stay. */
void mote_transfer_close(struct mote_transfer *t);

/* Do what is possible now. Called by the multi only. */
void mote_transfer_step(struct mote_transfer *t);

/* End now with rc: connection released or discarded, state done, multi told. */
void mote_transfer_finish(struct mote_transfer *t, CURLcode rc);

/* Leave everything that belongs to the multi (connection, name wait, timers): curl_multi_remove_handle. */
void mote_transfer_detach(struct mote_transfer *t);

/* Something the transfer waits for may have happened: run its step soon. */
void mote_transfer_wake(struct mote_transfer *t);

/* Set (at: absolute µs) or cancel (0) a deadline. */
void mote_timer_set(struct mote_transfer *t, enum mote_timer id, mote_time at);
bool mote_timer_due(const struct mote_transfer *t, enum mote_timer id, mote_time now);

/* curl_easy_pause. Action: CURLPAUSE_* bits. */
CURLcode mote_transfer_pause(struct mote_transfer *t, int action);

/* The protocol's state behind the run. */
static inline void *mote_run_state(struct mote_run *r)
{
  return r + 1;
}

#endif
