/* tls/x509/der_key.c: key and validity of a certificate (RFC 5280, RFC 8017, RFC 5480). */
#include <string.h>

#include "base/text.h"
#include "tls/x509/der.h"

#define UTC_TIME 0x17u
#define GENERALIZED_TIME 0x18u

/* OBJECT IDENTIFIERs with their headers. */
static const uint8_t rsa_encryption[] = {0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01};
static const uint8_t ec_public_key[] = {0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01};
static const uint8_t p256[] = {0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};
static const uint8_t p384[] = {0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22}; /* and P-521: 0x23 */

static bool der_key_begins(const struct mote_der *e, const uint8_t *bytes, size_t len)
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
  if(der_key_begins(name, p256, sizeof p256))
    return 23;
  if(!der_key_begins(name, p384, sizeof p384 - 1))
    return 0;
  last = name->whole[sizeof p384 - 1] - 0x22u;
  return last < 2 ? (uint8_t)(24 + last) : 0;
}

bool mote_der_key(const uint8_t *cert, size_t len, struct mote_der_key *key)
{
  struct mote_der e;
  memset(key, 0, sizeof *key);
  if(!mote_der_find(cert, len, "\x06((v5((", &e))
    return false;
  if(der_key_begins(&e, rsa_encryption, sizeof rsa_encryption)) {
    key->len = find_number(cert, len, "\x02((v5(1b(", &key->bytes);
    key->exponent_len = find_number(cert, len, "\x02((v5(1b(1", &key->exponent);
    return key->len && key->exponent_len;
  }
  if(!der_key_begins(&e, ec_public_key, sizeof ec_public_key) || !mote_der_find(cert, len, "\x06((v5((1", &e))
    return false;
  key->curve = curve_of(&e);
  if(!key->curve || !mote_der_find(cert, len, "\x03((v5(1", &e) || e.content_len < 2)
    return false;
  key->bytes = e.content + 1; /* no bits are left over: a point is octets */
  key->len = (uint32_t)e.content_len - 1;
  return !*e.content;
}

/* UTCTime or GeneralizedTime in the form of RFC 5280 section 4.1.2.5: century, year, month, day, hour, minute
 * and second in two digits each, then Z. March begins the year, so that a leap day is its last. */
static bool der_key_read_time(const struct mote_der *e, struct mote_der_time *time)
{
  const uint8_t *c = e->content;
  unsigned i = e->tag == UTC_TIME;
  int32_t n[7];
  int32_t year;
  int32_t month;
  if(e->tag < UTC_TIME || e->tag > GENERALIZED_TIME || e->content_len != 15 - 2 * i)
    return false;
  for(; i < 7; i++, c += 2) {
    if(!mote_is_digit((char)c[0]) || !mote_is_digit((char)c[1]))
      return false;
    n[i] = c[0] * 10 + c[1] - '0' * 11;
  }
  if(e->tag == UTC_TIME)
    n[0] = n[1] < 50 ? 20 : 19;
  year = n[0] * 100 + n[1];
  month = n[2] - 3;
  if(month < 0) {
    month += 12;
    year--;
  }
  n[0] = year / 100;
  time->day = (year * 1461 >> 2) - n[0] + (n[0] >> 2) + ((month * 979 + 16) >> 5) + n[3] - 719469;
  time->second = (n[4] * 60 + n[5]) * 60 + n[6];
  return *c == 'Z';
}

bool mote_der_validity(const uint8_t *cert, size_t len, struct mote_der_time *from,
                       struct mote_der_time *until)
{
  struct mote_der e;
  struct mote_der time;
  const uint8_t *p;
  const uint8_t *end;
  if(!mote_der_find(cert, len, "\x30((v3", &e))
    return false;
  p = e.content;
  end = p + e.content_len;
  return mote_der_next(&p, end, &time) && der_key_read_time(&time, from) && mote_der_next(&p, end, &time) &&
         der_key_read_time(&time, until);
}
