/* protocol/conversation.h: a protocol as a table of stages, and the one engine that goes through them.
 *
 * A stage asks for something and takes the reply. What it asks is a text, which is sent as it is, or a
 * function, which sends a command, does something that needs no reply (TLS, a body), or goes elsewhere. A
 * function that gets the reply judges it and may choose the stage that follows; where it chooses none, or
 * where there is no function, the stage's `next` follows. So a table reads from top to bottom as the exchange
 * goes when all is well, and functions are left with what may go otherwise.
 *
 * One move is a turn of one side. At first it is the client's (MOTE_TURN_ASK): the stage asks. When that has
 * sent a command it is the server's turn (MOTE_TURN_REPLY): lines are read until the reply is whole, and the
 * next stage asks. A stage that does something else than talk is asked in each step until it goes on. While
 * it does, the server may have something to say (MOTE_TURN_BOTH): FTP's last reply may come before the file
 * does. Its lines are then read first, for if they were left in the socket they would wake the transfer for
 * ever. Nothing is read ahead of a reply but what comes with it in one piece, and that is held with the
 * connection, as the multi's buffer, where replies are read and commands are written, is everybody's.
 *
 * Commands may leave together where the protocol allows it (SMTP's PIPELINING): their stages then await a
 * reply (mote_talk_await()) and ask for nothing. A command that the application or a URL has a part in is
 * checked when it ends: a line end in it would be a second command. One that is longer than the buffer is
 * asked for again with a larger one, so that none is measured before it is written; a function that asks
 * must therefore do no harm when it is called twice.
 *
 * CURLOPT_SERVER_RESPONSE_TIMEOUT_MS runs while a reply is owed, as MOTE_TIMER_STATE. Each line goes to the
 * debug callback and to the header callback, which may pause: lines wait then. A step takes a bounded number
 * of moves, and of reads for each, before other transfers get their turn.
 *
 * Invariants: struct mote_talk is the first member of the protocol's state of a connection (conn_size; its
 *             channel_size is 0), zero when the connection is made. It outlives the exchange.
 * Ownership:  the connection owns the state, and the handle what is in run->unsent.
 * Errors:     a CURLcode, with a text in the transfer's report; with -v, the stage where it happened.
 * Threads:    those of the multi.
 * Tests:      tests/e2e/test_ftp.py, tests/e2e/test_smtp.py, tests/toys */
#ifndef MOTE_PROTOCOL_CONVERSATION_H
#define MOTE_PROTOCOL_CONVERSATION_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/time.h"

struct mote_conn;
struct mote_out;
struct mote_transfer;

#define MOTE_TALK_REPLY_MOST 1048576u /* bytes of a reply of many lines; a server must not keep the client
                                         busy for ever. HELP and LIST of POP3 or IMAP's answers are shorter */
#define MOTE_TALK_COMMAND_MOST 65536u /* bytes of a command; URLs and options may be longer than that */

/* Whose turn it is. */
enum mote_turn {
  MOTE_TURN_ASK,   /* the client's: the stage asks */
  MOTE_TURN_REPLY, /* the server's: it owes a reply */
  MOTE_TURN_BOTH,  /* the stage asks, and lines may come meanwhile. During a pause they wait, and only the end
                      of the connection is noticed */
  MOTE_TURN_OPEN   /* a function of the stage is called, and has not said what follows */
};

struct mote_talk_row;

/* The state of a conversation. */
struct mote_talk {
  const struct mote_talk_row *row; /* set by each step */
  uint8_t stage;  /* the protocol's own enum */
  uint8_t turn;   /* enum mote_turn */
  bool at_rest;   /* no command is under way: another transfer or the goodbye may follow. Set by the
                     protocol, cleared by each command */
  uint8_t said;   /* bytes of the goodbye that were sent */
  uint32_t bytes; /* of the reply's lines so far */
  uint32_t searched; /* bytes that the connection holds of a line under way: its end is not among them */
  mote_time due;  /* when the reply is overdue, 0: never. MOTE_TIMER_STATE may be earlier, as it is not set
                     again for each command */
  mote_time now;  /* of this step */
};

/* A line of a reply. Most stages take the last one alone. */
struct mote_reply {
  struct mote_slice line; /* without its end. It lies where the connection lends it */
  struct mote_slice text; /* what follows the code or word in it */
  struct mote_slice word; /* IMAP: the first word */
  int64_t literal;        /* IMAP: what codec/mail/imap.h says of one */
  const void *more;       /* what a protocol without lines has read */
  uint16_t code;          /* three digits, 0: the protocol has none */
  uint8_t says;           /* the protocol's own enum */
  uint8_t kind;           /* likewise */
  bool last;              /* the reply is whole */
};

/* Does what the stage begins with. CURLE_OK: it has sent a command, or the conversation moves on, to the
 * stage's `next` unless another was chosen. CURLE_AGAIN: wait; it has called mote_conn_want(). Any other code
 * ends the transfer. */
typedef CURLcode mote_talk_ask(struct mote_transfer *t, struct mote_talk *talk);
/* Takes a reply. CURLE_OK: the conversation moves on, as above. CURLE_AGAIN: more lines follow. Any other
 * code ends the transfer. It must not use the multi's buffer, in which the line may lie. */
typedef CURLcode mote_talk_take(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r);

struct mote_stage {
  const char *name;      /* for people; it is sent as a command where `ask` is NULL */
  mote_talk_ask *ask;
  mote_talk_take *reply; /* NULL: whatever the reply is, `next` follows */
  uint8_t next;          /* the stage that follows where none was chosen */
  bool by_line;          /* `reply` takes each line, not only the last one */
};

/* What a protocol is to the engine. */
struct mote_talk_row {
  const struct mote_stage *shared; /* the first stages, of several protocols; NULL with own_from 0 */
  const struct mote_stage *stages; /* the others */
  uint8_t own_from;                /* number of the first of those */
  uint32_t line_most;              /* bytes of the longest line, its end included; a longer one is
                                      CURLE_WEIRD_SERVER_REPLY */
  /* Reads a line, r->line, and fills in the rest of *r. CURLE_AGAIN: it means nothing. At MOTE_TURN_BOTH the
   * line goes no further than here. Any other code ends the transfer. NULL: the server does not answer in
   * lines, and replies have no deadline. */
  CURLcode (*read)(struct mote_transfer *t, struct mote_talk *talk, struct mote_reply *r);
  /* Reads at MOTE_TURN_REPLY, where a server does not answer in lines, and gives the stage what has come
   * (mote_talk_take_reply()). CURLE_OK: the turn is another. CURLE_AGAIN: wait. NULL: lines are read. */
  mote_talk_ask *hear;
  /* The server has closed the connection at MOTE_TURN_BOTH. True: the stage goes on without it. NULL: it does
   * not. CURLE_RECV_ERROR then, and while a reply is owed. */
  bool (*goes_on)(const struct mote_talk *talk);
  /* Writes what is in front of each command (IMAP's tag). It is called again when the command is. NULL:
   * nothing is. */
  void (*front)(const struct mote_transfer *t, struct mote_out *out);
};

/* ---- moving on, for the functions of a stage ---- */

/* Chooses the stage that follows. CURLE_OK. */
static inline CURLcode mote_talk_go(struct mote_talk *talk, unsigned stage)
{
  talk->stage = (uint8_t)stage;
  talk->turn = MOTE_TURN_ASK;
  return CURLE_OK;
}

/* The same for one during which the server may have something to say. */
static inline CURLcode mote_talk_go_listening(struct mote_talk *talk, unsigned stage)
{
  talk->stage = (uint8_t)stage;
  talk->turn = MOTE_TURN_BOTH;
  return CURLE_OK;
}

/* The stage takes a reply that no command of its own has asked for: a banner, or one more reply. It may be
 * its `ask`. CURLE_OK. */
CURLcode mote_talk_await(struct mote_transfer *t, struct mote_talk *talk);
/* The same for another stage. */
CURLcode mote_talk_await_at(struct mote_talk *talk, unsigned stage);

/* Gives a reply to the stage, for `hear`. CURLE_OK, and CURLE_AGAIN: more of it follows. */
CURLcode mote_talk_take_reply(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r);
/* Checks that nothing came after the line that the stage takes. In the same packet as the reply to the
 * command that begins TLS it would answer commands that were not sent, to a client that goes on without
 * TLS. CURLE_WEIRD_SERVER_REPLY. */
CURLcode mote_talk_take_alone(struct mote_transfer *t);
/* Fails with rc and this text. */
CURLcode mote_talk_failed(struct mote_transfer *t, CURLcode rc, const char *why);
/* Fails with rc, the stage's name and what the server has said, up to a control character. */
CURLcode mote_talk_refused(struct mote_transfer *t, const struct mote_talk *talk, CURLcode rc,
                           const struct mote_reply *r);

/* ---- commands, for `ask` ---- */

/* Begins a line in the multi's buffer, with what is in front of a command; `plain`: without. */
void mote_talk_begin(struct mote_transfer *t, const struct mote_talk *talk, struct mote_out *out);
void mote_talk_begin_plain(struct mote_transfer *t, struct mote_out *out);
/* Write a text, and a word, decoded if it is percent-encoded (`coded`). */
void mote_talk_text(struct mote_out *out, const char *text);
void mote_talk_word(struct mote_out *out, struct mote_slice word, bool coded);
/* Ends the command that begins at `from`, and shows it to the application. No byte of it may be a CR, LF or
 * NUL, so that neither a URL nor an option can give the server a second command. CURLE_URL_MALFORMAT: there
 * is one. CURLE_AGAIN: it does not fit. */
CURLcode mote_talk_end(struct mote_transfer *t, struct mote_out *out, size_t from);
/* Sends what was written, which is whole commands. The reply to the first of them comes next; the stages of
 * the others await theirs. CURLE_SEND_ERROR, CURLE_OUT_OF_MEMORY. */
CURLcode mote_talk_send_all(struct mote_transfer *t, struct mote_talk *talk, const struct mote_out *out);
/* Ends and sends one command. A command for which there was no room is asked for again, with more.
 * CURLE_TOO_LARGE: it is longer than MOTE_TALK_COMMAND_MOST. */
CURLcode mote_talk_send(struct mote_transfer *t, struct mote_talk *talk, struct mote_out *out);
/* Send a command as it is, and "verb word". */
CURLcode mote_talk_say(struct mote_transfer *t, struct mote_talk *talk, const char *command);
CURLcode mote_talk_say_word(struct mote_transfer *t, struct mote_talk *talk, const char *verb,
                            struct mote_slice word, bool coded);

/* ---- the protocol's functions ---- */

/* Goes on until the stage is `until`, a bounded number of moves at a time. CURLE_OK: it is. CURLE_AGAIN: wait
 * (also for another turn). CURLE_OPERATION_TIMEDOUT: a reply is overdue. CURLE_WEIRD_SERVER_REPLY: a line
 * or a reply is too long, or a line has a NUL. CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_WRITE_ERROR (the
 * header callback), CURLE_OUT_OF_MEMORY, and those of the stages. */
CURLcode mote_talk_step(struct mote_transfer *t, struct mote_talk *talk, const struct mote_talk_row *row,
                        mote_time now, unsigned until);
/* The same for a greeting, after which the connection is at rest. */
CURLcode mote_talk_greet(struct mote_transfer *t, struct mote_talk *talk, const struct mote_talk_row *row,
                         mote_time now, unsigned until);

/* Ends a transfer whose exchange is over: delivers what a pause has kept. CURLE_AGAIN: the application
 * pauses, and nothing is waited for but its end. Errors of the write callback, CURLE_OUT_OF_MEMORY. */
CURLcode mote_talk_finish(struct mote_transfer *t);

/* Says `word`, such as "QUIT\r\n", on a connection at rest and waits for the answer (net/driver.h).
 * CURLE_SEND_ERROR: a command is under way. */
CURLcode mote_talk_goodbye(struct mote_conn *c, const char *word);
/* Says QUIT. */
CURLcode mote_talk_quit(struct mote_conn *c);

/* Ends the exchange: the connection is reusable when it is at rest, no byte is left over and its server has
 * not closed it. */
void mote_talk_end_exchange(struct mote_transfer *t);

#endif
