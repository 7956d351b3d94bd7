/* test_socket.c without what only Linux has. Needs wait_sets, posix. */
#undef MOTE_TEST_PORT
#define MOTE_TEST_PORT "posix"
#include "../../../src/port/posix/plain.c"
#include "../../../src/port/spin/lock.c"
#include "test_socket.c"
