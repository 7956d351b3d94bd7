/* tests/coverage/exit.c: _exit() of a test that is counted (cmake/tests.cmake, MOTE_COVERAGE).
 *
 * The counters are written when a program ends by exit(). A child that a test has forked ends by _exit(),
 * and what it alone has reached would be lost: calls that fail are tried in children. */
int __llvm_profile_write_file(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

_Noreturn void __wrap__exit(int status)
{
  __llvm_profile_write_file();
  __real__exit(status);
}
