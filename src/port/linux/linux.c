/* port/linux/linux.c: what Linux does better than other systems: a mutex of four bytes, sockets that are
 * non-blocking from the start, names in a directory without memory. Elsewhere port/posix/plain.c serves. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "port/file.h"
#include "port/interface.h"
#include "port/lock.h"
#include "port/posix/internal.h"

/* ---- a mutex (states 0, 1, 2 as in U. Drepper, "Futexes Are Tricky") ---- */

_Static_assert(sizeof(atomic_int) == 4, "a futex has four bytes");

void mote_port_lock(struct mote_mutex *m)
{
  int state = 0;
  int saved;
  if(atomic_compare_exchange_strong_explicit(&m->state, &state, 1, memory_order_acquire,
                                             memory_order_relaxed))
    return;
  saved = errno;
  while(atomic_exchange_explicit(&m->state, 2, memory_order_acquire))
    (void)syscall(SYS_futex, &m->state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
  errno = saved;
}

void mote_port_unlock(struct mote_mutex *m)
{
  if(atomic_exchange_explicit(&m->state, 0, memory_order_release) == 2) {
    int saved = errno;
    (void)syscall(SYS_futex, &m->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    errno = saved;
  }
}

/* ---- sockets ---- */

int mote_posix_socket(int family, int type, int protocol, int *out)
{
  *out = socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
  return *out < 0 ? errno : 0;
}

int mote_posix_unix_start(bool abstract, size_t *start)
{
  *start = abstract;
  return 0;
}

int (mote_port_bind_device)(curl_socket_t fd, const char *interface_name)
{
  size_t len = strlen(interface_name) + 1;
  return setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, interface_name, (socklen_t)len) ? errno : 0;
}

/* ---- names in a directory: readdir(3) would take memory that is not counted ---- */

/* An entry as getdents64(2) gives it. */
struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length; /* bytes of the entry, padding included */
  uint8_t type;
  char name[];
};

int mote_port_directory_read(int file, char *buf, size_t len, size_t *n)
{
  long got, at;
  *n = 0;
  do {
    got = syscall(SYS_getdents64, file, buf, len);
    if(got < 0)
      return errno;
    for(at = 0; at < got;) {
      struct entry entry;
      const char *name = buf + at + offsetof(struct entry, name);
      size_t name_len = strlen(name);
      memcpy(&entry, buf + at, offsetof(struct entry, name));
      at += entry.length;
      if(*name == '.')
        continue;
      /* A line is shorter than its entry: it never reaches one that is still to be read. */
      memmove(buf + *n, name, name_len);
      *n += name_len;
      buf[(*n)++] = '\n';
    }
  } while(got && !*n);
  return 0;
}
