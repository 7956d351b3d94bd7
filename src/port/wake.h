/* port/wake.h: ending a wait from elsewhere. Rules as in port/port.h.
 *
 * Without it: part wait_sets is not in the build, and nothing but the network and the clock ends a wait.
 *             curl_multi_wakeup() ends the next one, or shortens it to 100 milliseconds (net/waitset.c).
 * Tests:      tests/unit/port/test_wait.c */
#ifndef MOTE_PORT_WAKE_H
#define MOTE_PORT_WAKE_H

#include <curl/curl.h>
#include <errno.h>

#include "parts.h"

/* Wakes a wait from another thread or a signal handler. */
struct mote_wake {
  curl_socket_t in;  /* readable after a signal */
  curl_socket_t out; /* for the signal; may be the same descriptor */
};
#if MOTE_HAS_WAIT_SETS

int mote_port_wake_open(struct mote_wake *w);
/* Wakes the wait, or the next one if there is none. Safe in a signal handler; leaves errno alone. */
int mote_port_wake_signal(const struct mote_wake *w);
/* Forgets all signals so far. */
int mote_port_wake_drain(const struct mote_wake *w);
/* Sets both to CURL_SOCKET_BAD, which may be closed again. */
void mote_port_wake_close(struct mote_wake *w);

#else

static inline int mote_port_wake_open(struct mote_wake *w)
{
  w->in = w->out = CURL_SOCKET_BAD;
  return ENOSYS;
}

#define mote_port_wake_signal(w) ((void)(w), ENOSYS)
#define mote_port_wake_drain(w) ((void)(w), 0)
#define mote_port_wake_close(w) ((void)(w))
#endif

#endif
