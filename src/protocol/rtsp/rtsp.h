/* protocol/rtsp/rtsp.h: rtsp: URLs (RFC 2326; CURLOPT_RTSP_REQUEST(3)).
 *
 * A request has a CSeq, and the session that the application has set or a server has given. Its response is
 * that of HTTP but for the status line, so that http/response.h takes it. Fields are stored and delivered,
 * and a challenge is answered. Between responses the server may send packets of the channels that a Transport
 * field has named; each goes whole to CURLOPT_INTERLEAVEFUNCTION. rtsp_request.c writes requests,
 * rtsp_response.c takes what the server sends, and rtsp.c drives both.
 *
 * Ownership: the state of an exchange is the connection's, with the channels, which outlive it. What a handle
 *            remembers from one request to the next is in its options.
 * Errors:    CURLE_RTSP_CSEQ_ERROR, CURLE_RTSP_SESSION_ERROR, CURLE_BAD_FUNCTION_ARGUMENT (no Transport for
 *            SETUP, a control character in an option, a body of unknown size), CURLE_WEIRD_SERVER_REPLY,
 *            CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_WRITE_ERROR.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_rtsp.py */
#ifndef MOTE_PROTOCOL_RTSP_RTSP_H
#define MOTE_PROTOCOL_RTSP_RTSP_H

#include "codec/http/http1.h"
#include "codec/rtsp.h"
#include "http/http.h"

struct mote_protocol;

enum mote_rtsp_stage {
  MOTE_RTSP_ASK,    /* nothing is sent */
  MOTE_RTSP_SEND,   /* the head is sent, or in run->unsent; the body goes */
  MOTE_RTSP_WAIT,   /* packets may come before the response; with RTSPREQ_RECEIVE nothing but them */
  MOTE_RTSP_STATUS, /* a status line begins */
  MOTE_RTSP_FIELDS,
  MOTE_RTSP_BODY,
  MOTE_RTSP_OVER    /* the response is complete; packets may lie after it */
};

struct mote_rtsp {
  struct mote_http http;                /* first: mote_http_of() */
  struct mote_http1_response response;  /* its length, codings, Connection */
  struct mote_http1_fields fields;      /* in FIELDS */
  uint64_t left;                        /* bytes of the body that are still to come */
  long cseq;                            /* of the request; with RTSPREQ_RECEIVE 0 */
  struct mote_rtsp_channels channels;   /* outlive the exchange */
  uint8_t stage;                        /* enum mote_rtsp_stage */
  bool received;                        /* RTSPREQ_RECEIVE: bytes have come, and no packet is under way */
};

/* What a handle remembers (MOTE_OPT_RTSP). */
struct mote_rtsp_memory {
  long next;     /* CURLINFO_RTSP_CLIENT_CSEQ */
  long received; /* CURLINFO_RTSP_CSEQ_RECV */
};

extern const struct mote_protocol mote_protocol_rtsp;

static inline struct mote_rtsp *mote_rtsp_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

/* ---- rtsp_request.c ---- */

/* struct mote_protocol.prepare */
CURLcode mote_rtsp_prepare(struct mote_transfer *t);
/* Returns CURL_RTSPREQ_*. */
long mote_rtsp_request(const struct mote_transfer *t);
/* Returns what the handle remembers, or NULL: CURLE_OUT_OF_MEMORY. */
struct mote_rtsp_memory *mote_rtsp_remember(struct mote_transfer *t);
/* Writes and sends the head. CURLE_AGAIN: its rest is in run->unsent. */
CURLcode mote_rtsp_send_head(struct mote_transfer *t);

/* Returns whether the transfer sends nothing and waits for packets. */
static inline bool mote_rtsp_only_receives(const struct mote_transfer *t)
{
  return mote_rtsp_request(t) == CURL_RTSPREQ_RECEIVE;
}

/* ---- rtsp_response.c ---- */

/* Takes what it can of the bytes that the connection lends, and has the connection hold the rest.
 * CURLE_AGAIN: the application has paused. */
CURLcode mote_rtsp_take(struct mote_transfer *t, char *bytes, size_t len, mote_time now);

#endif
