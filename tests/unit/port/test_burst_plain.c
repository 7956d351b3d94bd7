/* test_burst.c without what only Linux has. Needs interfaces, posix. */
#undef MOTE_TEST_PORT
#define MOTE_TEST_PORT "posix"
#define _GNU_SOURCE
#include "../../../src/port/posix/burst.c"
#undef _GNU_SOURCE
#include "test_burst.c"
