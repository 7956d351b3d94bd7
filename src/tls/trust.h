/* tls/trust.h: the certificates that a bundle holds, found by subject and read one by one. A bundle in a file
 * is PEM; one in memory is PEM or DER, one certificate after the other.
 *
 * With part tls_files (trust.c): of each certificate 12 bytes are kept: a hash of its subject (der.h),
 * where its block begins, how long it is. The bundle is read once, in pieces, to make that index; a lookup
 * reads the one block again. A bundle in memory (or in a pipe) is kept as it is. One index per bundle
 * serves the whole process. A file that has changed is indexed anew: seen by a lookup at once, else by
 * mote_trust_open() after a time.
 *
 * Without it (trust_blob.c) there are bundles in memory alone. They are not copied and not indexed: each
 * lookup reads them anew, and a name must be written byte for byte as in the certificate.
 *
 * Ownership: counted by reference; charged to the process account. Without tls_files the blob is the
 *            caller's, and must stay as it is until the last release.
 * Threads:   all functions may be called from any thread; without tls_files, for one trust from one at a
 *            time.
 * Failure:   see each.
 * Tests:     tests/unit/tls/test_trust.c, test_trust_blob.c */
#ifndef MOTE_TLS_TRUST_H
#define MOTE_TLS_TRUST_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

#include "base/text.h"

struct mote_trust;

/* Ceilings. */
#define MOTE_TRUST_CERTS_MAX 100000u         /* certificates of a bundle: 1.2 MB of index */
#define MOTE_TRUST_BLOCK_MAX (256u * 1024u)  /* bytes of one PEM block that a lookup reads */
#define MOTE_TRUST_PIPE_MAX (8u * 1024u * 1024u) /* bytes of a bundle that is not a regular file */

/* The index of the file, or of the blob (ptr not NULL). timeout: seconds after which the file is looked at
 * again, -1 never, 0 each time.
 * CURLE_SSL_CACERT_BADFILE (cannot be read, no certificate inside), CURLE_OUT_OF_MEMORY: *out is NULL. */
CURLcode mote_trust_open(struct mote_trust **out, const char *file, struct mote_slice blob, long timeout);
void mote_trust_release(struct mote_trust *t); /* t may be NULL */

/* One more reference, which stays until something else is kept, or NULL: the index is not made anew when
 * connections come and go. */
#if MOTE_HAS_TLS_FILES
void mote_trust_keep(struct mote_trust *t);
#else
static inline void mote_trust_keep(struct mote_trust *t)
{
  (void)t;
}
#endif

/* fn(arg, der, len, trusted) for each certificate whose subject may be `name` (the DER of a Name): hashes
 * may collide, fn compares. trusted: OpenSSL's trust settings follow the certificate in der.
 * CURLE_OK also when there is none; CURLE_OUT_OF_MEMORY, CURLE_SSL_CACERT_BADFILE (gone, unreadable). */
typedef void mote_trust_fn(void *arg, const uint8_t *der, size_t len, bool trusted);
CURLcode mote_trust_find(struct mote_trust *t, const uint8_t *name, size_t len, mote_trust_fn *fn, void *arg);

/* Does what fn was given (der of above, or what points into it) stay where it is until the release? That is
 * so for a DER bundle in memory, without part tls_files. */
#if MOTE_HAS_TLS_FILES
static inline bool mote_trust_lasts(const struct mote_trust *t, const uint8_t *der)
{
  (void)t;
  (void)der;
  return false;
}
#else
bool mote_trust_lasts(const struct mote_trust *t, const uint8_t *der);
#endif

/* Certificates of the bundle. */
uint32_t mote_trust_count(struct mote_trust *t);

#endif
