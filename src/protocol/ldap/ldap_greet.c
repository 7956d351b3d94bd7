/* protocol/ldap/ldap_greet.c: StartTLS and the simple bind (protocol/ldap/ldap.h). */
#include "auth/scheme.h"
#include "codec/ldap/ber.h"
#include "codec/ldap/ldap.h"
#include "codec/url/percent.h"
#include "http/auth/auth.h"
#include "protocol/ldap/ldap.h"

/* ---- StartTLS ---- */

CURLcode mote_ldap_ask_for_tls(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ldap *l = (struct mote_ldap *)talk;
  struct mote_buf request;
  struct mote_ber_writer w = {.out = &request};
  mote_buf_init(&request, &t->account, MOTE_PART_TRANSFER, MOTE_LDAP_REQUEST_MOST);
  mote_ldap_put_start_tls(&w, ++l->id);
  (void)mote_talk_await(t, talk);
  return mote_ldap_send(t, &request, w.rc);
}

CURLcode mote_ldap_take_tls(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *reply)
{
  struct mote_ldap_result r;
  CURLcode rc = mote_ldap_read_reply(t, reply, MOTE_LDAP_EXTENDED_RESULT, &r);
  return rc || !r.code ? rc : mote_starttls_do_without(t, talk, MOTE_LDAP_LOGIN);
}

/* ---- the bind ---- */

/* Decodes a word where it is written. */
static struct mote_slice ldap_greet_decoded(char *room, struct mote_slice word, bool coded)
{
  size_t len = word.len;
  if(!coded)
    return word;
  (void)mote_percent_decode(word, 0, room, len, &len);
  return (struct mote_slice){room, len};
}

CURLcode mote_ldap_send_bind(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ldap *l = (struct mote_ldap *)talk;
  struct mote_auth_login login;
  struct mote_buf words, request;
  struct mote_ber_writer w = {.out = &request};
  size_t most;
  mote_http_find_login(t, &login);
  most = login.user.len + login.password.len;
  if(!most)
    return CURLE_OK;
  mote_buf_init(&words, &t->account, MOTE_PART_TRANSFER, MOTE_LDAP_REQUEST_MOST);
  mote_buf_init(&request, &t->account, MOTE_PART_TRANSFER, MOTE_LDAP_REQUEST_MOST);
  w.rc = mote_buf_reserve(&words, most);
  if(!w.rc)
    mote_ldap_put_bind(&w, ++l->id, ldap_greet_decoded(words.ptr, login.user, login.user_coded),
                       ldap_greet_decoded(words.ptr + login.user.len, login.password, login.password_coded));
  mote_buf_close(&words);
  (void)mote_talk_await(t, talk);
  return mote_ldap_send(t, &request, w.rc);
}

CURLcode mote_ldap_take_bind(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *reply)
{
  struct mote_ldap_result r;
  CURLcode rc = mote_ldap_read_reply(t, reply, MOTE_LDAP_BIND_RESULT, &r);
  (void)talk;
  return rc || !r.code ? rc : mote_ldap_bind_refused(t, &r);
}

CURLcode mote_ldap_log_in(struct mote_transfer *t, struct mote_talk *talk)
{
  return mote_talk_go(talk, mote_ldap_wants_sasl(t) ? MOTE_LDAP_MECHANISMS : MOTE_LDAP_BINDING);
}

/* From then on the buffers are open (mote_ldap_discard()). */
CURLcode mote_ldap_begin(struct mote_transfer *t, struct mote_talk *talk)
{
  mote_ldap_open_buffers(t->run->channel.conn);
  return mote_talk_go(talk, mote_starttls_is_wanted(t) ? MOTE_LDAP_STARTTLS : MOTE_LDAP_LOGIN);
}
