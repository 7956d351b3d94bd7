/* codec/url/url.c: parsing: the parts that url_split.c finds, written as the normal form. */
#include "codec/url/url.h"

#include <string.h>

#include "codec/url/idn.h"
#include "codec/url/percent.h"
#include "codec/url/url_part.h"

/* The normal form on its way out: compared with the input first, and written only when the two differ. */
struct writer {
  const char *in;    /* what it is compared with while out is NULL */
  size_t in_len;
  char *out;         /* block that has room for everything, or NULL */
  size_t len;        /* bytes so far */
  bool differs;      /* the input is not the normal form */
  struct mote_url *u; /* its spans are set on the way */
};

static void codec_url_put(struct writer *w, const char *p, size_t n)
{
  if(!n)
    return;
  if(w->out)
    memcpy(w->out + w->len, p, n);
  else if(w->len + n > w->in_len || memcmp(w->in + w->len, p, n))
    w->differs = true;
  w->len += n;
}

static void put_char(struct writer *w, char c)
{
  codec_url_put(w, &c, 1);
}

static void span_from(struct writer *w, enum mote_url_part part, size_t start)
{
  w->u->part[part].off = (uint32_t)start;
  w->u->part[part].len = (uint32_t)(w->len - start);
}

static void put_part(struct writer *w, enum mote_url_part part, struct mote_slice s)
{
  size_t start = w->len;
  codec_url_put(w, s.ptr, s.len);
  span_from(w, part, start);
}

static void put_scheme(struct writer *w, struct mote_slice s)
{
  size_t i;
  for(i = 0; i < s.len; i++)
    put_char(w, mote_to_lower(s.ptr[i]));
  span_from(w, MOTE_URL_SCHEME, 0);
  codec_url_put(w, "://", 3);
}

/* User, password or options: as it came when the text was split there, else without a byte that ends it. */
static void codec_url_put_secret(struct writer *w, const struct mote_url_raw *raw, enum mote_url_part part)
{
  struct mote_slice s = raw->part[part];
  const char *keep = part == MOTE_URL_OPTIONS ? "%!$&'()*+,=;" : "%!$&'()*+,=";
  size_t start = w->len;
  if(!raw->apart) {
    put_part(w, part, s);
    return;
  }
  for(; s.len; s.ptr++, s.len--) {
    struct mote_slice one = { s.ptr, 1 };
    char text[3];
    codec_url_put(w, text, mote_percent_encode(one, 0, keep, text, sizeof text));
  }
  span_from(w, part, start);
}

static void codec_url_put_login(struct writer *w, const struct mote_url_raw *raw)
{
  codec_url_put_secret(w, raw, MOTE_URL_USER);
  if(mote_url_raw_has(raw, MOTE_URL_PASSWORD)) {
    put_char(w, ':');
    codec_url_put_secret(w, raw, MOTE_URL_PASSWORD);
  }
  if(mote_url_raw_has(raw, MOTE_URL_OPTIONS)) {
    put_char(w, ';');
    codec_url_put_secret(w, raw, MOTE_URL_OPTIONS);
  }
  put_char(w, '@');
}

/* A name without its escapes. */
static void put_name(struct writer *w, struct mote_slice name)
{
  const char *p = name.ptr;
  const char *end = p + name.len;
  size_t start = w->len;
  int byte;
  if(!memchr(p, '%', name.len)) {
    put_part(w, MOTE_URL_HOST, name);
    return;
  }
  while((byte = mote_host_byte(&p, end, true)) >= 0)
    put_char(w, (char)byte);
  span_from(w, MOTE_URL_HOST, start);
}

static void codec_url_put_host(struct writer *w, const struct mote_host *h)
{
  struct mote_slice literal = { h->literal, h->literal_len };
  if(h->kind == MOTE_HOST_NAME)
    put_name(w, h->raw);
  else if(h->kind == MOTE_HOST_IPV4)
    put_part(w, MOTE_URL_HOST, literal);
  else if(h->kind == MOTE_HOST_IPV6) {
    put_char(w, '[');
    put_part(w, MOTE_URL_HOST, literal);
    if(h->zone.ptr) {
      codec_url_put(w, "%25", 3);
      put_part(w, MOTE_URL_ZONEID, h->zone);
    }
    put_char(w, ']');
  }
}

static void codec_url_put_port(struct writer *w, unsigned port)
{
  char text[21];
  struct mote_slice s = { text, mote_print_dec(text, port) };
  put_char(w, ':');
  put_part(w, MOTE_URL_PORT, s);
}

/* Path, query or fragment, encoded when that is asked for. */
static void put_encoded(struct writer *w, enum mote_url_part part, struct mote_slice s, unsigned flags)
{
  unsigned plus = part == MOTE_URL_QUERY ? MOTE_PERCENT_PLUS : 0u;
  unsigned lenient = MOTE_PERCENT_LENIENT;
  size_t start = w->len;
  if(!(flags & CURLU_URLENCODE)) {
    put_part(w, part, s);
    return;
  }
  while(s.len) {
    struct mote_slice one = { s.ptr, mote_percent_byte(s.ptr, s.ptr + s.len) < 0 ? 1u : 3u };
    char text[3];
    codec_url_put(w, text, mote_percent_encode(one, lenient | plus, NULL, text, sizeof text));
    s.ptr += one.len;
    s.len -= one.len;
  }
  span_from(w, part, start);
}

/* How many dots a segment is, 1 or 2; 0: it is another one. "%2e" is a dot too. */
static int dots_of(const char *p, size_t n)
{
  const char *end = p + n;
  int dots = 0;
  while(p < end && (*p == '.' || mote_percent_byte(p, end) == '.')) {
    p += *p == '.' ? 1 : 3;
    dots++;
  }
  return p == end && dots <= 2 ? dots : 0;
}

/* Is there a "." or ".." segment? */
static bool has_dots(struct mote_slice path)
{
  const char *p = path.ptr;
  const char *end = p + path.len;
  while(p < end) {
    const char *slash = memchr(p, '/', (size_t)(end - p));
    size_t n = (size_t)((slash ? slash : end) - p);
    if(dots_of(p, n))
      return true;
    p += n + 1;
  }
  return false;
}

/* RFC 3986 section 5.2.4, in place; the path begins with "/". Returns its new length. */
static size_t remove_dots(char *path, size_t len)
{
  size_t in = 0;
  size_t out = 0; /* path[0..out) is done; in is at a "/" */
  while(in < len) {
    const char *slash = memchr(path + in + 1, '/', len - in - 1);
    size_t next = slash ? (size_t)(slash - path) : len;
    size_t n = next - in - 1;
    int dots = dots_of(path + in + 1, n);
    if(!dots) {
      memmove(path + out, path + in, next - in);
      out += next - in;
    }
    else {
      if(dots == 2) {
        while(out && path[--out] != '/')
          ;
      }
      if(next == len)
        path[out++] = '/';
    }
    in = next;
  }
  return out;
}

static void codec_url_put_path(struct writer *w, struct mote_slice path, unsigned flags)
{
  static const struct mote_slice root = { "/", 1 };
  put_encoded(w, MOTE_URL_PATH, path.len ? path : root, flags);
  if(!(flags & CURLU_PATH_AS_IS) && has_dots(path)) {
    struct mote_url_span *span = &w->u->part[MOTE_URL_PATH];
    w->differs = true;
    if(w->out) {
      span->len = (uint32_t)remove_dots(w->out + span->off, span->len);
      w->len = span->off + span->len;
    }
  }
}

static void codec_url_put_all(struct writer *w, const struct mote_url_raw *raw, unsigned flags)
{
  put_scheme(w, raw->part[MOTE_URL_SCHEME]);
  if(mote_url_raw_has(raw, MOTE_URL_USER))
    codec_url_put_login(w, raw);
  codec_url_put_host(w, &raw->host);
  if(mote_url_raw_has(raw, MOTE_URL_PORT))
    codec_url_put_port(w, raw->port);
  codec_url_put_path(w, raw->part[MOTE_URL_PATH], flags);
  if(raw->part[MOTE_URL_QUERY].len) {
    put_char(w, '?');
    put_encoded(w, MOTE_URL_QUERY, raw->part[MOTE_URL_QUERY], flags);
  }
  if(raw->part[MOTE_URL_FRAGMENT].len) {
    put_char(w, '#');
    put_encoded(w, MOTE_URL_FRAGMENT, raw->part[MOTE_URL_FRAGMENT], flags);
  }
  w->u->part[MOTE_URL_WHOLE].len = (uint32_t)w->len;
}

/* The host's ACE form, when it is not the host itself: into ace[], *len is 0 otherwise. */
static CURLUcode find_ace(const struct mote_host *host, char ace[MOTE_IDN_MAX_ASCII], size_t *len,
                          uint8_t *kind)
{
  char name[MOTE_IDN_MAX_UTF8];
  struct mote_slice utf8 = { name, 0 };
  struct mote_slice ascii = { ace, 0 };
  struct mote_host check;
  CURLUcode rc;
  if(host->kind != MOTE_HOST_NAME)
    return CURLUE_OK;
  if(!mote_idn_needed(host->raw) && !(host->raw.len && memchr(host->raw.ptr, '%', host->raw.len)))
    return CURLUE_OK;
  if(mote_percent_decode(host->raw, 0, name, sizeof name, &utf8.len))
    return CURLUE_BAD_HOSTNAME;
  if(!mote_idn_needed(utf8))
    return CURLUE_OK;
  rc = mote_idn_to_ascii(utf8, ace, &ascii.len);
  if(rc)
    return rc == CURLUE_LACKS_IDN ? CURLUE_OK : rc;
  rc = mote_host_read(&check, ascii, false); /* full-width delimiters and digits have become plain ones */
  if(rc || check.kind == MOTE_HOST_IPV6)
    return CURLUE_BAD_HOSTNAME;
  *kind = check.kind;
  *len = ascii.len;
  if(check.kind == MOTE_HOST_IPV4) {
    memcpy(ace, check.literal, check.literal_len);
    *len = check.literal_len;
  }
  return CURLUE_OK;
}

/* Makes a block for the text of `need` bytes and its NUL, and the ACE form after it. */
static CURLUcode write_block(struct writer *w, const struct mote_url_raw *raw, const struct mote_url_how *how,
                             struct mote_slice ace)
{
  size_t size = w->len + 1 + ace.len;
  char *block = mote_mem_alloc(how->account, MOTE_PART_URL, size);
  if(!block)
    return CURLUE_OUT_OF_MEMORY;
  w->out = block;
  w->len = 0;
  codec_url_put_all(w, raw, how->flags);
  block[w->len] = 0;
  w->u->text = block;
  w->u->block = (uint32_t)size;
  w->u->account = how->account;
  if(ace.len) {
    memcpy(block + w->len + 1, ace.ptr, ace.len);
    w->u->part[MOTE_URL_ACE].off = (uint32_t)(w->len + 1);
    w->u->part[MOTE_URL_ACE].len = (uint32_t)ace.len;
  }
  return CURLUE_OK;
}

/* The normal form of what was found; u is all zero bytes. */
static CURLUcode write_url(struct mote_url *u, const struct mote_url_raw *raw, const char *in, size_t len,
                           const struct mote_url_how *how)
{
  char ace_text[MOTE_IDN_MAX_ASCII];
  struct mote_slice ace = { ace_text, 0 };
  struct writer w = { .in = in, .in_len = len, .u = u };
  uint8_t kind = raw->host.kind;
  CURLUcode rc;
  if(how->flags & MOTE_URL_IDN) {
    rc = find_ace(&raw->host, ace_text, &ace.len, &kind);
    if(rc)
      return rc;
  }
  codec_url_put_all(&w, raw, how->flags);
  rc = w.len > MOTE_URL_MAX_INPUT ? CURLUE_TOO_LARGE : CURLUE_OK;
  if(!rc && (w.differs || w.len != len || ace.len))
    rc = write_block(&w, raw, how, ace);
  else
    u->text = in;
  if(rc) {
    memset(u, 0, sizeof *u);
    return rc;
  }
  u->has = (uint16_t)(raw->has | 1u << MOTE_URL_WHOLE);
  if((how->flags & MOTE_URL_IDN) && kind) {
    u->has = (uint16_t)(u->has | 1u << MOTE_URL_ACE);
    if(!ace.len)
      u->part[MOTE_URL_ACE] = u->part[MOTE_URL_HOST];
  }
  u->port = mote_url_raw_has(raw, MOTE_URL_PORT) ? raw->port : raw->default_port;
  u->host_kind = kind;
  u->guessed = raw->guessed;
  return CURLUE_OK;
}

CURLUcode mote_url_parse(struct mote_url *u, const char *in, size_t len, const struct mote_url_how *how)
{
  struct mote_url_raw raw;
  CURLUcode rc;
  memset(u, 0, sizeof *u);
  rc = mote_url_split(&raw, in, len, how);
  if(!rc && how->port && !(raw.scheme_flags & MOTE_SCHEME_NO_HOST)) {
    raw.port = how->port;
    raw.has = (uint16_t)(raw.has | 1u << MOTE_URL_PORT);
  }
  return rc ? rc : write_url(u, &raw, in, len, how);
}

CURLUcode mote_url_compose(struct mote_url *u, const struct mote_slice part[MOTE_URL_PARTS], unsigned has,
                           const struct mote_url_how *how)
{
  struct mote_url_how as_is = *how;
  struct mote_url_raw raw;
  CURLUcode rc = mote_url_gather(&raw, part, has, how);
  memset(u, 0, sizeof *u);
  as_is.flags |= CURLU_PATH_AS_IS;
  return rc ? rc : write_url(u, &raw, "", 0, &as_is);
}

void mote_url_close(struct mote_url *u)
{
  if(u->block)
    mote_mem_free(u->account, MOTE_PART_URL, (void *)(uintptr_t)u->text, u->block);
  memset(u, 0, sizeof *u);
}

CURLUcode mote_url_copy(struct mote_url *out, const struct mote_url *u, struct mote_account *account)
{
  size_t size = u->block ? u->block : (size_t)u->part[MOTE_URL_WHOLE].len + 1;
  char *block;
  memset(out, 0, sizeof *out);
  if(!u->text)
    return CURLUE_OK;
  block = mote_mem_alloc(account, MOTE_PART_URL, size);
  if(!block)
    return CURLUE_OUT_OF_MEMORY;
  memcpy(block, u->text, u->block ? size : size - 1);
  if(!u->block)
    block[size - 1] = 0;
  *out = *u;
  out->text = block;
  out->block = (uint32_t)size;
  out->account = account;
  return CURLUE_OK;
}
