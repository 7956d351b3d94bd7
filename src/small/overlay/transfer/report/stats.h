/* small/overlay/transfer/report/stats.h: counts of a transfer. Times and addresses are not kept. */
#ifndef MOTE_TRANSFER_REPORT_STATS_H
#define MOTE_TRANSFER_REPORT_STATS_H

#include <curl/curl.h>
#include <stdint.h>

#include "base/time.h"

struct mote_stats {
  mote_time started;                /* start of the first request of the chain */
  curl_off_t bytes_down;            /* body bytes received */
  curl_off_t bytes_up;              /* body bytes sent */
  curl_off_t delivered;             /* CURLINFO_SIZE_DELIVERED */
  int32_t conn_id;                  /* CURLINFO_CONN_ID; -1: none */
  uint16_t os_errno;                /* CURLINFO_OS_ERRNO; fits on all platforms */
};

#define mote_mark_set(s, mark, now) ((void)(s), (void)(now))
#define mote_info_leave_queue(s, now) ((void)(s), (void)(now))
#define mote_info_complete(s) ((void)(s))

#endif
