/* transfer/transfer.c: a transfer's begin and end, its deadlines, and who wakes it. */
#include "transfer/transfer.h"

#include <string.h>

#include "base/memory.h"
#include "net/conn.h"
#include "port/port.h"
#include "transfer/connect.h"
#include "transfer/debug.h"
#include "transfer/multi.h"
#include "transfer/progress.h"
#include "transfer/protocol.h"
#include "transfer/race.h"
#include "transfer/sink.h"
#include "transfer/source.h"

void mote_transfer_init(struct mote_transfer *t, CURL *easy)
{
  memset(t, 0, sizeof *t);
  mote_list_init(&t->link);
  mote_options_init(&t->options, &t->account);
  t->easy = easy;
  t->report.ops = &mote_transfer_report;
}

static void free_run(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  if(!r)
    return;
  mote_speed_free(t);
  mote_source_close(t);
  mote_sink_close(t);
  mote_url_close(&r->url);
  mote_mem_free(&t->account, MOTE_PART_URL, r->redirect, r->redirect_size);
  mote_mem_free(&t->account, MOTE_PART_URL, r->referer, r->referer_size);
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, r->unsent, r->unsent_cap);
  mote_mem_free(&t->account, MOTE_PART_HEADER, r->handed, 2 * sizeof *r->handed);
  mote_headers_close(&r->headers);
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, r, sizeof *r + r->state_size + r->tail_size);
  t->run = NULL;
}

void mote_transfer_close(struct mote_transfer *t)
{
  free_run(t);
  mote_options_close(&t->options);
}

void mote_timer_set(struct mote_transfer *t, enum mote_timer id, mote_time at)
{
  struct mote_run *r = t->run;
  mote_time nearest = 0;
  int i;
  if(r->deadline[id] == at)
    return;
  r->deadline[id] = at;
  for(i = 0; i < MOTE_TIMER_LAST; i++)
    if(r->deadline[i] && (!nearest || r->deadline[i] < nearest))
      nearest = r->deadline[i];
  if(!t->multi)
    return;
  if(!nearest)
    mote_heap_remove(&t->multi->timers, &r->timer);
  else if(!mote_heap_has(&t->multi->timers, &r->timer) || r->timer.key != nearest)
    mote_heap_update(&t->multi->timers, &r->timer, nearest);
}

bool mote_timer_due(const struct mote_transfer *t, enum mote_timer id, mote_time now)
{
  return t->run->deadline[id] && now >= t->run->deadline[id];
}

static void cancel_timers(struct mote_transfer *t)
{
  memset(t->run->deadline, 0, sizeof t->run->deadline);
  if(t->multi)
    mote_heap_remove(&t->multi->timers, &t->run->timer);
}

void mote_transfer_wake(struct mote_transfer *t)
{
  if(t->multi && (t->list == MOTE_LIST_WAITING || t->list == MOTE_LIST_QUEUED))
    mote_multi_move(t->multi, t, MOTE_LIST_READY);
}

/* Leave what was held of the multi; the connection is kept only when the protocol says so. */
static void let_go(struct mote_transfer *t, CURLcode rc)
{
  struct mote_run *r = t->run;
  if(r->begun) {
    r->begun = false;
    r->protocol->end(t, rc);
  }
  mote_race_stop(t);
  mote_names_leave(&t->multi->names, &r->name_wait);
  if(r->answer) {
    mote_answer_unref(r->answer);
    r->answer = NULL;
  }
  mote_connect_release(t, rc);
}

/* Past pending a transfer keeps the multi's buffer alive; the count follows the state. */
static void leave_active(struct mote_transfer *t)
{
  if(t->state > MOTE_STATE_PENDING && t->state < MOTE_STATE_DONE)
    t->multi->active--;
}

static void close_books(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  cancel_timers(t);
  r->in_chain = false;
  r->prepared = false;
  mote_sink_close(t);
  mote_source_close(t);
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, r->unsent, r->unsent_cap);
  r->unsent = NULL;
  r->unsent_len = r->unsent_at = r->unsent_cap = 0;
  if(r->started)
    r->total_us = mote_port_now() - r->started;
}

static void explain(struct mote_transfer *t, CURLcode rc)
{
  if(rc && !t->failed_text)
    mote_fail(&t->report, "%s", curl_easy_strerror(rc));
}

void mote_transfer_finish(struct mote_transfer *t, CURLcode rc)
{
  if(t->run) {
    let_go(t, rc);
    if(t->run->speed) {
      CURLcode told = rc ? CURLE_OK : mote_speed_check(t, mote_port_now(), true);
      rc = rc ? rc : told;
    }
    close_books(t);
  }
  explain(t, rc);
  leave_active(t);
  t->state = MOTE_STATE_DONE;
  t->options.running = false;
  t->msg.msg = CURLMSG_DONE;
  t->msg.easy_handle = t->easy;
  t->msg.data.result = rc;
  mote_multi_done(t->multi, t);
  mote_multi_wake_queued(t->multi);
}

void mote_transfer_detach(struct mote_transfer *t)
{
  if(t->run) {
    /* What CONNECT_ONLY has left open stays with an easy handle, not with one that leaves a foreign multi. */
    if(!t->multi->easy_own)
      t->run->keep_open = false;
    let_go(t, t->run->keep_open ? CURLE_OK : CURLE_ABORTED_BY_CALLBACK);
    close_books(t);
  }
  leave_active(t);
  t->state = MOTE_STATE_IDLE;
  mote_options_sweep(&t->options);
}

CURLcode mote_transfer_pause(struct mote_transfer *t, int action)
{
  struct mote_run *r = t->run;
  bool recv = (action & CURLPAUSE_RECV) != 0, send = (action & CURLPAUSE_SEND) != 0;
  if(!r || t->state == MOTE_STATE_IDLE || t->state == MOTE_STATE_DONE)
    return CURLE_OK;
  r->recv_paused = recv;
  r->send_paused = send;
  if(r->conn)
    r->conn->events |= MOTE_WANT_IN; /* what has come meanwhile is told by no event */
  if(t->multi && t->list == MOTE_LIST_WAITING)
    mote_multi_move(t->multi, t, MOTE_LIST_READY);
  return CURLE_OK;
}
