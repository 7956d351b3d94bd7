/* test_wait.c without what only Linux has. Needs wait_sets, posix. */
#undef MOTE_TEST_PORT
#define MOTE_TEST_PORT "posix"
#include "../../../src/port/posix/no_set.c"
#include "../../../src/port/posix/wake.c"
#include "test_wait.c"
