/* protocol/sftp/sftp.c: the row of SFTP, the steps of an exchange, its beginning and end
 * (protocol/sftp/sftp.h). */
#include "net/stream.h"
#include "protocol/sftp/sftp.h"

#include <string.h>

#include "http/auth/auth.h"
#include "protocol/body.h"
#include "transfer/download/headers.h"
#include "transfer/download/sink.h"
#include "transfer/protocol.h"

static const struct mote_stage stages[] = {
#define AT(stage) [(stage) - MOTE_SFTP_QUOTE]
  AT(MOTE_SFTP_QUOTE) = {"quote", mote_sftp_ask_quote, mote_sftp_take_quote, MOTE_SFTP_FILE, false},
  AT(MOTE_SFTP_FILE) = {"file", mote_sftp_choose, NULL, MOTE_SFTP_OPENING, false},
  AT(MOTE_SFTP_RESUME) = {"STAT", mote_sftp_ask_resume, mote_sftp_take_resume, MOTE_SFTP_OPENING, false},
  AT(MOTE_SFTP_OPENING) = {"OPEN", mote_sftp_ask_open, mote_sftp_take_open, MOTE_SFTP_SIZING, false},
  AT(MOTE_SFTP_MAKING) = {"MKDIR", mote_sftp_ask_make, mote_sftp_take_make, MOTE_SFTP_MAKING, false},
  AT(MOTE_SFTP_SIZING) = {"FSTAT", mote_sftp_ask_size, mote_sftp_take_size, MOTE_SFTP_READING, false},
  AT(MOTE_SFTP_READING) = {"READ", mote_sftp_ask_ahead, mote_sftp_take_data, MOTE_SFTP_CLOSING, false},
  AT(MOTE_SFTP_WRITING) = {"WRITE", mote_sftp_write_on, mote_sftp_take_write, MOTE_SFTP_CLOSING, false},
  AT(MOTE_SFTP_NAMES) = {"READDIR", mote_sftp_ask_names, mote_sftp_take_names, MOTE_SFTP_CLOSING, false},
  AT(MOTE_SFTP_LINK) = {"READLINK", mote_sftp_ask_link, mote_sftp_take_link, MOTE_SFTP_NAMES, false},
  AT(MOTE_SFTP_CLOSING) = {"CLOSE", mote_sftp_ask_close, mote_sftp_take_close, MOTE_SFTP_POSTQUOTE, false},
  AT(MOTE_SFTP_POSTQUOTE) = {"postquote", mote_sftp_ask_quote, mote_sftp_take_quote, MOTE_SFTP_OVER, false},
#undef AT
};

/* ---- steps ---- */

static CURLcode ssh_sftp_wait_for(struct mote_transfer *t, struct mote_ssh *s)
{
  struct mote_direction recv = t->run->flow.recv;
  if(!recv.paused && !recv.limited)
    return mote_ssh_wait(t, s);
  return mote_conn_want(s->conn, s->unsent.len ? MOTE_WANT_OUT : 0) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
}

static const struct mote_talk_row row = {
  .stages = stages, .own_from = MOTE_SFTP_QUOTE, .hear = mote_sftp_hear,
};

static CURLcode sftp_step(struct mote_transfer *t, mote_time now)
{
  struct mote_ssh *s = mote_ssh_of(t);
  CURLcode rc = mote_ssh_flush(t, s);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  t->run->flow.recv.limited = false;
  s->gated = false;
  if(s->talk.stage == MOTE_SFTP_WRITING)
    s->talk.turn = MOTE_TURN_ASK; /* more may be sent now */
  rc = t->run->flow.recv.paused ? CURLE_AGAIN : mote_sink_resume(t);
  if(!rc)
    rc = mote_talk_step(t, &s->talk, &row, now, MOTE_SFTP_OVER);
  if(rc == CURLE_AGAIN && s->queued.len) { /* what was read may have let the channel go on */
    CURLcode sent = mote_ssh_flush(t, s);
    rc = sent && sent != CURLE_AGAIN ? sent : rc;
  }
  if(rc)
    return rc == CURLE_AGAIN ? ssh_sftp_wait_for(t, s) : rc;
  s->talk.at_rest = true;
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
  mote_response_announce(&t->run->response, -1);
  return mote_headers_add(&t->run->response.headers, &t->account, 0, 0, mote_slice_of(MOTE_NOTE_ENTRY_PATH),
                          (struct mote_slice){s->home.ptr, s->home.len});
}

static void sftp_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_ssh *s = mote_ssh_of(t);
  (void)rc;
  mote_buf_close(&s->names);
  mote_conn_set_reusable(s->conn, s->talk.at_rest && !s->queued.len && !s->held.len && !s->failed &&
                                    !mote_conn_at_end(s->conn));
}

const struct mote_protocol mote_protocol_sftp = {
  .name = "sftp",
  MOTE_SFTP_ROW,
  .begin = sftp_begin,
  .step = sftp_step,
  .end = sftp_end,
};
