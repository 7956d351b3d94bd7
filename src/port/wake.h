/* port/wake.h: ending a wait from elsewhere. Rules as in port/port.h.
 *
 * Without it: nothing but the network and the clock ends a wait (no threads: no curl_multi_wakeup).
 * Tests:      tests/unit/port/test_wait.c */
#ifndef MOTE_PORT_WAKE_H
#define MOTE_PORT_WAKE_H

#include <curl/curl.h>

/* Wakes a wait from another thread or a signal handler. */
struct mote_wake {
  curl_socket_t in;  /* wait for it to be readable */
  curl_socket_t out; /* may be the same descriptor */
};
int mote_port_wake_open(struct mote_wake *w);
/* Remembered until drained. Safe in a signal handler; leaves errno alone. */
int mote_port_wake_signal(const struct mote_wake *w);
/* Forget all signals so far. */
int mote_port_wake_drain(const struct mote_wake *w);
/* Sets both to CURL_SOCKET_BAD, which may be closed again. */
void mote_port_wake_close(struct mote_wake *w);

#endif
