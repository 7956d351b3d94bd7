/* codec/files/cookie.c: Set-Cookie values and lines of cookie files (codec/files/cookie.h). */
#include "codec/files/cookie.h"

#include <string.h>

#include "base/text/date.h"
#include "codec/line.h"

#define DAY 86400
#define DATE_ROOM 80 /* bytes, with a NUL; a longer date is none, as for libcurl 8.23 */

/* ---- both forms ---- */

static struct mote_slice cookie_slice(const char *ptr, size_t len)
{
  struct mote_slice s = {ptr, len};
  return s;
}

/* Splits at the first byte c, which neither part has. Without one the rest is empty. */
static struct mote_slice cookie_split(struct mote_slice *rest, char c)
{
  struct mote_slice first = *rest;
  const char *at = rest->len ? memchr(rest->ptr, c, rest->len) : NULL;
  if(!at) {
    rest->ptr += rest->len;
    rest->len = 0;
    return first;
  }
  first.len = (size_t)(at - first.ptr);
  rest->ptr += first.len + 1;
  rest->len -= first.len + 1;
  return first;
}

static bool ends_line(char c)
{
  return c == '\n' || c == '\r';
}

static struct mote_slice first_line(struct mote_slice s)
{
  size_t end = mote_line_control(s.ptr, 0, s.len);
  while(end < s.len && !ends_line(s.ptr[end]))
    end = mote_line_control(s.ptr, end + 1, s.len);
  s.len = end;
  return s;
}

/* A control byte would end the line of a file, or of a request, elsewhere than this cookie does. */
static bool has_controls(struct mote_slice s)
{
  size_t at = mote_line_control(s.ptr, 0, s.len);
  while(at < s.len && s.ptr[at] == '\t')
    at = mote_line_control(s.ptr, at + 1, s.len);
  return at < s.len || (s.len && memchr(s.ptr, 0x7f, s.len));
}

static struct mote_slice without_dot(struct mote_slice s)
{
  if(s.len && *s.ptr == '.') {
    s.ptr++;
    s.len--;
  }
  return s;
}

static struct mote_slice cookie_unquote(struct mote_slice s)
{
  if(s.len && *s.ptr == '"') {
    s.ptr++;
    s.len--;
    if(s.len && s.ptr[s.len - 1] == '"')
      s.len--;
  }
  return s;
}

/* Servers write "/docs" and "/docs/" for the same. A path that is none stands for the whole host. */
static struct mote_slice clean_path(struct mote_slice s)
{
  s = cookie_unquote(s);
  if(!s.len || *s.ptr != '/')
    return cookie_slice("/", 1);
  if(s.len > 1 && s.ptr[s.len - 1] == '/')
    s.len--;
  return s;
}

bool mote_cookie_prefix_fits(const struct mote_cookie_text *c)
{
  struct mote_slice n = c->name;
  if(n.len < 7 || n.ptr[0] != '_' || n.ptr[1] != '_')
    return true;
  if(n.len >= 9 && mote_equal_nocase_n(n.ptr, "__secure-", 9))
    return c->secure;
  if(mote_equal_nocase_n(n.ptr, "__host-", 7))
    return c->secure && !c->tail && c->path.len == 1;
  return true;
}

/* ---- Set-Cookie ---- */

struct set_state {
  struct mote_cookie_text *c;
  int64_t now;
  int64_t max_age;  /* Unix time that Max-Age gives */
  int64_t date;     /* Unix time that Expires gives */
  bool has_max_age;
  bool has_date;
};

/* What is no number ends the cookie at once, as browsers have it (RFC 6265bis section 5.6.2). */
static void read_max_age(struct set_state *s, struct mote_slice value)
{
  uint64_t seconds = 0;
  size_t used = 0;
  size_t i;
  value = cookie_unquote(value);
  for(i = 0; i < value.len && mote_is_digit(value.ptr[i]); i++)
    ;
  if(i && !mote_parse_dec_prefix(value, INT32_MAX, &seconds, &used))
    seconds = INT32_MAX;
  s->has_max_age = true;
  s->max_age = seconds ? s->now + (int64_t)seconds : 0;
}

static void read_expires(struct set_state *s, struct mote_slice value)
{
  int64_t date;
  value = cookie_unquote(value);
  if(s->has_date || value.len >= DATE_ROOM || !mote_date_parse(value.ptr, value.len, &date))
    return;
  s->has_date = true;
  s->date = date;
}

/* value.ptr is NULL where there is no "=". */
static void read_attribute(struct set_state *s, struct mote_slice name, struct mote_slice value)
{
  struct mote_slice domain = without_dot(value);
  if(mote_slice_is(name, "secure"))
    s->c->secure = true;
  else if(mote_slice_is(name, "httponly"))
    s->c->http_only = true;
  else if(mote_slice_is(name, "path") && value.ptr)
    s->c->path = value.len ? clean_path(value) : value;
  else if(!value.len)
    return;
  else if(mote_slice_is(name, "domain")) {
    s->c->domain = domain;
    s->c->tail = domain.len && !mote_cookie_is_address(domain);
  }
  else if(mote_slice_is(name, "max-age"))
    read_max_age(s, value);
  else if(mote_slice_is(name, "expires"))
    read_expires(s, value);
}

/* Max-Age counts where both are there. The cap is the nearest minute, so that equal cookies of one moment end
 * together. */
static void decide_end(struct set_state *s)
{
  int64_t most = s->now + (int64_t)MOTE_COOKIE_DAYS_MAX * DAY;
  int64_t cap = most + 30;
  int64_t end = s->has_max_age ? s->max_age : s->date;
  if(!s->has_max_age && !s->has_date)
    return;
  s->c->expired = end <= s->now;
  s->c->expires = s->c->expired ? 0 : end > most ? cap - cap % 60 : end;
}

static bool has_tab(struct mote_slice s)
{
  return s.len && memchr(s.ptr, '\t', s.len);
}

const char *mote_cookie_read_set(struct mote_cookie_text *c, struct mote_slice in, int64_t now)
{
  struct set_state s = {.c = c, .now = now};
  struct mote_slice rest = first_line(in), pair, name;
  bool has_value;
  memset(c, 0, sizeof *c);
  if(rest.len > MOTE_COOKIE_SET_MAX)
    return "the line is too long";
  if(has_controls(rest))
    return "it has control characters";
  pair = cookie_split(&rest, ';');
  has_value = pair.len && memchr(pair.ptr, '=', pair.len);
  c->name = mote_slice_trim(cookie_split(&pair, '='));
  c->value = mote_slice_trim(pair);
  if(!has_value || !c->name.len)
    return "it has no name";
  if(c->name.len + c->value.len > MOTE_COOKIE_PAIR_MAX)
    return "name and value are too long";
  if(has_tab(c->name) || has_tab(c->value))
    return "it has control characters";
  while(rest.len) {
    pair = cookie_split(&rest, ';');
    has_value = pair.len && memchr(pair.ptr, '=', pair.len);
    name = mote_slice_trim(cookie_split(&pair, '='));
    pair = has_value ? mote_slice_trim(pair) : cookie_slice(NULL, 0);
    if(has_tab(name) || has_tab(pair))
      return "it has control characters";
    read_attribute(&s, name, pair);
  }
  decide_end(&s);
  return NULL;
}

/* ---- lines of a file ---- */

#define HTTP_ONLY "#HttpOnly_"
#define HTTP_ONLY_LEN (sizeof HTTP_ONLY - 1)

/* Programs write them in capitals. */
static bool is_true(struct mote_slice s)
{
  return s.len == 4 && (!memcmp(s.ptr, "TRUE", 4) || mote_slice_is(s, "TRUE"));
}

/* In the place of a path, which any other text may be. */
static bool is_flag(struct mote_slice s)
{
  return (s.len == 4 && !memcmp(s.ptr, "TRUE", 4)) || (s.len == 5 && !memcmp(s.ptr, "FALSE", 5));
}

enum {
  DOMAIN,
  TAIL,
  PATH,
  SECURE,
  EXPIRES,
  NAME,
  VALUE,
  FIELDS
};

/* Splits a line at its tabs. Returns the number of fields, FIELDS + 1 if there are more, or 0 after a control
 * character. */
static unsigned split_fields(struct mote_slice line, struct mote_slice field[FIELDS + 1])
{
  size_t at = 0, end = mote_line_control(line.ptr, 0, line.len);
  unsigned n = 0;
  while(n < FIELDS && end < line.len && line.ptr[end] == '\t') {
    field[n++] = cookie_slice(line.ptr + at, end - at);
    at = end + 1;
    end = mote_line_control(line.ptr, at, line.len);
  }
  field[n++] = cookie_slice(line.ptr + at, end - at);
  if(end < line.len && line.ptr[end] != '\t' && !ends_line(line.ptr[end]))
    return 0;
  return memchr(line.ptr, 0x7f, end) ? 0 : n;
}

/* Old files have no path, which stands for "/". */
static unsigned fill_path(struct mote_slice field[FIELDS + 1], unsigned n)
{
  if(n <= SECURE || n > FIELDS || !is_flag(field[PATH]))
    return n;
  memmove(field + SECURE, field + PATH, (n - PATH) * sizeof *field);
  field[PATH] = cookie_slice("/", 1);
  return n + 1;
}

/* The value of eight digits, of which the first is the lowest byte. Pairs are joined, then the four pairs at
 * once. False: some byte is no digit. */
static bool read_eight(uint64_t digits, uint64_t *value)
{
  const uint64_t each = UINT64_C(0x0101010101010101);
  digits ^= each * '0';
  if((digits | (digits + each * 6)) & each * 0xf0)
    return false;
  digits = digits * 10 + (digits >> 8);
  *value = ((digits & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
            (digits >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >> 32;
  return true;
}

/* Compilers make one load of it where bytes have this order. */
static inline uint64_t word_of(const char *ptr)
{
  const uint8_t *p = (const uint8_t *)ptr;
  return p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
         (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* Times that a file has for real are short, and each line has one. Browsers count in fractions of a second,
 * which some programs write out. */
static bool cookie_read_time(struct mote_slice s, uint64_t *out)
{
  uint64_t v = 0;
  size_t i = 0;
  if(s.len > 18)
    return mote_parse_dec_prefix(s, INT64_MAX, out, &i) && (i == s.len || s.ptr[i] == '.');
  if(s.len >= sizeof v && read_eight(word_of(s.ptr), &v))
    i = sizeof v;
  for(; i < s.len; i++) {
    unsigned digit = (unsigned char)s.ptr[i] - (unsigned)'0';
    if(digit > 9)
      break;
    v = v * 10 + digit;
  }
  *out = v;
  return i && (i == s.len || s.ptr[i] == '.');
}

static const char *read_fields(struct mote_cookie_text *c, struct mote_slice line, uint64_t *expires)
{
  struct mote_slice field[FIELDS + 1];
  unsigned n = fill_path(field, split_fields(line, field));
  if(!n)
    return "it has control characters";
  if(n < VALUE || n > FIELDS)
    return n < VALUE ? "it has too few fields" : "it has too many fields";
  c->domain = without_dot(field[DOMAIN]);
  c->tail = is_true(field[TAIL]);
  c->path = clean_path(field[PATH]);
  c->secure = is_true(field[SECURE]);
  c->name = field[NAME];
  if(n > VALUE)
    c->value = field[VALUE];
  if(!c->domain.len || !field[PATH].len)
    return "it has no domain or path";
  return cookie_read_time(field[EXPIRES], expires) ? NULL : "its time is not a number";
}

const char *mote_cookie_read_line(struct mote_cookie_text *c, struct mote_slice line, int64_t now)
{
  uint64_t expires = 0;
  const char *why;
  memset(c, 0, sizeof *c);
  if(line.len > MOTE_COOKIE_LINE_MAX && first_line(line).len > MOTE_COOKIE_LINE_MAX)
    return "the line is too long";
  if(line.len > HTTP_ONLY_LEN && !memcmp(line.ptr, HTTP_ONLY, HTTP_ONLY_LEN)) {
    c->http_only = true;
    line = cookie_slice(line.ptr + HTTP_ONLY_LEN, line.len - HTTP_ONLY_LEN);
  }
  if(!line.len || *line.ptr == '#' || ends_line(*line.ptr))
    return "it is a comment";
  why = read_fields(c, line, &expires);
  if(why)
    return why;
  c->expires = (int64_t)expires;
  c->expired = expires && c->expires <= now;
  return NULL;
}

const char *mote_cookie_read(struct mote_cookie_text *c, struct mote_slice line, int64_t now)
{
  static const char field[] = "Set-Cookie:";
  size_t len = sizeof field - 1;
  if(line.len < len || mote_to_lower(*line.ptr) != 's' || !mote_equal_nocase_n(line.ptr, field, len))
    return mote_cookie_read_line(c, line, now);
  return mote_cookie_read_set(c, cookie_slice(line.ptr + len, line.len - len), now);
}

/* ---- which requests get it ---- */

struct mote_slice mote_cookie_default_path(struct mote_slice request_path)
{
  size_t len = request_path.len;
  while(len && request_path.ptr[len - 1] != '/')
    len--;
  return len > 1 ? cookie_slice(request_path.ptr, len - 1) : cookie_slice("/", 1);
}

bool mote_cookie_path_matches(struct mote_slice path, struct mote_slice request_path)
{
  if(path.len <= 1)
    return true;
  if(request_path.len < path.len || memcmp(path.ptr, request_path.ptr, path.len) != 0)
    return false;
  return request_path.len == path.len || request_path.ptr[path.len] == '/';
}

bool mote_cookie_domain_matches(struct mote_slice domain, struct mote_slice host)
{
  size_t more = host.len - domain.len;
  if(host.len < domain.len || !mote_equal_nocase_n(host.ptr + more, domain.ptr, domain.len))
    return false;
  return !more || host.ptr[more - 1] == '.';
}

/* Digits and dots alone are no address where they are not four numbers, as "1" or ".". */
bool mote_cookie_is_address(struct mote_slice domain)
{
  unsigned numbers = 0;
  size_t i;
  for(i = 0; i < domain.len; i++)
    if(domain.ptr[i] == ':')
      return true;
  while(domain.len) {
    struct mote_slice number = cookie_split(&domain, '.');
    uint64_t value;
    if(!mote_parse_dec(number, 255, &value))
      return false;
    numbers++;
  }
  return numbers == 4;
}
