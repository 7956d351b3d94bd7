/* port/posix/env.c: environment, process, error texts.
 *
 * The process id is read once, and again in a child (pthread_atfork): glibc's getpid is a system call. */
#define _POSIX_C_SOURCE 200809L /* the strerror_r that returns int */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "port/port.h"

extern char **environ; /* POSIX declares it nowhere */

static atomic_long known_pid; /* 0: not known */
static atomic_int watching;   /* 0: not yet, 1: a thread is about to, 2: children tell */

const char *mote_port_getenv(const char *name)
{
  return getenv(name);
}

/* "?<second>…_proxy=…", in any case */
static bool names_proxy(const char *variable, char second)
{
  size_t len;
  if((variable[1] | 0x20) != second)
    return false;
  len = strcspn(variable, "=");
  return len > 6 && !strncasecmp(variable + len - 6, "_proxy", 6);
}

bool mote_port_env_proxies(void)
{
  char **e;
  if(!environ)
    return false;
  for(e = environ; *e; e++) {
    char initial;
    if((**e | 0x29) != 0x69) /* none of A, H, I, @, whatever their case */
      continue;
    initial = (char)(**e | 0x20);
    if((initial == 'h' && names_proxy(*e, 't')) || (initial == 'a' && names_proxy(*e, 'l')))
      return true;
  }
  return false;
}

static void in_child(void)
{
  atomic_store(&known_pid, (long)getpid());
}

long mote_port_pid(void)
{
  int before = 0;
  long pid = atomic_load_explicit(&known_pid, memory_order_relaxed);
  if(pid)
    return pid;
  pid = (long)getpid();
  if(!atomic_compare_exchange_strong(&watching, &before, 1))
    return pid;
  if(pthread_atfork(NULL, NULL, in_child))
    atomic_store(&watching, 0);
  else {
    atomic_store(&watching, 2);
    atomic_store(&known_pid, (long)getpid());
  }
  return pid;
}

size_t mote_port_error_text(int error, char *out, size_t cap)
{
  /* The POSIX strerror_r: 0, EINVAL with a text like "Unknown error 999", or ERANGE with the text cut. */
  int saved = errno;
  out[0] = 0;
  if(cap > 1)
    (void)strerror_r(error, out, cap);
  out[cap - 1] = 0;
  errno = saved;
  return strlen(out);
}
