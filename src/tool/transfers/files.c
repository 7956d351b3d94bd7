#include "tool/transfers/files.h"

#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

/* Read to the end of the file. room: bytes to begin with, the file's size if it is known. */
static CURLcode transfers_files_read_all(int fd, size_t room, char **text, size_t *len)
{
  char *p = mote_cli_alloc(room);
  int error;
  *len = 0;
  while(p) {
    ssize_t n = mote_cli_system_read(fd, p + *len, room - 1 - *len);
    if(n < 0 && errno == EINTR)
      continue;
    if(n <= 0) {
      p[*len] = 0;
      *text = p;
      if(!n)
        return CURLE_OK;
      error = errno;
      mote_cli_free(p);
      errno = error;
      return CURLE_READ_ERROR;
    }
    *len += (size_t)n;
    if(*len + 1 == room) {
      char *more = mote_cli_realloc(p, room * 2);
      if(!more)
        mote_cli_free(p);
      p = more;
      room *= 2;
    }
  }
  return CURLE_OUT_OF_MEMORY;
}

/* Bytes to begin with: all of a file, a NUL, and one by which its end is noticed. SIZE_MAX, which is never
 * there: the file has more bytes than an address can count. */
static size_t transfers_files_room(int fd)
{
  struct stat st;
  if(fstat(fd, &st) || !S_ISREG(st.st_mode))
    return 4096;
  return (uintmax_t)st.st_size < SIZE_MAX - 2 ? (size_t)st.st_size + 2 : SIZE_MAX;
}

static CURLcode transfers_files_unread(const char *path, int error)
{
  mote_cli.unread = path;
  mote_cli.unread_error = error;
  return CURLE_READ_ERROR;
}

CURLcode mote_cli_read_file(const char *path, char **bytes, size_t *len)
{
  char *text = NULL;
  CURLcode rc;
  int fd = strcmp(path, "-") ? mote_cli_system_open(path, O_RDONLY, 0) : 0;
  if(fd < 0)
    return transfers_files_unread(path, errno);
  rc = transfers_files_read_all(fd, transfers_files_room(fd), &text, len);
  if(rc == CURLE_READ_ERROR)
    transfers_files_unread(path, errno);
  if(fd)
    close(fd);
  if(rc)
    return rc;
  *bytes = mote_cli_keep(*len + 1);
  if(*bytes)
    memcpy(*bytes, text, *len);
  mote_cli_free(text);
  return *bytes ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

CURLcode mote_cli_read_text(const char *path, char **text)
{
  size_t len;
  CURLcode rc = mote_cli_read_file(path, text, &len);
  return !rc && memchr(*text, 0, len) ? transfers_files_unread(path, UNREAD_NUL) : rc;
}

size_t mote_cli_strip_lines(char *text, size_t len)
{
  size_t kept = 0;
  for(size_t i = 0; i < len; i++)
    if(text[i] != '\r' && text[i] != '\n' && text[i])
      text[kept++] = text[i];
  text[kept] = 0;
  return kept;
}

CURLcode mote_cli_make_dirs(const char *path)
{
  char *copy = mote_cli_strdup(path);
  CURLcode rc = CURLE_OK;
  int error = 0;
  if(!copy) {
    errno = ENOMEM;
    return CURLE_OUT_OF_MEMORY;
  }
  for(char *p = copy + 1; *copy && *p && !rc; p++)
    if(mote_cli_system_is_slash(*p)) {
      const char slash = *p;
      *p = 0;
      if(mote_cli_system_make_folder(copy, 0750) && errno != EEXIST && errno != EACCES && errno != EROFS)
        rc = CURLE_WRITE_ERROR;
      error = errno;
      *p = slash;
    }
  mote_cli_free(copy);
  errno = error;
  return rc;
}
