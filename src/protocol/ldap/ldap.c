/* protocol/ldap/ldap.c: one search in a directory (protocol/ldap/ldap.h). */
#include "protocol/ldap/ldap.h"

#include <string.h>

#include "codec/ldap/ber.h"
#include "codec/ldap/ldap.h"
#include "codec/url/percent.h"
#include "codec/url/url.h"
#include "http/auth/auth.h"
#include "http/auth/netrc.h"
#include "net/driver.h"
#include "protocol/body.h"
#include "transfer/download/sink.h"
#include "transfer/protocol.h"
#include "transfer/upload/source.h"

#define MESSAGES_PER_STEP 64 /* then other transfers get their turn */
#define PIECE 16384u         /* bytes of text that are delivered at once: a pause keeps all of them */

/* ---- the request ---- */

/* What the URL has between "?", still percent-encoded. */
struct parts {
  struct mote_slice base, attributes, scope, filter, extensions;
};

static struct mote_slice protocol_ldap_next_part(struct mote_slice *rest)
{
  const char *mark = rest->len ? memchr(rest->ptr, '?', rest->len) : NULL;
  struct mote_slice part = {rest->ptr, mark ? (size_t)(mark - rest->ptr) : rest->len};
  mote_slice_skip(rest, part.len + (mark != NULL));
  return part;
}

/* False: there are more than five. */
static bool find_parts(const struct mote_transfer *t, struct parts *p)
{
  struct mote_slice query;
  struct mote_url url;
  mote_url_unpack(&t->run->request.url, &url);
  p->base = mote_url_get(&url, MOTE_URL_PATH);
  if(p->base.len)
    mote_slice_skip(&p->base, 1);
  query = mote_url_get(&url, MOTE_URL_QUERY);
  p->attributes = protocol_ldap_next_part(&query);
  p->scope = protocol_ldap_next_part(&query);
  p->filter = protocol_ldap_next_part(&query);
  p->extensions = protocol_ldap_next_part(&query);
  return !query.len;
}

/* Sets *scope to what SearchRequest has for the word. False: there is none of that name. */
static bool read_scope(struct mote_slice word, uint8_t *scope)
{
  static const char *const names[] = {"base", "one", "sub"};
  if(mote_slice_is(word, "onelevel"))
    word.len = 3;
  if(mote_slice_is(word, "subtree"))
    word.len = 3;
  for(*scope = 0; word.len && *scope < 3; ++*scope)
    if(mote_slice_is(word, names[*scope]))
      return true;
  *scope = 0;
  return !word.len;
}

static bool has_nul(struct mote_slice coded)
{
  size_t i;
  for(i = 0; i < coded.len; i++)
    if(!mote_percent_byte(coded.ptr + i, coded.ptr + coded.len))
      return true;
  return false;
}

/* An extension with "!" in front must be understood (RFC 4516 section 2), and we know none. */
static bool has_critical(struct mote_slice extensions)
{
  size_t i;
  for(i = 0; i < extensions.len; i++)
    if(extensions.ptr[i] == '!' && (!i || extensions.ptr[i - 1] == ','))
      return true;
  return false;
}

/* A NUL is written as "\00" in a filter (RFC 4515 section 3). */
static CURLcode check_filter(struct mote_transfer *t, struct mote_slice filter)
{
  if(!has_nul(filter))
    return CURLE_OK;
  return mote_talk_failed(t, CURLE_LDAP_SEARCH_FAILED, "The filter in the LDAP URL contains a NUL byte");
}

static CURLcode ldap_prepare(struct mote_transfer *t)
{
  struct parts p;
  uint8_t scope;
  CURLcode rc;
  mote_source_close(t);
  mote_request_announce(&t->run->request, -1);
  if(!find_parts(t, &p))
    return mote_talk_failed(t, CURLE_URL_MALFORMAT, "The LDAP URL has more than five parts");
  if(!read_scope(p.scope, &scope))
    return mote_talk_failed(t, CURLE_URL_MALFORMAT, "The scope in the LDAP URL is none of base, one and sub");
  if(has_critical(p.extensions))
    return mote_talk_failed(t, CURLE_URL_MALFORMAT, "The LDAP URL has a critical extension that is unknown");
  if(has_nul(p.base) || has_nul(p.attributes))
    return mote_talk_failed(t, CURLE_URL_MALFORMAT, "The LDAP URL contains a NUL byte");
  rc = check_filter(t, p.filter);
  rc = rc ? rc : mote_netrc_find_printable(t);
  return rc ? rc : mote_ldap_sasl_check(t);
}

/* Decodes a part of the URL at the end of `room`, which has room for it. */
static struct mote_slice protocol_ldap_decode(struct mote_buf *room, struct mote_slice part)
{
  char *at = room->ptr + room->len;
  size_t len;
  (void)mote_percent_decode(part, 0, at, part.len, &len);
  room->len += len;
  return (struct mote_slice){at, len};
}

static CURLcode send_search(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ldap *l = (struct mote_ldap *)talk;
  struct mote_buf words, request;
  struct mote_ber_writer w = {.out = &request};
  struct parts p;
  CURLcode rc;
  bool good = true;
  (void)find_parts(t, &p);
  mote_buf_init(&words, &t->account, MOTE_PART_TRANSFER, MOTE_LDAP_REQUEST_MOST);
  mote_buf_init(&request, &t->account, MOTE_PART_TRANSFER, MOTE_LDAP_REQUEST_MOST);
  rc = mote_buf_reserve(&words, p.base.len + p.attributes.len + p.filter.len);
  if(!rc) {
    struct mote_ldap_search s =
      {.base = protocol_ldap_decode(&words, p.base), .attributes = protocol_ldap_decode(&words, p.attributes),
                                 .filter = protocol_ldap_decode(&words, p.filter)};
    (void)read_scope(p.scope, &s.scope);
    good = mote_ldap_put_search(&w, ++l->id, &s);
    rc = w.rc;
  }
  mote_buf_close(&words);
  if(!rc && !good)
    rc = mote_talk_failed(t, CURLE_LDAP_SEARCH_FAILED, "The filter in the LDAP URL is wrong (RFC 4515)");
  (void)mote_talk_go(&l->talk, MOTE_LDAP_LISTEN);
  mote_conn_look_again(t->run->channel.conn);
  return mote_ldap_send(t, &request, rc);
}

/* ---- the replies ---- */

/* The body of the exchange ends for a moment with each message. */
static CURLcode cut_message(void *state, char *bytes, size_t len, struct mote_body_cut *cut)
{
  struct mote_transfer *t = state;
  struct mote_ldap *l = mote_ldap_of(t);
  CURLcode rc = mote_ldap_collect(t, l, bytes, len, &cut->used);
  cut->len = 0;
  cut->over = l->whole;
  return rc;
}

static CURLcode take_result(struct mote_transfer *t, struct mote_slice body)
{
  struct mote_ldap_result r;
  if(!mote_ldap_read_result(body, &r))
    return mote_talk_failed(t, CURLE_WEIRD_SERVER_REPLY, "The server's result is not LDAP's");
  (void)mote_talk_go(&mote_ldap_of(t)->talk, MOTE_LDAP_OVER);
  if(r.code == MOTE_LDAP_SIZE_LIMIT_EXCEEDED) {
    mote_info(&t->report, "There are more entries than the server sends");
    return CURLE_OK;
  }
  return r.code ? mote_ldap_refused(t, CURLE_LDAP_SEARCH_FAILED, "The search failed", &r) : CURLE_OK;
}

/* The server ends the connection (RFC 4511 section 4.4.1). */
static CURLcode take_notice(struct mote_transfer *t, struct mote_slice body)
{
  struct mote_ldap_result r;
  if(!mote_ldap_read_result(body, &r))
    return mote_talk_failed(t, CURLE_WEIRD_SERVER_REPLY, "The server's notice is not LDAP's");
  return mote_ldap_refused(t, CURLE_RECV_ERROR, "The server ends the connection", &r);
}

/* A reference, and what has nothing to do with the search, is passed over. */
static CURLcode take_message(struct mote_transfer *t)
{
  struct mote_ldap *l = mote_ldap_of(t);
  struct mote_ldap_message m;
  CURLcode rc = CURLE_OK;
  if(!mote_ldap_read((struct mote_slice){l->in.ptr, l->in.len}, &m))
    return mote_talk_failed(t, CURLE_WEIRD_SERVER_REPLY, "The server does not speak LDAP");
  if(!m.id && m.op == MOTE_LDAP_EXTENDED_RESULT)
    return take_notice(t, m.body);
  if(m.id == l->id && m.op == MOTE_LDAP_ENTRY && t->run->request.method != MOTE_METHOD_HEAD) {
    rc = mote_ldap_add_entry(&l->out, m.body);
    if(rc == CURLE_WEIRD_SERVER_REPLY)
      return mote_talk_failed(t, rc, "The server's entry is not LDAP's");
  }
  if(m.id == l->id && m.op == MOTE_LDAP_SEARCH_RESULT)
    rc = take_result(t, m.body);
  mote_buf_clear(&l->in);
  l->whole = false;
  return rc;
}

/* Delivers the entry. CURLE_AGAIN: the application pauses. */
static CURLcode give_entry(struct mote_transfer *t)
{
  struct mote_ldap *l = mote_ldap_of(t);
  CURLcode rc = l->given < l->out.len && t->run->flow.recv.paused ? CURLE_AGAIN : CURLE_OK;
  if(!rc && l->given < l->out.len)
    rc = mote_sink_resume(t);
  while(!rc && l->given < l->out.len) {
    size_t left = l->out.len - l->given, len = left < PIECE ? left : PIECE;
    rc = mote_body_deliver(t, l->out.ptr + l->given, len);
    l->given += len; /* a pause has kept it */
  }
  if(!rc) {
    mote_buf_clear(&l->out);
    l->given = 0;
  }
  if(rc == CURLE_AGAIN && mote_conn_want(t->run->channel.conn, 0))
    return CURLE_OUT_OF_MEMORY;
  return rc;
}

static CURLcode protocol_ldap_receive(struct mote_transfer *t, mote_time now)
{
  const struct mote_body_filter messages = {.cut = cut_message, .state = t};
  curl_off_t left = -1;
  CURLcode rc = mote_body_receive(t, t->run->channel.conn, &left, &messages, now);
  return rc == CURLE_PARTIAL_FILE ? CURLE_RECV_ERROR : rc;
}

static CURLcode protocol_ldap_listen_on(struct mote_transfer *t, struct mote_talk *talk)
{
  int i;
  for(i = 0; i < MESSAGES_PER_STEP; i++) {
    CURLcode rc = give_entry(t);
    if(!rc && talk->stage == MOTE_LDAP_OVER)
      return CURLE_OK;
    if(!rc)
      rc = mote_body_flush(t, t->run->channel.conn);
    if(!rc)
      rc = protocol_ldap_receive(t, talk->now);
    if(!rc)
      rc = take_message(t);
    if(rc)
      return rc;
    mote_conn_look_again(t->run->channel.conn);
  }
  mote_transfer_wake(t);
  return CURLE_AGAIN;
}

/* ---- the row ---- */

static const struct mote_stage stages[MOTE_LDAP_OVER] = {
  [MOTE_LDAP_NEW] = {"start", mote_ldap_begin, NULL, MOTE_LDAP_LOGIN, false},
  [MOTE_LDAP_STARTTLS] = {"StartTLS", mote_ldap_ask_for_tls, mote_ldap_take_tls, MOTE_LDAP_TLS, false},
  [MOTE_LDAP_TLS] = {"TLS", mote_starttls_begin, NULL, MOTE_LDAP_LOGIN, false},
  [MOTE_LDAP_LOGIN] = {"login", mote_ldap_log_in, NULL, MOTE_LDAP_READY, false},
  [MOTE_LDAP_MECHANISMS] = {"mechanisms", mote_ldap_ask_mechanisms, mote_ldap_take_mechanisms,
                            MOTE_LDAP_SASL, false},
  [MOTE_LDAP_SASL] = {"SASL", mote_ldap_send_message, mote_ldap_take_answer, MOTE_LDAP_READY, false},
  [MOTE_LDAP_BINDING] = {"bind", mote_ldap_send_bind, mote_ldap_take_bind, MOTE_LDAP_READY, false},
  [MOTE_LDAP_ASK] = {"search", send_search, NULL, MOTE_LDAP_LISTEN, false},
  [MOTE_LDAP_LISTEN] = {"entries", protocol_ldap_listen_on, NULL, MOTE_LDAP_OVER, false},
};

static const struct mote_talk_row row = {.stages = stages, .hear = mote_ldap_hear};

static CURLcode ldap_greet(struct mote_transfer *t, mote_time now)
{
  return mote_talk_greet(t, &mote_ldap_of(t)->talk, &row, now, MOTE_LDAP_READY);
}

static CURLcode ldap_begin(struct mote_transfer *t)
{
  struct mote_ldap *l = mote_ldap_of(t);
  mote_ldap_open_buffers(t->run->channel.conn);
  return mote_talk_go(&l->talk, MOTE_LDAP_ASK);
}

static CURLcode ldap_step(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_talk_step(t, &mote_ldap_of(t)->talk, &row, now, MOTE_LDAP_OVER);
  return rc ? rc : mote_talk_finish(t);
}

static void ldap_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_ldap *l = mote_ldap_of(t);
  bool kept = (!rc || rc == CURLE_LDAP_SEARCH_FAILED) && l->talk.stage == MOTE_LDAP_OVER;
  mote_ldap_discard(t->run->channel.conn);
  if(kept)
    l->talk.stage = MOTE_LDAP_READY;
  mote_conn_set_reusable(t->run->channel.conn, kept);
}

static CURLcode ldap_goodbye(struct mote_conn *c)
{
  const struct mote_ldap *l = mote_conn_state(c);
  static const char unbind[] = {0x30, 5, 2, 1, 0x7f, MOTE_LDAP_UNBIND, 0};
  size_t n;
  if(l->talk.stage != MOTE_LDAP_READY)
    return CURLE_SEND_ERROR;
  return mote_conn_send(c, unbind, sizeof unbind, &n);
}

static const struct mote_driver ldap_driver = {
  .name = "ldap", .goodbye = ldap_goodbye, .discard = mote_ldap_discard,
};

const struct mote_protocol mote_protocol_ldap = {
  .name = "ldap",
  .conn_size = sizeof(struct mote_ldap),
  .driver = &ldap_driver,
  .login = mote_http_identity,
  .prepare = ldap_prepare,
  .greet = ldap_greet,
  .begin = ldap_begin,
  .step = ldap_step,
  .end = ldap_end,
};
