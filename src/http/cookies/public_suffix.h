/* http/cookies/public_suffix.h: domains that have hosts of many owners, such as "com" and "co.uk".
 *
 * With part psl these are those of libpsl's list, else those without a dot.
 * Tests: tests/unit/http/test_cookie_jar.c */
#ifndef MOTE_HTTP_COOKIES_PUBLIC_SUFFIX_H
#define MOTE_HTTP_COOKIES_PUBLIC_SUFFIX_H

#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "parts.h"

/* Removes the dots at the end of a domain, which name the root and are in no list. */
static inline struct mote_slice mote_public_suffix_bare(struct mote_slice domain)
{
  while(domain.len && domain.ptr[domain.len - 1] == '.')
    domain.len--;
  return domain;
}

#if MOTE_HAS_PSL
bool mote_public_suffix(struct mote_slice domain);
/* Returns libpsl's version, or NULL without it. */
const char *mote_public_suffix_version(void);
#else
#define mote_public_suffix_version() ((const char *)NULL)
static inline bool mote_public_suffix(struct mote_slice domain)
{
  domain = mote_public_suffix_bare(domain);
  return !domain.len || !memchr(domain.ptr, '.', domain.len);
}
#endif

#endif
