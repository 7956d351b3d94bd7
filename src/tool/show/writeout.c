#include "tool/show/writeout.h"

#include "tool/newer.h"
#include "tool/show/messages.h"
#include "tool/show/writevars.h"
#include "tool/system/system.h"
#include "tool/transfers/out.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#define NAME_ROOM 1024 /* longest name inside %{}, %header{}, %output{}, %time{} */

struct writer {
  struct transfer *t;
  CURLcode code;
  struct out out;
  int opened;        /* descriptor of %output{}; -1: none */
  bool stop;         /* %{onerror} of a transfer that succeeded */
};

static void turn_to(struct writer *w, int fd)
{
  bool tty = fd == 1            ? mote_cli.out_tty :
             fd == mote_cli.err ? mote_cli.err_tty : mote_cli_system_is_terminal(fd);
  mote_cli_out_flush(&w->out);
  mote_cli_out_init(&w->out, fd, tty);
}

static void special(struct writer *w, enum write_special what)
{
  switch(what) {
  case SPECIAL_JSON: mote_cli_put_all_json(&w->out, w->t, w->code); break;
  case SPECIAL_HEADER_JSON: mote_cli_put_headers_json(&w->out, w->t); break;
  case SPECIAL_STDERR: turn_to(w, mote_cli.err); break;
  case SPECIAL_STDOUT: turn_to(w, 1); break;
  case SPECIAL_ONERROR: w->stop = w->code == CURLE_OK; break;
  case SPECIAL_NONE: break;
  }
}

static void variable(struct writer *w, const char *name, size_t len)
{
  const struct write_variable *v = mote_cli_variable_find(name, len);
  if(!v)
    mote_cli_help("--write-out has no variable '%.*s'", (int)(len > 100 ? 100 : len), name);
  else if(v->special)
    special(w, v->special);
  else
    mote_cli_put_variable(&w->out, w->t, w->code, v, false);
}

/* %header{name} of the last response, %header{name:all:separator} of all of them. */
static void writeout_header(struct writer *w, char *arg)
{
  char *colon = strstr(arg, ":all:");
  struct curl_header *h;
  bool first = true;
  if(!colon) {
    if(!curl_easy_header(w->t->handle, arg, 0, CURLH_HEADER, -1, &h))
      mote_cli_out_safe(&w->out, h->value, strlen(h->value));
    return;
  }
  *colon = 0;
  for(int request = 0;; request++) {
    for(size_t i = 0;; i++) {
      CURLHcode rc = curl_easy_header(w->t->handle, arg, i, CURLH_HEADER, request, &h);
      if(rc == CURLHE_NOREQUEST || rc == CURLHE_BAD_ARGUMENT || rc == CURLHE_NOHEADERS)
        return;
      if(rc)
        break;
      if(!first)
        mote_cli_out_str(&w->out, colon + 5);
      mote_cli_out_safe(&w->out, h->value, strlen(h->value));
      first = false;
    }
  }
}

static void writeout_output(struct writer *w, const char *arg)
{
  bool append = !strncmp(arg, ">>", 2);
  const char *name = append ? arg + 2 : arg;
  int fd = mote_cli_system_open(name, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC), 0666);
  if(fd < 0) {
    mote_cli_warn("cannot write %s: %s", name, strerror(errno));
    return;
  }
  turn_to(w, fd);
  if(w->opened >= 0)
    close(w->opened);
  w->opened = fd;
}

/* strftime conversions in UTC; %f is the microseconds, %z and %Z are fixed. %s is written here, as strftime()
 * makes it of a local time. */
static void writeout_now(struct writer *w, const char *format)
{
  long us;
  const time_t now = mote_cli_system_wall(&us);
  struct tm tm;
  char text[256];
  gmtime_r(&now, &tm);
  for(; *format; format++) {
    char one[] = { '%', 0, 0 };
    if(*format != '%' || !format[1]) {
      mote_cli_out_char(&w->out, *format);
      continue;
    }
    one[1] = *++format;
    if(*format == 'f')
      mote_cli_out_pad(&w->out, us, 6, '0');
    else if(*format == 's')
      mote_cli_out_num(&w->out, (curl_off_t)now);
    else if(*format == 'z')
      mote_cli_out_str(&w->out, "+0000");
    else if(*format == 'Z')
      mote_cli_out_str(&w->out, "GMT");
    else
      mote_cli_out_mem(&w->out, text, strftime(text, sizeof text, one, &tm));
  }
}

/* The inside of braces, where "\}" is a brace. Returns what follows. NULL: no closing brace, or too long. */
static const char *writeout_inside(const char *p, char *room)
{
  size_t len = 0;
  while(*p && *p != '}') {
    if(*p == '\\' && p[1] == '}')
      p++;
    if(len + 1 == NAME_ROOM)
      return NULL;
    room[len++] = *p++;
  }
  room[len] = 0;
  return *p ? p + 1 : NULL;
}

struct braced {
  const char *prefix;
  void (*run)(struct writer *w, char *arg);
};

static void run_header(struct writer *w, char *arg)
{
  writeout_header(w, arg);
}

static void run_output(struct writer *w, char *arg)
{
  writeout_output(w, arg);
}

static void run_time(struct writer *w, char *arg)
{
  writeout_now(w, arg);
}

/* The form at p, which follows a percent sign. Returns what follows the form. */
static const char *writeout_percent(struct writer *w, const char *p)
{
  static const struct braced forms[] = {
    { "header{", run_header }, { "output{", run_output }, { "time{", run_time }
  };
  char room[NAME_ROOM];
  const char *next;
  if(*p == '%') {
    mote_cli_out_char(&w->out, '%');
    return p + 1;
  }
  if(*p == '{') {
    const char *end = strchr(p, '}');
    if(end) {
      variable(w, p + 1, (size_t)(end - p - 1));
      return end + 1;
    }
    mote_cli_out_str(&w->out, "%{");
    return p + 1;
  }
  for(size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    size_t len = strlen(forms[i].prefix);
    if(strncmp(p, forms[i].prefix, len))
      continue;
    next = writeout_inside(p + len, room);
    if(!next)
      break;
    forms[i].run(w, room);
    return next;
  }
  mote_cli_out_char(&w->out, '%');
  return p;
}

static const char *backslash(struct writer *w, const char *p)
{
  switch(*p) {
  case 'r': mote_cli_out_char(&w->out, '\r'); break;
  case 'n': mote_cli_out_char(&w->out, '\n'); break;
  case 't': mote_cli_out_char(&w->out, '\t'); break;
  default:
    mote_cli_out_char(&w->out, '\\');
    if(*p)
      mote_cli_out_char(&w->out, *p);
  }
  return *p ? p + 1 : p;
}

void mote_cli_writeout_format(struct transfer *t, CURLcode code, const char *format, int fd)
{
  struct writer w = { .t = t, .code = code, .opened = -1 };
  const char *p = format;
  mote_cli_out_init(&w.out, fd, fd == 1 && mote_cli.out_tty);
  while(*p && !w.stop) {
    size_t plain = strcspn(p, "%\\");
    mote_cli_out_mem(&w.out, p, plain);
    p += plain;
    if(*p == '%')
      p = p[1] ? writeout_percent(&w, p + 1) : (mote_cli_out_char(&w.out, '%'), p + 1);
    else if(*p)
      p = backslash(&w, p + 1);
  }
  mote_cli_out_flush(&w.out);
  if(w.opened >= 0)
    close(w.opened);
}

void mote_cli_writeout(struct transfer *t, CURLcode code)
{
  const char *format = mote_cli_op_get_text(t->op, SLOT_WRITE_OUT);
  if(format)
    mote_cli_writeout_format(t, code, format, 1);
}
