/* transfer/stdio.h: a FILE in the place of a callback (CURLOPT_WRITEDATA(3), CURLOPT_READDATA(3)).
 *
 * Failure: fewer bytes than asked for. Without part stdio there are none: a body without a callback ends the
 *          transfer (CURLE_WRITE_ERROR).
 * Tests:   tests/e2e */
#ifndef MOTE_TRANSFER_STDIO_H
#define MOTE_TRANSFER_STDIO_H

#include <stdbool.h>
#include <stddef.h>

#include "parts.h"

#if MOTE_HAS_STDIO

#include <stdio.h>

/* file: a FILE *; NULL: stdout. */
static inline size_t mote_stdio_write(const char *bytes, size_t len, void *file)
{
  return fwrite(bytes, 1, len, file ? (FILE *)file : stdout);
}

/* file: a FILE *; NULL: stdin. */
static inline size_t mote_stdio_read(char *to, size_t room, void *file)
{
  return fread(to, 1, room, file ? (FILE *)file : stdin);
}

static inline bool mote_stdio_rewind(void *file)
{
  return !fseek(file ? (FILE *)file : stdin, 0, SEEK_SET);
}

#else

#define mote_stdio_write(bytes, len, file) ((void)(bytes), (void)(len), (void)(file), 0)
#define mote_stdio_read(to, room, file) ((void)(to), (void)(room), (void)(file), 0)
#define mote_stdio_rewind(file) ((void)(file), false)
#endif

#endif
