/* port/embedded/nap.h: what port/embedded/lock.c asks of the port that it is part of. */
#ifndef MOTE_PORT_EMBEDDED_NAP_H
#define MOTE_PORT_EMBEDDED_NAP_H

/* Lets the calling task sleep for the shortest time that the system knows, a tick. */
void mote_port_nap(void);

#endif
