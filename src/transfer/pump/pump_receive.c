/* transfer/pump/pump_receive.c: the loop that receives (transfer/pump/pump.h). */
#include "net/conn.h"
#include "net/conn_struct.h"
#include "transfer/callback.h"
#include "transfer/download/sink.h"
#include "transfer/multi/schedule.h"
#include "transfer/pump/pump.h"
#include "transfer/report/progress.h"

#define READS_PER_TURN 64 /* then other transfers get theirs */
#define READ_UNIT 65536u  /* bytes; a larger read counts as several. Bytes that a protocol has to look at are
                             not read in larger pieces, whatever CURLOPT_BUFFERSIZE says */

/* NULL: out of memory. */
static char *pump_buffer(const struct mote_pump *p)
{
  return mote_schedule_buffer(p->t->multi, p->size);
}

static void pump_count(struct mote_pump *p, size_t n)
{
  p->reads += 1 + (int)(n / READ_UNIT);
}

/* The same for a read after which the socket may have more: reports whether it may be read at once. */
static bool pump_has_turn(struct mote_pump *p, size_t n)
{
  pump_count(p, n);
  return p->reads < READS_PER_TURN;
}

static size_t pump_most(const struct mote_pump *p, size_t most)
{
  return p->left && !p->row->reads_on && *p->left < most ? (size_t)*p->left : most;
}

static CURLcode pump_failed(struct mote_pump *p, CURLcode rc)
{
  return rc == CURLE_AGAIN || !p->row->failed ? rc : p->row->failed(p, rc);
}

static void pump_mark_first(const struct mote_pump *p)
{
  struct mote_run *r = p->t->run;
  mote_response_arrive(&r->response);
  mote_mark_response(&r->stats, p->now);
}

/* ---- the straight way ---- */

/* The last read has brought len bytes, of which `used` were delivered, or nothing. */
static CURLcode pump_leave_straight(struct mote_pump *p, CURLcode rc, char *bytes, size_t len, size_t used)
{
  if(!len)
    return rc ? pump_failed(p, rc) : p->row->ended(p, NULL, 0);
  pump_count(p, len);
  mote_conn_unread(p->c, bytes + used, len - used);
  return p->row->rest(p, rc, bytes + used, len - used);
}

CURLcode mote_pump_read_straight(struct mote_pump *p)
{
  struct mote_transfer *t = p->t;
  char *buffer = pump_buffer(p);
  uint64_t left = *p->left;
  size_t most = p->size, n = 0, used = 0;
  size_t enough = mote_conn_is_plain(p->c) ? most : 1; /* a shorter read has emptied the socket */
  bool whole; /* all of the last read was delivered, and the body goes on */
  struct mote_callback_guard g;
  CURLcode rc;
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  g = mote_callback_enter(t);
  do {
    if(left < most && !p->row->reads_on) {
      most = (size_t)left;
      enough = enough < most ? enough : most;
    }
    rc = mote_conn_receive(p->c, buffer, most, &n);
    whole = false;
    if(rc || !n)
      break;
    rc = mote_sink_write(t, p->to, buffer, n < left ? n : (size_t)left, &used);
    t->run->stats.bytes_down += (curl_off_t)used;
    left -= used;
    whole = !rc && left && used == n;
  } while(whole && n >= enough && pump_has_turn(p, n) && !t->options.changed);
  mote_callback_leave(t, g);
  if(*p->left != UINT64_MAX)
    *p->left = left;
  if(!t->run->stats.mark[MOTE_MARK_STARTTRANSFER] && (n || used))
    pump_mark_first(p);
  if(!whole)
    return pump_leave_straight(p, rc, buffer, n, used);
  return n < enough ? CURLE_AGAIN : CURLE_OK; /* the body goes on, the frequent case */
}

static bool pump_is_straight(struct mote_pump *p)
{
  return p->row->straight && mote_pump_is_unseen(p->t, p->c) && p->row->straight(p);
}

/* ---- bytes that the protocol looks at ---- */

static CURLcode pump_take_held(struct mote_pump *p)
{
  char *bytes = (char *)(uintptr_t)p->c->lent, *buffer;
  size_t len = p->c->lent_len;
  if(!len && (!mote_conn_held(p->c) || (p->row->unread && !p->row->unread(p))))
    return CURLE_OK;
  if(!len) {
    buffer = pump_buffer(p);
    if(!buffer)
      return CURLE_OUT_OF_MEMORY;
    len = mote_conn_lend_held(p->c, buffer, &bytes);
  }
  return p->row->take(p, bytes, len);
}

/* Reads once. *more: the next read may bring more at once. */
static CURLcode pump_read_once(struct mote_pump *p, bool *more)
{
  struct mote_transfer *t = p->t;
  size_t before = mote_conn_held(p->c), most;
  struct mote_conn_loan loan;
  char *buffer;
  CURLcode rc;
  *more = false;
  most = mote_speed_allow_down(t, p->now, pump_most(p, p->size < READ_UNIT ? p->size : READ_UNIT));
  if(!most)
    return CURLE_AGAIN;
  buffer = pump_buffer(p);
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_conn_read(p->c, buffer, mote_schedule_buffer_size(t->multi), most, &loan);
  if(rc)
    return pump_failed(p, rc);
  if(loan.end)
    return p->row->ended(p, loan.bytes, loan.len);
  mote_response_arrive(&t->run->response);
  pump_count(p, loan.len - before);
  mote_speed_passed_down(t, loan.len - before);
  *more = !mote_conn_is_plain(p->c) || loan.full;
  return p->row->take(p, loan.bytes, loan.len);
}

/* ---- a turn ---- */

/* What has waited. */
static CURLcode pump_take_older(struct mote_pump *p)
{
  struct mote_run *r = p->t->run;
  CURLcode rc = r->paused ? mote_sink_resume(p->t) : CURLE_OK;
  if(!rc && r->decode)
    rc = mote_sink_turn(p->t);
  return rc ? rc : pump_take_held(p);
}

static bool pump_turn_is_over(const struct mote_pump *p)
{
  return p->reads >= READS_PER_TURN || (p->t->run->decode && mote_sink_turn_over(p->t));
}

CURLcode mote_pump_receive(struct mote_pump *p)
{
  struct mote_run *r = p->t->run;
  bool more = mote_conn_has_event(p->c) || (!mote_conn_is_plain(p->c) && mote_conn_pending(p->c));
  CURLcode rc;
  if(r->flow.recv.paused)
    return CURLE_AGAIN;
  r->flow.recv.limited = false;
  rc = pump_take_older(p);
  mote_conn_clear_events(p->c);
  while(!rc && more && !r->flow.recv.paused && !p->row->over(p)) {
    if(pump_turn_is_over(p)) { /* more may be there, for which no event will come */
      mote_conn_look_again(p->c);
      mote_transfer_wake(p->t);
      return CURLE_AGAIN;
    }
    rc = pump_is_straight(p) ? mote_pump_read_straight(p) : pump_read_once(p, &more);
  }
  return rc || p->row->over(p) ? rc : CURLE_AGAIN;
}

CURLcode mote_pump_leave(struct mote_conn *c, CURLcode rc)
{
  CURLcode held = mote_conn_hold(c, MOTE_HELD_LIMIT, NULL, 0);
  return held && (!rc || rc == CURLE_AGAIN) ? held : rc;
}

/* ---- a message of which the length is found out on the way ---- */

static CURLcode pump_collect_piece(struct mote_transfer *t, struct mote_conn *c, mote_pump_part *take,
                                   size_t *more)
{
  char bytes[256];
  size_t n;
  CURLcode rc = mote_conn_receive(c, bytes, *more < sizeof bytes ? *more : sizeof bytes, &n);
  if(rc || n)
    return rc ? rc : take(t, bytes, n, more);
  return mote_fail_as(CURLE_RECV_ERROR, &t->report,
                      "The server has closed the connection during the greeting");
}

CURLcode mote_pump_collect(struct mote_transfer *t, struct mote_conn *c, mote_pump_part *take)
{
  size_t more = 0;
  CURLcode rc = mote_pump_flush(t, c);
  if(!rc)
    rc = take(t, "", 0, &more);
  while(!rc && more)
    rc = pump_collect_piece(t, c, take, &more);
  if(rc != CURLE_AGAIN)
    return rc;
  mote_conn_clear_events(c);
  rc = mote_conn_want(c, t->run->unsent ? MOTE_WANT_OUT : MOTE_WANT_IN);
  return rc ? rc : CURLE_AGAIN;
}
