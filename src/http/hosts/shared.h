/* http/hosts/shared.h: what a share has of HTTP: cookies (CURL_LOCK_DATA_COOKIE) and the hosts of HSTS
 * (CURL_LOCK_DATA_HSTS). A build without one of them has none.
 *
 * Ownership: the share's, which makes each when it is first shared.
 * Tests: tests/e2e/test_cookies.py, tests/e2e/test_hsts.py, tests/e2e/test_share.py */
#ifndef MOTE_HTTP_HOSTS_SHARED_H
#define MOTE_HTTP_HOSTS_SHARED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "parts.h"

#if MOTE_HAS_COOKIES
#include "http/cookies/cookie_jar.h"

static inline void mote_shared_jar_free(struct mote_jar *j)
{
  if(!j)
    return;
  mote_jar_clear(j);
  mote_mem_free(mote_mem_process(), MOTE_PART_SHARE, j, sizeof *j);
}

/* Makes *j, unless it is there. False: there is no memory. */
static inline bool mote_shared_jar_make(struct mote_jar **j)
{
  if(*j)
    return true;
  *j = mote_mem_alloc(mote_mem_process(), MOTE_PART_SHARE, sizeof **j);
  if(*j)
    mote_jar_init(*j, mote_mem_process());
  return *j != NULL;
}
#else
#define mote_shared_jar_free(j) ((void)(j))
#define mote_shared_jar_make(j) ((void)(j), true)
#endif

#if MOTE_HAS_HSTS
#include "http/hosts/hsts_hosts.h"

static inline void mote_shared_hsts_free(struct mote_host_index *x)
{
  if(!x)
    return;
  mote_host_index_clear(x);
  mote_mem_free(mote_mem_process(), MOTE_PART_SHARE, x, sizeof *x);
}

/* Makes *x, unless it is there. False: there is no memory. */
static inline bool mote_shared_hsts_make(struct mote_host_index **x)
{
  if(*x)
    return true;
  *x = mote_mem_alloc(mote_mem_process(), MOTE_PART_SHARE, sizeof **x);
  if(*x)
    mote_hsts_hosts_init(*x, mote_mem_process());
  return *x != NULL;
}
#else
#define mote_shared_hsts_free(x) ((void)(x))
#define mote_shared_hsts_make(x) ((void)(x), true)
#endif

#endif
