/* http/cookie_files.c: reads and writes files of cookies (http/cookie_files.h). */
#include "http/cookie_files.h"

#include <string.h>

#include "base/format.h"
#include "base/report.h"
#include "port/file.h"
#include "port/port.h"
#include "transfer/stdio.h"
#include "transfer/transfer.h"

enum {
  STDIN = 0,                           /* the descriptor of "-" */
  READ_ROOM = MOTE_COOKIE_LINE_MAX + 2048, /* bytes, for the longest line and more */
  WRITE_ROOM = 4096,                   /* bytes */
  TEMPORARY_ROOM = 16,                 /* bytes after the path: a dot, eight digits, ".tmp" */
  PERMS = 0644                         /* of a new jar, less what the process denies */
};

/* ---- reading ---- */

/* A line is refused on its own, so that the others count. */
static CURLcode take_line(struct mote_transfer *t, struct mote_jar *jar, struct mote_slice line, int64_t now)
{
  struct mote_cookie_text c;
  const char *why = mote_cookie_read(&c, line, now);
  if(!why)
    why = mote_jar_judge_line(&c);
  if(why || (!c.expires && !c.expired && mote_opt_long(&t->options, CURLOPT_COOKIESESSION)))
    return CURLE_OK;
  return mote_jar_add(jar, &c, MOTE_JAR_FILE, true, &why);
}

struct reading {
  struct mote_transfer *t;
  struct mote_jar *jar;
  int64_t now;     /* Unix time in seconds */
  size_t have;     /* bytes in the buffer */
  bool skips;      /* until the end of a line that is too long */
  char buffer[READ_ROOM];
};

/* Takes the whole lines of the buffer, and at the end of the file the rest too. */
static CURLcode take_lines(struct reading *r, bool last)
{
  size_t at = 0;
  CURLcode rc = CURLE_OK;
  while(!rc && at < r->have) {
    const char *end = memchr(r->buffer + at, '\n', r->have - at);
    struct mote_slice line = {r->buffer + at, end ? (size_t)(end - r->buffer) - at : r->have - at};
    if(!end && !last)
      break;
    if(!r->skips)
      rc = take_line(r->t, r->jar, line, r->now);
    r->skips = false;
    at += line.len + 1;
  }
  at = at < r->have ? at : r->have;
  r->have -= at;
  memmove(r->buffer, r->buffer + at, r->have);
  if(r->have == sizeof r->buffer) {
    r->skips = true;
    r->have = 0;
  }
  return rc;
}

static CURLcode read_all(struct reading *r, int file)
{
  size_t n;
  CURLcode rc = CURLE_OK;
  do {
    if(mote_port_file_read(file, r->buffer + r->have, sizeof r->buffer - r->have, &n))
      n = 0;
    r->have += n;
    rc = take_lines(r, !n);
  } while(n && !rc);
  return rc;
}

static CURLcode read_file(struct mote_transfer *t, struct mote_jar *jar, int file)
{
  struct reading *r = mote_mem_alloc(&t->account, MOTE_PART_OTHER, sizeof *r);
  CURLcode rc;
  if(!r)
    return CURLE_OUT_OF_MEMORY;
  r->t = t;
  r->jar = jar;
  r->now = mote_port_wall();
  r->have = 0;
  r->skips = false;
  rc = read_all(r, file);
  mote_mem_free(&t->account, MOTE_PART_OTHER, r, sizeof *r);
  return rc;
}

/* Opens a file that has changed. False: there is nothing to read. */
static bool open_changed(struct mote_transfer *t, struct mote_cookie_file *f, int *file)
{
  struct mote_file_info info;
  if(!strcmp(f->path, "-")) {
    *file = STDIN;
    return !f->mtime;
  }
  if(mote_port_path_info(f->path, &info) ||
     (f->read && info.mtime == f->mtime && info.size == f->size && info.regular))
    return false;
  if(info.directory)
    mote_info(&t->report, "WARNING: cookie filename points to a directory: \"%s\"", f->path);
  if(info.directory || (f->read && !info.regular) || mote_port_file_open(f->path, MOTE_FILE_READ, 0, file))
    return false;
  f->size = info.size;
  f->mtime = info.mtime;
  return true;
}

CURLcode mote_cookie_files_read(struct mote_transfer *t, struct mote_cookie_file *list, struct mote_jar *jar)
{
  CURLcode rc = CURLE_OK;
  int file;
  for(; list && !rc; list = list->next) {
    if(!open_changed(t, list, &file))
      continue;
    rc = read_file(t, jar, file);
    list->read = true;
    if(file == STDIN)
      list->mtime = 1;
    else
      (void)mote_port_file_close(file);
  }
  return rc;
}

/* ---- writing ---- */

struct writing {
  int file;       /* or -1: stdout */
  int error;      /* errno of the first failure */
  size_t len;     /* bytes in the buffer */
  char buffer[WRITE_ROOM];
};

static void empty_buffer(struct writing *w)
{
  if(w->error || !w->len)
    return;
  if(w->file >= 0)
    w->error = mote_port_file_write(w->file, w->buffer, w->len);
  else if(mote_stdio_write(w->buffer, w->len, NULL) != w->len)
    w->error = EIO;
  w->len = 0;
}

static void write_bytes(struct writing *w, const char *bytes, size_t len)
{
  while(len && !w->error) {
    size_t n = sizeof w->buffer - w->len;
    if(n > len)
      n = len;
    memcpy(w->buffer + w->len, bytes, n);
    w->len += n;
    bytes += n;
    len -= n;
    if(w->len == sizeof w->buffer)
      empty_buffer(w);
  }
}

/* The first line is what other programs know the format by. */
static const char head[] = "# Netscape HTTP Cookie File\n"
                           "# https://curl.se/docs/http-cookies.html\n"
                           "# This file was generated by libcurl! Edit at your own risk.\n\n";

/* The youngest is the first, as in libcurl's files. */
static void write_cookies(struct mote_transfer *t, struct writing *w, const struct mote_cookie *const *all,
                          unsigned count)
{
  char *line = mote_mem_alloc(&t->account, MOTE_PART_OTHER, MOTE_COOKIE_LINE_MAX + 512u);
  if(!line) {
    w->error = ENOMEM;
    return;
  }
  write_bytes(w, head, sizeof head - 1);
  while(count-- > 0) {
    size_t len = all[count]->domain_len ? mote_cookie_print(all[count], line) : 0;
    if(!len)
      continue;
    line[len++] = '\n';
    write_bytes(w, line, len);
  }
  empty_buffer(w);
  mote_mem_free(&t->account, MOTE_PART_OTHER, line, MOTE_COOKIE_LINE_MAX + 512u);
}

/* Opens a file beside the jar that no other process can have made. */
static int open_beside(const char *path, unsigned perms, char *name, size_t room, int *file)
{
  uint32_t random;
  if(mote_port_random(&random, sizeof random))
    return EIO;
  (void)mote_snprintf(name, room, "%s.%08x.tmp", path, (unsigned)random);
  return mote_port_file_open(name, MOTE_FILE_NEW, perms, file);
}

static void write_beside(struct mote_transfer *t, struct writing *w, const char *path, unsigned perms,
                         const struct mote_cookie *const *all, unsigned count)
{
  size_t room = strlen(path) + TEMPORARY_ROOM;
  char *name = mote_mem_alloc(&t->account, MOTE_PART_OTHER, room);
  int closed;
  w->error = name ? open_beside(path, perms, name, room, &w->file) : ENOMEM;
  if(!w->error) {
    write_cookies(t, w, all, count);
    closed = mote_port_file_close(w->file);
    w->error = w->error ? w->error : closed;
    if(!w->error)
      w->error = mote_port_file_rename(name, path);
    if(w->error)
      (void)mote_port_file_remove(name);
  }
  mote_mem_free(&t->account, MOTE_PART_OTHER, name, room);
}

/* A device or a pipe is written as it is. */
static void write_through(struct mote_transfer *t, struct writing *w, const char *path,
                          const struct mote_cookie *const *all, unsigned count)
{
  int closed;
  w->error = mote_port_file_open(path, MOTE_FILE_WRITE, PERMS, &w->file);
  if(w->error)
    return;
  write_cookies(t, w, all, count);
  closed = mote_port_file_close(w->file);
  w->error = w->error ? w->error : closed;
}

static void write_jar(struct mote_transfer *t, struct writing *w, const char *path,
                      const struct mote_cookie *const *all, unsigned count)
{
  struct mote_file_info info;
  bool there = !mote_port_path_info(path, &info);
  if(!strcmp(path, "-")) {
    w->file = -1;
    write_cookies(t, w, all, count);
  }
  else if(there && !info.regular)
    write_through(t, w, path, all, count);
  else
    write_beside(t, w, path, there ? info.perms : PERMS, all, count);
}

void mote_cookie_files_write(struct mote_transfer *t, const char *path, struct mote_jar *jar)
{
  unsigned count;
  const struct mote_cookie **all = mote_jar_list(jar, mote_port_wall(), &count);
  struct writing w = {.error = count && !all ? ENOMEM : 0};
  char text[80];
  if(!w.error)
    write_jar(t, &w, path, all, count);
  mote_jar_free_list(jar, all, count);
  if(!w.error)
    return;
  (void)mote_port_error_text(w.error, text, sizeof text);
  mote_info(&t->report, "WARNING: failed to save cookies in %s: %s", path, text);
}
