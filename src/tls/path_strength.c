/* tls/path_strength.c: kind and size of a certificate's key, and what it is signed with. */
#include <string.h>

#include "tls/der.h"
#include "tls/path.h"

#define RSA_MIN 256u /* bytes: 2048 bits */

static bool is(const struct mote_der *e, const uint8_t *bytes, size_t len)
{
  return e->content_len == len && !memcmp(e->content, bytes, len);
}

/* Ed25519 and Ed448 are as strong as they are (RFC 8410). */
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
  if(is(&e, rsa, sizeof rsa))
    return last - 11 < 3 || (last == 10 && is_strong_pss(&algorithm));
  if(is(&e, ecdsa, sizeof ecdsa))
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
