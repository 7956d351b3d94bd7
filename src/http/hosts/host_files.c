/* http/hosts/host_files.c: files of hosts (http/hosts/host_files.h). */
#include "http/hosts/host_files.h"

#include <errno.h>
#include <string.h>

#include "port/port.h"

CURLcode mote_host_files_name(struct mote_transfer *t, struct mote_host_files *f, const char *path)
{
  struct mote_text_file *named = *path ? mote_text_files_add(t, &f->list, path) : NULL;
  if(*path && !named)
    return CURLE_OUT_OF_MEMORY;
  f->target = named;
  return CURLE_OK;
}

CURLcode mote_host_files_dup(struct mote_transfer *t, struct mote_host_files *f,
                             const struct mote_host_files *from)
{
  const struct mote_text_file *file;
  CURLcode rc = CURLE_OK;
  for(file = from->list; file && !rc; file = file->next)
    rc = mote_host_files_name(t, f, file->path);
  if(!from->target)
    f->target = NULL;
  f->read_only = from->read_only;
  return rc;
}

struct reading {
  const struct mote_host_files_row *row;
  struct mote_host_index *hosts;
  int64_t now; /* Unix time in seconds; 0: not asked for yet, since most files have not changed */
};

static CURLcode host_files_take_line(void *arg, struct mote_slice text)
{
  struct reading *r = arg;
  if(!r->now)
    r->now = mote_port_wall();
  return r->row->take(r->hosts, text, r->now);
}

CURLcode mote_host_files_read(struct mote_transfer *t, struct mote_host_files *f,
                              struct mote_host_index *hosts)
{
  struct reading r = {f->row, hosts, 0};
  return mote_text_files_read(t, f->list, host_files_take_line, &r);
}

bool mote_host_files_due(const struct mote_host_files *f)
{
  return f->used && f->target && !f->read_only;
}

static void host_files_fill(struct mote_text_writer *w, void *arg)
{
  const struct reading *r = arg;
  char text[MOTE_HOST_FILES_LINE];
  struct mote_out out = mote_out_in(text, sizeof text);
  uint32_t at = 0;
  mote_text_write(w, r->row->head, strlen(r->row->head));
  while(r->row->print(r->hosts, &at, r->now, &out)) {
    mote_text_write(w, out.ptr, out.len);
    out = mote_out_in(text, sizeof text);
  }
}

int mote_host_files_write(struct mote_transfer *t, struct mote_host_files *f, struct mote_host_index *hosts)
{
  struct reading r = {f->row, hosts, mote_port_wall()};
  if(mote_host_files_read(t, f, hosts))
    return ENOMEM;
  return mote_text_file_write(t, f->target->path, &f->row->text, host_files_fill, &r);
}
