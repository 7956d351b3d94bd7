/* protocol/mail/smtp.c: the greeting (banner, EHLO or HELO, perhaps STARTTLS and EHLO again, the login),
 * and then a mail (MAIL, RCPT, DATA), or commands whose responses are the body of the transfer: VRFY of
 * each recipient, HELP, or CURLOPT_CUSTOMREQUEST (protocol/mail/smtp.h). */
#include "protocol/mail/smtp.h"

#include <string.h>

#include "base/out.h"
#include "codec/ftp/reply.h"
#include "codec/url/idn.h"
#include "http/auth/auth.h"
#include "port/env.h"
#include "protocol/mail/mail.h"
#include "protocol/starttls.h"
#include "transfer/protocol.h"
#include "transfer/upload/source.h"

#define LINE_MOST 65536u /* bytes; RFC 5321 section 4.5.3.1.5 allows 512 */
#define GROUP_MOST 4096u /* bytes of commands that go together. A socket takes as much at once, so that no
                            side waits for the other to read (RFC 2920 section 3.1) */
#define INITIAL_MOST 504 /* bytes; a line has 512 (RFC 4954 section 4), and "AUTH " and its end */
#define HOST_MOST 256    /* bytes of this machine's name, the NUL included (RFC 1035 section 2.3.4) */

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

/* Returns what follows the address. */
static struct mote_slice put_address(struct mote_out *out, const char *text)
{
  struct address a;
  struct mote_slice rest = smtp_split(&a, text);
  mote_talk_word(out, a.local, false);
  if(a.host.ptr != a.local.ptr + a.local.len)
    mote_talk_text(out, "@");
  mote_talk_word(out, a.host, false);
  return rest;
}

static struct mote_slice put_bracketed(struct mote_out *out, const char *before, const char *text)
{
  struct mote_slice rest;
  mote_talk_text(out, before);
  rest = put_address(out, text ? text : "");
  mote_talk_text(out, ">");
  return rest;
}

static bool breaks_line(const char *text)
{
  return text && strpbrk(text, "\r\n");
}

static CURLcode check_address(struct mote_transfer *t, bool sound)
{
  if(sound)
    return CURLE_OK;
  return mote_talk_failed(t, CURLE_BAD_FUNCTION_ARGUMENT, "An address contains an end of line");
}

/* ---- the envelope ---- */

/* AUTH is for a user who has logged in (RFC 4954 section 5). */
static const char *auth_of(const struct mote_transfer *t, const struct mote_smtp *s)
{
  return s->mail.logged_in ? mote_opt_str(&t->options, CURLOPT_MAIL_AUTH) : NULL;
}

static bool mail_needs_utf8(const struct mote_transfer *t, const struct mote_smtp *s)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_MAIL_RCPT);
  for(; l; l = l->next)
    if(needs_utf8(l->data))
      return true;
  return needs_utf8(mote_opt_str(&t->options, CURLOPT_MAIL_FROM)) || needs_utf8(auth_of(t, s));
}

/* An estimate (RFC 1870 section 6.1): line ends that are made longer do not count. */
static curl_off_t size_of_mail(const struct mote_transfer *t)
{
  curl_off_t size = t->run->request.size_up;
  return size < 0 ? mote_reader_size(mote_source_bottom(t)) : size;
}

static void smtp_put_mail(const struct mote_transfer *t, const struct mote_smtp *s, struct mote_out *out)
{
  const char *auth = auth_of(t, s);
  curl_off_t size = s->mail.can & MOTE_SMTP_CAN_SIZE ? size_of_mail(t) : 0;
  const char *from = mote_opt_str(&t->options, CURLOPT_MAIL_FROM);
  mote_talk_word(out, put_bracketed(out, "MAIL FROM:<", from), false);
  if(auth)
    (void)put_bracketed(out, " AUTH=<", auth);
  if(size > 0) {
    mote_talk_text(out, " SIZE=");
    mote_out_dec(out, (uint64_t)size);
  }
  if(s->mail.can & MOTE_SMTP_CAN_UTF8 && mail_needs_utf8(t, s))
    mote_talk_text(out, " SMTPUTF8");
}

static void smtp_put_command(const struct mote_transfer *t, const struct mote_smtp *s, struct mote_out *out,
                             unsigned stage, const struct curl_slist *rcpt)
{
  if(stage == MOTE_SMTP_MAIL)
    smtp_put_mail(t, s, out);
  else if(stage == MOTE_SMTP_RCPT)
    mote_talk_word(out, put_bracketed(out, "RCPT TO:<", rcpt->data), false);
  else
    mote_talk_text(out, stage == MOTE_SMTP_RSET ? "RSET" : "DATA");
}

/* Reports whether the command's addresses have no end of line. */
static bool is_sound(const struct mote_transfer *t, const struct mote_smtp *s, unsigned stage,
                     const struct curl_slist *rcpt)
{
  if(stage == MOTE_SMTP_RCPT)
    return !breaks_line(rcpt->data);
  return stage != MOTE_SMTP_MAIL ||
         !(breaks_line(mote_opt_str(&t->options, CURLOPT_MAIL_FROM)) || breaks_line(auth_of(t, s)));
}

/* DATA goes ahead where a server that accepts it is to get the mail. Among several recipients who all have to
 * be accepted one may be refused, and the server, which waits for the mail then, would have to be left. */
static bool may_send_data(const struct mote_transfer *t, const struct mote_smtp *s)
{
  return s->single || mote_opt_long(&t->options, CURLOPT_MAIL_RCPT_ALLOWFAILS) != 0;
}

/* Adds the commands that may follow that of the stage (PIPELINING, RFC 2920), of which DATA is the last.
 * `ahead` counts them. */
static CURLcode smtp_go_ahead(struct mote_transfer *t, struct mote_smtp *s, struct mote_out *out)
{
  const struct curl_slist *rcpt = s->rcpt;
  unsigned stage = s->mail.talk.stage;
  if(out->room > GROUP_MOST)
    out->room = GROUP_MOST;
  while(stage != MOTE_SMTP_DATA && out->len < out->room) {
    size_t before = out->len;
    CURLcode rc;
    if(stage == MOTE_SMTP_RCPT)
      rcpt = rcpt->next;
    stage = stage == MOTE_SMTP_RSET ? MOTE_SMTP_MAIL : rcpt ? MOTE_SMTP_RCPT : MOTE_SMTP_DATA;
    if(stage == MOTE_SMTP_DATA ? !may_send_data(t, s) : !is_sound(t, s, stage, rcpt))
      break;
    smtp_put_command(t, s, out, stage, rcpt);
    rc = mote_talk_end(t, out, before);
    if(rc == CURLE_AGAIN) { /* the group is full */
      out->len = before;
      break;
    }
    if(rc)
      return rc;
    s->ahead++;
  }
  return CURLE_OK;
}

/* Sends the command of this stage, unless that was done. */
static CURLcode smtp_send_envelope(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_smtp *s = (struct mote_smtp *)talk;
  struct mote_out out;
  CURLcode rc;
  if(s->ahead) {
    s->ahead--;
    return mote_talk_await(t, talk);
  }
  rc = check_address(t, is_sound(t, s, talk->stage, s->rcpt));
  if(rc)
    return rc;
  mote_talk_begin(t, talk, &out);
  smtp_put_command(t, s, &out, talk->stage, s->rcpt);
  if(out.cut || !(s->mail.can & MOTE_SMTP_CAN_PIPELINING))
    return mote_talk_send(t, talk, &out);
  rc = mote_talk_end(t, &out, 0);
  if(!rc && out.len < GROUP_MOST)
    rc = smtp_go_ahead(t, s, &out);
  return rc ? rc : mote_talk_send_all(t, talk, &out);
}

/* ---- refusals ---- */

/* The replies to what was sent ahead still come. 421: the server leaves. */
static CURLcode smtp_refused(struct mote_transfer *t, struct mote_smtp *s, CURLcode rc,
                             const struct mote_reply *r)
{
  (void)mote_talk_refused(t, &s->mail.talk, rc, r);
  s->mail.talk.at_rest = !s->ahead;
  if(!s->ahead || r->code == 421)
    return rc;
  s->refused = (uint8_t)rc;
  return mote_talk_go(&s->mail.talk, MOTE_SMTP_REFUSED);
}

static CURLcode smtp_await_refused(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_smtp *s = (struct mote_smtp *)talk;
  talk->at_rest = !s->ahead;
  if(!s->ahead)
    return s->refused;
  s->ahead--;
  return mote_talk_await(t, talk);
}

/* A server that waits for a mail, or leaves, gets no other command. */
static CURLcode smtp_take_refused(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  (void)t;
  return r->code == 354 || r->code == 421 ? ((struct mote_smtp *)talk)->refused : CURLE_OK;
}

/* ---- a mail ---- */

static CURLcode smtp_take_begin(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_smtp *s = (struct mote_smtp *)talk;
  if(r->says != MOTE_MAIL_OK)
    return smtp_refused(t, s, CURLE_SEND_ERROR, r);
  s->begun = talk->stage == MOTE_SMTP_MAIL;
  return CURLE_OK;
}

static CURLcode smtp_take_rcpt(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_smtp *s = (struct mote_smtp *)talk;
  bool ok = r->says == MOTE_MAIL_OK;
  s->accepted = s->accepted || ok;
  if(!ok && !mote_opt_long(&t->options, CURLOPT_MAIL_RCPT_ALLOWFAILS))
    return smtp_refused(t, s, CURLE_SEND_ERROR, r);
  s->rcpt = s->rcpt->next;
  if(s->rcpt)
    return mote_talk_go(talk, MOTE_SMTP_RCPT);
  return s->accepted ? CURLE_OK : smtp_refused(t, s, CURLE_SEND_ERROR, r);
}

static CURLcode smtp_take_data(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_smtp *s = (struct mote_smtp *)talk;
  CURLcode rc = CURLE_OK;
  if(r->says != MOTE_MAIL_OK)
    return smtp_refused(t, s, CURLE_SEND_ERROR, r);
  if(s->mail.can & MOTE_SMTP_CAN_PIPELINING)
    rc = mote_talk_take_alone(t);
  return rc || mote_source_push(t, &mote_mail_dots) ? rc : CURLE_OUT_OF_MEMORY;
}

static CURLcode smtp_take_sent(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  ((struct mote_smtp *)talk)->begun = false;
  return mote_mail_take_last(t, talk, r, r->says == MOTE_MAIL_OK, CURLE_WEIRD_SERVER_REPLY);
}

/* ---- a command ---- */

static const char *smtp_command_of(const struct mote_transfer *t, const struct mote_smtp *s)
{
  const char *custom = mote_mail_custom(t);
  return custom ? custom : s->rcpt ? "VRFY" : "HELP";
}

/* The name of a user or a list may stand for an address (RFC 5321 section 3.5.1), so that only VRFY's is
 * converted. The members of a list that EXPN names may need UTF-8 even if its name does not. */
static CURLcode smtp_send_command(struct mote_transfer *t, struct mote_talk *talk)
{
  const struct mote_smtp *s = (const struct mote_smtp *)talk;
  const char *command = smtp_command_of(t, s), *to = s->rcpt ? s->rcpt->data : NULL;
  bool vrfy = !strcmp(command, "VRFY"), utf8 = vrfy ? needs_utf8(to) : !strcmp(command, "EXPN");
  CURLcode rc = check_address(t, !breaks_line(to));
  struct mote_out out;
  if(rc)
    return rc;
  mote_talk_begin(t, talk, &out);
  mote_talk_word(&out, mote_slice_of(command), true);
  if(to)
    mote_talk_text(&out, " ");
  if(to && vrfy)
    (void)put_address(&out, to);
  else if(to)
    mote_talk_text(&out, to);
  if(to && utf8 && s->mail.can & MOTE_SMTP_CAN_UTF8)
    mote_talk_text(&out, " SMTPUTF8");
  return mote_talk_send(t, talk, &out);
}

/* 553 says that the name is ambiguous (RFC 5321 section 3.5.1), which is an answer to VRFY. Another failure
 * is none. */
static CURLcode smtp_take_response(struct mote_transfer *t, struct mote_talk *talk,
                                   const struct mote_reply *r)
{
  struct mote_smtp *s = (struct mote_smtp *)talk;
  CURLcode rc;
  if(r->last && r->says != MOTE_MAIL_OK && !(r->code == 553 && s->rcpt))
    return smtp_refused(t, s, CURLE_WEIRD_SERVER_REPLY, r);
  rc = mote_mail_deliver(t, r->line);
  if(rc || !r->last)
    return rc ? rc : CURLE_AGAIN;
  talk->at_rest = true;
  s->rcpt = s->rcpt ? s->rcpt->next : NULL;
  return s->rcpt ? mote_talk_go(talk, MOTE_SMTP_COMMAND) : CURLE_OK;
}

/* ---- the greeting ---- */

/* The client introduces itself by the URL's path, or by the name of its machine (CURLOPT_URL(3)). */
static CURLcode smtp_send_hello(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_slice host = mote_mail_path(t);
  bool coded = host.len > 0;
  char own[HOST_MOST];
  if(!coded)
    host = mote_slice_of(mote_port_hostname(own, sizeof own) ? own : "localhost");
  return mote_talk_say_word(t, talk, talk->stage == MOTE_MAIL_HELLO ? "EHLO" : "HELO", host, coded);
}

/* A server without AUTH gets mail without a login, as by libcurl. */
static CURLcode smtp_take_hello(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_mail *m = (struct mote_mail *)talk;
  struct mote_slice word = {r->text.ptr, 0};
  bool ehlo = talk->stage == MOTE_MAIL_HELLO;
  while(word.len < r->text.len && r->text.ptr[word.len] != ' ')
    word.len++;
  if(ehlo && mote_mail_learn(m, word) == MOTE_SMTP_CAN_AUTH)
    mote_sasl_exchange_offer(&m->offered, (struct mote_slice){word.ptr + word.len, r->text.len - word.len});
  if(!r->last)
    return CURLE_AGAIN;
  if(r->says == MOTE_MAIL_OK) {
    m->no_login = !(m->can & MOTE_SMTP_CAN_AUTH);
    return mote_mail_take_hello(t, m);
  }
  mote_mail_forget(m);
  if(!ehlo || (mote_starttls_is_wanted(t) && mote_opt_long(&t->options, CURLOPT_USE_SSL) > CURLUSESSL_TRY))
    return mote_talk_refused(t, talk, CURLE_REMOTE_ACCESS_DENIED, r);
  return mote_talk_go(talk, MOTE_SMTP_HELO);
}

/* ---- the row ---- */

static const struct mote_stage stages[] = {
  MOTE_MAIL_AT(MOTE_MAIL_HELLO) = {"EHLO", smtp_send_hello, smtp_take_hello, MOTE_MAIL_CHOOSE, true},
  MOTE_MAIL_AT(MOTE_MAIL_STARTTLS) = {"STARTTLS", NULL, mote_mail_take_tls, MOTE_MAIL_TLS, false},
  MOTE_MAIL_AT(MOTE_SMTP_HELO) = {"HELO", smtp_send_hello, smtp_take_hello, MOTE_MAIL_CHOOSE, false},
  MOTE_MAIL_AT(MOTE_SMTP_COMMAND) = {"command", smtp_send_command, smtp_take_response, MOTE_MAIL_OVER, true},
  MOTE_MAIL_AT(MOTE_SMTP_RSET) = {"RSET", smtp_send_envelope, smtp_take_begin, MOTE_SMTP_MAIL, false},
  MOTE_MAIL_AT(MOTE_SMTP_MAIL) = {"MAIL", smtp_send_envelope, smtp_take_begin, MOTE_SMTP_RCPT, false},
  MOTE_MAIL_AT(MOTE_SMTP_RCPT) = {"RCPT", smtp_send_envelope, smtp_take_rcpt, MOTE_SMTP_DATA, false},
  MOTE_MAIL_AT(MOTE_SMTP_DATA) = {"DATA", smtp_send_envelope, smtp_take_data, MOTE_SMTP_BODY, false},
  MOTE_MAIL_AT(MOTE_SMTP_BODY) = {"mail", mote_mail_send, NULL, MOTE_SMTP_SENT, false},
  MOTE_MAIL_AT(MOTE_SMTP_SENT) = {"end of the mail", mote_talk_await, smtp_take_sent, MOTE_MAIL_OVER, false},
  MOTE_MAIL_AT(MOTE_SMTP_REFUSED) = {"replies to what was sent ahead", smtp_await_refused, smtp_take_refused,
                                     MOTE_SMTP_REFUSED, false},
};

/* The code that means yes, 0: any that begins with a 2. */
static unsigned smtp_yes(unsigned stage)
{
  switch(stage) {
  case MOTE_MAIL_STARTTLS:
    return 220;
  case MOTE_MAIL_AUTH:
    return 235;
  case MOTE_SMTP_DATA:
    return 354;
  case MOTE_SMTP_SENT:
    return 250;
  default:
    return 0;
  }
}

static CURLcode smtp_read(struct mote_transfer *t, struct mote_talk *talk, struct mote_reply *r)
{
  struct mote_mail *m = (struct mote_mail *)talk;
  unsigned code = mote_reply_take(&m->open, r->line), yes = smtp_yes(talk->stage);
  if(code && talk->stage != MOTE_SMTP_REFUSED)
    t->run->response.code = (uint16_t)code;
  r->text = mote_reply_text(r->line);
  r->code = (uint16_t)code;
  r->last = code != 0;
  r->says = (yes ? code == yes : code / 100 == 2)          ? MOTE_MAIL_OK
            : code == 334 && talk->stage == MOTE_MAIL_AUTH ? MOTE_MAIL_GO_ON
                                                           : MOTE_MAIL_NO;
  return code || m->open ? CURLE_OK : CURLE_AGAIN; /* a line that is of no reply */
}

/* Something to send and a recipient make a mail. A server that refused one still has what it took of it. */
static CURLcode smtp_begin(struct mote_transfer *t)
{
  struct mote_smtp *s = mote_mail_state(t);
  unsigned first = s->begun ? MOTE_SMTP_RSET : MOTE_SMTP_MAIL;
  s->rcpt = mote_opt_ptr(&t->options, CURLOPT_MAIL_RCPT);
  s->single = s->rcpt && !s->rcpt->next;
  s->ahead = s->refused = 0;
  s->accepted = false;
  return mote_talk_go(&s->mail.talk, s->rcpt && t->run->body ? first : MOTE_SMTP_COMMAND);
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
  .driver = {.name = "smtp", .goodbye = mote_talk_quit, .discard = mote_mail_discard},
  .talk = {MOTE_MAIL_SHARED, .stages = stages, .read = smtp_read, .line_most = LINE_MOST},
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
