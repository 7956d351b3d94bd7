/* port/lwip/lock.c: there is one thread. */
#include "port/lock.h"

void mote_port_lock(struct mote_mutex *m)
{
  (void)m;
}

void mote_port_unlock(struct mote_mutex *m)
{
  (void)m;
}
