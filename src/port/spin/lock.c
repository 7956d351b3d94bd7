/* port/spin/lock.c: a mutex that needs no memory of the system. Ours are held for a few lines, so no priority
 * is lent. A thread that finds one held rests as the port has it (port/spin/nap.h). */
#include "port/lock.h"
#include "port/spin/nap.h"

void mote_port_lock(struct mote_mutex *m)
{
  unsigned tries = 0;
  while(atomic_exchange_explicit(&m->state, 1, memory_order_acquire))
    mote_port_nap(tries++);
}

void mote_port_unlock(struct mote_mutex *m)
{
  atomic_store_explicit(&m->state, 0, memory_order_release);
}
