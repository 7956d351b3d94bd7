/* system.h: what the driver needs of the system beyond the C library.
 *
 * posix/ and windows/ each implement all of it, and the build takes one of the two folders. Its names.h has
 * the headers of sockets and the few calls that are the same but for their names. */
#ifndef E2E_SYSTEM_H
#define E2E_SYSTEM_H

#include "names.h"
#include <curl/curl.h>

/* system.c */

/* Before anything else: streams carry bytes as they are, and sockets can be made. */
void system_start(void);
double now(void); /* monotonic, seconds */
/* Open descriptors of the process, or -1. The driver's own stay open, so differences are what counts. */
int open_descriptors(void);
/* Calls `ring` from a signal or another thread after so many seconds. */
void system_alarm(unsigned seconds, void (*ring)(void));
/* Returns 1 in a child, and in the parent 0 with what waitpid() reported of it. Where the system has no
 * fork(), it says so and ends the driver. */
int system_fork(int *status);

/* Where the script is read from, which loops can watch as they watch a socket. */
int script_open(void);
/* Returns the bytes read, 0 or less at the end. */
long script_read(int fd, void *bytes, size_t room);
/* Gives the library another standard input, from the offset on, and takes it back. Moves `*script` where it
 * is in the way. */
void stdin_replace(const char *path, long offset, int *script);
void stdin_restore(int *script);

/* sockets.c */

int socket_close(curl_socket_t fd);
/* Returns a number that no other open socket has; 0 where it is no connection (a wake-up). */
unsigned long long socket_identity(curl_socket_t fd);
/* select(), which just waits when there is nothing to watch. */
int socket_select(int max, fd_set *r, fd_set *w, fd_set *x, int ms);

/* What a loop of an application's watches. */
struct ready {
  curl_socket_t fd;
  int bits; /* CURL_CSELECT_* */
};

int loop_open(void); /* -1: it failed */
void loop_close(int loop);
/* what: CURL_POLL_*. again: the loop has it already. Returns 0, or an errno value: it is not open, or `again`
 * is wrong. */
int loop_watch(int loop, curl_socket_t fd, int what, int again);
/* Returns 0, also for a socket that is closed already. */
int loop_forget(int loop, curl_socket_t fd);
int loop_wait(int loop, struct ready *ready, int most, int ms);

#endif
