/* Any bytes become as many characters as MOTE_BASE64_SIZE() says, and a NUL. */
#include "base/digest/base64.h"
#include "proof.h"

int main(void)
{
  char in[BOUND], block[MOTE_BASE64_SIZE(BOUND)];
  struct mote_slice s = proof_any_slice(in, BOUND);
  char *out = proof_room(block, sizeof block, MOTE_BASE64_SIZE(s.len));
  size_t n = mote_base64_encode(out, s.ptr, s.len);
  PROVE(n + 1 == MOTE_BASE64_SIZE(s.len));
  PROVE(!out[n]);
  return 0;
}
