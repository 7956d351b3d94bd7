/* Handlers of options that shape the HTTP request. See options.h. */
#undef _TIME_BITS /* curl_getdate() returns a time_t as programs have it that do not ask for more bits */
#include "tool/memory.h"
#include "tool/options/data.h"
#include "tool/options/options.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/files.h"

#include <string.h>
#include <time.h>

MOTE_SETTER(data)
{
  enum data_kind kind = (enum data_kind)row->target;
  (void)on;
  return mote_cli_data_add(kind == DATA_QUERY ? &p->op->query : &p->op->post, kind, arg);
}

static enum param set_http_headers_from_file(struct parse *p, const struct option_row *row, const char *path)
{
  char *text;
  CURLcode code = mote_cli_read_text(path, &text);
  if(code)
    return code == CURLE_OUT_OF_MEMORY ? PARAM_NO_MEMORY : PARAM_READ;
  for(char *line = strtok(text, "\r\n"); line; line = strtok(NULL, "\r\n"))
    if(!mote_cli_op_add(p->op, row, row->target, line))
      return PARAM_NO_MEMORY;
  return PARAM_OK;
}

MOTE_SETTER(header)
{
  (void)on;
  if(arg[0] == '@')
    return set_http_headers_from_file(p, row, arg + 1);
  if(!arg[strcspn(arg, ":;")])
    mote_cli_warn("--%s: \"%s\" has neither a colon nor a semicolon, so that it is no header",
                  row->name, arg);
  return mote_cli_stored(mote_cli_op_add(p->op, row, row->target, arg) != NULL);
}

/* Text with '=' is a Cookie header (several are joined), anything else names a file (all are read). */
MOTE_SETTER(cookie)
{
  struct operation *op = p->op;
  const char *old;
  size_t len, need;
  (void)on;
  if(!strchr(arg, '='))
    return mote_cli_stored(mote_cli_op_add(op, row, CURLOPT_COOKIEFILE, arg) != NULL);
  old = mote_cli_op_get_text(op, CURLOPT_COOKIE);
  if(!old)
    return mote_cli_stored(mote_cli_op_text(op, row, CURLOPT_COOKIE, arg));
  len = strlen(old);
  need = len + strlen(arg) + 3;
  if(need > op->cookies_cap) {
    char *more = mote_cli_realloc(op->cookies, need * 2);
    if(!more)
      return PARAM_NO_MEMORY;
    if(!op->cookies)
      memcpy(more, old, len);
    op->cookies = more;
    op->cookies_cap = need * 2;
  }
  strcpy(stpcpy(op->cookies + len, "; "), arg); /* it fits */
  return mote_cli_stored(mote_cli_op_text(op, row, CURLOPT_COOKIE, op->cookies));
}

MOTE_SETTER(form)
{
  struct value *v;
  (void)on;
  if(!strchr(arg, '='))
    return PARAM_BAD_USE;
  v = mote_cli_op_add(p->op, row, SLOT_FORM, arg);
  if(v)
    v->literal = row->target != 0;
  return mote_cli_stored(v != NULL);
}

MOTE_SETTER(user)
{
  (void)on;
  return mote_cli_stored(mote_cli_op_text(p->op, row, row->target, arg));
}

MOTE_SETTER(bearer)
{
  long bits = (long)mote_cli_op_get_number(p->op, CURLOPT_HTTPAUTH, 0);
  (void)on;
  if(!mote_cli_op_number(p->op, row, CURLOPT_HTTPAUTH, bits | (long)CURLAUTH_BEARER))
    return PARAM_NO_MEMORY;
  return mote_cli_stored(mote_cli_op_text(p->op, row, row->target, arg));
}

MOTE_SETTER(referer)
{
  static const char automatic[] = ";auto";
  size_t len = strlen(arg), tail = sizeof automatic - 1;
  (void)on;
  if(len < tail || strcmp(arg + len - tail, automatic)) {
    mote_cli_op_set_flag(p->op, FLAG_REFERER_AUTO, false);
    return mote_cli_stored(mote_cli_op_text(p->op, row, row->target, arg));
  }
  mote_cli_op_set_flag(p->op, FLAG_REFERER_AUTO, true);
  if(len > tail) {
    char *copy = mote_cli_keep(len - tail + 1);
    if(!copy)
      return PARAM_NO_MEMORY;
    memcpy(copy, arg, len - tail);
    return mote_cli_stored(mote_cli_op_text(p->op, row, row->target, copy));
  }
  return PARAM_OK;
}

MOTE_SETTER(range)
{
  (void)on;
  if(*arg && !arg[strspn(arg, "0123456789")]) {
    char *open = mote_cli_keep(strlen(arg) + 2);
    mote_cli_warn("the range %s has no \"-\", %s- is used", arg, arg);
    if(!open)
      return PARAM_NO_MEMORY;
    strcpy(stpcpy(open, arg), "-");
    arg = open;
  }
  else if(arg[strspn(arg, "0123456789-,")])
    mote_cli_warn("the range %s is not made of digits, \"-\" and \",\" alone: it is sent unchanged", arg);
  return mote_cli_stored(mote_cli_op_text(p->op, row, row->target, arg));
}

MOTE_SETTER(timecond)
{
  long kind = CURL_TIMECOND_IFMODSINCE;
  time_t when;
  (void)on;
  if(*arg == '-') {
    kind = CURL_TIMECOND_IFUNMODSINCE;
    arg++;
  }
  else if(*arg == '=') {
    kind = CURL_TIMECOND_LASTMOD;
    arg++;
  }
  else if(*arg == '+')
    arg++;
  when = curl_getdate(arg, NULL);
  if(when == -1) {
    struct stat st;
    if(mote_cli_system_stat(arg, &st)) {
      mote_cli_op_remove(p->op, SLOT_TIME_COND);
      mote_cli_warn("--time-cond: \"%s\" is neither a date nor a file: the condition is ignored", arg);
      return PARAM_OK;
    }
    when = st.st_mtime;
  }
  if(!mote_cli_op_number(p->op, row, SLOT_TIME_COND, kind))
    return PARAM_NO_MEMORY;
  return mote_cli_stored(mote_cli_op_number(p->op, row, row->target, when));
}

/* The key itself, or @file whose first line is the key. */
MOTE_SETTER(keyfile)
{
  (void)on;
  if(arg[0] == '@') {
    char *text;
    CURLcode code = mote_cli_read_text(arg + 1, &text);
    if(code)
      return code == CURLE_OUT_OF_MEMORY ? PARAM_NO_MEMORY : PARAM_READ;
    text[strcspn(text, "\r\n")] = 0;
    arg = text;
  }
  return mote_cli_stored(mote_cli_op_text(p->op, row, row->target, arg));
}
