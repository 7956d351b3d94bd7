/* port/port.h: what a platform gives; the whole contract. One folder per platform implements it.
 *
 * Errors:  functions that return int return 0, MOTE_PORT_AGAIN where they say so, or the platform's own
 *          error number (errno values, positive: CURLINFO_OS_ERRNO); mote_port_error_text() words it.
 *          A call that a signal interrupted is repeated inside, unless it waits.
 * Absence: what a platform lacks returns ENOSYS, a socket option ENOPROTOOPT.
 * Memory:  nothing is allocated through base/memory.h. Where the C library allocates inside of a call
 *          (mote_port_lookup, mote_port_interface_address, mote_port_thread_start), it is given back before
 *          the call, or the thread, ends.
 * Threads: every function may be called from any thread.
 * Tests:   tests/unit/port */
#ifndef MOTE_PORT_PORT_H
#define MOTE_PORT_PORT_H

#include <curl/curl.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "port/addr.h"

#define MOTE_PORT_AGAIN (-1) /* not now: would block, or is in progress */

/* ---- clock, random, environment, process ---- */

/* Monotonic microseconds, never 0. Cannot fail. */
mote_time mote_port_now(void);
/* Unix time in seconds. */
int64_t mote_port_wall(void);
/* n bytes fit for keys. CURLE_FAILED_INIT: the platform gives none; *p is then not to be used. */
CURLcode mote_port_random(void *p, size_t n);
/* The environment's own string, valid until the program changes it, or NULL. */
const char *mote_port_getenv(const char *name);
/* Is it worth asking for http_proxy, https_proxy and all_proxy, in small letters or capitals? One look at the
 * environment for all of them; false: none is there. */
bool mote_port_env_proxies(void);
/* Differs in a child after fork. Without a system call where that can be had. */
long mote_port_pid(void);
/* The text of an error number, NUL-terminated, cut to cap (at least 1); returns its length. */
size_t mote_port_error_text(int error, char *out, size_t cap);

/* ---- sockets: all non-blocking and closed on exec ---- */

/* Where to connect, as the OPENSOCKETFUNCTION callback sees and may change it: a curl_sockaddr with room
 * behind it for the platform's longest address. */
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

/* Fill *t. EAFNOSUPPORT: the platform has no such family. */
int mote_port_target_ip(struct mote_target *t, const struct mote_addr *a, enum mote_socket_type type);
/* path has no NUL inside. ENAMETOOLONG: empty or too long. ENOSYS: no Unix sockets, or no abstract ones. */
int mote_port_target_unix(struct mote_target *t, const char *path, size_t len, bool abstract);
/* What an IP target holds. false (out->family NONE or UNIX): it is none. */
bool mote_port_target_addr(const struct curl_sockaddr *sa, struct mote_addr *out);

/* A socket of sa's family, type and protocol. EMFILE, EAFNOSUPPORT, ...; *out is CURL_SOCKET_BAD then. */
int mote_port_socket(const struct curl_sockaddr *sa, curl_socket_t *out);
/* For sockets that the application made. */
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
/* What an idle connection is doing; takes no byte. */
enum mote_peek mote_port_peek(curl_socket_t fd);

/* No more sending; receiving goes on. */
int mote_port_shutdown(curl_socket_t fd);
void mote_port_close(curl_socket_t fd);

/* EADDRINUSE, EADDRNOTAVAIL, EACCES, ... */
int mote_port_bind(curl_socket_t fd, const struct mote_addr *local);
/* Only through this interface. EPERM: needs a privilege; ENODEV: no such interface; ENOSYS. */
int mote_port_bind_device(curl_socket_t fd, const char *interface_name);
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

/* An address of the named interface that can reach `peer`: of its family, and for IPv6 of its kind
 * (link-local or not); port 0. ENODEV: no such interface; EADDRNOTAVAIL: it has no such address. */
int mote_port_interface_address(const char *name, const struct mote_addr *peer, struct mote_addr *out);
/* Index of the named interface (an IPv6 zone), 0: there is none. */
uint32_t mote_port_interface_index(const char *name);

/* ---- waiting and waking ---- */

/* Bits of ready events besides CURL_WAIT_POLLIN, POLLPRI and POLLOUT. */
#define MOTE_POLL_ERROR 0x08   /* broken, or a connect that failed */
#define MOTE_POLL_HANGUP 0x10  /* the peer is gone; bytes may still be readable */
#define MOTE_POLL_INVALID 0x20 /* not an open descriptor */

/* Waits until a descriptor is ready or timeout_ms is over (-1: for ever). fds[].events: CURL_WAIT_* bits;
 * fds[].revents: those and MOTE_POLL_*. *ready: descriptors with revents. A signal ends the wait: 0 with
 * *ready 0. */
int mote_port_poll(struct curl_waitfd *fds, unsigned count, int timeout_ms, unsigned *ready);

/* A set of descriptors whose wait costs only what is ready. ENOSYS where there is none: mote_port_poll. */
struct mote_port_event {
  void *tag;      /* the caller's, of the last change */
  unsigned ready; /* CURL_WAIT_* | MOTE_POLL_* */
};
/* The set is itself a descriptor: readable when something in it is ready. Closed on exec, shared by forks. */
int mote_port_set_open(curl_socket_t *set);
/* From `before` (0: not in the set; a wrong guess costs a system call) to `now` (0: leave the set), both
 * CURL_WAIT_*. Closing a descriptor takes it out of the set unless a fork or dup left a copy.
 * EPERM: this kind of descriptor (a file) cannot be waited for; EBADF: not open; ENOMEM, ENOSPC. */
int mote_port_set_change(curl_socket_t set, curl_socket_t fd, unsigned before, unsigned now, void *tag);
/* At most max (and at most 64) events; more may be ready. Otherwise as mote_port_poll. */
int mote_port_set_wait(curl_socket_t set, struct mote_port_event *events, unsigned max, int timeout_ms,
                       unsigned *ready);
void mote_port_set_close(curl_socket_t set);

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

/* ---- threads ---- */

/* Run run(arg) in a detached thread with a small stack, enough for mote_port_lookup; it takes no signals.
 * Its result is dropped. EAGAIN: no more threads; ENOMEM. */
int mote_port_thread_start(void *(*run)(void *), void *arg);

/* All zero bytes: free. Not recursive. Neither to be initialised nor to be destroyed. */
struct mote_mutex {
  atomic_int state; /* 0 free, 1 held, 2 held and waited for */
};
#define MOTE_MUTEX_INIT { 0 }
void mote_port_lock(struct mote_mutex *m);
void mote_port_unlock(struct mote_mutex *m);

/* ---- names ---- */

/* Addresses of a name, in the platform's order, at most max; port 0. Blocks: for use in a thread.
 * family NONE: both, IPv6 only if the machine can make IPv6 sockets.
 * MOTE_PORT_NO_NAME: no such name, or no address of that family; EAGAIN: try later; MOTE_PORT_NO_MEMORY;
 * EIO: other failures. */
#define MOTE_PORT_NO_NAME ENOENT
#define MOTE_PORT_NO_MEMORY ENOMEM
int mote_port_lookup(const char *name, enum mote_family family, struct mote_addr *out, size_t max,
                     size_t *count);

/* ---- files ---- */

enum mote_file_mode {
  MOTE_FILE_READ,
  MOTE_FILE_WRITE,  /* made when missing, emptied when not */
  MOTE_FILE_APPEND, /* made when missing */
  MOTE_FILE_PRIVATE /* as WRITE; a new one is readable for its owner only */
};

struct mote_file_info {
  int64_t size;  /* bytes */
  int64_t mtime; /* last change, Unix time in nanoseconds */
  bool regular;  /* size counts */
  bool directory;
};

/* ENOENT, EACCES, EMFILE, ...; *file is -1 then. Closed on exec. */
int mote_port_file_open(const char *path, enum mote_file_mode mode, int *file);
/* *n == 0: the end (or len was 0). */
int mote_port_file_read(int file, void *buf, size_t len, size_t *n);
/* All of it, or an error. */
int mote_port_file_write(int file, const void *buf, size_t len);
/* To `offset` bytes from the start. ESPIPE: cannot seek. */
int mote_port_file_seek(int file, int64_t offset);
int mote_port_file_info(int file, struct mote_file_info *out);
int mote_port_path_info(const char *path, struct mote_file_info *out);
/* What writing left unsaid (EIO, ENOSPC) may be told here; the file is closed in any case. */
int mote_port_file_close(int file);

#endif
