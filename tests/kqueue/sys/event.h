/* tests/kqueue/sys/event.h: kqueue() and kevent() for tests on Linux (kqueue.c), as far as src/port/kqueue
 * uses them. Types and meanings are those of FreeBSD's manual page kqueue(2), the values its own. */
#ifndef MOTE_TEST_KQUEUE_SYS_EVENT_H
#define MOTE_TEST_KQUEUE_SYS_EVENT_H

#include <stdint.h>
#include <time.h>

struct kevent {
  uintptr_t ident;       /* the descriptor */
  short filter;          /* EVFILT_* */
  unsigned short flags;  /* EV_* */
  unsigned fflags;       /* of what is reported: the socket's error, if any */
  int64_t data;          /* bytes to read or room to write; with EV_ERROR an errno value */
  void *udata;           /* of the last EV_ADD */
};

#define EVFILT_READ (-1)
#define EVFILT_WRITE (-2)

#define EV_ADD 0x0001
#define EV_DELETE 0x0002
#define EV_RECEIPT 0x0040
#define EV_ERROR 0x4000
#define EV_EOF 0x8000

#define EV_SET(e, i, fi, fl, ff, d, u) (*(e) = (struct kevent){(i), (fi), (fl), (ff), (d), (u)})

int kqueue(void);
int kevent(int kq, const struct kevent *changes, int change_count, struct kevent *events, int event_count,
           const struct timespec *timeout);

#endif
