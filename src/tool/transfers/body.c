/* Where a body goes: stdout or a file, by write(2), without a buffer of our own. */
#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/files.h"
#include "tool/transfers/out.h"
#include "tool/transfers/resume.h"
#include "tool/transfers/transfer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define TTY_LOOK 2000 /* bytes of a body in which a NUL keeps it from a terminal, as in curl */
#define CLOBBER_TRIES 100

static int transfers_body_open_file(const char *name, int flags)
{
  int fd;
  do
    fd = mote_cli_system_open(name, O_WRONLY | O_CREAT | flags, 0666);
  while(fd < 0 && errno == EINTR);
  return fd;
}

/* --no-clobber: try name.1, name.2 and so on until one is free. */
static int transfers_body_open_beside(struct transfer *t)
{
  size_t len = strlen(t->out_name);
  char *name = mote_cli_alloc(len + 8);
  int fd = -1;
  if(!name) {
    t->failed = CURLE_OUT_OF_MEMORY;
    return -1;
  }
  for(int i = 1; i <= CLOBBER_TRIES && fd < 0; i++) {
    snprintf(name, len + 8, "%s.%d", t->out_name, i);
    fd = transfers_body_open_file(name, O_EXCL);
    if(fd < 0 && errno != EEXIST && errno != EISDIR)
      break;
  }
  if(fd < 0) {
    mote_cli_free(name);
    return -1;
  }
  mote_cli_free(t->out_owned);
  t->out_name = t->out_owned = name;
  return fd;
}

static bool open_named(struct transfer *t)
{
  const struct operation *op = t->op;
  bool keep = mote_cli_op_flag(op, FLAG_NO_CLOBBER) ||
              (t->head_named && !mote_cli_op_flag(op, FLAG_CLOBBER));
  int how = t->resume_from ? O_APPEND : O_TRUNC;
  if(mote_cli_op_flag(op, FLAG_CREATE_DIRS) && mote_cli_make_dirs(t->out_name)) {
    t->trouble = (struct trouble){ "create the directories of", t->out_name, errno };
    return false;
  }
  if(keep && !t->resume_from) {
    t->out_fd = transfers_body_open_file(t->out_name, O_EXCL);
    if(t->out_fd < 0 && errno == EEXIST && mote_cli_op_flag(op, FLAG_NO_CLOBBER))
      t->out_fd = transfers_body_open_beside(t);
  }
  else
    t->out_fd = transfers_body_open_file(t->out_name, how);
  if(t->out_fd < 0) {
    t->trouble = (struct trouble){ "write", t->out_name, errno };
    return false;
  }
  t->out_file = true;
  return true;
}

/* Write the header lines that waited for the file's name. */
static bool release_held(struct transfer *t)
{
  char *held = t->held;
  bool ok = true;
  if(!held)
    return true;
  t->held = NULL;
  if(t->out_tty) {
    struct out o;
    mote_cli_out_init(&o, t->out_fd, true);
    mote_cli_out_safe(&o, held, t->held_len);
    mote_cli_out_flush(&o);
    ok = !o.failed;
  }
  else
    ok = mote_cli_sink(t, held, t->held_len);
  mote_cli_free(held);
  return ok;
}

bool mote_cli_sink_open(struct transfer *t)
{
  struct stat st;
  if(t->out_fd >= 0)
    return true;
  if(!t->out_name) {
    t->out_fd = 1;
    t->out_tty = mote_cli.out_tty;
    return true;
  }
  if(!open_named(t))
    return false;
  if(!fstat(t->out_fd, &st) && S_ISREG(st.st_mode))
    t->out_start = st.st_size;
  else
    t->out_tty = mote_cli_system_is_terminal(t->out_fd);
  return release_held(t);
}

bool mote_cli_sink(struct transfer *t, const char *bytes, size_t len)
{
  size_t written;
  if(!mote_cli_sink_open(t))
    return false;
  written = mote_cli_write_all(t->out_fd, bytes, len);
  t->out_bytes += (curl_off_t)written; /* a retry drops them, or goes on after them */
  if(written < len)
    t->trouble = (struct trouble){ "write", t->out_name ? t->out_name : "to stdout", errno };
  return written == len;
}

size_t mote_cli_body(char *bytes, size_t size, size_t count, void *transfer)
{
  struct transfer *t = transfer;
  size_t len = size * count;
  if(t->out_null)
    return len;
  if(!t->out_body && !mote_cli_may_append(t)) {
    t->failed = CURLE_RANGE_ERROR;
    return CURL_WRITEFUNC_ERROR;
  }
  if(!mote_cli_sink_open(t))
    return CURL_WRITEFUNC_ERROR;
  if(t->out_tty && !t->out_binary_ok && t->out_bytes < TTY_LOOK && memchr(bytes, 0, len)) {
    t->out_kept_back = true;
    return CURL_WRITEFUNC_ERROR;
  }
  t->out_body = true;
  return mote_cli_sink(t, bytes, len) ? len : CURL_WRITEFUNC_ERROR;
}

static void set_time(struct transfer *t)
{
  curl_off_t when = -1;
  if(curl_easy_getinfo(t->handle, CURLINFO_FILETIME_T, &when) || when == -1)
    return;
  if(mote_cli_system_set_time(t->out_fd, when))
    mote_cli_warn("cannot set the time of %s: %s", t->out_name, strerror(errno));
}

static void set_attribute(struct transfer *t, const char *name, const char *value)
{
  int error = value ? mote_cli_system_attribute(t->out_fd, name, value) : 0;
  if(error)
    mote_cli_warn("cannot set the extended attribute %s of %s: %s", name, t->out_name, strerror(error));
}

/* --xattr: the stored URL has neither user nor password. */
static void transfers_body_set_attributes(struct transfer *t)
{
  char *url = NULL, *type = NULL, *clean = NULL;
  CURLU *parsed = curl_url();
  curl_easy_getinfo(t->handle, CURLINFO_CONTENT_TYPE, &type);
  curl_easy_getinfo(t->handle, CURLINFO_EFFECTIVE_URL, &url);
  set_attribute(t, "user.creator", mote_cli_name());
  set_attribute(t, "user.mime_type", type);
  if(parsed && url && !curl_url_set(parsed, CURLUPART_URL, url, 0) &&
     !curl_url_set(parsed, CURLUPART_USER, NULL, 0) && !curl_url_set(parsed, CURLUPART_PASSWORD, NULL, 0) &&
     !curl_url_get(parsed, CURLUPART_URL, &clean, 0))
    set_attribute(t, "user.xdg.origin.url", clean);
  curl_free(clean);
  curl_url_cleanup(parsed);
}

/* An empty body makes an empty file, unless there was no body because a condition was unmet. */
static CURLcode make_empty(struct transfer *t)
{
  long unmet = 0;
  if(!t->out_name || t->out_fd >= 0 || t->out_null)
    return CURLE_OK;
  curl_easy_getinfo(t->handle, CURLINFO_CONDITION_UNMET, &unmet);
  return (unmet && !t->held) || mote_cli_sink_open(t) ? CURLE_OK : CURLE_WRITE_ERROR;
}

static void remove_file(struct transfer *t)
{
  struct stat st;
  if(mote_cli_op_flag(t->op, FLAG_REMOVE_ON_ERROR) && !fstat(t->out_fd, &st) && S_ISREG(st.st_mode) &&
     !mote_cli_system_remove(t->out_name))
    mote_cli_note("%s was removed, since the transfer failed", t->out_name);
}

CURLcode mote_cli_sink_finish(struct transfer *t, CURLcode code)
{
  if(!code)
    code = make_empty(t);
  if(!t->out_file || t->out_fd < 0)
    return code;
  if(code)
    remove_file(t);
  else {
    if(mote_cli_op_flag(t->op, FLAG_XATTR))
      transfers_body_set_attributes(t);
    if(mote_cli_op_flag(t->op, FLAG_REMOTE_TIME))
      set_time(t);
  }
  if(close(t->out_fd) && !code) {
    t->trouble = (struct trouble){ "write", t->out_name, errno };
    code = CURLE_WRITE_ERROR;
  }
  t->out_fd = -1;
  t->out_file = false;
  return code;
}

CURLcode mote_cli_sink_rewind(struct transfer *t)
{
  struct stat st;
  /* Heads without a body (-i) stay, as those of redirects do. */
  if(!t->out_file || t->out_fd < 0 || !t->out_body || fstat(t->out_fd, &st) || !S_ISREG(st.st_mode))
    return CURLE_OK;
  mote_cli_note("%lld bytes of %s are dropped for the next try", (long long)t->out_bytes, t->out_name);
  if(ftruncate(t->out_fd, t->out_start) || mote_cli_system_seek(t->out_fd, t->out_start, SEEK_SET) < 0) {
    t->trouble = (struct trouble){ "truncate", t->out_name, errno };
    return CURLE_WRITE_ERROR;
  }
  return CURLE_OK;
}
