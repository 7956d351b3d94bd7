/* tls/blob.h: the bytes of a file or of a caller's blob, for the short time in which they are parsed.
 *
 * Ownership: of a file, the struct's own copy, wiped when it is given back; of a blob, the caller's.
 * Tests:     tests/unit/tls/test_tls.c (client certificates, pinned keys) */
#ifndef MOTE_TLS_BLOB_H
#define MOTE_TLS_BLOB_H

#include <curl/curl.h>
#include <stddef.h>

#include "parts.h"

#include "base/text.h"

#define MOTE_TLS_FILE_MAX (1024u * 1024u) /* bytes of a certificate, key or pinned-key file */

struct mote_tls_blob {
  const char *ptr;
  size_t len;
  char *own;  /* NULL: ptr is the caller's */
  size_t cap; /* bytes at own */
};

/* The given slice if its ptr is set, else the file. CURLE_READ_ERROR (missing, unreadable, over the ceiling),
 * CURLE_OUT_OF_MEMORY; the blob is empty then. */
CURLcode mote_tls_blob_load(struct mote_tls_blob *b, struct mote_slice given, const char *file);
void mote_tls_blob_free(struct mote_tls_blob *b);

/* blob_file.c: the file, into an empty blob; errors as above. Without part tls_files no file can be read. */
#if MOTE_HAS_TLS_FILES
CURLcode mote_tls_blob_read(struct mote_tls_blob *b, const char *path);
#else
static inline CURLcode mote_tls_blob_read(struct mote_tls_blob *b, const char *path)
{
  (void)b;
  (void)path;
  return CURLE_READ_ERROR;
}
#endif

/* Zero what was secret; not optimised away. */
void mote_tls_wipe(void *p, size_t len);

#endif
