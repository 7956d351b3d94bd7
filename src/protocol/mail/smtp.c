/* protocol/mail/smtp.c: a mail (MAIL, RCPT, DATA), or commands whose responses are the body of the
 * transfer: VRFY of each recipient, HELP, or CURLOPT_CUSTOMREQUEST (protocol/mail/smtp.h). */
#include "protocol/mail/smtp.h"

#include <string.h>

#include "codec/ftp/reply.h"
#include "codec/url/idn.h"
#include "http/auth/auth.h"
#include "protocol/mail/mail.h"
#include "transfer/upload/source.h"

#define LINE_MOST 65536u /* bytes; RFC 5321 section 4.5.3.1.5 allows 512 */
#define GROUP_MOST 4096u /* bytes of commands that go together. A socket takes as much at once, so that no
                            side waits for the other to read (RFC 2920 section 3.1) */
#define INITIAL_MOST 504 /* bytes; a line has 512 (RFC 4954 section 4), and "AUTH " and its end */
#define WORDS_MOST (sizeof "MAIL FROM:<> AUTH=<> SIZE=9223372036854775807 SMTPUTF8")

/* ---- addresses ---- */

/* An address without the angle brackets that it may be in, in two parts. */
struct address {
  struct mote_slice local;       /* all of it, if it has no "@" */
  struct mote_slice host;        /* empty: there is none */
  char ace[MOTE_IDN_MAX_ASCII];  /* what the host points to, if it is not in ASCII */
};

/* Returns what follows the address's closing bracket: parameters of MAIL or RCPT (RFC 3461). */
static struct mote_slice smtp_split(struct address *a, const char *text)
{
  bool bracket = *text == '<';
  const char *from = text + bracket, *end = from + strlen(from), *at = end;
  struct mote_slice rest = {end, 0};
  if(bracket && strrchr(from, '>')) {
    end = strrchr(from, '>');
    rest.ptr = end + 1;
    rest.len = strlen(end + 1);
  }
  for(at = end; at > from && at[-1] != '@'; at--)
    ;
  a->local = (struct mote_slice){from, (size_t)(end - from)};
  a->host = (struct mote_slice){end, 0};
  if(at > from) {
    a->local.len = (size_t)(at - 1 - from);
    a->host = (struct mote_slice){at, (size_t)(end - at)};
  }
  if(mote_idn_needed(a->host)) {
    size_t len;
    if(!mote_idn_to_ascii(a->host, a->ace, &len))
      a->host = (struct mote_slice){a->ace, len};
  }
  return rest;
}

/* Reports whether the address has to be sent in UTF-8 (RFC 6531). */
static bool needs_utf8(const char *text)
{
  struct address a;
  if(!text || !mote_idn_needed(mote_slice_of(text)))
    return false;
  (void)smtp_split(&a, text);
  return mote_idn_needed(a.local) || mote_idn_needed(a.host);
}

static char *put_address(char *at, const char *text, struct mote_slice *rest)
{
  struct address a;
  *rest = smtp_split(&a, text);
  at = mote_mail_put(at, a.local, false);
  if(a.host.ptr != a.local.ptr + a.local.len)
    *at++ = '@';
  return mote_mail_put(at, a.host, false);
}

static char *put_bracketed(char *at, const char *text, struct mote_slice *rest)
{
  at = put_address(at, text ? text : "", rest);
  *at++ = '>';
  return at;
}

/* Room that an address takes. */
static size_t smtp_most_of(const char *text)
{
  struct mote_slice s = mote_slice_of(text ? text : "");
  return s.len + (mote_idn_needed(s) ? MOTE_IDN_MAX_ASCII : 0);
}

static bool breaks_line(const char *text)
{
  return text && strpbrk(text, "\r\n");
}

static CURLcode check_address(struct mote_transfer *t, bool sound)
{
  if(sound)
    return CURLE_OK;
  mote_fail(&t->report, "An address contains an end of line");
  return CURLE_BAD_FUNCTION_ARGUMENT;
}

/* ---- the envelope ---- */

static bool mail_needs_utf8(const struct mote_transfer *t)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_MAIL_RCPT);
  if(needs_utf8(mote_opt_str(&t->options, CURLOPT_MAIL_FROM)) ||
     needs_utf8(mote_opt_str(&t->options, CURLOPT_MAIL_AUTH)))
    return true;
  for(; l; l = l->next)
    if(needs_utf8(l->data))
      return true;
  return false;
}

/* An estimate (RFC 1870 section 6.1): line ends that are made longer do not count. */
static curl_off_t size_of_mail(const struct mote_transfer *t)
{
  curl_off_t size = t->run->request.size_up;
  return size < 0 ? mote_reader_size(mote_source_bottom(t)) : size;
}

/* A command of a mail's envelope. */
struct command {
  unsigned stage;                /* RSET, MAIL, RCPT or DATA */
  const struct curl_slist *rcpt; /* RCPT's, or the first one */
  const char *address;           /* MAIL's or RCPT's, or NULL */
  const char *auth;              /* MAIL's parameter AUTH, or NULL */
};

/* AUTH is for a user who has logged in (RFC 4954 section 5). */
static struct command command_at(const struct mote_transfer *t, const struct mote_smtp *s, unsigned stage,
                                 const struct curl_slist *rcpt)
{
  struct command c = {.stage = stage, .rcpt = rcpt};
  if(stage == MOTE_SMTP_RCPT)
    c.address = rcpt->data;
  if(stage == MOTE_SMTP_MAIL) {
    c.address = mote_opt_str(&t->options, CURLOPT_MAIL_FROM);
    c.auth = s->logged_in ? mote_opt_str(&t->options, CURLOPT_MAIL_AUTH) : NULL;
  }
  return c;
}

static bool is_sound(const struct command *c)
{
  return !breaks_line(c->address) && !breaks_line(c->auth);
}

/* Room that a command takes, without its end. */
static size_t smtp_room_of(const struct command *c)
{
  return WORDS_MOST + smtp_most_of(c->address) + smtp_most_of(c->auth);
}

static char *smtp_put_command(const struct mote_transfer *t, struct mote_smtp *s, char *at,
                              const struct command *c)
{
  bool mail = c->stage == MOTE_SMTP_MAIL;
  curl_off_t size = mail && s->mail.can & MOTE_SMTP_CAN_SIZE ? size_of_mail(t) : 0;
  struct mote_slice rest, end;
  if(!mail && c->stage != MOTE_SMTP_RCPT)
    return mote_mail_text(at, c->stage == MOTE_SMTP_RSET ? "RSET" : "DATA");
  at = put_bracketed(mote_mail_text(at, mail ? "MAIL FROM:<" : "RCPT TO:<"), c->address, &rest);
  at = mote_mail_put(at, rest, false);
  if(c->auth)
    at = put_bracketed(mote_mail_text(at, " AUTH=<"), c->auth, &end);
  if(size > 0) {
    at = mote_mail_text(at, " SIZE=");
    at += mote_print_dec(at, (uint64_t)size);
  }
  if(!mail)
    return at;
  s->utf8 = s->mail.can & MOTE_SMTP_CAN_UTF8 && mail_needs_utf8(t);
  return s->utf8 ? mote_mail_text(at, " SMTPUTF8") : at;
}

/* DATA goes ahead where a server that accepts it is to get the mail. Among several recipients who all have to
 * be accepted one may be refused, and the server, which waits for the mail then, would have to be left. */
static bool may_go_ahead(const struct mote_transfer *t, const struct command *c)
{
  const struct curl_slist *all = mote_opt_ptr(&t->options, CURLOPT_MAIL_RCPT);
  if(c->stage != MOTE_SMTP_DATA)
    return is_sound(c);
  return !all->next || mote_opt_long(&t->options, CURLOPT_MAIL_RCPT_ALLOWFAILS) != 0;
}

static struct command command_after(const struct mote_transfer *t, const struct mote_smtp *s,
                                    const struct command *c)
{
  const struct curl_slist *rcpt = c->stage == MOTE_SMTP_RCPT ? c->rcpt->next : c->rcpt;
  unsigned stage = rcpt ? MOTE_SMTP_RCPT : MOTE_SMTP_DATA;
  return command_at(t, s, c->stage == MOTE_SMTP_RSET ? MOTE_SMTP_MAIL : stage, rcpt);
}

/* Sends the command of this stage, and with PIPELINING (RFC 2920) those that follow it, of which DATA is the
 * last. `ahead` counts them. */
static CURLcode send_envelope(struct mote_transfer *t, struct mote_smtp *s)
{
  struct command c = command_at(t, s, s->mail.pp.stage, s->rcpt);
  CURLcode rc = check_address(t, is_sound(&c));
  size_t len = 0, most = 0;
  char *room = rc ? NULL : mote_pp_room(t, smtp_room_of(&c), &rc), *end;
  if(!room)
    return rc;
  if(s->mail.can & MOTE_SMTP_CAN_PIPELINING)
    most = mote_pp_room_size(t) < GROUP_MOST ? mote_pp_room_size(t) : GROUP_MOST;
  for(;;) {
    end = smtp_put_command(t, s, room + len, &c);
    rc = mote_pp_end_command(t, room + len, (size_t)(end - room) - len);
    if(rc)
      return rc;
    len = (size_t)(end - room) + 2;
    if(c.stage == MOTE_SMTP_DATA)
      break;
    c = command_after(t, s, &c);
    if(!may_go_ahead(t, &c) || len + smtp_room_of(&c) + 2 > most)
      break;
    s->ahead++;
  }
  return mote_pp_send_commands(t, &s->mail.pp, len);
}

/* Sends the command of this stage, unless that was done. */
static CURLcode ask_envelope(struct mote_transfer *t, struct mote_smtp *s)
{
  if(!s->ahead)
    return send_envelope(t, s);
  s->ahead--;
  return mote_pp_expect(&s->mail.pp, s->mail.pp.stage);
}

/* ---- refusals ---- */

/* The replies to what was sent ahead still come. 421: the server leaves. */
static CURLcode smtp_refused(struct mote_transfer *t, struct mote_smtp *s, CURLcode rc, const char *what,
                             unsigned code)
{
  (void)mote_smtp_refused(t, rc, what, code);
  s->mail.pp.at_rest = !s->ahead;
  if(!s->ahead || code == 421)
    return rc;
  s->refused = (uint8_t)rc;
  return MOTE_PP_TO(MOTE_SMTP_REFUSED);
}

static CURLcode ask_refused(struct mote_smtp *s)
{
  if(s->ahead) {
    s->ahead--;
    return mote_pp_expect(&s->mail.pp, MOTE_SMTP_REFUSED);
  }
  s->mail.pp.at_rest = true;
  return s->refused;
}

/* A server that waits for a mail, or leaves, gets no other command. */
static CURLcode take_refused(struct mote_smtp *s, unsigned code)
{
  return code == 354 || code == 421 ? s->refused : MOTE_PP_TO(MOTE_SMTP_REFUSED);
}

/* ---- a mail ---- */

static CURLcode take_begin(struct mote_transfer *t, struct mote_smtp *s, unsigned code)
{
  bool reset = s->mail.pp.stage == MOTE_SMTP_RSET;
  if(code / 100 != 2)
    return smtp_refused(t, s, CURLE_SEND_ERROR, reset ? "RSET" : "MAIL", code);
  s->begun = !reset;
  return MOTE_PP_TO(reset ? MOTE_SMTP_MAIL : MOTE_SMTP_RCPT);
}

static CURLcode take_rcpt(struct mote_transfer *t, struct mote_smtp *s, unsigned code)
{
  bool some = mote_opt_long(&t->options, CURLOPT_MAIL_RCPT_ALLOWFAILS) != 0;
  if(code / 100 == 2)
    s->accepted = true;
  else
    s->failed = (uint16_t)code;
  if(s->failed && !some)
    return smtp_refused(t, s, CURLE_SEND_ERROR, "a recipient", code);
  s->rcpt = s->rcpt->next;
  if(s->rcpt)
    return MOTE_PP_TO(MOTE_SMTP_RCPT);
  if(!s->accepted)
    return smtp_refused(t, s, CURLE_SEND_ERROR, "all recipients, the last of them", s->failed);
  return MOTE_PP_TO(MOTE_SMTP_DATA);
}

static CURLcode smtp_take_data(struct mote_transfer *t, struct mote_smtp *s, unsigned code)
{
  if(code != 354)
    return smtp_refused(t, s, CURLE_SEND_ERROR, "DATA", code);
  if(s->mail.can & MOTE_SMTP_CAN_PIPELINING) {
    CURLcode rc = mote_pp_take_alone(t);
    if(rc)
      return rc;
  }
  if(!mote_source_push(t, &mote_mail_dots))
    return CURLE_OUT_OF_MEMORY;
  return MOTE_PP_TO(MOTE_SMTP_BODY);
}

static CURLcode send_body(struct mote_transfer *t, struct mote_smtp *s, mote_time now)
{
  CURLcode rc = mote_mail_send(t, now);
  return rc ? rc : mote_pp_expect(&s->mail.pp, MOTE_SMTP_SENT);
}

static CURLcode take_sent(struct mote_transfer *t, struct mote_smtp *s, unsigned code)
{
  s->mail.pp.at_rest = true;
  s->begun = false;
  return code == 250 ? MOTE_PP_TO(MOTE_MAIL_OVER)
                     : mote_smtp_refused(t, CURLE_WEIRD_SERVER_REPLY, "the mail", code);
}

/* ---- a command ---- */

static const char *smtp_command_of(const struct mote_transfer *t, const struct mote_smtp *s)
{
  const char *custom = mote_mail_custom(t);
  return custom ? custom : s->rcpt ? "VRFY" : "HELP";
}

/* The name of a user or a list may stand for an address (RFC 5321 section 3.5.1), so that only VRFY's is
 * converted. The members of a list that EXPN names may need UTF-8 even if its name does not. */
static CURLcode smtp_send_command(struct mote_transfer *t, struct mote_smtp *s)
{
  const char *command = smtp_command_of(t, s), *to = s->rcpt ? s->rcpt->data : NULL;
  bool vrfy = !strcmp(command, "VRFY"), utf8 = vrfy ? needs_utf8(to) : !strcmp(command, "EXPN");
  CURLcode rc = check_address(t, !breaks_line(to));
  char *room = rc ? NULL : mote_pp_room(t, WORDS_MOST + strlen(command) + smtp_most_of(to), &rc), *at;
  struct mote_slice rest;
  if(!room)
    return rc;
  at = mote_mail_put(room, mote_slice_of(command), true);
  if(to)
    *at++ = ' ';
  if(to)
    at = vrfy ? put_address(at, to, &rest) : mote_mail_text(at, to);
  if(to && utf8 && s->mail.can & MOTE_SMTP_CAN_UTF8)
    at = mote_mail_text(at, " SMTPUTF8");
  return mote_pp_send_room(t, &s->mail.pp, (size_t)(at - room));
}

/* 553 says that the name is ambiguous (RFC 5321 section 3.5.1), which is an answer to VRFY. */
static CURLcode smtp_take_response(struct mote_transfer *t, struct mote_smtp *s, unsigned code,
                                   struct mote_slice line)
{
  bool failed = code && code / 100 != 2 && !(code == 553 && s->rcpt);
  CURLcode rc = failed ? CURLE_OK : mote_mail_deliver(t, line);
  if(failed)
    return smtp_refused(t, s, CURLE_WEIRD_SERVER_REPLY, "the command", code);
  if(rc || !code)
    return rc ? rc : CURLE_AGAIN;
  s->mail.pp.at_rest = true;
  s->rcpt = s->rcpt ? s->rcpt->next : NULL;
  return s->rcpt ? MOTE_PP_TO(MOTE_SMTP_COMMAND) : MOTE_PP_TO(MOTE_MAIL_OVER);
}

/* ---- the row ---- */

static CURLcode smtp_ask(struct mote_transfer *t, struct mote_pp *pp, mote_time now)
{
  struct mote_smtp *s = mote_mail_state(t);
  switch(pp->stage) {
  case MOTE_SMTP_COMMAND:
    return smtp_send_command(t, s);
  case MOTE_SMTP_RSET:
  case MOTE_SMTP_MAIL:
  case MOTE_SMTP_RCPT:
  case MOTE_SMTP_DATA:
    return ask_envelope(t, s);
  case MOTE_SMTP_REFUSED:
    return ask_refused(s);
  case MOTE_SMTP_BODY:
    return send_body(t, s, now);
  default:
    return mote_smtp_greet_ask(t, s);
  }
}

static CURLcode smtp_line(struct mote_transfer *t, struct mote_pp *pp, struct mote_slice line)
{
  struct mote_smtp *s = mote_mail_state(t);
  unsigned code = mote_reply_take(&pp->open, line);
  if(code && pp->stage != MOTE_SMTP_REFUSED)
    t->run->response.code = (uint16_t)code;
  if(pp->stage == MOTE_SMTP_COMMAND)
    return code || pp->open ? smtp_take_response(t, s, code, line) : CURLE_AGAIN;
  if(pp->stage < MOTE_MAIL_READY)
    return mote_smtp_greet_line(t, s, code, line);
  if(!code)
    return CURLE_AGAIN;
  switch(pp->stage) {
  case MOTE_SMTP_RSET:
  case MOTE_SMTP_MAIL:
    return take_begin(t, s, code);
  case MOTE_SMTP_RCPT:
    return take_rcpt(t, s, code);
  case MOTE_SMTP_DATA:
    return smtp_take_data(t, s, code);
  case MOTE_SMTP_REFUSED:
    return take_refused(s, code);
  default:
    return take_sent(t, s, code);
  }
}

/* Something to send and a recipient make a mail. A server that refused one still has what it took of it. */
static CURLcode smtp_begin(struct mote_transfer *t)
{
  struct mote_smtp *s = mote_mail_state(t);
  unsigned first = s->begun ? MOTE_SMTP_RSET : MOTE_SMTP_MAIL;
  s->rcpt = mote_opt_ptr(&t->options, CURLOPT_MAIL_RCPT);
  s->failed = s->ahead = s->refused = 0;
  s->accepted = false;
  return mote_pp_go(&s->mail.pp, s->rcpt && t->run->body ? first : MOTE_SMTP_COMMAND);
}

static CURLcode smtp_step(struct mote_transfer *t, mote_time now)
{
  const struct mote_smtp *s = mote_mail_state(t);
  CURLcode rc = mote_mail_step(t, now);
  return rc && rc != CURLE_AGAIN && s->refused ? s->refused : rc; /* what was refused came first */
}

/* The recipients are the application's, and may be gone after this. */
static void smtp_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_smtp *s = mote_mail_state(t);
  s->rcpt = NULL;
  mote_mail_end(t, rc);
}

static const struct mote_mail_row smtp = {
  .driver = {.name = "smtp", .goodbye = mote_pp_quit, .discard = mote_mail_discard},
  .commands = {.ask = smtp_ask, .line = smtp_line, .line_most = LINE_MOST},
  .service = {.name = "smtp", .command = "AUTH ", .initial_most = INITIAL_MOST},
  .words = "STARTTLS\0SIZE\0SMTPUTF8\0PIPELINING\0AUTH\0",
};

const struct mote_protocol mote_protocol_smtp = {
  .name = "smtp",
  .conn_size = sizeof(struct mote_smtp),
  .driver = &smtp.driver,
  .login = mote_http_identity,
  .prepare = mote_mail_prepare,
  .greet = mote_mail_greet,
  .begin = smtp_begin,
  .step = smtp_step,
  .end = smtp_end,
};
