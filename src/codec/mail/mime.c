/* codec/mail/mime.c: encodings and texts of multipart bodies (codec/mail/mime.h). */
#include "codec/mail/mime.h"

#include <string.h>

#include "base/digest/base64.h"
#include "base/text.h"

#define BASE64_RAW 3   /* bytes that make */
#define BASE64_UNIT 4  /* so many characters */

/* ---- base64: lines of 76 characters, with CR LF between them and none at the end ---- */

static size_t base64_unit(struct mote_mime_coder *c, const char *in, size_t len, char *out)
{
  char unit[MOTE_BASE64_SIZE(BASE64_RAW)];
  size_t n = 0;
  (void)mote_base64_encode(unit, in, len);
  if(c->column == MOTE_MIME_LINE) {
    out[n++] = '\r';
    out[n++] = '\n';
    c->column = 0;
  }
  memcpy(out + n, unit, BASE64_UNIT);
  c->column = (uint8_t)(c->column + BASE64_UNIT);
  return n + BASE64_UNIT;
}

static size_t base64_encode(struct mote_mime_coder *c, const char *in, size_t len, bool end, char *out)
{
  size_t n = 0;
  for(; len; len--) {
    c->carry[c->carried++] = *in++;
    if(c->carried == BASE64_RAW) {
      n += base64_unit(c, c->carry, BASE64_RAW, out + n);
      c->carried = 0;
    }
  }
  if(end && c->carried) {
    n += base64_unit(c, c->carry, c->carried, out + n);
    c->carried = 0;
  }
  return n;
}

static curl_off_t base64_size(curl_off_t bytes)
{
  curl_off_t chars;
  if(bytes > INT64_MAX / 2)
    return -1;
  chars = (bytes + BASE64_RAW - 1) / BASE64_RAW * BASE64_UNIT;
  return chars ? chars + (chars - 1) / MOTE_MIME_LINE * 2 : 0;
}

/* ---- quoted-printable (RFC 2045 section 6.7) ---- */

static bool is_literal(unsigned char b)
{
  return b >= 33 && b <= 126 && b != '=';
}

/* Writes one byte as it is or as =XX, after a soft line break where it would not fit. The last column is for
 * the "=" of such a break, unless the line ends here anyway. */
static size_t quoted_byte(struct mote_mime_coder *c, char byte, bool literal, bool ends, char *out)
{
  static const char digits[] = "0123456789ABCDEF";
  unsigned char b = (unsigned char)byte;
  size_t n = 0, size = literal ? 1 : 3;
  if(c->column + size > MOTE_MIME_LINE - (ends ? 0u : 1u)) {
    memcpy(out, "=\r\n", 3);
    n = 3;
    c->column = 0;
  }
  c->column = (uint8_t)(c->column + size);
  if(literal)
    out[n] = byte;
  else {
    out[n] = '=';
    out[n + 1] = digits[b >> 4];
    out[n + 2] = digits[b & 15];
  }
  return n + size;
}

/* Reports what the bytes that were kept back begin with: how many are used up, and what they become in
 * *wrote. 0: what follows must be known first. */
static size_t quoted_front(struct mote_mime_coder *c, bool end, char *out, size_t *wrote)
{
  const char *p = c->carry;
  bool blank = mote_is_blank(*p), ends;
  if(*p == '\r' && c->carried > 1 && p[1] == '\n') {
    memcpy(out, "\r\n", 2);
    *wrote = 2;
    c->column = 0;
    return 2;
  }
  if(c->carried < MOTE_MIME_CARRY && !end) { /* a CR LF after this byte may end its line */
    bool next_known = c->carried > 1 && p[1] != '\r';
    if(!next_known)
      return 0;
  }
  ends = c->carried == 1 || (c->carried > 2 && p[1] == '\r' && p[2] == '\n');
  *wrote = quoted_byte(c, *p, is_literal((unsigned char)*p) || (blank && !ends), ends, out);
  return 1;
}

static size_t quoted_drain(struct mote_mime_coder *c, bool end, char *out)
{
  size_t n = 0, used, wrote;
  while(c->carried && (used = quoted_front(c, end, out + n, &wrote)) != 0) {
    n += wrote;
    c->carried = (uint8_t)(c->carried - used);
    memmove(c->carry, c->carry + used, c->carried);
  }
  return n;
}

static size_t quoted_encode(struct mote_mime_coder *c, const char *in, size_t len, bool end, char *out)
{
  size_t n = 0;
  for(; len; len--) {
    c->carry[c->carried++] = *in++;
    n += quoted_drain(c, false, out + n);
  }
  return end ? n + quoted_drain(c, true, out + n) : n;
}

/* How many bytes become three is not known before they are read. */
static curl_off_t quoted_size(curl_off_t bytes)
{
  return bytes ? -1 : 0;
}

/* ---- 7bit ---- */

static size_t seven_encode(struct mote_mime_coder *c, const char *in, size_t len, bool end, char *out)
{
  size_t n = 0;
  (void)end;
  while(!c->refused && n < len) {
    c->refused = (unsigned char)in[n] > 127;
    n += !c->refused;
  }
  memmove(out, in, n);
  return n;
}

static const struct mote_mime_coding codings[] = {
  {.name = "binary"},
  {.name = "8bit"},
  {.name = "7bit", .encode = seven_encode},
  {.name = "base64", .encode = base64_encode, .size = base64_size},
  {.name = "quoted-printable", .encode = quoted_encode, .size = quoted_size},
};

const struct mote_mime_coding *mote_mime_coding_find(const char *name)
{
  size_t i;
  for(i = 0; i < sizeof codings / sizeof codings[0]; i++)
    if(mote_equal_nocase(name, codings[i].name))
      return &codings[i];
  return NULL;
}

/* ---- texts ---- */

void mote_mime_put_cut(struct mote_mime_text *t, const char *bytes, size_t len)
{
  t->total += len;
  if(t->skip) {
    size_t out = len < t->skip ? len : t->skip;
    t->skip -= out;
    bytes += out;
    len -= out;
  }
  if(len > t->room - t->written)
    len = t->room - t->written;
  if(!len)
    return;
  memcpy(t->to + t->written, bytes, len);
  t->written += len;
}

/* A name is short, so that a loop beats strcspn(), which prepares a table first. */
static size_t plain_length(const char *name, bool backslash)
{
  size_t n = 0;
  for(; name[n]; n++)
    if(name[n] == '"' || name[n] == '\r' || name[n] == '\n' || (backslash && name[n] == '\\'))
      break;
  return n;
}

void mote_mime_put_quoted(struct mote_mime_text *t, const char *name, bool backslash)
{
  mote_mime_put(t, "\"", 1);
  for(;;) {
    size_t plain = plain_length(name, backslash);
    mote_mime_put(t, name, plain);
    name += plain;
    if(!*name)
      break;
    if(*name == '\r' || *name == '\n')
      t->refused = t->refused || backslash;
    if(backslash) {
      mote_mime_put(t, "\\", 1);
      mote_mime_put(t, name, 1);
    }
    else
      mote_mime_put(t, *name == '"' ? "%22" : *name == '\r' ? "%0D" : "%0A", 3);
    name++;
  }
  mote_mime_put(t, "\"", 1);
}

/* The types that libcurl knows (observed). */
const char *mote_mime_type_of(const char *filename)
{
  static const struct {
    char ending[6]; /* after the last dot */
    char type[16];
  } types[] = {
    {"gif", "image/gif"}, {"jpg", "image/jpeg"}, {"jpeg", "image/jpeg"},
    {"png", "image/png"}, {"svg", "image/svg+xml"}, {"txt", "text/plain"},
    {"htm", "text/html"}, {"html", "text/html"}, {"pdf", "application/pdf"},
    {"xml", "application/xml"},
  };
  const char *dot = filename ? strrchr(filename, '.') : NULL;
  size_t i;
  for(i = 0; dot && i < sizeof types / sizeof types[0]; i++)
    if(mote_equal_nocase(dot + 1, types[i].ending))
      return types[i].type;
  return NULL;
}

const char *mote_mime_field(const struct curl_slist *list, const char *name)
{
  size_t len = strlen(name);
  for(; list; list = list->next)
    if(mote_equal_nocase_n(list->data, name, len) && list->data[len] == ':') {
      const char *value = list->data + len + 1;
      while(mote_is_blank(*value))
        value++;
      return value;
    }
  return NULL;
}
