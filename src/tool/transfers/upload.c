/* What is sent: a file or stdin for --upload-file, a file for --data-binary. */
#include "tool/c_program.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/files.h"
#include "tool/transfers/transfer.h"

#include <errno.h>
#include <string.h>

static bool is_stdin(const char *name)
{
  return !strcmp(name, "-") || !strcmp(name, ".");
}

static size_t transfers_upload_read_body(char *to, size_t size, size_t count, void *transfer)
{
  struct transfer *t = transfer;
  ssize_t n;
  if(mote_cli_upload_comes_late(t)) {
    if(!mote_cli_system_has_input(t->in_fd)) {
      t->in_waiting = true;
      return CURL_READFUNC_PAUSE;
    }
  }
  do
    n = mote_cli_system_read(t->in_fd, to, size * count);
  while(n < 0 && errno == EINTR);
  if(n < 0) {
    t->trouble = (struct trouble){ "read", t->in_name ? t->in_name : t->op->post.file, errno };
    t->failed = CURLE_READ_ERROR;
    return CURL_READFUNC_ABORT;
  }
  t->in_taken |= n > 0;
  return (size_t)n;
}

bool mote_cli_upload_is_gone(const struct transfer *t)
{
  return t->in_taken && mote_cli_system_seek(t->in_fd, 0, SEEK_CUR) < 0;
}

static int seek_body(void *transfer, curl_off_t offset, int origin)
{
  struct transfer *t = transfer;
  if(origin == SEEK_SET)
    offset += t->in_start;
  if(t->in_file)
    return fseeko(t->in_file, offset, origin) ? CURL_SEEKFUNC_CANTSEEK : CURL_SEEKFUNC_OK;
  return mote_cli_system_seek(t->in_fd, offset, origin) < 0 ? CURL_SEEKFUNC_CANTSEEK : CURL_SEEKFUNC_OK;
}

bool mote_cli_upload_comes_late(const struct transfer *t)
{
  return t->in_name && !strcmp(t->in_name, ".");
}

unsigned mote_cli_upload_waits(struct transfer *t, struct curl_waitfd *input, int *timeout)
{
  if(t->in_waiting && mote_cli_system_has_input(t->in_fd)) {
    t->in_waiting = false;
    curl_easy_pause(t->handle, CURLPAUSE_CONT);
  }
  return t->in_waiting ? mote_cli_system_watch(t->in_fd, input, timeout) : 0;
}

/* Bytes to send; -1: unknown, as for a file of /proc, which has bytes although its size is 0. */
static curl_off_t body_size(const struct transfer *t)
{
  struct stat st;
  char byte;
  if(fstat(t->in_fd, &st) || !S_ISREG(st.st_mode) ||
     (!st.st_size && mote_cli_system_read_at(t->in_fd, &byte, 1, 0) > 0))
    return -1;
  return st.st_size - t->in_start;
}

/* A directory could be opened, but not read. */
static int transfers_upload_open_file(const char *name)
{
  struct stat st;
  int fd = mote_cli_system_open(name, O_RDONLY, 0);
  if(fd < 0 || fstat(fd, &st) || !S_ISDIR(st.st_mode))
    return fd;
  close(fd);
  errno = EISDIR;
  return -1;
}

/* Of two errors, that of the URL is reported. */
static bool transfers_upload_malformed(const char *url)
{
  CURLU *parsed = curl_url();
  CURLUcode rc = curl_url_set(parsed, CURLUPART_URL, url, CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME);
  curl_url_cleanup(parsed);
  return rc && rc != CURLUE_OUT_OF_MEMORY && rc != CURLUE_BAD_HANDLE;
}

/* Without a callback of ours the library may send from the file without reading it. An unbuffered FILE takes
 * no memory for what is read. */
static bool transfers_upload_open_stream(struct transfer *t)
{
  if(!t->in_file)
    t->in_file = fdopen(t->in_fd, "rb");
  return t->in_file && !setvbuf(t->in_file, NULL, _IONBF, 0);
}

CURLcode mote_cli_upload_open(struct transfer *t)
{
  const char *name = t->in_name ? t->in_name : t->op->post.file;
  curl_off_t size;
  bool stream;
  CURLcode rc;
  t->in_waiting = false;
  if(t->in_fd < 0) {
    t->in_fd = is_stdin(name) ? 0 : transfers_upload_open_file(name);
    if(t->in_fd < 0 && transfers_upload_malformed(t->url))
      return CURLE_URL_MALFORMAT;
    if(t->in_fd < 0) {
      t->trouble = (struct trouble){ "read", name, errno };
      return CURLE_READ_ERROR;
    }
    t->in_start = is_stdin(name) ? mote_cli_system_seek(t->in_fd, 0, SEEK_CUR) : 0;
    if(t->in_start < 0)
      t->in_start = 0;
  }
  else
    (void)seek_body(t, 0, SEEK_SET); /* a retry; of a pipe nothing was read */
  size = is_stdin(name) && t->in_name ? -1 : body_size(t);
  stream = size >= MOTE_CLI_LEAST_STREAMED && !is_stdin(name) && transfers_upload_open_stream(t);
  rc = curl_easy_setopt(t->handle, CURLOPT_READFUNCTION, stream ? NULL : transfers_upload_read_body);
  if(!rc)
    rc = curl_easy_setopt(t->handle, CURLOPT_READDATA, stream ? (void *)t->in_file : t);
  if(!rc)
    rc = curl_easy_setopt(t->handle, CURLOPT_SEEKFUNCTION, seek_body);
  if(!rc)
    rc = curl_easy_setopt(t->handle, CURLOPT_SEEKDATA, t);
  if(!rc && size >= 0)
    rc = mote_cli_set_size(t, t->in_name ? CURLOPT_INFILESIZE_LARGE : CURLOPT_POSTFIELDSIZE_LARGE, size);
  return rc;
}
