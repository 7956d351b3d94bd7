/* engine/finish.c: ends a transfer. It releases what the transfer holds of the multi, reports the last
 * progress and passes the result to the multi. */
#include <string.h>

#include "base/text/error_text.h"
#include "connect/dial/dial.h"
#include "port/port.h"
#include "transfer/multi/multi.h"
#include "transfer/protocol.h"
#include "transfer/report/progress.h"
#include "transfer/transfer.h"

static void cancel_timers(struct mote_transfer *t)
{
  memset(t->run->deadline, 0, sizeof t->run->deadline);
  if(t->multi)
    mote_schedule_set_deadline(t, 0);
}

void mote_transfer_end_exchange(struct mote_transfer *t, CURLcode rc)
{
  struct mote_run *r = t->run;
  if(r->lease.phase >= MOTE_PHASE_EXCHANGE) {
    mote_lease_enter(&r->lease, MOTE_PHASE_NONE);
    r->request.scheme->protocol->end(t, rc);
    if(mote_channel_has_state(&r->channel))
      mote_channel_close(t);
  }
  if(!r->unsent) /* of the exchange, or of a greeting */
    return;
  mote_kept_free(t, r->unsent);
  r->unsent = NULL;
}

/* Releases what the transfer holds of the multi. The connection is kept only when the protocol allows it. */
static void let_go(struct mote_transfer *t, CURLcode rc)
{
  mote_transfer_end_exchange(t, rc);
  mote_connect_release(t, rc);
}

static void engine_finish_end_chain(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  if(!r->request.in_chain) /* the request's time has ended and is reported */
    return;
  cancel_timers(t);
  r->request.in_chain = false;
  mote_run_close_bodies(t);
  mote_mark_set(&r->stats, MOTE_MARK_TOTAL, mote_port_now());
}

static void engine_finish_explain(struct mote_transfer *t, CURLcode rc)
{
  uint32_t missing = MOTE_HAS_TEXTS && rc == CURLE_OUT_OF_MEMORY ? mote_block_missing() : 0;
  if(!rc || t->failed_text)
    return;
  if(missing)
    mote_fail(&t->report, "%s: the static block lacked %u bytes", mote_error_text(rc), (unsigned)missing);
  else
    mote_fail(&t->report, "%s", mote_error_text(rc));
}

void mote_transfer_finish(struct mote_transfer *t, CURLcode rc)
{
  bool pending = t->state == MOTE_STATE_PENDING;
  if(t->run) {
    let_go(t, rc);
    if(t->run->speed) {
      CURLcode ended = mote_speed_end(t, mote_port_now(), rc);
      rc = ended ? ended : rc;
    }
    engine_finish_end_chain(t);
    if(!rc)
      mote_info_complete(&t->run->stats);
  }
  engine_finish_explain(t, rc);
  mote_transfer_set_active(t, false);
  t->state = MOTE_STATE_DONE;
  t->options.running = false;
  t->msg.msg = CURLMSG_DONE;
  t->msg.data.result = rc;
  mote_schedule_done(t->multi, t);
  mote_schedule_leave_host(t);
  mote_schedule_pass_on(t->multi, pending);
}

/* A last report says how far a request came that the application takes away. */
static void report_end(struct mote_transfer *t)
{
  const struct mote_run *r = t->run;
  bool asked = r->request.in_chain && r->request.stage == MOTE_REQUEST_ASKED;
  if(r->speed && asked && t->state == MOTE_STATE_EXCHANGE)
    (void)mote_speed_end(t, mote_port_now(), CURLE_AGAIN);
}

void mote_transfer_detach(struct mote_transfer *t)
{
  /* A transfer that is over holds no more than a connection left open. */
  bool holds = t->run && (t->state != MOTE_STATE_DONE || t->run->lease.phase == MOTE_PHASE_OPEN);
  if(holds) {
    /* A connection left open by CURLOPT_CONNECT_ONLY stays with an easy handle, but not with a handle that
     * leaves a multi. */
    if(t->run->lease.phase == MOTE_PHASE_OPEN && !mote_multi_is_private(t->multi))
      mote_lease_enter(&t->run->lease, MOTE_PHASE_NONE);
    let_go(t, t->run->lease.phase == MOTE_PHASE_OPEN ? CURLE_OK : CURLE_ABORTED_BY_CALLBACK);
    report_end(t);
    engine_finish_end_chain(t);
  }
  mote_transfer_set_active(t, false);
  t->state = MOTE_STATE_IDLE;
  mote_options_sweep(&t->options);
}
