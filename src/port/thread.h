/* port/thread.h: threads, where the platform has them. Rules as in port/port.h.
 *
 * Without it: mote_port_lookup() must not block, and returns MOTE_PORT_AGAIN instead.
 * Memory:     what the C library allocates is freed before the thread ends.
 * Tests:      tests/unit/port/test_thread.c */
#ifndef MOTE_PORT_THREAD_H
#define MOTE_PORT_THREAD_H

#include <errno.h>

/* Runs run(arg) in a detached thread with a small stack, enough for mote_port_lookup, that takes no signals.
 * The result of run is dropped. EAGAIN: no more threads; ENOMEM. */
int mote_port_thread_start(void *(*run)(void *), void *arg);

#endif
