/* tests/toys/login.c: one exchange over a control and a data connection, the greeting before it, and the
 * goodbye after all of them (tests/toys/login.h). */
#include "login.h"

#include <string.h>

#include "base/out.h"
#include "base/text/format.h"
#include "codec/url/url.h"
#include "connect/data/data.h"
#include "connect/dial/dial.h"
#include "connect/identity.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/driver.h"
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
static CURLcode refused(struct mote_transfer *t, struct mote_slice line, CURLcode rc)
{
  struct mote_slice rest;
  if(!begins(line, "NO", &rest))
    return weird(t, line);
  login_of(t)->talk.at_rest = true;
  mote_fail(&t->report, "The server has refused: %.*s", (int)line.len, line.ptr);
  return rc;
}

/* ---- commands ---- */

/* False: it would end the word, or begin another. */
static bool put_word(struct mote_out *out, struct mote_slice word, bool coded)
{
  size_t i;
  mote_talk_text(out, " ");
  i = out->len;
  mote_talk_word(out, word, coded);
  for(; i < out->len; i++)
    if((unsigned char)out->ptr[i] <= ' ')
      return false;
  return true;
}

/* The options take precedence over the URL. */
static CURLcode send_login(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_slice word[2] = {{"anonymous", 9}, {"guest", 5}};
  const char *given[2] = {mote_opt_str(&t->options, CURLOPT_USERNAME),
                          mote_opt_str(&t->options, CURLOPT_PASSWORD)};
  bool coded = !given[0] && mote_url_packed_login(&t->run->request.url, &word[0], &word[1]);
  struct mote_out out;
  int i;
  for(i = 0; i < 2; i++)
    if(!coded && given[i])
      word[i] = mote_slice_of(given[i]);
  mote_talk_begin(t, talk, &out);
  mote_talk_text(&out, "LOGIN");
  if(put_word(&out, word[0], coded) && put_word(&out, word[1], coded))
    return mote_talk_send(t, talk, &out);
  return mote_talk_failed(t, CURLE_LOGIN_DENIED, "User or password cannot be sent by this protocol");
}

/* SIZE, GET or PUT. */
static CURLcode send_file(struct mote_transfer *t, struct mote_talk *talk)
{
  const char *verb = talk->stage == LOGIN_SIZE ? "SIZE" : talk->stage == LOGIN_GET ? "GET" : "PUT";
  struct mote_slice path;
  struct mote_url url;
  mote_url_unpack(&t->run->request.url, &url);
  path = mote_url_get(&url, MOTE_URL_PATH);
  mote_slice_skip(&path, 1);
  return mote_talk_say_word(t, talk, verb, path, false);
}

static CURLcode send_call(struct mote_transfer *t, struct mote_talk *talk)
{
  const struct login *l = login_of(t);
  char address[MOTE_ADDR_TEXT_MAX];
  struct mote_out out;
  mote_addr_print(&l->call, address);
  mote_talk_begin(t, talk, &out);
  mote_out_format(&out, "CALL %s %u", address, (unsigned)l->call.port);
  return mote_talk_send(t, talk, &out);
}

/* ---- the greeting ---- */

static CURLcode take_banner(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  if(!is(r->line, "HELLO"))
    return weird(t, r->line);
  return t->run->request.scheme->tls == MOTE_SECURE_LATER ? CURLE_OK : mote_talk_go(talk, LOGIN_LOGIN);
}

/* mote_dial_upgrade() refuses bytes that came ahead of TLS. */
static CURLcode take_starttls(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  (void)talk;
  return is(r->line, "OK") ? CURLE_OK : refused(t, r->line, CURLE_USE_SSL_FAILED);
}

static CURLcode upgrade(struct mote_transfer *t, struct mote_talk *talk)
{
  (void)talk;
  return mote_dial_upgrade(t);
}

static CURLcode take_login(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  (void)talk;
  return is(r->line, "OK") ? CURLE_OK : refused(t, r->line, CURLE_LOGIN_DENIED);
}

/* ---- the data ---- */

static CURLcode ask_for_data(const struct mote_transfer *t, struct mote_talk *talk)
{
  bool active = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST) != NULL;
  return mote_talk_go(talk, active ? LOGIN_LISTEN : is_put(t) ? LOGIN_PUT : LOGIN_GET);
}

/* From here on DONE may come, or NO, at any time. */
static CURLcode go_with_data(struct login *l, enum login_stage stage)
{
  return l->done ? mote_talk_go(&l->talk, stage) : mote_talk_go_listening(&l->talk, stage);
}

static CURLcode take_port(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct login *l = login_of(t);
  struct mote_slice digits;
  uint64_t port;
  if(l->call.family && is(r->line, "GO"))
    return go_with_data(l, LOGIN_OPEN);
  if(l->call.family || !begins(r->line, "PORT", &digits))
    return refused(t, r->line, talk->stage == LOGIN_GET ? CURLE_REMOTE_FILE_NOT_FOUND : CURLE_UPLOAD_FAILED);
  if(!mote_parse_dec(digits, 65535, &port) || !port)
    return weird(t, r->line);
  l->port = (uint16_t)port;
  return go_with_data(l, LOGIN_OPEN);
}

static CURLcode take_size(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_slice digits;
  uint64_t size;
  if(!begins(r->line, "OK", &digits))
    return refused(t, r->line, CURLE_REMOTE_FILE_NOT_FOUND);
  if(!mote_parse_dec(digits, INT64_MAX, &size))
    return weird(t, r->line);
  t->run->response.size_down = (curl_off_t)size;
  talk->at_rest = t->run->request.method == MOTE_METHOD_HEAD;
  return talk->at_rest ? mote_talk_go(talk, LOGIN_OVER) : ask_for_data(t, talk);
}

static CURLcode take_call(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  if(!is(r->line, "OK"))
    return refused(t, r->line, CURLE_FTP_PORT_FAILED);
  return mote_talk_go(talk, is_put(t) ? LOGIN_PUT : LOGIN_GET);
}

/* What the server says while the data moves, or after that. */
static CURLcode judge_end(struct mote_transfer *t, struct mote_slice line)
{
  bool done = is(line, "DONE");
  login_of(t)->done = done;
  return done ? CURLE_OK : refused(t, line, is_put(t) ? CURLE_UPLOAD_FAILED : CURLE_PARTIAL_FILE);
}

static CURLcode take_done(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  CURLcode rc = judge_end(t, r->line);
  return rc ? rc : mote_talk_go(talk, LOGIN_LAST);
}

static CURLcode listen_for_data(struct mote_transfer *t, struct mote_talk *talk)
{
  struct login *l = login_of(t);
  CURLcode rc = mote_data_listen(t, &l->data, mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST),
                                 mote_conn_has_tls(control(t)), talk->now, &l->call);
  if(rc && rc != CURLE_AGAIN)
    talk->at_rest = true; /* the server still waits for a command */
  return rc;
}

static CURLcode open_data(struct mote_transfer *t, struct mote_talk *talk)
{
  struct login *l = login_of(t);
  struct mote_addr to = {.family = MOTE_FAMILY_NONE}; /* the server itself */
  CURLcode rc = CURLE_OK;
  to.port = l->port;
  if(!l->data)
    rc = mote_data_open(t, &l->data, &to, mote_conn_has_tls(control(t)));
  if(!rc)
    rc = mote_data_step(t, l->data, talk->now);
  if(rc)
    return rc;
  mote_conn_look_again(l->data);
  return go_with_data(l, is_put(t) ? LOGIN_SEND : LOGIN_RECEIVE);
}

static CURLcode receive(struct mote_transfer *t, struct mote_talk *talk)
{
  struct login *l = login_of(t);
  curl_off_t left = -1;
  CURLcode rc = mote_body_receive(t, l->data, &left, NULL, talk->now);
  if(rc)
    return rc;
  mote_data_close(t, &l->data);
  if(t->run->stats.bytes_down == t->run->response.size_down)
    return go_with_data(l, LOGIN_LAST);
  return mote_talk_failed(t, CURLE_PARTIAL_FILE, "The file has another size than the server has announced");
}

static CURLcode send_data(struct mote_transfer *t, struct mote_talk *talk)
{
  struct login *l = login_of(t);
  CURLcode rc = mote_body_send(t, l->data, talk->now);
  return rc ? rc : go_with_data(l, LOGIN_FINISH);
}

static CURLcode finish_sending(struct mote_transfer *t, struct mote_talk *talk)
{
  struct login *l = login_of(t);
  CURLcode rc = mote_data_finish(l->data);
  if(rc)
    return rc;
  mote_mark_set(&t->run->stats, MOTE_MARK_POSTTRANSFER, talk->now);
  return go_with_data(l, LOGIN_LAST);
}

/* The data connection of an upload has waited for the reply. */
static CURLcode wait_for_done(struct mote_transfer *t, struct mote_talk *talk)
{
  struct login *l = login_of(t);
  if(!l->done)
    return mote_talk_await(t, talk);
  mote_data_close(t, &l->data);
  talk->at_rest = true;
  return CURLE_OK;
}

/* ---- the conversation ---- */

static const struct mote_stage stages[LOGIN_OVER] = {
  [LOGIN_HELLO] = {"HELLO", mote_talk_await, take_banner, LOGIN_STARTTLS, false},
  [LOGIN_STARTTLS] = {"STARTTLS", NULL, take_starttls, LOGIN_UPGRADE, false},
  [LOGIN_UPGRADE] = {"TLS", upgrade, NULL, LOGIN_LOGIN, false},
  [LOGIN_LOGIN] = {"LOGIN", send_login, take_login, LOGIN_GREETED, false},
  [LOGIN_SIZE] = {"SIZE", send_file, take_size, LOGIN_OVER, false},
  [LOGIN_LISTEN] = {"listen", listen_for_data, NULL, LOGIN_CALL, false},
  [LOGIN_CALL] = {"CALL", send_call, take_call, LOGIN_GET, false},
  [LOGIN_GET] = {"GET", send_file, take_port, LOGIN_OPEN, false},
  [LOGIN_PUT] = {"PUT", send_file, take_port, LOGIN_OPEN, false},
  [LOGIN_OPEN] = {"connect", open_data, NULL, LOGIN_RECEIVE, false},
  [LOGIN_RECEIVE] = {"download", receive, NULL, LOGIN_LAST, false},
  [LOGIN_SEND] = {"upload", send_data, NULL, LOGIN_FINISH, false},
  [LOGIN_FINISH] = {"end of the upload", finish_sending, NULL, LOGIN_LAST, false},
  [LOGIN_LAST] = {"DONE", wait_for_done, take_done, LOGIN_OVER, false},
};

/* Every line is a reply. One that comes while the data moves is the last. */
static CURLcode login_read(struct mote_transfer *t, struct mote_talk *talk, struct mote_reply *r)
{
  r->last = true;
  if(talk->turn != MOTE_TURN_BOTH)
    return CURLE_OK;
  talk->turn = MOTE_TURN_ASK;
  return judge_end(t, r->line);
}

static const struct mote_talk_row login_row = {
  .stages = stages, .read = login_read, .line_most = LOGIN_LINE_MOST,
};

/* ---- the row of the protocol ---- */

static CURLcode login_prepare(struct mote_transfer *t)
{
  return mote_source_open(t);
}

static CURLcode login_greet(struct mote_transfer *t, mote_time now)
{
  return mote_talk_greet(t, &login_of(t)->talk, &login_row, now, LOGIN_GREETED);
}

static CURLcode login_begin(struct mote_transfer *t)
{
  struct login *l = login_of(t);
  l->call.family = MOTE_FAMILY_NONE;
  l->done = false;
  return is_put(t) ? ask_for_data(t, &l->talk) : mote_talk_go(&l->talk, LOGIN_SIZE);
}

static CURLcode login_step(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_talk_step(t, &login_of(t)->talk, &login_row, now, LOGIN_OVER);
  return rc ? rc : mote_sink_finish(t);
}

/* A connection whose server waits for a command is kept, whatever became of the last one. */
static void login_end(struct mote_transfer *t, CURLcode rc)
{
  (void)rc;
  mote_data_close(t, &login_of(t)->data);
  mote_talk_end_exchange(t);
}

static const struct mote_driver login_driver = {.name = "login", .goodbye = mote_talk_quit};

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
