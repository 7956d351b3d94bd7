#include "tool/transfers/out.h"

#include "tool/system/system.h"

#include <errno.h>
#include <string.h>

size_t mote_cli_write_all(int fd, const void *bytes, size_t len)
{
  size_t done = 0;
  while(done < len) {
    ssize_t n = mote_cli_system_write(fd, (const char *)bytes + done, len - done);
    if(n >= 0)
      done += (size_t)n;
    else if(errno == EAGAIN || errno == EWOULDBLOCK) {
      if(!mote_cli_system_wait_to_write(fd))
        break;
    }
    else if(errno != EINTR)
      break;
  }
  return done;
}

void mote_cli_out_init(struct out *o, int fd, bool escape)
{
  o->fd = fd;
  o->escape = escape;
  o->failed = false;
  o->len = 0;
}

static void write_out(struct out *o, const void *bytes, size_t len)
{
  if(mote_cli_write_all(o->fd, bytes, len) == len)
    return;
  o->error = errno;
  o->failed = true;
}

void mote_cli_out_flush(struct out *o)
{
  if(!o->failed && o->len)
    write_out(o, o->buf, o->len);
  o->len = 0;
}

void mote_cli_out_mem(struct out *o, const void *bytes, size_t len)
{
  if(len > sizeof o->buf - o->len)
    mote_cli_out_flush(o);
  if(len > sizeof o->buf) {
    if(!o->failed)
      write_out(o, bytes, len);
    return;
  }
  memcpy(o->buf + o->len, bytes, len);
  o->len += len;
}

void mote_cli_out_str(struct out *o, const char *s)
{
  mote_cli_out_mem(o, s, strlen(s));
}

void mote_cli_out_char(struct out *o, char c)
{
  mote_cli_out_mem(o, &c, 1);
}

void mote_cli_out_pad(struct out *o, curl_off_t n, int width, char fill)
{
  char digits[24];
  size_t at = sizeof digits;
  bool minus = n < 0;
  unsigned long long rest = minus ? 0ULL - (unsigned long long)n : (unsigned long long)n;
  do {
    digits[--at] = (char)('0' + rest % 10);
    rest /= 10;
  } while(rest);
  if(minus)
    digits[--at] = '-';
  for(int have = (int)(sizeof digits - at); have < width; have++)
    mote_cli_out_char(o, fill);
  mote_cli_out_mem(o, digits + at, sizeof digits - at);
}

void mote_cli_out_num(struct out *o, curl_off_t n)
{
  mote_cli_out_pad(o, n, 0, ' ');
}

void mote_cli_out_hex(struct out *o, unsigned long long n, int digits)
{
  static const char hex[] = "0123456789abcdef";
  char text[16];
  int at = (int)sizeof text;
  do {
    text[--at] = hex[n & 15];
    n >>= 4;
    digits--;
  } while((n || digits > 0) && at);
  mote_cli_out_mem(o, text + at, sizeof text - (size_t)at);
}

/* Bytes of the UTF-8 sequence at p if a terminal may get it unchanged. 0: the byte at p must be escaped.
 * U+0080 to U+009F are control characters too. */
static size_t out_printable(const unsigned char *p, size_t len)
{
  static const unsigned char lead[] = { 0xc2, 0xe0, 0xf0, 0xf5 };
  size_t more = 0;
  if(p[0] < 0x80)
    return (p[0] >= 0x20 && p[0] != 0x7f) || p[0] == '\t' || p[0] == '\n';
  while(more < 4 && p[0] >= lead[more])
    more++;
  if(!more || more > 3 || more >= len)
    return 0;
  for(size_t i = 1; i <= more; i++)
    if((p[i] & 0xc0) != 0x80)
      return 0;
  if(p[0] == 0xc2 && p[1] < 0xa0)
    return 0;
  return more + 1;
}

void mote_cli_out_safe(struct out *o, const char *bytes, size_t len)
{
  const unsigned char *p = (const unsigned char *)bytes;
  if(!o->escape) {
    mote_cli_out_mem(o, bytes, len);
    return;
  }
  for(size_t i = 0; i < len;) {
    size_t n = out_printable(p + i, len - i);
    if(!n && p[i] == '\r' && i + 1 < len && p[i + 1] == '\n')
      n = 1;
    if(n)
      mote_cli_out_mem(o, p + i, n);
    else {
      mote_cli_out_str(o, "\\x");
      mote_cli_out_hex(o, p[i], 2);
      n = 1;
    }
    i += n;
  }
}
