/* protocol/http.c: the exchange: its begin, its end, and the descriptor of the protocol. */
#include <string.h>

#include "base/report.h"
#include "net/conn.h"
#include "protocol/http_parser.h"
#include "transfer/protocol.h"

/* A POST has no part that was sent before (CURLOPT_RESUME_FROM_LARGE(3)). */
CURLcode mote_http_refuse_resume(struct mote_transfer *t)
{
  if(t->run->method != MOTE_METHOD_POST || !mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE))
    return CURLE_OK;
  mote_fail(&t->report, "a POST cannot be resumed");
  return CURLE_BAD_FUNCTION_ARGUMENT;
}

static CURLcode http_begin(struct mote_transfer *t)
{
  struct mote_http *h = mote_http_of(t);
  bool old = h->old_peer || t->run->old_server;
  memset(h, 0, sizeof *h + sizeof(struct mote_http_parser));
  h->old = old || mote_opt_long(&t->options, CURLOPT_HTTP_VERSION) == CURL_HTTP_VERSION_1_0;
  mote_http1_head_init(&mote_http_parser(h)->in.head, mote_opt_ptr(&t->options, CURLOPT_HTTP200ALIASES));
  mote_conn_set_reusable(t->run->conn, false);
  mote_conn_clear_events(t->run->conn);
  return mote_http_refuse_resume(t);
}

/* Both directions have come to their end by the book. */
static bool is_clean(const struct mote_http *h)
{
  bool over = h->receiving == MOTE_HTTP_RECEIVE_DONE && h->sending == MOTE_HTTP_SEND_DONE;
  bool spoiled = h->close_asked || h->abandoned || h->surplus || h->not_http || h->bare_lf;
  return over && !spoiled && mote_http_parser(h)->framing.reusable;
}

static void http_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_conn *c = t->run->conn;
  bool fit = c && (rc == CURLE_UPLOAD_FAILED || (!rc && is_clean(mote_http_of(t))));
  if(c)
    mote_conn_set_reusable(c, fit && !mote_conn_at_end(c));
}

const struct mote_protocol mote_protocol_http = {
  .name = "http",
  .conn_size = sizeof(struct mote_http) + sizeof(struct mote_http_parser),
  .prepare = mote_http_prepare,
  .begin = http_begin,
  .step = mote_http_step,
  .end = http_end,
  MOTE_PROTOCOL_CEILING(mote_http_ceiling),
};
