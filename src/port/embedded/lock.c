/* port/embedded/lock.c: a mutex that needs no memory of the kernel. It is held for moments only, so no
 * priority is lent. A waiting task sleeps, because yielding alone would never let one of lower priority go
 * on. */
#include "port/embedded/nap.h"
#include "port/lock.h"

void mote_port_lock(struct mote_mutex *m)
{
  while(atomic_exchange_explicit(&m->state, 1, memory_order_acquire))
    mote_port_nap();
}

void mote_port_unlock(struct mote_mutex *m)
{
  atomic_store_explicit(&m->state, 0, memory_order_release);
}
