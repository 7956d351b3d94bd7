/* test_socket.c without what only Linux has. Needs wait_sets. */
#define MOTE_PORT_PLAIN 1
#include "../../../src/port/posix/plain.c"
#include "test_socket.c"
