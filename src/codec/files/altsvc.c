/* codec/files/altsvc.c: reads Alt-Svc fields, and reads and prints lines (codec/files/altsvc.h). */
#include "codec/files/altsvc.h"

#include <string.h>

#include "base/out.h"
#include "codec/files/stamp.h"

static bool files_altsvc_take_char(struct mote_slice *s, char c)
{
  if(!s->len || *s->ptr != c)
    return false;
  mote_slice_skip(s, 1);
  return true;
}

/* ---- what both forms have ---- */

/* The ids are compared byte for byte (RFC 7301). */
static uint8_t files_altsvc_protocol_of(struct mote_slice id)
{
  static const struct {
    const char *id;
    uint8_t protocol;
  } known[] = {
    {"h1", MOTE_ALTSVC_H1}, {"http/1.1", MOTE_ALTSVC_H1}, {"h2", MOTE_ALTSVC_H2}, {"h3", MOTE_ALTSVC_H3},
  };
  size_t i;
  for(i = 0; i < sizeof known / sizeof known[0]; i++)
    if(mote_slice_same(id, mote_slice_of(known[i].id)))
      return known[i].protocol;
  return MOTE_ALTSVC_NONE;
}

/* What may be in a name or an address. */
static bool is_host_char(char c)
{
  return mote_is_alnum(c) || c == '-' || c == '.' || c == '_' || (unsigned char)c >= 0x80;
}

/* Takes a host, an IPv6 address in brackets. False: it is malformed, or too long. */
static bool files_altsvc_take_host(struct mote_slice *s, struct mote_slice *host)
{
  bool brackets = files_altsvc_take_char(s, '[');
  host->ptr = s->ptr;
  while(s->len && (brackets ? mote_hex_digit(*s->ptr) >= 0 || *s->ptr == ':' || *s->ptr == '.'
                            : is_host_char(*s->ptr)))
    mote_slice_skip(s, 1);
  host->len = (size_t)(s->ptr - host->ptr);
  return host->len <= MOTE_ALTSVC_HOST_MAX && (!brackets || (host->len && files_altsvc_take_char(s, ']')));
}

static bool files_altsvc_take_number(struct mote_slice *s, uint64_t least, uint64_t most, uint16_t *out)
{
  uint64_t n;
  size_t used;
  if(!mote_parse_dec_prefix(*s, most, &n, &used) || n < least)
    return false;
  mote_slice_skip(s, used);
  *out = (uint16_t)n;
  return true;
}

/* ---- fields ---- */

bool mote_altsvc_clears(struct mote_slice field)
{
  return mote_slice_is(mote_slice_trim(field), "clear");
}

static struct mote_slice take_until(struct mote_slice *s, const char *ends)
{
  struct mote_slice word = {s->ptr, 0};
  while(s->len && !mote_is_blank(*s->ptr) && !strchr(ends, *s->ptr))
    mote_slice_skip(s, 1);
  word.len = (size_t)(s->ptr - word.ptr);
  return word;
}

static bool take_quoted(struct mote_slice *s, struct mote_slice *text)
{
  const char *end;
  if(!files_altsvc_take_char(s, '"'))
    return false;
  end = s->len ? memchr(s->ptr, '"', s->len) : NULL;
  if(!end)
    return false;
  *text = (struct mote_slice){s->ptr, (size_t)(end - s->ptr)};
  mote_slice_skip(s, text->len + 1);
  return true;
}

static bool files_altsvc_is_number(struct mote_slice s)
{
  while(s.len && mote_is_digit(*s.ptr))
    mote_slice_skip(&s, 1);
  return !s.len;
}

static void read_parameter(struct mote_altsvc_offer *out, struct mote_slice name, struct mote_slice value)
{
  uint64_t n;
  if(mote_slice_is(name, "persist"))
    out->persist = mote_slice_same(value, mote_slice_of("1"));
  else if(mote_slice_is(name, "ma") && value.len) {
    if(mote_parse_dec(value, MOTE_ALTSVC_AGE_MAX, &n))
      out->max_age = (int64_t)n;
    else if(files_altsvc_is_number(value))
      out->max_age = MOTE_ALTSVC_AGE_MAX;
  }
}

/* Takes the parameters of an alternative. */
static bool take_parameters(struct mote_slice *s, struct mote_altsvc_offer *out)
{
  for(;;) {
    struct mote_slice name, value = {NULL, 0};
    mote_slice_skip_blanks(s);
    if(!files_altsvc_take_char(s, ';'))
      return true;
    mote_slice_skip_blanks(s);
    name = take_until(s, "=;,");
    if(!files_altsvc_take_char(s, '='))
      return false;
    if(s->len && *s->ptr == '"') {
      if(!take_quoted(s, &value))
        return false;
    }
    else
      value = take_until(s, ";,");
    read_parameter(out, name, value);
  }
}

/* Reads "host:port". */
static bool read_authority(struct mote_slice text, struct mote_altsvc_offer *out)
{
  return files_altsvc_take_host(&text, &out->host) && files_altsvc_take_char(&text, ':') &&
         files_altsvc_take_number(&text, 1, 65535, &out->port) && !text.len;
}

bool mote_altsvc_next(struct mote_slice *field, struct mote_altsvc_offer *out)
{
  struct mote_slice id, authority;
  bool ok = true;
  while(ok) {
    mote_slice_skip_blanks(field);
    memset(out, 0, sizeof *out);
    out->max_age = MOTE_ALTSVC_AGE;
    id = take_until(field, "=,;");
    if(!files_altsvc_take_char(field, '=') || !take_quoted(field, &authority))
      break;
    out->protocol = files_altsvc_protocol_of(id);
    ok = take_parameters(field, out);
    if(ok && field->len && !files_altsvc_take_char(field, ',')) {
      ok = false; /* something else follows: the last one that counts */
      field->len = 0;
    }
    if(out->protocol && read_authority(authority, out))
      return true;
    ok = ok && field->len;
  }
  field->len = 0;
  return false;
}

/* ---- lines ---- */

/* Takes "protocol host port" and the blank after it. */
static bool take_place(struct mote_slice *s, uint8_t *protocol, struct mote_slice *host, uint16_t *port)
{
  *protocol = files_altsvc_protocol_of(take_until(s, ""));
  if(!*protocol || !files_altsvc_take_char(s, ' ') || !files_altsvc_take_host(s, host))
    return false;
  if(host->len > 1 && host->ptr[host->len - 1] == '.')
    host->len--;
  return host->len && files_altsvc_take_char(s, ' ') && files_altsvc_take_number(s, 1, 65535, port) &&
    files_altsvc_take_char(s, ' ');
}

bool mote_altsvc_read_line(struct mote_slice text, struct mote_altsvc_line *out)
{
  struct mote_slice stamp;
  uint16_t persist;
  mote_slice_skip_blanks(&text);
  if(text.len && text.ptr[text.len - 1] == '\r')
    text.len--;
  if(!take_place(&text, &out->protocol, &out->host, &out->port) ||
     !take_place(&text, &out->to_protocol, &out->to, &out->to_port) || !take_quoted(&text, &stamp) ||
     !mote_stamp_read(stamp, &out->expires) || !files_altsvc_take_char(&text, ' ') ||
     !files_altsvc_take_number(&text, 0, 1, &persist) || !files_altsvc_take_char(&text, ' '))
    return false;
  out->persist = persist;
  return files_altsvc_take_number(&text, 0, 65535, &out->priority) && !text.len;
}

static void put_place(struct mote_out *out, uint8_t protocol, struct mote_slice host, uint16_t port)
{
  bool brackets = memchr(host.ptr, ':', host.len) != NULL;
  mote_out_char(out, 'h');
  mote_out_dec(out, protocol);
  mote_out_text(out, brackets ? " [" : " ");
  mote_out_slice(out, host);
  mote_out_text(out, brackets ? "] " : " ");
  mote_out_dec(out, port);
  mote_out_char(out, ' ');
}

void mote_altsvc_print(const struct mote_altsvc_line *line, struct mote_out *out)
{
  put_place(out, line->protocol, line->host, line->port);
  put_place(out, line->to_protocol, line->to, line->to_port);
  mote_out_char(out, '"');
  mote_stamp_print(line->expires, out);
  mote_out_text(out, "\" ");
  mote_out_dec(out, line->persist);
  mote_out_char(out, ' ');
  mote_out_dec(out, line->priority);
  mote_out_char(out, '\n');
}
