/* protocol/pop3_greet.c: banner, CAPA, perhaps STLS and CAPA again, then the login (protocol/pop3.h).
 *
 * What a server without CAPA can do is unknown, so that the client logs in by USER. APOP's digest needs the
 * banner, which is not kept, so that it is made when the banner comes. */
#include <string.h>

#include "base/digest.h"
#include "codec/percent.h"
#include "connect/dial.h"
#include "http/auth.h"
#include "protocol/mail.h"
#include "protocol/mail_login.h"
#include "protocol/pop3.h"

#define INITIAL_MOST 247 /* bytes; a line has 255 (RFC 5034 section 4), and "AUTH " and its end */

const struct mote_mail_service mote_pop3_service = {
  .name = "pop", .own = "+APOP", .command = "AUTH ", .initial_most = INITIAL_MOST,
};

CURLcode mote_pop3_refused(struct mote_transfer *t, CURLcode rc, struct mote_slice text)
{
  mote_fail(&t->report, "The server has refused: %.*s", (int)text.len, text.ptr);
  return rc;
}

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
  if(!to || !memchr(from, '@', (size_t)(to - from)) || !mote_mail_login(t, &login))
    return;
  mote_digest_init(&md5, &mote_md5_digest);
  mote_digest_add(&md5, from, (size_t)(to - from) + 1);
  add_password(&md5, &login);
  mote_digest_end(&md5, p->digest);
  p->has_apop = true;
}

static CURLcode take_banner(struct mote_transfer *t, struct mote_pop3 *p, bool ok, struct mote_slice text)
{
  if(!ok)
    return mote_pop3_refused(t, CURLE_WEIRD_SERVER_REPLY, text);
  take_timestamp(t, p, text);
  return mote_pp_go(&p->pp, MOTE_POP3_CAPA);
}

/* What comes after CAPA. */
static CURLcode go_on(struct mote_transfer *t, struct mote_pop3 *p)
{
  CURLcode rc = CURLE_OK;
  if(mote_mail_wants_tls(t)) {
    if(p->has_stls)
      return mote_pp_go(&p->pp, MOTE_POP3_STLS);
    rc = mote_mail_without_tls(t);
  }
  return rc ? rc : mote_pp_go(&p->pp, MOTE_POP3_LOGIN);
}

/* The list ends with a dot. */
CURLcode mote_pop3_greet_line(struct mote_transfer *t, struct mote_pop3 *p, struct mote_slice line)
{
  if(line.len == 1 && *line.ptr == '.') {
    p->pp.open = 0;
    return go_on(t, p);
  }
  if(mote_slice_is(line, "STLS"))
    p->has_stls = true;
  else if(mote_slice_is(line, "USER"))
    p->has_user = true;
  else if(line.len > 5 && mote_equal_nocase_n(line.ptr, "SASL ", 5))
    mote_mail_offer(&p->offered, (struct mote_slice){line.ptr + 5, line.len - 5});
  return CURLE_AGAIN;
}

static CURLcode take_capa(struct mote_transfer *t, struct mote_pop3 *p, bool ok)
{
  if(ok) {
    p->pp.open = 1;
    return CURLE_AGAIN;
  }
  p->has_user = true;
  return go_on(t, p);
}

static CURLcode take_stls(struct mote_transfer *t, struct mote_pop3 *p, bool ok)
{
  CURLcode rc = mote_mail_take_tls(t, ok);
  return rc ? rc : mote_pp_go(&p->pp, ok ? MOTE_POP3_TLS : MOTE_POP3_LOGIN);
}

/* What the server has said without the protection of TLS counts no longer. */
static CURLcode begin_tls(struct mote_transfer *t, struct mote_pop3 *p)
{
  CURLcode rc = mote_dial_upgrade(t);
  if(rc)
    return rc;
  p->has_stls = p->has_user = false;
  p->offered = 0;
  return mote_pp_go(&p->pp, MOTE_POP3_CAPA);
}

/* SASL comes first, and a password in the clear last. */
static CURLcode choose_login(struct mote_transfer *t, struct mote_pop3 *p)
{
  struct mote_mail_ways ways = mote_mail_find_ways(t, &mote_pop3_service);
  if(!ways.wanted)
    return mote_pp_go(&p->pp, MOTE_POP3_READY);
  if(p->offered) {
    CURLcode rc = mote_mail_sasl_begin(t, &p->sasl, &mote_pop3_service, p->offered, false);
    if(rc || p->sasl)
      return rc ? rc : mote_pp_go(&p->pp, MOTE_POP3_AUTH);
  }
  if(ways.own && p->has_apop)
    return mote_pp_go(&p->pp, MOTE_POP3_APOP);
  if(ways.own && !ways.named && p->has_user)
    return mote_pp_go(&p->pp, MOTE_POP3_USER);
  mote_fail(&t->report, "The server offers no way to log in that may be used");
  return CURLE_LOGIN_DENIED;
}

static CURLcode take_auth(struct mote_transfer *t, struct mote_pop3 *p, enum mote_reply_word word,
                          struct mote_slice text)
{
  static const enum mote_sasl_reply replies[] = {
    [MOTE_REPLY_OK] = MOTE_SASL_ACCEPTED, [MOTE_REPLY_ERR] = MOTE_SASL_REJECTED,
    [MOTE_REPLY_GO_ON] = MOTE_SASL_CHALLENGE,
  };
  CURLcode rc = mote_mail_sasl_take(t, &p->sasl, replies[word], text);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  return mote_pp_go(&p->pp, rc ? MOTE_POP3_AUTH : MOTE_POP3_READY);
}

static CURLcode send_login(struct mote_transfer *t, struct mote_pop3 *p)
{
  static const char hex[] = "0123456789abcdef";
  struct mote_auth_login login;
  char *room, *at;
  CURLcode rc;
  int i;
  (void)mote_mail_login(t, &login);
  room = mote_pp_room(t, sizeof "APOP  " + 2 * MOTE_MD5_SIZE + login.user.len + login.password.len, &rc);
  if(!room)
    return rc;
  if(p->pp.stage == MOTE_POP3_PASS) {
    at = mote_mail_put(mote_mail_text(room, "PASS "), login.password, login.password_coded);
    return mote_pp_send_room(t, &p->pp, (size_t)(at - room));
  }
  at = mote_mail_text(room, p->pp.stage == MOTE_POP3_USER ? "USER " : "APOP ");
  at = mote_mail_put(at, login.user, login.user_coded);
  if(p->pp.stage == MOTE_POP3_APOP) {
    *at++ = ' ';
    for(i = 0; i < MOTE_MD5_SIZE; i++) {
      *at++ = hex[p->digest[i] >> 4];
      *at++ = hex[p->digest[i] & 15];
    }
  }
  return mote_pp_send_room(t, &p->pp, (size_t)(at - room));
}

static CURLcode take_login(struct mote_transfer *t, struct mote_pop3 *p, bool ok, struct mote_slice text)
{
  if(!ok)
    return mote_pop3_refused(t, CURLE_LOGIN_DENIED, text);
  return mote_pp_go(&p->pp, p->pp.stage == MOTE_POP3_USER ? MOTE_POP3_PASS : MOTE_POP3_READY);
}

CURLcode mote_pop3_greet_ask(struct mote_transfer *t, struct mote_pop3 *p)
{
  switch(p->pp.stage) {
  case MOTE_POP3_START:
    return mote_pp_expect(&p->pp, MOTE_POP3_BANNER);
  case MOTE_POP3_CAPA:
    return mote_pp_send(t, &p->pp, "CAPA");
  case MOTE_POP3_STLS:
    return mote_pp_send(t, &p->pp, "STLS");
  case MOTE_POP3_TLS:
    return begin_tls(t, p);
  case MOTE_POP3_LOGIN:
    return choose_login(t, p);
  case MOTE_POP3_AUTH:
    return mote_mail_sasl_send(t, &p->pp, p->sasl, "");
  default:
    return send_login(t, p);
  }
}

CURLcode mote_pop3_greet_reply(struct mote_transfer *t, struct mote_pop3 *p, enum mote_reply_word word,
                               struct mote_slice text)
{
  bool ok = word == MOTE_REPLY_OK;
  if(word == MOTE_REPLY_GO_ON && p->pp.stage != MOTE_POP3_AUTH)
    return CURLE_AGAIN;
  switch(p->pp.stage) {
  case MOTE_POP3_AUTH:
    return take_auth(t, p, word, text);
  case MOTE_POP3_BANNER:
    return take_banner(t, p, ok, text);
  case MOTE_POP3_CAPA:
    return take_capa(t, p, ok);
  case MOTE_POP3_STLS:
    return take_stls(t, p, ok);
  default:
    return take_login(t, p, ok, text);
  }
}
