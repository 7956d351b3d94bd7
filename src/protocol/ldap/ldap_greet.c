/* protocol/ldap/ldap_greet.c: StartTLS and the simple bind (protocol/ldap/ldap.h). */
#include "codec/url/percent.h"
#include "connect/dial/dial.h"
#include "http/auth/auth.h"
#include "protocol/ldap/ldap.h"

static bool wants_tls(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_USE_SSL) != CURLUSESSL_NONE &&
         !mote_conn_layer(t->run->channel.conn, MOTE_ROLE_TLS);
}

/* ---- StartTLS ---- */

static CURLcode ask_for_tls(struct mote_transfer *t)
{
  struct mote_ldap *l = mote_ldap_of(t);
  struct mote_buf request;
  struct mote_ber_writer w = {.out = &request};
  mote_buf_init(&request, &t->account, MOTE_PART_TRANSFER, MOTE_LDAP_REQUEST_MOST);
  mote_ldap_put_start_tls(&w, ++l->id);
  l->stage = MOTE_LDAP_STARTTLS;
  return mote_ldap_send(t, &request, w.rc);
}

static CURLcode take_tls(struct mote_transfer *t)
{
  struct mote_ldap *l = mote_ldap_of(t);
  struct mote_ldap_result r;
  CURLcode rc = mote_ldap_read_reply(t, MOTE_LDAP_EXTENDED_RESULT, &r);
  if(rc)
    return rc;
  l->stage = r.code ? MOTE_LDAP_LOGIN : MOTE_LDAP_TLS;
  if(r.code && mote_opt_long(&t->options, CURLOPT_USE_SSL) > CURLUSESSL_TRY)
    rc = mote_ldap_refused(t, CURLE_USE_SSL_FAILED, "The server does not begin TLS", &r);
  mote_ldap_forget_message(l);
  return rc;
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

static CURLcode send_bind(struct mote_transfer *t)
{
  struct mote_ldap *l = mote_ldap_of(t);
  struct mote_auth_login login;
  struct mote_buf words, request;
  struct mote_ber_writer w = {.out = &request};
  size_t most;
  mote_http_find_login(t, &login);
  most = login.user.len + login.password.len;
  if(!most) {
    l->stage = MOTE_LDAP_READY;
    return CURLE_OK;
  }
  mote_buf_init(&words, &t->account, MOTE_PART_TRANSFER, MOTE_LDAP_REQUEST_MOST);
  mote_buf_init(&request, &t->account, MOTE_PART_TRANSFER, MOTE_LDAP_REQUEST_MOST);
  w.rc = mote_buf_reserve(&words, most);
  if(!w.rc)
    mote_ldap_put_bind(&w, ++l->id, ldap_greet_decoded(words.ptr, login.user, login.user_coded),
                       ldap_greet_decoded(words.ptr + login.user.len, login.password, login.password_coded));
  mote_buf_close(&words);
  l->stage = MOTE_LDAP_BINDING;
  return mote_ldap_send(t, &request, w.rc);
}

static CURLcode take_bind(struct mote_transfer *t)
{
  struct mote_ldap *l = mote_ldap_of(t);
  struct mote_ldap_result r;
  CURLcode rc = mote_ldap_read_reply(t, MOTE_LDAP_BIND_RESULT, &r);
  if(rc)
    return rc;
  if(r.code)
    rc = mote_ldap_bind_refused(t, &r);
  mote_ldap_forget_message(l);
  l->stage = MOTE_LDAP_READY;
  return rc;
}

static CURLcode ldap_greet_begin(struct mote_transfer *t, struct mote_ldap *l)
{
  mote_ldap_open_buffers(t->run->channel.conn);
  l->stage = MOTE_LDAP_LOGIN;
  if(wants_tls(t))
    return ask_for_tls(t);
  return CURLE_OK;
}

CURLcode mote_ldap_greet(struct mote_transfer *t, mote_time now)
{
  struct mote_ldap *l = mote_ldap_of(t);
  CURLcode rc = CURLE_OK;
  (void)now;
  if(l->stage == MOTE_LDAP_NEW)
    rc = ldap_greet_begin(t, l);
  if(!rc && l->stage == MOTE_LDAP_STARTTLS)
    rc = take_tls(t);
  if(!rc && l->stage == MOTE_LDAP_TLS) {
    rc = mote_dial_upgrade(t);
    if(!rc)
      l->stage = MOTE_LDAP_LOGIN;
  }
  if(!rc && l->stage == MOTE_LDAP_LOGIN)
    rc = mote_ldap_wants_sasl(t) ? mote_ldap_sasl_ask(t) : send_bind(t);
  if(!rc && (l->stage == MOTE_LDAP_MECHANISMS || l->stage == MOTE_LDAP_SASL))
    rc = mote_ldap_sasl_step(t);
  return !rc && l->stage == MOTE_LDAP_BINDING ? take_bind(t) : rc;
}
