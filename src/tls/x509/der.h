/* tls/x509/der.h: walking DER (X.690) where it lies: just enough to find a certificate's subject and a
 * root's key, and to compare names, without the TLS library and without memory.
 *
 * Failure: false, for bytes that are not the DER looked for; nothing is read beyond the end.
 * Tests:   tests/unit/tls/test_der.c */
#ifndef MOTE_TLS_X509_DER_H
#define MOTE_TLS_X509_DER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One element: identifier octet, content, and the whole with its header. Points into the walked bytes. */
struct mote_der {
  const uint8_t *content;
  size_t content_len;
  const uint8_t *whole;
  size_t whole_len;
  uint8_t tag; /* identifier octet; tags above 30 are refused */
};

#define MOTE_DER_BOOLEAN 0x01u
#define MOTE_DER_INTEGER 0x02u
#define MOTE_DER_BITS 0x03u
#define MOTE_DER_OCTETS 0x04u
#define MOTE_DER_SEQUENCE 0x30u
#define MOTE_DER_SET 0x31u
#define MOTE_DER_CONTEXT(n) (0xa0u + (n)) /* constructed */

/* Reads the element at *p and moves *p past it. Definite lengths below 2^32 only. false also at the end. */
bool mote_der_next(const uint8_t **p, const uint8_t *end, struct mote_der *out);

/* Finds the element at the end of a path, which is the tag of that element and then steps. "(" goes into
 * the SEQUENCE that comes next (which may be cut off), "b" into the BIT STRING of whole octets, "v" past a
 * version if one comes next, a digit past that many elements. */
bool mote_der_find(const uint8_t *der, size_t len, const char *path, struct mote_der *out);

/* Fields of a Certificate (RFC 5280 section 4.1) that begins at cert, which may be cut off anywhere after
 * them. */
static inline bool mote_der_issuer(const uint8_t *cert, size_t len, struct mote_der *issuer)
{
  return mote_der_find(cert, len, "\x30((v2", issuer);
}

static inline bool mote_der_subject(const uint8_t *cert, size_t len, struct mote_der *subject)
{
  return mote_der_find(cert, len, "\x30((v4", subject);
}

/* SubjectPublicKeyInfo */
static inline bool mote_der_spki(const uint8_t *cert, size_t len, struct mote_der *spki)
{
  return mote_der_find(cert, len, "\x30((v5", spki);
}

/* Finds the extensions of a certificate, which lie one after the other from *p to *end; none if *p is
 * *end. */
bool mote_der_extensions(const uint8_t *cert, size_t len, const uint8_t **p, const uint8_t **end);

struct mote_der_extension {
  struct mote_der oid;
  struct mote_der value; /* the OCTET STRING: content is what it holds */
  bool critical;
};

/* Reads the extension at *p, as mote_der_next() does. */
bool mote_der_next_extension(const uint8_t **p, const uint8_t *end, struct mote_der_extension *out);

/* Finds the OCTET STRING of the extension with this OID (its content octets). */
bool mote_der_find_extension(const uint8_t *cert, size_t len, const uint8_t *oid, size_t oid_len,
                             struct mote_der *value);

/* A public key; with part tls_common (der_key.c), as what follows. */
struct mote_der_key {
  const uint8_t *bytes;    /* RSA: the modulus, big-endian without leading zeros; EC: the point as it is
                              written. Points into the certificate, as exponent does. */
  const uint8_t *exponent; /* RSA: likewise; EC: NULL */
  uint32_t len;            /* at least 1 */
  uint32_t exponent_len;   /* RSA: at least 1 */
  uint8_t curve;           /* the number of TLS (RFC 8422): 23 P-256, 24 P-384, 25 P-521; 0: an RSA key */
};

/* Reads the key of a certificate. false for keys of other kinds. Whether a point is on its curve is not
 * checked. */
bool mote_der_key(const uint8_t *cert, size_t len, struct mote_der_key *key);

/* A point in time: comparable member by member. */
struct mote_der_time {
  int32_t day;    /* since 1 January 1970 (UTC) */
  int32_t second; /* of that day */
};

/* The validity of a certificate. A 30th of February is not refused. */
bool mote_der_validity(const uint8_t *cert, size_t len, struct mote_der_time *from,
                       struct mote_der_time *until);

/* A hash of a Name (its whole SEQUENCE) that is the same for names that are equal by RFC 5280 section 7.1:
 * over the attribute types and the ASCII letters (in lower case) and digits of their values, whatever the
 * string type, with the attributes of one RDN in any order. Never 0. false if it is not a Name. */
bool mote_der_name_hash(const uint8_t *name, size_t len, uint32_t *hash);

/* Removes the first element with this tag from the SEQUENCE that the *len bytes at seq are. Returns where
 * the SEQUENCE begins now (at or after seq), with its length in *len; seq itself if there is no such
 * element; NULL if it is not a SEQUENCE of elements. */
uint8_t *mote_der_drop(uint8_t *seq, size_t *len, uint8_t tag);

#endif
