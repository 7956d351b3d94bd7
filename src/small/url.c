/* small/url.c: codec/url/url.h and codec/url/url_pack.h for scheme, host, port, path and query of http-like
 * URLs, and for references against them.
 *
 * Unlike the full parser it takes no credentials (CURLUE_USER_NOT_ALLOWED), no address but a dotted one, and
 * no bytes in a host but letters, digits, "-", "." and "_". It drops fragments and always encodes bytes above
 * 126 in path and query. The only spans are SCHEME, HOST, PATH (with the query) and WHOLE. Every URL has a
 * block of its own and at most URL_ROOM bytes. */
#include <string.h>

#include "codec/url/url.h"
#include "codec/url/url_pack.h"

#define URL_ROOM (MOTE_URL_MAX_INPUT < 2048 ? MOTE_URL_MAX_INPUT : 2048)

/* A normal form under construction from [p, end). */
struct writer {
  struct mote_url *u;    /* gets spans and port */
  const char *p;         /* next byte of the input */
  const char *end;
  unsigned flags;        /* CURLU_* */
  size_t len;            /* bytes written; more than fit when the URL is too long */
  char text[URL_ROOM];
};

static void small_url_put(struct writer *w, char c)
{
  if(w->len < sizeof w->text)
    w->text[w->len] = c;
  w->len++;
}

static void small_url_put_all(struct writer *w, const char *p, size_t n)
{
  while(n--)
    small_url_put(w, *p++);
}

static void put_escape(struct writer *w, char c)
{
  static const char digits[] = "0123456789abcdef";
  small_url_put(w, '%');
  small_url_put(w, digits[(unsigned char)c >> 4]);
  small_url_put(w, digits[c & 15]);
}

static void small_url_span(struct writer *w, enum mote_url_part part, size_t from)
{
  w->u->part[part].off = (uint32_t)from;
  w->u->part[part].len = (uint32_t)(w->len - from);
}

/* Bytes of a scheme, which a colon follows (RFC 3986 section 4.2); 0: there is none. Where it may be guessed,
 * a number after the colon is a port. */
static size_t scheme_len(const struct writer *w)
{
  const char *p = w->p;
  while(p < w->end && (mote_is_alnum(*p) || *p == '+' || *p == '-' || *p == '.'))
    p++;
  if(w->end - p < 2 || *p != ':' || (w->flags & CURLU_GUESS_SCHEME && mote_is_digit(p[1])))
    return 0;
  return (size_t)(p - w->p);
}

static CURLUcode small_url_put_port(struct writer *w)
{
  uint64_t port;
  size_t used;
  struct mote_slice digits = {w->p, (size_t)(w->end - w->p)};
  if(!mote_parse_dec_prefix(digits, 65535, &port, &used))
    return CURLUE_BAD_PORT_NUMBER;
  small_url_put(w, ':');
  small_url_put_all(w, w->p, used);
  w->p += used;
  w->u->port = (uint16_t)port;
  return CURLUE_OK;
}

static bool ends_authority(const struct writer *w)
{
  return w->p == w->end || *w->p == '/' || *w->p == '?' || *w->p == '#';
}

/* Takes host and port, up to the path. */
static CURLUcode small_url_put_authority(struct writer *w)
{
  size_t from = w->len;
  bool tls = w->u->part[MOTE_URL_SCHEME].len == 5;
  w->u->port = tls ? 443 : 80;
  for(; !ends_authority(w) && *w->p != ':'; w->p++) {
    if(*w->p == '@')
      return CURLUE_USER_NOT_ALLOWED;
    if(!mote_is_alnum(*w->p) && *w->p != '-' && *w->p != '.' && *w->p != '_')
      return CURLUE_BAD_HOSTNAME;
    small_url_put(w, *w->p);
  }
  small_url_span(w, MOTE_URL_HOST, from);
  if(w->len == from)
    return CURLUE_NO_HOST;
  if(w->p < w->end && *w->p == ':') {
    w->p++;
    if(!ends_authority(w) && small_url_put_port(w))
      return CURLUE_BAD_PORT_NUMBER;
  }
  return ends_authority(w) ? CURLUE_OK : CURLUE_BAD_PORT_NUMBER;
}

/* After the last byte of a segment, removes "." and ".." (RFC 3986 section 5.2.4). */
static void end_segment(struct writer *w, size_t path)
{
  size_t from = w->len;
  size_t n;
  while(w->text[from - 1] != '/')
    from--;
  n = w->len - from;
  if(n > 2 || !n || memcmp(w->text + from, "..", n))
    return;
  w->len = from;
  if(n == 2 && from > path + 1)
    for(w->len--; w->text[w->len - 1] != '/'; w->len--)
      ;
}

/* Takes path and query; what is written of them already begins at `path`. */
static CURLUcode small_url_put_path(struct writer *w, size_t path)
{
  bool query = memchr(w->text + path, '?', w->len - path) != NULL;
  for(; w->p < w->end && *w->p != '#' && w->len < sizeof w->text; w->p++) {
    char c = *w->p;
    if(!query && (c == '/' || c == '?'))
      end_segment(w, path);
    query = query || c == '?';
    if((unsigned char)c > 126 || (c == ' ' && (w->flags & CURLU_URLENCODE)))
      put_escape(w, c);
    else if((unsigned char)c <= ' ')
      return CURLUE_BAD_PATH;
    else if(query || c != '/' || w->text[w->len - 1] != '/' || w->p[-1] == '/')
      small_url_put(w, c);
  }
  if(w->len >= sizeof w->text)
    return CURLUE_TOO_LARGE;
  if(!query)
    end_segment(w, path);
  small_url_span(w, MOTE_URL_PATH, path);
  return CURLUE_OK;
}

static CURLUcode small_url_keep(struct writer *w, const struct mote_url_how *how, CURLUcode rc)
{
  struct mote_url *u = w->u;
  small_url_span(w, MOTE_URL_WHOLE, 0);
  u->account = how->account;
  u->host_kind = MOTE_HOST_NAME;
  if(!rc) {
    u->text = mote_mem_strndup(how->account, MOTE_PART_URL, w->text, w->len);
    u->block = (uint32_t)w->len + 1;
    rc = u->text ? CURLUE_OK : CURLUE_OUT_OF_MEMORY;
  }
  if(rc)
    memset(u, 0, sizeof *u);
  return rc;
}

/* Takes authority and path after this scheme. */
static CURLUcode put_rest(struct writer *w, const char *scheme, size_t len)
{
  CURLUcode rc;
  size_t path;
  for(; len; len--)
    small_url_put(w, mote_to_lower(*scheme++));
  small_url_span(w, MOTE_URL_SCHEME, 0);
  small_url_put_all(w, "://", 3);
  rc = small_url_put_authority(w);
  path = w->len;
  small_url_put(w, '/');
  if(w->p < w->end && *w->p == '/')
    w->p++;
  return rc ? rc : w->len > sizeof w->text ? CURLUE_TOO_LARGE : small_url_put_path(w, path);
}

static void small_url_begin(struct writer *w, struct mote_url *u, const char *in, size_t len, unsigned flags)
{
  memset(u, 0, sizeof *u);
  w->u = u;
  w->p = in;
  w->end = in + len;
  w->flags = flags;
  w->len = 0;
}

static CURLUcode small_url_parse(struct writer *w)
{
  const char *scheme = w->p;
  size_t n = scheme_len(w);
  if(!n)
    return put_rest(w, "http", 4);
  if(w->end - scheme < (ptrdiff_t)n + 3 || memcmp(scheme + n, "://", 3))
    return CURLUE_UNSUPPORTED_SCHEME; /* mailto:, or http: without its slashes */
  w->p += n + 3;
  return put_rest(w, scheme, n);
}

CURLUcode mote_url_parse(struct mote_url *u, const char *in, size_t len, const struct mote_url_how *how)
{
  struct writer w;
  small_url_begin(&w, u, in, len, how->flags);
  return small_url_keep(&w, how, small_url_parse(&w));
}

/* Bytes of the base's path that stay in front of a reference. */
static size_t kept_path(struct mote_slice path, char first)
{
  const char *query = memchr(path.ptr, '?', path.len);
  size_t len = query && first != '#' ? (size_t)(query - path.ptr) : path.len;
  if(first == '/')
    return 1;
  while(first != '#' && first != '?' && path.ptr[len - 1] != '/')
    len--;
  return len;
}

CURLUcode mote_url_resolve(struct mote_url *out, const struct mote_url *base, struct mote_slice ref,
                           const struct mote_url_how *how, bool keep_credentials)
{
  struct writer w;
  size_t path = base->part[MOTE_URL_PATH].off;
  char first = ref.len ? *ref.ptr : '#';
  (void)keep_credentials;
  small_url_begin(&w, out, ref.ptr, ref.len, how->flags & ~(unsigned)CURLU_GUESS_SCHEME);
  if(scheme_len(&w))
    return small_url_keep(&w, how, small_url_parse(&w));
  if(first == '/' && ref.len > 1 && ref.ptr[1] == '/') {
    w.p += 2;
    return small_url_keep(&w, how, put_rest(&w, base->text, base->part[MOTE_URL_SCHEME].len));
  }
  *out = *base;
  small_url_put_all(&w, base->text, path + kept_path(mote_url_get(base, MOTE_URL_PATH), first));
  w.p += first == '/';
  return small_url_keep(&w, how, small_url_put_path(&w, path));
}

void mote_url_close(struct mote_url *u)
{
  mote_mem_free(u->account, MOTE_PART_URL, (void *)(uintptr_t)u->text, u->block);
  memset(u, 0, sizeof *u);
}

CURLUcode mote_url_copy(struct mote_url *out, const struct mote_url *u, struct mote_account *account)
{
  *out = *u;
  out->account = account;
  out->text = mote_mem_strndup(account, MOTE_PART_URL, u->text, u->block - 1);
  return out->text ? CURLUE_OK : CURLUE_OUT_OF_MEMORY;
}

static bool small_url_same(const struct mote_url *a, const struct mote_url *b, enum mote_url_part part)
{
  struct mote_slice x = mote_url_get(a, part), y = mote_url_get(b, part);
  return x.len == y.len && mote_equal_nocase_n(x.ptr, y.ptr, x.len);
}

bool mote_url_same_origin(const struct mote_url *a, const struct mote_url *b)
{
  return a->port == b->port && small_url_same(a, b, MOTE_URL_SCHEME) && small_url_same(a, b, MOTE_URL_HOST);
}

/* ---- codec/url/url_pack.h ---- */

CURLUcode mote_url_pack(struct mote_url_packed *p, struct mote_url *u, struct mote_account *account)
{
  (void)account;
  memset(p, 0, sizeof *p);
  p->text = u->text;
  p->block = u->block;
  p->len = u->part[MOTE_URL_WHOLE].len;
  p->port = u->port;
  p->path = (uint16_t)u->part[MOTE_URL_PATH].off;
  p->host = (uint16_t)u->part[MOTE_URL_HOST].off;
  p->host_len = (uint16_t)u->part[MOTE_URL_HOST].len;
  p->scheme_len = (uint8_t)u->part[MOTE_URL_SCHEME].len;
  return CURLUE_OK;
}

void mote_url_unpack(const struct mote_url_packed *p, struct mote_url *u)
{
  memset(u, 0, sizeof *u);
  u->text = p->text;
  u->port = p->port;
  u->part[MOTE_URL_WHOLE].len = p->len;
  u->part[MOTE_URL_SCHEME].len = p->scheme_len;
  u->part[MOTE_URL_HOST].off = p->host;
  u->part[MOTE_URL_HOST].len = p->host_len;
  u->part[MOTE_URL_PATH].off = p->path;
  u->part[MOTE_URL_PATH].len = p->len - p->path;
}

struct mote_slice mote_url_packed_host(const struct mote_url_packed *p)
{
  struct mote_slice s = {p->text + p->host, p->host_len};
  return s;
}

struct mote_slice mote_url_packed_ace(const struct mote_url_packed *p)
{
  return mote_url_packed_host(p);
}

void mote_url_packed_close(struct mote_url_packed *p, struct mote_account *account)
{
  mote_mem_free(account, MOTE_PART_URL, (void *)(uintptr_t)p->text, p->block);
  memset(p, 0, sizeof *p);
}
