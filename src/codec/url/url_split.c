/* codec/url/url_split.c: where the parts of an input are, and whether they may be what they are. */
#include "codec/url/url_part.h"

#include <string.h>

#include "codec/url/url.h"

/* ---- schemes ---- */

/* The ports that IANA lists, but for gophers, smtps and smbs: those of libcurl. */
static const struct mote_scheme_facts schemes[] = {
  { .name = "http", .port = 80 },
  { .name = "https", .port = 443 },
  { .name = "ftp", .port = 21 },
  { .name = "ftps", .port = 990 },
  { .name = "ws", .port = 80 },
  { .name = "wss", .port = 443 },
  { .name = "file", .port = 0, .flags = MOTE_SCHEME_NO_HOST },
  { .name = "sftp", .port = 22 },
  { .name = "scp", .port = 22 },
  { .name = "imap", .port = 143, .flags = MOTE_SCHEME_LOGIN_OPTIONS },
  { .name = "imaps", .port = 993, .flags = MOTE_SCHEME_LOGIN_OPTIONS },
  { .name = "pop3", .port = 110, .flags = MOTE_SCHEME_LOGIN_OPTIONS },
  { .name = "pop3s", .port = 995, .flags = MOTE_SCHEME_LOGIN_OPTIONS },
  { .name = "smtp", .port = 25, .flags = MOTE_SCHEME_LOGIN_OPTIONS },
  { .name = "smtps", .port = 465, .flags = MOTE_SCHEME_LOGIN_OPTIONS },
  { .name = "mqtt", .port = 1883 },
  { .name = "mqtts", .port = 8883 },
  { .name = "dict", .port = 2628 },
  { .name = "ldap", .port = 389 },
  { .name = "ldaps", .port = 636 },
  { .name = "tftp", .port = 69 },
  { .name = "telnet", .port = 23 },
  { .name = "gopher", .port = 70 },
  { .name = "gophers", .port = 70 },
  { .name = "rtsp", .port = 554 },
  { .name = "socks", .port = 1080 },
  { .name = "socks4", .port = 1080 },
  { .name = "socks4a", .port = 1080 },
  { .name = "socks5", .port = 1080 },
  { .name = "socks5h", .port = 1080 },
  { .name = "smb", .port = 445 },
  { .name = "smbs", .port = 445 },
};

const struct mote_scheme_facts *mote_scheme_facts(const char *name, size_t len)
{
  struct mote_slice s = { name, len };
  size_t i;
  for(i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    if(mote_slice_is(s, schemes[i].name))
      return &schemes[i];
  }
  return NULL;
}

/* ---- the parts of an input ---- */

static struct mote_slice url_split_between(const char *from, const char *to)
{
  struct mote_slice s;
  s.ptr = from;
  s.len = (size_t)(to - from);
  return s;
}

static void url_split_set_part(struct mote_url_raw *raw, enum mote_url_part part, const char *from,
                               const char *to)
{
  raw->part[part] = url_split_between(from, to);
  raw->has = (uint16_t)(raw->has | (1u << part));
}

/* First byte from p on that is a or b or c, or end. */
static const char *find_any(const char *p, const char *end, char a, char b, char c)
{
  while(p < end && *p != a && *p != b && *p != c)
    p++;
  return p;
}

static const char *url_split_find(const char *p, const char *end, char c)
{
  const char *at = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
  return at ? at : end;
}

/* No control characters, and no spaces unless they may be there. */
static bool url_split_clean(struct mote_slice s, bool spaces)
{
  size_t i;
  for(i = 0; i < s.len; i++) {
    unsigned char c = (unsigned char)s.ptr[i];
    if(c < ' ' || c == 127 || (c == ' ' && !spaces))
      return false;
  }
  return true;
}

static bool scheme_byte(char c)
{
  return mote_is_alnum(c) || c == '+' || c == '-' || c == '.';
}

size_t mote_url_scheme_len(const char *in, size_t len, bool strict)
{
  size_t i = 0;
  if(!len || !mote_is_alpha(in[0]))
    return 0;
  while(i < len && i <= MOTE_URL_MAX_SCHEME && scheme_byte(in[i]))
    i++;
  if(i == len || i > MOTE_URL_MAX_SCHEME || in[i] != ':')
    return 0;
  return strict && (i + 1 == len || in[i + 1] != '/') ? 0 : i;
}

bool mote_url_is_absolute(const char *in, size_t len)
{
  return mote_url_scheme_len(in, len, false) > 0;
}

/* Remember what is known of the scheme; is it welcome? */
static CURLUcode judge_scheme(struct mote_url_raw *raw, const struct mote_url_how *how)
{
  struct mote_slice s = raw->part[MOTE_URL_SCHEME];
  const struct mote_scheme_facts *facts = mote_scheme_facts(s.ptr, s.len);
  char lower[MOTE_URL_MAX_SCHEME];
  size_t i;
  if(facts) {
    raw->scheme_flags = facts->flags;
    raw->default_port = facts->port;
  }
  if(!s.len || s.len > sizeof lower)
    return CURLUE_BAD_SCHEME;
  for(i = 0; i < s.len; i++)
    lower[i] = mote_to_lower(s.ptr[i]);
  if(!(how->flags & CURLU_NON_SUPPORT_SCHEME) && how->supported && !how->supported(lower, s.len))
    return CURLUE_UNSUPPORTED_SCHEME;
  return CURLUE_OK;
}

/* The scheme that the first label of a host suggests. */
static const char *url_split_guess(struct mote_slice host)
{
  static const char names[][5] = { "ftp", "dict", "ldap", "imap", "smtp", "pop3" };
  size_t i;
  for(i = 0; i < sizeof names / sizeof names[0]; i++) {
    size_t n = strlen(names[i]);
    if(host.len > n && host.ptr[n] == '.' && mote_equal_nocase_n(names[i], host.ptr, n))
      return names[i];
  }
  return "http";
}

/* Takes "://" with one to three slashes and moves *p past them. Where there may be no authority, the third
 * slash is the path's. */
static CURLUcode skip_slashes(const char **p, const char *end, const struct mote_url_how *how)
{
  int most = (how->flags & CURLU_NO_AUTHORITY) ? 2 : 4;
  int n = 0;
  while(*p < end && **p == '/' && n < most) {
    (*p)++;
    n++;
  }
  return n < 1 || n > 3 ? CURLUE_BAD_SLASHES : CURLUE_OK;
}

/* "/c:" or "/c|", as the whole path or its first segment. */
static bool has_drive(const char *p, const char *end)
{
  return end - p >= 3 && mote_is_alpha(p[1]) && (p[2] == ':' || p[2] == '|') &&
         (end - p == 3 || p[3] == '/' || p[3] == '\\');
}

/* Takes the host of RFC 8089, this one only, and moves *p from after two slashes to the path. */
static CURLUcode skip_file_host(const char **p, const char *end)
{
  static const char *const local[] = { "localhost/", "127.0.0.1/" };
  const char *s = *p;
  size_t i;
  for(i = 0; i < 2; i++) {
    size_t n = strlen(local[i]);
    if((size_t)(end - s) >= n && mote_equal_nocase_n(local[i], s, n)) {
      s += n - 1;
      break;
    }
  }
  if(s == end || *s != '/')
    return CURLUE_BAD_FILE_URL;
  *p = s;
  return has_drive(s, end) ? CURLUE_BAD_FILE_URL : CURLUE_OK;
}

/* The same from after the colon. One slash is the path's, two are those in front of a host. */
static CURLUcode skip_file_slashes(const char **p, const char *end)
{
  const char *s = *p;
  if(end - s < 2 || *s != '/')
    return CURLUE_BAD_FILE_URL;
  if(s[1] != '/')
    return has_drive(s, end) ? CURLUE_BAD_FILE_URL : CURLUE_OK;
  *p += 2;
  return skip_file_host(p, end);
}

/* user [":" password] [";" options], the options before or after the password. */
static CURLUcode split_login(struct mote_url_raw *raw, const char *p, const char *end,
                             const struct mote_url_how *how)
{
  bool spaces = (how->flags & CURLU_ALLOW_SPACE) != 0;
  const char *options = (raw->scheme_flags & MOTE_SCHEME_LOGIN_OPTIONS) ? url_split_find(p, end, ';') : end;
  const char *colon = url_split_find(p, end, ':');
  if(how->flags & CURLU_DISALLOW_USER)
    return CURLUE_USER_NOT_ALLOWED;
  url_split_set_part(raw, MOTE_URL_USER, p, options < colon ? options : colon);
  if(colon < end)
    url_split_set_part(raw, MOTE_URL_PASSWORD, colon + 1, options > colon ? options : end);
  if(options < end && (options < colon ? colon : end) > options + 1)
    url_split_set_part(raw, MOTE_URL_OPTIONS, options + 1, options < colon ? colon : end);
  if(!url_split_clean(raw->part[MOTE_URL_USER], spaces))
    return CURLUE_BAD_USER;
  if(!url_split_clean(raw->part[MOTE_URL_PASSWORD], spaces))
    return CURLUE_BAD_PASSWORD;
  return url_split_clean(raw->part[MOTE_URL_OPTIONS], spaces) ? CURLUE_OK : CURLUE_BAD_LOGIN;
}

/* Takes the digits after the host. No digits are no port; but where the scheme is a guess, "host:" is not
 * recognised as a URL. */
static CURLUcode url_split_read_port(struct mote_url_raw *raw, const char *p, const char *end)
{
  unsigned value = 0;
  if(p == end)
    return raw->guessed ? CURLUE_BAD_PORT_NUMBER : CURLUE_OK;
  if(*p == '\\')
    return CURLUE_BACKSLASH;
  url_split_set_part(raw, MOTE_URL_PORT, p, end);
  for(; p < end; p++) {
    if(!mote_is_digit(*p))
      return CURLUE_BAD_PORT_NUMBER;
    value = value * 10 + (unsigned)(*p - '0');
    if(value > 65535)
      return CURLUE_BAD_PORT_NUMBER;
  }
  raw->port = (uint16_t)value;
  return CURLUE_OK;
}

/* host [":" port] */
static CURLUcode split_host(struct mote_url_raw *raw, const char *p, const char *end,
                            const struct mote_url_how *how)
{
  bool literal = p < end && *p == '[';
  const char *stop = literal ? memchr(p, ']', (size_t)(end - p)) : url_split_find(p, end, ':');
  CURLUcode rc;
  if(!stop)
    return CURLUE_BAD_IPV6;
  if(literal)
    stop++;
  if(stop < end && *stop != ':')
    return CURLUE_BAD_PORT_NUMBER;
  rc = stop < end ? url_split_read_port(raw, stop + 1, end) : CURLUE_OK;
  if(rc)
    return p == stop ? CURLUE_NO_HOST : rc;
  if(p == end && (how->flags & CURLU_NO_AUTHORITY) && !mote_url_raw_has(raw, MOTE_URL_USER)) {
    url_split_set_part(raw, MOTE_URL_HOST, p, p);
    return CURLUE_OK;
  }
  rc = mote_host_read(&raw->host, url_split_between(p, stop), true);
  if(!rc)
    raw->has = (uint16_t)(raw->has | 1u << MOTE_URL_HOST);
  if(!rc && raw->host.zone.ptr)
    raw->has = (uint16_t)(raw->has | 1u << MOTE_URL_ZONEID);
  return rc;
}

/* path ["?" query] ["#" fragment] */
static CURLUcode split_tail(struct mote_url_raw *raw, const char *p, const char *end,
                            const struct mote_url_how *how)
{
  bool spaces = (how->flags & CURLU_ALLOW_SPACE) != 0;
  const char *query = find_any(p, end, '?', '#', '#');
  const char *fragment = url_split_find(query, end, '#');
  if(fragment < end)
    url_split_set_part(raw, MOTE_URL_FRAGMENT, fragment + 1, end);
  if(query < fragment)
    url_split_set_part(raw, MOTE_URL_QUERY, query + 1, fragment);
  url_split_set_part(raw, MOTE_URL_PATH, p, query);
  if(how->flags & (CURLU_URLENCODE | MOTE_URL_BASE)) /* what may not stand there is encoded, or goes */
    return CURLUE_OK;
  if(!url_split_clean(raw->part[MOTE_URL_FRAGMENT], spaces))
    return CURLUE_BAD_FRAGMENT;
  if(!url_split_clean(raw->part[MOTE_URL_QUERY], spaces))
    return CURLUE_BAD_QUERY;
  return url_split_clean(raw->part[MOTE_URL_PATH], spaces) ? CURLUE_OK : CURLUE_BAD_PATH;
}

static CURLUcode split_authority(struct mote_url_raw *raw, const char *p, const char *end,
                                 const struct mote_url_how *how)
{
  const char *at = url_split_find(p, end, '@');
  CURLUcode rc = CURLUE_OK;
  if(at < end) {
    rc = split_login(raw, p, at, how);
    p = at + 1;
  }
  return rc ? rc : split_host(raw, p, end, how);
}

/* A scheme for an input that has none. */
static CURLUcode supply_scheme(struct mote_url_raw *raw, const char *p, const char *end,
                               const struct mote_url_how *how)
{
  struct mote_slice name;
  end = find_any(p, end, '/', '?', '#');
  if(how->flags & CURLU_DEFAULT_SCHEME)
    name = how->default_scheme.ptr ? how->default_scheme : mote_slice_of("https");
  else {
    const char *at = url_split_find(p, end, '@');
    name = mote_slice_of(url_split_guess(url_split_between(at < end ? at + 1 : p, end)));
  }
  url_split_set_part(raw, MOTE_URL_SCHEME, name.ptr, name.ptr + name.len);
  raw->guessed = !(how->flags & CURLU_DEFAULT_SCHEME);
  return judge_scheme(raw, how);
}

/* Past what stands between a scheme and a host. An input without a scheme begins with its host. */
static CURLUcode skip_to_host(const struct mote_url_raw *raw, bool stated, const char **p, const char *end,
                              const struct mote_url_how *how)
{
  if(raw->scheme_flags & MOTE_SCHEME_NO_HOST)
    return stated ? skip_file_slashes(p, end) : skip_file_host(p, end);
  return stated ? skip_slashes(p, end, how) : CURLUE_OK;
}

CURLUcode mote_url_split(struct mote_url_raw *raw, const char *in, size_t len, const struct mote_url_how *how)
{
  bool may_guess = (how->flags & (CURLU_DEFAULT_SCHEME | CURLU_GUESS_SCHEME)) != 0;
  const char *p = in;
  const char *end = in + len;
  const char *tail;
  size_t scheme;
  CURLUcode rc;
  memset(raw, 0, sizeof *raw);
  if(len > MOTE_URL_MAX_INPUT)
    return CURLUE_TOO_LARGE;
  scheme = mote_url_scheme_len(in, len, may_guess);
  if(scheme) {
    url_split_set_part(raw, MOTE_URL_SCHEME, in, in + scheme);
    p += scheme + 1;
    rc = judge_scheme(raw, how);
  }
  else
    rc = may_guess ? supply_scheme(raw, p, end, how) : CURLUE_BAD_SCHEME;
  if(!rc)
    rc = skip_to_host(raw, scheme != 0, &p, end, how);
  if(rc)
    return rc;
  if(raw->scheme_flags & MOTE_SCHEME_NO_HOST)
    return split_tail(raw, p, end, how);
  tail = find_any(p, end, '/', '?', '#');
  if(p == tail && !(how->flags & CURLU_NO_AUTHORITY))
    return CURLUE_NO_HOST;
  rc = split_authority(raw, p, tail, how);
  return rc ? rc : split_tail(raw, tail, end, how);
}

CURLUcode mote_url_gather(struct mote_url_raw *raw, const struct mote_slice part[MOTE_URL_PARTS],
                          unsigned has, const struct mote_url_how *how)
{
  uint64_t port = 0;
  CURLUcode rc;
  memset(raw, 0, sizeof *raw);
  memcpy(raw->part, part, sizeof raw->part);
  raw->has = (uint16_t)(has & ~(1u << MOTE_URL_ZONEID | 1u << MOTE_URL_WHOLE | 1u << MOTE_URL_ACE));
  raw->apart = true;
  rc = judge_scheme(raw, how);
  if(rc || (raw->scheme_flags & MOTE_SCHEME_NO_HOST))
    return rc;
  if(!(raw->scheme_flags & MOTE_SCHEME_LOGIN_OPTIONS))
    raw->has = (uint16_t)(raw->has & ~(1u << MOTE_URL_OPTIONS));
  if((how->flags & CURLU_DISALLOW_USER) && (has & (1u << MOTE_URL_USER | 1u << MOTE_URL_PASSWORD)))
    return CURLUE_USER_NOT_ALLOWED;
  if(has & (1u << MOTE_URL_PASSWORD)) /* which follows a user, if only an empty one */
    raw->has = (uint16_t)(raw->has | 1u << MOTE_URL_USER);
  if(mote_url_raw_has(raw, MOTE_URL_PORT) && !mote_parse_dec(part[MOTE_URL_PORT], 65535, &port))
    return CURLUE_BAD_PORT_NUMBER;
  raw->port = (uint16_t)port;
  if(!url_split_clean(part[MOTE_URL_QUERY], true))
    return CURLUE_BAD_QUERY;
  rc = mote_host_read(&raw->host, part[MOTE_URL_HOST], true);
  if(rc || raw->host.kind != MOTE_HOST_IPV6 || !(has & (1u << MOTE_URL_ZONEID)))
    return rc;
  raw->host.zone = part[MOTE_URL_ZONEID];
  raw->has = (uint16_t)(raw->has | 1u << MOTE_URL_ZONEID);
  return mote_zone_ok(raw->host.zone) ? CURLUE_OK : CURLUE_BAD_IPV6;
}
