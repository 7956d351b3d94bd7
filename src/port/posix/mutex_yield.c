/* port/posix/mutex_yield.c: a mutex of four bytes without a futex; our locks are held for a few lines. */
#include <sched.h>
#include <time.h>

#include "port/lock.h"
#include "port/posix/internal.h"

#if !MOTE_POSIX_LINUX

enum {
  YIELDS = 100 /* before a pause, which lets a holder of lower priority run */
};

void mote_port_lock(struct mote_mutex *m)
{
  int tries = 0;
  while(atomic_exchange_explicit(&m->state, 1, memory_order_acquire)) {
    if(++tries < YIELDS)
      (void)sched_yield();
    else {
      const struct timespec pause = { 0, 100000 };
      (void)nanosleep(&pause, NULL);
    }
  }
}

void mote_port_unlock(struct mote_mutex *m)
{
  atomic_store_explicit(&m->state, 0, memory_order_release);
}

#endif
