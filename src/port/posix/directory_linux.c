/* port/posix/directory_linux.c: names in a directory. readdir(3) would take memory that is not counted. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "port/file.h"

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
