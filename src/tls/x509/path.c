/* tls/x509/path.c: checks one certificate of a path (path.h). */
#include "tls/x509/path.h"

#include <string.h>

#include "port/port.h"
#include "tls/x509/der.h"

#define DAY 86400u
#define RSA_MIN 256u /* bytes: 2048 bits */

/* Bits of keyUsage (RFC 5280 section 4.2.1.3). */
#define DIGITAL_SIGNATURE 0x80u
#define KEY_CERT_SIGN 0x04u

/* Extensions that are checked. */
enum { USAGE, CONSTRAINTS, NAME_CONSTRAINTS, PURPOSES, LOOKED_AT };

/* Last octets of their identifiers (2.5.29.x), in the order of the enum. Then subjectAltName and the four
 * extensions about policies, which may be critical too: a client that asks for no policy passes over
 * those. */
static const uint8_t arcs[] = {15, 19, 30, 37, 17, 32, 33, 36, 54};

static const uint8_t server_auth[] = {0x2b, 6, 1, 5, 5, 7, 3, 1};

static bool path_is(const struct mote_der *e, const uint8_t *bytes, size_t len)
{
  return e->content_len == len && !memcmp(e->content, bytes, len);
}

/* Returns an index in arcs, or their number for an unknown extension. */
static size_t path_kind_of(const struct mote_der *oid)
{
  const uint8_t *c = oid->content;
  size_t i = sizeof arcs;
  if(oid->content_len == 3 && c[0] == 0x55 && c[1] == 0x1d)
    for(i = 0; i < sizeof arcs && arcs[i] != c[2]; i++)
      ;
  return i;
}

static enum mote_path_fault read_extensions(const struct mote_path_cert *c, struct mote_der values[LOOKED_AT])
{
  struct mote_der_extension e;
  const uint8_t *p;
  const uint8_t *end;
  if(!mote_der_extensions(c->der, c->len, &p, &end))
    return MOTE_PATH_MALFORMED;
  while(p < end) {
    size_t i;
    if(!mote_der_next_extension(&p, end, &e))
      return MOTE_PATH_MALFORMED;
    i = path_kind_of(&e.oid);
    if(i < LOOKED_AT) {
      if(values[i].whole)
        return MOTE_PATH_MALFORMED;
      values[i] = e.value;
    }
    else if(e.critical && i == sizeof arcs)
      return MOTE_PATH_CRITICAL;
  }
  return MOTE_PATH_FINE;
}

/* keyUsage has the bit, or is absent. */
static bool path_may(const struct mote_der *usage, unsigned bit)
{
  struct mote_der e;
  return !usage->whole ||
         (mote_der_find(usage->content, usage->content_len, "\x03", &e) && e.content_len > 1 &&
          e.content[1] & bit);
}

/* extKeyUsage has serverAuth, or is absent. anyExtendedKeyUsage does not count, as with OpenSSL. */
static bool is_for_servers(const struct mote_der *purposes)
{
  const uint8_t *p = purposes->content;
  struct mote_der e;
  if(!purposes->whole)
    return true;
  if(!mote_der_next(&p, p + purposes->content_len, &e) || e.tag != MOTE_DER_SEQUENCE)
    return false;
  p = e.content;
  while(mote_der_next(&p, purposes->content + purposes->content_len, &e))
    if(path_is(&e, server_auth, sizeof server_auth))
      return true;
  return false;
}

/* Checks basicConstraints of a certificate that issues others, with `depth` - 1 between it and the
 * server's. */
static enum mote_path_fault check_ca(const struct mote_der *constraints, unsigned depth)
{
  const uint8_t *p;
  const uint8_t *end;
  struct mote_der e;
  if(!constraints->whole || !mote_der_find(constraints->content, constraints->content_len, "\x30", &e))
    return MOTE_PATH_NO_CA;
  p = e.content;
  end = p + e.content_len;
  if(!mote_der_next(&p, end, &e) || e.tag != MOTE_DER_BOOLEAN || !e.content_len || !*e.content)
    return MOTE_PATH_NO_CA;
  if(p == end)
    return MOTE_PATH_FINE;
  if(!mote_der_next(&p, end, &e) || e.tag != MOTE_DER_INTEGER || !e.content_len || *e.content > 0x7f)
    return MOTE_PATH_MALFORMED;
  return e.content_len == 1 && depth - 1 > *e.content ? MOTE_PATH_TOO_LONG : MOTE_PATH_FINE;
}

static bool is_before(const struct mote_der_time *a, const struct mote_der_time *b)
{
  return a->day < b->day || (a->day == b->day && a->second < b->second);
}

static enum mote_path_fault check_dates(const struct mote_path_cert *c)
{
  uint32_t seconds = (uint32_t)mote_port_wall(); /* good until 2106, and no long division */
  struct mote_der_time now = {(int32_t)(seconds / DAY), (int32_t)(seconds % DAY)};
  struct mote_der_time from;
  struct mote_der_time until;
  if(!mote_der_validity(c->der, c->len, &from, &until))
    return MOTE_PATH_MALFORMED;
  if(is_before(&now, &from))
    return MOTE_PATH_EARLY;
  return is_before(&until, &now) ? MOTE_PATH_EXPIRED : MOTE_PATH_FINE;
}

enum mote_path_fault mote_path_check(const struct mote_path_cert *c, unsigned depth,
                                     const struct mote_path_cert *below, unsigned count)
{
  struct mote_der values[LOOKED_AT] = {{0}};
  enum mote_path_fault fault = check_dates(c);
  const uint8_t *p = c->der;
  struct mote_der e;
  if(!mote_der_next(&p, c->der + c->len, &e) || e.whole_len != c->len)
    return MOTE_PATH_MALFORMED;
  if(!fault)
    fault = read_extensions(c, values);
  if(!fault && depth)
    fault = check_ca(&values[CONSTRAINTS], depth);
  if(fault)
    return fault;
  if(!path_may(&values[USAGE], depth ? KEY_CERT_SIGN : DIGITAL_SIGNATURE))
    return depth ? MOTE_PATH_NO_CA : MOTE_PATH_PURPOSE;
  if(!is_for_servers(&values[PURPOSES]))
    return MOTE_PATH_PURPOSE;
  if(values[NAME_CONSTRAINTS].whole && !mote_path_names_allowed(&values[NAME_CONSTRAINTS], below, count))
    return MOTE_PATH_NAMES;
  return MOTE_PATH_FINE;
}

/* ---- key and signature ---- */

/* Ed25519 and Ed448 have one strength each (RFC 8410). */
static bool is_edwards(const struct mote_der *oid)
{
  return oid->content_len == 3 && oid->content[0] == 0x2b && oid->content[1] == 0x65 &&
         (oid->content[2] | 1) == 0x71;
}

static bool is_strong_key(const struct mote_path_cert *c)
{
  struct mote_der_key key;
  struct mote_der oid;
  if(mote_der_key(c->der, c->len, &key))
    return key.curve || key.len >= RSA_MIN;
  return mote_der_find(c->der, c->len, "\x06((v5((", &oid) && is_edwards(&oid);
}

/* hashAlgorithm of RSASSA-PSS-params (RFC 4055 section 3.1), which is SHA-1 when it is absent. */
static bool is_strong_pss(const struct mote_der *algorithm)
{
  static const uint8_t sha2[] = {0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2};
  struct mote_der e;
  if(!mote_der_find(algorithm->whole, algorithm->whole_len, "\xa0(1(", &e) ||
     !mote_der_find(e.content, e.content_len, "\x06(", &e))
    return false;
  return e.content_len == sizeof sha2 + 1 && !memcmp(e.content, sha2, sizeof sha2) &&
         e.content[sizeof sha2] - 1u < 3;
}

/* SHA-256, SHA-384 or SHA-512 with RSA (RFC 8017, RFC 4055) or ECDSA (RFC 5758), or Edwards curves. The field
 * outside of what is signed must be the same. */
static bool is_strong_signature(const struct mote_path_cert *c)
{
  static const uint8_t rsa[] = {0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1};
  static const uint8_t ecdsa[] = {0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3};
  struct mote_der algorithm;
  struct mote_der e;
  unsigned last;
  if(!mote_der_find(c->der, c->len, "\x30((v1", &algorithm) || !mote_der_find(c->der, c->len, "\x30(1", &e) ||
     e.whole_len != algorithm.whole_len || memcmp(e.whole, algorithm.whole, e.whole_len) != 0 ||
     !mote_der_find(e.whole, e.whole_len, "\x06(", &e) || !e.content_len)
    return false;
  last = e.content[e.content_len - 1];
  e.content_len--;
  if(path_is(&e, rsa, sizeof rsa))
    return last - 11 < 3 || (last == 10 && is_strong_pss(&algorithm));
  if(path_is(&e, ecdsa, sizeof ecdsa))
    return last - 2 < 3;
  e.content_len++;
  return is_edwards(&e);
}

enum mote_path_fault mote_path_strength(const struct mote_path_cert *c, bool anchor)
{
  if(!is_strong_key(c))
    return MOTE_PATH_WEAK_KEY;
  return anchor || is_strong_signature(c) ? MOTE_PATH_FINE : MOTE_PATH_WEAK_HASH;
}

/* ---- a fault in numbers and words ---- */

int mote_path_result(enum mote_path_fault fault)
{
  static const uint8_t results[] = {0, 1, 9, 10, 67, 68, 79, 25, 26, 47, 34, 22};
  return results[fault];
}

const char *mote_path_text(enum mote_path_fault fault)
{
  static const char *const texts[] = {
    [MOTE_PATH_FINE] = "ok",
    [MOTE_PATH_MALFORMED] = "malformed certificate",
    [MOTE_PATH_EARLY] = "certificate is not yet valid",
    [MOTE_PATH_EXPIRED] = "certificate has expired",
    [MOTE_PATH_WEAK_KEY] = "key too small, or of a kind that is not accepted",
    [MOTE_PATH_WEAK_HASH] = "signed with a hash or an algorithm that is not accepted",
    [MOTE_PATH_NO_CA] = "invalid CA certificate",
    [MOTE_PATH_TOO_LONG] = "path length constraint exceeded",
    [MOTE_PATH_PURPOSE] = "certificate is not for TLS servers",
    [MOTE_PATH_NAMES] = "name constraints do not allow the server's names",
    [MOTE_PATH_CRITICAL] = "unhandled critical extension",
    [MOTE_PATH_TOO_MANY] = "certificate chain too long",
  };
  return texts[fault];
}
