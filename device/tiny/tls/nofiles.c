/* nofiles.c: there are no files, so no bundle by path. Goes when the library can be built without. */
#include "port/file.h"

int mote_port_file_open(const char *path, enum mote_file_mode mode, int *file)
{
  (void)path;
  (void)mode;
  *file = -1;
  return ENOENT;
}

int mote_port_file_read(int file, void *buf, size_t len, size_t *n)
{
  (void)file;
  (void)buf;
  (void)len;
  *n = 0;
  return ENOSYS;
}

int mote_port_file_seek(int file, int64_t offset)
{
  (void)file;
  (void)offset;
  return ENOSYS;
}

int mote_port_file_info(int file, struct mote_file_info *out)
{
  (void)file;
  (void)out;
  return ENOSYS;
}

int mote_port_path_info(const char *path, struct mote_file_info *out)
{
  (void)path;
  (void)out;
  return ENOSYS;
}

int mote_port_file_close(int file)
{
  (void)file;
  return 0;
}
