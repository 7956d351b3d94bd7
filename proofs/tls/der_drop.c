/* Any bytes as a SEQUENCE that loses an element, in place: it is one again, and shorter by that element. */
#include "proof.h"
#include "tls/x509/der.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND);
  uint8_t *seq = (uint8_t *)s.ptr, *now;
  size_t len = s.len;
  const uint8_t *p;
  struct mote_der e;
  now = mote_der_drop(seq, &len, nondet_u8());
  if(!now)
    return 0;
  PROVE(now >= seq && len <= s.len && (size_t)(now - seq) <= s.len - len);
  PROVE(len == s.len || len + 2 <= s.len);
  p = now;
  PROVE(mote_der_next(&p, now + len, &e) && e.tag == MOTE_DER_SEQUENCE && e.whole_len == len);
  return 0;
}
