/* port/sim/file.c: files in memory, by path. There are no folders: a path is a name. */
#include <stdlib.h>
#include <string.h>

#include "port/file.h"
#include "port/port.h"
#include "port/sim/internal.h"

#define FILES 256

struct sim_file {
  char *path; /* NULL: a free place, or a file whose last name is gone while it is open */
  unsigned char *bytes;
  size_t len;
  unsigned perms;
  unsigned open;   /* descriptors */
  uint64_t number; /* 0: a free place */
  int64_t mtime;   /* Unix time in nanoseconds */
};
static struct sim_file files[FILES];
static uint64_t file_numbers;

static struct sim_file *file_find(const char *path)
{
  unsigned i;
  for(i = 0; i < FILES; i++)
    if(files[i].path && !strcmp(files[i].path, path))
      return &files[i];
  return NULL;
}

static void file_touch(struct sim_file *f)
{
  f->mtime = mote_port_wall() * INT64_C(1000000000);
}

static void file_clear(struct sim_file *f)
{
  free(f->path);
  free(f->bytes);
  memset(f, 0, sizeof *f);
}

/* Takes a file's name away. */
static void file_unlink(struct sim_file *f)
{
  free(f->path);
  f->path = NULL;
  if(!f->open)
    file_clear(f);
}

static struct sim_file *file_make(const char *path, unsigned perms)
{
  struct sim_file *f = files;
  while(f->number)
    if(++f == files + FILES)
      return NULL;
  f->path = strdup(path);
  if(!f->path)
    return NULL;
  f->perms = perms;
  f->number = ++file_numbers;
  file_touch(f);
  return f;
}

static int file_put(struct sim_file *f, size_t at, const void *bytes, size_t len)
{
  if(at + len > f->len) {
    unsigned char *more = realloc(f->bytes, at + len);
    if(!more)
      return ENOSPC;
    memset(more + f->len, 0, at + len - f->len);
    f->bytes = more;
    f->len = at + len;
  }
  if(len)
    memcpy(f->bytes + at, bytes, len);
  file_touch(f);
  return 0;
}

void mote_sim_file(const char *path, const void *bytes, size_t len)
{
  struct sim_file *f = file_find(path);
  if(!f)
    f = file_make(path, 0644);
  if(f)
    f->len = 0;
  if(!f || file_put(f, 0, bytes, len))
    mote_sim_broken("no room for a file");
}

const void *mote_sim_file_bytes(const char *path, size_t *len)
{
  const struct sim_file *f = file_find(path);
  *len = f ? f->len : 0;
  if(!f)
    return NULL;
  return f->bytes ? f->bytes : (const unsigned char *)"";
}

void mote_sim_files_end(void)
{
  unsigned i;
  for(i = 0; i < FILES; i++)
    file_clear(&files[i]);
  file_numbers = 0;
}

/* ---- the port's side ---- */

static int file_found(const char *path, enum mote_file_mode mode, unsigned perms, struct sim_file **out)
{
  struct sim_file *f = file_find(path);
  if(f && mode == MOTE_FILE_NEW)
    return EEXIST;
  if(!f && mode == MOTE_FILE_READ)
    return ENOENT;
  if(!f)
    f = file_make(path, perms);
  *out = f;
  return f ? 0 : ENOSPC;
}

int mote_port_file_open(const char *path, enum mote_file_mode mode, unsigned perms, int *file)
{
  struct sim_descriptor *d;
  struct sim_file *f = NULL;
  int error = mote_sim_open(SIM_FILE, file);
  if(error)
    return error;
  d = mote_sim_descriptor(*file, SIM_FILE);
  error = file_found(path, mode, perms, &f);
  if(error) {
    mote_sim_shut(d);
    *file = -1;
    return error;
  }
  if(mode == MOTE_FILE_WRITE)
    f->len = 0;
  f->open++;
  d->of = f;
  d->appends = mode == MOTE_FILE_APPEND;
  return 0;
}

int mote_port_file_read(int file, void *buf, size_t len, size_t *n)
{
  struct sim_descriptor *d = mote_sim_descriptor(file, SIM_FILE);
  const struct sim_file *f = d->of;
  size_t left = d->at < f->len ? f->len - d->at : 0;
  *n = len < left ? len : left;
  if(*n)
    memcpy(buf, f->bytes + d->at, *n);
  d->at += *n;
  return 0;
}

int mote_port_directory_read(int file, char *buf, size_t len, size_t *n)
{
  (void)mote_sim_descriptor(file, SIM_FILE);
  (void)buf;
  (void)len;
  *n = 0;
  return EISDIR;
}

int mote_port_file_write(int file, const void *buf, size_t len)
{
  struct sim_descriptor *d = mote_sim_descriptor(file, SIM_FILE);
  struct sim_file *f = d->of;
  int error;
  if(d->appends)
    d->at = f->len;
  error = file_put(f, d->at, buf, len);
  if(!error)
    d->at += len;
  return error;
}

int mote_port_file_seek(int file, int64_t offset)
{
  struct sim_descriptor *d = mote_sim_descriptor(file, SIM_FILE);
  if(offset < 0)
    return EINVAL;
  d->at = (size_t)offset;
  return 0;
}

static int info_of(const struct sim_file *f, struct mote_file_info *out)
{
  memset(out, 0, sizeof *out);
  if(!f)
    return ENOENT;
  out->size = (int64_t)f->len;
  out->mtime = f->mtime;
  out->number = f->number;
  out->perms = f->perms;
  out->regular = true;
  return 0;
}

int mote_port_file_info(int file, struct mote_file_info *out)
{
  return info_of(mote_sim_descriptor(file, SIM_FILE)->of, out);
}

int mote_port_path_info(const char *path, struct mote_file_info *out)
{
  return info_of(file_find(path), out);
}

int mote_port_file_rename(const char *from, const char *to)
{
  struct sim_file *f = file_find(from);
  struct sim_file *old = file_find(to);
  char *path;
  if(!f)
    return ENOENT;
  if(f == old)
    return 0;
  path = strdup(to);
  if(!path)
    return ENOMEM;
  if(old)
    file_unlink(old);
  free(f->path);
  f->path = path;
  return 0;
}

int mote_port_file_remove(const char *path)
{
  struct sim_file *f = file_find(path);
  if(!f)
    return ENOENT;
  file_unlink(f);
  return 0;
}

int mote_port_file_close(int file)
{
  struct sim_descriptor *d = mote_sim_descriptor(file, SIM_FILE);
  struct sim_file *f = d->of;
  mote_sim_shut(d);
  if(!--f->open && !f->path)
    file_clear(f);
  return 0;
}
