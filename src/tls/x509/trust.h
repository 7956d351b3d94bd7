/* tls/x509/trust.h: the certificates that a bundle holds, found by subject and read one by one. A bundle in a
 * file is PEM; one in memory is PEM or DER, one certificate after the other.
 *
 * With part tls_files (trust.c): of each certificate 12 bytes are kept: a hash of its subject (der.h),
 * where its block begins, how long it is. The bundle is read once, in pieces, to make that index; a lookup
 * reads the one block again. A bundle in memory (or in a pipe) is kept as it is. One index per bundle
 * serves the whole process. A file that has changed is indexed again. A lookup notices that at once,
 * mote_trust_open() after a time.
 *
 * Without it (trust_blob.c) there are only bundles in memory. They are neither copied nor indexed. Each
 * lookup reads them again, and a name must be written byte for byte as in the certificate.
 *
 * Ownership: counted by reference; charged to the process account. Without tls_files the blob is the
 *            caller's, and must stay as it is until the last release.
 * Threads:   all functions may be called from any thread; without tls_files, for one trust from one at a
 *            time.
 * Failure:   see each.
 * Tests:     tests/unit/tls/test_trust.c, test_trust_blob.c */
#ifndef MOTE_TLS_X509_TRUST_H
#define MOTE_TLS_X509_TRUST_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

#include "base/text.h"

struct mote_ceiling;
struct mote_trust;

/* Ceilings. */
#define MOTE_TRUST_CERTS_MAX 100000u         /* certificates of a bundle: 1.2 MB of index */
#define MOTE_TRUST_BLOCK_MAX (256u * 1024u)  /* bytes of one PEM block that a lookup reads */
#define MOTE_TRUST_PIPE_MAX (8u * 1024u * 1024u) /* bytes of a bundle that is not a regular file */

/* Gives a reference to the index of the blob if its ptr is not NULL, else of the file. timeout: seconds after
 * which the file is checked for a change, -1 never, 0 each time. *out is NULL on failure.
 * Errors: CURLE_SSL_CACERT_BADFILE (cannot be read, no certificate inside), CURLE_OUT_OF_MEMORY. */
CURLcode mote_trust_open(struct mote_trust **out, const char *file, struct mote_slice blob, long timeout);
void mote_trust_release(struct mote_trust *t); /* t may be NULL */

/* Keeps a reference until something else is kept, or NULL, so that the index outlives the connections that
 * come and go. */
#if MOTE_HAS_TLS_FILES
void mote_trust_keep(struct mote_trust *t);
#else
#define mote_trust_keep(t) ((void)(t))
#endif

/* Calls fn(arg, der, len, trusted) for each certificate whose subject may be `name` (the DER of a Name).
 * Hashes may collide, so fn compares. trusted: OpenSSL's trust settings follow the certificate in der; they
 * may reject it for TLS servers, so fn either reads them or passes the certificate over.
 * Errors: CURLE_OUT_OF_MEMORY, CURLE_SSL_CACERT_BADFILE (gone, unreadable); none if no certificate is
 * found. */
typedef void mote_trust_fn(void *arg, const uint8_t *der, size_t len, bool trusted);
CURLcode mote_trust_find(struct mote_trust *t, const uint8_t *name, size_t len, mote_trust_fn *fn, void *arg);

/* Whether the bytes that fn was given stay where they are until the release. That is so for a DER bundle in
 * memory, without part tls_files. */
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

/* Adds the most memory of the process that this bundle takes, as it is now: its index, and what looking for
 * roots in it takes. */
void mote_trust_ceiling(const char *file, struct mote_slice blob, struct mote_ceiling *c);

/* Certificates of the bundle. */
uint32_t mote_trust_count(struct mote_trust *t);

#endif
