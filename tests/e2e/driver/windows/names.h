/* names.h: the system's headers of sockets, and what POSIX names otherwise than Windows. */
#ifndef E2E_NAMES_H
#define E2E_NAMES_H

#include <winsock2.h>
#include <ws2tcpip.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* WSAPoll() refuses to wait for nothing. */
static inline int poll(struct pollfd *p, unsigned long n, int ms)
{
  if(n)
    return WSAPoll(p, n, ms);
  Sleep((DWORD)ms);
  return 0;
}

static inline void flockfile(FILE *f)
{
  _lock_file(f);
}

static inline void funlockfile(FILE *f)
{
  _unlock_file(f);
}

static inline int putc_unlocked(int c, FILE *f)
{
  return _putc_nolock(c, f);
}

static inline int setenv(const char *name, const char *value, int again)
{
  (void)again;
  return _putenv_s(name, value);
}

static inline int unsetenv(const char *name)
{
  return _putenv_s(name, "");
}

#endif
