/* http/hosts/text_files.c: reads and writes files of lines (http/hosts/text_files.h). */
#include "http/hosts/text_files.h"

#include <string.h>

#include "base/report.h"
#include "base/text/format.h"
#include "port/file.h"
#include "port/port.h"
#include "transfer/transfer.h"
#include "transfer/upload/stdio.h"

enum {
  STDIN = 0,                       /* the descriptor of "-" */
  WRITE_ROOM = 4096,               /* bytes */
  TEMPORARY_ROOM = 16              /* bytes after the path: a dot, eight digits, ".tmp" */
};

/* ---- the list ---- */

/* Unlinks the file of this path, which counts as unread then; NULL: none has it. A program that sets its
 * options for each request names the same file each time. */
static struct mote_text_file *text_files_take_out(struct mote_text_file **list, const char *path, size_t len)
{
  struct mote_text_file *f;
  while(*list && ((*list)->len != len || memcmp((*list)->path, path, len)))
    list = &(*list)->next;
  f = *list;
  if(f) {
    *list = f->next;
    memset(f, 0, sizeof *f);
  }
  return f;
}

struct mote_text_file *mote_text_files_add(struct mote_transfer *t, struct mote_text_file **list,
                                           const char *path)
{
  size_t len = strlen(path) + 1;
  struct mote_text_file *f = text_files_take_out(list, path, len);
  if(!f)
    f = mote_mem_zalloc(&t->account, MOTE_PART_OTHER, sizeof *f + len);
  if(!f)
    return NULL;
  f->len = len;
  memcpy(f->path, path, len);
  while(*list)
    list = &(*list)->next;
  *list = f;
  return f;
}

void mote_text_files_drop(struct mote_transfer *t, struct mote_text_file **list)
{
  while(*list) {
    struct mote_text_file *f = *list;
    *list = f->next;
    mote_mem_free(&t->account, MOTE_PART_OTHER, f, sizeof *f + f->len);
  }
}

void mote_text_files_forget(struct mote_text_file *list)
{
  for(; list; list = list->next)
    list->read = false;
}

/* ---- reading ---- */

struct reading {
  mote_text_line_fn take;
  void *arg;
  size_t have;     /* bytes in the buffer */
  bool skips;      /* until the end of a line that is too long */
  char buffer[MOTE_TEXT_FILE_LINE];
};

/* Takes the whole lines of the buffer, and at the end of the file the rest too. */
static CURLcode text_files_take_lines(struct reading *r, bool last)
{
  size_t at = 0;
  CURLcode rc = CURLE_OK;
  while(!rc && at < r->have) {
    const char *end = memchr(r->buffer + at, '\n', r->have - at);
    struct mote_slice line = {r->buffer + at, end ? (size_t)(end - r->buffer) - at : r->have - at};
    if(!end && !last)
      break;
    if(!r->skips)
      rc = r->take(r->arg, line);
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

static CURLcode text_files_read_all(struct reading *r, int file)
{
  size_t n;
  CURLcode rc = CURLE_OK;
  do {
    if(mote_port_file_read(file, r->buffer + r->have, sizeof r->buffer - r->have, &n))
      n = 0;
    r->have += n;
    rc = text_files_take_lines(r, !n);
  } while(n && !rc);
  return rc;
}

static CURLcode text_files_read_file(struct mote_transfer *t, int file, mote_text_line_fn take, void *arg)
{
  struct reading *r = mote_mem_alloc(&t->account, MOTE_PART_OTHER, sizeof *r);
  CURLcode rc;
  if(!r)
    return CURLE_OUT_OF_MEMORY;
  r->take = take;
  r->arg = arg;
  r->have = 0;
  r->skips = false;
  rc = text_files_read_all(r, file);
  mote_mem_free(&t->account, MOTE_PART_OTHER, r, sizeof *r);
  return rc;
}

/* Each request asks it of each file. */
static bool is_dash(const char *path)
{
  return path[0] == '-' && !path[1];
}

/* Opens a file that has changed. False: there is nothing to read. */
static bool open_changed(struct mote_text_file *f, int *file)
{
  struct mote_file_info info;
  if(is_dash(f->path)) {
    *file = STDIN;
    return !f->mtime;
  }
  if(mote_port_path_info(f->path, &info) ||
     (f->read && info.mtime == f->mtime && info.size == f->size && info.number == f->number && info.regular))
    return false;
  f->directory = info.directory;
  if(info.directory || (f->read && !info.regular) || mote_port_file_open(f->path, MOTE_FILE_READ, 0, file))
    return false;
  f->size = info.size;
  f->number = info.number;
  f->mtime = info.mtime;
  return true;
}

CURLcode mote_text_files_read(struct mote_transfer *t, struct mote_text_file *list, mote_text_line_fn take,
                              void *arg)
{
  struct mote_text_file *f = list;
  CURLcode rc = CURLE_OK;
  int file;
  for(; f && !rc; f = f->next) {
    if(!open_changed(f, &file))
      continue;
    rc = text_files_read_file(t, file, take, arg);
    f->read = true;
    if(is_dash(f->path)) /* an ordinary file may have that descriptor, too */
      f->mtime = 1;
    else
      (void)mote_port_file_close(file);
  }
  return rc;
}

bool mote_text_files_warn(struct mote_transfer *t, struct mote_text_file *list, const char *kind)
{
  while(list && !list->directory)
    list = list->next;
  if(!list)
    return false;
  list->directory = false;
  mote_info(&t->report, "WARNING: %s filename points to a directory: \"%s\"", kind, list->path);
  return true;
}

/* ---- writing ---- */

struct mote_text_writer {
  mote_text_fill_fn fill;
  void *arg;
  int file;       /* or -1: stdout */
  int error;      /* errno of the first failure */
  size_t len;     /* bytes in the buffer */
  char buffer[WRITE_ROOM];
};

static void empty_buffer(struct mote_text_writer *w)
{
  if(w->error || !w->len)
    return;
  if(w->file >= 0)
    w->error = mote_port_file_write(w->file, w->buffer, w->len);
  else if(mote_stdio_write(w->buffer, w->len, NULL) != w->len)
    w->error = EIO;
  w->len = 0;
}

void mote_text_write(struct mote_text_writer *w, const char *bytes, size_t len)
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

void mote_text_write_failed(struct mote_text_writer *w, int error)
{
  if(!w->error)
    w->error = error;
}

static void text_files_fill(struct mote_text_writer *w)
{
  w->fill(w, w->arg);
  empty_buffer(w);
}

/* Opens a file beside the other that no other process can have made. */
static int text_files_open_beside(const char *path, unsigned perms, char *name, size_t room, int *file)
{
  uint32_t random;
  if(mote_port_random(&random, sizeof random))
    return EIO;
  (void)mote_snprintf(name, room, "%s.%08x.tmp", path, (unsigned)random);
  return mote_port_file_open(name, MOTE_FILE_NEW, perms, file);
}

static void write_beside(struct mote_transfer *t, struct mote_text_writer *w, const char *path,
                         unsigned perms)
{
  size_t room = strlen(path) + TEMPORARY_ROOM;
  char *name = mote_mem_alloc(&t->account, MOTE_PART_OTHER, room);
  int closed;
  w->error = name ? text_files_open_beside(path, perms, name, room, &w->file) : ENOMEM;
  if(!w->error) {
    text_files_fill(w);
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
static void write_through(struct mote_text_writer *w, const char *path, unsigned perms)
{
  int closed;
  w->error = mote_port_file_open(path, MOTE_FILE_WRITE, perms, &w->file);
  if(w->error)
    return;
  text_files_fill(w);
  closed = mote_port_file_close(w->file);
  w->error = w->error ? w->error : closed;
}

int mote_text_file_write(struct mote_transfer *t, const char *path, const struct mote_text_kind *kind,
                         mote_text_fill_fn filler, void *arg)
{
  struct mote_text_writer w = {.fill = filler, .arg = arg};
  struct mote_file_info info;
  bool there = !mote_port_path_info(path, &info);
  if(is_dash(path)) {
    w.file = -1;
    text_files_fill(&w);
  }
  else if(there && !info.regular)
    write_through(&w, path, kind->perms);
  else
    write_beside(t, &w, path, there ? info.perms : kind->perms);
  return w.error;
}

void mote_text_file_report(struct mote_transfer *t, const char *path, const struct mote_text_kind *kind,
                           int error)
{
  char text[80];
  if(!error)
    return;
  (void)mote_port_error_text(error, text, sizeof text);
  mote_info(&t->report, "WARNING: failed to save %s in %s: %s", kind->name, path, text);
}
