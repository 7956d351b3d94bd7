/* protocol/mail/imap_greet.c: banner, CAPABILITY, perhaps STARTTLS and CAPABILITY again, then the login;
 * and how commands are written (protocol/mail/imap.h). */
#include <string.h>

#include "protocol/mail/imap.h"
#include "protocol/mail/mail.h"

/* ---- commands ---- */

bool mote_imap_url(const struct mote_transfer *t, struct mote_imap_url *u)
{
  return mote_imap_read_url(u, mote_mail_path(t));
}

/* Tags of two connections differ, so that a log of both can be read. */
void mote_imap_tag(const struct mote_imap *i, int32_t connection, char out[MOTE_IMAP_TAG])
{
  unsigned number = i->command % 1000u;
  out[0] = (char)('A' + (int)((uint32_t)connection % 26));
  out[1] = (char)('0' + number / 100);
  out[2] = (char)('0' + number / 10 % 10);
  out[3] = (char)('0' + number % 10);
  out[4] = 0;
}

char *mote_imap_put_tag(struct mote_transfer *t, char *at)
{
  struct mote_imap *i = mote_mail_state(t);
  i->command++;
  mote_imap_tag(i, t->run->channel.conn->id, at);
  at += strlen(at);
  *at++ = ' ';
  return at;
}

/* ---- the greeting ---- */

static CURLcode imap_greet_take_banner(struct mote_transfer *t, struct mote_imap *i,
                                       const struct mote_imap_line *l)
{
  if(l->kind != MOTE_IMAP_UNTAGGED || l->status == MOTE_IMAP_NONE)
    return CURLE_AGAIN;
  i->mail.no_login = l->status == MOTE_IMAP_PREAUTH;
  if(!i->mail.no_login && l->status != MOTE_IMAP_OK)
    return mote_mail_refused(t, CURLE_WEIRD_SERVER_REPLY, l->rest);
  return MOTE_PP_TO(MOTE_MAIL_HELLO);
}

static void take_capabilities(const struct mote_transfer *t, struct mote_imap *i, struct mote_slice rest)
{
  struct mote_slice word;
  while(mote_imap_next_word(&rest, &word)) {
    (void)mote_mail_learn(t, &i->mail, word);
    if(word.len > 5 && mote_equal_nocase_n(word.ptr, "AUTH=", 5))
      mote_sasl_exchange_offer(&i->mail.offered, (struct mote_slice){word.ptr + 5, word.len - 5});
  }
}

/* A login that the server has made by itself leaves no way to TLS (RFC 9051 section 11.1). */
static CURLcode after_capability(struct mote_transfer *t, struct mote_imap *i)
{
  if(i->mail.no_login)
    i->mail.can &= (uint8_t)~MOTE_MAIL_CAN_TLS;
  return mote_mail_take_hello(t, &i->mail);
}

unsigned mote_imap_own_way(const struct mote_mail *m, struct mote_sasl_ways ways)
{
  if(ways.own && !(m->can & MOTE_IMAP_NO_LOGIN))
    return MOTE_IMAP_LOGIN;
  return MOTE_MAIL_CHOOSE;
}

static CURLcode imap_greet_take_auth(struct mote_transfer *t, struct mote_imap *i,
                                     const struct mote_imap_line *l)
{
  enum mote_sasl_reply reply = l->kind == MOTE_IMAP_GO_ON    ? MOTE_SASL_CHALLENGE
                               : l->status == MOTE_IMAP_OK ? MOTE_SASL_ACCEPTED
                                                           : MOTE_SASL_REJECTED;
  bool mine = l->kind == MOTE_IMAP_GO_ON || l->kind == MOTE_IMAP_TAGGED;
  return mine ? mote_mail_take_auth(t, &i->mail, reply, l->rest) : CURLE_AGAIN;
}

static CURLcode imap_greet_send_login(struct mote_transfer *t)
{
  struct mote_auth_login l;
  (void)mote_sasl_exchange_login(t, &l);
  return mote_mail_command(t, "LOGIN %q %q", &l.user, l.user_coded, &l.password, l.password_coded);
}

CURLcode mote_imap_greet_ask(struct mote_transfer *t, struct mote_imap *i)
{
  switch(i->mail.pp.stage) {
  case MOTE_MAIL_HELLO:
    return mote_mail_command(t, "CAPABILITY");
  case MOTE_MAIL_STARTTLS:
    return mote_mail_command(t, "STARTTLS");
  case MOTE_IMAP_LOGIN:
    return imap_greet_send_login(t);
  default:
    return mote_mail_greet_ask(t, &i->mail);
  }
}

CURLcode mote_imap_greet_line(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l)
{
  bool ok = l->status == MOTE_IMAP_OK;
  if(i->mail.pp.stage == MOTE_MAIL_BANNER)
    return imap_greet_take_banner(t, i, l);
  if(i->mail.pp.stage == MOTE_MAIL_AUTH)
    return imap_greet_take_auth(t, i, l);
  if(l->kind == MOTE_IMAP_UNTAGGED && mote_slice_is(l->word, "CAPABILITY"))
    take_capabilities(t, i, l->rest);
  if(l->kind != MOTE_IMAP_TAGGED)
    return CURLE_AGAIN;
  switch(i->mail.pp.stage) {
  case MOTE_MAIL_HELLO:
    return after_capability(t, i);
  case MOTE_MAIL_STARTTLS:
    return mote_mail_take_tls(t, ok);
  default:
    return ok ? MOTE_PP_TO(MOTE_MAIL_READY) : mote_mail_refused(t, CURLE_LOGIN_DENIED, l->rest);
  }
}
