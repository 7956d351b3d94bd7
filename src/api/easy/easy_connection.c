/* api/easy/easy_connection.c: the connections of an easy handle outside a transfer: curl_easy_recv(3) and
 * curl_easy_send(3) on the one that CONNECT_ONLY left open, curl_easy_upkeep(3) on those that are kept. */
#include "api/easy/easy_handle.h"
#include "base/report.h"
#include "connect/dial/dial.h"
#include "engine/multi.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "port/port.h"
#include "transfer/multi/multi.h"

/* The connection that a CONNECT_ONLY transfer has left with the handle. */
static CURLcode open_connection(CURL *curl, struct mote_conn **out)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(mote_easy_in_callback(e))
    return CURLE_RECURSIVE_API_CALL;
  if(!mote_opt_long(&e->t.options, CURLOPT_CONNECT_ONLY))
    return mote_fail_as(CURLE_UNSUPPORTED_PROTOCOL, &e->t.report, "CONNECT_ONLY is required");
  if(!e->t.run || !e->t.run->channel.conn || e->t.run->lease.phase != MOTE_PHASE_OPEN)
    return mote_fail_as(CURLE_UNSUPPORTED_PROTOCOL, &e->t.report,
                        "there is no open connection: perform the transfer first");
  *out = e->t.run->channel.conn;
  return CURLE_OK;
}

CURLcode curl_easy_recv(CURL *curl, void *buffer, size_t buflen, size_t *n)
{
  struct mote_conn *c;
  CURLcode rc = open_connection(curl, &c);
  if(rc)
    return rc;
  *n = 0;
  return c->top->ops->recv(c->top, buffer, buflen, n);
}

CURLcode curl_easy_send(CURL *curl, const void *buffer, size_t buflen, size_t *n)
{
  struct mote_conn *c;
  CURLcode rc = open_connection(curl, &c);
  if(rc)
    return rc;
  *n = 0;
  return mote_conn_send(c, buffer, buflen, n);
}

void mote_easy_keep_open(struct mote_easy *e)
{
  if(e->own)
    mote_connect_leave_share(&e->t, mote_easy_multi(e));
}

/* CURLMOPT_NOTIFYFUNCTION may call it, as no transfer is in a step then. */
CURLcode curl_easy_upkeep(CURL *curl)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(e->t.in_callback || (e->t.multi && mote_multi_in_strict_callback(e->t.multi)))
    return CURLE_RECURSIVE_API_CALL;
  mote_connect_upkeep(&e->t, mote_easy_multi(e), mote_port_now());
  if(e->t.multi) /* a connection that was too old says goodbye */
    (void)mote_multi_report_timer(e->t.multi);
  return CURLE_OK;
}
