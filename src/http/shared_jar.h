/* http/shared_jar.h: the cookies of a share (CURL_LOCK_DATA_COOKIE). A build without cookies has none.
 *
 * Tests: tests/e2e/test_share.py */
#ifndef MOTE_HTTP_SHARED_JAR_H
#define MOTE_HTTP_SHARED_JAR_H

#include "http/cookie_jar.h"
#include "parts.h"

#if MOTE_HAS_COOKIES
struct mote_shared_jar {
  struct mote_jar jar;
};
#define mote_shared_jar(s) (&(s)->jar)
#define mote_shared_jar_init(s, account) mote_jar_init(&(s)->jar, account)
#define mote_shared_jar_clear(s) mote_jar_clear(&(s)->jar)
#else
struct mote_shared_jar {
  char none; /* C has no empty struct */
};
#define mote_shared_jar(s) ((void)(s), NULL)
#define mote_shared_jar_init(s, account) ((void)(s), (void)(account))
#define mote_shared_jar_clear(s) ((void)(s))
#endif

#endif
