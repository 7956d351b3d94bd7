/* transfer.h: one transfer of a plan by an easy handle, and the rules that hold for it. */
#ifndef TRANSFER_H
#define TRANSFER_H

#include <curl/curl.h>
#include <stdbool.h>

#include "base/time.h"

struct transfer {
  CURL *easy;           /* NULL: there is none yet, or it could not be made */
  unsigned number;      /* of its plan */
  struct curl_slist *fields; /* CURLOPT_HTTPHEADER, or NULL */
  char url[96];
  long timeout_ms;      /* CURLOPT_TIMEOUT_MS */
  long connect_ms;      /* CURLOPT_CONNECTTIMEOUT_MS; 0: none is set */
  unsigned pause;       /* chance in 1,000 that a piece is refused with CURL_WRITEFUNC_PAUSE */
  CURLSH *share;        /* the world's, or NULL */
  bool duplicated;      /* it runs on a copy by curl_easy_duphandle() */
  bool fresh;           /* CURLOPT_FRESH_CONNECT */
  bool forbids;         /* CURLOPT_FORBID_REUSE */
  long buffer;          /* CURLOPT_BUFFERSIZE; 0: none is set */
  long speed_down;      /* CURLOPT_MAX_RECV_SPEED_LARGE, bytes a second; 0: none */
  long speed_up;        /* CURLOPT_MAX_SEND_SPEED_LARGE */
  CURLM *multi;         /* that drives it; NULL: curl_easy_perform() */
  unsigned odd;         /* chance in 1,000 that the write callback calls what it must not, or may */
  unsigned removes;     /* chance in 1,000, at each turn of the loop, that it is taken out of its multi */
  bool begins_again;    /* then it is added again */
  bool rewound;         /* it was */
  size_t aborts_at;     /* the write callback gives up there; SIZE_MAX: nowhere */

  bool waits_for_others; /* its multi has limits of connections */
  bool running;         /* between its start and its end */
  bool ended;           /* its end was reported */
  bool removed;         /* it was taken out of the multi while it ran: no end is reported */
  bool paused;
  mote_time resumes;    /* when the program goes on with it */
  mote_time started;
  size_t delivered;     /* bytes of the body */
  size_t uploaded;      /* where the read callback is */
  CURLcode code;
};

/* Whether SIM_TRACE is set: events and ends are printed. */
bool transfer_traces(void);
/* Makes the easy handle, with all options; or (before not NULL) takes that transfer's, after
 * curl_easy_reset(). False: there was no memory. */
bool transfer_make(struct transfer *t, struct transfer *before);
void transfer_begins(struct transfer *t);
/* Forgets what was delivered and sent: the transfer is to begin again from its start. */
void transfer_rewind(struct transfer *t);
/* Looks whether code, bytes and time are as they may be. */
void transfer_ends(struct transfer *t, CURLcode code);
void transfer_free(struct transfer *t);

#endif
