/* http/shared_jar.h: the cookies of a share (CURL_LOCK_DATA_COOKIE). A build without cookies has none.
 *
 * Ownership: the share's, which makes them when cookies are first shared.
 * Tests: tests/e2e/test_cookies.py, tests/e2e/test_share.py */
#ifndef MOTE_HTTP_SHARED_JAR_H
#define MOTE_HTTP_SHARED_JAR_H

#include <stdbool.h>
#include <stddef.h>

#include "parts.h"

#if MOTE_HAS_COOKIES
#include "base/memory.h"
#include "http/cookie_jar.h"

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

#endif
