/* protocol/pingpong.c: sends commands, reads the lines of replies, and says goodbye (protocol/pingpong.h). */
#include "protocol/pingpong.h"

#include <string.h>

#include "codec/url/percent.h"
#include "net/conn.h"
#include "protocol/body.h"
#include "transfer/download/sink.h"
#include "transfer/report/debug.h"
#include "transfer/schedule.h"

#define MOVES_PER_STEP 32 /* then other transfers get their turn */
#define READS_PER_MOVE 16 /* likewise: with TLS no read shows that the socket is empty */
#define FAREWELL_MOST 128 /* reads of the answer to a goodbye, whose end is not waited for after that */

static struct mote_conn *conn_of(const struct mote_transfer *t)
{
  return t->run->channel.conn;
}

static size_t buffer_wish(const struct mote_transfer *t)
{
  return (size_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
}

CURLcode mote_pp_settle(struct mote_transfer *t)
{
  struct mote_conn *c = conn_of(t);
  if(c->lent_len || c->held)
    return mote_conn_hold(c, MOTE_HELD_LIMIT, NULL, 0);
  c->lent = NULL; /* as mostly: all was taken */
  return CURLE_OK;
}

static CURLcode pingpong_resume(struct mote_transfer *t)
{
  return t->run->paused ? mote_sink_resume(t) : CURLE_OK;
}

/* ---- lines of replies ---- */

static CURLcode pingpong_weird(struct mote_transfer *t, const char *what)
{
  mote_fail(&t->report, "The server's reply is not understood: %s", what);
  return CURLE_WEIRD_SERVER_REPLY;
}

/* The protocol sees the line before the application, which may write into it. Servers have been seen to end
 * lines with more than one CR. */
static CURLcode pingpong_take_line(struct mote_transfer *t, struct mote_pp *pp, const struct mote_pp_row *row,
                                   char *bytes, size_t len)
{
  struct mote_slice line = {bytes, len - 1};
  CURLcode rc, shown = CURLE_OK;
  while(line.len && bytes[line.len - 1] == '\r')
    line.len--;
  pp->bytes += (uint32_t)len;
  if(pp->bytes > MOTE_PP_REPLY_MOST)
    return pingpong_weird(t, "it has no end");
  if(memchr(line.ptr, 0, line.len))
    return pingpong_weird(t, "it has a NUL");
  t->run->response.got_bytes = t->state == MOTE_STATE_EXCHANGE;
  mote_debug(t, CURLINFO_HEADER_IN, bytes, len);
  rc = mote_pp_follow(pp, row->line(t, pp, line));
  if(!rc)
    pp->bytes = 0;
  if(t->run->request.wants_headers)
    shown = mote_sink_call_header(t, bytes, len);
  return shown && shown != CURLE_AGAIN && (!rc || rc == CURLE_AGAIN) ? shown : rc;
}

CURLcode mote_pp_take_alone(struct mote_transfer *t)
{
  const struct mote_conn *c = conn_of(t);
  const char *end = c->lent_len ? memchr(c->lent, '\n', c->lent_len) : NULL;
  if(!end || end + 1 == c->lent + c->lent_len)
    return CURLE_OK;
  mote_fail(&t->report, "The server has sent answers that were not asked for");
  return CURLE_WEIRD_SERVER_REPLY;
}

/* Takes whole lines of lent bytes until a reply is whole or the application pauses. CURLE_AGAIN: more has to
 * come. */
static CURLcode pingpong_take_lines(struct mote_transfer *t, struct mote_pp *pp,
                                    const struct mote_pp_row *row,
                                    char *bytes, size_t len)
{
  CURLcode rc = CURLE_AGAIN;
  while(len && (rc == CURLE_AGAIN || (!rc && pp->listens)) && !t->run->flow.recv.paused) {
    char *end = memchr(bytes, '\n', len < row->line_most ? len : row->line_most);
    size_t n = end ? (size_t)(end - bytes) + 1 : 0;
    if(!end && len >= row->line_most)
      return pingpong_weird(t, "a line is too long");
    if(!end)
      return rc;
    rc = pingpong_take_line(t, pp, row, bytes, n);
    mote_conn_take(conn_of(t), n);
    bytes += n;
    len -= n;
  }
  if(!len)
    (void)mote_pp_settle(t); /* nothing is left, neither of what was held before */
  return rc;
}

static CURLcode pingpong_closed(struct mote_transfer *t, struct mote_pp *pp, const struct mote_pp_row *row)
{
  pp->at_rest = false;
  if(row->closed)
    return row->closed(t, pp);
  mote_fail(&t->report, "The server has closed the connection");
  return CURLE_RECV_ERROR;
}

/* Bytes that came with an earlier line are first. */
static CURLcode take_early(struct mote_transfer *t, struct mote_pp *pp, const struct mote_pp_row *row,
                           char *buffer)
{
  struct mote_conn *c = conn_of(t);
  char *bytes = (char *)(uintptr_t)c->lent;
  size_t len = c->lent_len;
  if(!len && mote_conn_held(c))
    len = mote_conn_lend_held(c, buffer, &bytes);
  return len ? pingpong_take_lines(t, pp, row, bytes, len) : CURLE_AGAIN;
}

/* Reads until the reply is whole. CURLE_AGAIN: the connection waits for more of it, unless the application
 * has paused. */
static CURLcode read_reply(struct mote_transfer *t, struct mote_pp *pp, const struct mote_pp_row *row)
{
  struct mote_conn *c = conn_of(t);
  bool ready = c->events || mote_conn_pending(c), end;
  char *buffer, *bytes;
  CURLcode rc = t->run->flow.recv.paused ? CURLE_AGAIN : pingpong_resume(t);
  int reads = 0;
  size_t len;
  buffer = mote_schedule_buffer(t->multi, (uint32_t)buffer_wish(t));
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  if(!rc)
    rc = take_early(t, pp, row, buffer);
  while(rc == CURLE_AGAIN && ready && !t->run->flow.recv.paused) {
    mote_conn_clear_events(c);
    rc = mote_pp_settle(t);
    if(!rc)
      rc = mote_conn_read(c, buffer, mote_schedule_buffer_size(t->multi), buffer_wish(t), &bytes, &len, &end);
    ready = !rc && !mote_conn_is_plain(c);
    if(!rc)
      rc = end ? pingpong_closed(t, pp, row) : pingpong_take_lines(t, pp, row, bytes, len);
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

/* Bytes are there, or an event that may bring some. */
static bool has_some(const struct mote_conn *c)
{
  return c->events || c->lent_len || mote_conn_held(c) || (!mote_conn_is_plain(c) && mote_conn_pending(c));
}

/* Lines wait until the application continues. The first of them are read and held: it may be the end of the
 * connection that has come, and what has come must not wake the transfer for ever. */
static CURLcode hear_paused(struct mote_transfer *t, struct mote_pp *pp, const struct mote_pp_row *row)
{
  struct mote_conn *c = conn_of(t);
  CURLcode rc = mote_pp_settle(t);
  char *buffer, *bytes;
  size_t len;
  bool end;
  if(rc || !c->events)
    return rc;
  if(mote_conn_held(c))
    return mote_conn_want(c, 0) ? CURLE_OUT_OF_MEMORY : CURLE_OK;
  buffer = mote_schedule_buffer(t->multi, (uint32_t)buffer_wish(t));
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  mote_conn_clear_events(c);
  rc = mote_conn_read(c, buffer, mote_schedule_buffer_size(t->multi), row->line_most, &bytes, &len, &end);
  if(rc)
    return rc == CURLE_AGAIN ? CURLE_OK : rc;
  return end ? pingpong_closed(t, pp, row) : mote_pp_settle(t);
}

/* Takes the lines that have come while a stage does something else. */
static CURLcode pingpong_hear(struct mote_transfer *t, struct mote_pp *pp, const struct mote_pp_row *row)
{
  CURLcode rc, held;
  if(t->run->flow.recv.paused)
    return hear_paused(t, pp, row);
  if(!has_some(conn_of(t)))
    return mote_pp_settle(t);
  rc = read_reply(t, pp, row);
  held = mote_pp_settle(t);
  return !rc || rc == CURLE_AGAIN ? held : rc;
}

/* ---- the deadline of a reply ---- */

static CURLcode overdue(struct mote_transfer *t)
{
  mote_fail(&t->report, "The server has not answered within %ld milliseconds",
            mote_opt_long(&t->options, CURLOPT_SERVER_RESPONSE_TIMEOUT_MS));
  return CURLE_OPERATION_TIMEDOUT;
}

static void begin_deadline(struct mote_transfer *t, struct mote_pp *pp, mote_time now)
{
  long ms = mote_opt_long(&t->options, CURLOPT_SERVER_RESPONSE_TIMEOUT_MS);
  pp->due = ms > 0 ? now + (mote_time)ms * MOTE_MS : 0;
  if(!t->run->deadline[MOTE_TIMER_STATE])
    mote_timer_set(t, MOTE_TIMER_STATE, pp->due);
}

/* The timer has been reached. It was set for this reply or for an earlier one, as it stays set when its reply
 * has come: most requests end long before that. */
static CURLcode check_deadline(struct mote_transfer *t, const struct mote_pp *pp, mote_time now, CURLcode rc)
{
  if(rc == CURLE_AGAIN && pp->asked && pp->due && now >= pp->due && !t->run->flow.recv.paused)
    return overdue(t);
  mote_timer_set(t, MOTE_TIMER_STATE, pp->asked && pp->due > now ? pp->due : 0);
  return rc;
}

/* ---- a step ---- */

static CURLcode pingpong_move(struct mote_transfer *t, struct mote_pp *pp, const struct mote_pp_row *row,
                              mote_time now)
{
  CURLcode rc = pp->listens ? pingpong_hear(t, pp, row) : CURLE_OK;
  if(rc)
    return rc;
  if(!pp->asked) {
    rc = mote_pp_follow(pp, row->ask(t, pp, now));
    if(!pp->asked)
      return rc;
    begin_deadline(t, pp, now);
    if(rc)
      return rc;
  }
  rc = t->run->unsent ? mote_body_flush(t, conn_of(t)) : CURLE_OK;
  if(!rc && !has_some(conn_of(t)) && !t->run->paused)
    return mote_conn_want(conn_of(t), MOTE_WANT_IN) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
  return rc ? rc : read_reply(t, pp, row);
}

CURLcode mote_pp_step(struct mote_transfer *t, struct mote_pp *pp, const struct mote_pp_row *row,
                      mote_time now, unsigned until)
{
  CURLcode rc = CURLE_OK, held;
  int moves;
  for(moves = 0; !rc && pp->stage != until; moves++) {
    if(moves == MOVES_PER_STEP) {
      mote_transfer_wake(t);
      rc = CURLE_AGAIN;
    }
    else
      rc = pingpong_move(t, pp, row, now);
  }
  if(!mote_run_nothing_due(t->run, now) && mote_timer_due(t, MOTE_TIMER_STATE, now))
    rc = check_deadline(t, pp, now, rc);
  held = mote_pp_settle(t);
  return held && (!rc || rc == CURLE_AGAIN) ? held : rc;
}

CURLcode mote_pp_finish(struct mote_transfer *t)
{
  return mote_body_finish(t, conn_of(t));
}

/* ---- commands ---- */

static CURLcode pingpong_too_long(struct mote_transfer *t)
{
  mote_fail(&t->report, "A command would be longer than %u bytes", MOTE_PP_COMMAND_MOST);
  return CURLE_TOO_LARGE;
}

char *mote_pp_room(struct mote_transfer *t, size_t most, CURLcode *rc)
{
  size_t size = most + 2 < buffer_wish(t) ? buffer_wish(t) : most + 2;
  char *buffer = NULL;
  *rc = most > MOTE_PP_COMMAND_MOST ? pingpong_too_long(t) : mote_pp_settle(t);
  if(!*rc)
    buffer = mote_schedule_buffer(t->multi, (uint32_t)size);
  if(!*rc && !buffer)
    *rc = CURLE_OUT_OF_MEMORY;
  return buffer;
}

/* Most commands are too short for three searches. Eight bytes at a time none is below 16, as a rule. */
static bool is_one_line(const char *bytes, size_t len)
{
  const char *end = bytes + len;
  uint64_t eight;
  while(bytes < end) {
    if(end - bytes >= 8) {
      memcpy(&eight, bytes, sizeof eight);
      if(!((eight - UINT64_C(0x1010101010101010)) & ~eight & UINT64_C(0x8080808080808080))) {
        bytes += 8;
        continue;
      }
    }
    if(*bytes == '\r' || *bytes == '\n' || !*bytes)
      return false;
    bytes++;
  }
  return true;
}

size_t mote_pp_room_size(const struct mote_transfer *t)
{
  return mote_schedule_buffer_size(t->multi);
}

CURLcode mote_pp_end_command(struct mote_transfer *t, char *bytes, size_t len)
{
  if(!is_one_line(bytes, len)) {
    mote_fail(&t->report, "A command must not contain an end of line");
    return CURLE_URL_MALFORMAT;
  }
  bytes[len] = '\r';
  bytes[len + 1] = '\n';
  mote_debug(t, CURLINFO_HEADER_OUT, bytes, len + 2);
  return CURLE_OK;
}

CURLcode mote_pp_send_commands(struct mote_transfer *t, struct mote_pp *pp, size_t len)
{
  pp->asked = true;
  pp->at_rest = false;
  return mote_body_put(t, conn_of(t), mote_schedule_buffer(t->multi, 0), len);
}

CURLcode mote_pp_send_room(struct mote_transfer *t, struct mote_pp *pp, size_t len)
{
  CURLcode rc = mote_pp_end_command(t, mote_schedule_buffer(t->multi, 0), len);
  return rc ? rc : mote_pp_send_commands(t, pp, len + 2);
}

CURLcode mote_pp_send(struct mote_transfer *t, struct mote_pp *pp, const char *verb, struct mote_slice word,
                      bool coded)
{
  size_t len = strlen(verb), rest = word.len;
  CURLcode rc;
  char *buffer = mote_pp_room(t, len + 1 + rest, &rc);
  if(!buffer)
    return rc;
  memcpy(buffer, verb, len);
  buffer[len++] = ' ';
  if(coded)
    (void)mote_percent_decode(word, 0, buffer + len, rest, &rest); /* it becomes no longer */
  else if(rest)
    memcpy(buffer + len, word.ptr, rest);
  return mote_pp_send_room(t, pp, len + rest);
}

CURLcode mote_pp_say(struct mote_transfer *t, struct mote_pp *pp, const char *command)
{
  size_t len = strlen(command);
  CURLcode rc;
  char *buffer = mote_pp_room(t, len, &rc);
  if(!buffer)
    return rc;
  memcpy(buffer, command, len);
  return mote_pp_send_room(t, pp, len);
}

/* ---- the end ---- */

/* A connection that CURLOPT_CONNECT_ONLY has made is the application's, which alone knows what was said. */
CURLcode mote_pp_goodbye(struct mote_conn *c, const char *word)
{
  struct mote_pp *pp = mote_conn_state(c);
  size_t len = strlen(word), n;
  char got[32];
  int reads = 0;
  CURLcode rc = (pp->at_rest && !c->single_use) || pp->said ? CURLE_OK : CURLE_SEND_ERROR;
  while(!rc && pp->at_rest && pp->said < len) {
    rc = mote_conn_send(c, word + pp->said, len - pp->said, &n);
    pp->said = (uint8_t)(pp->said + (rc ? 0 : n));
  }
  if(rc == CURLE_AGAIN)
    return mote_conn_want(c, MOTE_WANT_OUT) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
  while(!rc && pp->at_rest) {
    rc = mote_conn_receive(c, got, sizeof got, &n);
    if(!rc && (!n || memchr(got, '\n', n) || ++reads == FAREWELL_MOST))
      pp->at_rest = false;
  }
  if(rc == CURLE_AGAIN)
    return mote_conn_want(c, MOTE_WANT_IN) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
  pp->at_rest = false;
  return rc;
}

CURLcode mote_pp_quit(struct mote_conn *c)
{
  return mote_pp_goodbye(c, "QUIT\r\n");
}

void mote_pp_end(struct mote_transfer *t)
{
  struct mote_conn *c = conn_of(t);
  const struct mote_pp *pp = mote_conn_state(c);
  if(!pp->at_rest) /* the request may begin again on another connection */
    mote_timer_set(t, MOTE_TIMER_STATE, 0);
  mote_conn_set_reusable(c, pp->at_rest && !mote_conn_held(c) && !c->lent_len && !mote_conn_at_end(c));
}
