/* tls/der_root.c: key, validity and constraints of a trusted certificate (RFC 5280, RFC 8017, RFC 5480). */
#include <string.h>

#include "tls/der.h"

#define UTC_TIME 0x17u
#define GENERALIZED_TIME 0x18u

/* OBJECT IDENTIFIERs with their headers. */
static const uint8_t rsa_encryption[] = {0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01};
static const uint8_t ec_public_key[] = {0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01};
static const uint8_t p256[] = {0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};
static const uint8_t p384[] = {0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22}; /* and P-521: 0x23 */
static const uint8_t basic_constraints[] = {0x55, 0x1d, 0x13}; /* content alone */

static bool begins(const struct mote_der *e, const uint8_t *bytes, size_t len)
{
  return e->whole_len >= len && !memcmp(e->whole, bytes, len);
}

/* INTEGER above 0. */
static uint32_t find_number(const uint8_t *cert, size_t len, const char *path, const uint8_t **digits)
{
  struct mote_der e;
  if(!mote_der_find(cert, len, path, &e))
    return 0;
  while(e.content_len && !*e.content) {
    e.content++;
    e.content_len--;
  }
  *digits = e.content;
  return (uint32_t)e.content_len;
}

static uint8_t curve_of(const struct mote_der *name)
{
  unsigned last;
  if(begins(name, p256, sizeof p256))
    return 23;
  if(!begins(name, p384, sizeof p384 - 1))
    return 0;
  last = name->whole[sizeof p384 - 1] - 0x22u;
  return last < 2 ? (uint8_t)(24 + last) : 0;
}

/* SubjectPublicKeyInfo: what the key is, and its bits. */
static bool read_key(const uint8_t *cert, size_t len, struct mote_der_root *root)
{
  struct mote_der e;
  if(!mote_der_find(cert, len, "\x06((v5((", &e))
    return false;
  if(begins(&e, rsa_encryption, sizeof rsa_encryption)) {
    root->key_len = find_number(cert, len, "\x02((v5(1b(", &root->key);
    root->exponent_len = find_number(cert, len, "\x02((v5(1b(1", &root->exponent);
    return root->key_len && root->exponent_len;
  }
  if(!begins(&e, ec_public_key, sizeof ec_public_key) || !mote_der_find(cert, len, "\x06((v5((1", &e))
    return false;
  root->curve = curve_of(&e);
  if(!root->curve || !mote_der_find(cert, len, "\x03((v5(1", &e) || e.content_len < 2)
    return false;
  root->key = e.content + 1; /* no bits are left over: a point is octets */
  root->key_len = (uint32_t)e.content_len - 1;
  return !*e.content;
}

/* UTCTime or GeneralizedTime: century, year, month and day in two digits each. March begins the year, so that
 * a leap day is its last. */
static bool read_day(const struct mote_der *e, int32_t *day)
{
  const uint8_t *c = e->content;
  int32_t n[4];
  int32_t year;
  int32_t month;
  unsigned i;
  if(e->content_len < 8 || e->tag < UTC_TIME || e->tag > GENERALIZED_TIME)
    return false;
  for(i = e->tag == UTC_TIME; i < 4; i++, c += 2)
    n[i] = c[0] * 10 + c[1] - '0' * 11;
  if(e->tag == UTC_TIME)
    n[0] = n[1] < 50 ? 20 : 19;
  year = n[0] * 100 + n[1];
  month = n[2] - 3;
  if(month < 0) {
    month += 12;
    year--;
  }
  n[0] = year / 100;
  *day = (year * 1461 >> 2) - n[0] + (n[0] >> 2) + ((month * 979 + 16) >> 5) + n[3] - 719469;
  return true;
}

static bool read_validity(const uint8_t *cert, size_t len, struct mote_der_root *root)
{
  struct mote_der e;
  const uint8_t *p;
  if(!mote_der_find(cert, len, "\x30((v3", &e))
    return false;
  len = e.content_len;
  p = e.content;
  cert = p + len;
  return mote_der_next(&p, cert, &e) && read_day(&e, &root->first_day) &&
         mote_der_next(&p, cert, &e) && read_day(&e, &root->last_day);
}

bool mote_der_root(const uint8_t *cert, size_t len, struct mote_der_root *root)
{
  const uint8_t *p = cert;
  struct mote_der e;
  memset(root, 0, sizeof *root);
  if(!mote_der_next(&p, cert + len, &e) || e.whole_len != len)
    return false;
  root->ca = mote_der_extension(cert, len, basic_constraints, sizeof basic_constraints, &e) &&
             mote_der_find(e.content, e.content_len, "\x01(", &e) && e.content_len && *e.content;
  return read_key(cert, len, root) && read_validity(cert, len, root);
}
