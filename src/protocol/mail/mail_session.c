/* protocol/mail/mail_session.c: the greeting of a mail server, and both ends of a request to it
 * (protocol/mail/mail_session.h). */
#include "protocol/mail/mail_session.h"

#include <string.h>

#include "base/out.h"
#include "http/auth/netrc.h"
#include "protocol/body.h"
#include "protocol/mail/mail.h"
#include "protocol/starttls.h"
#include "transfer/protocol.h"
#include "transfer/upload/mime.h"
#include "transfer/upload/source.h"

static const struct mote_mail_row *mail_session_row_of(const struct mote_transfer *t)
{
  const struct mote_driver *driver = t->run->request.scheme->protocol->driver;
  return mote_container_of(driver, const struct mote_mail_row, driver);
}

/* The same during the conversation. */
static const struct mote_mail_row *mail_session_row(const struct mote_mail *m)
{
  return mote_container_of(m->talk.row, const struct mote_mail_row, talk);
}

/* ---- struct mote_protocol and struct mote_driver ---- */

CURLcode mote_mail_prepare(struct mote_transfer *t)
{
  CURLcode rc = mote_sasl_exchange_check(t, &mail_session_row_of(t)->service);
  if(!rc && MOTE_HAS_NETRC && mote_option_maybe(&t->options, MOTE_OPT_ID(CURLOPT_NETRC)))
    rc = mote_netrc_find_printable(t);
  if(!rc)
    rc = mote_mail_check_words(t);
  mote_request_announce(&t->run->request, -1);
  if(rc)
    return rc;
  if(t->run->request.method == MOTE_METHOD_MIME)
    return mote_mime_open(t, true);
  return t->run->request.method == MOTE_METHOD_PUT ? mote_source_open(t) : CURLE_OK;
}

CURLcode mote_mail_greet(struct mote_transfer *t, mote_time now)
{
  return mote_talk_greet(t, mote_mail_state(t), &mail_session_row_of(t)->talk, now, MOTE_MAIL_READY);
}

CURLcode mote_mail_step(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_talk_step(t, mote_mail_state(t), &mail_session_row_of(t)->talk, now, MOTE_MAIL_OVER);
  return rc ? rc : mote_talk_finish(t);
}

void mote_mail_end(struct mote_transfer *t, CURLcode rc)
{
  (void)rc;
  mote_talk_end_exchange(t);
}

void mote_mail_discard(struct mote_conn *c)
{
  mote_sasl_exchange_discard(c, ((struct mote_mail *)mote_conn_state(c))->sasl);
}

/* ---- what the server can do ---- */

unsigned mote_mail_learn(struct mote_mail *m, struct mote_slice word)
{
  unsigned bit = 1u << mote_slice_among(word, mail_session_row(m)->words) >> 1;
  m->can |= (uint8_t)bit;
  return bit;
}

void mote_mail_forget(struct mote_mail *m)
{
  m->offered = 0;
  m->can = 0;
}

static CURLcode mail_take_banner(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  return r->says == MOTE_MAIL_OK ? CURLE_OK : mote_talk_refused(t, talk, CURLE_WEIRD_SERVER_REPLY, r);
}

/* ---- TLS ---- */

CURLcode mote_mail_take_hello(struct mote_transfer *t, struct mote_mail *m)
{
  if(!mote_starttls_is_wanted(t))
    return mote_talk_go(&m->talk, MOTE_MAIL_CHOOSE);
  return m->can & MOTE_MAIL_CAN_TLS ? mote_talk_go(&m->talk, MOTE_MAIL_STARTTLS)
                                    : mote_starttls_do_without(t, &m->talk, MOTE_MAIL_CHOOSE);
}

CURLcode mote_mail_take_tls(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  CURLcode rc = mote_talk_take_alone(t);
  return rc || r->says == MOTE_MAIL_OK ? rc : mote_starttls_do_without(t, talk, MOTE_MAIL_CHOOSE);
}

/* What the server has said without the protection of TLS counts no longer. */
static CURLcode begin_tls(struct mote_transfer *t, struct mote_talk *talk)
{
  CURLcode rc = mote_starttls_begin(t, talk);
  if(!rc)
    mote_mail_forget((struct mote_mail *)talk);
  return rc;
}

/* ---- the login ---- */

/* SASL comes first. */
static CURLcode choose_login(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_mail *m = (struct mote_mail *)talk;
  const struct mote_mail_row *row = mail_session_row(m);
  struct mote_sasl_ways ways = mote_sasl_exchange_ways(t, &row->service);
  unsigned own;
  if(m->no_login || !ways.wanted)
    return mote_talk_go(talk, MOTE_MAIL_READY);
  if(m->offered) {
    bool initial = m->can & row->initial;
    CURLcode rc = mote_sasl_exchange_begin(t, &m->sasl, &row->service, m->offered, initial);
    if(rc || m->sasl)
      return rc;
  }
  own = row->own_way ? row->own_way(m, ways) : MOTE_MAIL_CHOOSE;
  return own != MOTE_MAIL_CHOOSE
           ? mote_talk_go(talk, own)
           : mote_talk_failed(t, CURLE_LOGIN_DENIED, "The server offers no way to log in that may be used");
}

/* A command, or an answer, which has no tag. */
static CURLcode send_auth(struct mote_transfer *t, struct mote_talk *talk)
{
  const struct mote_mail *m = (const struct mote_mail *)talk;
  struct mote_out out;
  if(mote_sasl_exchange_is_command(m->sasl)) {
    mote_talk_begin(t, talk, &out);
    mote_talk_text(&out, mail_session_row(m)->service.command);
  }
  else
    mote_talk_begin_plain(t, &out);
  mote_talk_word(&out, mote_sasl_exchange_message(m->sasl), false);
  return mote_talk_send(t, talk, &out);
}

static CURLcode mail_take_auth(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_mail *m = (struct mote_mail *)talk;
  CURLcode rc = mote_sasl_exchange_take(t, &m->sasl, (enum mote_sasl_reply)r->says, r->text);
  m->logged_in = !rc;
  return rc == CURLE_AGAIN ? mote_talk_go(talk, MOTE_MAIL_AUTH) : rc;
}

CURLcode mote_mail_take_login(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  return r->says == MOTE_MAIL_OK ? CURLE_OK : mote_talk_refused(t, talk, CURLE_LOGIN_DENIED, r);
}

const struct mote_stage mote_mail_stages[MOTE_MAIL_HELLO] = {
  [MOTE_MAIL_BANNER] = {"banner", mote_talk_await, mail_take_banner, MOTE_MAIL_HELLO, false},
  [MOTE_MAIL_TLS] = {"TLS", begin_tls, NULL, MOTE_MAIL_HELLO, false},
  [MOTE_MAIL_CHOOSE] = {"choice of a login", choose_login, NULL, MOTE_MAIL_AUTH, false},
  [MOTE_MAIL_AUTH] = {"SASL", send_auth, mail_take_auth, MOTE_MAIL_READY, false},
};

/* ---- a request ---- */

CURLcode mote_mail_take_last(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r,
                             bool ok, CURLcode rc)
{
  talk->at_rest = true;
  return ok ? mote_talk_go(talk, MOTE_MAIL_OVER) : mote_talk_refused(t, talk, rc, r);
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

CURLcode mote_mail_send(struct mote_transfer *t, struct mote_talk *talk)
{
  CURLcode rc = mote_body_send(t, t->run->channel.conn, talk->now);
  if(!rc)
    mote_mark_set(&t->run->stats, MOTE_MARK_POSTTRANSFER, talk->now);
  return rc;
}
