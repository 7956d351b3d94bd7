/* codec/url/url_host.c: names and address literals. */
#include "codec/url/url_part.h"

#include <string.h>

#include "codec/url/percent.h"

int mote_host_byte(const char **p, const char *end, bool decode)
{
  int byte;
  if(*p >= end)
    return -1;
  byte = decode && **p == '%' ? mote_percent_byte(*p, end) : -1;
  if(byte < 0)
    return (unsigned char)*(*p)++;
  *p += 3;
  return byte;
}

/* Bytes that no host name may have: controls, space, the delimiters of RFC 3986 but "~", and what shells
 * and people take for delimiters. "_" and everything above 127 pass, as they do in libcurl. */
static bool name_byte(int byte)
{
  static const uint32_t refused[4] = {
    0xffffffff, /* controls */
    0xfc009fff, /* space ! " # $ % & ' ( ) * + , / : ; < = > ? */
    0x78000001, /* @ [ \ ] ^ */
    0xb8000001, /* ` { | } DEL */
  };
  return byte > 127 || !(refused[byte >> 5] >> (byte & 31) & 1);
}

/* Dots alone are no name, and no name ends in two. */
static bool name_ok(struct mote_slice s, bool decode)
{
  const char *p = s.ptr;
  const char *end = p + s.len;
  int dots = 2; /* at the end so far */
  int byte;
  while((byte = mote_host_byte(&p, end, decode)) >= 0) {
    if(!name_byte(byte))
      return false;
    dots = byte == '.' ? dots + 1 : 0;
  }
  return dots < 2;
}

/* Reads one number of an inet_aton() address; *next is the byte after it, -1 at the end. */
static bool ipv4_number(const char **p, const char *end, bool decode, uint64_t *value, int *next)
{
  unsigned base = 10;
  bool digits = false;
  int c = mote_host_byte(p, end, decode);
  *value = 0;
  if(c == '0') {
    base = 8;
    digits = true;
    c = mote_host_byte(p, end, decode);
    if(c == 'x' || c == 'X') {
      base = 16;
      digits = false;
      c = mote_host_byte(p, end, decode);
    }
  }
  for(; c >= 0 && c != '.'; c = mote_host_byte(p, end, decode)) {
    int d = c < 128 ? mote_hex_digit((char)c) : -1;
    if(d < 0 || (unsigned)d >= base)
      return false;
    *value = *value * base + (unsigned)d;
    if(*value > UINT32_MAX)
      return false;
    digits = true;
  }
  *next = c;
  return digits;
}

/* One to four numbers, perhaps with a dot at the end; the last fills the bytes that are left
 * (inet_aton(3)). */
static bool ipv4_read(struct mote_slice s, bool decode, unsigned char out[4])
{
  const char *p = s.ptr;
  const char *end = p + s.len;
  uint64_t number = 0;
  int next = '.';
  int n;
  int i;
  if(s.len > 1 && end[-1] == '.')
    end--;
  else if(decode && s.len > 3 && mote_percent_byte(end - 3, end) == '.')
    end -= 3;
  for(n = 0; n < 4 && next == '.'; n++) {
    if(!ipv4_number(&p, end, decode, &number, &next))
      return false;
    if(next == '.') {
      if(number > 255)
        return false;
      out[n] = (unsigned char)number;
    }
  }
  if(next == '.' || number >> (8 * (5 - n)))
    return false;
  for(i = 3; i >= n - 1; i--, number >>= 8)
    out[i] = (unsigned char)number;
  return true;
}

static size_t ipv4_print(const unsigned char in[4], char *out)
{
  size_t n = 0;
  int i;
  for(i = 0; i < 4; i++) {
    char text[21];
    size_t len = mote_print_dec(text, in[i]);
    if(i)
      out[n++] = '.';
    memcpy(out + n, text, len);
    n += len;
  }
  out[n] = 0;
  return n;
}

/* Dotted decimal, four numbers without leading zeros, up to the end. */
static bool ipv4_tail(const char *p, const char *end, unsigned char out[4])
{
  int i;
  for(i = 0; i < 4; i++) {
    unsigned value = 0;
    const char *start = p;
    while(p < end && mote_is_digit(*p) && p - start < 3)
      value = value * 10 + (unsigned)(*p++ - '0');
    if(p == start || value > 255 || (*start == '0' && p - start > 1))
      return false;
    out[i] = (unsigned char)value;
    if(i < 3 && (p == end || *p++ != '.'))
      return false;
  }
  return p == end;
}

/* One 16-bit group; moves *p. */
static bool ipv6_group(const char **p, const char *end, unsigned *value)
{
  const char *start = *p;
  *value = 0;
  while(*p < end && *p - start < 4 && mote_hex_digit(**p) >= 0)
    *value = *value * 16 + (unsigned)mote_hex_digit(*(*p)++);
  return *p > start;
}

enum { NO_GAP = 17 }; /* no "::" was seen: more than there can be bytes before one */

/* Takes ":" or, once, "::" after a group; n bytes are before it. */
static bool ipv6_colons(const char **p, const char *end, size_t n, size_t *gap)
{
  if(*(*p)++ != ':' || *p == end)
    return false;
  if(**p != ':')
    return true;
  (*p)++;
  if(*gap != NO_GAP)
    return false;
  *gap = n;
  return true;
}

bool mote_ipv6_read(struct mote_slice text, unsigned char out[16])
{
  const char *p = text.ptr;
  const char *end = p + text.len;
  size_t n = 0; /* bytes written */
  size_t gap = NO_GAP;
  if(text.len >= 2 && p[0] == ':' && p[1] == ':') {
    gap = 0;
    p += 2;
  }
  while(p < end) {
    const char *start = p;
    unsigned value;
    if(n == 16 || !ipv6_group(&p, end, &value))
      return false;
    if(p < end && *p == '.') {
      if(n > 12 || !ipv4_tail(start, end, out + n))
        return false;
      n += 4;
      break;
    }
    out[n++] = (unsigned char)(value >> 8);
    out[n++] = (unsigned char)value;
    if(p < end && !ipv6_colons(&p, end, n, &gap))
      return false;
  }
  if((gap == NO_GAP) != (n == 16))
    return false;
  if(n == 16)
    return true;
  memmove(out + gap + (16 - n), out + gap, n - gap);
  memset(out + gap, 0, 16 - n);
  return true;
}

/* First of the longest runs of two or more zero groups: RFC 5952 section 4.2. */
static int zero_run(const unsigned group[8], int *length)
{
  int best = -1;
  int i = 0;
  *length = 1;
  while(i < 8) {
    int run = 0;
    while(i + run < 8 && !group[i + run])
      run++;
    if(run > *length) {
      best = i;
      *length = run;
    }
    i += run ? run : 1;
  }
  return best;
}

size_t mote_ipv6_print(const unsigned char in[16], char out[MOTE_HOST_LITERAL])
{
  unsigned group[8];
  size_t n = 0;
  int length;
  int best;
  int i;
  for(i = 0; i < 8; i++)
    group[i] = in[2 * i] * 256u + in[2 * i + 1];
  best = zero_run(group, &length);
  for(i = 0; i < 8; i++) {
    int shift = 12;
    if(i == best) {
      out[n++] = ':';
      i += length - 1;
      if(i == 7)
        out[n++] = ':';
      continue;
    }
    if(i)
      out[n++] = ':';
    if(i == 6 && !best && (length == 6 || (length == 5 && group[5] == 0xffff)))
      return n + ipv4_print(in + 12, out + n); /* IPv4-mapped and -compatible, as inet_ntop() writes them */
    while(shift && !(group[i] >> shift))
      shift -= 4;
    for(; shift >= 0; shift -= 4)
      out[n++] = "0123456789abcdef"[(group[i] >> shift) & 15];
  }
  out[n] = 0;
  return n;
}

bool mote_zone_ok(struct mote_slice zone)
{
  size_t i;
  for(i = 0; i < zone.len; i++) {
    if(!name_byte((unsigned char)zone.ptr[i]))
      return false;
  }
  return zone.len && zone.len <= MOTE_URL_MAX_ZONE;
}

/* Takes the zone id after the first "%" of an IPv6 literal (RFC 6874; a bare "%" counts as "%25"). */
static CURLUcode zone_read(struct mote_host *h, const char *p, const char *end)
{
  p++;
  if(end - p >= 2 && p[0] == '2' && p[1] == '5')
    p += 2;
  h->zone.ptr = p;
  h->zone.len = (size_t)(end - p);
  return mote_zone_ok(h->zone) ? CURLUE_OK : CURLUE_BAD_IPV6;
}

static CURLUcode literal_read(struct mote_host *h, struct mote_slice text)
{
  unsigned char address[16];
  const char *end = text.ptr + text.len - 1;
  const char *percent;
  CURLUcode rc = CURLUE_OK;
  if(text.len < 2 || *end != ']')
    return CURLUE_BAD_IPV6;
  h->raw.ptr = text.ptr + 1;
  h->raw.len = text.len - 2;
  percent = memchr(h->raw.ptr, '%', h->raw.len);
  if(percent) {
    h->raw.len = (size_t)(percent - h->raw.ptr);
    rc = zone_read(h, percent, end);
  }
  if(rc || !mote_ipv6_read(h->raw, address))
    return CURLUE_BAD_IPV6;
  h->kind = MOTE_HOST_IPV6;
  h->literal_len = (uint8_t)mote_ipv6_print(address, h->literal);
  if(h->literal_len > h->raw.len) { /* what would become longer is not rewritten, as in libcurl */
    memcpy(h->literal, h->raw.ptr, h->raw.len);
    h->literal_len = (uint8_t)h->raw.len;
  }
  return CURLUE_OK;
}

CURLUcode mote_host_read(struct mote_host *h, struct mote_slice text, bool decode)
{
  unsigned char address[4];
  memset(h, 0, sizeof *h);
  if(!text.len)
    return CURLUE_NO_HOST;
  if(text.ptr[0] == '[')
    return literal_read(h, text);
  h->raw = text;
  if(ipv4_read(text, decode, address)) {
    h->kind = MOTE_HOST_IPV4;
    h->literal_len = (uint8_t)ipv4_print(address, h->literal);
    return CURLUE_OK;
  }
  h->kind = MOTE_HOST_NAME;
  return name_ok(text, decode) ? CURLUE_OK : CURLUE_BAD_HOSTNAME;
}
