/* transfer/upload/stdio.h: reads and writes a FILE if there is no callback (CURLOPT_WRITEDATA(3),
 * CURLOPT_READDATA(3)).
 *
 * Errors: fewer bytes than requested. Without part stdio there are no FILEs, and a body without a callback
 *         ends the transfer (CURLE_WRITE_ERROR).
 * Tests:  tests/e2e */
#ifndef MOTE_TRANSFER_UPLOAD_STDIO_H
#define MOTE_TRANSFER_UPLOAD_STDIO_H

#include <stdbool.h>
#include <stddef.h>

#include "parts.h"

#if MOTE_HAS_STDIO

#include <stdio.h>

/* What a callback gets whose data is not set. */
static inline void *mote_stdio_out(void)
{
  return stdout;
}

static inline void *mote_stdio_in(void)
{
  return stdin;
}

/* Writes to file, a FILE *, or to stdout if it is NULL. */
static inline size_t mote_stdio_write(const char *bytes, size_t len, void *file)
{
  return fwrite(bytes, 1, len, file ? (FILE *)file : stdout);
}

/* Reads from file, a FILE *, or from stdin if it is NULL. */
static inline size_t mote_stdio_read(char *to, size_t room, void *file)
{
  return fread(to, 1, room, file ? (FILE *)file : stdin);
}

static inline bool mote_stdio_rewind(void *file)
{
  return !fseek(file ? (FILE *)file : stdin, 0, SEEK_SET);
}

/* Reports whether a read callback is fread() itself, so that its data is a FILE *. */
static inline bool mote_stdio_is_fread(void (*read)(void))
{
  return read == (void (*)(void))fread;
}

#else

#define mote_stdio_out() NULL
#define mote_stdio_in() NULL
#define mote_stdio_write(bytes, len, file) ((void)(bytes), (void)(len), (void)(file), (size_t)0)
#define mote_stdio_read(to, room, file) ((void)(to), (void)(room), (void)(file), (size_t)0)
#define mote_stdio_rewind(file) ((void)(file), false)
#define mote_stdio_is_fread(read) ((void)(read), false)
#endif

#endif
