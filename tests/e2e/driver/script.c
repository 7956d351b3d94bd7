/* script.c: reads the script line by line, straight from its descriptor so that loops can watch it. */
#include "driver.h"
#include "system.h"
#include "torture.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *buffer;
static size_t used, room, line_end;
static int ended;
int script_fd;
int script_watch;
static long lines_read;

static int have_line(void)
{
  char *nl = used ? memchr(buffer, '\n', used) : NULL;
  line_end = nl ? (size_t)(nl - buffer) : 0;
  return nl != NULL;
}

static void fill(void)
{
  long n;
  if(room - used < 65536) {
    room = room ? room * 2 : 1 << 18;
    buffer = realloc(buffer, room);
    if(!buffer)
      abort();
  }
  n = script_read(script_fd, buffer + used, room - used);
  if(n > 0)
    used += (size_t)n;
  else
    ended = 1;
}

int script_line_ready(void)
{
  struct pollfd p = {script_fd, POLLIN, 0};
  while(!have_line() && !ended) {
    if(poll(&p, 1, 0) <= 0)
      return 0;
    fill();
  }
  return 1;
}

int script_fd_wanted(void)
{
  return script_watch ? script_fd : -1;
}

static int hex(int c)
{
  return c >= 'a' ? c - 'a' + 10 : c - '0';
}

/* Cuts the line into fields in place, escapes resolved. */
static int split(char *line, struct field *f)
{
  char *to = line;
  int n = 0;
  f[0].bytes = line;
  for(char *p = line;; p++) {
    if(*p == '\t' || !*p) {
      int last = !*p;
      f[n].len = (size_t)(to - f[n].bytes);
      *to++ = 0;
      n++;
      if(last || n == MAX_FIELDS)
        return n;
      to = p + 1;
      f[n].bytes = to;
    }
    else if(*p != '\\')
      *to++ = *p;
    else if(*++p == 'x') {
      *to++ = (char)(hex(p[1]) << 4 | hex(p[2]));
      p += 2;
    }
    else
      *to++ = *p == 't' ? '\t' : *p == 'n' ? '\n' : *p == 'r' ? '\r' : *p;
  }
}

/* Notifies the writer of the script that nothing more happens until there is more of it. */
void script_idle(void)
{
  struct pollfd p = {script_fd, POLLIN, 0};
  if(torture && !have_line() && !ended && poll(&p, 1, 0) == 0)
    torture_idle(lines_read);
}

int script_run(void)
{
  for(;;) {
    struct field f[MAX_FIELDS];
    char *line;
    int n;
    while(!have_line() && !ended) {
      script_idle();
      fill();
    }
    if(!used || !have_line())
      return 0;
    line = malloc(line_end + 1);
    memcpy(line, buffer, line_end);
    line[line_end] = 0;
    used -= line_end + 1;
    lines_read++;
    memmove(buffer, buffer + line_end + 1, used);
    n = split(line, f);
    if(line[0] && !command_run(f, n) && !extra_run(f, n) && !forms_run(f, n) && !ws_command(f, n)) {
      fprintf(stderr, "driver: no such command: %s (%d fields)\n", f[0].bytes, n);
      return 2;
    }
    free(line);
  }
}
