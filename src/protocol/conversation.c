/* protocol/conversation.c: goes through the stages of a protocol: sends commands, reads the lines of replies,
 * and says goodbye (protocol/conversation.h). */
#include "protocol/conversation.h"

#include <string.h>

#include "base/out.h"
#include "codec/url/percent.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "protocol/body.h"
#include "transfer/download/sink.h"
#include "transfer/multi/schedule.h"
#include "transfer/pump/pump.h"
#include "transfer/report/debug.h"
#include "transfer/run.h"

#define MOVES_PER_STEP 32 /* then other transfers get their turn */
#define READS_PER_MOVE 16 /* likewise: with TLS no read shows that the socket is empty */
#define FAREWELL_MOST 128 /* reads of the answer to a goodbye, whose end is not waited for after that */
#define ROOM_MOST (MOTE_TALK_COMMAND_MOST + 2) /* bytes of a command and its end */

static struct mote_conn *conn_of(const struct mote_transfer *t)
{
  return t->run->channel.conn;
}

static size_t buffer_wish(const struct mote_transfer *t)
{
  return (size_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
}

/* Moves bytes that came after the last line out of the multi's buffer, before that is used for something
 * else. */
static CURLcode conversation_settle(struct mote_transfer *t)
{
  struct mote_conn *c = conn_of(t);
  if(c->lent_len || c->held)
    return mote_conn_hold(c, MOTE_HELD_LIMIT, NULL, 0);
  c->lent = NULL; /* as mostly: all was taken */
  return CURLE_OK;
}

static CURLcode conversation_resume(struct mote_transfer *t)
{
  return t->run->paused ? mote_sink_resume(t) : CURLE_OK;
}

CURLcode mote_talk_failed(struct mote_transfer *t, CURLcode rc, const char *why)
{
  return mote_fail_as(rc, &t->report, "%s", why);
}

/* ---- stages ---- */

static const struct mote_stage *stage_at(const struct mote_talk_row *row, unsigned stage)
{
  return stage < row->own_from ? &row->shared[stage] : &row->stages[stage - row->own_from];
}

static const struct mote_stage *stage_of(const struct mote_talk *talk)
{
  return stage_at(talk->row, talk->stage);
}

CURLcode mote_talk_refused(struct mote_transfer *t, const struct mote_talk *talk, CURLcode rc,
                           const struct mote_reply *r)
{
  int len = 0;
  while((size_t)len < r->line.len && (uint8_t)r->line.ptr[len] >= ' ' && r->line.ptr[len] != 127)
    len++;
  return mote_fail_as(rc, &t->report, "%s: the server answered %.*s", stage_of(talk)->name, len, r->line.ptr);
}

/* A function of the stage was called with MOTE_TURN_OPEN. */
static CURLcode conversation_move_on(struct mote_talk *talk, const struct mote_stage *stage, uint8_t turn,
                                     CURLcode rc)
{
  if(talk->turn != MOTE_TURN_OPEN)
    return rc;
  if(!rc)
    return mote_talk_go(talk, stage->next);
  talk->turn = turn;
  return rc;
}

CURLcode mote_talk_await_at(struct mote_talk *talk, unsigned stage)
{
  talk->stage = (uint8_t)stage;
  talk->turn = MOTE_TURN_REPLY;
  talk->at_rest = false;
  return CURLE_OK;
}

CURLcode mote_talk_await(struct mote_transfer *t, struct mote_talk *talk)
{
  (void)t;
  return mote_talk_await_at(talk, talk->stage);
}

/* ---- lines of replies ---- */

static CURLcode conversation_weird(struct mote_transfer *t, const char *what)
{
  return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, &t->report, "The server's reply is not understood: %s", what);
}

CURLcode mote_talk_take_reply(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  const struct mote_stage *stage = stage_of(talk);
  CURLcode rc = CURLE_OK;
  talk->turn = MOTE_TURN_OPEN;
  if(stage->reply)
    rc = stage->reply(t, talk, r);
  return conversation_move_on(talk, stage, MOTE_TURN_REPLY, rc);
}

static CURLcode conversation_judge(struct mote_transfer *t, struct mote_talk *talk, struct mote_slice line)
{
  bool both = talk->turn == MOTE_TURN_BOTH;
  struct mote_reply r = {.line = line, .text = line};
  CURLcode rc = talk->row->read(t, talk, &r);
  if(!rc && !r.last && (both || !stage_of(talk)->by_line))
    rc = CURLE_AGAIN;
  return rc || both ? rc : mote_talk_take_reply(t, talk, &r);
}

/* The protocol sees the line before the application, which may write into it. Servers have been seen to end
 * lines with more than one CR. */
static CURLcode conversation_take_line(struct mote_transfer *t, struct mote_talk *talk, char *bytes,
                                       size_t len)
{
  struct mote_slice line = {bytes, len - 1};
  CURLcode rc, shown = CURLE_OK;
  while(line.len && bytes[line.len - 1] == '\r')
    line.len--;
  talk->bytes += (uint32_t)len;
  if(talk->bytes > MOTE_TALK_REPLY_MOST)
    return conversation_weird(t, "it has no end");
  if(memchr(line.ptr, 0, line.len))
    return conversation_weird(t, "it has a NUL");
  if(t->state == MOTE_STATE_EXCHANGE)
    mote_response_arrive(&t->run->response);
  mote_debug(t, CURLINFO_HEADER_IN, bytes, len);
  rc = conversation_judge(t, talk, line);
  if(rc != CURLE_AGAIN) /* the reply is over, also one that the stage refuses */
    talk->bytes = 0;
  if(t->run->flow.recv.paused) /* by the write callback, which got the line as a part of the body */
    shown = mote_sink_owe_header(t, bytes, len);
  else if(t->run->request.wants_headers)
    shown = mote_sink_call_header(t, bytes, len);
  return shown && shown != CURLE_AGAIN && (!rc || rc == CURLE_AGAIN) ? shown : rc;
}

CURLcode mote_talk_take_alone(struct mote_transfer *t)
{
  const struct mote_conn *c = conn_of(t);
  const char *end = c->lent_len ? memchr(c->lent, '\n', c->lent_len) : NULL;
  if(!end || end + 1 == c->lent + c->lent_len)
    return CURLE_OK;
  return mote_talk_failed(t, CURLE_WEIRD_SERVER_REPLY, "The server has sent answers that were not asked for");
}

/* Returns how long the first line is with its end, 0: that has not come. What was searched for it before is
 * not searched again. */
static size_t conversation_line_len(struct mote_talk *talk, const char *bytes, size_t len)
{
  size_t most = len < talk->row->line_most ? len : talk->row->line_most;
  size_t from = talk->searched < most ? talk->searched : most;
  const char *end = memchr(bytes + from, '\n', most - from);
  talk->searched = end ? 0 : (uint32_t)most;
  return end ? (size_t)(end - bytes) + 1 : 0;
}

/* Takes whole lines of lent bytes until a reply is whole or the application pauses. CURLE_AGAIN: more has to
 * come. */
static CURLcode conversation_take_lines(struct mote_transfer *t, struct mote_talk *talk, char *bytes,
                                        size_t len)
{
  CURLcode rc = CURLE_AGAIN;
  while(len && (rc == CURLE_AGAIN || (!rc && talk->turn == MOTE_TURN_BOTH)) && !t->run->flow.recv.paused) {
    size_t n = conversation_line_len(talk, bytes, len);
    if(!n && len >= talk->row->line_most)
      return conversation_weird(t, "a line is too long");
    if(!n)
      return rc;
    rc = conversation_take_line(t, talk, bytes, n);
    mote_conn_take(conn_of(t), n);
    bytes += n;
    len -= n;
  }
  if(!len)
    (void)conversation_settle(t); /* nothing is left, neither of what was held before */
  return rc;
}

static CURLcode conversation_closed(struct mote_transfer *t, struct mote_talk *talk)
{
  talk->at_rest = false;
  if(talk->turn != MOTE_TURN_BOTH || !talk->row->goes_on || !talk->row->goes_on(talk))
    return mote_talk_failed(t, CURLE_RECV_ERROR, "The server has closed the connection");
  talk->turn = MOTE_TURN_ASK;
  return mote_conn_want(conn_of(t), 0);
}

/* Bytes that came with an earlier line are first. */
static CURLcode take_early(struct mote_transfer *t, struct mote_talk *talk,
                           char *buffer)
{
  struct mote_conn *c = conn_of(t);
  char *bytes = (char *)(uintptr_t)c->lent;
  size_t len = c->lent_len;
  if(!len && mote_conn_held(c))
    len = mote_conn_lend_held(c, buffer, &bytes);
  return len ? conversation_take_lines(t, talk, bytes, len) : CURLE_AGAIN;
}

/* Reads until the reply is whole. CURLE_AGAIN: the connection waits for more of it, unless the application
 * has paused. */
static CURLcode read_reply(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_conn *c = conn_of(t);
  bool ready = c->events || mote_conn_pending(c);
  struct mote_conn_loan loan;
  char *buffer;
  CURLcode rc = t->run->flow.recv.paused ? CURLE_AGAIN : conversation_resume(t);
  int reads = 0;
  buffer = mote_schedule_buffer(t->multi, (uint32_t)buffer_wish(t));
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  if(!rc)
    rc = take_early(t, talk, buffer);
  while(rc == CURLE_AGAIN && ready && !t->run->flow.recv.paused) {
    mote_conn_clear_events(c);
    rc = conversation_settle(t);
    if(!rc)
      rc = mote_conn_read(c, buffer, mote_schedule_buffer_size(t->multi), buffer_wish(t), &loan);
    ready = !rc && (loan.full || !mote_conn_is_plain(c));
    if(!rc)
      rc = loan.end ? conversation_closed(t, talk) : conversation_take_lines(t, talk, loan.bytes, loan.len);
    if(ready && ++reads == READS_PER_MOVE) {
      mote_conn_look_again(c);
      mote_transfer_wake(t);
      break;
    }
  }
  if(rc == CURLE_AGAIN && mote_conn_want(c, t->run->flow.recv.paused ? 0 : MOTE_WANT_IN))
    return CURLE_OUT_OF_MEMORY;
  return rc;
}

/* Bytes are there, or an event that may bring some. The beginning of a line, which has no end yet, is
 * nothing. */
static bool has_some(const struct mote_conn *c, const struct mote_talk *talk)
{
  return c->events || c->lent_len > talk->searched || mote_conn_held(c) > talk->searched ||
         (!mote_conn_is_plain(c) && mote_conn_pending(c));
}

/* Lines wait until the application continues. The first of them are read and held: it may be the end of the
 * connection that has come, and what has come must not wake the transfer for ever. */
static CURLcode hear_paused(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_conn *c = conn_of(t);
  CURLcode rc = conversation_settle(t);
  struct mote_conn_loan loan;
  char *buffer;
  if(rc || !c->events)
    return rc;
  if(mote_conn_held(c))
    return mote_conn_want(c, 0) ? CURLE_OUT_OF_MEMORY : CURLE_OK;
  buffer = mote_schedule_buffer(t->multi, (uint32_t)buffer_wish(t));
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  mote_conn_clear_events(c);
  rc = mote_conn_read(c, buffer, mote_schedule_buffer_size(t->multi), talk->row->line_most, &loan);
  if(rc)
    return rc == CURLE_AGAIN ? CURLE_OK : rc;
  return loan.end ? conversation_closed(t, talk) : conversation_settle(t);
}

/* Takes the lines that have come while a stage does something else. */
static CURLcode conversation_hear(struct mote_transfer *t, struct mote_talk *talk)
{
  CURLcode rc, held;
  if(t->run->flow.recv.paused)
    return hear_paused(t, talk);
  if(!has_some(conn_of(t), talk))
    return conversation_settle(t);
  rc = read_reply(t, talk);
  held = conversation_settle(t);
  return !rc || rc == CURLE_AGAIN ? held : rc;
}

/* ---- the deadline of a reply ---- */

static CURLcode overdue(struct mote_transfer *t)
{
  return mote_fail_as(CURLE_OPERATION_TIMEDOUT, &t->report,
                      "The server has not answered within %ld milliseconds",
                      mote_opt_long(&t->options, CURLOPT_SERVER_RESPONSE_TIMEOUT_MS));
}

static void begin_deadline(struct mote_transfer *t, struct mote_talk *talk)
{
  long ms = mote_opt_long(&t->options, CURLOPT_SERVER_RESPONSE_TIMEOUT_MS);
  talk->due = ms > 0 ? talk->now + (mote_time)ms * MOTE_MS : 0;
  if(!t->run->deadline[MOTE_TIMER_STATE])
    mote_timer_set(t, MOTE_TIMER_STATE, talk->due);
}

/* The timer has been reached. It was set for this reply or for an earlier one, as it stays set when its reply
 * has come: most requests end long before that. A reply may wait, unread, until the application ends its
 * pause: the server then has all of its time again. */
static CURLcode check_deadline(struct mote_transfer *t, struct mote_talk *talk, CURLcode rc)
{
  bool owed = talk->turn == MOTE_TURN_REPLY, late = owed && talk->due && talk->now >= talk->due;
  if(late && rc == CURLE_AGAIN && !t->run->flow.recv.paused)
    return overdue(t);
  mote_timer_set(t, MOTE_TIMER_STATE, owed && !late ? talk->due : 0);
  if(late && rc == CURLE_AGAIN)
    begin_deadline(t, talk);
  return rc;
}

/* ---- a step ---- */

static CURLcode conversation_ask(struct mote_transfer *t, struct mote_talk *talk,
                                 const struct mote_talk_row *row)
{
  const struct mote_stage *stage = stage_at(row, talk->stage);
  uint8_t turn = talk->turn;
  CURLcode rc;
  talk->turn = MOTE_TURN_OPEN;
  rc = stage->ask ? stage->ask(t, talk) : mote_talk_say(t, talk, stage->name);
  if(talk->turn == MOTE_TURN_REPLY && row->read)
    begin_deadline(t, talk);
  return conversation_move_on(talk, stage, turn, rc);
}

static CURLcode await_reply(struct mote_transfer *t, struct mote_talk *talk)
{
  CURLcode rc = t->run->unsent ? mote_body_flush(t, conn_of(t)) : CURLE_OK;
  if(!rc && !has_some(conn_of(t), talk) && !t->run->paused)
    return mote_conn_want(conn_of(t), MOTE_WANT_IN) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
  return rc ? rc : read_reply(t, talk);
}

static CURLcode conversation_move(struct mote_transfer *t, struct mote_talk *talk,
                                  const struct mote_talk_row *row)
{
  CURLcode rc = CURLE_OK;
  if(talk->turn == MOTE_TURN_REPLY)
    return row->hear ? row->hear(t, talk) : await_reply(t, talk);
  if(talk->turn == MOTE_TURN_BOTH)
    rc = conversation_hear(t, talk);
  return rc ? rc : conversation_ask(t, talk, row);
}

CURLcode mote_talk_step(struct mote_transfer *t, struct mote_talk *talk, const struct mote_talk_row *row,
                        mote_time now, unsigned until)
{
  CURLcode rc = CURLE_OK, held;
  int moves;
  talk->row = row;
  talk->now = now;
  for(moves = 0; !rc && talk->stage != until && moves < MOVES_PER_STEP; moves++)
    rc = conversation_move(t, talk, row);
  if(!rc && talk->stage != until) {
    mote_transfer_wake(t);
    rc = CURLE_AGAIN;
  }
  if(row->read && !mote_run_nothing_due(t->run, now) && mote_timer_due(t, MOTE_TIMER_STATE, now))
    rc = check_deadline(t, talk, rc);
  if(rc && rc != CURLE_AGAIN && talk->stage != until)
    mote_info(&t->report, "This ends the conversation with the server at its stage %s", stage_of(talk)->name);
  held = conversation_settle(t);
  return held && (!rc || rc == CURLE_AGAIN) ? held : rc;
}

CURLcode mote_talk_greet(struct mote_transfer *t, struct mote_talk *talk, const struct mote_talk_row *row,
                         mote_time now, unsigned until)
{
  CURLcode rc = mote_talk_step(t, talk, row, now, until);
  talk->at_rest = !rc;
  return rc;
}

CURLcode mote_talk_finish(struct mote_transfer *t)
{
  return mote_body_finish(t, conn_of(t));
}

/* ---- commands ---- */

/* CURLE_OK: the stage asks again. */
static CURLcode find_more_room(struct mote_transfer *t, struct mote_talk *talk, const struct mote_out *out)
{
  CURLcode rc = conversation_settle(t);
  if(rc)
    return rc;
  if(out->room >= ROOM_MOST)
    return mote_fail_as(CURLE_TOO_LARGE, &t->report, "A command would be longer than %u bytes",
                        MOTE_TALK_COMMAND_MOST);
  if(!out->ptr || !mote_schedule_buffer(t->multi, ROOM_MOST))
    return CURLE_OUT_OF_MEMORY;
  return mote_talk_go(talk, talk->stage);
}

void mote_talk_begin_plain(struct mote_transfer *t, struct mote_out *out)
{
  char *buffer = conversation_settle(t) ? NULL : mote_schedule_buffer(t->multi, (uint32_t)buffer_wish(t));
  size_t size = buffer ? mote_schedule_buffer_size(t->multi) : 0;
  *out = mote_out_in(buffer, size < ROOM_MOST ? size : ROOM_MOST);
}

void mote_talk_begin(struct mote_transfer *t, const struct mote_talk *talk, struct mote_out *out)
{
  mote_talk_begin_plain(t, out);
  if(talk->row->front)
    talk->row->front(t, out);
}

void mote_talk_text(struct mote_out *out, const char *text)
{
  mote_out_text(out, text);
}

/* It becomes no longer when it is decoded. */
void mote_talk_word(struct mote_out *out, struct mote_slice word, bool coded)
{
  size_t len = word.len;
  if(!coded)
    mote_out_slice(out, word);
  else if(mote_out_fits(out, len)) {
    (void)mote_percent_decode(word, 0, out->ptr + out->len, len, &len);
    out->len += len;
  }
}

static bool is_one_line(const char *text, size_t len)
{
  for(; len; len--, text++)
    if((uint8_t)*text <= '\r' && (!*text || *text == '\n' || *text == '\r'))
      return false;
  return true;
}

CURLcode mote_talk_end(struct mote_transfer *t, struct mote_out *out, size_t from)
{
  char *command = out->ptr + from;
  size_t len = out->len - from;
  mote_out_bytes(out, "\r\n", 2);
  if(out->cut)
    return CURLE_AGAIN;
  if(!is_one_line(command, len))
    return mote_talk_failed(t, CURLE_URL_MALFORMAT, "A command must not contain an end of line");
  mote_debug(t, CURLINFO_HEADER_OUT, command, out->len - from);
  return CURLE_OK;
}

CURLcode mote_talk_send_all(struct mote_transfer *t, struct mote_talk *talk, const struct mote_out *out)
{
  (void)mote_talk_await(t, talk);
  return mote_body_put(t, conn_of(t), out->ptr, out->len);
}

CURLcode mote_talk_send(struct mote_transfer *t, struct mote_talk *talk, struct mote_out *out)
{
  CURLcode rc = mote_talk_end(t, out, 0);
  if(rc)
    return rc == CURLE_AGAIN ? find_more_room(t, talk, out) : rc;
  return mote_talk_send_all(t, talk, out);
}

CURLcode mote_talk_say(struct mote_transfer *t, struct mote_talk *talk, const char *command)
{
  struct mote_out out;
  mote_talk_begin(t, talk, &out);
  mote_talk_text(&out, command);
  return mote_talk_send(t, talk, &out);
}

CURLcode mote_talk_say_word(struct mote_transfer *t, struct mote_talk *talk, const char *verb,
                            struct mote_slice word, bool coded)
{
  struct mote_out out;
  mote_talk_begin(t, talk, &out);
  mote_talk_text(&out, verb);
  mote_talk_text(&out, " ");
  mote_talk_word(&out, word, coded);
  return mote_talk_send(t, talk, &out);
}

/* ---- the end ---- */

/* A connection that CURLOPT_CONNECT_ONLY has made is the application's, which alone knows what was said. */
CURLcode mote_talk_goodbye(struct mote_conn *c, const char *word)
{
  struct mote_talk *talk = mote_conn_state(c);
  size_t len = strlen(word), n;
  char got[32];
  int reads = 0;
  CURLcode rc = (talk->at_rest && !c->single_use) || talk->said ? CURLE_OK : CURLE_SEND_ERROR;
  if(!rc && talk->at_rest) {
    rc = mote_pump_push(c, word + talk->said, len - talk->said, &n);
    talk->said = (uint8_t)(talk->said + n);
  }
  if(rc == CURLE_AGAIN)
    return mote_conn_want(c, MOTE_WANT_OUT) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
  while(!rc && talk->at_rest) {
    rc = mote_conn_receive(c, got, sizeof got, &n);
    if(!rc && (!n || memchr(got, '\n', n) || ++reads == FAREWELL_MOST))
      talk->at_rest = false;
  }
  if(rc == CURLE_AGAIN)
    return mote_conn_want(c, MOTE_WANT_IN) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
  talk->at_rest = false;
  return rc;
}

CURLcode mote_talk_quit(struct mote_conn *c)
{
  return mote_talk_goodbye(c, "QUIT\r\n");
}

void mote_talk_end_exchange(struct mote_transfer *t)
{
  struct mote_conn *c = conn_of(t);
  const struct mote_talk *talk = mote_conn_state(c);
  if(!talk->at_rest) /* the request may begin again on another connection */
    mote_timer_set(t, MOTE_TIMER_STATE, 0);
  mote_conn_set_reusable(c, talk->at_rest && !mote_conn_held(c) && !c->lent_len && !mote_conn_at_end(c));
}
