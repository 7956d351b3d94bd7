/* net/address_ip4.c: dotted IPv4 addresses, which an IPv6 address may end in. */
#include "net/address_text.h"

bool mote_addr_parse_ip4(struct mote_slice s, uint8_t ip[4])
{
  int i;
  for(i = 0; i < 4; i++) {
    uint64_t v;
    size_t used;
    if(i) {
      if(!s.len || *s.ptr != '.')
        return false;
      s.ptr++;
      s.len--;
    }
    if(!mote_parse_dec_prefix(s, 255, &v, &used) || (used > 1 && *s.ptr == '0'))
      return false;
    ip[i] = (uint8_t)v;
    s.ptr += used;
    s.len -= used;
  }
  return !s.len;
}

size_t mote_addr_print_ip4(const uint8_t ip[4], char *out)
{
  size_t n = 0;
  int i;
  for(i = 0; i < 4; i++) {
    if(i)
      out[n++] = '.';
    n += mote_print_dec(out + n, ip[i]);
  }
  return n;
}
