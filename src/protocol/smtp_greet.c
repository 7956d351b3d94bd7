/* protocol/smtp_greet.c: banner, EHLO or HELO, perhaps STARTTLS and EHLO again, then the login
 * (protocol/smtp.h). */
#include "codec/reply.h"
#include "connect/dial.h"
#include "port/env.h"
#include "protocol/mail.h"
#include "protocol/mail_login.h"
#include "protocol/smtp.h"

#define HOST_MOST 256 /* bytes of this machine's name, the NUL included (RFC 1035 section 2.3.4) */

#define INITIAL_MOST 504 /* bytes; a line has 512 (RFC 4954 section 4), and "AUTH " and its end */

static const struct mote_mail_service service = {
  .name = "smtp", .command = "AUTH ", .initial_most = INITIAL_MOST,
};

CURLcode mote_smtp_prepare(struct mote_transfer *t)
{
  CURLcode rc = mote_mail_check_options(t, &service);
  return rc ? rc : mote_mail_prepare(t);
}

void mote_smtp_discard(struct mote_conn *c)
{
  mote_mail_sasl_discard(c, ((struct mote_smtp *)mote_conn_state(c))->sasl);
}

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
  char own[HOST_MOST], *room, *at;
  CURLcode rc;
  if(!coded)
    host = mote_slice_of(mote_port_hostname(own, sizeof own) ? own : "localhost");
  room = mote_pp_room(t, 5 + host.len, &rc);
  if(!room)
    return rc;
  at = mote_mail_text(room, s->pp.stage == MOTE_SMTP_EHLO ? "EHLO " : "HELO ");
  at = mote_mail_put(at, host, coded);
  return mote_pp_send_room(t, &s->pp, (size_t)(at - room));
}

static void take_extension(struct mote_smtp *s, struct mote_slice text)
{
  struct mote_slice word = {text.ptr, 0};
  while(word.len < text.len && text.ptr[word.len] != ' ')
    word.len++;
  if(mote_slice_is(word, "SIZE"))
    s->has_size = true;
  else if(mote_slice_is(word, "SMTPUTF8"))
    s->has_utf8 = true;
  else if(mote_slice_is(word, "STARTTLS"))
    s->has_tls = true;
  else if(mote_slice_is(word, "PIPELINING"))
    s->has_pipelining = true;
  else if(mote_slice_is(word, "AUTH")) {
    s->has_auth = true;
    mote_mail_offer(&s->offered, (struct mote_slice){text.ptr + word.len, text.len - word.len});
  }
}

/* What was said before counts no longer, with the protection of TLS in particular. */
static void forget_extensions(struct mote_smtp *s)
{
  s->offered = 0;
  s->has_size = s->has_utf8 = s->has_tls = s->has_auth = s->has_pipelining = false;
}

static CURLcode take_hello(struct mote_transfer *t, struct mote_smtp *s, unsigned code)
{
  bool ehlo = s->pp.stage == MOTE_SMTP_EHLO;
  CURLcode rc = CURLE_OK;
  if(code / 100 != 2) {
    forget_extensions(s);
    if(!ehlo || (mote_mail_wants_tls(t) && mote_opt_long(&t->options, CURLOPT_USE_SSL) > CURLUSESSL_TRY))
      return mote_smtp_refused(t, CURLE_REMOTE_ACCESS_DENIED, "the client's greeting", code);
    return mote_pp_go(&s->pp, MOTE_SMTP_HELO);
  }
  if(mote_mail_wants_tls(t)) {
    if(s->has_tls)
      return mote_pp_go(&s->pp, MOTE_SMTP_STARTTLS);
    rc = mote_mail_without_tls(t);
  }
  return rc ? rc : mote_pp_go(&s->pp, MOTE_SMTP_LOGIN);
}

static CURLcode take_starttls(struct mote_transfer *t, struct mote_smtp *s, unsigned code)
{
  CURLcode rc = mote_mail_take_tls(t, code == 220);
  return rc ? rc : mote_pp_go(&s->pp, code == 220 ? MOTE_SMTP_TLS : MOTE_SMTP_LOGIN);
}

static CURLcode begin_tls(struct mote_transfer *t, struct mote_smtp *s)
{
  CURLcode rc = mote_dial_upgrade(t);
  if(rc)
    return rc;
  forget_extensions(s);
  return mote_pp_go(&s->pp, MOTE_SMTP_EHLO);
}

/* A server without AUTH gets mail without a login, as by libcurl. */
static CURLcode login(struct mote_transfer *t, struct mote_smtp *s)
{
  CURLcode rc;
  if(!s->has_auth || !mote_mail_find_ways(t, &service).wanted)
    return mote_pp_go(&s->pp, MOTE_SMTP_READY);
  rc = mote_mail_sasl_begin(t, &s->sasl, &service, s->offered, false);
  if(rc || s->sasl)
    return rc ? rc : mote_pp_go(&s->pp, MOTE_SMTP_AUTH);
  mote_fail(&t->report, "The server offers no way to log in that may be used");
  return CURLE_LOGIN_DENIED;
}

static CURLcode take_auth(struct mote_transfer *t, struct mote_smtp *s, unsigned code, struct mote_slice line)
{
  enum mote_sasl_reply reply = code == 235   ? MOTE_SASL_ACCEPTED
                               : code == 334 ? MOTE_SASL_CHALLENGE
                                             : MOTE_SASL_REJECTED;
  CURLcode rc = mote_mail_sasl_take(t, &s->sasl, reply, mote_reply_text(line));
  if(rc && rc != CURLE_AGAIN)
    return rc;
  s->logged_in = !rc;
  return mote_pp_go(&s->pp, rc ? MOTE_SMTP_AUTH : MOTE_SMTP_READY);
}

CURLcode mote_smtp_greet_ask(struct mote_transfer *t, struct mote_smtp *s)
{
  switch(s->pp.stage) {
  case MOTE_SMTP_START:
    return mote_pp_expect(&s->pp, MOTE_SMTP_BANNER);
  case MOTE_SMTP_STARTTLS:
    return mote_pp_send(t, &s->pp, "STARTTLS");
  case MOTE_SMTP_TLS:
    return begin_tls(t, s);
  case MOTE_SMTP_LOGIN:
    return login(t, s);
  case MOTE_SMTP_AUTH:
    return mote_mail_sasl_send(t, &s->pp, s->sasl, "");
  default:
    return send_hello(t, s);
  }
}

CURLcode mote_smtp_greet_line(struct mote_transfer *t, struct mote_smtp *s, unsigned code,
                              struct mote_slice line)
{
  if(s->pp.stage == MOTE_SMTP_EHLO)
    take_extension(s, mote_reply_text(line));
  if(!code)
    return CURLE_AGAIN;
  switch(s->pp.stage) {
  case MOTE_SMTP_BANNER:
    return code / 100 == 2 ? mote_pp_go(&s->pp, MOTE_SMTP_EHLO)
                           : mote_smtp_refused(t, CURLE_WEIRD_SERVER_REPLY, "the connection", code);
  case MOTE_SMTP_STARTTLS:
    return take_starttls(t, s, code);
  case MOTE_SMTP_AUTH:
    return take_auth(t, s, code, line);
  default:
    return take_hello(t, s, code);
  }
}
