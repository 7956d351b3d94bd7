/* protocol/body.c: receives and sends bodies (protocol/body.h). */
#include "net/stream.h"
#include "protocol/body.h"

#include <string.h>

#include "net/conn.h"
#include "transfer/download/sink.h"
#include "transfer/pump/pump.h"
#include "transfer/report/progress.h"
#include "transfer/upload/source.h"

/* Waits for the connection, unless the direction is paused or over its speed limit. */
static CURLcode protocol_body_wait_for(struct mote_conn *c, struct mote_direction held, unsigned interest)
{
  CURLcode rc = mote_conn_want(c, held.paused || held.limited ? 0 : interest);
  return rc ? rc : CURLE_AGAIN;
}

/* ---- receiving ---- */

/* A body under way, for the functions of one step. */
struct receipt {
  struct mote_pump pump; /* first */
  const struct mote_body_filter *filter;
  uint64_t left;         /* bytes, UINT64_MAX: until the end */
  struct mote_sink_target to;
  bool over;
};

static void protocol_body_count(struct receipt *b, size_t n)
{
  if(b->left == UINT64_MAX)
    return;
  b->left -= n;
  b->over = !b->left;
}

CURLcode mote_body_deliver(struct mote_transfer *t, char *bytes, size_t len)
{
  size_t used;
  CURLcode rc = mote_sink_body(t, bytes, len, &used);
  if(rc != CURLE_AGAIN)
    return rc;
  if(used < len && t->run->decode) /* it is coded, and what is kept is not decoded any more */
    return mote_fail_as(CURLE_WRITE_ERROR, &t->report, "A coded piece of the body cannot be paused");
  t->run->stats.bytes_down += (curl_off_t)(len - used);
  return mote_sink_keep_rest(t, bytes, len, used);
}

static CURLcode protocol_body_judge_end(struct receipt *b, char *bytes, size_t len)
{
  struct mote_transfer *t = b->pump.t;
  if(b->left == UINT64_MAX && (!b->filter || b->filter->open_end)) {
    b->over = true;
    if(!len)
      return CURLE_OK;
    mote_conn_take(b->pump.c, len);
    return b->filter && b->filter->drops_rest ? CURLE_OK : mote_body_deliver(t, bytes, len);
  }
  return mote_fail_as(CURLE_PARTIAL_FILE, &t->report, "The connection has ended before the end of the data");
}

static CURLcode protocol_body_ended(struct mote_pump *p, char *bytes, size_t len)
{
  return mote_pump_leave(p->c, protocol_body_judge_end((struct receipt *)p, bytes, len));
}

/* Delivers a piece of at most len bytes, which is not empty. *used: bytes of it, 0: the filter needs more. */
static CURLcode protocol_body_deliver_piece(struct receipt *b, char *bytes, size_t len, size_t *used)
{
  struct mote_transfer *t = b->pump.t;
  struct mote_body_cut cut = {.bytes = bytes, .len = b->left < len ? (size_t)b->left : len};
  CURLcode rc = CURLE_OK;
  if(cut.len > CURL_MAX_WRITE_SIZE)
    cut.len = CURL_MAX_WRITE_SIZE; /* so that a pause keeps all of it */
  cut.used = cut.len;
  if(b->filter)
    rc = b->filter->cut(b->filter->state, bytes, cut.len, &cut);
  *used = 0;
  if(rc || !cut.used)
    return rc;
  if(cut.len)
    rc = b->filter ? mote_body_deliver(t, cut.bytes, cut.len)
                   : mote_sink_body(t, cut.bytes, cut.len, &cut.used);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  if(b->filter && b->filter->counts_all)
    t->run->stats.bytes_down += (curl_off_t)(cut.used - cut.len);
  protocol_body_count(b, cut.used);
  b->over = b->over || cut.over;
  *used = cut.used;
  return rc;
}

/* Delivers until all is used, the body is over, or the application pauses. */
static CURLcode protocol_body_take(struct mote_pump *p, char *bytes, size_t len)
{
  struct receipt *b = (struct receipt *)p;
  CURLcode rc = CURLE_OK;
  size_t used = 1;
  mote_mark_response(&p->t->run->stats, p->now);
  while(!rc && used && !b->over && len) {
    rc = protocol_body_deliver_piece(b, bytes, len, &used);
    mote_conn_take(p->c, used);
    bytes += used;
    len -= used;
  }
  return mote_pump_leave(p->c, rc);
}

static bool protocol_body_is_straight(struct mote_pump *p)
{
  struct receipt *b = (struct receipt *)p;
  if(b->filter)
    return false;
  b->to.whole = false;
  mote_sink_target(p->t, &b->to);
  return true;
}

static CURLcode protocol_body_rest(struct mote_pump *p, CURLcode rc, char *bytes, size_t len)
{
  struct receipt *b = (struct receipt *)p;
  (void)bytes;
  (void)len;
  b->over = !b->left;
  return mote_pump_leave(p->c, rc);
}

static bool protocol_body_is_over(const struct mote_pump *p)
{
  return ((const struct receipt *)p)->over;
}

CURLcode mote_body_receive(struct mote_transfer *t, struct mote_conn *c, curl_off_t *left,
                           const struct mote_body_filter *filter, mote_time now)
{
  static const struct mote_pump_row row = {
    .take = protocol_body_take, .ended = protocol_body_ended, .over = protocol_body_is_over,
    .straight = protocol_body_is_straight, .rest = protocol_body_rest,
  };
  struct receipt b = {.pump = mote_pump_of(t, c, &row, now), .filter = filter, .over = !*left,
                      .left = *left < 0 ? UINT64_MAX : (uint64_t)*left};
  CURLcode rc;
  b.pump.left = &b.left;
  b.pump.to = &b.to;
  rc = mote_pump_receive(&b.pump);
  if(*left >= 0)
    *left = (curl_off_t)b.left;
  if(b.over && (!rc || rc == CURLE_AGAIN))
    return CURLE_OK; /* a pause holds back the last bytes; mote_sink_finish() waits for them */
  return rc == CURLE_AGAIN ? protocol_body_wait_for(c, t->run->flow.recv, MOTE_WANT_IN) : rc;
}

CURLcode mote_body_finish(struct mote_transfer *t, struct mote_conn *c)
{
  CURLcode rc = t->run->flow.recv.paused ? CURLE_AGAIN : mote_sink_resume(t);
  rc = rc ? rc : mote_sink_finish(t);
  if(rc == CURLE_AGAIN && mote_conn_want(c, 0))
    return CURLE_OUT_OF_MEMORY;
  return rc;
}

/* ---- sending ---- */

static CURLcode protocol_body_wait_to_send(struct mote_conn *c, CURLcode rc)
{
  return rc == CURLE_AGAIN && mote_conn_want(c, MOTE_WANT_OUT) ? CURLE_OUT_OF_MEMORY : rc;
}

CURLcode mote_body_flush(struct mote_transfer *t, struct mote_conn *c)
{
  return protocol_body_wait_to_send(c, mote_pump_flush(t, c));
}

CURLcode mote_body_put(struct mote_transfer *t, struct mote_conn *c, const char *bytes, size_t len)
{
  return protocol_body_wait_to_send(c, mote_pump_put(t, c, bytes, len));
}

CURLcode mote_body_take_small(struct mote_transfer *t, char *room, size_t most, size_t *len)
{
  const struct mote_run *r = t->run;
  struct mote_piece p = {.room = room, .most = most};
  curl_off_t size = mote_source_at_hand(t) ? mote_source_size(t) : -1;
  CURLcode rc;
  *len = 0;
  if(size < 0 || size > (curl_off_t)most || (r->speed && r->speed->max_up))
    return CURLE_OK;
  rc = mote_source_read(t, &p);
  if(rc)
    return rc;
  if(p.bytes != p.room)
    memcpy(room, p.bytes, p.len);
  mote_speed_passed_up(t, p.len);
  t->run->stats.bytes_up += (curl_off_t)p.len;
  *len = p.len;
  return CURLE_OK;
}

CURLcode mote_body_send(struct mote_transfer *t, struct mote_conn *c, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc = mote_body_flush(t, c);
  bool end;
  if(rc)
    return rc;
  mote_conn_clear_events(c);
  r->flow.send.limited = false;
  rc = mote_pump_send(t, c, now, 0, &end);
  if(!rc && end)
    return CURLE_OK;
  return rc && rc != CURLE_AGAIN ? rc : protocol_body_wait_for(c, r->flow.send, MOTE_WANT_OUT);
}
