/* tests/windows/stdlib.h: the C library's header, and what of POSIX's the unit tests use. A variable cannot
 * be empty on Windows: it is absent then. */
#pragma GCC system_header
#include_next <stdlib.h>
#ifndef MOTE_TEST_WINDOWS_STDLIB_H
#define MOTE_TEST_WINDOWS_STDLIB_H

static inline int setenv(const char *name, const char *value, int overwrite)
{
  return overwrite || !getenv(name) ? _putenv_s(name, value) : 0;
}

static inline int unsetenv(const char *name)
{
  return _putenv_s(name, "");
}

#endif
