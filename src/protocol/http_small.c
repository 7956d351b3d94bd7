/* protocol/http_small.c: the request of a small GET, and the steps of its exchange. */
#include "protocol/http_small.h"

#include <string.h>

#include "net/conn.h"
#include "net/conn_io.h"
#include "transfer/buffer.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

static struct mote_small_http *state_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->conn);
}

/* ---- the request ---- */

/* Host says the port when the URL does. */
static CURLcode build_head(struct mote_transfer *t, struct mote_small_http *h)
{
  const struct mote_url_packed *url = &t->run->url;
  const char *agent = mote_opt_str(&t->options, CURLOPT_USERAGENT);
  const struct mote_slice parts[] = {
    {"GET ", 4},
    mote_url_packed_target(url),
    {" HTTP/1.1\r\nHost: ", 17},
    mote_url_packed_authority(url),
    {"\r\nUser-Agent: ", agent ? 14 : 0},
    {agent, agent ? strlen(agent) : 0},
    {"\r\nAccept: */*\r\n\r\n", 17},
  };
  size_t need = (size_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t sum = 0;
  unsigned i;
  char *to;
  for(i = 0; i < sizeof parts / sizeof parts[0]; i++)
    sum += parts[i].len;
  to = mote_multi_buffer(t->multi, (uint32_t)(sum > need ? sum : need));
  if(!to)
    return CURLE_OUT_OF_MEMORY;
  h->fill = (uint32_t)sum;
  for(i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if(parts[i].len)
      memcpy(to, parts[i].ptr, parts[i].len);
    to += parts[i].len;
  }
  return CURLE_OK;
}

static CURLcode wait_for(struct mote_transfer *t, unsigned interest)
{
  CURLcode rc = mote_conn_want(t->run->conn, interest);
  return rc ? rc : CURLE_AGAIN;
}

static CURLcode send_head(struct mote_transfer *t, struct mote_small_http *h)
{
  CURLcode rc = h->fill ? CURLE_OK : build_head(t, h);
  while(!rc && h->at < h->fill) {
    size_t n;
    rc = mote_conn_send(t->run->conn, mote_multi_buffer(t->multi, 1) + h->at, h->fill - h->at, &n);
    if(!rc)
      h->at += (uint32_t)n;
  }
  if(rc)
    return rc == CURLE_AGAIN ? wait_for(t, MOTE_WANT_OUT) : rc;
  h->fill = 0;
  h->state = MOTE_SMALL_STATUS;
  return CURLE_OK;
}

/* One read a step: deadlines are looked at in between. */
static CURLcode small_step(struct mote_transfer *t, mote_time now)
{
  struct mote_small_http *h = state_of(t);
  char *bytes;
  size_t n;
  CURLcode rc = h->state == MOTE_SMALL_SENDING ? send_head(t, h) : CURLE_OK;
  (void)now;
  if(rc)
    return rc;
  bytes = mote_multi_buffer(t->multi, 1);
  rc = mote_conn_receive(t->run->conn, bytes + h->fill, mote_multi_buffer_size(t->multi) - h->fill, &n);
  if(rc)
    return rc == CURLE_AGAIN ? wait_for(t, MOTE_WANT_IN) : rc;
  if(!n)
    return mote_small_ended(h);
  t->run->got_bytes = true;
  h->fill += (uint32_t)n;
  rc = mote_small_take(t, h, bytes, mote_multi_buffer_size(t->multi));
  if(rc || h->state == MOTE_SMALL_DONE)
    return rc;
  mote_transfer_wake(t);
  return CURLE_AGAIN;
}

/* ---- the descriptor ---- */

static CURLcode small_prepare(struct mote_transfer *t)
{
  (void)t;
  return CURLE_OK;
}

static CURLcode small_begin(struct mote_transfer *t)
{
  memset(state_of(t), 0, sizeof(struct mote_small_http));
  return CURLE_OK;
}

static void small_end(struct mote_transfer *t, CURLcode rc)
{
  const struct mote_small_http *h;
  if(!t->run->conn)
    return;
  h = state_of(t);
  mote_conn_set_reusable(t->run->conn, !rc && h->state == MOTE_SMALL_DONE && !h->spoiled && !h->fill);
}

const struct mote_protocol mote_protocol_http = {
  .name = "http",
  .conn_size = sizeof(struct mote_small_http),
  .prepare = small_prepare,
  .begin = small_begin,
  .step = small_step,
  .end = small_end,
};
