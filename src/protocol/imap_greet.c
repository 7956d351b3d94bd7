/* protocol/imap_greet.c: banner, CAPABILITY, perhaps STARTTLS and CAPABILITY again, then the login; and how
 * commands are written (protocol/imap.h). */
#include <string.h>

#include "connect/dial.h"
#include "protocol/imap.h"
#include "protocol/mail.h"
#include "protocol/mail_login.h"

static const struct mote_mail_service service = {.name = "imap", .own = "+LOGIN", .command = "AUTHENTICATE "};

CURLcode mote_imap_refused(struct mote_transfer *t, CURLcode rc, const struct mote_imap_line *l)
{
  mote_fail(&t->report, "The server has refused: %.*s", (int)l->rest.len, l->rest.ptr);
  return rc;
}

/* ---- commands ---- */

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

char *mote_imap_begin(struct mote_transfer *t, struct mote_imap *i, size_t most, CURLcode *rc)
{
  char *room = mote_pp_room(t, MOTE_IMAP_TAG + most, rc), tag[MOTE_IMAP_TAG];
  if(!room)
    return NULL;
  i->command++;
  mote_imap_tag(i, t->run->channel.conn->id, tag);
  room = mote_mail_text(room, tag);
  *room++ = ' ';
  return room;
}

CURLcode mote_imap_send(struct mote_transfer *t, struct mote_imap *i, const char *end)
{
  CURLcode rc;
  const char *room = mote_pp_room(t, 0, &rc);
  return room ? mote_pp_send_room(t, &i->pp, (size_t)(end - room)) : rc;
}

/* What is decoded is put where the string does not overtake it. */
char *mote_imap_put(char *at, struct mote_slice word, bool coded, bool quoted)
{
  char *plain = at + word.len + 2;
  struct mote_slice text = {plain, (size_t)(mote_mail_put(plain, word, coded) - plain)};
  return at + mote_imap_put_string(at, text, quoted);
}

static CURLcode send_words(struct mote_transfer *t, struct mote_imap *i, const char *words)
{
  CURLcode rc;
  char *at = mote_imap_begin(t, i, strlen(words), &rc);
  return at ? mote_imap_send(t, i, mote_mail_text(at, words)) : rc;
}

/* ---- the greeting ---- */

CURLcode mote_imap_prepare(struct mote_transfer *t)
{
  CURLcode rc = mote_mail_check_options(t, &service);
  return rc ? rc : mote_mail_prepare(t);
}

void mote_imap_discard(struct mote_conn *c)
{
  mote_mail_sasl_discard(c, ((struct mote_imap *)mote_conn_state(c))->sasl);
}

static CURLcode take_banner(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l)
{
  if(l->kind != MOTE_IMAP_UNTAGGED || l->status == MOTE_IMAP_NONE)
    return CURLE_AGAIN;
  i->logged_in = l->status == MOTE_IMAP_PREAUTH;
  if(!i->logged_in && l->status != MOTE_IMAP_OK)
    return mote_imap_refused(t, CURLE_WEIRD_SERVER_REPLY, l);
  return mote_pp_go(&i->pp, MOTE_IMAP_CAPABILITY);
}

static void take_capabilities(struct mote_imap *i, struct mote_slice rest)
{
  struct mote_slice word;
  while(mote_imap_next_word(&rest, &word)) {
    if(mote_slice_is(word, "STARTTLS"))
      i->has_tls = true;
    else if(mote_slice_is(word, "LOGINDISABLED"))
      i->no_login = true;
    else if(mote_slice_is(word, "SASL-IR"))
      i->has_initial = true;
    else if(word.len > 5 && mote_equal_nocase_n(word.ptr, "AUTH=", 5))
      mote_mail_offer(&i->offered, (struct mote_slice){word.ptr + 5, word.len - 5});
  }
}

/* A login that the server has made by itself leaves no way to TLS (RFC 9051 section 11.1). */
static CURLcode after_capability(struct mote_transfer *t, struct mote_imap *i)
{
  CURLcode rc = CURLE_OK;
  if(mote_mail_wants_tls(t)) {
    if(i->has_tls && !i->logged_in)
      return mote_pp_go(&i->pp, MOTE_IMAP_STARTTLS);
    rc = mote_mail_without_tls(t);
  }
  return rc ? rc : mote_pp_go(&i->pp, MOTE_IMAP_CHOOSE);
}

static CURLcode take_starttls(struct mote_transfer *t, struct mote_imap *i, bool ok)
{
  CURLcode rc = mote_mail_take_tls(t, ok);
  return rc ? rc : mote_pp_go(&i->pp, ok ? MOTE_IMAP_TLS : MOTE_IMAP_CHOOSE);
}

/* What the server has said without the protection of TLS counts no longer. */
static CURLcode begin_tls(struct mote_transfer *t, struct mote_imap *i)
{
  CURLcode rc = mote_dial_upgrade(t);
  if(rc)
    return rc;
  i->offered = 0;
  i->has_tls = i->no_login = i->has_initial = false;
  return mote_pp_go(&i->pp, MOTE_IMAP_CAPABILITY);
}

static CURLcode choose_login(struct mote_transfer *t, struct mote_imap *i)
{
  struct mote_mail_ways ways = mote_mail_find_ways(t, &service);
  if(i->logged_in || !ways.wanted)
    return mote_pp_go(&i->pp, MOTE_IMAP_READY);
  if(i->offered) {
    CURLcode rc = mote_mail_sasl_begin(t, &i->sasl, &service, i->offered, i->has_initial);
    if(rc || i->sasl)
      return rc ? rc : mote_pp_go(&i->pp, MOTE_IMAP_AUTH);
  }
  if(ways.own && !i->no_login)
    return mote_pp_go(&i->pp, MOTE_IMAP_LOGIN);
  mote_fail(&t->report, "The server offers no way to log in that may be used");
  return CURLE_LOGIN_DENIED;
}

/* The answers of a login have no tag, and keep that of the command. */
static CURLcode send_auth(struct mote_transfer *t, struct mote_imap *i)
{
  char tag[MOTE_IMAP_TAG + 1];
  if(mote_mail_sasl_is_command(i->sasl))
    i->command++;
  mote_imap_tag(i, t->run->channel.conn->id, tag);
  strcat(tag, " ");
  return mote_mail_sasl_send(t, &i->pp, i->sasl, tag);
}

static CURLcode take_auth(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l)
{
  enum mote_sasl_reply reply = l->kind == MOTE_IMAP_GO_ON    ? MOTE_SASL_CHALLENGE
                               : l->status == MOTE_IMAP_OK ? MOTE_SASL_ACCEPTED
                                                           : MOTE_SASL_REJECTED;
  CURLcode rc;
  if(l->kind != MOTE_IMAP_GO_ON && l->kind != MOTE_IMAP_TAGGED)
    return CURLE_AGAIN;
  rc = mote_mail_sasl_take(t, &i->sasl, reply, l->rest);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  return mote_pp_go(&i->pp, rc ? MOTE_IMAP_AUTH : MOTE_IMAP_READY);
}

static CURLcode send_login(struct mote_transfer *t, struct mote_imap *i)
{
  struct mote_auth_login login;
  CURLcode rc;
  size_t most;
  char *at;
  (void)mote_mail_login(t, &login);
  most = mote_imap_string_most(login.user.len) + mote_imap_string_most(login.password.len);
  at = mote_imap_begin(t, i, most + strlen("LOGIN  "), &rc);
  if(!at)
    return rc;
  at = mote_imap_put(mote_mail_text(at, "LOGIN "), login.user, login.user_coded, false);
  *at++ = ' ';
  return mote_imap_send(t, i, mote_imap_put(at, login.password, login.password_coded, false));
}

CURLcode mote_imap_greet_ask(struct mote_transfer *t, struct mote_imap *i)
{
  switch(i->pp.stage) {
  case MOTE_IMAP_START:
    return mote_pp_expect(&i->pp, MOTE_IMAP_BANNER);
  case MOTE_IMAP_CAPABILITY:
    return send_words(t, i, "CAPABILITY");
  case MOTE_IMAP_STARTTLS:
    return send_words(t, i, "STARTTLS");
  case MOTE_IMAP_TLS:
    return begin_tls(t, i);
  case MOTE_IMAP_CHOOSE:
    return choose_login(t, i);
  case MOTE_IMAP_AUTH:
    return send_auth(t, i);
  default:
    return send_login(t, i);
  }
}

CURLcode mote_imap_greet_line(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l)
{
  if(i->pp.stage == MOTE_IMAP_BANNER)
    return take_banner(t, i, l);
  if(i->pp.stage == MOTE_IMAP_AUTH)
    return take_auth(t, i, l);
  if(l->kind == MOTE_IMAP_UNTAGGED && mote_slice_is(l->word, "CAPABILITY"))
    take_capabilities(i, l->rest);
  if(l->kind != MOTE_IMAP_TAGGED)
    return CURLE_AGAIN;
  switch(i->pp.stage) {
  case MOTE_IMAP_CAPABILITY:
    return after_capability(t, i);
  case MOTE_IMAP_STARTTLS:
    return take_starttls(t, i, l->status == MOTE_IMAP_OK);
  default:
    return l->status == MOTE_IMAP_OK ? mote_pp_go(&i->pp, MOTE_IMAP_READY)
                                     : mote_imap_refused(t, CURLE_LOGIN_DENIED, l);
  }
}
