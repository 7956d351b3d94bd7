/* protocol/pingpong.h: the exchange of commands and replies over one connection, for protocols whose server
 * answers in lines of text (FTP, IMAP, POP3, SMTP).
 *
 * A protocol is a row: `ask` sends the command of a stage, `line` takes the reply a line at a time and
 * chooses the next stage. mote_pp_step() alternates between them until it reaches a stage that the caller
 * waits for. A stage may have no command: its `ask` does what it is for (TLS, a body) and is called in each
 * step until it moves on with mote_pp_go().
 *
 * Commands are written and replies are read in the multi's buffer. Only the rest of a short send
 * (run->unsent) and lines that the step has not used (mote_conn_hold()) move to blocks.
 *
 * CURLOPT_SERVER_RESPONSE_TIMEOUT_MS runs while a reply is owed, as MOTE_TIMER_STATE. Each line goes to the
 * debug callback and to the header callback, which may pause.
 *
 * Invariants: struct mote_pp is the first member of the protocol's state of a connection (conn_size; its
 *             channel_size is 0), zero when the connection is made. It outlives the exchange.
 * Ownership:  the connection owns the state, and the handle what is in run->unsent.
 * Errors:     a CURLcode, with a text in the transfer's report.
 * Threads:    those of the multi.
 * Tests:      tests/e2e/test_ftp.py */
#ifndef MOTE_PROTOCOL_PINGPONG_H
#define MOTE_PROTOCOL_PINGPONG_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/time.h"

struct mote_conn;
struct mote_transfer;

#define MOTE_PP_REPLY_MOST 1048576u /* bytes of a reply of many lines; a server must not keep the client busy
                                       for ever. HELP and LIST of POP3 or IMAP's answers are shorter */
#define MOTE_PP_COMMAND_MOST 65536u /* bytes of a command; URLs and options may be longer than that */

struct mote_pp {
  uint8_t stage;    /* the protocol's own enum: what is done next */
  uint8_t said;     /* bytes of the goodbye that were sent */
  uint16_t open;    /* code of a reply whose last line is still to come (codec/ftp/reply.h) */
  uint32_t bytes;   /* of the reply's lines so far */
  mote_time due;    /* when the reply is overdue, 0: never. MOTE_TIMER_STATE may be earlier, as it is not set
                       again for each command */
  bool asked : 1;   /* the stage's command was sent, or is in run->unsent: its reply comes next */
  bool at_rest : 1; /* no command is under way: another transfer or the goodbye may follow. Set by the
                       protocol, cleared by each command */
  bool listens : 1; /* lines may come although this stage has no command: `line` takes them before each
                       `ask`, and the stage stays. Set by the protocol, cleared by mote_pp_go(). During a
                       pause lines wait, and only the end of the connection is noticed */
};

/* What a protocol is to the engine. */
struct mote_pp_row {
  /* Does what the stage begins with: sends its command, moves on to another stage, or returns CURLE_AGAIN
   * when it has to wait and has called mote_conn_want(). Not called while `asked`. Any other code than
   * MOTE_PP_TO() ends the transfer. */
  CURLcode (*ask)(struct mote_transfer *t, struct mote_pp *pp, mote_time now);
  /* Takes one line, without its end (LF and any CR before it), which lies in the multi's buffer. CURLE_OK:
   * the reply is whole, and the stage has moved on, unless it listens; MOTE_PP_TO(): it moves on now.
   * CURLE_AGAIN: more lines follow. Any other code ends the transfer. It must not use that buffer, so
   * commands are for `ask`. */
  CURLcode (*line)(struct mote_transfer *t, struct mote_pp *pp, struct mote_slice line);
  /* The server has closed the connection while a reply was owed, or while the stage listens. CURLE_OK: the
   * stage goes on and listens no more. NULL: CURLE_RECV_ERROR. */
  CURLcode (*closed)(struct mote_transfer *t, struct mote_pp *pp);
  uint32_t line_most; /* bytes of the longest line, its end included; a longer one is
                         CURLE_WEIRD_SERVER_REPLY */
};

/* Moves on to a stage, whose `ask` comes next. */
static inline CURLcode mote_pp_go(struct mote_pp *pp, unsigned stage)
{
  pp->stage = (uint8_t)stage;
  pp->asked = false;
  pp->listens = false;
  return CURLE_OK;
}

/* What `ask` and `line` return in its place to move on: codes of libcurl are smaller. */
#define MOTE_PP_TO(stage) ((CURLcode)(0x80 + (stage)))
_Static_assert(CURL_LAST < 0x80, "a stage is no code of libcurl");

/* Does what MOTE_PP_TO() says. Any other code is returned. */
static inline CURLcode mote_pp_follow(struct mote_pp *pp, CURLcode rc)
{
  return rc < MOTE_PP_TO(0) ? rc : mote_pp_go(pp, (unsigned)rc - MOTE_PP_TO(0));
}

/* Begins to take the lines of a reply that no command of this stage has asked for: a banner, or one more
 * reply. `line` takes it at this stage. */
static inline CURLcode mote_pp_expect(struct mote_pp *pp, unsigned stage)
{
  (void)mote_pp_go(pp, stage);
  pp->asked = true;
  pp->at_rest = false;
  return CURLE_OK;
}

/* Continues until the stage is `until`, a bounded number of moves at a time. CURLE_OK: it is. CURLE_AGAIN:
 * wait (also for another turn). CURLE_OPERATION_TIMEDOUT: a reply is overdue. CURLE_WEIRD_SERVER_REPLY: a
 * line or a reply is too long, or a line has a NUL. CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_WRITE_ERROR
 * (the header callback), CURLE_OUT_OF_MEMORY, and those of the row. */
CURLcode mote_pp_step(struct mote_transfer *t, struct mote_pp *pp, const struct mote_pp_row *row,
                      mote_time now, unsigned until);

/* Ends a transfer whose exchange is over: delivers what a pause has kept. CURLE_AGAIN: the application
 * pauses, and nothing is waited for but its end. Errors of the write callback, CURLE_OUT_OF_MEMORY. */
CURLcode mote_pp_finish(struct mote_transfer *t);

/* Checks that nothing came after the line that `line` takes. In the same packet as the reply to the command
 * that begins TLS it would answer commands that were not sent, to a client that goes on without TLS.
 * CURLE_WEIRD_SERVER_REPLY. */
CURLcode mote_pp_take_alone(struct mote_transfer *t);

/* ---- commands ---- */

/* Returns room for a command of `most` bytes in the multi's buffer. NULL: *rc is CURLE_TOO_LARGE or
 * CURLE_OUT_OF_MEMORY. */
char *mote_pp_room(struct mote_transfer *t, size_t most, CURLcode *rc);
/* Sends the command of len bytes that was written there, with CR LF after it. No byte of it may be a CR, LF
 * or NUL, so that neither a URL nor an option can give the server a second command. CURLE_URL_MALFORMAT:
 * there is one. CURLE_SEND_ERROR, CURLE_OUT_OF_MEMORY. */
CURLcode mote_pp_send_room(struct mote_transfer *t, struct mote_pp *pp, size_t len);
/* The same in two, so that several commands go in one segment where the server takes that: */
/* Returns how many bytes the room has, with those of CR LF. */
size_t mote_pp_room_size(const struct mote_transfer *t);
/* Ends a command that was written anywhere in the room, and shows it to the application.
 * CURLE_URL_MALFORMAT. */
CURLcode mote_pp_end_command(struct mote_transfer *t, char *bytes, size_t len);
/* Sends the first len bytes of the room, which are whole commands. The reply to the first of them comes next;
 * for each other, its stage calls mote_pp_expect(). CURLE_SEND_ERROR, CURLE_OUT_OF_MEMORY. */
CURLcode mote_pp_send_commands(struct mote_transfer *t, struct mote_pp *pp, size_t len);
/* Sends the command "verb word". `coded`: the word is percent-encoded, and is sent decoded. CURLE_TOO_LARGE
 * too. */
CURLcode mote_pp_send(struct mote_transfer *t, struct mote_pp *pp, const char *verb, struct mote_slice word,
                      bool coded);
/* Sends a command as it is. CURLE_TOO_LARGE too. */
CURLcode mote_pp_say(struct mote_transfer *t, struct mote_pp *pp, const char *command);
/* Moves bytes that came after the last line out of the multi's buffer, before it is used for another
 * connection. mote_pp_room() and mote_pp_step() do that themselves. CURLE_OUT_OF_MEMORY, CURLE_TOO_LARGE. */
CURLcode mote_pp_settle(struct mote_transfer *t);

/* ---- the end ---- */

/* Says `word`, such as "QUIT\r\n", on a connection at rest and waits for the answer (net/driver.h).
 * CURLE_SEND_ERROR: a command is under way. */
CURLcode mote_pp_goodbye(struct mote_conn *c, const char *word);
/* Says QUIT. */
CURLcode mote_pp_quit(struct mote_conn *c);

/* Ends the exchange: the connection is reusable when it is at rest, no byte is left over and its server has
 * not closed it. */
void mote_pp_end(struct mote_transfer *t);

#endif
