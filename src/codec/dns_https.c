/* codec/dns_https.c: HTTPS records of DNS (RFC 9460, codec/dns.h).
 *
 * A record is a priority, the name of a target, and parameters in the order of their keys. Priority 0 makes
 * it an alias: what is looked for is then the record of its target, in the same response. What a response has
 * of other names is not looked at. */
#include "codec/dns_message.h"

/* Keys of parameters (RFC 9460 section 14.3.2). Those between that are not here are not understood. */
enum {
  KEY_MANDATORY = 0,
  KEY_ALPN = 1,
  KEY_NO_DEFAULT_ALPN = 2,
  KEY_PORT = 3,
  KEY_IPV4HINT = 4,
  KEY_IPV6HINT = 6,
  KEYS_KNOWN = 7
};

struct bytes {
  const uint8_t *at;
  size_t len;
};

struct service_record {
  uint16_t priority;                   /* 0: an alias */
  bool understood;                     /* it needs nothing else (section 8) */
  struct mote_dns_reader target;
  struct bytes param[KEYS_KNOWN];      /* at NULL: it has none */
};

static struct bytes dns_https_take(struct bytes *b, size_t n)
{
  struct bytes taken = {b->at, n};
  b->at += n;
  b->len -= n;
  return taken;
}

/* Takes a number of 16 bits. False: the bytes end before. */
static bool dns_https_take16(struct bytes *b, uint16_t *n)
{
  if(b->len < 2)
    return false;
  *n = mote_dns_get16(b->at);
  (void)dns_https_take(b, 2);
  return true;
}

/* Takes a target's name, which is not compressed. */
static bool dns_https_take_target(struct bytes *b, struct service_record *out)
{
  size_t at = 0;
  while(at < b->len && b->at[at] && b->at[at] <= MOTE_DNS_LABEL_MAX)
    at += 1u + b->at[at];
  if(at >= b->len || b->at[at] || at + 1 > MOTE_DNS_NAME_MAX)
    return false;
  out->target = mote_dns_read_at(b->at, at + 1, 0);
  (void)dns_https_take(b, at + 1);
  return true;
}

static bool dns_https_is_alpn(struct bytes b)
{
  if(!b.len)
    return false;
  while(b.len) {
    size_t n = b.at[0];
    if(!n || n + 1 > b.len)
      return false;
    (void)dns_https_take(&b, n + 1);
  }
  return true;
}

/* The keys are in order, and the first one is none of them. */
static bool dns_https_is_mandatory(struct bytes b)
{
  uint16_t key, before = KEY_MANDATORY;
  if(!b.len || b.len % 2)
    return false;
  while(dns_https_take16(&b, &key)) {
    if(key <= before)
      return false;
    before = key;
  }
  return true;
}

static bool dns_https_is_value(uint16_t key, struct bytes b)
{
  switch(key) {
  case KEY_MANDATORY:
    return dns_https_is_mandatory(b);
  case KEY_ALPN:
    return dns_https_is_alpn(b);
  case KEY_NO_DEFAULT_ALPN:
    return !b.len;
  case KEY_PORT:
    return b.len == 2 && mote_dns_get16(b.at);
  case KEY_IPV4HINT:
    return b.len && b.len % 4 == 0;
  case KEY_IPV6HINT:
    return b.len && b.len % 16 == 0;
  default:
    return true;
  }
}

/* Takes the parameters. seen: set to the number of those that the record says are needed and has. */
static bool dns_https_take_params(struct bytes b, struct service_record *out, size_t *seen)
{
  int before = -1;
  uint16_t key, len;
  *seen = 0;
  while(b.len) {
    struct bytes value, needed = out->param[KEY_MANDATORY];
    uint16_t n;
    if(!dns_https_take16(&b, &key) || !dns_https_take16(&b, &len) || len > b.len || key <= before)
      return false;
    before = key;
    value = dns_https_take(&b, len);
    if(!dns_https_is_value(key, value))
      return false;
    if(key < KEYS_KNOWN)
      out->param[key] = value;
    while(dns_https_take16(&needed, &n))
      *seen += n == key;
  }
  return true;
}

/* The parameter that is understood; "ech" is not. */
static bool dns_https_knows(uint16_t key)
{
  return key < KEYS_KNOWN && key != 5;
}

static bool dns_https_understands(const struct service_record *r)
{
  struct bytes needed = r->param[KEY_MANDATORY];
  uint16_t key;
  while(dns_https_take16(&needed, &key))
    if(!dns_https_knows(key))
      return false;
  return true;
}

/* False: it is malformed. An alias has no parameters that count (section 2.4.2). */
static bool dns_https_parse(const struct mote_dns_answers *a, const struct mote_dns_record *r,
                            struct service_record *out)
{
  struct bytes b = {a->m + r->data, r->size};
  size_t seen;
  memset(out, 0, sizeof *out);
  if(!dns_https_take16(&b, &out->priority) || !dns_https_take_target(&b, out))
    return false;
  if(!out->priority)
    return true;
  if(!dns_https_take_params(b, out, &seen) || seen != out->param[KEY_MANDATORY].len / 2)
    return false;
  if(out->param[KEY_NO_DEFAULT_ALPN].at && !out->param[KEY_ALPN].at)
    return false;
  out->understood = dns_https_understands(out);
  return true;
}

/* ---- which one ---- */

static bool dns_https_speaks_h3(const struct service_record *r)
{
  struct bytes b = r->param[KEY_ALPN];
  while(b.len) {
    size_t n = b.at[0];
    struct bytes id = dns_https_take(&b, n + 1);
    if(n == 2 && !memcmp(id.at + 1, "h3", 2))
      return true;
  }
  return false;
}

/* What is looked for, and what was found of it. */
struct choice {
  struct service_record best;
  struct mote_dns_reader alias; /* what the name is an alias of */
  uint32_t ttl, alias_ttl;
  bool found, aliased;
  bool canonical;               /* by CNAME, which goes before the records */
};

static void dns_https_note_alias(struct choice *c, struct mote_dns_reader target, uint32_t ttl,
                                 bool canonical)
{
  if(c->aliased && (c->canonical || !canonical))
    return;
  c->aliased = true;
  c->canonical = canonical;
  c->alias = target;
  c->alias_ttl = ttl;
}

/* Looks at all records of the name. */
static enum mote_dns_result dns_https_look(const struct mote_dns_answers *a, struct choice *c)
{
  size_t at = a->first;
  unsigned i;
  memset(c, 0, sizeof *c);
  for(i = 0; i < a->count; i++) {
    struct mote_dns_record r;
    struct service_record s;
    if(mote_dns_next_record(a->m, a->len, &at, &r))
      return MOTE_DNS_MALFORMED;
    if(mote_dns_is_of_name(a, &r, MOTE_DNS_TYPE_CNAME))
      dns_https_note_alias(c, mote_dns_read_at(a->m, r.data + r.size, r.data), r.ttl, true);
    if(!mote_dns_is_of_name(a, &r, MOTE_DNS_HTTPS))
      continue;
    if(!dns_https_parse(a, &r, &s))
      return MOTE_DNS_MALFORMED;
    if(!s.priority)
      dns_https_note_alias(c, s.target, r.ttl, false);
    if(!s.understood || !dns_https_speaks_h3(&s) || (c->found && s.priority >= c->best.priority))
      continue;
    c->found = true;
    c->best = s;
    c->ttl = r.ttl;
  }
  return MOTE_DNS_OK;
}

/* ---- what it is ---- */

static bool dns_https_is_root(struct mote_dns_reader name)
{
  return !name.bytes[name.at];
}

/* Prints a name. False: it has what no host's name has. */
static bool dns_https_print(struct mote_dns_reader name, struct mote_dns_service *out)
{
  const uint8_t *label;
  size_t len = 0, i;
  while(!mote_dns_next_label(&name, &label) && *label) {
    if(len)
      out->target[len++] = '.';
    for(i = 1; i <= *label; i++) {
      char c = mote_to_lower((char)label[i]);
      if(!mote_is_alnum(c) && c != '-' && c != '_')
        return false;
      out->target[len++] = c;
    }
  }
  out->target[len] = 0;
  out->target_len = (uint8_t)len;
  return len > 0;
}

static void dns_https_add_hints(struct mote_dns_service *out, struct bytes b, enum mote_family family)
{
  const size_t size = family == MOTE_FAMILY_IP4 ? 4 : 16;
  while(b.len && out->hints < MOTE_DNS_HINTS) {
    struct mote_addr *a = &out->hint[out->hints++];
    struct bytes ip = dns_https_take(&b, size);
    a->family = (uint8_t)family;
    memcpy(a->ip, ip.at, size);
  }
}

/* at_name: the records found are those of the name that was asked for, or of what it is an alias of by CNAME,
 * as its addresses are. */
static bool dns_https_describe(const struct mote_dns_answers *a, const struct choice *c, bool at_name,
                               struct mote_dns_service *out)
{
  const struct service_record *s = &c->best;
  bool own = dns_https_is_root(s->target);
  struct mote_dns_reader target = own ? a->name : s->target;
  memset(out, 0, sizeof *out);
  out->ttl = a->ttl < c->ttl ? a->ttl : c->ttl;
  if(!(at_name && (own || mote_dns_same_name(target, a->name))) && !dns_https_print(target, out))
    return false;
  if(s->param[KEY_PORT].at)
    out->port = mote_dns_get16(s->param[KEY_PORT].at);
  dns_https_add_hints(out, s->param[KEY_IPV6HINT], MOTE_FAMILY_IP6);
  dns_https_add_hints(out, s->param[KEY_IPV4HINT], MOTE_FAMILY_IP4);
  return true;
}

/* A resolver that knows what an alias leads to adds it to its response (section 4.1). */
static enum mote_dns_result dns_https_find(struct mote_dns_answers *a, struct mote_dns_service *out,
                                           bool *found)
{
  unsigned aliases = 0;
  bool at_name = true;
  struct choice c;
  for(;;) {
    enum mote_dns_result rc = dns_https_look(a, &c);
    if(rc)
      return rc;
    if(!c.aliased)
      break;
    if(++aliases > MOTE_DNS_ALIASES)
      return MOTE_DNS_MALFORMED;
    if(!c.canonical && dns_https_is_root(c.alias))
      return MOTE_DNS_OK; /* there is no service (section 2.5.1) */
    a->name = c.alias;
    mote_dns_use_ttl(a, c.alias_ttl);
    at_name = at_name && c.canonical;
  }
  if(c.found) {
    struct mote_dns_service service;
    *found = dns_https_describe(a, &c, at_name, &service);
    if(*found)
      *out = service;
  }
  return MOTE_DNS_OK;
}

enum mote_dns_result mote_dns_read_service(const uint8_t *message, size_t len, const uint8_t *query,
                                           size_t query_len, struct mote_dns_service *out, bool *found)
{
  struct mote_dns_answers a = {.m = message, .len = len, .ttl = UINT32_MAX};
  enum mote_dns_result rc = mote_dns_check(message, len, query, query_len, &a.first);
  if(rc)
    return rc;
  if(message[3] & 0x0f)
    return (message[3] & 0x0f) == 3 ? MOTE_DNS_NO_NAME : MOTE_DNS_REFUSED;
  a.count =
    (unsigned)mote_dns_get16(message + 6) + mote_dns_get16(message + 8) + mote_dns_get16(message + 10);
  a.name = mote_dns_read_at(query, query_len, MOTE_DNS_HEADER);
  return dns_https_find(&a, out, found);
}

/* Labels of a number and of "_https". */
static size_t dns_https_put_labels(uint16_t port, char *to)
{
  static const char end[] = "._https.";
  size_t len;
  if(port == 443)
    return 0;
  to[0] = '_';
  len = 1 + mote_print_dec(to + 1, port);
  memcpy(to + len, end, sizeof end - 1);
  return len + sizeof end - 1;
}

size_t mote_dns_query_service(const char *name, size_t name_len, uint16_t port,
                              uint8_t out[MOTE_DNS_QUERY_MAX])
{
  char text[sizeof "_65535._https." + MOTE_DNS_NAME_MAX];
  size_t len = dns_https_put_labels(port, text);
  if(name_len > MOTE_DNS_NAME_MAX)
    return 0;
  memcpy(text + len, name, name_len);
  return mote_dns_query(text, len + name_len, MOTE_DNS_HTTPS, out);
}
