/* protocol/ldap_greet.c: StartTLS and the bind (protocol/ldap.h). */
#include "codec/percent.h"
#include "connect/dial.h"
#include "http/auth.h"
#include "protocol/body.h"
#include "protocol/ldap.h"

static bool wants_tls(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_USE_SSL) != CURLUSESSL_NONE &&
         !mote_conn_layer(t->run->channel.conn, MOTE_ROLE_TLS);
}

/* Reads one message and no byte more: what follows the answer to StartTLS must be TLS. */
static CURLcode read_message(struct mote_transfer *t)
{
  struct mote_conn *c = t->run->channel.conn;
  struct mote_ldap *l = mote_ldap_of(t);
  CURLcode rc = mote_body_flush(t, c);
  while(!rc && !l->whole) {
    char bytes[256];
    size_t len = mote_ldap_message_len(l->in.ptr, l->in.len), want = len ? len - l->in.len : 1, n;
    rc = mote_conn_receive(c, bytes, want < sizeof bytes ? want : sizeof bytes, &n);
    if(!rc && !n) {
      mote_fail(&t->report, "The server has closed the connection during the login");
      return CURLE_RECV_ERROR;
    }
    if(!rc)
      rc = mote_ldap_collect(t, l, bytes, n, &n);
  }
  if(rc != CURLE_AGAIN)
    return rc;
  mote_conn_clear_events(c);
  rc = mote_conn_want(c, t->run->unsent ? MOTE_WANT_OUT : MOTE_WANT_IN);
  return rc ? rc : CURLE_AGAIN;
}

/* Reads the result of the last request. Messages that answer nothing are passed over. */
static CURLcode read_result(struct mote_transfer *t, uint8_t op, struct mote_ldap_result *r)
{
  struct mote_ldap *l = mote_ldap_of(t);
  struct mote_ldap_message m;
  CURLcode rc = read_message(t);
  if(rc)
    return rc;
  if(!mote_ldap_read((struct mote_slice){l->in.ptr, l->in.len}, &m) || m.id != l->id || m.op != op ||
     !mote_ldap_read_result(m.body, r)) {
    mote_fail(&t->report, "The server does not answer as LDAP does");
    return CURLE_WEIRD_SERVER_REPLY;
  }
  return CURLE_OK;
}

static void forget_message(struct mote_ldap *l)
{
  mote_buf_close(&l->in);
  l->whole = false;
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
  CURLcode rc = read_result(t, MOTE_LDAP_EXTENDED_RESULT, &r);
  if(rc)
    return rc;
  l->stage = r.code ? MOTE_LDAP_LOGIN : MOTE_LDAP_TLS;
  if(r.code && mote_opt_long(&t->options, CURLOPT_USE_SSL) > CURLUSESSL_TRY)
    rc = mote_ldap_refused(t, CURLE_USE_SSL_FAILED, "The server does not begin TLS", &r);
  forget_message(l);
  return rc;
}

/* ---- the bind ---- */

/* Decodes a word where it is written. */
static struct mote_slice decoded(char *room, struct mote_slice word, bool coded)
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
    mote_ldap_put_bind(&w, ++l->id, decoded(words.ptr, login.user, login.user_coded),
                       decoded(words.ptr + login.user.len, login.password, login.password_coded));
  mote_buf_close(&words);
  l->stage = MOTE_LDAP_BINDING;
  return mote_ldap_send(t, &request, w.rc);
}

static CURLcode code_of(uint32_t result)
{
  switch(result) {
  case MOTE_LDAP_SUCCESS:
    return CURLE_OK;
  case MOTE_LDAP_INVALID_CREDENTIALS:
    return CURLE_LOGIN_DENIED;
  case MOTE_LDAP_INSUFFICIENT_ACCESS:
    return CURLE_REMOTE_ACCESS_DENIED;
  default:
    return CURLE_LDAP_CANNOT_BIND;
  }
}

static CURLcode take_bind(struct mote_transfer *t)
{
  struct mote_ldap *l = mote_ldap_of(t);
  struct mote_ldap_result r;
  CURLcode rc = read_result(t, MOTE_LDAP_BIND_RESULT, &r);
  if(rc)
    return rc;
  if(r.code)
    rc = mote_ldap_refused(t, code_of(r.code), "The server refuses the bind", &r);
  forget_message(l);
  l->stage = MOTE_LDAP_READY;
  return rc;
}

static CURLcode begin(struct mote_transfer *t, struct mote_ldap *l)
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
    rc = begin(t, l);
  if(!rc && l->stage == MOTE_LDAP_STARTTLS)
    rc = take_tls(t);
  if(!rc && l->stage == MOTE_LDAP_TLS) {
    rc = mote_dial_upgrade(t);
    if(!rc)
      l->stage = MOTE_LDAP_LOGIN;
  }
  if(!rc && l->stage == MOTE_LDAP_LOGIN)
    rc = send_bind(t);
  return !rc && l->stage == MOTE_LDAP_BINDING ? take_bind(t) : rc;
}
