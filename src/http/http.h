/* http/http.h: HTTP as a client speaks it (RFC 9110), whatever carries it.
 *
 * A protocol (protocol/http1/h1.h) sends and receives, and here is what its exchange means. request.h says
 * which fields a request has, response.h what a response leads to, hooks.h which features take part in
 * both.
 *
 * Ownership: the state is the beginning of the protocol's own, in the connection or in that of the exchange,
 *            and has no memory of its own.
 * Tests:     tests/unit/http, tests/e2e */
#ifndef MOTE_HTTP_HTTP_H
#define MOTE_HTTP_HTTP_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/conn.h"
#include "parts.h"
#include "transfer/transfer.h"

enum mote_http_send {
  MOTE_HTTP_SEND_HEAD,
  MOTE_HTTP_SEND_WAIT, /* Expect: 100-continue is sent; waiting for an answer or the timer */
  MOTE_HTTP_SEND_BODY,
  MOTE_HTTP_SEND_DONE
};

enum mote_http_receive {
  MOTE_HTTP_RECEIVE_HEAD,
  MOTE_HTTP_RECEIVE_BODY,
  MOTE_HTTP_RECEIVE_FINISH, /* the body is complete, decoders may still have output */
  MOTE_HTTP_RECEIVE_DONE
};

/* What HTTP knows of one exchange. */
struct mote_http {
  uint32_t fields;          /* bit i: a feature reads response fields of the kind i (enum mote_http1_field) */
  uint16_t hooks;           /* bit i: the request has asked for mote_http_hooks[i] */
  uint16_t code;            /* status of the current response; 0: none has come */
  uint8_t sending : 2;      /* enum mote_http_send */
  uint8_t receiving : 2;    /* enum mote_http_receive */
  bool old : 1;             /* the request is HTTP/1.0, by option or since the last response was */
  bool upload_chunked : 1;  /* the request body is sent chunked, without Content-Length */
  bool ranged : 1;          /* CURLOPT_RESUME_FROM asked for a range */
  bool again : 1;           /* request the same URL again (401 with a usable challenge, 417) */
  bool abandoned : 1;       /* the request body was cut short: not reusable */
  bool quiet : 1;           /* header lines are not delivered (mote_sink_wants_headers()) */
  bool probe : 1;           /* the body waits for a challenge: this request announces an empty one */
  struct mote_login_round login;       /* with the server */
  struct mote_login_round proxy_login; /* with the proxy that passes the request on */
};

#if MOTE_HAS_MUX

/* How the state of an exchange begins where the protocol has one for each (struct mote_protocol). */
struct mote_http_stream {
  struct mote_exchange exchange;
  struct mote_http http;
};

/* Returns the exchange's state. run->channel.conn must not be NULL. */
static inline struct mote_http *mote_http_of(const struct mote_transfer *t)
{
  struct mote_http_stream *s = t->run->channel.state;
  return s ? &s->http : mote_conn_state(t->run->channel.conn);
}

#else

static inline struct mote_http *mote_http_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}
#endif

/* request.c: struct mote_protocol.prepare. Checks the method and opens or rewinds the source of the body. */
CURLcode mote_http_prepare(struct mote_transfer *t);
/* request.c: struct mote_protocol.url. Lets the features judge the URL of a request (http/hooks.h). */
CURLcode mote_http_judge_url(struct mote_transfer *t);
/* What the rows of HTTP (struct mote_protocol) have alike, whatever carries it; needs http/redirect.h. */
#define MOTE_HTTP_ROW \
  .url = MOTE_HAS_HOST_MEMORY ? mote_http_judge_url : NULL, .follow = mote_redirect_follow

/* request.c: CURLE_BAD_FUNCTION_ARGUMENT for a POST with CURLOPT_RESUME_FROM. libcurl checks a POST whose
 * body is in memory before it connects, and any other afterwards. */
CURLcode mote_http_refuse_resume(struct mote_transfer *t);

/* The CURLAUTH_* bits of the signatures of this build (sigv4.c, message_signature.c). CURLOPT_HTTPAUTH has
 * them like those of schemes, but a signature has fields of its own and follows from the whole request, so
 * that it is no row. */
#define MOTE_HTTP_SIGN_BUILT ((MOTE_HAS_AWS_SIGV4 ? CURLAUTH_AWS_SIGV4 : 0UL) | \
                              (MOTE_HAS_MESSAGE_SIGNATURES ? CURLAUTH_HTTPSIG : 0UL))

/* auth.c: returns the CURLAUTH_* bits of the schemes that are built in, as mote_auth_built(). */
#if MOTE_HAS_HTTP
unsigned long mote_http_auth_built(void);
#else
#define mote_http_auth_built() 0UL
#endif

#endif
