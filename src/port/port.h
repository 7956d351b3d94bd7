/* port/port.h: what every platform gives. One folder per platform implements it.
 *
 * What only some platforms have is a contract of its own, which a platform implements as a whole or not at
 * all: lock.h, thread.h, wake.h, set.h, datagram.h, env.h, file.h, interface.h, listen.h, sendfile.h, unix.h,
 * all under the rules of this one.
 *
 * Errors:  functions that return int return 0, MOTE_PORT_AGAIN where they say so, or the platform's own
 *          error number (errno values, positive: CURLINFO_OS_ERRNO), of which mote_port_error_text() has
 *          the text. A function repeats a call that a signal interrupted, unless it waits.
 * Absence: what a platform lacks of a contract that it has returns ENOSYS, a socket option ENOPROTOOPT.
 * Memory:  nothing is allocated through base/memory.h. Where the C library allocates inside of a call
 *          (mote_port_lookup), it frees that before the call ends.
 * Threads: every function may be called from any thread that the platform has.
 * Tests:   tests/unit/port; docs/porting.md describes how a new port is made and tested */
#ifndef MOTE_PORT_PORT_H
#define MOTE_PORT_PORT_H

#include <curl/curl.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "port/addr.h"

#define MOTE_PORT_AGAIN (-1) /* not now: would block, or is in progress */

/* ---- clock, random, errors ---- */

/* Monotonic microseconds, never 0. Cannot fail. */
mote_time mote_port_now(void);
/* Unix time in seconds. */
int64_t mote_port_wall(void);
/* Writes n random bytes that are fit for keys. CURLE_FAILED_INIT: there are none; *p must not be used
 * then. */
CURLcode mote_port_random(void *p, size_t n);
/* Writes the text of an error number, NUL-terminated, cut to cap (at least 1), and returns its length. A
 * platform without texts writes "". */
size_t mote_port_error_text(int error, char *out, size_t cap);

/* ---- sockets: all non-blocking and closed on exec ---- */

/* The address to connect to, as the OPENSOCKETFUNCTION callback sees and may change it: a curl_sockaddr
 * with room for the platform's longest address. */
struct mote_target {
  union {
    struct curl_sockaddr sa;
    unsigned char room[16 + 128];
  } u;
};

enum mote_socket_type {
  MOTE_SOCKET_STREAM,
  MOTE_SOCKET_DATAGRAM
};

/* Fills *t. EAFNOSUPPORT: the platform has no such family. */
int mote_port_target_ip(struct mote_target *t, const struct mote_addr *a, enum mote_socket_type type);
/* Reads the address of an IP target. false (out->family NONE or UNIX): it is none. */
bool mote_port_target_addr(const struct curl_sockaddr *sa, struct mote_addr *out);

/* Makes a socket of sa's family, type and protocol. EMFILE, EAFNOSUPPORT, ...; *out is CURL_SOCKET_BAD
 * then. */
int mote_port_socket(const struct curl_sockaddr *sa, curl_socket_t *out);
/* Makes a socket of the application non-blocking. */
int mote_port_nonblocking(curl_socket_t fd);
/* 0: connected; MOTE_PORT_AGAIN: under way, wait for writing; else refused at once. */
int mote_port_connect(curl_socket_t fd, const struct curl_sockaddr *sa);
/* After the wait: 0 connected, MOTE_PORT_AGAIN not yet, else why not. */
int mote_port_connect_result(curl_socket_t fd);
/* 0 with *n > 0; 0 with *n == 0: the peer ended (or len was 0); MOTE_PORT_AGAIN; else an error, *n is 0. */
int mote_port_recv(curl_socket_t fd, void *buf, size_t len, size_t *n);
/* 0 with 0 < *n <= len (0 when len is 0); MOTE_PORT_AGAIN; else an error, *n is 0. Never raises SIGPIPE. */
int mote_port_send(curl_socket_t fd, const void *buf, size_t len, size_t *n);

enum mote_peek {
  MOTE_PEEK_QUIET,  /* open, nothing to read */
  MOTE_PEEK_BYTES,  /* open, bytes have come */
  MOTE_PEEK_CLOSED  /* ended or broken */
};
/* Looks at an idle connection without taking a byte. */
enum mote_peek mote_port_peek(curl_socket_t fd);

/* Ends sending; receiving goes on. */
int mote_port_shutdown(curl_socket_t fd);
void mote_port_close(curl_socket_t fd);

/* Family NONE when it has no IP address. */
int mote_port_local_name(curl_socket_t fd, struct mote_addr *out);
int mote_port_peer_name(curl_socket_t fd, struct mote_addr *out);

enum mote_sockopt {
  MOTE_SOCKOPT_NODELAY,        /* 0, 1 */
  MOTE_SOCKOPT_KEEPALIVE,      /* 0, 1 */
  MOTE_SOCKOPT_KEEPALIVE_IDLE, /* seconds */
  MOTE_SOCKOPT_KEEPALIVE_INTERVAL, /* seconds */
  MOTE_SOCKOPT_KEEPALIVE_COUNT,    /* probes */
  MOTE_SOCKOPT_TOS,            /* IPv4 type of service or IPv6 traffic class, by the socket's family */
  MOTE_SOCKOPT_PRIORITY,       /* SO_PRIORITY */
  MOTE_SOCKOPT_FASTOPEN,       /* 1: connect sends nothing until the first send */
  MOTE_SOCKOPT_RECEIVE_BUFFER, /* bytes in the kernel */
  MOTE_SOCKOPT_SEND_BUFFER
};
/* ENOPROTOOPT: not on this platform or socket. */
int mote_port_setopt(curl_socket_t fd, enum mote_sockopt option, int value);

/* ---- waiting ---- */

/* Bits of ready events besides CURL_WAIT_POLLIN, POLLPRI and POLLOUT. */
#define MOTE_POLL_ERROR 0x08   /* broken, or a connect that failed */
#define MOTE_POLL_HANGUP 0x10  /* the peer is gone; bytes may still be readable */
#define MOTE_POLL_INVALID 0x20 /* not an open descriptor */

/* Waits until a descriptor is ready or timeout_ms is over (-1: for ever). fds[].events: CURL_WAIT_* bits;
 * fds[].revents: those and MOTE_POLL_*. *ready: descriptors with revents. A signal ends the wait: 0 with
 * *ready 0; so does, on a port without threads, the end of a lookup. */
int mote_port_poll(struct curl_waitfd *fds, unsigned count, int timeout_ms, unsigned *ready);

/* ---- names ---- */

/* Looks up the addresses of a name, in the platform's order, at most max; port 0. A port with threads
 * blocks, for use in a thread. A port without threads never does. It returns MOTE_PORT_AGAIN while the
 * lookup is under way; call again with the same name after mote_port_poll(), until the answer comes. family
 * NONE: both, IPv6 only if the machine can make IPv6 sockets.
 * MOTE_PORT_NO_NAME: no such name, or no address of that family; EAGAIN: try later; MOTE_PORT_NO_MEMORY;
 * EIO: other failures. */
#define MOTE_PORT_NO_NAME ENOENT
#define MOTE_PORT_NO_MEMORY ENOMEM
int mote_port_lookup(const char *name, enum mote_family family, struct mote_addr *out, size_t max,
                     size_t *count);

#endif
