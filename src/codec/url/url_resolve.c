/* codec/url/url_resolve.c: references against a base (RFC 3986 section 5). */
#include "codec/url/url.h"

#include <string.h>

#include "codec/url/percent.h"
#include "codec/url/url_part.h"

/* How a relative reference and its base become one text: `base` bytes of the base's print, then the
 * reference. */
struct merge {
  size_t path;  /* bytes of the base's path and query that are kept */
  bool origin;  /* scheme and authority of the base are kept; else only "scheme:" */
  bool query;   /* the base's query is kept too */
};

/* Drop the last segment of base[0..len): what is left ends with "/". */
static size_t drop_segment(const char *path, size_t len)
{
  while(len && path[len - 1] != '/')
    len--;
  return len;
}

/* RFC 3986 section 5.2.2 for references without a scheme. */
static struct merge url_resolve_plan(const struct mote_url *base, struct mote_slice ref)
{
  struct mote_slice path = mote_url_get(base, MOTE_URL_PATH);
  struct merge m = { 0, true, false };
  char first = ref.len ? ref.ptr[0] : '#';
  if(first == '/') {
    m.origin = ref.len < 2 || ref.ptr[1] != '/';
    return m;
  }
  m.path = path.len;
  m.query = first == '#';
  if(first == '#' || first == '?')
    return m;
  m.path = drop_segment(path.ptr, path.len);
  return m;
}

/* The reference with what may not stand in a URL encoded (what Location: fields hold in practice): all of
 * it, but for an authority. Spaces become "+" after "?". */
static size_t encode_reference(struct mote_slice ref, bool origin, char *out, size_t cap)
{
  unsigned flags = MOTE_PERCENT_LENIENT;
  struct mote_slice path = ref;
  const char *query;
  size_t skip = 0;
  size_t n;
  if(!origin) {
    skip = 2;
    while(skip < ref.len && ref.ptr[skip] == '/')
      skip++;
    while(skip < ref.len && !memchr("/?#", ref.ptr[skip], 3))
      skip++;
  }
  n = skip < cap ? skip : cap;
  if(n)
    memcpy(out, ref.ptr, n);
  path.ptr += skip;
  path.len -= skip;
  query = path.len ? memchr(path.ptr, '?', path.len) : NULL;
  n = skip;
  if(query)
    path.len = (size_t)(query - path.ptr);
  n += mote_percent_encode(path, flags, NULL, out ? out + n : NULL, cap > n ? cap - n : 0);
  if(query) {
    struct mote_slice rest = { query, ref.len - (size_t)(query - ref.ptr) };
    n += mote_percent_encode(rest, flags | MOTE_PERCENT_PLUS, NULL, out ? out + n : NULL,
                             cap > n ? cap - n : 0);
  }
  return n;
}

/* Everything of the base that stays. */
static size_t print_base(const struct mote_url *base, const struct merge *m, bool keep_credentials, char *out,
                         size_t cap)
{
  struct mote_slice part = mote_url_get(base, MOTE_URL_SCHEME);
  size_t n;
  if(!m->origin) {
    if(cap > part.len) {
      memcpy(out, part.ptr, part.len);
      out[part.len] = ':';
    }
    return part.len + 1;
  }
  n = mote_url_print(base, MOTE_URL_NO_TAIL | (keep_credentials ? 0u : MOTE_URL_NO_CREDENTIALS), out, cap);
  part = mote_url_get(base, MOTE_URL_PATH);
  if(m->path && cap >= n + m->path)
    memcpy(out + n, part.ptr, m->path);
  n += m->path;
  part = mote_url_get(base, MOTE_URL_QUERY);
  if(m->query && mote_url_has(base, MOTE_URL_QUERY)) {
    if(cap >= n + 1 + part.len) {
      out[n] = '?';
      memcpy(out + n + 1, part.ptr, part.len);
    }
    n += 1 + part.len;
  }
  return n;
}

/* Parse a block that is ours; it becomes the result's own or is given back. Dot segments are resolved
 * even with CURLU_PATH_AS_IS, as the RFC demands of references. */
static CURLUcode parse_block(struct mote_url *out, char *block, size_t size, const struct mote_url_how *how)
{
  struct mote_url_how plain = *how;
  CURLUcode rc;
  plain.flags &= ~(unsigned)CURLU_PATH_AS_IS;
  rc = mote_url_parse(out, block, size - 1, &plain);
  if(rc || out->block) {
    mote_mem_free(how->account, MOTE_PART_URL, block, size);
    return rc;
  }
  out->block = (uint32_t)size;
  out->account = how->account;
  return CURLUE_OK;
}

static CURLUcode parse_absolute(struct mote_url *out, struct mote_slice ref, const struct mote_url_how *how)
{
  struct mote_url_how own = *how;
  struct mote_url borrowed;
  CURLUcode rc;
  own.port = 0;
  rc = mote_url_parse(&borrowed, ref.ptr, ref.len, &own);
  if(rc || borrowed.block) {
    *out = borrowed;
    return rc;
  }
  return mote_url_copy(out, &borrowed, how->account);
}

CURLUcode mote_url_resolve(struct mote_url *out, const struct mote_url *base, struct mote_slice ref,
                           const struct mote_url_how *how, bool keep_credentials)
{
  bool may_guess = (how->flags & (CURLU_GUESS_SCHEME | CURLU_DEFAULT_SCHEME)) != 0;
  struct merge m;
  size_t head;
  size_t size;
  char *block;
  memset(out, 0, sizeof *out);
  if(ref.len > MOTE_URL_MAX_INPUT)
    return CURLUE_TOO_LARGE;
  if(!base->text || mote_url_scheme_len(ref.ptr, ref.len, may_guess))
    return parse_absolute(out, ref, how);
  m = url_resolve_plan(base, ref);
  head = print_base(base, &m, keep_credentials, NULL, 0);
  size = head + encode_reference(ref, m.origin, NULL, 0) + 1;
  if(size > UINT32_MAX / 4)
    return CURLUE_TOO_LARGE;
  block = mote_mem_alloc(how->account, MOTE_PART_URL, size);
  if(!block)
    return CURLUE_OUT_OF_MEMORY;
  print_base(base, &m, keep_credentials, block, head);
  encode_reference(ref, m.origin, block + head, size - 1 - head);
  block[size - 1] = 0;
  return parse_block(out, block, size, how);
}
