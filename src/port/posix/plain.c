/* port/posix/plain.c: in place of port/linux/linux.c on systems that are not Linux. */
#include <errno.h>
#include <sched.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "port/file.h"
#include "port/interface.h"
#include "port/posix/internal.h"
#include "port/spin/nap.h"

/* ---- a mutex without a futex (port/spin/lock.c) ---- */

void mote_port_nap(unsigned tries)
{
  const struct timespec pause = { 0, 100000 };
  if(tries < MOTE_PORT_YIELDS)
    (void)sched_yield();
  else
    (void)nanosleep(&pause, NULL);
}

/* ---- sockets ---- */

int mote_posix_socket(int family, int type, int protocol, int *out)
{
  int error;
  *out = socket(family, type, protocol);
  if(*out < 0)
    return errno;
  error = mote_posix_prepare(*out);
  if(error) {
    (void)close(*out);
    *out = -1;
  }
  return error;
}

int mote_posix_unix_start(bool abstract, size_t *start)
{
  *start = 0;
  return abstract ? ENOSYS : 0;
}

int (mote_port_bind_device)(curl_socket_t fd, const char *interface_name)
{
  (void)fd;
  (void)interface_name;
  return ENOSYS;
}

/* ---- names in a directory: POSIX has no way to them that takes no memory ---- */

int mote_port_directory_read(int file, char *buf, size_t len, size_t *n)
{
  (void)file;
  (void)buf;
  (void)len;
  *n = 0;
  return EISDIR;
}
