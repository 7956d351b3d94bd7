/* codec/http/http1_response.c: where a response's body ends, and whether its connection may be used again. */
#include "codec/http/http1.h"

#include <string.h>

#include "codec/coding/coding.h"

static void http1_response_set(struct mote_http1_response *r, unsigned flag)
{
  r->flags = (uint8_t)(r->flags | flag);
}

static bool http1_response_has(const struct mote_http1_response *r, unsigned flag)
{
  return (r->flags & flag) != 0;
}

void mote_http1_response_begin(struct mote_http1_response *r, const struct mote_http1_event *ev)
{
  unsigned kept = 0;
  if(mote_http1_is_interim(r->code)) {
    kept = r->flags & (MOTE_HTTP1_CLOSE | MOTE_HTTP1_SUSPECT);
    if(http1_response_has(r, MOTE_HTTP1_HAS_LENGTH | MOTE_HTTP1_HAS_TRANSFER))
      kept |= MOTE_HTTP1_SUSPECT; /* an interim response has no body; others may have waited for one */
  }
  memset(r, 0, sizeof *r);
  r->code = ev->code;
  r->version = (uint8_t)(ev->major * 10 + ev->minor);
  r->flags = (uint8_t)kept;
}

/* Next element of a comma list, trimmed; empty ones are skipped (RFC 9110 section 5.6.1.2). */
static bool next_element(struct mote_slice *list, struct mote_slice *element)
{
  while(list->len) {
    const char *comma = memchr(list->ptr, ',', list->len);
    size_t len = comma ? (size_t)(comma - list->ptr) : list->len;
    size_t step = comma ? len + 1 : len;
    element->ptr = list->ptr;
    element->len = len;
    *element = mote_slice_trim(*element);
    list->ptr += step;
    list->len -= step;
    if(element->len)
      return true;
  }
  return false;
}

static CURLcode bad_length(struct mote_http1_event *ev, enum mote_http1_why why)
{
  ev->why = (uint8_t)why;
  return CURLE_WEIRD_SERVER_REPLY;
}

/* Digits alone, and few enough to fit: what all but a few send. *out is unchanged otherwise. */
static bool plain_number(struct mote_slice s, uint64_t *out)
{
  uint64_t v = 0;
  size_t i;
  if(!s.len || s.len > 18)
    return false;
  for(i = 0; i < s.len; i++) {
    unsigned digit = (unsigned char)s.ptr[i] - (unsigned)'0';
    if(digit > 9)
      return false;
    v = v * 10 + digit;
  }
  *out = v;
  return true;
}

/* Why s is not taken for a length. */
static enum mote_http1_why no_length(struct mote_slice s)
{
  size_t i = 0;
  while(i < s.len && mote_is_digit(s.ptr[i]))
    i++;
  return s.len && i == s.len ? MOTE_HTTP1_WHY_LENGTH_OVER : MOTE_HTTP1_WHY_LENGTH_BAD;
}

/* RFC 9110 section 8.6: a list of equal numbers is taken for one of them. Nothing else passes: no sign, no
 * empty element. */
static CURLcode http1_response_take_length(struct mote_http1_response *r, struct mote_http1_event *ev)
{
  struct mote_slice rest = ev->value;
  if(!http1_response_has(r, MOTE_HTTP1_HAS_LENGTH) && plain_number(rest, &r->length)) {
    http1_response_set(r, MOTE_HTTP1_HAS_LENGTH);
    return CURLE_OK;
  }
  for(;;) {
    const char *comma = rest.len ? memchr(rest.ptr, ',', rest.len) : NULL;
    struct mote_slice one = { rest.ptr, comma ? (size_t)(comma - rest.ptr) : rest.len };
    uint64_t length;
    one = mote_slice_trim(one);
    if(!mote_parse_dec(one, INT64_MAX, &length))
      return bad_length(ev, no_length(one));
    if(http1_response_has(r, MOTE_HTTP1_HAS_LENGTH) && length != r->length)
      return bad_length(ev, MOTE_HTTP1_WHY_LENGTH_DIFFERS);
    r->length = length;
    http1_response_set(r, MOTE_HTTP1_HAS_LENGTH);
    if(!comma)
      return CURLE_OK;
    rest.len -= (size_t)(comma + 1 - rest.ptr);
    rest.ptr = comma + 1;
  }
}

enum mote_coding mote_coding_of(struct mote_slice name)
{
  static const struct {
    char name[11];
    uint8_t coding;
  } known[] = {
    { "gzip", MOTE_CODING_GZIP },
    { "br", MOTE_CODING_BR },
    { "zstd", MOTE_CODING_ZSTD },
    { "deflate", MOTE_CODING_DEFLATE },
    { "chunked", MOTE_CODING_CHUNKED },
    { "identity", MOTE_CODING_IDENTITY },
    { "none", MOTE_CODING_IDENTITY },
    { "x-gzip", MOTE_CODING_GZIP }
  };
  size_t i;
  for(i = 0; i < sizeof known / sizeof known[0]; i++)
    if(mote_slice_is(name, known[i].name))
      return (enum mote_coding)known[i].coding;
  return MOTE_CODING_UNKNOWN;
}

static void take_transfer(struct mote_http1_response *r, struct mote_slice list)
{
  struct mote_slice name;
  http1_response_set(r, MOTE_HTTP1_HAS_TRANSFER);
  while(next_element(&list, &name)) {
    enum mote_coding coding = mote_coding_of(name);
    unsigned n = r->transfer_count;
    bool full = n >= MOTE_MAX_CODINGS && coding != MOTE_CODING_CHUNKED;
    if(full || (n && r->transfer[n - 1] == MOTE_CODING_CHUNKED)) {
      http1_response_set(r, MOTE_HTTP1_TRANSFER_BAD);
      return;
    }
    if(coding == MOTE_CODING_IDENTITY) {
      http1_response_set(r, MOTE_HTTP1_SUSPECT); /* no transfer coding since RFC 7230 */
      continue;
    }
    r->transfer[n] = (uint8_t)coding;
    r->transfer_count++;
  }
}

static void take_content(struct mote_http1_response *r, struct mote_slice list)
{
  struct mote_slice name;
  while(next_element(&list, &name)) {
    enum mote_coding coding = mote_coding_of(name);
    if(coding == MOTE_CODING_IDENTITY)
      continue;
    if(r->content_count == MOTE_MAX_CODINGS) {
      http1_response_set(r, MOTE_HTTP1_CONTENT_OVER);
      return;
    }
    r->content[r->content_count++] = (uint8_t)coding;
  }
}

static bool http1_response_is(struct mote_slice s, const char *word, size_t len)
{
  return s.len == len && (!memcmp(s.ptr, word, len) || mote_equal_nocase_n(s.ptr, word, len));
}

static void take_connection(struct mote_http1_response *r, struct mote_slice list)
{
  struct mote_slice option;
  if(http1_response_is(list, "keep-alive", 10)) {
    http1_response_set(r, MOTE_HTTP1_KEEP_ALIVE);
    return;
  }
  while(next_element(&list, &option)) {
    if(http1_response_is(option, "close", 5))
      http1_response_set(r, MOTE_HTTP1_CLOSE);
    else if(http1_response_is(option, "keep-alive", 10))
      http1_response_set(r, MOTE_HTTP1_KEEP_ALIVE);
    else if(http1_response_is(option, "upgrade", 7))
      http1_response_set(r, MOTE_HTTP1_UPGRADE);
  }
}

CURLcode mote_http1_response_field(struct mote_http1_response *r, struct mote_http1_event *ev)
{
  switch(ev->known.field) {
  case MOTE_FIELD_CONTENT_LENGTH:
    return http1_response_take_length(r, ev);
  case MOTE_FIELD_TRANSFER_ENCODING:
    take_transfer(r, ev->value);
    break;
  case MOTE_FIELD_CONTENT_ENCODING:
    take_content(r, ev->value);
    break;
  case MOTE_FIELD_CONNECTION:
    take_connection(r, ev->value);
    break;
  default:
    break;
  }
  return CURLE_OK;
}

/* Persistent by version and Connection (RFC 9112 section 9.3), and the framing leaves no doubt. */
static bool may_reuse(const struct mote_http1_response *r)
{
  if(http1_response_has(r, MOTE_HTTP1_CLOSE | MOTE_HTTP1_SUSPECT))
    return false;
  if(r->version < 11)
    return http1_response_has(r, MOTE_HTTP1_KEEP_ALIVE) && !http1_response_has(r, MOTE_HTTP1_HAS_TRANSFER);
  return !(http1_response_has(r, MOTE_HTTP1_HAS_TRANSFER) && http1_response_has(r, MOTE_HTTP1_HAS_LENGTH));
}

static bool is_upgrade(const struct mote_http1_response *r, unsigned request)
{
  return r->code == 101 && (request & MOTE_HTTP1_FOR_UPGRADE);
}

/* No body whatever the fields say (RFC 9112 section 6.3, 1 and 2). */
static bool never_body(const struct mote_http1_response *r, unsigned request)
{
  return r->code < 200 || r->code == 204 || r->code == 304 || (request & MOTE_HTTP1_FOR_HEAD) ||
         ((request & MOTE_HTTP1_FOR_CONNECT) && r->code < 300);
}

/* A 204 that claims a body: what follows may be one. */
static bool claims_body(const struct mote_http1_response *r)
{
  return http1_response_has(r, MOTE_HTTP1_HAS_TRANSFER) ||
    (http1_response_has(r, MOTE_HTTP1_HAS_LENGTH) && r->length);
}

/* "identity", or nothing: a server that says so means the length. Others may wait for the end, and so the
 * connection is not used again. */
static bool names_no_coding(const struct mote_http1_response *r)
{
  return !r->transfer_count && !http1_response_has(r, MOTE_HTTP1_TRANSFER_BAD);
}

static CURLcode transfer_framing(const struct mote_http1_response *r, struct mote_http1_framing *out)
{
  unsigned n = r->transfer_count;
  if(http1_response_has(r, MOTE_HTTP1_TRANSFER_BAD))
    return CURLE_BAD_CONTENT_ENCODING;
  if(n && r->transfer[n - 1] == MOTE_CODING_CHUNKED) {
    out->body = MOTE_HTTP1_BODY_CHUNKED;
    n--;
  }
  else {
    out->body = MOTE_HTTP1_BODY_UNTIL_CLOSE;
    out->reusable = 0;
  }
  out->codings = (uint8_t)n;
  return CURLE_OK;
}

CURLcode mote_http1_framing(const struct mote_http1_response *r, unsigned request,
                            struct mote_http1_framing *out)
{
  bool by_length;
  memset(out, 0, sizeof *out);
  out->interim = mote_http1_is_interim(r->code);
  out->reusable = may_reuse(r);
  if(is_upgrade(r, request)) {
    out->body = MOTE_HTTP1_BODY_UNTIL_CLOSE;
    out->reusable = 0;
    return CURLE_OK;
  }
  if(never_body(r, request)) {
    out->body = MOTE_HTTP1_BODY_NONE;
    if(r->code == 101 || (r->code == 204 && claims_body(r)))
      out->reusable = 0;
    return CURLE_OK;
  }
  by_length = http1_response_has(r, MOTE_HTTP1_HAS_LENGTH) && !(request & MOTE_HTTP1_IGNORE_LENGTH);
  if(http1_response_has(r, MOTE_HTTP1_HAS_TRANSFER) && !(by_length && names_no_coding(r)))
    return transfer_framing(r, out);
  if(by_length) {
    out->body = MOTE_HTTP1_BODY_LENGTH;
    out->length = r->length;
    return CURLE_OK;
  }
  out->body = MOTE_HTTP1_BODY_UNTIL_CLOSE;
  out->reusable = 0;
  return CURLE_OK;
}
