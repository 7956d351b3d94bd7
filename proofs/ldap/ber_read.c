/* Any bytes as elements. */
#include "codec/ldap/ber.h"
#include "proof.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND), rest = s, inside;
  size_t len = mote_ber_len(s);
  uint32_t number;
  uint8_t tag;
  PROVE(!len || len >= 2);
  if(mote_ber_take(&rest, &tag, &inside)) {
    PROVE(proof_within(inside, s) && proof_within(rest, s));
    PROVE(len == s.len - rest.len);
    if(mote_ber_take_number(&rest, MOTE_BER_INTEGER, &number))
      PROVE(proof_within(rest, s));
  }
  return 0;
}
