/* protocol/sftp/sftp_quote.c: the commands of CURLOPT_QUOTE(3) and CURLOPT_POSTQUOTE (protocol/sftp/sftp.h).
 *
 * A command is a word and one or two arguments, which may be in double or single quotes. Within either kind a
 * backslash stands before a quote or a backslash that is meant. An asterisk in front of the command makes the
 * exchange go on when it fails. */
#include <string.h>

#include "base/out.h"
#include "base/text/date.h"
#include "base/text/format.h"
#include "protocol/sftp/sftp.h"
#include "transfer/download/sink.h"

#define LINE_ROOM 1024u /* bytes of what statvfs answers */
#define STATVFS "statvfs@openssh.com"
#define STATVFS_NUMBERS 11u

enum change { CHANGE_NONE, CHANGE_GROUP, CHANGE_MODE, CHANGE_USER, CHANGE_ATIME, CHANGE_MTIME };

struct command {
  const char *word;
  uint8_t type;    /* enum mote_sftp_type of its request; 0: pwd, which has none */
  uint8_t change;  /* enum change: the file's attributes are asked for, and then set */
  uint8_t args;    /* a value and a path with `change`, else paths */
};

static const struct command commands[] = {
  {"pwd", 0, CHANGE_NONE, 0},
  {"chgrp", MOTE_SFTP_SETSTAT, CHANGE_GROUP, 2},
  {"chmod", MOTE_SFTP_SETSTAT, CHANGE_MODE, 2},
  {"chown", MOTE_SFTP_SETSTAT, CHANGE_USER, 2},
  {"atime", MOTE_SFTP_SETSTAT, CHANGE_ATIME, 2},
  {"mtime", MOTE_SFTP_SETSTAT, CHANGE_MTIME, 2},
  {"ln", MOTE_SFTP_SYMLINK, CHANGE_NONE, 2},
  {"symlink", MOTE_SFTP_SYMLINK, CHANGE_NONE, 2},
  {"mkdir", MOTE_SFTP_MKDIR, CHANGE_NONE, 1},
  {"rename", MOTE_SFTP_RENAME, CHANGE_NONE, 2},
  {"rmdir", MOTE_SFTP_RMDIR, CHANGE_NONE, 1},
  {"rm", MOTE_SFTP_REMOVE, CHANGE_NONE, 1},
  {"statvfs", MOTE_SFTP_EXTENDED, CHANGE_NONE, 1},
};

/* A command line, taken apart. */
struct line {
  const struct command *command;
  bool may_fail;
  struct mote_slice arg[2]; /* as they stand there, with quotes */
};

/* ---- reading commands ---- */

static bool is_quoted(struct mote_slice arg)
{
  return arg.len && (*arg.ptr == '"' || *arg.ptr == '\'');
}

/* Returns the bytes of a text in quotes, with these. 0: no end, or a backslash before another character. */
static size_t sftp_quote_length(struct mote_slice text)
{
  size_t n;
  for(n = 1; n < text.len && text.ptr[n] != *text.ptr; n++)
    if(text.ptr[n] == '\\' && (++n == text.len || !strchr("\"'\\", text.ptr[n])))
      return 0;
  return n < text.len ? n + 1 : 0;
}

/* Takes the next argument off the text. False: there is none, or its quotes are wrong. */
static bool take_arg(struct mote_slice *text, struct mote_slice *arg)
{
  size_t n = 0;
  mote_slice_skip_blanks(text);
  arg->ptr = text->ptr;
  if(is_quoted(*text))
    n = sftp_quote_length(*text);
  else
    while(n < text->len && !mote_is_blank(text->ptr[n]))
      n++;
  arg->len = n;
  mote_slice_skip(text, n);
  return n > 0;
}

static bool sftp_quote_read_line(const char *given, struct line *line)
{
  struct mote_slice text = mote_slice_of(given), word;
  unsigned i;
  line->may_fail = text.len && *text.ptr == '*';
  if(line->may_fail)
    mote_slice_skip(&text, 1);
  line->command = NULL;
  if(!take_arg(&text, &word))
    return false;
  for(i = 0; i < sizeof commands / sizeof *commands; i++)
    if(mote_slice_is(word, commands[i].word))
      line->command = &commands[i];
  for(i = 0; line->command && i < line->command->args; i++)
    if(!take_arg(&text, &line->arg[i]))
      return false;
  mote_slice_skip_blanks(&text);
  return line->command && !text.len;
}

/* Writes a path as a text. "/~/" in front stands for the directory where the user begins. */
static void sftp_quote_put_path(const struct mote_ssh *s, struct mote_out *o, struct mote_slice arg)
{
  bool quoted = is_quoted(arg);
  size_t i = quoted ? 1 : 0, end = arg.len - i, from = o->len;
  mote_out_32(o, 0);
  if(end - i >= 3 && !memcmp(arg.ptr + i, "/~/", 3)) {
    mote_out_bytes(o, s->home.ptr, s->home.len);
    mote_out_char(o, '/');
    i += 3;
  }
  for(; i < end; i++) {
    if(quoted && arg.ptr[i] == '\\' && i + 1 < end)
      i++;
    mote_out_char(o, arg.ptr[i]);
  }
  mote_sftp_end(o, from, 0);
}

/* ---- what a command changes ---- */

static bool sftp_quote_read_number(struct mote_slice text, unsigned base, uint32_t *out)
{
  uint64_t n = 0;
  size_t i;
  if(base == 10)
    return mote_parse_dec(text, UINT32_MAX, &n) && (*out = (uint32_t)n, true);
  for(i = 0; i < text.len && n <= 07777; i++) {
    if(text.ptr[i] < '0' || text.ptr[i] > '7')
      return false;
    n = n * 8 + (unsigned)(text.ptr[i] - '0');
  }
  *out = (uint32_t)n;
  return text.len && n <= 07777;
}

static bool read_date(struct mote_slice arg, uint32_t *out)
{
  int64_t when;
  if(!mote_date_parse(arg.ptr, arg.len, &when) || when < 0 || when > UINT32_MAX)
    return false;
  *out = (uint32_t)when;
  return true;
}

/* Changes the attributes that the file has now. */
static bool sftp_quote_change(struct mote_sftp_attrs *a, const struct line *line)
{
  struct mote_slice value = line->arg[0];
  if(is_quoted(value)) {
    value.ptr++;
    value.len -= 2;
  }
  switch(line->command->change) {
  case CHANGE_GROUP:
    a->flags = MOTE_SFTP_HAS_OWNER;
    return sftp_quote_read_number(value, 10, &a->gid);
  case CHANGE_USER:
    a->flags = MOTE_SFTP_HAS_OWNER;
    return sftp_quote_read_number(value, 10, &a->uid);
  case CHANGE_MODE:
    a->flags = MOTE_SFTP_HAS_MODE;
    return sftp_quote_read_number(value, 8, &a->mode);
  case CHANGE_ATIME:
    a->flags = MOTE_SFTP_HAS_TIMES;
    return read_date(value, &a->atime);
  default:
    a->flags = MOTE_SFTP_HAS_TIMES;
    return read_date(value, &a->mtime);
  }
}

/* ---- stages ---- */

CURLcode mote_sftp_quote(struct mote_transfer *t, struct mote_ssh *s, enum mote_sftp_stage stage)
{
  CURLoption option = stage == MOTE_SFTP_QUOTE ? CURLOPT_QUOTE : CURLOPT_POSTQUOTE;
  s->sftp.quote = mote_opt_find_ptr(&t->options, MOTE_OPT_ID(option));
  s->sftp.substage = 0;
  return mote_talk_go(&s->talk, stage);
}

static CURLcode sftp_quote_wrong(struct mote_transfer *t, struct mote_ssh *s, const char *given,
                                 const char *why)
{
  s->talk.at_rest = true;
  return mote_fail_as(CURLE_QUOTE_ERROR, &t->report, "The command \"%s\" of SFTP %s", given, why);
}

static CURLcode next_command(struct mote_ssh *s)
{
  s->sftp.quote = s->sftp.quote->next;
  s->sftp.substage = 0;
  return mote_talk_go(&s->talk, s->talk.stage);
}

static CURLcode sftp_quote_say(struct mote_transfer *t, struct mote_ssh *s, char *text, int len)
{
  CURLcode rc = len > 0 ? mote_sink_header(t, text, (size_t)len) : CURLE_OUT_OF_MEMORY;
  if(!rc || rc == CURLE_AGAIN)
    (void)next_command(s);
  return rc;
}

/* As libcurl, it names the path of the URL. */
static CURLcode say_pwd(struct mote_transfer *t, struct mote_ssh *s)
{
  static const char before[] = "257 \"", after[] = "\" is current directory.\n";
  struct mote_out o;
  CURLcode rc = mote_sftp_open_room(t, &o, 2);
  if(rc)
    return rc;
  mote_out_char(&o, *before);
  rc = mote_sftp_put_path(t, s, &o);
  if(rc)
    return rc;
  memcpy(o.ptr, before, sizeof before - 1); /* over the length of the path, too */
  mote_out_text(&o, after);
  return sftp_quote_say(t, s, o.ptr, (int)o.len);
}

static CURLcode sftp_quote_send_command(struct mote_transfer *t, struct mote_ssh *s, const struct line *line)
{
  const struct command *c = line->command;
  bool looks = c->change && !s->sftp.substage;
  struct mote_out o;
  CURLcode rc;
  if(line->arg[0].len + s->home.len > MOTE_SFTP_PATH_MOST ||
     (c->args > 1 && line->arg[1].len + s->home.len > MOTE_SFTP_PATH_MOST))
    return sftp_quote_wrong(t, s, c->word, "is too long");
  rc = mote_sftp_open_room(t, &o, 3);
  if(rc)
    return rc;
  mote_sftp_request(s, &o, looks ? MOTE_SFTP_STAT : (enum mote_sftp_type)c->type);
  if(c->type == MOTE_SFTP_EXTENDED)
    mote_sftp_put_text(&o, mote_slice_of(STATVFS));
  if(!c->change)
    sftp_quote_put_path(s, &o, line->arg[0]);
  if(c->args > 1)
    sftp_quote_put_path(s, &o, line->arg[1]);
  if(c->type == MOTE_SFTP_MKDIR) {
    s->sftp.attrs.flags = MOTE_SFTP_HAS_MODE;
    s->sftp.attrs.mode = (uint32_t)mote_opt_long(&t->options, CURLOPT_NEW_DIRECTORY_PERMS);
  }
  if(c->type == MOTE_SFTP_MKDIR || (c->change && !looks))
    mote_sftp_put_attrs(&o, &s->sftp.attrs);
  return mote_sftp_send(t, s, &o);
}

CURLcode mote_sftp_ask_quote(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  struct line line;
  if(!s->sftp.quote)
    return CURLE_OK;
  if(!sftp_quote_read_line(s->sftp.quote->data, &line))
    return sftp_quote_wrong(t, s, s->sftp.quote->data, line.command ? "lacks an argument, or has more"
                            : "is unknown");
  if(!line.command->type)
    return say_pwd(t, s);
  return sftp_quote_send_command(t, s, &line);
}

static CURLcode sftp_quote_failed(struct mote_transfer *t, struct mote_ssh *s, const struct line *line,
                                  uint32_t status)
{
  if(line->may_fail)
    return next_command(s);
  (void)mote_sftp_refused(t, s, status, CURLE_QUOTE_ERROR, line->command->word);
  return CURLE_QUOTE_ERROR;
}

static CURLcode say_statvfs(struct mote_transfer *t, struct mote_ssh *s, struct mote_slice reply)
{
  static const char *const names[STATVFS_NUMBERS] = {
    "bsize", "frsize", "blocks", "bfree", "bavail", "files", "ffree", "favail", "fsid", "flag", "namemax"
  };
  char text[LINE_ROOM];
  int n = mote_snprintf(text, sizeof text, "statvfs:\n");
  unsigned i;
  if(reply.len < STATVFS_NUMBERS * 8)
    return mote_sftp_unexpected(t);
  for(i = 0; i < STATVFS_NUMBERS; i++)
    n += mote_snprintf(text + n, sizeof text - (size_t)n, "f_%s: %llu\n", names[i],
                       (unsigned long long)mote_sftp_long(reply.ptr + 8 * i));
  n += mote_snprintf(text + n, sizeof text - (size_t)n, "\n");
  return sftp_quote_say(t, s, text, n);
}

CURLcode mote_sftp_take_quote(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  struct line line;
  if(e->id != s->sftp.id || !e->end || !sftp_quote_read_line(s->sftp.quote->data, &line))
    return mote_sftp_unexpected(t);
  if(e->type == MOTE_SFTP_STATUS && e->code)
    return sftp_quote_failed(t, s, &line, e->code);
  if(e->type == MOTE_SFTP_STATUS)
    return next_command(s);
  if(e->type == MOTE_SFTP_EXTENDED_REPLY && line.command->type == MOTE_SFTP_EXTENDED)
    return say_statvfs(t, s, e->text);
  if(e->type != MOTE_SFTP_ATTRS || !line.command->change || s->sftp.substage)
    return mote_sftp_unexpected(t);
  s->sftp.attrs = e->attrs;
  if(!sftp_quote_change(&s->sftp.attrs, &line))
    return sftp_quote_wrong(t, s, s->sftp.quote->data, "has a wrong value");
  s->sftp.substage = 1;
  return mote_talk_go(talk, talk->stage);
}
