/* http/hosts/host_files.h: the files in which a handle keeps hosts (http/hosts/host_index.h), which HSTS and
 * alternative services have alike.
 *
 * They are read before each request, as far as they have changed, and one of them is written at the end.
 *
 * Ownership: the struct is the engine's, its files too, until mote_host_files_drop().
 * Errors:    CURLE_OUT_OF_MEMORY. A file that cannot be read is left out, and one that cannot be written is
 *            an info line.
 * Threads:   as in http/hosts/text_files.h: mote_host_files_warn() and mote_host_files_report() are called
 *            without a lock, and their callback may free the struct.
 * Tests:     tests/e2e/test_hsts.py, tests/e2e/test_altsvc.py */
#ifndef MOTE_HTTP_HOSTS_HOST_FILES_H
#define MOTE_HTTP_HOSTS_HOST_FILES_H

#include "base/out.h"
#include "http/hosts/host_index.h"
#include "http/hosts/text_files.h"

enum {
  MOTE_HOST_FILES_LINE = 1024 /* bytes of the longest line that a row prints */
};

/* What a kind of file has. */
struct mote_host_files_row {
  const char *kind;           /* for the warning about a directory */
  struct mote_text_kind text; /* of a new file */
  const char *head;           /* its first lines, those of libcurl's files */
  /* Takes what a line says. A line that cannot be read is left out. */
  CURLcode (*take)(struct mote_host_index *hosts, struct mote_slice line, int64_t now);
  /* Prints the next host that has not expired, as a line. *at as in mote_host_index_walk(). False: there is
   * none. */
  bool (*print)(const struct mote_host_index *hosts, uint32_t *at, int64_t now, struct mote_out *out);
};

struct mote_host_files {
  const struct mote_host_files_row *row;
  struct mote_text_file *list;   /* in the order in which the option has named them */
  struct mote_text_file *target; /* the one that is written, or NULL */
  bool read_only;                /* none is written */
  bool used;                     /* by a request: there is something to write */
};

/* Names a further file, which is the one that is written from now on; "": none is. */
CURLcode mote_host_files_name(struct mote_transfer *t, struct mote_host_files *f, const char *path);
/* Names those of another handle. */
CURLcode mote_host_files_dup(struct mote_transfer *t, struct mote_host_files *f,
                             const struct mote_host_files *from);
/* Reads those that were not read or have changed. */
CURLcode mote_host_files_read(struct mote_transfer *t, struct mote_host_files *f,
                              struct mote_host_index *hosts);
/* Reports whether there is something to write, and a file to write it to. */
bool mote_host_files_due(const struct mote_host_files *f);
/* Writes the hosts. What another process has written meanwhile is kept. Returns the errno of a failure, or
 * 0. */
int mote_host_files_write(struct mote_transfer *t, struct mote_host_files *f, struct mote_host_index *hosts);
/* Reports that failure; 0: does nothing. */
static inline void mote_host_files_report(struct mote_transfer *t, const struct mote_host_files *f, int error)
{
  mote_text_file_report(t, f->target->path, &f->row->text, error);
}
/* Reports one path that reading found to be a directory. False: none is left to report. */
static inline bool mote_host_files_warn(struct mote_transfer *t, struct mote_host_files *f)
{
  return mote_text_files_warn(t, f->list, f->row->kind);
}

static inline void mote_host_files_drop(struct mote_transfer *t, struct mote_host_files *f)
{
  mote_text_files_drop(t, &f->list);
}

#endif
