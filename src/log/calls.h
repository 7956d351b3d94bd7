/* log/calls.h: the C library's calls that may fail, replaced by the log's; the log build includes it in
 * front of every file of src/port, and log/tool.h in front of the command's.
 *
 * The headers of those calls come first, so that only uses are replaced. A name is replaced where "("
 * follows it: struct fields and pointers to functions stay. */
#ifndef MOTE_LOG_CALLS_H
#define MOTE_LOG_CALLS_H

#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "log/log.h"

/* It is there with _GNU_SOURCE alone. */
struct mmsghdr;

int mote_log_socket(int domain, int type, int protocol);
int mote_log_accept(int fd, struct sockaddr *a, socklen_t *n);
int mote_log_pipe(int fds[2]);
int mote_log_eventfd(unsigned value, int flags);
int mote_log_epoll_create1(int flags);
int mote_log_open(const char *path, int flags, ...);
int mote_log_close(int fd);
FILE *mote_log_fopen(const char *path, const char *mode);
FILE *mote_log_fdopen(int fd, const char *mode);
int mote_log_fclose(FILE *f);

ssize_t mote_log_recv(int fd, void *p, size_t n, int flags);
ssize_t mote_log_send(int fd, const void *p, size_t n, int flags);
ssize_t mote_log_sendfile(int fd, int file, off_t *at, size_t n);
ssize_t mote_log_recvfrom(int fd, void *p, size_t n, int flags, struct sockaddr *a, socklen_t *size);
ssize_t mote_log_sendto(int fd, const void *p, size_t n, int flags, const struct sockaddr *a, socklen_t size);
ssize_t mote_log_recvmsg(int fd, struct msghdr *m, int flags);
int mote_log_recvmmsg(int fd, struct mmsghdr *m, unsigned count, int flags, struct timespec *most);
ssize_t mote_log_sendmsg(int fd, const struct msghdr *m, int flags);
ssize_t mote_log_read(int fd, void *p, size_t n);
ssize_t mote_log_write(int fd, const void *p, size_t n);
int mote_log_connect(int fd, const struct sockaddr *a, socklen_t n);
int mote_log_poll(struct pollfd *p, nfds_t n, int ms);
int mote_log_epoll_wait(int set, struct epoll_event *e, int n, int ms);

int mote_log_bind(int fd, const struct sockaddr *a, socklen_t n);
int mote_log_listen(int fd, int backlog);
int mote_log_shutdown(int fd, int how);
int mote_log_getsockopt(int fd, int level, int name, void *v, socklen_t *n);
int mote_log_setsockopt(int fd, int level, int name, const void *v, socklen_t n);
int mote_log_getsockname(int fd, struct sockaddr *a, socklen_t *n);
int mote_log_getpeername(int fd, struct sockaddr *a, socklen_t *n);
int mote_log_gethostname(char *out, size_t size);
int mote_log_fcntl(int fd, int command, ...); /* what takes an int, or nothing */
int mote_log_ioctl(int fd, unsigned long command, ...);
int mote_log_epoll_ctl(int set, int how, int fd, struct epoll_event *e);

off_t mote_log_lseek(int fd, off_t offset, int whence);
int mote_log_fstat(int fd, struct stat *st);
int mote_log_stat(const char *path, struct stat *st);
int mote_log_access(const char *path, int mode);
int mote_log_mkdir(const char *path, mode_t mode);
int mote_log_unlink(const char *path);
int mote_log_rename(const char *from, const char *to);
int mote_log_ftruncate(int fd, off_t size);
int mote_log_futimens(int fd, const struct timespec times[2]);
int mote_log_fsetxattr(int fd, const char *name, const void *value, size_t size, int flags);
int mote_log_tcgetattr(int fd, struct termios *t);
int mote_log_tcsetattr(int fd, int when, const struct termios *t);

int mote_log_nanosleep(const struct timespec *wanted, struct timespec *left);
int mote_log_getentropy(void *p, size_t n);
int mote_log_getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                         struct addrinfo **out);
void mote_log_freeaddrinfo(struct addrinfo *all);
int mote_log_getifaddrs(struct ifaddrs **out);
unsigned mote_log_if_nametoindex(const char *name);
struct passwd *mote_log_getpwuid(uid_t uid);
int mote_log_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *), void *arg);
int mote_log_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
int mote_log_pthread_attr_init(pthread_attr_t *attr);

/* The site stays the one where the seam was called; log/tool.h has another. */
#ifndef MOTE_LOG_CALL
#define MOTE_LOG_CALL(name, ...) mote_log_##name(__VA_ARGS__)
#endif

#ifndef MOTE_LOG_ITSELF
#define socket(...) MOTE_LOG_CALL(socket, __VA_ARGS__)
#define accept(...) MOTE_LOG_CALL(accept, __VA_ARGS__)
#define pipe(...) MOTE_LOG_CALL(pipe, __VA_ARGS__)
#define eventfd(...) MOTE_LOG_CALL(eventfd, __VA_ARGS__)
#define epoll_create1(...) MOTE_LOG_CALL(epoll_create1, __VA_ARGS__)
#define open(...) MOTE_LOG_CALL(open, __VA_ARGS__)
#define close(...) MOTE_LOG_CALL(close, __VA_ARGS__)
#define fopen(...) MOTE_LOG_CALL(fopen, __VA_ARGS__)
#define fdopen(...) MOTE_LOG_CALL(fdopen, __VA_ARGS__)
#define fclose(...) MOTE_LOG_CALL(fclose, __VA_ARGS__)
#define recv(...) MOTE_LOG_CALL(recv, __VA_ARGS__)
#define send(...) MOTE_LOG_CALL(send, __VA_ARGS__)
#define sendfile(...) MOTE_LOG_CALL(sendfile, __VA_ARGS__)
#define recvfrom(...) MOTE_LOG_CALL(recvfrom, __VA_ARGS__)
#define sendto(...) MOTE_LOG_CALL(sendto, __VA_ARGS__)
#define recvmsg(...) MOTE_LOG_CALL(recvmsg, __VA_ARGS__)
#define recvmmsg(...) MOTE_LOG_CALL(recvmmsg, __VA_ARGS__)
#define sendmsg(...) MOTE_LOG_CALL(sendmsg, __VA_ARGS__)
#define read(...) MOTE_LOG_CALL(read, __VA_ARGS__)
#define write(...) MOTE_LOG_CALL(write, __VA_ARGS__)
#define connect(...) MOTE_LOG_CALL(connect, __VA_ARGS__)
#define poll(...) MOTE_LOG_CALL(poll, __VA_ARGS__)
#define epoll_wait(...) MOTE_LOG_CALL(epoll_wait, __VA_ARGS__)
#define bind(...) MOTE_LOG_CALL(bind, __VA_ARGS__)
#define listen(...) MOTE_LOG_CALL(listen, __VA_ARGS__)
#define shutdown(...) MOTE_LOG_CALL(shutdown, __VA_ARGS__)
#define getsockopt(...) MOTE_LOG_CALL(getsockopt, __VA_ARGS__)
#define setsockopt(...) MOTE_LOG_CALL(setsockopt, __VA_ARGS__)
#define getsockname(...) MOTE_LOG_CALL(getsockname, __VA_ARGS__)
#define getpeername(...) MOTE_LOG_CALL(getpeername, __VA_ARGS__)
#define gethostname(...) MOTE_LOG_CALL(gethostname, __VA_ARGS__)
#define fcntl(...) MOTE_LOG_CALL(fcntl, __VA_ARGS__)
#define ioctl(...) MOTE_LOG_CALL(ioctl, __VA_ARGS__)
#define epoll_ctl(...) MOTE_LOG_CALL(epoll_ctl, __VA_ARGS__)
#define lseek(...) MOTE_LOG_CALL(lseek, __VA_ARGS__)
#define fstat(...) MOTE_LOG_CALL(fstat, __VA_ARGS__)
#define stat(...) MOTE_LOG_CALL(stat, __VA_ARGS__)
#define access(...) MOTE_LOG_CALL(access, __VA_ARGS__)
#define mkdir(...) MOTE_LOG_CALL(mkdir, __VA_ARGS__)
#define unlink(...) MOTE_LOG_CALL(unlink, __VA_ARGS__)
#define rename(...) MOTE_LOG_CALL(rename, __VA_ARGS__)
#define ftruncate(...) MOTE_LOG_CALL(ftruncate, __VA_ARGS__)
#define futimens(...) MOTE_LOG_CALL(futimens, __VA_ARGS__)
#define fsetxattr(...) MOTE_LOG_CALL(fsetxattr, __VA_ARGS__)
#define tcgetattr(...) MOTE_LOG_CALL(tcgetattr, __VA_ARGS__)
#define tcsetattr(...) MOTE_LOG_CALL(tcsetattr, __VA_ARGS__)
#define nanosleep(...) MOTE_LOG_CALL(nanosleep, __VA_ARGS__)
#define getentropy(...) MOTE_LOG_CALL(getentropy, __VA_ARGS__)
#define getaddrinfo(...) MOTE_LOG_CALL(getaddrinfo, __VA_ARGS__)
#define freeaddrinfo(...) MOTE_LOG_CALL(freeaddrinfo, __VA_ARGS__)
#define getifaddrs(...) MOTE_LOG_CALL(getifaddrs, __VA_ARGS__)
#define if_nametoindex(...) MOTE_LOG_CALL(if_nametoindex, __VA_ARGS__)
#define getpwuid(...) MOTE_LOG_CALL(getpwuid, __VA_ARGS__)
#define pthread_create(...) MOTE_LOG_CALL(pthread_create, __VA_ARGS__)
#define pthread_atfork(...) MOTE_LOG_CALL(pthread_atfork, __VA_ARGS__)
#define pthread_attr_init(...) MOTE_LOG_CALL(pthread_attr_init, __VA_ARGS__)
#endif

#endif
