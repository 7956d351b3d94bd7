/* port/windows/system.c: clocks, random bytes, the environment and the machine's name. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <windows.h>
#include <winsock2.h>
#include <bcrypt.h>

#include "port/env.h"
#include "port/port.h"

/* ---- clocks ---- */

/* Seconds and the rest apart: the counter times a million would overflow after days. */
mote_time mote_port_now(void)
{
  LARGE_INTEGER ticks, each_second;
  mote_time now;
  (void)QueryPerformanceFrequency(&each_second); /* neither fails since Windows XP */
  (void)QueryPerformanceCounter(&ticks);
  now = ticks.QuadPart / each_second.QuadPart * MOTE_SECOND +
        ticks.QuadPart % each_second.QuadPart * MOTE_SECOND / each_second.QuadPart;
  return now ? now : 1;
}

int64_t mote_port_wall(void)
{
  return (int64_t)time(NULL);
}

/* ---- random bytes ---- */

CURLcode mote_port_random(void *p, size_t n)
{
  unsigned char *at = p;
  while(n) {
    ULONG some = n < 1u << 30 ? (ULONG)n : 1u << 30;
    if(!BCRYPT_SUCCESS(BCryptGenRandom(NULL, at, some, BCRYPT_USE_SYSTEM_PREFERRED_RNG)))
      return CURLE_FAILED_INIT;
    at += some;
    n -= some;
  }
  return CURLE_OK;
}

/* ---- the environment, whose names are the same in any case ---- */

const char *mote_port_getenv(const char *name)
{
  return getenv(name);
}

/* Returns whether a variable "NAME=value" has the name that `first` (len bytes) and `last` are, one after the
 * other. */
static bool is_variable(const char *variable, const char *first, size_t len, const char *last)
{
  const size_t rest = strlen(last);
  return !_strnicmp(variable, first, len) && !_strnicmp(variable + len, last, rest) &&
         variable[len + rest] == '=';
}

/* Returns the C library's copy of the environment, which getenv() reads; there may be none. */
static char **all_variables(void)
{
  static char *none[1];
  return _environ ? _environ : none;
}

bool mote_port_env_proxies(const char *scheme, size_t len)
{
  char **e;
  for(e = all_variables(); *e; e++)
    if(is_variable(*e, "all", 3, "_proxy") || is_variable(*e, scheme, len, "_proxy"))
      return true;
  return false;
}

bool mote_port_env_no_proxy(void)
{
  char **e;
  for(e = all_variables(); *e; e++)
    if(is_variable(*e, "no_proxy", 8, ""))
      return true;
  return false;
}

bool mote_port_hostname(char *out, size_t size)
{
  DWORD len = (DWORD)size;
  return GetComputerNameExA(ComputerNameDnsHostname, out, &len) && *out;
}
