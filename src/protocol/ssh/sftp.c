/* protocol/ssh/sftp.c: the row of SFTP, the steps of an exchange, its beginning and end
 * (protocol/ssh/sftp.h). */
#include "protocol/ssh/sftp.h"

#include <string.h>

#include "protocol/body.h"
#include "transfer/download/sink.h"
#include "transfer/report/progress.h"

#define MOVES_PER_STEP 64 /* then other transfers get their turn */

static const struct mote_sftp_act *const acts[MOTE_SFTP_OVER] = {
  [MOTE_SFTP_QUOTE] = &mote_sftp_quoting,
  [MOTE_SFTP_FILE] = &mote_sftp_file,
  [MOTE_SFTP_RESUME] = &mote_sftp_resume,
  [MOTE_SFTP_OPENING] = &mote_sftp_opening,
  [MOTE_SFTP_MAKING] = &mote_sftp_making,
  [MOTE_SFTP_SIZING] = &mote_sftp_sizing,
  [MOTE_SFTP_READING] = &mote_sftp_reading,
  [MOTE_SFTP_WRITING] = &mote_sftp_writing,
  [MOTE_SFTP_NAMES] = &mote_sftp_names,
  [MOTE_SFTP_LINK] = &mote_sftp_link,
  [MOTE_SFTP_CLOSING] = &mote_sftp_closing,
  [MOTE_SFTP_POSTQUOTE] = &mote_sftp_quoting,
};

/* ---- steps ---- */

/* Takes answers until the stage has moved on, nothing more has come, or others get their turn. */
static CURLcode ssh_sftp_answers(struct mote_transfer *t, struct mote_ssh *s, mote_time now)
{
  struct mote_sftp_reader r;
  uint8_t stage = s->sftp.stage;
  CURLcode rc = mote_sftp_reader_begin(t, s, &r);
  int moves = 0;
  if(rc)
    return rc;
  if(stage == MOTE_SFTP_READING && t->run->speed) {
    r.most = mote_speed_allow_down(t, now, r.size);
    t->run->flow.recv.limited = !r.most;
  }
  while(!rc && s->sftp.asked && s->sftp.stage == stage) {
    struct mote_sftp_event e;
    if(moves++ == MOVES_PER_STEP) {
      s->gated = true;
      rc = CURLE_AGAIN;
      break;
    }
    rc = mote_sftp_read_event(t, s, &r, &e);
    if(!rc)
      rc = acts[stage]->answer(t, s, &e);
  }
  return mote_sftp_reader_end(s, &r, rc);
}

static CURLcode ssh_sftp_move(struct mote_transfer *t, struct mote_ssh *s, mote_time now)
{
  if(s->sftp.asked)
    return ssh_sftp_answers(t, s, now);
  return acts[s->sftp.stage]->ask(t, s);
}

static CURLcode ssh_sftp_wait_for(struct mote_transfer *t, struct mote_ssh *s)
{
  struct mote_direction recv = t->run->flow.recv;
  if(!recv.paused && !recv.limited)
    return mote_ssh_wait(t, s);
  return mote_conn_want(s->conn, s->unsent.len ? MOTE_WANT_OUT : 0) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
}

static CURLcode sftp_step(struct mote_transfer *t, mote_time now)
{
  struct mote_ssh *s = mote_ssh_of(t);
  CURLcode rc = mote_ssh_flush(t, s);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  t->run->flow.recv.limited = false;
  s->gated = false;
  s->now = now;
  if(s->sftp.stage == MOTE_SFTP_WRITING)
    s->sftp.asked = false; /* more may be sent now */
  rc = t->run->flow.recv.paused ? CURLE_AGAIN : mote_sink_resume(t);
  while(!rc && s->sftp.stage != MOTE_SFTP_OVER)
    rc = ssh_sftp_move(t, s, now);
  if(rc == CURLE_AGAIN && s->queued.len) { /* what was read may have let the channel go on */
    CURLcode sent = mote_ssh_flush(t, s);
    rc = sent && sent != CURLE_AGAIN ? sent : rc;
  }
  if(rc)
    return rc == CURLE_AGAIN ? ssh_sftp_wait_for(t, s) : rc;
  s->at_rest = true;
  rc = s->sftp.result;
  return rc ? rc : mote_body_finish(t, s->conn);
}

/* ---- the row ---- */

static CURLcode sftp_begin(struct mote_transfer *t)
{
  struct mote_ssh *s = mote_ssh_of(t);
  memset(&s->sftp, 0, sizeof s->sftp);
  s->sftp.size = -1;
  s->sftp.left = -1;
  s->sftp.upload = t->run->request.method == MOTE_METHOD_PUT;
  s->sftp.head = t->run->request.method == MOTE_METHOD_HEAD;
  mote_buf_clear(&s->names);
  s->names_at = 0;
  (void)mote_sftp_quote(t, s, MOTE_SFTP_QUOTE);
  t->run->response.size_down = -1;
  return mote_headers_add(&t->run->response.headers, &t->account, 0, 0, mote_slice_of(MOTE_NOTE_ENTRY_PATH),
                          (struct mote_slice){s->home.ptr, s->home.len});
}

static void sftp_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_ssh *s = mote_ssh_of(t);
  (void)rc;
  mote_buf_close(&s->names);
  mote_conn_set_reusable(s->conn, s->at_rest && !s->queued.len && !s->held.len && !s->failed &&
                                    !mote_conn_at_end(s->conn));
}

const struct mote_protocol mote_protocol_sftp = {
  .name = "sftp",
  .conn_size = sizeof(struct mote_ssh),
  .driver = &mote_ssh_driver,
  .login = mote_http_identity,
  .prepare = mote_ssh_prepare,
  .greet = mote_ssh_greet,
  .begin = sftp_begin,
  .step = sftp_step,
  .end = sftp_end,
};
