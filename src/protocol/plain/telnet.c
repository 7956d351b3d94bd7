/* protocol/plain/telnet.c: telnet: URLs (RFC 854; CURLOPT_TELNETOPTIONS(3)).
 *
 * What the server sends is the body, and what the read callback gives is sent, both as long as the server
 * keeps the connection. The callback may block, as one does that reads from a terminal. Therefore a step
 * receives first, and the callback is asked only when there is reason to: the application has got bytes, to
 * which it may have an answer; the callback has filled its room, so that more is likely to be at hand; or
 * ASK_AGAIN has passed, in which the server could answer what was sent. 0 bytes of it mean that there is
 * nothing now. The first and the last reason are those of libcurl.
 *
 * Options are negotiated once the server has begun to: binary, no go-ahead, an echo that the server offers,
 * and those of CURLOPT_TELNETOPTIONS. Without a read callback and without CURLOPT_UPLOAD only answers are
 * sent. libcurl reads stdin then, which would block other transfers.
 *
 * Ownership: the state is the connection's, which is not reusable.
 * Errors:    CURLE_UNKNOWN_OPTION, CURLE_SETOPT_OPTION_SYNTAX and CURLE_BAD_FUNCTION_ARGUMENT for
 *            CURLOPT_TELNETOPTIONS, CURLE_TOO_LARGE, those of protocol/body.h.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_telnet.py, tests/unit/protocol/test_telnet_asks.c */
#include <string.h>

#include "codec/telnet.h"
#include "codec/url/percent.h"
#include "http/auth/auth.h"
#include "http/auth/netrc.h"
#include "net/conn.h"
#include "net/stream.h"
#include "port/port.h"
#include "protocol/body.h"
#include "transfer/multi/schedule.h"
#include "transfer/protocol.h"
#include "transfer/report/debug.h"
#include "transfer/upload/source.h"

#define ANSWERS_MOST 1536u  /* bytes of answers before they are sent */
#define ANSWERS_FULL 400u   /* with so many they are sent before more bytes are taken: what is above is room
                               for the answer to one request, and for what the client asks for */
#define TEXT_MOST 240u      /* bytes of a value, or of the user's name */
#define PIECE 8192u         /* bytes that are read from the callback at once */
#define ASK_AGAIN (100 * MOTE_MS) /* after which the callback is asked, whatever the server does */

struct telnet {
  struct mote_telnet_in in;
  struct mote_telnet_options options;
  uint16_t width, height; /* WS=80x24; 0: not set */
  uint16_t answers_len;   /* bytes of answers that are not sent yet */
  bool asked;             /* a request of the server has come */
  bool full;              /* no more bytes are taken before the connection takes the answers */
  bool asks;              /* the read callback is to be asked; else MOTE_TIMER_STATE says when */
  char answers[ANSWERS_MOST];
};

static struct telnet *plain_telnet_state_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

/* ---- CURLOPT_TELNETOPTIONS ---- */

/* Returns the value after "NAME=", or NULL. */
static const char *plain_telnet_value_of(const char *line, const char *name)
{
  size_t len = strlen(name);
  return mote_equal_nocase_n(line, name, len) && line[len] == '=' ? line + len + 1 : NULL;
}

static bool plain_telnet_parse_size(const char *text, uint16_t *width, uint16_t *height)
{
  struct mote_slice s = mote_slice_of(text);
  uint64_t w, h;
  size_t used;
  if(!mote_parse_dec_prefix(s, UINT16_MAX, &w, &used) || (text[used] | 32) != 'x')
    return false;
  mote_slice_skip(&s, used + 1);
  if(!mote_parse_dec(s, UINT16_MAX, &h))
    return false;
  *width = (uint16_t)w;
  *height = (uint16_t)h;
  return true;
}

/* So it cannot hold a command, or what would be one within a variable (RFC 1572). */
static bool plain_telnet_is_text(struct mote_slice text)
{
  size_t n;
  for(n = 0; n < text.len; n++)
    if((unsigned char)text.ptr[n] < ' ' || (unsigned char)text.ptr[n] >= 127)
      return false;
  return n <= TEXT_MOST;
}

static CURLcode plain_telnet_refuse(struct mote_transfer *t, CURLcode rc, const char *why, const char *line)
{
  return mote_fail_as(rc, &t->report, "%s: %s", why, line);
}

/* Judges one line, and notes in o what it wants. */
static CURLcode take_option(struct mote_transfer *t, const char *line, struct telnet *o)
{
  static const struct {
    const char *name;
    uint8_t option;
  } texts[] = {
    {"TTYPE", MOTE_TELNET_TTYPE}, {"XDISPLOC", MOTE_TELNET_XDISPLOC}, {"NEW_ENV", MOTE_TELNET_ENVIRON}};
  const char *value;
  size_t i;
  if(!strchr(line, '='))
    return plain_telnet_refuse(t, CURLE_SETOPT_OPTION_SYNTAX, "Syntax error in telnet option", line);
  for(i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if((value = plain_telnet_value_of(line, texts[i].name)) != NULL) {
      mote_telnet_want(&o->options.us, texts[i].option);
      return plain_telnet_is_text(mote_slice_of(value)) ? CURLE_OK
                            : plain_telnet_refuse(t, CURLE_BAD_FUNCTION_ARGUMENT,
                                                  "No short text in telnet option", line);
    }
  if((value = plain_telnet_value_of(line, "WS")) != NULL) {
    mote_telnet_want(&o->options.us, MOTE_TELNET_NAWS);
    return plain_telnet_parse_size(value, &o->width, &o->height)
             ? CURLE_OK
             : plain_telnet_refuse(t, CURLE_SETOPT_OPTION_SYNTAX, "Syntax error in telnet option", line);
  }
  value = plain_telnet_value_of(line, "BINARY");
  if(!value)
    return plain_telnet_refuse(t, CURLE_UNKNOWN_OPTION, "Unknown telnet option", line);
  if(!strcmp(value, "0")) {
    o->options.us.wanted &= ~(uint64_t)1;
    o->options.him.wanted &= ~(uint64_t)1;
  }
  return CURLE_OK;
}

/* Finds the user's name, which may be empty, and decodes that of a URL into `room`. CURLE_URL_MALFORMAT: it
 * has a control character there. CURLE_BAD_FUNCTION_ARGUMENT: it is no short text. */
static CURLcode plain_telnet_find_user(struct mote_transfer *t, char room[TEXT_MOST], struct mote_slice *user)
{
  struct mote_auth_login login;
  CURLcode rc = CURLE_OK;
  mote_http_find_login(t, &login);
  *user = login.user;
  if(login.user_coded) {
    user->ptr = room;
    rc = mote_percent_decode(login.user, MOTE_PERCENT_REJECT_CTRL, room, TEXT_MOST, &user->len);
  }
  if(!rc && plain_telnet_is_text(*user))
    return CURLE_OK;
  return mote_fail_as(rc == CURLE_URL_MALFORMAT ? rc : CURLE_BAD_FUNCTION_ARGUMENT, &t->report,
                      "The user's name is no short text");
}

static CURLcode plain_telnet_take_options(struct mote_transfer *t, struct telnet *o)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_TELNETOPTIONS);
  char room[TEXT_MOST];
  struct mote_slice user;
  CURLcode rc = plain_telnet_find_user(t, room, &user);
  memset(o, 0, sizeof *o);
  mote_telnet_want(&o->options.us, MOTE_TELNET_BINARY);
  mote_telnet_want(&o->options.us, MOTE_TELNET_SGA);
  mote_telnet_want(&o->options.him, MOTE_TELNET_BINARY);
  mote_telnet_want(&o->options.him, MOTE_TELNET_SGA);
  mote_telnet_want(&o->options.him, MOTE_TELNET_ECHO);
  if(!rc && user.len)
    mote_telnet_want(&o->options.us, MOTE_TELNET_ENVIRON);
  for(; !rc && l; l = l->next)
    rc = take_option(t, l->data, o);
  return rc;
}

/* ---- answers ---- */

static struct mote_telnet_out answers_of(struct telnet *s)
{
  struct mote_telnet_out out = {s->answers, s->answers_len, ANSWERS_MOST, 0};
  return out;
}

static void put_window(const struct telnet *s, struct mote_telnet_out *out)
{
  char size[4] = {(char)(s->width >> 8), (char)s->width, (char)(s->height >> 8), (char)s->height};
  if(!mote_telnet_begin_sub(out, MOTE_TELNET_NAWS))
    return;
  (void)mote_telnet_put(out, size, sizeof size);
  mote_telnet_end_sub(out);
}

/* A variable that does not fit is left out whole: there are more of them than room. */
static void put_variable(struct mote_telnet_out *out, const char *name, size_t name_len, const char *value,
                         size_t len)
{
  size_t before = out->len;
  bool fits = mote_telnet_put(out, "\0", 1) && mote_telnet_put(out, name, name_len); /* VAR */
  if(fits && value)
    fits = mote_telnet_put(out, "\1", 1) && mote_telnet_put(out, value, len); /* VALUE */
  if(!fits)
    out->len = before;
}

/* RFC 1572: NEW_ENV=NAME,VALUE, and the user. */
static void put_environment(struct mote_transfer *t, struct mote_telnet_out *out)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_TELNETOPTIONS);
  char room[TEXT_MOST];
  struct mote_slice user;
  if(!plain_telnet_find_user(t, room, &user) && user.len)
    put_variable(out, "USER", 4, user.ptr, user.len);
  for(; l; l = l->next) {
    const char *text = plain_telnet_value_of(l->data, "NEW_ENV"), *comma = text ? strchr(text, ',') : NULL;
    if(text)
      put_variable(out, text, comma ? (size_t)(comma - text) : strlen(text), comma ? comma + 1 : NULL,
                   comma ? strlen(comma + 1) : 0);
  }
}

/* The server asks for the value of an option that has one. */
static void plain_telnet_put_value(struct mote_transfer *t, const struct telnet *s, uint8_t option,
                                   struct mote_telnet_out *out)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_TELNETOPTIONS);
  const char *text = NULL;
  if(option > 63 || !(s->options.us.wanted >> option & 1) || option == MOTE_TELNET_NAWS ||
     option <= MOTE_TELNET_SGA)
    return;
  for(; l && !text; l = l->next)
    text = plain_telnet_value_of(l->data, option == MOTE_TELNET_TTYPE ? "TTYPE" : "XDISPLOC");
  if(!mote_telnet_begin_sub(out, option))
    return;
  (void)mote_telnet_put(out, "\0", 1); /* IS */
  if(option == MOTE_TELNET_ENVIRON)
    put_environment(t, out);
  else if(text)
    (void)mote_telnet_put(out, text, strlen(text));
  mote_telnet_end_sub(out);
}

static void plain_telnet_answer(struct mote_transfer *t, struct telnet *s, const struct mote_telnet_event *e)
{
  struct mote_telnet_out out = answers_of(s);
  bool on;
  uint8_t verb;
  if(e->kind == MOTE_TELNET_SEND)
    plain_telnet_put_value(t, s, e->option, &out);
  else {
    s->asked = true;
    verb = mote_telnet_answer(&s->options, e->verb, e->option, &on);
    if(verb)
      (void)mote_telnet_put_command(&out, verb, e->option);
    if(on && e->option == MOTE_TELNET_NAWS)
      put_window(s, &out);
  }
  s->answers_len = (uint16_t)out.len;
}

/* What is wanted is asked for after the server's first requests. */
static CURLcode send_answers(struct mote_transfer *t)
{
  struct telnet *s = plain_telnet_state_of(t);
  struct mote_telnet_out out = answers_of(s);
  if(s->asked)
    mote_telnet_ask(&s->options, &out);
  s->answers_len = 0;
  return out.len ? mote_body_put(t, t->run->channel.conn, s->answers, out.len) : CURLE_OK;
}

/* ---- receiving ---- */

/* Answers are sent in between, so that one step takes as many bytes of requests as of any other body. The
 * body ends for a moment where the connection does not take them. */
static CURLcode cut_commands(void *state, char *bytes, size_t len, struct mote_body_cut *cut)
{
  struct mote_transfer *t = state;
  struct telnet *s = plain_telnet_state_of(t);
  struct mote_telnet_event e;
  CURLcode rc = CURLE_OK;
  cut->used = mote_telnet_feed(&s->in, bytes, len, &e);
  cut->bytes = bytes + e.from;
  cut->len = e.kind == MOTE_TELNET_DATA ? e.len : 0;
  if(e.kind != MOTE_TELNET_DATA)
    plain_telnet_answer(t, s, &e);
  s->asks = s->asks || cut->len; /* commands alone are followed by more */
  if(s->answers_len > ANSWERS_FULL && !t->run->unsent)
    rc = send_answers(t);
  s->full = s->answers_len > ANSWERS_FULL;
  cut->over = s->full;
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* CURLE_AGAIN: the server goes on. One that has closed its side needs no answers. */
static CURLcode plain_telnet_receive(struct mote_transfer *t, mote_time now)
{
  const struct mote_body_filter commands = {
    .cut = cut_commands, .state = t, .open_end = true, .drops_rest = true};
  struct telnet *s = plain_telnet_state_of(t);
  struct mote_conn *c = t->run->channel.conn;
  CURLcode sent = CURLE_OK, rc;
  curl_off_t left = -1;
  if(s->full) {
    if(t->run->unsent)
      return CURLE_AGAIN;
    s->full = false;
    sent = send_answers(t);
    mote_conn_look_again(c);
  }
  rc = sent && sent != CURLE_AGAIN ? sent : mote_body_receive(t, c, &left, &commands, now);
  if(s->full || (rc && rc != CURLE_AGAIN))
    return rc ? rc : CURLE_AGAIN;
  sent = t->run->unsent ? CURLE_AGAIN : send_answers(t);
  return sent && sent != CURLE_AGAIN && rc ? sent : rc;
}

/* ---- sending ---- */

/* The callback was given no bytes: its next call may have some. A FILE stays at its end. */
static void plain_telnet_go_on(struct mote_transfer *t)
{
  if(mote_opt_fn(&t->options, CURLOPT_READFUNCTION))
    mote_source_go_on(t);
  else
    mote_source_close(t);
}

/* Reads a piece and sends it, IAC doubled. CURLE_AGAIN: the callback has paused, or the connection is
 * full. */
static CURLcode plain_telnet_send_piece(struct mote_transfer *t)
{
  char *room = mote_schedule_buffer(t->multi, 3 * PIECE);
  struct mote_telnet_out out = {room, 0, 2 * PIECE, 0};
  struct mote_piece p = {.room = room + 2 * PIECE, .most = PIECE};
  CURLcode rc;
  if(!room)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_source_read(t, &p);
  if(rc)
    return rc;
  plain_telnet_state_of(t)->asks = p.len == PIECE;
  if(p.end)
    plain_telnet_go_on(t);
  if(!p.len)
    return CURLE_OK;
  mote_debug(t, CURLINFO_DATA_OUT, p.bytes, p.len);
  t->run->stats.bytes_up += (curl_off_t)p.len;
  (void)mote_telnet_put(&out, p.bytes, p.len); /* at most 2 * PIECE */
  return mote_body_put(t, t->run->channel.conn, out.bytes, out.len);
}

/* Asks the callback if there is reason to. The clock is read again then, as the callback may have blocked.
 * CURLE_AGAIN: the exchange goes on. */
static CURLcode plain_telnet_ask(struct mote_transfer *t, mote_time now)
{
  struct telnet *s = plain_telnet_state_of(t);
  CURLcode rc = CURLE_OK;
  if(mote_timer_due(t, MOTE_TIMER_STATE, now))
    s->asks = true;
  if(s->asks)
    mote_timer_set(t, MOTE_TIMER_STATE, 0);
  if(s->asks && t->run->body && !t->run->unsent && !t->run->flow.send.paused) {
    rc = plain_telnet_send_piece(t);
    now = mote_port_now();
    if(s->asks && !rc)
      mote_transfer_wake(t);
  }
  if(!s->asks && t->run->body && !mote_timer_at(t->run, MOTE_TIMER_STATE))
    mote_timer_set(t, MOTE_TIMER_STATE, now + ASK_AGAIN);
  return rc ? rc : CURLE_AGAIN;
}

/* ---- the row ---- */

static CURLcode telnet_prepare(struct mote_transfer *t)
{
  bool has = mote_opt_fn(&t->options, CURLOPT_READFUNCTION) || t->run->request.method == MOTE_METHOD_PUT;
  bool reads = has && mote_opt_off(&t->options, CURLOPT_INFILESIZE_LARGE);
  uint8_t method = t->run->request.method & 7u;
  struct telnet options;
  CURLcode rc = mote_netrc_find_printable(t);
  rc = rc ? rc : plain_telnet_take_options(t, &options);
  if(rc)
    return rc;
  t->run->request.method = reads ? MOTE_METHOD_PUT : MOTE_METHOD_GET;
  rc = mote_source_open_whole(t);
  t->run->request.method = method & 7u;
  if(!rc && t->run->body)
    mote_source_forget_size(t); /* a session has none, whatever size is set */
  return rc;
}

static CURLcode telnet_begin(struct mote_transfer *t)
{
  mote_conn_look_again(t->run->channel.conn);
  return plain_telnet_take_options(t, plain_telnet_state_of(t));
}

static CURLcode telnet_step(struct mote_transfer *t, mote_time now)
{
  struct mote_conn *c = t->run->channel.conn;
  unsigned interest;
  CURLcode rc = mote_body_flush(t, c);
  if(!rc || rc == CURLE_AGAIN)
    rc = plain_telnet_receive(t, now);
  if(rc == CURLE_AGAIN)
    rc = plain_telnet_ask(t, now);
  if(rc != CURLE_AGAIN)
    return rc ? rc : mote_body_finish(t, c);
  interest = t->run->flow.recv.paused || t->run->flow.recv.limited || plain_telnet_state_of(t)->full ? 0
    : MOTE_WANT_IN;
  rc = mote_conn_want(c, interest | (t->run->unsent ? MOTE_WANT_OUT : 0));
  return rc ? rc : CURLE_AGAIN;
}

/* The server closes the connection at the end. */
static void telnet_end(struct mote_transfer *t, CURLcode rc)
{
  (void)t;
  (void)rc;
}

extern const struct mote_protocol mote_protocol_telnet;
const struct mote_protocol mote_protocol_telnet = {
  .name = "telnet",
  .conn_size = sizeof(struct telnet),
  .prepare = telnet_prepare,
  .begin = telnet_begin,
  .step = telnet_step,
  .end = telnet_end,
};
