/* test_thread.c without what only Linux has. Needs posix. */
#define _GNU_SOURCE
#include "../../../src/port/posix/plain.c"
#include "../../../src/port/spin/lock.c"
#undef _GNU_SOURCE
#include "test_thread.c"
