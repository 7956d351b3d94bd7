/* test_wait.c without what only Linux has. Needs wait_sets. */
#define MOTE_PORT_PLAIN 1
#include "../../../src/port/posix/wait_plain.c"
#include "test_wait.c"
