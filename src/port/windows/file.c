/* port/windows/file.c: files. A descriptor is one of the C library, around a handle of the system.
 *
 * A path is UTF-8, with either kind of slash. The system takes 260 characters, and more where the path is
 * absolute, has backslashes alone and begins with \\?\; such a name is made here of each path that is long.
 * Files are opened so that others may read, write, rename and remove them, as elsewhere. */
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <string.h>
#include <windows.h>
#include <winsock2.h>

#include "port/file.h"
#include "port/windows/internal.h"

enum {
  LONGEST = 2048, /* UTF-16 units of a path, the NUL included: two of them are 8 KB of stack */
  UNPREFIXED = 240,    /* of one that any call takes: a folder's name ends 12 before MAX_PATH */
  PREFIX = 8,     /* room for what a long one begins with */
  MOST = 1 << 30  /* bytes of one call */
};

static int file_error(void)
{
  return mote_windows_error(GetLastError());
}

/* ---- paths ---- */

struct wide_path {
  wchar_t text[PREFIX + LONGEST];
};

/* Writes the absolute form of a path after the prefix that it needs: \\?\C:\x, \\?\UNC\server\x. What begins
 * with \\?\ or \\.\ is left as it is. */
static int make_long(struct wide_path *out, const wchar_t *path)
{
  static const wchar_t drive[] = L"\\\\?\\", share[] = L"\\\\?\\UNC";
  wchar_t *full = out->text + PREFIX;
  const wchar_t *prefix = drive;
  const DWORD len = GetFullPathNameW(path, LONGEST, full, NULL);
  size_t before;
  if(!len)
    return file_error();
  if(len >= LONGEST)
    return ENAMETOOLONG;
  if(full[0] == L'\\' && full[1] == L'\\') {
    if(full[2] == L'?' || full[2] == L'.')
      prefix = L"";
    else {
      prefix = share;
      full++; /* one of the two backslashes */
    }
  }
  before = wcslen(prefix);
  memmove(out->text + before, full, (wcslen(full) + 1) * sizeof *full);
  memcpy(out->text, prefix, before * sizeof *prefix);
  return 0;
}

/* A file: URL has a slash in front of the drive, as in /C:/folder, which is no path of the system's. */
static const char *after_url_slash(const char *path)
{
  const char letter = (char)(path[0] ? path[1] | 0x20 : 0);
  return path[0] == '/' && letter >= 'a' && letter <= 'z' && path[2] == ':' ? path + 1 : path;
}

/* 0 with the system's form of a path, ENOENT: it is empty, EILSEQ: it is not UTF-8, ENAMETOOLONG. */
static int to_wide(const char *path, struct wide_path *out)
{
  wchar_t given[LONGEST];
  int len;
  if(!*path)
    return ENOENT;
  path = after_url_slash(path);
  len = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, given, LONGEST);
  if(!len)
    return GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : file_error();
  if(len > UNPREFIXED)
    return make_long(out, given);
  memcpy(out->text, given, (size_t)len * sizeof *given);
  return 0;
}

/* ---- files ---- */

static const struct {
  DWORD access, how;
  int flags; /* of the descriptor */
} modes[] = {
  [MOTE_FILE_READ] = { GENERIC_READ, OPEN_EXISTING, _O_RDONLY },
  [MOTE_FILE_WRITE] = { GENERIC_WRITE, CREATE_ALWAYS, _O_WRONLY },
  [MOTE_FILE_APPEND] = { FILE_APPEND_DATA | FILE_READ_ATTRIBUTES | SYNCHRONIZE, OPEN_ALWAYS,
                         _O_WRONLY | _O_APPEND },
  [MOTE_FILE_NEW] = { GENERIC_WRITE, CREATE_NEW, _O_WRONLY },
};

/* With FILE_FLAG_BACKUP_SEMANTICS a directory can be opened, too. */
static HANDLE open_handle(const struct wide_path *path, DWORD access, DWORD how, DWORD attributes)
{
  return CreateFileW(path->text, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, how,
                     attributes | FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

/* Of the permissions there is one bit: a file that its owner may not write is read-only. */
int mote_port_file_open(const char *path, enum mote_file_mode mode, unsigned perms, int *file)
{
  struct wide_path wide;
  HANDLE handle;
  int error = to_wide(path, &wide);
  *file = -1;
  if(error)
    return error;
  handle = open_handle(&wide, modes[mode].access, modes[mode].how,
                       mode == MOTE_FILE_READ || (perms & 0200) ? FILE_ATTRIBUTE_NORMAL :
                                                                  FILE_ATTRIBUTE_READONLY);
  if(handle == INVALID_HANDLE_VALUE)
    return file_error();
  *file = _open_osfhandle((intptr_t)handle, modes[mode].flags | _O_BINARY | _O_NOINHERIT);
  if(*file >= 0)
    return 0;
  error = errno;
  (void)CloseHandle(handle);
  return error;
}

static HANDLE handle_of(int file)
{
  return (HANDLE)_get_osfhandle(file);
}

int mote_port_file_read(int file, void *buf, size_t len, size_t *n)
{
  DWORD got = 0, number;
  *n = 0;
  if(!ReadFile(handle_of(file), buf, len < MOST ? (DWORD)len : MOST, &got, NULL)) {
    number = GetLastError();
    if(number == ERROR_BROKEN_PIPE || number == ERROR_HANDLE_EOF) /* the end of a pipe */
      return 0;
    return number == ERROR_INVALID_FUNCTION ? EISDIR : mote_windows_error(number);
  }
  *n = got;
  return 0;
}

int mote_port_file_write(int file, const void *buf, size_t len)
{
  const char *at = buf;
  while(len) {
    DWORD put = 0;
    if(!WriteFile(handle_of(file), at, len < MOST ? (DWORD)len : MOST, &put, NULL))
      return file_error();
    if(!put)
      return EIO;
    at += put;
    len -= put;
  }
  return 0;
}

int mote_port_file_seek(int file, int64_t offset)
{
  LARGE_INTEGER to;
  DWORD number;
  to.QuadPart = offset;
  if(offset < 0)
    return EINVAL;
  if(GetFileType(handle_of(file)) == FILE_TYPE_PIPE)
    return ESPIPE; /* where the system's call succeeds and does nothing */
  if(SetFilePointerEx(handle_of(file), to, NULL, FILE_BEGIN))
    return 0;
  number = GetLastError();
  return number == ERROR_INVALID_FUNCTION ? ESPIPE : mote_windows_error(number);
}

/* Nanoseconds of Unix time of a count of 100 nanoseconds since 1601. */
static int64_t unix_time(FILETIME t)
{
  const int64_t count = (int64_t)((uint64_t)t.dwHighDateTime << 32 | t.dwLowDateTime);
  return (count - INT64_C(116444736000000000)) * 100;
}

static int handle_info(HANDLE handle, struct mote_file_info *out)
{
  BY_HANDLE_FILE_INFORMATION info;
  const DWORD type = GetFileType(handle);
  memset(out, 0, sizeof *out);
  if(type != FILE_TYPE_DISK) { /* a pipe or a device */
    out->perms = 0666;
    return type == FILE_TYPE_UNKNOWN && GetLastError() ? file_error() : 0;
  }
  if(!GetFileInformationByHandle(handle, &info))
    return file_error();
  out->size = (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
  out->mtime = unix_time(info.ftLastWriteTime);
  out->number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
  out->perms = info.dwFileAttributes & FILE_ATTRIBUTE_READONLY ? 0444 : 0666;
  out->directory = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  out->regular = !out->directory;
  return 0;
}

int mote_port_file_info(int file, struct mote_file_info *out)
{
  SetLastError(0); /* GetFileType() leaves it alone where a type is unknown for no reason */
  return handle_info(handle_of(file), out);
}

int mote_port_path_info(const char *path, struct mote_file_info *out)
{
  struct wide_path wide;
  HANDLE handle;
  int error = to_wide(path, &wide);
  if(error)
    return error;
  handle = open_handle(&wide, FILE_READ_ATTRIBUTES, OPEN_EXISTING, 0);
  if(handle == INVALID_HANDLE_VALUE)
    return file_error();
  SetLastError(0);
  error = handle_info(handle, out);
  (void)CloseHandle(handle);
  return error;
}

int mote_port_file_rename(const char *from, const char *to)
{
  struct wide_path wide_from, wide_to;
  int error = to_wide(from, &wide_from);
  if(!error)
    error = to_wide(to, &wide_to);
  if(error)
    return error;
  return MoveFileExW(wide_from.text, wide_to.text, MOVEFILE_REPLACE_EXISTING) ? 0 : file_error();
}

int mote_port_file_remove(const char *path)
{
  struct wide_path wide;
  int error = to_wide(path, &wide);
  if(error)
    return error;
  return DeleteFileW(wide.text) ? 0 : file_error();
}

int mote_port_file_close(int file)
{
  return _close(file) ? errno : 0;
}

/* ---- names in a directory ---- */

/* A name may have 765 bytes in UTF-8 (255 units of UTF-16), for which a caller's room need not do, and a name
 * that was read cannot be given back. */
int mote_port_directory_read(int file, char *buf, size_t len, size_t *n)
{
  (void)file;
  (void)buf;
  (void)len;
  *n = 0;
  return EISDIR;
}
