/* port/posix/system.c: clocks, random bytes, error texts, the environment and the machine's name. */
#define _FILE_OFFSET_BITS 64 /* glibc asks for it with _TIME_BITS */
#define _TIME_BITS 64 /* its time on 32 bits ends in 2038, and certificates are judged by it */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "port/env.h"
#include "port/file.h"
#include "port/port.h"

#ifdef __APPLE__ /* a shared library has no `environ` there */
#include <crt_externs.h>
#define environ (*_NSGetEnviron())
#else
extern char **environ; /* POSIX declares it in no header */
#endif

/* ---- clocks ---- */

mote_time mote_port_now(void)
{
  struct timespec t = { 0, 0 };
  mote_time now;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  now = (mote_time)t.tv_sec * MOTE_SECOND + (uint32_t)t.tv_nsec / 1000;
  return now ? now : 1;
}

int64_t mote_port_wall(void)
{
  return (int64_t)time(NULL);
}

/* ---- random bytes: getentropy (at most 256 at a time), else /dev/urandom ---- */

static CURLcode from_device(unsigned char *p, size_t n)
{
  int file;
  int error = mote_port_file_open("/dev/urandom", MOTE_FILE_READ, 0, &file);
  if(error)
    return CURLE_FAILED_INIT;
  while(n) {
    size_t got;
    error = mote_port_file_read(file, p, n, &got);
    if(error || !got)
      break;
    p += got;
    n -= got;
  }
  (void)mote_port_file_close(file);
  return n ? CURLE_FAILED_INIT : CURLE_OK;
}

CURLcode mote_port_random(void *p, size_t n)
{
  unsigned char *at = p;
  while(n) {
    size_t some = n < 256 ? n : 256;
    if(getentropy(at, some)) {
      if(errno == EINTR)
        continue;
      return from_device(at, n);
    }
    at += some;
    n -= some;
  }
  return CURLE_OK;
}

/* ---- error texts ---- */

/* Without _GNU_SOURCE strerror_r returns an int: 0, EINVAL with a text like "Unknown error 999", or ERANGE
 * with the text cut. */
size_t mote_port_error_text(int error, char *out, size_t cap)
{
  int saved = errno;
  out[0] = 0;
  if(cap > 1)
    (void)strerror_r(error, out, cap);
  out[cap - 1] = 0;
  errno = saved;
  return strlen(out);
}

/* ---- the environment ---- */

const char *mote_port_getenv(const char *name)
{
  return getenv(name);
}

bool mote_port_hostname(char *out, size_t size)
{
  return !gethostname(out, size) && memchr(out, 0, size) && *out;
}

/* Returns what follows the len bytes of `name`, which is in lower case, at the beginning of text; NULL if it
 * begins otherwise. */
static const char *posix_system_after(const char *text, const char *name, size_t len)
{
  for(; len; len--, name++, text++)
    if(*text != *name && (*text | 0x20) != *name)
      return NULL;
  return text;
}

/* The second letter is looked at first, for HOME is in nearly every environment. */
static bool names_proxy(const char *variable, const char *name, size_t len)
{
  const char *rest = (variable[1] | 0x20) == name[1] ? posix_system_after(variable, name, len) : NULL;
  return rest && posix_system_after(rest, "_proxy=", 7);
}

/* The first letter, of which the lower five bits are the same in any case, rules nearly all variables out. No
 * scheme begins with an "a". */
bool mote_port_env_proxies(const char *scheme, size_t len)
{
  uint32_t letters = UINT32_C(1) << ('a' & 31) | UINT32_C(1) << (*scheme & 31);
  char **e;
  if(!environ)
    return false;
  for(e = environ; *e; e++)
    if((letters >> (**e & 31) & 1) &&
       ((**e & 31) == ('a' & 31) ? names_proxy(*e, "all", 3) : names_proxy(*e, scheme, len)))
      return true;
  return false;
}

bool mote_port_env_no_proxy(void)
{
  char **e;
  if(!environ)
    return false;
  for(e = environ; *e; e++)
    if((**e | 0x20) == 'n' && posix_system_after(*e, "no_proxy=", 9))
      return true;
  return false;
}
