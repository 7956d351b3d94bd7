/* tls/x509/path_names.c: nameConstraints (RFC 5280 section 4.2.1.10). */
#include <string.h>

#include "base/text.h"
#include "tls/x509/der.h"
#include "tls/x509/path.h"

/* GeneralName (RFC 5280 section 4.2.1.6) */
#define DNS_NAME 0x82u
#define DIRECTORY_NAME MOTE_DER_CONTEXT(4)
#define IP_ADDRESS 0x87u

#define PERMITTED MOTE_DER_CONTEXT(0)
#define EXCLUDED MOTE_DER_CONTEXT(1)

static const uint8_t subject_alt_name[] = {0x55, 0x1d, 0x11};

static bool ends_with(const uint8_t *text, size_t len, const uint8_t *end, size_t end_len)
{
  return len >= end_len &&
         mote_equal_nocase_n((const char *)text + (len - end_len), (const char *)end, end_len);
}

/* The length without the dot at the end of a fully qualified name: hostname.c matches names without it. */
static size_t bare_len(const struct mote_der *name)
{
  size_t len = name->content_len;
  return len > 1 && name->content[len - 1] == '.' ? len - 1 : len;
}

/* The name is the base or a subdomain of it; with a dot in front, a subdomain only. A wildcard is excluded if
 * any name that it stands for is. */
static bool dns_within(const struct mote_der *name, const struct mote_der *base, bool excluded)
{
  const uint8_t *n = name->content;
  const uint8_t *b = base->content;
  size_t n_len = bare_len(name);
  size_t b_len = bare_len(base);
  size_t extra = n_len - b_len;
  if(!b_len)
    return true;
  if(excluded && n_len > 1 && *n == '*' && ends_with(b, b_len, n + 1, n_len - 1))
    return true;
  return ends_with(n, n_len, b, b_len) && (!extra || *b == '.' || n[extra - 1] == '.');
}

/* The base is an address and a mask. A malformed one excludes every address and permits none. */
static bool ip_within(const struct mote_der *name, const struct mote_der *base, bool excluded)
{
  size_t len = name->content_len;
  size_t i;
  if(base->content_len != 8 && base->content_len != 32)
    return excluded;
  if(base->content_len != 2 * len)
    return false;
  for(i = 0; i < len; i++)
    if((name->content[i] ^ base->content[i]) & base->content[len + i])
      return false;
  return true;
}

/* Equal but for the string type and for upper and lower case (RFC 5280 section 7.1, in part). */
static bool is_same_rdn(const struct mote_der *a, const struct mote_der *b)
{
  const uint8_t *p;
  const uint8_t *q;
  struct mote_der x;
  struct mote_der y;
  if(a->whole_len == b->whole_len && !memcmp(a->whole, b->whole, a->whole_len))
    return true;
  if(!mote_der_find(a->content, a->content_len, "\x06(", &x) ||
     !mote_der_find(b->content, b->content_len, "\x06(", &y) || x.content_len != y.content_len ||
     memcmp(x.content, y.content, x.content_len) != 0)
    return false;
  p = x.content + x.content_len;
  q = y.content + y.content_len;
  return mote_der_next(&p, a->content + a->content_len, &x) &&
         mote_der_next(&q, b->content + b->content_len, &y) && p == a->content + a->content_len &&
         q == b->content + b->content_len && x.content_len == y.content_len &&
         mote_equal_nocase_n((const char *)x.content, (const char *)y.content, x.content_len);
}

/* The name begins with the base, RDN by RDN. Both elements hold a Name. */
static bool directory_within(const struct mote_der *name, const struct mote_der *base, bool excluded)
{
  const uint8_t *n = name->content;
  const uint8_t *b = base->content;
  const uint8_t *n_end;
  const uint8_t *b_end;
  struct mote_der x;
  struct mote_der y;
  if(!mote_der_next(&n, n + name->content_len, &x) || !mote_der_next(&b, b + base->content_len, &y))
    return excluded;
  n = x.content;
  n_end = n + x.content_len;
  b = y.content;
  b_end = b + y.content_len;
  while(b < b_end) {
    if(!mote_der_next(&b, b_end, &y))
      return excluded;
    if(!mote_der_next(&n, n_end, &x) || !is_same_rdn(&x, &y))
      return false;
  }
  return true;
}

static bool is_within(const struct mote_der *name, const struct mote_der *base, bool excluded)
{
  if(name->tag == DNS_NAME)
    return dns_within(name, base, excluded);
  if(name->tag == IP_ADDRESS)
    return ip_within(name, base, excluded);
  return name->tag == DIRECTORY_NAME ? directory_within(name, base, excluded) : excluded;
}

/* Whether the name is within one of these GeneralSubtrees; *any says that there is one of its kind. *fine
 * becomes false for a malformed one. A minimum and a maximum count as malformed, RFC 5280 wants them
 * absent. */
static bool is_within_one(const struct mote_der *trees, const struct mote_der *name, bool *any, bool *fine)
{
  const uint8_t *p = trees->content;
  const uint8_t *end = p + trees->content_len;
  struct mote_der tree;
  struct mote_der base;
  bool within = false;
  while(*fine && p < end) {
    const uint8_t *q;
    *fine = mote_der_next(&p, end, &tree) && tree.tag == MOTE_DER_SEQUENCE;
    q = tree.content;
    *fine = *fine && mote_der_next(&q, q + tree.content_len, &base) && q == p;
    if(!*fine || base.tag != name->tag)
      continue;
    *any = true;
    within = within || is_within(name, &base, trees->tag == EXCLUDED);
  }
  return within;
}

static bool path_names_is_allowed(const struct mote_der *constraints, const struct mote_der *name)
{
  const uint8_t *p = constraints->content;
  const uint8_t *end;
  struct mote_der trees;
  bool fine = true;
  if(!mote_der_next(&p, p + constraints->content_len, &trees) || trees.tag != MOTE_DER_SEQUENCE)
    return false;
  p = trees.content;
  end = p + trees.content_len;
  while(p < end) {
    bool any = false;
    bool within;
    if(!mote_der_next(&p, end, &trees) || (trees.tag != PERMITTED && trees.tag != EXCLUDED))
      return false;
    within = is_within_one(&trees, name, &any, &fine);
    if(!fine || (any && within == (trees.tag == EXCLUDED)))
      return false;
  }
  return true;
}

static bool is_subject_allowed(const struct mote_der *constraints, const struct mote_path_cert *c)
{
  struct mote_der name;
  if(!mote_der_subject(c->der, c->len, &name))
    return false;
  if(!name.content_len)
    return true;
  name.content = name.whole;
  name.content_len = name.whole_len;
  name.tag = DIRECTORY_NAME;
  return path_names_is_allowed(constraints, &name);
}

bool mote_path_names_allowed(const struct mote_der *constraints, const struct mote_path_cert *below,
                             unsigned count)
{
  struct mote_der value;
  struct mote_der e;
  const uint8_t *p;
  const uint8_t *end;
  for(; count; count--, below++) {
    if(!is_subject_allowed(constraints, below))
      return false;
    if(!mote_der_find_extension(below->der, below->len, subject_alt_name, sizeof subject_alt_name, &value))
      continue;
    if(!mote_der_find(value.content, value.content_len, "\x30", &e))
      return false;
    p = e.content;
    end = p + e.content_len;
    while(p < end)
      if(!mote_der_next(&p, end, &e) || !path_names_is_allowed(constraints, &e))
        return false;
  }
  return true;
}
