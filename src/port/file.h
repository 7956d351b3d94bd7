/* port/file.h: files, where the platform has them. Rules as in port/port.h.
 *
 * Without it: no file: URLs, no certificates or keys in files, no key log.
 * Tests:      tests/unit/port/test_file.c */
#ifndef MOTE_PORT_FILE_H
#define MOTE_PORT_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mote_file_mode {
  MOTE_FILE_READ,
  MOTE_FILE_WRITE, /* made when missing, emptied when not */
  MOTE_FILE_APPEND, /* made when missing */
  MOTE_FILE_NEW    /* written; EEXIST: it is there already */
};

enum {
  MOTE_DIRECTORY_ROOM = 512 /* bytes: an entry with the longest name, 255 bytes */
};

struct mote_file_info {
  int64_t size;  /* bytes, if regular */
  int64_t mtime; /* last change, Unix time in nanoseconds */
  uint64_t number; /* in its file system; a file that takes its name has another one. 0: unknown */
  unsigned perms; /* as in chmod(2) */
  bool regular;  /* a regular file */
  bool directory;
};

/* ENOENT, EACCES, EMFILE, ...; *file is -1 then. Closed on exec. perms: of a file that is made, as in
 * chmod(2), less what the process denies (umask); 0 with READ. */
int mote_port_file_open(const char *path, enum mote_file_mode mode, unsigned perms, int *file);
/* *n == 0: the end (or len was 0). */
int mote_port_file_read(int file, void *buf, size_t len, size_t *n);
/* Reads names of an open directory, without those that begin with a dot, each followed by a line feed. *n
 * == 0: the end. EINVAL: `len` has no room for a name (MOTE_DIRECTORY_ROOM always has). EISDIR: the
 * platform cannot list directories. */
int mote_port_directory_read(int file, char *buf, size_t len, size_t *n);
/* Writes all of it, or returns an error. */
int mote_port_file_write(int file, const void *buf, size_t len);
/* Moves to `offset` bytes from the start. ESPIPE: cannot seek. */
int mote_port_file_seek(int file, int64_t offset);
int mote_port_file_info(int file, struct mote_file_info *out);
int mote_port_path_info(const char *path, struct mote_file_info *out);
/* Gives the file another name, in place of a file that has it. Both names are on one file system. */
int mote_port_file_rename(const char *from, const char *to);
int mote_port_file_remove(const char *path);
/* Closes the file in any case. May report an error of an earlier write (EIO, ENOSPC). */
int mote_port_file_close(int file);

#endif
