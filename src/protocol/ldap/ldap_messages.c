/* protocol/ldap/ldap_messages.c: messages of LDAP, on a connection (protocol/ldap/ldap.h). */
#include "codec/ldap/ldap.h"
#include "net/conn_struct.h"
#include "protocol/body.h"
#include "protocol/ldap/ldap.h"
#include "protocol/sasl_exchange.h"
#include "transfer/pump/pump.h"

CURLcode mote_ldap_refused(struct mote_transfer *t, CURLcode rc, const char *what,
                           const struct mote_ldap_result *r)
{
  return mote_fail_as(rc, &t->report, "%s: LDAP code %u %.*s", what, (unsigned)r->code,
                      (int)(r->text.len < 200 ? r->text.len : 200), r->text.ptr);
}

static CURLcode ldap_messages_code_of(uint32_t result)
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

CURLcode mote_ldap_bind_refused(struct mote_transfer *t, const struct mote_ldap_result *r)
{
  return mote_ldap_refused(t, ldap_messages_code_of(r->code), "The server refuses the bind", r);
}

void mote_ldap_open_buffers(struct mote_conn *c)
{
  struct mote_ldap *l = mote_conn_state(c);
  mote_buf_init(&l->in, c->env.account, MOTE_PART_CONN, MOTE_LDAP_ENTRY_MOST);
  mote_buf_init(&l->out, c->env.account, MOTE_PART_CONN, 2 * MOTE_LDAP_ENTRY_MOST);
  l->given = 0;
  l->whole = false;
}

void mote_ldap_discard(struct mote_conn *c)
{
  struct mote_ldap *l = mote_conn_state(c);
  if(l->talk.stage != MOTE_LDAP_NEW) {
    mote_buf_close(&l->in);
    mote_buf_close(&l->out);
    mote_sasl_exchange_discard(c, l->sasl);
    l->sasl = NULL;
  }
}

CURLcode mote_ldap_send(struct mote_transfer *t, struct mote_buf *request, CURLcode failed)
{
  CURLcode rc = failed;
  if(!rc) {
    t->run->request.bytes += (uint32_t)request->len;
    rc = mote_body_put(t, t->run->channel.conn, request->ptr, request->len);
  }
  mote_buf_close(request);
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* The first bytes of a message say how many it has. */
CURLcode mote_ldap_collect(struct mote_transfer *t, struct mote_ldap *l, const char *bytes, size_t len,
                           size_t *used)
{
  CURLcode rc = CURLE_OK;
  *used = 0;
  while(!rc && *used < len && !l->whole) {
    size_t all = mote_ldap_message_len(l->in.ptr, l->in.len), more = all ? all - l->in.len : 1;
    if(more > len - *used)
      more = len - *used;
    rc = mote_buf_add(&l->in, bytes + *used, more);
    *used += more;
    all = rc ? 0 : mote_ldap_message_len(l->in.ptr, l->in.len);
    if(all == SIZE_MAX)
      rc = mote_talk_failed(t, CURLE_WEIRD_SERVER_REPLY, "The server does not speak LDAP");
    else if(all > MOTE_LDAP_ENTRY_MOST)
      rc = mote_talk_failed(t, CURLE_TOO_LARGE, "The server sends a message of more than 16 MB");
    l->whole = all && l->in.len == all;
  }
  return rc;
}

static CURLcode ldap_messages_take(struct mote_transfer *t, const char *bytes, size_t len, size_t *more)
{
  struct mote_ldap *l = mote_ldap_of(t);
  CURLcode rc = mote_ldap_collect(t, l, bytes, len, &len);
  size_t all = mote_ldap_message_len(l->in.ptr, l->in.len);
  *more = l->whole ? 0 : all ? all - l->in.len : 1;
  return rc;
}

static CURLcode ldap_messages_strange(struct mote_transfer *t)
{
  return mote_talk_failed(t, CURLE_WEIRD_SERVER_REPLY, "The server does not answer as LDAP does");
}

CURLcode mote_ldap_hear(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ldap *l = (struct mote_ldap *)talk;
  struct mote_ldap_message m;
  struct mote_reply r = {.more = &m, .last = true};
  CURLcode rc = mote_pump_collect(t, t->run->channel.conn, ldap_messages_take);
  if(rc)
    return rc;
  if(mote_ldap_read((struct mote_slice){l->in.ptr, l->in.len}, &m) && m.id == l->id)
    rc = mote_talk_take_reply(t, talk, &r);
  else
    rc = ldap_messages_strange(t);
  mote_buf_close(&l->in);
  l->whole = false;
  return rc;
}

CURLcode mote_ldap_read_reply(struct mote_transfer *t, const struct mote_reply *reply, uint8_t op,
                              struct mote_ldap_result *r)
{
  const struct mote_ldap_message *m = reply->more;
  return m->op == op && mote_ldap_read_result(m->body, r) ? CURLE_OK : ldap_messages_strange(t);
}
