/* tool/system/posix.h: the calls of system.h that POSIX has. They are inline, since a short run of the
 * command is measured in instructions. Only system.h includes this. */
#ifndef MOTE_TOOL_SYSTEM_POSIX_H
#define MOTE_TOOL_SYSTEM_POSIX_H

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>

#define MOTE_SYSTEM_NULL "/dev/null"

/* ---- the process ---- */

/* The system would give a closed descriptor 0, 1 or 2 to the next socket or file. Reading from the first
 * and writing to the others still fails. */
static inline void mote_cli_system_start(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
  for(int fd = 0; fd <= 2; fd++)
    if(fcntl(fd, F_GETFD) < 0 && open(MOTE_SYSTEM_NULL, fd ? O_RDONLY : O_WRONLY) < 0)
      _exit(CURLE_FAILED_INIT);
  signal(SIGPIPE, SIG_IGN);
}

/* The user's home as the system knows it, where the environment has none. */
static inline const char *mote_cli_system_config(unsigned index, const char *home, const char **name)
{
  const struct passwd *user = index || home ? NULL : getpwuid(geteuid());
  *name = ".curlrc";
  return user ? user->pw_dir : NULL;
}

static inline curl_off_t mote_cli_system_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (curl_off_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static inline time_t mote_cli_system_wall(long *us)
{
  struct timeval now;
  gettimeofday(&now, NULL);
  *us = (long)now.tv_usec;
  return now.tv_sec;
}

extern pthread_mutex_t mote_cli_system_mutex;

static inline void mote_cli_system_lock(void)
{
  pthread_mutex_lock(&mote_cli_system_mutex);
}

static inline void mote_cli_system_unlock(void)
{
  pthread_mutex_unlock(&mote_cli_system_mutex);
}

/* ---- files ---- */

static inline int mote_cli_system_open(const char *path, int flags, unsigned perms)
{
  return open(path, flags | O_CLOEXEC, perms);
}

/* After EAGAIN. False: it cannot wait. */
static inline bool posix_wait(int fd, short events)
{
  struct pollfd wait = { .fd = fd, .events = events };
  return poll(&wait, 1, -1) >= 0 || errno == EINTR;
}

static inline ssize_t mote_cli_system_read(int fd, void *bytes, size_t len)
{
  ssize_t n;
  do
    n = read(fd, bytes, len);
  while(n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && posix_wait(fd, POLLIN));
  return n;
}

static inline ssize_t mote_cli_system_read_at(int fd, void *bytes, size_t len, curl_off_t at)
{
  return pread(fd, bytes, len, (off_t)at);
}

static inline ssize_t mote_cli_system_write(int fd, const void *bytes, size_t len)
{
  return write(fd, bytes, len);
}

static inline bool mote_cli_system_wait_to_write(int fd)
{
  return posix_wait(fd, POLLOUT);
}

static inline curl_off_t mote_cli_system_seek(int fd, curl_off_t offset, int origin)
{
  return lseek(fd, (off_t)offset, origin);
}

static inline int mote_cli_system_set_time(int fd, curl_off_t when)
{
  struct timespec times[2] = { { (time_t)when, 0 }, { (time_t)when, 0 } };
  if(times[1].tv_sec == when)
    return futimens(fd, times);
  errno = EOVERFLOW; /* time_t has 32 bits */
  return -1;
}

static inline bool mote_cli_system_is_terminal(int fd)
{
  return isatty(fd) == 1;
}

static inline int mote_cli_system_stat(const char *path, struct stat *st)
{
  return stat(path, st);
}

static inline int mote_cli_system_access(const char *path, int how)
{
  return access(path, how);
}

static inline int mote_cli_system_remove(const char *path)
{
  return unlink(path);
}

static inline int mote_cli_system_make_folder(const char *path, unsigned perms)
{
  return mkdir(path, (mode_t)perms);
}

static inline bool mote_cli_system_same_file(const char *a, const char *b)
{
  struct stat one, other;
  return !stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* ---- names of files ---- */

static inline bool mote_cli_system_is_slash(char c)
{
  return c == '/';
}

static inline const char *mote_cli_system_base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* A slash is the only character that no name has, and no name is a device. */
static inline char *mote_cli_system_safe_name(char *name)
{
  return name;
}

/* ---- standard input and the terminal ---- */

static inline bool mote_cli_system_has_input(int fd)
{
  struct pollfd wait = { .fd = fd, .events = POLLIN };
  return poll(&wait, 1, 0) != 0;
}

static inline unsigned mote_cli_system_watch(int fd, struct curl_waitfd *wait, int *timeout)
{
  (void)timeout;
  *wait = (struct curl_waitfd){ .fd = fd, .events = CURL_WAIT_POLLIN };
  return 1;
}

static inline int mote_cli_system_columns(int fd)
{
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

#endif
