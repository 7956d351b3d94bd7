/* lines.c: servers of commands and replies (FTP, SMTP, POP3, IMAP), and FTP's data connections.
 *
 * reply PORT COMMAND HOW DELAY THEN BYTES [CUT[:PAUSE]…]. A line that comes to that port takes the first
 * reply not yet used whose COMMAND it begins with, the longest that there is, else the last such, else the
 * last for "*"; one that finds none is the connection's end. "^" is the greeting, "+" the reply to a line
 * that another reply has asked for, "~" to the end of a data connection, "." to the end of a mail. A byte 1
 * in BYTES stands for the command's tag. HOW: what is read next: "line" a command, "next" a line that is
 * none, "mail" lines up to a dot, "literal" as many bytes as the command has announced, "data" nothing
 * until the data connection, over which the server sends, has ended, "take" nothing until the client has
 * ended it.
 *
 * data THEN BYTES [CUT[:PAUSE]…]. What the next data connection (to a port from 2000 to 2999) is sent when
 * a reply's HOW is "data", and how it ends. The last is for all others; where there is none, they end at
 * once. */
#include "server.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { REPLIES = 64, DATA = 16 };

static struct reply {
  int port;
  const char *command;
  enum how how;
  struct answer answer;
} replies[REPLIES];
static int nreplies;
static struct answer data[DATA];
static int ndata;

void lines_reset(void)
{
  nreplies = ndata = 0;
}

static enum how how_of(const char *word)
{
  static const char *const words[] = {"line", "next", "mail", "literal", "data", "take"};
  for(int i = 0; i < 6; i++)
    if(!strcmp(words[i], word))
      return (enum how)i;
  return HOW_LINE;
}

void lines_reply(struct field *f, int n)
{
  struct reply *r = &replies[nreplies];
  if(n < 7 || nreplies == REPLIES)
    return;
  r->port = (int)field_number(&f[1]);
  r->command = case_copy(f[2].at, f[2].len);
  r->how = how_of(f[3].at);
  server_answer_set(&r->answer, &f[4], n - 4);
  nreplies++;
}

void lines_data(struct field *f, int n)
{
  static char now[] = "0";
  struct field shifted[FIELDS];
  if(n < 3 || ndata == DATA)
    return;
  shifted[0] = (struct field){now, 1};
  memcpy(shifted + 1, f + 1, (size_t)(n - 1) * sizeof *f);
  server_answer_set(&data[ndata++], shifted, n);
}

int lines_port(int port)
{
  for(int i = 0; i < nreplies; i++)
    if(replies[i].port == port)
      return 1;
  return 0;
}

int lines_is_data(int port)
{
  return nreplies && port >= 2000 && port < 3000;
}

/* Of those with the longest command that the line begins with, the first that was not used, else the last. */
static struct reply *reply_to(int port, const char *line)
{
  struct reply *found = NULL, *other = NULL;
  for(int i = 0; i < nreplies; i++) {
    struct reply *r = &replies[i];
    size_t n = strlen(r->command), had = found ? strlen(found->command) : 0;
    if(r->port != port)
      continue;
    if(!strcmp(r->command, "*"))
      other = r;
    else if(!strncasecmp(r->command, line, n) && (n > had || (n == had && found->answer.used)))
      found = r;
  }
  return found ? found : other;
}

/* The answer for this connection alone, with the command's tag. */
static struct answer *own_answer(const struct answer *a, const char *tag)
{
  struct bytes b = {0};
  struct answer *own = case_copy(a, sizeof *a);
  for(size_t i = 0; i < a->data.len; i++)
    if(a->data.at[i] == 1)
      bytes_add(&b, tag, strlen(tag));
    else
      bytes_add(&b, a->data.at + i, 1);
  own->data.at = case_copy(b.at ? b.at : "", b.len);
  own->data.len = b.len;
  bytes_free(&b);
  return own;
}

/* later: when the client waits next, so that it has read the data that came before. */
static void begin(struct conn *c, struct answer *a, int later)
{
  c->now = a;
  c->written = 0;
  c->held = later || a->delay > 0;
  c->due = clock_now() + a->delay * 1000;
  if(!c->held)
    server_pump(c);
}

static void send_data(struct conn *d, void *unused)
{
  (void)unused;
  if(!lines_is_data(d->port) || d->greeted || d->ended)
    return;
  d->greeted = 1;
  if(!ndata)
    server_leave(d);
  for(int i = 0; i < ndata; i++)
    if(!data[i].used || i == ndata - 1) {
      data[i].used = 1;
      begin(d, own_answer(&data[i], ""), 0);
      return;
    }
}

static void look_at_data(struct conn *d, void *over)
{
  if(lines_is_data(d->port) && d->client >= 0 && !d->ended && !d->client_ended)
    *(int *)over = 0;
}

/* Replies to a command, or to what stands for one (see above). */
static void reply(struct conn *c, const char *command)
{
  struct reply *r = reply_to(c->port, command);
  if(!r) {
    server_leave(c);
    return;
  }
  r->answer.used = 1;
  c->how = r->how;
  if(r->how == HOW_LITERAL) {
    const char *open = strrchr(command, '{');
    c->left = open ? strtoll(open + 1, NULL, 10) : 0;
  }
  if(r->how == HOW_DATA)
    net_each(send_data, NULL);
  begin(c, own_answer(&r->answer, c->tag), *command == '~');
}

/* The command of a line, after the tag of IMAP, which is kept. */
static const char *command_of(struct conn *c, const char *line)
{
  const char *blank = c->port == 143 ? strchr(line, ' ') : NULL;
  if(!blank)
    return line;
  snprintf(c->tag, sizeof c->tag, "%.*s", (int)(blank - line), line);
  return blank + 1;
}

/* The next line that the client has sent, without its end; NULL: there is none. It stays until the next
 * call. */
static const char *next_line(struct conn *c)
{
  static struct bytes copy;
  const char *at = c->sent.at ? c->sent.at + c->at : NULL;
  const char *end = at ? memchr(at, '\n', c->sent.len - c->at) : NULL;
  if(!end)
    return NULL;
  c->at += (size_t)(end + 1 - at);
  copy.len = 0;
  bytes_add(&copy, at, (size_t)(end - at));
  if(copy.len && copy.at[copy.len - 1] == '\r')
    copy.len--;
  bytes_add(&copy, "", 1);
  copy.len--;
  return copy.at;
}

/* 1: there is something to do at once again. */
static int look(struct conn *c)
{
  const char *line;
  int over = 1;
  if(!c->greeted) {
    c->greeted = 1;
    reply(c, "^");
    return 1;
  }
  if(c->how == HOW_DATA || c->how == HOW_TAKE) {
    net_each(look_at_data, &over);
    if(over)
      reply(c, "~");
    return over;
  }
  if(c->how == HOW_LITERAL && c->left > 0) {
    size_t there = c->sent.len - c->at;
    size_t n = (long long)there < c->left ? there : (size_t)c->left;
    c->at += n;
    c->left -= (long long)n;
    return n > 0;
  }
  line = next_line(c);
  if(!line)
    return 0;
  if(c->how == HOW_MAIL && strcmp(line, ".") != 0)
    return 1;
  reply(c, c->how == HOW_NEXT || c->how == HOW_LITERAL ? "+" : command_of(c, line));
  return 1;
}

void lines_closed(struct conn *c, void *unused)
{
  (void)unused;
  if((c->how == HOW_DATA || c->how == HOW_TAKE) && c->client >= 0 && c->server >= 0)
    lines_look(c);
}

void lines_look(struct conn *c)
{
  while(!c->ended && !c->now && look(c))
    ;
}
