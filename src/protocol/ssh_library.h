/* protocol/ssh_library.h: which libssh2 the process has, for curl_version_info(3).
 *
 * Tests: tests/unit/api/test_version.c */
#ifndef MOTE_PROTOCOL_SSH_LIBRARY_H
#define MOTE_PROTOCOL_SSH_LIBRARY_H

#include "parts.h"

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
