/* tests/toys/login.c: one exchange over a control and a data connection, the greeting before it, and the
 * goodbye after all of them (tests/toys/login.h). */
#include "login.h"

#include <string.h>

#include "base/text/format.h"
#include "codec/url/percent.h"
#include "codec/url/url.h"
#include "connect/data/data.h"
#include "connect/dial/dial.h"
#include "connect/identity.h"
#include "net/conn.h"
#include "net/names/address.h"
#include "protocol/body.h"
#include "transfer/download/sink.h"
#include "transfer/upload/source.h"

static struct mote_conn *control(const struct mote_transfer *t)
{
  return t->run->channel.conn;
}

static struct login *login_of(const struct mote_transfer *t)
{
  return mote_conn_state(control(t));
}

static bool is_put(const struct mote_transfer *t)
{
  return t->run->request.method == MOTE_METHOD_PUT;
}

/* ---- replies ---- */

/* Reports whether the line is this word, or has more after it, which *rest gets then. */
static bool begins(struct mote_slice line, const char *word, struct mote_slice *rest)
{
  size_t len = strlen(word);
  bool more = line.len > len && line.ptr[len] == ' ';
  if(line.len < len || memcmp(line.ptr, word, len) || (line.len > len && !more))
    return false;
  *rest = (struct mote_slice){line.ptr + len + more, line.len - len - more};
  return true;
}

static bool is(struct mote_slice line, const char *word)
{
  struct mote_slice rest;
  return begins(line, word, &rest) && line.len == strlen(word);
}

static CURLcode weird(struct mote_transfer *t, struct mote_slice line)
{
  mote_fail(&t->report, "The server's reply is not understood: %.*s", (int)line.len, line.ptr);
  return CURLE_WEIRD_SERVER_REPLY;
}

/* The server waits for the next command after its refusal. */
static CURLcode refused(struct mote_transfer *t, struct login *l, struct mote_slice line, CURLcode rc)
{
  struct mote_slice rest;
  if(!begins(line, "NO", &rest))
    return weird(t, line);
  l->pp.at_rest = true;
  mote_fail(&t->report, "The server has refused: %.*s", (int)line.len, line.ptr);
  return rc;
}

/* ---- commands ---- */

/* Decodes a part of the URL, or copies an option. NULL: it would end the word. */
static char *put_word(char *at, struct mote_slice word, bool coded)
{
  size_t len = word.len, i;
  *at++ = ' ';
  if(!coded)
    memcpy(at, word.ptr, len);
  else if(mote_percent_decode(word, MOTE_PERCENT_REJECT_CTRL, at, len, &len))
    return NULL;
  for(i = 0; i < len; i++)
    if((unsigned char)at[i] <= ' ')
      return NULL;
  return at + len;
}

/* The options take precedence over the URL. */
static CURLcode send_login(struct mote_transfer *t, struct login *l)
{
  struct mote_slice word[2] = {{"anonymous", 9}, {"guest", 5}};
  const char *given[2] = {mote_opt_str(&t->options, CURLOPT_USERNAME),
                          mote_opt_str(&t->options, CURLOPT_PASSWORD)};
  bool coded = !given[0] && mote_url_packed_login(&t->run->request.url, &word[0], &word[1]);
  char *room, *at;
  CURLcode rc;
  int i;
  for(i = 0; i < 2; i++)
    if(!coded && given[i])
      word[i] = mote_slice_of(given[i]);
  room = mote_pp_room(t, sizeof "LOGIN  " + word[0].len + word[1].len, &rc);
  if(!room)
    return rc;
  memcpy(room, "LOGIN", 5);
  at = put_word(room + 5, word[0], coded);
  if(at)
    at = put_word(at, word[1], coded);
  if(at)
    return mote_pp_send_room(t, &l->pp, (size_t)(at - room));
  mote_fail(&t->report, "User or password cannot be sent by this protocol");
  return CURLE_LOGIN_DENIED;
}

static CURLcode send_file(struct mote_transfer *t, struct login *l, const char *verb)
{
  struct mote_slice path;
  struct mote_url url;
  mote_url_unpack(&t->run->request.url, &url);
  path = mote_url_get(&url, MOTE_URL_PATH);
  mote_slice_skip(&path, 1);
  return mote_pp_send(t, &l->pp, verb, path, false);
}

static CURLcode send_call(struct mote_transfer *t, struct login *l)
{
  char text[MOTE_ADDR_TEXT_MAX], call[sizeof text + 12];
  mote_addr_print(&l->call, text);
  mote_snprintf(call, sizeof call, "CALL %s %u", text, (unsigned)l->call.port);
  return mote_pp_say(t, &l->pp, call);
}

/* ---- the greeting ---- */

static CURLcode take_banner(struct mote_transfer *t, struct login *l, struct mote_slice line)
{
  bool upgrade = t->run->request.scheme->tls == MOTE_SECURE_LATER;
  return is(line, "HELLO") ? mote_pp_go(&l->pp, upgrade ? LOGIN_STARTTLS : LOGIN_LOGIN) : weird(t, line);
}

/* mote_dial_upgrade() refuses bytes that came ahead of TLS. */
static CURLcode take_starttls(struct mote_transfer *t, struct login *l, struct mote_slice line)
{
  return is(line, "OK") ? mote_pp_go(&l->pp, LOGIN_UPGRADE) : refused(t, l, line, CURLE_USE_SSL_FAILED);
}

static CURLcode upgrade(struct mote_transfer *t, struct login *l)
{
  CURLcode rc = mote_dial_upgrade(t);
  return rc ? rc : mote_pp_go(&l->pp, LOGIN_LOGIN);
}

static CURLcode take_login(struct mote_transfer *t, struct login *l, struct mote_slice line)
{
  return is(line, "OK") ? mote_pp_go(&l->pp, LOGIN_GREETED) : refused(t, l, line, CURLE_LOGIN_DENIED);
}

/* ---- the data ---- */

static CURLcode ask_for_file(const struct mote_transfer *t, struct login *l)
{
  return mote_pp_go(&l->pp, is_put(t) ? LOGIN_PUT : LOGIN_GET);
}

static CURLcode ask_for_data(const struct mote_transfer *t, struct login *l)
{
  bool active = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST) != NULL;
  return active ? mote_pp_go(&l->pp, LOGIN_LISTEN) : ask_for_file(t, l);
}

/* From here on DONE may come, or NO, at any time. */
static CURLcode go_with_data(struct login *l, enum login_stage stage)
{
  (void)mote_pp_go(&l->pp, stage);
  l->pp.listens = !l->done;
  return CURLE_OK;
}

static CURLcode take_port(struct mote_transfer *t, struct login *l, struct mote_slice line)
{
  struct mote_slice digits;
  uint64_t port;
  if(l->call.family && is(line, "GO"))
    return go_with_data(l, LOGIN_OPEN);
  if(l->call.family || !begins(line, "PORT", &digits))
    return refused(t, l, line, l->pp.stage == LOGIN_GET ? CURLE_REMOTE_FILE_NOT_FOUND : CURLE_UPLOAD_FAILED);
  if(!mote_parse_dec(digits, 65535, &port) || !port)
    return weird(t, line);
  l->port = (uint16_t)port;
  return go_with_data(l, LOGIN_OPEN);
}

static CURLcode take_size(struct mote_transfer *t, struct login *l, struct mote_slice line)
{
  struct mote_slice digits;
  uint64_t size;
  if(!begins(line, "OK", &digits))
    return refused(t, l, line, CURLE_REMOTE_FILE_NOT_FOUND);
  if(!mote_parse_dec(digits, INT64_MAX, &size))
    return weird(t, line);
  t->run->response.size_down = (curl_off_t)size;
  l->pp.at_rest = t->run->request.method == MOTE_METHOD_HEAD;
  return l->pp.at_rest ? mote_pp_go(&l->pp, LOGIN_OVER) : ask_for_data(t, l);
}

static CURLcode take_call(struct mote_transfer *t, struct login *l, struct mote_slice line)
{
  return is(line, "OK") ? ask_for_file(t, l) : refused(t, l, line, CURLE_FTP_PORT_FAILED);
}

/* What the server says while the data moves, or after that. */
static CURLcode take_done(struct mote_transfer *t, struct login *l, struct mote_slice line)
{
  if(!is(line, "DONE"))
    return refused(t, l, line, is_put(t) ? CURLE_UPLOAD_FAILED : CURLE_PARTIAL_FILE);
  l->done = true;
  return go_with_data(l, l->pp.stage);
}

static CURLcode listen_for_data(struct mote_transfer *t, struct login *l, mote_time now)
{
  CURLcode rc = mote_data_listen(t, &l->data, mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST),
                                 mote_conn_has_tls(control(t)), now, &l->call);
  if(rc && rc != CURLE_AGAIN)
    l->pp.at_rest = true; /* the server still waits for a command */
  return rc ? rc : mote_pp_go(&l->pp, LOGIN_CALL);
}

static CURLcode open_data(struct mote_transfer *t, struct login *l, mote_time now)
{
  struct mote_addr to = {.family = MOTE_FAMILY_NONE}; /* the server itself */
  CURLcode rc = CURLE_OK;
  to.port = l->port;
  if(!l->data)
    rc = mote_data_open(t, &l->data, &to, mote_conn_has_tls(control(t)));
  if(!rc)
    rc = mote_data_step(t, l->data, now);
  if(rc)
    return rc;
  mote_conn_look_again(l->data);
  return go_with_data(l, is_put(t) ? LOGIN_SEND : LOGIN_RECEIVE);
}

static CURLcode receive(struct mote_transfer *t, struct login *l, mote_time now)
{
  curl_off_t left = -1;
  CURLcode rc = mote_body_receive(t, l->data, &left, NULL, now);
  if(rc)
    return rc;
  mote_data_close(t, &l->data);
  if(t->run->stats.bytes_down == t->run->response.size_down)
    return go_with_data(l, LOGIN_LAST);
  mote_fail(&t->report, "The file has another size than the server has announced");
  return CURLE_PARTIAL_FILE;
}

static CURLcode send_data(struct mote_transfer *t, struct login *l, mote_time now)
{
  CURLcode rc = mote_body_send(t, l->data, now);
  return rc ? rc : go_with_data(l, LOGIN_FINISH);
}

static CURLcode finish_sending(struct mote_transfer *t, struct login *l, mote_time now)
{
  CURLcode rc = mote_data_finish(l->data);
  if(rc)
    return rc;
  mote_mark_set(&t->run->stats, MOTE_MARK_POSTTRANSFER, now);
  return go_with_data(l, LOGIN_LAST);
}

/* The data connection of an upload has waited for the reply. */
static CURLcode wait_for_done(struct mote_transfer *t, struct login *l)
{
  if(!l->done)
    return mote_pp_expect(&l->pp, LOGIN_LAST);
  mote_data_close(t, &l->data);
  l->pp.at_rest = true;
  return mote_pp_go(&l->pp, LOGIN_OVER);
}

/* ---- the row of commands ---- */

static CURLcode login_ask(struct mote_transfer *t, struct mote_pp *pp, mote_time now)
{
  struct login *l = login_of(t);
  switch(pp->stage) {
  case LOGIN_HELLO:
    return mote_pp_expect(pp, LOGIN_HELLO);
  case LOGIN_STARTTLS:
    return mote_pp_say(t, pp, "STARTTLS");
  case LOGIN_UPGRADE:
    return upgrade(t, l);
  case LOGIN_LOGIN:
    return send_login(t, l);
  case LOGIN_SIZE:
    return send_file(t, l, "SIZE");
  case LOGIN_LISTEN:
    return listen_for_data(t, l, now);
  case LOGIN_CALL:
    return send_call(t, l);
  case LOGIN_GET:
    return send_file(t, l, "GET");
  case LOGIN_PUT:
    return send_file(t, l, "PUT");
  case LOGIN_OPEN:
    return open_data(t, l, now);
  case LOGIN_RECEIVE:
    return receive(t, l, now);
  case LOGIN_SEND:
    return send_data(t, l, now);
  case LOGIN_FINISH:
    return finish_sending(t, l, now);
  default:
    return wait_for_done(t, l);
  }
}

static CURLcode login_line(struct mote_transfer *t, struct mote_pp *pp, struct mote_slice line)
{
  struct login *l = login_of(t);
  switch(pp->stage) {
  case LOGIN_HELLO:
    return take_banner(t, l, line);
  case LOGIN_STARTTLS:
    return take_starttls(t, l, line);
  case LOGIN_LOGIN:
    return take_login(t, l, line);
  case LOGIN_SIZE:
    return take_size(t, l, line);
  case LOGIN_CALL:
    return take_call(t, l, line);
  case LOGIN_GET:
  case LOGIN_PUT:
    return take_port(t, l, line);
  default:
    return take_done(t, l, line);
  }
}

static const struct mote_pp_row login_row = {
  .ask = login_ask, .line = login_line, .line_most = LOGIN_LINE_MOST,
};

/* ---- the row of the protocol ---- */

static CURLcode login_prepare(struct mote_transfer *t)
{
  return mote_source_open(t);
}

static CURLcode login_greet(struct mote_transfer *t, mote_time now)
{
  struct login *l = login_of(t);
  CURLcode rc = mote_pp_step(t, &l->pp, &login_row, now, LOGIN_GREETED);
  l->pp.at_rest = !rc;
  return rc;
}

static CURLcode login_begin(struct mote_transfer *t)
{
  struct login *l = login_of(t);
  l->call.family = MOTE_FAMILY_NONE;
  l->done = false;
  return is_put(t) ? ask_for_data(t, l) : mote_pp_go(&l->pp, LOGIN_SIZE);
}

static CURLcode login_step(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_pp_step(t, &login_of(t)->pp, &login_row, now, LOGIN_OVER);
  return rc ? rc : mote_sink_finish(t);
}

/* A connection whose server waits for a command is kept, whatever became of the last one. */
static void login_end(struct mote_transfer *t, CURLcode rc)
{
  (void)rc;
  mote_data_close(t, &login_of(t)->data);
  mote_pp_end(t);
}

static const struct mote_driver login_driver = {.name = "login", .goodbye = mote_pp_quit};

const struct mote_protocol mote_protocol_login = {
  .name = "login",
  .conn_size = sizeof(struct login),
  .driver = &login_driver,
  .login = mote_identity_put_login,
  .prepare = login_prepare,
  .greet = login_greet,
  .begin = login_begin,
  .step = login_step,
  .end = login_end,
};
