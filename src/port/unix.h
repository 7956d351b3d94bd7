/* port/unix.h: Unix sockets, where the platform has them. Rules as in port/port.h.
 *
 * Without it: CURLOPT_UNIX_SOCKET_PATH and CURLOPT_ABSTRACT_UNIX_SOCKET are not in the build.
 * Tests:      tests/unit/port/test_socket.c */
#ifndef MOTE_PORT_UNIX_H
#define MOTE_PORT_UNIX_H

#include <stdbool.h>
#include <stddef.h>

#include "parts.h"

struct mote_target;

#if MOTE_HAS_UNIX_SOCKETS
/* Makes the target of a Unix socket. path has no NUL inside. ENAMETOOLONG: empty or too long. ENOSYS: no
 * Unix sockets, or no abstract ones. */
int mote_port_target_unix(struct mote_target *t, const char *path, size_t len, bool abstract);
#else
#define mote_port_target_unix(t, path, len, abstract) \
  ((void)(t), (void)(path), (void)(len), (void)(abstract), ENOSYS)
#endif

#endif
