/* Any text with any flags, into room that may be too small: the length is the whole one's. */
#include "codec/url/percent.h"
#include "proof.h"

int main(void)
{
  char in[BOUND], block[3 * BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND);
  size_t cap = proof_any_up_to(sizeof block), n;
  char *out = proof_room(block, sizeof block, cap);
  n = mote_percent_encode(s, nondet_u8() & 15u, nondet_bool() ? "/:" : NULL, out, cap);
  PROVE(n <= 3 * s.len);
  PROVE(!s.len || n);
  (void)mote_percent_has_control(s, nondet_bool());
  mote_percent_raise((char *)s.ptr, s.len);
  return 0;
}
