/* port/posix/file.c: files without stdio. */
#define _FILE_OFFSET_BITS 64
#define _TIME_BITS 64 /* glibc's time on 32 bits ends in 2038, and stat() fails for a later file */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "port/file.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec /* its name before POSIX had one */
#endif

enum {
  MOST = 1 << 30 /* bytes of one call */
};

static const int modes[] = {
  [MOTE_FILE_READ] = O_RDONLY,
  [MOTE_FILE_WRITE] = O_WRONLY | O_CREAT | O_TRUNC,
  [MOTE_FILE_APPEND] = O_WRONLY | O_CREAT | O_APPEND,
  [MOTE_FILE_NEW] = O_WRONLY | O_CREAT | O_EXCL,
};

int mote_port_file_open(const char *path, enum mote_file_mode mode, unsigned perms, int *file)
{
  do
    *file = open(path, modes[mode] | O_CLOEXEC | O_NOCTTY, (mode_t)perms);
  while(*file < 0 && errno == EINTR);
  return *file < 0 ? errno : 0;
}

int mote_port_file_read(int file, void *buf, size_t len, size_t *n)
{
  ssize_t got;
  *n = 0;
  do
    got = read(file, buf, len < MOST ? len : MOST);
  while(got < 0 && errno == EINTR);
  if(got < 0)
    return errno;
  *n = (size_t)got;
  return 0;
}

int mote_port_file_write(int file, const void *buf, size_t len)
{
  const char *at = buf;
  while(len) {
    ssize_t put = write(file, at, len < MOST ? len : MOST);
    if(put < 0) {
      if(errno == EINTR)
        continue;
      return errno;
    }
    if(!put)
      return EIO;
    at += put;
    len -= (size_t)put;
  }
  return 0;
}

int mote_port_file_seek(int file, int64_t offset)
{
  return lseek(file, (off_t)offset, SEEK_SET) < 0 ? errno : 0;
}

static int to_info(int failed, const struct stat *st, struct mote_file_info *out)
{
  if(failed)
    return errno;
  out->size = (int64_t)st->st_size;
  out->mtime = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
  out->number = (uint64_t)st->st_ino;
  out->perms = (unsigned)st->st_mode & 0777u;
  out->regular = S_ISREG(st->st_mode);
  out->directory = S_ISDIR(st->st_mode);
  return 0;
}

int mote_port_file_info(int file, struct mote_file_info *out)
{
  struct stat st;
  int failed = fstat(file, &st);
  return to_info(failed, &st, out);
}

int mote_port_path_info(const char *path, struct mote_file_info *out)
{
  struct stat st;
  int failed = stat(path, &st);
  return to_info(failed, &st, out);
}

int mote_port_file_rename(const char *from, const char *to)
{
  return rename(from, to) ? errno : 0;
}

int mote_port_file_remove(const char *path)
{
  return unlink(path) ? errno : 0;
}

int mote_port_file_close(int file)
{
  /* Linux has closed the descriptor even when a signal interrupted. */
  return close(file) && errno != EINTR ? errno : 0;
}
