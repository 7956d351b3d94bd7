/* tests/windows/unistd.h: the system's header, and what of POSIX's the unit tests use. Here pread() moves the
 * descriptor's place. */
#pragma GCC system_header
#include_next <unistd.h>
#ifndef MOTE_TEST_WINDOWS_UNISTD_H
#define MOTE_TEST_WINDOWS_UNISTD_H

static inline int pread(int fd, void *bytes, unsigned len, long at)
{
  return lseek(fd, at, SEEK_SET) < 0 ? -1 : read(fd, bytes, len);
}

#endif
