/* port/set.h: sets of descriptors, where the platform has them. Rules as in port/port.h.
 *
 * Without it: part wait_sets is not in the build, and waits are mote_port_poll()'s, whatever their number.
 * Tests:      tests/unit/port/test_wait.c */
#ifndef MOTE_PORT_SET_H
#define MOTE_PORT_SET_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "parts.h"

/* What a wait reports of one descriptor. */
struct mote_port_event {
  void *tag;      /* the caller's, of the last change */
  unsigned ready; /* CURL_WAIT_* | MOTE_POLL_* */
};

#if MOTE_HAS_WAIT_SETS

/* The process's id, which differs in a child after fork; without a system call where possible. */
long mote_port_pid(void);

/* Whether it is an open set, not CURL_SOCKET_BAD. */
static inline bool mote_port_is_set(curl_socket_t set)
{
  return set != CURL_SOCKET_BAD;
}

/* Makes a set of descriptors, whose wait costs only what is ready. ENOSYS: there are none, use
 * mote_port_poll. The set is itself a descriptor. Closed on exec. A child of fork shares it (epoll) or has
 * none (kqueue); it closes what it has and makes its own. */
int mote_port_set_open(curl_socket_t *set);
/* Whether mote_port_poll() may wait for a set among other descriptors: it is readable when something in it is
 * ready, and then alone. */
bool mote_port_set_nests(void);
/* Changes what is waited for from `before` (0: not in the set; a wrong guess costs a system call) to `now`
 * (0: leave the set), both CURL_WAIT_POLLIN and CURL_WAIT_POLLOUT. Closing a descriptor takes it out of the
 * set unless a fork or dup left a copy.
 * EPERM: this kind of descriptor (a file) cannot be waited for, where the system refuses it; EBADF: not open;
 * ENOMEM, ENOSPC. After an error the descriptor is in the set as before. */
int mote_port_set_change(curl_socket_t set, curl_socket_t fd, unsigned before, unsigned now, void *tag);
/* At most max (and at most 64) events, one of a descriptor; more may be ready. Otherwise as mote_port_poll. A
 * peer that has ended sending may count as one that is gone (MOTE_POLL_HANGUP). */
int mote_port_set_wait(curl_socket_t set, struct mote_port_event *events, unsigned max, int timeout_ms,
                       unsigned *ready);
/* owner: the low 32 bits of mote_port_pid() in the process that has opened it. */
void mote_port_set_close(curl_socket_t set, uint32_t owner);

#else

#define mote_port_pid() (1)
#define mote_port_is_set(set) ((void)(set), false)
#define mote_port_set_open(set) (*(set) = CURL_SOCKET_BAD, ENOSYS)
#define mote_port_set_nests() (false)
#define mote_port_set_change(set, fd, before, now, tag) \
  ((void)(set), (void)(fd), (void)(before), (void)(now), (void)(tag), ENOSYS)
#define mote_port_set_wait(set, events, max, timeout_ms, ready) \
  ((void)(set), (void)(events), (void)(max), (void)(timeout_ms), *(ready) = 0, ENOSYS)
#define mote_port_set_close(set, owner) ((void)(set), (void)(owner))
#endif

#endif
