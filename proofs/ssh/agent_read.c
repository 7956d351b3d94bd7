/* Any bytes as an agent's answers, and any as what was to be signed. */
#include "codec/ssh/ssh_agent.h"
#include "proof.h"

int main(void)
{
  char in[BOUND], other[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND), data = proof_any_slice(other, BOUND), keys, before, out;
  size_t len = mote_ssh_agent_len(s);
  PROVE(!len == (s.len < 4) && (!len || len >= 4));
  if(mote_ssh_agent_read_keys(s, &keys)) {
    PROVE(len <= s.len && proof_within(keys, (struct mote_slice){s.ptr, len}));
    before = keys;
    if(mote_ssh_agent_next_key(&keys, &out)) {
      PROVE(proof_within(keys, before) && proof_within(out, before));
      PROVE(before.len - keys.len >= 8 + out.len);
    }
  }
  if(mote_ssh_agent_read_signature(s, data, &out))
    PROVE(len <= s.len && proof_within(out, (struct mote_slice){s.ptr, len}));
  return 0;
}
