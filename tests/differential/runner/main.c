/* main.c: reads cases, runs each, answers with its log.
 *
 * A case is lines of fields separated by TAB (with \t \n \r \\ \xNN), and ends with an empty line; so does
 * its log, whose last line is "end" and a verdict. A case that takes ten real seconds ends the program. */
#define _GNU_SOURCE
#include "runner.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int hex(char c)
{
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c - 'A' + 10;
}

/* Turns the escapes of a field into bytes, in place. */
static size_t unescaped(char *at, size_t n)
{
  char *to = at;
  for(size_t i = 0; i < n; i++) {
    if(at[i] != '\\' || i + 1 == n) {
      *to++ = at[i];
      continue;
    }
    i++;
    if(at[i] == 'x' && i + 2 < n) {
      *to++ = (char)(hex(at[i + 1]) * 16 + hex(at[i + 2]));
      i += 2;
    }
    else
      *to++ = at[i] == 't' ? '\t' : at[i] == 'n' ? '\n' : at[i] == 'r' ? '\r' : at[i];
  }
  *to = 0;
  return (size_t)(to - at);
}

static int split(char *line, size_t length, struct field *f)
{
  int n = 0;
  char *end = line + length;
  while(n < FIELDS) {
    char *tab = memchr(line, '\t', (size_t)(end - line));
    size_t size = (size_t)((tab ? tab : end) - line);
    f[n].at = line;
    f[n].len = unescaped(line, size);
    n++;
    if(!tab)
      break;
    line = tab + 1;
  }
  return n;
}

static void begin(void)
{
  clock_reset();
  wait_reset();
  callbacks_reset();
}

static void finish(void)
{
  drive_reset();
  net_log();
  handles_free();
  forms_free();
  shares_free();
  urls_free();
  case_free();
  net_reset();
  alarm(0);
  log_deliver("done");
}

static void too_long(int sig)
{
  (void)sig;
  _exit(96);
}

int main(void)
{
  char *line = NULL;
  size_t room = 0;
  ssize_t n;
  int running = 0;
  signal(SIGPIPE, SIG_IGN);
  signal(SIGALRM, too_long);
  curl_global_init(CURL_GLOBAL_ALL);
  while((n = getline(&line, &room, stdin)) > 0) {
    struct field f[FIELDS];
    int count;
    line[--n] = 0;
    if(!running) {
      begin();
      alarm(10);
      running = 1;
    }
    if(!n) {
      finish();
      running = 0;
      continue;
    }
    count = split(line, (size_t)n, f);
    if(!verb_transfer(f, count) && !verb_option(f, count) && !verb_url(f, count) && !verb_pure(f, count) &&
       !verb_form(f, count))
      log_line("unknown", count, f[0].at);
  }
  curl_global_cleanup();
  return 0;
}
