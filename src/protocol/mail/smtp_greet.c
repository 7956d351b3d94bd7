/* protocol/mail/smtp_greet.c: banner, EHLO or HELO, perhaps STARTTLS and EHLO again, then the login
 * (protocol/mail/smtp.h). */
#include "codec/ftp/reply.h"
#include "port/env.h"
#include "protocol/mail/mail.h"
#include "protocol/mail/smtp.h"

#define HOST_MOST 256 /* bytes of this machine's name, the NUL included (RFC 1035 section 2.3.4) */

CURLcode mote_smtp_refused(struct mote_transfer *t, CURLcode rc, const char *what, unsigned code)
{
  mote_fail(&t->report, "The server has refused %s with %u", what, code);
  return rc;
}

/* The client introduces itself by the URL's path, or by the name of its machine (CURLOPT_URL(3)). */
static CURLcode send_hello(struct mote_transfer *t, struct mote_smtp *s)
{
  struct mote_slice host = mote_mail_path(t);
  bool coded = host.len > 0;
  char own[HOST_MOST];
  if(!coded)
    host = mote_slice_of(mote_port_hostname(own, sizeof own) ? own : "localhost");
  return mote_pp_send(t, &s->mail.pp, s->mail.pp.stage == MOTE_MAIL_HELLO ? "EHLO" : "HELO", host, coded);
}

static void take_extension(const struct mote_transfer *t, struct mote_smtp *s, struct mote_slice text)
{
  struct mote_slice word = {text.ptr, 0};
  while(word.len < text.len && text.ptr[word.len] != ' ')
    word.len++;
  if(mote_mail_learn(t, &s->mail, word) == MOTE_SMTP_CAN_AUTH)
    mote_sasl_exchange_offer(&s->mail.offered, (struct mote_slice){text.ptr + word.len, text.len - word.len});
}

/* A server without AUTH gets mail without a login, as by libcurl. */
static CURLcode take_hello(struct mote_transfer *t, struct mote_smtp *s, unsigned code)
{
  bool ehlo = s->mail.pp.stage == MOTE_MAIL_HELLO;
  if(code / 100 != 2) {
    mote_mail_forget(&s->mail);
    if(!ehlo || (mote_mail_wants_tls(t) && mote_opt_long(&t->options, CURLOPT_USE_SSL) > CURLUSESSL_TRY))
      return mote_smtp_refused(t, CURLE_REMOTE_ACCESS_DENIED, "the client's greeting", code);
    return MOTE_PP_TO(MOTE_SMTP_HELO);
  }
  s->mail.no_login = !(s->mail.can & MOTE_SMTP_CAN_AUTH);
  return mote_mail_take_hello(t, &s->mail);
}

static CURLcode smtp_greet_take_auth(struct mote_transfer *t, struct mote_smtp *s, unsigned code,
                                     struct mote_slice line)
{
  enum mote_sasl_reply reply = code == 235   ? MOTE_SASL_ACCEPTED
                               : code == 334 ? MOTE_SASL_CHALLENGE
                                             : MOTE_SASL_REJECTED;
  CURLcode rc = mote_mail_take_auth(t, &s->mail, reply, mote_reply_text(line));
  s->logged_in = rc == MOTE_PP_TO(MOTE_MAIL_READY);
  return rc;
}

CURLcode mote_smtp_greet_ask(struct mote_transfer *t, struct mote_smtp *s)
{
  switch(s->mail.pp.stage) {
  case MOTE_MAIL_HELLO:
  case MOTE_SMTP_HELO:
    return send_hello(t, s);
  case MOTE_MAIL_STARTTLS:
    return mote_pp_say(t, &s->mail.pp, "STARTTLS");
  default:
    return mote_mail_greet_ask(t, &s->mail);
  }
}

CURLcode mote_smtp_greet_line(struct mote_transfer *t, struct mote_smtp *s, unsigned code,
                              struct mote_slice line)
{
  if(s->mail.pp.stage == MOTE_MAIL_HELLO)
    take_extension(t, s, mote_reply_text(line));
  if(!code)
    return CURLE_AGAIN;
  switch(s->mail.pp.stage) {
  case MOTE_MAIL_BANNER:
    return code / 100 == 2 ? MOTE_PP_TO(MOTE_MAIL_HELLO)
                           : mote_smtp_refused(t, CURLE_WEIRD_SERVER_REPLY, "the connection", code);
  case MOTE_MAIL_STARTTLS:
    return mote_mail_take_tls(t, code == 220);
  case MOTE_MAIL_AUTH:
    return smtp_greet_take_auth(t, s, code, line);
  default:
    return take_hello(t, s, code);
  }
}
