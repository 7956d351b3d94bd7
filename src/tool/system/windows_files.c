/* Files as system.h has them, on Windows. A descriptor is one of the C library, around a handle of the
 * system.
 *
 * The system takes 260 characters of a path, and more where it is absolute, has backslashes alone and begins
 * with \\?\; such a path is made here of each that is long. Files are opened so that others may read, write,
 * rename and remove them, as elsewhere. */
#include "tool/system/windows_internal.h"

#include "tool/system/system.h"
#include "tool/system/windows_name.h"

#include <errno.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>

enum {
  LONGEST = 2048,   /* UTF-16 units of a path, the NUL included */
  UNPREFIXED = 240, /* of one that any call takes: a folder's name ends 12 before MAX_PATH */
  PREFIX = 8,       /* room for what a long one begins with */
  MOST = 1 << 30,   /* bytes of one call */
  SHARE = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE
};

/* ---- errors ---- */

static const struct {
  DWORD number;
  int error;
} errors[] = {
  { ERROR_FILE_NOT_FOUND, ENOENT },    { ERROR_PATH_NOT_FOUND, ENOENT },  { ERROR_INVALID_DRIVE, ENOENT },
  { ERROR_BAD_NETPATH, ENOENT },       { ERROR_BAD_NET_NAME, ENOENT },    { ERROR_INVALID_NAME, EINVAL },
  { ERROR_BAD_PATHNAME, EINVAL },      { ERROR_ACCESS_DENIED, EACCES },   { ERROR_SHARING_VIOLATION, EACCES },
  { ERROR_LOCK_VIOLATION, EACCES },    { ERROR_WRITE_PROTECT, EROFS },    { ERROR_FILE_EXISTS, EEXIST },
  { ERROR_ALREADY_EXISTS, EEXIST },    { ERROR_DISK_FULL, ENOSPC },       { ERROR_HANDLE_DISK_FULL, ENOSPC },
  { ERROR_TOO_MANY_OPEN_FILES, EMFILE }, { ERROR_NOT_ENOUGH_MEMORY, ENOMEM }, { ERROR_OUTOFMEMORY, ENOMEM },
  { ERROR_INVALID_HANDLE, EBADF },     { ERROR_DIRECTORY, ENOTDIR },      { ERROR_BROKEN_PIPE, EPIPE },
  { ERROR_NO_DATA, EPIPE },            { ERROR_INVALID_PARAMETER, EINVAL },
  { ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG }, { ERROR_NO_UNICODE_TRANSLATION, EILSEQ },
  { ERROR_INSUFFICIENT_BUFFER, ENAMETOOLONG },
};

int mote_cli_windows_error(DWORD number)
{
  for(size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if(errors[i].number == number)
      return errors[i].error;
  return EIO;
}

/* -1, with errno from GetLastError(). */
static int windows_files_fail(void)
{
  errno = mote_cli_windows_error(GetLastError());
  return -1;
}

/* ---- paths ---- */

struct long_path {
  wchar_t text[PREFIX + LONGEST];
};

/* Writes the absolute form of a path after the prefix that it needs: \\?\C:\x, \\?\UNC\server\x. What begins
 * with \\?\ or \\.\ is left as it is. */
static bool path_prefixed(struct long_path *out, const wchar_t *path)
{
  const wchar_t *prefix = L"\\\\?\\";
  wchar_t *full = out->text + PREFIX;
  const DWORD len = GetFullPathNameW(path, LONGEST, full, NULL);
  size_t before;
  if(!len || len >= LONGEST) {
    if(len)
      SetLastError(ERROR_FILENAME_EXCED_RANGE);
    return false;
  }
  if(full[0] == L'\\' && full[1] == L'\\') {
    prefix = full[2] == L'?' || full[2] == L'.' ? L"" : L"\\\\?\\UNC";
    full += *prefix != 0; /* without one of the two backslashes */
  }
  before = wcslen(prefix);
  memmove(out->text + before, full, (wcslen(full) + 1) * sizeof *full);
  memcpy(out->text, prefix, before * sizeof *prefix);
  return true;
}

/* False: GetLastError() says why the path is none. */
static bool path_from(struct long_path *out, const char *path)
{
  wchar_t given[LONGEST];
  int len;
  if(!*path) {
    SetLastError(ERROR_PATH_NOT_FOUND);
    return false;
  }
  len = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, given, LONGEST);
  if(!len)
    return false;
  if(len > UNPREFIXED)
    return path_prefixed(out, given);
  memcpy(out->text, given, (size_t)len * sizeof *given);
  return true;
}

/* ---- opening ---- */

/* What O_ flags mean for CreateFileW(). A file that is appended to can be cut as well, so that it is
 * opened for all writing, and the C library goes to its end before each write. */
static DWORD access_of(int flags)
{
  return flags & O_RDWR ? GENERIC_READ | GENERIC_WRITE : flags & O_WRONLY ? GENERIC_WRITE : GENERIC_READ;
}

static DWORD creation_of(int flags)
{
  if(!(flags & O_CREAT))
    return flags & O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING;
  return flags & O_EXCL ? CREATE_NEW : flags & O_TRUNC ? CREATE_ALWAYS : OPEN_ALWAYS;
}

static bool is_folder(const struct long_path *path)
{
  const DWORD attributes = GetFileAttributesW(path->text);
  return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY;
}

/* Of the permissions there is one bit: a file that its owner may not write is read-only. A hidden file can be
 * written over, which the system refuses where its attributes would be lost. */
static HANDLE open_file(const struct long_path *path, int flags, unsigned perms)
{
  const DWORD creation = creation_of(flags);
  DWORD attributes = flags & O_CREAT && !(perms & 0200) ? FILE_ATTRIBUTE_READONLY : FILE_ATTRIBUTE_NORMAL;
  HANDLE handle = CreateFileW(path->text, access_of(flags), SHARE, NULL, creation, attributes, NULL);
  if(handle != INVALID_HANDLE_VALUE || creation != CREATE_ALWAYS || GetLastError() != ERROR_ACCESS_DENIED)
    return handle;
  return CreateFileW(path->text, access_of(flags), SHARE, NULL, TRUNCATE_EXISTING, attributes, NULL);
}

int mote_cli_system_open(const char *path, int flags, unsigned perms)
{
  struct long_path wide;
  HANDLE handle;
  int fd;
  if(!path_from(&wide, path))
    return windows_files_fail();
  handle = open_file(&wide, flags, perms);
  if(handle == INVALID_HANDLE_VALUE) {
    windows_files_fail();
    if(errno == EACCES && is_folder(&wide))
      errno = EISDIR;
    return -1;
  }
  fd = _open_osfhandle((intptr_t)handle, (flags & (O_RDONLY | O_WRONLY | O_RDWR | O_APPEND)) | _O_BINARY |
                                         _O_NOINHERIT);
  if(fd < 0)
    (void)CloseHandle(handle);
  return fd;
}

/* ---- reading and writing ---- */

static unsigned at_most(size_t len)
{
  return len < MOST ? (unsigned)len : MOST;
}

ssize_t mote_cli_system_read(int fd, void *bytes, size_t len)
{
  return _read(fd, bytes, at_most(len));
}

/* The system moves the handle's own place, too. */
ssize_t mote_cli_system_read_at(int fd, void *bytes, size_t len, curl_off_t at)
{
  const curl_off_t before = mote_cli_system_seek(fd, 0, SEEK_CUR);
  ssize_t n;
  int error;
  if(before < 0 || mote_cli_system_seek(fd, at, SEEK_SET) < 0)
    return -1;
  n = mote_cli_system_read(fd, bytes, len);
  error = errno;
  if(mote_cli_system_seek(fd, before, SEEK_SET) < 0 && n >= 0)
    return -1;
  errno = error;
  return n;
}

ssize_t mote_cli_system_write(int fd, const void *bytes, size_t len)
{
  return _write(fd, bytes, at_most(len));
}

/* Writes block. */
bool mote_cli_system_wait_to_write(int fd)
{
  (void)fd;
  return false;
}

/* Where the system's call succeeds on a pipe and does nothing. */
curl_off_t mote_cli_system_seek(int fd, curl_off_t offset, int origin)
{
  const HANDLE handle = mote_cli_windows_handle(fd);
  if(handle == INVALID_HANDLE_VALUE) {
    errno = EBADF;
    return -1;
  }
  if(GetFileType(handle) != FILE_TYPE_DISK) {
    errno = ESPIPE;
    return -1;
  }
  return _lseeki64(fd, offset, origin);
}

/* ---- what is known of a file ---- */

int mote_cli_system_set_time(int fd, curl_off_t when)
{
  const bool fits = when >= -(MOTE_WINDOWS_EPOCH / MOTE_WINDOWS_SECOND) &&
                    when <= (INT64_MAX - MOTE_WINDOWS_EPOCH) / MOTE_WINDOWS_SECOND;
  const uint64_t count = fits ? (uint64_t)(when * MOTE_WINDOWS_SECOND + MOTE_WINDOWS_EPOCH) : 0;
  const FILETIME time = { .dwLowDateTime = (DWORD)(count & 0xffffffff),
                          .dwHighDateTime = (DWORD)(count >> 32) };
  if(!fits) {
    errno = EOVERFLOW;
    return -1;
  }
  return SetFileTime(mote_cli_windows_handle(fd), NULL, &time, &time) ? 0 : windows_files_fail();
}

/* For the C library every device is a terminal, NUL among them. */
bool mote_cli_system_is_terminal(int fd)
{
  DWORD mode;
  return GetConsoleMode(mote_cli_windows_handle(fd), &mode) != 0;
}

static HANDLE look_at(const char *path, BY_HANDLE_FILE_INFORMATION *info)
{
  struct long_path wide;
  HANDLE handle;
  if(!path_from(&wide, path))
    return INVALID_HANDLE_VALUE;
  handle = CreateFileW(wide.text, FILE_READ_ATTRIBUTES, SHARE, NULL, OPEN_EXISTING,
                       FILE_FLAG_BACKUP_SEMANTICS, NULL);
  memset(info, 0, sizeof *info);
  if(handle != INVALID_HANDLE_VALUE && GetFileType(handle) == FILE_TYPE_DISK &&
     !GetFileInformationByHandle(handle, info)) {
    (void)CloseHandle(handle);
    handle = INVALID_HANDLE_VALUE;
  }
  return handle;
}

int mote_cli_system_stat(const char *path, struct stat *st)
{
  BY_HANDLE_FILE_INFORMATION info;
  const HANDLE handle = look_at(path, &info);
  uint64_t count;
  if(handle == INVALID_HANDLE_VALUE)
    return windows_files_fail();
  memset(st, 0, sizeof *st);
  st->st_mode = GetFileType(handle) != FILE_TYPE_DISK                       ? S_IFCHR :
                info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR : S_IFREG;
  count = (uint64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime;
  st->st_mtime = (time_t)(((int64_t)count - MOTE_WINDOWS_EPOCH) / MOTE_WINDOWS_SECOND);
  st->st_size = (off_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
  (void)CloseHandle(handle);
  return 0;
}

bool mote_cli_system_same_file(const char *a, const char *b)
{
  BY_HANDLE_FILE_INFORMATION one, other;
  const HANDLE first = look_at(a, &one), second = look_at(b, &other);
  const bool both = first != INVALID_HANDLE_VALUE && second != INVALID_HANDLE_VALUE;
  if(first != INVALID_HANDLE_VALUE)
    (void)CloseHandle(first);
  if(second != INVALID_HANDLE_VALUE)
    (void)CloseHandle(second);
  return both && one.dwVolumeSerialNumber == other.dwVolumeSerialNumber &&
         one.nFileIndexHigh == other.nFileIndexHigh && one.nFileIndexLow == other.nFileIndexLow &&
         (one.nFileIndexHigh || one.nFileIndexLow);
}

/* Whether a file may be read is known when it is opened. */
int mote_cli_system_access(const char *path, int how)
{
  struct long_path wide;
  (void)how;
  if(!path_from(&wide, path) || GetFileAttributesW(wide.text) == INVALID_FILE_ATTRIBUTES)
    return windows_files_fail();
  return 0;
}

/* ---- names ---- */

bool mote_cli_system_is_slash(char c)
{
  return mote_cli_windows_is_slash(c);
}

const char *mote_cli_system_base_name(const char *path)
{
  return mote_cli_windows_base_name(path);
}

char *mote_cli_system_safe_name(char *name)
{
  return mote_cli_windows_safe_name(name);
}

int mote_cli_system_remove(const char *path)
{
  struct long_path wide;
  return path_from(&wide, path) && DeleteFileW(wide.text) ? 0 : windows_files_fail();
}

/* Reports whether a path ends with the server, or with its share: \\server\share. They are no folders that
 * could be made, and the folders in them can. */
static bool is_above_folders(const char *path)
{
  unsigned parts = 0;
  if(!mote_cli_system_is_slash(path[0]) || !mote_cli_system_is_slash(path[1]))
    return false;
  for(const char *p = path + 1; *p; p++)
    parts += mote_cli_system_is_slash(p[0]) && p[1] && !mote_cli_system_is_slash(p[1]);
  return parts <= 2;
}

int mote_cli_system_make_folder(const char *path, unsigned perms)
{
  struct long_path wide;
  (void)perms;
  if(path_from(&wide, path) && CreateDirectoryW(wide.text, NULL))
    return 0;
  windows_files_fail();
  if(is_above_folders(path) || (errno != EEXIST && is_folder(&wide)))
    errno = EEXIST;
  return -1;
}
