/* port/spin/nap.h: what port/spin/lock.c asks of the port that it is part of. */
#ifndef MOTE_PORT_SPIN_NAP_H
#define MOTE_PORT_SPIN_NAP_H

#define MOTE_PORT_YIELDS 100u /* before a pause, which lets a holder of lower priority run */

/* Lets other threads run. tries: how often the caller has tried before. A system on which yielding never lets
 * a thread of lower priority go on sleeps each time, for the shortest time that it knows. */
void mote_port_nap(unsigned tries);

#endif
