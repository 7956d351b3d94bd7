/* files.c: files, which a case can read but never change. An upload to a file: URL, also one that a redirect
 * leads to, and a file of cookies find a disk that is read-only. */
#define _GNU_SOURCE
#include "runner.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int opened(const char *path, int flags)
{
  if((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC)) {
    errno = EROFS;
    return -1;
  }
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0);
}

int open(const char *path, int flags, ...)
{
  return opened(path, flags);
}

int open64(const char *path, int flags, ...)
{
  return opened(path, flags);
}

FILE *fopen64(const char *restrict path, const char *restrict how)
{
  int fd = *how == 'r' && !strpbrk(how, "+") ? opened(path, O_RDONLY | O_CLOEXEC) : opened(path, O_WRONLY);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
  if(fd >= 0 && !file)
    close(fd);
  return file;
}

FILE *fopen(const char *restrict path, const char *restrict how)
{
  return fopen64(path, how);
}
