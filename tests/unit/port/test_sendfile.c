/* Bytes that go from a file to a socket, and what stands in their way. Needs sendfile. */
#define _FILE_OFFSET_BITS 64 /* as in port/linux/sendfile.c: the call's name depends on it */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "port/port.h"
#include "port/sendfile.h"
#include "test.h"

/* In place of the C library's: fails with these, the last one for ever. */
static const int *errors;

ssize_t sendfile(int fd, int file, off_t *at, size_t n)
{
  int error = errors ? *errors : 0;
  if(error && errors[1])
    errors++;
  if(error) {
    errno = error;
    return -1;
  }
  return (ssize_t)syscall(SYS_sendfile, fd, file, at, n);
}

static FILE *file_of(const char *text)
{
  FILE *f = tmpfile();
  if(!CHECK(f != NULL))
    return NULL;
  fputs(text, f);
  rewind(f);
  return f;
}

static void pair(int fds[2])
{
  CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
}

TEST(from_the_position_on)
{
  char got[20] = "";
  size_t n;
  int fds[2];
  FILE *f = file_of("0123456789");
  int file = mote_port_stream_file(f);
  pair(fds);
  CHECK(file >= 0);
  CHECK_INT(lseek(file, 3, SEEK_SET), 3);
  CHECK_INT(mote_port_sendfile(fds[0], file, 4, &n), 0);
  CHECK_INT(n, 4);
  CHECK_INT(mote_port_sendfile(fds[0], file, 100, &n), 0);
  CHECK_INT(n, 3);
  CHECK_INT(mote_port_sendfile(fds[0], file, 100, &n), 0); /* the end of the file */
  CHECK_INT(n, 0);
  CHECK_INT(read(fds[1], got, sizeof got - 1), 7);
  CHECK_STR(got, "3456789");
  close(fds[0]);
  close(fds[1]);
  fclose(f);
}

/* What stdio has read too far is sent, and what was sent is not read again. */
TEST(a_file_that_stdio_reads)
{
  char got[20] = "";
  size_t n;
  int fds[2], ends[2], file;
  FILE *f = file_of("0123456789");
  pair(fds);
  CHECK_INT(getc(f), '0');
  file = mote_port_stream_file(f);
  CHECK_INT(mote_port_sendfile(fds[0], file, 4, &n), 0);
  CHECK_INT(read(fds[1], got, sizeof got - 1), 4);
  CHECK_STR(got, "1234");
  CHECK_INT(ftell(f), 5);
  CHECK_INT(getc(f), '5');
  fclose(f);

  CHECK_INT(pipe(ends), 0);
  f = fdopen(ends[0], "r");
  CHECK_INT(mote_port_stream_file(f), -1);
  fclose(f);
  close(ends[1]);
  f = fmemopen(got, 4, "r");
  CHECK_INT(mote_port_stream_file(f), -1);
  fclose(f);
  close(fds[0]);
  close(fds[1]);
}

TEST(a_full_socket)
{
  size_t n, sent = 0;
  int fds[2], rc;
  FILE *f = tmpfile();
  CHECK_INT(ftruncate(fileno(f), 16 << 20), 0);
  pair(fds);
  do {
    rc = mote_port_sendfile(fds[0], fileno(f), 1 << 20, &n);
    sent += n;
  } while(!rc && n);
  CHECK_INT(rc, MOTE_PORT_AGAIN);
  CHECK(sent > 0 && sent < 16 << 20);
  CHECK_INT(lseek(fileno(f), 0, SEEK_CUR), sent);
  close(fds[0]);
  close(fds[1]);
  fclose(f);
}

static bool is_pending(void)
{
  sigset_t now;
  sigpending(&now);
  return sigismember(&now, SIGPIPE) == 1;
}

/* The default action would end this program. */
TEST(a_broken_pipe_is_an_error)
{
  size_t n;
  int fds[2];
  sigset_t broken, before;
  FILE *f = file_of("text");
  pair(fds);
  close(fds[1]);
  CHECK_INT(mote_port_sendfile(fds[0], fileno(f), 4, &n), EPIPE);
  CHECK_INT(n, 0);

  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigprocmask(SIG_BLOCK, &broken, &before);
  CHECK_INT(mote_port_sendfile(fds[0], fileno(f), 4, &n), EPIPE);
  CHECK(!is_pending());
  raise(SIGPIPE); /* the application's own signal stays */
  CHECK_INT(mote_port_sendfile(fds[0], fileno(f), 4, &n), EPIPE);
  CHECK(is_pending());
  signal(SIGPIPE, SIG_IGN);
  sigprocmask(SIG_SETMASK, &before, NULL);
  signal(SIGPIPE, SIG_DFL);
  close(fds[0]);
  fclose(f);
}

TEST(errors_of_the_file_and_of_the_socket)
{
  static const int again[] = {EINTR, EINTR, EINVAL, 0}, reset[] = {ECONNRESET, 0}, disk[] = {EIO, 0};
  size_t n = 1;
  errors = again;
  CHECK_INT(mote_port_sendfile(0, 0, 1, &n), 0);
  CHECK_INT(n, 0);
  errors = disk;
  CHECK_INT(mote_port_sendfile(0, 0, 1, &n), 0);
  errors = reset;
  CHECK_INT(mote_port_sendfile(0, 0, 1, &n), ECONNRESET);
  errors = NULL;
}

int main(void)
{
  TEST_RUN(from_the_position_on);
  TEST_RUN(a_file_that_stdio_reads);
  TEST_RUN(a_full_socket);
  TEST_RUN(a_broken_pipe_is_an_error);
  TEST_RUN(errors_of_the_file_and_of_the_socket);
  return test_end();
}
