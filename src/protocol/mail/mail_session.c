/* protocol/mail/mail_session.c: the greeting of a mail server, and both ends of a request to it
 * (protocol/mail/mail_session.h). */
#include "protocol/mail/mail_session.h"

#include <stdarg.h>
#include <string.h>

#include "base/list.h"
#include "connect/dial/dial.h"
#include "http/auth/netrc.h"
#include "protocol/body.h"
#include "protocol/mail/mail.h"
#include "transfer/upload/source.h"

static const struct mote_mail_row *mail_session_row_of(const struct mote_transfer *t)
{
  const struct mote_driver *driver = t->run->request.scheme->protocol->driver;
  return mote_container_of(driver, const struct mote_mail_row, driver);
}

/* ---- struct mote_protocol and struct mote_driver ---- */

CURLcode mote_mail_prepare(struct mote_transfer *t)
{
  CURLcode rc = mote_sasl_exchange_check(t, &mail_session_row_of(t)->service);
  if(!rc && MOTE_HAS_NETRC && mote_option_maybe(&t->options, MOTE_OPT_ID(CURLOPT_NETRC)))
    rc = mote_netrc_find_printable(t);
  if(!rc)
    rc = mote_mail_check_words(t);
  t->run->request.size_up = -1;
  if(rc)
    return rc;
  if(t->run->request.method == MOTE_METHOD_MIME)
    return mote_mail_open_parts(t);
  return t->run->request.method == MOTE_METHOD_PUT ? mote_source_open(t) : CURLE_OK;
}

CURLcode mote_mail_greet(struct mote_transfer *t, mote_time now)
{
  struct mote_mail *m = mote_mail_state(t);
  CURLcode rc = mote_pp_step(t, &m->pp, &mail_session_row_of(t)->commands, now, MOTE_MAIL_READY);
  if(!rc)
    m->pp.at_rest = true;
  return rc;
}

CURLcode mote_mail_step(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_pp_step(t, mote_mail_state(t), &mail_session_row_of(t)->commands, now, MOTE_MAIL_OVER);
  return rc ? rc : mote_pp_finish(t);
}

void mote_mail_end(struct mote_transfer *t, CURLcode rc)
{
  (void)rc;
  mote_pp_end(t);
}

void mote_mail_discard(struct mote_conn *c)
{
  mote_sasl_exchange_discard(c, ((struct mote_mail *)mote_conn_state(c))->sasl);
}

/* ---- commands ---- */

/* What is decoded is put where the string does not overtake it. */
static char *mail_session_put_string(const struct mote_mail_row *row, char *at, struct mote_slice word,
                                     bool coded,
                                     bool quoted)
{
  char *plain = at + word.len + 2;
  struct mote_slice text = {plain, (size_t)(mote_mail_put(plain, word, coded) - plain)};
  return at + row->string(at, text, quoted);
}

/* Returns the bytes written, or, without room, those that it writes at most. */
static size_t mail_session_print(const struct mote_mail_row *row, char *room, const char *format,
                                 va_list args)
{
  char number[24], *at = room;
  size_t most = 0;
  for(; *format; format++) {
    struct mote_slice s = {format, 1};
    char kind = *format == '%' ? *++format : 0;
    bool coded = false, string = kind == 'q' || kind == 'Q';
    if(kind == 'd')
      s = (struct mote_slice){number, mote_print_dec(number, (uint64_t)va_arg(args, curl_off_t))};
    else if(kind == 's')
      s = mote_slice_of(va_arg(args, const char *));
    else if(kind) {
      s = *va_arg(args, const struct mote_slice *);
      coded = va_arg(args, int) != 0;
    }
    most += string ? 2 * s.len + 2 : s.len;
    if(room)
      at = string ? mail_session_put_string(row, at, s, coded, kind == 'Q') : mote_mail_put(at, s, coded);
  }
  return room ? (size_t)(at - room) : most;
}

CURLcode mote_mail_command(struct mote_transfer *t, const char *format, ...)
{
  const struct mote_mail_row *row = mail_session_row_of(t);
  va_list args;
  CURLcode rc;
  char *room, *at;
  size_t len;
  va_start(args, format);
  len = mail_session_print(row, NULL, format, args);
  va_end(args);
  room = mote_pp_room(t, MOTE_MAIL_TAG + len, &rc);
  if(!room)
    return rc;
  at = row->tag ? row->tag(t, room) : room;
  va_start(args, format);
  len = mail_session_print(row, at, format, args);
  va_end(args);
  return mote_pp_send_room(t, mote_mail_state(t), (size_t)(at - room) + len);
}

/* ---- what the server can do ---- */

unsigned mote_mail_learn(const struct mote_transfer *t, struct mote_mail *m, struct mote_slice word)
{
  unsigned bit = 1u << mote_slice_among(word, mail_session_row_of(t)->words) >> 1;
  m->can |= (uint8_t)bit;
  return bit;
}

void mote_mail_forget(struct mote_mail *m)
{
  m->offered = 0;
  m->can = 0;
}

/* ---- TLS ---- */

bool mote_mail_wants_tls(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_USE_SSL) != CURLUSESSL_NONE &&
         !mote_conn_has_tls(t->run->channel.conn);
}

/* What follows when the server has no TLS or refuses it. */
static CURLcode go_without_tls(struct mote_transfer *t)
{
  if(mote_opt_long(&t->options, CURLOPT_USE_SSL) <= CURLUSESSL_TRY)
    return MOTE_PP_TO(MOTE_MAIL_CHOOSE);
  mote_fail(&t->report, "The server does not begin TLS, which CURLOPT_USE_SSL requires");
  return CURLE_USE_SSL_FAILED;
}

CURLcode mote_mail_take_hello(struct mote_transfer *t, struct mote_mail *m)
{
  if(!mote_mail_wants_tls(t))
    return MOTE_PP_TO(MOTE_MAIL_CHOOSE);
  return m->can & MOTE_MAIL_CAN_TLS ? MOTE_PP_TO(MOTE_MAIL_STARTTLS) : go_without_tls(t);
}

CURLcode mote_mail_take_tls(struct mote_transfer *t, bool granted)
{
  CURLcode rc = mote_pp_take_alone(t);
  if(rc)
    return rc;
  return granted ? MOTE_PP_TO(MOTE_MAIL_TLS) : go_without_tls(t);
}

/* What the server has said without the protection of TLS counts no longer. */
static CURLcode begin_tls(struct mote_transfer *t, struct mote_mail *m)
{
  CURLcode rc = mote_dial_upgrade(t);
  if(rc)
    return rc;
  mote_mail_forget(m);
  return MOTE_PP_TO(MOTE_MAIL_HELLO);
}

/* ---- the login ---- */

/* SASL comes first. */
static CURLcode choose_login(struct mote_transfer *t, struct mote_mail *m)
{
  const struct mote_mail_row *row = mail_session_row_of(t);
  struct mote_sasl_ways ways = mote_sasl_exchange_ways(t, &row->service);
  unsigned own;
  if(m->no_login || !ways.wanted)
    return MOTE_PP_TO(MOTE_MAIL_READY);
  if(m->offered) {
    bool initial = m->can & row->initial;
    CURLcode rc = mote_sasl_exchange_begin(t, &m->sasl, &row->service, m->offered, initial);
    if(rc || m->sasl)
      return rc ? rc : MOTE_PP_TO(MOTE_MAIL_AUTH);
  }
  own = row->own_way ? row->own_way(m, ways) : MOTE_MAIL_CHOOSE;
  if(own != MOTE_MAIL_CHOOSE)
    return MOTE_PP_TO(own);
  mote_fail(&t->report, "The server offers no way to log in that may be used");
  return CURLE_LOGIN_DENIED;
}

CURLcode mote_mail_take_auth(struct mote_transfer *t, struct mote_mail *m, enum mote_sasl_reply reply,
                             struct mote_slice text)
{
  CURLcode rc = mote_sasl_exchange_take(t, &m->sasl, reply, text);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  return MOTE_PP_TO(rc ? MOTE_MAIL_AUTH : MOTE_MAIL_READY);
}

/* A command, or an answer, which has no tag. */
static CURLcode send_auth(struct mote_transfer *t, struct mote_mail *m)
{
  struct mote_slice message = mote_sasl_exchange_message(m->sasl);
  if(mote_sasl_exchange_is_command(m->sasl))
    return mote_mail_command(t, "%s%w", mail_session_row_of(t)->service.command, &message, false);
  return mote_pp_say(t, &m->pp, message.len ? message.ptr : "");
}

CURLcode mote_mail_greet_ask(struct mote_transfer *t, struct mote_mail *m)
{
  switch(m->pp.stage) {
  case MOTE_MAIL_START:
    return mote_pp_expect(&m->pp, MOTE_MAIL_BANNER);
  case MOTE_MAIL_TLS:
    return begin_tls(t, m);
  case MOTE_MAIL_CHOOSE:
    return choose_login(t, m);
  default:
    return send_auth(t, m);
  }
}

/* ---- a request ---- */

CURLcode mote_mail_refused(struct mote_transfer *t, CURLcode rc, struct mote_slice text)
{
  mote_fail(&t->report, "The server has refused: %.*s", (int)text.len, text.ptr);
  return rc;
}

CURLcode mote_mail_take_last(struct mote_transfer *t, struct mote_mail *m, bool ok, CURLcode rc,
                             struct mote_slice text)
{
  m->pp.at_rest = true;
  return ok ? MOTE_PP_TO(MOTE_MAIL_OVER) : mote_mail_refused(t, rc, text);
}

CURLcode mote_mail_deliver(struct mote_transfer *t, struct mote_slice line)
{
  char *bytes = (char *)(uintptr_t)line.ptr;
  size_t len = line.len + strcspn(bytes + line.len, "\n") + 1;
  CURLcode rc = CURLE_OK;
  if(t->run->request.method != MOTE_METHOD_HEAD)
    rc = mote_body_deliver(t, bytes, len);
  return rc == CURLE_AGAIN ? CURLE_OK : rc; /* what is paused is kept */
}

CURLcode mote_mail_send(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_body_send(t, t->run->channel.conn, now);
  if(!rc)
    mote_mark_set(&t->run->stats, MOTE_MARK_POSTTRANSFER, now);
  return rc;
}
