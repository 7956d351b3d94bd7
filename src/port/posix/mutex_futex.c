/* port/posix/mutex_futex.c: a mutex of four bytes (states 0, 1, 2 as in U. Drepper, "Futexes Are Tricky"). */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "port/lock.h"
#include "port/posix/internal.h"

#if MOTE_POSIX_LINUX

_Static_assert(sizeof(atomic_int) == 4, "a futex has four bytes");

void mote_port_lock(struct mote_mutex *m)
{
  int state = 0;
  int saved;
  if(atomic_compare_exchange_strong_explicit(&m->state, &state, 1, memory_order_acquire,
                                             memory_order_relaxed))
    return;
  saved = errno;
  while(atomic_exchange_explicit(&m->state, 2, memory_order_acquire))
    (void)syscall(SYS_futex, &m->state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
  errno = saved;
}

void mote_port_unlock(struct mote_mutex *m)
{
  if(atomic_exchange_explicit(&m->state, 0, memory_order_release) == 2) {
    int saved = errno;
    (void)syscall(SYS_futex, &m->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    errno = saved;
  }
}

#endif
