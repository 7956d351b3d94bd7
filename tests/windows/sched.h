/* tests/windows/sched.h: for tests/unit/test.h on Windows, whose own header would bring a library along. */
#ifndef MOTE_TEST_WINDOWS_SCHED_H
#define MOTE_TEST_WINDOWS_SCHED_H

__declspec(dllimport) int __stdcall SwitchToThread(void);

#define sched_yield test_yield /* GCC knows a function of the name */
static inline int test_yield(void)
{
  SwitchToThread();
  return 0;
}

#endif
