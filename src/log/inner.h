/* log/inner.h: what the files of this folder share.
 *
 * A wrapper asks mote_log_fails() first, makes the call unless it is to fail, and logs the result. Nothing
 * here allocates, and everything leaves errno as it was unless it says so. A call that frees something
 * (free, close) is logged before it is made, one that takes something after, so that the log never has a
 * block or descriptor twice at once, whichever threads use it. */
#ifndef MOTE_LOG_INNER_H
#define MOTE_LOG_INNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The fallible calls; mote_log_calls[] (names.c) has a row for each. */
enum mote_log_call {
  MOTE_LOG_MALLOC, MOTE_LOG_CALLOC, MOTE_LOG_REALLOC, MOTE_LOG_STRDUP,
  MOTE_LOG_RECV, MOTE_LOG_SEND, MOTE_LOG_SENDFILE, MOTE_LOG_RECVFROM, MOTE_LOG_SENDTO,
  MOTE_LOG_RECVMSG, MOTE_LOG_RECVMMSG, MOTE_LOG_SENDMSG,
  MOTE_LOG_READ, MOTE_LOG_WRITE, MOTE_LOG_CONNECT,
  MOTE_LOG_POLL, MOTE_LOG_EPOLL_WAIT,
  MOTE_LOG_SOCKET, MOTE_LOG_ACCEPT, MOTE_LOG_PIPE, MOTE_LOG_EVENTFD, MOTE_LOG_EPOLL_CREATE1, MOTE_LOG_OPEN,
  MOTE_LOG_CLOSE, MOTE_LOG_FOPEN, MOTE_LOG_FDOPEN, MOTE_LOG_FCLOSE,
  MOTE_LOG_BIND, MOTE_LOG_LISTEN, MOTE_LOG_SHUTDOWN, MOTE_LOG_GETSOCKOPT, MOTE_LOG_SETSOCKOPT,
  MOTE_LOG_GETSOCKNAME, MOTE_LOG_GETPEERNAME, MOTE_LOG_GETHOSTNAME, MOTE_LOG_FCNTL, MOTE_LOG_IOCTL,
  MOTE_LOG_EPOLL_CTL,
  MOTE_LOG_LSEEK, MOTE_LOG_FSTAT, MOTE_LOG_STAT, MOTE_LOG_ACCESS, MOTE_LOG_MKDIR, MOTE_LOG_UNLINK,
  MOTE_LOG_RENAME, MOTE_LOG_FTRUNCATE, MOTE_LOG_FUTIMENS, MOTE_LOG_FSETXATTR, MOTE_LOG_TCGETATTR,
  MOTE_LOG_TCSETATTR, MOTE_LOG_NANOSLEEP, MOTE_LOG_GETENTROPY, MOTE_LOG_GETADDRINFO, MOTE_LOG_GETIFADDRS,
  MOTE_LOG_IF_NAMETOINDEX, MOTE_LOG_GETPWUID, MOTE_LOG_PTHREAD_CREATE, MOTE_LOG_PTHREAD_ATFORK,
  MOTE_LOG_PTHREAD_ATTR_INIT,
  MOTE_LOG_LAST
};

struct mote_log_row {
  const char *name;
  int error;         /* what it sets when it fails on purpose: an errno, or an EAI code (getaddrinfo) */
};
extern const struct mote_log_row mote_log_calls[MOTE_LOG_LAST];

/* ---- names.c: calls, errno and their names ---- */

/* "EINTR"; "errno 999" for what has no name here, kept in a buffer of the thread. */
const char *mote_log_error_name(int error);
/* 0: no such name. Names beginning with EAI_ are getaddrinfo's; they are negative numbers. */
int mote_log_error_number(const char *name, size_t len);

/* ---- write.c: lines ---- */

struct mote_log_where {
  const char *file;
  int line;
};
/* What mote_log_site() noted last in this thread; "?" and 0 before. */
struct mote_log_where mote_log_here(void);

/* Lets in one thread at a time. false: a signal handler interrupted its own thread in here. Then it must
 * neither write a line nor call mote_log_leave(). */
bool mote_log_enter(void);
void mote_log_leave(void);
/* Enters even if another thread does not leave, because the process is about to die. */
void mote_log_enter_by_force(void);
/* Begins the log in the file; false: there is none. */
bool mote_log_write_to(const char *name);
/* Writes the lines that are buffered; the second also each further line at once. Within mote_log_enter(). */
void mote_log_flush(void);
void mote_log_write_at_once(void);
/* "WORD file:line ..." within mote_log_enter(). */
void mote_log_put(const char *word, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with enter and leave. */
void mote_log_line(const char *word, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "CALL file:line name(argument) = result", with errno's name when result is -1; returns result. */
int mote_log_result(enum mote_log_call call, int argument, int result);
/* The same for a call that is made on a name. */
int mote_log_result_path(enum mote_log_call call, const char *path, int result);
/* " EINTR" when result is -1, else "". */
const char *mote_log_why(long result);
/* path in out (cap bytes), fit for a line: cut, quotes and control characters replaced. */
const char *mote_log_text(char *out, size_t cap, const char *path);

/* ---- fault.c: which call fails ---- */

/* Counts the call, and returns 0 or the error that it shall fail with (after a LIMIT line). */
int mote_log_failure(enum mote_log_call call);
/* The same. true: it shall fail, and errno is set. */
bool mote_log_fails(enum mote_log_call call);
/* How many of n bytes a read or write may move; 0 of more: fail with EAGAIN, this once. */
size_t mote_log_room(bool receives, size_t n);
/* Notes how many bytes were received. */
void mote_log_received(long got);

/* ---- held.c: what is held ---- */

struct mote_log_held {
  long long blocks;
  long long bytes;
  long long fds;  /* descriptors, FILEs */
  long long bad;  /* frees of what was not held */
};
void mote_log_held_get(struct mote_log_held *out);
/* The place that asked for one of the blocks; file NULL: none is held. Within mote_log_enter(). */
struct mote_log_where mote_log_held_one(void);
/* Within mote_log_enter(). */
void mote_log_hold(const void *p, size_t size);
/* false: p is not held. */
bool mote_log_drop(const void *p, size_t *size);
/* At any time. how: the call that made the descriptor. Ignored are -1, what was not held, and the standard
 * descriptors, which the command fills when they are closed. */
void mote_log_hold_fd(int fd, enum mote_log_call how);
void mote_log_drop_fd(int fd);
bool mote_log_is_eventfd(int fd);

#endif
