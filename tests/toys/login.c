/* tests/toys/login.c: one exchange over a control and a data connection, the greeting before it, and the
 * goodbye after all of them (tests/toys/login.h). */
#include "login.h"

#include <string.h>

#include "base/format.h"
#include "codec/percent.h"
#include "codec/url.h"
#include "connect/data.h"
#include "connect/dial.h"
#include "net/address.h"
#include "net/conn.h"
#include "port/port.h"
#include "transfer/identity.h"
#include "transfer/multi.h"
#include "transfer/progress.h"
#include "transfer/protocol.h"
#include "transfer/sink.h"
#include "transfer/source.h"

#define MOVES_PER_STEP 16 /* then other transfers get their turn */
#define COMMAND_MOST 1024 /* bytes, the smallest CURLOPT_BUFFERSIZE */

static struct mote_conn *control(struct mote_transfer *t)
{
  return t->run->channel.conn;
}

static struct login *login_of(struct mote_transfer *t)
{
  return mote_conn_state(control(t));
}

static struct login_exchange *exchange_of(struct mote_transfer *t)
{
  return t->run->channel.state;
}

static bool is_put(struct mote_transfer *t)
{
  return t->run->request.method == MOTE_METHOD_PUT;
}

static char *buffer_of(struct mote_transfer *t)
{
  return mote_schedule_buffer(t->multi, (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE));
}

static CURLcode next(struct login *l, enum login_stage stage)
{
  l->stage = (uint8_t)stage;
  l->asked = false;
  return CURLE_OK;
}

/* ---- replies ---- */

static CURLcode weird(struct mote_transfer *t, const char *line)
{
  mote_fail(&t->report, "The server's reply is not understood: %s", line);
  return CURLE_WEIRD_SERVER_REPLY;
}

/* Takes the first line of these bytes, without its end. CURLE_AGAIN: it is not whole. */
static CURLcode take_line(struct mote_transfer *t, const char *bytes, size_t len, char line[LOGIN_LINE])
{
  const char *end = memchr(bytes, '\n', len < LOGIN_LINE ? len : LOGIN_LINE);
  if(!end)
    return len < LOGIN_LINE ? CURLE_AGAIN : weird(t, "a line that is too long");
  memcpy(line, bytes, (size_t)(end - bytes));
  line[end - bytes] = 0;
  mote_conn_take(control(t), (size_t)(end - bytes) + 1);
  return CURLE_OK;
}

static CURLcode settle(struct mote_transfer *t, CURLcode rc)
{
  CURLcode held = mote_conn_hold(control(t), 2 * LOGIN_LINE, NULL, 0);
  return held && (!rc || rc == CURLE_AGAIN) ? held : rc;
}

/* Bytes of the reply that came with an earlier one are first. CURLE_AGAIN: wait. */
static CURLcode read_line(struct mote_transfer *t, char line[LOGIN_LINE])
{
  struct mote_conn *c = control(t);
  char *buffer = buffer_of(t), *bytes;
  CURLcode rc = CURLE_AGAIN;
  size_t len;
  bool end = false;
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  if(mote_conn_held(c)) {
    len = mote_conn_lend_held(c, buffer, &bytes);
    rc = settle(t, take_line(t, bytes, len, line));
  }
  mote_conn_clear_events(c);
  while(rc == CURLE_AGAIN && !end) {
    rc = mote_conn_read(c, buffer, mote_schedule_buffer_size(t->multi), LOGIN_LINE, &bytes, &len, &end);
    if(rc)
      return rc == CURLE_AGAIN && mote_conn_want(c, MOTE_WANT_IN) ? CURLE_OUT_OF_MEMORY : rc;
    t->run->response.got_bytes = !end && t->state == MOTE_STATE_EXCHANGE;
    rc = end ? CURLE_RECV_ERROR : settle(t, take_line(t, bytes, len, line));
  }
  if(end)
    mote_fail(&t->report, "The server has closed the control connection");
  return rc;
}

/* ---- commands ---- */

static CURLcode send_kept(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_kept *k = t->run->unsent;
  while(k && k->at < k->len) {
    size_t n;
    CURLcode rc = mote_conn_send(c, k->bytes + k->at, k->len - k->at, &n);
    if(rc == CURLE_AGAIN && mote_conn_want(c, MOTE_WANT_OUT))
      return CURLE_OUT_OF_MEMORY;
    if(rc)
      return rc;
    k->at += (uint32_t)n;
  }
  mote_kept_free(t, k);
  t->run->unsent = NULL;
  return CURLE_OK;
}

/* Sends what is in the multi's buffer, or keeps what is left over. CURLE_AGAIN: it did. */
static CURLcode send_or_keep(struct mote_transfer *t, struct mote_conn *c, const char *bytes, size_t len)
{
  struct mote_kept *k;
  size_t n = 0;
  CURLcode rc = mote_conn_send(c, bytes, len, &n);
  if(rc == CURLE_AGAIN)
    n = 0;
  else if(rc || n == len)
    return rc;
  k = mote_kept_new(t, len - n);
  if(!k)
    return CURLE_OUT_OF_MEMORY;
  memcpy(k->bytes, bytes + n, len - n);
  k->len = (uint32_t)(len - n);
  t->run->unsent = k;
  return mote_conn_want(c, MOTE_WANT_OUT) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
}

static CURLcode send_command(struct mote_transfer *t, const char *command, size_t len)
{
  login_of(t)->asked = true;
  login_of(t)->at_rest = false;
  return send_or_keep(t, control(t), command, len);
}

static CURLcode too_long(struct mote_transfer *t)
{
  mote_fail(&t->report, "The command is longer than %d bytes", COMMAND_MOST);
  return CURLE_TOO_LARGE;
}

/* Decodes a part of the URL, or copies an option, to `at`. NULL: it does not fit, or would end the word. */
static char *put_word(char *at, const char *end, struct mote_slice word, bool coded)
{
  size_t len = word.len, i;
  if(len > (size_t)(end - at))
    return NULL;
  if(!coded)
    memcpy(at, word.ptr, len);
  else if(mote_percent_decode(word, MOTE_PERCENT_REJECT_CTRL, at, (size_t)(end - at), &len))
    return NULL;
  for(i = 0; i < len; i++)
    if((unsigned char)at[i] <= ' ')
      return NULL;
  return at + len;
}

/* The options take precedence over the URL. */
static CURLcode command_login(struct mote_transfer *t)
{
  struct mote_slice word[2] = {{"anonymous", 9}, {"guest", 5}};
  const char *given[2] = {mote_opt_str(&t->options, CURLOPT_USERNAME),
                          mote_opt_str(&t->options, CURLOPT_PASSWORD)};
  bool coded = !given[0] && mote_url_packed_login(&t->run->request.url, &word[0], &word[1]);
  char *buffer = buffer_of(t), *at = buffer, *end = buffer + COMMAND_MOST - 1;
  int i;
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  memcpy(at, "LOGIN", 5);
  at += 5;
  for(i = 0; i < 2; i++) {
    *at++ = ' ';
    if(!coded && given[i])
      word[i] = mote_slice_of(given[i]);
    at = put_word(at, end - 1, word[i], coded);
    if(!at) {
      mote_fail(&t->report, "User or password cannot be sent by this protocol");
      return CURLE_LOGIN_DENIED;
    }
  }
  *at++ = '\n';
  return send_command(t, buffer, (size_t)(at - buffer));
}

static CURLcode command_file(struct mote_transfer *t, const char *verb)
{
  char *buffer = buffer_of(t);
  struct mote_slice path;
  struct mote_url url;
  int n;
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  mote_url_unpack(&t->run->request.url, &url);
  path = mote_url_get(&url, MOTE_URL_PATH);
  if(path.len + strlen(verb) + 2 > COMMAND_MOST)
    return too_long(t);
  n = mote_snprintf(buffer, COMMAND_MOST, "%s %.*s\n", verb, (int)path.len - 1, path.ptr + 1);
  return send_command(t, buffer, (size_t)n);
}

static CURLcode command_call(struct mote_transfer *t)
{
  char *buffer = buffer_of(t), text[MOTE_ADDR_TEXT_MAX];
  const struct mote_addr *call = &exchange_of(t)->call;
  int n;
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  mote_addr_print(call, text);
  n = mote_snprintf(buffer, COMMAND_MOST, "CALL %s %u\n", text, (unsigned)call->port);
  return send_command(t, buffer, (size_t)n);
}

static CURLcode send_stage(struct mote_transfer *t, const struct login *l)
{
  switch(l->stage) {
  case LOGIN_STARTTLS:
    return send_command(t, "STARTTLS\n", 9);
  case LOGIN_LOGIN:
    return command_login(t);
  case LOGIN_SIZE:
    return command_file(t, "SIZE");
  case LOGIN_CALL:
    return command_call(t);
  case LOGIN_GET:
    return command_file(t, "GET");
  case LOGIN_PUT:
    return command_file(t, "PUT");
  default:
    return CURLE_OK; /* the server speaks first */
  }
}

/* Sends the stage's command, once, and reads the reply. */
static CURLcode ask(struct mote_transfer *t, struct login *l, char line[LOGIN_LINE])
{
  CURLcode rc = l->asked ? send_kept(t, control(t)) : send_stage(t, l);
  return rc ? rc : read_line(t, line);
}

/* The server waits for the next command after its refusal. */
static CURLcode refused(struct mote_transfer *t, struct login *l, const char *line, CURLcode rc)
{
  if(strcmp(line, "NO") && strncmp(line, "NO ", 3))
    return weird(t, line);
  l->at_rest = true;
  mote_fail(&t->report, "The server has refused: %s", line);
  return rc;
}

/* ---- the greeting ---- */

static CURLcode greet_once(struct mote_transfer *t, struct login *l)
{
  bool upgrade = t->run->request.scheme->tls == MOTE_SECURE_LATER;
  char line[LOGIN_LINE];
  CURLcode rc;
  if(l->stage == LOGIN_UPGRADE) {
    rc = mote_dial_upgrade(t);
    return rc ? rc : next(l, LOGIN_LOGIN);
  }
  rc = ask(t, l, line);
  if(rc)
    return rc;
  if(l->stage == LOGIN_HELLO)
    return strcmp(line, "HELLO") ? weird(t, line) : next(l, upgrade ? LOGIN_STARTTLS : LOGIN_LOGIN);
  if(strcmp(line, "OK"))
    return refused(t, l, line, l->stage == LOGIN_STARTTLS ? CURLE_USE_SSL_FAILED : CURLE_LOGIN_DENIED);
  return next(l, l->stage == LOGIN_STARTTLS ? LOGIN_UPGRADE : LOGIN_GREETED);
}

static CURLcode login_greet(struct mote_transfer *t, mote_time now)
{
  struct login *l = login_of(t);
  CURLcode rc = CURLE_OK;
  (void)now;
  while(!rc && l->stage != LOGIN_GREETED)
    rc = greet_once(t, l);
  l->at_rest = !rc;
  return rc;
}

/* ---- the data ---- */

static CURLcode ask_for_file(struct mote_transfer *t, struct login *l)
{
  return next(l, is_put(t) ? LOGIN_PUT : LOGIN_GET);
}

static CURLcode ask_for_data(struct mote_transfer *t, struct login *l)
{
  bool active = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST) != NULL;
  return active ? next(l, LOGIN_LISTEN) : ask_for_file(t, l);
}

static CURLcode take_port(struct mote_transfer *t, struct login *l, const char *line)
{
  struct mote_slice digits = {line + 5, 0};
  uint64_t port;
  if(exchange_of(t)->call.family && !strcmp(line, "GO"))
    return next(l, LOGIN_OPEN);
  if(exchange_of(t)->call.family || strncmp(line, "PORT ", 5))
    return refused(t, l, line, l->stage == LOGIN_GET ? CURLE_REMOTE_FILE_NOT_FOUND : CURLE_UPLOAD_FAILED);
  digits.len = strlen(digits.ptr);
  if(!mote_parse_dec(digits, 65535, &port) || !port)
    return weird(t, line);
  exchange_of(t)->port = (uint16_t)port;
  return next(l, LOGIN_OPEN);
}

static CURLcode take_size(struct mote_transfer *t, struct login *l, const char *line)
{
  struct mote_slice digits = {line + 3, 0};
  uint64_t size;
  if(strncmp(line, "OK ", 3))
    return refused(t, l, line, CURLE_REMOTE_FILE_NOT_FOUND);
  digits.len = strlen(digits.ptr);
  if(!mote_parse_dec(digits, INT64_MAX, &size))
    return weird(t, line);
  t->run->response.size_down = (curl_off_t)size;
  l->at_rest = t->run->request.method == MOTE_METHOD_HEAD;
  return l->at_rest ? next(l, LOGIN_OVER) : ask_for_data(t, l);
}

/* What the server says while the data moves. CURLE_OK: nothing, or that it is done. */
static CURLcode hear(struct mote_transfer *t, struct login_exchange *x)
{
  struct mote_conn *c = control(t);
  char line[LOGIN_LINE];
  CURLcode rc;
  if(x->done)
    return CURLE_OK;
  rc = read_line(t, line);
  if(rc)
    return rc == CURLE_AGAIN ? CURLE_OK : rc;
  if(strcmp(line, "DONE"))
    return refused(t, login_of(t), line, is_put(t) ? CURLE_UPLOAD_FAILED : CURLE_PARTIAL_FILE);
  x->done = true;
  return mote_conn_want(c, 0);
}

static CURLcode open_data(struct mote_transfer *t, struct login *l, mote_time now)
{
  struct login_exchange *x = exchange_of(t);
  struct mote_addr to = {.family = MOTE_FAMILY_NONE}; /* the server itself */
  CURLcode rc = CURLE_OK;
  to.port = x->port;
  if(!x->data)
    rc = mote_data_open(t, &x->data, &to, mote_conn_has_tls(control(t)), now);
  if(!rc)
    rc = mote_data_step(t, x->data, now);
  if(rc)
    return rc;
  return next(l, is_put(t) ? LOGIN_SEND : LOGIN_RECEIVE);
}

static CURLcode listen_for_data(struct mote_transfer *t, struct login *l, mote_time now)
{
  struct login_exchange *x = exchange_of(t);
  CURLcode rc = mote_data_listen(t, &x->data, mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST),
                                 mote_conn_has_tls(control(t)), now, &x->call);
  if(rc && rc != CURLE_AGAIN)
    l->at_rest = true; /* the server still waits for a command */
  return rc ? rc : next(l, LOGIN_CALL);
}

static CURLcode take_call(struct mote_transfer *t, struct login *l, const char *line)
{
  return strcmp(line, "OK") ? refused(t, l, line, CURLE_FTP_PORT_FAILED) : ask_for_file(t, l);
}

/* What the reply to a command makes of it. */
static CURLcode take_reply(struct mote_transfer *t, struct login *l, const char *line)
{
  if(l->stage == LOGIN_SIZE)
    return take_size(t, l, line);
  return l->stage == LOGIN_CALL ? take_call(t, l, line) : take_port(t, l, line);
}

/* Waits for the data connection, unless the direction is paused or over its speed limit. */
static CURLcode wait_for(struct mote_conn *data, struct mote_direction held, unsigned interest)
{
  CURLcode rc = mote_conn_want(data, held.paused || held.limited ? 0 : interest);
  return rc ? rc : CURLE_AGAIN;
}

static CURLcode received_all(struct mote_transfer *t, struct login *l, struct login_exchange *x)
{
  const struct mote_run *r = t->run;
  mote_data_close(t, &x->data);
  if(r->stats.bytes_down != r->response.size_down) {
    mote_fail(&t->report, "The file has another size than the server has announced");
    return CURLE_PARTIAL_FILE;
  }
  return next(l, LOGIN_LAST);
}

static CURLcode receive_once(struct mote_transfer *t, struct login *l, mote_time now)
{
  struct login_exchange *x = exchange_of(t);
  struct mote_run *r = t->run;
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t most = size < CURL_MAX_WRITE_SIZE ? size : CURL_MAX_WRITE_SIZE, n, used;
  char *buffer = buffer_of(t);
  CURLcode rc;
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  if(r->flow.recv.paused)
    return wait_for(x->data, r->flow.recv, MOTE_WANT_IN);
  rc = mote_sink_resume(t);
  most = rc ? 0 : mote_speed_allow_down(t, now, most);
  r->flow.recv.limited = !most;
  if(!rc && most)
    rc = mote_conn_receive(x->data, buffer, most, &n);
  if(rc == CURLE_AGAIN || (!rc && !most))
    return wait_for(x->data, r->flow.recv, MOTE_WANT_IN);
  if(rc)
    return rc;
  if(!n)
    return received_all(t, l, x);
  if(!r->stats.mark[MOTE_MARK_STARTTRANSFER])
    mote_mark_set(&r->stats, MOTE_MARK_STARTTRANSFER, now);
  mote_speed_passed_down(t, n);
  rc = mote_sink_body(t, buffer, n, &used);
  return rc == CURLE_AGAIN ? wait_for(x->data, r->flow.recv, MOTE_WANT_IN) : rc;
}

static CURLcode send_once(struct mote_transfer *t, struct login *l, mote_time now)
{
  struct login_exchange *x = exchange_of(t);
  struct mote_run *r = t->run;
  struct mote_piece p;
  CURLcode rc = send_kept(t, x->data);
  if(rc)
    return rc;
  if(r->flow.send.paused)
    return wait_for(x->data, r->flow.send, MOTE_WANT_OUT);
  p.room = buffer_of(t);
  if(!p.room)
    return CURLE_OUT_OF_MEMORY;
  p.most = mote_speed_allow_up(t, now, (size_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE));
  r->flow.send.limited = !p.most;
  rc = p.most ? mote_source_read(t, &p) : CURLE_AGAIN;
  if(rc == CURLE_AGAIN)
    return wait_for(x->data, r->flow.send, MOTE_WANT_OUT);
  if(rc)
    return rc;
  if(p.end)
    next(l, LOGIN_FINISH);
  if(!p.len)
    return CURLE_OK;
  r->stats.bytes_up += (curl_off_t)p.len;
  mote_speed_passed_up(t, p.len);
  return send_or_keep(t, x->data, p.bytes, p.len);
}

static CURLcode finish_sending(struct mote_transfer *t, struct login *l)
{
  struct login_exchange *x = exchange_of(t);
  CURLcode rc = send_kept(t, x->data);
  if(!rc)
    rc = mote_data_finish(x->data);
  if(rc)
    return rc;
  mote_mark_set(&t->run->stats, MOTE_MARK_POSTTRANSFER, mote_port_now());
  return next(l, LOGIN_LAST);
}

/* The data connection of an upload has waited for the reply. */
static CURLcode wait_for_done(struct mote_transfer *t, struct login *l)
{
  struct login_exchange *x = exchange_of(t);
  CURLcode rc = t->run->paused ? mote_sink_resume(t) : CURLE_OK;
  if(rc)
    return rc;
  if(!x->done)
    return CURLE_AGAIN; /* hear() has looked */
  mote_data_close(t, &x->data);
  l->at_rest = true;
  return next(l, LOGIN_OVER);
}

/* ---- an exchange ---- */

static CURLcode move(struct mote_transfer *t, struct login *l, mote_time now)
{
  char line[LOGIN_LINE];
  CURLcode rc;
  switch(l->stage) {
  case LOGIN_LISTEN:
    return listen_for_data(t, l, now);
  case LOGIN_OPEN:
    return open_data(t, l, now);
  case LOGIN_RECEIVE:
    return receive_once(t, l, now);
  case LOGIN_SEND:
    return send_once(t, l, now);
  case LOGIN_FINISH:
    return finish_sending(t, l);
  case LOGIN_LAST:
    return wait_for_done(t, l);
  default:
    rc = ask(t, l, line);
    if(rc)
      return rc;
    return take_reply(t, l, line);
  }
}

static CURLcode login_step(struct mote_transfer *t, mote_time now)
{
  struct login *l = login_of(t);
  CURLcode rc = CURLE_OK;
  int moves;
  for(moves = 0; !rc && l->stage != LOGIN_OVER; moves++) {
    if(moves == MOVES_PER_STEP) {
      mote_transfer_wake(t);
      return CURLE_AGAIN;
    }
    if(l->stage >= LOGIN_OPEN)
      rc = hear(t, exchange_of(t));
    if(!rc)
      rc = move(t, l, now);
  }
  return rc ? rc : mote_sink_finish(t);
}

static CURLcode login_prepare(struct mote_transfer *t)
{
  return mote_source_open(t);
}

static CURLcode login_begin(struct mote_transfer *t)
{
  return is_put(t) ? ask_for_data(t, login_of(t)) : next(login_of(t), LOGIN_SIZE);
}

/* A connection whose server waits for a command is kept, whatever became of the last one. */
static void login_end(struct mote_transfer *t, CURLcode rc)
{
  struct mote_conn *c = control(t);
  (void)rc;
  if(exchange_of(t))
    mote_data_close(t, &exchange_of(t)->data);
  mote_conn_set_reusable(c, login_of(t)->at_rest && !mote_conn_held(c) && !mote_conn_at_end(c));
}

/* ---- the goodbye ---- */

/* Says QUIT and waits for the line that answers it. */
static CURLcode login_goodbye(struct mote_conn *c)
{
  static const char quit[] = "QUIT\n";
  struct login *l = mote_conn_state(c);
  char got[32];
  size_t n;
  CURLcode rc = l->at_rest || l->quit ? CURLE_OK : CURLE_SEND_ERROR;
  while(!rc && l->at_rest && l->quit < sizeof quit - 1) {
    rc = mote_conn_send(c, quit + l->quit, sizeof quit - 1 - l->quit, &n);
    l->quit = (uint8_t)(l->quit + (rc ? 0 : n));
  }
  if(rc == CURLE_AGAIN)
    return mote_conn_want(c, MOTE_WANT_OUT) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
  while(!rc && l->at_rest) {
    rc = mote_conn_receive(c, got, sizeof got, &n);
    if(!rc && (!n || memchr(got, '\n', n)))
      l->at_rest = false;
  }
  if(rc == CURLE_AGAIN)
    return mote_conn_want(c, MOTE_WANT_IN) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
  l->at_rest = false;
  return rc;
}

static const struct mote_driver login_driver = {.name = "login", .goodbye = login_goodbye};

const struct mote_protocol mote_protocol_login = {
  .name = "login",
  .conn_size = sizeof(struct login),
  .channel_size = sizeof(struct login_exchange),
  .driver = &login_driver,
  .login = mote_identity_put_login,
  .prepare = login_prepare,
  .greet = login_greet,
  .begin = login_begin,
  .step = login_step,
  .end = login_end,
};
