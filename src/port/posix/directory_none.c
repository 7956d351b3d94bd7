/* port/posix/directory_none.c: POSIX has no way to a directory's names that takes no memory. */
#include "port/file.h"

int mote_port_directory_read(int file, char *buf, size_t len, size_t *n)
{
  (void)file;
  (void)buf;
  (void)len;
  *n = 0;
  return EISDIR;
}
