/* http/hosts/text_files.h: files of lines that a handle keeps what it knows in: cookies, HSTS hosts,
 * alternative services.
 *
 * A file is read when it is first needed and again only when it has changed: its time, size or number is
 * compared with each request. It is written to a new file
 * beside it, which then takes its name, so that a file that cannot be written keeps what it has.
 *
 * Ownership: the list is the caller's; the account of the transfer pays for it and for the buffers.
 * Errors:    CURLE_OUT_OF_MEMORY, and what the caller's function returns. A file that cannot be read is left
 *            out.
 * Threads:   the caller may hold a lock of the application, under which none of its callbacks may run. Only
 *            mote_text_files_warn() and mote_text_file_report() call one, which may free the list.
 * Tests:     tests/e2e/test_cookies.py, tests/e2e/test_hsts.py */
#ifndef MOTE_HTTP_HOSTS_TEXT_FILES_H
#define MOTE_HTTP_HOSTS_TEXT_FILES_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "parts.h"

struct mote_transfer;

enum {
  MOTE_TEXT_FILE_LINE = 12048 /* bytes of a line with its end; a longer one is left out */
};

struct mote_text_file {
  struct mote_text_file *next;
  int64_t mtime;  /* ns, when it was read */
  int64_t size;   /* bytes, likewise */
  uint64_t number; /* of the file (port/file.h), likewise */
  bool read;      /* since it was named, or since what was read was erased */
  bool directory; /* its path is one, which is still to be reported */
  size_t len;     /* bytes of the path with its NUL */
  char path[];
};

/* Takes a line without its line feed. Any code but CURLE_OK ends the reading. */
typedef CURLcode (*mote_text_line_fn)(void *arg, struct mote_slice line);

/* Writes what the file is to have, by mote_text_write(). */
struct mote_text_writer;
typedef void (*mote_text_fill_fn)(struct mote_text_writer *w, void *arg);

#if MOTE_HAS_TEXT_FILES

/* Adds a file at the end of the list, to be read, and returns it; one that was there goes to the end. NULL:
 * out of memory. */
struct mote_text_file *mote_text_files_add(struct mote_transfer *t, struct mote_text_file **list,
                                           const char *path);
void mote_text_files_drop(struct mote_transfer *t, struct mote_text_file **list);
/* Lets all files be read again. */
void mote_text_files_forget(struct mote_text_file *list);

/* Reads each file that was not read or has changed. "-" is stdin, read once. */
CURLcode mote_text_files_read(struct mote_transfer *t, struct mote_text_file *list, mote_text_line_fn take,
                              void *arg);
/* Reports, as an info line, one path that was found to be a directory. kind: what the files have. False: none
 * is left to report. */
bool mote_text_files_warn(struct mote_transfer *t, struct mote_text_file *list, const char *kind);

void mote_text_write(struct mote_text_writer *w, const char *bytes, size_t len);
/* Makes the file fail with this errno. */
void mote_text_write_failed(struct mote_text_writer *w, int error);
/* What is written. */
struct mote_text_kind {
  const char *name; /* for the warning */
  unsigned perms;   /* of a new file, as in chmod(2), less what the process denies; one that is there keeps
                       its own */
};
/* Writes the file, or stdout ("-"). Returns the errno of a failure, or 0. */
int mote_text_file_write(struct mote_transfer *t, const char *path, const struct mote_text_kind *kind,
                         mote_text_fill_fn fill, void *arg);
/* Reports such a failure as an info line; 0: does nothing. */
void mote_text_file_report(struct mote_transfer *t, const char *path, const struct mote_text_kind *kind,
                           int error);

#else

#define mote_text_files_add(t, list, path) \
  ((void)(t), (void)(list), (void)(path), (struct mote_text_file *)NULL)
#define mote_text_files_drop(t, list) ((void)(t), (void)(list))
#define mote_text_files_forget(list) ((void)(list))
#endif

#endif
