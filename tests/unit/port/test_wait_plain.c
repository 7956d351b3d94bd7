/* test_wait.c without what only Linux has. */
#define MOTE_PORT_PLAIN 1
#include "../../../src/port/posix/set_none.c"
#include "../../../src/port/posix/wake_pipe.c"
#include "test_wait.c"
