/* Any text, into room of MOTE_BASE64_BYTES() and in place. */
#include "base/digest/base64.h"
#include "proof.h"

int main(void)
{
  char in[BOUND], block[MOTE_BASE64_BYTES(BOUND)];
  struct mote_slice s = proof_any_slice(in, BOUND);
  char *out = nondet_bool() ? (char *)s.ptr : proof_room(block, sizeof block, MOTE_BASE64_BYTES(s.len));
  size_t n;
  if(mote_base64_decode(s, out, &n))
    PROVE(n <= MOTE_BASE64_BYTES(s.len));
  return 0;
}
