/* Handlers of options that name URLs and files, or change where options go. See options.h. */
#include "tool/memory.h"
#include "tool/options/numbers.h"
#include "tool/options/options.h"
#include "tool/show/messages.h"
#include "tool/transfers/files.h"

#include <string.h>

static enum param one_url(struct parse *p, const char *url, bool listed)
{
  struct url_entry *e = mote_cli_op_entry(p->op, ENTRY_URL);
  if(!e)
    return PARAM_NO_MEMORY;
  e->url = url;
  p->op->url_count++;
  e->listed = listed;
  if((listed || mote_cli_op_flag(p->op, FLAG_REMOTE_NAME_ALL)) && !e->output_set && !e->remote_off)
    e->remote_name = true;
  return PARAM_OK;
}

/* --url @file: a URL on each line, "#" begins a comment. Each is taken as it is, and saved by its name unless
 * another output is given for it. Source: curl(1), --url. */
static enum param urls_from_file(struct parse *p, const char *path)
{
  char *text;
  enum param rc = PARAM_OK;
  CURLcode code = mote_cli_read_text(path, &text);
  if(code)
    return code == CURLE_OUT_OF_MEMORY ? PARAM_NO_MEMORY : PARAM_READ;
  for(char *line = strtok(text, "\r\n"); line && !rc; line = strtok(NULL, "\r\n")) {
    size_t size;
    line += strspn(line, " \t");
    for(size = strlen(line); size && strchr(" \t", line[size - 1]); size--)
      line[size - 1] = 0;
    if(*line && *line != '#')
      rc = one_url(p, line, true);
  }
  return rc;
}

MOTE_SETTER(url)
{
  (void)on;
  if(row && arg[0] == '@' && arg[1])
    return urls_from_file(p, arg + 1);
  mote_cli_op_set_flag(p->op, FLAG_ADDED, true);
  return one_url(p, arg, false);
}

MOTE_SETTER(output)
{
  struct url_entry *e;
  if(row->target == OUTPUT_REMOTE && !on && !mote_cli_op_flag(p->op, FLAG_REMOTE_NAME_ALL))
    return PARAM_OK; /* no URL has this by itself */
  e = mote_cli_op_entry(p->op, ENTRY_OUTPUT);
  if(!e)
    return PARAM_NO_MEMORY;
  e->output_set = true;
  e->remote_name = row->target == OUTPUT_REMOTE && on;
  e->remote_off = row->target == OUTPUT_REMOTE && !on;
  e->null = row->target == OUTPUT_NULL && on;
  e->output = row->target == OUTPUT_FILE ? arg : NULL;
  p->op->outputs++;
  return PARAM_OK;
}

MOTE_SETTER(upload)
{
  struct url_entry *e = mote_cli_op_entry(p->op, ENTRY_UPLOAD);
  (void)row;
  (void)on;
  if(!e)
    return PARAM_NO_MEMORY;
  e->upload = arg;
  p->op->uploads++;
  return PARAM_OK;
}

MOTE_SETTER(config)
{
  (void)p;
  (void)row;
  (void)arg;
  (void)on;
  return PARAM_CONFIG;
}

MOTE_SETTER(next)
{
  struct operation *op;
  (void)row;
  (void)arg;
  (void)on;
  if(!p->op->url_count) {
    if(p->depth)
      return PARAM_OK; /* a config file may begin with it, so that it can follow another one */
    mote_cli_help("there is no URL before --next");
    return PARAM_BAD_USE;
  }
  op = mote_cli_keep(sizeof *op);
  if(!op)
    return PARAM_NO_MEMORY;
  mote_cli_op_init(op);
  p->op->next = op;
  p->op = op;
  return PARAM_OK;
}

MOTE_SETTER(continue)
{
  curl_off_t n = -1;
  (void)on;
  if(strcmp(arg, "-")) {
    enum param rc = mote_cli_number(arg, 0, &n);
    if(rc)
      return rc;
  }
  return mote_cli_op_number(p->op, row, row->target, n) ? PARAM_OK : PARAM_NO_MEMORY;
}

MOTE_SETTER(writeout)
{
  char *text = arg;
  size_t len;
  (void)on;
  if(arg[0] == '@') {
    CURLcode code = mote_cli_read_file(arg + 1, &text, &len);
    if(code)
      return code == CURLE_OUT_OF_MEMORY ? PARAM_NO_MEMORY : PARAM_READ;
    mote_cli_strip_lines(text, len);
  }
  return mote_cli_op_text(p->op, row, row->target, text) ? PARAM_OK : PARAM_NO_MEMORY;
}

MOTE_SETTER(netrcfile)
{
  long bits = (long)mote_cli_op_get_number(p->op, SLOT_NETRC, 0);
  (void)on;
  if(!mote_cli_op_number(p->op, row, SLOT_NETRC, bits ? bits : 2))
    return PARAM_NO_MEMORY;
  return mote_cli_op_text(p->op, row, row->target, arg) ? PARAM_OK : PARAM_NO_MEMORY;
}
