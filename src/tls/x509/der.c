/* tls/x509/der.c: walking DER where it lies. */
#include "tls/x509/der.h"

#include <string.h>

#include "base/containers/hash.h"
#include "base/text.h"

/* X.680 universal string types whose characters are wider than a byte. */
#define TAG_UNIVERSAL_STRING 0x1cu
#define TAG_BMP_STRING 0x1eu

/* Reads the length octets (X.690 section 8.1.3) at *p and moves *p past them. */
static bool der_read_length(const uint8_t **p, const uint8_t *end, size_t *len)
{
  unsigned octets;
  size_t v = 0;
  if(*p == end)
    return false;
  octets = *(*p)++;
  if(octets < 0x80) {
    *len = octets;
    return true;
  }
  octets &= 0x7f;
  if(!octets || octets > 4 || (size_t)(end - *p) < octets)
    return false;
  while(octets--)
    v = v << 8 | *(*p)++;
  *len = v;
  return true;
}

/* Identifier and length; the content may reach beyond end. */
static bool read_header(const uint8_t **p, const uint8_t *end, struct mote_der *out)
{
  if(*p == end || (**p & 0x1f) == 0x1f)
    return false;
  out->whole = *p;
  out->tag = *(*p)++;
  if(!der_read_length(p, end, &out->content_len))
    return false;
  out->content = *p;
  out->whole_len = (size_t)(*p - out->whole) + out->content_len;
  return true;
}

bool mote_der_next(const uint8_t **p, const uint8_t *end, struct mote_der *out)
{
  const uint8_t *q = *p;
  if(!read_header(&q, end, out) || (size_t)(end - q) < out->content_len)
    return false;
  *p = q + out->content_len;
  return true;
}

/* Moves *p and *end along a path (der.h). */
static bool der_walk(const uint8_t **p, const uint8_t **end, const char *path)
{
  struct mote_der e;
  for(; *path; path++) {
    int n = *path - '0';
    if(*path == 'v')
      n = *p < *end && **p == MOTE_DER_CONTEXT(0);
    else if(*path == '(' || *path == 'b') {
      if(!read_header(p, *end, &e) || e.tag != (*path == 'b' ? MOTE_DER_BITS : MOTE_DER_SEQUENCE))
        return false;
      if((size_t)(*end - *p) > e.content_len)
        *end = *p + e.content_len;
      if(*path == 'b' && (*p == *end || *(*p)++))
        return false;
      continue;
    }
    for(; n; n--)
      if(!mote_der_next(p, *end, &e))
        return false;
  }
  return true;
}

bool mote_der_find(const uint8_t *der, size_t len, const char *path, struct mote_der *out)
{
  const uint8_t *p = der;
  const uint8_t *end = der + len;
  return der_walk(&p, &end, path + 1) && mote_der_next(&p, end, out) && out->tag == (uint8_t)path[0];
}

bool mote_der_extensions(const uint8_t *cert, size_t len, const uint8_t **p, const uint8_t **end)
{
  struct mote_der e;
  *p = cert;
  *end = cert + len;
  if(!der_walk(p, end, "((v6"))
    return false;
  while(*p < *end) { /* issuerUniqueID and subjectUniqueID may come before */
    if(!mote_der_next(p, *end, &e))
      return false;
    if(e.tag == MOTE_DER_CONTEXT(3)) {
      *p = e.content;
      *end = e.content + e.content_len;
      return der_walk(p, end, "(");
    }
  }
  return true;
}

bool mote_der_next_extension(const uint8_t **p, const uint8_t *end, struct mote_der_extension *out)
{
  struct mote_der e;
  const uint8_t *q;
  if(!mote_der_next(p, end, &e) || e.tag != MOTE_DER_SEQUENCE)
    return false;
  q = e.content;
  end = q + e.content_len;
  if(!mote_der_next(&q, end, &out->oid) || !mote_der_next(&q, end, &out->value))
    return false;
  out->critical = out->value.tag == MOTE_DER_BOOLEAN && out->value.content_len && *out->value.content;
  if(out->value.tag == MOTE_DER_BOOLEAN && !mote_der_next(&q, end, &out->value))
    return false;
  return out->value.tag == MOTE_DER_OCTETS;
}

bool mote_der_find_extension(const uint8_t *cert, size_t len, const uint8_t *oid, size_t oid_len,
                             struct mote_der *value)
{
  const uint8_t *p;
  const uint8_t *end;
  struct mote_der_extension e;
  if(!mote_der_extensions(cert, len, &p, &end))
    return false;
  while(mote_der_next_extension(&p, end, &e)) {
    if(e.oid.content_len == oid_len && !memcmp(e.oid.content, oid, oid_len)) {
      *value = e.value;
      return true;
    }
  }
  return false;
}

/* Width in bytes of the characters of a string type. */
static size_t char_width(uint8_t tag)
{
  if(tag == TAG_BMP_STRING)
    return 2;
  return tag == TAG_UNIVERSAL_STRING ? 4 : 1;
}

static uint32_t hash_value(const struct mote_der *value, uint32_t h)
{
  size_t width = char_width(value->tag);
  size_t i;
  size_t k;
  for(i = 0; i + width <= value->content_len; i += width) {
    unsigned high = 0;
    char c = (char)value->content[i + width - 1];
    for(k = 0; k + 1 < width; k++)
      high |= value->content[i + k];
    if(!high && mote_is_alnum(c)) {
      c = mote_to_lower(c);
      h = mote_hash_bytes(&c, 1, h);
    }
  }
  return h;
}

/* AttributeTypeAndValue: its sum does not depend on the order within the RDN. */
static bool hash_rdn(const struct mote_der *rdn, uint32_t *sum)
{
  const uint8_t *p = rdn->content;
  const uint8_t *end = p + rdn->content_len;
  struct mote_der ava;
  *sum = 0;
  while(p < end) {
    struct mote_der type;
    struct mote_der value;
    const uint8_t *q;
    if(!mote_der_next(&p, end, &ava) || ava.tag != MOTE_DER_SEQUENCE)
      return false;
    q = ava.content;
    if(!mote_der_next(&q, ava.content + ava.content_len, &type) ||
       !mote_der_next(&q, ava.content + ava.content_len, &value))
      return false;
    *sum += hash_value(&value, mote_hash_bytes(type.content, type.content_len, 0));
  }
  return true;
}

bool mote_der_name_hash(const uint8_t *name, size_t len, uint32_t *hash)
{
  const uint8_t *p = name;
  struct mote_der e;
  struct mote_der rdn;
  uint32_t h = 0;
  if(!mote_der_next(&p, name + len, &e) || e.tag != MOTE_DER_SEQUENCE)
    return false;
  p = e.content;
  while(p < e.content + e.content_len) {
    uint32_t sum;
    uint8_t octets[4];
    int i;
    if(!mote_der_next(&p, e.content + e.content_len, &rdn) || rdn.tag != MOTE_DER_SET ||
       !hash_rdn(&rdn, &sum))
      return false;
    for(i = 0; i < 4; i++)
      octets[i] = (uint8_t)(sum >> (8 * i));
    h = mote_hash_bytes(octets, sizeof octets, h);
  }
  *hash = h ? h : 1;
  return true;
}

/* Writes a SEQUENCE's header that ends where the content begins. */
static uint8_t *write_header(uint8_t *content, size_t len)
{
  uint8_t *p = content;
  unsigned octets = 0;
  if(len < 0x80)
    *--p = (uint8_t)len;
  else {
    size_t rest;
    for(rest = len; rest; rest >>= 8, octets++)
      *--p = (uint8_t)rest;
    *--p = (uint8_t)(0x80 | octets);
  }
  *--p = MOTE_DER_SEQUENCE;
  return p;
}

uint8_t *mote_der_drop(uint8_t *seq, size_t *len, uint8_t tag)
{
  const uint8_t *p = seq;
  const uint8_t *end;
  struct mote_der whole;
  struct mote_der e;
  uint8_t *content;
  size_t left;
  if(!mote_der_next(&p, seq + *len, &whole) || whole.tag != MOTE_DER_SEQUENCE || whole.whole_len != *len)
    return NULL;
  p = whole.content;
  end = p + whole.content_len;
  do {
    if(p == end)
      return seq;
    if(!mote_der_next(&p, end, &e))
      return NULL;
  } while(e.tag != tag);
  content = seq + (whole.content - seq);
  left = whole.content_len - e.whole_len;
  memmove(content + (e.whole - whole.content), p, (size_t)(end - p));
  seq = write_header(content, left);
  *len = (size_t)(content - seq) + left;
  return seq;
}
