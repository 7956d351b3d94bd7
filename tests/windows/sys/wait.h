/* tests/windows/sys/wait.h: for tests/unit/test.h on Windows, where no process has children of its own kind:
 * run_with_failures_forked() fails there. */
#ifndef MOTE_TEST_WINDOWS_WAIT_H
#define MOTE_TEST_WINDOWS_WAIT_H

#include <errno.h>
#include <sys/types.h>

static inline int test_no_fork(void)
{
  errno = ENOSYS;
  return -1;
}
#define fork test_no_fork /* GCC knows a function of the name */

static inline pid_t wait(int *status)
{
  *status = -1;
  errno = ECHILD;
  return -1;
}

#endif
