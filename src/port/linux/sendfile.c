/* port/linux/sendfile.c: sendfile(2) as Linux has it. Its name elsewhere means other things. */
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>

#include "port/port.h"
#include "port/sendfile.h"

/* Of sendfile's errors, those of the file. The next read of it, which comes in its place, reports them. */
static bool is_of_file(int error)
{
  return error == EINVAL || error == ENOSYS || error == EIO || error == EOVERFLOW || error == ESPIPE ||
         error == EOPNOTSUPP;
}

static int sendfile_result(ssize_t sent, int error, size_t *n)
{
  *n = sent > 0 ? (size_t)sent : 0;
  if(sent >= 0 || is_of_file(error))
    return 0;
  return error == EAGAIN ? MOTE_PORT_AGAIN : error;
}

/* Takes away the signal that a broken pipe has raised while it was blocked, if one has. */
static void take_signal(const sigset_t *broken)
{
  static const struct timespec at_once;
  while(sigtimedwait(broken, NULL, &at_once) < 0 && errno == EINTR)
    ;
}

/* sendfile() has no MSG_NOSIGNAL, so the thread blocks the signal meanwhile. One that was pending before
 * belongs to the application and stays. A pipe that breaks halfway raises it although bytes were sent. */
int mote_port_sendfile(curl_socket_t fd, int file, size_t len, size_t *n)
{
  sigset_t broken, before, pending;
  int error;
  ssize_t sent;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigemptyset(&pending);
  error = pthread_sigmask(SIG_BLOCK, &broken, &before);
  if(error)
    return sendfile_result(-1, EINVAL, n);
  if(sigismember(&before, SIGPIPE) == 1)
    (void)sigpending(&pending);
  do
    sent = sendfile(fd, file, NULL, len);
  while(sent < 0 && errno == EINTR);
  error = sent < 0 ? errno : 0;
  if((error == EPIPE || (sent >= 0 && (size_t)sent < len)) && sigismember(&pending, SIGPIPE) != 1)
    take_signal(&broken);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return sendfile_result(sent, error, n);
}

/* fflush() of a stream that reads gives back what it has read too far (POSIX). */
int mote_port_stream_file(void *stream)
{
  FILE *f = stream ? stream : stdin;
  struct stat st;
  int fd = fileno(f);
  if(fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || fflush(f))
    return -1;
  return fd;
}
