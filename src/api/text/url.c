/* api/text/url.c: curl_url(3), curl_url_dup(3), curl_url_cleanup(3), curl_url_set(3), curl_url_get(3). */
#include <curl/curl.h>
#include <string.h>

#include "base/memory.h"
#include "codec/url/curlu.h"
#include "codec/url/percent.h"
#include "codec/url/url.h"
#include "codec/url/url_part.h"
#include "transfer/protocol.h"

CURLU *curl_url(void)
{
  return mote_mem_zalloc(mote_mem_process(), MOTE_PART_URL, sizeof(CURLU));
}

void curl_url_cleanup(CURLU *u)
{
  if(!u)
    return;
  mote_mem_free(mote_mem_process(), MOTE_PART_URL, u->text, u->size);
  mote_mem_free(mote_mem_process(), MOTE_PART_URL, u, sizeof *u);
}

CURLU *curl_url_dup(const CURLU *in)
{
  CURLU *u = in ? curl_url() : NULL;
  if(!u)
    return NULL;
  *u = *in;
  u->text = NULL;
  u->size = in->used;
  if(!u->used)
    return u;
  u->text = mote_mem_alloc(mote_mem_process(), MOTE_PART_URL, u->size);
  if(!u->text) {
    mote_mem_free(mote_mem_process(), MOTE_PART_URL, u, sizeof *u);
    return NULL;
  }
  memcpy(u->text, in->text, u->used);
  return u;
}

/* Give a part another length, and return where it lies now. Of its bytes those remain that fit. NULL: out of
 * memory, or too long. */
static char *text_url_resize(CURLU *u, CURLUPart part, size_t len)
{
  size_t off = mote_curlu_offset(u, part);
  size_t old = u->len[part];
  size_t tail = u->used - off - old;
  size_t need = off + len + tail;
  char *text = u->text;
  if(need > UINT32_MAX)
    return NULL;
  if(need > u->size) {
    text = mote_mem_alloc(mote_mem_process(), MOTE_PART_URL, need);
    if(!text)
      return NULL;
    if(u->text) {
      memcpy(text, u->text, off + old);
      memcpy(text + off + len, u->text + off + old, tail);
    }
    mote_mem_free(mote_mem_process(), MOTE_PART_URL, u->text, u->size);
    u->text = text;
    u->size = (uint32_t)need;
  }
  else if(tail)
    memmove(text + off + len, text + off + old, tail);
  u->len[part] = (uint32_t)len;
  u->used = (uint32_t)need;
  u->has = (uint16_t)(u->has | 1u << part);
  return text ? text + off : NULL;
}

static void text_url_clear(CURLU *u)
{
  mote_mem_free(mote_mem_process(), MOTE_PART_URL, u->text, u->size);
  memset(u, 0, sizeof *u);
}

static void text_url_drop(CURLU *u, CURLUPart part)
{
  if(part == CURLUPART_URL) {
    text_url_clear(u);
    return;
  }
  if(u->len[part])
    (void)text_url_resize(u, part, 0); /* cannot fail, since it needs no larger block */
  u->has = (uint16_t)(u->has & ~(1u << part));
  if(part == CURLUPART_FRAGMENT)
    u->has = (uint16_t)(u->has & ~MOTE_CURLU_OWN_FRAGMENT);
  if(part == CURLUPART_SCHEME)
    u->guessed = false;
}

static CURLUcode text_url_store(CURLU *u, CURLUPart part, struct mote_slice value)
{
  char *to;
  if(!value.len) {
    text_url_drop(u, part);
    u->has = (uint16_t)(u->has | 1u << part);
    return CURLUE_OK;
  }
  to = text_url_resize(u, part, value.len);
  if(!to)
    return CURLUE_OUT_OF_MEMORY;
  memcpy(to, value.ptr, value.len);
  return CURLUE_OK;
}

/* Store after `lead`, with all bytes encoded except unreserved ones and those in `keep`. */
static CURLUcode store_encoded(CURLU *u, CURLUPart part, struct mote_slice value, const char *keep,
                               struct mote_slice lead)
{
  size_t len = mote_percent_encode(value, 0, keep, NULL, 0);
  char *to;
  to = text_url_resize(u, part, lead.len + len);
  if(!to)
    return CURLUE_OUT_OF_MEMORY;
  memcpy(to, lead.ptr, lead.len);
  mote_percent_encode(value, 0, keep, to + lead.len, len);
  return CURLUE_OK;
}

/* Store after `lead`, unchanged except that escapes get upper-case digits. */
static CURLUcode store_raw(CURLU *u, CURLUPart part, struct mote_slice value, struct mote_slice lead)
{
  char *to = text_url_resize(u, part, lead.len + value.len);
  if(!to)
    return CURLUE_OUT_OF_MEMORY;
  memcpy(to, lead.ptr, lead.len);
  memcpy(to + lead.len, value.ptr, value.len);
  mote_percent_raise(to, lead.len + value.len);
  return CURLUE_OK;
}

static CURLUcode set_scheme(CURLU *u, struct mote_slice value, unsigned flags)
{
  char text[MOTE_URL_MAX_SCHEME + 1];
  size_t i;
  if(!value.len || value.len > MOTE_URL_MAX_SCHEME)
    return CURLUE_BAD_SCHEME;
  for(i = 0; i < value.len; i++)
    text[i] = mote_to_lower(value.ptr[i]);
  text[i] = ':';
  if(!(flags & CURLU_NON_SUPPORT_SCHEME) && !mote_scheme_find(text, value.len))
    return CURLUE_UNSUPPORTED_SCHEME;
  if(mote_url_scheme_len(text, value.len + 1, false) != value.len)
    return CURLUE_BAD_SCHEME;
  if(text_url_store(u, CURLUPART_SCHEME, value))
    return CURLUE_OUT_OF_MEMORY;
  u->guessed = false;
  return CURLUE_OK;
}

static CURLUcode set_port(CURLU *u, struct mote_slice value)
{
  uint64_t number;
  char text[21];
  struct mote_slice digits = { text, 0 };
  if(!mote_parse_dec(value, 65535, &number))
    return CURLUE_BAD_PORT_NUMBER;
  digits.len = mote_print_dec(text, number);
  return text_url_store(u, CURLUPART_PORT, digits);
}

/* All parts of a new text. */
struct parts {
  struct mote_slice part[MOTE_CURLU_PARTS];
  uint16_t has;
  bool guessed;
  char literal[MOTE_HOST_LITERAL + 2]; /* an IPv6 address in its brackets */
};

static void parts_of(const CURLU *u, struct parts *all)
{
  int i;
  for(i = 0; i < MOTE_CURLU_PARTS; i++)
    all->part[i] = mote_curlu_part(u, (CURLUPart)i);
  all->has = u->has;
  all->guessed = u->guessed;
}

/* Make "[address]" the host. */
static void text_url_put_literal(struct parts *all, struct mote_slice address)
{
  all->literal[0] = '[';
  memcpy(all->literal + 1, address.ptr, address.len);
  all->literal[address.len + 1] = ']';
  all->part[CURLUPART_HOST].ptr = all->literal;
  all->part[CURLUPART_HOST].len = address.len + 2;
}

/* Replace all parts at once; their slices may lie in the old text. */
static CURLUcode rebuild(CURLU *u, const struct parts *all)
{
  size_t size = 0;
  size_t used = 0;
  char *text = NULL;
  int i;
  for(i = 0; i < MOTE_CURLU_PARTS; i++)
    size += all->part[i].len;
  if(size > UINT32_MAX)
    return CURLUE_TOO_LARGE;
  if(size) {
    text = mote_mem_alloc(mote_mem_process(), MOTE_PART_URL, size);
    if(!text)
      return CURLUE_OUT_OF_MEMORY;
  }
  for(i = 0; i < MOTE_CURLU_PARTS; i++) {
    if(all->part[i].len)
      memcpy(text + used, all->part[i].ptr, all->part[i].len);
    used += all->part[i].len;
  }
  text_url_clear(u);
  u->text = text;
  u->size = (uint32_t)size;
  u->used = (uint32_t)size;
  for(i = 0; i < MOTE_CURLU_PARTS; i++)
    u->len[i] = (uint32_t)all->part[i].len;
  u->has = all->has;
  u->guessed = all->guessed;
  return CURLUE_OK;
}

/* A host that needs encoding is refused. Escapes stay, except in an address, which is stored in normal
 * form. */
static CURLUcode set_host(CURLU *u, struct mote_slice value, unsigned flags)
{
  struct mote_host host;
  struct parts all;
  bool empty = !value.len && (flags & CURLU_NO_AUTHORITY);
  CURLUcode rc;
  if((flags & CURLU_URLENCODE) && mote_percent_encode(value, 0, NULL, NULL, 0) != value.len)
    return CURLUE_BAD_HOSTNAME;
  memset(&host, 0, sizeof host);
  if(!empty && mote_host_read(&host, value, true))
    return CURLUE_BAD_HOSTNAME;
  parts_of(u, &all);
  all.part[CURLUPART_HOST] = value;
  if(host.kind == MOTE_HOST_IPV6)
    text_url_put_literal(&all, host.raw);
  else if(host.kind == MOTE_HOST_IPV4) {
    all.part[CURLUPART_HOST].ptr = host.literal;
    all.part[CURLUPART_HOST].len = host.literal_len;
  }
  all.part[CURLUPART_ZONEID] = host.zone;
  all.has = (uint16_t)((all.has | 1u << CURLUPART_HOST) & ~(1u << CURLUPART_ZONEID));
  if(host.zone.ptr)
    all.has = (uint16_t)(all.has | 1u << CURLUPART_ZONEID);
  rc = rebuild(u, &all);
  if(!rc && host.kind == MOTE_HOST_NAME)
    mote_percent_raise(u->text + mote_curlu_offset(u, CURLUPART_HOST), u->len[CURLUPART_HOST]);
  return rc;
}

/* Take over a parsed URL. */
static CURLUcode text_url_import(CURLU *u, const struct mote_url *url)
{
  struct parts all;
  int i;
  for(i = 1; i < MOTE_CURLU_PARTS; i++)
    all.part[i] = mote_url_get(url, (enum mote_url_part)i);
  all.part[CURLUPART_URL].ptr = "";
  all.part[CURLUPART_URL].len = 0;
  all.has = (uint16_t)(url->has & ~((1u << MOTE_URL_WHOLE) | (1u << MOTE_URL_ACE)));
  all.guessed = url->guessed;
  if(url->host_kind == MOTE_HOST_IPV6)
    text_url_put_literal(&all, all.part[CURLUPART_HOST]);
  return rebuild(u, &all);
}

/* Resolve against the URL that the handle holds; if it holds none, parse the reference alone. */
static CURLUcode text_url_resolve(const CURLU *u, struct mote_url *url, struct mote_slice ref,
                                  const struct mote_url_how *how)
{
  struct mote_url_how lax = { .account = how->account };
  struct mote_url base;
  unsigned shown = (how->flags & (CURLU_DEFAULT_SCHEME | CURLU_DEFAULT_PORT | CURLU_NO_DEFAULT_PORT)) |
                   CURLU_GET_EMPTY; /* an empty query is the base's own, and a reference may keep it */
  char *text;
  size_t len;
  CURLUcode rc = mote_curlu_print(u, shown, NULL, 0, &len);
  if(rc)
    return mote_url_parse(url, ref.ptr, ref.len, how);
  text = mote_mem_alloc(how->account, MOTE_PART_URL, len);
  if(!text)
    return CURLUE_OUT_OF_MEMORY;
  lax.flags = CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS | CURLU_ALLOW_SPACE | CURLU_NO_AUTHORITY |
              MOTE_URL_BASE;
  rc = mote_curlu_print(u, shown, text, len, &len);
  if(!rc)
    rc = mote_url_parse(&base, text, len, &lax);
  if(!rc) {
    rc = mote_url_resolve(url, &base, ref, how, true);
    mote_url_close(&base);
  }
  mote_mem_free(how->account, MOTE_PART_URL, text, len);
  return rc;
}

/* An empty reference is the URL itself, without its fragment (RFC 3986 section 5.2.2). */
static CURLUcode set_nothing(CURLU *u, unsigned flags)
{
  size_t len;
  if(mote_curlu_print(u, flags & CURLU_DEFAULT_SCHEME, NULL, 0, &len))
    return CURLUE_MALFORMED_INPUT;
  text_url_drop(u, CURLUPART_FRAGMENT);
  return CURLUE_OK;
}

static CURLUcode text_set_url(CURLU *u, struct mote_slice value, unsigned flags)
{
  struct mote_url_how how = { .account = mote_mem_process(), .supported = mote_scheme_is_known };
  bool may_guess = (flags & (CURLU_GUESS_SCHEME | CURLU_DEFAULT_SCHEME)) != 0;
  struct mote_url url;
  CURLUcode rc;
  how.flags = flags & ~(MOTE_URL_IDN | MOTE_URL_BASE);
  if(!value.len)
    return set_nothing(u, flags);
  if(mote_url_scheme_len(value.ptr, value.len, may_guess))
    rc = mote_url_parse(&url, value.ptr, value.len, &how);
  else
    rc = text_url_resolve(u, &url, value, &how);
  if(rc)
    return rc;
  rc = text_url_import(u, &url);
  mote_url_close(&url);
  return rc;
}

static size_t query_bytes(struct mote_slice s, unsigned flags, char *out, size_t cap)
{
  if(flags & CURLU_URLENCODE)
    return mote_percent_encode(s, MOTE_PERCENT_PLUS, NULL, out, cap);
  if(cap)
    memcpy(out, s.ptr, s.len);
  return s.len;
}

/* When a "name=value" is appended, its first "=" is not encoded. */
static CURLUcode text_url_set_query(CURLU *u, struct mote_slice value, unsigned flags)
{
  struct mote_slice old = mote_curlu_part(u, CURLUPART_QUERY);
  bool append = (flags & CURLU_APPENDQUERY) != 0;
  const char *equals = append && value.len ? memchr(value.ptr, '=', value.len) : NULL;
  size_t head = append ? old.len : 0;
  bool amp = head && old.ptr[head - 1] != '&';
  struct mote_slice rest = { value.ptr + value.len, 0 };
  size_t name;
  size_t len;
  char *to;
  if(equals) {
    rest.ptr = equals + 1;
    rest.len = value.len - (size_t)(equals + 1 - value.ptr);
    value.len -= rest.len + 1;
  }
  head += amp ? 1u : 0u;
  name = query_bytes(value, flags, NULL, 0);
  len = head + name + (equals ? 1 + query_bytes(rest, flags, NULL, 0) : 0);
  if(!value.len && !equals && (!head || (flags & CURLU_URLENCODE))) {
    text_url_drop(u, CURLUPART_QUERY);
    if(!(flags & CURLU_URLENCODE))
      u->has = (uint16_t)(u->has | 1u << CURLUPART_QUERY);
    return CURLUE_OK;
  }
  to = text_url_resize(u, CURLUPART_QUERY, len);
  if(!to)
    return CURLUE_OUT_OF_MEMORY;
  if(amp)
    to[head - 1] = '&';
  query_bytes(value, flags, to + head, name);
  if(equals) {
    to[head + name] = '=';
    query_bytes(rest, flags, to + head + name + 1, len - head - name - 1);
  }
  if(!(flags & CURLU_URLENCODE)) /* what was there stays as it was written */
    mote_percent_raise(to + head, len - head);
  return CURLUE_OK;
}

/* Bytes of a path that CURLU_URLENCODE leaves as they are, besides unreserved ones. As in libcurl these
 * are more than RFC 3986 section 3.3 allows. */
#define PATH_STAYS "!$&'()*+,/:;=@[]{}"

/* User, password, options, path, fragment and zone id. A path begins with a slash. */
static CURLUcode set_plain(CURLU *u, CURLUPart what, struct mote_slice value, unsigned flags)
{
  bool path = what == CURLUPART_PATH;
  struct mote_slice lead = { "/", path && value.len && value.ptr[0] != '/' };
  if(!value.len) {
    text_url_drop(u, what);
    if(what == CURLUPART_FRAGMENT || !(flags & CURLU_URLENCODE))
      u->has = (uint16_t)(u->has | 1u << what);
    if(what == CURLUPART_FRAGMENT && !(flags & CURLU_URLENCODE))
      u->has = (uint16_t)(u->has | MOTE_CURLU_OWN_FRAGMENT);
    return CURLUE_OK;
  }
  if(flags & CURLU_URLENCODE)
    return store_encoded(u, what, value, path ? PATH_STAYS : NULL, lead);
  return store_raw(u, what, value, lead);
}

static CURLUcode text_url_set_part(CURLU *u, CURLUPart what, struct mote_slice value, unsigned flags)
{
  switch(what) {
  case CURLUPART_URL:
    return text_set_url(u, value, flags);
  case CURLUPART_SCHEME:
    return set_scheme(u, value, flags);
  case CURLUPART_HOST:
    return set_host(u, value, flags);
  case CURLUPART_PORT:
    return set_port(u, value);
  case CURLUPART_QUERY:
    return text_url_set_query(u, value, flags);
  default:
    return set_plain(u, what, value, flags);
  }
}

CURLUcode curl_url_set(CURLU *u, CURLUPart what, const char *part, unsigned int flags)
{
  struct mote_slice value;
  if(!u)
    return CURLUE_BAD_HANDLE;
  if((unsigned)what >= MOTE_CURLU_PARTS)
    return CURLUE_UNKNOWN_PART;
  if(!part) {
    text_url_drop(u, what);
    return CURLUE_OK;
  }
  value = mote_slice_of(part);
  if(value.len > MOTE_URL_MAX_INPUT)
    return CURLUE_MALFORMED_INPUT;
  return text_url_set_part(u, what, value, flags);
}

/* ---- reading ---- */

static CURLUcode text_url_give(struct mote_slice s, char **out)
{
  *out = mote_mem_public_strndup(s.ptr, s.len);
  return *out ? CURLUE_OK : CURLUE_OUT_OF_MEMORY;
}

static CURLUcode give_decoded(struct mote_slice s, unsigned how, char **out)
{
  size_t len;
  *out = mote_mem_public_alloc(s.len + 1);
  if(!*out)
    return CURLUE_OUT_OF_MEMORY;
  if(mote_percent_decode(s, how | MOTE_PERCENT_REJECT_CTRL, *out, s.len, &len)) {
    mote_mem_public_free(*out);
    *out = NULL;
    return CURLUE_URLDECODE;
  }
  (*out)[len] = 0;
  return CURLUE_OK;
}

/* With those bytes encoded that may not stand in a URL. */
static CURLUcode give_encoded(struct mote_slice s, unsigned how, char **out)
{
  unsigned flags = how | MOTE_PERCENT_LENIENT;
  size_t len = mote_percent_encode(s, flags, NULL, NULL, 0);
  *out = mote_mem_public_alloc(len + 1);
  if(!*out)
    return CURLUE_OUT_OF_MEMORY;
  mote_percent_encode(s, flags, NULL, *out, len);
  (*out)[len] = 0;
  return CURLUE_OK;
}

/* Decoded first, then with those bytes encoded that may not stand in a URL. */
static CURLUcode give_again(struct mote_slice s, unsigned how, char **out)
{
  char *plain;
  CURLUcode rc = give_decoded(s, how, &plain);
  if(rc)
    return rc;
  rc = give_encoded(mote_slice_of(plain), how, out);
  mote_mem_public_free(plain);
  return rc;
}

static CURLUcode give_url(const CURLU *u, unsigned flags, char **out)
{
  size_t len;
  CURLUcode rc = mote_curlu_print(u, flags, NULL, 0, &len);
  if(rc)
    return rc;
  *out = mote_mem_public_alloc(len + 1);
  if(!*out)
    return CURLUE_OUT_OF_MEMORY;
  rc = mote_curlu_print(u, flags, *out, len, &len);
  if(rc) {
    mote_mem_public_free(*out);
    *out = NULL;
    return rc;
  }
  (*out)[len] = 0;
  return CURLUE_OK;
}

CURLUcode curl_url_get(const CURLU *u, CURLUPart what, char **part, unsigned int flags)
{
  char text[MOTE_CURLU_TEXT];
  struct mote_slice value;
  unsigned how = what == CURLUPART_QUERY ? MOTE_PERCENT_PLUS : 0;
  CURLUcode rc;
  if(!u)
    return CURLUE_BAD_HANDLE;
  if(!part)
    return CURLUE_BAD_PARTPOINTER;
  *part = NULL;
  if((unsigned)what >= MOTE_CURLU_PARTS)
    return CURLUE_UNKNOWN_PART;
  if(what == CURLUPART_URL)
    return give_url(u, flags, part);
  rc = mote_curlu_value(u, what, flags, text, &value);
  if(rc)
    return rc;
  if(what == CURLUPART_SCHEME || what == CURLUPART_PORT)
    return text_url_give(value, part);
  if((flags & CURLU_URLENCODE) && (flags & CURLU_URLDECODE))
    return give_again(value, how, part);
  if(flags & CURLU_URLENCODE)
    return give_encoded(value, how, part);
  return (flags & CURLU_URLDECODE) ? give_decoded(value, how, part) : text_url_give(value, part);
}
