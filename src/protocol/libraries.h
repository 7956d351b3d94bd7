/* protocol/libraries.h: which nghttp2, ngtcp2, nghttp3 and libssh2 the process has, for curl_version_info(3).
 *
 * Tests: tests/unit/api/test_version.c */
#ifndef MOTE_PROTOCOL_LIBRARIES_H
#define MOTE_PROTOCOL_LIBRARIES_H

#include "parts.h"

#if MOTE_HAS_H2

#include <nghttp2/nghttp2.h>

/* Returns the version's text, and stores its number, 0xMMNNPP. */
static inline const char *mote_h2_library(unsigned *number)
{
  const nghttp2_info *v = nghttp2_version(0);
  *number = (unsigned)v->version_num;
  return v->version_str;
}

#else

/* Returns NULL: there is none. */
#define mote_h2_library(number) (*(number) = 0, (const char *)NULL)

#endif

#if MOTE_HAS_H3

#include <nghttp3/nghttp3.h>
#include <ngtcp2/ngtcp2.h>

/* Returns the text of ngtcp2's version, and stores that of nghttp3's. */
static inline const char *mote_h3_libraries(const char **http)
{
  *http = nghttp3_version(0)->version_str;
  return ngtcp2_version(0)->version_str;
}

#else

/* Returns NULL: there are none. */
#define mote_h3_libraries(http) (*(http) = NULL, (const char *)NULL)

#endif

#if MOTE_HAS_SSH

#include <libssh2.h>

/* Returns the version's text. */
static inline const char *mote_ssh_library(void)
{
  return libssh2_version(0);
}

#else

/* Returns NULL: there is none. */
#define mote_ssh_library() ((const char *)NULL)

#endif

#endif
