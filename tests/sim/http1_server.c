/* http1_server.c: reads a request, waits as its plan says, and answers as its plan says.
 *
 *   HEAD ──► BODY (LINE and DATA of chunks) ──► THINK ──► ANSWER ──► HEAD again, or DONE
 *
 * An answer is written in pieces: the head, then pieces of the body, then what ends it. A piece that the
 * connection does not take whole stays in `out` until there is room. What is wrong with an answer is done
 * where its piece is made, so that all before it is as it should be. */
#include "http1_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "port/sim/sim.h"

/* ---- the request ---- */

const char *http1_field(const char *head, const char *name)
{
  size_t n = strlen(name);
  const char *line;
  for(line = strchr(head, '\n'); line && line[1] != '\r'; line = strchr(line + 1, '\n'))
    if(!strncasecmp(line + 1, name, n) && line[1 + n] == ':')
      return line + 1 + n + 1 + (line[1 + n + 1] == ' ');
  return NULL;
}

unsigned http1_host(const char *name, size_t len)
{
  unsigned i;
  for(i = 0; i < HOSTS; i++)
    if(strlen(host_names[i]) == len && !memcmp(host_names[i], name, len))
      return i;
  return HOSTS;
}

/* The host of a hop. */
static unsigned host_of(const struct plan *p, unsigned hop)
{
  return (p->host + (p->crosses ? hop : 0)) % HOSTS;
}

/* A secret is sent to the host that it is for, and to no other (redirects: CURLOPT_UNRESTRICTED_AUTH(3)). */
static void look_at_secrets(const struct http1 *s, const char *head, unsigned here)
{
  const char *mark;
  bool shown = http1_field(head, "Authorization") != NULL;
  if(!s->by_proxy && http1_field(head, "Proxy-Authorization"))
    mote_sim_broken("a proxy's login is sent to a server");
  if(here != host_of(s->plan, s->hop))
    mote_sim_broken("a request goes to another host than its URL's");
  for(mark = strstr(head, MARK); mark; mark = strstr(mark + 1, MARK))
    if(mark[sizeof MARK - 1] != (char)('0' + here))
      mote_sim_broken("a secret is sent to another host");
  if(shown && (here != s->plan->host || !s->plan->login))
    mote_sim_broken("a login is sent to another host");
  if(!shown && s->plan->login && s->plan->login != LOGIN_ASKED && !s->hop)
    mote_sim_broken("a request without its login");
}

static void look_at_host(const char *value, unsigned here)
{
  size_t n = strlen(host_names[here]);
  if(!value || strncmp(value, host_names[here], n) || value[n] != '\r')
    mote_sim_broken("a request without the Host field of its URL");
}

static const char *const methods[] = { "GET", "HEAD", "PUT", "POST" };

/* "http://two.sim" in front of a path, which only a proxy gets. Returns the path. */
static const char *read_origin(struct http1 *s, const char *target)
{
  const char *path = target;
  if(!strncmp(target, "http://", 7)) {
    path = target + 7 + strcspn(target + 7, "/ ");
    s->here = http1_host(target + 7, (size_t)(path - target - 7));
  }
  if(s->by_proxy != (path != target))
    mote_sim_broken("a whole URL for a server, or none for a proxy");
  if(s->here >= HOSTS)
    mote_sim_broken("a proxy is asked for a host that is none");
  return path;
}

static void read_head(struct http1 *s, const char *head)
{
  const char *value, *path;
  char method[8];
  int used = 0;
  if(sscanf(head, "%7[A-Z] %n", method, &used) != 1 || !used)
    mote_sim_broken("a server was sent what is no request");
  path = read_origin(s, head + used);
  used = 0;
  if(sscanf(path, "/%u/%u HTTP/1.1\r\n%n", &s->number, &s->hop, &used) != 2 || !used || s->number >= PLANS)
    mote_sim_broken("a server was sent what is no request of a plan");
  s->plan = &plans[s->number];
  if(strcmp(method, methods[s->plan->method]))
    mote_sim_broken("a request has another method than its plan");
  look_at_host(http1_field(head, "Host"), s->here);
  look_at_secrets(s, head, s->here);
  s->asks = s->plan->login == LOGIN_ASKED && !s->hop && !http1_field(head, "Authorization");
  s->plan->requests++;
  s->received = 0;
  s->left = 0;
  value = http1_field(head, "Transfer-Encoding");
  s->chunked = value && !strncasecmp(value, "chunked\r", 8);
  value = http1_field(head, "Content-Length");
  if(value && s->chunked)
    mote_sim_broken("a request with both a length and chunks");
  if(value)
    s->left = strtoul(value, NULL, 10);
  value = http1_field(head, "Expect");
  s->continues = value && !strncasecmp(value, "100-continue\r", 13);
  if(s->plan->method < METHOD_PUT && (s->left || s->chunked))
    mote_sim_broken("a request with a body that has none");
}

static void take(struct http1 *s, size_t n)
{
  memmove(s->in, s->in + n, s->in_len - n);
  s->in_len -= n;
}

/* Takes a line of at most `most` bytes; false: it is not whole. It begins at s->in until the next read. */
static bool take_line(struct http1 *s, size_t most, char *line)
{
  const char *end = memchr(s->in, '\n', s->in_len);
  size_t n = end ? (size_t)(end - s->in) + 1 : 0;
  if(!end && s->in_len < most)
    return false;
  if(!end || n > most || n < 2 || end[-1] != '\r')
    mote_sim_broken("a line of an upload that is none");
  memcpy(line, s->in, n - 2);
  line[n - 2] = 0;
  take(s, n);
  return true;
}

static void request_over(struct mote_sim_peer *p, struct http1 *s)
{
  bool whole = s->received == s->plan->upload;
  if(s->received > s->plan->upload || (s->plan->method >= METHOD_PUT && !s->asks && !whole))
    mote_sim_broken("an upload has another length than its plan");
  if(s->early) { /* it was answered before */
    s->early = false;
    s->stage = STAGE_HEAD;
    return;
  }
  s->stage = STAGE_THINK;
  mote_sim_peer_wait(p, s->plan->thinks_us);
}

static void read_upload(struct http1 *s)
{
  s->stage = s->chunked ? STAGE_CHUNK_LINE : STAGE_BODY;
}

static bool step_head(struct mote_sim_peer *p, struct http1 *s)
{
  char head[sizeof s->in + 1];
  const char *end = memmem(s->in, s->in_len, "\r\n\r\n", 4);
  size_t n;
  if(!end) {
    if(s->in_len == sizeof s->in)
      mote_sim_broken("a request's head does not end");
    return false;
  }
  n = (size_t)(end - s->in) + 4;
  memcpy(head, s->in, n);
  head[n] = 0;
  take(s, n);
  read_head(s, head);
  s->refuses = s->continues && s->plan->expect == EXPECT_REFUSED;
  s->early = s->plan->early || s->refuses;
  if(s->early) {
    s->stage = STAGE_THINK;
    /* a refusal comes while the client still waits for it */
    mote_sim_peer_wait(p, s->refuses ? 0 : s->plan->thinks_us);
    return true;
  }
  if(s->continues && s->plan->expect == EXPECT_CONTINUES)
    (void)mote_sim_peer_write(p, "HTTP/1.1 100 Continue\r\n\r\n", 25);
  read_upload(s);
  return true;
}

static bool step_body(struct mote_sim_peer *p, struct http1 *s)
{
  while(s->left && s->in_len) {
    size_t n = s->in_len < s->left ? s->in_len : s->left;
    if(n > PATTERN_RUN)
      n = PATTERN_RUN;
    if(memcmp(s->in, pattern(s->number, true, s->received), n))
      mote_sim_broken("an upload has other bytes than its plan");
    s->received += n;
    s->left -= n;
    take(s, n);
  }
  if(s->plan->received < s->received)
    s->plan->received = s->received;
  if(s->left)
    return false;
  if(s->chunked)
    s->stage = STAGE_CHUNK_END;
  else
    request_over(p, s);
  return true;
}

static bool step_chunk(struct mote_sim_peer *p, struct http1 *s)
{
  char line[64];
  char *end;
  if(!take_line(s, sizeof line, line))
    return false;
  if(s->stage == STAGE_CHUNK_END || s->stage == STAGE_TRAILER) {
    if(*line)
      mote_sim_broken("a chunk of an upload is longer than it says, or has a trailer");
    if(s->stage == STAGE_TRAILER)
      request_over(p, s);
    else
      s->stage = STAGE_CHUNK_LINE;
    return true;
  }
  s->left = strtoul(line, &end, 16);
  if(end == line || *end)
    mote_sim_broken("a chunk of an upload without a length");
  s->stage = s->left ? STAGE_BODY : STAGE_TRAILER;
  return true;
}

static bool step_request(struct mote_sim_peer *p, struct http1 *s)
{
  switch(s->stage) {
  case STAGE_HEAD:
    return step_head(p, s);
  case STAGE_BODY:
    return step_body(p, s);
  case STAGE_CHUNK_LINE:
  case STAGE_CHUNK_END:
  case STAGE_TRAILER:
    return step_chunk(p, s);
  default:
    return false;
  }
}

/* ---- the answer ---- */

/* The answer is the one that the transfer is for: no redirect, and nothing that makes a client ask again. */
static bool is_result(const struct http1 *s)
{
  return s->hop >= s->plan->redirects && !s->asks && !s->refuses;
}

static enum wrong wrong_of(const struct http1 *s)
{
  return is_result(s) ? s->plan->wrong : WRONG_NOTHING;
}

static bool has_body(const struct http1 *s)
{
  bool bodiless = s->plan->status == 204 || s->plan->status == 304;
  return s->plan->method != METHOD_HEAD && !(bodiless && is_result(s));
}

static size_t body_length(const struct http1 *s)
{
  return is_result(s) ? s->plan->length : 5;
}

static enum framing framing_of(const struct http1 *s)
{
  return is_result(s) ? s->plan->framing : FRAMING_LENGTH;
}

static void write_text(struct http1 *s, const char *text)
{
  size_t n = strlen(text);
  memcpy(s->out + s->out_len, text, n);
  s->out_len += n;
}

static void write_head(struct http1 *s)
{
  char line[96];
  bool last = is_result(s);
  snprintf(line, sizeof line, "HTTP/1.%c %d Text\r\nServer: sim\r\n", s->plan->old && last ? '0' : '1',
           last ? s->plan->status : s->refuses ? 417 : s->asks ? 401 : 302);
  write_text(s, line);
  if(s->refuses)
    write_text(s, "Connection: close\r\n");
  else if(s->asks)
    write_text(s, "WWW-Authenticate: Basic realm=\"sim\"\r\n");
  else if(!last) {
    snprintf(line, sizeof line, "Location: http://%s/%u/%u\r\n", host_names[host_of(s->plan, s->hop + 1)],
             s->number, s->hop + 1);
    write_text(s, line);
  }
  if(s->plan->cookies) {
    snprintf(line, sizeof line, "Set-Cookie: c%u=" MARK "%u\r\n", s->number, host_of(s->plan, s->hop));
    write_text(s, line);
  }
  if(last && s->plan->closes)
    write_text(s, "Connection: close\r\n");
  if(last && s->plan->status == 204)
    ;
  else if(framing_of(s) == FRAMING_LENGTH) {
    snprintf(line, sizeof line, "Content-Length: %zu\r\n", body_length(s));
    write_text(s, line);
  }
  else if(framing_of(s) == FRAMING_CHUNKS)
    write_text(s, "Transfer-Encoding: chunked\r\n");
  write_text(s, "\r\n");
}

/* Ends the connection as the plan's wrong says. */
static void give_up(struct mote_sim_peer *p, struct http1 *s, enum wrong how)
{
  s->stage = STAGE_DONE;
  if(how == WRONG_RESET)
    mote_sim_peer_reset(p);
  else if(how != WRONG_STALL)
    mote_sim_peer_close(p);
}

static void make_head(struct http1 *s)
{
  enum wrong wrong = wrong_of(s);
  if(wrong == WRONG_HEAD_TEXT) {
    size_t n = s->plan->wrong_at % 64 + 8;
    memcpy(s->out, pattern(s->number, false, 0), n);
    s->out_len = n;
    return;
  }
  if(wrong == WRONG_HEAD_FLOOD) { /* never ends: make_head() is called again */
    write_text(s, s->body_at ? "X-Flood: " : "HTTP/1.1 200 OK\r\nX-Flood: ");
    memset(s->out + s->out_len, 'f', 2000);
    s->out_len += 2000;
    write_text(s, "\r\n");
    s->body_at = 1;
    return;
  }
  write_head(s);
  if(wrong != WRONG_HEAD_CUT)
    return;
  if(s->plan->wrong_at < s->out_len)
    s->out_len = s->plan->wrong_at;
  else
    s->plan->wrong = WRONG_NOTHING; /* the head is shorter than that */
}

/* What ends at a byte of the body. */
static bool ends_in_body(enum wrong wrong)
{
  return wrong == WRONG_CUT || wrong == WRONG_RESET || wrong == WRONG_STALL || wrong == WRONG_CHUNK;
}

static size_t body_goal(const struct http1 *s)
{
  size_t length = body_length(s);
  return ends_in_body(wrong_of(s)) && s->plan->wrong_at < length ? s->plan->wrong_at : length;
}

static void make_body(struct http1 *s)
{
  size_t n = body_goal(s) - s->body_at;
  if(n > PATTERN_RUN)
    n = PATTERN_RUN;
  if(framing_of(s) == FRAMING_CHUNKS) {
    n = 1 + mote_sim_draw("a chunk's length", (uint32_t)n);
    s->out_len = (size_t)snprintf(s->out, 32, "%zx\r\n", n);
  }
  memcpy(s->out + s->out_len, pattern(s->number, false, s->body_at), n);
  s->out_len += n;
  if(framing_of(s) == FRAMING_CHUNKS)
    write_text(s, "\r\n");
  s->body_at += n;
  if(is_result(s) && s->plan->sent < s->body_at)
    s->plan->sent = s->body_at;
}

/* The body is over. */
static void make_last(struct mote_sim_peer *p, struct http1 *s)
{
  enum wrong wrong = wrong_of(s);
  s->piece = PIECE_NONE;
  if(has_body(s) && wrong == WRONG_CHUNK && s->body_at < body_length(s))
    write_text(s, framing_of(s) == FRAMING_CHUNKS ? "zz\r\n" : "");
  else if(has_body(s) && ends_in_body(wrong) && s->body_at < body_length(s))
    give_up(p, s, wrong);
  else if(has_body(s) && framing_of(s) == FRAMING_CHUNKS)
    write_text(s, "0\r\n\r\n");
  if(wrong == WRONG_EXTRA && !(has_body(s) && framing_of(s) == FRAMING_END)) /* else they are the body's */
    write_text(s, "bytes that belong to no answer");
}

static void after_head(struct mote_sim_peer *p, struct http1 *s)
{
  enum wrong wrong = wrong_of(s);
  if(wrong == WRONG_HEAD_FLOOD)
    return;
  s->body_at = 0;
  s->piece = PIECE_BODY;
  if(wrong == WRONG_HEAD_CUT || wrong == WRONG_HEAD_TEXT)
    give_up(p, s, wrong);
}

/* Makes the next piece in `out`, which is empty. */
static void make_piece(struct mote_sim_peer *p, struct http1 *s)
{
  switch(s->piece) {
  case PIECE_INTERIM:
    if(s->interims) {
      s->interims--;
      write_text(s, "HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n");
      return;
    }
    s->piece = PIECE_HEAD;
    make_head(s);
    break;
  case PIECE_HEAD: /* it is out */
    after_head(p, s);
    if(s->piece == PIECE_HEAD)
      make_head(s);
    break;
  case PIECE_BODY:
    if(has_body(s) && s->body_at < body_goal(s))
      make_body(s);
    else
      s->piece = PIECE_LAST;
    break;
  default:
    make_last(p, s);
    break;
  }
}

static void answer_over(struct mote_sim_peer *p, struct http1 *s)
{
  bool by_end = has_body(s) && framing_of(s) == FRAMING_END;
  bool ends = s->refuses || (is_result(s) && (s->plan->closes || by_end || ends_in_body(wrong_of(s))));
  if(ends) {
    give_up(p, s, WRONG_CUT);
    return;
  }
  if(s->early)
    read_upload(s);
  else
    s->stage = STAGE_HEAD;
  http1_go_on(p, s);
}

static void step_answer(struct mote_sim_peer *p, struct http1 *s)
{
  while(s->stage == STAGE_ANSWER) {
    if(s->out_at == s->out_len) {
      s->out_at = s->out_len = 0;
      if(s->piece == PIECE_NONE) {
        answer_over(p, s);
        return;
      }
      make_piece(p, s);
    }
    s->out_at += mote_sim_peer_write(p, s->out + s->out_at, s->out_len - s->out_at);
    if(s->out_at < s->out_len)
      return;
  }
}

static void server_due(struct mote_sim_peer *p)
{
  struct http1 *s = mote_sim_peer_state(p);
  if(s->stage != STAGE_THINK)
    return;
  if(wrong_of(s) == WRONG_NO_ANSWER) {
    give_up(p, s, WRONG_CUT);
    return;
  }
  s->stage = STAGE_ANSWER;
  s->piece = PIECE_INTERIM;
  s->interims = s->plan->interims;
  s->body_at = 0;
  step_answer(p, s);
}

/* ---- the connection ---- */

void http1_go_on(struct mote_sim_peer *p, struct http1 *s)
{
  for(;;) {
    size_t n;
    while(step_request(p, s))
      ;
    if(s->stage == STAGE_DONE)
      s->in_len = 0;
    if(s->early && (s->stage == STAGE_THINK || s->stage == STAGE_ANSWER))
      return; /* the upload waits in the connection */
    n = mote_sim_peer_read(p, s->in + s->in_len, sizeof s->in - s->in_len);
    s->in_len += n;
    if(!n)
      break;
    if(s->stage == STAGE_THINK || s->stage == STAGE_ANSWER)
      mote_sim_broken("bytes come after a request, ahead of its answer");
  }
  if(mote_sim_peer_ended(p))
    mote_sim_peer_close(p);
}

static void server_accepted(struct mote_sim_peer *p)
{
  struct http1 *s = mote_sim_peer_state(p);
  s->here = *(const unsigned *)mote_sim_peer_arg(p);
}

static void server_readable(struct mote_sim_peer *p)
{
  http1_go_on(p, mote_sim_peer_state(p));
}

static void server_writable(struct mote_sim_peer *p)
{
  step_answer(p, mote_sim_peer_state(p));
}

const struct mote_sim_service http1_server = {
  .state = sizeof(struct http1),
  .accepted = server_accepted,
  .readable = server_readable,
  .writable = server_writable,
  .due = server_due,
};
