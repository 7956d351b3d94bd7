/* Any packet, and the options that its rest may be. */
#include "codec/tftp.h"
#include "proof.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND), rest, before, name, value;
  struct mote_tftp_packet p;
  if(!mote_tftp_read(&p, s.ptr, s.len))
    return 0;
  PROVE(p.code >= MOTE_TFTP_DATA && p.code <= MOTE_TFTP_OACK);
  PROVE(proof_within(p.rest, s));
  PROVE(p.code == MOTE_TFTP_ERROR || p.rest.len == s.len - (p.code == MOTE_TFTP_OACK ? 2 : MOTE_TFTP_HEAD));
  before = rest = p.rest;
  if(mote_tftp_next_option(&rest, &name, &value)) {
    PROVE(proof_within(name, before) && proof_within(value, before) && proof_within(rest, before));
    PROVE(name.len + value.len + 2 == before.len - rest.len);
  }
  else
    PROVE(rest.ptr == before.ptr && rest.len == before.len);
  return 0;
}
