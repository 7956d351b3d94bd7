/* Any text with any flags, into any room and in place. */
#include "codec/url/percent.h"
#include "proof.h"

int main(void)
{
  char in[BOUND], block[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND);
  size_t cap = proof_any_up_to(BOUND), n;
  char *out = proof_room(block, sizeof block, cap);
  if(nondet_bool()) {
    out = (char *)s.ptr;
    cap = s.len;
  }
  if(mote_percent_decode(s, nondet_u8() & 15u, out, cap, &n) == CURLE_OK)
    PROVE(n <= s.len && n <= cap);
  return 0;
}
