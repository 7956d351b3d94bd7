/* tls/x509/path.h: checks the certificates from a server to a root (RFC 5280 section 6.1) for TLS libraries
 * that check less: dates, keys, signature algorithms, keyUsage, extKeyUsage, basicConstraints,
 * nameConstraints and unknown critical extensions. The TLS library itself verifies the signatures.
 *
 * A root is checked in the same way, except for its own signature. pathLenConstraint counts self-issued
 * certificates too. Policies are not checked.
 *
 * Failure: the first fault that is found.
 * Tests:   tests/unit/tls/test_path.c, tests/e2e/test_tls_certificates.py */
#ifndef MOTE_TLS_X509_PATH_H
#define MOTE_TLS_X509_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

struct mote_der;

enum mote_path_fault {
  MOTE_PATH_FINE,
  MOTE_PATH_MALFORMED,  /* not a certificate by RFC 5280, or an extension twice */
  MOTE_PATH_EARLY,      /* not valid yet */
  MOTE_PATH_EXPIRED,
  MOTE_PATH_WEAK_KEY,   /* RSA below 2048 bits, or an unknown kind of key */
  MOTE_PATH_WEAK_HASH,  /* signed with SHA-1, MD5 or an unknown algorithm */
  MOTE_PATH_NO_CA,      /* basicConstraints or keyUsage: it may not issue certificates */
  MOTE_PATH_TOO_LONG,   /* pathLenConstraint: too many certificates below */
  MOTE_PATH_PURPOSE,    /* extKeyUsage, or keyUsage of the server's own: it is not for TLS servers */
  MOTE_PATH_NAMES,      /* nameConstraints do not allow a name below */
  MOTE_PATH_CRITICAL,   /* an unknown critical extension */
  MOTE_PATH_TOO_MANY    /* the chain has more certificates than are verified; of its caller */
};

/* The whole of one Certificate (DER) and nothing else. */
struct mote_path_cert {
  const uint8_t *der;
  size_t len;
};

/* Checks one certificate, except its key and signature. depth is 0 for the server's own, 1 for its issuer's.
 * below are `count` certificates under it, the server's own first. */
enum mote_path_fault mote_path_check(const struct mote_path_cert *c, unsigned depth,
                                     const struct mote_path_cert *below, unsigned count);

/* Checks the key, and the algorithm of the signature unless the certificate is an anchor, which is trusted
 * whatever its signature. */
enum mote_path_fault mote_path_strength(const struct mote_path_cert *c, bool anchor);

/* Makes both checks. */
static inline enum mote_path_fault mote_path_check_all(const struct mote_path_cert *c, unsigned depth,
                                                       bool anchor, const struct mote_path_cert *below,
                                                       unsigned count)
{
  enum mote_path_fault fault = mote_path_strength(c, anchor);
  return fault ? fault : mote_path_check(c, depth, below, count);
}

/* The fault as X509_V_ERR_* for CURLINFO_SSL_VERIFYRESULT, and as a text. */
int mote_path_result(enum mote_path_fault fault);
const char *mote_path_text(enum mote_path_fault fault);

/* path_names.c: whether nameConstraints (what the extension holds) allow the names of the certificates
 * below, in subjectAltName and in the subject unless that is empty. A name of an unknown kind is refused
 * if there are constraints for its kind. Without part tls_name_constraints every name is refused. */
#if MOTE_HAS_TLS_NAME_CONSTRAINTS
bool mote_path_names_allowed(const struct mote_der *constraints, const struct mote_path_cert *below,
                             unsigned count);
#else
#define mote_path_names_allowed(constraints, below, count) \
  ((void)(constraints), (void)(below), (void)(count), false)
#endif

#endif
