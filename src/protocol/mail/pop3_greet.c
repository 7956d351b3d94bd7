/* protocol/mail/pop3_greet.c: banner, CAPA, perhaps STLS and CAPA again, then the login
 * (protocol/mail/pop3.h).
 *
 * What a server without CAPA can do is unknown, so that the client logs in by USER. APOP's digest needs the
 * banner, which is not kept, so that it is made when the banner comes. */
#include <string.h>

#include "base/digest/digest.h"
#include "codec/url/percent.h"
#include "http/auth/auth.h"
#include "protocol/mail/mail.h"
#include "protocol/mail/pop3.h"

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

static CURLcode pop3_greet_take_banner(struct mote_transfer *t, struct mote_pop3 *p, bool ok,
                                       struct mote_slice text)
{
  if(!ok)
    return mote_mail_refused(t, CURLE_WEIRD_SERVER_REPLY, text);
  take_timestamp(t, p, text);
  return MOTE_PP_TO(MOTE_MAIL_HELLO);
}

/* The list ends with a dot. */
CURLcode mote_pop3_greet_line(struct mote_transfer *t, struct mote_pop3 *p, struct mote_slice line)
{
  if(line.len == 1 && *line.ptr == '.') {
    p->mail.pp.open = 0;
    return mote_mail_take_hello(t, &p->mail);
  }
  (void)mote_mail_learn(t, &p->mail, line);
  if(line.len > 5 && mote_equal_nocase_n(line.ptr, "SASL ", 5))
    mote_sasl_exchange_offer(&p->mail.offered, (struct mote_slice){line.ptr + 5, line.len - 5});
  return CURLE_AGAIN;
}

static CURLcode take_capa(struct mote_transfer *t, struct mote_pop3 *p, bool ok)
{
  if(ok) {
    p->mail.pp.open = 1;
    return CURLE_AGAIN;
  }
  p->mail.can |= MOTE_POP3_CAN_USER;
  return mote_mail_take_hello(t, &p->mail);
}

/* A password in the clear comes last. */
unsigned mote_pop3_own_way(const struct mote_mail *m, struct mote_sasl_ways ways)
{
  const struct mote_pop3 *p = (const struct mote_pop3 *)m;
  if(ways.own && p->has_apop)
    return MOTE_POP3_APOP;
  if(ways.own && !ways.named && m->can & MOTE_POP3_CAN_USER)
    return MOTE_POP3_USER;
  return MOTE_MAIL_CHOOSE;
}

static CURLcode pop3_greet_take_auth(struct mote_transfer *t, struct mote_pop3 *p, enum mote_reply_word word,
                                     struct mote_slice text)
{
  static const enum mote_sasl_reply replies[] = {
    [MOTE_REPLY_OK] = MOTE_SASL_ACCEPTED, [MOTE_REPLY_ERR] = MOTE_SASL_REJECTED,
    [MOTE_REPLY_GO_ON] = MOTE_SASL_CHALLENGE,
  };
  return mote_mail_take_auth(t, &p->mail, replies[word], text);
}

static CURLcode pop3_greet_send_login(struct mote_transfer *t, struct mote_pop3 *p)
{
  char room[2 * MOTE_MD5_SIZE];
  struct mote_auth_login login;
  struct mote_slice digest;
  (void)mote_sasl_exchange_login(t, &login);
  if(p->mail.pp.stage == MOTE_POP3_PASS)
    return mote_mail_command(t, "PASS %w", &login.password, login.password_coded);
  if(p->mail.pp.stage == MOTE_POP3_USER)
    return mote_mail_command(t, "USER %w", &login.user, login.user_coded);
  digest = mote_digest_hex(p->digest, MOTE_MD5_SIZE, room);
  return mote_mail_command(t, "APOP %w %w", &login.user, login.user_coded, &digest, false);
}

static CURLcode take_login(struct mote_transfer *t, struct mote_pop3 *p, bool ok, struct mote_slice text)
{
  if(!ok)
    return mote_mail_refused(t, CURLE_LOGIN_DENIED, text);
  return p->mail.pp.stage == MOTE_POP3_USER ? MOTE_PP_TO(MOTE_POP3_PASS) : MOTE_PP_TO(MOTE_MAIL_READY);
}

CURLcode mote_pop3_greet_ask(struct mote_transfer *t, struct mote_pop3 *p)
{
  switch(p->mail.pp.stage) {
  case MOTE_MAIL_HELLO:
    return mote_pp_say(t, &p->mail.pp, "CAPA");
  case MOTE_MAIL_STARTTLS:
    return mote_pp_say(t, &p->mail.pp, "STLS");
  case MOTE_POP3_APOP:
  case MOTE_POP3_USER:
  case MOTE_POP3_PASS:
    return pop3_greet_send_login(t, p);
  default:
    return mote_mail_greet_ask(t, &p->mail);
  }
}

CURLcode mote_pop3_greet_reply(struct mote_transfer *t, struct mote_pop3 *p, enum mote_reply_word word,
                               struct mote_slice text)
{
  bool ok = word == MOTE_REPLY_OK;
  if(p->mail.pp.stage == MOTE_MAIL_AUTH)
    return pop3_greet_take_auth(t, p, word, text);
  if(word == MOTE_REPLY_GO_ON)
    return CURLE_AGAIN;
  switch(p->mail.pp.stage) {
  case MOTE_MAIL_BANNER:
    return pop3_greet_take_banner(t, p, ok, text);
  case MOTE_MAIL_HELLO:
    return take_capa(t, p, ok);
  case MOTE_MAIL_STARTTLS:
    return mote_mail_take_tls(t, ok);
  default:
    return take_login(t, p, ok, text);
  }
}
