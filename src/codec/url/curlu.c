/* codec/url/curlu.c: the parts of a CURLU, and the whole URL that they make. */
#include "codec/url/curlu.h"

#include <string.h>

#include "codec/url/percent.h"
#include "codec/url/url_part.h"

size_t mote_curlu_offset(const CURLU *u, CURLUPart part)
{
  size_t off = 0;
  int i;
  for(i = 0; i < (int)part; i++)
    off += u->len[i];
  return off;
}

struct mote_slice mote_curlu_part(const CURLU *u, CURLUPart part)
{
  struct mote_slice s = { "", u->len[part] };
  if(s.len)
    s.ptr = u->text + mote_curlu_offset(u, part);
  return s;
}

static void curlu_add_slice(struct mote_url_out *s, struct mote_slice slice)
{
  mote_url_add(s, slice.ptr, slice.len);
}

static CURLUcode get_scheme(const CURLU *u, unsigned flags, struct mote_slice *out)
{
  *out = mote_curlu_part(u, CURLUPART_SCHEME);
  if(u->guessed && (flags & CURLU_NO_GUESS_SCHEME))
    return CURLUE_NO_SCHEME;
  return mote_curlu_has(u, CURLUPART_SCHEME) ? CURLUE_OK : CURLUE_NO_SCHEME;
}

/* The port to show. The default port of `scheme` is printed to `text`. */
static CURLUcode get_port(const CURLU *u, struct mote_slice scheme, unsigned flags, char text[21],
                          struct mote_slice *out)
{
  const struct mote_scheme_facts *facts = mote_scheme_facts(scheme.ptr, scheme.len);
  uint64_t number = 0;
  *out = mote_curlu_part(u, CURLUPART_PORT);
  if(mote_curlu_has(u, CURLUPART_PORT)) {
    if((flags & CURLU_NO_DEFAULT_PORT) && facts && facts->port && mote_parse_dec(*out, 65535, &number) &&
       number == facts->port)
      return CURLUE_NO_PORT;
    return CURLUE_OK;
  }
  if(!(flags & CURLU_DEFAULT_PORT) || !facts)
    return CURLUE_NO_PORT;
  out->ptr = text;
  out->len = mote_print_dec(text, facts->port);
  return CURLUE_OK;
}

/* The host in the form that the IDN flags select. A converted one lies in `text`. */
static CURLUcode get_host(const CURLU *u, unsigned flags, char text[MOTE_IDN_MAX_UTF8],
                          struct mote_slice *out)
{
  CURLUcode rc = CURLUE_OK;
  struct mote_slice host = mote_curlu_part(u, CURLUPART_HOST);
  size_t len = 0;
  *out = host;
  if(!mote_curlu_has(u, CURLUPART_HOST))
    return CURLUE_NO_HOST;
  if(flags & CURLU_URLENCODE)
    return CURLUE_OK;
  if((flags & CURLU_PUNYCODE) && mote_idn_needed(host))
    rc = mote_idn_to_ascii(host, text, &len);
  else if((flags & CURLU_PUNY2IDN) && host.len && host.ptr[0] != '[' && !mote_idn_needed(host))
    rc = mote_idn_to_utf8(host, text, &len);
  if(len) {
    out->ptr = text;
    out->len = len;
  }
  return rc;
}

/* The host as it stands in a URL, where an IPv6 address has its zone id. */
static void curlu_add_host(struct mote_url_out *s, const CURLU *u, struct mote_slice host, unsigned flags)
{
  if(host.len && host.ptr[0] == '[') {
    mote_url_add(s, host.ptr, host.len - 1);
    if(mote_curlu_has(u, CURLUPART_ZONEID)) {
      mote_url_add(s, "%25", 3);
      curlu_add_slice(s, mote_curlu_part(u, CURLUPART_ZONEID));
    }
    mote_url_add(s, "]", 1);
  }
  else if(flags & CURLU_URLENCODE)
    s->len += mote_percent_encode(host, 0, NULL, s->ptr && s->len < s->cap ? s->ptr + s->len : NULL,
                                  s->len < s->cap ? s->cap - s->len : 0);
  else
    curlu_add_slice(s, host);
}

static void curlu_add_login(struct mote_url_out *s, const CURLU *u, struct mote_slice scheme)
{
  const struct mote_scheme_facts *facts = mote_scheme_facts(scheme.ptr, scheme.len);
  bool options = mote_curlu_part(u, CURLUPART_OPTIONS).len &&
                 (!facts || (facts->flags & MOTE_SCHEME_LOGIN_OPTIONS));
  if(!mote_curlu_has(u, CURLUPART_USER) && !mote_curlu_has(u, CURLUPART_PASSWORD) && !options)
    return;
  curlu_add_slice(s, mote_curlu_part(u, CURLUPART_USER));
  if(mote_curlu_has(u, CURLUPART_PASSWORD)) {
    mote_url_add(s, ":", 1);
    curlu_add_slice(s, mote_curlu_part(u, CURLUPART_PASSWORD));
  }
  if(options) {
    mote_url_add(s, ";", 1);
    curlu_add_slice(s, mote_curlu_part(u, CURLUPART_OPTIONS));
  }
  mote_url_add(s, "@", 1);
}

static void add_tail(struct mote_url_out *s, const CURLU *u, unsigned flags)
{
  struct mote_slice path = mote_curlu_part(u, CURLUPART_PATH);
  struct mote_slice query = mote_curlu_part(u, CURLUPART_QUERY);
  struct mote_slice fragment = mote_curlu_part(u, CURLUPART_FRAGMENT);
  bool empty = (flags & CURLU_GET_EMPTY) != 0;
  if(!path.len || path.ptr[0] != '/')
    mote_url_add(s, "/", 1);
  curlu_add_slice(s, path);
  if(query.len || (empty && mote_curlu_has(u, CURLUPART_QUERY))) {
    mote_url_add(s, "?", 1);
    curlu_add_slice(s, query);
  }
  if(fragment.len || (empty && mote_curlu_has(u, CURLUPART_FRAGMENT)) || (u->has & MOTE_CURLU_OWN_FRAGMENT)) {
    mote_url_add(s, "#", 1);
    curlu_add_slice(s, fragment);
  }
}

CURLUcode mote_curlu_print(const CURLU *u, unsigned flags, char *out, size_t cap, size_t *len)
{
  struct mote_url_out s = { out, cap, 0 };
  char host_text[MOTE_IDN_MAX_UTF8];
  char port_text[21];
  struct mote_slice scheme = mote_curlu_part(u, CURLUPART_SCHEME);
  struct mote_slice part;
  bool hidden = u->guessed && (flags & CURLU_NO_GUESS_SCHEME);
  bool local = mote_slice_is(scheme, "file");
  CURLUcode rc;
  *len = 0;
  if(!local && !mote_curlu_has(u, CURLUPART_HOST))
    return CURLUE_NO_HOST;
  if(!mote_curlu_has(u, CURLUPART_SCHEME)) {
    if(!(flags & CURLU_DEFAULT_SCHEME))
      return CURLUE_NO_SCHEME;
    scheme = mote_slice_of("https");
  }
  if(local)
    scheme = mote_slice_of("file");
  if(!hidden) {
    curlu_add_slice(&s, scheme);
    mote_url_add(&s, "://", 3);
  }
  if(!local) {
    rc = get_host(u, flags, host_text, &part);
    if(rc)
      return rc;
    curlu_add_login(&s, u, scheme);
    curlu_add_host(&s, u, part, flags);
    if(!get_port(u, scheme, flags, port_text, &part)) {
      mote_url_add(&s, ":", 1);
      curlu_add_slice(&s, part);
    }
  }
  add_tail(&s, u, flags);
  *len = s.len;
  return CURLUE_OK;
}

/* A part that is stored as it is returned. */
static CURLUcode get_plain(const CURLU *u, CURLUPart what, unsigned flags, struct mote_slice *out)
{
  static const uint8_t missing[MOTE_CURLU_PARTS] = {
    [CURLUPART_USER] = CURLUE_NO_USER,         [CURLUPART_PASSWORD] = CURLUE_NO_PASSWORD,
    [CURLUPART_OPTIONS] = CURLUE_NO_OPTIONS,   [CURLUPART_QUERY] = CURLUE_NO_QUERY,
    [CURLUPART_FRAGMENT] = CURLUE_NO_FRAGMENT, [CURLUPART_ZONEID] = CURLUE_NO_ZONEID,
  };
  *out = mote_curlu_part(u, what);
  if(what == CURLUPART_PATH) {
    if(!out->len)
      *out = mote_slice_of("/");
    return CURLUE_OK;
  }
  if((what == CURLUPART_QUERY || (what == CURLUPART_FRAGMENT && !(u->has & MOTE_CURLU_OWN_FRAGMENT))) &&
     !out->len && !(flags & CURLU_GET_EMPTY))
    return (CURLUcode)missing[what];
  return mote_curlu_has(u, what) ? CURLUE_OK : (CURLUcode)missing[what];
}

CURLUcode mote_curlu_value(const CURLU *u, CURLUPart what, unsigned flags, char *text, struct mote_slice *out)
{
  switch(what) {
  case CURLUPART_SCHEME:
    return get_scheme(u, flags, out);
  case CURLUPART_PORT:
    return get_port(u, mote_curlu_part(u, CURLUPART_SCHEME), flags, text, out);
  case CURLUPART_HOST:
    return get_host(u, flags, text, out);
  default:
    return get_plain(u, what, flags, out);
  }
}

_Static_assert((int)MOTE_URL_SCHEME == (int)CURLUPART_SCHEME && (int)MOTE_URL_ZONEID == (int)CURLUPART_ZONEID,
               "parts have the numbers of CURLUPART_*");

/* The text of the whole is never parsed, since a user name that was set by itself may look like a host in
 * it. */
CURLUcode mote_curlu_compose(const CURLU *handle, const struct mote_url_how *how, struct mote_url *u)
{
  struct mote_slice part[MOTE_URL_PARTS];
  char text[MOTE_CURLU_TEXT];
  unsigned has = 0;
  int i;
  memset(part, 0, sizeof part);
  memset(u, 0, sizeof *u);
  for(i = MOTE_URL_SCHEME; i <= MOTE_URL_ZONEID; i++)
    if(!mote_curlu_value(handle, (CURLUPart)i, CURLU_GET_EMPTY, text, &part[i]))
      has |= 1u << i;
  return has & 1u << MOTE_URL_SCHEME ? mote_url_compose(u, part, has, how) : CURLUE_NO_SCHEME;
}
