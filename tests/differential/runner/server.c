/* server.c: reads a connection's requests and sends the answers that the case says, in their order.
 *
 * answer GROUP WHEN DELAY THEN DATA [CUT[:PAUSE]…]. A request takes the next answer of its group: the
 * digit after /g in its first line, 0 without. One that finds none left is closed.
 *
 * says PORT LEAST BYTES [close]. Before the first request of a connection to that port, in the order of the
 * lines: when so many bytes have come, they are taken and BYTES are sent, as a SOCKS proxy does. */
#include "server.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static struct answer answers[ANSWERS];
static int nanswers;

static struct saying {
  int port, close;
  size_t least;
  struct field data;
} sayings[SAYINGS];
static int nsayings;

void server_reset(void)
{
  nanswers = nsayings = 0;
  lines_reset();
}

void server_says(struct field *f, int n)
{
  struct saying *s = &sayings[nsayings];
  if(n < 4 || nsayings == SAYINGS)
    return;
  s->port = (int)field_number(&f[1]);
  s->least = (size_t)field_number(&f[2]);
  s->data.at = case_copy(f[3].at, f[3].len);
  s->data.len = f[3].len;
  s->close = n > 4;
  nsayings++;
}

static const struct saying *next_saying(const struct conn *c)
{
  int n = c->said;
  for(int i = 0; i < nsayings; i++)
    if(sayings[i].port == c->port && !n--)
      return &sayings[i];
  return NULL;
}

static void answer_when(struct answer *a, const char *word)
{
  if(!strcmp(word, "now"))
    a->when = WHEN_NOW;
  else if(!strcmp(word, "head"))
    a->when = WHEN_HEAD;
  else if(word[0] >= '0' && word[0] <= '9') {
    a->when = WHEN_BYTES;
    a->after = strtoul(word, NULL, 10);
  }
  else
    a->when = WHEN_BODY;
}

static enum then answer_then(const char *word)
{
  static const char *const words[] = {"keep", "more", "close", "reset", "hold"};
  for(int i = 0; i < 5; i++)
    if(!strcmp(words[i], word))
      return (enum then)i;
  return THEN_CLOSE;
}

void server_answer_set(struct answer *a, const struct field *f, int n)
{
  memset(a, 0, sizeof *a);
  a->delay = field_number(&f[0]);
  a->then = answer_then(f[1].at);
  a->data.at = case_copy(f[2].at, f[2].len);
  a->data.len = f[2].len;
  for(int i = 3; i < n && a->ncuts < CUTS; i++) {
    char *end;
    size_t at = strtoul(f[i].at, &end, 10);
    if(at <= (a->ncuts ? a->cut[a->ncuts - 1] : 0) || at >= a->data.len)
      continue;
    a->cut[a->ncuts] = at;
    a->pause[a->ncuts++] = *end == ':' ? atol(end + 1) : 0;
  }
}

void server_answer(struct field *f, int n)
{
  struct answer *a = &answers[nanswers];
  if(n < 6 || nanswers == ANSWERS)
    return;
  server_answer_set(a, &f[3], n - 3);
  a->group = (int)field_number(&f[1]) & (GROUPS - 1);
  answer_when(a, f[2].at);
  nanswers++;
}

static const char *line_value(const char *head, const char *end, const char *name)
{
  size_t n = strlen(name);
  for(const char *p = head; p && p < end; p = memchr(p, '\n', (size_t)(end - p))) {
    p += *p == '\n';
    if(!strncasecmp(p, name, n))
      return p + n;
  }
  return NULL;
}

/* 1: the head is there; how the body is framed is known then. */
static int head_came(struct conn *c)
{
  const char *head = c->sent.at + c->start, *value, *end;
  const char *group;
  if(c->sent.len - c->start < 4 || !(end = strstr(head, "\r\n\r\n")))
    return 0;
  c->at = (size_t)(end + 4 - c->sent.at);
  group = strstr(head, "/g");
  c->group = group && group < strchr(head, '\r') ? (group[2] - '0') & (GROUPS - 1) : 0;
  c->part = PART_WHOLE;
  value = line_value(head, end, "Content-Length:");
  if(value) {
    c->left = strtoll(value, NULL, 10);
    c->part = PART_LENGTH;
  }
  value = line_value(head, end, "Transfer-Encoding:");
  if(value && !strncasecmp(value + strspn(value, " "), "chunked", 7)) {
    c->left = 0;
    c->part = PART_CHUNKS;
  }
  return 1;
}

/* 1: another chunk's line was read, or the last one and its trailers. */
static int chunk_line(struct conn *c)
{
  const char *line = c->sent.at + c->at;
  const char *end = strstr(line, "\r\n");
  long long size;
  if(!end)
    return 0;
  size = strtoll(line, NULL, 16);
  if(size > 0) {
    c->at = (size_t)(end + 2 - c->sent.at);
    c->left = size + 2;
    return 1;
  }
  end = end[2] == '\r' ? end : strstr(end, "\r\n\r\n");
  if(!end || c->sent.len < (size_t)(end + 4 - c->sent.at))
    return 0;
  c->at = (size_t)(end + 4 - c->sent.at);
  c->part = PART_WHOLE;
  return 1;
}

static void body_came(struct conn *c)
{
  while(c->part == PART_LENGTH || c->part == PART_CHUNKS) {
    size_t there = c->sent.len - c->at;
    size_t n = (long long)there < c->left ? there : (size_t)c->left;
    c->at += n;
    c->left -= (long long)n;
    if(c->left > 0)
      return;
    if(c->part == PART_LENGTH)
      c->part = PART_WHOLE;
    else if(c->at == c->sent.len || !chunk_line(c))
      return;
  }
}

static struct answer *next_answer(int group)
{
  for(int i = 0; i < nanswers; i++)
    if(answers[i].group == group && !answers[i].used)
      return &answers[i];
  return NULL;
}

static int due_now(const struct conn *c, const struct answer *a)
{
  switch(a->when) {
  case WHEN_NOW:
    return 1;
  case WHEN_HEAD:
    return c->part != PART_HEAD;
  case WHEN_BYTES:
    return c->part == PART_WHOLE || (c->part != PART_HEAD && c->sent.len - c->start >= a->after);
  default:
    return c->part == PART_WHOLE;
  }
}

void server_leave(struct conn *c)
{
  if(c->ended)
    return;
  c->ended = 1;
  shutdown(c->server, SHUT_WR);
}

static void begin_answer(struct conn *c)
{
  struct answer *a = next_answer(c->group);
  if(!a) {
    if(c->part == PART_WHOLE)
      server_leave(c);
    return;
  }
  if(!due_now(c, a))
    return;
  a->used = 1;
  c->now = a;
  c->written = 0;
  c->held = 1;
  c->due = clock_now() + a->delay * 1000;
  if(!a->delay) {
    c->held = 0;
    server_pump(c);
  }
}

/* 1: all that comes first is said. */
static int said(struct conn *c)
{
  const struct saying *s = next_saying(c);
  if(!s || c->ended)
    return !c->ended;
  if(c->sent.len - c->start < s->least || c->sent.len == c->start)
    return 0;
  c->said++;
  c->start = c->at = c->sent.len;
  send(c->server, s->data.at, s->data.len, MSG_NOSIGNAL | MSG_DONTWAIT);
  if(s->close)
    server_leave(c);
  return 0;
}

void server_look(struct conn *c)
{
  if(lines_is_data(c->port))
    return;
  if(lines_port(c->port)) {
    lines_look(c);
    return;
  }
  if(!said(c))
    return;
  for(;;) {
    if(c->part == PART_HEAD)
      head_came(c);
    body_came(c);
    if(c->ended || c->now)
      return;
    if(c->answered) {
      if(c->part != PART_WHOLE)
        return;
      c->start = c->at;
      c->part = PART_HEAD;
      c->answered = c->group = 0;
      if(c->start == c->sent.len)
        return;
      continue;
    }
    begin_answer(c);
    if(!c->answered || c->now)
      return;
  }
}

/* The answer is out: what the case says happens after it. */
static void answer_over(struct conn *c)
{
  enum then then = c->now->then;
  c->now = NULL;
  if(then == THEN_MORE) {
    begin_answer(c);
    return;
  }
  c->answered = 1;
  if(then == THEN_CLOSE)
    server_leave(c);
  else if(then == THEN_HOLD)
    c->ended = 1;
  else if(then == THEN_RESET) {
    c->ended = c->reset = 1;
    close(c->server);
    c->server = -1;
  }
  if(lines_is_data(c->port))
    net_each(lines_closed, NULL);
}

int server_pump(struct conn *c)
{
  int moved = 0;
  while(c->now && !c->held && !c->ended) {
    struct answer *a = c->now;
    size_t limit = a->data.len;
    int cut = 0;
    ssize_t n;
    while(cut < a->ncuts && a->cut[cut] <= c->written)
      cut++;
    if(cut < a->ncuts)
      limit = a->cut[cut];
    n = c->written < limit ? send(c->server, a->data.at + c->written, limit - c->written,
                                  MSG_NOSIGNAL | MSG_DONTWAIT) : 0;
    if(n < 0)
      return moved;
    moved = 1;
    c->written += (size_t)n;
    if(c->written == a->data.len)
      answer_over(c);
    else if(c->written == limit) {
      c->held = 1;
      c->due = clock_now() + a->pause[cut] * 1000;
    }
  }
  return moved;
}
