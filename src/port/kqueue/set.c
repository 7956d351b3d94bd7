/* port/kqueue/set.c: the wait set by kqueue(), level-triggered, for macOS and the BSDs (port/set.h).
 *
 * The kernel has a filter for reading and one for writing of each descriptor, and reports each for itself. A
 * change says of both whether they are there, whatever was before, and a wait makes one event of what it
 * gets of a descriptor: its caller takes the second appearance of one for the beginning of another round.
 * Without EV_CLEAR an event comes again as long as its condition holds.
 *
 * Written after the manual pages kqueue(2) of FreeBSD, NetBSD and macOS. It has not run on these systems:
 * tests/kqueue stands in for their kernels on Linux. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <sys/event.h>
#include <sys/time.h>
#include <unistd.h>

#include "port/port.h"
#include "port/set.h"

/* A number with room for a pointer on NetBSD before 11, and a pointer elsewhere. */
_Static_assert(sizeof((struct kevent *)0)->udata == sizeof(void *), "no room for a tag");

enum {
  BATCH = 64 /* events of one wait: 4 KB of stack on FreeBSD, 2 KB elsewhere */
};

int mote_port_set_open(curl_socket_t *set)
{
  int error;
  *set = kqueue();
  if(*set < 0)
    return errno;
  if(fcntl(*set, F_SETFD, FD_CLOEXEC) >= 0)
    return 0;
  error = errno;
  (void)close(*set);
  *set = CURL_SOCKET_BAD;
  return error;
}

/* FreeBSD's manual page has queues within queues, which are readable when something is in them. macOS, whose
 * page has not, has been seen to take an empty one for readable (issue 883 of libuv). */
bool mote_port_set_nests(void)
{
  return false;
}

/* With EV_RECEIPT each change is answered by an error, which may be 0, and no other event comes. */
static unsigned short filter_flags(bool wanted)
{
  return wanted ? EV_ADD | EV_RECEIPT : EV_DELETE | EV_RECEIPT;
}

static unsigned filter_bit(const struct kevent *e)
{
  return e->filter == EVFILT_READ ? CURL_WAIT_POLLIN : CURL_WAIT_POLLOUT;
}

/* Makes the filters of a descriptor those that are wanted. A filter that is to go may be gone already, with
 * its descriptor too. */
static int set_filters(curl_socket_t set, curl_socket_t fd, unsigned wanted, void *tag)
{
  static const struct timespec at_once;
  struct kevent both[2], receipts[2];
  int n, error = 0;
  EV_SET(&both[0], (uintptr_t)fd, EVFILT_READ, filter_flags(wanted & CURL_WAIT_POLLIN), 0, 0, 0);
  EV_SET(&both[1], (uintptr_t)fd, EVFILT_WRITE, filter_flags(wanted & CURL_WAIT_POLLOUT), 0, 0, 0);
  memcpy(&both[0].udata, &tag, sizeof tag);
  memcpy(&both[1].udata, &tag, sizeof tag);
  do
    n = kevent(set, both, 2, receipts, 2, &at_once);
  while(n < 0 && errno == EINTR);
  if(n < 0)
    return errno;
  while(n-- > 0)
    if((receipts[n].flags & EV_ERROR) && receipts[n].data && (wanted & filter_bit(&receipts[n])))
      error = (int)receipts[n].data;
  return error;
}

int mote_port_set_change(curl_socket_t set, curl_socket_t fd, unsigned before, unsigned now, void *tag)
{
  int error = set_filters(set, fd, now, tag);
  if(!now)
    return error == EBADF ? 0 : error;
  if(error)
    (void)set_filters(set, fd, before, tag); /* one of the two may have been taken */
  return error;
}

/* The end of the one direction is reported as the end of both: a filter knows no other, and the next call
 * on the descriptor says which it is. */
static unsigned ready_bits(const struct kevent *e)
{
  unsigned ready = filter_bit(e);
  if(e->flags & EV_EOF)
    ready |= e->fflags ? MOTE_POLL_HANGUP | MOTE_POLL_ERROR : MOTE_POLL_HANGUP;
  return ready;
}

/* Adds an event to the one of its descriptor, or as a new one. */
static void set_collect(const struct kevent *e, struct mote_port_event *events, uintptr_t *fds,
                        unsigned *ready)
{
  unsigned i = 0;
  while(i < *ready && fds[i] != e->ident)
    i++;
  if(i == *ready) {
    fds[i] = e->ident;
    events[i].ready = 0;
    ++*ready;
  }
  memcpy(&events[i].tag, &e->udata, sizeof events[i].tag);
  events[i].ready |= ready_bits(e);
}

int mote_port_set_wait(curl_socket_t set, struct mote_port_event *events, unsigned max, int timeout_ms,
                       unsigned *ready)
{
  struct kevent found[BATCH];
  uintptr_t fds[BATCH];
  const struct timespec most = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
  const unsigned short room = (unsigned short)(max < BATCH ? max : BATCH); /* an int; NetBSD's is a size_t */
  int n = kevent(set, NULL, 0, found, room, timeout_ms < 0 ? NULL : &most);
  int i;
  *ready = 0;
  if(n < 0)
    return errno == EINTR ? 0 : errno;
  for(i = 0; i < n; i++)
    set_collect(&found[i], events, fds, ready);
  return 0;
}

/* A child of fork() has no copy of the set, so that there its number may be that of another file. */
void mote_port_set_close(curl_socket_t set, uint32_t owner)
{
  if(owner == (uint32_t)mote_port_pid())
    (void)close(set);
}
