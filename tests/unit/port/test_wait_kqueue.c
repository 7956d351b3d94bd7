/* test_wait.c with the set of kqueue(), over what stands in for it on Linux. Needs wait_sets.
 * stand-in: tests/kqueue */
#undef MOTE_TEST_PORT
#define MOTE_TEST_PORT "kqueue"
#include "../../kqueue/kqueue.c"
#include "../../../src/port/kqueue/set.c"
#include "../../../src/port/posix/wake.c"
#include "test_wait.c"
