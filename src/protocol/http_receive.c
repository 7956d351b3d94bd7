/* protocol/http_receive.c: reading a response. */
#include "net/conn.h"
#include "protocol/http.h"
#include "transfer/progress.h"
#include "transfer/schedule.h"
#include "transfer/sink.h"

/* A cut header line most often fits where the headers that follow it will be stored. */
CURLcode mote_http_settle(struct mote_transfer *t, CURLcode rc)
{
  size_t size;
  char *room = mote_headers_spare(&t->run->headers, &size);
  CURLcode held = mote_conn_hold(t->run->conn, MOTE_HELD_LIMIT, room, size);
  if(rc == CURLE_AGAIN)
    mote_http_of(t)->unread = true;
  return held && (!rc || rc == CURLE_AGAIN) ? held : rc; /* paused, but its bytes could not be kept */
}

/* Held-over bytes that were not looked at since a pause come before anything that is still on the way. */
static CURLcode eat_held(struct mote_transfer *t, mote_time now)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_conn *c = t->run->conn;
  char *bytes, *buffer;
  size_t len;
  if(!h->unread)
    return CURLE_OK;
  buffer = mote_multi_buffer(t->multi, (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE));
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  h->unread = false;
  len = mote_conn_lend_held(c, buffer, &bytes);
  return mote_http_settle(t, mote_http_eat(t, bytes, len, now));
}

/* What must be looked at byte by byte is not read in larger pieces than this, whatever CURLOPT_BUFFERSIZE. */
#define READ_MOST 65536u

/* One read and what it brought. *more: the next read may bring more at once. */
static CURLcode read_once(struct mote_transfer *t, mote_time now, bool *more)
{
  struct mote_run *r = t->run;
  struct mote_conn *c = r->conn;
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t most = mote_speed_allow_down(t, now, size < READ_MOST ? size : READ_MOST), len;
  size_t before = mote_conn_held(c);
  char *bytes, *buffer;
  bool end;
  CURLcode rc;
  *more = false;
  r->recv_limited = !most;
  if(!most)
    return CURLE_AGAIN;
  buffer = mote_multi_buffer(t->multi, size);
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_conn_read(c, buffer, size, most, &bytes, &len, &end);
  if(rc == CURLE_RECV_ERROR && mote_http_tls_truncated(t))
    return mote_http_truncated(t);
  if((rc && rc != CURLE_AGAIN) || end)
    mote_http_judge_answer(t);
  if(rc)
    return rc;
  if(end)
    return mote_http_ended(t);
  r->got_bytes = true;
  mote_speed_passed_down(t, len - before);
  *more = mote_conn_has_tls(c) || len - before == most;
  return mote_http_settle(t, mote_http_eat(t, bytes, len, now));
}

static bool may_receive(const struct mote_transfer *t)
{
  const struct mote_http *h = mote_http_of((struct mote_transfer *)(uintptr_t)t);
  return !t->run->recv_paused && h->receiving < MOTE_HTTP_RECEIVE_FINISH;
}

/* May the body go from the socket to the write callback without a look at it? No framing or coding in it,
 * nothing held over, nobody who looks on, no speed to keep to, no option set meanwhile. */
static bool is_straight(struct mote_transfer *t)
{
  const struct mote_http *h = mote_http_of(t);
  const struct mote_run *r = t->run;
  return h->receiving == MOTE_HTTP_RECEIVE_BODY && !h->chunked && !r->decode &&
         !r->body_ignored && !r->speed && !mote_conn_held(r->conn) && !t->report.verbose &&
         !t->options.changed;
}

static CURLcode read_straight(struct mote_transfer *t, mote_time now, int *reads, bool *more)
{
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  char *buffer = mote_multi_buffer(t->multi, size);
  return buffer ? mote_http_read_straight(t, now, buffer, size, reads, more) : CURLE_OUT_OF_MEMORY;
}

CURLcode mote_http_receive_step(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  struct mote_http *h = mote_http_of(t);
  CURLcode rc = CURLE_OK;
  bool more = mote_conn_has_event(r->conn);
  int reads = 0;
  if(r->recv_paused)
    return CURLE_OK;
  rc = mote_sink_resume(t);
  if(!rc && r->decode)
    rc = mote_sink_turn(t);
  if(!rc)
    rc = eat_held(t, now);
  if(!rc && h->receiving == MOTE_HTTP_RECEIVE_FINISH)
    rc = mote_http_finish_body(t);
  mote_conn_clear_events(r->conn);
  while(!rc && more && may_receive(t)) {
    if(reads >= MOTE_HTTP_READS_PER_STEP || (r->decode && mote_sink_tired(t))) {
      /* There may be more that no event will tell of. */
      mote_conn_look_again(r->conn);
      mote_transfer_wake(t);
      break;
    }
    if(is_straight(t))
      rc = read_straight(t, now, &reads, &more);
    else {
      rc = read_once(t, now, &more);
      reads++;
    }
  }
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}
