/* preload.h: the library that tests, the bench and tools load before all others (LD_PRELOAD=preload.so).
 * It counts what a process asks of the allocator, makes calls of the transfer library fail or move fewer
 * bytes, and brings about situations that are rare. tests/preload/__init__.py compiles it.
 *
 * Callers: a call belongs to the module that its return address lies in. "The library" is any libcurl or
 * libmote; "own" is the program and the library. A system call of libssl or libcrypto counts as the
 * library's, which needs it. Calls of other modules (a driver of tests, the C library) never fail.
 *
 * Counts: every successful allocation of the process, by its exact size, as each block carries a head of
 * 32 bytes. A realloc() is one call and never holds two blocks. strdup() and strndup() count for the
 * module that calls them and not for the C library.
 *
 * Failures: mote_preload_control() says which call fails, or PRELOAD_CONTROL=WHAT=N[,WHAT=N...] before
 * main().
 *
 * Results: mote_count_now() returns the figures of the process and of what is own, and
 * mote_preload_control() those of the library alone. With COUNT_OUT=FILE the process adds one line of
 * figures to that file when it ends. Programs find the functions by dlsym(), so that they also run
 * without the library.
 *
 * A sanitizer's runtime replaces the allocator itself: with PRELOAD_NO_MEMORY nothing is counted and no
 * allocation fails; the rest is the same.
 *
 * Threads: any. Errors: an unknown WHAT is a kind that no call has. */
#ifndef PRELOAD_H
#define PRELOAD_H

struct count {
  long calls;     /* successful allocations, reallocs included */
  long live;      /* bytes asked for and held now */
  long peak;      /* most of them at once, since the start or the last reset */
  long own_calls; /* the same for the program and libcurl or libmote alone */
  long own_live;
  long own_peak;
};

void mote_count_now(struct count *out);
void mote_count_peak_reset(void);

/* Sets or asks what `what` says, and returns the answer (n itself where there is none).
 *
 *   KIND N       arm: the library's N-th call of KIND from now on fails, once (N < 0: every one does). KIND
 *                is "alloc", a system call's name, "any" (of the system calls), or one of these:
 *                  recv, send   whatever receives from a socket, or sends to one
 *                  read, write  of what is no socket
 *                  file         opening with open64()
 *                  wake         writing to an eventfd, or to the pipe in its place
 *                  nosendfile   sendfile() that cannot send this file
 *   seen 0       how many calls of the armed kind were made since
 *   fired 0      1 when the failure happened
 *   disarm 0     no more failures; returns what fired does
 *   live 0       blocks that the library holds; livebytes: their bytes; peak: the most bytes at once
 *   allocs 0     how many allocations the library made
 *   recvmax N    every receive of the library moves at most N bytes (0: no limit); sendmax N: every send
 *   recvcut N    the library sees N bytes, then EAGAIN once, then the rest (-1: off)
 *   sndbuf N     a socket that any module connects has a buffer of N bytes for sending, which can be full
 *                (0: off)
 *   interrupt 1  SIGINT arrives right before any module reads from a terminal or waits for it alone (0: off)
 *
 * PRELOAD_HOST=NAME: getaddrinfo() finds 127.0.0.1 for NAME. */
long long mote_preload_control(const char *what, long long n);

#endif
