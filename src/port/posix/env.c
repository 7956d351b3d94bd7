/* port/posix/env.c: the environment. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "port/env.h"

extern char **environ; /* POSIX declares it nowhere */

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
