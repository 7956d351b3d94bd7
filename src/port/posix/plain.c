/* port/posix/plain.c: in place of port/linux/linux.c on systems that are not Linux. */
#include <errno.h>
#include <sched.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "port/file.h"
#include "port/interface.h"
#include "port/lock.h"
#include "port/posix/internal.h"

/* ---- a mutex without a futex; our locks are held for a few lines ---- */

enum {
  YIELDS = 100 /* before a pause, which lets a holder of lower priority run */
};

void mote_port_lock(struct mote_mutex *m)
{
  int tries = 0;
  while(atomic_exchange_explicit(&m->state, 1, memory_order_acquire)) {
    if(++tries < YIELDS)
      (void)sched_yield();
    else {
      const struct timespec pause = { 0, 100000 };
      (void)nanosleep(&pause, NULL);
    }
  }
}

void mote_port_unlock(struct mote_mutex *m)
{
  atomic_store_explicit(&m->state, 0, memory_order_release);
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
