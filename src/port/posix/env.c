/* port/posix/env.c: the environment. */
#include <stdlib.h>

#include "port/env.h"

extern char **environ; /* POSIX declares it nowhere */

const char *mote_port_getenv(const char *name)
{
  return getenv(name);
}

/* What follows name, in small letters, at the beginning of text; NULL: it begins with something else. */
static const char *after(const char *text, const char *name)
{
  for(; *name; name++, text++)
    if(*text != *name && (*text | 0x20) != *name)
      return NULL;
  return text;
}

/* "http_proxy=", "https_proxy=" or "all_proxy=", in any case. The second letter tells nearly all others
 * apart. A name that passes by mistake only makes the caller ask for the real ones. */
static bool names_proxy(const char *variable)
{
  const char *rest = NULL;
  if((variable[1] | 0x20) == 't')
    rest = after(variable, "http");
  else if((variable[1] | 0x20) == 'l')
    rest = after(variable, "all");
  if(rest && (*rest | 0x20) == 's')
    rest++;
  return rest && after(rest, "_proxy=");
}

bool mote_port_env_proxies(void)
{
  char **e;
  if(!environ)
    return false;
  for(e = environ; *e; e++)
    if((**e | 0x29) == 0x69 && names_proxy(*e)) /* one of A, H, I, @, whatever their case */
      return true;
  return false;
}
