/* Files. Needs posix. */
#define _FILE_OFFSET_BITS 64
#define _TIME_BITS 64 /* files of after 2038 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "port/file.h"
#include "test.h"

static char folder[] = "/tmp/mote-test-XXXXXX";
static char path[60];

/* In place of the C library's: writes at most 3 bytes, is interrupted or fails. */
static int write_error;
static bool short_writes;

ssize_t write(int fd, const void *p, size_t n)
{
  if(write_error) {
    errno = write_error;
    if(write_error == EINTR)
      write_error = 0;
    return -1;
  }
  return (ssize_t)syscall(SYS_write, fd, p, short_writes && n > 3 ? 3 : n);
}

static void put(enum mote_file_mode mode, unsigned perms, const char *text)
{
  int file = -1;
  CHECK_INT(mote_port_file_open(path, mode, perms, &file), 0);
  CHECK(fcntl(file, F_GETFD) & FD_CLOEXEC);
  CHECK_INT(mote_port_file_write(file, text, strlen(text)), 0);
  CHECK_INT(mote_port_file_close(file), 0);
}

static void expect(const char *want)
{
  char have[100];
  size_t total = 0;
  size_t n = 1;
  int file;
  CHECK_INT(mote_port_file_open(path, MOTE_FILE_READ, 0, &file), 0);
  while(n && total < sizeof have - 5) {
    CHECK_INT(mote_port_file_read(file, have + total, 5, &n), 0);
    total += n;
  }
  have[total] = 0;
  CHECK_STR(have, want);
  CHECK_INT(mote_port_file_close(file), 0);
}

TEST(reads_and_writes)
{
  struct stat st;
  umask(022);
  put(MOTE_FILE_WRITE, 0666, "first line\n");
  CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0644);
  expect("first line\n");
  put(MOTE_FILE_APPEND, 0666, "second\n");
  expect("first line\nsecond\n");
  put(MOTE_FILE_WRITE, 0666, "new");
  expect("new");
  unlink(path);
  put(MOTE_FILE_WRITE, 0600, "secret");
  CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0600);
  put(MOTE_FILE_WRITE, 0600, "x");
  expect("x");
  unlink(path);
  put(MOTE_FILE_APPEND, 0666, "made");
  expect("made");
}

TEST(writes_all)
{
  int file;
  short_writes = true;
  write_error = EINTR;
  put(MOTE_FILE_WRITE, 0666, "0123456789");
  expect("0123456789");
  short_writes = false;
  CHECK_INT(mote_port_file_open(path, MOTE_FILE_WRITE, 0600, &file), 0);
  write_error = ENOSPC;
  CHECK_INT(mote_port_file_write(file, "x", 1), ENOSPC);
  write_error = 0;
  CHECK_INT(mote_port_file_write(file, "", 0), 0);
  CHECK_INT(mote_port_file_close(file), 0);
}

TEST(seeks)
{
  char c = 0;
  size_t n;
  int file;
  int ends[2];
  put(MOTE_FILE_WRITE, 0666, "0123456789");
  CHECK_INT(mote_port_file_open(path, MOTE_FILE_READ, 0, &file), 0);
  CHECK_INT(mote_port_file_seek(file, 7), 0);
  CHECK(!mote_port_file_read(file, &c, 1, &n) && n == 1 && c == '7');
  CHECK_INT(mote_port_file_seek(file, (int64_t)1 << 40), 0);
  CHECK(!mote_port_file_read(file, &c, 1, &n) && n == 0);
  CHECK_INT(mote_port_file_seek(file, -1), EINVAL);
  CHECK(!mote_port_file_read(file, &c, 0, &n) && n == 0);
  CHECK_INT(mote_port_file_close(file), 0);
  CHECK(!pipe(ends));
  CHECK_INT(mote_port_file_seek(ends[0], 1), ESPIPE);
  close(ends[0]);
  close(ends[1]);
}

TEST(position)
{
  struct mote_file_info a;
  struct mote_file_info b;
  int file;
  put(MOTE_FILE_WRITE, 0666, "0123456789");
  CHECK_INT(mote_port_path_info(path, &a), 0);
  CHECK_INT(a.size, 10);
  CHECK(a.regular && !a.directory);
  CHECK(a.mtime / 1000000000 >= (int64_t)time(NULL) - 60);
  /* The file system's clock may be a tick ahead of time(). */
  CHECK(a.mtime / 1000000000 <= (int64_t)time(NULL) + 1);
  CHECK_INT(mote_port_file_open(path, MOTE_FILE_READ, 0, &file), 0);
  CHECK_INT(mote_port_file_info(file, &b), 0);
  CHECK(b.size == a.size && b.mtime == a.mtime && b.regular);
  CHECK_INT(mote_port_file_close(file), 0);
  CHECK_INT(mote_port_path_info(folder, &a), 0);
  CHECK(a.directory && !a.regular);
}

/* A long name, a short and a hidden one; the plain POSIX port cannot list. */
TEST(lists)
{
  static const char *const names[] = {"file", ".hidden", "b", NULL};
  char longest[256], buf[MOTE_DIRECTORY_ROOM], have[1024] = "", made[400];
  size_t n, total = 0;
  int file, i, rc;
  memset(longest, 'l', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  for(i = 0; i < 4; i++) {
    snprintf(made, sizeof made, "%s/%s", folder, names[i] ? names[i] : longest);
    close(open(made, O_CREAT | O_WRONLY, 0600));
  }
  CHECK_INT(mote_port_file_open(folder, MOTE_FILE_READ, 0, &file), 0);
  for(rc = mote_port_directory_read(file, buf, sizeof buf, &n); !rc && n;
      rc = mote_port_directory_read(file, buf, sizeof buf, &n)) {
    CHECK(total + n < sizeof have && buf[n - 1] == '\n');
    memcpy(have + total, buf, n);
    total += n;
  }
  CHECK(rc == EISDIR || (!rc && total == 5 + 2 + 256));
  CHECK(rc || (strstr(have, "file\n") && strstr(have, "b\n") && strstr(have, longest)));
  CHECK(!strstr(have, "hidden"));
  CHECK_INT(mote_port_file_close(file), 0);
  if(!rc) {
    CHECK_INT(mote_port_file_open(folder, MOTE_FILE_READ, 0, &file), 0);
    CHECK_INT(mote_port_directory_read(file, buf, 8, &n), EINVAL);
    CHECK_INT(n, 0);
    CHECK_INT(mote_port_file_close(file), 0);
    CHECK_INT(mote_port_file_open(path, MOTE_FILE_READ, 0, &file), 0);
    CHECK_INT(mote_port_directory_read(file, buf, sizeof buf, &n), ENOTDIR);
    CHECK_INT(mote_port_file_close(file), 0);
    CHECK_INT(mote_port_directory_read(-1, buf, sizeof buf, &n), EBADF);
  }
  for(i = 1; i < 4; i++) {
    snprintf(made, sizeof made, "%s/%s", folder, names[i] ? names[i] : longest);
    unlink(made);
  }
}

TEST(errors)
{
  struct mote_file_info info;
  char byte;
  size_t n = 99;
  int file = 5;
  CHECK_INT(mote_port_file_open("/no/such/file", MOTE_FILE_READ, 0, &file), ENOENT);
  CHECK_INT(file, -1);
  CHECK_INT(mote_port_path_info("/no/such/file", &info), ENOENT);
  CHECK_INT(mote_port_file_open("", MOTE_FILE_WRITE, 0600, &file), ENOENT);
  CHECK_INT(mote_port_file_open(folder, MOTE_FILE_WRITE, 0600, &file), EISDIR);
  CHECK_INT(mote_port_file_open(folder, MOTE_FILE_READ, 0, &file), 0);
  CHECK_INT(mote_port_file_read(file, &byte, 1, &n), EISDIR);
  CHECK_INT(n, 0);
  CHECK_INT(mote_port_file_close(file), 0);
  CHECK_INT(mote_port_file_read(-1, &byte, 1, &n), EBADF);
  CHECK_INT(mote_port_file_write(-1, &byte, 1), EBADF);
  CHECK_INT(mote_port_file_seek(-1, 0), EBADF);
  CHECK_INT(mote_port_file_info(-1, &info), EBADF);
  CHECK_INT(mote_port_file_close(-1), EBADF);
}

TEST(times_after_2038)
{
  const struct timespec late[2] = {{ .tv_sec = 2551337377 }, { .tv_sec = 2551337377 }};
  struct mote_file_info info = {0};
  struct stat st;
  put(MOTE_FILE_WRITE, 0600, "x");
  CHECK_INT(utimensat(AT_FDCWD, path, late, 0), 0);
  CHECK_INT(stat(path, &st), 0); /* a file system may have other times */
  CHECK_INT(mote_port_path_info(path, &info), 0);
  CHECK_INT(info.mtime / 1000000000, st.st_mtime);
}

int main(void)
{
  int result;
  if(!mkdtemp(folder))
    return 1;
  snprintf(path, sizeof path, "%s/file", folder);
  TEST_RUN(reads_and_writes);
  TEST_RUN(writes_all);
  TEST_RUN(seeks);
  TEST_RUN(position);
  TEST_RUN(lists);
  TEST_RUN(errors);
  TEST_RUN(times_after_2038);
  result = test_end();
  unlink(path);
  rmdir(folder);
  return result;
}
