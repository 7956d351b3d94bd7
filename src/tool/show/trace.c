/* -v, --trace, --trace-ascii. Their forms are those of curl, for the programs that read them. */
#include "tool/c_program.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/out.h"
#include "tool/transfers/transfer.h"

#include <string.h>
#include <time.h>

static bool at_line_start = true;  /* the last text ended with a newline */
static bool body_noted;            /* "[n bytes data]" was written for this body */

static int trace_fd(bool *tty)
{
  const char *name = mote_cli.trace_file;
  if(mote_cli.trace_fd < 0) {
    if(!strcmp(name, "-"))
      mote_cli.trace_fd = 1;
    else if(!strcmp(name, "%"))
      mote_cli.trace_fd = mote_cli.err;
    else
      mote_cli.trace_fd = mote_cli_system_open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if(mote_cli.trace_fd < 0) {
      mote_cli_warn("cannot write %s, the trace goes to stderr", name);
      mote_cli.trace_fd = mote_cli.err;
    }
  }
  *tty = mote_cli.trace_fd == mote_cli.err ? mote_cli.err_tty :
                                           mote_cli_system_is_terminal(mote_cli.trace_fd);
  return mote_cli.trace_fd;
}

static void put_time(struct out *o)
{
  long us;
  time_t now;
  struct tm tm;
  if(!mote_cli_on(GLOBAL_TRACE_TIME))
    return;
  now = mote_cli_system_wall(&us);
  localtime_r(&now, &tm);
  mote_cli_out_pad(o, tm.tm_hour, 2, '0');
  mote_cli_out_char(o, ':');
  mote_cli_out_pad(o, tm.tm_min, 2, '0');
  mote_cli_out_char(o, ':');
  mote_cli_out_pad(o, tm.tm_sec, 2, '0');
  mote_cli_out_char(o, '.');
  mote_cli_out_pad(o, us, 6, '0');
  mote_cli_out_char(o, ' ');
}

static void put_ids(struct out *o, CURL *handle)
{
  curl_off_t transfer = -1, connection = -1;
  if(!mote_cli_on(GLOBAL_TRACE_IDS))
    return;
  if(curl_easy_getinfo(handle, CURLINFO_XFER_ID, &transfer))
    transfer = -1;
  if(curl_easy_getinfo(handle, CURLINFO_CONN_ID, &connection))
    connection = -1;
  mote_cli_out_char(o, '[');
  if(transfer < 0)
    mote_cli_out_char(o, 'x');
  else
    mote_cli_out_num(o, transfer);
  mote_cli_out_char(o, '-');
  if(connection < 0)
    mote_cli_out_char(o, 'x');
  else
    mote_cli_out_num(o, connection);
  mote_cli_out_str(o, "] ");
}

static void put_prefix(struct out *o, CURL *handle)
{
  put_time(o);
  put_ids(o, handle);
}

/* Lines that begin with a mark. A text without a newline at its end is continued by the next. */
static void plain_lines(struct out *o, CURL *handle, const char *mark, const char *text, size_t len)
{
  while(len) {
    const char *end = memchr(text, '\n', len);
    size_t n = end ? (size_t)(end - text) + 1 : len;
    if(at_line_start) {
      put_prefix(o, handle);
      mote_cli_out_str(o, mark);
    }
    mote_cli_out_safe(o, text, n);
    at_line_start = end != NULL;
    text += n;
    len -= n;
  }
}

static void trace_plain(struct out *o, struct transfer *t, curl_infotype type, const char *text, size_t len)
{
  switch(type) {
  case CURLINFO_TEXT: plain_lines(o, t->handle, "* ", text, len); break;
  case CURLINFO_HEADER_OUT: plain_lines(o, t->handle, "> ", text, len); body_noted = false; break;
  case CURLINFO_HEADER_IN: plain_lines(o, t->handle, "< ", text, len); body_noted = false; break;
  case CURLINFO_DATA_IN:
  case CURLINFO_DATA_OUT:
  case CURLINFO_SSL_DATA_IN:
  case CURLINFO_SSL_DATA_OUT:
    /* Once per body, and not if the body itself goes to the same terminal. */
    if(body_noted || (mote_cli.out_tty && o->fd != 1 && !t->out_name))
      break;
    put_prefix(o, t->handle);
    mote_cli_out_str(o, type == CURLINFO_DATA_IN || type == CURLINFO_SSL_DATA_IN ? "{ [" : "} [");
    mote_cli_out_num(o, (curl_off_t)len);
    mote_cli_out_str(o, " bytes data]\n");
    body_noted = true;
    break;
  default: break;
  }
}

static void dump_row(struct out *o, const unsigned char *p, size_t at, size_t len)
{
  mote_cli_out_hex(o, at, 4);
  mote_cli_out_str(o, ": ");
  for(size_t i = 0; i < 16; i++)
    if(at + i < len) {
      mote_cli_out_hex(o, p[at + i], 2);
      mote_cli_out_char(o, ' ');
    }
    else
      mote_cli_out_str(o, "   ");
  for(size_t i = at; i < at + 16 && i < len; i++)
    mote_cli_out_char(o, p[i] >= 0x20 && p[i] < 0x7f ? (char)p[i] : '.');
  mote_cli_out_char(o, '\n');
}

/* A row of text, at most 64 bytes, ended by CRLF. *at is moved past it. */
static void ascii_row(struct out *o, const unsigned char *p, size_t *at, size_t len)
{
  size_t i = *at, end = *at + 64;
  mote_cli_out_hex(o, *at, 4);
  mote_cli_out_str(o, ": ");
  while(i < len && i < end) {
    if(p[i] == '\r' && i + 1 < len && p[i + 1] == '\n') {
      i += 2;
      break;
    }
    mote_cli_out_char(o, p[i] >= 0x20 && p[i] < 0x7f ? (char)p[i] : '.');
    i++;
    if(i == end && i + 1 < len && p[i] == '\r' && p[i + 1] == '\n') {
      i += 2;
      break;
    }
  }
  mote_cli_out_char(o, '\n');
  *at = i;
}

static void trace_dump(struct out *o, struct transfer *t, curl_infotype type, const char *text, size_t len)
{
  static const char *const titles[] = {
    "== Info", "<= Recv header", "=> Send header", "<= Recv data", "=> Send data", "<= Recv SSL data",
    "=> Send SSL data"
  };
  const unsigned char *p = (const unsigned char *)text;
  if(type >= CURLINFO_END)
    return;
  put_prefix(o, t->handle);
  mote_cli_out_str(o, titles[type]);
  if(type == CURLINFO_TEXT) {
    mote_cli_out_str(o, ": ");
    mote_cli_out_safe(o, text, len);
    if(!len || text[len - 1] != '\n')
      mote_cli_out_char(o, '\n');
    return;
  }
  mote_cli_out_str(o, ", ");
  mote_cli_out_num(o, (curl_off_t)len);
  mote_cli_out_str(o, " bytes (0x");
  mote_cli_out_hex(o, len, 1);
  mote_cli_out_str(o, ")\n");
  if(mote_cli.trace == TRACE_HEX)
    for(size_t at = 0; at < len; at += 16)
      dump_row(o, p, at, len);
  else
    for(size_t at = 0; at < len;)
      ascii_row(o, p, &at, len);
}

static int trace_trace(CURL *handle, curl_infotype type, char *text, size_t len, void *transfer)
{
  struct transfer *t = transfer;
  struct out o;
  bool tty;
  int fd = trace_fd(&tty);
  (void)handle;
  mote_cli_out_init(&o, fd, tty);
  if(mote_cli.trace == TRACE_PLAIN)
    trace_plain(&o, t, type, text, len);
  else
    trace_dump(&o, t, type, text, len);
  mote_cli_out_flush(&o);
  return 0;
}

CURLcode mote_cli_trace_setup(struct transfer *t)
{
  CURLcode rc;
  if(mote_cli.trace == TRACE_NONE)
    return CURLE_OK;
  rc = curl_easy_setopt(t->handle, CURLOPT_DEBUGFUNCTION, trace_trace);
  if(!rc)
    rc = curl_easy_setopt(t->handle, CURLOPT_DEBUGDATA, t);
  if(!rc)
    rc = mote_cli_set_long(t, CURLOPT_VERBOSE, 1);
  return rc;
}
