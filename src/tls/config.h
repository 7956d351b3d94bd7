/* tls/config.h: what the back ends of this folder ask of a configuration (tls.h), and the bytes of the
 * certificates and keys that it names, for the short time in which they are parsed.
 *
 * Ownership: the bytes of a file are the blob's own copy, which is wiped when it is freed; those of a blob
 *            option stay the application's.
 * Tests:     tests/unit/tls/test_tls_config.c, test_tls_verify.c */
#ifndef MOTE_TLS_CONFIG_H
#define MOTE_TLS_CONFIG_H

#include <curl/curl.h>
#include <stddef.h>

#include "parts.h"

#include "base/text.h"
#include "tls/tls.h"

#define MOTE_TLS_FILE_MAX (1024u * 1024u) /* bytes of a certificate, key or pinned-key file */

struct mote_tls_blob {
  const char *ptr; /* the bytes; NULL: there are none */
  size_t len;      /* bytes at ptr */
  char *own;       /* the block that ptr lies in; NULL: ptr is the application's */
  size_t cap;      /* bytes at own */
};

void mote_tls_blob_free(struct mote_tls_blob *b);

#if MOTE_HAS_TLS_FILES
/* files.c: the bytes of the blob option if its ptr is set, else of the file; to be freed by
 * mote_tls_blob_free().
 * Errors: CURLE_READ_ERROR (missing, unreadable, over the ceiling), CURLE_OUT_OF_MEMORY; the blob is empty
 * then. */
CURLcode mote_tls_blob_load(struct mote_tls_blob *b, struct mote_slice given, const char *file);

/* files.c: copies cfg with the system's bundle and directory in their places, NULL where there is to be
 * none. */
void mote_tls_config_resolve(struct mote_tls_config *out, const struct mote_tls_config *cfg);
#else
static inline CURLcode mote_tls_blob_load(struct mote_tls_blob *b, struct mote_slice given, const char *file)
{
  (void)file;
  *b = (struct mote_tls_blob){.ptr = given.ptr, .len = given.len};
  return given.ptr ? CURLE_OK : CURLE_READ_ERROR;
}

static inline void mote_tls_config_resolve(struct mote_tls_config *out, const struct mote_tls_config *cfg)
{
  *out = *cfg;
  out->ca_file = NULL;
  out->ca_path = NULL;
}
#endif

#endif
