/* protocol/mail/pop3.c: one command of POP3 and its response, as CURLOPT_URL(3) and CURLOPT_CUSTOMREQUEST(3)
 * describe it: the list of messages, one message, or any command (protocol/mail/pop3.h). */
#include "protocol/mail/pop3.h"

#include <string.h>

#include "codec/mail/dots.h"
#include "http/auth/auth.h"
#include "protocol/body.h"
#include "protocol/mail/mail.h"

#define LINE_MOST 65536u /* bytes; RFC 2449 section 4 allows 512 */
#define INITIAL_MOST 247 /* bytes; a line has 255 (RFC 5034 section 4), and "AUTH " and its end */

/* ---- a command ---- */

/* Two commands have a list unless a message is named, and the others after them have none. */
static bool has_list(const char *command, bool of_message)
{
  size_t len = strcspn(command, " ");
  unsigned place = mote_slice_among((struct mote_slice){command, len},
                                    "LIST\0UIDL\0APOP\0AUTH\0DELE\0NOOP\0PASS\0QUIT\0RSET\0STAT\0STLS\0"
                                    "USER\0XTND\0");
  return !place || (place <= 2 && !of_message && !command[len]);
}

static const char *pop3_command_of(const struct mote_transfer *t)
{
  const char *custom = mote_mail_custom(t);
  if(custom)
    return custom;
  return mote_mail_path(t).len && !mote_opt_long(&t->options, CURLOPT_DIRLISTONLY) ? "RETR" : "LIST";
}

static CURLcode pop3_send_command(struct mote_transfer *t)
{
  struct mote_slice command = mote_slice_of(pop3_command_of(t)), message = mote_mail_path(t);
  return mote_mail_command(t, message.len ? "%w %w" : "%w", &command, true, &message, true);
}

static CURLcode pop3_take_response(struct mote_transfer *t, struct mote_pop3 *p, bool ok,
                                   struct mote_slice text)
{
  if(ok && has_list(pop3_command_of(t), mote_mail_path(t).len > 0)) {
    p->dots = MOTE_DOTS_LINE;
    mote_conn_look_again(t->run->channel.conn);
    return MOTE_PP_TO(MOTE_POP3_BODY);
  }
  return mote_mail_take_last(t, &p->mail, ok, CURLE_WEIRD_SERVER_REPLY, text);
}

static CURLcode undo_dots(void *state, char *bytes, size_t len, struct mote_body_cut *cut)
{
  uint8_t *at = state;
  cut->used = mote_dots_undo(at, bytes, len, &cut->len);
  cut->over = *at == MOTE_DOTS_OVER;
  return CURLE_OK;
}

static CURLcode pop3_receive(struct mote_transfer *t, struct mote_pop3 *p, mote_time now)
{
  const struct mote_body_filter dots = {.cut = undo_dots, .state = &p->dots};
  curl_off_t left = -1;
  CURLcode rc = mote_body_receive(t, t->run->channel.conn, &left, &dots, now);
  if(rc)
    return rc;
  p->mail.pp.at_rest = true;
  return MOTE_PP_TO(MOTE_MAIL_OVER);
}

/* ---- the row ---- */

static CURLcode pop3_ask(struct mote_transfer *t, struct mote_pp *pp, mote_time now)
{
  struct mote_pop3 *p = mote_mail_state(t);
  if(pp->stage == MOTE_POP3_COMMAND)
    return pop3_send_command(t);
  return pp->stage == MOTE_POP3_BODY ? pop3_receive(t, p, now) : mote_pop3_greet_ask(t, p);
}

/* A line that is no reply is passed over, as by libcurl. */
static CURLcode pop3_line(struct mote_transfer *t, struct mote_pp *pp, struct mote_slice line)
{
  struct mote_pop3 *p = mote_mail_state(t);
  struct mote_slice text;
  enum mote_reply_word word = mote_reply_word(line, &text);
  if(pp->open)
    return mote_pop3_greet_line(t, p, line);
  if(word == MOTE_REPLY_OTHER)
    return CURLE_AGAIN;
  if(pp->stage != MOTE_POP3_COMMAND)
    return mote_pop3_greet_reply(t, p, word, text);
  return word == MOTE_REPLY_GO_ON ? CURLE_AGAIN : pop3_take_response(t, p, word == MOTE_REPLY_OK, text);
}

static CURLcode pop3_begin(struct mote_transfer *t)
{
  return mote_pp_go(mote_mail_state(t), MOTE_POP3_COMMAND);
}

static const struct mote_mail_row pop3 = {
  .driver = {.name = "pop3", .goodbye = mote_pp_quit, .discard = mote_mail_discard},
  .commands = {.ask = pop3_ask, .line = pop3_line, .line_most = LINE_MOST},
  .service = {.name = "pop", .own = "+APOP", .command = "AUTH ", .initial_most = INITIAL_MOST},
  .words = "STLS\0USER\0",
  .own_way = mote_pop3_own_way,
};

const struct mote_protocol mote_protocol_pop3 = {
  .name = "pop3",
  .conn_size = sizeof(struct mote_pop3),
  .driver = &pop3.driver,
  .login = mote_http_identity,
  .prepare = mote_mail_prepare,
  .greet = mote_mail_greet,
  .begin = pop3_begin,
  .step = mote_mail_step,
  .end = mote_mail_end,
};
