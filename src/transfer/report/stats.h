/* transfer/report/stats.h: counts, times and addresses of a transfer, which curl_easy_getinfo() reports.
 * They are a member of the run.
 *
 * Tests: tests/unit/api/test_getinfo.c */
#ifndef MOTE_TRANSFER_REPORT_STATS_H
#define MOTE_TRANSFER_REPORT_STATS_H

#include <curl/curl.h>
#include <stdint.h>

#include "base/time.h"
#include "parts.h"
#include "port/addr.h"

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
  MOTE_MARK_TOTAL, /* the end */
  MOTE_MARK_LAST
};

struct mote_stats {
  mote_time started;                /* start of the first request of the chain */
  curl_off_t bytes_down;            /* body bytes received, before decoding */
  curl_off_t bytes_up;              /* body bytes sent, with their framing */
  curl_off_t delivered;             /* CURLINFO_SIZE_DELIVERED */
  uint32_t mark[MOTE_MARK_LAST];    /* read by mote_mark_get(); 0: not reached */
  int32_t conn_id;                  /* CURLINFO_CONN_ID; -1: none */
  uint16_t os_errno;                /* CURLINFO_OS_ERRNO; fits on all platforms */
  uint8_t http_version;             /* CURL_HTTP_VERSION_* of the last response */
  uint8_t auth_used;                /* CURLINFO_HTTPAUTH_USED, by the last request with credentials */
#if MOTE_HAS_H3
  int32_t early;                    /* CURLINFO_EARLYDATA_SENT_T: bytes, negative where they were refused */
#endif
#if MOTE_HAS_INFOS && MOTE_HAS_HTTPS
  uint16_t verify_result;           /* CURLINFO_SSL_VERIFYRESULT: X509_V_*, of the last connection */
#endif
  struct mote_addr primary;         /* CURLINFO_PRIMARY_IP and _PORT */
  struct mote_addr local;           /* CURLINFO_LOCAL_IP and _PORT */
};

/* How a table of such members names one that a part has: with it, and without. */
#if MOTE_HAS_H3
#define MOTE_STATS_EARLY(with, without) with
#else
#define MOTE_STATS_EARLY(with, without) without
#endif
#if MOTE_HAS_INFOS && MOTE_HAS_HTTPS
#define MOTE_STATS_VERIFY(with, without) with
#else
#define MOTE_STATS_VERIFY(with, without) without
#endif

/* A point in time is stored in 32 bits, as microseconds up to 35 minutes, then as milliseconds. */
void mote_mark_set(struct mote_stats *s, enum mote_mark m, mote_time now);
int64_t mote_mark_get(const struct mote_stats *s, enum mote_mark m); /* µs since started */
/* The response begins, or has begun before. The only writer of MOTE_MARK_STARTTRANSFER, but that a further
 * request takes it back. */
static inline void mote_mark_response(struct mote_stats *s, mote_time now)
{
  if(!s->mark[MOTE_MARK_STARTTRANSFER])
    mote_mark_set(s, MOTE_MARK_STARTTRANSFER, now);
}

/* Completes the times of a transfer that went well where its protocol does not say when all was sent, which
 * was before the response began, or with the request. */
#if MOTE_HAS_INFOS
void mote_info_complete(struct mote_stats *s);
/* A request has got its connection, or needs none. CURLINFO_QUEUE_TIME_T is what all of a chain waited. */
void mote_info_leave_queue(struct mote_stats *s, mote_time now);
#else
#define mote_info_leave_queue(s, now) ((void)(s), (void)(now))
#define mote_info_complete(s) ((void)(s))
#endif

#endif
