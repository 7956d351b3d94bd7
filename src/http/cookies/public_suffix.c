/* http/cookies/public_suffix.c: asks libpsl, whose list is built into it (http/cookies/public_suffix.h). */
#include "http/cookies/public_suffix.h"

#include <libpsl.h>

#define DOMAIN_MAX 255 /* bytes (RFC 1035); a longer one is none that may have cookies */

/* The list is in lower case. A name that the list does not know is a suffix if it has no dot. */
bool mote_public_suffix(struct mote_slice domain)
{
  char name[DOMAIN_MAX + 1];
  size_t i;
  domain = mote_public_suffix_bare(domain);
  if(!domain.len || domain.len > DOMAIN_MAX)
    return true;
  for(i = 0; i < domain.len; i++)
    name[i] = mote_to_lower(domain.ptr[i]);
  name[domain.len] = 0;
  return psl_is_public_suffix(psl_builtin(), name) != 0;
}

const char *mote_public_suffix_version(void)
{
  return psl_get_version();
}
