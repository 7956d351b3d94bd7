/* log.c: the driver's log, one whole line at a time, fields escaped. */
#include "driver.h"
#include "system.h"
#include "torture.h"
#include <stdio.h>
#include <string.h>

int violations;
int tolerant;

void log_begin(const char *kind)
{
  flockfile(stdout);
  fputs(kind, stdout);
}

void log_bytes(const void *bytes, size_t len)
{
  static const char hex[] = "0123456789abcdef";
  const unsigned char *p = bytes;
  putc_unlocked('\t', stdout);
  for(size_t i = 0; i < len; i++) {
    if(p[i] == '\\') {
      putc_unlocked('\\', stdout);
      putc_unlocked('\\', stdout);
    }
    else if(p[i] >= 0x20 && p[i] < 0x7f)
      putc_unlocked(p[i], stdout);
    else {
      putc_unlocked('\\', stdout);
      putc_unlocked('x', stdout);
      putc_unlocked(hex[p[i] >> 4], stdout);
      putc_unlocked(hex[p[i] & 15], stdout);
    }
  }
}

void log_text(const char *text)
{
  log_bytes(text, strlen(text));
}

void log_num(long long n)
{
  fprintf(stdout, "\t%lld", n);
}

void log_end(void)
{
  putc_unlocked('\n', stdout);
  fflush(stdout);
  funlockfile(stdout);
}

void log_code(const char *kind, const char *who, const char *what, long long code)
{
  log_begin(kind);
  log_text(who);
  log_text(what);
  log_num(code);
  log_end();
}

void violation(const char *text, const char *who, long long n)
{
  violations++;
  log_begin("violation");
  log_text(text);
  log_text(who);
  log_num(n);
  log_end();
}

/* A failed call of the library: wrong, except when the script makes calls fail. */
void complain(const char *text, const char *who, long long n)
{
  if(tolerant || torture)
    log_code("merror", who, text, n);
  else
    violation(text, who, n);
}
