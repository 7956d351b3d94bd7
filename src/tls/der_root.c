/* tls/der_root.c: key, validity and constraints of a trusted certificate (RFC 5280, RFC 8017, RFC 5480). */
#include <string.h>

#include "base/text.h"
#include "tls/der.h"

#define UTC_TIME 0x17u
#define GENERALIZED_TIME 0x18u

/* Each with its header. */
static const uint8_t rsa_encryption[] = {0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01};
static const uint8_t ec_public_key[] = {0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01};
static const uint8_t p256[] = {0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};
static const uint8_t p384[] = {0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22};
static const uint8_t p521[] = {0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23};
static const uint8_t basic_constraints[] = {0x55, 0x1d, 0x13}; /* content alone */

static bool is(const struct mote_der *e, const uint8_t *bytes, size_t len)
{
  return e->whole_len == len && !memcmp(e->whole, bytes, len);
}

static bool take(const uint8_t **p, const uint8_t *end, uint8_t tag, struct mote_der *out)
{
  return mote_der_next(p, end, out) && out->tag == tag;
}

/* INTEGER above 0. */
static bool take_number(const uint8_t **p, const uint8_t *end, const uint8_t **digits, uint32_t *len)
{
  struct mote_der e;
  if(!take(p, end, MOTE_DER_INTEGER, &e))
    return false;
  while(e.content_len > 1 && !*e.content) {
    e.content++;
    e.content_len--;
  }
  *digits = e.content;
  *len = (uint32_t)e.content_len;
  return e.content_len && *e.content;
}

static bool read_rsa(const uint8_t *p, const uint8_t *end, struct mote_der_root *root)
{
  struct mote_der key;
  if(!take(&p, end, MOTE_DER_SEQUENCE, &key))
    return false;
  p = key.content;
  end = p + key.content_len;
  return take_number(&p, end, &root->key, &root->key_len) &&
         take_number(&p, end, &root->exponent, &root->exponent_len);
}

static uint8_t curve_of(const struct mote_der *name)
{
  if(is(name, p256, sizeof p256))
    return 23;
  if(is(name, p384, sizeof p384))
    return 24;
  return is(name, p521, sizeof p521) ? 25 : 0;
}

/* SubjectPublicKeyInfo: what the key is, and its bits. */
static bool read_key(const uint8_t *cert, size_t len, struct mote_der_root *root)
{
  struct mote_der spki;
  struct mote_der what;
  struct mote_der e;
  const uint8_t *p;
  const uint8_t *q;
  if(!mote_der_spki(cert, len, &spki))
    return false;
  p = spki.content;
  if(!take(&p, p + spki.content_len, MOTE_DER_SEQUENCE, &what))
    return false;
  q = what.content;
  if(!mote_der_next(&q, q + what.content_len, &e))
    return false;
  if(is(&e, ec_public_key, sizeof ec_public_key)) {
    if(mote_der_next(&q, what.content + what.content_len, &e))
      root->curve = curve_of(&e);
    if(!root->curve)
      return false;
  }
  else if(!is(&e, rsa_encryption, sizeof rsa_encryption))
    return false;
  if(!take(&p, spki.content + spki.content_len, MOTE_DER_BITS, &e) || e.content_len < 2 || *e.content)
    return false;
  root->key = e.content + 1;
  root->key_len = (uint32_t)e.content_len - 1;
  return root->curve || read_rsa(root->key, root->key + root->key_len, root);
}

/* Days since 1 January 1970; March begins the year, so that a leap day is its last. */
static int32_t day_of(const int *n)
{
  int32_t year = n[0] * 100 + n[1] - (n[2] < 3);
  int32_t month = n[2] < 3 ? n[2] + 9 : n[2] - 3;
  return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + n[3] - 719469;
}

/* UTCTime or GeneralizedTime: century, year, month, day in two digits each. */
static bool take_day(const uint8_t **p, const uint8_t *end, int32_t *day)
{
  struct mote_der e;
  int n[4];
  size_t at = 0;
  int i;
  if(!mote_der_next(p, end, &e) || (e.tag != UTC_TIME && e.tag != GENERALIZED_TIME))
    return false;
  for(i = e.tag == UTC_TIME; i < 4; i++, at += 2) {
    const uint8_t *c = e.content + at;
    if(at + 2 > e.content_len || !mote_is_digit((char)c[0]) || !mote_is_digit((char)c[1]))
      return false;
    n[i] = c[0] * 10 + c[1] - '0' * 11;
  }
  if(e.tag == UTC_TIME)
    n[0] = n[1] < 50 ? 20 : 19;
  *day = day_of(n);
  return n[2] >= 1 && n[2] <= 12 && n[3] >= 1 && n[3] <= 31;
}

static bool read_validity(const uint8_t *cert, size_t len, struct mote_der_root *root)
{
  struct mote_der e;
  const uint8_t *p;
  if(!mote_der_validity(cert, len, &e))
    return false;
  p = e.content;
  return take_day(&p, e.content + e.content_len, &root->first_day) &&
         take_day(&p, e.content + e.content_len, &root->last_day);
}

/* Absent: no CA. */
static bool is_ca(const uint8_t *cert, size_t len)
{
  struct mote_der e;
  const uint8_t *p;
  if(!mote_der_extension(cert, len, basic_constraints, sizeof basic_constraints, &e))
    return false;
  p = e.content;
  if(!take(&p, p + e.content_len, MOTE_DER_SEQUENCE, &e))
    return false;
  p = e.content;
  return take(&p, p + e.content_len, MOTE_DER_BOOLEAN, &e) && e.content_len == 1 && *e.content;
}

bool mote_der_root(const uint8_t *cert, size_t len, struct mote_der_root *root)
{
  const uint8_t *p = cert;
  struct mote_der whole;
  memset(root, 0, sizeof *root);
  if(!take(&p, cert + len, MOTE_DER_SEQUENCE, &whole) || whole.whole_len != len)
    return false;
  root->ca = is_ca(cert, len);
  return read_key(cert, len, root) && read_validity(cert, len, root);
}
