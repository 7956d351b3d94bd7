/* Any bytes as elements: what is inside lies within. */
#include "proof.h"
#include "tls/x509/der.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND);
  const uint8_t *begin = (const uint8_t *)s.ptr, *p = begin, *end = begin + s.len;
  struct mote_der e;
  if(!mote_der_next(&p, end, &e)) {
    PROVE(p == begin);
    return 0;
  }
  PROVE(e.whole == begin && p == begin + e.whole_len && e.whole_len <= s.len && e.whole_len >= 2);
  PROVE(e.content > begin && e.content + e.content_len == p);
  PROVE(e.tag == *begin && (e.tag & 0x1f) != 0x1f);
  return 0;
}
