/* protocol/mail/pop3.c: mailboxes by POP3: banner, CAPA, perhaps STLS and CAPA again, the login, and one
 * command and its response, as CURLOPT_URL(3) and CURLOPT_CUSTOMREQUEST(3) describe it: the list of messages,
 * one message, or any command (protocol/mail/pop3.h).
 *
 * What a server without CAPA can do is unknown, so that the client logs in by USER. APOP's digest needs the
 * banner, which is not kept, so that it is made when the banner comes. */
#include "protocol/mail/pop3.h"

#include <string.h>

#include "auth/scheme.h"
#include "base/digest/digest.h"
#include "base/out.h"
#include "codec/ftp/reply.h"
#include "codec/mail/dots.h"
#include "codec/url/percent.h"
#include "http/auth/auth.h"
#include "protocol/body.h"
#include "protocol/mail/mail.h"
#include "transfer/protocol.h"

#define LINE_MOST 65536u /* bytes; RFC 2449 section 4 allows 512 */
#define INITIAL_MOST 247 /* bytes; a line has 255 (RFC 5034 section 4), and "AUTH " and its end */

/* ---- the greeting ---- */

static void add_password(struct mote_digest_state *md5, const struct mote_auth_login *login)
{
  const char *at = login->password.ptr, *end = at + login->password.len;
  while(at < end) {
    int byte = login->password_coded ? mote_percent_byte(at, end) : -1;
    char c = byte >= 0 ? (char)byte : *at;
    mote_digest_add(md5, &c, 1);
    at += byte >= 0 ? 3 : 1;
  }
}

/* The timestamp is "<...@...>" (RFC 1939 section 7). */
static void take_timestamp(struct mote_transfer *t, struct mote_pop3 *p, struct mote_slice text)
{
  const char *from = text.len ? memchr(text.ptr, '<', text.len) : NULL;
  const char *to = from ? memchr(from, '>', text.len - (size_t)(from - text.ptr)) : NULL;
  struct mote_auth_login login;
  struct mote_digest_state md5;
  if(!to || !memchr(from, '@', (size_t)(to - from)) || !mote_sasl_exchange_login(t, &login))
    return;
  mote_digest_init(&md5, &mote_md5_digest);
  mote_digest_add(&md5, from, (size_t)(to - from) + 1);
  add_password(&md5, &login);
  mote_digest_end(&md5, p->digest);
  p->has_apop = true;
}

/* The list ends with a dot. A refusal has none. */
static CURLcode pop3_take_hello(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_pop3 *p = (struct mote_pop3 *)talk;
  if(r->last) {
    if(r->says == MOTE_MAIL_NO)
      p->mail.can |= MOTE_POP3_CAN_USER;
    return mote_mail_take_hello(t, &p->mail);
  }
  (void)mote_mail_learn(&p->mail, r->line);
  if(r->line.len > 5 && mote_equal_nocase_n(r->line.ptr, "SASL ", 5))
    mote_sasl_exchange_offer(&p->mail.offered, (struct mote_slice){r->line.ptr + 5, r->line.len - 5});
  return CURLE_AGAIN;
}

/* A password in the clear comes last. */
static unsigned pop3_own_way(const struct mote_mail *m, struct mote_sasl_ways ways)
{
  const struct mote_pop3 *p = (const struct mote_pop3 *)m;
  if(ways.own && p->has_apop)
    return MOTE_POP3_APOP;
  if(ways.own && !ways.named && m->can & MOTE_POP3_CAN_USER)
    return MOTE_POP3_USER;
  return MOTE_MAIL_CHOOSE;
}

static CURLcode pop3_send_apop(struct mote_transfer *t, struct mote_talk *talk)
{
  char room[2 * MOTE_MD5_SIZE];
  struct mote_auth_login login;
  struct mote_out out;
  (void)mote_sasl_exchange_login(t, &login);
  mote_talk_begin(t, talk, &out);
  mote_talk_text(&out, "APOP ");
  mote_talk_word(&out, login.user, login.user_coded);
  mote_talk_text(&out, " ");
  mote_talk_word(&out, mote_digest_hex(((struct mote_pop3 *)talk)->digest, MOTE_MD5_SIZE, room), false);
  return mote_talk_send(t, talk, &out);
}

static CURLcode pop3_send_user(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_auth_login login;
  (void)mote_sasl_exchange_login(t, &login);
  return talk->stage == MOTE_POP3_USER
           ? mote_talk_say_word(t, talk, "USER", login.user, login.user_coded)
           : mote_talk_say_word(t, talk, "PASS", login.password, login.password_coded);
}

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

static CURLcode pop3_send_command(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_slice message = mote_mail_path(t);
  struct mote_out out;
  mote_talk_begin(t, talk, &out);
  mote_talk_word(&out, mote_slice_of(pop3_command_of(t)), true);
  if(message.len)
    mote_talk_text(&out, " ");
  mote_talk_word(&out, message, true);
  return mote_talk_send(t, talk, &out);
}

static CURLcode pop3_take_response(struct mote_transfer *t, struct mote_talk *talk,
                                   const struct mote_reply *r)
{
  bool ok = r->says == MOTE_MAIL_OK;
  if(!ok || !has_list(pop3_command_of(t), mote_mail_path(t).len > 0))
    return mote_mail_take_last(t, talk, r, ok, CURLE_WEIRD_SERVER_REPLY);
  ((struct mote_pop3 *)talk)->dots = MOTE_DOTS_LINE;
  mote_conn_look_again(t->run->channel.conn);
  return CURLE_OK;
}

static CURLcode undo_dots(void *state, char *bytes, size_t len, struct mote_body_cut *cut)
{
  uint8_t *at = state;
  cut->used = mote_dots_undo(at, bytes, len, &cut->len);
  cut->over = *at == MOTE_DOTS_OVER;
  return CURLE_OK;
}

static CURLcode pop3_receive(struct mote_transfer *t, struct mote_talk *talk)
{
  const struct mote_body_filter dots = {.cut = undo_dots, .state = &((struct mote_pop3 *)talk)->dots};
  curl_off_t left = -1;
  CURLcode rc = mote_body_receive(t, t->run->channel.conn, &left, &dots, talk->now);
  talk->at_rest = !rc;
  return rc;
}

/* ---- the row ---- */

static const struct mote_stage stages[] = {
  MOTE_MAIL_AT(MOTE_MAIL_HELLO) = {"CAPA", NULL, pop3_take_hello, MOTE_MAIL_CHOOSE, true},
  MOTE_MAIL_AT(MOTE_MAIL_STARTTLS) = {"STLS", NULL, mote_mail_take_tls, MOTE_MAIL_TLS, false},
  MOTE_MAIL_AT(MOTE_POP3_APOP) = {"APOP", pop3_send_apop, mote_mail_take_login, MOTE_MAIL_READY, false},
  MOTE_MAIL_AT(MOTE_POP3_USER) = {"USER", pop3_send_user, mote_mail_take_login, MOTE_POP3_PASS, false},
  MOTE_MAIL_AT(MOTE_POP3_PASS) = {"PASS", pop3_send_user, mote_mail_take_login, MOTE_MAIL_READY, false},
  MOTE_MAIL_AT(MOTE_POP3_COMMAND) = {"command", pop3_send_command, pop3_take_response, MOTE_POP3_BODY, false},
  MOTE_MAIL_AT(MOTE_POP3_BODY) = {"response", pop3_receive, NULL, MOTE_MAIL_OVER, false},
};

/* A line that is no reply is passed over, as by libcurl, and so is a challenge but at SASL. */
static CURLcode pop3_read(struct mote_transfer *t, struct mote_talk *talk, struct mote_reply *r)
{
  static const uint8_t says[] = {
    [MOTE_REPLY_OK] = MOTE_MAIL_OK, [MOTE_REPLY_ERR] = MOTE_MAIL_NO, [MOTE_REPLY_GO_ON] = MOTE_MAIL_GO_ON,
  };
  struct mote_mail *m = (struct mote_mail *)talk;
  enum mote_reply_word word;
  if(m->open) {
    r->last = r->line.len == 1 && *r->line.ptr == '.';
    m->open = !r->last;
    return CURLE_OK;
  }
  word = mote_reply_word(r->line, &r->text);
  if(word == MOTE_REPLY_OTHER || (word == MOTE_REPLY_GO_ON && talk->stage != MOTE_MAIL_AUTH))
    return CURLE_AGAIN;
  r->says = says[word];
  r->last = true;
  if(talk->stage == MOTE_MAIL_BANNER && word == MOTE_REPLY_OK)
    take_timestamp(t, (struct mote_pop3 *)talk, r->text);
  if(talk->stage == MOTE_MAIL_HELLO && word == MOTE_REPLY_OK) {
    m->open = 1;
    return CURLE_AGAIN;
  }
  return CURLE_OK;
}

static CURLcode pop3_begin(struct mote_transfer *t)
{
  return mote_talk_go(mote_mail_state(t), MOTE_POP3_COMMAND);
}

static const struct mote_mail_row pop3 = {
  .driver = {.name = "pop3", .goodbye = mote_talk_quit, .discard = mote_mail_discard},
  .talk = {MOTE_MAIL_SHARED, .stages = stages, .read = pop3_read, .line_most = LINE_MOST},
  .service = {.name = "pop", .own = "+APOP", .command = "AUTH ", .initial_most = INITIAL_MOST},
  .words = "STLS\0USER\0",
  .own_way = pop3_own_way,
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
