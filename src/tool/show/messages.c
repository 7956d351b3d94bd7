#include "tool/show/messages.h"

#include "tool/system/system.h"
#include "tool/transfers/out.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cli mote_cli = {
  .flags = 1UL << GLOBAL_METER | 1UL << GLOBAL_STYLED,
  .trace_fd = -1,
  .err = 2,
  .numbers = { [GNUM_PARALLEL_MAX] = 50 },
};

bool mote_cli_on(enum global_flag flag)
{
  return (mote_cli.flags >> flag & 1) != 0;
}

const char *mote_cli_unread_reason(void)
{
  return mote_cli.unread_error == UNREAD_NUL ? "it has a NUL byte, so it is not text"
                                             : strerror(mote_cli.unread_error);
}

const char *mote_cli_name(void)
{
  return mote_cli_on(GLOBAL_AS_CURL) ? "curl" : "mote";
}

curl_off_t mote_cli_now(void)
{
  return mote_cli_system_now();
}

#define NARROWEST 20 /* columns for which lines are made, on a terminal that has fewer as well */

int mote_cli_columns(void)
{
  const char *env = getenv("COLUMNS");
  int columns;
  if(env) {
    long n = strtol(env, NULL, 10);
    if(n >= NARROWEST && n < 10000)
      return (int)n;
  }
  columns = mote_cli_system_columns(mote_cli.err);
  if(columns > 0 && columns < 10000)
    return columns < NARROWEST ? NARROWEST : columns;
  return 79;
}

/* Control characters are escaped on a terminal: texts may quote what a server sent. */
static void messages_say(const char *format, va_list args)
{
  char text[1024];
  struct out o;
  int n = vsnprintf(text, sizeof text, format, args);
  if(n < 0)
    return;
  mote_cli_out_init(&o, mote_cli.err, mote_cli.err_tty);
  mote_cli_out_str(&o, mote_cli_name());
  mote_cli_out_str(&o, ": ");
  mote_cli_out_safe(&o, text, strlen(text));
  mote_cli_out_char(&o, '\n');
  mote_cli_out_flush(&o);
}

void mote_cli_help(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  messages_say(format, args);
  va_end(args);
}

void mote_cli_try_help(void)
{
  mote_cli_help("%s", mote_cli_on(GLOBAL_AS_CURL) ? CURL_SAYS_TRY_HELP
                                                  : "try 'mote --help' for more information");
}

void mote_cli_error(const char *format, ...)
{
  va_list args;
  if(mote_cli_on(GLOBAL_SILENT) && !mote_cli_on(GLOBAL_SHOW_ERROR))
    return;
  va_start(args, format);
  messages_say(format, args);
  va_end(args);
}

static void say_folded(bool warning, const char *format, va_list args)
{
  const char *before = mote_cli_on(GLOBAL_AS_CURL) ? warning ? "Warning: " : "Note: "
                       : warning ? "mote: warning: " : "mote: note: ";
  char text[1024];
  const char *p = text;
  struct out o;
  size_t len, width;
  if(mote_cli_on(GLOBAL_SILENT) || vsnprintf(text, sizeof text, format, args) < 0)
    return;
  width = (size_t)mote_cli_columns() - strlen(before);
  mote_cli_out_init(&o, mote_cli.err, mote_cli.err_tty);
  for(len = strlen(p); len; len = strlen(p)) {
    size_t cut = len;
    if(len > width) {
      cut = width;
      while(cut && p[cut - 1] != ' ')
        cut--;
      if(!cut)
        cut = width;
    }
    mote_cli_out_str(&o, before);
    mote_cli_out_safe(&o, p, cut);
    mote_cli_out_char(&o, '\n');
    p += cut;
  }
  mote_cli_out_flush(&o);
}

void mote_cli_warn(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say_folded(true, format, args);
  va_end(args);
}

void mote_cli_note(const char *format, ...)
{
  va_list args;
  if(mote_cli.trace == TRACE_NONE)
    return;
  va_start(args, format);
  say_folded(false, format, args);
  va_end(args);
}
