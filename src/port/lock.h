/* port/lock.h: mutual exclusion of threads; empty functions on a platform without threads.
 *
 * Tests: tests/unit/port/test_thread.c */
#ifndef MOTE_PORT_LOCK_H
#define MOTE_PORT_LOCK_H

#include <stdatomic.h>

/* All zero bytes: free. Not recursive. Needs neither to be initialised nor to be destroyed. */
struct mote_mutex {
  atomic_int state; /* 0 free, 1 held, 2 held and waited for */
};
#define MOTE_MUTEX_INIT { 0 }
void mote_port_lock(struct mote_mutex *m);
void mote_port_unlock(struct mote_mutex *m);

#endif
