/* log/write.c: the lines of the log, gathered in a static buffer. Only whole lines are written. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/inner.h"
#include "log/log.h"
#include "port/lock.h"

enum {
  LINE = 1024 /* at most; a file's name is cut to fit */
};

static char buffer[64 * 1024];
static size_t used;
static int log_file = -1;
static bool direct; /* each line is written at once */
static struct mote_mutex lock = MOTE_MUTEX_INIT;
static _Thread_local bool inside;
static _Thread_local struct mote_log_where here = { "?", 0 };

void mote_log_site(const char *file, int line)
{
  here.file = file;
  here.line = line;
}

struct mote_log_where mote_log_here(void)
{
  return here;
}

bool mote_log_enter(void)
{
  if(inside)
    return false;
  inside = true;
  mote_port_lock(&lock);
  return true;
}

void mote_log_enter_by_force(void)
{
  int tries;
  for(tries = 0; tries < 1000; tries++) {
    int unlocked = 0;
    if(atomic_compare_exchange_strong(&lock.state, &unlocked, 1))
      break;
  }
  inside = true;
}

void mote_log_leave(void)
{
  mote_port_unlock(&lock);
  inside = false;
}

void mote_log_flush(void)
{
  const char *at = buffer;
  int saved = errno;
  while(used && log_file >= 0) {
    ssize_t n = write(log_file, at, used);
    if(n < 0 && errno == EINTR)
      continue;
    if(n <= 0)
      break;
    at += n;
    used -= (size_t)n;
  }
  used = 0;
  errno = saved;
}

static void write_put(const char *word, const char *format, va_list ap)
{
  int saved = errno;
  char *line = buffer + used;
  int n;
  if(log_file < 0)
    return;
  n = snprintf(line, LINE, "%s %s:%d ", word, here.file, here.line);
  n += vsnprintf(line + n, (size_t)(LINE - n), format, ap);
  if(n > LINE - 1)
    n = LINE - 1;
  line[n] = '\n';
  used += (size_t)n + 1;
  if(direct || sizeof buffer - used < LINE)
    mote_log_flush();
  errno = saved;
}

void mote_log_put(const char *word, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  write_put(word, format, ap);
  va_end(ap);
}

void mote_log_line(const char *word, const char *format, ...)
{
  va_list ap;
  if(log_file < 0 || !mote_log_enter())
    return;
  va_start(ap, format);
  write_put(word, format, ap);
  va_end(ap);
  mote_log_leave();
}

const char *mote_log_why(long result)
{
  static _Thread_local char text[32];
  if(result != -1)
    return "";
  (void)snprintf(text, sizeof text, " %s", mote_log_error_name(errno));
  return text;
}

int mote_log_result(enum mote_log_call call, int argument, int result)
{
  mote_log_line("CALL", "%s(%d) = %d%s", mote_log_calls[call].name, argument, result, mote_log_why(result));
  return result;
}

const char *mote_log_text(char *out, size_t cap, const char *path)
{
  size_t i;
  for(i = 0; path[i] && i < cap - 1; i++)
    out[i] = (unsigned char)path[i] < ' ' || path[i] == '"' ? '?' : path[i];
  out[i] = 0;
  return out;
}

int mote_log_result_path(enum mote_log_call call, const char *path, int result)
{
  char text[LINE / 2];
  (void)mote_log_text(text, sizeof text, path);
  mote_log_line("CALL", "%s(\"%s\") = %d%s", mote_log_calls[call].name, text, result, mote_log_why(result));
  return result;
}

/* Opens the file under a high number, out of the way of the descriptors that the program counts on. */
static int open_high(const char *name)
{
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  int high;
  if(file < 0) {
    (void)dprintf(2, "CURL_MEMDEBUG: cannot write %s: %s\n", name, mote_log_error_name(errno));
    return -1;
  }
  high = fcntl(file, F_DUPFD_CLOEXEC, 1000);
  if(high < 0)
    high = fcntl(file, F_DUPFD_CLOEXEC, 200);
  if(high < 0)
    return file;
  (void)close(file);
  return high;
}

bool mote_log_write_to(const char *name)
{
  if(name && *name)
    log_file = open_high(name);
  return log_file >= 0;
}

void mote_log_write_at_once(void)
{
  mote_log_flush();
  direct = true;
}
