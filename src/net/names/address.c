/* net/names/address.c: IP addresses as text. */
#include "net/names/address.h"

#include <string.h>

#include "net/names/address_text.h"

bool mote_addr_parse(struct mote_slice text, struct mote_addr *out)
{
  struct mote_addr a;
  memset(&a, 0, sizeof a);
  if(mote_addr_parse_ip4(text, a.ip))
    a.family = MOTE_FAMILY_IP4;
  else {
    memset(&a, 0, sizeof a);
    if(!mote_addr_parse_ip6(text, &a))
      return false;
  }
  *out = a;
  return true;
}

size_t mote_addr_print(const struct mote_addr *a, char out[MOTE_ADDR_TEXT_MAX])
{
  if(a->family == MOTE_FAMILY_IP4)
    return mote_addr_print_ip4(a->ip, out);
  if(a->family == MOTE_FAMILY_IP6)
    return mote_addr_print_ip6(a->ip, out);
  out[0] = 0;
  return 0;
}

bool mote_addr_same_host(const struct mote_addr *a, const struct mote_addr *b)
{
  return a->family == b->family && a->scope == b->scope && !memcmp(a->ip, b->ip, sizeof a->ip);
}
