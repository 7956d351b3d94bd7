/* engine/states.c: the states of a transfer, with one function per state and the dispatcher. */
#include "connect/dial/dial.h"
#include "engine/chain.h"
#include "engine/start.h"
#include "port/port.h"
#include "transfer/multi/schedule.h"
#include "transfer/protocol.h"
#include "transfer/report/progress.h"
#include "transfer/run.h"
#include "transfer/transfer.h"

/* A state's function. CURLE_OK: the state has changed, continue. CURLE_AGAIN: wait. Anything else ends the
 * transfer. */
typedef CURLcode (*state_fn)(struct mote_transfer *t, mote_time now);

static void states_enter(struct mote_transfer *t, enum mote_state state)
{
  t->state = (uint8_t)state;
}

static long connect_only(const struct mote_transfer *t)
{
  return mote_protocol_connect_only(t->run->request.scheme->protocol,
                                    mote_opt_long(&t->options, CURLOPT_CONNECT_ONLY));
}

/* A kept connection, or a protocol without one, goes straight to the exchange. A new connection needs
 * addresses. */
static CURLcode state_pending(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_start_request(t, now);
  bool ready = !rc && mote_protocol_is_local(t->run->request.scheme->protocol);
  if(!rc && !ready) {
    rc = mote_connect_choose(t, now);
    ready = t->run->lease.kind == MOTE_LEASE_KEPT;
  }
  if(rc)
    return rc;
  if(t->run->lease.kind != MOTE_LEASE_ONLY_NEW) /* a request that is made again has had its time */
    mote_info_leave_queue(&t->run->stats, now);
  mote_transfer_set_active(t, true);
  mote_timer_set(t, MOTE_TIMER_CONNECT, 0);
  states_enter(t, ready ? MOTE_STATE_EXCHANGE : MOTE_STATE_CONNECTING);
  if(!ready)
    mote_speed_arm(t, now);
  if(!ready)
    mote_timer_start_connect(t, now);
  return CURLE_OK;
}

/* The transfer has only waited for the dial of another one, or its own begins again. Its time to connect goes
 * on. */
static CURLcode choose_again(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_connect_choose(t, now);
  if(rc == CURLE_AGAIN)
    states_enter(t, MOTE_STATE_PENDING);
  return rc;
}

static CURLcode state_connecting(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_dial_step(t, now);
  if(MOTE_HAS_PROXY && rc && mote_dial_begins_again(t)) {
    mote_connect_release(t, rc);
    rc = CURLE_OK;
  }
  if(!rc && !t->run->channel.conn) {
    rc = choose_again(t, now);
    if(rc || t->run->lease.kind != MOTE_LEASE_KEPT)
      return rc;
  }
  if(rc)
    return rc;
  mote_timer_set(t, MOTE_TIMER_CONNECT, 0);
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  if(connect_only(t) == 1) {
    rc = mote_dial_prereq(t);
    if(rc)
      return rc;
    mote_mark_set(&t->run->stats, MOTE_MARK_PRETRANSFER, mote_port_now());
    states_enter(t, MOTE_STATE_OPEN);
  }
  else
    states_enter(t, MOTE_STATE_EXCHANGE);
  return CURLE_OK;
}

/* An error that was met while another transfer was stepped comes before anything else. */
static CURLcode begin_exchange(struct mote_transfer *t, mote_time now)
{
  CURLcode rc;
  if(mote_lease_is_parked(&t->run->lease))
    return mote_channel_unpark(t);
  rc = mote_dial_prereq(t);
  if(!rc && mote_protocol_has_channel(t->run->request.scheme->protocol))
    rc = mote_channel_open(t);
  if(rc)
    return rc;
  mote_mark_set(&t->run->stats, MOTE_MARK_PRETRANSFER,
                t->run->lease.kind == MOTE_LEASE_KEPT ? now : mote_port_now());
  mote_lease_enter(&t->run->lease, MOTE_PHASE_EXCHANGE);
  rc = t->run->request.scheme->protocol->begin(t);
  /* The first progress report precedes the request, so that a callback can still prevent it. */
  return rc ? rc : mote_speed_check(t, now, false);
}

/* Why the request of the exchange that has ended with rc is made again; MOTE_RETRY_NONE: it is not. A kept
 * connection may have been dead, which shows when it breaks without an answer. */
static enum mote_retry states_retry(const struct mote_transfer *t, CURLcode rc)
{
  const struct mote_run *r = t->run;
  enum mote_retry said = mote_lease_retry(&r->lease);
  bool broke = rc == CURLE_RECV_ERROR || rc == CURLE_SEND_ERROR || rc == CURLE_GOT_NOTHING;
  bool unanswered = said == MOTE_RETRY_DEAD || (!said && !r->response.got_bytes);
  if(rc && (said == MOTE_RETRY_REFUSED || said == MOTE_RETRY_HTTP1))
    return said;
  return broke && r->lease.kind == MOTE_LEASE_KEPT && unanswered ? MOTE_RETRY_DEAD : MOTE_RETRY_NONE;
}

static CURLcode state_exchange(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  enum mote_retry why;
  CURLcode rc = r->lease.phase == MOTE_PHASE_EXCHANGE ? CURLE_OK : begin_exchange(t, now);
  if(!rc)
    rc = r->request.scheme->protocol->step(t, now);
  if(rc == CURLE_AGAIN) {
    if(r->speed || t->options.changed)
      rc = mote_speed_check(t, now, false);
    return rc ? rc : CURLE_AGAIN;
  }
  why = states_retry(t, rc);
  if(why)
    return mote_chain_retry(t, why);
  if(!rc && r->response.next) { /* each request of a chain has its own last progress report */
    rc = mote_speed_end(t, now, CURLE_AGAIN);
    return rc ? rc : mote_chain_follow(t, now);
  }
  if(!rc)
    states_enter(t, connect_only(t) == 2 ? MOTE_STATE_OPEN : MOTE_STATE_DONE);
  return rc;
}

/* The application has the connection now. For the multi the transfer is finished. */
static CURLcode state_open(struct mote_transfer *t, mote_time now)
{
  (void)now;
  mote_lease_enter(&t->run->lease, MOTE_PHASE_OPEN);
  states_enter(t, MOTE_STATE_DONE);
  return CURLE_OK;
}

static const state_fn state_table[MOTE_STATE_DONE] = {
  [MOTE_STATE_PENDING] = state_pending, [MOTE_STATE_CONNECTING] = state_connecting,
  [MOTE_STATE_EXCHANGE] = state_exchange, [MOTE_STATE_OPEN] = state_open,
};

static CURLcode timed_out(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  long ms = (long)((now - r->stats.started) / MOTE_MS);
  if(MOTE_HAS_TEXTS && t->state == MOTE_STATE_CONNECTING && mote_dial_is_naming(t))
    mote_fail(&t->report, "Resolving timed out after %ld milliseconds", ms);
  else if(t->state == MOTE_STATE_CONNECTING)
    mote_fail(&t->report, "Connection timed out after %ld milliseconds", ms);
  else if(r->response.size_down >= 0)
    mote_fail(&t->report,
              "Operation timed out after %ld milliseconds with %" CURL_FORMAT_CURL_OFF_T
              " out of %" CURL_FORMAT_CURL_OFF_T " bytes received",
              ms, r->stats.bytes_down, r->response.size_down);
  else
    mote_fail(&t->report,
              "Operation timed out after %ld milliseconds with %" CURL_FORMAT_CURL_OFF_T " bytes received",
              ms, r->stats.bytes_down);
  return CURLE_OPERATION_TIMEDOUT;
}

static CURLcode check_deadlines(struct mote_transfer *t, mote_time now)
{
  if(!t->run)
    return CURLE_OK;
  if(mote_timer_due(t, MOTE_TIMER_TOTAL, now) || mote_timer_due(t, MOTE_TIMER_CONNECT, now))
    return timed_out(t, now);
  if(mote_timer_due(t, MOTE_TIMER_SPEED, now)) {
    mote_timer_set(t, MOTE_TIMER_SPEED, 0);
    if(t->state != MOTE_STATE_EXCHANGE)
      return mote_speed_check(t, now, false);
  }
  return CURLE_OK;
}

static CURLcode run_states(struct mote_transfer *t, mote_time now)
{
  CURLcode rc;
  do {
    uint8_t before = t->state;
    rc = state_table[before](t, now);
    /* Connecting and handshakes take time even when no event has to be waited for. */
    if(!rc && before == MOTE_STATE_CONNECTING)
      now = mote_port_now();
  } while(!rc && t->state < MOTE_STATE_DONE);
  return rc;
}

/* Between two events usually no deadline passes. One look at the nearest shows that; only if it has passed,
 * all are compared, and the later ones set again, because the heap has dropped the transfer. */
void mote_transfer_step(struct mote_transfer *t, mote_time now)
{
  bool due = !t->run || !mote_run_nothing_due(t->run, now);
  CURLcode rc = due ? check_deadlines(t, now) : CURLE_OK;
  if(!rc)
    rc = run_states(t, now);
  if(rc != CURLE_AGAIN)
    mote_transfer_finish(t, rc);
  else if(due && t->run)
    mote_schedule_set_deadline(t, mote_timer_nearest(t->run));
}
